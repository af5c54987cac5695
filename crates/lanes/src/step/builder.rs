//! Writes the program of a step, segment by segment.

mod choose;

use super::{Banks, Choice, Places, Step, at_least_two};
use crate::import::{Import, cycles};
use crate::policy::{Applied, Draft, GuidedPlaces, Policy};
use bitcode::Assembler;
use budget::Budget;
use netlist::{Fix, GameLogic, Gate, Lit, Netlist};
use std::ops::Range;

/// Signals with the planes that they go to.
type Outputs = Vec<(Lit, u32)>;

/// For each role, whether each of its moves is legal.
type Rows = Vec<Vec<Lit>>;

/// A step under construction. Its methods are called in the order in which they stand here.
pub(super) struct Builder<'a> {
    logic: &'a GameLogic,
    net: Netlist,
    import: Import<'a>,
    places: Places,
    /// For each input of the netlist the plane that it is read from.
    planes: Vec<u32>,
    /// The planes in use.
    used: usize,
    /// Whether the state is terminal.
    terminal: Lit,
    /// What each segment computes.
    look: Outputs,
    results: Outputs,
    next: Outputs,
    /// The recursive signals that do not depend on moves, and those that may.
    early: Vec<&'a [Fix]>,
    late: Vec<&'a [Fix]>,
    carried: Vec<Vec<(Lit, Lit)>>,
    /// Whether a role has no move.
    stuck: Lit,
    /// The value of the node of every move; false where the move is never legal.
    chosen: Vec<Lit>,
    /// The number of alternatives, in all choices.
    leaves: usize,
}

/// Reserves planes.
fn reserve(used: &mut usize, count: usize) -> Range<usize> {
    *used += count;
    *used - count..*used
}

impl<'a> Builder<'a> {
    /// Begins with the inputs: facts, and signals that repeat until nothing changes.
    pub fn new(logic: &'a GameLogic, banks: Banks) -> Builder<'a> {
        let facts = logic.next.len();
        let (early, late) = cycles(logic);
        let mut builder = Builder {
            logic,
            net: Netlist::new(),
            import: Import::new(&logic.net),
            places: Places {
                facts,
                banks,
                terminal: 3 * facts,
                stuck: 3 * facts + 1,
                ..Places::default()
            },
            planes: Vec::new(),
            used: 3 * facts + 2,
            terminal: Lit::FALSE,
            look: Vec::new(),
            results: Vec::new(),
            next: Vec::new(),
            early,
            late,
            carried: Vec::new(),
            stuck: Lit::FALSE,
            chosen: vec![Lit::FALSE; logic.net.len()],
            leaves: 0,
        };
        for (node, gate) in logic.net.gates().iter().enumerate() {
            let Gate::Input(number) = *gate else { continue };
            let plane = match logic.sources[number as usize] {
                netlist::Source::Fact(fact) => builder.places.here().start + fact as usize,
                netlist::Source::Fix(_) => builder.reserve(1).start,
                netlist::Source::Does { .. } => continue,
            };
            let input = builder.held(plane);
            builder.import.is(node, input);
        }
        builder.terminal = builder.take(logic.terminal);
        builder
    }

    fn reserve(&mut self, count: usize) -> Range<usize> {
        reserve(&mut self.used, count)
    }

    /// A signal that is read from a plane.
    fn held(&mut self, plane: usize) -> Lit {
        self.planes.push(plane as u32);
        self.net.input()
    }

    /// The copy of a signal of the logic.
    fn take(&mut self, lit: Lit) -> Lit {
        self.import.take(&mut self.net, lit)
    }

    /// The results of the roles. Copied before legality, since they and the end itself must not
    /// assume that play continues.
    pub fn results(&mut self) {
        let first = self.used;
        for goals in &self.logic.goals {
            let lits: Vec<Lit> = goals.iter().map(|&(_, lit)| self.take(lit)).collect();
            let twice = at_least_two(&mut self.net, &lits);
            let planes = self.reserve(goals.len());
            for (&lit, plane) in lits.iter().zip(planes.clone()) {
                self.results.push((self.net.and(lit, !twice), plane as u32));
            }
            let values = goals.iter().map(|&(value, _)| value);
            self.places.goals.push(values.zip(planes).collect());
        }
        self.places.results = first..self.used;
        self.carry(true);
        self.import.assume_running(self.logic.terminal);
        self.look.push((self.terminal, self.places.terminal as u32));
    }

    /// Copies the recursive signals of one of the two groups.
    fn carry(&mut self, early: bool) {
        let cycles = if early { &self.early } else { &self.late }.clone();
        for cycle in cycles {
            let cycle = self.import.cycle(&mut self.net, cycle);
            self.carried.push(cycle);
        }
    }

    /// Whether each move is legal.
    pub fn legal_moves(&mut self) -> Rows {
        let logic = self.logic;
        let rows = logic.legal.iter();
        let rows: Rows = rows
            .map(|row| row.iter().map(|&lit| self.take(lit)).collect())
            .collect();
        for row in &rows {
            let some = self.net.or_all(row.iter().copied());
            self.stuck = self.net.or(self.stuck, !some);
        }
        rows
    }

    /// Leaves out the legal moves that the policy does not play.
    pub fn restrict(
        &mut self,
        rows: Rows,
        [logic, after, beyond]: [&'a GameLogic; 3],
        choices: &[Choice],
        policy: &Policy,
        budget: &Budget,
    ) -> (Rows, Vec<Applied>) {
        let fixes = self.early.iter().copied().flatten();
        let mut draft = Draft {
            net: &mut self.net,
            import: &self.import,
            logic,
            after,
            beyond,
            terminal: self.terminal,
            choices,
            early: fixes.map(|fix| fix.input.node()).collect(),
            budget,
        };
        draft.restrict(policy, rows)
    }

    /// Where guided roles find their legal moves.
    pub fn guided(&mut self, policy: &Policy, rows: &Rows) {
        for &guided in &policy.guided {
            let row = rows.get(guided.role).map_or(&[][..], Vec::as_slice);
            let reserve = |count| reserve(&mut self.used, count);
            if let Some(guided) = GuidedPlaces::new(guided, row, reserve) {
                self.look.extend(guided.outputs(row));
                self.places.guided.push(guided);
            }
        }
    }

    /// Takes the moves that lists choose.
    pub fn follow_lists(&mut self) {
        let stuck = self.net.and(self.stuck, !self.terminal);
        self.look.push((stuck, self.places.stuck as u32));
        for at in 0..self.places.guided.len() {
            let guided = self.places.guided[at].clone();
            let follows = guided.follows.map(|plane| self.held(plane));
            let listed: Vec<Lit> = guided.chosen.map(|plane| self.held(plane)).collect();
            for (&mv, listed) in guided.moves.iter().zip(listed) {
                let node = self.logic.does[guided.role][mv as usize].node();
                let otherwise = match follows {
                    Some(follows) => self.net.and(self.chosen[node], !follows),
                    None => Lit::FALSE,
                };
                self.chosen[node] = self.net.or(listed, otherwise);
            }
        }
    }

    /// The state after the chosen moves.
    pub fn next_state(&mut self) {
        let logic = self.logic;
        for does in logic.does.iter().flatten() {
            self.import.is(does.node(), self.chosen[does.node()]);
        }
        for (&lit, plane) in logic.next.iter().zip(self.places.next()) {
            let next = self.take(lit);
            self.next.push((next, plane as u32));
        }
        self.carry(false);
    }

    /// The program.
    pub fn finish(self, applied: Vec<Applied>) -> Step {
        let mut assembler = Assembler::new(&self.net, self.used as u32, &self.planes);
        for cycle in self.carried {
            assembler.cycle(cycle);
        }
        for segment in [&self.look, &self.results, &self.next] {
            assembler.segment(segment);
        }
        Step {
            code: assembler.finish(),
            places: self.places,
            leaves: self.leaves,
            applied,
        }
    }
}
