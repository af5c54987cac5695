//! Tests of the format, of proofs and refutations, of players in positions, and of the
//! fixtures.

use crate::{Attempt, Conditions, Miner, Moves, Place, Position, Refuted, Scene, SceneError};
use crate::{Settings, Sheet, attempt, prove};
use budget::Budget;
use game::{Engine, GroundTerm, MoveId, State};
use players::{BestMove, Player, PlayerError, Setup};
use prepare::{EngineChoice, Options, prepare};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::time::Duration;

/// A fixture on the reasoner, which is independent of the propositional networks that players
/// use.
fn reasoner(game: &str) -> Box<dyn Engine> {
    let path = testkit::root().join(format!("fixtures/games/{game}.gdl"));
    let text = std::fs::read_to_string(path).unwrap();
    let options = Options {
        engine: EngineChoice::Reasoner,
        ..Options::default()
    };
    prepare(&text, &options, &Budget::system())
        .unwrap()
        .playable
        .engine
}

fn term() -> impl Strategy<Value = GroundTerm> {
    let constant = "[a-z][a-z0-9_]{0,8}".prop_map(|name| GroundTerm::constant(&name));
    constant.prop_recursive(2, 8, 4, |inner| {
        ("[a-z]{1,6}", prop::collection::vec(inner, 1..4))
            .prop_map(|(name, args)| GroundTerm::Compound(name.as_str().into(), args))
    })
}

fn position() -> impl Strategy<Value = Position> {
    let terms = || prop::collection::vec(term(), 1..40);
    let words = prop::collection::vec("[a-z]{1,12},?", 0..30);
    let numbers = (1u8..=100, 1u64..1_000_000);
    let options = (
        prop::option::of(1u32..99),
        prop::option::of(1u64..9999),
        prop::option::of(1u32..60),
    );
    (
        words,
        terms(),
        terms(),
        any::<(bool, bool)>(),
        numbers,
        options,
    )
        .prop_map(
            |(words, place, moves, (play, best), (forces, states), (within, playouts, seconds))| {
                Position {
                    name: "p".into(),
                    about: words.join(" "),
                    class: "win-in-2".into(),
                    role: GroundTerm::constant("white"),
                    place: match play {
                        true => Place::Play(place),
                        false => Place::State(place),
                    },
                    moves: match best {
                        true => Moves::Best(moves),
                        false => Moves::Avoid(moves),
                    },
                    forces,
                    within,
                    states,
                    playouts,
                    seconds,
                }
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn printed_sheets_parse_back(mut positions in prop::collection::vec(position(), 0..4)) {
        for (number, position) in positions.iter_mut().enumerate() {
            position.name = format!("p{number}");
        }
        let sheet = Sheet { game: "some_game".into(), positions };
        let text = sheet.to_string();
        prop_assert!(text.lines().all(|line| line.chars().count() <= 120));
        prop_assert_eq!(Sheet::parse(&text).unwrap(), sheet);
    }

    #[test]
    fn the_parser_never_panics(text in "[()a-z0-9 ;\n]{0,80}") {
        let _ = Sheet::parse(&text);
        let _ = Sheet::parse(&format!("(game g) (position p {text})"));
    }
}

#[test]
fn errors_contain_the_position() {
    let full = "(class c) (role r) (play) (best a) (forces 100) (states 9)";
    for (text, message) in [
        (String::new(), "line 1 column 1: expected (game NAME)"),
        (
            "(position p)".into(),
            "line 1 column 1: expected (game NAME)",
        ),
        (
            "(game g)\n  (positon p)".into(),
            "line 2 column 3: expected (position NAME ...)",
        ),
        (
            "(game g)\n(position p (class c))".into(),
            "line 2 column 1: p has no (role ...)",
        ),
        (
            format!("(game g)\n(position p {full} (class d))"),
            "line 2 column 72: the position already says that",
        ),
        (
            "(game g) (position p\n (forces much))".into(),
            "line 2 column 2: expected (forces N), N a number",
        ),
        (
            "(game g) (position p\n (forces 101))".into(),
            "line 2 column 2: a goal value is from 1 to 100",
        ),
        (
            "(game g) (position p\n (moves a))".into(),
            "line 2 column 2: a position has no (moves ...)",
        ),
        (
            "(game g) (position p (best (a) ((b))))".into(),
            "line 1 column 32: a term must begin with a name, not with a list",
        ),
        (
            format!("(game g) (position p {full})\n(position p {full})"),
            "line 2 column 1: a second position is called p",
        ),
    ] {
        assert_eq!(
            Sheet::parse(&text).unwrap_err().to_string(),
            message,
            "{text}"
        );
    }
    let unclosed = Sheet::parse("(game g)\n(position p").unwrap_err();
    assert_eq!(unclosed.at.line, 2);
}

/// A position of tic-tac-toe.
fn marks(text: &str) -> Position {
    let common = "(class c) (states 100000)";
    let text = format!("(game tic_tac_toe) (position p {common} {text})");
    Sheet::parse(&text).unwrap().positions.remove(0)
}

/// Cross has opposite corners and nought the centre: only the sides save nought.
const CORNERS: &str = "(role nought) (play (mark 1 1) (mark 2 2) (mark 3 3)) (forces 50)";

#[test]
fn claims_are_proved_or_refuted() {
    let mut engine = reasoner("tic_tac_toe");
    let budget = Budget::system();
    let mut outcome = |text: String| prove(&mut *engine, &marks(&text), &budget);
    let proof = outcome(format!("{CORNERS} (avoid (mark 1 3) (mark 3 1))")).unwrap();
    assert_eq!((proof.moves, proof.refuted), (6, 2));

    let error = outcome(format!("{CORNERS} (avoid (mark 1 3))")).unwrap_err();
    let message = "said to be right, but (mark 3 1) does not force 50";
    assert_eq!(error.to_string(), message);

    let error = outcome(format!("{CORNERS} (best (mark 1 2))")).unwrap_err();
    assert!(matches!(error, Refuted::NotMissed { moves, .. } if moves.len() == 3));

    let avoid = "(avoid (mark 1 3) (mark 3 1))";
    let error = outcome(format!("{CORNERS} {avoid} (within 1)")).unwrap_err();
    assert!(matches!(error, Refuted::TooSlow { within: 1, .. }));

    let mut position = marks(&format!("{CORNERS} {avoid}"));
    position.states = 10;
    let error = prove(&mut *engine, &position, &budget).unwrap_err();
    assert!(matches!(error, Refuted::Open { .. }));
}

#[test]
fn a_state_may_be_given_by_its_facts() {
    let mut engine = reasoner("tic_tac_toe");
    let played = marks(&format!("{CORNERS} (best (mark 1 2))"));
    let state = Scene::new(&mut *engine, &played).unwrap().state;
    let facts = engine.facts(&state);
    let given = Position {
        place: Place::State(facts),
        ..played
    };
    assert_eq!(Scene::new(&mut *engine, &given).unwrap().state, state);
}

#[test]
fn invalid_positions_are_rejected() {
    let mut engine = reasoner("tic_tac_toe");
    let mut error = |text: &str| {
        let position = marks(&format!("(forces 50) {text}"));
        Scene::new(&mut *engine, &position).unwrap_err()
    };
    let row = "(mark 1 1) (mark 2 1) (mark 1 2) (mark 2 2) (mark 1 3)";
    assert!(matches!(
        error("(role red) (play) (best a)"),
        SceneError::Role(_)
    ));
    assert!(matches!(
        error("(role cross) (play (mark 1 1) (mark 1 1)) (best a)"),
        SceneError::Play { number: 2, .. }
    ));
    assert!(matches!(
        error(&format!("(role nought) (play {row} (mark 3 3)) (best a)")),
        SceneError::Ended(5)
    ));
    assert!(matches!(
        error("(role cross) (play) (best (mark 4 4))"),
        SceneError::Illegal(_)
    ));
    assert_eq!(
        error("(role nought) (play) (best noop)"),
        SceneError::NoQuestion
    );
    let mut engine = reasoner("rock_paper_scissors_repeated");
    let role = engine.roles()[0].clone();
    let mut moves = Vec::new();
    let state = engine.initial();
    engine.legal(&state, game::RoleId(0), &mut moves).unwrap();
    let half = Position {
        role,
        place: Place::Play(vec![engine.move_term(game::RoleId(0), moves[0])]),
        ..marks("(role x) (play) (best a) (forces 1)")
    };
    let error = Scene::new(&mut *engine, &half).unwrap_err();
    assert!(matches!(error, SceneError::Unfinished(_)));
}

/// Lets a player choose where only the sides are right.
fn at_the_corners(player: &mut dyn Player) -> (Attempt, Scene) {
    let mut engine = reasoner("tic_tac_toe");
    let position = marks(&format!("{CORNERS} (avoid (mark 1 3) (mark 3 1))"));
    let scene = Scene::new(&mut *engine, &position).unwrap();
    let conditions = Conditions {
        start_clock: Duration::ZERO,
        play_clock: Duration::from_millis(200),
        seed: 1,
        threads: 1,
        memory: 1 << 24,
    };
    let tried = attempt(
        &engine.into(),
        &scene,
        player,
        &conditions,
        &Budget::system(),
    );
    (tried, scene)
}

#[test]
fn a_search_finds_a_side() {
    let spec: players::Spec = "baseline:playouts=20000".parse().unwrap();
    let (tried, scene) = at_the_corners(&mut *spec.build());
    assert!(tried.solved && scene.right.contains(&tried.chosen.unwrap()));
    assert!(tried.solved_after.unwrap() <= tried.took);
    assert!(tried.note.is_some());
}

/// Publishes one move and then answers with another, or fails.
struct Puppet {
    published: Option<MoveId>,
    answer: Option<MoveId>,
}

impl Player for Puppet {
    fn name(&self) -> &str {
        "puppet"
    }

    fn start(&mut self, _: Setup, _: &Budget) -> Result<(), PlayerError> {
        Ok(())
    }

    fn choose(&mut self, _: &State, best: &BestMove, _: &Budget) -> Result<MoveId, PlayerError> {
        if let Some(mv) = self.published {
            best.publish(mv);
        }
        std::thread::sleep(Duration::from_millis(30));
        if let Some(mv) = self.answer {
            best.publish(mv);
        }
        std::thread::sleep(Duration::from_millis(30));
        self.answer.ok_or(PlayerError::NotStarted)
    }
}

#[test]
fn the_last_change_to_a_right_move_is_the_solution_time() {
    let (_, scene) = at_the_corners(&mut players::Legal::default());
    let (right, wrong) = (scene.right[0], scene.wrong[0]);
    let puppet = |published, answer| Puppet { published, answer };
    let (early, _) = at_the_corners(&mut puppet(Some(right), Some(right)));
    assert!(early.solved && early.solved_after.unwrap() < Duration::from_millis(30));
    let (late, _) = at_the_corners(&mut puppet(Some(wrong), Some(right)));
    assert!(late.solved && late.solved_after.unwrap() >= Duration::from_millis(30));
    let (lost, _) = at_the_corners(&mut puppet(Some(right), Some(wrong)));
    assert!(!lost.solved && lost.solved_after.is_none());
    let (none, _) = at_the_corners(&mut puppet(Some(right), None));
    assert_eq!((none.chosen, none.solved), (None, false));
    assert_eq!(none.note.as_deref(), Some("the match was not started"));
}

#[test]
fn mined_positions_can_be_proved() {
    let settings = Settings {
        states: 20_000,
        ..Settings::default()
    };
    let mut miner = Miner::new(reasoner("tic_tac_toe"), settings);
    let mut engine = reasoner("tic_tac_toe");
    let mut found = 0;
    for _ in 0..3 {
        for candidate in miner.game(&Budget::system()).unwrap() {
            let proof = prove(&mut *engine, &candidate.position, &Budget::system()).unwrap();
            assert_eq!(
                (proof.moves, proof.fastest),
                (candidate.moves, candidate.fastest)
            );
            found += 1;
        }
    }
    assert!(found > 0, "nothing found");
}

/// The sheets of the fixtures.
fn fixtures() -> Vec<Sheet> {
    let paths = testkit::files(&testkit::root().join("fixtures/positions"), "positions");
    let read = |path: &std::path::PathBuf| {
        let sheet = Sheet::parse(&std::fs::read_to_string(path).unwrap());
        let sheet = sheet.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(path.file_stem().unwrap(), &*sheet.game);
        sheet
    };
    paths.iter().map(read).collect()
}

/// The limit of states for this test. `cargo xtask tactics --prove` checks larger proofs.
const QUICK: u64 = 2_000;

#[test]
fn the_fixtures_are_valid_and_the_easy_ones_are_proved() {
    let (mut positions, mut proved) = (0, 0);
    let mut classes = BTreeSet::new();
    for sheet in fixtures() {
        let mut engine = reasoner(&sheet.game);
        for position in &sheet.positions {
            let name = format!("{}/{}", sheet.game, position.name);
            let scene = Scene::new(&mut *engine, position);
            scene.unwrap_or_else(|error| panic!("{name}: {error}"));
            positions += 1;
            classes.insert(position.class.clone());
            if position.states > QUICK {
                continue;
            }
            let proof = prove(&mut *engine, position, &Budget::system());
            proof.unwrap_or_else(|error| panic!("{name}: {error}"));
            if position.class.starts_with("win-in-") {
                let mut other = position.clone();
                other.class = "win-in-9".into();
                let refuted = prove(&mut *engine, &other, &Budget::system());
                assert!(matches!(refuted, Err(Refuted::Misnamed { .. })), "{name}");
            }
            proved += 1;
        }
    }
    assert!(
        positions >= 60 && classes.len() >= 8,
        "{positions} {classes:?}"
    );
    assert!(proved >= 15, "{proved}");
}
