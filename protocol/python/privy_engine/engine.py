"""A session with an engine: one request, one answer; and searches, whose lines come as they are found."""

from __future__ import annotations

import json
import math
import re
import threading
from collections.abc import Iterable, Iterator
from typing import Any, Callable, TypeVar

from .batch import Columns, analyse_batch
from .game import Game, Where
from .process import Command, EngineFault, InvalidValue, PrivyError, Process, Refusal, latest, program_of, words_of
from .text import Info, Limits, Option, Position, Result, Score, Status

T = TypeVar("T")


class Engine:
    """A running engine, and what it knows of games.

    A request takes `timeout` seconds at most, a search that much longer than its limits of time say; one that is
    limited by depth or nodes alone may take that long for each of its lines. An engine that needs longer, ends, or
    writes what is no answer raises `EngineFault`. One thread at a time may ask; `stop` is for all threads.
    """

    def __init__(self, command: Command, timeout: float) -> None:
        self.command = words_of(command)
        self.timeout = timeout
        self._process = Process(self.command)
        self._batch: Process | None = None
        self._sent, self._asked, self._sending = 0, 0, threading.Lock()
        self._unread = set[int]()  # ids of requests whose answers have not been read to their end
        self._analysis: Analysis | None = None
        self._variant, self._id, self._position = "", "", ""
        self._options: dict[str, str] = {}
        self.name = self._ask("name")
        if self.name == "Privy":
            latest[:] = self.command

    @classmethod
    def open(cls, command: Command = "privy", *, timeout: float = 10.0, **options: object) -> Engine:
        """Starts an engine by its command, and sets options."""
        engine = cls(command, timeout)
        try:
            engine.configure(**options)
        except BaseException:
            engine._process.kill()
            raise
        return engine

    def close(self) -> None:
        """Ends the engine, and its search without a result."""
        if self._analysis:
            self._analysis._end()
        self._process.close()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self.close()
        else:
            self._process.kill()

    # Requests.

    def ask(self, request: str, game: Where | None = None) -> str:
        """Returns the answer to a line of the protocol, asked about a game if one is given."""
        self._set_up(game)
        self._variant = self._position = ""  # the line may change them
        return self._ask(request)

    def variants(self) -> list[dict[str, Any]]:
        """The games that the engine knows, as `list_variants verbose` tells of them."""
        return self._rows(None, "list_variants verbose", json.loads)

    def options(self) -> dict[str, Option]:
        """The options, by name."""
        options = self._rows(None, "list_options", lambda line: Option(*line.split(" ", 5)))
        return {option.name: option for option in options}

    def configure(self, /, **options: object) -> None:
        """Sets options: `configure(threads=2, tables="off", ponder=False)`."""
        for name, value in options.items():
            word = ("on" if value else "off") if isinstance(value, bool) else str(value)
            self._ask(f"set_option {name} {word}")

    def position(self, game: Where) -> Position:
        """The position after the moves."""
        return self._read(game, "fen", Position)

    def positions(self, game: Game) -> Iterator[Position]:
        """The positions of a game, the first one included."""
        turn = Game(game.variant, game.opening)
        yield self.position(turn)
        for move in game.moves:
            turn.play(move)
            yield self.position(turn)

    def status(self, game: Where) -> Status:
        """Whose turn it is, or how the game ended."""
        return self._read(game, "status", Status)

    def legal_moves(self, game: Where) -> list[str]:
        """The legal moves; empty when the game is over."""
        return self._read(game, "legal_moves", str.split)

    def captures(self, game: Where) -> dict[str, list[str]]:
        """The legal moves, and the points of the Rebels that each captures."""
        return dict(self._rows(game, "legal_moves verbose", lambda line: (line.split()[0], line.split()[2:])))

    def probe(self, game: Where) -> Score:
        """The value from a table of perfect play; refused with "no table" where there is none."""
        return self._read(game, "probe", _value)

    def probe_moves(self, game: Where) -> dict[str, Score]:
        """The value of each legal move, best first, the move counted."""
        return dict(self._rows(game, "probe moves", lambda line: (line.split()[0], _value(line.split(" ", 1)[1]))))

    # Searches.

    def analyse(
        self, game: Where, limits: Limits | None = None, *, multi_pv: int = 1, moves: Iterable[str] = ()
    ) -> Analysis:
        """Begins a search, of all moves or some, without limits until it is stopped: iterate over its lines."""
        self._set_up(game)
        if multi_pv != int(self._options.get("multi_pv", 1)):
            self.configure(multi_pv=multi_pv)
        return Analysis(self, limits or Limits(infinite=True), " ".join(moves))

    def play(self, game: Where, limits: Limits | None = None, *, moves: Iterable[str] = ()) -> Result:
        """Returns the engine's choice of a move, without limits after a second. `game.play(result.best)` plays it."""
        return self.analyse(game, limits or Limits(), moves=moves).result()

    def analyse_many(
        self, positions: Iterable[Where], limits: Limits, *, multi_pv: int = 1, level: int | None = None
    ) -> Columns:
        """Searches many positions with `privy analyze`, as many at a time as there are cores, or `threads`.

        It is a process of its own, with the options of this one; its columns have a row for each position, in order.
        """
        asked, options = list(positions), {**self._options}
        words = ["--threads", options.pop("threads")] if "threads" in options else []
        words += [word for name, value in options.items() for word in ("--set", f"{name}={value}")]
        behind = program_of(self.command) + 1
        self._batch = Process([*self.command[:behind], "analyze", *self.command[behind:], *words])
        try:
            return analyse_batch(self._batch, asked, limits, self.timeout, {"multi_pv": multi_pv, "level": level})
        finally:
            self._batch.kill()

    def stop(self) -> None:
        """Ends the search, which answers with what it has found, or a command such as `solve` or a batch, which fails.

        Any thread may call it.
        """
        if analysis := self._analysis:
            analysis.stop()
        with self._sending:
            if self._asked:
                self._asked = 0
                self._write("stop")
        if batch := self._batch:
            batch.kill()

    # Lines.

    def _read(self, game: Where | None, request: str, read: Callable[[str], T]) -> T:
        """Returns what the answer to a request about a game says."""
        self._set_up(game)
        answer = self._ask(request)
        try:
            return read(answer)
        except (ValueError, TypeError, LookupError, RecursionError):
            raise self._process.fault(f"unreadable answer: {answer[:80]!r}") from None

    def _rows(self, game: Where | None, request: str, read: Callable[[str], T]) -> list[T]:
        """Returns what each line of the answer says."""
        return self._read(game, request, lambda text: [read(line) for line in text.split("\n") if line])

    def _set_up(self, where: Where | None) -> None:
        """Makes a game the one that the engine is asked about."""
        if where is None:
            return
        game = where if isinstance(where, Game) else Game(opening=where)
        is_file = "/" in game.variant or game.variant.endswith(".toml")  # it may have changed
        if is_file or (game.variant, game.position) != (self._variant, self._position):
            self._position = ""
            if is_file or game.variant != self._variant:
                self._variant = ""
                self._ask(f"variant {game.variant}")
                self._id = self._ask("variant") if is_file else game.variant
            named = game.opening.split()[5:6] or [self._id]
            if named != [self._id]:  # the engine would change to it
                reason = f"the position is one of {named[0]}, the game is one of {self._id}"
                raise Refusal(f"position {game.position}", f"illegal position: {reason}")
            self._ask(f"position {game.position}")
            self._variant, self._position = game.variant, game.position

    def _ask(self, request: str) -> str:
        number, before = self._send(request), self._options
        words = request.split(None, 2)
        if words[:1] == ["set_option"] and len(words) == 3:  # it is set though its answer be interrupted
            self._options = {**before, words[1]: words[2].rstrip()}
        self._process.allow(self.timeout)
        self._asked = number
        try:
            lines = [self._begin(request, number)]
            while line := self._process.line():
                lines.append(line)
        except Refusal:
            self._options = before
            raise
        finally:
            with self._sending:
                self._asked = 0
        self._unread.discard(number)
        return "\n".join(lines)

    def _send(self, request: str) -> int:
        """Sends a request and returns its id. A search in progress is ended before."""
        if self._analysis:
            self._analysis.close()
        if re.search(r"[\x00-\x1f\x7f#\ud800-\udfff]", request):
            found = repr(request[:200])
            raise InvalidValue(f"request: expected a line without # and control characters, found {found}")
        with self._sending:
            return self._write(request)

    def _write(self, request: str) -> int:
        self._sent += 1
        self._unread.add(self._sent)
        self._process.write(f"{self._sent} {request}")
        return self._sent

    def _begin(self, request: str, number: int) -> str:
        """Returns what stands in the first line of the answer to a request."""
        while not (mark := re.fullmatch(rf"([=?]){number}(?: (.*))?", line := self._process.line())):
            # Before it may come the answer to a `stop`, or what is left of one whose reader was interrupted.
            if min(self._unread) == number:
                raise self._process.fault(f"unreadable answer: {line[:80]!r}")
        while (earlier := min(self._unread)) < number:
            self._unread.discard(earlier)
        if mark[1] == "?":
            while self._process.line():
                pass
            self._unread.discard(number)
            raise Refusal(request, mark[2] or "")
        return mark[2] or ""


class Analysis(Iterator[Info]):
    """A search. Iterating waits for its lines; leaving the `with` block, and the next request to the engine, end it."""

    def __init__(self, engine: Engine, limits: Limits, moves: str) -> None:
        self._engine, self._limits = engine, limits
        self._best, self._lines = "", dict[int, Info]()
        self._is_over = self._is_stopped = False
        request = " ".join(["go", *str(limits).split(), *(["searchmoves", moves] if moves else [])])
        self._number = engine._send(request)
        engine._analysis = self
        engine._process.allow((limits.seconds or 0.0) + engine.timeout)
        try:
            self._first = engine._begin(request, self._number)
        except BaseException as error:
            if not isinstance(error, PrivyError):  # an interrupt
                self.stop()
            self._end()
            raise
        with engine._sending:
            if limits.infinite and not self._is_stopped:
                engine._process.allow(math.inf)

    def __next__(self) -> Info:
        try:
            while not self._is_over:
                if info := self._read():
                    return info
        except EngineFault:
            self._end()
            raise
        raise StopIteration

    def _read(self) -> Info | None:
        """Reads a line, and returns what it tells of the search."""
        process = self._engine._process
        if self._limits.seconds is None and (self._is_stopped or not self._limits.infinite):
            process.allow(self._engine.timeout)
        line, self._first = self._first or process.line(), ""
        if not line and not self._best:
            raise process.fault("answers without a move")
        if not line:
            self._engine._unread.discard(self._number)
            self._end()
        elif line.startswith("info "):
            try:
                info = Info.parse(line)
            except ValueError as error:
                raise process.fault(f"unreadable answer: {error}") from None
            self._lines[info.multipv] = info
            return info
        elif move := MOVE.fullmatch(line):
            self._best = move[1]
        else:
            raise process.fault(f"unreadable answer: {line[:80]!r}")
        return None

    def _end(self) -> None:
        self._is_over, self._engine._analysis = True, None

    def result(self) -> Result:
        """Waits for the end."""
        for _ in self:
            pass
        if not self._best:
            raise EngineFault(f"{self._engine._process.name}: has ended without a move")
        return Result(self._best, tuple(info for _, info in sorted(self._lines.items())))

    def stop(self) -> None:
        """Ends the search, which answers with what it has found. Any thread may call it."""
        engine = self._engine
        with engine._sending:
            if not self._is_over and not self._is_stopped:
                self._is_stopped = True
                engine._write("stop")
                engine._process.allow(engine.timeout)

    def close(self) -> None:
        """Ends the search, and waits for its end."""
        self.stop()
        for _ in self:
            pass

    def __enter__(self) -> Analysis:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self.close()


MOVE = re.compile("bestmove ((?:@?[a-z][0-9]{1,2}(?:[-x~:]?[a-z][0-9]{1,2})*)|pass|resign)")


def _value(words: str) -> Score:
    """The score of an answer to `probe`: `win 38`, `loss 4`, `draw`, `win repetition`."""
    result, *plies = words.split()
    length = "?" if plies == ["repetition"] else "".join(plies)
    return Score("=" if result == "draw" else {"win": "+W", "loss": "-W"}[result] + length)
