"""Privy from Python: games of one General against many Rebels, played, analysed and solved by the engine.

    from privy_engine import Engine, Game, Limits

    with Engine.open("privy") as engine:
        game = Game("monk-and-water")
        while engine.legal_moves(game):
            game.play(engine.play(game, Limits(time=100)).best)
        print(engine.status(game))

The package knows no rules: the engine does. `AsyncEngine` is the same for asyncio. Any error is a `PrivyError`: a
`Refusal` where the engine answers with an error and continues, an `EngineFault` where it dies, hangs or writes what is
no answer.
"""

from .aio import AsyncEngine
from .batch import Columns
from .engine import Analysis, Engine
from .game import Game, read_games, write_games
from .process import EngineFault, PrivyError, Refusal
from .text import Info, Limits, Option, Position, Result, Score, Status

__all__ = [
    "Analysis",
    "AsyncEngine",
    "Columns",
    "Engine",
    "EngineFault",
    "Game",
    "Info",
    "Limits",
    "Option",
    "Position",
    "PrivyError",
    "Refusal",
    "Result",
    "Score",
    "Status",
    "read_games",
    "write_games",
]
