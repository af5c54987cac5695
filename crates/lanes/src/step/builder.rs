//! Writes the program of a step, segment by segment.

use super::{Banks, Choice, ChoicePlaces, Places, Step, at_least_two};
use crate::choice::Counted;
use crate::effects::Effects;
use crate::import::{Import, cycles};
use crate::policy::{Applied, Draft, GuidedPlaces, Policy};
use crate::scan::Scan;
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

    /// Chooses one of the legal moves of a choice.
    pub fn choose(&mut self, choice: &Choice, rows: &Rows) {
        let legal = |&(role, mv): &(u16, u32)| rows[usize::from(role)][mv as usize];
        let possible = |moves: &[(u16, u32)]| {
            let moves = moves.iter().copied();
            let moves = moves.filter(|mv| legal(mv) != Lit::FALSE);
            moves.collect::<Vec<_>>()
        };
        let forced = possible(&choice.forced);
        for mv in &forced {
            self.set_chosen(mv, legal(mv));
        }
        let groups = choice.leaves.iter().map(|leaf| {
            let mut leaf = possible(leaf);
            leaf.retain(|mv| !self.is_listed(mv));
            leaf
        });
        let groups: Vec<_> = groups.filter(|leaf| !leaf.is_empty()).collect();
        match &groups[..] {
            [] => {}
            [only] => {
                // No choice: the legal moves are played. A move that is its role's only one
                // here is played wherever play continues.
                let alone = forced.is_empty() && only.len() == 1;
                for mv in only {
                    self.set_chosen(mv, if alone { Lit::TRUE } else { legal(mv) });
                }
            }
            groups if groups.len() >= choice.scan_from && self.places.guided.is_empty() => {
                self.scan(groups.iter().flatten().copied(), rows);
            }
            groups => {
                // If all moves of the choice are forced, there is nothing to choose.
                let role = groups[0][0].0;
                let always = forced.is_empty() && groups.iter().flatten().all(|mv| mv.0 == role);
                let lits: Vec<Lit> = (groups.iter())
                    .map(|leaf| self.net.or_all(leaf.iter().map(&legal)))
                    .collect();
                let on = self.draw(&lits, always);
                for (leaf, on) in groups.iter().zip(on) {
                    match &leaf[..] {
                        [only] => self.set_chosen(only, on),
                        several => {
                            for mv in several {
                                let on = self.net.and(on, legal(mv));
                                self.set_chosen(mv, on);
                            }
                        }
                    }
                }
            }
        }
    }

    fn set_chosen(&mut self, &(role, mv): &(u16, u32), lit: Lit) {
        self.chosen[self.logic.does[usize::from(role)][mv as usize].node()] = lit;
    }

    /// Whether the move is chosen by a list and never by chance.
    fn is_listed(&self, &(role, _): &(u16, u32)) -> bool {
        let mut guided = self.places.guided.iter();
        guided.any(|g| g.role == usize::from(role) && g.follows.is_none())
    }

    /// Draws one of the legal leaves, uniformly. Returns for each whether it is drawn. With
    /// `always`, one is legal wherever play continues.
    fn draw(&mut self, legal: &[Lit], always: bool) -> Vec<Lit> {
        self.leaves += legal.len();
        let counted = Counted::new(&mut self.net, legal);
        let random = self.reserve(counted.random_bits());
        let bits: Vec<Lit> = random.clone().map(|plane| self.held(plane)).collect();
        let drawn = counted.rank(&mut self.net, &bits);
        let total = self.reserve(counted.total().len());
        let rank = self.reserve(drawn.rank.len());
        let doubtful = self.reserve(1).start;
        let planes = total.clone().chain(rank.clone()).chain([doubtful]);
        let lits = (counted.total().iter())
            .chain(&drawn.rank)
            .chain([&drawn.doubtful]);
        self.look
            .extend(lits.zip(planes).map(|(&lit, plane)| (lit, plane as u32)));
        // From here on the rank is read from memory.
        let held: Vec<Lit> = rank.clone().map(|plane| self.held(plane)).collect();
        let open = match always {
            true => Lit::TRUE,
            false => self.net.or_all(counted.total().iter().copied()),
        };
        self.places.choices.push(ChoicePlaces {
            random,
            total,
            rank,
            doubtful,
        });
        counted.select(&mut self.net, &held, open)
    }

    /// Leaves the choice among these moves to the caller, who sets the planes of its effects.
    fn scan(&mut self, moves: impl Iterator<Item = (u16, u32)>, rows: &Rows) {
        let moves: Vec<(u16, u32)> = moves.collect();
        let of = |&(role, mv): &(u16, u32)| (usize::from(role), mv as usize);
        self.leaves += moves.len();
        let legal = self.reserve(moves.len());
        for ((role, mv), plane) in moves.iter().map(of).zip(legal.clone()) {
            self.look.push((rows[role][mv], plane as u32));
        }
        let does = moves.iter().map(of);
        let nodes: Vec<usize> = does
            .map(|(role, mv)| self.logic.does[role][mv].node())
            .collect();
        let found = Effects::of(self.logic, &self.late, &nodes);
        let effects = self.reserve(found.nodes.len());
        for (&(node, none), plane) in found.nodes.iter().zip(effects.clone()) {
            let lit = self.held(plane) ^ none;
            self.learn(node, lit);
        }
        for &(node, value) in &found.constant {
            self.learn(node, Lit::constant(value));
        }
        let planes = |of: &Vec<u32>| {
            let planes = of.iter().map(|&at| effects.start as u32 + at);
            planes.collect()
        };
        self.places.scans.push(Scan {
            legal,
            planes_of: found.of.iter().map(planes).collect(),
            effects,
        });
    }

    /// Sets the copy of a signal that depends on the choice of a move alone.
    fn learn(&mut self, node: usize, lit: Lit) {
        self.chosen[node] = lit;
        self.import.is(node, lit);
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
