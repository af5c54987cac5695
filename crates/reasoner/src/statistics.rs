//! Estimates of the number of tuples of relations, used for join orders only.
//!
//! A join order is as good as the estimate of how many tuples each literal yields. Instead of
//! estimating from the form of the rules, this module plays a short random playout with a
//! first, estimated order and lists the relations in a few of its states. Static relations are
//! listed once. None of this changes an answer.

use crate::code::Code;
use crate::compile::Compiled;
use crate::evaluate::Machine;
use crate::facts::{pack, unpack};
use crate::shared::SharedTerms;
use budget::{Budget, Exhausted};
use datalog::{
    Atom, Bindings, Dependencies, Dynamics, Pattern, Program, RelationId, TermId, TermStore,
};
use game::State;
use gdl_parse::Keyword;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

/// Maximum number of steps in the playout.
const STEPS_OF_PLAYOUT: u64 = 300_000;
/// Maximum number of steps for listing one relation in one state, and for all listings.
const STEPS_PER_RELATION: u64 = 30_000;
const STEPS_IN_ALL: u64 = 400_000;
/// Number of plies of the playout, and the interval between samples.
const PLIES: usize = 25;
const SAMPLE_EVERY: usize = 8;
/// Maximum number of tuples kept of one relation in one state.
const MAX_TUPLES: usize = 4_000;

/// The tuples of a relation in one state.
type Sample = Vec<Box<[TermId]>>;

/// Samples of relations, and estimates from them.
pub(crate) struct Statistics {
    terms: TermStore,
    /// By relation. Empty where nothing is known.
    samples: Vec<Vec<Sample>>,
    known: RefCell<FxHashMap<Form, Option<f64>>>,
}

/// The properties of an atom that its estimate depends on.
type Form = (RelationId, Vec<Leaf>);

/// A leaf of an atom, as far as estimates depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Leaf {
    Term(TermId),
    Function(gdl_parse::Symbol, usize),
    Bound,
    Free,
}

impl Statistics {
    /// Statistics from the text alone: stated facts and the stated initial state.
    pub(crate) fn stated(program: &Program) -> Self {
        let mut samples: Vec<Vec<Sample>> = program
            .relations
            .iter()
            .map(|info| {
                if info.rules.is_empty() {
                    vec![info.facts.clone()]
                } else {
                    Vec::new()
                }
            })
            .collect();
        let initial = program.info(Program::keyword(Keyword::Init)).facts.clone();
        samples[Program::keyword(Keyword::True).index()] = vec![initial];
        Statistics {
            terms: program.terms.clone(),
            samples,
            known: RefCell::default(),
        }
    }

    /// Statistics from a short playout. `compiled` must have a mode for listing every relation.
    pub(crate) fn sampled(
        program: &Program,
        dependencies: &Dependencies,
        compiled: &Compiled,
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        let mut statistics = Statistics::stated(program);
        let mut machine = Machine::new(
            &compiled.code,
            SharedTerms::new(program.terms.clone()),
            budget.clone().with_memory(budget.max_bytes() / 4),
        );
        let states = sample_states(&compiled.code, &mut machine)?;
        let mut steps_left = STEPS_IN_ALL;
        let true_relation = Program::keyword(Keyword::True);
        let lists = states
            .iter()
            .map(|state| unpack(state).map(|f| [f].into()).collect());
        statistics.samples[true_relation.index()] = lists.collect();
        for (position, state) in states.iter().enumerate() {
            for &(relation, mode) in &compiled.lists {
                let dynamics = dependencies.dynamics(relation);
                let wanted = match dynamics {
                    Dynamics::Static => position == 0,
                    Dynamics::State => true,
                    Dynamics::Moves => false,
                };
                if !wanted || program.info(relation).rules.is_empty() || steps_left == 0 {
                    continue;
                }
                machine.set_state(&compiled.code, unpack(state));
                machine.limit_steps(steps_left.min(STEPS_PER_RELATION));
                let arity = program.info(relation).arity;
                match machine.ask(&compiled.code, mode, &[]) {
                    Ok((count, tuples)) if arity > 0 => {
                        let tuples = tuples.chunks_exact(arity).take(MAX_TUPLES).map(Into::into);
                        let sample: Sample = tuples.collect();
                        debug_assert!(sample.len() == count.min(MAX_TUPLES));
                        statistics.samples[relation.index()].push(sample);
                    }
                    Ok(_) => {}
                    // Too many tuples to list: treat as unknown.
                    Err(_) => budget.check()?,
                }
                steps_left = steps_left.saturating_sub(machine.steps_since_limit());
            }
        }
        machine.terms.catch_up();
        statistics.terms = machine.terms.local().clone();
        Ok(statistics)
    }

    /// The expected number of tuples of `atom` for one binding of its bound variables, among
    /// those bindings that have any. `None` if nothing is known.
    pub(crate) fn matches(&self, atom: &Atom, bindings: &Bindings) -> Option<f64> {
        let mut leaves = Vec::new();
        atom.args
            .iter()
            .for_each(|arg| collect_leaves(arg, bindings, &mut leaves));
        let key = (atom.relation, leaves);
        if let Some(&known) = self.known.borrow().get(&key) {
            return known;
        }
        let (mut seen, mut matches, mut keys) = (0usize, 0usize, 0usize);
        let mut bound = Vec::new();
        for sample in &self.samples[atom.relation.index()] {
            let mut distinct: FxHashSet<Vec<TermId>> = FxHashSet::default();
            let mut any = false;
            for tuple in sample {
                seen += usize::from(self.same_functions(&atom.args, tuple));
                bound.clear();
                if self.fits(&atom.args, tuple, bindings, &mut bound) {
                    matches += 1;
                    any = true;
                    if !bound.is_empty() {
                        distinct.insert(bound.clone());
                    }
                }
            }
            keys += distinct.len().max(usize::from(any));
        }
        // A kind of fact that was never seen may still occur later.
        let unknown = seen == 0 && atom.relation == Program::keyword(Keyword::True);
        let unknown = unknown || self.samples[atom.relation.index()].is_empty();
        let estimate = (!unknown).then(|| {
            if keys == 0 {
                0.3
            } else {
                matches as f64 / keys as f64
            }
        });
        self.known.borrow_mut().insert(key, estimate);
        estimate
    }

    /// Whether the outermost function symbols agree.
    fn same_functions(&self, patterns: &[Pattern], tuple: &[TermId]) -> bool {
        patterns
            .iter()
            .zip(tuple)
            .all(|(pattern, &term)| match pattern {
                Pattern::Compound(functor, _) => *functor == self.terms.functor(term),
                _ => true,
            })
    }

    fn fits(
        &self,
        patterns: &[Pattern],
        tuple: &[TermId],
        bindings: &Bindings,
        bound: &mut Vec<TermId>,
    ) -> bool {
        patterns
            .iter()
            .zip(tuple)
            .all(|(pattern, &term)| match pattern {
                Pattern::Term(expected) => *expected == term,
                Pattern::Var(var) => {
                    if bindings.contains(*var) {
                        bound.push(term);
                    }
                    true
                }
                Pattern::Compound(functor, args) => {
                    self.terms.functor(term) == *functor
                        && self.terms.args(term).len() == args.len()
                        && self.fits(args, self.terms.args(term), bindings, bound)
                }
            })
    }
}

fn collect_leaves(pattern: &Pattern, bindings: &Bindings, leaves: &mut Vec<Leaf>) {
    match pattern {
        Pattern::Term(term) => leaves.push(Leaf::Term(*term)),
        Pattern::Var(var) if bindings.contains(*var) => leaves.push(Leaf::Bound),
        Pattern::Var(_) => leaves.push(Leaf::Free),
        Pattern::Compound(functor, args) => {
            leaves.push(Leaf::Function(*functor, args.len()));
            args.iter()
                .for_each(|arg| collect_leaves(arg, bindings, leaves));
        }
    }
}

/// The initial state and some later states of a short playout.
fn sample_states(code: &Code, machine: &mut Machine) -> Result<Vec<State>, Exhausted> {
    let mut state = State::default();
    machine.set_state(code, std::iter::empty());
    let roles = machine.ask(code, code.questions.role, &[])?.1.to_vec();
    pack(
        &mut machine.ask(code, code.questions.init, &[])?.1.to_vec(),
        &mut state,
    );
    let mut states = vec![state.clone()];
    // Any fixed sequence of choices is suitable.
    let mut choice: usize = 1;
    machine.limit_steps(STEPS_OF_PLAYOUT);
    for ply in 1..PLIES {
        machine.set_state(code, unpack(&state));
        let Some(next) = step(code, machine, &roles, &mut choice) else {
            break;
        };
        state = next;
        if ply % SAMPLE_EVERY == 0 {
            states.push(state.clone());
        }
    }
    machine.limit_steps(u64::MAX);
    Ok(states)
}

/// Plays one joint move. `None` in a terminal state, or if evaluation is too expensive.
fn step(code: &Code, machine: &mut Machine, roles: &[TermId], choice: &mut usize) -> Option<State> {
    if machine.ask(code, code.questions.terminal, &[]).ok()?.0 > 0 {
        return None;
    }
    let mut does = Vec::with_capacity(roles.len());
    for &role in roles {
        let (_, moves) = machine.ask(code, code.questions.legal, &[role]).ok()?;
        *choice = choice.wrapping_mul(0x9E37_79B9).wrapping_add(7);
        let index = (*choice >> 8) % moves.len().max(1);
        does.push((role, *moves.get(index)?));
    }
    machine.set_moves(&does);
    let mut next = State::default();
    pack(
        &mut machine.ask(code, code.questions.next, &[]).ok()?.1.to_vec(),
        &mut next,
    );
    Some(next)
}
