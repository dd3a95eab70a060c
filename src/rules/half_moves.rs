//! The translation between moves and the points by which they are entered.
//!
//! A move is the point that the piece moves from, then the point that it moves to. Where two points do not determine a move:
//!
//! - a chain of jumps: every landing in turn; one that stops where it could go on: then the point of the Rebel jumped last, or
//!   the landing, if that Rebel stands for it already. No point follows itself, because GoGui repeats the last one
//!   and counts on a refusal;
//! - a static intervention: the General's own point, then either Rebel of the pair;
//! - a capturing jump where a walk or leap goes to the same point: the jumped Rebel in place of the first landing;
//! - a free jump: only to points where no other move goes.
//!
//! So each sequence means one move, and none is the beginning of another.

use super::{Game, MoveKind, MovePath, Position};
use crate::board::{Point, PointSet};

/// A sequence of points, and the move that it means.
#[derive(Debug, Clone)]
pub struct Way {
    /// At least two points.
    pub points: Vec<Point>,
    /// The move.
    pub move_: MovePath,
}

/// All ways to enter the legal moves of a position.
#[derive(Debug, Clone)]
pub struct HalfMoves {
    /// Sorted by points.
    ways: Vec<Way>,
}

impl HalfMoves {
    /// The ways of the given legal moves of a game.
    pub fn of(game: &Game, moves: Vec<MovePath>) -> HalfMoves {
        let mut ways: Vec<Way> = Vec::with_capacity(moves.len());
        let (jumps, others): (Vec<MovePath>, Vec<MovePath>) =
            moves.into_iter().partition(|move_| move_.action().kind == MoveKind::Jump);
        // The second points in use: the first two points determine the move or its first jump. A Rebel's move is a step and
        // needs no more.
        let mut taken = PointSet::EMPTY;
        for move_ in others.iter().filter(|move_| matches!(move_.action().kind, MoveKind::Walk | MoveKind::Leap)) {
            let action = *move_.action();
            taken = taken.with(action.to);
            ways.push(Way { points: vec![action.from, action.to], move_: move_.clone() });
        }
        let before_jumps = taken;
        for move_ in jumps {
            let Some(points) = jump_points(game, &move_, before_jumps) else { continue };
            taken |= points.iter().copied().skip(1).take(1).collect();
            ways.push(Way { points, move_ });
        }
        for kind in [MoveKind::Static, MoveKind::FreeJump] {
            for move_ in others.iter().filter(|move_| move_.action().kind == kind) {
                let action = *move_.action();
                let seconds =
                    if kind == MoveKind::Static { action.captured } else { PointSet::of(action.to) }.minus(taken);
                taken |= seconds;
                ways.extend(seconds.into_iter().map(|to| Way { points: vec![action.from, to], move_: move_.clone() }));
            }
        }
        ways.sort_by(|a, b| a.points.cmp(&b.points));
        // On a board where two jumps over different points lead to one, their texts are equal too.
        ways.dedup_by(|later, kept| later.points.starts_with(&kept.points));
        HalfMoves { ways }
    }

    /// The ways that begin with these points, sorted by points.
    pub fn beginning_with<'a>(&'a self, begun: &'a [Point]) -> impl Iterator<Item = &'a Way> {
        self.ways.iter().filter(move |way| way.points.starts_with(begun))
    }

    /// The points that may follow.
    pub fn continuations(&self, begun: &[Point]) -> PointSet {
        self.beginning_with(begun).filter_map(|way| way.points.get(begun.len()).copied()).collect()
    }

    /// The move whose points are exactly these.
    pub fn completed(&self, points: &[Point]) -> Option<&MovePath> {
        self.ways.iter().find(|way| way.points == points).map(|way| &way.move_)
    }

    /// The points by which a move is entered; none for a move without a way.
    pub fn points_of(&self, move_: &MovePath) -> Option<&[Point]> {
        self.ways.iter().find(|way| way.move_ == *move_).map(|way| way.points.as_slice())
    }

    /// The point that ends a chain of jumps that could go on, where it may stop.
    pub fn stop(&self, begun: &[Point]) -> Option<Point> {
        let ends_here =
            |way: &&Way| way.points.len() == begun.len() + 1 && way.move_.landings().len() + 1 == begun.len();
        self.beginning_with(begun).find(ends_here)?.points.last().copied()
    }

    /// The position after the first points of a move: a jumping General stands on its last landing, and the jumped Rebels are
    /// gone.
    pub fn position_within(&self, game: &Game, begun: &[Point]) -> Position {
        match self.beginning_with(begun).next() {
            Some(way) if begun.len() > 1 => within_chain(game, &way.move_, begun.len() - 1),
            _ => *game.position(),
        }
    }
}

/// The position after the first landings of a chain of jumps.
fn within_chain(game: &Game, move_: &MovePath, landings: usize) -> Position {
    move_.landings().iter().take(landings).fold(*game.position(), |position, landing| {
        let taken = jumped(game, &position, move_, *landing).map_or(PointSet::EMPTY, PointSet::of);
        position.with_pieces(position.rebels().minus(taken), *landing)
    })
}

/// The points of a chain of jumps; none when every second point for it is in use.
fn jump_points(game: &Game, move_: &MovePath, taken: PointSet) -> Option<Vec<Point>> {
    let mut points = vec![move_.action().from];
    points.extend(move_.landings());
    let first = points.get_mut(1)?;
    if taken.contains(*first) {
        *first = jumped(game, game.position(), move_, *first).filter(|over| !taken.contains(*over))?;
    }
    let (rules, landings) = (game.variant().rules(), move_.landings().len());
    let landed = within_chain(game, move_, landings);
    if rules.jumps_may_stop && rules.can_jump(&landed) {
        let over = within_chain(game, move_, landings - 1).rebels().minus(landed.rebels()).first()?;
        points.push(if points.last() == Some(&over) { landed.general() } else { over });
    }
    Some(points)
}

fn jumped(game: &Game, position: &Position, move_: &MovePath, landing: Point) -> Option<Point> {
    let takes = move_.action().captured & position.rebels();
    let hops = game.variant().rules().jumps(position.general());
    hops.iter().find(|hop| hop.to == landing && takes.contains(hop.over)).map(|hop| hop.over)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::rules::{Game, Variant};

    /// A game that has all kinds of moves at once, which no built-in one has.
    const EVERYTHING: &str = r#"
id = "everything"
title = "Everything"
board = "privy"
opening = "1/3/r1r1r/1r1r1/r1G1r/1r1r1/r1r1r"
first = "general"
intervention = true
static = "any"
jump = "multi"
leap = "any"
slide = true
free_jumps = 3
"#;

    #[test]
    fn with_all_kinds_of_moves_each_sequence_means_one_move() {
        let mut game = Arc::new(Variant::from_toml(EVERYTHING, None).unwrap()).start();
        let mut kinds = Vec::new();
        for turn in 0..60 {
            let moves = game.legal_moves();
            let half_moves = HalfMoves::of(&game, moves.clone());
            for (place, way) in half_moves.ways.iter().enumerate() {
                kinds.push(way.move_.action().kind);
                assert!(moves.contains(&way.move_));
                assert_eq!(half_moves.completed(&way.points), Some(&way.move_));
                let others = half_moves.ways.iter().enumerate().filter(|(other, _)| *other != place);
                assert!(others.into_iter().all(|(_, other)| !other.points.starts_with(&way.points)), "{game}");
                let before = &way.points[..way.points.len() - 1];
                assert!(half_moves.continuations(before).contains(way.points[before.len()]));
                assert_eq!(half_moves.position_within(&game, &before[..1]), *game.position());
            }
            // Every walk, leap and jump can be entered; of the others only those whose points are free.
            let entered = |move_: &MovePath| half_moves.points_of(move_).is_some();
            let has_way = |move_: &&MovePath| matches!(move_.action().kind, MoveKind::Walk | MoveKind::Jump);
            assert!(moves.iter().filter(has_way).all(entered), "{game}");
            let Some(move_) = moves.get((turn * 7) % moves.len().max(1)) else { break };
            game.play(move_.clone());
        }
        for kind in [MoveKind::Walk, MoveKind::Jump, MoveKind::Leap, MoveKind::Static, MoveKind::FreeJump] {
            assert!(kinds.contains(&kind), "{kind:?}");
        }
    }

    #[test]
    fn a_chain_that_stops_ends_with_the_rebel_jumped_last_or_its_landing() {
        let opening = "board = \"alquerque\"\nopening = \"5/5/Gr1r1/5/5\"\nfirst = \"general\"\njump = \"free\"";
        for (leap, expected) in [("none", ["a3 c3 b3", "a3 c3 e3"]), ("any", ["a3 b3 c3", "a3 b3 e3"])] {
            let text = format!("id = \"x\"\ntitle = \"\"\n{opening}\nleap = \"{leap}\"");
            let game = Arc::new(Variant::from_toml(&text, None).unwrap()).start();
            let half_moves = HalfMoves::of(&game, game.legal_moves());
            let jumps = half_moves.ways.iter().filter(|way| way.move_.action().kind == MoveKind::Jump);
            let names = |way: &Way| way.points.iter().map(|p| game.board().name(*p).to_string()).collect::<Vec<_>>();
            let found: Vec<String> = jumps.clone().map(|way| names(way).join(" ")).collect();
            assert_eq!(found, expected);
            let stops = jumps.clone().next().unwrap();
            assert_eq!(half_moves.stop(&stops.points[..2]), stops.points.last().copied());
            assert_eq!(half_moves.stop(&stops.points[..1]), None);
            assert_eq!(half_moves.position_within(&game, &stops.points[..2]).rebels().len(), 1);
        }
    }

    #[test]
    fn within_a_chain_the_general_stands_on_its_last_landing() {
        let game = Game::from_text("3/1G1/2r2/1r1r1/2r2/5/5 g - 0 0 juroku-musashi", None).unwrap();
        let board = game.board();
        let point = |name: &str| board.point(name.parse().unwrap()).unwrap();
        let half_moves = HalfMoves::of(&game, game.legal_moves());
        let within = half_moves.position_within(&game, &[point("c6"), point("c4")]);
        assert_eq!(board.name(within.general()).to_string(), "c4");
        assert_eq!(board.names(within.rebels()), "c3 b4 d4");
    }
}
