#!/usr/bin/env python3
"""A referee in Python: plays games between two engines, swapping sides, and prints moves, results and score.

It has no rules of its own: the game is shown to both engines, and their answers to `status` must agree.
"""
import argparse, contextlib, pathlib, sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python"))
from privy_engine import Engine, Game, Limits, PrivyError, Refusal


class Over(Exception):
    """The game ends by the fault of an engine, with this result."""


@contextlib.contextmanager
def fault_of(side):
    """An error of the engine of a side loses it the game."""
    try:
        yield
    except PrivyError as error:
        raise Over(f"{'rebels win' if side == 'general' else 'general wins'}: {error}") from None


def play(engines, options, limits):
    """Plays a game, prints its moves and returns its result."""
    game, mover = Game(options.variant), ""
    for _ in range(options.plies):
        said = set()
        for side in sorted(engines, key=lambda side: side != mover):
            with fault_of(side):
                try:
                    said.add(engines[side].status(game))
                except Refusal as refusal:
                    if mover and side != mover and refusal.phrase == "illegal move":
                        return f"void: the engines disagree: {refusal}"
                    if refusal.phrase != "unknown command":  # `status` is optional, but one engine must have it
                        raise
        if len(said) != 1:
            return "void: the engines disagree: " + " or ".join(sorted(said))
        (status,) = said
        if status.is_over:
            return status
        mover = status.split()[0]
        with fault_of(mover):
            game.play(engines[mover].play(game, limits).best)
        print(game.moves[-1], flush=True)
    return "draw: move limit"


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("engine", nargs=2, help="command line of an engine")
parser.add_argument("--variant", default="sixteen-rebels")
parser.add_argument("--go", default="time 100", metavar="LIMITS", help='limits of a search, such as "depth 8"')
parser.add_argument("--games", type=int, default=2, help="number of games; the engines swap sides after each")
parser.add_argument("--plies", type=int, default=400, help="greatest length of a game")
parser.add_argument("--patience", type=float, default=60.0, help="seconds to wait for an answer")
options, score = parser.parse_args(), [0.0, 0.0]
words = options.go.split()
limits = Limits(**{name: int(value) for name, value in zip(words[::2], words[1::2])})
for number in range(options.games):
    seats = {"general": number % 2, "rebels": 1 - number % 2}
    print(f"game {number + 1}: engine {seats['general'] + 1} is the General")
    with contextlib.ExitStack() as stack:
        try:
            engines = {}
            for side, seat in seats.items():
                with fault_of(side):
                    engines[side] = stack.enter_context(Engine.open(options.engine[seat], timeout=options.patience))
            result = play(engines, options, limits)
        except Over as over:
            result = str(over)
    print(result)
    for side, seat in seats.items():
        score[seat] += result.startswith(side + " win") or result.startswith("draw") / 2
print(f"score {score[0]:g} : {score[1]:g}")
