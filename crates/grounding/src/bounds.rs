//! Adds to rules what their moves being legal says about them.
//!
//! `(<= (next (at ?r ?y)) (does ?r up) (true (at ?r ?x)) (succ ?x ?y))` leaves the board if `succ`
//! goes on, but `up` is legal only where `?y` is on the board. Grounding takes facts and moves one
//! by one, so that it would follow the chain to its end. If a role is at one place, the place that
//! `legal` asks for is the one that `next` asks for, so that static conditions of `legal` hold in
//! `next` as well. They are added to rules that ask for moves, directly or through a relation.
//!
//! This is done only for rules that may make many terms which neither the state nor the moves hold
//! yet, and only if fewer terms are left for facts, as far as columns can tell: other conditions
//! would only be work.

use crate::demand::{domains, possible};
use crate::error::GroundError;
use crate::keys::{Conjunction, Keys, Rules};
use crate::meter::Meter;
use crate::rewrite::set_rules;
use crate::tables::Tables;
use datalog::{Atom, Dynamics, Literal, Pattern, Program, RelationId, Rule, TermStore, VarId};
use gdl_parse::Keyword;
use rustc_hash::FxHashSet;

/// A rule is not divided into more rules than this.
const MAX_PARTS: usize = 12;

/// Rules that make fewer terms have little to gain: they stay on a board.
const MANY: f64 = 20.0;

/// The number of conditions that are expanded to find conditions for one rule.
const MAX_EXPANDED: usize = 24;

/// Which rules get conditions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Extent {
    /// Those that may make many terms, if fewer terms are left for facts then.
    Useful,
    /// All that can get some, for tests.
    Everywhere,
}

/// Adds static conditions to rules that ask for moves, where they bound the facts of a state.
pub(crate) fn add_bounds(
    program: &mut Program,
    keys: &Keys,
    extent: Extent,
    meter: &mut Meter<'_>,
) -> Result<(), GroundError> {
    let legal = Program::keyword(Keyword::Legal);
    let wide = match Rules::of(program) {
        // Legality is asked with no move made, these rules with moves.
        Some(rules) if rules.dynamics(legal) != Dynamics::Moves => made_terms(program, &rules),
        _ => return Ok(()),
    };
    if wide.iter().all(Vec::is_empty) {
        return Ok(());
    }
    let before = possible(program, &Tables::default(), meter)?;
    let is_looked_at = |(rule, made): (&Rule, &Vec<VarId>)| {
        let domains = domains(rule, &before, &Tables::default(), &program.terms);
        let size = |var: &VarId| {
            domains
                .as_ref()
                .map(|all| before.size(&all[usize::from(*var)]))
        };
        made.iter()
            .filter_map(size)
            .any(|size| extent == Extent::Everywhere || size >= MANY)
    };
    let wide: Vec<bool> = program.rules.iter().zip(&wide).map(is_looked_at).collect();
    let mut terms = std::mem::take(&mut program.terms);
    let bounded = match Rules::of(program) {
        Some(rules) => bounded(&rules, &program.rules, &wide, keys, &mut terms, meter),
        None => Ok(None),
    };
    program.terms = terms;
    let Some(bounded) = bounded? else {
        return Ok(());
    };
    let plain = std::mem::take(&mut program.rules);
    set_rules(program, bounded.rules);
    let holds = Program::keyword(Keyword::True);
    let gains = bounded.hidden || extent == Extent::Everywhere || {
        let left = possible(program, &Tables::default(), meter)?;
        left.spread(holds) < before.spread(holds)
    };
    if !gains {
        set_rules(program, plain);
    }
    Ok(())
}

/// For each rule that asks for moves, the variables of its head that stand in no fact or move it
/// asks for, or less deep there. None for others.
fn made_terms(program: &Program, rules: &Rules<'_>) -> Vec<Vec<VarId>> {
    let given = [Keyword::True, Keyword::Does].map(Program::keyword);
    let next = Program::keyword(Keyword::Next);
    let made = |rule: &Rule| {
        let atoms = || rule.body.iter().filter_map(Literal::positive);
        if !atoms().any(|atom| rules.dynamics(atom.relation) == Dynamics::Moves) {
            return Vec::new();
        }
        let mut known = vec![0; rule.vars];
        for atom in atoms().filter(|atom| given.contains(&atom.relation)) {
            atom.args.iter().for_each(|arg| depths(arg, 1, &mut known));
        }
        // The arguments of a relation are as deep as those of a fact.
        let depth = if rule.head.relation == next { 1 } else { 2 };
        let mut made = vec![0; rule.vars];
        let head = rule.head.args.iter();
        head.for_each(|arg| depths(arg, depth, &mut made));
        let vars = made.iter().zip(&known).zip(0..);
        let made = vars.filter(|((made, known), _)| made > known);
        made.map(|(_, var)| var).collect()
    };
    program.rules.iter().map(made).collect()
}

/// Rules with conditions that follow from moves being legal.
struct Bounded {
    rules: Vec<Rule>,
    /// Whether some condition may bound facts in a way that columns do not show.
    hidden: bool,
}

/// All rules, the wide ones with the static conditions under which their moves are legal. `None` if
/// no rule changes.
fn bounded(
    rules: &Rules<'_>,
    all: &[Rule],
    wide: &[bool],
    keys: &Keys,
    terms: &mut TermStore,
    meter: &mut Meter<'_>,
) -> Result<Option<Bounded>, GroundError> {
    let mut changed = false;
    let mut hidden = false;
    let mut result = Vec::with_capacity(all.len());
    for (rule, wide) in all.iter().zip(wide) {
        let narrowed = match wide {
            true => {
                meter.look(terms.bytes())?;
                narrowed(rule, rules, keys, terms)
            }
            false => None,
        };
        changed |= narrowed.is_some();
        match narrowed {
            Some(narrowed) => {
                hidden |= narrowed.hidden;
                result.extend(narrowed.rules);
            }
            None => result.push(rule.clone()),
        }
    }
    let bounded = Bounded {
        rules: result,
        hidden,
    };
    Ok(changed.then_some(bounded))
}

/// Notes for each variable of a pattern the largest depth at which it occurs, at least `depth`.
fn depths(pattern: &Pattern, depth: u32, of: &mut [u32]) {
    match pattern {
        Pattern::Term(_) => {}
        Pattern::Var(var) => {
            let known = &mut of[usize::from(*var)];
            *known = depth.max(*known);
        }
        Pattern::Compound(_, args) => args.iter().for_each(|arg| depths(arg, depth + 1, of)),
    }
}

/// A rule with static conditions that follow, as several rules if a move is legal for several
/// reasons. `None` if one of them adds nothing.
fn narrowed(rule: &Rule, rules: &Rules<'_>, keys: &Keys, terms: &mut TermStore) -> Option<Bounded> {
    let whole = Conjunction::new(&rule.body, rule.head.args.to_vec(), rule.vars);
    let mut open = vec![whole];
    let mut narrowed = Bounded {
        rules: Vec::new(),
        hidden: false,
    };
    let mut expanded = 0;
    while let Some(mut conjunction) = open.pop() {
        if !conjunction.chase(keys, rules, terms) {
            continue;
        }
        let next = (expanded < MAX_EXPANDED)
            .then(|| conjunction.unexpanded(rules, |atom, by| looked_at(atom, by, rules), terms))
            .flatten();
        if let Some(at) = next {
            expanded += 1;
            let branches = conjunction.expand(at, rules, terms);
            if open.len() + narrowed.rules.len() + branches.len() > MAX_PARTS {
                return None;
            }
            open.extend(branches);
            continue;
        }
        let added = consequences(&conjunction, rules, terms);
        if added.is_empty() {
            return None;
        }
        narrowed.hidden |= added.iter().any(|added| is_hidden_bound(added, rules));
        let own = conjunction
            .conditions
            .iter()
            .filter(|condition| condition.is_own());
        let own = own.map(|condition| condition.literal.clone());
        let head = Atom {
            relation: rule.head.relation,
            args: conjunction.terms.clone().into(),
        };
        let narrow = Rule::normal(&head, own.chain(added).collect(), rule.span, terms)?;
        let is_same = |known: &Rule| known.head == narrow.head && known.body == narrow.body;
        if !narrowed.rules.iter().any(is_same) {
            narrowed.rules.push(narrow);
        }
    }
    Some(narrowed)
}

/// Whether a condition bounds a single variable and columns do not show it: they read positive
/// conditions alone, and take the arguments of a relation apart.
fn is_hidden_bound(literal: &Literal, rules: &Rules<'_>) -> bool {
    let is_listed = literal
        .positive()
        .is_some_and(|atom| rules.is_listed(atom.relation));
    let mut vars: Vec<VarId> = Vec::new();
    literal.for_each_var(&mut |var| vars.push(var));
    vars.dedup();
    vars.len() == 1 && !is_listed
}

/// How many rules that derive an atom are looked at: those by which a move is legal, those of
/// relations that depend on moves, and those of abbreviations.
fn looked_at(atom: &Atom, by: RelationId, rules: &Rules<'_>) -> usize {
    match atom.relation != by || rules.dynamics(by) == Dynamics::Moves {
        true => MAX_PARTS,
        false => 1,
    }
}

/// The static conditions that a conjunction adds to those it was made of, over their variables.
fn consequences(
    conjunction: &Conjunction,
    rules: &Rules<'_>,
    terms: &mut TermStore,
) -> Vec<Literal> {
    let conditions = conjunction.conditions.iter();
    let (own, found): (Vec<_>, Vec<_>) = conditions.partition(|condition| condition.is_own());
    let mut known: FxHashSet<VarId> = FxHashSet::default();
    for condition in own.iter().filter(|c| c.literal.positive().is_some()) {
        condition.literal.for_each_var(&mut |var| {
            known.insert(var);
        });
    }
    let adds = |literal: &Literal| {
        let is_static = match literal {
            Literal::Positive(atom) | Literal::Negative(atom) => {
                rules.dynamics(atom.relation) == Dynamics::Static
            }
            Literal::Distinct(..) => true,
        };
        let mut bound = true;
        let mut any = false;
        literal.for_each_var(&mut |var| {
            bound &= known.contains(&var);
            any = true;
        });
        is_static && bound && any
    };
    let found = found.into_iter().map(|condition| condition.literal.clone());
    let found = found.chain(conjunction.refused(rules, terms));
    let mut added: Vec<Literal> = found.filter(|literal| adds(literal)).collect();
    added.retain(|literal| own.iter().all(|condition| condition.literal != *literal));
    added
}
