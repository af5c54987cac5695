//! Conjunctions, and what follows from them.
//!
//! A condition is expanded by adding the body of each rule that derives it: one conjunction for
//! each rule, of which one holds.

use super::matching::{fits, may_match};
use super::unify::{Bindings, TooLarge};
use super::{Keys, MAX_FACTS, Rules, Subject, has};
use datalog::{
    Atom, Dynamics, Literal, Pattern, Program, RelationId, Rule, TermId, TermStore, VarId,
};
use gdl_parse::Keyword;

/// Conjunctions do not grow beyond so many conditions.
const MAX_CONDITIONS: usize = 48;

/// What follows by more steps from the conditions that a conjunction was made of implies nothing
/// more here, so that terms which grow with each step come to an end.
const MAX_DEPTH: u8 = 6;

/// A condition on a relation that is listed is not taken for one of more facts.
const MAX_FITTING: usize = 4;

/// A condition of a conjunction.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Condition {
    pub(crate) literal: Literal,
    /// The number of expansions by which it follows from those that the conjunction was made of.
    depth: u8,
    /// Whether the body of the rule that derives it was added.
    expanded: bool,
    /// Whether what it implies was added.
    told: bool,
}

/// Conditions that hold together, and terms over the same variables.
#[derive(Debug, Clone)]
pub(crate) struct Conjunction {
    pub(crate) conditions: Vec<Condition>,
    /// Terms that are rewritten with the conditions, such as the arguments of a rule's head.
    pub(crate) terms: Vec<Pattern>,
    pub(super) vars: VarId,
    /// The relations that depend on themselves of which a condition was expanded.
    recursive: Vec<RelationId>,
    /// Whether it was given up since its terms would become too large. It says less than it could
    /// from then on, and nothing wrong.
    given_up: bool,
}

impl Condition {
    /// Whether the conjunction was made of it; others follow from those.
    pub(crate) fn is_own(&self) -> bool {
        self.depth == 0
    }
}

/// What a step of the chase found.
enum Found<'a> {
    Nothing,
    Equal(Bindings<'a>),
    Contradiction,
}

impl Conjunction {
    /// The conjunction of some conditions over variables below `vars`.
    pub(crate) fn new(body: &[Literal], terms: Vec<Pattern>, vars: usize) -> Self {
        let own = |literal: &Literal| Condition {
            literal: literal.clone(),
            depth: 0,
            expanded: false,
            told: false,
        };
        Conjunction {
            conditions: body.iter().map(own).collect(),
            terms,
            vars: vars as VarId,
            recursive: Vec::new(),
            given_up: false,
        }
    }

    /// Makes terms equal that must be, since they agree in a key or since only one fact fits.
    /// Returns false if the conditions contradict each other.
    pub(crate) fn chase(&mut self, keys: &Keys, rules: &Rules<'_>, terms: &mut TermStore) -> bool {
        while !self.given_up {
            if self.contradicts_itself(rules, terms) {
                return false;
            }
            match self.equalities(keys, rules, terms) {
                Found::Nothing if self.tell(rules, terms) => {}
                Found::Nothing => return true,
                Found::Contradiction => return false,
                Found::Equal(bindings) => self.rewrite(&bindings, terms),
            }
        }
        true
    }

    /// Adds what the conditions imply, whatever rules derive them. Returns whether there is any.
    fn tell(&mut self, rules: &Rules<'_>, terms: &mut TermStore) -> bool {
        let before = self.conditions.len();
        for at in 0..before {
            let condition = &self.conditions[at];
            let Some(atom) = condition.literal.positive() else {
                continue;
            };
            if condition.told || condition.depth > MAX_DEPTH {
                continue;
            }
            let depth = condition.depth + 1;
            let Some(implied) = rules.necessary.conditions(atom, rules, terms) else {
                continue;
            };
            self.conditions[at].told = true;
            for literal in implied {
                let is_known = self.conditions.iter().any(|known| known.literal == literal);
                if rules.spend(self.conditions.len()) && !is_known {
                    self.conditions.push(Condition {
                        literal,
                        depth,
                        expanded: false,
                        told: false,
                    });
                }
            }
        }
        self.conditions.len() > before
    }

    /// Applies a substitution and drops what then stands twice. If terms become too large it is
    /// given up as it is.
    pub(super) fn rewrite(&mut self, bindings: &Bindings<'_>, terms: &mut TermStore) {
        match self.rewritten(bindings, terms) {
            Ok((conditions, rewritten)) => {
                self.conditions = conditions;
                self.terms = rewritten;
            }
            Err(TooLarge) => self.given_up = true,
        }
    }

    /// The conditions and terms after a substitution.
    fn rewritten(
        &self,
        bindings: &Bindings<'_>,
        terms: &mut TermStore,
    ) -> Result<(Vec<Condition>, Vec<Pattern>), TooLarge> {
        let mut kept: Vec<Condition> = Vec::with_capacity(self.conditions.len());
        for condition in &self.conditions {
            let literal = bindings.apply_literal(&condition.literal, terms)?;
            match kept.iter_mut().find(|other| other.literal == literal) {
                Some(other) => {
                    other.depth = other.depth.min(condition.depth);
                    other.expanded |= condition.expanded;
                    other.told |= condition.told;
                }
                None => kept.push(Condition {
                    literal,
                    ..*condition
                }),
            }
        }
        let rewritten = self.terms.iter().map(|term| bindings.apply(term, terms));
        Ok((kept, rewritten.collect::<Result<_, _>>()?))
    }

    pub(super) fn positive(&self) -> impl Iterator<Item = &Atom> {
        let literals = self.conditions.iter();
        literals.filter_map(|condition| condition.literal.positive())
    }

    /// The first equalities that follow.
    fn equalities<'a>(&self, keys: &Keys, rules: &'a Rules<'a>, terms: &TermStore) -> Found<'a> {
        let subjects = self.positive();
        let subjects = subjects.filter_map(|atom| Subject::of_condition(atom, terms));
        let mut tuples: Vec<_> = subjects.collect();
        tuples.extend(keys.soles_shown(&tuples, terms));
        for (number, (of, args)) in tuples.iter().enumerate() {
            if !rules.spend(number) {
                return Found::Nothing;
            }
            for (_, other) in tuples[..number].iter().filter(|(other, _)| other == of) {
                for &key in keys.of(*of) {
                    let mut pairs = args.iter().zip(other).enumerate();
                    if pairs.all(|(at, (a, b))| !has(key, at) || a == b) {
                        match unified(args, other, rules, terms) {
                            Found::Nothing => {}
                            found => return found,
                        }
                    }
                }
            }
        }
        for atom in self
            .positive()
            .filter(|atom| rules.is_listed(atom.relation))
        {
            let facts = rules.facts(atom.relation);
            if facts.len() > MAX_FACTS {
                continue;
            }
            // Most lists are left at the second fact that fits.
            let fits = |fact: &&[TermId]| rules.spend(1) && fits(&atom.args, fact, terms);
            let mut fitting = facts.iter().map(AsRef::as_ref).filter(fits);
            let found = match (fitting.next(), fitting.next()) {
                (None, _) => Found::Contradiction,
                (Some(fact), None) => {
                    let fact: Vec<Pattern> = fact.iter().map(|&t| Pattern::Term(t)).collect();
                    unified(&atom.args, &fact, rules, terms)
                }
                _ => Found::Nothing,
            };
            if rules.is_spent() {
                return Found::Nothing;
            }
            if !matches!(found, Found::Nothing) {
                return found;
            }
        }
        Found::Nothing
    }

    /// The condition to expand: a positive one that was not expanded, with the fewest rules and
    /// facts that may derive it, at most `most` of its relation. A move made is derived by `legal`,
    /// if that depends on the state alone. What depends on itself is expanded once.
    pub(crate) fn unexpanded(
        &self,
        rules: &Rules<'_>,
        most: impl Fn(&Atom, RelationId) -> usize,
        terms: &TermStore,
    ) -> Option<usize> {
        let is_large = self.given_up || self.conditions.len() > MAX_CONDITIONS;
        if is_large || !rules.spend(self.conditions.len()) {
            return None;
        }
        let mut best: Option<((u8, usize), usize)> = None;
        for (at, condition) in self.conditions.iter().enumerate() {
            let Some(atom) = condition.literal.positive().filter(|_| !condition.expanded) else {
                continue;
            };
            let by = source(atom.relation);
            let is_listed = rules.is_listed(by);
            if !(is_listed || rules.can_be_expanded(by)) || self.recursive.contains(&by) {
                continue;
            }
            let most = most(atom, by).min(if is_listed { MAX_FITTING } else { usize::MAX });
            let heads = rules.defining(by).filter(|rule| {
                let mut pairs = atom.args.iter().zip(&rule.head.args);
                pairs.all(|(a, b)| may_match(a, b, terms))
            });
            let facts = rules.facts(by).iter();
            let facts = facts.filter(|fact| rules.spend(1) && fits(&atom.args, fact, terms));
            let count = heads.count() + facts.take(most + 1).count();
            // What depends on less contradicts sooner, and has less below it.
            let weight = match (rules.dynamics(by), by == atom.relation) {
                (Dynamics::Static, _) => 1,
                (_, true) => 2,
                (_, false) => 3,
            };
            // What has one case or none is known at once. What follows from the other conditions
            // is left until these are looked at: moves made before the geometry of one of them.
            let depth = if count > 1 { condition.depth } else { 0 };
            let order = (depth, count * weight);
            // The only fact that fits was seen before.
            let is_settled = is_listed && count <= 1;
            if !is_settled && count <= most && best.is_none_or(|(best, _)| order < best) {
                best = Some((order, at));
            }
        }
        best.map(|(_, at)| at)
    }

    /// Expands a condition: one of the results holds. Each has the body of a rule that can derive
    /// it.
    pub(crate) fn expand(
        &self,
        at: usize,
        rules: &Rules<'_>,
        terms: &mut TermStore,
    ) -> Vec<Conjunction> {
        let Some(atom) = self.conditions[at].literal.positive() else {
            return Vec::new();
        };
        let relation = source(atom.relation);
        let mut plain = self.clone();
        plain.conditions[at].expanded = true;
        if rules.is_recursive(relation) {
            plain.recursive.push(relation);
        }
        let depth = self.conditions[at].depth.saturating_add(1);
        let mut all = Vec::new();
        for rule in rules.defining(relation) {
            let head = rule.head.shifted(self.vars);
            match bindings_of(&atom.args, &head.args, rules, terms) {
                Ok(Some(bindings)) => all.push(plain.with(rule, depth, &bindings, terms)),
                Ok(None) => {}
                Err(TooLarge) => all.push(plain.without_more()),
            }
        }
        for fact in rules.facts(relation) {
            if !fits(&atom.args, fact, terms) {
                continue;
            }
            let fact: Vec<Pattern> = fact.iter().map(|&term| Pattern::Term(term)).collect();
            match bindings_of(&atom.args, &fact, rules, terms) {
                Ok(Some(bindings)) => {
                    let mut conjunction = plain.clone();
                    conjunction.rewrite(&bindings, terms);
                    all.push(conjunction);
                }
                Ok(None) => {}
                Err(TooLarge) => all.push(plain.without_more()),
            }
        }
        all
    }

    /// The same, given up.
    fn without_more(&self) -> Conjunction {
        Conjunction {
            given_up: true,
            ..self.clone()
        }
    }

    /// The conjunction with the body of a rule as well.
    fn with(
        &self,
        rule: &Rule,
        depth: u8,
        bindings: &Bindings<'_>,
        terms: &mut TermStore,
    ) -> Conjunction {
        let mut conjunction = self.clone();
        let body = rule.body.iter().map(|literal| Condition {
            literal: literal.shifted(self.vars),
            depth,
            expanded: false,
            told: false,
        });
        conjunction.conditions.extend(body);
        conjunction.vars += rule.vars as VarId;
        conjunction.rewrite(bindings, terms);
        conjunction
    }
}

/// The relation whose rules derive an atom.
pub(super) fn source(relation: RelationId) -> RelationId {
    match relation == Program::keyword(Keyword::Does) {
        true => Program::keyword(Keyword::Legal),
        false => relation,
    }
}

/// What makes two tuples equal: nothing if they are, or if that would take too much.
fn unified<'a>(a: &[Pattern], b: &[Pattern], rules: &'a Rules<'a>, terms: &TermStore) -> Found<'a> {
    if a == b {
        return Found::Nothing;
    }
    match bindings_of(a, b, rules, terms) {
        Ok(Some(bindings)) => Found::Equal(bindings),
        Ok(None) => Found::Contradiction,
        Err(TooLarge) => Found::Nothing,
    }
}

/// What makes two tuples equal, if anything does.
fn bindings_of<'a>(
    a: &[Pattern],
    b: &[Pattern],
    rules: &'a Rules<'a>,
    terms: &TermStore,
) -> Result<Option<Bindings<'a>>, TooLarge> {
    let mut bindings = Bindings::new(rules);
    let can_be = bindings.unify_all(a, b, terms)?;
    Ok(can_be.then_some(bindings))
}
