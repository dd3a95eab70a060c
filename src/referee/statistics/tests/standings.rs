//! The standings, and their text.

use crate::FaultKind;
use privy_rules::Side;
use privy_tables::TableValue;

use super::super::standings::AgainstTable;
use super::super::{
    Display, EloModel, GameReport, Pairs, Perfect, PlayerReport, Sprt, SprtParameters, SprtVerdict, Standings, Summary,
};
use super::tally;

fn game(number: u64, general: &str, rebels: &str, winner: Option<Side>) -> GameReport {
    let player = |engine: &str, thinking: u64| PlayerReport {
        engine: engine.to_owned(),
        thinking_us: vec![thinking, 2 * thinking],
        latency_us: vec![100],
    };
    GameReport {
        number,
        pair: number.div_ceil(2),
        general: player(general, 10_000),
        rebels: player(rebels, 20_000),
        winner,
        reason: if winner.is_some() { "no move" } else { "repetition" }.to_owned(),
        fault: None,
        plies: 40 + number as u32,
        rebels_left: 10,
        perfect: None,
        adjudged: None,
    }
}

/// Four pairs of two engines and one game of a fifth pair.
fn games() -> Vec<GameReport> {
    let mut games = vec![
        // One engine wins both: 2 points.
        game(1, "one", "two", Some(Side::General)),
        game(2, "two", "one", Some(Side::Rebels)),
        // The Rebels win with either engine: 1 point.
        game(3, "one", "two", Some(Side::Rebels)),
        game(4, "two", "one", Some(Side::Rebels)),
        // 1½ points.
        game(5, "one", "two", None),
        game(6, "two", "one", Some(Side::Rebels)),
        // 0 points.
        game(7, "one", "two", Some(Side::Rebels)),
        game(8, "two", "one", Some(Side::General)),
        game(9, "one", "two", None),
    ];
    games[0].perfect = Some(Perfect::new(TableValue::Win(27), Side::General));
    games[1].perfect = Some(Perfect::new(TableValue::Win(27), Side::General));
    games[2].perfect = Some(Perfect::new(TableValue::Draw, Side::General));
    games[3].perfect = Some(Perfect::new(TableValue::Draw, Side::General));
    games[6].fault = Some(FaultKind::Time);
    games[6].reason = "flag fall".to_owned();
    games[7].fault = Some(FaultKind::UnreadableAnswer);
    games
}

fn standings(games: &[GameReport]) -> Standings {
    let mut standings = Standings::new(["one".to_owned(), "two".to_owned()]);
    games.iter().for_each(|game| standings.add(game));
    standings
}

#[test]
fn games_and_pairs_are_counted_for_both() {
    let standings = standings(&games());
    let [one, two] = &standings.engines[..] else { panic!("two engines") };
    assert_eq!((one.tally(), two.tally()), (tally(4, 2, 3), tally(3, 2, 4)));
    assert_eq!((one.pairs, two.pairs), (Pairs([1, 0, 1, 1, 1]), Pairs([1, 1, 1, 0, 1])));
    assert_eq!((one.sides.general.tally, one.sides.rebels.tally), (tally(1, 2, 2), tally(3, 0, 1)));
    assert_eq!(standings.sides, tally(2, 2, 5));
    let (first, second, encounter) = standings.encounters().next().unwrap();
    assert_eq!((first.name.as_str(), second.name.as_str()), ("one", "two"));
    assert_eq!((encounter.tally, encounter.pairs), (one.tally(), one.pairs));
}

fn against_table(better: u64, same: u64, worse: u64) -> AgainstTable {
    AgainstTable { better, same, worse }
}

#[test]
fn sides_are_counted_separately() {
    let standings = standings(&games());
    let [one, two] = &standings.engines[..] else { panic!("two engines") };
    // As General: a win in 41 plies where perfect play takes 27, and a loss where it draws. A game that a fallen flag
    // ended has no length.
    assert_eq!((one.sides.general.against_table, one.sides.general.plies_beyond_table), (against_table(0, 1, 1), 14));
    assert_eq!((one.sides.general.plies_of_wins, one.sides.general.plies_of_losses), (41, 43));
    // As Rebels: a win where perfect play loses, and one where it draws. Neither is a win of perfect play.
    assert_eq!((one.sides.rebels.against_table, one.sides.rebels.table_wins), (against_table(2, 0, 0), 0));
    assert_eq!(one.faults.get(&FaultKind::Time), Some(&1));
    assert_eq!(two.faults.get(&FaultKind::Time), None);
    assert_eq!(one.faults.get(&FaultKind::UnreadableAnswer), Some(&1));
    assert_eq!(one.thinking.figures().unwrap().longest_ms, 40.0);
}

#[test]
fn the_order_of_games_makes_no_difference() {
    let mut games = games();
    let forward = standings(&games);
    games.reverse();
    assert_eq!(standings(&games), forward);
    games.swap(1, 6);
    games.swap(0, 5);
    assert_eq!(standings(&games), forward);
}

#[test]
fn reports_round_trip_as_json() {
    for game in games() {
        let text = serde_json::to_string(&game).unwrap();
        assert_eq!(serde_json::from_str::<GameReport>(&text).unwrap(), game);
    }
}

#[test]
fn an_engine_may_join_late() {
    let mut standings = standings(&games());
    standings.add(&game(11, "one", "three", Some(Side::General)));
    standings.add(&game(12, "three", "one", Some(Side::General)));
    let met: Vec<_> =
        standings.encounters().map(|(first, second, met)| (&*first.name, &*second.name, met.pairs)).collect();
    assert_eq!(met, [("one", "two", Pairs([1, 0, 1, 1, 1])), ("one", "three", Pairs([0, 0, 1, 0, 0]))]);
    assert_eq!(standings.engines[0].pairs, Pairs([1, 0, 2, 1, 1]));
}

fn sprt() -> Sprt {
    let parameters = SprtParameters { model: EloModel::Logistic, elo0: 0.0, elo1: 50.0, alpha: 0.05, beta: 0.05 };
    parameters.try_into().unwrap()
}

#[test]
fn the_text_of_a_match() {
    let summary = Summary::new(&standings(&games()), Some(&sprt()));
    let text = summary.to_string();
    assert_eq!(text, include_str!("standings.txt"), "{text}");
    let times = summary.times_grid().to_string();
    assert_eq!(
        times,
        "engine  ms a move: median    p99  longest  latency: median   p99  longest\n\
         one                 20.03  40.00    40.00             0.10  0.10     0.10\n\
         two                 20.03  40.00    40.00             0.10  0.10     0.10\n"
    );
}

/// Two engines with names of 20 letters that meet in `wins` won pairs and `losses` lost ones, and as many split pairs
/// as `split`.
fn verdict(wins: u64, split: u64, losses: u64) -> String {
    let (one, two) = ("a-name-of-20-letters", "another-of-20-letter");
    let mut standings = Standings::new([one, two].map(str::to_owned));
    for (pair, points) in
        (0..).zip([(wins, 2), (split, 1), (losses, 0)].map(|(count, points)| vec![points; count as usize]).concat())
    {
        let winner = |is_won: bool, side: Side| Some(if is_won { side } else { !side });
        standings.add(&game(2 * pair + 1, one, two, winner(points > 0, Side::General)));
        standings.add(&game(2 * pair + 2, two, one, winner(points > 1, Side::Rebels)));
    }
    let summary = Summary::new(&standings, None);
    let text = summary.to_string();
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    summary.verdict().unwrap()
}

#[test]
fn a_sentence_says_who_is_stronger_and_how_surely() {
    for (pairs, beginning, end) in [
        (
            (40, 10, 2),
            "a-name-of-20-letters is stronger than another-of-20-letter:\n+",
            " superior with a likelihood of over 99.9 %.",
        ),
        (
            (2, 10, 40),
            "another-of-20-letter is stronger than a-name-of-20-letters:\n+",
            " superior with a likelihood of over 99.9 %.",
        ),
        (
            (8, 10, 5),
            "a-name-of-20-letters scored more than another-of-20-letter, but that may be chance:\n+",
            "80.1 %.",
        ),
        (
            (8, 1, 8),
            "a-name-of-20-letters and another-of-20-letter scored the same; neither is shown to be stronger:\n0.0 ± ",
            "50.0 %.",
        ),
        (
            (0, 9, 0),
            "a-name-of-20-letters and another-of-20-letter scored the same",
            ":\n0.0 Elo; every pair of games ended alike, which gives no margin of error.",
        ),
        (
            (9, 0, 0),
            "a-name-of-20-letters is stronger than",
            "it won every game, superior with a likelihood of over 99.9 %.",
        ),
        ((4, 0, 0), "Too few games to tell: a-name-of-20-letters scored 100.0 % against", "20-letter."),
    ] {
        let text = verdict(pairs.0, pairs.1, pairs.2);
        assert!(text.starts_with(beginning) && text.ends_with(end), "{pairs:?}: {text}");
    }
    // Of more engines the first is told beside all those that it has met.
    let mut three = standings(&games());
    three.add(&game(11, "one", "three", Some(Side::General)));
    let text = Summary::new(&three, None).verdict().unwrap();
    assert!(text.contains(" its 2 opponents together"), "{text}");
    assert!(text.ends_with("\nLost by faults, which say nothing of play: 2 games."), "{text}");
}

/// Games that are over at once say little, and a reader is told.
#[test]
fn short_games_are_told() {
    let mut short: Vec<GameReport> = games().into_iter().take(4).collect();
    short.iter_mut().for_each(|game| game.plies = 2);
    let text = |games: &[GameReport]| Summary::new(&standings(games), None).to_string();
    assert!(text(&short).contains("4 of 4 games ended within 3 plies of the opening"));
    short.iter_mut().for_each(|game| game.reason = "adjudicated by table: win 5 for the general to move".to_owned());
    assert!(!text(&short).contains("within 3 plies") && !text(&games()).contains("within 3 plies"));
}

#[test]
fn long_names_are_shortened_in_tables() {
    let names = ["n".repeat(150) + "-1", "n".repeat(150) + "-2"];
    let mut standings = Standings::new(names.clone());
    standings.add(&game(1, &names[0], &names[1], Some(Side::General)));
    let text = Summary::new(&standings, None).to_string();
    assert!(text.contains("nnnnnnnnn…nnnnnnnn-1") && text.contains("nnnnnnnnn…nnnnnnnn-2"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
}

#[test]
fn the_text_of_a_match_without_games() {
    let text = Summary::new(&Standings::new(["one".to_owned()]), Some(&sprt())).to_string();
    assert!(text.starts_with("0 games: the General wins 0, the Rebels win 0, 0 drawn\n"), "{text}");
    assert!(text.ends_with("log-likelihood ratio 0.00 (-2.94 to 2.94), undecided\n"), "{text}");
    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
}

#[test]
fn the_json_of_a_match() {
    let mut standings = standings(&games());
    let json = serde_json::to_value(Summary::new(&standings, Some(&sprt()))).unwrap();
    assert_eq!(json["engines"][0]["name"], "one");
    assert_eq!(json["engines"][0]["general"]["against_table"]["worse"], 1);
    assert_eq!(json["engines"][0]["faults"]["time"], 1);
    assert_eq!(json["encounters"][0]["pairs"], serde_json::json!([1, 0, 1, 1, 1]));
    assert_eq!(json["sprt"]["model"], "logistic");
    assert_eq!(json["sprt"]["verdict"], "undecided");
    standings = Standings::new(["one".to_owned()]);
    standings.add(&game(1, "one", "two", Some(Side::General)));
    let json = serde_json::to_value(Summary::new(&standings, None)).unwrap();
    assert!(json["engines"][0]["strength"]["elo"].is_null());
    assert!(json["sprt"].is_null());
}

#[test]
fn plain_lines_without_a_terminal() {
    let games = games();
    let mut standings = Standings::new(["one".to_owned(), "two".to_owned()]);
    let display = Display::new(9, 4, None, false);
    let mut output = Vec::new();
    for game in &games[..2] {
        standings.add(game);
        display.game(game, &standings, &mut output).unwrap();
    }
    display.end();
    assert_eq!(
        String::from_utf8(output).unwrap(),
        "game 1 of 9: one (general) - two (rebels): general wins: no move, 41 plies, 10 Rebels left; points: one 1, two 0\n\
         game 2 of 9: two (general) - one (rebels): rebels win: no move, 42 plies, 10 Rebels left; points: two 0, one 2\n"
    );
}

#[test]
fn a_test_decides_when_the_ratio_passes_a_bound() {
    let mut standings = Standings::new(["one".to_owned(), "two".to_owned()]);
    for pair in 0..60 {
        standings.add(&game(2 * pair + 1, "one", "two", Some(Side::General)));
        standings.add(&game(2 * pair + 2, "two", "one", (pair % 3 != 0).then_some(Side::Rebels)));
    }
    assert_eq!(Summary::new(&standings, Some(&sprt())).sprt.unwrap().verdict, SprtVerdict::H1);
}
