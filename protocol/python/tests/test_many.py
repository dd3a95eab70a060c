"""Many positions at a time: by the real program, and by programs that die, hang or write rubbish."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path

import pytest
from conftest import PRIVY, has_children

from privy_engine import AsyncEngine, Engine, EngineFault, Game, Limits, Score

# An engine whose `analyze` answers as the first of its further arguments says.
STUB = """#!/usr/bin/env python3
import json, os, sys, time
if sys.argv[1:2] != ["analyze"]:
    print("=1 Stub\\n", flush=True)
    sys.stdin.read()
else:
    jobs = [json.loads(line) for line in sys.stdin]
    answers = [{"id": job["id"], "best": "c3-b2", "score": "+0.00", "lines": [], "asked": job} for job in jobs]
    exec(sys.argv[2])
    for answer in reversed(answers):
        print(json.dumps(answer))
"""
FAULTS = {
    "sys.exit(3)": "exits with status 3",
    "answers.pop()": "exits with status 0",
    "time.sleep(99)": "does not answer in time",
    "print('thread panicked')": "unreadable answer: 'thread panicked'",
    "answers[0]['id'] = 7": "unreadable answer",
    "answers[0]['id'] = answers[1]['id']": "unreadable answer",
    "answers[0] = [1]": "unreadable answer",
    "answers[0]['score'] = 'high'": "unreadable answer",
    "answers[0]['score'] = 7": "unreadable answer",
    "print('x' * 2000000)": "floods its output",
}


@pytest.fixture
def stub(tmp_path: Path) -> str:
    path = tmp_path / "stub"
    path.write_text(STUB)
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_is_an_exception_in_time(stub: str, fault: str) -> None:
    timeout = 0.5 if "sleep" in fault else 20
    with Engine.open([stub]) as engine, pytest.raises(EngineFault, match=FAULTS[fault]):
        engine.command, engine.timeout = [stub, fault], timeout
        engine.analyse_many([Game(), Game()], Limits(nodes=1))
    assert not has_children()


def test_jobs_are_what_was_asked_and_rows_are_in_order(stub: str) -> None:
    with Engine.open([stub]) as engine:
        engine.command = [stub, "for a in answers: a['best'] = json.dumps(a['asked'])"]
        game = Game("kings-gonu", moves=["c3-c2"])
        text = "1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g - 0 0 sixteen-rebels"
        columns = engine.analyse_many([game, text], Limits(nodes=7, time=1), multi_pv=2)
        assert columns["position"] == [game, text]
        shared = {"limits": {"nodes": 7, "time": 1}, "multi_pv": 2}
        assert [json.loads(best) for best in columns["best"]] == [
            {"id": 0, "variant": "kings-gonu", "position": "startpos", "moves": ["c3-c2"], **shared},
            {"id": 1, "variant": "sixteen-rebels", "position": text, "moves": [], **shared},
        ]
        with pytest.raises(ValueError, match="expected time, depth or nodes"):
            engine.analyse_many([game], Limits(infinite=True))
        assert len(engine.analyse_many([], Limits())["best"]) == 0


def test_long_answers_to_many_positions_are_no_flood(stub: str) -> None:
    with Engine.open([stub]) as engine:
        engine.command = [stub, "for a in answers: a['note'] = 'x' * 900_000"]
        assert engine.analyse_many([Game()] * 30, Limits(nodes=1))["best"] == ["c3-b2"] * 30


def test_a_batch_is_cancelled() -> None:
    async def main() -> None:
        async with AsyncEngine.open([PRIVY]) as engine:
            begun = time.monotonic()
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(engine.analyse_many([Game()] * 3, Limits(time=100_000)), 0.5)
            assert time.monotonic() - begun < 50 and await engine.ask("name") == "Privy"

    asyncio.run(main())
    assert not has_children()


def test_all_lines_are_kept(engine: Engine, stub: str) -> None:
    engine.configure(multi_pv=2)  # of single searches
    places = [Game(), Game("kings-gonu", moves=["f3-c3"]), Game("chess")]
    columns = engine.analyse_many(places, Limits(depth=4), multi_pv=3)
    assert columns["lines"][2] is columns["pv"][2] is None
    for row, place in enumerate(places[:2]):
        lines = columns["lines"][row]
        assert [line.multipv for line in lines] == [1, 2, 3] and len({line.pv[0] for line in lines}) == 3
        assert (lines[0].score, lines[0].winrate) == (columns["score"][row], columns["winrate"][row])
        assert list(lines[0].pv) == columns["pv"][row] and lines == sorted(lines, key=lambda line: -line.winrate)
        assert all(isinstance(line.score, Score) and line.pv[0] in engine.legal_moves(place) for line in lines)
    assert len(engine.analyse_many(places, Limits(depth=4))["lines"][0]) == 1
    with Engine.open([stub]) as other:
        for line in ["7", "{}", "{'pv': [], 'score': 'high', 'winrate': 1}", "{'pv': 3, 'score': '=', 'winrate': 1}"]:
            other.command = [stub, f"answers[0]['lines'] = [{line}]"]
            with pytest.raises(EngineFault, match="unreadable answer"):
                other.analyse_many([Game()], Limits(nodes=1))


def test_values_are_those_of_single_searches(engine: Engine) -> None:
    game = Game("sixteen-rebels-murray")
    for move in ["c3-b4", "d5-d4", "b4-b3"]:
        game.play(move)
    places = list(engine.positions(game))
    columns = engine.analyse_many([*places, Game("chess"), game], Limits(depth=6))
    assert columns["error"][:4] == [None] * 4 and columns["error"][4].startswith("unknown variant")
    assert columns["best"][4] is columns["score"][4] is columns["depth"][4] is None
    for index, place in enumerate(places):
        single = engine.play(place, Limits(depth=6))
        assert (columns["score"][index], columns["exact"][index]) == (single.score, True)
        assert columns["best"][index] in engine.legal_moves(place) and columns["pv"][index][0]
    numpy = pytest.importorskip("numpy")
    arrays = columns.numpy()
    assert arrays["depth"].dtype == float and numpy.isnan(arrays["winrate"][4])
    assert arrays["winrate"][0] == 0.0 and arrays["score"][0].plies == -6
    pytest.importorskip("pandas")
    frame = columns.pandas()
    assert frame["score"].dtype == object and all(type(score) is Score for score in frame["score"].dropna())
    assert list(frame.columns) == list(columns) and frame["winrate"].isna().sum() == 1
