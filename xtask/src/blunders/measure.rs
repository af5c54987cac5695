//! The share of positions in which players give the result away.

use super::Options;
use super::games::playable;
use crate::stage::Stage;
use anyhow::Context;
use players::{BestMove, Spec};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use tactics::{Scene, Sheet};

/// The time limit of a player with a fixed number of playouts.
const LONGEST: Duration = Duration::from_secs(120);

/// One choice.
#[derive(Debug, Clone, Serialize)]
struct Row {
    game: String,
    position: String,
    player: String,
    /// The seconds or playouts for the choice, as given.
    limit: String,
    chosen: String,
    right: bool,
    playouts: Option<u64>,
}

/// Lets all players choose in all positions, in turns, and prints the table.
pub fn run(sheets: &[Sheet], options: &Options) -> anyhow::Result<bool> {
    let mut rows = Vec::new();
    let contests = contests(options)?;
    for sheet in sheets {
        let mut playable = playable(&sheet.game)?;
        // A player is prepared once, whatever the limits.
        let mut stages = BTreeMap::new();
        for (spec, ..) in &contests {
            let stage = || Stage::new(&playable, spec, &options.conditions);
            stages.entry(spec).or_insert_with(stage);
        }
        for position in &sheet.positions {
            let scene = Scene::new(&mut *playable.engine, position)
                .with_context(|| format!("{}/{}", sheet.game, position.name))?;
            for (spec, player, limit, clock) in &contests {
                let Some(stage) = stages.get_mut(spec) else {
                    continue;
                };
                let mv = stage.choose(&scene.state, scene.role, &BestMove::default(), *clock)?;
                let work = stage.player(scene.role)?.work();
                rows.push(Row {
                    game: sheet.game.clone(),
                    position: position.name.clone(),
                    player: player.clone(),
                    limit: limit.clone(),
                    chosen: playable.engine.move_term(scene.role, mv).to_string(),
                    right: scene.right.contains(&mv),
                    playouts: work.map(|work| work.playouts),
                });
            }
        }
        let of_game: Vec<&Row> = rows.iter().filter(|row| row.game == sheet.game).collect();
        print(&sheet.game, sheet.positions.len(), &of_game, &contests);
        // A long measurement that is cut off leaves what it has.
        save(&rows, options)?;
    }
    let all: usize = sheets.iter().map(|sheet| sheet.positions.len()).sum();
    print(
        "all games",
        all,
        &rows.iter().collect::<Vec<_>>(),
        &contests,
    );
    compare(&rows, &contests);
    Ok(true)
}

/// Every player with every limit: how it plays here, its name, the limit, the clock.
type Contest = (Spec, String, String, Duration);

fn contests(options: &Options) -> anyhow::Result<Vec<Contest>> {
    let mut players = options.player.clone();
    for feature in &options.without {
        players.push(Spec::default().with(&format!("no-{feature}"))?);
    }
    let mut all = Vec::new();
    for player in &players {
        let name = player.to_string();
        // Positions are unrelated: nothing may be kept from one to the next.
        let fresh = player
            .clone()
            .with("no-reuse")
            .unwrap_or_else(|_| player.clone());
        for playouts in &options.playouts {
            let spec = fresh.clone().with(&format!("playouts={playouts}"))?;
            all.push((spec, name.clone(), format!("{playouts} playouts"), LONGEST));
        }
        for &seconds in options
            .seconds
            .iter()
            .filter(|_| options.playouts.is_empty())
        {
            let clock = Duration::try_from_secs_f64(seconds)?;
            all.push((fresh.clone(), name.clone(), format!("{seconds} s"), clock));
        }
    }
    Ok(all)
}

/// One line for each player and limit.
fn print(game: &str, positions: usize, rows: &[&Row], contests: &[Contest]) {
    println!(
        "{game}: {positions} {}",
        match positions {
            1 => "position",
            _ => "positions",
        }
    );
    for (_, player, limit, _) in contests {
        let own = rows
            .iter()
            .filter(|row| row.player == *player && row.limit == *limit);
        let wrong: Vec<f64> = own.map(|row| f64::from(u8::from(!row.right))).collect();
        let errors = wrong.iter().sum::<f64>();
        let share = rating::mean(&wrong);
        println!("  {player:<40} {limit:>16} {errors:>4} wrong, % {share}");
    }
}

/// A game and a position.
type Place<'a> = (&'a str, &'a str);

/// Positions that only one of the first player and another got right.
fn compare(rows: &[Row], contests: &[Contest]) {
    let Some((_, first, ..)) = contests.first() else {
        return;
    };
    let right = |player: &str, limit: &str| -> BTreeSet<Place<'_>> {
        let own = rows.iter().filter(|row| row.right);
        let own = own.filter(|row| row.player == player && row.limit == limit);
        own.map(|row| (&*row.game, &*row.position)).collect()
    };
    for (_, player, limit, _) in contests.iter().filter(|(_, player, ..)| player != first) {
        let (one, other) = (right(first, limit), right(player, limit));
        println!(
            "{limit}: only {first} is right in {}, only {player} in {}",
            one.difference(&other).count(),
            other.difference(&one).count()
        );
    }
}

fn save(rows: &[Row], options: &Options) -> anyhow::Result<()> {
    match &options.json {
        Some(path) => crate::files::write(path, serde_json::to_string_pretty(rows)? + "\n"),
        None => Ok(()),
    }
}
