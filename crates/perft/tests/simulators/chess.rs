//! Gardner's chess on 5x5 (speed chess): moves are played and taken back if the king can be
//! captured.

use crate::check;
use std::collections::BTreeMap;

const SIZE: i32 = 5;
const TURNS: u32 = 60;

type Square = (i32, i32);
/// A piece: its letter, and whether it is white.
type Man = (char, bool);
type Board = BTreeMap<Square, Man>;

const STRAIGHT: [Square; 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];
const DIAGONAL: [Square; 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const JUMPS: [Square; 8] = [
    (1, 2),
    (1, -2),
    (-1, 2),
    (-1, -2),
    (2, 1),
    (2, -1),
    (-2, 1),
    (-2, -1),
];

/// The steps of a piece other than a pawn, and whether it slides.
fn steps(kind: char) -> (Vec<Square>, bool) {
    match kind {
        'r' => (STRAIGHT.to_vec(), true),
        'b' => (DIAGONAL.to_vec(), true),
        'q' => ([STRAIGHT, DIAGONAL].concat(), true),
        'k' => ([STRAIGHT, DIAGONAL].concat(), false),
        _ => (JUMPS.to_vec(), false),
    }
}

/// All pseudo-legal moves of a side.
fn moves(board: &Board, white: bool) -> Vec<(Square, Square)> {
    let on_board = |(x, y): Square| (0..SIZE).contains(&x) && (0..SIZE).contains(&y);
    let mut moves = Vec::new();
    for (&from, &(kind, side)) in board {
        if side != white {
            continue;
        }
        if kind == 'p' {
            let y = from.1 + if white { 1 } else { -1 };
            for x in from.0 - 1..=from.0 + 1 {
                let target = board.get(&(x, y));
                let allowed = if x == from.0 {
                    target.is_none()
                } else {
                    target.is_some_and(|man| man.1 != white)
                };
                if allowed && on_board((x, y)) {
                    moves.push((from, (x, y)));
                }
            }
            continue;
        }
        let (directions, slides) = steps(kind);
        for (dx, dy) in directions {
            let mut to = (from.0 + dx, from.1 + dy);
            while on_board(to) {
                let target = board.get(&to);
                if target.is_none_or(|man| man.1 != white) {
                    moves.push((from, to));
                }
                if target.is_some() || !slides {
                    break;
                }
                to = (to.0 + dx, to.1 + dy);
            }
        }
    }
    moves
}

fn make(board: &Board, (from, to): (Square, Square)) -> Board {
    let mut after = board.clone();
    let (kind, white) = after.remove(&from).unwrap();
    let promotes = kind == 'p' && (to.1 == 0 || to.1 == SIZE - 1);
    after.insert(to, (if promotes { 'q' } else { kind }, white));
    after
}

fn safe(board: &Board, white: bool) -> bool {
    !moves(board, !white)
        .iter()
        .any(|(_, to)| board.get(to) == Some(&('k', white)))
}

#[test]
fn speed_chess() {
    let mut start = Board::new();
    for (x, kind) in (0..SIZE).zip(['r', 'n', 'b', 'q', 'k']) {
        start.insert((x, 0), (kind, true));
        start.insert((x, 1), ('p', true));
        start.insert((x, SIZE - 2), ('p', false));
        start.insert((x, SIZE - 1), (kind, false));
    }
    check("speed_chess", (start, true, 0), |(board, white, turn)| {
        if *turn == TURNS {
            return Vec::new();
        }
        let after = moves(board, *white).into_iter().map(|mv| make(board, mv));
        after
            .filter(|board| safe(board, *white))
            .map(|board| (board, !white, turn + 1))
            .collect()
    });
}
