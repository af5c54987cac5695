//! Distances between moves, and the decision on local search.

use crate::common::{fixture, mv, network};
use analysis::couplings::{Couplings, Distribution, LocalSearch, Objection, Thresholds, WIDEST};
use analysis::distances::{Condition, Distances, Met, NEVER, Origin};
use budget::{Budget, Exhausted, ManualClock};
use game::RoleId;
use propnet::Network;
use proptest::prelude::*;
use std::sync::Arc;
use std::time::Duration;

/// Computed by definition: the minimum over all facts and disjuncts of the greater of both
/// moves' distances.
fn naive(distances: &Distances, couplings: &Couplings<'_>) -> Vec<Vec<u8>> {
    let columns = distances.columns();
    let facts = (0..columns.facts()).map(|fact| Origin::Fact(fact as u32));
    let disjuncts = couplings.couplings().iter();
    let disjuncts = disjuncts.filter(|coupling| coupling.facts <= WIDEST);
    let disjuncts = disjuncts.map(|coupling| Origin::Disjunct(coupling.disjunct));
    let mut row = Vec::new();
    let mut things = Vec::new();
    for origin in facts.chain(disjuncts) {
        distances.row(origin, &mut row).unwrap();
        things.push(row[columns.facts()..].to_vec());
    }
    let between = |a: usize, b: usize| {
        let meet = things.iter().map(|thing| thing[a].max(thing[b]));
        meet.min().unwrap_or(NEVER)
    };
    let moves = columns.moves();
    (0..moves)
        .map(|a| (0..moves).map(|b| between(a, b)).collect())
        .collect()
}

fn agrees(network: &Network) {
    let budget = Budget::system();
    let distances = Distances::of(network, &budget).unwrap();
    let couplings = Couplings::of(&distances, WIDEST, &budget).unwrap();
    let mut pairs = vec![0; 256];
    let mut row = Vec::new();
    let expected = naive(&distances, &couplings);
    for (a, expected) in expected.iter().enumerate() {
        couplings.row(a, &mut row);
        assert_eq!(&row, expected, "row {a}");
        for (b, &distance) in expected.iter().enumerate().filter(|(b, _)| *b != a) {
            pairs[usize::from(distance)] += 1;
            assert!(b < expected.len());
        }
    }
    let moves = expected.len();
    let whole = Distribution {
        pairs,
        moves,
        of: moves,
        cut: None,
    };
    assert_eq!(couplings.distribution(&budget), whole);
}

#[test]
fn distances_between_moves_agree_with_the_definition() {
    for game in [
        "tic_tac_toe",
        "breakthrough_small",
        "lights_on_parallel",
        "nim",
    ] {
        agrees(&network(&fixture(game)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..testkit::rules::config() })]

    #[test]
    fn distances_between_moves_of_random_games_agree(seed in any::<u64>()) {
        agrees(&network(&testkit::games::random_game(seed)));
    }
}

/// The position of a move among all moves.
fn position(distances: &Distances, met: Met) -> usize {
    distances.columns().column(met).unwrap() - distances.columns().facts()
}

#[test]
fn moves_of_separate_games_never_meet() {
    let rules = "(role left) (role right) (at a) (at b)
        (<= (legal left (push ?x)) (at ?x)) (<= (legal right (pull ?x)) (at ?x))
        (<= (next (lit ?x)) (does left (push ?x)))
        (<= (next (dark ?x)) (does right (pull ?x)))
        (<= (next (lit ?x)) (true (lit ?x)))
        (<= (next (won ?x)) (true (lit ?x)) (true (dark ?x)))
        (<= terminal (true (won ?x)))
        (<= (goal left 100) (true (won ?x))) (<= (goal right 100) (true (dark ?x)))";
    let network = network(rules);
    let budget = Budget::system();
    let distances = Distances::of(&network, &budget).unwrap();
    let couplings = Couplings::of(&distances, WIDEST, &budget).unwrap();
    let at = |role, text: &str| position(&distances, mv(&network, role, text));
    let mut row = Vec::new();
    couplings.row(at(0, "(push a)"), &mut row);
    assert_eq!(row[at(0, "(push a)")], 1);
    // `(won a)` reads `(lit a)` and `(dark a)`, each set by one of the two.
    assert_eq!(row[at(1, "(pull a)")], 2);
    assert_eq!(row[at(0, "(push b)")], NEVER);
    assert_eq!(row[at(1, "(pull b)")], NEVER);
    let distribution = couplings.distribution(&budget);
    assert_eq!((distribution.pairs[2], distribution.pairs[255]), (4, 8));
    assert_eq!(distribution.mean(), Some(2.0));
    assert_eq!(distribution.within(2), Some(1.0 / 3.0));
    assert!(
        couplings
            .couplings()
            .iter()
            .all(|coupling| !coupling.is_joint())
    );
    let roomy = Thresholds {
        near_share: 0.5,
        ..Thresholds::default()
    };
    let decision = LocalSearch::decide(&couplings, &distribution, 2, &roomy);
    assert!(!decision.applies());
    // No fact of `left`'s goal can become true within one transition.
    assert_eq!(decision.objections, [Objection::NoLocalGoal(RoleId(0))]);
}

#[test]
fn lines_require_several_moves() {
    let network = network(&fixture("tic_tac_toe"));
    let budget = Budget::system();
    let distances = Distances::of(&network, &budget).unwrap();
    let couplings = Couplings::of(&distances, WIDEST, &budget).unwrap();
    let all = couplings.couplings().iter();
    let lines = all.filter(|coupling| matches!(coupling.of, Condition::Goal { .. }));
    assert_eq!(lines.clone().count(), 16);
    assert!(lines.clone().all(|line| line.facts == 3 && line.is_joint()));
    let distribution = couplings.distribution(&budget);
    let decision = LocalSearch::decide(&couplings, &distribution, 2, &Thresholds::default());
    assert!(decision.objections.iter().any(|objection| matches!(
        objection,
        Objection::Joint(coupling) if matches!(coupling.of, Condition::Goal { .. })
    )));
}

/// A pawn on the last rank depends on one fact; the absence of all pawns depends on the whole
/// board.
#[test]
fn breakthrough_is_local() {
    let network = network(&fixture("breakthrough"));
    let budget = Budget::system();
    let distances = Distances::of(&network, &budget).unwrap();
    let couplings = Couplings::of(&distances, WIDEST, &budget).unwrap();
    let distribution = couplings.distribution(&budget);
    let decision = LocalSearch::decide(&couplings, &distribution, 2, &Thresholds::default());
    assert!(decision.applies(), "{:?}", decision.objections);
    assert!(!decision.left_aside.is_empty());
    assert!(
        decision
            .left_aside
            .iter()
            .all(|coupling| coupling.facts == 64)
    );
    let one = LocalSearch::decide(&couplings, &distribution, 1, &Thresholds::default());
    assert_eq!(one.objections, [Objection::Roles(1)]);
}

#[test]
fn an_exhausted_budget_is_reported() {
    let network = network(&fixture("tic_tac_toe"));
    let budget = Budget::system();
    let distances = Distances::of(&network, &budget).unwrap();
    let couplings = Couplings::of(&distances, WIDEST, &budget).unwrap();
    let over = Budget::unlimited(Arc::new(ManualClock::default())).with_timeout(Duration::ZERO);
    assert!(Couplings::of(&distances, WIDEST, &over).is_err());
    let nothing = couplings.distribution(&over);
    assert_eq!(nothing.cut, Some(Exhausted::Deadline));
    assert_eq!(
        (nothing.moves, nothing.mean(), nothing.within(9)),
        (0, None, None)
    );
    let decision = LocalSearch::decide(&couplings, &nothing, 2, &Thresholds::default());
    assert!(decision.objections.contains(&Objection::NoPairs));
}
