//! `rocinante plan`: what a player decides about a game during the start clock.

use crate::archive::{self, Plans};
use crate::progress::Working;
use crate::{interrupt, match_, options, source, wall};
use anyhow::Context;
use budget::{Budget, Stop};
use compile::Report;
use game::RoleId;
use metagame::{Plan, Slot, Stage, TIMETABLE};
use players::{Setup, Spec};
use prepare::EngineChoice;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Arguments of `rocinante plan`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The rulesheet; `-` is the standard input
    game: PathBuf,
    /// The player
    #[arg(short, long, value_name = "PLAYER", default_value_t = Spec::default())]
    player: Spec,
    /// Start clock in seconds
    #[arg(long, value_name = "SECONDS", default_value = "10", allow_negative_numbers = true, value_parser = options::clock)]
    start_clock: Duration,
    /// Keep what is found out about games in this file, and use what is there
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// What became of it is told
    #[arg(long, value_name = "DIR", hide = true)]
    plans: Option<Plans>,
    /// Seed of all random choices [default: from the time of day]
    #[arg(long)]
    seed: Option<u64>,
    /// Memory limit of the search, in MiB
    #[arg(long, value_name = "MIB", default_value_t = options::mib(256), value_parser = options::memory)]
    memory_mib: usize,
    /// Print the plan as JSON
    #[arg(long)]
    json: bool,
    /// Convert all names to lower case
    #[arg(long)]
    fold_case: bool,
}

/// Runs the start clock of a match and prints the plan.
///
/// # Errors
/// Fails if the game cannot be played, or the player makes no plans.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let stop = Stop::default();
    interrupt::stop_on_interrupt(&stop)?;
    let budget = Budget::system().with_stop(stop);
    let start_clock = budget.with_timeout(args.start_clock);
    let engine = Stage::Engine.share(&start_clock);
    let game = match_::load(&args.game, EngineChoice::Auto, args.fold_case, &engine)?;
    let made = game.report.clone();
    let setup = Setup {
        playable: game.playable,
        role: RoleId(0),
        seed: args.seed.unwrap_or_else(wall::seed),
        threads: 1,
        memory: args.memory_mib << 20,
    };
    let mut player = args
        .player
        .build_with(archive::open(args.store.as_deref(), source::note)?);
    let (working, start_clock) = Working::on(args.game.display().to_string(), &start_clock);
    player.start(setup, &start_clock)?;
    drop(working);
    let plan = player.plan().context("this player makes no plans")?;
    source::print(&match args.json {
        true => serde_json::to_string_pretty(plan)? + "\n",
        false => timetable(&made, plan),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The timetable, with the decisions of each stage that ran, and the resulting settings.
fn timetable(made: &Report, plan: &Plan) -> String {
    let mut text = String::new();
    for slot in &TIMETABLE {
        text += &format!("{:10} {}\n", slot.name, share(slot));
        if slot.stage == Stage::Engine {
            let ms = made.total().as_millis();
            text += &format!("  {ms} ms: {}\n", made.engine);
            if let Some(why) = &made.fallback {
                text += &format!("    {why}\n");
            }
        }
        let ran = plan.decisions.iter().filter(|one| one.stage == slot.name);
        for decision in ran {
            text += &format!("  {} ms: {}\n", decision.ms, decision.decided);
            if !decision.why.is_empty() {
                text += &format!("    {}\n", decision.why);
            }
        }
    }
    text + &format!("plays with {}\n", plan.settings)
}

/// The share of the start clock that a stage may take, and the recipient of its result.
fn share(slot: &Slot) -> String {
    let most = match slot.most {
        Some(most) => format!(", {} s at most", most.as_secs()),
        None => String::new(),
    };
    format!("{} %{most}, for {}", slot.percent, slot.to)
}
