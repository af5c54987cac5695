//! Learns a game from its rulesheet, and prints how fast: `learn FILE SECONDS`.

use analysis::boards::Boards;
use analysis::sums::proved_sum;
use budget::Budget;
use compile::Proved;
use features::Kinds;
use heuristics::Weights;
use selfplay::Config;
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
    let opposed = proved_sum(logic, &proved.groups, 1, &within(2.0)) == Some(100);
    let (kinds, config) = (Kinds::default(), Config::default());
    let made = prepare::learner_on(&proved, &boards, opposed, kinds, config, 1, &within(10.0))?;
    let (mut learner, found) = made;
    let (features, outputs) = (learner.features(), learner.value().outputs.count());
    println!(
        "{} variables, {} tuples, {} tables, {} entries, {} sets from {} states",
        found.variables.len(),
        features.data().tuples.len(),
        features.data().tables.len(),
        features.entries(),
        features.sets(),
        found.states
    );
    println!("{} MiB of weights", Weights::bytes(features, outputs) >> 20);
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
