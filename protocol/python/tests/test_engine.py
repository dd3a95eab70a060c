"""Requests and searches, with the real engine."""

from __future__ import annotations

import contextlib
import threading
import time
from pathlib import Path
from typing import Any, Callable

import pytest
from conftest import SMALL

from privy_engine import Engine, Game, Limits, Position, Refusal, Score, Status
from privy_engine.process import Process

WON = "1/1G1/1r3/3r1/rrr1r/5/5 g - 0 0 monk-and-water"


def test_a_game_is_played_to_its_end(engine: Engine) -> None:
    game = Game("sixteen-rebels-murray")
    while legal := engine.legal_moves(game):
        before = engine.position(game)
        best = engine.play(game, Limits(nodes=2000)).best
        taken = engine.captures(game)[best]
        game.play(best)
        assert best in legal and engine.position(game).rebels == before.rebels - len(taken)
    status = engine.status(game)
    assert status.is_over and status.winner == "rebels"
    places = list(engine.positions(game))
    assert [place.ply for place in places] == list(range(len(game.moves) + 1))
    assert places[-1] == engine.position(game) and places[0].side == "general"
    with pytest.raises(Refusal) as refusal:
        engine.play(game)
    assert refusal.value.phrase == "game over" and status in refusal.value.detail


def test_lines_come_while_the_engine_searches(engine: Engine) -> None:
    with engine.analyse(Game(), multi_pv=3) as analysis:
        for info in analysis:
            if info.depth == 4 and info.multipv == 3:
                break
    result = analysis.result()
    assert [line.multipv for line in result.lines] == [1, 2, 3]
    assert len({line.pv[0] for line in result.lines}) == 3
    assert info.pv and info.winrate == pytest.approx(info.score.winrate if info.score else None, abs=0.01)
    # The next search has a line again, of the moves that it may search.
    result = engine.play(Game(), Limits(depth=2), moves=["c3-c2"])
    assert (result.best, len(result.lines)) == ("c3-c2", 1)


def test_a_search_ends_at_a_stop_from_anywhere_and_at_the_next_request(engine: Engine) -> None:
    timer = threading.Timer(0.1, engine.stop)
    timer.start()
    assert engine.play(Game(), Limits(infinite=True)).best in engine.legal_moves(Game())
    timer.join()
    engine.stop()  # nothing to stop
    analysis = engine.analyse(Game())
    first = next(analysis)
    assert first.depth == 1 and engine.status(Game()) == "general to move"
    assert analysis.result().best


def test_an_interrupt_leaves_the_engine_ready(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    engine.status(Game())
    cases: list[tuple[int, Callable[[], object]]] = [
        (0, lambda: engine.legal_moves(Game())),
        (3, lambda: engine.captures(Game())),
        (0, lambda: engine.play(Game(), Limits(infinite=True))),
        (2, lambda: engine.play(Game(), Limits(infinite=True))),
    ]
    for lines_before, ask in cases:
        line, left = Process.line, [lines_before]

        def interrupted(process: Process, line: Any = line, left: list[int] = left) -> Any:
            if left[0] == 0:
                raise KeyboardInterrupt
            left[0] -= 1
            return line(process)

        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(Process, "line", interrupted)
            ask()
        assert engine.status(Game("kings-gonu")) == "general to move"


def test_a_refusal_changes_nothing(engine: Engine) -> None:
    game = Game("monk-and-water", moves=["c1-c2"])
    place = engine.position(game)
    for phrase, wrong in [
        ("unknown variant", Game("chess")),
        ("illegal move", Game(moves=["c3-c2", "a1-a3"])),
        ("illegal position", Game(opening="1/3/rrrrr/r3r/r3r/r3r/rrrrr")),
    ]:
        with pytest.raises(Refusal) as refusal:
            engine.position(wrong)
        assert (refusal.value.phrase, engine.position(game)) == (phrase, place)
    for line in ["name\nquit", "name # nothing"]:
        with pytest.raises(ValueError, match="expected a line"):
            engine.ask(line)
    assert engine.name == engine.ask("name") == "Privy"


KINGS = "5/1r1r1/2G3/1r1r1/5 g 3 0 0 kings-gonu"
LINES_THAT_CHANGE_THE_GAME = [
    "variant kings-gonu",
    f"variant {SMALL}",
    f"position fen {KINGS}",
    f"position fen {KINGS} moves c3-c2",
    "position startpos moves c3-b4",
    "play c3-b4",
    "genmove general",
    "clear_board",
    "undo",
    "load {record}",
    "variant chess",
    "position fen 5/1r1r1/2G3/1r1r1/5 g 3 0 0 chess",
    f"check_position {KINGS}",
]


@pytest.mark.parametrize("game", [Game(), Game(moves=["c3-b4"]), Game(opening=KINGS), Game(SMALL)], ids=str)
def test_a_question_is_answered_for_its_game_whatever_was_asked_before(
    engine: Engine, game: Game, tmp_path: Path
) -> None:
    record = tmp_path / "record.txt"
    record.write_text(f'[Opening "{KINGS}"]\n[Variant "kings-gonu"]\n\n1. c3-c2 *\n')
    engine.ask("time_settings 0 1 50")
    position, moves = engine.position(game), engine.legal_moves(game)
    for line in LINES_THAT_CHANGE_THE_GAME:
        with contextlib.suppress(Refusal):
            engine.ask(line.format(record=record), game)
        assert engine.position(game) == position, line
        with contextlib.suppress(Refusal):
            engine.ask(line.format(record=record))
        assert engine.legal_moves(game) == moves, line
        assert engine.position(Game()) == "1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g - 0 0 sixteen-rebels"


def test_a_game_whose_opening_is_of_another_game_is_refused(engine: Engine) -> None:
    mixed = [Game("sixteen-rebels", KINGS), Game("kings-gonu", engine.position(Game())), Game(SMALL, KINGS)]
    questions: list[Callable[[Game], object]] = [
        *(engine.position, engine.status, engine.legal_moves, engine.captures, engine.probe, engine.probe_moves),
        *(engine.play, engine.analyse, lambda game: list(engine.positions(game)), lambda game: engine.ask("fen", game)),
    ]
    for game in mixed:
        for question in questions:
            with pytest.raises(Refusal, match="illegal position: the position is one of .*, the game is one of"):
                question(game)
            assert engine.position(Game()).variant == "sixteen-rebels"
        (error,) = engine.analyse_many([game], Limits(nodes=1))["error"]
        assert error.startswith("illegal position: the position is one of")
    small = engine.position(Game(SMALL))
    assert small.variant == "three-rows" and engine.position(Game(SMALL, small)) == small


def test_an_option_that_a_line_has_set_is_known(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    def lines() -> int:
        return len(engine.play(Game(), Limits(depth=2)).lines)

    for line in ["set_option multi_pv 3", "  set_option   multi_pv  2 "]:
        engine.ask(line)
        assert lines() == 1
    with pytest.raises(Refusal):
        engine.ask("set_option multi_pv 0")
    assert lines() == 1
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Engine, "_begin", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        engine.configure(multi_pv=4)
    assert lines() == 1


def test_options(engine: Engine) -> None:
    assert engine.options()["hash"].value == "16"
    assert (engine.options()["play_style"].choices, engine.options()["hash"].choices) == (["hardest", "longest"], [])
    with pytest.raises(Refusal, match="value out of range"):
        engine.configure(threads=0)
    engine.configure(ponder=True, move_limit=7)
    assert (engine.options()["ponder"].value, engine.options()["move_limit"].value) == ("on", "7")
    engine.configure(ponder=False, move_limit=0)
    titles = {variant["id"]: variant["title"] for variant in engine.variants()}
    assert titles["sixteen-rebels"] == "Chinese Rebels"


def test_a_table_tells_the_value_of_each_move(engine: Engine) -> None:
    game = Game(SMALL)
    with pytest.raises(Refusal, match="no table"):
        engine.probe(game)
    engine.ask("solve", game)
    moves = engine.probe_moves(game)
    assert engine.probe(game) == next(iter(moves.values())) == engine.play(game).score
    after = Game(SMALL, moves=list(moves)[:1])
    assert -(engine.probe(after).plies or 0) + 1 == engine.probe(game).plies
    assert [value.winrate for value in moves.values()] == sorted(
        (value.winrate for value in moves.values()), reverse=True
    )


def test_a_search_has_the_time_that_its_limits_say(engine: Engine) -> None:
    engine.position(Game())
    begun = time.monotonic()
    engine.timeout, before = 1.0, engine.timeout
    try:
        assert engine.play(Game(), Limits(time=1500)).best
    finally:
        engine.timeout = before
    assert time.monotonic() - begun >= 1.5


def test_a_position_text_stands_for_a_game(engine: Engine) -> None:
    result = engine.play(WON, Limits(depth=3))
    assert (result.best, result.score) == ("c6-c7", "+W1")
    assert engine.status(Game(opening=WON, moves=["c6-c7"])).winner == "general"


def test_text_forms_know_their_parts() -> None:
    place = Position("5/1r1r1/2G3/1r1r1/5[r8] g 3 0 12 kings-gonu")
    assert (place.rebels, place.side, place.ply, place.variant) == (4, "general", 12, "kings-gonu")
    assert [Score(text).winrate for text in ("+W3", "=", "-W4", "+0.00")] == [1.0, 0.5, 0.0, 0.5]
    assert (Score("-W4").plies, Score("+3.00").plies, Score("-1.05").value, Score("=").value) == (-4, None, -1.05, None)
    assert Score("+3.00").winrate == pytest.approx(10 / 11)
    winners = [Status(text).winner for text in ("general wins: apex", "rebels win: no move", "draw: repetition")]
    assert winners == ["general", "rebels", None]
    for wrong in ["", "+W", "0.42", "W27", "+0.4x"]:
        with pytest.raises(ValueError, match="score"):
            Score(wrong)
    with pytest.raises(ValueError, match="six fields"):
        Position("1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g")
