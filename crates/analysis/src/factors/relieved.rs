//! The logic of nonterminal states, and the facts that moves change.

use budget::{Budget, Exhausted};
use invariants::Groups;
use netlist::{GameLogic, Gate, Lit, Source, copied, moved};
use rustc_hash::FxHashMap;

/// A game's logic, simplified. Legality and the next state are those of nonterminal states,
/// where terminal and all its disjuncts are false. Facts that never change are constants.
pub(super) struct Relieved {
    /// The logic. Its inputs are those of the whole game.
    pub logic: GameLogic,
    /// For each fact, whether some move may change it, directly or later.
    pub moved: Vec<bool>,
    /// For each node, whether it depends on such a fact.
    pub live: Vec<bool>,
}

/// The disjuncts of a signal: the inputs of its tree of or-gates.
pub(super) fn disjuncts(logic: &GameLogic, lit: Lit) -> Vec<Lit> {
    conjuncts(logic, !lit).into_iter().map(|lit| !lit).collect()
}

/// The conjuncts of a signal: the inputs of its tree of and-gates. Ascending, without
/// duplicates.
pub(super) fn conjuncts(logic: &GameLogic, lit: Lit) -> Vec<Lit> {
    let (mut leaves, mut stack) = (Vec::new(), vec![lit]);
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(lit) = stack.pop() {
        if seen.insert(lit) {
            match logic.net.gate(lit.node()) {
                Gate::And(a, b) if !lit.is_negated() => stack.extend([a, b]),
                _ => leaves.push(lit),
            }
        }
    }
    leaves.sort_unstable();
    leaves
}

/// The logic without constants, and with separate signals for nonterminal states.
fn relieve(logic: &GameLogic, groups: &Groups, budget: &Budget) -> Result<GameLogic, Exhausted> {
    let mut net = netlist::Netlist::new();
    let inputs = (0..logic.net.inputs()).map(|_| net.input());
    let inputs: Vec<Lit> = inputs.collect();
    let value = |number: u32| match logic.sources[number as usize] {
        Source::Fact(fact) => groups.constant(fact).map(Lit::constant),
        _ => None,
    };
    let over: FxHashMap<usize, bool> = (disjuncts(logic, logic.terminal).into_iter())
        .chain([logic.terminal])
        .map(|lit| (lit.node(), lit.is_negated()))
        .collect();
    let mut any = vec![Lit::FALSE; logic.net.len()];
    for (node, &gate) in logic.net.gates().iter().enumerate().skip(1) {
        if node % 1024 == 0 {
            budget.check()?;
        }
        any[node] = match gate {
            Gate::Input(number) => value(number).unwrap_or(inputs[number as usize]),
            _ => copied(&mut net, node, gate, &any),
        };
    }
    let mut going = vec![Lit::FALSE; logic.net.len()];
    for (node, &gate) in logic.net.gates().iter().enumerate().skip(1) {
        if node % 1024 == 0 {
            budget.check()?;
        }
        going[node] = match (gate, over.get(&node)) {
            (_, Some(&value)) => Lit::constant(value),
            (Gate::Input(_), None) => any[node],
            (_, None) => copied(&mut net, node, gate, &going),
        };
    }
    let input = |lit: &Lit| match logic.net.gate(lit.node()) {
        Gate::Input(number) => inputs[number as usize] ^ lit.is_negated(),
        _ => moved(&any, *lit),
    };
    budget.check()?;
    let mut relieved = logic.mapped(net, |lit| moved(&any, lit));
    relieved.facts = logic.facts.iter().map(input).collect();
    let then = |lits: &Vec<Lit>| lits.iter().map(|&lit| moved(&going, lit)).collect();
    relieved.legal = logic.legal.iter().map(then).collect();
    relieved.next = then(&logic.next);
    Ok(relieved)
}

/// The nodes that depend on marked facts, and if `moves`, on moves.
fn depending(logic: &GameLogic, facts: &[bool], moves: bool) -> Vec<bool> {
    let mut marked = vec![false; logic.net.len()];
    // A recursive signal may depend on later nodes, so repeat until nothing changes.
    loop {
        for (node, &gate) in logic.net.gates().iter().enumerate() {
            marked[node] |= match gate {
                Gate::False => false,
                Gate::Input(number) => match logic.sources[number as usize] {
                    Source::Fact(fact) => facts[fact as usize],
                    Source::Does { .. } => moves,
                    Source::Fix(_) => false,
                },
                Gate::And(a, b) | Gate::Xor(a, b) => marked[a.node()] || marked[b.node()],
            };
        }
        let mut changed = false;
        for fix in &logic.fixes {
            let (from, to) = (fix.value.node(), fix.input.node());
            changed |= marked[from] && !marked[to];
            marked[to] |= marked[from];
        }
        if !changed {
            return marked;
        }
    }
}

impl Relieved {
    /// Simplifies the logic by the proved invariants.
    pub fn new(logic: &GameLogic, groups: &Groups, budget: &Budget) -> Result<Self, Exhausted> {
        let logic = relieve(logic, groups, budget)?;
        let mut changed = vec![false; logic.facts.len()];
        loop {
            budget.check()?;
            let marked = depending(&logic, &changed, true);
            let mut grown = false;
            for (fact, next) in logic.next.iter().enumerate() {
                let constant = groups.constant(fact as u32).is_some();
                if !constant && marked[next.node()] {
                    grown |= !std::mem::replace(&mut changed[fact], true);
                }
            }
            if !grown {
                break;
            }
        }
        budget.check()?;
        let live = depending(&logic, &changed, false);
        Ok(Relieved {
            moved: changed,
            live,
            logic,
        })
    }

    /// Recomputes which nodes depend on facts that moves change, after nodes were added.
    pub fn look_again(&mut self) {
        self.live = depending(&self.logic, &self.moved, false);
    }

    /// Whether a signal depends on facts that moves change.
    pub fn is_live(&self, lit: Lit) -> bool {
        self.live[lit.node()]
    }

    /// The facts that moves change.
    pub fn facts(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.moved.len()).filter(|&fact| self.moved[fact])
    }
}
