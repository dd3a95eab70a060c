//! The fast generator agrees with the templates.

use proptest::prelude::*;

use privy_rules::board::PointSet;

use super::walks::{any_walk, any_walk_under_any_rules};
use super::*;
use privy_rules::family::Every;
use privy_rules::for_family;

/// True if the move can be made in a position, compulsory capture apart.
fn allows(template: &Template, position: &Position) -> bool {
    position.general() == template.from
        && position.rebels().contains_all(template.rebels)
        && !position.rebels().meets(template.empty)
        && (template.kind != MoveKind::FreeJump || position.free_jumps() > 0)
}

/// The Rebels that fall in a position.
fn captured_by(template: &Template, position: &Position) -> PointSet {
    let held = template.pairs.iter().filter(|pair| position.rebels().contains_all(**pair));
    held.fold(template.captured, |all, pair| all | *pair)
}

/// All legal moves of the General by the templates; a chain of jumps occurs once for each path.
fn by_templates(rules: &CompiledRules, position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    for template in rules.templates[position.general()].iter().filter(|template| allows(template, position)) {
        let Template { kind, from, to, .. } = *template;
        let captured = captured_by(template, position);
        match kind {
            MoveKind::Jump => finish_chain(rules, position, position, template, &mut moves),
            _ => moves.push(Move { kind, from, to, captured }),
        }
    }
    if rules.capture_is_compulsory && moves.iter().any(|move_| !move_.captured.is_empty()) {
        moves.retain(|move_| !move_.captured.is_empty());
    }
    moves
}

/// Makes a jump, continues with every further jump where the rules have chains, and ends where they allow it.
fn finish_chain(rules: &CompiledRules, start: &Position, at: &Position, jump: &Template, moves: &mut Vec<Move>) {
    let landed = at.with_pieces(at.rebels().minus(jump.captured), jump.to);
    let goes_on = |next: &&Template| rules.jumps_go_on && next.kind == MoveKind::Jump && allows(next, &landed);
    let further: Vec<&Template> = rules.templates[jump.to].iter().filter(goes_on).collect();
    for next in &further {
        finish_chain(rules, start, &landed, next, moves);
    }
    if further.is_empty() || rules.jumps_may_stop {
        let captured = start.rebels().minus(landed.rebels());
        moves.push(Move { kind: MoveKind::Jump, from: start.general(), to: jump.to, captured });
    }
}

fn sorted(mut moves: Vec<Move>) -> Vec<Move> {
    moves.sort_by_key(|move_| (move_.kind, move_.to, move_.captured));
    moves
}

/// Compares generator and templates for the position with the General to move.
fn compare(game: &Game) -> Result<(), TestCaseError> {
    let rules = game.variant().rules();
    let position = game.position().with_side(Side::General);
    let expected = sorted(by_templates(rules, &position));
    let mut generated = Vec::new();
    rules.general_actions::<Every>(&position, |action, _| generated.push(action));
    // These have no template.
    if generated.iter().any(|move_| matches!(move_.kind, MoveKind::Drop | MoveKind::Pass)) {
        let is_pass = generated.len() == 1 && generated[0].kind == MoveKind::Pass;
        prop_assert!(is_pass || generated.iter().all(|move_| move_.kind == MoveKind::Drop), "{}", game);
        return Ok(());
    }
    prop_assert_eq!(sorted(generated), expected.clone(), "{}", game);
    for_family!(game.variant().rules().family, F => {
        prop_assert_eq!(rules.count_general_moves::<F>(&position), expected.len() as u64, "{}", game);
        prop_assert_eq!(rules.general_can_move::<F>(&position), !expected.is_empty(), "{}", game);
    });
    Ok(())
}

proptest! {
    #[test]
    fn templates_agree_on_built_in_games(walk in any_walk(80)) {
        compare(&walk.end())?;
    }

    #[test]
    fn templates_agree_under_any_rules(walk in any_walk_under_any_rules(40)) {
        compare(&walk.end())?;
    }
}
