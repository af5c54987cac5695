//! Building networks: small games, rejected games, and large and deep networks.

mod common;

use budget::{Budget, Exhausted, ManualClock, Stop};
use game::{Engine, GroundTerm, MoveId, RoleId, State};
use grounding::{AtomId, AtomKind, GroundGame, GroundLiteral, GroundRule};
use propnet::{BuildError, Network, PropnetEngine, Schedule, Statistics, passes};
use std::sync::Arc;
use std::time::Duration;

/// A builder for ground games, rule by rule.
#[derive(Default)]
struct Writer(GroundGame);

impl Writer {
    fn new(role: &str, facts: &[&str], moves: &[&str]) -> Self {
        let terms = |texts: &[&str]| texts.iter().map(|t| t.parse().expect("a term")).collect();
        Writer(GroundGame {
            roles: vec![GroundTerm::constant(role)],
            facts: terms(facts),
            moves: vec![terms(moves)],
            ..GroundGame::default()
        })
    }

    fn atom(&mut self, kind: AtomKind, name: &str) -> AtomId {
        self.0.atoms.push(kind);
        self.0.view_names.push(name.into());
        AtomId(self.0.atoms.len() as u32 - 1)
    }

    fn view(&mut self, name: &str) -> AtomId {
        self.atom(AtomKind::View, name)
    }

    fn rule(&mut self, head: AtomId, body: &[GroundLiteral]) {
        let mut body = body.to_vec();
        body.sort();
        self.0.rules.push(GroundRule {
            head,
            body: body.into(),
        });
    }
}

fn is(atom: AtomId) -> GroundLiteral {
    GroundLiteral {
        atom,
        negated: false,
    }
}

fn not(atom: AtomId) -> GroundLiteral {
    GroundLiteral {
        atom,
        negated: true,
    }
}

/// Two lamps, and a path through three rooms that is open while both are lit.
fn lamps() -> GroundGame {
    let mut game = Writer::new(
        "robot",
        &["(lit 1)", "(lit 2)"],
        &["(press 1)", "(press 2)"],
    );
    game.0.initial = vec![0];
    let lit: Vec<AtomId> = (0..2)
        .map(|fact| game.atom(AtomKind::True { fact }, ""))
        .collect();
    let reach: Vec<AtomId> = ["(reach a)", "(reach b)", "(reach c)"]
        .map(|v| game.view(v))
        .into();
    // The rules are recursive: b and c lead to each other while lamp 2 is lit.
    game.rule(reach[0], &[]);
    game.rule(reach[1], &[is(reach[0]), is(lit[0])]);
    game.rule(reach[1], &[is(reach[2]), is(lit[1])]);
    game.rule(reach[2], &[is(reach[1]), is(lit[1])]);
    for i in 0..2u32 {
        let legal = game.atom(AtomKind::Legal { role: 0, mv: i }, "");
        let does = game.atom(AtomKind::Does { role: 0, mv: i }, "");
        let next = game.atom(AtomKind::Next { fact: i }, "");
        let pressed = game.view(&format!("(pressed {i})"));
        game.rule(legal, &[]);
        game.rule(pressed, &[is(does)]);
        game.rule(next, &[is(lit[i as usize]), not(pressed)]);
        game.rule(next, &[not(lit[i as usize]), is(pressed)]);
    }
    let terminal = game.atom(AtomKind::Terminal, "");
    game.rule(terminal, &[is(reach[2])]);
    let goal = game.atom(
        AtomKind::Goal {
            role: 0,
            value: 100,
        },
        "",
    );
    game.rule(goal, &[is(reach[2])]);
    game.0
}

#[test]
fn statistics_before_and_after() {
    let budget = Budget::system();
    let mut network = Network::build(lamps(), &budget).expect("sound");
    let before = Statistics::new(&network, &budget).expect("no deadline");
    let report = passes::optimise(&mut network, &budget);
    let after = Statistics::new(&network, &budget).expect("no deadline");
    let report: Vec<String> = report.iter().map(ToString::to_string).collect();
    let text = format!("{before}\n\n{}\n\n{after}", report.join("\n"));
    insta::assert_snapshot!(text);
}

#[test]
fn picture() {
    let budget = Budget::system();
    let mut network = Network::build(lamps(), &budget).expect("sound");
    insta::assert_snapshot!("picture_as_built", network.dot().to_string());
    passes::optimise(&mut network, &budget);
    insta::assert_snapshot!("picture_optimised", network.dot().to_string());
}

#[test]
fn recursion_needs_support_from_outside() {
    let budget = Budget::system();
    let mut network = Network::build(lamps(), &budget).expect("sound");
    passes::optimise(&mut network, &budget);
    let mut engine = PropnetEngine::new(&network, &budget).expect("sound");
    let (start, mut both, mut second) = (engine.initial(), State::default(), State::default());
    assert_eq!(engine.terminal(&start), Ok(false));
    assert_eq!(engine.next(&start, &[MoveId(1)], &mut both), Ok(()));
    assert_eq!(engine.terminal(&both), Ok(true));
    assert_eq!(engine.goal(&both, RoleId(0)), Ok(Some(100)));
    // Without the first lamp, only b and c lead to each other.
    assert_eq!(engine.next(&both, &[MoveId(0)], &mut second), Ok(()));
    assert_eq!(engine.terminal(&second), Ok(false));
    assert_eq!(engine.goal(&second, RoleId(0)), Ok(None));
    let mut legal = Vec::new();
    assert_eq!(engine.legal(&second, RoleId(0), &mut legal), Ok(()));
    assert_eq!(legal, [MoveId(0), MoveId(1)]);
}

#[test]
fn negation_through_a_cycle_is_rejected() {
    let mut game = Writer::new("robot", &["f"], &["m"]);
    let views: Vec<AtomId> = ["(p a)", "(q a)", "(r a)"]
        .map(|name| game.view(name))
        .into();
    game.rule(views[0], &[not(views[1])]);
    game.rule(views[1], &[is(views[0])]);
    game.rule(views[2], &[is(views[0])]);
    let error = Network::build(game.0, &Budget::system()).expect_err("not stratified");
    insta::assert_snapshot!(
        error,
        @"the rules are not stratified, these depend on their own negation: (p a), (q a)"
    );
}

#[test]
fn legality_must_not_depend_on_moves() {
    let mut game = Writer::new("robot", &["f"], &["m"]);
    let does = game.atom(AtomKind::Does { role: 0, mv: 0 }, "");
    let legal = game.atom(AtomKind::Legal { role: 0, mv: 0 }, "");
    game.rule(legal, &[not(does)]);
    let network = Network::build(game.0, &Budget::system()).expect("a network");
    let error = PropnetEngine::new(&network, &Budget::system()).expect_err("not a game");
    insta::assert_snapshot!(error, @"(legal robot m) depends on the moves being made");
}

#[test]
fn positions_out_of_range_are_rejected() {
    let good = lamps();
    let broken: [fn(&mut GroundGame); 8] = [
        |game| game.initial.push(99),
        |game| game.atoms.push(AtomKind::Terminal),
        |game| game.atoms[0] = AtomKind::True { fact: 99 },
        |game| game.atoms[0] = AtomKind::Legal { role: 0, mv: 99 },
        |game| {
            game.atoms[0] = AtomKind::Goal {
                role: 0,
                value: 101,
            }
        },
        |game| game.rules[0].head = AtomId(99),
        |game| game.rules[0].head = AtomId(0),
        |game| game.moves.clear(),
    ];
    for breaks in broken {
        let mut game = good.clone();
        breaks(&mut game);
        let error = Network::build(game, &Budget::system()).expect_err("malformed");
        assert!(matches!(error, BuildError::Malformed(_)), "{error}");
    }
    let mut game = good;
    game.rules[1].body = [is(AtomId(99))].into();
    assert!(Network::build(game, &Budget::system()).is_err());
}

#[test]
fn exhausted_budgets_report_their_stage() {
    let stop = Stop::default();
    stop.stop();
    let stopped = Budget::system().with_stop(stop);
    let error = Network::build(lamps(), &stopped).expect_err("stopped");
    let stage = "network";
    assert_eq!(
        error,
        BuildError::Exhausted {
            stage,
            why: Exhausted::Stopped
        }
    );
    let error = Network::build(lamps(), &Budget::system().with_memory(100)).expect_err("large");
    assert_eq!(
        error,
        BuildError::Exhausted {
            stage,
            why: Exhausted::Memory
        }
    );

    let network = Network::build(lamps(), &Budget::system()).expect("sound");
    let late = Budget::unlimited(Arc::new(ManualClock::default())).with_timeout(Duration::ZERO);
    let error = PropnetEngine::new(&network, &late).expect_err("late");
    insta::assert_snapshot!(
        error,
        @"the network was given up at the stage 'schedule': the deadline passed"
    );
}

/// A chain of views from a fact to the terminal proposition. Each repeats or negates the
/// previous one.
fn chain(length: usize, negations: bool, ring: bool) -> GroundGame {
    let mut game = Writer::new("robot", &["f"], &["m"]);
    let fact = game.atom(AtomKind::True { fact: 0 }, "");
    let views: Vec<AtomId> = (0..length).map(|_| game.view("v")).collect();
    game.rule(views[0], &[is(fact)]);
    for pair in views.windows(2) {
        let before = if negations { not(pair[0]) } else { is(pair[0]) };
        game.rule(pair[1], &[before]);
        // The second condition keeps the gate from being only another name.
        game.rule(pair[1], &[before, is(fact)]);
    }
    if ring {
        game.rule(views[0], &[is(views[length - 1])]);
    }
    let terminal = game.atom(AtomKind::Terminal, "");
    game.rule(terminal, &[is(views[length - 1])]);
    game.0
}

#[test]
fn depth_does_not_overflow_the_stack() {
    const DEEP: usize = 100_000;
    let budget = Budget::system();
    for (negations, ring) in [(false, false), (true, false), (false, true)] {
        let mut network = Network::build(chain(DEEP, negations, ring), &budget).expect("sound");
        for optimised in [false, true] {
            if optimised {
                passes::optimise(&mut network, &budget);
            }
            let mut engine = PropnetEngine::new(&network, &budget).expect("sound");
            for holds in [false, true, false] {
                let state = State::from_words(vec![u64::from(holds)]);
                // The number of negations is odd. The additional conditions have no effect.
                assert_eq!(engine.terminal(&state), Ok(holds != negations));
            }
        }
    }
}

#[test]
fn a_schedule_keeps_cycles_together() {
    let budget = Budget::system();
    let network = Network::build(chain(5, false, true), &budget).expect("sound");
    let schedule = Schedule::new(&network, &budget).expect("no deadline");
    assert_eq!(schedule.order().len(), network.graph().node_count());
    assert_eq!(schedule.cycles().len(), 1);
    let cycle: Vec<_> = schedule.cycles().flatten().collect();
    // Five views: the first has an or-gate, each other one an or-gate and an and-gate.
    assert_eq!(cycle.len(), 5 + 2 * 4 + 1);
}
