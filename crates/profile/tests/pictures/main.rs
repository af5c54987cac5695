//! Pictures, as text.

use analysis::boards::{Board, Boards, Order};
use analysis::distances::{Condition, Distances};
use budget::Budget;
use datalog::Program;
use game::RoleId;
use gdl_parse::{ParseOptions, parse};
use invariants::Groups;
use netlist::{GameLogic, lower};
use profile::pictures::{FactorLink, FactorNode, board, factors, heat, near};
use propnet::Network;

/// A fixture with its boards.
fn game(name: &str) -> (Network, GameLogic, Boards) {
    let path = testkit::root().join(format!("fixtures/games/{name}.gdl"));
    let rules = std::fs::read_to_string(path).unwrap();
    let sheet = parse(&rules, &ParseOptions::default()).sheet;
    let budget = Budget::system();
    let program = Program::from_sheet(&sheet);
    let network = compile::build_network(&program, &budget).unwrap().network;
    let logic = lower(&network, &budget).unwrap();
    let boards = Boards::find(&logic, &Groups::default(), 1, &budget);
    (network, logic, boards)
}

/// Checks that a document is complete and contains no invalid coordinates.
fn whole(svg: &str) {
    assert!(
        svg.starts_with("<svg ") && svg.ends_with("</svg>\n"),
        "{svg}"
    );
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
}

#[test]
fn a_board_with_its_pieces() {
    let (_, logic, boards) = game("breakthrough_small");
    let svg = board("Breakthrough <6x6>", &boards.boards[0], &logic.words);
    whole(&svg);
    insta::assert_snapshot!("board", svg);
}

#[test]
fn how_far_pawns_are_from_their_goal() {
    let (network, logic, boards) = game("breakthrough_small");
    let distances = Distances::of(&network, &Budget::system()).unwrap();
    let board = &boards.boards[0];
    let black = logic
        .words
        .roles
        .iter()
        .position(|role| role.to_string() == "black")
        .unwrap();
    let wins = Condition::Goal {
        role: RoleId(black),
        value: 100,
    };
    let piece = board.of_role(black as u16).next().unwrap();
    let far = near(board, piece, &distances, wins);
    for (cell, far) in board.cells.iter().zip(&far) {
        assert_eq!(far.map(u32::from), Some(cell.at[1]), "{cell:?}");
    }
    let svg = heat("Black wins", board, &far);
    whole(&svg);
    insta::assert_snapshot!("heat", svg);
}

#[test]
fn parts_and_what_ties_them() {
    let node = |name: &str, facts, moves| FactorNode {
        name: name.to_string(),
        facts,
        moves,
    };
    let nodes = [
        node("left", 84, 14),
        node("right", 84, 14),
        node("control", 2, 0),
    ];
    let link = |a, b, label: &str| FactorLink {
        between: [a, b],
        label: label.to_string(),
    };
    let links = [
        link(0, 2, "6 facts"),
        link(1, 2, "6 facts"),
        link(1, 9, "nowhere"),
    ];
    let svg = factors("Two boards & a clock", &nodes, &links);
    whole(&svg);
    insta::assert_snapshot!("factors", svg);
    whole(&factors("", &nodes[..1], &[]));
    whole(&factors("", &[], &[]));
}

#[test]
fn boards_of_all_kinds_are_drawn() {
    let mut drawn = 0;
    for name in [
        "nine_board_tic_tac_toe",
        "light_cycles",
        "kalaha",
        "hex",
        "sheep_and_wolf",
        "skirmish",
    ] {
        let (_, logic, boards) = game(name);
        for one in &boards.boards {
            whole(&board(name, one, &logic.words));
            whole(&heat(name, one, &vec![Some(3); one.cells.len()]));
            // As if no order were known.
            let mut lost = one.clone();
            lost.axes
                .iter_mut()
                .for_each(|axis| axis.order = Order::None);
            whole(&board(name, &lost, &logic.words));
            drawn += 1;
        }
    }
    assert!(drawn >= 6, "{drawn}");
    whole(&board("", &Board::default(), &Default::default()));
    whole(&heat("", &Board::default(), &[]));
}
