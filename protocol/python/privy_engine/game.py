"""Games: what the engine is asked about, and what is on record. They know no rules; the engine does."""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, Union

from .process import Command, PrivyError


@dataclass
class Game:
    """A game: its variant (an id, or the path of a variant file), its first position, and the moves so far.

    `opening` is a position text; without one the game begins at the opening of the variant. `notes` has what the record
    says of a move, by its place in `moves`: `score`, `depth`, `time_ms` and `nodes`, `glyph`, `comment` and
    `variations`. `record` has all else, such as `general`, `rebels`, `comment`, `result` and `termination`: the keys of
    FORMATS.md, section 4.
    """

    variant: str = ""
    opening: str = ""
    moves: list[str] = field(default_factory=list)
    notes: dict[int, dict[str, Any]] = field(default_factory=dict)
    record: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """A position text names its variant; the first game of the engine is the default."""
        self.variant = self.variant or (self.opening.split()[5:] or ["sixteen-rebels"])[0]

    def play(self, move: str, **note: Any) -> None:
        """Adds a move. That it is legal shows when the engine is asked."""
        if note:
            self.notes[len(self.moves)] = note
        self.moves.append(move)

    def undo(self) -> str:
        """Takes the last move back, and returns it."""
        move = self.moves.pop()
        self.notes.pop(len(self.moves), None)
        return move

    @property
    def position(self) -> str:
        """The arguments of the command `position`."""
        first = f"fen {self.opening}" if self.opening else "startpos"
        return " ".join([first, "moves", *self.moves]) if self.moves else first

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Game:
        """The game of a record in JSON."""
        rest = dict(record)
        played = [dict(move) for move in rest.pop("moves")]
        moves = [move.pop("move") for move in played]
        notes = {index: note for index, note in enumerate(played) if note}
        return cls(rest.pop("variant"), rest.pop("opening", ""), moves, notes, rest)

    def to_json(self) -> dict[str, Any]:
        """The record in JSON. The result of a game without one is `*`."""
        opening = {"opening": self.opening} if self.opening else {}
        moves = [{"move": move, **self.notes.get(index, {})} for index, move in enumerate(self.moves)]
        return {"variant": self.variant, **opening, "result": "*", **self.record, "moves": moves}


Where = Union[Game, str]
"""A game, or a position text."""


def read_games(
    path: str | PathLike[str], command: Command = "privy", variant: str | PathLike[str] | None = None
) -> Iterator[Game]:
    """The games of a file: records in any form that `privy replay` reads, or the file of a `privy match`.

    Lines of JSON are read here; text and SGF by the program, which checks the games by the rules, too. What cannot be
    read is an error behind the last game. Games of rules that are not built in have the id of their variant; in text
    and SGF they need `variant`, the path of its file. An engine knows such an id once it has been asked about the path.
    """
    with Path(path).open(encoding="utf-8-sig", errors="replace") as file:
        if next((line for line in file if line.strip()), "").lstrip().startswith("{"):
            file.seek(0)
            yield from _games_of_lines(file, str(path))
            return
    replayed = _replay(command, str(path), "json", variant)
    yield from _games_of_lines(replayed.stdout.splitlines(), str(path))
    if replayed.returncode != 0:
        raise PrivyError(f"{path}: {replayed.stderr.strip()}")


def write_games(
    path: str | PathLike[str],
    games: Iterable[Game],
    form: str = "json",
    command: Command = "privy",
    variant: str | PathLike[str] | None = None,
) -> None:
    """Writes games: as lines of JSON, which every command of `privy` that reads records reads, or as "text" or "sgf".

    These forms are written by the program, which refuses games that break the rules, and needs `variant` as
    `read_games` does.
    """
    text = "".join(json.dumps(game.to_json(), ensure_ascii=False) + "\n" for game in games)
    if form != "json":
        replayed = _replay(command, "-", form, variant, text)
        if replayed.returncode != 0:
            raise PrivyError(f"{path}: {replayed.stderr.strip()}")
        text = replayed.stdout
    Path(path).write_text(text, encoding="utf-8")


def _replay(
    command: Command, file: str, form: str, variant: str | PathLike[str] | None, text: str = ""
) -> subprocess.CompletedProcess[str]:
    """What the program makes of records in another form."""
    program = shlex.split(command) if isinstance(command, str) else command
    words = [program[0], "replay", file, "--to", form]
    if variant is not None:
        words += ["--variant", str(variant)]
    return subprocess.run(words, input=text, capture_output=True, encoding="utf-8", check=False)


def _games_of_lines(lines: Iterable[str], name: str) -> Iterator[Game]:
    for number, line in enumerate(lines, 1):
        try:
            value = json.loads(line) if line.strip() else {"privy_match": 0}
            if "privy_match" not in value:
                yield Game.from_json(value.get("record", value))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise PrivyError(f"{name}: line {number}: expected a record in JSON: {error!r}") from None
