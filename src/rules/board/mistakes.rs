//! Mistakes in the lines of a board that can be read: probable and possible ones.

use std::collections::BTreeSet;

use crate::toml_file::Problem;

use super::{Board, Point, PointSet};

impl Board {
    /// Probable mistakes: lines that pass over points, and points that no piece can reach.
    pub fn probable_mistakes(&self) -> Vec<Problem> {
        let mut problems: Vec<Problem> = Vec::new();
        for (number, line) in self.lines.iter().enumerate() {
            let passed: PointSet = self.all().into_iter().filter(|p| self.passes_over(line, *p)).collect();
            if !passed.is_empty() {
                let (line, passed) = (self.line_text(line), self.names(passed));
                let text = format!("\"{line}\" passes over {passed}; expected all points of the line");
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
        let steps = self.lines.iter().flat_map(|line| line.windows(2));
        let steps: BTreeSet<[Point; 2]> = steps.flat_map(|s| [[s[0], s[1]], [s[1], s[0]]]).collect();
        let after = |[middle, first]: [Point; 2]| {
            steps
                .iter()
                .filter(move |step| step[0] == middle && step[1] > first)
                .map(move |step| [first, middle, step[1]])
        };
        let is_broken = |[first, middle, last]: &[Point; 3]| {
            let step = |from: Point, to: Point| self.spot(from).to(self.spot(to));
            step(*first, *middle).is_parallel_to(step(*middle, *last))
                && !self.are_in_line(*middle, PointSet::of(*first).with(*last))
        };
        let problem = |three: [Point; 3]| {
            let [a, b, whole] = [&three[..2], &three[1..], &three].map(|line| self.line_text(line));
            let found = format!("{a} and {b} are straight, but the three are not in line");
            Problem::new("lines", format!("{found}; expected \"{whole}\" in one line if they are to be"))
        };
        steps.iter().flat_map(|step| after(*step)).filter(is_broken).map(problem).collect()
    }

    #[doc(hidden)]
    pub fn line_text(&self, line: &[Point]) -> String {
        line.iter().map(|point| self.name(*point).to_string()).collect::<Vec<_>>().join("-")
    }

    /// True if a point lies between two points of a line that follow one another.
    fn passes_over(&self, line: &[Point], point: Point) -> bool {
        let between = |step: &[Point]| {
            let [from, spot, to] = [step[0], point, step[1]].map(|p| self.spot(p));
            from.to(spot).is_parallel_to(from.to(to)) && to.to(spot).is_parallel_to(to.to(from))
        };
        line.windows(2).any(between)
    }
}
