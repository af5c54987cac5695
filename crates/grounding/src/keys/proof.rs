//! Keys that are proved by induction.
//!
//! The smallest sets of arguments that are keys initially are taken for keys. Then any two rules
//! are compared that could derive atoms which agree in a key: their bodies must contradict each
//! other, or the atoms must be equal. Both may use all keys that are assumed, since what they
//! read was derived before. Where this fails, larger sets are tried, until all that are assumed
//! follow from each other.

use super::derivations::{Derivation, Derivations, MAX_DERIVATIONS};
use super::listed::least_keys;
use super::unify::{Bindings, TooLarge};
use super::{Arguments, Conjunction, Keys, MAX_ARGUMENTS, Rules, Sole, Subject, has};
use crate::error::GroundError;
use crate::meter::Meter;
use datalog::{Atom, Dynamics, Literal, Pattern, Program, RelationId, TermId, TermStore, VarId};
use gdl_parse::{Keyword, Symbol};
use rustc_hash::FxHashSet;

/// Conditions that more rules derive are not expanded.
const MAX_ALTERNATIVES: usize = 16;

/// The conjunctions that two rules are compared by.
const MAX_CASES: u32 = 64;

/// The same for facts that seem to be the only ones of their kind. Pieces of all kinds move by the
/// same rules, so that there are more cases.
const MAX_CASES_OF_SOLE: u32 = 512;

/// The comparisons between two looks at the budget, some milliseconds.
const PERIOD: usize = 50_000;

impl Keys {
    /// The keys that can be proved of a program. It gets new terms.
    pub(crate) fn of_program(
        program: &mut Program,
        meter: &mut Meter<'_>,
    ) -> Result<Keys, GroundError> {
        let mut terms = std::mem::take(&mut program.terms);
        let keys = match Rules::of(program) {
            Some(rules) => {
                let rules = rules.with_necessary(&mut terms, meter);
                rules.and_then(|rules| Keys::proved(&rules, &mut terms, meter))
            }
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
        let mut proof = Proof::new(Keys::of_facts(rules), rules, terms, meter);
        // Those of static relations need nothing of the state.
        proof.add(&derived(rules, |dynamics| dynamics == Dynamics::Static))?;
        let mut subjects = derived(rules, |dynamics| dynamics != Dynamics::Static);
        subjects.extend(proof.of_facts());
        proof.add(&subjects)?;
        proof.add_sole(&subjects)?;
        Ok(proof.keys)
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
    relations.map(Subject::Relation).collect()
}

struct Proof<'a, 'b, 'c> {
    keys: Keys,
    rules: &'a Rules<'a>,
    initial: Derivations<'a>,
    next: Derivations<'a>,
    terms: &'a mut TermStore,
    meter: &'c mut Meter<'b>,
    /// The comparisons that were left at the last look at the budget.
    looked: usize,
}

impl<'a, 'b, 'c> Proof<'a, 'b, 'c> {
    /// Nothing is proved beside the keys that are known.
    fn new(
        keys: Keys,
        rules: &'a Rules<'a>,
        terms: &'a mut TermStore,
        meter: &'c mut Meter<'b>,
    ) -> Self {
        Proof {
            keys,
            rules,
            initial: Derivations::new(Keyword::Init, rules, terms),
            next: Derivations::new(Keyword::Next, rules, terms),
            terms,
            meter,
            looked: rules.left.get(),
        }
    }

    /// The facts that change and can have keys.
    fn of_facts(&self) -> Vec<Subject> {
        let subjects = self.next.of.keys().copied();
        let mut subjects: Vec<Subject> = subjects
            .filter(|&subject| (1..=MAX_ARGUMENTS).contains(&self.arity(subject)))
            .collect();
        subjects.sort_unstable();
        subjects
    }

    /// The smallest keys that the facts of the initial state have.
    fn initial_keys(&self, functor: Symbol, arity: usize) -> Vec<Arguments> {
        let facts = self.initial_facts(functor, arity);
        let tuples: Vec<&[TermId]> = facts.iter().map(|&fact| self.terms.args(fact)).collect();
        least_keys(&tuples, arity, self.rules)
    }

    /// The facts of the initial state. Those by rules are not among them, and are looked at by
    /// the proof.
    fn initial_facts(&self, functor: Symbol, arity: usize) -> Vec<TermId> {
        let derivations = self.initial.own(Subject::Facts(functor, arity)).iter();
        let facts = derivations.filter_map(|derivation| match derivation {
            Derivation::Rule(_) => None,
            Derivation::Fact(_, fact) => Some(fact[0]),
        });
        facts.collect()
    }

    /// Adds the keys of `subjects` that can be proved.
    fn add(&mut self, subjects: &[Subject]) -> Result<(), GroundError> {
        for &subject in subjects {
            let first = match subject {
                Subject::Facts(functor, arity) => self.initial_keys(functor, arity),
                Subject::Relation(_) | Subject::Sole(_) => vec![0],
            };
            self.keys.of.insert(subject, first);
        }
        let assumed = |keys: &Keys| {
            let keys = subjects.iter().flat_map(|&subject| {
                let keys = keys.of(subject).iter();
                keys.map(move |&key| (subject, key))
            });
            keys.collect()
        };
        if !self.settle(assumed)? {
            // None is proved unless all are.
            subjects
                .iter()
                .for_each(|subject| drop(self.keys.of.remove(subject)));
        }
        Ok(())
    }

    /// Adds those facts of `subjects` that can be proved to be the only ones of their kind: first
    /// those that one term tells from others, then those that two do.
    fn add_sole(&mut self, subjects: &[Subject]) -> Result<(), GroundError> {
        for in_common in [1, 2] {
            let known = self.keys.sole.clone();
            for &subject in subjects {
                let Subject::Facts(functor, arity) = subject else {
                    continue;
                };
                let facts = self.initial_facts(functor, arity);
                let (soles, keys) = (self.keys.sole_of(functor, arity), self.keys.of(subject));
                let more = Sole::initially(&facts, in_common, soles, keys, self.terms);
                let soles = self.keys.sole.entry((functor, arity)).or_default();
                soles.extend(more);
            }
            let assumed = |keys: &Keys| {
                let soles = keys.sole.iter().flat_map(|(of, soles)| {
                    let proved = known.get(of).map_or(0, Vec::len);
                    soles[proved..].iter()
                });
                let mut soles: Vec<_> = soles.map(|&sole| (Subject::Sole(sole), 0)).collect();
                soles.sort_unstable();
                soles
            };
            if !self.settle(assumed)? {
                self.keys.sole = known;
            }
        }
        Ok(())
    }

    /// Refutes what is assumed and cannot be proved, until all that is left follows from itself.
    /// Returns false if no comparison is left before.
    ///
    /// A proof may rest on what is refuted later. So whatever is proved is proved once more when
    /// nothing is refuted any more.
    fn settle(
        &mut self,
        assumed: impl Fn(&Keys) -> Vec<(Subject, Arguments)>,
    ) -> Result<bool, GroundError> {
        let mut proved: FxHashSet<(Subject, Arguments)> = FxHashSet::default();
        let mut refuted = false;
        while !self.rules.is_spent() {
            let mut open = assumed(&self.keys);
            open.retain(|assumed| !proved.contains(assumed));
            let mut changed = false;
            for (subject, key) in open {
                if self.is_key(subject, key)? {
                    proved.insert((subject, key));
                } else {
                    self.refute(subject, key);
                    changed = true;
                }
            }
            refuted |= changed;
            if !changed && !std::mem::take(&mut refuted) {
                return Ok(true);
            }
            if !changed {
                proved.clear();
            }
        }
        Ok(false)
    }

    /// Assumes less in place of what cannot be proved.
    fn refute(&mut self, subject: Subject, key: Arguments) {
        match subject {
            Subject::Sole(sole) => {
                let of = self.keys.sole.get_mut(&sole.functor(self.terms));
                of.into_iter()
                    .for_each(|of| of.retain(|&other| other != sole));
            }
            _ => self.enlarge(subject, key),
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
        match subject {
            Subject::Facts(_, arity) => arity,
            Subject::Sole(sole) => sole.functor(self.terms).1,
            Subject::Relation(relation) => self.rules.relations[relation.index()].arity,
        }
    }

    /// Whether the arguments are a key if all that are assumed are keys.
    fn is_key(&mut self, subject: Subject, key: Arguments) -> Result<bool, GroundError> {
        for derivations in self.derivations(subject) {
            let Some(derivations) = derivations else {
                return Ok(false);
            };
            for (number, &first) in derivations.iter().enumerate() {
                for &second in &derivations[number..] {
                    if !self.agree(first, second, subject, key)? {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// The ways to derive atoms of a subject which may hold together, in each kind of state where
    /// these differ. `None` where they are too many. Initial facts of their own have been compared.
    fn derivations(&self, of: Subject) -> Vec<Option<Vec<Derivation<'a>>>> {
        let of = of.whole(self.terms);
        match of {
            Subject::Relation(relation) => {
                vec![Some(
                    Derivation::of_relation(relation, self.rules).collect(),
                )]
            }
            _ => match self.initial.has_rules(of) {
                true => vec![self.initial.of(of), self.next.of(of)],
                false => vec![self.next.of(of)],
            },
        }
    }

    /// Whether two derivations never derive atoms that agree in the key and differ elsewhere.
    fn agree(
        &mut self,
        first: Derivation<'a>,
        second: Derivation<'a>,
        of: Subject,
        key: Arguments,
    ) -> Result<bool, GroundError> {
        let by = first.vars();
        let body = second.body().iter();
        let body = body.map(|literal| literal.shifted(by as VarId));
        let body: Vec<Literal> = first.body().iter().cloned().chain(body).collect();
        let heads = [first.head(), second.head().shifted(by as VarId)];
        let mut vars = by + second.vars();
        let mut bindings = Bindings::new(self.rules);
        let mut tuples = [Vec::new(), Vec::new()];
        for (head, tuple) in heads.iter().zip(&mut tuples) {
            match self.head_arguments(head, of, &mut vars, &mut bindings) {
                Ok(Some(args)) => *tuple = args,
                Ok(None) => return Ok(true),
                Err(TooLarge) => return Ok(false),
            }
        }
        for (argument, (a, b)) in tuples[0].iter().zip(&tuples[1]).enumerate() {
            if has(key, argument) {
                match bindings.unify(a, b, self.terms) {
                    Ok(true) => {}
                    Ok(false) => return Ok(true),
                    Err(TooLarge) => return Ok(false),
                }
            }
        }
        let mut conjunction = Conjunction::new(&body, tuples.concat(), vars);
        conjunction.rewrite(&bindings, self.terms);
        let mut cases = match of {
            Subject::Sole(_) => MAX_CASES_OF_SOLE,
            _ => MAX_CASES,
        };
        self.settles(conjunction, &mut cases)
    }

    /// The arguments of a head as those of a subject, with more variables for a fact that is a
    /// variable, which is bound. `None` if it cannot be one of the subject.
    fn head_arguments(
        &self,
        head: &Atom,
        of: Subject,
        vars: &mut usize,
        bindings: &mut Bindings<'_>,
    ) -> Result<Option<Vec<Pattern>>, TooLarge> {
        let whole = of.whole(self.terms);
        let (functor, arity) = match (Subject::of_head(head, self.terms), whole) {
            (Some((found, args)), _) if found == whole => {
                return Ok(self.has_common(of, &args, bindings)?.then_some(args));
            }
            (None, Subject::Facts(functor, arity)) => (functor, arity),
            _ => return Ok(None),
        };
        let args = *vars..*vars + arity;
        let args: Vec<Pattern> = args.map(|var| Pattern::Var(var as VarId)).collect();
        *vars += arity;
        let fact = Pattern::Compound(functor, args.clone().into());
        let can_be = bindings.unify(&head.args[0], &fact, self.terms)?
            && self.has_common(of, &args, bindings)?;
        Ok(can_be.then_some(args))
    }

    /// Whether the arguments of a fact can be those of a sole one. Then they are bound to what
    /// these have in common. Others have nothing in common.
    fn has_common(
        &self,
        of: Subject,
        args: &[Pattern],
        bindings: &mut Bindings<'_>,
    ) -> Result<bool, TooLarge> {
        let Subject::Sole(sole) = of else {
            return Ok(true);
        };
        for (at, term) in sole.common(self.terms) {
            if !bindings.unify(&args[at], &Pattern::Term(term), self.terms)? {
                return Ok(false);
            }
        }
        Ok(true)
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
        let Some(at) = conjunction.unexpanded(rules, |_, _| MAX_ALTERNATIVES, self.terms) else {
            return Ok(false);
        };
        for branch in conjunction.expand(at, rules, self.terms) {
            if !self.settles(branch, cases)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use budget::Budget;

    /// The number of subjects with keys if so many comparisons may be made, and how many were.
    fn proved(comparisons: usize) -> (usize, usize) {
        let parsed = gdl_parse::parse(
            "(role a) (init (at 0)) (init (control a)) (succ 0 1) (succ 1 2) (succ 2 3)
             (<= (legal a up) (true (at ?x)) (succ ?x ?y)) (legal a stay)
             (<= (next (at ?y)) (does a up) (true (at ?x)) (succ ?x ?y))
             (<= (next (at ?x)) (does a stay) (true (at ?x)))
             (<= (next (control ?r)) (true (control ?r)))",
            &Default::default(),
        );
        let mut program = Program::from_sheet(&parsed.sheet);
        let mut terms = std::mem::take(&mut program.terms);
        let rules = Rules::of(&program).expect("rules are narrow");
        rules.left.set(comparisons);
        let budget = Budget::system();
        let keys = Keys::proved(&rules, &mut terms, &mut Meter::new(&budget));
        let keys = keys.expect("time is enough");
        let of_facts = keys
            .of
            .iter()
            .filter(|(subject, keys)| matches!(subject, Subject::Facts(..)) && !keys.is_empty());
        (of_facts.count(), comparisons - rules.left.get())
    }

    #[test]
    fn a_proof_that_ran_out_of_comparisons_proves_nothing() {
        let (all, taken) = proved(super::super::MAX_COMPARISONS);
        assert_eq!(all, 2);
        for comparisons in 0..=taken {
            assert_eq!(proved(comparisons).0, 0, "with {comparisons} of {taken}");
        }
        assert_eq!(proved(taken + 1).0, all);
    }
}
