//! Keys that are proved by induction.
//!
//! The smallest sets of arguments that are keys initially are taken for keys. Then any two rules
//! are compared that could derive atoms which agree in a key: their bodies must contradict each
//! other, or the atoms must be equal. Both may use all keys that are assumed, since what they
//! read was derived before. Where this fails, larger sets are tried, until all that are assumed
//! follow from each other.

use super::listed::least_keys;
use super::{Arguments, Conjunction, Keys, MAX_ARGUMENTS, Rules, Subject, has, subject};
use crate::error::GroundError;
use crate::meter::Meter;
use datalog::{Atom, Dynamics, Literal, Pattern, Program, RelationId, Rule, TermId, TermStore};
use gdl_parse::{Keyword, Symbol};

/// Relations of more rules and facts are not looked at.
const MAX_DERIVATIONS: usize = 40;

/// Conditions that more rules derive are not opened.
const MAX_BRANCHES: usize = 16;

/// The conjunctions that two rules are compared by.
const MAX_CASES: u32 = 64;

/// The comparisons between two looks at the budget, some milliseconds.
const PERIOD: usize = 50_000;

/// A way to derive an atom: a rule, or a fact, which has no conditions.
struct Derivation {
    atom: Atom,
    body: Vec<Literal>,
    vars: usize,
}

impl Derivation {
    fn of_rule(rule: &Rule) -> Self {
        Derivation {
            atom: rule.head.clone(),
            body: rule.body.clone(),
            vars: rule.vars,
        }
    }

    fn of_fact(relation: RelationId, fact: &[TermId]) -> Self {
        Derivation {
            atom: Atom {
                relation,
                args: fact.iter().map(|&term| Pattern::Term(term)).collect(),
            },
            body: Vec::new(),
            vars: 0,
        }
    }
}

impl Keys {
    /// The keys that can be proved of a program. It gets new terms.
    pub(crate) fn of_program(
        program: &mut Program,
        meter: &mut Meter<'_>,
    ) -> Result<Keys, GroundError> {
        let mut terms = std::mem::take(&mut program.terms);
        let keys = match Rules::of(program) {
            Some(rules) => Keys::proved(&rules, &mut terms, meter),
            None => Ok(Keys::default()),
        };
        program.terms = terms;
        keys
    }

    fn proved(
        rules: &Rules<'_>,
        terms: &mut TermStore,
        meter: &mut Meter<'_>,
    ) -> Result<Keys, GroundError> {
        let listed = Keys::of_facts(rules);
        // Those of static relations need nothing of the state.
        let statics = derived(rules, |dynamics| dynamics == Dynamics::Static);
        let statics = Proof::new(listed, rules, terms, meter).of(statics)?;
        let mut subjects = derived(rules, |dynamics| dynamics != Dynamics::Static);
        let functors = functors(rules, terms);
        let of_facts = functors
            .into_iter()
            .map(|(f, arity)| fact_subject(f, arity));
        subjects.extend(of_facts);
        Proof::new(statics, rules, terms, meter).of(subjects)
    }
}

fn fact_subject(functor: Symbol, arity: usize) -> Subject {
    Subject {
        relation: Program::keyword(Keyword::True),
        functor: Some((functor, arity)),
    }
}

/// The relations of rules that can have keys.
fn derived(rules: &Rules<'_>, wanted: impl Fn(Dynamics) -> bool) -> Vec<Subject> {
    let reserved = [Keyword::Init, Keyword::Next, Keyword::Legal, Keyword::Goal];
    let reserved = reserved.map(Program::keyword);
    let relations = (0..rules.relations.len()).map(|number| RelationId(number as u32));
    let relations = relations.filter(|&relation| {
        let info = &rules.relations[relation.index()];
        !info.rules.is_empty()
            && (1..=MAX_ARGUMENTS).contains(&info.arity)
            && info.rules.len() + info.facts.len() <= MAX_DERIVATIONS
            && !reserved.contains(&relation)
            && wanted(rules.dynamics(relation))
    });
    let subject = |relation| Subject {
        relation,
        functor: None,
    };
    relations.map(subject).collect()
}

/// The function symbols of facts, by rules for the next state.
fn functors(rules: &Rules<'_>, terms: &TermStore) -> Vec<(Symbol, usize)> {
    let next = Program::keyword(Keyword::Next);
    let heads = rules
        .defining(next)
        .filter_map(|rule| subject(&rule.head, terms));
    let mut functors: Vec<_> = heads.filter_map(|(subject, _)| subject.functor).collect();
    functors.sort_unstable();
    functors.dedup();
    functors.retain(|&(_, arity)| (1..=MAX_ARGUMENTS).contains(&arity));
    functors
}

/// The smallest keys that the facts of the initial state have. Facts by rules count for nothing
/// here, and are looked at by the proof.
fn initial_keys(of: Subject, rules: &Rules<'_>, terms: &TermStore) -> Vec<Arguments> {
    let Some((functor, arity)) = of.functor else {
        return Vec::new();
    };
    let facts = rules.facts(Program::keyword(Keyword::Init)).iter();
    let facts = facts.filter_map(|fact| fact.first());
    let ours =
        facts.filter(|&&fact| terms.functor(fact) == functor && terms.args(fact).len() == arity);
    let tuples: Vec<&[TermId]> = ours.map(|&fact| terms.args(fact)).collect();
    least_keys(&tuples, arity, rules)
}

struct Proof<'a, 'b, 'c> {
    keys: Keys,
    rules: &'a Rules<'a>,
    terms: &'a mut TermStore,
    meter: &'c mut Meter<'b>,
    /// The comparisons that were left at the last look at the budget.
    looked: usize,
}

impl<'a, 'b, 'c> Proof<'a, 'b, 'c> {
    fn new(
        keys: Keys,
        rules: &'a Rules<'a>,
        terms: &'a mut TermStore,
        meter: &'c mut Meter<'b>,
    ) -> Self {
        Proof {
            keys,
            rules,
            terms,
            meter,
            looked: rules.left.get(),
        }
    }

    /// The keys that are known, with those of `subjects` that can be proved.
    fn of(mut self, subjects: Vec<Subject>) -> Result<Keys, GroundError> {
        for &subject in &subjects {
            let first = match subject.functor {
                Some(_) => initial_keys(subject, self.rules, self.terms),
                None => vec![0],
            };
            self.keys.of.insert(subject, first);
        }
        loop {
            let mut changed = false;
            for &subject in &subjects {
                for key in self.keys.of(subject).to_vec() {
                    if !self.is_key(subject, key)? {
                        self.enlarge(subject, key);
                        changed = true;
                    }
                }
            }
            if self.rules.is_spent() {
                // None is proved unless all are.
                subjects
                    .iter()
                    .for_each(|subject| drop(self.keys.of.remove(subject)));
                return Ok(self.keys);
            }
            if !changed {
                return Ok(self.keys);
            }
        }
    }

    /// Replaces a set that is no key by those with one more argument.
    fn enlarge(&mut self, subject: Subject, key: Arguments) {
        let arity = self.arity(subject);
        let keys = self.keys.of.entry(subject).or_default();
        keys.retain(|&other| other != key);
        let larger = (0..arity).map(|argument| key | 1 << argument);
        for larger in larger.filter(|&larger| larger != key && larger + 1 != 1 << arity) {
            if keys.iter().all(|&smaller| smaller & larger != smaller) {
                keys.push(larger);
            }
        }
    }

    fn arity(&self, subject: Subject) -> usize {
        match subject.functor {
            Some((_, arity)) => arity,
            None => self.rules.relations[subject.relation.index()].arity,
        }
    }

    /// Whether the arguments are a key if all that are assumed are keys.
    fn is_key(&mut self, subject: Subject, key: Arguments) -> Result<bool, GroundError> {
        let relations = match subject.functor {
            Some(_) => [Keyword::Init, Keyword::Next]
                .map(Program::keyword)
                .to_vec(),
            None => vec![subject.relation],
        };
        for relation in relations {
            let Some(derivations) = self.derivations(subject, relation) else {
                return Ok(false);
            };
            for (number, first) in derivations.iter().enumerate() {
                for second in &derivations[number..] {
                    if !self.agree(first, second, subject, key)? {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// The ways to derive atoms of a subject. `None` if there are too many. Initial facts of their
    /// own have been compared.
    fn derivations(&self, of: Subject, relation: RelationId) -> Option<Vec<Derivation>> {
        let concerns = |atom: &Atom| match subject(atom, self.terms) {
            Some((found, _)) => found == of,
            None => true,
        };
        let rules = self.rules.defining(relation);
        let rules = rules.filter(|rule| concerns(&rule.head));
        let mut all: Vec<Derivation> = rules.map(Derivation::of_rule).collect();
        if all.is_empty() && relation == Program::keyword(Keyword::Init) {
            return Some(all);
        }
        let facts = self.rules.facts(relation).iter();
        let facts = facts.map(|fact| Derivation::of_fact(relation, fact));
        all.extend(facts.filter(|fact| concerns(&fact.atom)));
        (all.len() <= MAX_DERIVATIONS).then_some(all)
    }

    /// Whether two derivations never derive atoms that agree in the key and differ elsewhere.
    fn agree(
        &mut self,
        first: &Derivation,
        second: &Derivation,
        of: Subject,
        key: Arguments,
    ) -> Result<bool, GroundError> {
        let by = first.vars as u16;
        let arity = self.arity(of);
        let body = second.body.iter().map(|literal| literal.shifted(by));
        let body: Vec<Literal> = first.body.iter().cloned().chain(body).collect();
        let vars = first.vars + second.vars;
        let heads = [first.atom.clone(), second.atom.shifted(by)];
        // Facts that are variables are facts of the subject.
        let mut bindings = datalog::Substitution::default();
        let mut fresh = vars;
        let mut tuples = Vec::with_capacity(2);
        for head in &heads {
            match subject(head, self.terms) {
                Some((_, args)) => tuples.push(args),
                None => {
                    let args: Vec<Pattern> = (fresh..fresh + arity)
                        .map(|var| Pattern::Var(var as u16))
                        .collect();
                    fresh += arity;
                    let Some((functor, _)) = of.functor else {
                        return Ok(false);
                    };
                    let fact = Pattern::Compound(functor, args.clone().into());
                    if !bindings.unify(&head.args[0], &fact, self.terms) {
                        return Ok(true);
                    }
                    tuples.push(args);
                }
            }
        }
        for (argument, (a, b)) in tuples[0].iter().zip(&tuples[1]).enumerate() {
            if has(key, argument) && !bindings.unify(a, b, self.terms) {
                return Ok(true);
            }
        }
        let both = tuples.concat();
        let mut conjunction = Conjunction::new(&body, both, fresh);
        conjunction.rewrite(&bindings, self.terms);
        let mut cases = MAX_CASES;
        self.settles(conjunction, &mut cases)
    }

    /// Whether a conjunction contradicts itself, or makes the two halves of its terms equal.
    fn settles(
        &mut self,
        mut conjunction: Conjunction,
        cases: &mut u32,
    ) -> Result<bool, GroundError> {
        let rules = self.rules;
        if *cases == 0 || !rules.spend(conjunction.conditions.len()) {
            return Ok(false);
        }
        *cases -= 1;
        if self.looked - rules.left.get() > PERIOD {
            self.looked = rules.left.get();
            self.meter.look(self.terms.bytes())?;
        }
        if !conjunction.chase(&self.keys, rules, self.terms) {
            return Ok(true);
        }
        let half = conjunction.terms.len() / 2;
        if conjunction.terms[..half] == conjunction.terms[half..] {
            return Ok(true);
        }
        let Some(at) = conjunction.unopened(rules, |_, _| MAX_BRANCHES, self.terms) else {
            return Ok(false);
        };
        for branch in conjunction.opened(at, rules, self.terms) {
            if !self.settles(branch, cases)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
