//! Converts a netlist to a program.

use crate::{Code, Kind, Loop, Op, Output, Segment, Term, Value};
use netlist::{Gate, Lit, Netlist};

/// A signal that depends on itself: see [`Assembler::cycle`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Carried {
    /// The input node.
    input: usize,
    /// The signal that it must equal.
    value: Lit,
}

/// The value of a node in the program. It is stored complemented if that is what the operation
/// yields.
#[derive(Debug, Clone, Copy)]
struct Held {
    value: Value,
    negated: bool,
}

/// Writes parts of a netlist as the segments of a program.
///
/// Every and-gate becomes one operation, whatever is complemented: `!a & !b` is stored as its
/// complement `a | b`. Gates come in the order of a walk from the outputs, the deeper operand
/// first, so that values are used soon after they are computed.
pub struct Assembler<'n> {
    net: &'n Netlist,
    code: Code,
    /// The length of the longest path from each node to an input.
    depth: Vec<u32>,
    /// The value of each node, for inputs and after segment 0.
    shared: Vec<Option<Held>>,
    /// The same while a segment is written.
    local: Vec<Option<Held>>,
    /// The nodes that are in `local` but not in `shared`.
    touched: Vec<usize>,
    cycles: Vec<Vec<Carried>>,
    /// The cycle of each input.
    cycle_of: Vec<Option<u32>>,
    /// Whether segment 0 has run each cycle.
    run: Vec<bool>,
}

impl<'n> Assembler<'n> {
    /// Starts a program for a memory of `planes` planes, in which each input of the netlist has
    /// a plane.
    pub fn new(net: &'n Netlist, planes: u32, inputs: &[u32]) -> Self {
        assert_eq!(inputs.len(), net.inputs(), "every input has a plane");
        let mut depth = vec![0; net.len()];
        let mut shared = vec![None; net.len()];
        for (node, &gate) in net.gates().iter().enumerate() {
            depth[node] = gate
                .reads()
                .map(|lit| depth[lit.node()] + 1)
                .max()
                .unwrap_or(0);
            if let Gate::Input(number) = gate {
                shared[node] = Some(Held {
                    value: Value(number),
                    negated: false,
                });
            }
        }
        Assembler {
            net,
            code: Code {
                planes,
                inputs: inputs.to_vec(),
                ..Code::default()
            },
            depth,
            local: shared.clone(),
            shared,
            touched: Vec::new(),
            cycles: Vec::new(),
            cycle_of: vec![None; net.len()],
            run: Vec::new(),
        }
    }

    /// Declares inputs that carry a recursion. Each pair is an input and the signal that it
    /// equals in the least fixpoint. A cycle depends only on itself and on those declared
    /// before it.
    pub fn cycle(&mut self, carried: impl IntoIterator<Item = (Lit, Lit)>) {
        let number = self.cycles.len() as u32;
        let carried: Vec<Carried> = carried
            .into_iter()
            .map(|(input, value)| Carried {
                input: input.node(),
                value,
            })
            .collect();
        for carried in &carried {
            self.cycle_of[carried.input] = Some(number);
        }
        self.cycles.push(carried);
        self.run.push(false);
    }

    /// Adds a segment that sets planes to signals.
    pub fn segment(&mut self, roots: &[(Lit, u32)]) {
        let start = self.code.ops.len() as u32;
        let mut loops = Vec::new();
        let wanted = self.cycles_behind(roots.iter().map(|&(lit, _)| lit));
        for &cycle in &wanted {
            loops.push(self.repeat(cycle));
        }
        for &(lit, _) in roots {
            self.write(lit.node());
        }
        let outputs = roots.iter().map(|&(lit, plane)| Output {
            term: self.term(lit),
            plane,
        });
        let outputs = outputs.collect();
        let first = self.code.segments.is_empty();
        for node in self.touched.drain(..) {
            if first {
                self.shared[node] = self.local[node];
            } else {
                self.local[node] = None;
            }
        }
        if first {
            for cycle in wanted {
                self.run[cycle as usize] = true;
            }
        }
        self.code.segments.push(Segment {
            ops: start..self.code.ops.len() as u32,
            loops,
            outputs,
        });
    }

    /// Returns the finished program.
    pub fn finish(self) -> Code {
        self.code
    }

    /// The cycles that signals depend on, directly or through other cycles, and that have not
    /// been run. Ascending.
    fn cycles_behind(&self, roots: impl Iterator<Item = Lit>) -> Vec<u32> {
        if self.cycles.is_empty() {
            return Vec::new();
        }
        let mut seen = vec![false; self.net.len()];
        let mut wanted = vec![false; self.cycles.len()];
        let mut stack: Vec<usize> = roots.map(Lit::node).collect();
        while let Some(node) = stack.pop() {
            if std::mem::replace(&mut seen[node], true) {
                continue;
            }
            if let Some(cycle) = self.cycle_of[node] {
                let cycle = cycle as usize;
                if !self.run[cycle] && !std::mem::replace(&mut wanted[cycle], true) {
                    stack.extend(self.cycles[cycle].iter().map(|c| c.value.node()));
                }
            }
            if self.local[node].is_none() {
                stack.extend(self.net.gate(node).reads().map(Lit::node));
            }
        }
        (0..self.cycles.len() as u32)
            .filter(|&cycle| wanted[cycle as usize])
            .collect()
    }

    /// Writes a cycle: first the values it needs from outside, then the operations to repeat.
    fn repeat(&mut self, cycle: u32) -> Loop {
        let carried = self.cycles[cycle as usize].clone();
        // Determine which nodes behind the values depend on the cycle's own inputs.
        let mut inside: Vec<Option<bool>> = vec![None; self.net.len()];
        let mut stack: Vec<usize> = carried.iter().map(|c| c.value.node()).collect();
        while let Some(&node) = stack.last() {
            if inside[node].is_some() {
                stack.pop();
                continue;
            }
            let gate = self.net.gate(node);
            if !gate.is_logic() || self.local[node].is_some() {
                inside[node] = Some(self.cycle_of[node] == Some(cycle));
                stack.pop();
                continue;
            }
            let open = stack.len();
            let unknown = gate.reads().map(Lit::node);
            stack.extend(unknown.filter(|&read| inside[read].is_none()));
            if stack.len() == open {
                let any = gate.reads().any(|lit| inside[lit.node()] == Some(true));
                inside[node] = Some(any);
                stack.pop();
            }
        }
        for (node, inside) in inside.iter().enumerate() {
            if *inside == Some(false) {
                self.write(node);
            }
        }
        let start = self.code.ops.len() as u32;
        for carried in &carried {
            self.write(carried.value.node());
        }
        let carried = carried.iter().map(|c| Output {
            term: self.term(c.value),
            plane: match self.net.gate(c.input) {
                Gate::Input(number) => self.code.inputs[number as usize],
                _ => unreachable!("a cycle is carried by inputs"),
            },
        });
        let carried = carried.collect();
        Loop {
            ops: start..self.code.ops.len() as u32,
            carried,
        }
    }

    /// Writes a node and the nodes it needs, unless they are already written.
    fn write(&mut self, root: usize) {
        let mut stack = vec![root];
        while let Some(&node) = stack.last() {
            let gate = self.net.gate(node);
            if !gate.is_logic() || self.local[node].is_some() {
                stack.pop();
                continue;
            }
            let open = stack.len();
            let mut reads: Vec<usize> = gate
                .reads()
                .map(Lit::node)
                .filter(|&read| self.net.gate(read).is_logic() && self.local[read].is_none())
                .collect();
            // The node pushed last is written first.
            reads.sort_by_key(|&read| self.depth[read]);
            stack.extend(reads);
            if stack.len() == open {
                self.emit(node, gate);
                stack.pop();
            }
        }
    }

    fn emit(&mut self, node: usize, gate: Gate) {
        let held = |lit: Lit| {
            let held = self.local[lit.node()].expect("written before");
            (held.value, held.negated != lit.is_negated())
        };
        let (kind, a, b, negated) = match gate {
            Gate::And(a, b) => match (held(a), held(b)) {
                ((a, false), (b, false)) => (Kind::And, a, b, false),
                ((a, true), (b, false)) => (Kind::AndNot, a, b, false),
                ((a, false), (b, true)) => (Kind::AndNot, b, a, false),
                ((a, true), (b, true)) => (Kind::Or, a, b, true),
            },
            Gate::Xor(a, b) => {
                let ((a, not_a), (b, not_b)) = (held(a), held(b));
                (Kind::Xor, a, b, not_a != not_b)
            }
            Gate::False | Gate::Input(_) => return,
        };
        let value = self.code.result(self.code.ops.len() as u32);
        self.code.ops.push(Op::two(kind, a, b));
        self.local[node] = Some(Held { value, negated });
        self.touched.push(node);
    }

    fn term(&self, lit: Lit) -> Term {
        match lit.as_constant() {
            Some(value) => Term::Constant(value),
            None => {
                let held = self.local[lit.node()].expect("written before");
                Term::Value {
                    value: held.value,
                    negated: held.negated != lit.is_negated(),
                }
            }
        }
    }
}
