//! The rules of a game as signals of a netlist.

use crate::{Gate, Lit, Netlist};
use propnet::Vocabulary;
use std::fmt;
use std::sync::Arc;

/// The meaning of an input of a game's netlist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Source {
    /// A fact of the current state, by its position in the vocabulary.
    Fact(u32),
    /// A role plays a move.
    Does {
        /// The role.
        role: u16,
        /// The number of the move within the role's moves.
        mv: u32,
    },
    /// A signal of a recursive rule, by its position in [`GameLogic::fixes`].
    Fix(u32),
}

/// A signal that depends on itself through a recursive rule.
///
/// Its value is the least one for which `input` equals `value`, jointly with all others of the
/// same `cycle`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fix {
    /// The input that other gates read.
    pub input: Lit,
    /// The signal that the input must equal. No negation lies between it and the inputs of the
    /// same cycle.
    pub value: Lit,
    /// The cycle it belongs to. A cycle depends only on itself and on earlier cycles.
    pub cycle: u32,
}

/// The rules of a game as signals of a netlist.
///
/// As in a [`propnet::Network`], the inputs are the facts of a state and the moves. Each role
/// plays exactly one of its moves; if a role plays none, the signals are meaningless.
#[derive(Debug, Clone)]
pub struct GameLogic {
    /// The gates.
    pub net: Netlist,
    /// The meaning of each input of `net`, by its number: all facts in order, then all moves of
    /// the first role, and so on, then recursive signals.
    pub sources: Vec<Source>,
    /// For each fact, whether it holds in the current state.
    pub facts: Vec<Lit>,
    /// For each role and move, whether the role plays the move.
    pub does: Vec<Vec<Lit>>,
    /// For each role and move, whether the move is legal.
    pub legal: Vec<Vec<Lit>>,
    /// For each fact, whether it holds in the next state.
    pub next: Vec<Lit>,
    /// For each role, its goal values and the signals that hold when they are reached.
    pub goals: Vec<Vec<(u8, Lit)>>,
    /// Whether the state is terminal.
    pub terminal: Lit,
    /// The recursive signals, ordered by cycle.
    pub fixes: Vec<Fix>,
    /// The vocabulary of the game, and its initial state.
    pub words: Arc<Vocabulary>,
}

/// Sizes in gates of the separately evaluated parts of the logic. Each part counts everything
/// it depends on, so their sum exceeds the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sizes {
    /// All gates that any part depends on.
    pub all: usize,
    /// Legality and terminality.
    pub legal: usize,
    /// The next state.
    pub next: usize,
    /// Legality, terminality and the next state together: the logic that a step of play needs.
    pub step: usize,
    /// The goals.
    pub goals: usize,
}

impl Sizes {
    /// The approximate cost of a step of play, in gates. Passes reduce it. Goals are evaluated
    /// only in terminal states, so gates that only goals need have a small weight.
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
    /// The results that the rules may give a role.
    pub fn results(&self, role: usize) -> impl Iterator<Item = u8> {
        let all = self.goals[role].iter();
        let possible = all.filter(|(_, reached)| *reached != Lit::FALSE);
        possible.map(|&(result, _)| result)
    }

    /// The number of roles.
    pub fn roles(&self) -> usize {
        self.does.len()
    }

    /// The signals for the legality of all roles' moves, and for terminality.
    pub fn legal_roots(&self) -> impl Iterator<Item = Lit> + '_ {
        self.legal.iter().flatten().copied().chain([self.terminal])
    }

    /// The signals for the goals of all roles.
    pub fn goal_roots(&self) -> impl Iterator<Item = Lit> + '_ {
        self.goals.iter().flatten().map(|&(_, lit)| lit)
    }

    /// The value signals of all recursive signals.
    pub fn fix_roots(&self) -> impl Iterator<Item = Lit> + '_ {
        self.fixes.iter().map(|fix| fix.value)
    }

    /// All signals that play asks for.
    pub fn roots(&self) -> impl Iterator<Item = Lit> + '_ {
        self.legal_roots()
            .chain(self.next.iter().copied())
            .chain(self.goal_roots())
            .chain(self.fix_roots())
    }

    /// The nodes that signals depend on, directly or through recursive rules. Also returns
    /// whether there are recursive rules among them.
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

    /// Whether signals depend on the moves played, directly or through recursive rules.
    pub fn depend_on_moves(&self, roots: impl Iterator<Item = Lit>) -> bool {
        let (reach, _) = self.reach(roots);
        let mut does = self.does.iter().flatten();
        does.any(|lit| matches!(self.net.gate(lit.node()), Gate::Input(_)) && reach[lit.node()])
    }

    /// Computes the sizes of the parts.
    pub fn sizes(&self) -> Sizes {
        Sizes {
            all: self.net.cone_size(self.roots()),
            legal: self.net.cone_size(self.legal_roots()),
            next: self.net.cone_size(self.next.iter().copied()),
            step: (self.net).cone_size(self.legal_roots().chain(self.next.iter().copied())),
            goals: self.net.cone_size(self.goal_roots()),
        }
    }

    /// Builds a new netlist for the same game, converting every node in order with `make`. Most
    /// passes use this function.
    ///
    /// `make` receives the new netlist, the old node and its gate, and the new signals of the
    /// old nodes so far. For an input, the new signal is already the new input, which `make`
    /// may return or replace. Nodes that nothing depends on are left out.
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

    /// Moves the game to another netlist with the same inputs. `map` returns the new signal for
    /// each old signal that the game names.
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

/// The new signal of an old signal, given the new signals of the nodes.
pub fn moved(now: &[Lit], lit: Lit) -> Lit {
    now[lit.node()] ^ lit.is_negated()
}

/// Copies a node, given the new signals of the nodes that it reads. An input keeps its new
/// signal.
pub fn copied(net: &mut Netlist, node: usize, gate: Gate, now: &[Lit]) -> Lit {
    match gate {
        Gate::And(a, b) => net.and(moved(now, a), moved(now, b)),
        Gate::Xor(a, b) => net.xor(moved(now, a), moved(now, b)),
        Gate::False | Gate::Input(_) => now[node],
    }
}
