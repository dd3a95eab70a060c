//! What lies in line on a board: pairs with a point between them, jumps over a point, rays.

use crate::board::{Board, MAX_LINES, Point, PointSet, PointTable, Triple};

/// A few pairs of points, each the two ends of three points in line.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PointPairs {
    sets: [PointSet; MAX_LINES],
    len: u8,
}

impl PointPairs {
    /// A board has at most `MAX_LINES` pairs in line with a point; a point without any may have its two neighbours as a
    /// pair.
    fn of(pairs: impl Iterator<Item = PointSet>) -> PointPairs {
        let mut all = PointPairs::default();
        for pair in pairs {
            all.sets[usize::from(all.len)] = pair;
            all.len += 1;
        }
        all
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline(always)]
    pub(super) fn as_slice(&self) -> &[PointSet] {
        &self.sets[..usize::from(self.len).min(MAX_LINES)]
    }

    /// The points of those pairs that hold Rebels at both ends.
    #[inline(always)]
    pub(super) fn held_by(&self, rebels: PointSet) -> PointSet {
        let mut held = PointSet::EMPTY;
        for &pair in self.as_slice() {
            if rebels.contains_all(pair) {
                held |= pair;
            }
        }
        held
    }

    pub(super) fn union(&self) -> PointSet {
        self.as_slice().iter().fold(PointSet::EMPTY, |all, pair| all | *pair)
    }
}

/// A jump or leap from a point: over a neighbour, or a row of points that begins with it, to the point beyond.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hop {
    /// The points that must hold Rebels.
    pub over: PointSet,
    /// The landing, which must be empty.
    pub to: Point,
}

/// The pairs in line with a point between them.
pub(super) fn pairs(board: &Board, counts: impl Fn(&Triple) -> bool) -> PointTable<PointPairs> {
    PointTable::of(board.all(), |p| {
        PointPairs::of(board.triples.iter().filter(|t| t.middle == p && counts(t)).map(Triple::ends))
    })
}

/// Deferred intervention: pairs at right angles to the step away from between them (RULES §2).
pub(super) fn departures(board: &Board, counts: impl Fn(&Triple) -> bool) -> PointTable<Vec<(Point, PointPairs)>> {
    PointTable::of(board.all(), |p| {
        let leaving_for = |to: Point| {
            let step = board.spot(p).to(board.spot(to));
            let crosses = |t: &Triple| board.spot(t.first).to(board.spot(t.last)).is_perpendicular_to(step);
            let falling = board.triples.iter().filter(|t| t.middle == p && counts(t) && crosses(t));
            (to, PointPairs::of(falling.map(Triple::ends)))
        };
        board.neighbours(p).into_iter().map(leaving_for).filter(|(_, pairs)| pairs.len > 0).collect()
    })
}

/// Static intervention. Under `surrounded` a point with exactly two neighbours that are not in line has these as its
/// pair; that reading knows no lines, so `orthogonal` does not narrow it.
pub(super) fn statics(board: &Board, surrounded: bool, counts: impl Fn(&Triple) -> bool) -> PointTable<PointPairs> {
    let mut table = pairs(board, counts);
    if surrounded {
        for point in board.all() {
            let neighbours = board.neighbours(point);
            if neighbours.len() == 2 && !board.triples.iter().any(|t| t.middle == point) {
                table[point] = PointPairs::of(std::iter::once(neighbours));
            }
        }
    }
    table
}

/// The jumps or leaps from each point, along the lines that `allows`, told if they are diagonal, lets through.
pub(super) fn hops(board: &Board, allows: impl Fn(bool) -> bool) -> PointTable<Vec<Hop>> {
    PointTable::of(board.all(), |p| {
        let from_p = |t: &Triple| {
            let to = t.ends().without(p).first().filter(|_| t.ends().contains(p))?;
            let is_diagonal = !board.spot(p).to(board.spot(to)).is_orthogonal();
            allows(is_diagonal).then_some(Hop { over: PointSet::of(t.middle), to })
        };
        board.triples.iter().filter_map(from_p).collect()
    })
}

/// The jumps from each point over rows of an odd number of points along one line, along those lines that `allows` lets
/// through.
pub(super) fn row_hops(board: &Board, allows: impl Fn(bool) -> bool) -> PointTable<Vec<Hop>> {
    let rays = rays(board);
    PointTable::of(board.all(), |p| {
        let mut hops: Vec<Hop> = Vec::new();
        for ray in &rays[p] {
            let is_diagonal = !board.spot(p).to(board.spot(ray[0])).is_orthogonal();
            for landing in (2..ray.len() + 1).step_by(2).filter(|_| allows(is_diagonal)) {
                let Some((to, over)) = ray.get(..landing).and_then(<[Point]>::split_last) else { continue };
                hops.push(Hop { over: over.iter().copied().collect(), to: *to });
            }
        }
        hops
    })
}

/// The points in each direction along a line or over an edge, nearest first: a neighbour, and what lies in line with it
/// one after the other, in whatever pieces a file has the line.
pub(super) fn rays(board: &Board) -> PointTable<Vec<Vec<Point>>> {
    PointTable::of(board.all(), |p| {
        let mut begun: Vec<Vec<Point>> = board.neighbours(p).into_iter().map(|next| vec![p, next]).collect();
        let mut rays = Vec::new();
        while let Some(way) = begun.pop() {
            let [.., before, last] = *way else { continue };
            let in_line = board.triples.iter().filter(|t| t.middle == last && t.ends().contains(before));
            let next = in_line.filter_map(|t| t.ends().without(before).first());
            let longer: Vec<Vec<Point>> = next.map(|next| [way.as_slice(), &[next]].concat()).collect();
            if longer.is_empty() {
                rays.push(way[1..].to_vec());
            }
            begun.extend(longer);
        }
        rays
    })
}
