//! Keys: arguments of a relation that determine its other arguments.
//!
//! In a race `(at ?car ?x ?y)` is one place for each car: no reachable state has two facts `at` of
//! the same first argument, so that the first argument is a key. `(succ ?x ?y)` has two keys, each
//! of its arguments. Conditions that agree in a key agree in everything (`chase`), which shows
//! what rules leave unsaid.
//!
//! Keys of static facts are read off. Those of other relations are guessed and proved together by
//! induction over derivations, and over time for the facts of states (`proof`). Keys are the
//! functional dependencies of databases, and conditions are compared by the chase (Maier,
//! Mendelzon, Sagiv, *Testing implications of data dependencies*, 1979).
//!
//! Some facts are the only ones of their kind (`sole`): a board has many pieces, but one white
//! king, so that no two facts `(cell ?x ?y wk)` hold together.

mod chase;
mod derivations;
mod determined;
mod listed;
mod matching;
mod necessary;
mod negation;
mod proof;
mod sole;
mod unify;

pub(crate) use chase::Conjunction;
pub(crate) use determined::Determined;

use necessary::Necessary;
use sole::Sole;

use crate::error::GroundError;
use crate::meter::Meter;
use datalog::{
    Atom, Dependencies, Dynamics, Pattern, Program, RelationId, RelationInfo, Rule, TermStore,
};
use gdl_parse::{GroundTerm, Keyword, Symbol};
use rustc_hash::FxHashMap;
use std::cell::Cell;

/// What has keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Subject {
    /// A relation, as far as it holds in one state.
    Relation(RelationId),
    /// The facts of one state with this function symbol and number of arguments.
    Facts(Symbol, usize),
    /// Those of them that have some terms in common.
    Sole(Sole),
}

impl Subject {
    /// The subject of what a rule derives, and the arguments that its keys are of. `init` and
    /// `next` derive facts of a state, each those of another one. `None` for facts that are
    /// variables.
    fn of_head(head: &Atom, terms: &TermStore) -> Option<(Subject, Vec<Pattern>)> {
        let of_facts = [Keyword::Init, Keyword::Next].map(Program::keyword);
        match of_facts.contains(&head.relation) {
            true => Subject::of_fact(head.args.first()?, terms),
            false => Some((Subject::Relation(head.relation), head.args.to_vec())),
        }
    }

    /// The subject of a condition, and the arguments that its keys are of. Only `true` reads the
    /// facts of the present state. A condition `init` or `next` reads those of another state,
    /// which may agree with them in a key and yet differ, so that it has no subject.
    fn of_condition(condition: &Atom, terms: &TermStore) -> Option<(Subject, Vec<Pattern>)> {
        let elsewhere = [Keyword::Init, Keyword::Next].map(Program::keyword);
        if condition.relation == Program::keyword(Keyword::True) {
            return Subject::of_fact(condition.args.first()?, terms);
        }
        let is_here = !elsewhere.contains(&condition.relation);
        is_here.then(|| {
            let relation = Subject::Relation(condition.relation);
            (relation, condition.args.to_vec())
        })
    }

    /// The subject that a rule's head is compared as: the sole facts are some of all facts.
    fn whole(self, terms: &TermStore) -> Subject {
        match self {
            Subject::Sole(sole) => {
                let (functor, arity) = sole.functor(terms);
                Subject::Facts(functor, arity)
            }
            _ => self,
        }
    }

    fn of_fact(fact: &Pattern, terms: &TermStore) -> Option<(Subject, Vec<Pattern>)> {
        let (functor, args) = match fact {
            Pattern::Var(_) => return None,
            Pattern::Compound(functor, args) => (*functor, args.to_vec()),
            Pattern::Term(term) => {
                let args = terms.args(*term).iter();
                let args = args.map(|&arg| Pattern::Term(arg)).collect();
                (terms.functor(*term), args)
            }
        };
        Some((Subject::Facts(functor, args.len()), args))
    }
}

/// A set of arguments, a bit each.
pub(crate) type Arguments = u16;

/// Subjects with more arguments have no keys here.
const MAX_ARGUMENTS: usize = 10;

/// The keys of each subject. None contains another one of the same subject.
#[derive(Debug, Clone, Default)]
pub(crate) struct Keys {
    of: FxHashMap<Subject, Vec<Arguments>>,
    /// For each function symbol and number of arguments, facts that are the only ones of their
    /// kind.
    sole: FxHashMap<(Symbol, usize), Vec<Sole>>,
}

impl Keys {
    /// The keys of a subject.
    fn of(&self, subject: Subject) -> &[Arguments] {
        match subject {
            // Nothing tells two of them apart.
            Subject::Sole(_) => &[0],
            _ => self.of.get(&subject).map_or(&[], Vec::as_slice),
        }
    }

    /// The sets of facts of which at most one holds, since they agree in a key: at least two each,
    /// as ascending positions in `facts`.
    pub(crate) fn exclusive(&self, facts: &[GroundTerm], terms: &TermStore) -> Vec<Vec<u32>> {
        let of_facts = self.of.iter().filter_map(|(subject, keys)| match *subject {
            Subject::Facts(functor, arity) => {
                Some(((terms.symbols().name(functor), arity), keys.as_slice()))
            }
            Subject::Relation(_) | Subject::Sole(_) => None,
        });
        let functors: FxHashMap<(&str, usize), &[Arguments]> = of_facts.collect();
        let mut sets: FxHashMap<(&str, Arguments, Vec<&GroundTerm>), Vec<u32>> =
            FxHashMap::default();
        for (number, fact) in (0..).zip(facts) {
            let GroundTerm::Compound(name, args) = fact else {
                continue;
            };
            let keys = functors.get(&(name.as_ref(), args.len()));
            for &key in keys.into_iter().copied().flatten() {
                let held = args.iter().enumerate().filter(|(at, _)| has(key, *at));
                let held = held.map(|(_, arg)| arg).collect();
                sets.entry((name, key, held)).or_default().push(number);
            }
        }
        let mut sets: Vec<Vec<u32>> = sets.into_values().filter(|set| set.len() > 1).collect();
        sets.extend(self.exclusive_soles(facts, terms));
        sets.sort_unstable();
        sets
    }
}

/// Rules with more variables are not compared: conjunctions of many such rules would have more
/// variables than can be numbered.
const MAX_VARIABLES: usize = 500;

/// Longer lists of facts are not searched for the one that a condition may mean.
const MAX_FACTS: usize = 4096;

/// The comparisons of terms, and the nodes of terms made, that the rules of one sheet may take:
/// some tenths of a second. What is not found by then is taken not to follow.
const MAX_COMPARISONS: usize = 6_000_000;

/// The rules and facts that conditions are looked up in. Terms are apart, since new ones are made
/// while conditions are compared.
pub(crate) struct Rules<'a> {
    relations: &'a [RelationInfo],
    rules: &'a [Rule],
    dependencies: Dependencies,
    /// What conditions imply. Nothing is known before it is asked for.
    necessary: Necessary,
    /// The comparisons that are left.
    left: Cell<usize>,
}

impl<'a> Rules<'a> {
    /// Those of a program. `None` if a rule has too many variables.
    pub(crate) fn of(program: &'a Program) -> Option<Self> {
        let rules = &program.rules;
        let narrow = rules.iter().all(|rule| rule.vars <= MAX_VARIABLES);
        narrow.then(|| Rules {
            relations: &program.relations,
            rules,
            dependencies: Dependencies::of(program),
            necessary: Necessary::default(),
            left: Cell::new(MAX_COMPARISONS),
        })
    }

    /// The same, with what conditions imply.
    fn with_necessary(
        mut self,
        terms: &mut TermStore,
        meter: &mut Meter<'_>,
    ) -> Result<Self, GroundError> {
        self.necessary = Necessary::of(&self, terms, meter)?;
        Ok(self)
    }

    /// Counts comparisons of terms or nodes made. Returns whether they may be made.
    fn spend(&self, comparisons: usize) -> bool {
        self.left.set(self.left.get().saturating_sub(comparisons));
        !self.is_spent()
    }

    /// Whether no comparison is left: what was found since may be incomplete.
    fn is_spent(&self) -> bool {
        self.left.get() == 0
    }

    /// The rules with this head.
    pub(crate) fn defining(&self, relation: RelationId) -> impl Iterator<Item = &'a Rule> {
        let rules = self.rules;
        let numbers = self.relations[relation.index()].rules.iter();
        numbers.map(move |&number| &rules[number as usize])
    }

    /// The facts of a relation.
    pub(crate) fn facts(&self, relation: RelationId) -> &'a [Box<[datalog::TermId]>] {
        &self.relations[relation.index()].facts
    }

    /// Whether a relation is listed by facts alone.
    pub(crate) fn is_listed(&self, relation: RelationId) -> bool {
        let given = [Keyword::True, Keyword::Does].map(Program::keyword);
        self.relations[relation.index()].rules.is_empty() && !given.contains(&relation)
    }

    /// Whether a relation is derived by rules which the conditions of a conjunction can be taken
    /// for: `legal` only if it depends on the state alone, since it is asked with no move made.
    pub(crate) fn can_be_expanded(&self, relation: RelationId) -> bool {
        let legal = Program::keyword(Keyword::Legal);
        let is_known = relation != legal || self.dynamics(legal) != Dynamics::Moves;
        is_known && !self.relations[relation.index()].rules.is_empty()
    }

    /// Whether a relation depends on itself.
    fn is_recursive(&self, relation: RelationId) -> bool {
        self.dependencies.is_recursive(relation.index())
    }

    /// What changes the relation.
    pub(crate) fn dynamics(&self, relation: RelationId) -> Dynamics {
        self.dependencies.dynamics(relation)
    }
}

/// Whether the set contains the argument.
fn has(arguments: Arguments, argument: usize) -> bool {
    arguments >> argument & 1 == 1
}
