//! Nim, chomp, rock paper scissors, kalaha.

use crate::check;

#[test]
fn nim() {
    check(
        "nim",
        ([1, 3, 5, 7], 0),
        |&(heaps, side): &([u32; 4], u32)| {
            let mut next = Vec::new();
            for heap in 0..4 {
                for left in 0..heaps[heap] {
                    let mut reduced = heaps;
                    reduced[heap] = left;
                    next.push((reduced, 1 - side));
                }
            }
            next
        },
    );
}

#[test]
fn chomp() {
    // The remaining height of each column.
    check("chomp", ([4; 5], 0), |&(bar, side): &([u32; 5], u32)| {
        let mut next = Vec::new();
        for column in 0..5 {
            for height in 0..bar[column] {
                let mut bitten = bar;
                for later in &mut bitten[column..] {
                    *later = height.min(*later);
                }
                next.push((bitten, 1 - side));
            }
        }
        next
    });
}

#[test]
fn rock_paper_scissors() {
    let start = (0, [0, 0]);
    check(
        "rock_paper_scissors_repeated",
        start,
        |&(round, score): &(u32, [u32; 2])| {
            let mut next = Vec::new();
            for (left, right) in (0..3).flat_map(|left| (0..3).map(move |right| (left, right))) {
                let mut score = score;
                match (left + 3 - right) % 3 {
                    1 => score[0] += 1,
                    2 => score[1] += 1,
                    _ => (),
                }
                next.push((round + 1, score));
            }
            if round == 10 { Vec::new() } else { next }
        },
    );
}

#[test]
fn kalaha() {
    // South's houses are the pits 0 to 5 and its store is 6, north's are 7 to 12 and 13.
    let mut start = [3; 14];
    (start[6], start[13]) = (0, 0);
    check(
        "kalaha",
        (start, 0),
        |&(pits, side): &([usize; 14], usize)| {
            let houses = |side: usize| 7 * side..7 * side + 6;
            let empty = |side: usize| houses(side).all(|house| pits[house] == 0);
            if empty(0) || empty(1) {
                return Vec::new();
            }
            let (store, other_store) = (7 * side + 6, 13 - 7 * side);
            let mut next = Vec::new();
            for house in houses(side).filter(|&house| pits[house] > 0) {
                let mut sown = pits;
                let mut pit = house;
                for _ in 0..std::mem::take(&mut sown[house]) {
                    pit = (pit + 1) % 14;
                    if pit == other_store {
                        pit = (pit + 1) % 14;
                    }
                    sown[pit] += 1;
                }
                if houses(side).contains(&pit) && sown[pit] == 1 && sown[12 - pit] > 0 {
                    sown[store] += 1 + std::mem::take(&mut sown[12 - pit]);
                    sown[pit] = 0;
                }
                next.push((sown, if pit == store { side } else { 1 - side }));
            }
            next
        },
    );
}
