//! Converts a netlist to a program on words.

use crate::places::{self, Group, Results};
use crate::program::{Kind, Op, Place, Program};
use netlist::{Gate, Lit, Netlist};
use rustc_hash::FxHashMap;

/// In gates with more operands than this, operands that are bits of one word are tested
/// together.
const WIDE: usize = 8;
/// The minimum number of bits of one word that are tested together.
const GROUP: usize = 3;

/// The position of a value: a bit of a slot, possibly complemented.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Held {
    pub slot: u32,
    /// The bit. [`Held::EVERY`] if all bits of the slot are the value.
    pub bit: u8,
    pub negated: bool,
}

/// The source of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Value {
    Constant(bool),
    Held(Held),
}

impl Held {
    pub const EVERY: u8 = 64;

    fn negate_if(self, negate: bool) -> Held {
        Held {
            negated: self.negated != negate,
            ..self
        }
    }
}

/// Writes programs for parts of one netlist, which may grow between programs.
#[derive(Debug, Clone)]
pub struct Packer {
    /// The positions of the nodes whose values are given.
    given: Vec<Option<Place>>,
    words: usize,
    /// The positions of nodes in the current program.
    held: Vec<Option<Held>>,
    reads: Vec<u32>,
    work: usize,
}

/// A program under construction.
#[derive(Default)]
struct Draft {
    inputs: u32,
    ops: Vec<Op>,
    masks: Vec<u64>,
    known: FxHashMap<Op, u32>,
    known_masks: FxHashMap<u64, u32>,
}

impl Packer {
    /// Creates a packer for programs that read `words` input words. The nodes with a place in
    /// `given` have their values there. `given` is by node and may be shorter than the netlist.
    pub fn new(given: Vec<Option<Place>>, words: usize) -> Self {
        Packer {
            given,
            words,
            held: Vec::new(),
            reads: Vec::new(),
            work: 0,
        }
    }

    /// Gives a node a place in the next programs, or takes it away.
    pub fn give(&mut self, node: usize, place: Option<Place>) {
        if self.given.len() <= node {
            self.given.resize(node + 1, None);
        }
        self.given[node] = place;
    }

    /// The next programs read `words` input words.
    pub fn set_words(&mut self, words: usize) {
        self.words = words;
    }

    /// The number of gates in the last program.
    pub fn work(&self) -> usize {
        self.work
    }

    /// Writes a program that sets bits to signals. The other bits of the output words stay. No
    /// bit may occur twice.
    pub fn pack(&mut self, net: &Netlist, outputs: &[(Lit, Place)]) -> Program {
        let (draft, cone) = self.draft(net, outputs.iter().map(|&(lit, _)| lit));
        let mut sorted: Vec<(Lit, Place)> = outputs.to_vec();
        sorted.sort_unstable_by_key(|&(_, place)| place);
        let mut results = Results::default();
        for (lit, place) in sorted {
            results.put(self.result(lit), place);
        }
        self.clear(&cone);
        draft.finish(self.words, results)
    }

    /// Writes a program that stores groups of signals in words of its own choice.
    ///
    /// Each group begins a new word, and all other bits of the words are zero. Also returns the
    /// words of each group and the position of each signal.
    pub fn pack_groups(&mut self, net: &Netlist, groups: &[&[Lit]]) -> (Program, Vec<Group>) {
        let (draft, cone) = self.draft(net, groups.iter().copied().flatten().copied());
        let mut results = Results::default();
        let mut placed = Vec::new();
        for &group in groups {
            let lits: Vec<Value> = group.iter().map(|&lit| self.result(lit)).collect();
            placed.push(places::choose(&lits, &mut results));
        }
        self.clear(&cone);
        (draft.finish(self.words, results), placed)
    }

    /// Writes the operations that signals need.
    fn draft(&mut self, net: &Netlist, roots: impl Iterator<Item = Lit>) -> (Draft, Vec<u32>) {
        let mut draft = Draft {
            inputs: self.words as u32,
            ..Draft::default()
        };
        let cone = self.cone(net, roots);
        for &node in &cone {
            let node = node as usize;
            let held = match (self.place(node), net.gate(node)) {
                (Some(place), _) => Held {
                    slot: place.word() as u32,
                    bit: place.bit() as u8,
                    negated: false,
                },
                (None, Gate::False) => continue,
                (None, Gate::Input(_)) => unreachable!("inputs that are needed have a place"),
                (None, Gate::And(..)) if self.absorbed(node) => continue,
                (None, Gate::And(..)) => {
                    let operands = self.operands(net, node);
                    draft.all(operands)
                }
                (None, Gate::Xor(a, b)) => draft.xor(self.at(a), self.at(b)),
            };
            self.held[node] = Some(held);
        }
        self.work = cone.len();
        (draft, cone)
    }

    /// Clears the state for the next program.
    fn clear(&mut self, cone: &[u32]) {
        for &node in cone {
            self.held[node as usize] = None;
            self.reads[node as usize] = 0;
        }
    }

    fn result(&self, lit: Lit) -> Value {
        match lit.as_constant() {
            Some(value) => Value::Constant(value),
            None => Value::Held(self.at(lit)),
        }
    }

    /// The nodes that outputs depend on, ascending. Also counts the reads of each node. A read
    /// other than as an uncomplemented operand of an and-gate counts twice.
    fn cone(&mut self, net: &Netlist, roots: impl Iterator<Item = Lit>) -> Vec<u32> {
        self.held.resize(net.len(), None);
        self.reads.resize(net.len(), 0);
        let mut cone = Vec::new();
        let mut stack: Vec<usize> = Vec::new();
        for lit in roots {
            if self.reads[lit.node()] == 0 {
                stack.push(lit.node());
            }
            self.reads[lit.node()] += 2;
        }
        while let Some(node) = stack.pop() {
            cone.push(node as u32);
            if self.place(node).is_some() {
                continue;
            }
            let gate = net.gate(node);
            let plain = |lit: Lit| matches!(gate, Gate::And(..)) && !lit.is_negated();
            for lit in gate.reads() {
                let reads = &mut self.reads[lit.node()];
                if *reads == 0 {
                    stack.push(lit.node());
                }
                *reads += if plain(lit) { 1 } else { 2 };
            }
        }
        cone.sort_unstable();
        cone
    }

    fn place(&self, node: usize) -> Option<Place> {
        self.given.get(node).copied().flatten()
    }

    /// Whether an and-gate is an operand of only one other, into which it is merged.
    fn absorbed(&self, node: usize) -> bool {
        self.reads[node] == 1
    }

    fn at(&self, lit: Lit) -> Held {
        let held = self.held[lit.node()].expect("operands come first");
        held.negate_if(lit.is_negated())
    }

    /// All operands of an and-gate and of those merged into it.
    fn operands(&self, net: &Netlist, node: usize) -> Vec<Held> {
        let mut operands = Vec::new();
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            for lit in net.gate(node).reads() {
                let is_and = matches!(net.gate(lit.node()), Gate::And(..))
                    && self.place(lit.node()).is_none();
                if is_and && self.absorbed(lit.node()) {
                    stack.push(lit.node());
                } else {
                    operands.push(self.at(lit));
                }
            }
        }
        operands.sort_unstable();
        operands.dedup();
        operands
    }
}

impl Draft {
    fn finish(self, words: usize, results: Results) -> Program {
        Program {
            inputs: words,
            ops: self.ops.into(),
            masks: self.masks.into(),
            frames: results.frames.into(),
            outs: results.outs.into(),
        }
    }

    /// The slot of an operation's result. The operation is added if it does not exist.
    fn op(&mut self, op: Op) -> u32 {
        let next = self.inputs + self.ops.len() as u32;
        *self.known.entry(op).or_insert_with(|| {
            self.ops.push(op);
            next
        })
    }

    /// The operation on two values, and the position of its result.
    fn plan(a: Held, b: Held, xor: bool) -> (Op, Held) {
        // Similar gates must give the same operation, so the order of operands is canonical.
        // The lower slot comes first. Of two bits in one slot, the one with the shorter
        // rotation to the other comes first. A value in every bit comes last.
        let steps = |from: Held, to: Held| to.bit.wrapping_sub(from.bit) % 64;
        let swap = match (a.bit == Held::EVERY, b.bit == Held::EVERY) {
            (false, true) => false,
            (true, false) => true,
            _ if a.slot != b.slot => a.slot > b.slot,
            _ => match steps(a, b).cmp(&steps(b, a)) {
                std::cmp::Ordering::Less => false,
                std::cmp::Ordering::Greater => true,
                // A rotation by 32 bits, or the same bit.
                std::cmp::Ordering::Equal => a > b,
            },
        };
        let (a, b) = if swap { (b, a) } else { (a, b) };
        let turn = match b.bit {
            Held::EVERY => 0,
            _ => steps(a, b),
        };
        let (kind, negated) = match (xor, a.negated, b.negated) {
            (true, a, b) => (Kind::Xor, a != b),
            (false, false, false) => (Kind::And, false),
            (false, true, false) => (Kind::NotAnd, false),
            (false, false, true) => (Kind::AndNot, false),
            (false, true, true) => (Kind::Or, true),
        };
        let op = Op {
            kind,
            turn,
            a: a.slot,
            b: b.slot,
        };
        let held = Held {
            slot: u32::MAX,
            bit: a.bit,
            negated,
        };
        (op, held)
    }

    fn make(&mut self, (op, held): (Op, Held)) -> Held {
        Held {
            slot: self.op(op),
            ..held
        }
    }

    fn xor(&mut self, a: Held, b: Held) -> Held {
        self.make(Self::plan(a, b, true))
    }

    /// The and of all values, which are sorted.
    fn all(&mut self, mut values: Vec<Held>) -> Held {
        if values.len() > WIDE {
            self.test_groups(&mut values);
        }
        while values.len() > 1 {
            if values.len() <= WIDE
                && let Some((i, j)) = self.known_pair(&values)
            {
                let held = self.make(Self::plan(values[i], values[j], false));
                values.remove(j);
                values.remove(i);
                let at = values.partition_point(|value| *value < held);
                values.insert(at, held);
                continue;
            }
            let mut next = Vec::with_capacity(values.len().div_ceil(2));
            for pair in values.chunks(2) {
                next.push(match *pair {
                    [a, b] => self.make(Self::plan(a, b, false)),
                    _ => pair[0],
                });
            }
            next.sort_unstable();
            next.dedup();
            values = next;
        }
        values[0]
    }

    /// Two values whose conjunction exists already.
    fn known_pair(&self, values: &[Held]) -> Option<(usize, usize)> {
        for (i, &a) in values.iter().enumerate() {
            for (j, &b) in values.iter().enumerate().skip(i + 1) {
                if self.known.contains_key(&Self::plan(a, b, false).0) {
                    return Some((i, j));
                }
            }
        }
        None
    }

    /// Replaces values that are bits of one word by one value that tests them all.
    fn test_groups(&mut self, values: &mut Vec<Held>) {
        // Sorting makes values of one slot adjacent, with negated ones separate.
        values.sort_unstable_by_key(|value| (value.slot, value.negated, value.bit));
        let mut after = Vec::new();
        for group in values.chunk_by(|a, b| (a.slot, a.negated) == (b.slot, b.negated)) {
            if group.len() < GROUP {
                after.extend_from_slice(group);
                continue;
            }
            let mask = group.iter().fold(0u64, |mask, value| mask | 1 << value.bit);
            let masks = &mut self.masks;
            let b = *self.known_masks.entry(mask).or_insert_with(|| {
                masks.push(mask);
                masks.len() as u32 - 1
            });
            let (kind, negated) = match group[0].negated {
                true => (Kind::Any, true),
                false => (Kind::All, false),
            };
            let slot = self.op(Op {
                kind,
                turn: 0,
                a: group[0].slot,
                b,
            });
            after.push(Held {
                slot,
                bit: Held::EVERY,
                negated,
            });
        }
        after.sort_unstable();
        *values = after;
    }
}
