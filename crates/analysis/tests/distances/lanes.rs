//! A change further than n transitions away does not matter within n transitions, in random play
//! of 64 games in lockstep: over all fixtures and, on request, the corpus.

use analysis::distances::{Condition, Distance, Distances, Met, Origin};
use budget::Budget;
use datalog::Program;
use game::{MoveId, RoleId};
use invariants::Play;
use netlist::{GameLogic, Lit};
use propnet::Network;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::path::Path;
use std::time::Duration;

/// Number of transitions examined after a change.
const TURNS: u8 = 5;

/// Counts of differences after a change.
#[derive(Debug, Default)]
struct Seen {
    differences: usize,
    /// Those that could not have occurred one transition earlier.
    earliest: usize,
}

/// A game with one fact changed in each of 64 lanes.
struct Changed<'g> {
    logic: &'g GameLogic,
    distances: &'g Distances,
    facts: [u32; 64],
}

impl Changed<'_> {
    /// Checks that values which depend on `origin` may differ in these lanes by now.
    fn allow(&self, origin: Origin, mut lanes: u64, turns: u8, seen: &mut Seen) {
        while lanes != 0 {
            let fact = self.facts[lanes.trailing_zeros() as usize];
            lanes &= lanes - 1;
            // A condition that the network does not have is never true.
            let distance = self.distances.distance(origin, Met::Fact(fact));
            let known = matches!(distance, Some(Distance::Exactly(far)) if far <= turns);
            assert!(
                known,
                "{origin:?} from fact {fact}: {distance:?}, not {turns}"
            );
            seen.differences += 1;
            seen.earliest += usize::from(distance == Some(Distance::Exactly(turns)));
        }
    }

    /// Compares the values in the given lanes.
    fn compare(&self, plays: [&mut Play<'_>; 2], lanes: u64, turns: u8, seen: &mut Seen) {
        let logic = self.logic;
        let plays = plays.map(|play| {
            play.results();
            &*play
        });
        let differ = |lit: Lit| lanes & (plays[0].word(lit) ^ plays[1].word(lit));
        for (fact, &lit) in (0..).zip(&logic.facts) {
            self.allow(Origin::Fact(fact), differ(lit), turns, seen);
        }
        for (role, row) in logic.legal.iter().enumerate() {
            for (mv, &lit) in (0..).zip(row) {
                let origin = Origin::Move(RoleId(role), MoveId(mv));
                self.allow(origin, differ(lit), turns, seen);
            }
        }
        for (role, row) in logic.goals.iter().enumerate() {
            for &(value, lit) in row {
                let role = RoleId(role);
                let origin = Origin::Condition(Condition::Goal { role, value });
                self.allow(origin, differ(lit), turns, seen);
            }
        }
        let end = Origin::Condition(Condition::Terminal);
        self.allow(end, differ(logic.terminal), turns, seen);
    }
}

/// The lanes in which play continues.
fn going(logic: &GameLogic, play: &Play<'_>) -> u64 {
    let rows = logic.legal.iter();
    let able = rows.map(|row| row.iter().fold(0, |any, &lit| any | play.word(lit)));
    able.fold(!play.word(logic.terminal), |all, able| all & able)
}

/// Changes one fact in every lane, now and then in the course of play, and continues with the
/// same moves on both sides.
fn check(network: &Network, seed: u64, rounds: usize) -> Seen {
    let budget = Budget::system();
    let logic = &netlist::lower(network, &budget).unwrap();
    let distances = &Distances::of(network, &budget).unwrap();
    assert_eq!(distances.cut(), None);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut seen = Seen::default();
    let (mut one, mut other) = (Play::new(logic, seed), Play::new(logic, seed));
    for _ in 0..rounds {
        (0..rng.random_range(0..6)).for_each(|_| one.step());
        let facts = [(); 64].map(|()| rng.random_range(0..logic.facts.len() as u32));
        let mut state: Vec<u64> = logic.facts.iter().map(|&lit| one.word(lit)).collect();
        for (lane, &fact) in facts.iter().enumerate() {
            state[fact as usize] ^= 1 << lane;
        }
        other.enter(|fact| state[fact as usize]);
        let changed = Changed {
            logic,
            distances,
            facts,
        };
        let mut lanes = u64::MAX;
        for turns in 0..=TURNS {
            changed.compare([&mut one, &mut other], lanes, turns, &mut seen);
            lanes &= going(logic, &one);
            one.step();
            other.make(|role, mv| one.word(logic.does[role][mv]));
        }
    }
    seen
}

/// The network of a rulesheet, if it can be built.
fn network(path: &Path) -> Option<Network> {
    let rules = std::fs::read(path).unwrap();
    let rules = String::from_utf8_lossy(&rules);
    let sheet = gdl_parse::parse(&rules, &gdl_parse::ParseOptions::default()).sheet;
    let budget = Budget::system().with_memory(2 << 30);
    let budget = budget.with_timeout(Duration::from_secs(30));
    let built = compile::build_network(&Program::from_sheet(&sheet), &budget);
    Some(built.ok()?.network)
}

#[test]
fn changes_do_not_matter_before_their_distance_in_fixtures() {
    let mut seen = Seen::default();
    for path in testkit::files(&testkit::root().join("fixtures/games"), "gdl") {
        if let Some(network) = network(&path) {
            let here = check(&network, 1, 4);
            seen.differences += here.differences;
            seen.earliest += here.earliest;
        }
    }
    // Distances that are shorter than necessary would go unnoticed otherwise.
    assert!(seen.differences > 10_000, "{seen:?}");
    assert!(10 * seen.earliest > seen.differences, "{seen:?}");
}

/// The same over the corpus, with `ROCINANTE_LONG_TESTS=1`.
#[test]
fn changes_do_not_matter_before_their_distance_in_the_corpus() {
    if std::env::var_os("ROCINANTE_LONG_TESTS").is_none() {
        return;
    }
    let Some(corpus) = testkit::corpus() else {
        return;
    };
    let (mut games, mut seen) = (0, Seen::default());
    for path in testkit::files(&corpus.join("games"), "kif") {
        let Some(network) = network(&path) else {
            continue;
        };
        let rounds = (2_000_000 / network.graph().node_count().max(1)).clamp(1, 20);
        let here = check(&network, 1, rounds);
        games += 1;
        seen.differences += here.differences;
        seen.earliest += here.earliest;
    }
    println!("{games} games: {seen:?}");
    assert!(games > 0);
}
