//! Reports of an analysis, read back.

use privy_protocol::MoveInfo;

/// The moves of a report, best first.
#[derive(Debug, Clone, PartialEq)]
pub struct AnalysisReport {
    pub moves: Vec<MoveInfo>,
}

/// Reads a report in any of its forms: a win rate without a point counts ten-thousandths.
#[track_caller]
pub fn read_report(line: &str) -> AnalysisReport {
    let text = line.strip_prefix("info ").unwrap_or_else(|| panic!("expected info: {line}"));
    let share = |value: &str| {
        let number: f64 = value.parse().unwrap();
        if value.contains('.') { number } else { number / 10_000.0 }
    };
    let read = |text: &str| {
        let (keys, pv) = text.split_once(" pv ").unwrap_or_else(|| panic!("expected pv: {line}"));
        let mut info = MoveInfo { pv: pv.split(' ').map(str::to_owned).collect(), ..MoveInfo::default() };
        let words: Vec<&str> = keys.split(' ').collect();
        for pair in words.chunks(2) {
            let [key, value] = pair else { panic!("expected a value of {pair:?}: {line}") };
            match *key {
                "move" => assert_eq!(*value, info.pv[0], "{line}"),
                "visits" => info.visits = value.parse().unwrap(),
                "winrate" => info.winrate = share(value),
                "prior" => info.prior = share(value),
                "lcb" => info.lcb = share(value),
                "score" => info.verdict.score = value.parse().unwrap(),
                "bound" => {
                    let bounds = [privy_protocol::Bound::Upper, privy_protocol::Bound::Lower];
                    info.verdict.bound = bounds.into_iter().find(|bound| bound.to_string() == *value);
                    assert!(info.verdict.bound.is_some(), "{line}");
                }
                "order" => info.order = value.parse().unwrap(),
                "scoreLead" => assert!(value.parse::<f64>().is_ok(), "{line}"),
                other => panic!("{other}: {line}"),
            }
        }
        info
    };
    AnalysisReport { moves: text.split(" info ").map(read).collect() }
}
