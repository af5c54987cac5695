//! Lets a player choose in every position.

use super::{Options, playable};
use ::tactics::{Conditions, Position, Scene, Sheet, attempt};
use anyhow::Context;
use budget::Budget;
use players::Spec;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// The result of a player in one position.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
struct Row {
    game: String,
    position: String,
    class: String,
    solved: bool,
    /// The move chosen, as a term.
    chosen: Option<String>,
    /// The time to solution: since then the best move was right without interruption. `null` if
    /// the position was not solved, or if playouts were the limit and not time.
    solved_after_seconds: Option<f64>,
    seconds: f64,
    note: Option<String>,
}

/// The results of a player.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
struct Report {
    player: String,
    /// The seconds or playouts for all positions, if given.
    seconds: Option<f64>,
    playouts: Option<u64>,
    seed: u64,
    solved: usize,
    positions: Vec<Row>,
}

/// The time limit of a player with a fixed number of playouts.
const LONGEST: Duration = Duration::from_secs(60);

/// Prints a line for each position and a table of the classes.
pub fn run(sheets: &[Sheet], options: &Options) -> anyhow::Result<bool> {
    let mut rows = Vec::new();
    println!(
        "{:<58} {:<14} {:>6} {:>8}  chosen",
        "position", "class", "", "after/s"
    );
    for sheet in sheets {
        let mut playable = playable(&sheet.game, options.engine)?;
        for position in &sheet.positions {
            let name = format!("{}/{}", sheet.game, position.name);
            let scene =
                Scene::new(&mut *playable.engine, position).with_context(|| name.clone())?;
            let (spec, conditions) = conditions(position, options)?;
            let mut player = spec.build();
            let budget = Budget::system();
            let tried = attempt(&playable, &scene, &mut *player, &conditions, &budget);
            let chosen = tried
                .chosen
                .map(|mv| playable.engine.move_term(scene.role, mv).to_string());
            let after = tried.solved_after.filter(|_| !spec.repeats());
            println!(
                "{name:<58} {:<14} {:>6} {:>8}  {}",
                position.class,
                if tried.solved { "solved" } else { "failed" },
                after.map_or(String::new(), |t| format!("{:.3}", t.as_secs_f64())),
                chosen.as_deref().or(tried.note.as_deref()).unwrap_or(""),
            );
            rows.push(Row {
                game: sheet.game.clone(),
                position: position.name.clone(),
                class: position.class.clone(),
                solved: tried.solved,
                chosen,
                solved_after_seconds: after.map(|t| t.as_secs_f64()),
                seconds: tried.took.as_secs_f64(),
                note: tried.note,
            });
        }
    }
    table(&rows);
    if let Some(path) = &options.json {
        let report = Report {
            player: options.player.to_string(),
            seconds: options.seconds,
            playouts: options.playouts,
            seed: options.seed,
            solved: rows.iter().filter(|row| row.solved).count(),
            positions: rows,
        };
        crate::files::write(path, &(serde_json::to_string_pretty(&report)? + "\n"))?;
    }
    Ok(true)
}

/// The player and its conditions: from the command line, else from the position, else one
/// second.
fn conditions(position: &Position, options: &Options) -> anyhow::Result<(Spec, Conditions)> {
    let mut spec = options.player.clone();
    let said = options.seconds.is_some() || options.playouts.is_some() || spec.repeats();
    let (seconds, playouts) = match said {
        true => (options.seconds, options.playouts),
        false => (position.seconds.map(f64::from), position.playouts),
    };
    if let Some(playouts) = playouts {
        spec = spec.with(&format!("playouts={playouts}"))?;
    }
    let clock = match spec.repeats() {
        true => LONGEST,
        false => Duration::try_from_secs_f64(seconds.unwrap_or(1.0))?,
    };
    let conditions = Conditions {
        // A start clock would be spent on the initial state, which is not part of the question.
        start_clock: Duration::ZERO,
        play_clock: clock,
        seed: options.seed,
        threads: 1,
        memory: 1 << 30,
    };
    Ok((spec, conditions))
}

/// The number solved and the median time of the solved positions, by class.
fn table(rows: &[Row]) {
    let mut classes: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        classes.entry(&row.class).or_default().push(row);
    }
    println!(
        "\n{:<20} {:>9} {:>6} {:>10}",
        "class", "positions", "solved", "median/s"
    );
    for (class, rows) in &classes {
        println!("{}", line(class, rows));
    }
    println!("{}", line("all", &rows.iter().collect::<Vec<_>>()));
}

fn line(class: &str, rows: &[&Row]) -> String {
    let solved = rows.iter().filter(|row| row.solved).count();
    let mut times: Vec<f64> = rows
        .iter()
        .filter_map(|row| row.solved_after_seconds)
        .collect();
    times.sort_by(f64::total_cmp);
    let median = times.get(times.len() / 2);
    let median = median.map_or(String::new(), |t| format!("{t:.3}"));
    format!("{class:<20} {:>9} {solved:>6} {median:>10}", rows.len())
}
