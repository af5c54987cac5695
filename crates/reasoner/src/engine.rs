//! The reasoner as an engine.

use crate::code::Code;
use crate::compile::compile;
use crate::evaluate::Machine;
use crate::facts::{pack, unpack};
use crate::shared::SharedTerms;
use crate::statistics::Statistics;
use budget::Budget;
use datalog::{Dependencies, Program, TermId, TermStore};
use game::{Engine, EngineError, GroundTerm, MoveId, RoleId, State};
use gdl_parse::Rulesheet;
use std::sync::Arc;

/// An engine that needs no grounding. See the crate documentation.
///
/// A state is the sorted list of the ids of its facts. A move is the id of its term, so the
/// same move has the same value for every role.
pub struct Reasoner {
    code: Arc<Code>,
    machine: Machine,
    roles: Vec<TermId>,
    role_terms: Vec<GroundTerm>,
    initial: State,
    /// The state that the machine is set to.
    current: Option<State>,
    current_moves: Vec<MoveId>,
}

impl Reasoner {
    /// Compiles the rules and derives the roles and the initial state.
    ///
    /// The deadline and stop signals of `budget` apply to this call only. The memory bound
    /// stays in force: tables beyond it are dropped and derived again.
    ///
    /// # Errors
    /// [`EngineError::Exhausted`] if the budget does not suffice, [`EngineError::Rules`] if
    /// there is no role.
    pub fn new(sheet: &Rulesheet, budget: &Budget) -> Result<Self, EngineError> {
        Reasoner::from_program(&Program::from_sheet(sheet), budget)
    }

    /// As [`Reasoner::new`], from rules that are already lowered.
    ///
    /// # Errors
    /// As [`Reasoner::new`].
    pub fn from_program(program: &Program, budget: &Budget) -> Result<Self, EngineError> {
        budget.check()?;
        let dependencies = Dependencies::of(program);
        // First compile with the sizes stated in the text, then with the sizes sampled in a
        // short playout.
        let first = compile(program, &dependencies, &Statistics::stated(program), true);
        let statistics = Statistics::sampled(program, &dependencies, &first, budget)?;
        Reasoner::assemble(program, &dependencies, &statistics, budget)
    }

    /// As [`Reasoner::from_program`], but without the playout that improves join orders. The
    /// engine is ready at once, but slower afterwards.
    ///
    /// # Errors
    /// As [`Reasoner::new`].
    pub fn quick(program: &Program, budget: &Budget) -> Result<Self, EngineError> {
        let dependencies = Dependencies::of(program);
        Reasoner::assemble(program, &dependencies, &Statistics::stated(program), budget)
    }

    fn assemble(
        program: &Program,
        dependencies: &Dependencies,
        statistics: &Statistics,
        budget: &Budget,
    ) -> Result<Self, EngineError> {
        let code = Arc::new(compile(program, dependencies, statistics, false).code);
        budget.check()?;
        let terms = SharedTerms::new(program.terms.clone());
        let mut machine = Machine::new(&code, terms, budget.clone());
        machine.set_state(&code, std::iter::empty());
        let roles = machine.ask(&code, code.questions.role, &[])?.1.to_vec();
        let named = roles.into_iter().map(|role| {
            let term = machine.terms.local().ground(role);
            (role, term.to_string())
        });
        let mut named: Vec<(TermId, String)> = named.collect();
        program.order_roles(&mut named);
        let roles: Vec<TermId> = named.into_iter().map(|(role, _)| role).collect();
        if roles.is_empty() {
            return Err(EngineError::Rules("the rules name no role".into()));
        }
        let mut facts = machine.ask(&code, code.questions.init, &[])?.1.to_vec();
        let mut initial = State::default();
        pack(&mut facts, &mut initial);
        machine.set_budget(lasting(budget));
        let role_terms = roles
            .iter()
            .map(|&role| machine.terms.local().ground(role))
            .collect();
        Ok(Reasoner {
            code,
            machine,
            roles,
            role_terms,
            initial,
            current: None,
            current_moves: Vec::new(),
        })
    }

    /// All that the rules give as the goal of a role, in no particular order. [`Engine::goal`] is
    /// defined where that is a single number from 0 to 100.
    ///
    /// # Errors
    /// If the rules could not be evaluated.
    pub fn goals(&mut self, state: &State, role: RoleId) -> Result<Vec<GroundTerm>, EngineError> {
        self.set_state_alone(state)?;
        let role = self.role(role)?;
        let values = self.ask(self.code.questions.goal, &[role])?.1.to_vec();
        let terms = self.machine.terms.local();
        Ok(values
            .into_iter()
            .map(|value| terms.ground(value))
            .collect())
    }

    /// Whether all facts of a state are terms of this engine or its forks.
    fn knows(&mut self, state: &State) -> bool {
        unpack(state).all(|fact| self.machine.terms.knows(fact))
    }

    fn set_state(&mut self, state: &State) -> Result<(), EngineError> {
        if self.current.as_ref() != Some(state) {
            if !self.knows(state) {
                return Err(EngineError::Rules("a state of another engine".into()));
            }
            self.machine.set_state(&self.code, unpack(state));
            self.current.get_or_insert_default().clone_from(state);
            self.current_moves.clear();
        }
        Ok(())
    }

    /// Sets the state, without moves: whatever asks for legality, the end or goals must not see
    /// the moves of an earlier question.
    fn set_state_alone(&mut self, state: &State) -> Result<(), EngineError> {
        self.set_state(state)?;
        if !self.current_moves.is_empty() {
            self.machine.set_moves(&[]);
            self.current_moves.clear();
        }
        Ok(())
    }

    fn role(&self, role: RoleId) -> Result<TermId, EngineError> {
        let known = self.roles.get(role.0).copied();
        known.ok_or_else(|| {
            let number = role.0;
            EngineError::Rules(format!("there is no role number {number}"))
        })
    }

    fn check_moves(&mut self, joint: &[MoveId]) -> Result<(), EngineError> {
        if joint.len() != self.roles.len() {
            let (given, roles) = (joint.len(), self.roles.len());
            let text = format!("{given} moves for {roles} roles");
            return Err(EngineError::Rules(text));
        }
        let mut moves = joint.iter().map(|mv| TermId(mv.0));
        match moves.all(|mv| self.machine.terms.knows(mv)) {
            true => Ok(()),
            false => Err(EngineError::Rules("a move of another engine".into())),
        }
    }

    fn ask(&mut self, mode: u32, key: &[TermId]) -> Result<(usize, &[TermId]), EngineError> {
        // After a failed query the machine must be set to its state again.
        let answer = self.machine.ask(&self.code, mode, key);
        if answer.is_err() {
            self.current = None;
        }
        Ok(answer?)
    }
}

/// The goal value that a term denotes, if it is one.
fn result(terms: &TermStore, value: TermId) -> Option<u8> {
    if !terms.args(value).is_empty() {
        return None;
    }
    let name = terms.symbols().name(terms.functor(value));
    name.parse().ok().filter(|&result| result <= 100)
}

/// The budget without its deadline and stop signals, which are for single calls.
fn lasting(budget: &Budget) -> Budget {
    Budget::unlimited(budget.clock().clone()).with_memory(budget.max_bytes())
}

impl Engine for Reasoner {
    fn name(&self) -> &'static str {
        "reasoner"
    }

    fn roles(&self) -> &[GroundTerm] {
        &self.role_terms
    }

    fn initial(&self) -> State {
        self.initial.clone()
    }

    fn terminal(&mut self, state: &State) -> Result<bool, EngineError> {
        self.set_state_alone(state)?;
        Ok(self.ask(self.code.questions.terminal, &[])?.0 > 0)
    }

    fn legal(
        &mut self,
        state: &State,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), EngineError> {
        moves.clear();
        self.set_state_alone(state)?;
        let role = self.role(role)?;
        let (_, found) = self.ask(self.code.questions.legal, &[role])?;
        moves.extend(found.iter().map(|term| MoveId(term.0)));
        moves.sort_unstable();
        Ok(())
    }

    fn some_legal(&mut self, state: &State, role: RoleId) -> Result<Option<MoveId>, EngineError> {
        self.set_state_alone(state)?;
        let role = self.role(role)?;
        let found = self
            .machine
            .first(&self.code, self.code.questions.legal, &[role]);
        if found.is_err() {
            self.current = None;
        }
        Ok(found?.map(|term| MoveId(term.0)))
    }

    fn next(
        &mut self,
        state: &State,
        joint: &[MoveId],
        next: &mut State,
    ) -> Result<(), EngineError> {
        self.check_moves(joint)?;
        self.set_state(state)?;
        if self.current_moves != joint {
            let does = self.roles.iter().zip(joint);
            let does: Vec<_> = does.map(|(&role, mv)| (role, TermId(mv.0))).collect();
            self.machine.set_moves(&does);
            self.current_moves.clear();
            self.current_moves.extend_from_slice(joint);
        }
        let mut facts = self.ask(self.code.questions.next, &[])?.1.to_vec();
        pack(&mut facts, next);
        Ok(())
    }

    fn goal(&mut self, state: &State, role: RoleId) -> Result<Option<u8>, EngineError> {
        self.set_state_alone(state)?;
        let role = self.role(role)?;
        let values = self.ask(self.code.questions.goal, &[role])?.1.to_vec();
        let terms = self.machine.terms.local();
        let mut results = values.iter().filter_map(|&value| result(terms, value));
        let first = results.next();
        // `050` and `50` are the same value.
        Ok(first.filter(|&first| results.all(|other| other == first)))
    }

    fn facts(&mut self, state: &State) -> Vec<GroundTerm> {
        if !self.knows(state) {
            return Vec::new();
        }
        let terms = self.machine.terms.local();
        let mut facts: Vec<(String, GroundTerm)> = unpack(state)
            .map(|fact| terms.ground(fact))
            .map(|fact| (fact.to_string(), fact))
            .collect();
        facts.sort();
        facts.into_iter().map(|(_, fact)| fact).collect()
    }

    fn state_of(&mut self, facts: &[GroundTerm]) -> Result<State, EngineError> {
        let mut terms: Vec<TermId> = facts
            .iter()
            .map(|fact| self.machine.terms.intern(fact))
            .collect();
        let mut state = State::default();
        pack(&mut terms, &mut state);
        Ok(state)
    }

    fn move_term(&mut self, _role: RoleId, mv: MoveId) -> GroundTerm {
        let term = self.machine.terms.ground(TermId(mv.0));
        term.unwrap_or_else(|| GroundTerm::constant("?"))
    }

    fn find_move(&mut self, _role: RoleId, term: &GroundTerm) -> Option<MoveId> {
        Some(MoveId(self.machine.terms.intern(term).0))
    }

    fn set_budget(&mut self, budget: &Budget) {
        // The bound on memory is that of the engine.
        let memory = self.machine.budget().max_bytes();
        self.machine.set_budget(budget.clone().with_memory(memory));
    }

    fn fork(&self) -> Box<dyn Engine> {
        Box::new(Reasoner {
            code: self.code.clone(),
            machine: Machine::new(
                &self.code,
                self.machine.terms.clone(),
                lasting(self.machine.budget()),
            ),
            roles: self.roles.clone(),
            role_terms: self.role_terms.clone(),
            initial: self.initial.clone(),
            current: None,
            current_moves: Vec::new(),
        })
    }
}
