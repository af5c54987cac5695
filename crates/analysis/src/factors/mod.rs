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
//!
//! The idea, control facts and the disjuncts of the end are Sancho's; moves and goals have their say
//! here too, so that what comes out can be put together again exactly.

mod choices;
mod conditions;
mod moves;
mod parts;
mod relieved;
mod samples;

use budget::{Budget, Exhausted};
use conditions::Conditions;
use invariants::Groups;
use netlist::GameLogic;
use relieved::Relieved;
use rustc_hash::FxHashMap;
use std::time::Duration;

/// A part of the game that can be played by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Factor {
    /// Its facts, ascending, by their position in the vocabulary.
    pub facts: Vec<u32>,
    /// Whether goals or the end depend on it. If not, all it is good for is to pass the time.
    pub relevant: bool,
}

/// How the search went.
#[derive(Debug, Clone, Copy, Default)]
pub struct Report {
    /// Time for all of it.
    pub time: Duration,
    /// What ran out, if something did; then there are no factors.
    pub exhausted: Option<Exhausted>,
}

/// The factors of a game.
#[derive(Debug, Clone, Default)]
pub struct Factors {
    /// The factors, by their first facts; what no goal and no end depends on is one, the last. Empty
    /// if the game does not fall apart.
    pub factors: Vec<Factor>,
    /// The facts that no move changes, ascending: they belong to every factor.
    pub control: Vec<u32>,
    /// How the search went.
    pub report: Report,
}

impl Factors {
    /// Finds the factors within the budget. The seed is that of random play.
    pub fn find(logic: &GameLogic, groups: &Groups, seed: u64, budget: &Budget) -> Factors {
        let begun = budget.clock().now();
        let mut factors = match found(logic, groups, seed, budget) {
            Ok(factors) => factors,
            Err(why) => Factors {
                report: Report {
                    exhausted: Some(why),
                    ..Report::default()
                },
                ..Factors::default()
            },
        };
        factors.report.time = budget.clock().now() - begun;
        factors
    }

    /// How many factors goals or the end depend on; one if the game does not fall apart.
    pub fn count(&self) -> usize {
        let relevant = self.factors.iter().filter(|factor| factor.relevant);
        relevant.count().max(1)
    }
}

fn found(
    logic: &GameLogic,
    groups: &Groups,
    seed: u64,
    budget: &Budget,
) -> Result<Factors, Exhausted> {
    let game = Relieved::new(logic, groups, budget)?;
    let mut parts = parts::by_rules(&game, budget)?;
    let reached = samples::reached(logic, &game, seed);
    let conditions = Conditions::new(&game, &reached);
    let snapshots = samples::with_invented(reached, &game, seed);
    let control = moves::Control::new(&game, budget)?;
    let moves = moves::moves(&game, &snapshots, control.as_ref(), budget)?;
    choices::join(&game, &mut parts, &moves, budget)?;
    while conditions.join(&mut parts, budget)? {
        choices::join(&game, &mut parts, &moves, budget)?;
    }

    let relevant = conditions.relevant(&mut parts);
    let mut of_part: FxHashMap<u32, Factor> = FxHashMap::default();
    for fact in game.facts() {
        let part = parts.of(game.logic.facts[fact].node());
        let part = if relevant.contains(&part) {
            part
        } else {
            u32::MAX
        };
        let factor = of_part.entry(part).or_insert(Factor {
            facts: Vec::new(),
            relevant: part != u32::MAX,
        });
        factor.facts.push(fact as u32);
    }
    let mut factors: Vec<Factor> = of_part.into_values().collect();
    factors.sort_by(|a, b| (!a.relevant, &a.facts).cmp(&(!b.relevant, &b.facts)));
    if factors.len() < 2 {
        factors.clear();
    }
    let facts = 0..logic.facts.len() as u32;
    Ok(Factors {
        factors,
        control: facts.filter(|&fact| !game.moved[fact as usize]).collect(),
        report: Report::default(),
    })
}
