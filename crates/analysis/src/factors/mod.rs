//! Decomposition of a game into factors.
//!
//! Some games consist of parts that do not influence each other, such as two boards side by side
//! or four panels of lamps. Each part can be searched by itself, and the results combined. A
//! *factor* is a set of facts whose next values depend only on these facts, on control facts
//! (which no move changes, such as whose turn it is), and on the moves that touch the factor.
//!
//! 1. Legality and the next state are simplified under the assumption that play has not ended,
//!    and proved constants are removed. Facts whose next values depend on each other stay
//!    together. So do the facts of each conjunct of a move's legality.
//! 2. The effects of each move are found by applying it in many states of random play. Facts
//!    stay together unless the choice in one part is independent of that in the other.
//! 3. Goals and terminality couple the facts that they require as a unit: a line of four does,
//!    the condition that two boards are full does not. This affects only usefulness, not
//!    correctness: goals and terminality are functions of the factors, whatever these are.
//! 4. Each factor gets outputs. Terminality and goals of the whole game become circuits over
//!    these ([`Combination`]), and the factor becomes a [`GameLogic`] of its own. Its moves are
//!    those of the whole game, merged where they do the same in it.
//! 5. The whole game and its factors are played side by side at random. Factors that disagree
//!    with the whole game are not returned.
//!
//! Sancho introduced factors, control facts and the use of the disjuncts of terminality. Here,
//! moves and goals are analysed too, so that the factors can be recombined exactly.

mod actions;
mod bounds;
mod cases;
mod check;
mod choices;
mod combine;
mod conditions;
mod control;
mod effects;
mod moves;
mod parts;
mod project;
mod proof;
mod relieved;
mod samples;

use crate::Evidence;
use budget::{Budget, Exhausted};
use conditions::Conditions;
use invariants::Groups;
use netlist::GameLogic;
use relieved::Relieved;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::time::Duration;

pub use combine::{Combination, Input, Operator};

/// Maximum number of moves of all roles together. For more, no factors are computed, since every
/// move would be tried in every sampled state, which takes seconds.
const MOST_MOVES: usize = 100_000;

/// The moves of the whole game that are one move in a factor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    /// The moves that have the same effects and preconditions in the factor, ascending.
    pub moves: Vec<u32>,
    /// Whether they change nothing in the factor: the turn is used elsewhere, or passed.
    pub idle: bool,
}

/// A part of the game that can be played by itself.
#[derive(Debug, Clone)]
pub struct Factor {
    /// Its own facts, ascending, by their position in the vocabulary.
    pub facts: Vec<u32>,
    /// Whether goals or terminality depend on it. If not, its moves only pass the time.
    pub relevant: bool,
    /// Whether terminality depends on the factor while all other factors are in their initial
    /// states. Then moves in this factor can end the game.
    pub ends: bool,
    /// For each role, its actions.
    pub actions: Vec<Vec<Action>>,
    /// The factor as a game. Its moves are the actions, under the name of their first move.
    ///
    /// An action is legal if one of its moves may be legal, as far as the factor can decide; so
    /// is an idle action if the turn may be used elsewhere. Terminality and goals are those of
    /// the whole game while all other factors are in their initial states. If they would then
    /// not depend on this factor, they are those with all outputs of the other factors inverted.
    ///
    /// Its next state is correct while play has not ended.
    pub logic: GameLogic,
    /// The facts of `logic`, by their position in the vocabulary of the whole game, ascending:
    /// its own facts, and the control facts.
    pub context: Vec<u32>,
    /// The outputs that the combination reads, as signals of `logic`.
    pub outputs: Vec<netlist::Lit>,
}

impl Factor {
    /// The factor's part of a state of the whole game; bits by position in the vocabularies.
    pub fn state(&self, whole: &[u64]) -> Vec<u64> {
        let mut state = vec![0; self.context.len().div_ceil(64)];
        for (at, &fact) in self.context.iter().enumerate() {
            state[at / 64] |= (whole[fact as usize / 64] >> (fact % 64) & 1) << (at % 64);
        }
        state
    }

    /// Writes a state of the factor into a state of the whole game.
    pub fn put(&self, state: &[u64], whole: &mut [u64]) {
        for (at, &fact) in self.context.iter().enumerate() {
            let (word, bit) = (&mut whole[fact as usize / 64], 1 << (fact % 64));
            *word = *word & !bit
                | if state[at / 64] >> (at % 64) & 1 == 1 {
                    bit
                } else {
                    0
                };
        }
    }
}

/// The distribution of a role's choices over the factors.
///
/// This is an upper bound: a role counts as having a choice unless it is known to have none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sharing {
    /// No turn offers moves in more than one factor: true factors.
    One,
    /// Some turns offer moves in several factors, one of which is played: pseudo-factors, in
    /// which idle actions stand for moves in other factors.
    Several,
    /// Some moves change several factors at once.
    Each,
}

/// Statistics of the search for factors.
#[derive(Debug, Clone, Copy, Default)]
pub struct Report {
    /// Time for the partition.
    pub partition: Duration,
    /// Time for building the factors as games.
    pub projection: Duration,
    /// Time for proving that the moves of each action are equivalent, and for random play.
    pub checking: Duration,
    /// Transitions of random play in which the factors agreed with the whole game.
    pub samples: u64,
    /// Whether factors were found that disagreed with the whole game and so were not returned.
    pub refuted: bool,
    /// Whether there are too many moves to search; factors may still exist.
    pub bounded: bool,
    /// The part of the budget that ran out, if any; factors may still exist.
    pub exhausted: Option<Exhausted>,
}

/// The factors of a game.
#[derive(Debug, Clone)]
pub struct Factors {
    /// The factors, in order of their first facts. All facts that no goal and no terminal
    /// condition depends on form one factor, the last. Empty if the game does not decompose, or
    /// if this is unknown.
    pub factors: Vec<Factor>,
    /// The control facts, ascending: they change, but no move changes them. They belong to every
    /// factor.
    pub control: Vec<u32>,
    /// For each role and move, its action in each factor.
    pub actions: Vec<Vec<Vec<u32>>>,
    /// Legality, terminality and goals of the whole game as functions of the factors.
    pub combination: Combination,
    /// For each role, the distribution of its choices.
    pub choices: Vec<Sharing>,
    /// The evidence that the factors are equivalent to the whole game.
    ///
    /// All of it is proved except for one question: whether the moves of an action do the same
    /// in a factor. That is proved if it takes little work, otherwise observed.
    pub evidence: Evidence,
    /// Statistics of the search.
    pub report: Report,
}

impl Factors {
    /// Finds the factors within the budget. `seed` is the seed of random play.
    pub fn find(logic: &GameLogic, groups: &Groups, seed: u64, budget: &Budget) -> Factors {
        let mut report = Report::default();
        let found = found(logic, groups, seed, budget, &mut report);
        match found {
            Ok(Some(mut factors)) => {
                factors.report = report;
                factors
            }
            Ok(None) => Factors::none(report),
            Err(why) => {
                report.exhausted = Some(why);
                Factors::none(report)
            }
        }
    }

    fn none(report: Report) -> Factors {
        Factors {
            factors: Vec::new(),
            control: Vec::new(),
            actions: Vec::new(),
            combination: Combination::default(),
            choices: Vec::new(),
            evidence: Evidence::Unknown,
            report,
        }
    }

    /// The number of factors that goals or terminality depend on; one if the game does not
    /// decompose.
    pub fn count(&self) -> usize {
        let relevant = self.factors.iter().filter(|factor| factor.relevant);
        relevant.count().max(1)
    }

    /// Whether for some role idle actions stand for moves in other factors.
    pub fn are_pseudo(&self) -> bool {
        self.choices.contains(&Sharing::Several)
    }

    /// A move of a role that is this combination of actions in the factors, if there is one.
    pub fn joined(&self, role: usize, actions: &[u32]) -> Option<u32> {
        let moves = self.actions.get(role)?;
        let at = moves.iter().position(|own| own == actions)?;
        Some(at as u32)
    }
}

/// Partitions the facts: one part for each set that goals or terminality depend on, and one for
/// all others.
fn partition<'g>(
    game: &'g Relieved,
    logic: &GameLogic,
    seed: u64,
    budget: &Budget,
) -> Result<(Conditions<'g>, parts::Parts, Vec<Vec<moves::Move>>), Exhausted> {
    let mut parts = parts::by_rules(game, budget)?;
    let reached = samples::reached(logic, game, seed, budget)?;
    let mut conditions = Conditions::new(game, &reached, budget)?;
    let control = control::Control::new(game, budget)?;
    let snapshots = samples::with_invented(reached, game, control.as_ref(), seed);
    let moves = moves::moves(game, &snapshots, control.as_ref(), budget)?;
    loop {
        choices::join(game, &mut parts, &moves, budget)?;
        if conditions.join(&mut parts, budget)? {
            continue;
        }
        let relevant = conditions.relevant(&mut parts);
        let facts = game.facts().map(|fact| game.logic.facts[fact].node());
        let rest = facts.filter(|&node| !relevant.contains(&parts.of(node)));
        let rest: Vec<usize> = rest.collect();
        let mut joined = false;
        for pair in rest.windows(2) {
            joined |= parts.join(pair[0], pair[1]);
        }
        if !joined {
            return Ok((conditions, parts, moves));
        }
    }
}

/// The facts of a factor, and whether it is relevant.
type Own = (Vec<u32>, bool);

/// The facts of each factor, and for each part its factor.
fn split(
    game: &Relieved,
    conditions: &Conditions<'_>,
    parts: &mut parts::Parts,
) -> (Vec<Own>, FxHashMap<u32, usize>) {
    let relevant = conditions.relevant(parts);
    let mut of_part: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for fact in game.facts() {
        let part = parts.of(game.logic.facts[fact].node());
        of_part.entry(part).or_default().push(fact as u32);
    }
    let mut split: Vec<(u32, Vec<u32>)> = of_part.into_iter().collect();
    split.sort_by_key(|(part, facts)| (!relevant.contains(part), facts[0]));
    let factor_of = split.iter().zip(0..).map(|((part, _), at)| (*part, at));
    let factor_of = factor_of.collect();
    let split = split
        .into_iter()
        .map(|(part, facts)| (facts, relevant.contains(&part)));
    (split.collect(), factor_of)
}

fn found(
    logic: &GameLogic,
    groups: &Groups,
    seed: u64,
    budget: &Budget,
    report: &mut Report,
) -> Result<Option<Factors>, Exhausted> {
    let clock = budget.clock();
    let begun = clock.now();
    let moves: usize = logic.legal.iter().map(Vec::len).sum();
    report.bounded = moves > MOST_MOVES;
    // Recursive rules describe connections; no known game with them decomposes.
    if report.bounded
        || !logic.fixes.is_empty()
        || logic.depend_on_moves(logic.legal_roots().chain(logic.goal_roots()))
    {
        return Ok(None);
    }
    let mut game = Relieved::new(logic, groups, budget)?;
    cases::apart(&mut game, budget)?;
    let (conditions, mut parts, moves) = partition(&game, logic, seed, budget)?;
    let (split, factor_of) = split(&game, &conditions, &mut parts);
    let divided = clock.now();
    report.partition = divided - begun;
    if split.len() < 2 {
        return Ok(None);
    }

    let labels = conditions.labels(&mut parts);
    let (combination, outputs) = combine::combine(&game, &conditions, labels, &factor_of, budget)?;
    let roles = actions::of_roles(&game, &mut parts, &moves, &factor_of, budget)?;
    let control = control_facts(&game, groups);
    let mut factors = Vec::new();
    let described = split.into_iter().zip(roles.of_factors).zip(outputs);
    for (((facts, relevant), actions), outputs) in described {
        let parts = project::Parts {
            facts,
            relevant,
            actions,
            outputs,
        };
        factors.push(project::factor(&game, &control, parts, budget)?);
    }
    project::conclude(&mut factors, &combination, budget)?;
    report.projection = clock.now() - divided;

    let mut factors = Factors {
        factors,
        control,
        actions: roles.of_moves,
        combination,
        choices: roles.choices,
        evidence: Evidence::Unknown,
        report: Report::default(),
    };
    let evidence = evidence(&game, logic, &factors, seed ^ 1, budget, report);
    Ok(evidence.map(|evidence| {
        factors.evidence = evidence;
        factors
    }))
}

/// The facts that change, but that no move changes.
fn control_facts(game: &Relieved, groups: &Groups) -> Vec<u32> {
    let facts = 0..game.moved.len() as u32;
    facts
        .filter(|&fact| !game.moved[fact as usize] && groups.constant(fact).is_none())
        .collect()
}

/// The evidence that factors are equivalent to the whole game; `None` if they are not, or if
/// there is no evidence at all.
fn evidence(
    game: &Relieved,
    logic: &GameLogic,
    factors: &Factors,
    seed: u64,
    budget: &Budget,
    report: &mut Report,
) -> Option<Evidence> {
    let clock = budget.clock();
    let begun = clock.now();
    let mut all = factors.factors.iter();
    let proved = all.all(|factor| proof::alike(game, factor, budget));
    let checked = check::check(logic, factors, seed, budget);
    report.checking = clock.now() - begun;
    report.refuted = checked.is_none();
    let samples = checked?;
    report.samples = samples;
    report.exhausted = budget.check().err();
    match (proved, samples) {
        (true, _) => Some(Evidence::Proved),
        (false, 0) => None,
        (false, samples) => Some(Evidence::Observed { samples }),
    }
}
