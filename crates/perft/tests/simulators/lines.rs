//! Games of drawing and placing: dots and boxes, connect four, hex, bidding tic-tac-toe.

use crate::check;

#[test]
fn dots_and_boxes() {
    // Lines as bits: 30 horizontal ones (six rows of five), then 30 vertical ones (five rows of
    // six). Each box has four lines around it.
    let boxes: Vec<u64> = (0..25)
        .map(|i| (i % 5, i / 5))
        .map(|(x, y)| {
            1 << (5 * y + x)
                | 1 << (5 * (y + 1) + x)
                | 1 << (30 + 6 * y + x)
                | 1 << (30 + 6 * y + x + 1)
        })
        .collect();
    type Position = (u64, [u32; 2], usize);
    let next = |&(drawn, score, side): &Position, line: u32| -> Option<Position> {
        let after = drawn | 1 << line;
        let full = |lines: u64| {
            boxes
                .iter()
                .filter(|&&sides| lines & sides == sides)
                .count()
        };
        let completed = full(after) - full(drawn);
        let mut score = score;
        score[side] += completed as u32;
        (after != drawn).then_some((after, score, if completed > 0 { side } else { 1 - side }))
    };
    check("dots_and_boxes", (0, [0, 0], 0), |position| {
        (0..60).filter_map(|line| next(position, line)).collect()
    });
}

#[test]
fn connect_four() {
    for (name, columns, rows) in [("connect_four", 7, 6), ("connect_four_small", 4, 4)] {
        // The discs of each side, with eight bits per column so that lines cannot wrap around.
        check(
            name,
            ([0u64; 2], 0),
            |&(discs, side): &([u64; 2], usize)| {
                let line = |d: u64| {
                    [1, 8, 9, 7]
                        .into_iter()
                        .any(|s| d & (d >> s) & (d >> (2 * s)) & (d >> (3 * s)) != 0)
                };
                if discs.into_iter().any(line) {
                    return Vec::new();
                }
                let height =
                    |column: u32| ((discs[0] | discs[1]) >> (8 * column) & 0xff).count_ones();
                let free = (0..columns).filter(|&column| height(column) < rows);
                free.map(|column| {
                    let mut after = discs;
                    after[side] |= 1 << (8 * column + height(column));
                    (after, 1 - side)
                })
                .collect()
            },
        );
    }
}

/// Lines of three on a 3x3 board, as bits.
const LINES: [u32; 8] = [
    0b111,
    0b111_000,
    0b111_000_000,
    0b1_001_001,
    0b10_010_010,
    0b100_100_100,
    0b100_010_001,
    0b1_010_100,
];

#[test]
fn bidding_tic_tac_toe() {
    // Marks and coins of both sides, the holder of the marker, and the side to mark if there
    // are no bids.
    type Position = ([u32; 2], [u32; 2], usize, Option<usize>);
    let start: Position = ([0, 0], [4, 4], 0, None);
    check(
        "bidding_tic_tac_toe",
        start,
        |&(marks, coins, marker, marking)| {
            let line = |own: u32| LINES.into_iter().any(|line| own & line == line);
            let taken = marks[0] | marks[1];
            if marks.into_iter().any(line) || taken == 0x1ff {
                return Vec::new();
            }
            if let Some(side) = marking {
                let free = (0..9).filter(|square| taken & 1 << square == 0);
                return free
                    .map(|square| {
                        let mut after = marks;
                        after[side] |= 1 << square;
                        (after, coins, marker, None)
                    })
                    .collect();
            }
            let mut next = Vec::new();
            for cross in 0..=coins[0] {
                for nought in 0..=coins[1] {
                    let tie = cross == nought;
                    let winner = if tie {
                        marker
                    } else {
                        usize::from(nought > cross)
                    };
                    let mut after = coins;
                    after[winner] -= cross.max(nought);
                    after[1 - winner] += cross.max(nought);
                    let marker = if tie { 1 - marker } else { marker };
                    next.push((marks, after, marker, Some(winner)));
                }
            }
            next
        },
    );
}

#[test]
fn nine_board_tic_tac_toe() {
    for (name, pie) in [
        ("nine_board_tic_tac_toe", false),
        ("nine_board_tic_tac_toe_pie", true),
    ] {
        // Marks of both sides on each board, the board that the last mark points to, the side
        // to move, and the turn as far as swapping needs it.
        type Position = ([[u32; 2]; 9], Option<usize>, usize, u32);
        let start: Position = ([[0; 2]; 9], None, 0, 0);
        check(name, start, |&(boards, board, side, turn)| {
            let line = |own: &u32| LINES.into_iter().any(|line| own & line == line);
            if boards.iter().flatten().any(line) {
                return Vec::new();
            }
            let free = |board: usize, square: usize| {
                (boards[board][0] | boards[board][1]) & 1 << square == 0
            };
            let bound = board.filter(|&board| (0..9).any(|square| free(board, square)));
            let later = if pie { (turn + 1).min(2) } else { 0 };
            let mut next = Vec::new();
            for (on, square) in (0..9).flat_map(|on| (0..9).map(move |square| (on, square))) {
                if free(on, square) && bound.is_none_or(|bound| bound == on) {
                    let mut after = boards;
                    after[on][side] |= 1 << square;
                    next.push((after, Some(square), 1 - side, later));
                }
            }
            if pie && turn == 1 {
                next.push((boards.map(|[cross, _]| [0, cross]), board, 1 - side, later));
            }
            next
        });
    }
}

#[test]
fn pentago() {
    // The side length of a quadrant, and the number of marbles in a line.
    for (name, side, length) in [("pentago", 3, 5), ("pentago_small", 2, 3)] {
        // Marbles of both sides as bits, row by row, the side to move, and whether it must turn
        // a quadrant.
        type Position = ([u64; 2], usize, bool);
        let width = 2 * side;
        let bit = |x: usize, y: usize| 1u64 << (width * y + x);
        let turned = |marbles: u64, quadrant: usize, clockwise: bool| {
            let (x0, y0) = (quadrant % 2 * side, quadrant / 2 * side);
            let mut after = marbles;
            for (x, y) in (0..side).flat_map(|x| (0..side).map(move |y| (x, y))) {
                // The source of the square (x, y). Rows count downwards.
                let (from_x, from_y) = match clockwise {
                    true => (y, side - 1 - x),
                    false => (side - 1 - y, x),
                };
                let to = bit(x0 + x, y0 + y);
                match marbles & bit(x0 + from_x, y0 + from_y) {
                    0 => after &= !to,
                    _ => after |= to,
                }
            }
            after
        };
        let square = |x: i32, y: i32| {
            let inside = |at: i32| (0..width as i32).contains(&at);
            (inside(x) && inside(y)).then(|| bit(x as usize, y as usize))
        };
        let mut lines: Vec<u64> = Vec::new();
        for (x, y) in (0..width as i32).flat_map(|x| (0..width as i32).map(move |y| (x, y))) {
            for (right, down) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let squares = (0..length).map(|at| square(x + at * right, y + at * down));
                lines.extend(squares.sum::<Option<u64>>());
            }
        }
        check(
            name,
            ([0, 0], 0, false),
            |&(marbles, mover, turning): &Position| {
                let all = marbles[0] | marbles[1];
                let won = |own: u64| lines.iter().any(|line| own & line == *line);
                let full = all.count_ones() as usize == width * width && !turning;
                let mut next = Vec::new();
                if marbles.into_iter().any(won) || full {
                    return next;
                }
                if turning {
                    for (quadrant, clockwise) in (0..4).flat_map(|q| [(q, true), (q, false)]) {
                        let after = marbles.map(|own| turned(own, quadrant, clockwise));
                        next.push((after, 1 - mover, false));
                    }
                } else {
                    for square in (0..width * width).filter(|square| all & 1 << square == 0) {
                        let mut after = marbles;
                        after[mover] |= 1 << square;
                        next.push((after, mover, true));
                    }
                }
                next
            },
        );
    }
}

#[test]
fn hex_with_swapping() {
    // Stones of both sides, the side to move, and the turn up to the third. No side can win so
    // early.
    type Position = ([u128; 2], usize, u32);
    let start: Position = ([0, 0], 0, 0);
    check("hex_pie", start, |&(stones, side, turn)| {
        let free = (0..81).filter(|cell| (stones[0] | stones[1]) & 1 << cell == 0);
        let mut next: Vec<Position> = free
            .map(|cell| {
                let mut after = stones;
                after[side] |= 1 << cell;
                (after, 1 - side, (turn + 1).min(2))
            })
            .collect();
        if turn == 1 {
            let cell = stones[0].trailing_zeros();
            next.push(([0, 1 << (cell % 9 * 9 + cell / 9)], 1 - side, 2));
        }
        next
    });
}
