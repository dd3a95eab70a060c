//! Random games on random small boards, as files: all rule words, and most often those about hands and about a side
//! that has no move.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::RangeInclusive;

use crate::random::Random;

/// The files of a game: `game` names `board.toml` as its board. Half of them are refused, for words that contradict
/// each other.
#[derive(Debug, Clone)]
pub struct GameFiles {
    /// The text of the board file.
    pub board: String,
    /// The text of the variant file.
    pub game: String,
}

/// A board while it is drawn.
struct RandomVariant {
    /// By place on the grid: file and row of the name.
    names: BTreeMap<(usize, usize), (usize, usize)>,
    /// The places, those of the privy last.
    places: Vec<(usize, usize)>,
    privy: usize,
    /// The last file, where the game is its own mirror image.
    mirror: Option<usize>,
}

/// The mirror image of a place.
fn image((x, y): (usize, usize), mirror: Option<usize>) -> (usize, usize) {
    (mirror.map_or(x, |last| last - x), y)
}

impl RandomVariant {
    fn random(points: usize, random: &mut Random) -> RandomVariant {
        let width = 2 + random.below(3);
        let height = points.div_ceil(width) + random.below(2);
        let mut grid: Vec<(usize, usize)> = (0..width).flat_map(|x| (0..height).map(move |y| (x, y))).collect();
        random.shuffle(&mut grid);
        let mirror = random.one_in(2).then_some(width - 1);
        let is_own = |place: &(usize, usize)| image(*place, mirror) == *place;
        let mut places = Vec::new();
        for place in grid {
            if !places.contains(&place) && places.len() + usize::from(!is_own(&place)) < points {
                places.push(place);
                places.extend(Some(image(place, mirror)).filter(|image| *image != place));
            }
        }
        // Those of the privy are their own images.
        places.sort_by_key(is_own);
        let most_privy = places.iter().filter(|place| is_own(place)).count().min(places.len() - 2);
        // The names of some boards do not follow the coordinates, so that neither does the order of their points.
        let (mut files, mut rows): (Vec<usize>, Vec<usize>) = ((0..width).collect(), (0..height).collect());
        if random.one_in(2) {
            random.shuffle(&mut files);
            random.shuffle(&mut rows);
        }
        let names = places.iter().map(|(x, y)| ((*x, *y), (files[*x], rows[*y]))).collect();
        let privy = if random.one_in(2) { random.below(4).min(most_privy) } else { 0 };
        RandomVariant { names, places, privy, mirror }
    }

    fn name(&self, place: (usize, usize)) -> String {
        let (file, row) = self.names[&place];
        format!("{}{}", (b'a' + file as u8) as char, row + 1)
    }

    fn some_names(&self, random: &mut Random) -> Vec<String> {
        let some = (0..=random.below(3)).map(|_| random.choose(&self.places));
        some.flat_map(|place| [place, image(place, self.mirror)]).map(|place| self.name(place)).collect()
    }

    /// Lines along rows, files and diagonals, some of them cut in two or left out.
    fn lines(&self, random: &mut Random) -> Vec<String> {
        let mut along: BTreeMap<(usize, usize), Vec<(usize, usize)>> = BTreeMap::new();
        for &(x, y) in self.names.keys() {
            for (direction, line) in [y, x, x + y, 99 + x - y].into_iter().enumerate() {
                along.entry((direction, line)).or_default().push((x, y));
            }
        }
        let mut lines = BTreeSet::new();
        for places in along.into_values().filter(|places| places.len() > 1) {
            if random.one_in(4) {
                continue;
            }
            let middle = if random.one_in(4) { random.below(places.len()) } else { 0 };
            for part in [&places[..=middle], &places[middle..]].into_iter().filter(|part| part.len() > 1) {
                let mut images: Vec<_> = part.iter().map(|place| image(*place, self.mirror)).collect();
                images.sort_unstable();
                lines.extend([part.to_vec(), images]);
            }
        }
        let text = |places: Vec<_>| places.into_iter().map(|place| self.name(place)).collect::<Vec<_>>().join("-");
        lines.into_iter().map(text).collect()
    }

    fn file(&self, random: &mut Random) -> String {
        let mut text = format!("id = \"board\"\ntitle = \"Random\"\nlines = {:?}\n", self.lines(random));
        if random.one_in(4) {
            let ends = [random.choose(&self.places), random.choose(&self.places)];
            let edges = [ends, ends.map(|place| image(place, self.mirror))];
            let edges = edges.map(|ends| ends.map(|place| self.name(place)).join("-"));
            let _ = writeln!(text, "edges = {edges:?}");
        }
        let (field, privy) = self.places.split_at(self.places.len() - self.privy);
        if !privy.is_empty() {
            let _ = writeln!(text, "apex = [\"{}\"]", self.name(random.choose(privy)));
        }
        for (table, places) in
            [("points", field), ("privy", privy)].into_iter().filter(|(_, places)| !places.is_empty())
        {
            let _ = writeln!(text, "[{table}]");
            for place in places {
                let _ = writeln!(text, "{} = [{}, {}]", self.name(*place), place.0 + 1, place.1 + 1);
            }
        }
        text
    }

    /// The rows of an opening, with some of the pieces in hand.
    fn opening(&self, hand: (bool, usize), rebels: usize, random: &mut Random) -> String {
        let field = &self.places[..self.places.len() - self.privy];
        let general = Some(random.choose(&self.places)).filter(|_| !hand.0);
        let mut open: Vec<_> = field.iter().filter(|place| Some(**place) != general).copied().collect();
        random.shuffle(&mut open);
        open.truncate(rebels);
        let mut rows: BTreeMap<usize, BTreeMap<usize, char>> = BTreeMap::new();
        for place in &self.places {
            let (file, row) = self.names[place];
            let sign = if Some(*place) == general {
                'G'
            } else if open.contains(place) {
                'r'
            } else {
                '1'
            };
            rows.entry(row).or_default().insert(file, sign);
        }
        let rows: Vec<String> = rows.into_values().rev().map(|row| row.into_values().collect()).collect();
        let in_hand = match hand {
            (false, 0) => String::new(),
            (true, 0) => "[G]".to_owned(),
            (general, rebels) => format!("[{}r{rebels}]", if general { "G" } else { "" }),
        };
        rows.join("/") + &in_hand
    }
}

/// A random game on a board of this number of points.
pub fn random_game(points: RangeInclusive<usize>, random: &mut Random) -> GameFiles {
    let points = points.start() + random.below(points.end() - points.start() + 1);
    let draft = RandomVariant::random(points, random);
    let rebels = 1 + random.below(5.min(points - 1));
    let in_hand = if random.one_in(3) { 0 } else { 1 + random.below(rebels) };
    let is_general_in_hand = random.one_in(4);
    let opening = draft.opening((is_general_in_hand, in_hand), rebels - in_hand, random);
    let mut game = format!("id = \"random\"\ntitle = \"Random\"\nboard = \"board.toml\"\nopening = \"{opening}\"\n");
    let mut add = |word: &str| {
        game.push_str(word);
        game.push('\n');
    };
    add(&format!("first = \"{}\"", random.choose(&["general", "rebels"])));
    let no_move = [(); 2].map(|()| random.choose(&["loss", "draw", "win", "pass", "pass"]));
    add(&format!("no_move = {{ general = \"{}\", rebels = \"{}\" }}", no_move[0], no_move[1]));
    let jump = random.choose(&["none", "none", "single", "multi", "free"]);
    let pairs = random.one_in(2);
    if pairs {
        add("intervention = true");
    }
    if jump != "none" {
        add(&format!("jump = \"{jump}\""));
    }
    if random.one_in(2) {
        add(&format!("rebels_at_most = {}", random.below(rebels)));
    }
    for (one_in, words) in [
        (5, [Some("slide = true")].as_slice()),
        (6, &[Some("free_jumps = 1"), Some("free_jumps = 2")]),
        (6, &[Some("leap = \"any\""), Some("leap = \"diagonal\"")]),
        (5, &[Some("deferred = true")]),
        (6, &[Some("static = \"surrounded\""), Some("static = \"any\"")]),
        (4, &[Some("compulsory = true").filter(|_| pairs || jump != "none")]),
        (6, &[Some("orthogonal = true").filter(|_| pairs)]),
        (6, &[Some("jump_lines = \"diagonal\"").filter(|_| jump != "none")]),
        (8, &[Some("jump_rows = \"odd\"").filter(|_| jump != "none")]),
        (4, &[Some("forward = true"), Some("forward = \"only\""), Some("forward = \"straight\"")]),
        (8, &[Some("orthogonal_steps = \"general\""), Some("orthogonal_steps = \"rebels\"")]),
        (16, &[Some("orthogonal_steps = \"both\"")]),
        (3, &[Some("enter_privy = true").filter(|_| draft.privy > 0)]),
        (4, &[Some("custodial = true")]),
        (3, &[Some("close_privy = true").filter(|_| draft.privy > 0)]),
        (
            3,
            &[Some("apex = \"general\""), Some("apex = \"rebels\""), Some("apex = \"return\"")]
                .map(|word| word.filter(|_| draft.privy > 0)),
        ),
        (8, &[Some("bottom = \"general\"")]),
        (8, &[Some("past_rebels = true")]),
        (8, &[Some("repetition = \"general\""), Some("repetition = \"rebels\"")]),
        (30, &[Some("move_limit = { plies = 8 }")]),
        (3, &[Some("general_waits = true").filter(|_| in_hand > 0)]),
    ] {
        if let Some(word) = Some(random.choose(words)).flatten().filter(|_| random.one_in(one_in)) {
            add(word);
        }
    }
    let goal = draft.some_names(random);
    if random.one_in(5) {
        add(&format!("goal = {goal:?}"));
        if random.one_in(2) {
            add("goal_on_return = true");
        }
    }
    for (one_in, key) in [
        (6, "rebels_goal"),
        (6, "general_loses_on"),
        (6, "rebels_never_on"),
        (if in_hand > 0 { 2 } else { 99 }, "rebels_drop_on"),
        (if is_general_in_hand { 2 } else { 99 }, "general_drops_on"),
    ] {
        let names = draft.some_names(random);
        if random.one_in(one_in) {
            add(&format!("{key} = {names:?}"));
        }
    }
    GameFiles { board: draft.file(random), game }
}
