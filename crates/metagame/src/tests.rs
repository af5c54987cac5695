//! Races repeat, and tuning happens only where it should.

use crate::{
    Contestant, Effort, NoRace, Plan, Race, Searches, Settings, Stage, StartClock, VERSION, race,
    tune,
};
use budget::{Budget, ManualClock};
use game::{Engine, RoleId, ScalarPlayouts};
use mcts::{Config, Limits, Search};
use std::sync::Arc;
use std::time::Duration;
use testkit::toys::{Matrix, TakeAway};

struct Plain(Box<dyn Engine>);

impl Searches for Plain {
    fn engine(&mut self) -> &mut dyn Engine {
        &mut *self.0
    }

    fn search(&mut self, settings: &Settings, role: RoleId, seed: u64) -> Search {
        let playouts = Box::new(ScalarPlayouts::new(self.0.fork(), seed, 1000));
        let mut config = Config::default();
        settings.apply(&mut config);
        // Settings do not affect proofs.
        config.solve = false;
        let search = Search::builder(self.0.fork(), playouts).role(role);
        search.seed(seed).memory(4 << 20).config(config).build()
    }
}

fn settings() -> Settings {
    Settings {
        exploration: 0.7,
        learning: 10.0,
        look_ahead: true,
        lanes: true,
        decisive: true,
        per_leaf: 8,
        leaves: 32,
    }
}

fn sensible() -> Settings {
    Settings {
        look_ahead: false,
        learning: 0.0,
        lanes: false,
        ..settings()
    }
}

/// Settings that try all moves nearly equally often, whatever their results.
fn hopeless() -> Settings {
    Settings {
        exploration: 8.0,
        ..sensible()
    }
}

fn raced(first: &Settings, others: &[Settings], seed: u64) -> Race {
    let effort = Effort {
        trial: Duration::from_secs(1),
        limits: Limits {
            playouts: 200,
            ..Limits::default()
        },
        positions: 1000,
    };
    // The clock stands still.
    let budget = Budget::unlimited(Arc::new(ManualClock::default()));
    let mut searches = Plain(Box::new(TakeAway::new(2, 15, 4)));
    race(first, others, &mut searches, effort, seed, &budget).expect("a race")
}

#[test]
fn the_better_settings_win() {
    let race = raced(&hopeless(), &[hopeless(), sensible()], 1);
    let winner = race.winner().unwrap_or_else(|| panic!("{race:?}"));
    assert_eq!(winner.settings, sensible(), "{race:?}");
}

#[test]
fn the_worse_ones_drop_out_and_never_win() {
    let race = raced(&sensible(), &[hopeless()], 2);
    assert_eq!(race.winner(), None, "{race:?}");
    assert!(!race.contestants[0].running, "{race:?}");
    assert!(race.positions < 1000);
}

#[test]
fn a_race_repeats() {
    let all = [sensible(), settings()];
    assert_eq!(raced(&hopeless(), &all, 3), raced(&hopeless(), &all, 3));
}

#[test]
fn few_positions_prove_nothing() {
    let contestant = |gains: &[f64]| Contestant {
        settings: settings(),
        gains: gains.to_vec(),
        running: true,
    };
    let race = |gains: &[f64]| Race {
        contestants: vec![contestant(gains)],
        positions: 99,
        disputed: gains.len(),
        trial: Duration::ZERO,
    };
    assert_eq!(race(&[90.0; 9]).winner(), None);
    assert!(race(&[90.0; 12]).winner().is_some());
    assert_eq!(race(&[1.0; 10]).winner(), None);
    let mixed: Vec<f64> = (0..40)
        .map(|n| if n % 3 == 0 { -30.0 } else { 20.0 })
        .collect();
    assert_eq!(race(&mixed).winner(), None);
    assert_eq!(race(&[]).winner(), None);
}

#[test]
fn nothing_is_tuned_without_time_or_where_no_move_is_best() {
    let clock = Arc::new(ManualClock::default());
    let unlimited = Budget::unlimited(clock);
    let short = unlimited.clone().with_timeout(Duration::from_secs(1));
    let long = unlimited.clone().with_timeout(Duration::from_secs(60));
    let mut shown = Vec::new();
    let mut tuned = |engine: Box<dyn Engine>, budget: &Budget| {
        let mut clock = StartClock::new(budget);
        let (found, raced) = tune(&settings(), &mut Plain(engine), 33, 1, &mut clock);
        assert_eq!((found, raced), (settings(), false));
        shown.extend(clock.into_decisions().iter().map(ToString::to_string));
    };
    let turns = || Box::new(TakeAway::new(2, 9, 3));
    tuned(turns(), &unlimited);
    tuned(turns(), &short);
    tuned(Box::new(Matrix::new(2, 3, 2, |_, _| Some(50))), &long);
    insta::assert_snapshot!(shown.join("\n"));
}

#[test]
fn simultaneous_games_are_refused() {
    let budget = Budget::unlimited(Arc::new(ManualClock::default()));
    let effort = Effort::within(&budget, 1);
    let mut searches = Plain(Box::new(Matrix::new(2, 3, 2, |_, _| Some(50))));
    let race = race(
        &settings(),
        &[sensible()],
        &mut searches,
        effort,
        1,
        &budget,
    );
    assert_eq!(race, Err(NoRace::AtOnce));
}

#[test]
fn others_differ_in_one_thing_each() {
    let lines = settings().others();
    let mut lines: Vec<String> = lines
        .iter()
        .map(|other| other.unlike(&settings()))
        .collect();
    lines.push(settings().unlike(&settings()));
    lines.push(settings().to_string());
    lines.push(sensible().to_string());
    insta::assert_snapshot!(lines.join("\n"));
    // What was switched off is not switched on.
    for other in sensible().others() {
        assert!(!other.lanes && !other.look_ahead && other.learning == 0.0);
    }
}

#[test]
fn plans_are_read_as_they_are_written() {
    let mut clock = StartClock::new(&Budget::unlimited(Arc::new(ManualClock::default())));
    clock.decide(Stage::Sum, "results add up to 100", "");
    clock.measured(
        Stage::Tune,
        "nothing is changed",
        "it is short",
        [("positions", 3.0)],
    );
    let plan = Plan {
        version: VERSION,
        given: settings(),
        settings: sensible(),
        tuned: true,
        decisions: clock.into_decisions(),
    };
    let text = serde_json::to_string_pretty(&plan).unwrap();
    assert_eq!(serde_json::from_str::<Plan>(&text).unwrap(), plan);
    insta::assert_snapshot!(format!("{text}\n\n{plan}"));
    let unknown = text.replace("\"tuned\"", "\"turned\"");
    assert!(serde_json::from_str::<Plan>(&unknown).is_err());
}
