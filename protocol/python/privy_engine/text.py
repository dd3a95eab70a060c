"""The text forms of PROTOCOL.md. Each is the text that the engine writes, with properties."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from .process import InvalidValue, picture


class Position(str):
    """A position text of six fields: `1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g - 0 0 sixteen-rebels`."""

    def __new__(cls, text: str) -> Position:
        """Takes a text with all six fields; the engine alone knows if the rules allow it."""
        if not re.fullmatch(r"\S+ [gr] \S+ [0-9]+ [0-9]+ \S+", text):
            raise InvalidValue(f"position: expected six fields, found {text[:200]!r}")
        return super().__new__(cls, text)

    @property
    def rows(self) -> str:
        """The rows from the top: `r` a Rebel, `G` the General, a number a run of empty points."""
        return self.split()[0]

    @property
    def rebels(self) -> int:
        """The number of Rebels on the board."""
        return self.rows.split("[")[0].count("r")

    @property
    def side(self) -> str:
        """The side to move, "general" or "rebels"."""
        return "general" if self.split()[1] == "g" else "rebels"

    @property
    def ply(self) -> int:
        """The number of plies played before."""
        return int(self.split()[4])

    @property
    def variant(self) -> str:
        """The id of the variant."""
        return self.split()[5]

    def _repr_svg_(self) -> str | None:
        """The picture, for notebooks."""
        return picture(self.variant, self)


class Status(str):
    """Whose turn it is, or how the game ended: `general to move`, `rebels win: privy closed`, `draw: repetition`."""

    @property
    def is_over(self) -> bool:
        """True if the game is over."""
        return not self.endswith(" to move")

    @property
    def winner(self) -> str | None:
        """The side that has won, "general" or "rebels"."""
        return self.split()[0] if self.split()[1:2] in (["wins:"], ["win:"]) else None


class Score(str):
    """A score for the side to move: `+0.42`, `+W27` won in 27 plies, `-W27` lost, `=` a proved draw.

    `+W24?` is a win in about 24 plies that is not proved, `+W?` one by repetition or of unknown length; so are losses.
    The greater is the better: a loss, the later the better, then evaluations, among them a draw, then a win, the sooner
    the better; a win that is not proved comes below one that is.
    """

    def __new__(cls, text: str) -> Score:
        """Raises `InvalidValue` for another text."""
        if not re.fullmatch(r"=|[+-](W[0-9]+|W[0-9]*\?|[0-9]+(\.[0-9]+)?)", text):
            raise InvalidValue(f"score: expected a form such as +0.42, +W27 or =, found {text[:80]!r}")
        return super().__new__(cls, text)

    def _worth(self) -> tuple[int, float, str]:
        """What scores are ordered by; equal ones alone have the same."""
        won = re.fullmatch(r"([+-])W([0-9]*)(\??)", self)
        if won is None:
            return 0, self.value or 0.0, str(self)
        sign = 1 if won[1] == "+" else -1
        return sign * (1 if won[3] else 2), -sign * float(won[2] or "inf"), str(self)

    def __lt__(self, other: str) -> bool:
        return self._worth() < Score(other)._worth()

    def __le__(self, other: str) -> bool:
        return self._worth() <= Score(other)._worth()

    def __gt__(self, other: str) -> bool:
        return self._worth() > Score(other)._worth()

    def __ge__(self, other: str) -> bool:
        return self._worth() >= Score(other)._worth()

    @property
    def is_exact(self) -> bool:
        """True if it is proved: a win, a loss or a draw."""
        return self == "=" or self[1:2] == "W" and self[-1] != "?"

    @property
    def plies(self) -> int | None:
        """The plies to the end of a proved win, negative for a loss."""
        return int(self.replace("W", "")) if self != "=" and self.is_exact else None

    @property
    def value(self) -> float | None:
        """The evaluation: 0 is an even chance, 3 are odds of ten to one; `None` of a win, a loss or a proved draw."""
        return None if self == "=" or self[1:2] == "W" else float(self)

    @property
    def winrate(self) -> float:
        """The chance of winning, 0 to 1, a draw being half a win."""
        if self.is_exact:
            return {"=": 0.5, "+": 1.0, "-": 0.0}[self[0]]
        if self.value is None:
            return 0.9999 if self[0] == "+" else 0.0001
        return 1.0 / (1.0 + float(10.0 ** (-self.value / 3.0)))


@dataclass(frozen=True)
class Limits:
    """Limits of a search, as in `go`: times in milliseconds, `depth` in plies. The first one reached ends it.

    Without any limit a search takes a second. `clock` is what is left on the clock of the side to move, `inc` its
    increment, `moves` the moves to the next time control.
    """

    time: int | None = None
    depth: int | None = None
    nodes: int | None = None
    clock: int | None = None
    inc: int | None = None
    moves: int | None = None
    infinite: bool = False

    def __str__(self) -> str:
        """The arguments of `go`."""
        given = [f"{name} {value}" for name, value in self.given().items()]
        return " ".join(given + ["infinite"] * self.infinite)

    def given(self) -> dict[str, int]:
        """The limits that are numbers, by name."""
        numbers = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "infinite"}
        return {name: value for name, value in numbers.items() if value is not None}

    @property
    def seconds(self) -> float | None:
        """How long a search may take: `None` if these limits do not say it."""
        times = [ms / 1000 for ms in (self.time, self.clock) if ms is not None]
        return min(times) if times else None if self.given() or self.infinite else 1.0


@dataclass(frozen=True)
class Info:
    """A line of a search: PROTOCOL.md has the keys. `extra` has the pairs of keys that this class does not know."""

    depth: int = 0
    seldepth: int = 0
    multipv: int = 1
    score: Score | None = None
    winrate: float | None = None
    bound: str | None = None
    nodes: int = 0
    nps: int = 0
    hashfull: int = 0
    tbhits: int = 0
    time: int = 0
    cut: str | None = None
    pv: tuple[str, ...] = ()
    extra: Mapping[str, str] | None = field(default=None, hash=False)

    @classmethod
    def parse(cls, line: str) -> Info:
        """Reads a line `info KEY VALUE … pv MOVES`. Raises `InvalidValue` for a value that is not of its kind."""
        pairs, _, pv = line.partition(" pv ")
        words = pairs.split()[1:]
        extra = dict(zip(words[::2], words[1::2]))
        try:
            known: dict[str, Any] = {name: kind(extra.pop(name)) for name, kind in KINDS.items() if name in extra}
        except ValueError as error:
            raise InvalidValue(f"info: {error}") from None
        return cls(**known, pv=tuple(pv.split()), extra=extra)


KINDS: Mapping[str, Any] = {
    **dict.fromkeys(("depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits", "time"), int),
    "score": Score,
    "winrate": float,
    "bound": str,
    "cut": str,
}


@dataclass(frozen=True)
class Result:
    """The end of a search: the move to play, and the last line of each rank, the best first."""

    best: str
    lines: tuple[Info, ...]

    @property
    def score(self) -> Score | None:
        """The score of the best line; `None` if the engine did not say."""
        return self.lines[0].score if self.lines else None


@dataclass(frozen=True)
class Option:
    """An option of the engine. A choice has its values in `choices`, a number its range."""

    name: str
    type: str
    default: str
    min: str
    max: str
    value: str

    @property
    def choices(self) -> list[str]:
        """The values of a choice."""
        return self.min.split("|") if self.type == "choice" else []
