//! What a board can be played with but hardly be meant to have: slips of the pen.

use std::collections::HashSet;

use crate::toml_file::{Place, Problem};

use super::{Board, Direction, Point, PointSet};

impl Board {
    /// Lines that pass over points, points that nobody can reach.
    pub(crate) fn slips(&self) -> Vec<Problem> {
        let mut problems: Vec<Problem> = Vec::new();
        for (number, line) in self.lines().iter().enumerate() {
            let whole = self.with_points_passed(line);
            let passed = whole.iter().copied().filter(|p| !line.contains(p)).collect();
            if whole.len() > line.len() {
                let (line, passed, whole) = (self.line_text(line), self.names(passed), self.line_text(&whole));
                let text = format!("\"{line}\" passes over {passed}; expected \"{whole}\"");
                problems.push(Problem::new(Place::item("lines", number), text));
            }
        }
        let lonely: PointSet = self.all().into_iter().filter(|p| self.neighbours(*p).is_empty()).collect();
        let joined = self.all().minus(lonely);
        let apart = joined.minus(self.reachable_from(joined.first()));
        if !lonely.is_empty() {
            let names = self.names(lonely);
            problems
                .push(Problem::key("lines", format!("no line goes through {names}; expected every point on a line")));
        }
        if let (false, Some(first)) = (apart.is_empty(), joined.first()) {
            let (first, apart) = (self.name(first), self.names(apart));
            let text = format!("no way leads from {first} to {apart}; expected lines that join all points");
            problems.push(Problem::key("lines", text));
        }
        problems
    }

    /// Lines that are written twice, or in two pieces.
    pub(crate) fn remarks(&self) -> Vec<Problem> {
        let mut remarks = Vec::new();
        let mut seen = HashSet::new();
        for (number, line) in self.lines().iter().enumerate() {
            // A line reads the same from both ends.
            let backwards: Vec<Point> = line.iter().rev().copied().collect();
            if !seen.insert(backwards.min(line.clone())) {
                let text = format!("\"{}\" for the second time; expected each line once", self.line_text(line));
                remarks.push(Problem::new(Place::item("lines", number), text));
            }
        }
        for middle in self.all() {
            let step = |from: Point, to: Point| -> Direction { self.spot(from).to(self.spot(to)) };
            for first in self.neighbours(middle) {
                let goes_on = |last: &Point| *last > first && step(first, middle).is_parallel_to(step(middle, *last));
                for last in self.neighbours(middle).into_iter().filter(goes_on) {
                    let ends = PointSet::of(first).with(last);
                    let in_line = |t: &&super::Triple| t.middle == middle && PointSet::of(t.first).with(t.last) == ends;
                    if self.triples().iter().find(in_line).is_none() {
                        let whole = self.line_text(&[first, middle, last]);
                        let (a, b) = (self.line_text(&[first, middle]), self.line_text(&[middle, last]));
                        let text = format!(
                            "{a} and {b} are straight, but the three are not in line; expected \"{whole}\" in one line if they are to be"
                        );
                        remarks.push(Problem::key("lines", text));
                    }
                }
            }
        }
        remarks
    }

    fn line_text(&self, line: &[Point]) -> String {
        line.iter().map(|point| self.name(*point).to_string()).collect::<Vec<_>>().join("-")
    }

    /// A line with the points between its own, each in its place.
    fn with_points_passed(&self, line: &[Point]) -> Vec<Point> {
        let mut whole = Vec::from_iter(line.first().copied());
        for edge in line.windows(2) {
            let [a, b] = *edge else { continue };
            let (from, to) = (self.spot(a), self.spot(b));
            let between = |p: &Point| {
                from.to(self.spot(*p)).is_parallel_to(from.to(to)) && to.to(self.spot(*p)).is_parallel_to(to.to(from))
            };
            let mut passed: Vec<Point> = self.all().into_iter().filter(between).collect();
            passed.sort_by_key(|p| {
                let spot = self.spot(*p);
                (spot.x - from.x).abs() + (spot.y - from.y).abs()
            });
            whole.extend(passed);
            whole.push(b);
        }
        whole
    }

    /// The points to which lines lead from a point, itself included.
    fn reachable_from(&self, point: Option<Point>) -> PointSet {
        let mut reached = point.map_or(PointSet::EMPTY, PointSet::of);
        loop {
            let wider = reached.into_iter().fold(reached, |all, p| all | self.neighbours(p));
            if wider == reached {
                return reached;
            }
            reached = wider;
        }
    }
}
