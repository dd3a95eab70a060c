"""Games and their records, beside what the program makes of them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import PRIVY, SMALL

from privy_engine import Engine, Game, Limits, Position, PrivyError, Score, read_games, write_games

TEXT = """[General "Zhang"]
[Rebels "a \\"b\\" \\\\ c"]
[Variant "sixteen-rebels-murray"]
[Annotator "Li"]

1. c3-b4 {-W6/6 2ms 4486n} 2. d5-c5 {+W5} 3. b4-a3 4. b1-b2 {/3} *

[Variant "kings-gonu"]
[Opening "5/1r1r1/2G3/1r1r1/5 g 1 0 0 kings-gonu"]

1. c3~b3 *
"""


def privy(*arguments: object) -> str:
    return subprocess.run([PRIVY, *map(str, arguments)], capture_output=True, text=True, check=True).stdout


def test_records_keep_all_that_they_say(tmp_path: Path, engine: Engine) -> None:
    text, lines = tmp_path / "games.txt", tmp_path / "games.jsonl"
    text.write_text(TEXT)
    first, second = read_games(text, PRIVY)
    assert (first.record["rebels"], first.record["tags"]) == ('a "b" \\ c', [["Annotator", "Li"]])
    assert first.notes[0] == {"score": "-W6", "depth": 6, "time": 2, "nodes": 4486} and 2 not in first.notes
    assert engine.position(first).ply == 4 and engine.position(second).variant == "kings-gonu"
    reply = engine.legal_moves(second)[0]
    second.play(reply, score=Score("+0.10"), depth=3)
    write_games(lines, [first, second])
    assert list(read_games(lines)) == [first, second]
    assert [json.loads(line) for line in privy("replay", lines, "--to", "json").splitlines()] == [
        game.to_json() for game in (first, second)
    ]
    assert (second.undo(), second.moves) == (reply, ["c3~b3"])


def words(game: Game) -> dict[int, dict[str, object]]:
    """What people have added to the moves of a game."""
    kept = ("comment", "glyph", "variations")
    notes = {ply: {key: note[key] for key in kept if key in note} for ply, note in game.notes.items()}
    return {ply: note for ply, note in notes.items() if note}


def test_words_and_variations_survive_every_form(tmp_path: Path) -> None:
    text = TEXT.replace("3. b4-a3", "3. b4-a3! {a bold start} (3. b4-b3 4. b1-b2 {why}) (3. b4-c4)")
    (tmp_path / "first").write_text(text)
    games = list(read_games(tmp_path / "first", PRIVY))
    assert games[0].notes[2]["comment"] == "a bold start" and len(games[0].notes[2]["variations"]) == 2
    for form in ["text", "sgf", "json"]:
        write_games(tmp_path / form, games, form, PRIVY)
        found = list(read_games(tmp_path / form, PRIVY))
        if form == "sgf":
            # It has no place for the reports of searches.
            assert [(game.moves, words(game)) for game in found] == [(game.moves, words(game)) for game in games]
        else:
            assert found == games, form
    with pytest.raises(PrivyError, match="a1-e5"):
        write_games(tmp_path / "none", [Game(moves=["a1-e5"])], "text", PRIVY)
    assert not (tmp_path / "none").exists()


def test_no_games_are_written_and_read(tmp_path: Path) -> None:
    for form in ["json", "text", "sgf"]:
        write_games(tmp_path / form, iter([]), form, PRIVY)
        assert list(read_games(tmp_path / form, "no/such/program")) == []
    for text in ["", "\n \n", "\ufeff", '{"privy_match":2}\n']:
        (tmp_path / "games").write_text(text, encoding="utf-8")
        assert list(read_games(tmp_path / "games", "no/such/program")) == []


def test_every_character_survives_every_form(tmp_path: Path) -> None:
    comment = "a\u2028b\x85c\x1cd # \U0001f600 \u202e{}()[]\\"
    game = Game(moves=["c3-b4"], notes={0: {"comment": comment}}, record={"result": "*", "comment": comment})
    for form in ["json", "text"]:
        write_games(tmp_path / form, [game], form, PRIVY)
        assert list(read_games(tmp_path / form, PRIVY)) == [game], form
    write_games(tmp_path / "sgf", [game], "sgf", PRIVY)
    assert len(list(read_games(tmp_path / "sgf", PRIVY))) == 1


def test_games_of_other_rules_need_their_file(tmp_path: Path, engine: Engine) -> None:
    file = Path(SMALL)
    first = engine.legal_moves(Game(str(file)))[0]
    assert engine.legal_moves(Game(file)) == engine.legal_moves(Game(str(file)))
    game = Game("three-rows", moves=[first], record={"result": "*"})
    assert engine.position(game).ply == 1
    for form in ["text", "sgf", "json"]:
        path = tmp_path / form
        write_games(path, [game], form, PRIVY, file)
        (found,) = read_games(path, PRIVY, file)
        assert (found.variant, found.moves) == (game.variant, game.moves), form
        if form != "json":
            with pytest.raises(PrivyError, match="built-in variant|id of a variant"):
                list(read_games(path, PRIVY))


def test_games_of_a_match_are_read_from_either_of_its_files(tmp_path: Path, engine: Engine) -> None:
    file, record = tmp_path / "match.jsonl", tmp_path / "games.txt"
    players = [word for name in "ab" for word in ("--engine", f"cmd='{PRIVY}',name={name},nodes=50")]
    privy("match", *players, "--variant", "hare-and-hounds", "--games", 2, "--file", file, "--record", record)
    games = list(read_games(file))
    assert len(games) == 2 and list(read_games(record, PRIVY)) == games
    for game in games:
        assert engine.status(game) == game.record["termination"]
        assert any("score" in note for note in game.notes.values())


def test_what_is_no_record_is_an_error_behind_the_others(tmp_path: Path) -> None:
    file = tmp_path / "games"
    for text in [
        TEXT + "\n1. nonsense",
        json.dumps(Game("kings-gonu").to_json()) + '\n{"moves":[]}',
        '{"moves":3}',
        "x",
    ]:
        file.write_text(text)
        games = read_games(file, PRIVY)
        with pytest.raises(PrivyError, match="games: "):
            while True:
                assert next(games).variant
    with pytest.raises(FileNotFoundError):
        next(read_games(tmp_path / "none"))


def test_positions_and_games_are_drawn(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(moves=["c3-b4"])
    with Engine.open(["nice", "-n", "5", PRIVY, "--hash", "16"]) as other:
        assert other.name == "Privy"  # the engine that was opened last draws
    place = engine.position(game)
    shown: list[Game | Position] = [game, Game(), place, Game(opening=place), Game(SMALL)]
    for drawn in shown:
        picture = drawn._repr_svg_()
        assert picture and ElementTree.fromstring(picture).tag == "{http://www.w3.org/2000/svg}svg"
    assert game._repr_svg_() == privy("board", "sixteen-rebels", "--moves", "c3-b4", "--svg")
    hidden: list[Game | Position] = [Game("chess"), Game(moves=["x"]), Position("5 g - 0 0 kings-gonu")]
    for wrong in hidden:
        assert wrong._repr_svg_() is None
    with pytest.raises(PrivyError):
        Engine.open("no/such/engine")
    assert game._repr_svg_()
    monkeypatch.setattr("privy_engine.process.latest", ["no/such/engine"])
    assert game._repr_svg_() is None


def test_a_game_of_the_engine_is_a_sound_record(tmp_path: Path, engine: Engine) -> None:
    game = Game("sixteen-rebels-murray", record={"general": "privy", "rebels": "privy"})
    while engine.legal_moves(game):
        result = engine.play(game, Limits(depth=4))
        game.play(result.best, score=result.score, depth=result.lines[0].depth)
    status = engine.status(game)
    game.record.update(result=status.winner, termination=status)
    write_games(tmp_path / "game", [game])
    assert status in privy("replay", tmp_path / "game")
