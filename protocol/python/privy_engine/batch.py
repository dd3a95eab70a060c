"""Many positions at once, by `privy analyze`: lines of JSON in, lines of JSON out, and columns of them."""

from __future__ import annotations

import contextlib
import json
import math
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from .game import Game, Where
from .process import EngineFault, InvalidValue, Process
from .text import Info, Limits, Score

COLUMNS = (
    *("position", "best", "score", "winrate", "bound", "exact"),
    *("proven_depth", "depth", "nodes", "time", "pv", "lines", "error"),
)
NUMBERS = ("winrate", "proven_depth", "depth", "nodes", "time")


class Columns(dict[str, list[Any]]):
    """Columns of equal length, by name: `position`, the keys of a result in FORMATS.md, and the `pv` of the best line.

    `lines` has up to `multi_pv` lines of each position, as `Result.lines`, the best first. A position that could not be
    searched has its reason in the column `error`, and `None` in the others.
    """

    def numpy(self) -> dict[str, Any]:
        """The columns as arrays of NumPy; a missing number is `nan`."""
        import numpy

        def array(name: str) -> Any:
            values = [math.nan if value is None and name in NUMBERS else value for value in self[name]]
            return numpy.array(values, dtype=float if name in NUMBERS else object)

        return {name: array(name) for name in self}

    def pandas(self) -> Any:
        """The columns as a data frame of pandas."""
        import pandas

        # pandas would take a score for a plain text, which has another order.
        kept = {name: pandas.Series(self[name], dtype=object) for name in ("position", "score") if name in self}
        return pandas.DataFrame({**self, **kept})


def analyse_batch(
    process: Process, asked: Sequence[Where], limits: Limits, timeout: float, rest: Mapping[str, object]
) -> Columns:
    """The results of positions, in their order. Each is awaited for the time of a search and `timeout` seconds."""
    if limits.infinite or not limits.given().keys() <= {"time", "depth", "nodes"}:
        raise InvalidValue(f"limits: expected time, depth or nodes, found {limits}")
    shared = {"limits": limits.given(), **{key: value for key, value in rest.items() if value is not None}}

    games = [where if isinstance(where, Game) else Game(opening=where) for where in asked]
    places = [{"variant": game.variant, "position": game.opening or "startpos", "moves": game.moves} for game in games]
    jobs = [json.dumps({"id": index, **place, **shared}) for index, place in enumerate(places)]

    def write() -> None:
        with contextlib.suppress(EngineFault):  # the process has been ended
            for job in jobs:
                process.write(job)
            process.end_input()

    threading.Thread(target=write, daemon=True).start()
    found: dict[int, dict[str, Any]] = {}
    while len(found) < len(asked):
        process.allow(timeout + (limits.seconds or 0.0))
        line = process.line()
        try:
            result = json.loads(line)
            index = result["id"]
            if not 0 <= index < len(asked) or index in found:
                raise ValueError(f"id {index}")
            score = Score(result["score"]) if "score" in result else None
            lines = [_line(rank, line) for rank, line in enumerate(result["lines"], 1)] if "lines" in result else None
            pv = list(lines[0].pv) if lines else None
            found[index] = {**result, "position": asked[index], "score": score, "pv": pv, "lines": lines}
            process.complete()
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
            raise process.fault(f"unreadable answer: {line[:80]!r}") from None
    return Columns({name: [found[index].get(name) for index in range(len(asked))] for name in COLUMNS})


def _line(rank: int, line: Mapping[str, Any]) -> Info:
    """A line of a result."""
    return Info(
        multipv=rank, score=Score(line["score"]), winrate=line["winrate"], bound=line.get("bound"), pv=tuple(line["pv"])
    )
