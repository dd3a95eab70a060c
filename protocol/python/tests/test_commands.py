"""Commands: every entry point takes the same forms of them."""

from __future__ import annotations

import asyncio
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Callable

import pytest
from conftest import PRIVY

from privy_engine import AsyncEngine, Engine, EngineFault, Game, Limits, read_games, write_games
from privy_engine.process import Command, program_of, words_of

TEXT = '[Variant "kings-gonu"]\n\n1. f3-c3 *\n'


def ask(command: Command, _: Path) -> None:
    with Engine.open(command, timeout=30) as engine:
        assert engine.status(Game()) == "general to move"


def ask_later(command: Command, _: Path) -> None:
    async def main() -> None:
        async with AsyncEngine.open(command, timeout=30) as engine:
            assert await engine.status(Game()) == "general to move"
            assert (await engine.analyse_many([Game()], Limits(nodes=1)))["best"][0]

    asyncio.run(main())


def analyse_many(command: Command, _: Path) -> None:
    with Engine.open(command, timeout=30, hash=8) as engine:
        columns = engine.analyse_many([Game(), Game("kings-gonu")], Limits(depth=2), multi_pv=2)
    assert [len(lines) for lines in columns["lines"]] == [2, 2]


def draw(command: Command, _: Path) -> None:
    with Engine.open(command, timeout=30):
        assert "<svg" in (Game()._repr_svg_() or "")


def read(command: Command, folder: Path) -> None:
    (folder / "games").write_text(TEXT)
    assert [game.moves for game in read_games(folder / "games", command)] == [["f3-c3"]]


def write(command: Command, folder: Path) -> None:
    write_games(folder / "games", [Game("kings-gonu", moves=["f3-c3"])], "text", command)
    assert "1. f3-c3" in (folder / "games").read_text()


@pytest.fixture
def links(tmp_path: Path) -> dict[str, Path]:
    """The program by names with spaces, quotation marks and backslashes, which a file may have here."""
    if os.name == "nt":
        pytest.skip("names of files with backslashes")
    links = {name: tmp_path / name / "privy" for name in ["plain", "two words", "it's", "back\\slash"]}
    for link in links.values():
        link.parent.mkdir()
        link.symlink_to(PRIVY)
    return links


@pytest.mark.parametrize("entry", [ask, ask_later, analyse_many, draw, read, write])
def test_every_entry_takes_every_form(
    entry: Callable[[Command, Path], None], links: dict[str, Path], tmp_path: Path
) -> None:
    plain, spaced, quoted, slashed = links.values()
    lines = [str(plain), str(slashed), f'"{spaced}"', f"'{spaced}'", shlex.quote(str(quoted)), f"  {plain}  "]
    lines += [f"{plain} --level 10", f"nice -n 5 '{spaced}' --hash 16 --tables off"]
    words: list[Sequence[str | Path]] = [[str(spaced)], (plain,), [spaced, "--level", "10"], ["nice", plain]]
    words += [[sys.executable, "-c", "import os, sys; os.execv(sys.argv[1], sys.argv[1:])", spaced, "--seed", "3"]]
    forms: list[Command] = [*lines, *links.values(), *words]
    for command in forms:
        entry(command, tmp_path)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (r"C:\Games\privy.exe", [r"C:\Games\privy.exe"]),
        (r'"C:\Program Files\Privy\privy.exe" --hash 64', [r"C:\Program Files\Privy\privy.exe", "--hash", "64"]),
        (r"privy --tables 'D:\my tables\' --level 3", ["privy", "--tables", "D:\\my tables\\", "--level", "3"]),
        (r"\\server\share\privy", [r"\\server\share\privy"]),
        (r".\privy", [r".\privy"]),
        ("python3 engine.py --name ''", ["python3", "engine.py", "--name", ""]),
        ("a\t# b", ["a", "#", "b"]),
    ],
)
def test_a_backslash_is_a_letter(command: str, words: list[str]) -> None:
    assert words_of(command) == words_of(words) == words_of(shlex.join(words)) == words


@pytest.mark.parametrize(
    ("words", "program"),
    [
        (["privy"], "privy"),
        (["./engine", "--tables", "/data/privy", "--log", "privy"], "./engine"),
        (["nice", "-n", "5", "privy", "--tables", "privy"], "privy"),
        (["nice", "--adjustment=5", "/usr/bin/privy"], "/usr/bin/privy"),
        (["wine", "C:\\Games\\Privy.exe", "--hash", "64"], "C:\\Games\\Privy.exe"),
        (["privy", "--variant", "privy"], "privy"),
    ],
)
def test_the_program_of_a_command_is_found(words: Sequence[str], program: str) -> None:
    assert words[program_of(words)] == program


def test_a_fault_names_the_program() -> None:
    with pytest.raises(EngineFault, match=r"^C:\\Games\\privy.exe: cannot be started: No such file or directory$"):
        Engine.open(r"C:\Games\privy.exe")
    with pytest.raises(EngineFault, match=r"^privy: exits with status 127"):
        Engine.open("nice no/such/privy")
