//! Programs agree with the netlist.

use netlist::{Lit, Netlist, word};
use proptest::prelude::*;
use testkit::gates::{INPUTS, bits, netlist};
use wordcode::{Packer, Place};

proptest! {
    #[test]
    fn programs_agree_with_netlists(
        gates in prop::collection::vec((0u8..9, any::<u16>(), any::<u16>()), 1..120),
        words in 1usize..4,
        seed in any::<u64>(),
        values in prop::collection::vec(any::<u64>(), INPUTS),
        noise in any::<u64>(),
    ) {
        let (net, lits) = netlist(&gates);
        let inputs: Vec<Place> = bits(words, seed).into_iter().map(Place::new).collect();
        let mut given = vec![None; INPUTS + 1];
        for (i, &place) in inputs.iter().enumerate() {
            given[i + 1] = Some(place);
        }
        let mut packer = Packer::new(given, words);
        let outputs: Vec<(Lit, Place)> = lits
            .iter()
            .rev()
            .enumerate()
            .filter(|(i, _)| seed >> (i % 60) & 1 == 1)
            .map(|(i, &lit)| (lit ^ (i % 2 == 0), Place::new(2 * i)))
            .collect();
        let placed = packer.pack(&net, &outputs);
        let (half, rest) = lits.split_at(lits.len() / 2);
        let (free, groups) = packer.pack_groups(&net, &[half, rest, &[Lit::TRUE, Lit::FALSE]]);
        let all = net.evaluate(&values);
        for lane in [0, 1, 33, 63] {
            let bit = |lit: Lit| word(&all, lit) >> lane & 1 == 1;
            let mut slots = vec![noise; placed.slots().max(free.slots())];
            // Bits that are not inputs may have any value.
            for (i, place) in inputs.iter().enumerate() {
                slots[place.word()] &= !(1 << place.bit());
                if values[i] >> lane & 1 == 1 {
                    place.set(&mut slots);
                }
            }
            let before = slots.clone();
            let mut out = vec![noise; lits.len() / 32 + 1];
            placed.run(&mut slots, &mut out);
            prop_assert_eq!(&slots[..words], &before[..words]);
            let mut touched = vec![0u64; out.len()];
            for &(lit, place) in &outputs {
                prop_assert_eq!(place.get(&out), bit(lit));
                place.set(&mut touched);
            }
            for (out, touched) in out.iter().zip(&touched) {
                prop_assert_eq!(out & !touched, noise & !touched);
            }
            let mut out = vec![noise; free.written().end];
            free.run(&mut slots, &mut out);
            let mut set = vec![0u64; out.len()];
            for (group, lits) in groups.iter().zip([half, rest, &[Lit::TRUE, Lit::FALSE]]) {
                for (&lit, &place) in lits.iter().zip(&group.places) {
                    prop_assert_eq!(place.get(&out), bit(lit));
                    prop_assert!(group.words.contains(&place.word()));
                    prop_assert!(!place.get(&set), "two signals share a bit");
                    place.set(&mut set);
                }
            }
            for (out, set) in out.iter().zip(&set) {
                prop_assert_eq!(out & !set, 0);
            }
        }
    }
}

#[test]
fn similar_gates_share_an_operation() {
    // Four in a row anywhere on a line of 64. Without sharing, this takes 61 times three gates.
    let mut net = Netlist::new();
    let cells: Vec<Lit> = (0..64).map(|_| net.input()).collect();
    let lines: Vec<Lit> = cells
        .windows(4)
        .map(|four| net.and_all(four.to_vec()))
        .collect();
    let any = net.or_all(lines);
    let given = (0..=64usize)
        .map(|node| node.checked_sub(1).map(Place::new))
        .collect();
    let program = Packer::new(given, 1).pack(&net, &[(any, Place::new(0))]);
    assert!(program.len() <= 8, "{} operations", program.len());
}
