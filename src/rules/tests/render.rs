//! Golden drawings, and properties of the drawings of any position.

use proptest::prelude::*;

use privy_rules::board::Board;
use privy_rules::render::text::{TextGrid, board_lines};
use privy_rules::render::*;
use privy_rules::*;

/// A game from a variant's opening or from a position text, and the moves played there.
fn game(start: &str, moves: &str) -> Game {
    let position = Variant::builtin(start).map(|v| v.start());
    let mut game = position.unwrap_or_else(|| Game::from_text(start, None).unwrap());
    for text in moves.split_whitespace() {
        game.play(game.parse_move(None, text).unwrap());
    }
    game
}

/// A file of `golden/` is a drawing as it should be, and is changed by hand.
#[test]
fn drawings_are_those_kept_in_files() {
    let chain = "1/3/2rr1/rrr1r/r4/2r2/2Gr1/2r1r/1r3/r1r1r/1r1r1 g - 3 56 yeung-luk";
    let free = "rrrrr/2r2/rG1r2/r1r1r/rrrrr g 1 1 6 kings-gonu";
    let returned = "1/G2/2r2/rr1r1/5/5/5 g a 7 30 shap-luk-kon";
    use Charset::{Ascii, Unicode};
    let table = [
        ("privy", Unicode, "sixteen-rebels", "c3-b2", include_str!("golden/privy.txt")),
        ("privy-ascii", Ascii, "sixteen-rebels", "c3-b2", include_str!("golden/privy-ascii.txt")),
        ("privy-return", Unicode, returned, "b6-b5", include_str!("golden/privy-return.txt")),
        ("privy-open", Unicode, "shap-luk-kon-2", "", include_str!("golden/privy-open.txt")),
        ("cloister", Unicode, "monk-and-water", "c1-c2", include_str!("golden/cloister.txt")),
        ("triangle", Unicode, "juroku-musashi", "c3-b2", include_str!("golden/triangle.txt")),
        ("triangle-crossed", Unicode, "juroku-musashi-hasami", "", include_str!("golden/triangle-crossed.txt")),
        ("nanking-chain", Unicode, chain, "c5xc3xa3xa1xc1xe1xe3xe5xc5xc7", include_str!("golden/nanking-chain.txt")),
        ("nanking-static", Ascii, "subjugatio", "c5:b5d5", include_str!("golden/nanking-static.txt")),
        ("gonu", Unicode, free, "b3~d2", include_str!("golden/gonu.txt")),
    ];
    let mut wrong = String::new();
    for (name, charset, start, moves, kept) in table {
        let drawn = text(&game(start, moves), charset);
        if drawn != kept.trim_end_matches('\n') {
            wrong += &format!("golden/{name}.txt:\n{drawn}\n");
        }
    }
    assert!(wrong.is_empty(), "these drawings are not as kept:\n{wrong}");
}

/// A board with points where no built-in board has any: at thirds, across a wide gap, below, beside.
fn odd_board() -> Game {
    let folder = std::env::temp_dir().join(format!("privy-draw-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let board = r#"
        id = "odd"
        title = "Odd"
        field = { files = 3, rows = 2 }
        apex = ["w9"]
        lines = ["a1-b1-c1", "a2-b2-c2", "a1-a2", "b1-b2", "c1-c2", "a1-b2", "a2-b1", "c2-d2", "d2-w9", "c1-e3"]
        [privy]
        d2 = [3.33, 2]
        w9 = [12, -4.5]
        e3 = [4, 1.7]
    "#;
    std::fs::write(folder.join("odd.toml"), board).unwrap();
    let variant = r#"
        id = "odd"
        title = " Two\nlines <&> \u0007"
        board = "odd.toml"
        opening = "1/1/rrr1/rG1"
        first = "general"
    "#;
    let variant = Variant::from_toml(variant, Some(&folder)).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    std::sync::Arc::new(variant).start()
}

/// Two parts of the privy; that of the left goes round b2, which is no exit.
#[test]
fn the_ground_of_the_privy_is_not_under_other_points() {
    let folder = std::env::temp_dir().join(format!("privy-ground-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let board = r#"
        id = "round"
        title = "Round"
        field = { files = 3, rows = 3, from = "b1" }
        lines = ["a3-b3-c3-d3-e3", "b2-c2-d2", "a1-b1-c1-d1", "a1-a3", "b1-b2-b3", "c1-c2-c3", "d1-d2-d3"]
        [privy]
        a1 = [1, 1]
        a3 = [1, 3]
        e3 = [5, 3]
    "#;
    std::fs::write(folder.join("round.toml"), board).unwrap();
    let rules =
        "id = \"round\"\ntitle = \"Round\"\nboard = \"round.toml\"\nopening = \"1rrr1/1G1/1rrr\"\nfirst = \"general\"";
    let variant = std::sync::Arc::new(Variant::from_toml(rules, Some(&folder)).unwrap());
    std::fs::remove_dir_all(&folder).unwrap();
    let picture = svg(&variant.start(), &SvgOptions::default());
    let (_, ground) = picture.split_once("class=\"privy\"").unwrap();
    let (ground, _) = ground.split_once("</g>").unwrap();
    assert_eq!(ground.matches("<line ").count(), 4, "{ground}");
    assert!(ground.contains("x1=\"400\" y1=\"-300\" x2=\"500\" y2=\"-300\""), "{ground}");
}

#[test]
fn a_users_board_is_drawn_like_the_others() {
    let game = odd_board();
    let drawn = text(&game, Charset::Unicode);
    let kept = include_str!("golden/odd.txt").trim_end_matches('\n');
    assert!(drawn == kept, "golden/odd.txt:\n{drawn}");
    check(&game);
}

#[test]
fn the_outcome_may_depend_on_the_history() {
    let mut game = game(DEFAULT_VARIANT, "c3-c4");
    game.set_move_limit(Some(1));
    assert_eq!(game.outcome(), Some(Outcome::MoveLimit(None)));
    assert!(text(&game, Charset::Unicode).contains("\ndraw: move limit, ply 1, "));
    assert!(text(&game.without_history(), Charset::Unicode).ends_with("\nrebels to move, ply 1, 16 rebels"));
}

#[test]
fn options_choose_labels_and_size() {
    let game = game(DEFAULT_VARIANT, "c3-b2");
    let drawn = |options: SvgOptions| {
        let picture = svg(&game, &options);
        balanced(&picture);
        picture
    };
    let bare = SvgOptions { labels: Labels::None, ..SvgOptions::default() };
    assert_eq!(drawn(bare.clone()).matches("<text").count(), 0);
    assert_eq!(svg(&game.without_history(), &bare).matches("class=\"last-move\"").count(), 0);
    let names = SvgOptions { labels: Labels::Points, ..bare.clone() };
    assert_eq!(drawn(names).matches("<text").count(), 29);
    let edges = SvgOptions { labels: Labels::Edges, ..bare.clone() };
    assert_eq!(drawn(edges).matches("<text").count(), 5 + 5 + 4);
    for (size, expected) in [(0, "height=\"64\""), (700, "height=\"700\""), (u32::MAX, "height=\"8192\"")] {
        assert!(drawn(SvgOptions { size_px: size, ..bare.clone() }).contains(expected));
    }
}

#[test]
fn a_chain_has_an_arrow_for_each_jump() {
    let chain = "1/3/2rr1/rrr1r/r4/2r2/2Gr1/2r1r/1r3/r1r1r/1r1r1 g - 3 56 yeung-luk";
    let game = game(chain, "c5xc3xa3xa1xc1xe1xe3xe5xc5xc7");
    assert!(text(&game, Charset::Unicode).contains(" takes b1 d1 a2 e2 b3 c4 e4 d5 c6"));
    assert_eq!(svg(&game, &SvgOptions::default()).matches("class=\"way\"").count(), 9);
}

/// Every tag is closed in its turn, there is one root, and no raw `&` or `<` stands in text.
fn balanced(xml: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut roots = 0;
    let mut rest = xml;
    while let Some(start) = rest.find('<') {
        let before = &rest[..start];
        assert!(!open.is_empty() || before.trim().is_empty(), "text outside the root: {before}");
        assert!(!before.contains('>'), "stray > in {before}");
        for entity in before.split('&').skip(1) {
            assert!(["amp;", "lt;", "gt;", "quot;", "#39;"].iter().any(|e| entity.starts_with(e)), "&{entity}");
        }
        let end = start + rest[start..].find('>').unwrap();
        let tag = &rest[start + 1..end];
        assert_eq!(tag.matches('"').count() % 2, 0, "quotes in {tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else {
            roots += usize::from(open.is_empty());
            if !tag.ends_with('/') {
                open.push(tag.split(' ').next().unwrap());
            }
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty() && roots == 1 && rest.trim().is_empty(), "{open:?} {roots} {rest}");
}

/// Properties of every drawing.
fn check(game: &Game) {
    let (position, board, variant) = (game.position(), game.board(), game.variant());
    let rebels = position.rebels().len() as usize;
    let last = LastMove::of(game);
    for (charset, rebel) in [(Charset::Unicode, '●'), (Charset::Ascii, 'r')] {
        let drawn = text(game, charset);
        assert!(drawn.split('\n').all(|line| !line.is_empty() && !line.ends_with(' ')), "{drawn}");
        assert!(drawn.chars().all(|c| c == '\n' || !c.is_control()), "{drawn}");
        assert!(charset == Charset::Unicode || drawn.is_ascii() || !variant.heading.title.is_ascii(), "{drawn}");
        let mut lines = board_lines(board, Some(game), charset);
        assert_eq!(lines.len(), TextGrid::new(board).line_count() + 1);
        // The line of file letters may hold an r; names at the right are letters with digits.
        lines.pop();
        let rows = lines.iter().map(|line| line.split("  ").filter(|part| !is_names(part)).collect::<String>());
        let all: String = rows.collect();
        assert_eq!(all.matches(rebel).count(), rebels, "{drawn}");
        assert_eq!(all.matches('G').count(), usize::from(board.has(position.general())), "{drawn}");
        let empty = if charset == Charset::Unicode { '·' } else { '+' };
        let left = if charset == Charset::Unicode { '○' } else { 'o' };
        let taken = if charset == Charset::Unicode { '×' } else { 'x' };
        let points = [rebel, 'G', empty, left, taken].map(|mark| all.matches(mark).count()).iter().sum::<usize>();
        assert_eq!(points, board.len(), "{drawn}");
        assert_eq!(all.matches('[').count() + all.matches(']').count(), if last.is_some() { 2 } else { 0 }, "{drawn}");
        if let Some(last) = &last {
            assert_eq!(all.matches(taken).count() as u32, last.captured.without(last.to).len(), "{drawn}");
        }
    }
    let options = SvgOptions { labels: Labels::Points, ..SvgOptions::default() };
    let picture = svg(game, &options);
    balanced(&picture);
    assert_eq!(picture, svg(game, &options));
    let count = |text: &str| picture.matches(text).count();
    assert_eq!(count("class=\"rebel\""), rebels);
    assert_eq!(count("class=\"general\""), 1, "on the board or in hand");
    assert_eq!(count("class=\"point"), board.len() + 1, "each point, and their group");
    assert_eq!(count("class=\"point exit\""), variant.marked_exits().len() as usize);
    assert_eq!(count("class=\"apex\""), variant.marked_goal().len() as usize);
    assert_eq!(count("class=\"privy\""), usize::from(!variant.marked_privy().is_empty()));
    let lines = picture.split("class=\"lines\"").nth(1).unwrap().split("</g>").next().unwrap();
    assert_eq!(lines.matches("<line ").count(), board.lines.len());
    assert_eq!(count("class=\"taken\""), last.as_ref().map_or(0, |last| last.captured.len() as usize));
    assert_eq!(count("class=\"head\""), last.as_ref().map_or(0, |last| last.way.len() - 1));
    assert_eq!(count("class=\"left\""), last.as_ref().map_or(0, |last| last.left().len() as usize));
}

fn is_names(part: &str) -> bool {
    !part.trim().is_empty() && part.split_whitespace().all(|word| word.parse::<privy_rules::board::PointName>().is_ok())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// Random games of every variant, each position drawn with the move that led to it.
    #[test]
    fn every_position_is_drawn_whole(choices in proptest::collection::vec(any::<u32>(), 0..60)) {
        for id in Variant::all_ids() {
            let mut game = Variant::builtin(id).unwrap().start();
            for choice in &choices {
                let mut moves = game.legal_moves();
                if moves.is_empty() {
                    break;
                }
                // Half of the time the move with most captures, since chains and pairs are rare otherwise.
                moves.sort_by_key(|m| (m.action().captured.len(), m.action().kind == MoveKind::FreeJump));
                let index = if choice % 2 == 0 { moves.len() - 1 } else { *choice as usize / 2 % moves.len() };
                game.play(moves.swap_remove(index));
            }
            check(&game);
            check(&game.without_history());
        }
    }
}

/// Every label of a picture: its words, and the box round it by its place and size.
fn labels(picture: &str) -> Vec<(String, [f64; 4])> {
    let value = |tag: &str, key: &str| -> f64 {
        let rest = tag.split_once(&format!(" {key}=\"")).unwrap().1;
        rest.split('"').next().unwrap().parse().unwrap()
    };
    let label = |tag: &str| {
        let words = tag.split_once('>').unwrap().1.split('<').next().unwrap().to_owned();
        let (x, y, size) = (value(tag, "x"), value(tag, "y"), value(tag, "font-size"));
        let (wide, high) = (0.29 * size * words.len() as f64, 0.37 * size);
        (words, [x - wide, y - 0.35 * size - high, x + wide, y - 0.35 * size + high])
    };
    picture.split("<text").skip(1).map(label).collect()
}

/// The legs of the lines and curves of a picture, and the circles of its pieces: middle and radius.
fn lines_and_pieces(picture: &str) -> (Vec<[f64; 4]>, Vec<[f64; 3]>) {
    let value = |tag: &str, key: &str| -> f64 {
        tag.split_once(&format!(" {key}=\"")).unwrap().1.split('"').next().unwrap().parse().unwrap()
    };
    let of = |class: &str| {
        let group = picture.split_once(&format!("<g class=\"{class}\"")).map_or("", |(_, rest)| rest);
        group.split_once("\n  </g>").map_or("", |(group, _)| group)
    };
    let lines = of("lines");
    let mut legs: Vec<[f64; 4]> =
        lines.split("<line").skip(1).map(|tag| ["x1", "y1", "x2", "y2"].map(|key| value(tag, key))).collect();
    for curve in lines.split("<polyline").skip(1) {
        let places = curve.split_once("points=\"").unwrap().1.split('"').next().unwrap();
        let places: Vec<[f64; 2]> = places
            .split(' ')
            .map(|place| place.split_once(',').map(|(x, y)| [x, y].map(|text| text.parse().unwrap())).unwrap())
            .collect();
        legs.extend(places.windows(2).map(|leg| [leg[0][0], leg[0][1], leg[1][0], leg[1][1]]));
    }
    let pieces = of("pieces").split("<circle").skip(1).filter(|tag| tag.contains("url("));
    (legs, pieces.map(|tag| ["cx", "cy", "r"].map(|key| value(tag, key))).collect())
}

/// What lies under a label, if anything: a line, each stood for by points along it, a piece, or another label.
fn under_a_label(picture: &str, labels: &[(String, [f64; 4])]) -> Option<String> {
    let (legs, pieces) = lines_and_pieces(picture);
    assert!(!legs.is_empty(), "{picture}");
    let on_a_line = legs.iter().flat_map(|[x1, y1, x2, y2]| {
        let part = |at: u32| f64::from(at) / 200.0;
        (0..=200).map(move |at| (x1 + (x2 - x1) * part(at), y1 + (y2 - y1) * part(at)))
    });
    for (x, y) in on_a_line {
        let is_in = |[left, top, right, end]: [f64; 4]| left < x && x < right && top < y && y < end;
        if let Some((words, _)) = labels.iter().find(|(_, label)| is_in(*label)) {
            return Some(format!("a line under {words}"));
        }
    }
    for (at, (words, one)) in labels.iter().enumerate() {
        let [left, top, right, end] = *one;
        let is_under = |[x, y, radius]: &[f64; 3]| {
            let (aside, above) = (x - x.clamp(left, right), y - y.clamp(top, end));
            aside.hypot(above) < *radius
        };
        if pieces.iter().any(is_under) {
            return Some(format!("a piece under {words}"));
        }
        let over =
            |(_, other): &&(String, [f64; 4])| left < other[2] && other[0] < right && top < other[3] && other[1] < end;
        if let Some((other, _)) = labels[at + 1..].iter().find(over) {
            return Some(format!("{other} under {words}"));
        }
    }
    None
}

/// The words of the labels with a line that leads to them.
fn with_lines(picture: &str) -> Vec<String> {
    let group = picture.split_once("<g class=\"labels\"").map_or("", |(_, rest)| rest.split_once("</g>").unwrap().0);
    let labels = group.split("<line").skip(1).map(|rest| rest.split("<text").nth(1).unwrap());
    labels.map(|label| label.split_once('>').unwrap().1.split('<').next().unwrap().to_owned()).collect()
}

/// A name without a line that stands nearer to another point than to its own, if there is one.
fn nearer_to_another(board: &Board, labels: &[(String, [f64; 4])], led: &[String]) -> Option<String> {
    let places = board.all().into_iter().map(|point| {
        let spot = board.spot(point);
        (board.name(point).to_string(), [f64::from(spot.x), -f64::from(spot.y)])
    });
    let places: Vec<(String, [f64; 2])> = places.collect();
    let names = labels.iter().filter(|(words, _)| !led.contains(words));
    names.into_iter().find_map(|(words, [left, top, right, end])| {
        let distance = |[x, y]: [f64; 2]| (x - x.clamp(*left, *right)).hypot(y - y.clamp(*top, *end));
        let (_, own) = places.iter().find(|(name, _)| name == words)?;
        let (other, _) = places.iter().find(|(name, place)| name != words && distance(*place) <= distance(*own))?;
        Some(format!("{words} beside {other}"))
    })
}

/// All games: the built-in ones, and those of `tests/hunts`.
fn all_games() -> Vec<Game> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hunts");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_game = |path: &std::path::PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap();
        name.ends_with(".toml") && !name.ends_with("-board.toml")
    };
    let files = files.filter(is_game).map(|path| std::sync::Arc::new(Variant::from_file(&path).unwrap()));
    Variant::all_ids().map(|id| Variant::builtin(id).unwrap()).chain(files).map(|variant| variant.start()).collect()
}

/// In pictures of 480 pixels, of the board alone and of the opening, and on boards that programs draw by themselves.
#[test]
fn labels_are_clear_of_lines_pieces_and_each_other_in_every_game() {
    let games = all_games();
    assert!(games.len() > 70, "{}", games.len());
    for game in &games {
        let id = game.variant().id();
        for kind in [Labels::Edges, Labels::Points] {
            let options = SvgOptions { labels: kind, size_px: 480 };
            for picture in [board_svg(game.board(), &options), svg(game, &options)] {
                let hand = picture.find("class=\"in-hand\"").unwrap_or(picture.len());
                let placed = labels(&picture[..hand]);
                assert_eq!(under_a_label(&picture, &placed), None, "{id}, {kind:?}");
                assert_eq!(nearer_to_another(game.board(), &placed, &with_lines(&picture)), None, "{id}, {kind:?}");
            }
        }
        let own = board_labels(game.board());
        let boxes = own.iter().map(|BoardLabel { words, centre: Coord { x, y }, size, .. }| {
            let (wide, high) = (0.29 * size * words.len() as f64, 0.37 * size);
            (words.clone(), [x - wide, y - high, x + wide, y + high])
        });
        let boxes: Vec<_> = boxes.collect();
        let picture = svg(game, &SvgOptions::default());
        assert_eq!(under_a_label(&picture, &boxes), None, "{id}, of a program");
        let led = own.iter().filter(|label| label.line.is_some()).map(|label| label.words.clone());
        assert_eq!(nearer_to_another(game.board(), &boxes, &led.collect::<Vec<_>>()), None, "{id}, of a program");
    }
}
