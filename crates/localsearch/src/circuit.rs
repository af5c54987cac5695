//! The rules of one phase as a list of gates, evaluated in 64 lanes, with known values or with
//! unknown ones.

use netlist::{GameLogic, Gate, Lit, Source};

/// A gate, with the codes of the signals that it reads.
#[derive(Debug, Clone, Copy)]
struct Op {
    node: u32,
    a: u32,
    b: u32,
    xor: bool,
}

/// The value of a signal in all lanes.
pub(crate) fn value(values: &[u64], lit: Lit) -> u64 {
    netlist::word(values, lit)
}

fn of(values: &[u64], code: u32) -> u64 {
    values[(code >> 1) as usize] ^ 0u64.wrapping_sub((code & 1).into())
}

/// What is known of every node, in all lanes: where it is known to be true, and where false.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ternary {
    one: Vec<u64>,
    zero: Vec<u64>,
}

impl Ternary {
    /// Forgets everything about `nodes` nodes but that node 0 is false.
    pub fn clear(&mut self, nodes: usize) {
        for plane in [&mut self.one, &mut self.zero] {
            plane.clear();
            plane.resize(nodes, 0);
        }
        self.zero[0] = u64::MAX;
    }

    /// Sets what is known of a node.
    pub fn set(&mut self, node: usize, one: u64, zero: u64) {
        (self.one[node], self.zero[node]) = (one, zero);
    }

    /// The lanes in which the signal is known to be true.
    pub fn is_one(&self, lit: Lit) -> u64 {
        match lit.is_negated() {
            true => self.zero[lit.node()],
            false => self.one[lit.node()],
        }
    }
}

/// The signals of one phase, and the gates that they need, in two parts: what holds in a state,
/// and what a move leads to.
#[derive(Debug, Clone)]
pub(crate) struct Circuit {
    /// All gates by node.
    pub gates: Vec<Gate>,
    state: Vec<Op>,
    step: Vec<Op>,
    /// For each fact, the node of its input.
    pub facts: Vec<Option<u32>>,
    /// The fact of each node that is one.
    pub fact_of: Vec<Option<u32>>,
    /// For each role and move, the node of its input.
    does: Vec<Vec<Option<u32>>>,
    /// For each role and move, whether it is legal.
    pub legal: Vec<Vec<Lit>>,
    /// For each fact, whether it holds in the next state.
    pub next: Vec<Lit>,
    /// Play is over, and the role has the result.
    pub won: Lit,
    /// Play is over, and the role does not have the result.
    pub lost: Lit,
    /// About how many facts it takes to explain each node, if it is false and if it is true.
    pub cost: Vec<[f32; 2]>,
}

impl Circuit {
    /// The circuit of a phase's logic. `won` tells the signal of the result from the goals,
    /// with further gates.
    pub fn new(mut logic: GameLogic, won: impl FnOnce(&mut GameLogic) -> Lit) -> Option<Circuit> {
        let result = won(&mut logic);
        let won = logic.net.and(logic.terminal, result);
        let lost = logic.net.and(logic.terminal, !result);
        let roots = |lits: &mut dyn Iterator<Item = Lit>| logic.reach(lits);
        let (state, recursive) =
            roots(&mut logic.legal.iter().flatten().copied().chain([won, lost]));
        let (step, recursive_step) = roots(&mut logic.next.iter().copied());
        if recursive || recursive_step {
            return None;
        }
        let ops = |cone: &[bool]| -> Vec<Op> {
            let gates = logic.net.gates().iter().enumerate();
            let op = |(node, &gate): (usize, &Gate)| {
                let (a, b, xor) = match gate {
                    Gate::And(a, b) => (a, b, false),
                    Gate::Xor(a, b) => (a, b, true),
                    Gate::False | Gate::Input(_) => return None,
                };
                let op = Op {
                    node: node as u32,
                    a: a.code(),
                    b: b.code(),
                    xor,
                };
                cone[node].then_some(op)
            };
            gates.filter_map(op).collect()
        };
        let mut fact_of = vec![None; logic.net.len()];
        let mut facts = vec![None; logic.facts.len()];
        let mut does: Vec<Vec<Option<u32>>> = logic
            .does
            .iter()
            .map(|moves| vec![None; moves.len()])
            .collect();
        for (node, &gate) in logic.net.gates().iter().enumerate() {
            let Gate::Input(number) = gate else { continue };
            match logic.sources[number as usize] {
                Source::Fact(fact) => {
                    facts[fact as usize] = Some(node as u32);
                    fact_of[node] = Some(fact);
                }
                Source::Does { role, mv } => {
                    does[usize::from(role)][mv as usize] = Some(node as u32);
                }
                Source::Fix(_) => {}
            }
        }
        Some(Circuit {
            facts,
            does,
            state: ops(&state),
            step: ops(&step),
            cost: costs(&logic, &fact_of),
            fact_of,
            gates: logic.net.gates().to_vec(),
            legal: logic.legal,
            next: logic.next,
            won,
            lost,
        })
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.gates.len()
    }

    /// Evaluates what holds in the states of all lanes.
    pub fn evaluate_state(&self, facts: &[u64], values: &mut Vec<u64>) {
        self.load(facts, values, |word| word);
        run(&self.state, values);
    }

    /// Evaluates what the moves of up to 64 lanes lead to, all from the state in lane `from`.
    ///
    /// `played` has a role's move for every lane that counts; `forced` has the moves of all
    /// other roles.
    pub fn evaluate_step(
        &self,
        facts: &[u64],
        from: u32,
        forced: &[(usize, u32)],
        played: (usize, &[u32]),
        values: &mut Vec<u64>,
    ) {
        self.load(facts, values, |word| 0u64.wrapping_sub(word >> from & 1));
        self.play(forced, played, |node, lanes| values[node] |= lanes);
        run(&self.step, values);
    }

    /// Tells which lanes play what.
    fn play(
        &self,
        forced: &[(usize, u32)],
        (role, moves): (usize, &[u32]),
        mut play: impl FnMut(usize, u64),
    ) {
        let mut input = |role: usize, mv: u32, lanes: u64| {
            if let Some(node) = self.does[role][mv as usize] {
                play(node as usize, lanes);
            }
        };
        for &(role, mv) in forced {
            input(role, mv, u64::MAX);
        }
        for (lane, &mv) in moves.iter().enumerate() {
            input(role, mv, 1 << lane);
        }
    }

    /// The facts of the states after a step.
    pub fn next_facts(&self, values: &[u64], facts: &mut Vec<u64>) {
        facts.clear();
        facts.extend(self.next.iter().map(|&next| value(values, next)));
    }

    fn load(&self, facts: &[u64], values: &mut Vec<u64>, spread: impl Fn(u64) -> u64) {
        values.clear();
        values.resize(self.nodes(), 0);
        for (&node, &word) in self.facts.iter().zip(facts) {
            if let Some(node) = node {
                values[node as usize] = spread(word);
            }
        }
    }

    /// Works out what is known of a state, from what is known of its facts.
    pub fn know_state(&self, known: &mut Ternary) {
        know(&self.state, known);
    }

    /// Works out what is known after moves, one in each lane.
    pub fn know_step(&self, forced: &[(usize, u32)], played: (usize, &[u32]), known: &mut Ternary) {
        for node in self.does.iter().flatten().flatten() {
            known.set(*node as usize, 0, u64::MAX);
        }
        self.play(forced, played, |node, lanes| {
            known.one[node] |= lanes;
            known.zero[node] &= !lanes;
        });
        know(&self.step, known);
    }
}

fn run(ops: &[Op], values: &mut [u64]) {
    for op in ops {
        let (a, b) = (of(values, op.a), of(values, op.b));
        values[op.node as usize] = if op.xor { a ^ b } else { a & b };
    }
}

fn know(ops: &[Op], known: &mut Ternary) {
    let Ternary { one, zero } = known;
    let of = |one: &[u64], zero: &[u64], code: u32| {
        let node = (code >> 1) as usize;
        let swap = 0u64.wrapping_sub((code & 1).into());
        let change = (one[node] ^ zero[node]) & swap;
        (one[node] ^ change, zero[node] ^ change)
    };
    for op in ops {
        let ((a1, a0), (b1, b0)) = (of(one, zero, op.a), of(one, zero, op.b));
        let node = op.node as usize;
        (one[node], zero[node]) = match op.xor {
            false => (a1 & b1, a0 | b0),
            true => (a1 & b0 | a0 & b1, a1 & b1 | a0 & b0),
        };
    }
}

/// About how many facts explain each node. A fact that much depends on is a little cheaper, so
/// that many explanations share it. After Goldstein, "Controllability/observability analysis of
/// digital circuits" (1979).
fn costs(logic: &GameLogic, fact_of: &[Option<u32>]) -> Vec<[f32; 2]> {
    let mut readers = vec![0u32; logic.net.len()];
    for read in logic.net.gates().iter().flat_map(|gate| gate.reads()) {
        readers[read.node()] += 1;
    }
    let mut cost: Vec<[f32; 2]> = Vec::with_capacity(logic.net.len());
    for (node, &gate) in logic.net.gates().iter().enumerate() {
        let of = |lit: Lit| {
            let [no, yes] = cost[lit.node()];
            if lit.is_negated() {
                [yes, no]
            } else {
                [no, yes]
            }
        };
        let both = match gate {
            Gate::False => [0.0, f32::INFINITY],
            Gate::Input(_) if fact_of[node].is_some() => {
                [1.0 + 1.0 / (1.0 + readers[node] as f32); 2]
            }
            Gate::Input(_) => [0.0; 2],
            Gate::And(a, b) => {
                let ([a0, a1], [b0, b1]) = (of(a), of(b));
                [a0.min(b0), a1 + b1]
            }
            Gate::Xor(a, b) => {
                let ([a0, a1], [b0, b1]) = (of(a), of(b));
                let any = a0.min(a1) + b0.min(b1);
                [any, any]
            }
        };
        cost.push(both);
    }
    cost
}
