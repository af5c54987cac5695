//! The netlist agrees with the engine in states of random play, before and after every pass.

mod support;

use budget::{Budget, ManualClock};
use invariants::Groups;
use netlist::{GameLogic, Known, Lit, LowerError, Netlist, Phased, Source, lower, passes, word};
use proptest::prelude::*;
use std::sync::Arc;
use std::time::Duration;
use support::{Record, network};

/// Checks every pass by itself, and all of them in sequence.
fn check_passes(logic: &GameLogic, record: &Record, what: &str) {
    let budget = Budget::system();
    let known = Groups::find(
        logic,
        1,
        &budget.clone().with_timeout(Duration::from_millis(200)),
    );
    let known = known.known();
    record.check(logic, what);
    for pass in passes::ALL {
        let (mut logic, before) = (logic.clone(), logic.sizes());
        let shrunk = pass.apply(&mut logic, &known, &budget);
        assert_eq!((shrunk.before, shrunk.after), (before, logic.sizes()));
        assert!(shrunk.after.cost() <= before.cost());
        record.check(&logic, &format!("{what}, {}", pass.name));
    }
    let mut phased = Phased::new(logic);
    record.check_phases(&phased.phases, what);
    phased.optimise(&known, &budget);
    for (phase, logic) in phased.logics.iter().enumerate() {
        let record = record.only(|holds| phased.phases.of(holds) == Some(phase));
        record.check(logic, &format!("{what}, all passes, phase {phase}"));
    }
    let mut logic = logic.clone();
    passes::optimise(&mut logic, &known, &budget);
    record.check(&logic, &format!("{what}, all passes"));
}

#[test]
fn play_is_unchanged_on_all_fixtures() {
    for path in testkit::fixtures() {
        let source = std::fs::read_to_string(&path).unwrap();
        let network = network(&source).unwrap();
        let logic = lower(&network, &Budget::system()).unwrap();
        let record = Record::play(&network, 3, 40);
        check_passes(&logic, &record, &path.display().to_string());
    }
}

#[test]
fn play_is_unchanged_on_random_games() {
    for seed in 0..60 {
        let source = testkit::games::random_game(seed);
        let Some(network) = network(&source) else {
            continue;
        };
        let logic = lower(&network, &Budget::system()).unwrap();
        let record = Record::play(&network, 10, 10);
        check_passes(&logic, &record, &format!("{source}\nseed {seed}"));
    }
}

/// The number of phases of a game with two roles `x` and `o`, a board to be marked, and
/// `rules`.
fn phases_of(rules: &str) -> usize {
    let source = format!(
        "(role x) (role o) (spot a) (spot b) (spot c) (init (control x))
        (<= (legal ?r (mark ?s)) (spot ?s) (role ?r) (true (control ?r)) (not (true (marked ?s))))
        (<= (next (marked ?s)) (true (marked ?s)))
        (<= (next (marked ?s)) (does ?r (mark ?s)))
        (<= terminal (true (marked a)) (true (marked b)) (true (marked c)))
        (<= (goal ?r 50) (role ?r))
        (<= (legal ?r noop) (role ?r) (not (true (control ?r)))) {rules}"
    );
    let network = network(&source).unwrap();
    let logic = lower(&network, &Budget::system()).unwrap();
    let phases = Phased::new(&logic).phases;
    Record::play(&network, 5, 10).check_phases(&phases, rules);
    phases.period()
}

#[test]
fn alternating_turns_are_periodic() {
    // The turn alternates by itself, or because a role that can do nothing else passes.
    assert_eq!(
        phases_of(
            "(<= (next (control x)) (true (control o))) (<= (next (control o)) (true (control x)))"
        ),
        2
    );
    assert_eq!(phases_of("(<= (next (control ?r)) (does ?r noop))"), 2);
    // It is not periodic where it depends on the marks, or where a counter continues.
    let again = "(<= (next (control ?r)) (does ?r (mark a)))
        (<= (next (control ?r)) (does ?r noop) (not (true (marked a))))
        (<= (next (control ?r)) (true (control ?r)) (true (marked a)))";
    assert_eq!(phases_of(again), 1);
    let counted = "(<= (next (control ?r)) (does ?r noop))
        (init (step 0)) (after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6) (after 6 7)
        (after 7 8) (after 8 9) (after 9 10) (after 10 11) (after 11 12) (after 12 13) (after 13 14)
        (after 14 15) (after 15 16) (after 16 17) (after 17 18) (after 18 19) (after 19 20)
        (<= (next (step ?n)) (true (step ?m)) (after ?m ?n))";
    assert_eq!(phases_of(counted), 2);
}

#[test]
fn a_pass_without_time_changes_nothing() {
    let path = testkit::root().join("fixtures/games/breakthrough.gdl");
    let network = network(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut logic = lower(&network, &Budget::system()).unwrap();
    let gates = logic.net.gates().to_vec();
    let clock = Arc::new(ManualClock::default());
    clock.advance(Duration::from_secs(1));
    let late = Budget::unlimited(clock).with_deadline(Duration::ZERO);
    for pass in passes::ALL {
        let shrunk = pass.apply(&mut logic, &Known::default(), &late);
        assert!(shrunk.stopped.is_some(), "{}", pass.name);
        assert_eq!(logic.net.gates(), gates);
    }
    assert_eq!(
        passes::optimise(&mut logic, &Known::default(), &late).len(),
        1
    );
}

/// Logic without moves: facts and their next values, as random combinations given by numbers.
fn random_logic(facts: usize, gates: &[(u8, u16, u16)], outputs: usize) -> GameLogic {
    let mut net = Netlist::new();
    let facts: Vec<Lit> = (0..facts).map(|_| net.input()).collect();
    let mut lits = facts.clone();
    for &(kind, a, b) in gates {
        // Mostly recent signals, which makes the netlist deep.
        let pick = |x: u16| lits[lits.len() - 1 - usize::from(x >> 1) % lits.len().min(20)];
        let (a, b) = (pick(a) ^ (a & 1 == 1), pick(b) ^ (b & 1 == 1));
        lits.push(match kind {
            0..8 => net.and(a, b),
            8..14 => net.or(a, b),
            _ => net.xor(a, b),
        });
    }
    let next = lits.iter().rev().take(outputs).copied().collect();
    GameLogic {
        sources: (0..facts.len() as u32).map(Source::Fact).collect(),
        facts,
        does: Vec::new(),
        legal: Vec::new(),
        next,
        goals: Vec::new(),
        terminal: Lit::FALSE,
        fixes: Vec::new(),
        words: Arc::default(),
        net,
    }
}

proptest! {
    #![proptest_config(testkit::rules::config())]

    #[test]
    fn outputs_are_unchanged_on_random_netlists(
        facts in 2..12usize,
        gates in prop::collection::vec((0..16u8, any::<u16>(), any::<u16>()), 1..80),
        outputs in 1..10usize,
        words in prop::collection::vec(any::<u64>(), 12),
    ) {
        let logic = random_logic(facts, &gates, outputs);
        let said = |logic: &GameLogic| -> Vec<u64> {
            let values = logic.net.evaluate(&words);
            logic.next.iter().map(|&lit| word(&values, lit)).collect()
        };
        let expected = said(&logic);
        for pass in passes::ALL {
            let made = (pass.run)(&logic, &Known::default(), &Budget::system()).unwrap();
            prop_assert_eq!(&said(&made), &expected, "{}", pass.name);
        }
        let mut logic = logic;
        passes::optimise(&mut logic, &Known::default(), &Budget::system());
        prop_assert_eq!(said(&logic), expected);
    }
}

#[test]
fn logic_whose_legality_depends_on_moves_is_rejected() {
    let rules = |goal: &str| {
        format!(
            "(role robot) (init (p a)) (thing a) (thing b)
             (<= (legal robot ?x) (thing ?x))
             (<= (next (p ?x)) (does robot ?x))
             (<= terminal (true (p b)))
             (<= (goal robot 100) {goal})"
        )
    };
    let lowered = |goal: &str| {
        let network = network(&rules(goal)).unwrap();
        lower(&network, &Budget::system())
    };
    assert!(lowered("(true (p b))").is_ok());
    assert!(matches!(
        lowered("(does robot b)"),
        Err(LowerError::DependsOnMoves)
    ));
}
