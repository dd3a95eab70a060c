"""Games: what the engine is asked about, and what is on record. They know no rules; the engine does."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Union

from .process import Command, InvalidValue, PrivyError, file_faults, picture, run


@dataclass(init=False)
class Game:
    """A game: its variant (an id, or the path of a variant file), its first position, and the moves so far.

    `opening` is a position text; without one the game begins at the opening of the variant. `notes` has what the record
    says of a move, by its place in `moves`: `score`, `depth`, `time` and `nodes`, `glyph`, `comment` and
    `variations`. `record` has all else, such as `general`, `rebels`, `comment`, `result` and `termination`: the keys of
    FORMATS.md, section 4.
    """

    variant: str
    opening: str
    moves: list[str]
    notes: dict[int, dict[str, Any]]
    record: dict[str, Any]

    def __init__(
        self,
        variant: str | PathLike[str] = "",
        opening: str = "",
        moves: Iterable[str] = (),
        notes: Mapping[int, dict[str, Any]] | None = None,
        record: Mapping[str, Any] | None = None,
    ) -> None:
        """A position text names its variant; the first game of the engine is the default."""
        if isinstance(variant, PathLike):
            path = Path(variant).as_posix()
            variant = path if "/" in path or path.endswith(".toml") else f"./{path}"  # else it would be an id
        self.variant = variant or (opening.split()[5:] or ["sixteen-rebels"])[0]
        self.opening, self.moves = opening, list(moves)
        self.notes, self.record = dict(notes or {}), dict(record or {})

    def play(self, move: str, **note: Any) -> None:
        """Adds a move. That it is legal shows when the engine is asked."""
        if note:
            self.notes[len(self.moves)] = note
        self.moves.append(move)

    def undo(self) -> str:
        """Takes the last move back, and returns it."""
        if not self.moves:
            raise InvalidValue("undo: no move has been played")
        move = self.moves.pop()
        self.notes.pop(len(self.moves), None)
        return move

    @property
    def position(self) -> str:
        """The arguments of the command `position`."""
        first = f"fen {self.opening}" if self.opening else "startpos"
        return " ".join([first, "moves", *self.moves]) if self.moves else first

    def _repr_svg_(self) -> str | None:
        """The picture of the last position, with the last move marked, for notebooks."""
        return picture(self.variant, self.opening, self.moves)

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Game:
        """The game of a record in JSON. Raises `InvalidValue` for what is none."""
        try:
            rest = dict(record)
            played = [dict(move) for move in rest.pop("moves")]
            moves = [move.pop("move") for move in played]
            variant, opening = rest.pop("variant"), rest.pop("opening", "")
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidValue(f"record: {error!r}") from None
        if not all(isinstance(text, str) for text in (variant, opening, *moves)):
            raise InvalidValue("record: expected texts as variant, opening and moves")
        return cls(variant, opening, moves, {index: note for index, note in enumerate(played) if note}, rest)

    def to_json(self) -> dict[str, Any]:
        """The record in JSON. The result of a game without one is `*`."""
        opening = {"opening": self.opening} if self.opening else {}
        moves = [{"move": move, **self.notes.get(index, {})} for index, move in enumerate(self.moves)]
        return {"variant": self.variant, **opening, "result": "*", **self.record, "moves": moves}


Where = Union[Game, str]
"""A game, or a position text."""
FORMS = ("json", "text", "sgf")


def read_games(
    path: str | PathLike[str], command: Command = "privy", variant: str | PathLike[str] | None = None
) -> Iterator[Game]:
    """The games of a file: records in any form that `privy replay` reads, or the file of a `privy match`.

    Lines of JSON are read here; text and SGF by the program, which checks the games by the rules, too. What cannot be
    read is an error behind the last game. Games of rules that are not built in have the id of their variant; in text
    and SGF they need `variant`, the path of its file. An engine knows such an id once it has been asked about the path.
    """
    with file_faults(), Path(path).open(encoding="utf-8-sig", errors="replace") as file:
        first = next((line for line in file if line.strip()), "")
        if not first or first.lstrip().startswith("{"):
            file.seek(0)
            yield from _games_of_lines(file, str(path))
            return
    replayed = _replay(command, str(path), "json", variant)
    yield from _games_of_lines(replayed.stdout.decode(errors="replace").split("\n"), str(path))
    _check(replayed, path)


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
    if form not in FORMS:
        raise InvalidValue(f"form: expected one of {', '.join(FORMS)}, found {form!r}")
    try:
        lines = [json.dumps(game.to_json(), ensure_ascii=False, allow_nan=False) + "\n" for game in games]
        text = "".join(lines).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidValue(f"{path}: expected games that JSON can hold: {error}") from None
    if text and form != "json":
        replayed = _replay(command, "-", form, variant, text)
        _check(replayed, path)
        text = replayed.stdout
    with file_faults():
        Path(path).write_bytes(text)


def _replay(
    command: Command, file: str, form: str, variant: str | PathLike[str] | None, text: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """What the program makes of records in another form."""
    rules = [] if variant is None else ["--variant", fspath(variant)]
    return run(command, ["replay", file, "--to", form, *rules], text)


def _check(replayed: subprocess.CompletedProcess[bytes], path: str | PathLike[str]) -> None:
    if replayed.returncode != 0:
        raise PrivyError(f"{path}: {replayed.stderr.decode(errors='replace').strip()}")


def _games_of_lines(lines: Iterable[str], name: str) -> Iterator[Game]:
    for number, line in enumerate(lines, 1):
        try:
            value = json.loads(line) if line.strip() else {"privy_match": 0}
            if "privy_match" not in value:
                yield Game.from_json(value.get("record", value))
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            raise PrivyError(f"{name}: line {number}: expected a record in JSON: {error}") from None
