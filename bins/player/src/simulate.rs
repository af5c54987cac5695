//! `rocinante simulate`: random playouts and statistics of a game.

use crate::match_::load;
use crate::progress::Working;
use crate::terminal::unplayable;
use crate::{interrupt, options, source};
use anyhow::Context;
use budget::{Budget, Stop};
use game::{Engine, EngineError, MoveId, RoleId, State};
use indicatif::{ProgressBar, ProgressStyle};
use prepare::{Evaluator, measure};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Arguments of `rocinante simulate`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The rulesheet; `-` is the standard input
    game: PathBuf,
    /// Duration of the playouts, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "5", allow_negative_numbers = true, value_parser = options::clock)]
    seconds: Duration,
    /// Maximum number of playouts
    #[arg(long, value_name = "N")]
    playouts: Option<u64>,
    /// Maximum number of joint moves of a playout, after which it is abandoned
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    max_steps: u64,
    /// Seed of the random moves
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[arg(long, value_name = "ENGINE", default_value = "auto", value_parser = prepare::evaluator, help = evaluators())]
    engine: Evaluator,
    /// Tell what each stage of making the engine came to
    #[arg(long, conflicts_with = "json")]
    stages: bool,
    /// Convert all names to lower case
    #[arg(long)]
    fold_case: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// The most time for making the evaluator, besides that for the engine.
const PREPARE: Duration = Duration::from_secs(10);

/// Minimum, mean and maximum of some numbers.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
struct Spread {
    min: u64,
    mean: f64,
    max: u64,
    #[serde(skip)]
    count: u64,
    #[serde(skip)]
    sum: u64,
}

impl Spread {
    fn add(&mut self, value: u64) {
        self.min = if self.count == 0 {
            value
        } else {
            self.min.min(value)
        };
        self.max = self.max.max(value);
        self.count += 1;
        self.sum += value;
        self.mean = self.sum as f64 / self.count as f64;
    }
}

/// Statistics of one role.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
struct RoleReport {
    role: String,
    /// The number of legal moves in states in which the role has a choice.
    choices: Spread,
    /// The share of those states among all states, 0 to 1.
    choosing: f64,
    mean_goal: Option<f64>,
    /// The count of each goal value; `none` for playouts without one.
    goals: BTreeMap<String, u64>,
    #[serde(skip)]
    goal_sum: u64,
}

/// Statistics of the playouts.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
struct Report {
    game: String,
    engine: String,
    /// The duration of the playouts in seconds, without preparation.
    seconds: f64,
    playouts: u64,
    playouts_per_second: f64,
    /// The number of joint moves played.
    states: u64,
    states_per_second: f64,
    sample: Sample,
}

/// Statistics of playouts that were made one by one. Where these are all there are, the speed is
/// theirs.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
struct Sample {
    playouts: u64,
    #[serde(skip)]
    states: u64,
    #[serde(skip)]
    time: Duration,
    /// The number of joint moves of these playouts.
    length: Spread,
    /// The number of playouts that were abandoned because they were too long.
    too_long: u64,
    /// The number of playouts that ended in a state in which a role had no legal move.
    stuck: u64,
    roles: Vec<RoleReport>,
}

/// The most playouts of the sample, and the part of the time that it may take.
const SAMPLE: u64 = 10_000;
const SAMPLE_PART: u32 = 4;

/// The help of the option that names an evaluator.
fn evaluators() -> String {
    let names: Vec<&str> = prepare::EVALUATORS.iter().map(Evaluator::name).collect();
    format!(
        "Evaluator of the playouts, {}; auto chooses the fastest",
        names.join(", ")
    )
}

/// Runs playouts and prints the report.
///
/// # Errors
/// Fails if the game cannot be prepared or its rules cannot be evaluated.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let stop = Stop::default();
    interrupt::stop_on_interrupt(&stop)?;
    let budget = Budget::system().with_stop(stop);
    let game = load(&args.game, args.engine.engine(), args.fold_case, &budget)?;
    let mut engine = game.playable.engine.fork();
    let settings = prepare::Settings {
        fold_case: args.fold_case,
        seed: args.seed,
        max_steps: args.max_steps as usize,
        ..prepare::Settings::default()
    };
    let unprepared = budget.clone().with_timeout(PREPARE);
    let (working, unprepared) = Working::on(args.game.display().to_string(), &unprepared);
    let mut simulator = (args.engine)
        .of(game, &settings, &unprepared)
        .map_err(|error| unplayable(&args.game, &error))?;
    drop(working);
    let bar = ProgressBar::new(args.seconds.as_millis() as u64).with_style(
        ProgressStyle::with_template("{bar:40} {percent:>3} %  {msg}")?,
    );
    let sample =
        sample(&mut *engine, args, &budget, &bar).context("the rules could not be evaluated")?;
    let most = args.playouts.unwrap_or(u64::MAX) - sample.playouts;
    let left = args.seconds.saturating_sub(sample.time);
    let played = measure(&mut simulator, left, most, &budget, &mut |played| {
        bar.set_position((sample.time + played.time).as_millis() as u64);
        bar.set_message(format!("{} playouts", sample.playouts + played.finished));
    })
    .context("the rules could not be evaluated")?;
    bar.finish_and_clear();
    let made = played.finished + played.cut;
    anyhow::ensure!(sample.playouts + made > 0, "no playout was finished");
    let (engine, time, playouts, states) = match made {
        0 => (engine.name(), sample.time, sample.playouts, sample.states),
        _ => (simulator.report.engine, played.time, made, played.steps),
    };
    let seconds = time.as_secs_f64().max(f64::MIN_POSITIVE);
    let report = Report {
        game: args.game.display().to_string(),
        engine: engine.to_owned(),
        seconds,
        playouts,
        playouts_per_second: playouts as f64 / seconds,
        states,
        states_per_second: states as f64 / seconds,
        sample,
    };
    let text = match args.json {
        true => serde_json::to_string_pretty(&report)? + "\n",
        false => ready(&simulator.report, args.stages) + &table(&report),
    };
    source::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Makes playouts one by one, and counts what happens in them.
fn sample(
    engine: &mut dyn Engine,
    args: &Args,
    budget: &Budget,
    bar: &ProgressBar,
) -> Result<Sample, EngineError> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(args.seed);
    let names = engine.roles().iter();
    let mut sample = Sample {
        roles: names
            .map(|role| RoleReport {
                role: role.to_string(),
                ..RoleReport::default()
            })
            .collect(),
        ..Sample::default()
    };
    let began = budget.clock().now();
    let budget = budget.clone().with_timeout(args.seconds / SAMPLE_PART);
    engine.set_budget(&budget);
    let most = args.playouts.unwrap_or(SAMPLE).min(SAMPLE);
    while sample.playouts < most && budget.check().is_ok() {
        match playout(engine, args, &budget, &mut rng, &mut sample) {
            Ok(()) => {}
            Err(EngineError::Exhausted(_)) => break,
            Err(error) => return Err(error),
        }
        sample.time = budget.clock().now().saturating_sub(began);
        bar.set_position(sample.time.as_millis() as u64);
    }
    for role in &mut sample.roles {
        role.choosing = role.choices.count as f64 / sample.states.max(1) as f64;
        let defined: u64 = role
            .goals
            .iter()
            .filter(|(goal, _)| *goal != "none")
            .map(|g| g.1)
            .sum();
        role.mean_goal = (defined > 0).then(|| role.goal_sum as f64 / defined as f64);
    }
    Ok(sample)
}

/// Plays one playout. If the budget ends it, only its states count.
fn playout(
    engine: &mut dyn Engine,
    args: &Args,
    budget: &Budget,
    rng: &mut Xoshiro256PlusPlus,
    sample: &mut Sample,
) -> Result<(), EngineError> {
    let (mut here, mut there) = (engine.initial(), State::default());
    let (mut moves, mut joint): (Vec<MoveId>, Vec<MoveId>) = (Vec::new(), Vec::new());
    let mut steps = 0;
    'play: while !engine.terminal(&here)? {
        budget.check().map_err(EngineError::Exhausted)?;
        if steps == args.max_steps {
            sample.too_long += 1;
            break;
        }
        joint.clear();
        for (at, role) in sample.roles.iter_mut().enumerate() {
            engine.legal(&here, RoleId(at), &mut moves)?;
            if moves.is_empty() {
                sample.stuck += 1;
                break 'play;
            }
            if moves.len() > 1 {
                role.choices.add(moves.len() as u64);
            }
            joint.push(moves[rng.random_range(0..moves.len())]);
        }
        engine.next(&here, &joint, &mut there)?;
        std::mem::swap(&mut here, &mut there);
        steps += 1;
        sample.states += 1;
    }
    sample.playouts += 1;
    sample.length.add(steps);
    // A playout that reached no terminal state has no goal values.
    if !engine.terminal(&here)? {
        return Ok(());
    }
    for (at, role) in sample.roles.iter_mut().enumerate() {
        let goal = engine.goal(&here, RoleId(at))?;
        role.goal_sum += u64::from(goal.unwrap_or(0));
        let name = goal.map_or("none".into(), |goal| goal.to_string());
        *role.goals.entry(name).or_default() += 1;
    }
    Ok(())
}

/// How the engine was made: a line, and one for each stage if they are asked for.
fn ready(report: &compile::Report, stages: bool) -> String {
    let mut text = format!("{}, ready in {:.0?}", report.engine, report.total());
    if let Some(why) = &report.fallback {
        text += &format!(": {why}");
    }
    text += "\n";
    for stage in report.stages.iter().filter(|_| stages) {
        let time = format!("{:.1?}", stage.time);
        text += &format!("  {:<10} {time:>9}  {}\n", stage.name, stage.outcome);
    }
    text
}

/// The report as text.
fn table(report: &Report) -> String {
    let sample = &report.sample;
    let length = &sample.length;
    let mut text = format!(
        "{} playouts in {:.2} s: {:.1} playouts/s, {:.0} states/s\n",
        report.playouts, report.seconds, report.playouts_per_second, report.states_per_second,
    );
    text += &match sample.playouts {
        0 => "none of them ended in the time of the sample; --seconds gives more\n".to_owned(),
        count => format!(
            "of {count} of them: length {} to {}, mean {:.1}\n",
            length.min, length.max, length.mean
        ),
    };
    for (count, what) in [
        (sample.too_long, "were broken off"),
        (sample.stuck, "ended without a legal move"),
    ] {
        if count > 0 {
            text += &format!("{count} playouts {what}\n");
        }
    }
    let told = if sample.playouts == 0 {
        &[]
    } else {
        &sample.roles[..]
    };
    for role in told {
        let choices = &role.choices;
        text += &format!(
            "{}: a choice in {:.0} % of states, of {} to {} moves, mean {:.1}\n",
            role.role,
            100.0 * role.choosing,
            choices.min,
            choices.max,
            choices.mean
        );
        let mut goals: Vec<_> = role.goals.iter().collect();
        goals.sort_by_key(|(goal, _)| goal.parse::<u8>().ok());
        let share = |count: u64| 100.0 * count as f64 / sample.playouts.max(1) as f64;
        let goals: Vec<String> = goals
            .into_iter()
            .map(|(goal, &count)| format!("{goal}: {:.1} %", share(count)))
            .collect();
        let mean = role
            .mean_goal
            .map_or("undefined".into(), |mean| format!("{mean:.1}"));
        text += &format!("    goal {mean} ({})\n", goals.join(", "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use budget::ManualClock;
    use std::sync::Arc;

    #[test]
    fn stages_are_told_if_they_are_asked_for() {
        let clock = Arc::new(ManualClock::default());
        let mut report = compile::Report::new(&Budget::unlimited(clock.clone()));
        for (name, micros, outcome) in
            [("parse", 228, "52 rules"), ("network", 12_400, "too large")]
        {
            clock.advance(Duration::from_micros(micros));
            report.stage(name, outcome.to_owned());
        }
        report.engine = "reasoner";
        report.fallback = Some("there is no network".to_owned());
        let [without, with] = [false, true].map(|stages| ready(&report, stages));
        insta::assert_snapshot!(without + &with, @"
        reasoner, ready in 13ms: there is no network
        reasoner, ready in 13ms: there is no network
          parse        228.0µs  52 rules
          network       12.4ms  too large
        ");
    }
}
