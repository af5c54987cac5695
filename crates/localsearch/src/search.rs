//! The search: which states are looked at, and in which order.

use crate::children::{Children, Chunk};
use crate::cube::{Claim, Cube};
use crate::explain::{End, Explainer, Place};
use crate::game::{Game, Unsuitable};
use crate::near::near;
use crate::table::{Statistics, Table, ones};
use budget::Budget;
use compile::Proved;
use game::{MoveId, RoleId, State};
use std::cmp::Reverse;
use std::sync::Arc;

/// The part of the memory for cubes; the rest is for the states on the current path.
const CUBES: usize = 2;

/// What was proved of a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// The states of which the same holds, this one among them.
    pub cube: Arc<Cube>,
    /// The move that decides, and the role that makes it. `None` if no move can change it, or
    /// play is over.
    pub decides: Option<(RoleId, MoveId)>,
}

/// The search stopped, because of its budget or the number of states.
struct Stopped;

type Result<T> = std::result::Result<T, Stopped>;

/// Proves what a role can force, and of which states the proof holds.
pub struct Search {
    game: Game,
    table: Table,
    explainer: Explainer,
    /// The children at each distance from the state that is asked about.
    path: Vec<Children>,
    /// For each role and move, how much it decided.
    decided: Vec<Vec<u32>>,
    /// For each move of the role, how far it is from the result.
    near: Vec<u8>,
    phase: usize,
    /// Whether the first children are those of the last question.
    looked: bool,
    states: u64,
    most: u64,
    /// Bytes for the children on the path: those in use, and the most.
    bytes: usize,
    room: usize,
}

impl Search {
    /// A search for results of at least `at_least` for a role, in about `memory` bytes.
    ///
    /// # Errors
    /// If the game does not suit the search.
    pub fn new(
        proved: &Proved,
        role: RoleId,
        at_least: u8,
        memory: usize,
        budget: &Budget,
    ) -> std::result::Result<Search, Unsuitable> {
        let game = Game::new(proved, role.0, at_least, budget)?;
        let first = game.circuit(0);
        let cubes = memory / CUBES;
        Ok(Search {
            table: Table::new(game.circuits.len(), game.closure.facts(), cubes),
            decided: first
                .legal
                .iter()
                .map(|moves| vec![0; moves.len()])
                .collect(),
            near: near(&proved.compiled, game.role, at_least, budget),
            explainer: Explainer::default(),
            path: Vec::new(),
            phase: 0,
            looked: false,
            states: 0,
            most: 0,
            bytes: 0,
            room: memory - cubes,
            game,
        })
    }

    /// The role that the questions are about.
    pub fn role(&self) -> RoleId {
        RoleId(self.game.role)
    }

    /// The states made by all questions so far.
    pub fn states(&self) -> u64 {
        self.states
    }

    /// Statistics of the table of cubes.
    pub fn statistics(&self) -> Statistics {
        self.table.statistics
    }

    /// The number of cubes so far that fix every fact of their state. More than a few mean that
    /// proofs do not generalise in this game.
    pub fn whole(&self) -> u64 {
        self.explainer.whole
    }

    /// By how many joint moves questions should become longer: 2 where the role and others move
    /// in turns, as nothing is decided in between.
    pub fn stride(&self) -> usize {
        if self.game.alternates { 2 } else { 1 }
    }

    /// Whether the role can force the result within `plies` joint moves from a state on.
    ///
    /// `facts` has a bit for each fact, in the order of the vocabulary. Makes about `states`
    /// states more, or fewer if the budget ends. `None` if neither is proved; what was learnt
    /// stays, so that the same question goes on where it stopped.
    pub fn ask(
        &mut self,
        facts: &State,
        plies: u16,
        states: u64,
        budget: &Budget,
    ) -> Option<Proof> {
        self.looked = false;
        self.phase = self.phase_of(facts)?;
        if self.path.is_empty() {
            self.path.push(Children::default());
        }
        let facts = (0..self.game.closure.facts()).map(|fact| holds(facts, fact));
        self.path[0].root(self.game.circuit(self.phase), facts);
        self.most = self.states.saturating_add(states);
        let (won, lost) = self.path[0].chunks[0].over(self.game.circuit(self.phase));
        let end = match (won, lost, plies) {
            (1, ..) => Some(End::Won),
            (_, 1, _) => Some(End::Lost),
            (.., 0) => Some(End::Horizon),
            _ => None,
        };
        if let Some(end) = end {
            let cube = Arc::new(self.end(0, 0, end));
            return Some(Proof {
                cube,
                decides: None,
            });
        }
        let cube = self.solve(0, 0, plies, budget).ok().flatten()?;
        let children = &self.path[1];
        let decides = children
            .decided
            .map(|child| (RoleId(children.chooser), MoveId(children.moves[child])));
        Some(Proof { cube, decides })
    }

    /// What is known of the state after a joint move, if the question before was about the state
    /// in which it is made. Moves are those of the vocabulary, `None` for others.
    pub fn after(&self, joint: &[Option<MoveId>]) -> Option<Claim> {
        let children = self.path.get(1).filter(|_| self.looked)?;
        let mv = (*joint.get(children.chooser)?)?;
        let child = children.moves.iter().position(|&other| other == mv.0)?;
        let proof = children.proofs.get(child)?.as_ref();
        proof.map(|cube| cube.claim)
    }

    /// The children of the state that was asked about last, if they were made.
    pub(crate) fn children(&self) -> Option<&Children> {
        self.path.get(1)
    }

    /// Whether the phase of a state is one in which the role chooses.
    pub(crate) fn is_own(&self, facts: &State) -> bool {
        let phase = self.phase_of(facts);
        phase.is_some_and(|phase| self.game.choosers[phase] == [self.game.role])
    }

    fn phase_of(&self, facts: &State) -> Option<usize> {
        self.game.phases.of(|fact| holds(facts, fact as usize))
    }

    fn end(&mut self, at: usize, child: usize, end: End) -> Cube {
        let place = Place {
            phase: self.phase + at,
            among: &self.path[at],
            child,
        };
        self.explainer.end(&self.game, place, end)
    }

    /// Makes the children of a state. Returns whether the role chooses; `None` if it is unclear
    /// who does.
    fn expand(&mut self, at: usize, child: usize, budget: &Budget) -> Result<Option<bool>> {
        if self.states >= self.most || budget.check().is_err() {
            return Err(Stopped);
        }
        let from = self.game.circuit(self.phase + at);
        let to = self.game.circuit(self.phase + at + 1);
        if self.path.len() < at + 2 {
            self.path.push(Children::default());
        }
        let (above, below) = self.path.split_at_mut(at + 1);
        let (chunk, lane) = above[at].place(child);
        let children = &mut below[0];
        if !children.list(from, chunk, lane, self.game.role) {
            return Ok(None);
        }
        let more = children
            .moves
            .len()
            .div_ceil(64)
            .saturating_sub(children.chunks.len());
        self.bytes += more * Chunk::bytes(from, to);
        if self.bytes > self.room {
            self.bytes -= more * Chunk::bytes(from, to);
            return Err(Stopped);
        }
        children.make(from, to, &chunk.facts, lane);
        self.states += children.moves.len() as u64;
        let own = children.chooser == self.game.role;
        let of_role = &self.decided[children.chooser];
        children.order.clear();
        children.order.extend(0..children.moves.len() as u32);
        let moves = &children.moves;
        children.order.sort_by_key(|&child| {
            let mv = moves[child as usize] as usize;
            // The others' moves are not the better for being near: measured.
            let near = if own { self.near[mv] } else { 0 };
            (Reverse(of_role[mv]), near)
        });
        Ok(Some(own))
    }

    /// Proves a state that is not over, if it can.
    ///
    /// The role's own moves are searched with ever more joint moves left. The failure within
    /// fewer then refutes every move that changes nothing about it, in one pass.
    fn solve(
        &mut self,
        at: usize,
        child: usize,
        plies: u16,
        budget: &Budget,
    ) -> Result<Option<Arc<Cube>>> {
        let Some(own) = self.expand(at, child, budget)? else {
            return Ok(None);
        };
        if own && plies > 1 {
            let phase = (self.phase + at) % self.game.circuits.len();
            let (chunk, lane) = self.path[at].place(child);
            let known = self.table.fails(phase, &chunk.facts, lane);
            let stride = self.stride();
            let first = if stride == 2 { 2 - plies % 2 } else { 1 };
            for fewer in (first..plies)
                .step_by(stride)
                .filter(|&fewer| fewer > known)
            {
                match self.attempt(at, child, own, fewer, budget)? {
                    Some(cube) if cube.claim.wins() => return Ok(Some(cube)),
                    _ => {}
                }
            }
        }
        self.attempt(at, child, own, plies, budget)
    }

    /// Looks for a move that decides for the role that chooses. If all are refuted, it has none.
    fn attempt(
        &mut self,
        at: usize,
        child: usize,
        own: bool,
        plies: u16,
        budget: &Budget,
    ) -> Result<Option<Arc<Cube>>> {
        let below = at + 1;
        self.looked |= at == 0;
        if let Some(decides) = self.look(below, own, plies) {
            return self.decide(at, child, decides);
        }
        let mut open = false;
        for next in 0..self.path[below].order.len() {
            let number = self.path[below].order[next] as usize;
            if self.path[below].proofs[number].is_some() {
                continue;
            }
            let proof = match self.is_over(below, number, plies) {
                Some(end) => Some(Arc::new(self.end(below, number, end))),
                None => self.solve(below, number, plies - 1, budget)?,
            };
            let Some(cube) = proof else {
                open = true;
                continue;
            };
            let decides = cube.claim.wins() == own;
            self.path[below].proofs[number] = Some(cube.clone());
            if decides {
                return self.decide(at, child, number);
            }
            self.path[below].spread(&cube);
        }
        if open {
            return Ok(None);
        }
        let children = &mut self.path[below];
        children.decided = None;
        let place = Place {
            phase: self.phase + at,
            among: &self.path[at],
            child,
        };
        let cube = self.explainer.all(&self.game, place, &self.path[below]);
        Ok(cube.map(|cube| self.keep(cube)))
    }

    /// Asks the table and the ends of play for the children. Returns a child that decides.
    fn look(&mut self, below: usize, own: bool, plies: u16) -> Option<usize> {
        let phase = (self.phase + below) % self.game.circuits.len();
        let circuit = self.game.circuit(phase);
        let children = &mut self.path[below];
        children.proofs.fill(None);
        let chunks = children.moves.len().div_ceil(64);
        let mut decides = None;
        for (number, chunk) in children.chunks[..chunks].iter().enumerate() {
            let (won, lost) = chunk.over(circuit);
            let ends = match (own, plies) {
                (true, _) => won,
                (false, 1) => chunk.lanes & !won,
                (false, _) => lost,
            };
            if ends != 0 {
                decides = decides.or(Some(number * 64 + ends.trailing_zeros() as usize));
            }
        }
        if let Some(number) = decides {
            let end = match own {
                true => End::Won,
                false => self.is_over(below, number, plies)?,
            };
            let cube = self.end(below, number, end);
            self.path[below].proofs[number] = Some(Arc::new(cube));
            return Some(number);
        }
        if plies == 1 {
            return None;
        }
        for (number, chunk) in children.chunks[..chunks].iter().enumerate() {
            let (won, lost) = chunk.over(circuit);
            let lanes = chunk.lanes & !won & !lost;
            let mut found = [None; 64];
            let answered = self
                .table
                .ask(phase, &chunk.facts, lanes, plies - 1, &mut found);
            for lane in ones(answered) {
                let cube = found[lane].map(|found| self.table.cube(found).clone());
                let decided = cube.as_ref().is_some_and(|cube| cube.claim.wins() == own);
                children.proofs[number * 64 + lane] = cube;
                if decided {
                    return Some(number * 64 + lane);
                }
            }
        }
        children.merge();
        None
    }

    /// Whether a child is an end, with `plies` joint moves left before it.
    fn is_over(&self, below: usize, child: usize, plies: u16) -> Option<End> {
        let circuit = self.game.circuit(self.phase + below);
        let (chunk, lane) = self.path[below].place(child);
        let (won, lost) = chunk.over(circuit);
        let is = |lanes: u64| lanes >> lane & 1 == 1;
        if is(won) {
            Some(End::Won)
        } else if plies == 1 {
            Some(End::Horizon)
        } else {
            is(lost).then_some(End::Lost)
        }
    }

    fn decide(&mut self, at: usize, child: usize, number: usize) -> Result<Option<Arc<Cube>>> {
        let children = &mut self.path[at + 1];
        children.decided = Some(number);
        let (role, mv) = (children.chooser, children.moves[number] as usize);
        let Some(to) = children.proofs[number].clone() else {
            return Ok(None);
        };
        let place = Place {
            phase: self.phase + at,
            among: &self.path[at],
            child,
        };
        let cube = self
            .explainer
            .one(&self.game, place, &self.path[at + 1], number, &to);
        let decided = &mut self.decided[role][mv];
        *decided = decided.saturating_add(1);
        Ok(Some(self.keep(cube)))
    }

    fn keep(&mut self, cube: Cube) -> Arc<Cube> {
        let cube = Arc::new(cube);
        self.table.add(cube.clone());
        cube
    }
}

fn holds(facts: &State, fact: usize) -> bool {
    let word = facts.words().get(fact / 64);
    word.is_some_and(|word| word >> (fact % 64) & 1 == 1)
}
