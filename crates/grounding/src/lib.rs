//! Grounds a game: instantiates its rules over the atoms that play can reach.
//!
//! The result is a [`GroundGame`]: plain data without variables, from which the propositional
//! network is built. Grounding is a separate crate because it is a database problem, not a
//! circuit problem: the work consists of joining relations.
//!
//! Reachability is over-approximated. A fact is reachable if it holds initially or some rule
//! for `next` derives it. A move is reachable if some rule for `legal` derives it. Negations of
//! atoms that depend on the state are assumed to hold. Everything else is exact. Relations that
//! depend on neither state nor moves are evaluated away, and the rule instances over the
//! reachable atoms define exactly what holds in each state. `base` and `input` are not read:
//! rulesheets omit them or get them wrong, and reachability finds tighter bounds.
//!
//! Before evaluation, rules are rewritten. Closures that are composed with themselves become chains
//! of steps (`closure`). Rules that need values from their callers get them (`asked`). Wide rules
//! are split into trees of narrow ones (`split`), so that instances do not multiply, and all rules
//! are restricted to what can be asked for (`demand`). Rules that ask for moves are bounded by what
//! `legal` says of these (`bounds`). Splits that saved nothing are undone on the
//! ground rules (`inline`).
//! Rulesheets that prove expensive are rewritten with more effort: relations of which rules ask for
//! a part alone are unfolded (`projected`), variables are narrowed by the
//! tuples of small relations (`tables`), wide static conditions are read value by value
//! (`chain`), rules that differ in one condition are merged (`merge`), and negations of wide
//! relations are taken apart (`negated`). Views of large rulesheets that are
//! defined alike are written once (`alike`). Conditions on what the state determines, such as the
//! square of the only king, are asked one by one (`determined`).
//! Finally, conditions that hold for every joint move are dropped from the ground rules: each
//! role plays one of its moves (`moves`), and that move is legal (`implied`).
//!
//! The fixpoint is evaluated semi-naively: every rule instance is found once, when the last of
//! its atoms is derived. Rules are joined over flat, indexed views of relations (`view`) in an
//! order that depends on their sizes (`plan`).
//!
//! ```
//! let parsed = gdl_parse::parse(
//!     "(role robot) (init (at 1)) (succ 1 2) (succ 2 3)
//!      (<= (legal robot step) (true (at ?x)) (succ ?x ?y))
//!      (<= (next (at ?y)) (does robot step) (true (at ?x)) (succ ?x ?y))
//!      (<= terminal (true (at 3))) (<= (goal robot 100) (true (at 3)))",
//!     &Default::default(),
//! );
//! let program = datalog::Program::from_sheet(&parsed.sheet);
//! let grounding = grounding::ground(&program, &budget::Budget::system())?;
//! assert_eq!(grounding.game.facts.len(), 3);
//! assert_eq!(grounding.game.moves[0].len(), 1);
//! # Ok::<(), grounding::GroundError>(())
//! ```

mod alike;
mod asked;
mod bounds;
mod chain;
mod closure;
mod demand;
mod determined;
mod diagram;
mod domain;
mod engine;
mod error;
mod free;
pub mod ground;
mod growth;
mod heads;
mod helpers;
mod idle;
mod implied;
mod inline;
mod instances;
mod join;
mod keys;
mod merge;
mod meter;
mod moves;
mod negated;
mod output;
mod plan;
mod projected;
mod rewrite;
mod shards;
mod simplify;
mod split;
mod store;
mod tables;
#[cfg(test)]
mod testing;
mod unfold;
mod view;

pub use error::{GroundError, Report, Stage};
pub use ground::{AtomId, AtomKind, GroundGame, GroundLiteral, GroundRule};

use bounds::{Extent, add_bounds};
use budget::{Budget, Exhausted};
use datalog::Program;
use engine::Fixpoint;
use gdl_parse::GroundTerm;
use heads::ByHead;
use keys::Keys;
use meter::Meter;
use rewrite::{Effort, Wanted};

/// The number of rule instances from which on views that are defined alike are written once.
/// Fewer are compared as nodes of the network, which costs less.
const MANY: usize = 1 << 20;

/// A ground game and what grounding it cost.
#[derive(Debug, Clone)]
pub struct Grounding {
    /// The game.
    pub game: GroundGame,
    /// What grounding cost.
    pub report: Report,
}

/// Grounds a program within a budget.
///
/// # Errors
/// [`GroundError::Budget`] if the budget is exhausted; [`GroundError::Unsafe`] and
/// [`GroundError::Unstratified`] if the rules have no well-defined ground form.
pub fn ground(program: &Program, budget: &Budget) -> Result<Grounding, GroundError> {
    let mut meter = Meter::new(budget);
    meter.look(0)?;
    let mut wanted = rewrite::wanted(program);
    let keys = Keys::of_program(&mut wanted.program, &mut meter)?;
    add_bounds(&mut wanted.program, &keys, Extent::Useful, &mut meter)?;
    let fixpoint = evaluate(&wanted, &keys, &mut meter)?;
    let exclusive = |facts: &[GroundTerm]| keys.exclusive(facts, &wanted.program.terms);
    written(fixpoint, exclusive, MANY, meter)
}

/// Grounds a program like [`ground()`], with the effort that is meant for expensive rulesheets
/// spent on every rule from the start. It is for tests: no rulesheet needs it everywhere.
///
/// # Errors
/// As [`ground()`].
pub fn ground_closely(program: &Program, budget: &Budget) -> Result<Grounding, GroundError> {
    let mut meter = Meter::new(budget);
    meter.look(0)?;
    let mut wanted = rewrite::wanted(program);
    let keys = Keys::of_program(&mut wanted.program, &mut meter)?;
    add_bounds(&mut wanted.program, &keys, Extent::Everywhere, &mut meter)?;
    let effort = Effort::Close { least: 0.0 };
    let split = rewrite::without_free_arguments(&wanted.program, 0.0, &mut meter)?;
    let program = split.as_ref().unwrap_or(&wanted.program);
    let close = rewrite::prepare(program, effort, &keys, &mut meter)?;
    let fixpoint = engine::Engine::new(close, &mut meter).evaluate()?;
    let exclusive = |facts: &[GroundTerm]| keys.exclusive(facts, &wanted.program.terms);
    written(fixpoint, exclusive, 0, meter)
}

/// Simplifies the ground rules and writes them. From `many` instances on, views that are defined
/// alike are written once. `exclusive` finds facts that exclude each other.
fn written(
    mut fixpoint: Fixpoint,
    exclusive: impl FnOnce(&[GroundTerm]) -> Vec<Vec<u32>>,
    many: usize,
    mut meter: Meter<'_>,
) -> Result<Grounding, GroundError> {
    meter.report.derived = fixpoint.atoms.derived;
    meter.report.instances = fixpoint.instances.len();
    meter.enter(Stage::Simplification);
    // From here on they are read in the order of their heads alone.
    let (instances, atoms) = (
        std::mem::take(&mut fixpoint.instances),
        fixpoint.atoms.len(),
    );
    let by_head = ByHead::new(instances, atoms, fixpoint.bytes(), &mut meter)?;
    let settled = simplify::settle(&fixpoint, &by_head, &mut meter)?;
    meter.enter(Stage::Output);
    let mut game = output::write(&fixpoint, &by_head, &settled, many, &mut meter)?;
    game.exclusive = exclusive(&game.facts);
    if game.roles.is_empty() {
        return Err(GroundError::NoRole);
    }
    meter.end_stage();
    Ok(Grounding {
        game,
        report: meter.report,
    })
}

/// Derives all atoms and finds all instances of the rules.
///
/// Most rulesheets are evaluated at once, so that the first attempt is with rules that are
/// rewritten quickly. If that turns out to be expensive it is given up, and the rules are looked
/// at more closely. Where relations have arguments that do not matter, they are looked at closely
/// from the start.
fn evaluate(wanted: &Wanted, keys: &Keys, meter: &mut Meter<'_>) -> Result<Fixpoint, GroundError> {
    let (program, most) = (&wanted.program, wanted.most);
    let plain = rewrite::prepare(program, Effort::Plain, keys, meter)?;
    let estimate = plain.cost;
    if estimate > rewrite::LARGE
        && let Some(split) = rewrite::without_free_arguments(program, free::FEW, meter)?
    {
        meter.allow(most, usize::MAX);
        let close = rewrite::prepare(&split, rewrite::CLOSE, keys, meter)?;
        return engine::Engine::new(close, meter).evaluate();
    }
    match estimate > rewrite::LARGE {
        true => meter.allow(most.min(rewrite::patience(estimate)), rewrite::FIRST),
        false => meter.allow(most, usize::MAX),
    }
    let attempt = engine::Engine::new(plain, meter).evaluate();
    let too_large = |error: &GroundError| {
        let GroundError::Budget { cause, .. } = error else {
            return false;
        };
        *cause == Exhausted::Memory && estimate > rewrite::LARGE
    };
    let gave_up = meter.gave_up() || attempt.as_ref().is_err_and(too_large);
    meter.allow(most, usize::MAX);
    if !gave_up || estimate <= rewrite::LARGE {
        return attempt;
    }
    meter.enter(Stage::Preparation);
    let close = rewrite::prepare(program, rewrite::CLOSE, keys, meter)?;
    if close.cost * rewrite::GAIN < estimate {
        return engine::Engine::new(close, meter).evaluate();
    }
    match attempt {
        // It would not fit a second time.
        Err(error) if too_large(&error) => Err(error),
        _ => {
            let plain = rewrite::prepare(program, Effort::Plain, keys, meter)?;
            engine::Engine::new(plain, meter).evaluate()
        }
    }
}
