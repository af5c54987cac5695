//! Machine code agrees with the interpreter.

use netlist::{Lit, Netlist};
use proptest::prelude::*;
use testkit::gates::{INPUTS, bits, netlist};
use wordcode::{Packer, Place};

proptest! {
    #[test]
    fn machine_code_agrees_with_the_interpreter(
        gates in prop::collection::vec((0u8..9, any::<u16>(), any::<u16>()), 1..200),
        words in 1usize..4,
        seed in any::<u64>(),
        noise in prop::collection::vec(any::<u64>(), 4..8),
    ) {
        let (net, lits) = netlist(&gates);
        let mut given = vec![None; INPUTS + 1];
        for (i, bit) in bits(words, seed).into_iter().enumerate() {
            given[i + 1] = Some(Place::new(bit));
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
        let (free, _) = packer.pack_groups(&net, &[half, rest, &[Lit::TRUE, Lit::FALSE]]);
        let programs = [&placed, &free];
        let functions = wordcode_native::compile(&programs);
        for (function, program) in functions.iter().flatten().zip(programs) {
            let mut slots = noise.clone();
            slots.resize(program.slots().max(noise.len()), 7);
            let mut other = slots.clone();
            let mut ours = vec![noise[1]; program.written().end + 1];
            let mut theirs = ours.clone();
            function.run(&mut slots, &mut ours);
            program.run(&mut other, &mut theirs);
            prop_assert_eq!(ours, theirs);
            prop_assert_eq!(&slots[..words], &other[..words]);
        }
    }
}

#[test]
#[cfg(all(target_arch = "x86_64", not(portable)))]
fn supported_machines_compile_programs() {
    let here =
        std::arch::is_x86_feature_detected!("bmi1") && std::arch::is_x86_feature_detected!("bmi2");
    let program = Packer::new(Vec::new(), 1).pack(&Netlist::new(), &[(Lit::TRUE, Place::new(3))]);
    let functions = wordcode_native::compile(&[&program, &program]);
    assert_eq!(functions.is_some(), here);
    for function in functions.into_iter().flatten() {
        let mut output = [4];
        function.run(&mut [0], &mut output);
        assert_eq!(output, [4 | 1 << 3]);
    }
}

#[test]
fn programs_that_read_outside_their_inputs_are_rejected() {
    let mut net = Netlist::new();
    let (a, b) = (net.input(), net.input());
    let both = net.and(a, b);
    let given = vec![None, Some(Place::new(0)), Some(Place::new(64 * 1000))];
    let program = Packer::new(given, 1).pack(&net, &[(both, Place::new(0))]);
    assert!(wordcode_native::compile(&[&program]).is_none());
}
