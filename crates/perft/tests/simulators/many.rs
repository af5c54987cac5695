//! Games of more than two players, or with more than one move at a time.

use crate::check;

#[test]
fn three_player_free_for_all() {
    // The owner of the piece on each square (3: none), captures, and turns taken.
    type Position = ([usize; 36], [u32; 3], usize);
    let mut board = [3; 36];
    for i in 0..4 {
        board[1 + i] = 0;
        board[6 * (2 + i)] = 1;
        board[6 * (2 + i) + 5] = 2;
    }
    let start: Position = (board, [0; 3], 0);
    check(
        "three_player_free_for_all",
        start,
        |&(board, captures, turn)| {
            let side = turn % 3;
            if turn == 30 {
                return Vec::new();
            }
            if !board.contains(&side) {
                return vec![(board, captures, turn + 1)];
            }
            let mut next = Vec::new();
            for from in (0..36).filter(|&from| board[from] == side) {
                for to in (0..36).filter(|&to| board[to] != side) {
                    let apart = (from / 6usize).abs_diff(to / 6) + (from % 6).abs_diff(to % 6);
                    if apart == 1 {
                        let (mut board, mut captures) = (board, captures);
                        captures[side] += u32::from(board[to] != 3);
                        board[from] = 3;
                        board[to] = side;
                        next.push((board, captures, turn + 1));
                    }
                }
            }
            next
        },
    );
}

#[test]
fn light_cycles() {
    // Walls as bits, the positions of the riders, and which of them crashed in the last turn.
    type Position = (u64, [Option<usize>; 4], [bool; 4]);
    let corners = [0, 5, 35, 30];
    let walls = corners.iter().map(|&corner| 1 << corner).sum();
    let start: Position = (walls, corners.map(Some), [false; 4]);
    check("light_cycles", start, |&(walls, riders, _)| {
        if riders.iter().flatten().count() <= 1 {
            return Vec::new();
        }
        let beside = |from: usize| {
            let apart = move |to: usize| (from / 6).abs_diff(to / 6) + (from % 6).abs_diff(to % 6);
            (0..36)
                .filter(move |&to| apart(to) == 1)
                .map(Some)
                .collect::<Vec<_>>()
        };
        let targets = riders.map(|rider| rider.map_or(vec![None], beside));
        // All joint moves, role by role.
        let mut joints = vec![Vec::new()];
        for own in &targets {
            joints = joints
                .iter()
                .flat_map(|joint: &Vec<Option<usize>>| {
                    own.iter().map(move |&to| [&joint[..], &[to]].concat())
                })
                .collect();
        }
        let play = |joint: Vec<Option<usize>>| {
            let mut after: Position = (walls, [None; 4], [false; 4]);
            for (rider, &target) in joint.iter().enumerate() {
                let Some(to) = target else { continue };
                let meets = joint.iter().filter(|&&other| other == target).count() > 1;
                after.0 |= 1 << to;
                if meets || walls & 1 << to != 0 {
                    after.2[rider] = true;
                } else {
                    after.1[rider] = target;
                }
            }
            after
        };
        joints.into_iter().map(play).collect()
    });
}

#[test]
fn connect_four_on_two_boards() {
    // Discs of each side on each board, with eight bits per column so that lines cannot wrap
    // around.
    type Board = [u64; 2];
    fn height(board: &Board, column: u32) -> u32 {
        ((board[0] | board[1]) >> (8 * column) & 0xff).count_ones()
    }
    fn drops(board: Board, side: usize) -> Vec<Board> {
        let free = (0..7).filter(|&column| height(&board, column) < 6);
        free.map(|column| {
            let mut after = board;
            after[side] |= 1 << (8 * column + height(&board, column));
            after
        })
        .collect()
    }
    let over = |boards: &[Board; 2]| {
        let line = |d: &u64| {
            [1, 8, 9, 7]
                .into_iter()
                .any(|s| d & (d >> s) & (d >> (2 * s)) & (d >> (3 * s)) != 0)
        };
        boards.iter().flatten().any(line)
    };
    check(
        "connect_four_simultaneous",
        ([[0; 2]; 2], 0),
        |&(boards, turn)| {
            let mut next = Vec::new();
            if !over(&boards) {
                for left in drops(boards[0], turn % 2) {
                    for right in drops(boards[1], 1 - turn % 2) {
                        next.push(([left, right], (turn + 1) % 2));
                    }
                }
            }
            next
        },
    );
    check("dual_connect_four", ([[0; 2]; 2], 0), |&(boards, turn)| {
        let mut next = Vec::new();
        if !over(&boards) {
            let board = turn / 2;
            for after in drops(boards[board], turn % 2) {
                let mut boards = boards;
                boards[board] = after;
                next.push((boards, (turn + 1) % 4));
            }
        }
        next
    });
}
