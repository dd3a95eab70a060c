"""The same engine for asyncio: each request waits in a thread. One that is cancelled leaves the engine ready."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import threading
from collections.abc import AsyncIterator, Coroutine, Generator, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Callable, TypeVar

from .engine import Analysis, Engine
from .game import Game, Where
from .process import Command, EngineFault
from .text import Info, Limits, Position

T = TypeVar("T")
if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec

    P = ParamSpec("P")


def _awaited(
    method: Callable[Concatenate[Engine, P], T],
) -> Callable[Concatenate[AsyncEngine, P], Coroutine[Any, Any, T]]:
    """The method of an engine as a coroutine."""

    @functools.wraps(method)
    async def run(self: AsyncEngine, /, *arguments: P.args, **named: P.kwargs) -> T:
        return await self._do(functools.partial(method, self._engine, *arguments, **named))

    return run


class AsyncEngine:
    """An `Engine` whose methods are coroutines. Requests of several tasks are answered one after the other."""

    def __init__(self, start: Callable[[], Engine]) -> None:
        self._start, self._thread = start, ThreadPoolExecutor(1)
        self._turn = threading.Lock()
        self._running: object = None  # the request that the thread works at
        self._opened: Engine | None = None

    @classmethod
    def open(cls, command: Command = "privy", *, timeout: float = 10.0, **options: object) -> AsyncEngine:
        """An engine by its command, with options. `async with` or `await` starts it."""
        return cls(functools.partial(Engine.open, command, timeout=timeout, **options))

    async def __aenter__(self) -> AsyncEngine:
        self._opened = await self._do(self._start)
        return self

    def __await__(self) -> Generator[Any, None, AsyncEngine]:
        return self.__aenter__().__await__()

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def _engine(self) -> Engine:
        if not self._opened:
            raise EngineFault("the engine has not been started: `async with` or `await` starts it")
        return self._opened

    @property
    def name(self) -> str:
        """The name of the engine."""
        return self._engine.name

    close = _awaited(Engine.close)
    ask = _awaited(Engine.ask)
    variants = _awaited(Engine.variants)
    options = _awaited(Engine.options)
    configure = _awaited(Engine.configure)
    position = _awaited(Engine.position)
    status = _awaited(Engine.status)
    legal_moves = _awaited(Engine.legal_moves)
    captures = _awaited(Engine.captures)
    probe = _awaited(Engine.probe)
    probe_moves = _awaited(Engine.probe_moves)
    play = _awaited(Engine.play)
    analyse_many = _awaited(Engine.analyse_many)

    async def analyse(
        self, game: Where, limits: Limits | None = None, *, multi_pv: int = 1, moves: Iterable[str] = ()
    ) -> AsyncIterator[Info]:
        """The lines of a search, as they come. It ends with the iteration, and at the next request."""
        begin = functools.partial(self._engine.analyse, game, limits, multi_pv=multi_pv, moves=moves)
        analysis = await self._do(begin)
        try:
            while info := await self._do(lambda: next(analysis, None)):
                yield info
        finally:
            analysis.stop()  # the next request waits for its end

    async def positions(self, game: Game) -> AsyncIterator[Position]:
        """The positions of a game, the first one included."""
        positions = self._engine.positions(game)
        while position := await self._do(lambda: next(positions, None)):
            yield position

    def stop(self) -> None:
        """Ends the request that runs, whichever task waits for it."""
        self._engine.stop()

    async def _do(self, work: Callable[[], T]) -> T:
        """Works in the thread of the engine.

        When the task is cancelled, a request that waits is withdrawn, and one that runs is stopped, and ends first.
        """

        def run() -> T:
            with self._turn:
                self._running = run
            try:
                return work()
            finally:
                with self._turn:  # so a stop that is meant for this request ends no other one
                    self._running = None

        if work is not self._start and self._engine._process.is_forked:
            return work()  # it fails at once, and a fork has no thread
        job = self._thread.submit(run)
        future = asyncio.wrap_future(job)
        try:
            await asyncio.wait([future])
        except asyncio.CancelledError:
            job.cancel()
            while not future.done():
                with self._turn:
                    if self._running is run and work is not self._start:
                        with contextlib.suppress(EngineFault):  # it wakes the waiting thread, too
                            self._engine.stop()
                with contextlib.suppress(asyncio.CancelledError):  # cancelled once more
                    await asyncio.wait([future], timeout=0.1)
            if not future.cancelled() and not future.exception() and isinstance(begun := future.result(), Analysis):
                begun.stop()  # nobody has it
            raise
        return future.result()
