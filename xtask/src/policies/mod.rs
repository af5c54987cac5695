//! `cargo xtask policies`: what playout policies cost, and what they are worth.
//!
//! Lanes with and without a policy take turns, and states per second are told relative to uniform
//! play in the same round. What a policy is worth shows in a role's mean result when it plays by the
//! policy and the others uniformly, and in how often uniform playouts miss what the policy takes.

mod missed;

use crate::games::{self, Game};
use crate::machine::Machine;
use crate::statistics::median;
use crate::stopwatch::{Stopwatch, Time};
use anyhow::{Context, ensure};
use bitcode::{Code, Evaluator, Interpreter};
use budget::Budget;
use game::{Playouts, Start, State, Tally};
use lanes::{Avoid, Choice, Declined, Figures, Guide, Guided, LanePlayouts, Policy, Unwanted};
use native::Native;
use netlist::{GameLogic, Gate, Lit, Netlist, Phased, Source};
use std::path::PathBuf;
use std::time::Duration;

/// Words of a plane: 64 lanes each.
const W: usize = 4;
/// The most machine code for one program.
const CODE_BYTES: usize = 64 << 20;
/// The most steps of a playout.
const MAX_STEPS: u64 = 1000;
/// How many lists a guided role has. Few would be a policy of their own: who goes by them prefers the
/// moves that happen to come first.
const LISTS: usize = 256;

#[derive(clap::Args)]
pub struct Options {
    /// Folders of rulesheets, NAME.gdl or NAME.kif [default: fixtures and corpus]
    #[arg(long, value_name = "DIR")]
    games: Vec<PathBuf>,
    /// Only these games, by name
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Which role plays by the policy, as a position in the rules
    #[arg(long, value_name = "N", default_value_t = 0)]
    role: usize,
    /// Turns that each policy has, of which the medians are quoted
    #[arg(long, value_name = "N", default_value_t = 21)]
    rounds: usize,
    /// Seconds of a turn
    #[arg(long, value_name = "SECONDS", default_value_t = 0.05)]
    seconds: f64,
    /// Playouts in which missed wins are counted
    #[arg(long, value_name = "N", default_value_t = 200)]
    counted: usize,
    /// What counts as time
    #[arg(long, value_enum, default_value_t)]
    time: Time,
    /// Seconds in which a game and each policy must be built
    #[arg(long, value_name = "SECONDS", default_value_t = 20.0)]
    timeout: f64,
}

/// Prints the table.
///
/// # Errors
/// If there is no such game, or a rulesheet cannot be read or played.
pub fn run(options: &Options) -> anyhow::Result<bool> {
    let mut games = games::all(&options.games);
    games.retain(|game| options.only.is_empty() || options.only.iter().any(|name| game.is(name)));
    ensure!(!games.is_empty(), "no game is called that");
    ensure!(options.seconds > 0.0, "in no time nothing is played");
    println!("{}; {}", Machine::here(), options.time.describe());
    println!(
        "{:28} {:12} {:>6} {:>6} {:>6} {:>8} {:>6} {:>7} {:>7}",
        "game", "policy", "moves", "gates", "states", "playouts", "length", "result", "missed"
    );
    for game in &games {
        if let Err(error) = measure(game, options) {
            println!("{:28} {error:#}", game.name);
        }
    }
    Ok(true)
}

/// A policy, as the table calls it.
struct Contender {
    name: &'static str,
    playouts: LanePlayouts<W>,
    tally: Tally,
    /// States and playouts per second in each round.
    states: Vec<f64>,
    ended: Vec<f64>,
}

/// Prints the rows of a game.
fn measure(game: &Game, options: &Options) -> anyhow::Result<()> {
    let text = std::fs::read_to_string(&game.path)
        .with_context(|| format!("cannot read {}", game.path.display()))?;
    let timeout = Duration::from_secs_f64(options.timeout);
    let budget = || Budget::system().with_timeout(timeout);
    let sheet = gdl_parse::parse(&text, &gdl_parse::ParseOptions::default()).sheet;
    let program = datalog::Program::from_sheet(&sheet);
    let network = prepare::build_network(&program, &budget())?.network;
    let logic = netlist::lower(&network, &budget())?;
    ensure!(options.role < logic.roles(), "there is no such role");
    let proofs = prepare::Proofs::find(&logic, 1, &budget());
    let (phased, _) = prepare::shrunk(&logic, &proofs, &budget());
    let choices = proofs.choices();
    let missed = missed::share(&text, options.role, options.counted, &budget())?;
    let mut contenders = Vec::new();
    for (name, policy, guide) in policies(&logic, options.role) {
        let build = budget();
        let playouts = lanes(&phased, &choices, &policy, guide.as_ref(), &build);
        contenders.push(Contender {
            name,
            playouts,
            tally: Tally::new(logic.roles()),
            states: Vec::new(),
            ended: Vec::new(),
        });
    }
    let initial = initial(&logic);
    for round in 0..options.rounds.max(1) {
        for at in 0..contenders.len() {
            // Nobody always comes after the same one.
            let at = (at + round) % contenders.len();
            turn(&mut contenders[at], &initial, options)?;
        }
    }
    for contender in &contenders {
        let missed = (contender.name == "uniform").then_some(missed).flatten();
        row(game, contender, &contenders[0], options.role, missed);
    }
    Ok(())
}

/// The policies that are measured, uniform play first.
fn policies(logic: &GameLogic, role: usize) -> Vec<(&'static str, Policy, Option<Guide>)> {
    let uniform = Policy::default();
    let decisive = Policy {
        decisive: vec![role],
        ..Policy::default()
    };
    let all = Policy {
        decisive: (0..logic.roles()).collect(),
        ..Policy::default()
    };
    let guided = |mixed| Policy {
        guided: vec![Guided { role, mixed }],
        ..Policy::default()
    };
    let weights = vec![1.0; logic.does[role].len()];
    let lists = Guide::luce(&weights, LISTS, 1);
    let half = Guide {
        follow: 0.5,
        ..lists.clone()
    };
    let mut policies = vec![("uniform", uniform, None), ("decisive", decisive, None)];
    if logic.roles() > 1 {
        let careful = Policy {
            anti_decisive: all.decisive.clone(),
            ..all.clone()
        };
        let safe = Policy {
            careful: all.decisive.clone(),
            ..careful.clone()
        };
        policies.push(("all decisive", all, None));
        policies.push(("and anti-d.", careful, None));
        policies.push(("and careful", safe, None));
    }
    if let Some(avoid) = losing(logic, role) {
        let avoid = Policy {
            avoid: vec![avoid],
            ..Policy::default()
        };
        policies.push(("no loss", avoid, None));
    }
    policies.push(("lists", guided(false), Some(lists)));
    policies.push(("half lists", guided(true), Some(half)));
    policies
}

/// Avoids moves that end the game with nothing, if that is seen from the facts alone.
fn losing(logic: &GameLogic, role: usize) -> Option<Avoid> {
    let &(_, nothing) = logic.goals[role].iter().find(|(value, _)| *value == 0)?;
    let roots = [logic.terminal, nothing];
    let cone = logic.net.cone(roots);
    let mut net = Netlist::new();
    let inputs: Vec<Lit> = logic.facts.iter().map(|_| net.input()).collect();
    let mut now = vec![Lit::FALSE; logic.net.len()];
    for (node, &gate) in logic.net.gates().iter().enumerate() {
        if !cone[node] {
            continue;
        }
        now[node] = match gate {
            Gate::Input(number) => match logic.sources[number as usize] {
                Source::Fact(fact) => inputs[fact as usize],
                _ => return None,
            },
            _ => netlist::copied(&mut net, node, gate, &now),
        };
    }
    let [terminal, nothing] = roots.map(|root| netlist::moved(&now, root));
    let lost = net.and(terminal, nothing);
    Some(Avoid {
        role,
        net,
        moves: Unwanted::LeadingTo(lost),
    })
}

fn lanes(
    phased: &Phased,
    choices: &[Choice],
    policy: &Policy,
    guide: Option<&Guide>,
    budget: &Budget,
) -> LanePlayouts<W> {
    let compile = |code: &Code| match Native::compile(code, CODE_BYTES, budget) {
        Ok(native) => Box::new(native) as Box<dyn Evaluator<W>>,
        Err(_) => Box::new(Interpreter::new(code)),
    };
    let mut lanes = LanePlayouts::with(phased, choices, policy, compile, 1, MAX_STEPS, budget);
    for guided in &policy.guided {
        guide.inspect(|guide| lanes.guide(guided.role, guide));
    }
    lanes
}

fn initial(logic: &GameLogic) -> State {
    let mut words = vec![0; logic.next.len().div_ceil(64)];
    for &fact in &logic.words.initial {
        words[fact as usize / 64] |= 1 << (fact % 64);
    }
    State::from_words(words)
}

/// Lets one play for a while.
fn turn(contender: &mut Contender, initial: &State, options: &Options) -> anyhow::Result<()> {
    let (watch, mut steps, mut ended) = (Stopwatch::start(options.time), 0, 0);
    let mut tallies = Vec::new();
    while watch.seconds() < options.seconds {
        let start = Start {
            state: initial,
            playouts: 16 * contender.playouts.width() as u64,
        };
        let budget = Budget::system();
        contender.playouts.run(&[start], &mut tallies, &budget)?;
        steps += tallies[0].steps;
        ended += tallies[0].finished;
        contender.tally.add(&tallies[0]);
    }
    let seconds = watch.seconds();
    contender.states.push(steps as f64 / seconds);
    contender.ended.push(ended as f64 / seconds);
    Ok(())
}

/// Prints what became of a policy.
fn row(game: &Game, contender: &Contender, uniform: &Contender, role: usize, missed: Option<f64>) {
    let built: Vec<Figures> = contender
        .playouts
        .applied()
        .filter_map(|(_, applied)| applied.outcome.ok())
        .collect();
    let asked = contender.playouts.applied().count();
    print!("{:28} {:12} ", game.name, contender.name);
    if asked > 0 && built.is_empty() {
        println!("{}", reasons(contender));
        return;
    }
    let most = |of: fn(&Figures) -> usize| match built.iter().map(of).max() {
        Some(most) => most.to_string(),
        None => "-".into(),
    };
    let ratio = |of: fn(&Contender) -> &Vec<f64>| {
        let pairs = of(contender).iter().zip(of(uniform));
        let ratios: Vec<f64> = pairs.map(|(with, without)| with / without).collect();
        median(&ratios).unwrap_or(f64::NAN)
    };
    let played = (contender.tally.finished + contender.tally.cut) as f64;
    println!(
        "{:>6} {:>6} {:6.2} {:8.2} {:6.1} {:7.1} {:>7}",
        most(|figures| figures.moves),
        most(|figures| figures.gates),
        ratio(|contender| &contender.states),
        ratio(|contender| &contender.ended),
        contender.tally.steps as f64 / played,
        contender.tally.mean(role).unwrap_or(f64::NAN),
        missed.map_or(String::new(), |share| format!("{:.0} %", 100.0 * share)),
    );
}

/// Why a policy could not be had in any phase.
fn reasons(contender: &Contender) -> String {
    let mut reasons: Vec<Declined> = contender
        .playouts
        .applied()
        .filter_map(|(_, applied)| applied.outcome.err())
        .collect();
    // That somebody waits is no news.
    if reasons.iter().any(|why| *why != Declined::NoChoice) {
        reasons.retain(|why| *why != Declined::NoChoice);
    }
    reasons.dedup();
    let reasons: Vec<String> = reasons.iter().map(ToString::to_string).collect();
    reasons.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixture(name: &str) -> String {
        let path = testkit::root().join(format!("fixtures/games/{name}.gdl"));
        std::fs::read_to_string(path).expect("a fixture")
    }

    fn logic(text: &str) -> GameLogic {
        let sheet = gdl_parse::parse(text, &gdl_parse::ParseOptions::default()).sheet;
        let program = datalog::Program::from_sheet(&sheet);
        let network = prepare::build_network(&program, &Budget::system()).expect("a network");
        netlist::lower(&network.network, &Budget::system()).expect("no deadline")
    }

    /// One move, which wins, does not, or loses.
    const RACE: &str = "
        (role a) (init (at 0)) (next-to 0 1) (next-to 1 2)
        (<= (legal a (go ?m)) (kind ?m)) (kind far) (kind near) (kind back)
        (<= (next (at 2)) (does a (go far)))
        (<= (next (at 1)) (does a (go near)))
        (<= (next (at 3)) (does a (go back)))
        (<= terminal (not (true (at 0))))
        (<= (goal a 100) (true (at 2)))
        (<= (goal a 50) (true (at 1)))
        (<= (goal a 0) (true (at 3)))
        (<= (goal a 0) (true (at 0)))";

    #[test]
    fn wins_are_missed_as_often_as_not_taken() {
        let budget = Budget::system();
        let share = missed::share(RACE, 0, 3000, &budget).expect("a sound game");
        let share = share.expect("there is time");
        assert!((share - 2.0 / 3.0).abs() < 0.04, "{share}");
    }

    #[test]
    fn policies_do_what_the_table_says() {
        let logic = logic(RACE);
        let mut means = Vec::new();
        for (name, policy, guide) in policies(&logic, 0) {
            let (phased, choices) = (Phased::new(&logic), Choice::plain(&logic));
            let budget = Budget::system();
            let mut lanes = lanes(&phased, &choices, &policy, guide.as_ref(), &budget);
            let (mut tallies, initial) = (Vec::new(), initial(&logic));
            let start = Start {
                state: &initial,
                playouts: 30_000,
            };
            lanes.run(&[start], &mut tallies, &budget).expect("a game");
            means.push((name, tallies[0].mean(0).expect("results").round()));
        }
        let near = |name: &str, expected: f64, by: f64| {
            let found = means.iter().find(|(known, _)| *known == name);
            let (_, mean) = found.unwrap_or_else(|| panic!("{name} in {means:?}"));
            assert!((mean - expected).abs() <= by, "{means:?}");
        };
        near("uniform", 50.0, 1.0);
        near("decisive", 100.0, 0.0);
        near("no loss", 75.0, 1.0);
        near("lists", 50.0, 8.0);
        near("half lists", 50.0, 5.0);
    }

    #[test]
    fn what_is_lost_is_told_from_facts() {
        let logic = logic(&fixture("tic_tac_toe"));
        let avoid = losing(&logic, 1).expect("results depend on facts");
        assert_eq!(avoid.net.inputs(), logic.facts.len());
    }
}
