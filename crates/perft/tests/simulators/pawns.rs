//! Variants of breakthrough, and sheep and wolf.

use crate::check;

/// The side to move, and the pieces of both sides as bits. Side 0 moves up.
type Position = (usize, [u64; 2]);

/// Breakthrough on `n` x `n`, with a wall to the right of column `wall`, if any, and holes.
fn breakthrough(name: &str, n: i32, wall: Option<i32>, holes: &[(i32, i32)]) {
    let bit = |x: i32, y: i32| 1u64 << (x + n * y);
    let rank = |y: i32| (0..n).map(|x| bit(x, y)).sum::<u64>();
    let start = (0, [rank(0) | rank(1), rank(n - 1) | rank(n - 2)]);
    check(name, start, |&(side, pieces): &Position| {
        let over = pieces[0] & rank(n - 1) | pieces[1] & rank(0);
        if over != 0 || pieces.contains(&0) {
            return Vec::new();
        }
        let forward = if side == 0 { 1 } else { -1 };
        let mut next = Vec::new();
        for (x, y) in (0..n).flat_map(|x| (0..n).map(move |y| (x, y))) {
            if pieces[side] & bit(x, y) == 0 {
                continue;
            }
            for to in (x - 1..=x + 1).filter(|to| (0..n).contains(to)) {
                let target = bit(to, y + forward);
                let through_wall = wall.is_some_and(|wall| x.max(to) == wall && x != to);
                let straight_capture = to == x && pieces[1 - side] & target != 0;
                let hole = holes.contains(&(to, y + forward));
                if pieces[side] & target == 0 && !straight_capture && !through_wall && !hole {
                    let mut moved = pieces;
                    moved[side] = moved[side] & !bit(x, y) | target;
                    moved[1 - side] &= !target;
                    next.push((1 - side, moved));
                }
            }
        }
        next
    });
}

#[test]
fn breakthrough_on_four_boards() {
    breakthrough("breakthrough", 8, None, &[]);
    breakthrough("breakthrough_small", 6, None, &[]);
    breakthrough("breakthrough_walls", 8, Some(4), &[]);
    let holes = [(2, 3), (5, 3), (2, 4), (5, 4)];
    breakthrough("breakthrough_holes", 8, None, &holes);
}

#[test]
fn pawns_on_two_colours() {
    /// Turns played, and the pawns of both sides as bits. White moves on the dark squares
    /// first.
    type Pawns = (u32, [u64; 2]);
    let n = 6;
    let bit = |x: i32, y: i32| 1u64 << (x + n * y);
    let rank = |y: i32| (0..n).map(|x| bit(x, y)).sum::<u64>();
    let start: Pawns = (0, [rank(0) | rank(1), rank(n - 1) | rank(n - 2)]);
    check("two_colours", start, |&(turns, pawns): &Pawns| {
        if pawns[0] & rank(n - 1) | pawns[1] & rank(0) != 0 || turns == 30 {
            return Vec::new();
        }
        // The pawns of a side after each of its moves, and the squares that it attacks.
        let steps = |side: usize| -> Vec<(u64, u64)> {
            let forward = if side == 0 { 1 } else { -1 };
            let dark = (turns as usize + side).is_multiple_of(2);
            let mut steps = Vec::new();
            for (x, y) in (0..n).flat_map(|x| (0..n).map(move |y| (x, y))) {
                if pawns[side] & bit(x, y) == 0 || ((x + y) % 2 == 0) != dark {
                    continue;
                }
                for to in [x - 1, x + 1] {
                    if !(0..n).contains(&to) || pawns[side] & bit(to, y + forward) != 0 {
                        continue;
                    }
                    let target = bit(to, y + forward);
                    steps.push((pawns[side] & !bit(x, y) | target, target));
                }
            }
            if steps.is_empty() {
                steps.push((pawns[side], 0));
            }
            steps
        };
        let (white, black) = (steps(0), steps(1));
        let pairs = white
            .iter()
            .flat_map(|own| black.iter().map(move |other| (own, other)));
        let next = pairs.map(|(own, other)| (turns + 1, [own.0 & !other.1, other.0 & !own.1]));
        next.collect()
    });
}

#[test]
fn sheep_and_wolf() {
    // The wolf's square, the sheep's squares in order, and whether the wolf is to move.
    type Pasture = ((i32, i32), Vec<(i32, i32)>, bool);
    let start: Pasture = ((3, 7), vec![(0, 0), (2, 0), (4, 0), (6, 0)], true);
    check("sheep_and_wolf", start, |(wolf, sheep, wolf_moves)| {
        let free = |&(x, y): &(i32, i32)| {
            (0..8).contains(&x)
                && (0..8).contains(&y)
                && (x, y) != *wolf
                && !sheep.contains(&(x, y))
        };
        let steps = |(x, y): (i32, i32), dy: i32| [(x - 1, y + dy), (x + 1, y + dy)];
        if wolf.1 == 0 {
            return Vec::new();
        }
        if *wolf_moves {
            let targets = steps(*wolf, 1)
                .into_iter()
                .chain(steps(*wolf, -1))
                .filter(free);
            return targets.map(|to| (to, sheep.clone(), false)).collect();
        }
        let mut next = Vec::new();
        for (i, &one) in sheep.iter().enumerate() {
            for to in steps(one, 1).into_iter().filter(free) {
                let mut moved = sheep.clone();
                moved[i] = to;
                moved.sort_unstable();
                next.push((*wolf, moved, true));
            }
        }
        next
    });
}

#[test]
fn escort_latch_breakthrough() {
    // The pieces of each side, the square of its king if it has one, and the side to move.
    type Position = ([u64; 2], [Option<i32>; 2], usize);
    let start: Position = ([0xffff, 0xffff << 48], [Some(3), Some(59)], 0);
    check("escort_latch_breakthrough", start, |&(men, kings, side)| {
        let far = [0xff << 56, 0xff];
        if men[0] & far[0] != 0 || men[1] & far[1] != 0 || men.contains(&0) {
            return Vec::new();
        }
        let mut next = Vec::new();
        for from in (0..64).filter(|from| men[side] & 1 << from != 0) {
            for dx in -1..=1 {
                let to = from + dx + if side == 0 { 8 } else { -8 };
                let king = kings[side] == Some(from);
                let hit = men[1 - side] & 1 << to != 0;
                let wraps = !(0..8).contains(&(from % 8 + dx));
                if wraps || men[side] & 1 << to != 0 || (hit && dx == 0 && !king) {
                    continue;
                }
                let (mut men, mut kings) = (men, kings);
                men[side] ^= 1 << from | 1 << to;
                men[1 - side] &= !(1 << to);
                kings[side] = if king { Some(to) } else { kings[side] };
                kings[1 - side] = kings[1 - side].filter(|&square| square != to);
                next.push((men, kings, 1 - side));
            }
        }
        next
    });
}
