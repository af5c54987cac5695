//! What it gains to write goals that count as adders and comparisons: `goals [FILE ...]`, for the
//! fixtures if no rulesheets are given.
//!
//! Random playouts in lanes, of each kind for a while in turns; medians of processor time where the
//! system tells it. Decided: the game that ends as soon as its results are fixed, with its length
//! before and then. Games for which nothing changes are left out.

use analysis::Evidence;
use analysis::goals::{Decided, Goals};
use bitcode::{Code, Evaluator, Interpreter};
use budget::Budget;
use datalog::Program;
use game::{Start, Tally};
use lanes::LanePlayouts;
use native::Native;
use prepare::{Proofs, Settings, Simulator, lanes_at_once};
use std::path::PathBuf;
use std::time::{Duration, Instant};

const ROUNDS: usize = 5;
const SLICE: Duration = Duration::from_millis(600);

fn main() {
    let mut files: Vec<PathBuf> = std::env::args().skip(1).map(PathBuf::from).collect();
    if files.is_empty() {
        files = testkit::fixtures();
    }
    println!(
        "{:28} {:>12} {:>12} {:>6} {:>12} {:>6}  playouts a second",
        "game", "as written", "emulated", "ratio", "decided", "ratio"
    );
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        measure(&name, &std::fs::read_to_string(&file).unwrap_or_default());
    }
}

fn simulator(source: &str, emulate_goals: bool) -> Option<Simulator> {
    let settings = Settings {
        seed: 1,
        emulate_goals,
        ..Settings::default()
    };
    let budget = Budget::system().with_timeout(Duration::from_secs(60));
    let (_, upgrade) = lanes_at_once(source, &settings, &budget).ok()?;
    Some(upgrade.make(&budget))
}

/// Lanes on the game that ends as soon as its results are fixed, and how sure that is.
fn decided(source: &str) -> Option<(Simulator, Evidence)> {
    let budget = Budget::system().with_timeout(Duration::from_secs(60));
    let program = Program::from_sheet(&gdl_parse::parse(source, &Default::default()).sheet);
    let network = prepare::build_network(&program, &budget).ok()?.network;
    let logic = netlist::lower(&network, &budget).ok()?;
    let proofs = Proofs::find(&logic, 1, &budget);
    let few = budget.clone().with_timeout(Duration::from_secs(2));
    let goals = Goals::of_results(&logic, &proofs.groups, &few);
    let decided = Decided::find(&logic, &proofs.groups, &goals, 1, &few)?;
    let emulated = prepare::emulated(&logic, &proofs, &budget);
    let logic = emulated.map_or(logic, |emulated| emulated.logic);
    let ended = decided.ended(&logic)?;
    let (phased, _) = prepare::shrunk(&ended, &proofs, &budget);
    let native = |code: &Code| -> Box<dyn Evaluator<4>> {
        match Native::compile(code, 64 << 20, &budget) {
            Ok(native) => Box::new(native),
            Err(_) => Box::new(Interpreter::new(code)),
        }
    };
    let playouts = LanePlayouts::<4>::new(&phased, &proofs.choices(), native, 1, 1000);
    let mut made = simulator(source, true)?;
    made.playouts = Box::new(playouts);
    Some((made, decided.evidence))
}

fn measure(name: &str, source: &str) {
    let Some(emulated) = simulator(source, true) else {
        return;
    };
    let stages = emulated.report.stages.iter();
    let goals = stages.rev().find(|stage| stage.name == "goals");
    let goals = goals.map(|goals| format!("{} in {:.1?}", goals.outcome, goals.time));
    let decided = decided(source);
    if goals.is_none() && decided.is_none() {
        return;
    }
    let evidence = decided.as_ref().map(|(_, evidence)| *evidence);
    let Some(written) = simulator(source, false) else {
        return;
    };
    let mut kinds = vec![written, emulated];
    kinds.extend(decided.map(|(simulator, _)| simulator));
    let mut rates = vec![Vec::new(); kinds.len()];
    let mut tallies: Vec<Tally> = (kinds.iter())
        .map(|kind| Tally::new(kind.roles.len()))
        .collect();
    for _ in 0..ROUNDS {
        for ((kind, rates), tally) in kinds.iter_mut().zip(&mut rates).zip(&mut tallies) {
            rates.push(playouts(kind, tally));
        }
    }
    let rates = rates.into_iter().map(|mut rates| {
        rates.sort_by(f64::total_cmp);
        rates[rates.len() / 2]
    });
    let rates: Vec<f64> = rates.collect();
    print!("{name:28} {:>12.0}", rates[0]);
    for rate in &rates[1..] {
        print!(" {rate:>12.0} {:>6.2}", rate / rates[0]);
    }
    let lengths = tallies
        .iter()
        .map(|t| t.steps as f64 / t.finished.max(1) as f64);
    let means = tallies
        .iter()
        .map(|t| t.goals[0] as f64 / t.finished.max(1) as f64);
    println!(
        "  {}; steps {:.1?}, means {:.2?}, {evidence:?}",
        goals.unwrap_or_default(),
        lengths.collect::<Vec<f64>>(),
        means.collect::<Vec<f64>>()
    );
}

/// Playouts a second; they are added to the tally.
fn playouts(simulator: &mut Simulator, all: &mut Tally) -> f64 {
    let start = Start {
        state: &simulator.initial,
        playouts: 20_000,
    };
    let (mut tallies, before) = (Vec::new(), all.finished);
    let (begun, busy) = (Instant::now(), processor());
    while begun.elapsed() < SLICE {
        let run = simulator.playouts.run(
            std::slice::from_ref(&start),
            &mut tallies,
            &Budget::system(),
        );
        run.expect("no deadline");
        all.finished += tallies[0].finished;
        all.steps += tallies[0].steps;
        all.goals[0] += tallies[0].goals[0];
    }
    let seconds = match (busy, processor()) {
        (Some(before), Some(after)) => (after - before) as f64 / 1e9,
        _ => begun.elapsed().as_secs_f64(),
    };
    (all.finished - before) as f64 / seconds
}

/// Nanoseconds that this thread was on a processor.
fn processor() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok()
}
