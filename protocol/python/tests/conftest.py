"""The program under test: that of the variable PRIVY, the one that `cargo build` made, or `privy` of the path."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from privy_engine import Engine

PACKAGE = Path(__file__).resolve().parents[1]
IN_REPOSITORY = (PACKAGE.parent / "PROTOCOL.md").is_file()
ROOT = PACKAGE.parent.parent if IN_REPOSITORY else PACKAGE / "tests/repository"


def program() -> str:
    """The program under test."""
    built = str(ROOT / "target/debug/privy") if IN_REPOSITORY else "privy"
    found = shutil.which(os.environ.get("PRIVY", built))
    if not found:
        raise pytest.UsageError("no program privy: the variable PRIVY names it")
    return str(Path(found).absolute())


PRIVY = program()
SMALL = str(ROOT / "protocol/transcripts/three-rows.toml")


@pytest.fixture(scope="session", autouse=True)
def nobody(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A user without tables."""
    home = tmp_path_factory.mktemp("home")
    os.environ.update(HOME=str(home), XDG_CACHE_HOME=str(home / "cache"))


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine.open([PRIVY], timeout=30, hash=16) as engine:
        yield engine


def bad(fault: str, *arguments: str) -> list[str]:
    """The command of an engine with a fault."""
    return [sys.executable, str(ROOT / "tests/bad_engines/bad_engine.py"), fault, *arguments]


def has_children() -> bool:
    """True if a process that this one has started runs, or has ended unnoticed."""
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return False
    return True
