use privy_rules::{DEFAULT_VARIANT, Variant};

use super::super::engine_spec::tests::{ms, with_clock};
use super::*;

#[test]
fn the_command_holds_the_whole_game() {
    let variant = Variant::builtin(DEFAULT_VARIANT).unwrap();
    let mut sheet = Scoresheet::new(&variant.start(), Some(2));
    assert_eq!(sheet.command, "position startpos");
    for text in ["c3-b2", "a2-a3"] {
        let move_ = sheet.game().parse_move(None, text).unwrap();
        sheet.play(move_);
    }
    assert_eq!(sheet.command, "position startpos moves c3-b2 a2-a3");
    assert!(sheet.game().outcome().is_some());
    let again = Scoresheet::new(sheet.game(), None);
    assert_eq!((again.command, again.moves), (sheet.command.clone(), sheet.moves.clone()));
    let later = Scoresheet::new(&sheet.game().without_history(), None);
    assert_eq!(later.command, format!("position fen {}", sheet.game()));
    assert!(sheet.game.begins_at_opening() && !later.game.begins_at_opening());
}

/// Of all ends only the limit of the referee is unknown to an engine.
#[test]
fn a_status_without_the_limit_agrees_with_a_draw_by_it() {
    let variant = Variant::builtin(DEFAULT_VARIANT).unwrap();
    for limit in [1, 2, 3] {
        let mut game = variant.start();
        game.set_move_limit(Some(limit));
        for text in ["c3-b2", "a2-a3"] {
            if let Ok(move_) = game.parse_move(None, text) {
                game.play(move_);
            }
        }
        let right = |status: &str| is_right_status(status, &game, false);
        let is_over = limit <= 2;
        assert_eq!(right("draw: move limit"), is_over);
        assert_eq!(right("general to move"), limit >= 2);
        assert_eq!(right("rebels to move"), limit == 1);
        assert_eq!(is_right_status("general to move", &game, true), limit > 2, "it knows the limit");
        assert!(!right("draw: repetition") && !right("general wins: apex") && !right(""));
    }
    let lost = Game::from_text("1/3/5/5/1rGr1/5/5 r - 0 0 sixteen-rebels", None).unwrap();
    assert!(
        !is_right_status("rebels to move", &lost, false) && is_right_status("general wins: attrition", &lost, false)
    );
}

#[test]
fn increments_are_added_after_the_move() {
    let mut clock = EngineClock::new(with_clock("10+0.5"));
    clock.spend(ms(2000));
    assert_eq!(clock.allowance(), Some(ms(8500)));
    assert_eq!(clock.limits.to_string(), "clock 8500 inc 500");
    // Within the margin: the clock stands at 0, and gains its increment.
    clock.spend(ms(8600));
    assert_eq!(clock.allowance(), Some(ms(500)));
}

#[test]
fn each_period_adds_its_time() {
    let mut clock = EngineClock::new(with_clock("2/10"));
    clock.spend(ms(4000));
    assert_eq!(clock.limits.to_string(), "clock 6000 moves 1");
    clock.spend(ms(1000));
    assert_eq!(clock.limits.to_string(), "clock 15000 moves 2");
}

#[test]
fn limits_without_time_have_no_clock() {
    let mut clock = EngineClock::new(Limits { nodes: Some(7), depth: Some(2), ..Limits::default() });
    clock.spend(ms(4000));
    assert_eq!((clock.allowance(), clock.limits.to_string()), (None, "depth 2 nodes 7".to_owned()));
    let clock = EngineClock::new(Limits::of_time(ms(10)));
    assert_eq!((clock.allowance(), clock.limits.to_string()), (Some(ms(10)), "time 10".to_owned()));
}
