//! Whether roles that choose simultaneously do so in independent parts of the game.
//!
//! A part is a set of facts that influence each other from one state to the next, directly or
//! through others. Control facts and constants influence everything and belong to no part.

use super::control::Control;
use super::phases::Phases;
use analysis::sampling::{self, Extent, each};
use budget::Budget;
use fixedbitset::FixedBitSet;
use invariants::{Groups, Play};
use netlist::{GameLogic, Gate, Lit, Source};
use petgraph::unionfind::UnionFind;

/// Maximum number of nodes evaluated, in all phases together.
const WORK: usize = 20_000_000;
/// Maximum number of gates evaluated in all lanes at once, to sample the ends of games.
const PLAY: usize = 8_000_000;
/// Maximum number of disjuncts of terminality.
const WAYS: usize = 10_000;
/// Maximum number of roles: the bits of a word.
const ROLES: usize = 64;
/// Playouts of each lane for these samples.
const PLAYOUTS: u32 = 4;

/// Forward propagation of bits: each node gets the bits of all inputs that it depends on.
struct Spread<'l> {
    logic: &'l GameLogic,
    values: Vec<u64>,
}

impl<'l> Spread<'l> {
    /// Gives every input its bits by `of`, and every gate those of all that it reads.
    fn new(logic: &'l GameLogic, of: impl Fn(Source) -> u64) -> Self {
        let mut values = vec![0u64; logic.net.len()];
        loop {
            for (node, &gate) in logic.net.gates().iter().enumerate() {
                values[node] |= match gate {
                    Gate::False => 0,
                    Gate::Input(number) => of(logic.sources[number as usize]),
                    Gate::And(a, b) | Gate::Xor(a, b) => values[a.node()] | values[b.node()],
                };
            }
            let mut changed = false;
            for fix in &logic.fixes {
                let value = values[fix.value.node()];
                changed |= value & !values[fix.input.node()] != 0;
                values[fix.input.node()] |= value;
            }
            if !changed {
                return Spread { logic, values };
            }
        }
    }

    fn of(&self, lit: Lit) -> u64 {
        self.values[lit.node()]
    }

    /// The facts of the next state that depend on this bit.
    fn next(&self, bit: usize) -> impl Iterator<Item = usize> + '_ {
        let facts = 0..self.logic.next.len();
        facts.filter(move |&fact| self.of(self.logic.next[fact]) >> bit & 1 == 1)
    }
}

/// For each fact, its part, named by a fact of it; `None` for facts that are `apart`.
fn parts(logic: &GameLogic, apart: &dyn Fn(u32) -> bool) -> Vec<Option<u32>> {
    // Nodes that depend on facts of parts are joined with what they read, and facts with the
    // nodes of their next values. So a fact is joined with all that its next value depends on.
    let state = Spread::new(logic, |source| match source {
        Source::Fact(fact) => u64::from(!apart(fact)),
        Source::Does { .. } | Source::Fix(_) => 0,
    });
    let has = |lit: Lit| state.of(lit) != 0;
    let mut union: UnionFind<u32> = UnionFind::new(logic.net.len());
    let mut join = |a: usize, b: Lit| {
        if has(b) {
            union.union(a as u32, b.node() as u32);
        }
    };
    let (reach, _) = logic.reach(logic.next.iter().copied());
    let gates = logic.net.gates().iter().enumerate();
    for (node, gate) in gates.filter(|(node, _)| reach[*node]) {
        gate.reads().for_each(|read| join(node, read));
    }
    for fix in &logic.fixes {
        join(fix.input.node(), fix.value);
    }
    let facts = logic.facts.iter().zip(&logic.next).enumerate();
    for (fact, (now, &next)) in facts {
        if !apart(fact as u32) {
            join(now.node(), next);
        }
    }
    let part =
        |(fact, lit): (usize, &Lit)| (!apart(fact as u32)).then(|| union.find(lit.node() as u32));
    logic.facts.iter().enumerate().map(part).collect()
}

/// The disjuncts of `terminal`, each of which alone ends the game. `None` if there are too many.
fn ways(logic: &GameLogic) -> Option<Vec<Lit>> {
    let (mut open, mut ways) = (vec![logic.terminal], Vec::new());
    while let Some(lit) = open.pop() {
        match logic.net.gate(lit.node()) {
            Gate::And(a, b) if lit.is_negated() => open.extend([!a, !b]),
            _ => ways.push(lit),
        }
        if open.len() + ways.len() > WAYS {
            return None;
        }
    }
    ways.sort();
    ways.dedup();
    Some(ways)
}

/// For some ends of random games, the disjuncts that held there.
fn ends(logic: &GameLogic, ways: &[Lit], seed: u64, budget: &Budget) -> Vec<FixedBitSet> {
    let mut play = Play::new(logic, seed);
    let extent = Extent {
        playouts: PLAYOUTS,
        length: 1000,
        steps: (PLAY / logic.net.len()) as u64,
    };
    let mut ends = Vec::new();
    // If the budget runs out, use the samples so far.
    let _ = sampling::play(logic, &mut play, extent, budget, |play, look| {
        for lane in each(look.over) {
            let held = ways.iter().enumerate();
            let held = held.filter(|(_, lit)| play.word(**lit) >> lane & 1 == 1);
            ends.push(held.map(|(way, _)| way).collect());
        }
    });
    ends
}

/// Whether roles that choose simultaneously do so in separate parts; `None` if that is not
/// decided in time.
pub(super) fn separate(
    logic: &GameLogic,
    groups: &Groups,
    control: &Control,
    phases: &Phases,
    seed: u64,
    budget: &Budget,
) -> Option<bool> {
    if logic.roles() > ROLES || phases.open.len() * logic.net.len() > WORK {
        return None;
    }
    let apart = |fact: u32| control.contains(fact) || groups.constant(fact).is_some();
    let parts = parts(logic, &apart);
    let ways = ways(logic)?;
    let mut seen: Option<Vec<FixedBitSet>> = None;
    for open in &phases.open {
        budget.check().ok()?;
        let count = |role: &usize| open[*role].iter().filter(|&&open| open).count();
        let choosing: Vec<usize> = (0..logic.roles()).filter(|role| count(role) > 1).collect();
        if choosing.len() < 2 {
            continue;
        }
        let moved = Spread::new(logic, |source| match source {
            Source::Does { role, mv } if choosing.contains(&role.into()) => {
                u64::from(open[usize::from(role)][mv as usize]) << role
            }
            _ => 0,
        });
        let mut touched = vec![0u64; logic.net.len()];
        for &role in &choosing {
            for part in moved.next(role).filter_map(|fact| parts[fact]) {
                touched[part as usize] |= 1 << role;
            }
        }
        if touched.iter().any(|roles| roles.count_ones() > 1) {
            return Some(false);
        }
        let owners = |source: Source| match source {
            Source::Fact(fact) => parts[fact as usize].map(|part| touched[part as usize]),
            Source::Does { .. } | Source::Fix(_) => None,
        };
        let inside = Spread::new(logic, |source| owners(source).unwrap_or(0));
        let own = |&role: &usize| {
            let mut goals = logic.goals[role].iter();
            goals.all(|goal| inside.of(goal.1) & !(1 << role) == 0)
        };
        if choosing.iter().all(own) {
            continue;
        }
        let outside = Spread::new(logic, |source| owners(source).map_or(0, |roles| !roles));
        // Disjuncts that read only what the role touches. Some of them must have ended a game
        // while no others held.
        let of_role = |role: usize| -> FixedBitSet {
            let within =
                |lit: Lit| outside.of(lit) >> role & 1 == 0 && inside.of(lit) >> role & 1 == 1;
            (0..ways.len()).filter(|&way| within(ways[way])).collect()
        };
        let seen = seen.get_or_insert_with(|| ends(logic, &ways, seed, budget));
        let alone = |role: &usize| {
            let within = of_role(*role);
            seen.iter()
                .any(|end| end.ones().all(|way| within.contains(way)))
        };
        if !choosing.iter().all(alone) {
            return Some(false);
        }
    }
    Some(true)
}
