//! Puzzles: the eight puzzle, buttons and lights, the river crossing, knights, knights' tours,
//! and a corridor.

use crate::check;

#[test]
fn eight_puzzle() {
    // Tiles by rows, 0 for the gap.
    let start = ([8, 6, 7, 2, 5, 4, 3, 0, 1], 0);
    check("eight_puzzle", start, |&(tiles, step): &([u8; 9], u32)| {
        let gap = tiles.iter().position(|&tile| tile == 0).unwrap();
        if step == 40 || tiles == [1, 2, 3, 4, 5, 6, 7, 8, 0] {
            return Vec::new();
        }
        let near =
            |square: usize| (square / 3).abs_diff(gap / 3) + (square % 3).abs_diff(gap % 3) == 1;
        (0..9)
            .filter(|&square| near(square))
            .map(|square| {
                let mut slid = tiles;
                slid.swap(square, gap);
                (slid, step + 1)
            })
            .collect()
    });
}

/// Presses the buttons of `panels` panels of three lights; ends after `steps` or when `done`.
fn buttons(name: &str, panels: u32, steps: u32, done: impl Fn(u32) -> bool) {
    check(name, (0, 0), |&(lights, step): &(u32, u32)| {
        if step == steps || done(lights) {
            return Vec::new();
        }
        let mut next = Vec::new();
        for panel in 0..panels {
            let own = lights >> (3 * panel) & 7;
            let (p, q, r) = (own & 1, own >> 1 & 1, own >> 2);
            for (p, q, r) in [(1 - p, q, r), (q, p, r), (p, r, q)] {
                let others = lights & !(7 << (3 * panel));
                next.push((others | (p | q << 1 | r << 2) << (3 * panel), step + 1));
            }
        }
        next
    });
}

#[test]
fn buttons_and_lights() {
    buttons("buttons_and_lights", 1, 6, |lights| lights == 7);
    buttons("joint_buttons_and_lights", 3, 18, |lights| lights == 0o777);
    buttons("multiple_buttons_and_lights", 4, 7, |lights| {
        lights & 7 == 7
    });
}

#[test]
fn river_crossing() {
    // The banks of the farmer, the wolf, the goat and the cabbage.
    check(
        "river_crossing",
        ([false; 4], 0),
        |&(banks, crossings): &([bool; 4], u32)| {
            let [farmer, wolf, goat, cabbage] = banks;
            let eaten = goat != farmer && (goat == wolf || goat == cabbage);
            if eaten || banks == [true; 4] || crossings == 9 {
                return Vec::new();
            }
            (0..4)
                .filter(|&with| banks[with] == farmer)
                .map(|with| {
                    let mut after = banks;
                    after[with] = !farmer;
                    after[0] = !farmer;
                    (after, crossings + 1)
                })
                .collect()
        },
    );
}

#[test]
fn dual_hamilton() {
    // For each board, the knight's square and the squares it has visited. Squares are numbered
    // by columns of three.
    check("dual_hamilton", [(0, 1); 2], |boards: &[(i32, u32); 2]| {
        let jumps = |from: i32, to: i32| {
            let apart = ((from / 3 - to / 3).abs(), (from % 3 - to % 3).abs());
            matches!(apart, (1, 2) | (2, 1))
        };
        let mut next = Vec::new();
        for board in 0..2 {
            let (at, been) = boards[board];
            for to in (0..12).filter(|&to| jumps(at, to) && been & 1 << to == 0) {
                let mut after = *boards;
                after[board] = (to, been | 1 << to);
                next.push(after);
            }
        }
        next
    });
}

#[test]
fn max_knights() {
    check("max_knights", 0u64, |&knights: &u64| {
        let apart = |a: i32, b: i32| ((a % 8 - b % 8).abs(), (a / 8 - b / 8).abs());
        let attacked = |square: i32| {
            (0..64).any(|other| {
                knights & 1 << other != 0 && matches!(apart(square, other), (1, 2) | (2, 1))
            })
        };
        (0..64)
            .filter(|&square| knights & 1 << square == 0 && !attacked(square))
            .map(|square| knights | 1 << square)
            .collect()
    });
}
