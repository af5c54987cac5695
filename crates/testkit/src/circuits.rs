//! Random netlists and their programs.

use bitcode::{Assembler, Code};
use netlist::{Gate, Lit, Netlist, word};
use proptest::prelude::Strategy;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, RngExt};

/// The size of a random circuit.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// Number of inputs, at least one.
    pub inputs: usize,
    /// Number of gates requested. The result has fewer, because gates are not duplicated.
    pub gates: usize,
    /// Gates read mostly signals at most this far back. Small numbers make long chains, large
    /// ones make many long-lived values.
    pub reach: usize,
    /// Number of segments, at least one.
    pub segments: usize,
    /// Number of outputs of each segment.
    pub outputs: usize,
    /// Number of cycles.
    pub cycles: usize,
}

/// Shapes with up to `gates` gates.
pub fn shape(gates: usize) -> impl Strategy<Value = Shape> {
    (
        1..60usize,
        0..gates,
        1..gates,
        1..4usize,
        0..80usize,
        0..3usize,
    )
        .prop_map(|(inputs, gates, reach, segments, outputs, cycles)| Shape {
            inputs,
            gates,
            reach,
            segments,
            outputs,
            cycles,
        })
}

/// A netlist, and a program with some of its signals as outputs.
pub struct Circuit {
    /// The netlist.
    pub net: Netlist,
    /// For each segment, its output signals and their planes.
    pub segments: Vec<Vec<(Lit, u32)>>,
    /// The plane of each input.
    pub inputs: Vec<u32>,
    /// The program.
    pub code: Code,
    cycles: Vec<Vec<(Lit, Lit)>>,
}

impl Circuit {
    /// Creates a random circuit.
    pub fn random(shape: Shape, rng: &mut impl Rng) -> Circuit {
        let mut net = Netlist::new();
        let mut pool: Vec<Lit> = (0..shape.inputs.max(1)).map(|_| net.input()).collect();
        let mut cycles = Vec::new();
        for part in 0..=shape.cycles {
            for _ in 0..shape.gates / (shape.cycles + 1) {
                let a = near(&pool, shape.reach, rng);
                let b = near(&pool, shape.reach, rng);
                let lit = match rng.random_range(0..8) {
                    0 | 1 => net.xor(a, b),
                    2 => {
                        let c = near(&pool, shape.reach, rng);
                        net.mux(a, b, c)
                    }
                    3 | 4 => net.or(a, b),
                    _ => net.and(a, b),
                };
                if lit.as_constant().is_none() {
                    pool.push(lit);
                }
            }
            if part < shape.cycles {
                cycles.push(cycle(&mut net, &mut pool, shape, rng));
            }
        }
        let inputs = net.inputs();
        // Planes in any order, some of them unused.
        let mut planes: Vec<u32> = (0..(inputs + shape.outputs + 3) as u32).collect();
        planes.shuffle(rng);
        let segments: Vec<Vec<(Lit, u32)>> = (0..shape.segments.max(1))
            .map(|_| {
                let planes = planes[inputs..].iter().take(shape.outputs);
                let root = |&plane: &u32| match rng.random_range(0..20) {
                    0 => (Lit::constant(rng.random()), plane),
                    1 => (near(&pool, usize::MAX, rng), plane),
                    _ => (near(&pool, shape.outputs * 2, rng), plane),
                };
                planes.map(root).collect()
            })
            .collect();
        let count = planes.len() as u32;
        planes.truncate(inputs);
        let mut assembler = Assembler::new(&net, count, &planes);
        for cycle in &cycles {
            assembler.cycle(cycle.iter().copied());
        }
        for segment in &segments {
            assembler.segment(segment);
        }
        let code = assembler.finish();
        Circuit {
            segments,
            inputs: planes,
            code,
            cycles,
            net,
        }
    }

    /// The inputs that are not part of a cycle.
    pub fn free_inputs(&self) -> Vec<usize> {
        let carried = |lit: Lit| self.cycles.iter().flatten().any(|&(input, _)| input == lit);
        let inputs = self.net.gates().iter().enumerate();
        inputs
            .filter_map(|(node, gate)| match gate {
                Gate::Input(number) if !carried(Lit::new(node, false)) => Some(*number as usize),
                _ => None,
            })
            .collect()
    }

    /// The values of all nodes, given a word for each input. The words of inputs on cycles are
    /// ignored.
    pub fn evaluate(&self, inputs: &[u64]) -> Vec<u64> {
        let mut inputs = inputs.to_vec();
        let number = |lit: Lit| match self.net.gate(lit.node()) {
            Gate::Input(number) => number as usize,
            gate => panic!("{gate:?} carries a cycle"),
        };
        for &(input, _) in self.cycles.iter().flatten() {
            inputs[number(input)] = 0;
        }
        for cycle in &self.cycles {
            loop {
                let values = self.net.evaluate(&inputs);
                let mut stable = true;
                for &(input, value) in cycle {
                    let now = word(&values, value);
                    let input = &mut inputs[number(input)];
                    stable &= *input == now;
                    *input = now;
                }
                if stable {
                    break;
                }
            }
        }
        self.net.evaluate(&inputs)
    }
}

/// A signal, perhaps complemented, usually a recent one.
fn near(pool: &[Lit], reach: usize, rng: &mut impl Rng) -> Lit {
    let from = match rng.random_range(0..8) {
        0 => 0,
        _ => pool.len().saturating_sub(reach.max(1)),
    };
    pool[rng.random_range(from..pool.len())] ^ rng.random::<bool>()
}

/// Adds signals that depend on themselves, without complements on the cycle.
fn cycle(
    net: &mut Netlist,
    pool: &mut Vec<Lit>,
    shape: Shape,
    rng: &mut impl Rng,
) -> Vec<(Lit, Lit)> {
    let inputs: Vec<Lit> = (0..rng.random_range(1..6)).map(|_| net.input()).collect();
    let mut inside = inputs.clone();
    for _ in 0..rng.random_range(1..60) {
        let a = near(&inside, shape.reach, rng);
        let a = Lit::new(a.node(), false);
        let Some(&a) = inside.iter().find(|lit| lit.node() == a.node()) else {
            continue;
        };
        let b = if rng.random() {
            *inside.choose(rng).expect("not empty")
        } else {
            near(pool, shape.reach, rng)
        };
        let lit = if rng.random() {
            net.and(a, b)
        } else {
            net.or(a, b)
        };
        if lit.as_constant().is_none() {
            inside.push(lit);
        }
    }
    let carried = inputs
        .iter()
        .map(|&input| (input, *inside.choose(rng).expect("not empty")))
        .collect();
    pool.extend(inside);
    carried
}
