//! The drawn text of typical states.

use crate::{Viewer, chains};
use gdl_parse::GroundTerm;

fn facts(text: &str) -> Vec<GroundTerm> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.map(|line| line.parse().expect("a term")).collect()
}

/// `(cell x y thing)` for every letter of `rows`, the top row first.
fn board(rows: &[&str], thing: impl Fn(usize, usize, char) -> Option<String>) -> Vec<GroundTerm> {
    let mut all = String::new();
    for (y, row) in rows.iter().rev().enumerate() {
        for (x, c) in row.chars().enumerate() {
            all += &thing(x + 1, y + 1, c).unwrap_or_default();
            all.push('\n');
        }
    }
    facts(&all)
}

#[test]
fn a_board_with_blanks() {
    let cell = |x, y, c| {
        let thing = match c {
            'x' => "cross",
            'o' => "nought",
            _ => "blank",
        };
        Some(format!("(cell {x} {y} {thing})"))
    };
    let first = board(&["   ", "   ", "   "], cell);
    let mut later = board(&["x  ", " xo", "   "], cell);
    later.extend(facts("(control nought)\n(step 4)"));
    let viewer = Viewer::new(&[], &[first, later.clone()]);
    insta::assert_snapshot!(viewer.draw(&later), @r"
    3  c . .
    2  . c n
    1  . . .
       1 2 3
    c cross, n nought
    control nought
    step 4
    ");
}

#[test]
fn scrambled_names_and_arguments_make_no_difference() {
    let cell = |x, y, c| (c != ' ').then(|| format!("(zork {c}rpl {y} {x})"));
    let state = board(&["bb", "  ", "ww"], cell);
    let viewer = Viewer::new(&[], std::slice::from_ref(&state));
    insta::assert_snapshot!(viewer.draw(&state), @r"
    2  w . b
    1  w . b
       1 2 3
    b brpl, w wrpl
    ");
}

#[test]
fn letters_that_the_rules_string_together() {
    let sheet = gdl_parse::parse(
        "(file a b) (file b c) (likes a b) (likes a c) (loop a b) (loop b a)
         (made a b) (<= (made b c) (true x))",
        &Default::default(),
    )
    .sheet;
    let chains = chains(&sheet);
    assert_eq!(chains, [["a", "b", "c"]]);
    let state = facts("(on a 1 pawn)\n(on c 2 pawn)\n(on c 1 king)");
    let viewer = Viewer::new(&chains, std::slice::from_ref(&state));
    insta::assert_snapshot!(viewer.draw(&state), @r"
    2  . . p
    1  p . k
       a b c
    k king, p pawn
    ");
}

#[test]
fn several_boards_and_numbers_as_things() {
    let mut text = String::new();
    for board in 1..=4 {
        for (x, y) in [(1, 1), (2, 1), (1, 2), (2, 2)] {
            text += &format!("(entry {board} {x} {y} {})\n", board * 10 + x - y);
        }
    }
    let state = facts(&text);
    let viewer = Viewer::new(&[], std::slice::from_ref(&state));
    insta::assert_snapshot!(viewer.draw(&state), @r"
    1          2
    2   9 10   2  19 20
    1  10 11   1  20 21
        1  2       1  2
    3          4
    2  29 30   2  39 40
    1  30 31   1  40 41
        1  2       1  2
    ");
}

#[test]
fn places_without_things() {
    let state = facts("(wall 1 1)\n(wall 1 2)\n(wall 3 3)\n(wall 2 2)");
    let viewer = Viewer::new(&[], std::slice::from_ref(&state));
    insta::assert_snapshot!(viewer.draw(&state), @r"
    3  . . #
    2  # # .
    1  # . .
       1 2 3
    ");
}

#[test]
fn terms_inside_terms_make_boards_of_their_own() {
    let state = facts(
        "(drawn (across 1 1))\n(drawn (across 1 2))\n(drawn (across 2 2))
         (drawn (up 1 1))\n(drawn (up 1 2))\n(drawn (up 2 2))\n(drawn nothing)",
    );
    let viewer = Viewer::new(&[], std::slice::from_ref(&state));
    insta::assert_snapshot!(viewer.draw(&state), @r"
    drawn (across _ _)
    2  # #
    1  # .
       1 2
    drawn (up _ _)
    2  # #
    1  # .
       1 2
    drawn nothing
    ");
}

#[test]
fn what_is_no_board_is_listed() {
    let mut text = String::from("(heap 1 3)\n(heap 2 5)\n(heap 3 5)\nover\n(in (pair a b) c)\n");
    for n in 0..30 {
        text += &format!("(counted {n})\n");
    }
    let state = facts(&text);
    let viewer = Viewer::new(&[], std::slice::from_ref(&state));
    insta::assert_snapshot!(viewer.draw(&state), @r"
    counted 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
        20, 21, 22, 23 and 6 more
    heap 1 3, 2 5, 3 5
    in (pair a b) c
    over
    ");
}

#[test]
fn facts_that_the_samples_did_not_foresee_are_listed() {
    let viewer = Viewer::new(&[], &[facts("(on 1 1 a)\n(on 2 2 b)")]);
    insta::assert_snapshot!(viewer.draw(&facts("(on 1 2 c)\n(on 7 7 a)\n(on 2 2)")), @r"
    2  c .
    1  . .
       1 2
    on 7 7 a, 2 2
    ");
    assert_eq!(viewer.draw(&[]).lines().count(), 3);
}

#[test]
fn two_colours_in_two_relations_are_on_one_board() {
    let first = facts("(white 1 1 king)\n(white 2 1 pawn)\n(black 1 3 king)\n(black 3 3 pawn)");
    let later = facts(
        "(white 1 1 king)\n(white 2 2 pawn)\n(black 3 3 king)\n(black 3 2 pawn)\n(white 3 1 x)
         (black 2 1 x)\n(black 1 2 x)\n(white 1 3 x)",
    );
    let viewer = Viewer::new(&[], &[first, later.clone()]);
    insta::assert_snapshot!(viewer.draw(&later), @r"
    3  wx  . bk
    2  bx wp bp
    1  wk bx wx
        1  2  3
    bk black king, bp black pawn, bx black x, wk white king, wp white pawn,
    wx white x
    ");
}

#[test]
fn colours_as_arguments_are_on_one_board() {
    let first = facts("(at white 1 1 king)\n(at white 2 1 knight)\n(at black 1 2 king)");
    let viewer = Viewer::new(&[], std::slice::from_ref(&first));
    insta::assert_snapshot!(viewer.draw(&first), @r"
    2  bk  .
    1  wk wn
        1  2
    bk black king, wk white king, wn white knight
    ");
}

#[test]
fn marks_on_squares_do_not_hide_the_board() {
    // Half of the squares are empty, and none is without a fact.
    let cell = |x, y, c| {
        let thing = match c {
            ' ' => "none".to_string(),
            c => format!("{c}an"),
        };
        Some(format!("(cell {x} {y} {thing})"))
    };
    let first = board(&["mmmm", "    ", "    ", "ffff"], cell);
    let mut later = board(&["m mm", " m  ", "f   ", " fff"], cell);
    later.extend(facts("(moved 1 1 man)\n(moved 2 4 man)"));
    let mut last = later.clone();
    last.extend(facts("(moved 3 1 man)\n(moved 4 4 fan)"));
    let viewer = Viewer::new(&[], &[first.clone(), later.clone(), last]);
    insta::assert_snapshot!(viewer.draw(&first), @r"
    4  m m m m
    3  . . . .
    2  . . . .
    1  f f f f
       1 2 3 4
    f fan, m man
    ");
    insta::assert_snapshot!(viewer.draw(&later), @r"
    4  m . m m
    3  . m . .
    2  f . . .
    1  . f f f
       1 2 3 4
    f fan, m man
    moved 1 1 man, 2 4 man
    ");
}

#[test]
fn a_circle_of_files_is_cut_open() {
    let sheet = gdl_parse::parse(
        "(on b c) (on c d) (on d a) (on a b) (other x o) (other o x)",
        &Default::default(),
    );
    assert_eq!(chains(&sheet.sheet), [["b", "c", "d", "a"]]);
}

#[test]
fn a_scene_is_what_the_text_shows() {
    let state = facts("(at 1 1 rook)\n(at 2 3 king)\n(turn white)\n(turn next)\nover");
    let viewer = Viewer::new(&[], std::slice::from_ref(&state));
    let scene = viewer.scene(&state);
    let [grid] = scene.grids.as_slice() else {
        panic!("one board: {scene:?}");
    };
    assert_eq!(grid.sides.each_ref().map(Vec::len), [2, 3]);
    let (square, king) = viewer.place(&state[1]).expect("it is on the board");
    assert_eq!((square.x, square.y), (1, 2));
    assert_eq!(grid.things.get(&square), Some(&king));
    assert_eq!(viewer.place(&state[2]), None);
    let lists: Vec<_> = scene
        .lists
        .iter()
        .map(|l| (&*l.relation, l.facts.len()))
        .collect();
    assert_eq!(lists, [("over", 1), ("turn", 2)]);
}
