"""The engine for asyncio."""

from __future__ import annotations

import asyncio

import pytest
from conftest import PRIVY, bad, has_children

from privy_engine import AsyncEngine, EngineFault, Game, Limits


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
