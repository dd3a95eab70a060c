"""Privy from Python: games of one General against many Rebels, played, analysed and solved by the engine.

    from privy_engine import Engine, Game, Limits

    with Engine.open("privy") as engine:
        game = Game("monk-and-water")
        while engine.legal_moves(game):
            game.play(engine.play(game, Limits(time=100)).best)
        print(engine.status(game))

The package knows no rules: the engine does. `AsyncEngine` is the same for asyncio. Every error that the package raises
is a `PrivyError`: a `Refusal` where the engine answers with an error and continues, an `EngineFault` where it dies,
hangs or writes what is no answer, an `InvalidValue`, which is a `ValueError`, too, where a value has not its form, a
`FileFault`, an `OSError`, too, where a file cannot be read or written.
"""

from .aio import AsyncEngine
from .batch import Columns
from .engine import Analysis, Engine
from .game import Game, read_games, write_games
from .process import EngineFault, FileFault, InvalidValue, MissingFile, PrivyError, Refusal
from .text import Info, Limits, Option, Position, Result, Score, Status

__version__ = "0.3.0"
__all__ = [
    "Analysis",
    "AsyncEngine",
    "Columns",
    "Engine",
    "EngineFault",
    "FileFault",
    "Game",
    "Info",
    "InvalidValue",
    "Limits",
    "MissingFile",
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
