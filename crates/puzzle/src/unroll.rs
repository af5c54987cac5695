//! Play as a circuit: the network once for each ply.

use crate::circuit::Circuit;
use crate::problem::Known;
use batsat::Lit;
use budget::{Budget, Exhausted};
use game::{MoveId, State};
use netlist::{GameLogic, Gate, Source};

/// Nodes written between two checks of the budget.
const STRIDE: usize = 4096;

/// The network unrolled from a state. After the end of play, states repeat, so that the state
/// after t plies stands for all lines of at most t plies.
pub(crate) struct Unrolled {
    pub circuit: Circuit,
    /// The nodes that moves, the next state, the end or results depend on.
    used: Vec<bool>,
    /// The nodes that depend on the move.
    late: Vec<bool>,
    /// For each ply that was written, its signals.
    plies: Vec<Ply>,
    facts: Vec<Lit>,
}

/// The signals of a ply.
struct Ply {
    does: Vec<Lit>,
    over: Lit,
    goals: Vec<(u8, Lit)>,
}

impl Unrolled {
    /// Begins with a state. `None` if rules are recursive, which circuits are not.
    pub fn new(known: &Known, start: &State, bytes: usize) -> Option<Unrolled> {
        let logic = &known.logic;
        let (used, recursive) = logic.reach(logic.roots());
        if recursive {
            return None;
        }
        let mut late = vec![false; logic.net.len()];
        for (node, &gate) in logic.net.gates().iter().enumerate() {
            late[node] = match gate {
                Gate::False => false,
                Gate::Input(number) => {
                    matches!(logic.sources[number as usize], Source::Does { .. })
                }
                Gate::And(a, b) | Gate::Xor(a, b) => late[a.node()] || late[b.node()],
            };
        }
        let circuit = Circuit::new(bytes);
        let holds = |fact: usize| start.words()[fact / 64] >> (fact % 64) & 1 == 1;
        let facts = (0..logic.facts.len()).map(|fact| circuit.constant(holds(fact)));
        Some(Unrolled {
            facts: facts.collect(),
            circuit,
            used,
            late,
            plies: Vec::new(),
        })
    }

    /// Whether the first state was written.
    pub fn has_begun(&self) -> bool {
        !self.plies.is_empty()
    }

    /// The number of plies that lines may have.
    pub fn len(&self) -> usize {
        self.plies.len().saturating_sub(1)
    }

    /// Whether play is over after at most this many plies, which were written.
    pub fn over(&self, plies: usize) -> Lit {
        self.plies[plies].over
    }

    /// Whether lines of at most this many plies end with a result.
    pub fn result(&mut self, plies: usize, result: u8) -> Lit {
        let ply = &self.plies[plies];
        let mut goal = self.circuit.constant(false);
        for &(other, lit) in &ply.goals {
            if other == result {
                goal = self.circuit.or(goal, lit);
            }
        }
        self.circuit.and(goal, ply.over)
    }

    /// Writes the next state with its moves, end and results.
    pub fn extend(&mut self, known: &Known, budget: &Budget) -> Result<(), Exhausted> {
        let logic = &*known.logic;
        let mut values = vec![self.circuit.constant(false); logic.net.len()];
        let mut does = Vec::new();
        if let Some(ply) = self.plies.last() {
            does.clone_from(&ply.does);
            let over = ply.over;
            self.write(logic, &mut values, &does, |_| true, budget)?;
            let next: Vec<Lit> = (logic.next.iter())
                .map(|&next| signal(&values, next))
                .collect();
            for (fact, next) in next.into_iter().enumerate() {
                self.facts[fact] = self.circuit.mux(over, self.facts[fact], next);
            }
            self.invariants(known);
            does.clear();
        }
        let late = std::mem::take(&mut self.late);
        let early = self.write(logic, &mut values, &does, |node| !late[node], budget);
        self.late = late;
        early?;
        let over = signal(&values, logic.terminal);
        for &legal in &logic.legal[0] {
            let legal = signal(&values, legal);
            let can = self.circuit.and(legal, !over);
            let played = match self.circuit.value(can) {
                Some(false) => can,
                _ => self.circuit.fresh(),
            };
            self.circuit.demand(&[!played, can]);
            does.push(played);
        }
        self.circuit.at_most_one(&does);
        does.push(over);
        self.circuit.demand(&does);
        does.pop();
        let goals = logic.goals[0].iter();
        let goals = goals.map(|&(result, goal)| (result, signal(&values, goal)));
        self.plies.push(Ply {
            does,
            over,
            goals: goals.collect(),
        });
        Ok(())
    }

    /// Writes the nodes that `which` selects.
    fn write(
        &mut self,
        logic: &GameLogic,
        values: &mut [Lit],
        does: &[Lit],
        which: impl Fn(usize) -> bool,
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        let no = self.circuit.constant(false);
        for (node, &gate) in logic.net.gates().iter().enumerate() {
            if node % STRIDE == 0 {
                budget.check()?;
                if self.circuit.is_full() {
                    return Err(Exhausted::Memory);
                }
            }
            if !self.used[node] || !which(node) {
                continue;
            }
            values[node] = match gate {
                Gate::False => no,
                Gate::Input(number) => match logic.sources[number as usize] {
                    Source::Fact(fact) => self.facts[fact as usize],
                    Source::Does { mv, .. } => does.get(mv as usize).copied().unwrap_or(no),
                    Source::Fix(_) => no,
                },
                Gate::And(a, b) => self.circuit.and(signal(values, a), signal(values, b)),
                Gate::Xor(a, b) => self.circuit.xor(signal(values, a), signal(values, b)),
            };
        }
        Ok(())
    }

    /// Demands what is proved to hold in every state.
    fn invariants(&mut self, known: &Known) {
        let groups = &known.proved.groups;
        for group in &groups.groups {
            let facts = group.facts.iter();
            let lits: Vec<Lit> = facts.map(|&fact| self.facts[fact as usize]).collect();
            if lits.iter().all(|&lit| self.circuit.value(lit).is_some()) {
                continue;
            }
            self.circuit.at_most_one(&lits);
            if group.exactly {
                self.circuit.demand(&lits);
            }
        }
        for equal in &groups.equal {
            let (a, b) = (
                self.facts[equal.fact as usize],
                self.facts[equal.like as usize],
            );
            let b = if equal.opposite { !b } else { b };
            self.circuit.demand(&[!a, b]);
            self.circuit.demand(&[a, !b]);
        }
    }

    /// The moves of the last model.
    pub fn line(&self) -> Vec<MoveId> {
        let mut moves = Vec::new();
        for ply in &self.plies[..self.len()] {
            let played = ply.does.iter().position(|&does| self.circuit.is_true(does));
            match played {
                Some(mv) if !self.circuit.is_true(ply.over) => moves.push(MoveId(mv as u32)),
                _ => break,
            }
        }
        moves
    }
}

/// The signal of a literal, given those of the nodes.
pub(crate) fn signal(values: &[Lit], lit: netlist::Lit) -> Lit {
    let value = values[lit.node()];
    if lit.is_negated() { !value } else { value }
}
