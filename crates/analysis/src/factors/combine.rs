//! Terminality and goals of the whole game as functions of the outputs of the factors.

use super::conditions::{Conditions, Of};
use super::relieved::{Relieved, conjuncts};
use budget::{Budget, Exhausted};
use netlist::{Gate, Lit, Netlist, Source, copied, moved};
use rustc_hash::FxHashMap;

/// The meaning of an input of a [`Combination`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Input {
    /// A control fact (no move changes it), by its position in the vocabulary of the whole game.
    Control(u32),
    /// An output of a factor.
    Output {
        /// The number of the factor.
        factor: usize,
        /// The number of the output.
        output: usize,
    },
}

/// The form in which a signal of the whole game depends on the outputs of the factors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operator {
    /// It depends on no factor.
    Fixed,
    /// It depends on this factor alone.
    Of(usize),
    /// It is a disjunction with one disjunct per factor.
    Any,
    /// It is a conjunction with one conjunct per factor.
    All,
    /// It has another form.
    Other,
}

/// Terminality and goals of the whole game as circuits over the outputs of the factors.
#[derive(Debug, Clone)]
pub struct Combination {
    /// The gates.
    pub net: Netlist,
    /// The meaning of the inputs of `net`, by their numbers.
    pub inputs: Vec<Input>,
    /// Whether play has ended.
    pub terminal: Lit,
    /// For each role, its results, and the signals that give them.
    pub goals: Vec<Vec<(u8, Lit)>>,
    /// For each role and move, the preconditions of its legality on control facts. A move is
    /// legal if this holds and its action in each factor is legal there.
    pub permits: Vec<Vec<Lit>>,
}

impl Default for Combination {
    fn default() -> Self {
        Combination {
            net: Netlist::new(),
            inputs: Vec::new(),
            terminal: Lit::FALSE,
            goals: Vec::new(),
            permits: Vec::new(),
        }
    }
}

impl Combination {
    /// The values of all nodes in 64 states, given those of the inputs.
    pub fn evaluate(&self, value: impl Fn(Input) -> u64) -> Vec<u64> {
        let inputs: Vec<u64> = self.inputs.iter().map(|&input| value(input)).collect();
        self.net.evaluate(&inputs)
    }

    /// The form in which a signal depends on the outputs of the factors.
    pub fn operator(&self, signal: Lit) -> Operator {
        let leaves = |lit: Lit| {
            let (mut leaves, mut stack) = (Vec::new(), vec![lit]);
            while let Some(lit) = stack.pop() {
                match self.net.gate(lit.node()) {
                    Gate::And(a, b) if !lit.is_negated() => stack.extend([a, b]),
                    _ => leaves.push(lit),
                }
            }
            leaves
        };
        let factors = |lit: Lit| {
            let cone = self.net.cone([lit]);
            let inputs =
                cone.iter()
                    .zip(self.net.gates())
                    .filter_map(|(&marked, &gate)| match gate {
                        Gate::Input(number) if marked => Some(self.inputs[number as usize]),
                        _ => None,
                    });
            let factors = inputs.filter_map(|input| match input {
                Input::Output { factor, .. } => Some(factor),
                Input::Control(_) => None,
            });
            let mut factors: Vec<usize> = factors.collect();
            factors.sort_unstable();
            factors.dedup();
            factors
        };
        match factors(signal)[..] {
            [] => return Operator::Fixed,
            [factor] => return Operator::Of(factor),
            _ => {}
        }
        let apart = |lit: Lit| leaves(lit).into_iter().all(|leaf| factors(leaf).len() < 2);
        if apart(!signal) {
            Operator::Any
        } else if apart(signal) {
            Operator::All
        } else {
            Operator::Other
        }
    }

    /// Writes a signal to another netlist, with `given` for the inputs.
    pub(super) fn written(&self, net: &mut Netlist, signal: Lit, given: &[Lit]) -> Lit {
        let cone = self.net.cone([signal]);
        let mut now = vec![Lit::FALSE; self.net.len()];
        for (node, &gate) in self.net.gates().iter().enumerate() {
            now[node] = match gate {
                Gate::Input(number) => given[number as usize],
                _ if cone[node] => copied(net, node, gate, &now),
                _ => Lit::FALSE,
            };
        }
        moved(&now, signal)
    }
}

/// The outputs of a factor, each a conjunction of signals of the whole game.
pub(super) type Outputs = Vec<Vec<Lit>>;

/// Writes a combination.
struct Writer<'a> {
    game: &'a Relieved,
    labels: Vec<Of>,
    factor_of: &'a FxHashMap<u32, usize>,
    net: Netlist,
    inputs: Vec<Input>,
    given: FxHashMap<Input, Lit>,
    outputs: Vec<Outputs>,
    known: FxHashMap<Vec<Lit>, Lit>,
    /// The new signals of nodes that depend on control facts only, and of nodes that join parts.
    now: Vec<Lit>,
}

impl Writer<'_> {
    fn input(&mut self, input: Input) -> Lit {
        if let Some(&lit) = self.given.get(&input) {
            return lit;
        }
        let lit = self.net.input();
        self.inputs.push(input);
        self.given.insert(input, lit);
        lit
    }

    /// The output for a conjunction of signals of one part.
    fn seen(&mut self, part: u32, mut lits: Vec<Lit>) -> Lit {
        lits.sort_unstable();
        let negate = lits.len() == 1 && lits[0].is_negated();
        lits[0] = lits[0] ^ negate;
        let lit = match self.known.get(&lits) {
            Some(&lit) => lit,
            None => {
                let factor = self.factor_of[&part];
                let output = self.outputs[factor].len();
                self.outputs[factor].push(lits.clone());
                let lit = self.input(Input::Output { factor, output });
                self.known.insert(lits, lit);
                lit
            }
        };
        lit ^ negate
    }

    fn signal(&mut self, lit: Lit) -> Lit {
        match self.labels[lit.node()] {
            Of::Part(part) => self.seen(part, vec![lit]),
            Of::Nothing | Of::Several => moved(&self.now, lit),
        }
    }

    fn joint(&mut self, node: usize) -> Lit {
        let logic = &self.game.logic;
        if let Gate::Xor(a, b) = logic.net.gate(node) {
            let (a, b) = (self.signal(a), self.signal(b));
            return self.net.xor(a, b);
        }
        let mut of_part: std::collections::BTreeMap<u32, Vec<Lit>> = Default::default();
        let mut lits = Vec::new();
        for leaf in conjuncts(logic, Lit::new(node, false)) {
            match self.labels[leaf.node()] {
                Of::Part(part) => of_part.entry(part).or_default().push(leaf),
                Of::Nothing | Of::Several => lits.push(moved(&self.now, leaf)),
            }
        }
        for (part, group) in of_part {
            lits.push(self.seen(part, group));
        }
        self.net.and_all(lits)
    }
}

/// Builds the combination and the outputs that it needs of each factor. `factor_of` maps parts
/// to factors.
pub(super) fn combine(
    game: &Relieved,
    conditions: &Conditions<'_>,
    labels: Vec<Of>,
    factor_of: &FxHashMap<u32, usize>,
    budget: &Budget,
) -> Result<(Combination, Vec<Outputs>), Exhausted> {
    let logic = &game.logic;
    let factors = factor_of.len();
    let heads = conditions.heads(&labels);
    let mut writer = Writer {
        game,
        labels,
        factor_of,
        net: Netlist::new(),
        inputs: Vec::new(),
        given: FxHashMap::default(),
        outputs: vec![Vec::new(); factors],
        known: FxHashMap::default(),
        now: vec![Lit::FALSE; logic.net.len()],
    };
    let cone = logic
        .net
        .cone(logic.legal_roots().chain(logic.goal_roots()));
    for (node, &gate) in logic.net.gates().iter().enumerate() {
        if !cone[node] || game.live[node] {
            continue;
        }
        writer.now[node] = match gate {
            Gate::Input(number) => match logic.sources[number as usize] {
                Source::Fact(fact) => writer.input(Input::Control(fact)),
                Source::Does { .. } | Source::Fix(_) => Lit::FALSE,
            },
            _ => copied(&mut writer.net, node, gate, &writer.now),
        };
    }
    for head in heads {
        budget.check()?;
        writer.now[head] = writer.joint(head);
    }
    let terminal = writer.signal(logic.terminal);
    let mut goals = Vec::new();
    for row in &logic.goals {
        let row = row.iter().map(|&(value, lit)| (value, writer.signal(lit)));
        goals.push(row.collect());
    }
    let mut permits = Vec::new();
    for row in &logic.legal {
        let mut permitted = Vec::new();
        for &legal in row {
            budget.check()?;
            let control = conjuncts(logic, legal).into_iter();
            let control = control.filter(|&leaf| !game.is_live(leaf));
            let control: Vec<Lit> = control.map(|leaf| moved(&writer.now, leaf)).collect();
            permitted.push(writer.net.and_all(control));
        }
        permits.push(permitted);
    }
    let combination = Combination {
        net: writer.net,
        inputs: writer.inputs,
        terminal,
        goals,
        permits,
    };
    Ok((combination, writer.outputs))
}
