"""The engine for asyncio."""

from __future__ import annotations

import asyncio
import functools
import time
from collections.abc import AsyncIterator, Coroutine
from typing import Any, Callable

import pytest
from conftest import PRIVY, bad, has_children

from privy_engine import Analysis, AsyncEngine, Engine, EngineFault, Game, Limits, Result


def test_engines_play_each_other_while_one_is_analysed() -> None:
    async def match() -> str:
        async with AsyncEngine.open(bad("none")) as one, AsyncEngine.open([PRIVY]) as two:
            game, turn = Game("sixteen-rebels-murray"), [one, two]
            while await two.legal_moves(game):
                result, *_ = await asyncio.gather(
                    turn[len(game.moves) % 2].play(game, Limits(nodes=500)), *(engine.status(game) for engine in turn)
                )
                game.play(result.best)
            return await one.status(game)

    assert "win" in asyncio.run(match())
    assert not has_children()


def test_a_cancelled_search_leaves_the_engine_ready() -> None:
    async def main() -> None:
        async with AsyncEngine.open([PRIVY], timeout=30) as engine:
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(engine.play(Game(), Limits(infinite=True)), 0.2)
            async for info in engine.analyse(Game("kings-gonu"), multi_pv=2):
                if info.depth == 3:
                    break
            assert await engine.position(Game()) == "1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g - 0 0 sixteen-rebels"
            assert (await engine.options())["multi_pv"].value == "2"

    asyncio.run(main())


def test_a_fault_is_an_exception() -> None:
    async def main() -> None:
        async with AsyncEngine.open(bad("hang"), timeout=0.4) as engine:
            await engine.play(Game(), Limits(nodes=100))

    with pytest.raises(EngineFault, match="does not answer in time"):
        asyncio.run(main())
    assert not has_children()


def requests(engine: AsyncEngine) -> dict[str, Callable[[], Coroutine[Any, Any, object]]]:
    """A request by each method that waits, and by each iteration."""

    async def first(lines: AsyncIterator[object]) -> object:
        async for line in lines:
            return line
        return None

    asked = (engine.position, engine.status, engine.legal_moves, engine.captures, engine.probe, engine.probe_moves)
    return {
        **{method.__name__: functools.partial(method, Game()) for method in asked},
        "play": lambda: engine.play(Game(), Limits(depth=1)),
        "analyse": lambda: first(engine.analyse(Game())),
        "analyse_many": lambda: engine.analyse_many([Game()], Limits(depth=1)),
        "positions": lambda: first(engine.positions(Game())),
        "ask": lambda: engine.ask("stop"),
        "configure": lambda: engine.configure(seed=7),
        "options": engine.options,
        "variants": engine.variants,
        "close": engine.close,
    }


def test_the_methods_are_those_of_an_engine() -> None:
    def public(kind: type) -> set[str]:
        return {name for name in dir(kind) if not name.startswith("_")}

    assert public(AsyncEngine) - {"name"} == public(Engine)  # where it is set for each
    waiting = public(AsyncEngine) - {"open", "stop", "name"}
    assert requests(AsyncEngine.open([PRIVY])).keys() == waiting


def test_a_cancelled_request_that_waits_leaves_the_one_that_runs() -> None:
    async def main() -> None:
        async with AsyncEngine.open([PRIVY], timeout=30) as engine:
            running = asyncio.create_task(engine.play(Game(), Limits(infinite=True)))
            await asyncio.sleep(0.3)
            tasks = {name: asyncio.create_task(request()) for name, request in requests(engine).items()}
            for request in requests(engine).values():
                with pytest.raises(asyncio.TimeoutError):
                    await asyncio.wait_for(request(), 0.01)
            for task in tasks.values():
                task.cancel()
            ended = await asyncio.gather(*tasks.values(), return_exceptions=True)
            assert all(isinstance(error, asyncio.CancelledError) for error in ended)
            await asyncio.sleep(0.3)
            assert not running.done()
            await stop(engine, running)
            assert (await engine.options())["seed"].value == "0"
            assert await engine.status(Game()) == "general to move"

    asyncio.run(main())


async def stop(engine: AsyncEngine, search: asyncio.Task[Result]) -> None:
    """Ends a search, also one that has not begun yet."""
    while not search.done():
        engine.stop()
        await asyncio.sleep(0.05)
    assert search.result().best


@pytest.mark.parametrize("times", [1, 3])
def test_a_cancelled_request_that_runs_ends_and_those_that_wait_are_answered(times: int) -> None:
    async def iterate(lines: AsyncIterator[object]) -> None:
        async for _ in lines:
            pass

    async def main() -> None:
        async with AsyncEngine.open([PRIVY], timeout=30) as engine:
            long: list[Callable[[], Coroutine[Any, Any, object]]] = [
                lambda: engine.play(Game(), Limits(infinite=True)),
                lambda: engine.play(Game(), Limits(depth=900)),
                lambda: engine.ask("perft 60"),
                lambda: engine.ask("go infinite"),
                lambda: engine.analyse_many([Game()] * 3, Limits(time=100_000)),
                lambda: iterate(engine.analyse(Game())),
            ]
            for request in long:
                running = asyncio.create_task(request())
                await asyncio.sleep(0.3)
                waiting = asyncio.create_task(engine.play(Game("juroku-musashi"), Limits(infinite=True)))
                for _ in range(times):
                    running.cancel()
                    await asyncio.sleep(0)
                with pytest.raises(asyncio.CancelledError):
                    await running
                await asyncio.sleep(0.2)
                assert not waiting.done()
                await stop(engine, waiting)
        with pytest.raises(EngineFault, match="has been closed"):
            await engine.status(Game())

    asyncio.run(main())
    assert not has_children()


def test_a_search_that_begins_while_its_task_is_cancelled_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[Analysis] = []
    analyse = Engine.analyse

    def slowly(*arguments: Any, **named: Any) -> Analysis:
        begun.append(analyse(*arguments, **named))
        time.sleep(0.3)
        return begun[-1]

    async def main() -> None:
        async with AsyncEngine.open([PRIVY], timeout=30) as engine:
            with monkeypatch.context() as patch:
                patch.setattr(Engine, "analyse", slowly)
                patch.setattr(Engine, "stop", lambda _: None)  # it came too early
                task = asyncio.create_task(requests(engine)["analyse"]())
                while not begun:
                    await asyncio.sleep(0.01)
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
            assert begun[0]._is_stopped and begun[0].result().best

    asyncio.run(main())


def test_an_iteration_that_is_left_behind_says_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    async def main() -> None:
        async with AsyncEngine.open([PRIVY], timeout=30) as engine:
            async for _ in engine.analyse(Game()):
                break

    asyncio.run(main(), debug=True)
    assert "Error" not in capfd.readouterr().err
