//! The netlist agrees with the engine in states of random play, before and after every pass.

mod support;

use budget::{Budget, ManualClock};
use datalog::Program;
use gdl_parse::{ParseOptions, parse};
use grounding::{AtomId, AtomKind, GroundLiteral};
use invariants::Groups;
use netlist::{GameLogic, Known, Lit, LowerError, Netlist, Phased, Source, lower, passes, word};
use propnet::Network;
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

/// Kings and rooks on a board of 4x4. A move that leaves the own king attacked is not legal, for
/// which the rules look at the board after every move.
const LOOK_AT_THE_BOARD_AFTER: &str = "
    (role white) (role black) (other white black) (other black white)
    (at 1) (at 2) (at 3) (at 4) (succ 1 2) (succ 2 3) (succ 3 4)
    (king wk white) (king bk black) (rook wr white) (rook br black)
    (<= (owner ?p ?r) (king ?p ?r)) (<= (owner ?p ?r) (rook ?p ?r))
    (init (cell 1 1 wk)) (init (cell 2 1 wr)) (init (cell 4 4 bk)) (init (cell 3 4 br)) (init (turn white))
    (<= (beside east ?x ?y ?u ?y) (succ ?x ?u) (at ?y)) (<= (beside west ?x ?y ?u ?y) (succ ?u ?x) (at ?y))
    (<= (beside north ?x ?y ?x ?v) (succ ?y ?v) (at ?x)) (<= (beside south ?x ?y ?x ?v) (succ ?v ?y) (at ?x))
    (<= (differ ?x ?y ?u ?v) (at ?x) (at ?y) (at ?u) (at ?v) (distinct ?x ?u))
    (<= (differ ?x ?y ?u ?v) (at ?x) (at ?y) (at ?u) (at ?v) (distinct ?y ?v))
    (<= (own ?x ?y) (true (turn ?r)) (true (cell ?x ?y ?p)) (owner ?p ?r))
    (<= (taken ?x ?y) (true (cell ?x ?y ?p)))
    (<= (slide ?d ?x ?y ?u ?v) (beside ?d ?x ?y ?u ?v))
    (<= (slide ?d ?x ?y ?u ?v) (slide ?d ?x ?y ?s ?t) (not (taken ?s ?t)) (beside ?d ?s ?t ?u ?v))
    (<= (possible ?p ?x ?y ?u ?v) (true (turn ?r)) (king ?p ?r) (true (cell ?x ?y ?p)) (beside ?d ?x ?y ?u ?v)
        (not (own ?u ?v)))
    (<= (possible ?p ?x ?y ?u ?v) (true (turn ?r)) (rook ?p ?r) (true (cell ?x ?y ?p)) (slide ?d ?x ?y ?u ?v)
        (not (own ?u ?v)))
    (<= (board ?x ?y ?u ?v ?u ?v ?p) (possible ?p ?x ?y ?u ?v))
    (<= (board ?x ?y ?u ?v ?s ?t ?q) (possible ?p ?x ?y ?u ?v) (true (cell ?s ?t ?q)) (differ ?s ?t ?x ?y)
        (differ ?s ?t ?u ?v))
    (<= (full ?x ?y ?u ?v ?s ?t) (board ?x ?y ?u ?v ?s ?t ?q))
    (<= (sight ?x ?y ?u ?v ?d ?s ?t) (true (turn ?r)) (king ?k ?r) (board ?x ?y ?u ?v ?a ?b ?k)
        (beside ?d ?a ?b ?s ?t))
    (<= (sight ?x ?y ?u ?v ?d ?s ?t) (sight ?x ?y ?u ?v ?d ?a ?b) (not (full ?x ?y ?u ?v ?a ?b))
        (beside ?d ?a ?b ?s ?t))
    (<= (attacked ?x ?y ?u ?v) (sight ?x ?y ?u ?v ?d ?s ?t) (board ?x ?y ?u ?v ?s ?t ?q) (rook ?q ?o)
        (true (turn ?r)) (other ?r ?o))
    (<= (legal ?r (move ?x ?y ?u ?v)) (true (turn ?r)) (possible ?p ?x ?y ?u ?v) (not (attacked ?x ?y ?u ?v)))
    (<= (legal ?r pass) (true (turn ?o)) (other ?o ?r))
    (<= (next (cell ?s ?t ?q)) (does ?r (move ?x ?y ?u ?v)) (board ?x ?y ?u ?v ?s ?t ?q))
    (<= (next (turn ?o)) (true (turn ?r)) (other ?r ?o))
    (<= some (true (turn ?r)) (possible ?p ?x ?y ?u ?v) (not (attacked ?x ?y ?u ?v)))
    (<= terminal (not some))
    (<= (goal ?r 50) (role ?r))";

#[test]
fn conditions_that_all_readers_know_are_most_of_the_boards_after_moves() {
    let network = network(LOOK_AT_THE_BOARD_AFTER).unwrap();
    let logic = lower(&network, &Budget::system()).unwrap();
    let record = Record::play(&network, 30, 60);
    check_passes(&logic, &record, "boards after moves");
    for (phase, logic) in Phased::new(&logic).logics.iter().enumerate() {
        let made = passes::observed::run(logic, &Known::default(), &Budget::system()).unwrap();
        let (before, after) = (logic.sizes().step, made.sizes().step);
        assert!(
            after * 4 < before * 3,
            "phase {phase}: {before} gates, {after}"
        );
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
fn goals_never_depend_on_moves() {
    // `won` is read by a goal and by the next state; only the latter knows the moves.
    let rules = "(role robot) (init (p a)) (thing a) (thing b)
                 (<= (legal robot ?x) (thing ?x))
                 (<= won (does robot b))
                 (<= (next (p b)) won)
                 (<= terminal (true (p b)))
                 (<= (goal robot 100) won)
                 (<= (goal robot 0) (not won))";
    let program = Program::from_sheet(&parse(rules, &ParseOptions::default()).sheet);
    let game = grounding::ground(&program, &Budget::system()).unwrap().game;
    let network = Network::build(game.clone(), &Budget::system()).unwrap();
    let logic = lower(&network, &Budget::system()).unwrap();
    assert!(!logic.depend_on_moves(logic.goal_roots()));
    assert!(logic.depend_on_moves(logic.next.iter().copied()));

    // A ground game that was made by other means may still depend on them; that is rejected.
    let mut other = game;
    let at = |is: fn(&AtomKind) -> bool| {
        let at = other.atoms.iter().position(is).unwrap();
        AtomId(u32::try_from(at).unwrap())
    };
    let (terminal, atom) = (
        at(|kind| matches!(kind, AtomKind::Terminal)),
        at(|kind| matches!(kind, AtomKind::Does { .. })),
    );
    let rule = other.rules.iter_mut().find(|rule| rule.head == terminal);
    rule.unwrap().body = Box::new([GroundLiteral {
        atom,
        negated: false,
    }]);
    let network = Network::build(other, &Budget::system()).unwrap();
    assert!(matches!(
        lower(&network, &Budget::system()),
        Err(LowerError::DependsOnMoves)
    ));
}
