//! The interpreter agrees with the netlist.

use bitcode::{Evaluator, Interpreter, Plane, cover};
use budget::Budget;
use netlist::word;
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use testkit::circuits::{Circuit, Shape, shape};

/// Runs the segments in several orders, with different inputs in each lane.
fn agrees<const W: usize>(circuit: &Circuit, rng: &mut impl Rng) {
    let code = &circuit.code;
    let interpreter = Interpreter::new(code);
    let planes = Evaluator::<W>::planes(&interpreter);
    let mut plane = || Plane::<W>(std::array::from_fn(|_| rng.next_u64()));
    let mut memory: Vec<Plane<W>> = (0..planes).map(|_| plane()).collect();
    for _ in 0..2 {
        let given: Vec<Plane<W>> = circuit.inputs.iter().map(|_| plane()).collect();
        for (&at, &given) in circuit.inputs.iter().zip(&given) {
            memory[at as usize] = given;
        }
        let values: Vec<Vec<u64>> = (0..W)
            .map(|w| circuit.evaluate(&given.iter().map(|plane| plane.0[w]).collect::<Vec<_>>()))
            .collect();
        let segments = code.segments.len();
        for segment in (0..segments).chain((1..segments).rev()) {
            interpreter.run(segment, &mut memory);
            for &(lit, plane) in &circuit.segments[segment] {
                for (w, values) in values.iter().enumerate() {
                    assert_eq!(memory[plane as usize].0[w], word(values, lit));
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn the_interpreter_agrees_with_the_netlist_on_random_circuits(shape in shape(400), seed: u64) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let circuit = Circuit::random(shape, &mut rng);
        circuit.code.check().unwrap();
        agrees::<1>(&circuit, &mut rng);
        agrees::<2>(&circuit, &mut rng);
        agrees::<4>(&circuit, &mut rng);
        agrees::<8>(&circuit, &mut rng);
    }

    /// A program that is covered sets the same planes, in no more operations.
    #[test]
    fn covered_programs_agree_with_the_netlist(shape in shape(400), seed: u64) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut circuit = Circuit::random(shape, &mut rng);
        let before = circuit.code.ops.len();
        circuit.code = cover(&circuit.code, &Budget::system()).unwrap();
        circuit.code.check().unwrap();
        prop_assert!(circuit.code.ops.len() <= before);
        agrees::<1>(&circuit, &mut rng);
        agrees::<8>(&circuit, &mut rng);
        // Covering again is possible, and changes nothing either.
        circuit.code = cover(&circuit.code, &Budget::system()).unwrap();
        circuit.code.check().unwrap();
        agrees::<1>(&circuit, &mut rng);
    }
}

#[test]
fn a_cycle_may_carry_values_without_operations() {
    // Found by the test above.
    let shape = Shape {
        inputs: 1,
        gates: 246,
        reach: 1,
        segments: 1,
        outputs: 1,
        cycles: 2,
    };
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3407523582877907775);
    let circuit = Circuit::random(shape, &mut rng);
    let loops = circuit
        .code
        .segments
        .iter()
        .flat_map(|segment| &segment.loops);
    assert!(loops.into_iter().any(|l| l.ops.is_empty()));
    agrees::<1>(&circuit, &mut rng);
}
