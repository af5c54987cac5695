//! Stored plans are used when the game occurs again.

use budget::Budget;
use game::RoleId;
use gdl_parse::{ParseOptions, parse};
use gdl_scramble::{ScrambleOptions, scramble};
use players::{Plan, Plans, Setup, Spec};
use prepare::{EngineChoice, Options, prepare};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// A store of plans in memory, with the requested keys.
#[derive(Default)]
struct Kept {
    plans: Mutex<BTreeMap<u64, Plan>>,
    asked: Mutex<Vec<u64>>,
}

impl Plans for Kept {
    fn find(&self, form: u64) -> Option<Plan> {
        self.asked.lock().unwrap().push(form);
        self.plans.lock().unwrap().get(&form).cloned()
    }

    fn keep(&self, form: u64, plan: &Plan) {
        self.plans.lock().unwrap().insert(form, plan.clone());
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
    kept.keep(form, &found);
    let sheet = parse(&rules, &ParseOptions::default()).sheet;
    let options = ScrambleOptions {
        seed: 5,
        shuffle_rules: true,
        ..ScrambleOptions::default()
    };
    let other = scramble(&sheet, &options).to_wire();
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
    kept.keep(form, &found);
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
