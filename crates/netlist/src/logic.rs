//! The rules of a game as signals of a netlist.

use crate::{Gate, Lit, Netlist};
use propnet::Vocabulary;
use std::fmt;
use std::sync::Arc;

/// What an input of the netlist of a game stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Source {
    /// A fact of the current state, by its position in the vocabulary.
    Fact(u32),
    /// A role makes a move.
    Does {
        /// Which role.
        role: u16,
        /// Which of its moves.
        mv: u32,
    },
    /// A signal of a recursive rule, by its position in [`GameLogic::fixes`].
    Fix(u32),
}

/// A signal that depends on itself, through a recursive rule: the least value for which `input`
/// equals `value`, together with all others of the same `cycle`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fix {
    /// The signal as others read it.
    pub input: Lit,
    /// What it must equal; without negations between it and the inputs of the same cycle.
    pub value: Lit,
    /// Which cycle it belongs to. A cycle depends only on itself and on those before it.
    pub cycle: u32,
}

/// The rules of a game as signals of a netlist.
///
/// As in a [`propnet::Network`], the inputs are the facts of a state and the moves, of which each
/// role makes exactly one: where a role makes none, the signals mean nothing.
#[derive(Debug, Clone)]
pub struct GameLogic {
    /// The gates.
    pub net: Netlist,
    /// What the inputs of `net` stand for, by their numbers: all facts in order, then all moves of
    /// the first role, and so on, then recursive signals.
    pub sources: Vec<Source>,
    /// Which facts hold.
    pub facts: Vec<Lit>,
    /// For each role, which move it makes.
    pub does: Vec<Vec<Lit>>,
    /// For each role, which moves it may make.
    pub legal: Vec<Vec<Lit>>,
    /// Which facts hold in the next state.
    pub next: Vec<Lit>,
    /// For each role, its results and when they hold.
    pub goals: Vec<Vec<(u8, Lit)>>,
    /// Whether play has ended.
    pub terminal: Lit,
    /// The recursive signals, ordered by cycle.
    pub fixes: Vec<Fix>,
    /// The words of the game, and its first state.
    pub words: Arc<Vocabulary>,
}

/// Sizes of the parts of the logic that are evaluated apart, in gates. Each counts all that it
/// depends on; the sum is more than the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sizes {
    /// All gates that any part depends on.
    pub all: usize,
    /// Legality and terminality.
    pub legal: usize,
    /// The next state.
    pub next: usize,
    /// Legality, terminality and the next state together: what a step of play asks for.
    pub step: usize,
    /// The goals.
    pub goals: usize,
}

impl Sizes {
    /// What a step of play costs, roughly: passes make this smaller. Goals are asked for only where
    /// play ends, so that those of their gates that nothing else needs count little.
    pub fn cost(&self) -> usize {
        self.step + self.all.saturating_sub(self.step) / 8
    }
}

impl fmt::Display for Sizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} gates: legal {}, next {}, both {}, goals {}",
            self.all, self.legal, self.next, self.step, self.goals
        )
    }
}

impl GameLogic {
    /// How many roles play.
    pub fn roles(&self) -> usize {
        self.does.len()
    }

    /// Legality of all roles, and terminality.
    pub fn legal_roots(&self) -> impl Iterator<Item = Lit> + '_ {
        self.legal.iter().flatten().copied().chain([self.terminal])
    }

    /// The goals of all roles.
    pub fn goal_roots(&self) -> impl Iterator<Item = Lit> + '_ {
        self.goals.iter().flatten().map(|&(_, lit)| lit)
    }

    /// What a recursive signal must equal, for all of them.
    pub fn fix_roots(&self) -> impl Iterator<Item = Lit> + '_ {
        self.fixes.iter().map(|fix| fix.value)
    }

    /// Everything that play asks for.
    pub fn roots(&self) -> impl Iterator<Item = Lit> + '_ {
        self.legal_roots()
            .chain(self.next.iter().copied())
            .chain(self.goal_roots())
            .chain(self.fix_roots())
    }

    /// The nodes that signals depend on, directly or through recursive rules, and whether there are
    /// any such rules among them.
    pub fn reach(&self, roots: impl Iterator<Item = Lit>) -> (Vec<bool>, bool) {
        let mut roots: Vec<Lit> = roots.collect();
        let mut followed = vec![false; self.fixes.len()];
        loop {
            let cone = self.net.cone(roots.iter().copied());
            let before = roots.len();
            for (fix, followed) in self.fixes.iter().zip(&mut followed) {
                if cone[fix.input.node()] && !std::mem::replace(followed, true) {
                    roots.push(fix.value);
                }
            }
            let recursive = followed.contains(&true);
            if roots.len() == before {
                return (cone, recursive);
            }
        }
    }

    /// Whether signals depend on the moves that are made, directly or through recursive rules.
    pub fn depend_on_moves(&self, roots: impl Iterator<Item = Lit>) -> bool {
        let (reach, _) = self.reach(roots);
        let mut does = self.does.iter().flatten();
        does.any(|lit| matches!(self.net.gate(lit.node()), Gate::Input(_)) && reach[lit.node()])
    }

    /// The sizes of the parts.
    pub fn sizes(&self) -> Sizes {
        Sizes {
            all: self.net.cone_size(self.roots()),
            legal: self.net.cone_size(self.legal_roots()),
            next: self.net.cone_size(self.next.iter().copied()),
            step: (self.net).cone_size(self.legal_roots().chain(self.next.iter().copied())),
            goals: self.net.cone_size(self.goal_roots()),
        }
    }

    /// The same game with every node made anew by `make`, in order. It gets the new netlist, the old
    /// node and what it is, and what the old nodes became so far; for an input that is already the
    /// new input, which `make` may return or replace. What nothing depends on is left out. This is
    /// the frame of most passes.
    pub fn rebuilt(
        &self,
        mut make: impl FnMut(&mut Netlist, usize, Gate, &[Lit]) -> Lit,
    ) -> GameLogic {
        let used = self.net.cone(self.roots());
        let mut net = Netlist::new();
        let mut now = vec![Lit::FALSE; self.net.len()];
        for node in 1..self.net.len() {
            let gate = self.net.gate(node);
            match gate {
                Gate::Input(_) => now[node] = net.input(),
                _ if !used[node] => continue,
                _ => {}
            }
            now[node] = make(&mut net, node, gate, &now);
        }
        self.mapped(net, |lit| moved(&now, lit))
    }

    /// The same game on another netlist that has the same inputs; `map` gives for each signal of the
    /// old netlist that the game names the one of the new netlist that stands for it.
    pub fn mapped(&self, net: Netlist, map: impl Fn(Lit) -> Lit) -> GameLogic {
        let all = |lits: &[Lit]| lits.iter().map(|&lit| map(lit)).collect::<Vec<_>>();
        let goals = |goals: &Vec<(u8, Lit)>| {
            let goals = goals.iter().map(|&(value, lit)| (value, map(lit)));
            goals.collect::<Vec<_>>()
        };
        let fix = |fix: &Fix| Fix {
            input: map(fix.input),
            value: map(fix.value),
            cycle: fix.cycle,
        };
        GameLogic {
            sources: self.sources.clone(),
            facts: all(&self.facts),
            does: self.does.iter().map(|lits| all(lits)).collect(),
            legal: self.legal.iter().map(|lits| all(lits)).collect(),
            next: all(&self.next),
            goals: self.goals.iter().map(goals).collect(),
            terminal: map(self.terminal),
            fixes: self.fixes.iter().map(fix).collect(),
            words: self.words.clone(),
            net,
        }
    }
}

/// What a signal became, from what the nodes became.
pub fn moved(now: &[Lit], lit: Lit) -> Lit {
    now[lit.node()] ^ lit.is_negated()
}

/// A node made anew from what the nodes that it reads became; an input stays what it became.
pub fn copied(net: &mut Netlist, node: usize, gate: Gate, now: &[Lit]) -> Lit {
    match gate {
        Gate::And(a, b) => net.and(moved(now, a), moved(now, b)),
        Gate::Xor(a, b) => net.xor(moved(now, a), moved(now, b)),
        Gate::False | Gate::Input(_) => now[node],
    }
}
