//! Games within the game: factors.
//!
//! Two boards side by side, four panels of lamps: where a game is made of parts that do not influence
//! each other, each can be searched by itself, and what is found is put together. A *factor* is a set
//! of facts whose next values depend on nothing else but themselves, facts that no move changes
//! (whose turn it is), and the moves that touch it.
//!
//! 1. Legality and the next state are taken as they are while play goes on, without what is proved to
//!    be constant. Facts whose next values depend on each other stay together, so do those that one
//!    conjunct of a move's legality asks for.
//! 2. What each move does to which facts is seen by trying it in many states of random play. Facts
//!    stay together unless the moves leave the choice in one part free from that in the other.
//! 3. Goals and the end couple what they ask for as one thing: a line of four does, that two boards
//!    are full does not. This is a matter of what is worth while, not of truth: they are functions of
//!    what holds in the factors, whatever these are.
//! 4. What each factor needs to show of itself is written as its outputs, the end and goals of the
//!    whole as circuits over these ([`Combination`]), and the factor as a [`GameLogic`] of its own:
//!    its moves are those of the whole, as far as they do different things in it.
//! 5. The whole and its factors are played side by side at random. Factors that do not come to the
//!    same as the whole are not returned.
//!
//! The idea, control facts and the disjuncts of the end are Sancho's; moves and goals have their say
//! here too, so that what comes out can be put together again exactly.

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

/// Moves of all roles above which no factors are looked for: every move would be tried in every
/// sampled state, for seconds.
const MOST_MOVES: usize = 100_000;

/// What moves of the whole come to in a factor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    /// The moves that do the same in the factor and ask the same of it, ascending.
    pub moves: Vec<u32>,
    /// Whether they change nothing in it: the turn is used elsewhere, or passes.
    pub idle: bool,
}

/// A part of the game that can be played by itself.
#[derive(Debug, Clone)]
pub struct Factor {
    /// Its own facts, ascending, by their position in the vocabulary.
    pub facts: Vec<u32>,
    /// Whether goals or the end depend on it. If not, all it is good for is to pass the time.
    pub relevant: bool,
    /// Whether the end depends on what holds in it while all other factors are as in the beginning: what
    /// happens here can then end the game by itself.
    pub ends: bool,
    /// For each role, its actions.
    pub actions: Vec<Vec<Action>>,
    /// The factor as a game. A move of it is an action, under the name of its first move. It is
    /// legal wherever one of the moves may be, as far as the factor can tell: so is an idle one,
    /// where the turn may be used elsewhere. The end and goals are those of the whole while all
    /// other factors are as in the beginning; or, where they would then not depend on this factor,
    /// while all that is seen of the others is the contrary.
    ///
    /// Its next state is right where play goes on.
    pub logic: GameLogic,
    /// The facts of `logic`, by their position in the vocabulary of the whole, ascending: its own,
    /// and those that no move changes.
    pub context: Vec<u32>,
    /// What the combination needs to see of it, as signals of `logic`.
    pub outputs: Vec<netlist::Lit>,
}

impl Factor {
    /// The factor's part of a state of the whole; bits by position in the vocabularies.
    pub fn state(&self, whole: &[u64]) -> Vec<u64> {
        let mut state = vec![0; self.context.len().div_ceil(64)];
        for (at, &fact) in self.context.iter().enumerate() {
            state[at / 64] |= (whole[fact as usize / 64] >> (fact % 64) & 1) << (at % 64);
        }
        state
    }

    /// Puts a state of the factor into one of the whole.
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

/// How a role's choices are spread over the factors. An upper bound: where it cannot be told that a
/// role has no choice somewhere, it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sharing {
    /// No turn offers moves in more than one factor: true factors.
    One,
    /// There are turns that offer moves in several factors, of which one is made: pseudo-factors, in
    /// which idle actions stand for moves made elsewhere.
    Several,
    /// There are moves that change several factors at once.
    Each,
}

/// How the search went.
#[derive(Debug, Clone, Copy, Default)]
pub struct Report {
    /// Time for the partition.
    pub partition: Duration,
    /// Time for the factors as games.
    pub projection: Duration,
    /// Time for the proof that moves taken to be alike are, and for random play.
    pub checking: Duration,
    /// Transitions of random play in which the factors came to the same as the whole.
    pub samples: u64,
    /// Whether factors were found that did not, and so were not returned.
    pub refuted: bool,
    /// Whether there are too many moves to look; then there may be factors all the same.
    pub bounded: bool,
    /// What ran out, if something did; then there may be factors all the same.
    pub exhausted: Option<Exhausted>,
}

/// The factors of a game.
#[derive(Debug, Clone)]
pub struct Factors {
    /// The factors, by their first facts; what no goal and no end depends on is one, the last. Empty
    /// if the game does not fall apart, or this is not known.
    pub factors: Vec<Factor>,
    /// The facts that no move changes but that change, ascending: they belong to every factor.
    pub control: Vec<u32>,
    /// For each role and move, its action in each factor.
    pub actions: Vec<Vec<Vec<u32>>>,
    /// How legality, the end and goals of the whole follow from the factors.
    pub combination: Combination,
    /// For each role, how its choices are spread.
    pub choices: Vec<Sharing>,
    /// How sure it is that the factors come to the same as the whole. It is proved but for one
    /// question, whether the moves of an action do the same in a factor, which is proved where it
    /// can be with little work; otherwise it was observed.
    pub evidence: Evidence,
    /// How the search went.
    pub report: Report,
}

impl Factors {
    /// Finds the factors within the budget. The seed is that of random play.
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

    /// How many factors goals or the end depend on; one if the game does not fall apart.
    pub fn count(&self) -> usize {
        let relevant = self.factors.iter().filter(|factor| factor.relevant);
        relevant.count().max(1)
    }

    /// Whether some role's moves are spread so that idle actions stand for moves made elsewhere.
    pub fn are_pseudo(&self) -> bool {
        self.choices.contains(&Sharing::Several)
    }

    /// A move of a role that comes to these actions in the factors, if there is one.
    pub fn joined(&self, role: usize, actions: &[u32]) -> Option<u32> {
        let moves = self.actions.get(role)?;
        let at = moves.iter().position(|own| own == actions)?;
        Some(at as u32)
    }
}

/// The parts that goals or the end depend on, and all others as one.
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

/// The facts of a factor, and whether it matters.
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
    // Recursive rules are about connections, which nobody has seen fall apart.
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
    let mut actions = Vec::new();
    let mut choices = Vec::new();
    let mut of_factors: Vec<Vec<Vec<Action>>> = vec![Vec::new(); split.len()];
    for moves in &moves {
        let sides = choices::all_sides(&game, &mut parts, moves, budget)?;
        let (of_role, of_moves) = actions::sorted(&sides, &factor_of);
        for (all, of_role) in of_factors.iter_mut().zip(of_role) {
            all.push(of_role);
        }
        actions.push(of_moves);
        choices.push(actions::spread(moves, &sides, &factor_of));
    }
    let facts = 0..logic.facts.len() as u32;
    let control =
        facts.filter(|&fact| !game.moved[fact as usize] && groups.constant(fact).is_none());
    let control: Vec<u32> = control.collect();
    let mut factors = Vec::new();
    for (((facts, relevant), actions), outputs) in split.into_iter().zip(of_factors).zip(outputs) {
        let parts = project::Parts {
            facts,
            relevant,
            actions,
            outputs,
        };
        factors.push(project::factor(&game, &control, parts, budget)?);
    }
    project::conclude(&mut factors, &combination, budget)?;
    let projected = clock.now();
    report.projection = projected - divided;

    let proved = factors
        .iter()
        .all(|factor| proof::alike(&game, factor, budget));
    let mut factors = Factors {
        factors,
        control,
        actions,
        combination,
        choices,
        evidence: Evidence::Unknown,
        report: Report::default(),
    };
    let checked = check::check(logic, &factors, seed ^ 1, budget);
    report.checking = clock.now() - projected;
    report.refuted = checked.is_none();
    let Some(samples) = checked else {
        return Ok(None);
    };
    report.samples = samples;
    report.exhausted = budget.check().err();
    factors.evidence = match (proved, samples) {
        (true, _) => Evidence::Proved,
        (false, 0) => return Ok(None),
        (false, samples) => Evidence::Observed { samples },
    };
    Ok(Some(factors))
}
