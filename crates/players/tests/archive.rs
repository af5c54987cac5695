//! What is kept of a game is used when the game occurs again.

use budget::Budget;
use game::RoleId;
use gdl_parse::{ParseOptions, parse};
use gdl_scramble::{ScrambleOptions, scramble};
use players::{Archive, Learnt, Plan, Setup, Spec};
use prepare::{EngineChoice, Options, prepare};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// An archive in memory, with the requested keys.
#[derive(Default)]
struct Kept {
    plans: Mutex<BTreeMap<u64, Plan>>,
    learnt: Mutex<BTreeMap<u64, Learnt>>,
    asked: Mutex<Vec<u64>>,
}

impl Archive for Kept {
    fn plan(&self, game: u64) -> Option<Plan> {
        self.asked.lock().unwrap().push(game);
        self.plans.lock().unwrap().get(&game).cloned()
    }

    fn keep_plan(&self, game: u64, plan: &Plan) {
        self.plans.lock().unwrap().insert(game, plan.clone());
    }

    fn learnt(&self, game: u64) -> Option<Learnt> {
        self.learnt.lock().unwrap().get(&game).cloned()
    }

    fn keep_learnt(&self, game: u64, learnt: Learnt) {
        self.learnt.lock().unwrap().insert(game, learnt);
    }
}

/// The plan for a game that is solved at once, so that no clock is needed.
fn plan(rules: &str, spec: &str, kept: &Arc<Kept>) -> Plan {
    let options = Options {
        engine: EngineChoice::Scalar,
        ..Options::default()
    };
    let budget = Budget::system();
    let setup = Setup {
        playable: prepare(rules, &options, &budget).unwrap().playable,
        role: RoleId(0),
        seed: 1,
        threads: 1,
        memory: 64 << 20,
    };
    let spec: Spec = spec.parse().unwrap();
    let mut player = spec.build_with(Some(kept.clone()));
    player.start(setup, &budget).unwrap();
    player.plan().unwrap().clone()
}

fn rules() -> String {
    let path = testkit::root().join("fixtures/games/tic_tac_toe.gdl");
    std::fs::read_to_string(path).unwrap()
}

fn scrambled(rules: &str) -> String {
    let sheet = parse(rules, &ParseOptions::default()).sheet;
    let options = ScrambleOptions {
        seed: 5,
        shuffle_rules: true,
        shuffle_arguments: true,
        ..ScrambleOptions::default()
    };
    scramble(&sheet, &options).to_wire()
}

/// The decision of a stage and its reason.
fn stage(plan: &Plan, name: &str) -> String {
    let stage = plan.decisions.iter().find(|stage| stage.stage == name);
    stage.map_or("nothing".to_owned(), |stage| {
        format!("{}; {}", stage.decided, stage.why)
    })
}

#[test]
fn a_plan_is_used_for_the_same_game_under_other_names() {
    let (rules, kept) = (rules(), Arc::new(Kept::default()));
    // Whether lanes are faster depends on the machine, so they are off.
    let first = plan(&rules, "default:no-lanes", &kept);
    assert!(!first.tuned, "{first}");
    // A plan without tuned settings is not stored.
    assert!(kept.plans.lock().unwrap().is_empty());
    assert!(
        stage(&first, "recognise").contains("there is no plan"),
        "{first}"
    );

    let form = kept.asked.lock().unwrap()[0];
    let mut found = first.clone();
    found.settings.look_ahead = false;
    found.settings.exploration = 0.3;
    kept.keep_plan(form, &found);
    let other = scrambled(&rules);
    for rules in [&rules, &other] {
        let again = plan(rules, "default:no-lanes,tune=50", &kept);
        assert_eq!(again.settings, found.settings, "{again}");
        let said = stage(&again, "recognise");
        assert!(said.contains("exploration 0.30"), "{said}");
        assert_eq!(stage(&again, "tune"), "nothing");
    }
}

#[test]
fn plans_for_others_are_not_used() {
    let (rules, kept) = (rules(), Arc::new(Kept::default()));
    let mut found = plan(&rules, "default:no-lanes", &kept);
    found.settings.exploration = 0.3;
    let form = kept.asked.lock().unwrap()[0];
    kept.keep_plan(form, &found);
    let other = plan(&rules, "default:no-lanes,no-learning", &kept);
    assert_eq!(other.settings, other.given, "{other}");
    assert!(
        stage(&other, "recognise").contains("other players"),
        "{other}"
    );
    // Play that must repeat uses no plans.
    let asked = kept.asked.lock().unwrap().len();
    let other = plan(&rules, "default:playouts=50", &kept);
    assert_eq!(other.settings.exploration, 0.7);
    assert_eq!(kept.asked.lock().unwrap().len(), asked);
}

#[test]
fn what_was_learnt_is_learnt_on_from_under_other_names() {
    let (rules, kept) = (rules(), Arc::new(Kept::default()));
    let spec = "default:no-lanes,no-factors,mixed,learn-games=40";
    let games = |kept: &Kept| {
        let learnt = kept.learnt.lock().unwrap();
        learnt
            .values()
            .map(|learnt| learnt.games)
            .collect::<Vec<_>>()
    };
    let first = plan(&rules, spec, &kept);
    let before = games(&kept);
    assert!(before.len() == 1 && before[0] >= 40, "{first}");
    let again = plan(&scrambled(&rules), spec, &kept);
    let said = stage(&again, "learn");
    assert!(
        said.contains(&format!("after {} games", before[0])),
        "{said}"
    );
    let after = games(&kept);
    assert!(after.len() == 1 && after[0] >= before[0] + 40, "{after:?}");
    // Without knowledge nothing is learnt, and nothing is kept.
    let other = Arc::new(Kept::default());
    let spec: Spec = spec.parse().unwrap();
    plan(&rules, &spec.without_knowledge().to_string(), &other);
    assert!(games(&other).is_empty());
}
