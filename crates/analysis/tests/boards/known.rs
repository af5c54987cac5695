//! Boards with known answers.

use crate::common::{Found, sheet};
use analysis::Evidence;
use analysis::boards::{Board, Form, Order, Piece};
use gdl_parse::{ParseOptions, parse};
use std::collections::BTreeSet;

/// The lengths of the sides of the board.
fn sides(board: &Board) -> Vec<usize> {
    board.axes.iter().map(|axis| axis.values.len()).collect()
}

/// The piece with that name.
fn piece<'b>(board: &'b Board, name: &str) -> &'b Piece {
    let mut pieces = board.pieces.iter();
    let same = |piece: &&Piece| piece.content.join(" ") == name;
    pieces.find(same).unwrap()
}

/// The owner of the piece with that name.
fn owner(found: &Found, name: &str) -> Option<String> {
    let owner = piece(found.board(), name).owner?;
    Some(found.logic.words.roles[usize::from(owner.role)].to_string())
}

/// The effect of a move of a role, by the names of the cells.
fn form(found: &Found, role: usize, mv: &str) -> Option<(Option<String>, Option<String>)> {
    let mut moves = found.logic.words.moves[role].iter();
    let mv = moves.position(|term| term.to_string() == mv).unwrap();
    let form = found.boards.moves[role][mv].form?;
    let name =
        |board: usize, cell: Option<u32>| cell.map(|cell| found.boards.boards[board].name(cell));
    Some(match form {
        Form::Relocation { board, from, to } => (name(board, from), name(board, to)),
        Form::Placement { board, at } => (None, name(board, at)),
    })
}

#[test]
fn pawns_of_breakthrough_advance_in_opposite_directions() {
    for (name, side, ways) in [
        ("breakthrough", 8, 154),
        ("breakthrough_small", 6, 80),
        ("breakthrough_walls", 8, 140),
    ] {
        let found = Found::fixture(name);
        let board = found.board();
        assert_eq!(
            (sides(board), board.cells.len()),
            (vec![side; 2], side * side)
        );
        assert_eq!(board.layers[0].place, [0, 1]);
        assert_eq!(
            (board.layers[0].content.clone(), board.layers[0].owner),
            (vec![2], Some(2))
        );
        assert_eq!(board.layers[0].exclusive, Evidence::Proved);
        assert_eq!(owner(&found, "white").as_deref(), Some("white"));
        assert_eq!(owner(&found, "black").as_deref(), Some("black"));
        assert!(board.pieces.iter().all(|piece| piece.moves && !piece.blank));
        assert_eq!(board.advance, [[0, 1], [0, -1]]);
        // All steps of a pawn of either side, including those that random play did not play.
        for row in &found.boards.moves {
            let steps = row.iter().filter_map(|mv| match mv.form {
                Some(Form::Relocation {
                    from: Some(from),
                    to: Some(to),
                    ..
                }) => Some((from, to)),
                _ => None,
            });
            assert_eq!(steps.collect::<BTreeSet<_>>().len(), ways, "{name}");
        }
    }
    let found = Found::fixture("breakthrough");
    let step = (Some("2 2".to_string()), Some("3 3".to_string()));
    assert_eq!(form(&found, 0, "(move 2 2 3 3)"), Some(step));
    assert_eq!(form(&found, 0, "noop"), None);
}

#[test]
fn chess_pieces_have_kinds_and_owners() {
    let found = Found::fixture("speed_chess");
    let board = found.board();
    assert_eq!(sides(board), [5, 5]);
    assert!(board.axes.iter().all(|axis| axis.order == Order::Geometry));
    assert_eq!(board.layers[0].owner, Some(2));
    for role in [0, 1] {
        let kinds: Vec<String> = board
            .of_role(role)
            .map(|p| p.content[1].to_string())
            .collect();
        assert_eq!(kinds, ["bishop", "king", "knight", "pawn", "queen", "rook"]);
    }
}

#[test]
fn discs_and_stones_are_placed() {
    let reversi = Found::fixture("reversi");
    assert_eq!(sides(reversi.board()), [8, 8]);
    assert_eq!(owner(&reversi, "black").as_deref(), Some("black"));
    assert_eq!(
        form(&reversi, 0, "(place 3 4)"),
        Some((None, Some("3 4".to_string())))
    );

    let four = Found::fixture("connect_four");
    assert_eq!(sides(four.board()), [7, 6]);
    // The cell where a disc comes to rest depends on the discs below.
    assert_eq!(form(&four, 0, "(drop 3)"), Some((None, None)));

    let hex = Found::fixture("hex");
    assert_eq!(sides(hex.board()), [9, 9]);
    assert_eq!(owner(&hex, "red").as_deref(), Some("red"));
    assert_eq!(
        form(&hex, 1, "(place 9 1)"),
        Some((None, Some("9 1".to_string())))
    );

    let small = Found::fixture("tic_tac_toe");
    let board = small.board();
    assert_eq!(sides(board), [3, 3]);
    assert!(piece(board, "empty").blank && piece(board, "empty").owner.is_none());
    assert_eq!(owner(&small, "nought").as_deref(), Some("nought"));
    // Rules read every line at once: rows, columns and diagonals, and only those pairs.
    assert_eq!(board.links.len(), 24);
}

#[test]
fn untied_boards_are_separate() {
    let nine = Found::fixture("nine_board_tic_tac_toe");
    let board = &nine.boards.boards[0];
    assert_eq!(
        (board.grids.len(), sides(board), board.cells.len()),
        (9, vec![3, 3], 81)
    );
    assert_eq!(
        (&board.layers[0].board[..], &board.layers[0].place[..]),
        (&[0, 1][..], &[2, 3][..])
    );
    for name in ["connect_four_simultaneous", "dual_connect_four"] {
        let found = Found::fixture(name);
        let board = found.board();
        assert_eq!((board.grids.len(), sides(board)), (2, vec![7, 6]), "{name}");
        assert_eq!(owner(&found, "red").as_deref(), Some("red"));
    }
}

#[test]
fn unique_pieces_share_a_board_with_other_layers() {
    let cycles = Found::fixture("light_cycles");
    let board = cycles.board();
    assert_eq!((sides(board), board.layers.len()), (vec![6, 6], 2));
    let unique: Vec<bool> = board
        .layers
        .iter()
        .map(|layer| layer.unique.is_some())
        .collect();
    assert!(unique.contains(&true) && unique.contains(&false));
    let riders = board
        .pieces
        .iter()
        .filter(|piece| piece.owner.is_some() && piece.moves);
    assert_eq!(riders.count(), 4);
}

#[test]
fn tiles_move_to_the_gap() {
    let puzzle = Found::fixture("eight_puzzle");
    let board = puzzle.board();
    assert!(piece(board, "gap").blank);
    assert_eq!(
        (board.layers[0].exclusive, board.layers[0].unique),
        (Evidence::Proved, Some(Evidence::Proved))
    );
    // Only between squares that touch.
    assert_eq!(board.ways().count(), 12);
    assert_eq!(
        form(&puzzle, 0, "(slide 1 1)"),
        Some((Some("1 1".to_string()), None))
    );
}

#[test]
fn counters_and_heaps_are_not_boards() {
    for name in [
        "nim",
        "rock_paper_scissors_repeated",
        "river_crossing",
        "corridor_hard",
        "districts",
    ] {
        assert_eq!(Found::fixture(name).boards.boards.len(), 0, "{name}");
    }
}

/// Breakthrough without numbers for ranks and files.
fn lettered() -> String {
    let path = testkit::root().join("fixtures/games/breakthrough.gdl");
    let mut rules = std::fs::read_to_string(path).unwrap();
    for number in 1..=8 {
        for end in [' ', ')'] {
            rules = rules.replace(&format!(" {number}{end}"), &format!(" s{number}{end}"));
        }
    }
    rules
}

#[test]
fn names_and_argument_order_do_not_matter() {
    let sheets = [
        (
            "letters",
            parse(&lettered(), &ParseOptions::default()).sheet,
        ),
        ("reversi", sheet("reversi")),
        ("nine_board_tic_tac_toe", sheet("nine_board_tic_tac_toe")),
        (
            "escort_latch_breakthrough",
            sheet("escort_latch_breakthrough"),
        ),
        ("light_cycles", sheet("light_cycles")),
    ];
    for (name, plain) in sheets {
        let expected = summary(&Found::of(&plain).unwrap(), |text| text.to_string());
        for seed in 1..3 {
            let options = gdl_scramble::ScrambleOptions {
                seed,
                shuffle_rules: true,
                shuffle_arguments: true,
                ..Default::default()
            };
            let scrambled = gdl_scramble::scramble(&plain, &options);
            let back = |text: &str| {
                let term = text.parse().unwrap();
                scrambled.mapping.unscramble(&term).to_string()
            };
            let found = Found::of(&scrambled.sheet).unwrap();
            assert_eq!(summary(&found, back), expected, "{name}, {seed}");
        }
    }
}

/// A description that is independent of names, written with the names that `back` returns: for
/// each board its axes, in either direction, and its pieces.
fn summary(found: &Found, back: impl Fn(&str) -> String) -> BTreeSet<String> {
    let boards = found.boards.boards.iter().map(|board| {
        let axes = board.axes.iter().map(|axis| {
            let forth: Vec<String> = axis.values.iter().map(|value| back(value)).collect();
            let mut other = forth.clone();
            other.reverse();
            forth.min(other).join(" ")
        });
        let mut axes: Vec<String> = axes.collect();
        axes.sort();
        let pieces = board.pieces.iter().map(|piece| {
            let mut words: Vec<String> = piece.content.iter().map(|word| back(word)).collect();
            words.sort();
            let role = piece
                .owner
                .map(|owner| &found.logic.words.roles[usize::from(owner.role)]);
            let role = role.map(|role| back(&role.to_string()));
            format!("{words:?} {role:?} {} {}", piece.blank, piece.facts.len())
        });
        let mut pieces: Vec<String> = pieces.collect();
        pieces.sort();
        let pieces = pieces.join(", ");
        format!(
            "{} {} {:?} {pieces}",
            board.grids.len(),
            board.cells.len(),
            axes
        )
    });
    boards.collect()
}
