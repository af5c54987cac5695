//! Learns a game from its rulesheet, and prints how fast: `learn FILE SECONDS`.

use analysis::boards::Boards;
use budget::Budget;
use compile::Proved;
use features::{Found, Kinds};
use heuristics::{Features, Weights};
use selfplay::{Config, Learner, Outputs};
use std::sync::Arc;
use std::time::Duration;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, file, seconds] = &arguments[..] else {
        return Err("usage: learn FILE SECONDS".into());
    };
    let budget = Budget::system();
    let within = |seconds: f64| {
        budget
            .clone()
            .with_timeout(Duration::from_secs_f64(seconds))
    };
    let compiled = compile::compile(&std::fs::read_to_string(file)?, &budget)?;
    let proved = Proved::find(compiled.into(), 1, &within(5.0));
    let logic = &proved.compiled.logic;
    let boards = Boards::find(logic, &proved.groups, 1, &within(2.0));
    let phases = &proved.compiled.phased.phases;
    let groups = &proved.groups;
    let found = Found::find(
        logic,
        phases,
        groups,
        &boards,
        Kinds::default(),
        1,
        &within(3.0),
    );
    let features = Arc::new(Features::new(found.set.clone()));
    println!(
        "{} variables, {} tuples, {} entries, {} sets from {} states",
        found.variables.len(),
        features.data().tuples.len(),
        features.entries(),
        features.data().sets.len(),
        found.states
    );
    println!("{} MiB of weights", Weights::bytes(&features, 1) >> 20);
    let expander = prepare::expander(&proved, &within(5.0));
    let mut initial = vec![0; logic.facts.len().div_ceil(64)];
    for &fact in &logic.words.initial {
        initial[fact as usize / 64] |= 1 << (fact % 64);
    }
    let initial = game::State::from_words(initial);
    let outputs = Outputs::new(logic.roles(), true);
    let mut learner = Learner::new(expander, initial, features, outputs, 1, Config::default());
    let total: f64 = seconds.parse()?;
    for part in 1..=5 {
        let budget = within(total / 5.0);
        let progress = learner.learn(u64::MAX, &budget)?;
        let spent = total * f64::from(part) / 5.0;
        println!(
            "{spent:.1} s: {:.0} games/s, {:.0} examples/s, {:.2} million successors/s, {progress:?}",
            progress.games as f64 / spent,
            progress.examples as f64 / spent,
            progress.successors as f64 / spent / 1e6,
        );
    }
    Ok(())
}
