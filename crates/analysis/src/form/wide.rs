//! The logic of a game with gates of any width.
//!
//! Which two inputs share a two-input gate depends on the order of the rules; the set of all
//! inputs of a wide gate does not.

use super::graph::{Edge, Graph};
use budget::{Budget, Exhausted};
use netlist::{GameLogic, Gate, Lit, Source};
use rustc_hash::FxHashMap;

/// Maximum number of inputs of all gates together, per gate of the netlist. Above it there is no
/// form: where long gates share most of their inputs, expanding them is expensive.
const WIDE: usize = 64;
/// Approximate memory for an input in bytes: each is stored twice, and is an edge both ways.
const BYTES: usize = 40;
/// Gates between two checks of the budget.
const STRIDE: usize = 1024;

/// A vertex, or its complement.
type Signal = (u32, bool);

/// The kinds of vertices. Kinds of roles, results and cycles also include a number. Facts come
/// first, so that ties between them are broken before those of gates.
mod kind {
    pub const FALSE: u64 = 2;
    pub const AND: u64 = 3;
    pub const XOR: u64 = 4;
    pub const FACT: u64 = 0;
    pub const INITIAL: u64 = 1;
    pub const NEXT: u64 = 5;
    pub const TERMINAL: u64 = 6;
    pub const FIX: u64 = 7;
    pub const DOES: u64 = 1 << 32;
    pub const LEGAL: u64 = 2 << 32;
    pub const GOAL: u64 = 3 << 32;
}

/// A logic of gates of any width.
#[derive(Default)]
pub(super) struct Wide {
    kinds: Vec<u64>,
    inputs: Vec<Vec<Signal>>,
    known: FxHashMap<(u64, Vec<Signal>), u32>,
    /// The signal that stands for each node of the netlist.
    signals: Vec<Signal>,
    /// Pairs of an input and a vertex that refers to it: the next value of a fact, the legality
    /// of a move.
    about: Vec<(u32, u32)>,
    /// Inputs of all gates together.
    size: usize,
}

/// A gate with more complemented and-gates among its inputs than this is not simplified by
/// comparing them.
const PAIRS: usize = 64;

/// The simplification of one complemented and-gate by another that also holds.
enum Less {
    /// It is implied by the other.
    Nothing,
    /// This input can be removed from it.
    Without(Signal),
}

/// Simplifies "not all of `these`" given "not all of `others`".
///
/// That is possible if all of `others` are among `these`, or all but one whose complement is.
fn less(these: &[Signal], others: &[Signal]) -> Option<Less> {
    if others.len() > these.len() {
        return None;
    }
    let among = |signal: &Signal| these.binary_search(signal).is_ok();
    let mut rest = others.iter().filter(|signal| !among(signal));
    match (rest.next(), rest.next()) {
        (None, _) => Some(Less::Nothing),
        (Some(&(one, negated)), None) if among(&(one, !negated)) => {
            Some(Less::Without((one, !negated)))
        }
        _ => None,
    }
}

fn sorted(mut signals: Vec<Signal>) -> Vec<Signal> {
    signals.sort_unstable();
    signals.dedup();
    signals
}

const FALSE: Signal = (0, false);
const TRUE: Signal = (0, true);

impl Wide {
    /// Reads the gates of a netlist. False if they become too wide.
    pub(super) fn read(&mut self, logic: &GameLogic, budget: &Budget) -> Result<bool, Exhausted> {
        self.vertex(kind::FALSE, Vec::new());
        let mut initial = vec![false; logic.facts.len()];
        for &fact in &logic.words.initial {
            initial[fact as usize] = true;
        }
        for (done, &gate) in logic.net.gates().iter().enumerate() {
            if done % STRIDE == 0 {
                budget.check()?;
                budget.check_memory(self.size.saturating_mul(BYTES))?;
                if self.size > WIDE * logic.net.len() {
                    return Ok(false);
                }
            }
            let signal = match gate {
                Gate::False => FALSE,
                Gate::Input(number) => {
                    let kind = match logic.sources[number as usize] {
                        Source::Fact(fact) if initial[fact as usize] => kind::INITIAL,
                        Source::Fact(_) => kind::FACT,
                        Source::Does { role, .. } => kind::DOES + u64::from(role),
                        Source::Fix(_) => kind::FIX,
                    };
                    (self.vertex(kind, Vec::new()), false)
                }
                Gate::And(a, b) => self.and(vec![self.signal(a), self.signal(b)]),
                Gate::Xor(a, b) => self.xor(self.signal(a), self.signal(b)),
            };
            self.signals.push(signal);
        }
        budget.check_memory(self.size.saturating_mul(BYTES))?;
        Ok(true)
    }

    /// Adds the outputs: next values, legality, results and terminality.
    pub(super) fn finish(&mut self, logic: &GameLogic) {
        let mut root = |kind, lit: Lit, about: Option<Lit>| {
            let vertex = self.vertex(kind, vec![self.signal(lit)]);
            if let Some(input) = about {
                self.about.push((self.signal(input).0, vertex));
            }
        };
        for (&fact, &next) in logic.facts.iter().zip(&logic.next) {
            root(kind::NEXT, next, Some(fact));
        }
        for (role, (moves, legal)) in (0u64..).zip(logic.does.iter().zip(&logic.legal)) {
            for (&mv, &legal) in moves.iter().zip(legal) {
                root(kind::LEGAL + role, legal, Some(mv));
            }
        }
        for (role, goals) in (0u64..).zip(&logic.goals) {
            for &(value, goal) in goals {
                root(kind::GOAL + (role << 8) + u64::from(value), goal, None);
            }
        }
        root(kind::TERMINAL, logic.terminal, None);
        self.close(logic);
    }

    /// Closes the cycles that were cut to order the gates, since the position of the cut is
    /// arbitrary.
    fn close(&mut self, logic: &GameLogic) {
        let mut values: FxHashMap<u32, Signal> = FxHashMap::default();
        for fix in &logic.fixes {
            let (input, negated) = self.signal(fix.input);
            let (value, other) = self.signal(fix.value);
            values.insert(input, (value, negated != other));
        }
        for signal in self.inputs.iter_mut().flatten() {
            // One cut may lead to another.
            for _ in 0..=values.len() {
                let Some(&(value, negated)) = values.get(&signal.0) else {
                    break;
                };
                *signal = (value, signal.1 != negated);
            }
        }
    }

    fn vertex(&mut self, kind: u64, inputs: Vec<Signal>) -> u32 {
        self.size += inputs.len();
        self.kinds.push(kind);
        self.inputs.push(inputs);
        (self.kinds.len() - 1) as u32
    }

    fn signal(&self, lit: Lit) -> Signal {
        let (vertex, negated) = self.signals[lit.node()];
        (vertex, negated != lit.is_negated())
    }

    /// Returns the gate with these inputs, which may exist already.
    fn shared(&mut self, kind: u64, inputs: Vec<Signal>) -> u32 {
        if let Some(&known) = self.known.get(&(kind, inputs.clone())) {
            return known;
        }
        let vertex = self.vertex(kind, inputs.clone());
        self.known.insert((kind, inputs), vertex);
        vertex
    }

    /// The conjunction of signals. Merges the inputs of and-gates and removes what signals imply
    /// about each other, so that the result does not depend on the order of conjunction.
    fn and(&mut self, mut open: Vec<Signal>) -> Signal {
        let mut all: Vec<Signal> = Vec::new();
        loop {
            while let Some(signal) = open.pop() {
                let inputs = &self.inputs[signal.0 as usize];
                match (self.kinds[signal.0 as usize], signal.1) {
                    _ if signal == TRUE => {}
                    (kind::AND, false) => all.extend(inputs),
                    // An xor is two conditions: not both, and not neither. Its complement:
                    // neither without the other.
                    (kind::XOR, negated) if inputs.len() == 2 => {
                        let (a, b) = (inputs[0].0, inputs[1].0);
                        for turned in [false, true] {
                            let pair = sorted(vec![(a, turned), (b, turned != negated)]);
                            let gate = self.shared(kind::AND, pair);
                            all.push((gate, true));
                        }
                    }
                    _ => all.push(signal),
                }
            }
            all = sorted(all);
            let contradiction = all.windows(2).any(|pair| pair[0].0 == pair[1].0);
            if contradiction || all.contains(&FALSE) {
                return FALSE;
            }
            match self.simpler(&all) {
                Some((at, by)) => {
                    all.remove(at);
                    open.push(by);
                }
                None => break,
            }
        }
        match all[..] {
            [] => TRUE,
            [one] => one,
            [a, b] if self.is_xor(a, b) => {
                let pair = self.inputs[a.0 as usize].clone();
                let gate = self.shared(kind::XOR, vec![(pair[0].0, false), (pair[1].0, false)]);
                // Exactly one of the inputs that are not complemented.
                (gate, pair[0].1 != pair[1].1)
            }
            _ => (self.shared(kind::AND, all), false),
        }
    }

    /// The inputs of the and-gate that the signal complements, if it complements one.
    fn not_all(&self, signal: Signal) -> Option<&[Signal]> {
        let is_and = self.kinds[signal.0 as usize] == kind::AND;
        (signal.1 && is_and).then(|| &self.inputs[signal.0 as usize][..])
    }

    /// Whether the two are "not both" of a pair and "not both" of the complements of that pair.
    fn is_xor(&self, a: Signal, b: Signal) -> bool {
        match (self.not_all(a), self.not_all(b)) {
            (Some([a, b]), Some([c, d])) => a.0 == c.0 && b.0 == d.0 && a.1 != c.1 && b.1 != d.1,
            _ => false,
        }
    }

    /// A signal that can be simplified, given that all others hold, and what it becomes.
    fn simpler(&mut self, all: &[Signal]) -> Option<(usize, Signal)> {
        let holds = |signal: &Signal| all.binary_search(signal).is_ok();
        let few = all
            .iter()
            .filter(|&&signal| self.not_all(signal).is_some())
            .count()
            <= PAIRS;
        for (at, &signal) in all.iter().enumerate() {
            let Some(within) = self.not_all(signal) else {
                continue;
            };
            if within
                .iter()
                .any(|&(input, negated)| holds(&(input, !negated)))
            {
                return Some((at, TRUE));
            }
            let mut left: Vec<Signal> = within.iter().copied().filter(|s| !holds(s)).collect();
            if left.len() == within.len() {
                let others = all.iter().filter(|other| few && **other != signal);
                let others = others.filter_map(|&other| self.not_all(other));
                match others.filter_map(|other| less(within, other)).next() {
                    Some(Less::Nothing) => return Some((at, TRUE)),
                    Some(Less::Without(input)) => left.retain(|signal| *signal != input),
                    None => continue,
                }
            }
            let (vertex, negated) = self.and(left);
            return Some((at, (vertex, !negated)));
        }
        None
    }

    /// The exclusive or of two signals.
    fn xor(&mut self, a: Signal, b: Signal) -> Signal {
        let negated = a.1 != b.1;
        let mut all: Vec<Signal> = Vec::new();
        for (vertex, _) in [a, b] {
            match self.kinds[vertex as usize] {
                kind::XOR => all.extend(&self.inputs[vertex as usize]),
                _ => all.push((vertex, false)),
            }
        }
        all.sort_unstable();
        // Inputs that occur twice cancel.
        let mut odd: Vec<Signal> = Vec::new();
        for signal in all {
            match odd.last() == Some(&signal) {
                true => _ = odd.pop(),
                false => odd.push(signal),
            }
        }
        match odd[..] {
            [] => (FALSE.0, negated),
            [one] => (one.0, negated),
            _ => (self.shared(kind::XOR, odd), negated),
        }
    }

    /// The graph of all vertices that play depends on.
    pub(super) fn graph(&self, logic: &GameLogic) -> Graph {
        let asked = self.asked();
        let mut at = vec![u32::MAX; self.kinds.len()];
        for (place, &vertex) in (0..).zip(&asked) {
            at[vertex as usize] = place;
        }
        let mut edges: Vec<(u32, u32, Edge)> = Vec::new();
        for (place, &vertex) in (0..).zip(&asked) {
            let inputs = self.inputs[vertex as usize].iter();
            edges.extend(inputs.map(|&(input, negated)| {
                let edge = if negated { Edge::Negated } else { Edge::Input };
                (place, at[input as usize], edge)
            }));
        }
        let about = self.about.iter();
        edges.extend(about.map(|&(input, root)| {
            let ends = [root, input].map(|vertex| at[vertex as usize]);
            (ends[0], ends[1], Edge::About)
        }));
        let place = |lit: &Lit| at[self.signal(*lit).0 as usize];
        Graph::new(
            asked
                .iter()
                .map(|&vertex| self.kinds[vertex as usize])
                .collect(),
            &edges,
            logic.facts.iter().map(place).collect(),
            logic
                .does
                .iter()
                .map(|does| does.iter().map(place).collect())
                .collect(),
        )
    }

    /// The vertices that play depends on.
    fn asked(&self) -> Vec<u32> {
        let mut asked = vec![false; self.kinds.len()];
        let roots = (0..).zip(&self.kinds).filter(|(_, kind)| is_root(**kind));
        let mut open: Vec<u32> = roots.map(|(vertex, _)| vertex).collect();
        open.extend(self.about.iter().map(|about| about.0));
        while let Some(vertex) = open.pop() {
            if !std::mem::replace(&mut asked[vertex as usize], true) {
                open.extend(self.inputs[vertex as usize].iter().map(|input| input.0));
            }
        }
        let all = (0..).zip(asked);
        all.filter(|&(_, asked)| asked)
            .map(|(vertex, _)| vertex)
            .collect()
    }
}

fn is_root(kind: u64) -> bool {
    matches!(kind, kind::NEXT | kind::TERMINAL) || kind >= kind::LEGAL
}
