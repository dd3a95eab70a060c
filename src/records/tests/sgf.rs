//! Games of half moves in SGF, read and written.

use std::sync::Arc;

use privy_records::half_moves::HalfMoves;
use privy_records::sgf::{sgf_records, sgf_text, write_sgf};
use privy_records::{GameResult, Record};
use privy_rules::*;

#[test]
fn games_come_back_as_they_were_written() {
    for id in Variant::all_ids() {
        let mut game = Variant::builtin(id).unwrap().start();
        for turn in 0..40 {
            let text = write_sgf(&Record::of(&game), None, &[]).unwrap();
            let [Ok(record)] = &sgf_records(&text, None, &Variant::builtin)[..] else { panic!("{text}") };
            assert_eq!((record.variant.as_str(), record.moves.len()), (id, turn.min(game.moves().len())));
            assert_eq!(record.replay(None).unwrap().to_string(), game.to_string(), "{text}");
            let moves = game.legal_moves();
            let entered = HalfMoves::of(&game, moves.clone());
            let moves: Vec<_> = moves.iter().filter(|move_| entered.points_of(move_).is_some()).collect();
            if moves.is_empty() {
                break;
            }
            game.play(moves[turn * 7 % moves.len()].clone());
        }
    }
}

#[test]
fn a_set_up_position_comes_back() {
    let game = Game::from_text("1/3/5/rrrrr/2G2/5/rrrrr r - 0 0 monk-and-water", None).unwrap();
    let text = write_sgf(&Record::of(&game), None, &[]).unwrap();
    let [Ok(record)] = &sgf_records(&text, None, &Variant::builtin)[..] else { panic!("{text}") };
    assert_eq!(record.opening, game.to_string());
}

#[test]
fn what_stones_do_not_show_comes_back() {
    for text in [
        // No free jump left.
        "5/1r1r1/2G3/1r1r1/5 g 0 7 12 kings-gonu",
        // The apex visited, counters, and a game that is over by the flag alone.
        "1/3/rrrrr/r3r/r1G1r/r3r/rrrrr r a 30 61 shap-luk-kon",
        // The stones of the opening, with counters.
        "1/3/rrrrr/r3r/r1G1r/r3r/rrrrr g - 3 4 sixteen-rebels",
    ] {
        let mut game = Game::from_text(text, None).unwrap();
        game.set_move_limit(Some(200));
        let written = write_sgf(&Record::of(&game), None, &[]).unwrap();
        let [Ok(record)] = &sgf_records(&written, None, &Variant::builtin)[..] else { panic!("{written}") };
        let read = record.replay(None).unwrap();
        assert_eq!((read.to_string(), read.move_limit()), (game.to_string(), Some(200)), "{written}");
        assert_eq!(read.outcome(), game.outcome());
        // Stones that another program has changed are not those of the text beside them.
        let at = written.find("AB[").unwrap();
        let other = format!("{}{}", &written[..at + 2], &written[at + 6..]);
        let error = sgf_records(&other, None, &Variant::builtin)[0].clone().unwrap_err().to_string();
        assert!(error.contains("FEN[") && error.contains("expected the stones of AB, AW and AE"), "{error}");
    }
}

#[test]
fn a_game_is_not_read_by_other_rules_of_the_same_name() {
    let text = "(;FF[4]SZ[7]RU[sixteen-rebels]FP[0123456789abcdef];W[ce])";
    let error = sgf_records(text, None, &Variant::builtin)[0].clone().unwrap_err().to_string();
    assert!(error.contains("FP[0123456789abcdef]: expected "), "{error}");
}

#[test]
fn a_board_of_more_than_26_rows_has_letters() {
    let lines: Vec<String> = (1..52).map(|row| format!("\"a{row}-a{}\"", row + 1)).collect();
    let board =
        format!("id = \"long\"\ntitle = \"Long\"\nfield = {{ files = 1, rows = 52 }}\nlines = [{}]", lines.join(", "));
    let folder = std::env::temp_dir().join(format!("privy-sgf-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("long.toml"), board).unwrap();
    let rows = format!("r/{}G", "1/".repeat(50));
    let text = format!("id = \"own\"\ntitle = \"\"\nboard = \"long.toml\"\nopening = \"{rows}\"\nfirst = \"rebels\"\n");
    let variant = Arc::new(Variant::from_toml(&text, Some(&folder)).unwrap());
    std::fs::remove_dir_all(folder).unwrap();
    let mut game = variant.start();
    let first = game.legal_moves()[0].clone();
    game.play(first);
    let written = write_sgf(&Record::of(&game), Some(&variant), &[]).unwrap();
    let [Ok(record)] = &sgf_records(&written, Some(&variant), &Variant::builtin)[..] else { panic!("{written}") };
    assert_eq!(record.replay(Some(&variant)).unwrap().to_string(), game.to_string());
}

/// Lists of points as rectangles, soft line breaks, simple text in several lines, names of older versions, a square of
/// two numbers, pieces that are set up in the course of the game, Latin-1.
#[test]
fn other_forms_of_sgf_are_read() {
    let opening = "(;FF[4]SZ[7:7]RU[monk-and-water]PW[Fr\\\néd\\\r\néric\nII]AE[aa:gg]AW[ce]AB[ag:eg][ad:ad]PL[B]";
    let [Ok(record)] = &sgf_records(&format!("{opening})"), None, &Variant::builtin)[..] else { panic!() };
    assert_eq!(record.general, "Frédéric II");
    assert_eq!(record.opening, "1/3/5/r4/2G2/5/rrrrr r - 0 0 monk-and-water");
    let [Ok(record)] = &sgf_records("(;SiZe[7]RUles[monk-and-water];Black[bc];Black[bd])", None, &Variant::builtin)[..]
    else {
        panic!()
    };
    assert_eq!(record.moves.len(), 1);
    let error = sgf_records(&format!("{opening};B[ad];B[ac]AB[aa])"), None, &Variant::builtin)[0]
        .clone()
        .unwrap_err()
        .to_string();
    assert!(error.contains("expected set-up stones before the first half move"), "{error}");
    let latin = |charset: &str| {
        let text = format!("(;FF[4]{charset}SZ[7]RU[monk-and-water]PW[Fr\u{e9}d\u{e9}ric])");
        sgf_text(text.chars().map(|letter| letter as u8).collect())
    };
    for charset in ["", "CA[ISO-8859-1]", "CA[latin1]"] {
        let [Ok(record)] = &sgf_records(&latin(charset).unwrap(), None, &Variant::builtin)[..] else { panic!() };
        assert_eq!(record.general, "Frédéric");
    }
    assert!(latin("CA[UTF-8]").unwrap_err().to_string().ends_with("found other bytes in line 1"));
    assert!(sgf_text(b"[General \"\xe9\"]".to_vec()).is_err());
}

/// As GoGui writes it: PL at every half move, nothing on the players, the variant or the result.
#[test]
fn a_game_of_gogui_is_one_of_the_given_variant() {
    let text = "(;FF[4]CA[UTF-8]AP[GoGui:1.6.0]SZ[7]\nKM[6.5]DT[2026-11-22]\n\
                ;B[bc]PL[B];B[bd]PL[W];W[cc]PL[W];W[cb]PL[B];B[bd]PL[B];B[cc]PL[W])\n";
    let given = Variant::builtin("monk-and-water");
    let [Ok(record)] = &sgf_records(text, given.as_ref(), &Variant::builtin)[..] else { panic!() };
    assert_eq!(
        (record.variant.as_str(), record.result, record.date.as_str()),
        ("monk-and-water", GameResult::Rebels, "2026.11.22")
    );
    assert_eq!(record.replay(None).unwrap().outcome().unwrap().to_string(), "rebels win: privy closed");
}

#[test]
fn faults_are_named_with_their_line() {
    for (text, fault) in [
        ("(;SZ[7]", "line 1: SGF: expected ) at the end of the game"),
        ("(;SZ[7]\nC[never", "line 2: SGF: expected ] at the end of the value"),
        ("(;SZ 7)", "line 1: SGF: expected a value in brackets after the property"),
        ("(;SZ[7]RU[sixteen-rebels])\n x", "line 2: SGF: expected a game tree, which begins with ("),
        ("(;SZ[19]RU[kings-gonu])", "line 1: SGF: SZ[19]: expected 6, the square of kings-gonu"),
        ("\n(;SZ[7];W[ce])", "line 2: SGF: expected the id of a variant in RU, or --variant"),
        ("(;SZ[7]RU[sixteen-rebels];W[ce];B[];W[aa])", "line 1: SGF: half move 3: aa: expected a point of the board"),
        ("(;SZ[7]RU[sixteen-rebels];W[ce];W[cc])", "line 1: SGF: half move 2: c5: not legal for the General in"),
    ] {
        let errors: Vec<String> = sgf_records(text, None, &Variant::builtin)
            .into_iter()
            .filter_map(|record| Some(record.err()?.to_string()))
            .collect();
        assert!(errors.len() == 1 && errors[0].to_lowercase().starts_with(&fault.to_lowercase()), "{text}: {errors:?}");
    }
    assert!(sgf_records(&"(;".repeat(200_000), None, &Variant::builtin)[0].is_err());
}

#[test]
fn the_first_variation_is_the_game_and_the_comment_names_the_variant() {
    let text = "(;FF[4]SZ[7]C[Black command: privy gogui --variant shap-luk-kon\nWhite: [\\]\\\\]\n\
                ;W[ce]C[from](;B[];W[cd]C[to]TE[2](;B[tt]C[passed])(;B[ad]))(;W[bd]DO[]))";
    let [Ok(record)] = &sgf_records(text, None, &Variant::builtin)[..] else { panic!() };
    assert_eq!(record.variant, "shap-luk-kon");
    assert!(record.comment.starts_with("Black command"));
    // The other half moves of a move that has begun are another move, and one that is not complete is none.
    let shown = "1. c3-c4!!\n{from\\nto\\npassed} (1. c3-b4?!) *\n";
    assert!(record.to_string().ends_with(shown), "{record}");
}

/// The line that another program left incomplete is that of its first variation; what no line has is an error.
#[test]
fn variations_are_games_by_the_rules() {
    let read = |moves: &str| {
        let text = format!("(;FF[4]SZ[7]RU[sixteen-rebels]{moves})");
        sgf_records(&text, None, &Variant::builtin).remove(0).map_err(|error| error.to_string())
    };
    let moves = |text: &str| read(text).unwrap().to_string().rsplit_once("\n\n").unwrap().1.to_owned();
    assert_eq!(moves(";W[ce](;B[])(;W[cd]C[x])(;W[bd])"), "1. c3-c4 {x} (1. c3-b4) *\n");
    let within = "(;W[ce];W[cd])(;W[ce];W[bd](;B[dc];B[dd])(;B[dc];B[cc]))";
    assert_eq!(moves(within), "1. c3-c4 (1. c3-b4 2. d5-d4 (2. d5-c5)) *\n");
    let error = read(";W[ce];W[cd](;B[dc];B[dd])(;B[dc];B[aa])").unwrap_err();
    assert_eq!(error, "line 1: SGF: half move 4: aa: expected a point of the board");
    for (wrong, reason) in [
        (";W[ce]MOVE[c3-c9]", "MOVE[c3-c9]: "),
        ("(;W[ce];W[cd])(;AB[ad];W[ce])", "expected set-up stones before the first half move and its variations"),
    ] {
        let error = read(wrong).map(|record| record.to_string()).unwrap_err();
        assert!(error.contains(reason), "{wrong}: {error}");
    }
}
