//! Parts of drawings: strokes, boxes.

use std::collections::BTreeSet;

use privy_rules::board::Board;
use privy_rules::render::labels::crosses;
use privy_rules::render::shapes::{Canvas, Coord, number};
use privy_rules::render::text::{TextGrid, between};

#[test]
fn numbers_are_short() {
    assert_eq!([1.0, -0.01, 0.25, 12.34, -3.0].map(number), ["1", "0", "0.2", "12.3", "-3"]);
}

#[test]
fn text_is_escaped_and_elements_are_closed() {
    let mut canvas = Canvas::default();
    canvas.open("g", "id=\"a\"");
    canvas.words("text", "", "<King's> & \u{1}\"Co\"");
    let text = "<g id=\"a\">\n  <text>&lt;King&#39;s&gt; &amp;  &quot;Co&quot;</text>\n</g>\n";
    assert_eq!(canvas.finish(), text);
}

#[test]
fn strokes_lie_between_the_points() {
    assert_eq!(between((0, 0), (0, 4)), [(0, 1, '─'), (0, 2, '─'), (0, 3, '─')]);
    assert_eq!(between((2, 4), (0, 4)), [(1, 4, '│')]);
    assert_eq!(between((0, 0), (2, 4)), [(1, 2, '╲')]);
    assert_eq!(between((2, 4), (0, 6)), [(1, 5, '╱')]);
    assert_eq!(between((0, 0), (4, 4)).len(), 3);
}

#[test]
fn no_two_points_share_a_cell() {
    for id in Board::builtin_ids() {
        let board = Board::builtin(id).unwrap();
        let grid = TextGrid::new(&board);
        let cells: BTreeSet<_> = board.all().into_iter().map(|p| grid.cell(&board, p)).collect();
        assert_eq!(cells.len(), board.len(), "{id}");
    }
}

#[test]
fn a_segment_crosses_a_box_or_not() {
    let centre = Coord { x: 10.0, y: 10.0 };
    let crosses = |x1, y1, x2, y2| crosses(Coord { x: x1, y: y1 }, Coord { x: x2, y: y2 }, centre, [4.0, 2.0]);
    assert!(crosses(0.0, 10.0, 20.0, 10.0) && crosses(10.0, 0.0, 10.0, 20.0) && crosses(10.0, 10.0, 11.0, 10.5));
    assert!(!crosses(0.0, 13.0, 20.0, 13.0) && !crosses(0.0, 0.0, 5.0, 5.0) && !crosses(0.0, 10.0, 20.0, 20.0));
}
