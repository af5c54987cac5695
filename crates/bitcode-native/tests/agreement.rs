//! Machine code agrees with the interpreter and the netlist.

use bitcode::{Assembler, Code, Evaluator, Interpreter, Plane, TableInterpreter};
use bitcode_native::{Level, Native, Refusal};
use budget::Budget;
use datalog::Program;
use gdl_parse::{ParseOptions, parse};
use netlist::{GameLogic, word};
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use testkit::circuits::{Circuit, Shape, shape};

const LEVELS: [Level; 3] = [Level::Words, Level::Avx2, Level::Avx512];

/// The machine code with the best instructions. `None` on unsupported machines.
fn compiled<const W: usize>(code: &Code) -> Option<Native<W>> {
    at_level(Level::best(W)?, code)
}

/// The machine code of a level. `None` where this machine or the width does not support it.
fn at_level<const W: usize>(level: Level, code: &Code) -> Option<Native<W>> {
    match Native::compile_for(level, code, usize::MAX, &Budget::system()) {
        Ok(native) => Some(native),
        Err(Refusal::Machine) => None,
        Err(refusal) => panic!("{refusal}"),
    }
}

fn memory<const W: usize>(planes: usize, rng: &mut impl Rng) -> Vec<Plane<W>> {
    let mut plane = || Plane(std::array::from_fn(|_| rng.next_u64()));
    (0..planes).map(|_| plane()).collect()
}

/// Runs the segments in turn on equal memories with the interpreter and the machine code of each
/// level. Afterwards all planes of the program must be equal.
fn same<const W: usize>(code: &Code, rng: &mut impl Rng) {
    for level in LEVELS {
        if let Some(native) = at_level::<W>(level, code) {
            same_as(&native, code, rng);
        }
    }
    let covered = bitcode::cover(code, &Budget::system()).unwrap();
    for code in [code, &covered] {
        let tables = TableInterpreter::new(code).unwrap();
        same_as::<W>(&tables, code, rng);
    }
}

fn same_as<const W: usize>(native: &impl Evaluator<W>, code: &Code, rng: &mut impl Rng) {
    let interpreter = Interpreter::new(code);
    let mut left = memory::<W>(Evaluator::<W>::planes(&interpreter), rng);
    let mut right = memory::<W>(native.planes(), rng);
    let planes = code.planes as usize;
    right[..planes].copy_from_slice(&left[..planes]);
    let segments = code.segments.len();
    for segment in (0..segments).chain((1..segments).rev()).chain(0..segments) {
        interpreter.run(segment, &mut left);
        native.run(segment, &mut right);
        assert!(left[..planes] == right[..planes], "segment {segment}");
        if segment == 0 {
            // The caller may move its planes between two segments.
            right = right.clone();
        }
    }
}

proptest! {
    #[test]
    fn machine_code_agrees_with_the_interpreter_on_random_circuits(shape in shape(1500), seed: u64) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let circuit = Circuit::random(shape, &mut rng);
        same::<1>(&circuit.code, &mut rng);
        same::<4>(&circuit.code, &mut rng);
        same::<8>(&circuit.code, &mut rng);
        let Some(native) = compiled::<4>(&circuit.code) else {
            return Ok(());
        };
        let mut memory = memory::<4>(native.planes(), &mut rng);
        let before = memory.clone();
        for (segment, outputs) in circuit.segments.iter().enumerate() {
            native.run(segment, &mut memory);
            for w in 0..4 {
                let inputs: Vec<u64> =
                    circuit.inputs.iter().map(|&plane| before[plane as usize].0[w]).collect();
                let values = circuit.evaluate(&inputs);
                for &(lit, plane) in outputs {
                    prop_assert_eq!(memory[plane as usize].0[w], word(&values, lit));
                }
            }
        }
    }
}

/// Legality, goals and next state, in separate segments.
fn program(logic: &GameLogic) -> Code {
    let inputs = logic.net.inputs() as u32;
    let mut next = inputs;
    let mut places = |lits: Vec<netlist::Lit>| {
        let place = |lit| {
            next += 1;
            (lit, next - 1)
        };
        lits.into_iter().map(place).collect::<Vec<_>>()
    };
    let legal = places(logic.legal_roots().collect());
    let goals = places(logic.goal_roots().collect());
    let after = places(logic.next.clone());
    let planes: Vec<u32> = (0..inputs).collect();
    let mut assembler = Assembler::new(&logic.net, next, &planes);
    for cycle in logic.fixes.chunk_by(|a, b| a.cycle == b.cycle) {
        assembler.cycle(cycle.iter().map(|fix| (fix.input, fix.value)));
    }
    assembler.segment(&legal);
    assembler.segment(&goals);
    assembler.segment(&after);
    assembler.finish()
}

/// Prints, with `--nocapture`, how many operations covering leaves.
#[test]
fn machine_code_agrees_with_the_interpreter_on_all_fixtures() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut seen = 0;
    let (mut all, mut left) = (0, 0);
    for path in testkit::fixtures() {
        let source = std::fs::read_to_string(&path).unwrap();
        let rules = Program::from_sheet(&parse(&source, &ParseOptions::default()).sheet);
        let budget = Budget::system();
        let network = compile::build_network(&rules, &budget).unwrap().network;
        let code = program(&netlist::lower(&network, &budget).unwrap());
        code.check().unwrap();
        same::<1>(&code, &mut rng);
        same::<4>(&code, &mut rng);
        same::<8>(&code, &mut rng);
        let covered = bitcode::cover(&code, &budget).unwrap();
        let (before, after) = (code.ops.len(), covered.ops.len());
        let name = path.file_stem().unwrap_or_default().display();
        println!("{name}: {before} operations, covered {after}");
        (all, left) = (all + before, left + after);
        seen += 1;
    }
    assert!(seen > 20);
    println!("all: {all} operations, covered {left}");
    assert!(4 * left < 3 * all, "{left} of {all} operations");
}

#[test]
fn unsupported_programs_are_rejected() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    let shape = Shape {
        inputs: 20,
        gates: 500,
        reach: 50,
        segments: 2,
        outputs: 30,
        cycles: 0,
    };
    let code = Circuit::random(shape, &mut rng).code;
    let budget = Budget::system();
    assert!(matches!(
        Native::<2>::compile(&code, usize::MAX, &budget),
        Err(Refusal::Machine)
    ));
    if compiled::<4>(&code).is_none() {
        return;
    }
    assert!(matches!(
        Native::<4>::compile(&code, 1000, &budget),
        Err(Refusal::Size)
    ));
    assert!(matches!(
        Native::<4>::compile(&code, usize::MAX, &budget.clone().with_memory(1000)),
        Err(Refusal::Exhausted(budget::Exhausted::Memory))
    ));
    let stop = budget::Stop::default();
    stop.stop();
    assert!(matches!(
        Native::<4>::compile(&code, usize::MAX, &budget.clone().with_stop(stop)),
        Err(Refusal::Exhausted(budget::Exhausted::Stopped))
    ));
    let mut broken = code;
    broken.inputs[3] = broken.planes;
    assert!(matches!(
        Native::<4>::compile(&broken, usize::MAX, &budget),
        Err(Refusal::Malformed(_))
    ));
}

#[test]
fn levels_that_are_not_there_are_told() {
    for (level, words) in [(Level::Words, 1), (Level::Avx2, 4), (Level::Avx512, 8)] {
        if !level.supports(words) {
            println!("skipped: this machine has no {level:?}");
        }
        assert!(!level.supports(2));
    }
}

/// Only one level has instructions for operations on three values.
#[test]
fn programs_with_tables_are_refused_where_there_is_no_instruction() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let shape = Shape {
        inputs: 20,
        gates: 500,
        reach: 50,
        segments: 1,
        outputs: 30,
        cycles: 0,
    };
    let code = Circuit::random(shape, &mut rng).code;
    let covered = bitcode::cover(&code, &Budget::system()).unwrap();
    let tables = |op: &bitcode::Op| matches!(op.kind, bitcode::Kind::Table(_));
    assert!(covered.ops.iter().any(tables) && covered.ops.len() < code.ops.len());
    assert!(at_level::<1>(Level::Words, &covered).is_none());
    assert!(at_level::<4>(Level::Avx2, &covered).is_none());
}

#[test]
fn memory_that_is_too_small_is_not_accessed() {
    let mut net = netlist::Netlist::new();
    let (a, b) = (net.input(), net.input());
    let both = net.and(a, b);
    let mut assembler = Assembler::new(&net, 3, &[0, 1]);
    assembler.segment(&[(both, 2)]);
    let Some(native) = compiled::<4>(&assembler.finish()) else {
        return;
    };
    let mut memory = [Plane::TRUE; 3];
    let run = |memory: &mut [Plane<4>]| {
        let run = std::panic::AssertUnwindSafe(|| native.run(0, memory));
        std::panic::catch_unwind(run)
    };
    assert!(run(&mut memory[..2]).is_err());
    assert!(run(&mut memory).is_ok());
}
