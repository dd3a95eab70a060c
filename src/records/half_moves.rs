//! The translation between moves and the points by which they are entered.
//!
//! A move is the point that the piece moves from, then the point that it moves to. Where two points do not determine a
//! move:
//!
//! - a chain of jumps: every landing in turn; one that stops where it could continue: then the point of the Rebel
//!   jumped last, or the landing, if that Rebel means it already. No point follows itself, because GoGui repeats the
//!   last one and counts on a refusal;
//! - a static intervention: the General's own point, then either Rebel of the pair;
//! - a capturing jump where a walk or leap goes to the same point: the jumped Rebel in place of the first landing;
//! - a free jump: only to points where no other move goes;
//! - a drop: its point alone; a pass: the General's point alone.
//!
//! So each sequence means one move, and it is not the beginning of another.

use privy_rules::board::{Point, PointSet};
use privy_rules::{Game, Move, MoveKind, MovePath, Position};

/// A sequence of points, and the move that it means.
#[derive(Debug, Clone)]
pub struct EntrySequence {
    /// At least two points, but for a drop and a pass, which have one.
    pub points: Vec<Point>,
    /// The move.
    pub move_: MovePath,
}

/// All ways to enter the legal moves of a position.
#[derive(Debug, Clone)]
pub struct HalfMoves {
    /// Sorted by points.
    #[doc(hidden)]
    pub ways: Vec<EntrySequence>,
}

impl HalfMoves {
    /// The ways of the given legal moves of a game.
    pub fn of(game: &Game, mut moves: Vec<MovePath>) -> HalfMoves {
        let mut ways: Vec<EntrySequence> = Vec::with_capacity(moves.len());
        moves.sort_by_key(|move_| match move_.action().kind {
            MoveKind::Walk | MoveKind::Leap | MoveKind::Drop | MoveKind::Pass => 0,
            MoveKind::Jump => 1,
            MoveKind::Static => 2,
            MoveKind::FreeJump => 3,
        });
        // The second points in use, and those before any jump: the first two points determine the move or its first
        // jump. A Rebel's move is a step and needs no more.
        let (mut taken, mut before_jumps) = (PointSet::EMPTY, None);
        for move_ in moves {
            let Move { kind, from, to, captured } = *move_.action();
            let to_each = |seconds: PointSet| seconds.minus(taken).into_iter().map(|to| vec![from, to]).collect();
            let entered: Vec<Vec<Point>> = match kind {
                MoveKind::Walk | MoveKind::Leap => vec![vec![from, to]],
                MoveKind::Drop | MoveKind::Pass => {
                    Some(vec![to]).filter(|_| game.board().has(to)).into_iter().collect()
                }
                MoveKind::Jump => jump_points(game, &move_, *before_jumps.get_or_insert(taken)).into_iter().collect(),
                MoveKind::Static => to_each(captured),
                MoveKind::FreeJump => to_each(PointSet::of(to)),
            };
            taken |= entered.iter().filter_map(|points| points.get(1).copied()).collect();
            ways.extend(entered.into_iter().map(|points| EntrySequence { points, move_: move_.clone() }));
        }
        ways.sort_by(|a, b| a.points.cmp(&b.points));
        // On a board where two jumps over different points lead to one, their texts are equal too.
        ways.dedup_by(|later, kept| later.points.starts_with(&kept.points));
        HalfMoves { ways }
    }

    /// The ways that begin with these points, sorted by points.
    pub fn beginning_with<'a>(&'a self, begun: &'a [Point]) -> impl Iterator<Item = &'a EntrySequence> {
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

    /// The point that ends a chain of jumps that could continue, where it may stop.
    pub fn stop(&self, begun: &[Point]) -> Option<Point> {
        let ends_here =
            |way: &&EntrySequence| way.points.len() == begun.len() + 1 && way.move_.landings().len() + 1 == begun.len();
        self.beginning_with(begun).find(ends_here)?.points.last().copied()
    }

    /// The position after the first points of a move: a jumping General stands on its last landing, and the jumped
    /// Rebels are gone.
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
        let taken = jumped(game, &position, move_, *landing).unwrap_or_default();
        position.with_pieces(position.rebels().minus(taken), *landing)
    })
}

/// Returns the points of a chain of jumps, or [`None`] if every second point for it is in use.
fn jump_points(game: &Game, move_: &MovePath, taken: PointSet) -> Option<Vec<Point>> {
    let mut points = vec![move_.action().from];
    points.extend(move_.landings());
    let first = points.get_mut(1)?;
    if taken.contains(*first) {
        *first = jumped(game, game.position(), move_, *first)?.minus(taken).first()?;
    }
    let (rules, landings) = (game.variant().rules(), move_.landings().len());
    let landed = within_chain(game, move_, landings);
    if rules.jumps_may_stop && rules.can_jump(&landed) {
        let over = within_chain(game, move_, landings - 1).rebels().minus(landed.rebels()).first()?;
        points.push(if points.last() == Some(&over) { landed.general() } else { over });
    }
    Some(points)
}

fn jumped(game: &Game, position: &Position, move_: &MovePath, landing: Point) -> Option<PointSet> {
    let takes = move_.action().captured & position.rebels();
    let hops = &game.variant().rules().jumps[position.general()];
    hops.iter().find(|hop| hop.to == landing && takes.contains_all(hop.over)).map(|hop| hop.over)
}
