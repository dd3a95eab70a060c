//! Checks of reports against exact values, and random positions for them.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use privy_protocol::Score;
use privy_rules::board::{Point, PointSet};
use privy_rules::variant::Heading;
use privy_rules::{Game, Position, Variant};
use privy_search::eval::Value;
use privy_search::{Prober, SearchInfo};

use crate::random::Random;
use crate::retrograde::{Exact, Solution};

/// Compares a report with the exact value. A win or loss within the proven depth must be reported, and each reported
/// win or loss must have its exact length.
pub fn agree(report: &SearchInfo, exact: Exact) -> Result<(), String> {
    let (sure, score) = (report.proven_depth, report.verdict.score);
    let right = match exact {
        Exact::Win(plies) => score == Score::Win(plies) || plies > sure && score.distance().is_none(),
        Exact::Loss(plies) => score == Score::Loss(plies) || plies > sure && score.distance().is_none(),
        Exact::Neither(bound) => score.distance().is_none_or(|plies| plies > bound),
    };
    let depth = report.depth;
    if right {
        Ok(())
    } else {
        Err(format!("depth {depth} sure {sure} rank {} says {score}, exact {exact:?}", report.multipv))
    }
}

/// Checks that the line of a win or loss plays it out, with its exact length.
pub fn plays_out(position: &Game, report: &SearchInfo) -> Result<(), String> {
    let Some(plies) = report.verdict.score.distance() else { return Ok(()) };
    let winner = if report.verdict.score.is_win() { position.side() } else { !position.side() };
    let mut last = position.clone();
    for move_ in &report.pv {
        if !last.legal_moves().contains(move_) {
            return Err("illegal move in the line".to_owned());
        }
        last = last.after(move_);
    }
    let found = last.outcome().and_then(|outcome| outcome.winner());
    if report.pv.len() == plies as usize && found == Some(winner) {
        Ok(())
    } else {
        Err(format!(
            "depth {} says {}, line of {} plies ends with {:?}",
            report.depth,
            report.verdict.score,
            report.pv.len(),
            last.outcome()
        ))
    }
}

/// A variant with this attrition limit: with few Rebels the game is small.
pub fn with_attrition(id: &str, rebels_at_most: u8) -> Arc<Variant> {
    let variant = Variant::builtin(id).unwrap();
    let mut rules = variant.rule_set().clone();
    rules.rebels_at_most = Some(rebels_at_most);
    Arc::new(variant.with_words(rules).unwrap())
}

/// A game with another opening, as a file has it, or what is wrong with that.
pub fn with_opening(variant: &Variant, opening: &str) -> Result<Arc<Variant>, String> {
    let (id, title) = (variant.id().to_owned(), variant.heading.title.to_owned());
    let (names, source) = (variant.heading.names.clone(), variant.heading.source.to_owned());
    let heading = Heading { id, title, names, source, ..Heading::default() };
    let changed = Variant::new(heading, Arc::clone(variant.board()), variant.rule_set().clone(), opening);
    changed.map(Arc::new).map_err(|problems| format!("{problems:?}"))
}

/// The rows of a position text.
pub fn rows(variant: &Variant, general: Point, rebels: PointSet) -> String {
    let rows = variant.board().rows.iter().map(|row| {
        let mut text = String::new();
        let mut empty = 0;
        for &point in row {
            let letter = match () {
                () if point == general => 'G',
                () if rebels.contains(point) => 'r',
                () => {
                    empty += 1;
                    continue;
                }
            };
            if empty > 0 {
                text += &empty.to_string();
                empty = 0;
            }
            text.push(letter);
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        text
    });
    rows.collect::<Vec<_>>().join("/")
}

/// A random position with this number of Rebels that is not over, with random flags.
pub fn random_position(variant: &Arc<Variant>, rebels: usize, random: &mut Random) -> Game {
    let rules = variant.rule_set();
    loop {
        let mut field: Vec<Point> = variant.board().field.into_iter().collect();
        random.shuffle(&mut field);
        let set = field.iter().take(rebels).fold(PointSet::EMPTY, |set, point| set.with(*point));
        let everywhere: Vec<Point> = variant.board().all().into_iter().collect();
        let general = random.choose(&everywhere);
        if set.contains(general) {
            continue;
        }
        let side = if random.one_in(2) { 'g' } else { 'r' };
        let flags = match rules.free_jumps {
            0 => "-".to_owned(),
            most => random.below(usize::from(most) + 1).to_string(),
        };
        let text = format!("{} {side} {flags}", rows(variant, general, set));
        match Game::from_text(&text, Some(variant)) {
            Ok(position) if position.outcome().is_none() => return position,
            _ => {}
        }
    }
}

/// Solved positions, with every length of win and loss among them.
pub fn sample(solution: &Solution, count: usize, random: &mut Random) -> Vec<(Game, Exact)> {
    let mut by_value: BTreeMap<(u8, u32), (Exact, Vec<Position>)> = BTreeMap::new();
    for (position, value) in solution.positions() {
        let class = match value {
            Exact::Win(plies) => (0, plies),
            Exact::Loss(plies) => (1, plies),
            Exact::Neither(_) => (2, 0),
        };
        by_value.entry(class).or_insert_with(|| (value, Vec::new())).1.push(*position);
    }
    let each = count.div_ceil(by_value.len());
    let mut found = Vec::new();
    for (value, positions) in by_value.into_values() {
        for _ in 0..each.min(positions.len()) {
            found.push((solution.game(&random.choose(&positions)), value));
        }
    }
    found
}

/// Exact values of all positions with few Rebels, for the leaves of a search.
pub struct FewRebels {
    /// The variant.
    pub variant: Arc<Variant>,
    /// The values.
    pub solution: Arc<Solution>,
    /// The most Rebels of a position that it knows.
    pub most_rebels: u32,
}

impl fmt::Debug for FewRebels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at most {} Rebels", self.most_rebels)
    }
}

impl Prober for FewRebels {
    fn variant(&self) -> &Variant {
        &self.variant
    }

    fn most_rebels(&self) -> u32 {
        self.most_rebels
    }

    fn probe(&self, state: &Position) -> Option<Value> {
        assert!(state.rebels().len() <= self.most_rebels);
        Some(match self.solution.value_of_state(state)? {
            Exact::Win(plies) => Value::win_in(plies),
            Exact::Loss(plies) => Value::loss_in(plies),
            Exact::Neither(_) => Value::DRAW,
        })
    }
}
