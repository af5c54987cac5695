//! An engine that plays from the network.

mod cones;
mod flat;
mod layout;
mod lower;
mod machine;

use crate::{BuildError, Network, Vocabulary};
use budget::Budget;
use flat::Lowered;
use game::{Engine, EngineError, GroundTerm, MoveId, RoleId, State};
use machine::Machine;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// An engine that plays from a propositional network, flattened to counters and links.
///
/// A state has one bit for each fact. The engine remembers the last state that it was asked
/// about. It evaluates only what differs in the next one, and of that only what the query
/// needs: legality and terminality, goals, or transitions. Asking all queries of one state in
/// sequence is therefore cheap, and no step allocates memory. In the worst case a query visits
/// every link of its part of the network once.
///
/// A [`MoveId`] is the position of the move in the role's list of [`Vocabulary::moves`].
#[derive(Debug)]
pub struct PropnetEngine {
    words: Arc<Words>,
    machine: Machine,
}

/// The data that an engine and its forks share besides the network.
#[derive(Debug)]
struct Words {
    vocabulary: Arc<Vocabulary>,
    facts: FxHashMap<GroundTerm, u32>,
    moves: Vec<FxHashMap<GroundTerm, u32>>,
    /// The facts in the order of their texts.
    by_text: Vec<u32>,
    initial: State,
}

impl PropnetEngine {
    /// Flattens a network, in time linear in its size (except for sorting the facts by name).
    ///
    /// # Errors
    /// If legality, goals or terminality depend on the moves played, or if the budget is
    /// exhausted.
    pub fn new(network: &Network, budget: &Budget) -> Result<Self, BuildError> {
        let machine = Machine::new(Lowered::new(network, budget)?);
        let vocabulary = network.vocabulary.clone();
        let numbered =
            |terms: &[GroundTerm]| (0..).zip(terms).map(|(i, t)| (t.clone(), i)).collect();
        let mut by_text: Vec<u32> = (0..vocabulary.facts.len() as u32).collect();
        by_text.sort_by_cached_key(|&fact| vocabulary.facts[fact as usize].to_string());
        let mut initial = vec![0u64; machine.net().layout.state_words()];
        for &fact in &vocabulary.initial {
            initial[fact as usize / 64] |= 1 << (fact % 64);
        }
        Ok(PropnetEngine {
            words: Arc::new(Words {
                facts: numbered(&vocabulary.facts),
                moves: vocabulary
                    .moves
                    .iter()
                    .map(|moves| numbered(moves))
                    .collect(),
                by_text,
                initial: State::from_words(initial),
                vocabulary,
            }),
            machine,
        })
    }

    /// The words of a state. Fails if the state cannot belong to this engine.
    fn words_of<'a>(&self, state: &'a State) -> Result<&'a [u64], EngineError> {
        let layout = &self.machine.net().layout;
        let words = state.words();
        let in_last = layout.facts() % 64;
        let stray = match words.last() {
            Some(last) if in_last > 0 => last >> in_last,
            _ => 0,
        };
        if words.len() == layout.state_words() && stray == 0 {
            Ok(words)
        } else {
            Err(EngineError::Rules("a state of another engine".into()))
        }
    }

    fn check_role(&self, role: RoleId) -> Result<usize, EngineError> {
        if role.0 < self.words.vocabulary.roles.len() {
            Ok(role.0)
        } else {
            Err(EngineError::Rules(format!(
                "there is no role number {}",
                role.0
            )))
        }
    }
}

impl Engine for PropnetEngine {
    fn name(&self) -> &'static str {
        "propnet"
    }

    fn roles(&self) -> &[GroundTerm] {
        &self.words.vocabulary.roles
    }

    fn initial(&self) -> State {
        self.words.initial.clone()
    }

    fn terminal(&mut self, state: &State) -> Result<bool, EngineError> {
        self.machine.show(self.words_of(state)?);
        Ok(self.machine.bit(self.machine.net().layout.terminal()))
    }

    fn legal(
        &mut self,
        state: &State,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), EngineError> {
        let role = self.check_role(role)?;
        self.machine.show(self.words_of(state)?);
        moves.clear();
        let words = self.machine.net().layout.legal_words(role);
        for (first, &word) in (0u32..).step_by(64).zip(&self.machine.bits()[words]) {
            let mut left = word;
            while left != 0 {
                moves.push(MoveId(first + left.trailing_zeros()));
                left &= left - 1;
            }
        }
        Ok(())
    }

    fn next(
        &mut self,
        state: &State,
        joint: &[MoveId],
        next: &mut State,
    ) -> Result<(), EngineError> {
        let roles = self.words.vocabulary.roles.len();
        if joint.len() != roles {
            let given = joint.len();
            return Err(EngineError::Rules(format!(
                "{given} moves for {roles} roles"
            )));
        }
        let layout = &self.machine.net().layout;
        for (role, mv) in joint.iter().enumerate() {
            if !layout.has_move(role, mv.0) {
                return Err(EngineError::Rules("a move of another engine".into()));
            }
        }
        self.machine.show_moves(self.words_of(state)?, joint);
        let words = self.machine.net().layout.state_words();
        next.words_mut().clear();
        next.words_mut()
            .extend_from_slice(&self.machine.bits()[..words]);
        Ok(())
    }

    fn goal(&mut self, state: &State, role: RoleId) -> Result<Option<u8>, EngineError> {
        let role = self.check_role(role)?;
        self.machine.show_goals(self.words_of(state)?);
        let goals = self.machine.net().layout.goals(role);
        let mut reached = goals.iter().filter(|(_, bit)| self.machine.bit(*bit));
        Ok(match (reached.next(), reached.next()) {
            (Some(&(value, _)), None) => Some(value),
            _ => None,
        })
    }

    fn facts(&mut self, state: &State) -> Vec<GroundTerm> {
        let holds = |fact: u32| {
            let word = state.words().get(fact as usize / 64);
            word.is_some_and(|word| word >> (fact % 64) & 1 == 1)
        };
        let held = self.words.by_text.iter().filter(|&&fact| holds(fact));
        held.map(|&fact| self.words.vocabulary.facts[fact as usize].clone())
            .collect()
    }

    fn state_of(&mut self, facts: &[GroundTerm]) -> Result<State, EngineError> {
        let mut words = vec![0u64; self.machine.net().layout.state_words()];
        for fact in facts {
            match self.words.facts.get(fact) {
                Some(&fact) => words[fact as usize / 64] |= 1 << (fact % 64),
                None => return Err(EngineError::UnknownFact(fact.clone())),
            }
        }
        Ok(State::from_words(words))
    }

    fn move_term(&mut self, role: RoleId, mv: MoveId) -> GroundTerm {
        let moves = self.words.vocabulary.moves.get(role.0);
        let term = moves.and_then(|moves| moves.get(mv.0 as usize));
        term.cloned().unwrap_or_else(|| GroundTerm::constant("?"))
    }

    fn find_move(&mut self, role: RoleId, term: &GroundTerm) -> Option<MoveId> {
        self.words.moves.get(role.0)?.get(term).copied().map(MoveId)
    }

    fn fork(&self) -> Box<dyn Engine> {
        Box::new(PropnetEngine {
            words: self.words.clone(),
            machine: self.machine.clone(),
        })
    }

    fn is_plain(&self) -> bool {
        true
    }

    fn bits(&self, state: &State, bits: &mut State) -> bool {
        bits.clone_from(state);
        self.words_of(state).is_ok()
    }
}
