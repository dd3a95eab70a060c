//! Strength in openings of known value. Games against simple players: `privy-lab check movers`.

use privy_protocol::Score;
use privy_rules::Variant;
use privy_search::{Limits, Searcher, Stop};
use privy_testing::retrograde::{Bounded, Exact};

/// Murray's opening is lost for the General. The time until it is proved is printed, not tested.
#[test]
fn murrays_opening_is_proved_lost() {
    let game = Variant::builtin("sixteen-rebels-murray").unwrap().start();
    let limits = Limits { depth: Some(20), ..Limits::default() };
    let found = Searcher::new(16).search(&game, limits, &Stop::default(), &mut |_| {}).unwrap();
    println!(
        "{} at depth {}, {} nodes, {:?}",
        found.lines[0].verdict.score, found.lines[0].depth, found.nodes, found.time
    );
    assert_eq!(found.lines[0].verdict.score, Score::Loss(MURRAY_PLIES));
    assert_eq!(found.lines[0].pv.len(), MURRAY_PLIES as usize);
    // A full search of six plies agrees.
    assert_eq!(Bounded::default().value(&game, MURRAY_PLIES), Exact::Loss(MURRAY_PLIES));
}

/// Length of the General's defence in Murray's opening.
const MURRAY_PLIES: u32 = 6;
