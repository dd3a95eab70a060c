"""The same engine for asyncio: each request waits in a thread. One that is cancelled leaves the engine ready."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import AsyncIterator, Coroutine, Generator, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Callable, TypeVar

from .engine import Engine
from .game import Where
from .process import Command
from .text import Info, Limits

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
        self._engine: Engine

    @classmethod
    def open(cls, command: Command = "privy", *, timeout: float = 10.0, **options: object) -> AsyncEngine:
        """An engine, a command line or its words, that starts with `async with` or `await`, and its options."""
        return cls(functools.partial(Engine.open, command, timeout=timeout, **options))

    async def __aenter__(self) -> AsyncEngine:
        self._engine = await self._do(self._start)
        return self

    def __await__(self) -> Generator[Any, None, AsyncEngine]:
        return self.__aenter__().__await__()

    async def __aexit__(self, *_: object) -> None:
        await self.close()

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
            await self._do(analysis.close)

    async def _do(self, work: Callable[[], T]) -> T:
        """Works in the thread of the engine. When the task is cancelled the search is stopped, and ends first."""
        future = asyncio.get_running_loop().run_in_executor(self._thread, work)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            while not future.done():
                if work is not self._start:
                    self._engine.stop()
                await asyncio.wait([future], timeout=0.1)
            future.exception()
            raise
