//! Facts and moves that are irrelevant to results and terminality, and the game without them.
//!
//! The analysis goes backwards from the goals and `terminal`: to the facts that they read, to
//! what the next values of these read, to the moves among that, and to the legality of those
//! moves. Moves that are not reached are *fillers*: with them a role does nothing relevant.
//! Whether a role can do so may matter much (zugzwang), so the existence of a legal filler stays
//! part of the game. The choice between fillers does not matter.
//!
//! The game without irrelevant parts is equivalent. States that agree on the relevant facts
//! allow the same relevant moves, or some filler in both, have the same results, and lead to
//! states that agree again (a bisimulation). Only uniformly random play differs, since all
//! fillers become one move.

use analysis::Evidence;
use budget::Budget;
use invariants::{Groups, Prover};
use netlist::{GameLogic, Gate, Lit, Netlist, Source, copied};
use propnet::Vocabulary;
use std::sync::Arc;

/// The fillers of one role.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fillers {
    /// The moves that no result and no terminal condition depends on, ascending.
    pub moves: Vec<u32>,
    /// Whether one of them is legal in every nonterminal state. Proved, if true.
    pub always: bool,
}

/// The irrelevant facts and moves. Proved by the network.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Relevance {
    /// Irrelevant facts, ascending. States that differ only in these are the same position.
    pub idle: Vec<u32>,
    /// For each role, its moves without relevant effect.
    pub fillers: Vec<Fillers>,
}

/// The size of the logic before and after irrelevant parts are dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Saved {
    /// Facts before and after.
    pub facts: (usize, usize),
    /// Moves that may be legal, of all roles.
    pub moves: (usize, usize),
    /// Gates.
    pub gates: (usize, usize),
}

/// A backward traversal.
struct Walk<'l> {
    logic: &'l GameLogic,
    seen: Vec<bool>,
    facts: Vec<bool>,
    moves: Vec<Vec<bool>>,
}

impl<'l> Walk<'l> {
    fn new(logic: &'l GameLogic) -> Self {
        Walk {
            logic,
            seen: vec![false; logic.net.len()],
            facts: vec![false; logic.facts.len()],
            moves: logic
                .does
                .iter()
                .map(|row| vec![false; row.len()])
                .collect(),
        }
    }

    /// Marks everything that these signals depend on, over all transitions.
    fn back(&mut self, roots: impl Iterator<Item = Lit>) {
        let logic = self.logic;
        let mut open: Vec<usize> = roots.map(Lit::node).collect();
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut self.seen[node], true) {
                continue;
            }
            match logic.net.gate(node) {
                Gate::Input(number) => match logic.sources[number as usize] {
                    Source::Fact(fact) => {
                        self.facts[fact as usize] = true;
                        open.push(logic.next[fact as usize].node());
                    }
                    Source::Does { role, mv } => {
                        let (role, mv) = (usize::from(role), mv as usize);
                        self.moves[role][mv] = true;
                        open.push(logic.legal[role][mv].node());
                    }
                    Source::Fix(at) => open.push(logic.fixes[at as usize].value.node()),
                },
                gate => open.extend(gate.reads().map(Lit::node)),
            }
        }
    }

    /// The moves of a role that may be legal and were not reached.
    fn others(&self, role: usize) -> Vec<u32> {
        let legal = self.logic.legal[role]
            .iter()
            .zip(&self.moves[role])
            .enumerate();
        let others = legal.filter(|(_, (lit, met))| **lit != Lit::FALSE && !**met);
        others.map(|(mv, _)| mv as u32).collect()
    }
}

impl Relevance {
    /// Finds irrelevant parts. If time runs out, it is not proved that some filler is always
    /// legal, and the legality of fillers counts as relevant.
    pub(super) fn find(logic: &GameLogic, groups: &Groups, budget: &Budget) -> Relevance {
        let mut walk = Walk::new(logic);
        walk.back(logic.goal_roots().chain([logic.terminal]));
        let mut always: Vec<Option<Vec<u32>>> = vec![None; logic.roles()];
        loop {
            let mut open = Vec::new();
            for (role, always) in always.iter_mut().enumerate() {
                let others = walk.others(role);
                if always.as_ref() == Some(&others) {
                    continue;
                }
                *always = None;
                let sure = !others.is_empty() && some_legal(logic, groups, role, &others, budget);
                match sure {
                    true => *always = Some(others),
                    // Otherwise the existence of a legal filler is relevant, and so are the
                    // facts that it depends on.
                    false => {
                        let legal = &logic.legal[role];
                        let lits = others.into_iter().map(|mv| legal[mv as usize]);
                        open.extend(lits.filter(|lit| !walk.seen[lit.node()]));
                    }
                }
            }
            if open.is_empty() {
                break;
            }
            walk.back(open.into_iter());
        }
        let idle = walk.facts.iter().enumerate().filter(|(_, met)| !**met);
        Relevance {
            idle: idle.map(|(fact, _)| fact as u32).collect(),
            fillers: (0..logic.roles())
                .map(|role| {
                    let moves = walk.others(role);
                    let always = always[role].as_ref() == Some(&moves) && !moves.is_empty();
                    Fillers { moves, always }
                })
                .collect(),
        }
    }

    /// The evidence for it.
    pub fn evidence(&self) -> Evidence {
        Evidence::Proved
    }

    /// Whether there is nothing to drop.
    pub fn is_whole(&self) -> bool {
        self.idle.is_empty() && self.fillers.iter().all(|fillers| fillers.moves.len() < 2)
    }

    /// The move that replaces a move in the smaller game: the first filler for fillers, the move
    /// itself otherwise.
    pub fn stands_for(&self, role: usize, mv: u32) -> u32 {
        let fillers = self
            .fillers
            .get(role)
            .map_or(&[][..], |fillers| &fillers.moves);
        match fillers.binary_search(&mv) {
            Ok(_) => fillers[0],
            Err(_) => mv,
        }
    }

    /// The game without irrelevant parts. Facts and moves keep their numbers. Idle facts never
    /// hold, not even in the initial state. Of the fillers of a role only the first is ever
    /// legal, namely whenever one of them was.
    pub fn drop(&self, logic: &GameLogic) -> GameLogic {
        let mut smaller = logic.clone();
        for &fact in &self.idle {
            smaller.next[fact as usize] = Lit::FALSE;
        }
        for (role, fillers) in self.fillers.iter().enumerate() {
            let Some(&first) = fillers.moves.first() else {
                continue;
            };
            let legal = &mut smaller.legal[role];
            let all: Vec<Lit> = fillers.moves.iter().map(|&mv| legal[mv as usize]).collect();
            for &mv in &fillers.moves {
                legal[mv as usize] = Lit::FALSE;
            }
            legal[first as usize] = match fillers.always {
                true => Lit::TRUE,
                false => smaller.net.or_all(all),
            };
        }
        // Recursive signals that nothing reads any more do not matter, whatever they depend on.
        let words = Vocabulary {
            initial: (logic.words.initial.iter().copied())
                .filter(|fact| self.idle.binary_search(fact).is_err())
                .collect(),
            ..(*logic.words).clone()
        };
        smaller.words = Arc::new(words);
        smaller.rebuilt(|net: &mut Netlist, node, gate, now| copied(net, node, gate, now))
    }

    /// The sizes before and after.
    pub fn saved(&self, logic: &GameLogic) -> Saved {
        let smaller = self.drop(logic);
        let moves = |logic: &GameLogic| {
            let legal = logic.legal.iter().flatten();
            legal.filter(|&&lit| lit != Lit::FALSE).count()
        };
        Saved {
            facts: (logic.facts.len(), logic.facts.len() - self.idle.len()),
            moves: (moves(logic), moves(&smaller)),
            gates: (logic.sizes().all, smaller.sizes().all),
        }
    }
}

/// Whether it is proved that one of these moves is legal in every nonterminal state.
fn some_legal(
    logic: &GameLogic,
    groups: &Groups,
    role: usize,
    moves: &[u32],
    budget: &Budget,
) -> bool {
    let legal = |mv: &u32| logic.legal[role][*mv as usize];
    if moves.iter().any(|mv| legal(mv) == Lit::TRUE) {
        return true;
    }
    if budget.check().is_err() {
        return false;
    }
    // Assume, move by move, that none is legal; a contradiction is the proof.
    let mut prover = Prover::new(logic, groups);
    let none: Vec<Lit> = moves.iter().map(|mv| !legal(mv)).collect();
    let Some((&last, others)) = none.split_last() else {
        return false;
    };
    let possible = prover.under(others, true, |prover| !prover.never(last));
    possible != Some(true)
}
