//! Removes conditions of gates that hold wherever the gate is observed.
//!
//! In `a & x` the value of `x` does not matter while `a` is false. What all readers of a gate
//! have in common in this way need not be repeated in the gate. In rules that look at the board
//! after a move, "square s is empty after move m" is `possible(m) & empty(s)`, and all who ask
//! for it know that m is possible. Without that condition, the gates of all moves that leave
//! the square alone are one gate.
//!
//! A gate's context is the set of signals that are true wherever it is observed: the context of
//! its reader and what the other input of that reader implies, intersected over all readers.
//! These are observability don't-cares, as far as intersections find them. Of two inputs of a
//! gate only the later one may rely on the earlier one. The value of a gate is then right
//! wherever its context holds, by induction over the gates: the first input that is false has
//! a context that holds, so it stays false.

use super::Meter;
use super::readers::Readers;
use crate::{GameLogic, Gate, Known, Lit, Netlist, Source, copied, moved};
use budget::{Budget, Exhausted};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::cmp::Reverse;

/// The maximum number of signals in a context.
const MOST: usize = 32;
/// The maximum number of signals that are examined for a context.
const STEPS: usize = 96;
/// The maximum depth at which the inputs of a condition are looked up one by one.
const DEPTH: usize = 2;
/// A signal implies the sums that it is part of. They are looked at if there are at most this
/// many.
const SUMS: usize = 4;
/// The logic is left as it is if fewer than one gate in this many goes.
const WORTHWHILE: usize = 100;

/// Removes conditions of gates that hold wherever the gate is observed. Moves that are never
/// legal are never played.
///
/// # Errors
/// If the budget is exhausted.
pub fn run(logic: &GameLogic, _: &Known, budget: &Budget) -> Result<GameLogic, Exhausted> {
    let meter = &mut Meter::new(budget);
    let mut contexts = Contexts::new(logic, meter)?;
    let mut becomes = vec![Becomes::Unread; logic.net.len()];
    let (all, mut kept) = (logic.sizes().all, 0);
    for node in (1..logic.net.len()).rev() {
        let lit = Lit::new(node, false);
        let plain = contexts.plain[node];
        if plain != lit {
            becomes[node] = Becomes::Like(plain);
            continue;
        }
        let Some(context) = contexts.of[node].take() else {
            continue;
        };
        meter.steps(4 + context.len())?;
        becomes[node] = match contexts.gate(node) {
            Gate::And(a, b) => contexts.and(&context, a, b),
            gate => {
                for read in gate.reads() {
                    contexts.narrow(read, &context);
                }
                Becomes::Itself
            }
        };
        let is_gate = contexts.gate(node).is_logic();
        kept += usize::from(is_gate && matches!(becomes[node], Becomes::Itself));
    }
    if all.saturating_sub(kept) * WORTHWHILE < all {
        return Ok(logic.clone());
    }
    budget.check()?;
    let make = |net: &mut Netlist, node, gate: Gate, now: &[Lit]| match becomes[node] {
        Becomes::Itself => copied(net, node, gate, now),
        Becomes::Like(lit) => moved(now, lit),
        Becomes::Unread if gate.is_logic() => Lit::FALSE,
        Becomes::Unread => now[node],
    };
    let mut made = logic.rebuilt(make);
    // Moves that are never played are still inputs. Facts and moves come before all gates.
    for (number, source) in logic.sources.iter().enumerate() {
        if let Source::Does { role, mv } = *source {
            made.does[usize::from(role)][mv as usize] = Lit::new(number + 1, false);
        }
    }
    Ok(made)
}

/// What becomes of a node.
#[derive(Debug, Clone, Copy)]
enum Becomes {
    /// Nothing reads it any more.
    Unread,
    /// It stays.
    Itself,
    /// It equals another signal wherever it is observed.
    Like(Lit),
}

/// The contexts of nodes, built from the outputs down.
struct Contexts<'a> {
    logic: &'a GameLogic,
    /// The signal of each node when moves that are never legal are false.
    plain: Vec<Lit>,
    /// The gate of each node, as it reads plain signals.
    gates: Vec<Gate>,
    readers: Readers,
    /// For each node, what is true wherever the readers that were seen so far observe it,
    /// sorted. `None` before the first reader.
    of: Vec<Option<Box<[Lit]>>>,
    /// For each input of the netlist that is a move, what its legality implies, once it was asked
    /// for.
    moves: RefCell<FxHashMap<u32, Box<[Lit]>>>,
}

impl<'a> Contexts<'a> {
    fn new(logic: &'a GameLogic, meter: &mut Meter<'_>) -> Result<Self, Exhausted> {
        let plain = without_impossible_moves(logic);
        let gates = (0..plain.len()).map(|node| gate(logic, &plain, node));
        let gates: Vec<Gate> = gates.collect();
        let readers = Readers::new(&gates);
        meter.steps(2 * plain.len())?;
        let mut of = vec![None; plain.len()];
        for root in logic.roots() {
            of[moved(&plain, root).node()] = Some(Box::default());
        }
        // While recursive rules are iterated, any values may occur.
        let iterated = logic.net.cone(logic.fix_roots());
        for (of, _) in of
            .iter_mut()
            .zip(iterated)
            .filter(|(_, iterated)| *iterated)
        {
            *of = Some(Box::default());
        }
        Ok(Contexts {
            logic,
            plain,
            gates,
            readers,
            of,
            moves: RefCell::default(),
        })
    }

    /// The gate of a node, as it reads signals without moves that are never legal.
    fn gate(&self, node: usize) -> Gate {
        self.gates[node]
    }

    /// Simplifies an and-gate in its context, and narrows the contexts of the inputs that it
    /// keeps.
    fn and(&mut self, context: &[Lit], a: Lit, b: Lit) -> Becomes {
        match (self.value(context, a, DEPTH), self.value(context, b, DEPTH)) {
            (Some(false), _) | (_, Some(false)) => Becomes::Like(Lit::FALSE),
            (Some(true), Some(true)) => Becomes::Like(Lit::TRUE),
            (Some(true), None) => {
                self.narrow(b, context);
                Becomes::Like(b)
            }
            (None, Some(true)) => {
                self.narrow(a, context);
                Becomes::Like(a)
            }
            (None, None) => {
                let (early, late) = if a.node() < b.node() { (a, b) } else { (b, a) };
                self.narrow(early, context);
                if !self.is_settled(late) {
                    let wider = self.widened(context, early);
                    self.narrow(late, &wider);
                }
                Becomes::Itself
            }
        }
    }

    /// The value that a signal must have in a context. Not all such values are found.
    fn value(&self, context: &[Lit], lit: Lit, depth: usize) -> Option<bool> {
        let gate = self.gate(lit.node());
        if context.is_empty() || !gate.is_logic() {
            return None;
        }
        if let Ok(at) = context.binary_search_by_key(&lit.node(), |known| known.node()) {
            return Some(context[at] == lit);
        }
        let Gate::And(a, b) = gate else {
            return None;
        };
        let value = |lit: Lit| self.value(context, lit, depth.checked_sub(1)?);
        let both = match value(a) {
            Some(false) => Some(false),
            Some(true) => value(b),
            None => value(b).filter(|b| !b),
        };
        both.map(|both| both != lit.is_negated())
    }

    /// A context, and in addition what a signal implies, as far as there is room.
    fn widened(&self, context: &[Lit], lit: Lit) -> Vec<Lit> {
        let mut wider = context.to_vec();
        let more = self.implied(lit);
        wider.extend(more.into_iter().take(MOST - context.len()));
        wider.sort_unstable();
        wider.dedup();
        wider
    }

    /// Gates that a signal implies and that other gates read: itself, the inputs of products,
    /// sums that it is part of, and the legality of a move that is played. Those with the most
    /// readers come first, since they are most likely to be met again.
    ///
    /// Inputs of the netlist are left out. As conditions they cost next to nothing, and they
    /// would take the places of others.
    fn implied(&self, lit: Lit) -> Vec<Lit> {
        let mut found = Vec::with_capacity(MOST);
        let mut open = vec![lit];
        for _ in 0..STEPS {
            let Some(lit) = open.pop() else {
                break;
            };
            let gate = self.gate(lit.node());
            let readers = self.readers.count(lit);
            if gate.is_logic() && readers > 1 {
                found.push((Reverse(readers), lit));
            }
            match gate {
                // Wide products are trees with the earliest inputs on the left. These are most
                // likely conditions of the others.
                Gate::And(a, b) if !lit.is_negated() => open.extend([b, a]),
                Gate::Input(number) if !lit.is_negated() => self.played(number, &mut found),
                _ => {}
            }
            let sums = self.readers.of(!lit);
            if sums.len() <= SUMS {
                open.extend(sums.iter().map(|&sum| Lit::new(sum as usize, true)));
            }
        }
        found.sort_unstable();
        found.dedup();
        found.truncate(MOST);
        found.into_iter().map(|(_, lit)| lit).collect()
    }

    /// Adds what the legality of a move implies, if the input is a move.
    fn played(&self, input: u32, into: &mut Vec<(Reverse<usize>, Lit)>) {
        let Source::Does { role, mv } = self.logic.sources[input as usize] else {
            return;
        };
        let ranked = |&lit: &Lit| (Reverse(self.readers.count(lit)), lit);
        if let Some(implied) = self.moves.borrow().get(&input) {
            into.extend(implied.iter().map(ranked));
            return;
        }
        let legal = self.logic.legal[usize::from(role)][mv as usize];
        let implied = self.implied(moved(&self.plain, legal));
        into.extend(implied.iter().map(ranked));
        self.moves.borrow_mut().insert(input, implied.into());
    }

    /// Whether a context of this signal is of no use.
    fn is_settled(&self, lit: Lit) -> bool {
        let known = self.of[lit.node()].as_deref();
        !self.gate(lit.node()).is_logic() || known.is_some_and(<[Lit]>::is_empty)
    }

    /// Records that a signal is observed in a context.
    fn narrow(&mut self, lit: Lit, context: &[Lit]) {
        if self.is_settled(lit) {
            return;
        }
        let known = &mut self.of[lit.node()];
        *known = Some(match known {
            None => context.into(),
            Some(known) => {
                let both = known.iter().copied();
                let both = both.filter(|lit| context.binary_search(lit).is_ok());
                both.collect()
            }
        });
    }
}

/// The gate of a node, as it reads the `plain` signals of nodes.
fn gate(logic: &GameLogic, plain: &[Lit], node: usize) -> Gate {
    match logic.net.gate(node) {
        Gate::And(a, b) => Gate::And(moved(plain, a), moved(plain, b)),
        Gate::Xor(a, b) => Gate::Xor(moved(plain, a), moved(plain, b)),
        gate => gate,
    }
}

/// The signal of each node when moves that are never legal are false.
fn without_impossible_moves(logic: &GameLogic) -> Vec<Lit> {
    let mut plain: Vec<Lit> = Vec::with_capacity(logic.net.len());
    for (node, &gate) in logic.net.gates().iter().enumerate() {
        let lit = Lit::new(node, false);
        plain.push(match gate {
            Gate::Input(number) => match logic.sources[number as usize] {
                Source::Does { role, mv }
                    if logic.legal[usize::from(role)][mv as usize] == Lit::FALSE =>
                {
                    Lit::FALSE
                }
                _ => lit,
            },
            Gate::And(a, b) => match (moved(&plain, a), moved(&plain, b)) {
                (Lit::FALSE, _) | (_, Lit::FALSE) => Lit::FALSE,
                (Lit::TRUE, other) | (other, Lit::TRUE) => other,
                _ => lit,
            },
            Gate::Xor(a, b) => match (moved(&plain, a), moved(&plain, b)) {
                (constant, other) | (other, constant) if constant.as_constant().is_some() => {
                    other ^ (constant == Lit::TRUE)
                }
                _ => lit,
            },
            Gate::False => lit,
        });
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::game;

    /// A game of one role and five facts. `build` receives the netlist, the facts and the moves,
    /// and returns the legality of the moves and the next value of the first fact.
    fn observed(
        build: impl Fn(&mut Netlist, &[Lit], &[Lit]) -> ([Lit; 2], Lit),
    ) -> (GameLogic, GameLogic) {
        let logic = game(5, 2, |net, facts, does| {
            let (legal, next) = build(net, facts, does);
            (legal.to_vec(), vec![next])
        });
        let made = run(&logic, &Known::default(), &Budget::system()).unwrap();
        (logic, made)
    }

    #[test]
    fn a_condition_that_all_readers_have_goes() {
        // Two moves ask whether a square is empty, each under its own condition.
        let (before, after) = observed(|net, facts, does| {
            let possible = [net.and(facts[0], facts[1]), net.and(facts[0], !facts[1])];
            let mut legal = possible;
            let mut next = Lit::FALSE;
            for mv in 0..2 {
                let empty = net.and(possible[mv], facts[2]);
                let attacked = net.or(empty, facts[3]);
                legal[mv] = net.and(possible[mv], attacked);
                let moved = net.and(empty, does[mv]);
                next = net.or(next, moved);
            }
            (legal, next)
        });
        assert_eq!((before.sizes().all, after.sizes().all), (11, 8));
        let reads = |mv: usize| after.net.gate(after.legal[0][mv].node()).reads();
        let attacked = reads(0).find(|read| reads(1).any(|other| other == *read));
        let attacked = after
            .net
            .gate(attacked.expect("a gate for both moves").node());
        assert_eq!(attacked, Gate::And(!after.facts[2], !after.facts[3]));
    }

    #[test]
    fn a_condition_that_one_reader_lacks_stays() {
        let shared = |net: &mut Netlist, facts: &[Lit]| {
            let possible = net.xor(facts[0], facts[1]);
            (possible, net.and(possible, facts[2]))
        };
        let (before, after) = observed(|net, facts, _| {
            let (possible, empty) = shared(net, facts);
            let either = net.or(empty, facts[3]);
            let attacked = net.or(empty, facts[4]);
            ([net.and(possible, either), attacked], Lit::FALSE)
        });
        assert_eq!(before.sizes(), after.sizes());
    }

    #[test]
    fn moves_that_are_never_legal_are_never_played_and_stay_inputs() {
        let (_, after) = observed(|net, facts, does| {
            let next = net.and(does[1], facts[1]);
            ([facts[0], Lit::FALSE], next)
        });
        assert_eq!(after.next, [Lit::FALSE]);
        assert_eq!(after.net.gate(after.does[0][1].node()), Gate::Input(6));
    }
}
