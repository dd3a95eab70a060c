//! Random games with all that people add to them.

use std::sync::Arc;

use privy_base::random::Random;
use privy_protocol::Score;

use privy_base::message::is_unsafe;
use privy_records::sgf::{sgf_records, write_sgf};
use privy_records::{GameResult, Glyph, Record, RecordedMove};
use privy_rules::{Game, Variant};

fn is_one_in(random: &mut Random, count: u64) -> bool {
    random.below(count) == 0
}

/// A game of random moves, with comments, glyphs, reports and variations; a position of it may be the first one.
fn random_game(random: &mut Random, variant: &Arc<Variant>) -> Record {
    let mut game = variant.start();
    for _ in 0..random.below(3) * 7 {
        let moves = game.legal_moves();
        if moves.is_empty() {
            break;
        }
        game.play(random.pick(&moves).unwrap().clone());
    }
    let is_over = game.outcome().is_some();
    let first = if is_over || is_one_in(random, 2) { variant.start() } else { game.without_history() };
    let mut game = first.clone();
    game.set_move_limit((is_one_in(random, 4)).then_some(9));
    let moves = random_line(random, &mut game, 0);
    for move_ in &moves {
        game.play(game.find_move(&move_.text).unwrap());
    }
    let words = |random: &mut Random, of: &[&str]| (*random.pick(of).unwrap()).to_owned();
    let outcome = game.outcome();
    let tag = ("Annotator".to_owned(), words(random, &WORDS));
    Record {
        event: words(random, &WORDS),
        date: words(random, &["2026.11.26", "", "1853", "26-11-2026"]),
        general: words(random, &WORDS),
        variant: variant.id().to_owned(),
        fingerprint: if is_one_in(random, 2) { String::new() } else { variant.fingerprint().to_owned() },
        opening: if first.begins_at_opening() { String::new() } else { first.to_string() },
        time_control: words(random, &WORDS),
        move_limit: game.move_limit(),
        seed: (is_one_in(random, 2)).then_some(7),
        result: outcome
            .map_or(if is_one_in(random, 2) { GameResult::Unfinished } else { GameResult::General }, GameResult::from),
        termination: match outcome {
            Some(outcome) => {
                if is_one_in(random, 2) {
                    outcome.to_string()
                } else {
                    String::new()
                }
            }
            None => "time".to_owned(),
        },
        tags: if is_one_in(random, 3) { vec![tag] } else { Vec::new() },
        comment: words(random, &WORDS[..SHOWN]),
        moves,
        ..Record::default()
    }
}

/// Words that try to leave their places; the first `SHOWN` have no character that can't be shown.
const WORDS: [&str; 10] =
    ["", "good", "= 5n", "]\\);W[aa]C[", "two\nlines", " {spaces}  ", "\"]\n[Event \"", "打棋 !", "\u{7}", "5ms"];
const SHOWN: usize = 8;

fn random_line(random: &mut Random, game: &mut Game, depth: usize) -> Vec<RecordedMove> {
    let plies = game.moves().len();
    let mut line = Vec::new();
    for _ in 0..2 + random.below(if depth == 0 { 16 } else { 4 }) {
        let moves = game.legal_moves();
        if moves.is_empty() {
            break;
        }
        let move_ = random.pick(&moves).unwrap().clone();
        let mut recorded = RecordedMove::new(game, &move_);
        let is_first = line.is_empty() && depth > 0;
        for _ in 0..if depth < 3 && is_one_in(random, 4) && !is_first { 1 + random.below(2) } else { 0 } {
            recorded.variations.push(random_line(random, game, depth + 1));
        }
        if is_one_in(random, 3) {
            recorded.comment = (*random.pick(&WORDS[..SHOWN]).unwrap()).to_owned();
            recorded.glyph = Some(*random.pick(&Glyph::ALL).unwrap());
        }
        if is_one_in(random, 4) {
            (recorded.score, recorded.depth) = (Some(Score::Win(7)), Some(3));
        }
        line.push(recorded);
        game.play(move_);
    }
    game.rewind(plies);
    line
}

/// SGF has no place for the report of a search, for other tags and for a referee's reason; its simple texts have one
/// line.
fn as_sgf_has_it(record: &Record) -> Record {
    let simple = |text: &str| {
        let shown = text.replace(|letter: char| is_unsafe(letter) && letter != '\n', " ");
        shown.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let game = record.game_after(record.moves.len(), None).unwrap();
    let by_rules = game.outcome().map_or(GameResult::Unfinished, GameResult::from);
    let mut plain = Record {
        event: simple(&record.event),
        date: simple(&record.date.replace('.', "-")).replace('-', "."),
        general: simple(&record.general),
        time_control: simple(&record.time_control),
        termination: match game.outcome() {
            Some(outcome) => outcome.to_string(),
            _ if record.result != by_rules => "RE[W+]".to_owned(),
            None => String::new(),
        },
        tags: Vec::new(),
        ..record.clone()
    };
    plain.moves.iter_mut().for_each(without_report);
    plain
}

fn without_report(move_: &mut RecordedMove) {
    (move_.score, move_.depth, move_.time_ms, move_.nodes) = (None, None, None, None);
    move_.variations.iter_mut().flatten().for_each(without_report);
}

#[test]
fn a_thousand_games_come_back_through_text_json_and_sgf() {
    let variants: Vec<Arc<Variant>> = Variant::all_ids().filter_map(Variant::builtin).collect();
    let (mut variations, mut unnamed) = (0, 0);
    for number in 0..1_000 {
        let variant = &variants[number % variants.len()];
        let mut random = Random::numbered(47, number as u64);
        let record = random_game(&mut random, variant);
        variations += record.moves.iter().map(|move_| move_.variations.len()).sum::<usize>();
        let text: Record = record.to_string().parse().unwrap();
        let json: Record = serde_json::to_string(&text).unwrap().parse().unwrap();
        let sgf = write_sgf(&json, None, &[]).unwrap();
        unnamed += sgf.matches("MOVE[").count();
        let again =
            sgf_records(&sgf, None, &Variant::builtin).remove(0).unwrap_or_else(|error| panic!("{error}: {sgf}"));
        assert!(text == record && json == record);
        assert!(again == as_sgf_has_it(&record), "{record}\n{again}\n{sgf}");
        assert!(again.replay(None).is_ok());
    }
    assert!(variations > 1_000 && unnamed > 0, "{variations} variations, {unnamed} moves without points");
}
