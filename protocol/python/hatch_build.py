"""Puts the files of the repository that the tests read into the source distribution."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FILES = (
    *("tests/bad_engines/bad_engine.py", "protocol/examples/weak_engine.py", "protocol/examples/small_rules.py"),
    *("protocol/transcripts/three-rows.toml", "protocol/transcripts/three-rows-board.toml"),
)


class Files(BuildHookInterface):
    """In a source distribution that is built again they are there already."""

    def initialize(self, _: str, build_data: dict[str, Any]) -> None:
        """Adds the files."""
        repository = Path(self.root).parent.parent
        for name in FILES:
            if (repository / name).exists():
                build_data["force_include"][str(repository / name)] = f"tests/repository/{name}"
