//! Records held against the rules.

use std::sync::Arc;

use privy_base::random::Random;
use privy_records::{GameResult, Record, RecordedMove};
use privy_rules::{Game, MoveText, Outcome, Variant};

/// A game of this many moves that take nothing and in which no position occurs three times.
fn quiet_game(variant: &Arc<Variant>, plies: usize) -> Game {
    let mut random = Random::new(1);
    let mut game = variant.start();
    while game.moves().len() < plies {
        let mut moves = game.legal_moves();
        random.shuffle(&mut moves);
        let quiet = moves.into_iter().find(|move_| {
            let (next, outcome) = game.position_after(move_);
            outcome.is_none() && next.rebels_left() == game.position().rebels_left()
        });
        if let Some(move_) = quiet {
            game.play(move_);
        }
        if quiet_is_over(&game) {
            let back = game.moves().len().min(20);
            game.undo(back).unwrap();
        }
    }
    game
}

/// True if no move is left that takes nothing.
fn quiet_is_over(game: &Game) -> bool {
    game.legal_moves().iter().all(|move_| !move_.action().captured.is_empty() || game.position_after(move_).1.is_some())
}

/// Repetition was looked for in all moves before: 11 s.
#[test]
#[ignore = "release: a game of 99,000 moves"]
fn a_record_of_many_moves_without_captures_is_replayed_at_once() {
    let game = quiet_game(&Variant::builtin("sixteen-rebels").unwrap(), 99_000);
    let record = Record::of(&game);
    let text = record.to_string();
    let start = std::time::Instant::now();
    let read: Record = text.parse().unwrap();
    assert_eq!(read.replay(None).unwrap().to_string(), game.to_string());
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}

/// The record of the first legal moves from a position, to the end or the limit.
fn first_moves(start: Game, limit: u32) -> (Record, Game) {
    let opening = start.to_string();
    let variant = Arc::clone(start.variant());
    let mut game = start;
    game.set_move_limit(Some(limit));
    let mut moves = Vec::new();
    while let Some(move_) = game.legal_moves().into_iter().next() {
        moves.push(RecordedMove::new(&game, &move_));
        game.play(move_);
    }
    let outcome = game.outcome().unwrap();
    let record = Record {
        variant: variant.id().to_owned(),
        fingerprint: variant.fingerprint().to_owned(),
        opening,
        move_limit: Some(limit),
        result: outcome.into(),
        termination: outcome.to_string(),
        moves,
        ..Record::default()
    };
    (record, game)
}

fn replayed(record: &Record) -> Result<(), String> {
    record.replay(None).map(drop).map_err(|error| error.to_string())
}

#[test]
fn games_of_all_variants_replay() {
    for variant in Variant::all_ids().filter_map(Variant::builtin) {
        let (record, game) = first_moves(variant.start(), 40);
        let replayed = record.to_string().parse::<Record>().unwrap().replay(None).unwrap();
        assert_eq!(replayed.outcome(), game.outcome());
        assert!(replayed.positions().eq(game.positions()), "{}", variant.id());
    }
}

#[test]
fn the_opening_is_that_of_the_variant_where_none_is_given() {
    let (record, game) = first_moves(Variant::builtin("sixteen-rebels").unwrap().start(), 40);
    let record = Record { opening: String::new(), fingerprint: String::new(), ..record };
    assert_eq!(record.replay(None).unwrap().position(), game.position());
}

#[test]
fn other_rules_are_refused() {
    let (record, _) = first_moves(Variant::builtin("sixteen-rebels").unwrap().start(), 6);
    let other = Record { variant: "seventeen-rebels".to_owned(), ..record.clone() };
    assert_eq!(
        replayed(&other).unwrap_err(),
        "variant \"seventeen-rebels\": expected the id of a built-in variant or of the variant file at hand"
    );
    let other = Record { fingerprint: "0123456789abcdef".to_owned(), ..record.clone() };
    assert!(replayed(&other).unwrap_err().starts_with("fingerprint 0123456789abcdef: expected "));
    let other = Record { opening: "1/2/3".to_owned(), ..record.clone() };
    assert_eq!(replayed(&other).unwrap_err(), "opening: rows: expected 7 rows joined by /, found 3");
    let gonu = Variant::builtin("kings-gonu").unwrap().start().to_string();
    let other = Record { opening: gonu, ..record.clone() };
    assert_eq!(
        replayed(&other).unwrap_err(),
        "opening: expected a position of sixteen-rebels, found one of kings-gonu"
    );
    // A file may give other rules to the id of a built-in variant; the record is of the built-in ones.
    let source = Variant::builtin("sixteen-rebels-neeley")
        .unwrap()
        .heading
        .source
        .replace("sixteen-rebels-neeley", "sixteen-rebels");
    let given = Arc::new(Variant::from_toml(&source, None).unwrap());
    assert!(record.replay(Some(&given)).unwrap_err().to_string().starts_with("fingerprint "));
    // The id of a file of no concern.
    assert!(record.replay(Some(&Variant::builtin("kings-gonu").unwrap())).is_ok());
}

#[test]
fn a_variant_file_can_be_at_hand() {
    let source =
        Variant::builtin("monk-and-water").unwrap().heading.source.replace("\"monk-and-water\"", "\"my-monk\"");
    let given = Arc::new(Variant::from_toml(&source, None).unwrap());
    let (record, _) = first_moves(given.start(), 6);
    assert!(record.replay(Some(&given)).is_ok());
    assert!(record.replay(None).unwrap_err().to_string().starts_with("variant \"my-monk\": expected the id"));
}

#[test]
fn an_illegal_move_is_named_with_its_ply() {
    let (mut record, _) = first_moves(Variant::builtin("sixteen-rebels").unwrap().start(), 6);
    record.moves[2] = RecordedMove::from("d4-d5".parse::<MoveText>().unwrap());
    assert_eq!(replayed(&record).unwrap_err(), "ply 3: d4-d5: d4 is empty");
    let (mut record, _) = first_moves(Variant::builtin("sixteen-rebels").unwrap().start(), 6);
    record.moves.push(record.moves[0].clone());
    assert!(replayed(&record).unwrap_err().ends_with("game over"));
    assert!(replayed(&record).unwrap_err().starts_with("ply 7: "));
}

#[test]
fn the_end_is_that_of_the_rules() {
    let moves = ["c3-b4", "d5-c5", "b4-a3", "b1-b2", "a3-a2", "b2-a3"];
    let record = Record {
        variant: "sixteen-rebels-murray".to_owned(),
        result: GameResult::Rebels,
        termination: "rebels win: custodial capture".to_owned(),
        moves: moves.map(|text| RecordedMove::from(text.parse::<MoveText>().unwrap())).to_vec(),
        ..Record::default()
    };
    assert_eq!(replayed(&record), Ok(()));
    assert_eq!(replayed(&Record { termination: String::new(), ..record.clone() }), Ok(()));
    for wrong in GameResult::ALL.into_iter().filter(|result| *result != GameResult::Rebels) {
        let error = replayed(&Record { result: wrong, ..record.clone() }).unwrap_err();
        assert_eq!(
            error,
            format!("result: expected rebels (rebels win: custodial capture, after ply 6), found {wrong}")
        );
    }
    let error = replayed(&Record { termination: "time".to_owned(), ..record.clone() }).unwrap_err();
    assert_eq!(error, "termination: expected \"rebels win: custodial capture\" after ply 6, found \"time\"");
    // A player who does not know that the game is over can lose it.
    let termination = "wrong status: rebels to move".to_owned();
    assert_eq!(replayed(&Record { termination, result: GameResult::General, ..record }), Ok(()));
}

#[test]
fn where_the_rules_have_not_decided_there_is_a_reason() {
    let (record, _) = first_moves(Variant::builtin("sixteen-rebels").unwrap().start(), 6);
    let record = Record { move_limit: None, ..record };
    assert_eq!(record.termination, Outcome::MoveLimit(None).to_string());
    let expected = "termination: expected a referee's reason, since the rules let the game continue after ply 6, found";
    assert_eq!(replayed(&record).unwrap_err(), format!("{expected} \"draw: move limit\""));
    let silent = Record { termination: String::new(), ..record.clone() };
    assert_eq!(replayed(&silent).unwrap_err(), format!("{expected} \"\""));
    assert_eq!(replayed(&Record { result: GameResult::Unfinished, ..silent.clone() }), Ok(()));
    for reason in ["time", "illegal move: c3-c9", "adjudication: table"] {
        assert_eq!(replayed(&Record { termination: reason.to_owned(), ..record.clone() }), Ok(()));
    }
}
