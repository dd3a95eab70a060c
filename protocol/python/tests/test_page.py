"""The code of README.md, as it stands, with fewer positions."""

from __future__ import annotations

import importlib.util
import os
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import PACKAGE, PRIVY

PAGE = (PACKAGE / "README.md").read_text(encoding="utf-8")


def test_the_page_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(Path(PRIVY).parent), prepend=os.pathsep)
    names: dict[str, Any] = {}
    blocks = re.findall(r"```python\n(.*?)```(?:\n\n```\n(.*?)```)?", PAGE, re.DOTALL)
    assert len(blocks) == 7
    for code, shown in blocks:
        if "matplotlib" in code and not importlib.util.find_spec("matplotlib"):
            continue
        assert "10_000" not in code or len(code.splitlines()) <= 16
        exec(compile(code.replace("10_000", "200"), "README.md", "exec"), names)
        printed = capsys.readouterr().out
        assert printed == shown if shown else printed or "matplotlib" in code
