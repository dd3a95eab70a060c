//! Mistakes in the lines of a board that can be read: errors, probable and possible ones.

use std::cell::LazyCell;
use std::collections::HashSet;

use crate::toml_file::Problem;

use super::{Board, Point, PointSet};

impl Board {
    /// Lines whose last points go on in other lines, of which none has them all. Where a General that slides would stop
    /// then depends on how the file cuts a line; steps, points in line and the fingerprint do not.
    pub(super) fn lines_that_go_on(&self) -> Vec<Problem> {
        let both_ways = |line: &Vec<Point>| [line.clone(), line.iter().rev().copied().collect()];
        let lines: Vec<[Vec<Point>; 2]> = self.lines().iter().map(both_ways).collect();
        // Most boards need none.
        let parts: LazyCell<HashSet<&[Point]>, _> = LazyCell::new(|| {
            let ways = lines.iter().flatten();
            ways.flat_map(|way| (4..=way.len()).flat_map(|length| way.windows(length))).collect()
        });
        let goes_on = |way: &Vec<Point>| -> Option<Vec<Point>> {
            (3..=way.len()).find_map(|length| {
                let begin = &way[..length];
                let others = self.next_in_line(begin).filter(|next| way.get(length) != Some(next));
                others.map(|next| [begin, &[next]].concat()).find(|longer| !parts.contains(longer.as_slice()))
            })
        };
        let mut problems = Vec::new();
        for (number, (line, [forwards, backwards])) in self.lines().iter().zip(&lines).enumerate() {
            let of_backwards = || goes_on(backwards).map(|longer| longer.into_iter().rev().collect());
            let Some(mut whole): Option<Vec<Point>> = goes_on(forwards).or_else(of_backwards) else { continue };
            // As far as it goes at both ends.
            for _ in 0..2 {
                while let Some(point) = self.next_in_line(&whole).next() {
                    whole.push(point);
                }
                whole.reverse();
            }
            let (line, whole) = (self.line_text(line), self.line_text(&whole));
            let text = format!("\"{line}\" continues in another line; expected one line with \"{whole}\"");
            problems.push(Problem::item("lines", number, text));
        }
        problems
    }

    /// Probable mistakes: lines that pass over points, and points that no piece can reach.
    pub fn probable_mistakes(&self) -> Vec<Problem> {
        let mut problems: Vec<Problem> = Vec::new();
        for (number, line) in self.lines().iter().enumerate() {
            let whole = self.with_points_passed(line);
            let passed = whole.iter().copied().filter(|p| !line.contains(p)).collect();
            if whole.len() > line.len() {
                let (line, passed, whole) = (self.line_text(line), self.names(passed), self.line_text(&whole));
                let text = format!("\"{line}\" passes over {passed}; expected \"{whole}\"");
                problems.push(Problem::item("lines", number, text));
            }
        }
        let lonely: PointSet = self.all().into_iter().filter(|p| self.neighbours(*p).is_empty()).collect();
        let joined = self.all().minus(lonely);
        let apart = joined.minus(self.reached(joined.first().map_or(PointSet::EMPTY, PointSet::of), joined));
        if !lonely.is_empty() {
            let names = self.names(lonely);
            let text = format!("no line goes through {names}; expected every point on a line");
            problems.push(Problem::new("lines", text));
        }
        if let (false, Some(first)) = (apart.is_empty(), joined.first()) {
            let (first, apart) = (self.name(first), self.names(apart));
            let text = format!("no way leads from {first} to {apart}; expected lines that join all points");
            problems.push(Problem::new("lines", text));
        }
        problems
    }

    /// Straight lines in pieces. It matters where a rule needs three points in line.
    #[doc(hidden)]
    pub fn lines_in_pieces(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        let steps = || self.lines().iter().flat_map(|line| line.windows(2));
        for middle in self.all() {
            let step = |from: Point, to: Point| self.spot(from).to(self.spot(to));
            let beside: PointSet = steps().filter(|pair| pair.contains(&middle)).flatten().copied().collect();
            for first in beside.without(middle) {
                let goes_on = |last: &Point| *last > first && step(first, middle).is_parallel_to(step(middle, *last));
                for last in beside.without(middle).into_iter().filter(goes_on) {
                    let ends = PointSet::of(first).with(last);
                    if !self.are_in_line(middle, ends) {
                        let whole = self.line_text(&[first, middle, last]);
                        let (a, b) = (self.line_text(&[first, middle]), self.line_text(&[middle, last]));
                        let text = format!(
                            "{a} and {b} are straight, but the three are not in line; expected \"{whole}\" in one line if they are to be"
                        );
                        problems.push(Problem::new("lines", text));
                    }
                }
            }
        }
        problems
    }

    #[doc(hidden)]
    pub fn line_text(&self, line: &[Point]) -> String {
        line.iter().map(|point| self.name(*point).to_string()).collect::<Vec<_>>().join("-")
    }

    /// A line with the points that it passes over.
    fn with_points_passed(&self, line: &[Point]) -> Vec<Point> {
        let mut whole = Vec::from_iter(line.first().copied());
        for edge in line.windows(2) {
            let (from, to) = (self.spot(edge[0]), self.spot(edge[1]));
            let between = |p: &Point| {
                let spot = self.spot(*p);
                from.to(spot).is_parallel_to(from.to(to)) && to.to(spot).is_parallel_to(to.to(from))
            };
            let mut passed: Vec<Point> = self.all().into_iter().filter(between).collect();
            passed.sort_by_key(|p| (self.spot(*p).x - from.x).abs() + (self.spot(*p).y - from.y).abs());
            whole.extend(passed);
            whole.push(edge[1]);
        }
        whole
    }

    /// The points that are in line with the last two of some points, after them.
    fn next_in_line<'a>(&'a self, points: &[Point]) -> impl Iterator<Item = Point> + use<'a> {
        let last_two = points.last_chunk::<2>().copied();
        self.triples().iter().filter_map(move |triple| {
            let [before, last] = last_two?;
            let follows = triple.middle == last && triple.ends().contains(before);
            triple.ends().without(before).first().filter(|_| follows)
        })
    }
}
