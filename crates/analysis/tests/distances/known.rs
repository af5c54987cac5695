//! Distances with known answers.

use crate::common::{fact, fixture, mv, network};
use analysis::distances::{Condition, Distance, Distances, FAR, Met, Origin};
use budget::{Budget, Clock, Exhausted, ManualClock};
use game::RoleId;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Breakthrough without the rule that a player without pawns loses.
fn only_by_rank(name: &str) -> String {
    let rules = fixture(name);
    let shorter = rules.replace("(not (alive ?other))", "(true nothing)");
    assert_ne!(rules, shorter);
    shorter
}

/// For ranks 1, 2, ...: the distance from a role's victory to its pawns there and to moves
/// there.
fn ranks(
    rules: &str,
    size: usize,
    role: usize,
    least: impl Fn(&Distances, Met) -> Distance,
) -> Vec<(Distance, Option<Distance>)> {
    let network = network(rules);
    let distances = Distances::of(&network, &Budget::system()).unwrap();
    let who = ["white", "black"][role];
    let rank = |y: usize| {
        let pawn = |x| Met::Fact(fact(&network, &format!("(cell {x} {y} {who})")));
        let pawns: Vec<Distance> = (1..=size).map(|x| least(&distances, pawn(x))).collect();
        assert!(
            pawns.iter().all(|&distance| distance == pawns[0]),
            "{pawns:?}"
        );
        let from = if role == 0 { y.wrapping_sub(1) } else { y + 1 };
        let step = |x| {
            let step = format!("(move {x} {from} {x} {y})");
            least(&distances, mv(&network, role, &step))
        };
        let steps: Vec<Distance> = (1..=size)
            .filter(|_| (1..=size).contains(&from))
            .map(step)
            .collect();
        assert!(
            steps.iter().all(|&distance| distance == steps[0]),
            "{steps:?}"
        );
        (pawns[0], steps.first().copied())
    };
    (1..=size).map(rank).collect()
}

fn victory(role: usize) -> Condition {
    Condition::Goal {
        role: RoleId(role),
        value: 100,
    }
}

#[test]
fn distances_of_ranks_in_breakthrough() {
    for (name, size) in [("breakthrough", 8), ("breakthrough_small", 6)] {
        let rules = only_by_rank(name);
        let goal = |role| {
            let origin = Origin::Condition(victory(role));
            move |distances: &Distances, met| distances.distance(origin, met).unwrap()
        };
        let expected: Vec<_> = (0..size as u8)
            .map(|y| {
                let steps = (y + 1 < size as u8).then_some(Distance::Exactly(y + 1));
                (Distance::Exactly(y), steps)
            })
            .collect();
        assert_eq!(ranks(&rules, size, 1, goal(1)), expected);
        let mut mirrored = ranks(&rules, size, 0, goal(0));
        mirrored.reverse();
        assert_eq!(mirrored, expected);
    }
}

/// With the second condition of victory, all of the opponent's pawns are at 0; the first
/// condition has the same distances as before.
#[test]
fn distances_of_ranks_for_one_disjunct() {
    let rules = fixture("breakthrough_small");
    let by_rank = |distances: &Distances, met| {
        let ways = distances.disjuncts().enumerate();
        let ways = ways.filter(|(way, disjunct)| {
            let reads = distances.reads(Origin::Disjunct(*way)).unwrap();
            disjunct.of == victory(1) && reads.len() == 1
        });
        let ways: Vec<Distance> = ways
            .map(|(way, _)| distances.distance(Origin::Disjunct(way), met).unwrap())
            .collect();
        assert_eq!(ways.len(), 6);
        ways.into_iter().min().unwrap()
    };
    let found = ranks(&rules, 6, 1, by_rank);
    for (y, &(pawns, _)) in found.iter().enumerate() {
        assert_eq!(pawns, Distance::Exactly(y as u8));
    }
    let network = network(&rules);
    let distances = Distances::of(&network, &Budget::system()).unwrap();
    let far = Met::Fact(fact(&network, "(cell 3 5 white)"));
    let goal = Origin::Condition(victory(1));
    assert_eq!(distances.distance(goal, far), Some(Distance::Exactly(0)));
}

#[test]
fn disjuncts_through_negations_and_recursion() {
    let rules = "(role robot) (init a) (init b) (init c) (init d)
        (edge 1 2) (edge 2 1) (start 1)
        (legal robot wait) (<= (next ?x) (true ?x))
        (<= blocked (true a) (true b))
        (<= (reached ?x) (start ?x) (true c))
        (<= (reached ?y) (reached ?x) (edge ?x ?y))
        (<= terminal (not blocked)) (<= terminal (true d))
        (<= (goal robot 100) (not (reached 2)))
        (<= (goal robot 0) (reached 2))";
    let network = crate::common::plain_network(rules);
    let distances = Distances::of(&network, &Budget::system()).unwrap();
    let ways = |of: Condition| {
        let ways = distances.disjuncts().enumerate();
        let ways = ways.filter(|(_, disjunct)| disjunct.of == of);
        let mut ways: Vec<_> = ways
            .map(|(way, disjunct)| {
                let reads = distances.reads(Origin::Disjunct(way)).unwrap();
                let facts = reads.iter().map(|&fact| fact as usize);
                let name = |fact: usize| network.vocabulary().facts[fact].to_string();
                (
                    facts.map(name).collect::<Vec<_>>().join(" "),
                    disjunct.negated,
                )
            })
            .collect();
        ways.sort();
        ways
    };
    let way = |facts: &str, negated| (facts.to_string(), negated);
    let expected = [way("a", true), way("b", true), way("d", false)];
    assert_eq!(ways(Condition::Terminal), expected);
    assert_eq!(ways(victory(0)), [way("c", true)]);
}

#[test]
fn far_and_never_are_distinct() {
    let mut rules = String::from("(role robot) (init (step 0)) (init alone) (legal robot wait)");
    for step in 0..300 {
        write!(rules, "(succ {step} {})", step + 1).unwrap();
    }
    rules.push_str(
        "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y)) (<= (next alone) (true alone))
         (<= terminal (true (step 300))) (<= (goal robot 100) (true alone))",
    );
    let network = network(&rules);
    let step = |n: u32| Met::Fact(fact(&network, &format!("(step {n})")));
    let end = Origin::Condition(Condition::Terminal);
    let distances = Distances::of(&network, &Budget::system()).unwrap();
    let far = |n| distances.distance(end, step(n)).unwrap();
    assert_eq!(distances.cut(), None);
    assert_eq!(far(300), Distance::Exactly(0));
    assert_eq!(far(47), Distance::Exactly(253));
    assert_eq!(far(46), Distance::AtLeast(FAR));
    assert_eq!(far(0), Distance::AtLeast(FAR));
    let alone = Met::Fact(fact(&network, "alone"));
    assert_eq!(distances.distance(end, alone), Some(Distance::Never));
    assert_eq!(distances.distance(end, Met::Fact(u32::MAX)), None);
}

/// A clock that advances at every reading.
#[derive(Default)]
struct EachReading(AtomicU64);

impl Clock for EachReading {
    fn now(&self) -> Duration {
        Duration::from_nanos(self.0.fetch_add(1, Ordering::SeqCst))
    }
}

/// A budget that ends early cuts off the great distances, but the small ones stay exact.
#[test]
fn a_short_budget_keeps_small_distances() {
    let network = network(&fixture("breakthrough_small"));
    let whole = Distances::of(&network, &Budget::system()).unwrap();
    let columns = whole.columns().clone();
    let mut levels = BTreeSet::new();
    for readings in 1.. {
        let clock = Arc::new(EachReading::default());
        let budget = Budget::unlimited(clock).with_timeout(Duration::from_nanos(readings));
        let Ok(little) = Distances::of(&network, &budget) else {
            continue;
        };
        let Some((level, why)) = little.cut() else {
            break;
        };
        assert_eq!(why, Exhausted::Deadline);
        // Once for each level, somewhere within it.
        if readings % 50 != 0 || !levels.insert(level) {
            continue;
        }
        for origin in crate::common::origins(&columns, whole.conditions()) {
            for column in 0..columns.len() {
                let met = columns.met(column).unwrap();
                let exact = whole.distance(origin, met).unwrap();
                match little.distance(origin, met).unwrap() {
                    Distance::AtLeast(least) => {
                        assert_eq!(least, level + 1);
                        assert!(exact >= Distance::Exactly(least));
                    }
                    known => assert_eq!(known, exact),
                }
            }
        }
    }
    assert!(levels.len() > 2, "only cut at {levels:?}");
    let clock = Arc::new(ManualClock::default());
    let over = Budget::unlimited(clock).with_timeout(Duration::ZERO);
    assert_eq!(
        Distances::of(&network, &over).err(),
        Some(Exhausted::Deadline)
    );
}
