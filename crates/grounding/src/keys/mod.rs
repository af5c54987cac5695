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

mod chase;
mod listed;
mod proof;

pub(crate) use chase::Conjunction;

use datalog::{
    Atom, Dependencies, Literal, Pattern, Program, RelationId, RelationInfo, Rule, TermStore,
};
use gdl_parse::{Keyword, Symbol};
use rustc_hash::FxHashMap;

/// What has keys: a relation, or the facts of a state with one function symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Subject {
    /// `true` for facts, also for those that hold initially or next.
    relation: RelationId,
    /// The function symbol of facts, and the number of its arguments.
    functor: Option<(Symbol, usize)>,
}

/// A set of arguments, a bit each.
pub(crate) type Arguments = u16;

/// Subjects with more arguments have no keys here.
const MAX_ARGUMENTS: usize = 10;

/// The keys of each subject. None contains another one of the same subject.
#[derive(Debug, Clone, Default)]
pub(crate) struct Keys {
    of: FxHashMap<Subject, Vec<Arguments>>,
}

impl Keys {
    /// The keys of a subject.
    pub(crate) fn of(&self, subject: Subject) -> &[Arguments] {
        self.of.get(&subject).map_or(&[], Vec::as_slice)
    }
}

/// The rules and facts that conditions are looked up in. Terms are apart, since new ones are made
/// while conditions are compared.
pub(crate) struct Rules<'a> {
    pub(crate) relations: &'a [RelationInfo],
    rules: &'a [Rule],
    dependencies: Dependencies,
}

impl<'a> Rules<'a> {
    pub(crate) fn of(program: &'a Program) -> Self {
        Rules {
            relations: &program.relations,
            rules: &program.rules,
            dependencies: Dependencies::of(program),
        }
    }

    /// The rules with this head.
    pub(crate) fn defining(&self, relation: RelationId) -> impl Iterator<Item = &'a Rule> {
        let rules = self.rules;
        let numbers = self.relations[relation.index()].rules.iter();
        numbers.map(move |&number| &rules[number as usize])
    }

    /// All rules.
    pub(crate) fn all(&self) -> impl Iterator<Item = &'a Rule> {
        self.rules.iter()
    }

    /// For each relation whether these rules call it, or rules that they call.
    fn called(&self, mut open: Vec<&'a Rule>) -> Vec<bool> {
        let mut called = vec![false; self.relations.len()];
        while let Some(rule) = open.pop() {
            for literal in &rule.body {
                if let Literal::Positive(atom) | Literal::Negative(atom) = literal
                    && !std::mem::replace(&mut called[atom.relation.index()], true)
                {
                    open.extend(self.defining(atom.relation));
                }
            }
        }
        called
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

    /// Whether a relation has rules and does not depend on itself.
    pub(crate) fn can_be_opened(&self, relation: RelationId) -> bool {
        !self.relations[relation.index()].rules.is_empty()
            && !self.dependencies.is_recursive(relation.index())
    }

    /// What changes the relation.
    pub(crate) fn dynamics(&self, relation: RelationId) -> datalog::Dynamics {
        self.dependencies.dynamics(relation)
    }
}

/// The subject of an atom, and the arguments that its keys are of. `None` for facts that are
/// variables.
pub(crate) fn subject(atom: &Atom, terms: &TermStore) -> Option<(Subject, Vec<Pattern>)> {
    let of_facts = [Keyword::True, Keyword::Init, Keyword::Next].map(Program::keyword);
    if !of_facts.contains(&atom.relation) {
        let subject = Subject {
            relation: atom.relation,
            functor: None,
        };
        return Some((subject, atom.args.to_vec()));
    }
    let (functor, args) = match atom.args.first()? {
        Pattern::Var(_) => return None,
        Pattern::Compound(functor, args) => (*functor, args.to_vec()),
        Pattern::Term(term) => {
            let args = terms.args(*term).iter();
            let args = args.map(|&arg| Pattern::Term(arg)).collect();
            (terms.functor(*term), args)
        }
    };
    let subject = Subject {
        relation: Program::keyword(Keyword::True),
        functor: Some((functor, args.len())),
    };
    Some((subject, args))
}

/// Whether the set contains the argument.
fn has(arguments: Arguments, argument: usize) -> bool {
    arguments >> argument & 1 == 1
}
