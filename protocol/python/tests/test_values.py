"""Values and errors: each type is compared by its meaning, copied, and sent to other processes."""

from __future__ import annotations

import ast
import asyncio
import copy
import functools
import itertools
import multiprocessing
import pickle
from pathlib import Path
from typing import Any, Callable

import pytest
from conftest import PRIVY

import privy_engine
from privy_engine import (
    AsyncEngine,
    Columns,
    Engine,
    EngineFault,
    FileFault,
    Game,
    Info,
    InvalidValue,
    Limits,
    MissingFile,
    Option,
    Position,
    PrivyError,
    Refusal,
    Result,
    Score,
    Status,
    read_games,
    write_games,
)

OPENING = "1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g - 0 0 sixteen-rebels"
INFO = Info.parse("info depth 3 seldepth 5 multipv 1 score +0.42 winrate 0.58 future 7 pv c3-b2 a1-a2")
VALUES: list[Any] = [
    *(Position(OPENING), Status("rebels win: no move"), Score("+0.42"), Limits(time=7), INFO, Info()),
    *(Result("c3-b2", (INFO,)), Option("hash", "int", "256", "1", "65536", "16")),
    Game("kings-gonu", OPENING, ["c3-b2"], {0: {"score": Score("+W3")}}, {"result": "*"}),
    Columns(score=[Score("-W2"), None], lines=[[INFO], None]),
]
ERRORS: list[PrivyError] = [
    PrivyError("games: line 3"),
    EngineFault("privy: exits with status 3"),
    Refusal("play c3-b9", "illegal move: no line joins c3 and b9"),
    Refusal("chess", "unknown command"),
    InvalidValue("score: x"),
    FileFault(13, "Permission denied", "games.txt"),
    MissingFile(2, "No such file or directory", "games.txt"),
]


def subclasses(kind: type) -> set[type]:
    return {kind}.union(*map(subclasses, kind.__subclasses__()))


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_errors_are_copied(error: PrivyError) -> None:
    assert {type(error) for error in ERRORS} == subclasses(PrivyError)
    copies = [pickle.loads(pickle.dumps(error, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
    for other in [*copies, copy.copy(error), copy.deepcopy(error)]:
        assert (type(other), str(other), other.__dict__) == (type(error), str(error), error.__dict__)
        assert not isinstance(other, OSError) or (other.errno, other.filename) == (error.args[0], "games.txt")


def refuse(number: int) -> None:
    raise ERRORS[number]


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_errors_come_back_from_a_pool(method: str) -> None:
    with multiprocessing.get_context(method).Pool(1) as pool:
        for number, error in enumerate(ERRORS):
            with pytest.raises(type(error)) as raised:
                pool.apply_async(refuse, (number,)).get(timeout=30)
            assert str(raised.value) == str(error)


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_values_are_copied_and_compared(value: Any) -> None:
    named = {getattr(privy_engine, name) for name in privy_engine.__all__}
    kinds = {kind for kind in named if isinstance(kind, type)} - subclasses(PrivyError)
    assert kinds - {type(value) for value in VALUES} == {privy_engine.Analysis, AsyncEngine, Engine}
    for other in [pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)]:
        assert (type(other), other) == (type(value), value)
        if not isinstance(value, (Game, Columns)):  # they can be changed
            assert hash(other) == hash(value) and len({value, other}) == 1


def test_scores_are_ordered_by_what_they_are_worth() -> None:
    losses, wins = "-W1 -W2 -W10 -W100 -W3? -W9? -W?", "+W? +W9? +W3? +W99 +W10 +W9 +W1"
    texts = f"{losses} -5.00 -0.50 +0.00 = +0.01 +0.42 +3.00 +5.00 +10.00 {wins}"
    ordered = [Score(text) for text in texts.split()]
    assert sorted(reversed(ordered)) == ordered and max(Score("+5.00"), Score("-5.00")) == "+5.00"
    for (below, low), (above, high) in itertools.product(enumerate(ordered), repeat=2):
        compared = (low < high, low <= high, low == high, low != high, low >= high, low > high)
        expected = (below < above, below <= above, below == above, below != above, below >= above, below > above)
        assert compared == expected, (low, high)
        assert (low < str(high), str(high) > low, low >= str(high)) == (compared[0], compared[0], compared[4])
        assert low.winrate <= high.winrate or below >= above
    with pytest.raises(InvalidValue):
        assert ordered[0] < "high"


def async_request(name: str) -> object:
    return asyncio.run(getattr(AsyncEngine.open([PRIVY]), name)())


WRONG: dict[str, Callable[[Engine, Path], object]] = {
    **{f"score {text!r}": lambda *_, text=text: Score(text) for text in ["", "0.42", "+W", "+W٣", "+0.4\n"]},
    **{
        f"position {text!r}": lambda *_, text=text: Position(text)
        for text in [
            "",
            "a b c d e f",
            "5 g - 0 0",
            OPENING.replace(" g ", " x "),
            OPENING + " ",
            "5 g - x 0 kings-gonu",
        ]
    },
    "info": lambda *_: Info.parse("info depth x"),
    "info of a score": lambda *_: Info.parse("info depth 3 score high"),
    "undo": lambda *_: Game().undo(),
    "record without moves": lambda *_: Game.from_json({"variant": "kings-gonu"}),
    "record of numbers": lambda *_: Game.from_json({"variant": 3, "moves": []}),
    "record with a list": lambda *_: Game.from_json({"variant": "kings-gonu", "moves": [3]}),
    **{
        f"command {command!r}": lambda *_, command=command: Engine.open(command)
        for command in ["", " ", [], "'privy", "no/such/engine", ["/"], ["a\0b"], Path("no/such/engine")]
    },
    "options": lambda *_: Engine.open([PRIVY], threads=0),
    "name of an option": lambda *_: Engine.open([PRIVY], thread=1),
    **{
        f"line {line[:20]!r}": functools.partial(lambda line, engine, _: engine.ask(line), line)
        for line in ["", "a\nb", "a # b", "nonsense", "name \ud800", "name " + "x" * 70_000]
    },
    "move": lambda engine, _: engine.position(Game(moves=["x"])),
    "game": lambda engine, _: engine.play("nonsense"),
    "variant": lambda engine, _: engine.play(Game("chess")),
    "file of a variant": lambda engine, path: engine.play(Game(path / "none.toml")),
    "multi_pv": lambda engine, _: engine.play(Game(), Limits(depth=-1)),
    "moves to search": lambda engine, _: engine.play(Game(), moves=["x"]),
    "no lines": lambda engine, _: engine.analyse(Game(), multi_pv=0),
    "table": lambda engine, _: engine.probe(Game()),
    "limits of many": lambda engine, _: engine.analyse_many([Game()], Limits(infinite=True)),
    "file": lambda _, path: list(read_games(path / "none")),
    "folder": lambda _, path: list(read_games(path)),
    "folder to write": lambda _, path: write_games(path, []),
    "file in no folder": lambda _, path: write_games(path / "none" / "games", []),
    "form": lambda _, path: write_games(path / "games", [], "pgn"),
    "note": lambda _, path: write_games(path / "games", [Game(record={"comment": 1j})]),
    "number": lambda _, path: write_games(path / "games", [Game(record={"seed": float("nan")})]),
    "character": lambda _, path: write_games(path / "games", [Game(record={"comment": "\ud800"})]),
    "program of records": lambda _, path: write_games(path / "games", [Game()], "text", "no/such/engine"),
    "moves of records": lambda _, path: write_games(path / "games", [Game(moves=["x"])], "sgf", [PRIVY]),
    "asyncio": lambda *_: async_request("variants"),
    "asyncio, closed": lambda *_: async_request("close"),
}


@pytest.mark.parametrize("case", WRONG)
def test_every_error_is_one_of_the_package(engine: Engine, tmp_path: Path, case: str) -> None:
    with pytest.raises(PrivyError) as raised:
        WRONG[case](engine, tmp_path)
    assert str(raised.value) and not (tmp_path / "games").exists()
    assert engine.status(Game()) == "general to move"


def test_files_of_rubbish_are_an_error_of_the_package(tmp_path: Path) -> None:
    for rubbish in [
        b"x",
        b"{",
        b"{}",
        b"[]",
        b"\xff\xfe\0",
        b'{"moves":' + b"[" * 100_000,
        b'{"privy_match":2}\n7',
        b"\0",
    ]:
        (tmp_path / "games").write_bytes(rubbish)
        with pytest.raises(PrivyError):
            list(read_games(tmp_path / "games", [PRIVY]))


def test_the_sources_raise_errors_of_the_package_alone() -> None:
    names = {kind.__name__ for kind in subclasses(PrivyError)} | {"StopIteration", "fault", "_unstarted"}
    for file in Path(privy_engine.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise) and node.exc:
                raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
                name = (
                    raised.attr
                    if isinstance(raised, ast.Attribute)
                    else raised.id
                    if isinstance(raised, ast.Name)
                    else ""
                )
                assert name in names or (file.name, name) == ("batch.py", "ValueError"), (file.name, node.lineno)
