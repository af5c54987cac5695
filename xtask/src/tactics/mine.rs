//! Looks for positions and prints the ones that are hard to see.

use super::playable;
use ::tactics::{Candidate, Miner, Settings, Sheet};
use budget::Budget;
use std::collections::BTreeSet;
use std::time::Duration;

#[derive(clap::Args)]
pub struct Mining {
    /// With --mine: how long to look, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 20.0)]
    mine_seconds: f64,
    /// With --mine: how many positions to print, the hardest first
    #[arg(long, value_name = "N", default_value_t = 5)]
    keep: usize,
    /// With --mine: states that each question may visit
    #[arg(long, value_name = "N", default_value_t = 30_000)]
    states: u64,
    /// With --mine: playouts for each move by which the games are played; 0 is random play
    #[arg(long, value_name = "N", default_value_t = 4)]
    mine_playouts: u64,
    /// With --mine: percent of the moves that may be right
    #[arg(long, value_name = "PERCENT", default_value_t = 50)]
    share: usize,
    /// With --mine: right moves need at least that many own moves
    #[arg(long, value_name = "N", default_value_t = 2)]
    depth: u32,
    /// With --mine: only this class, as it is found out
    #[arg(long, value_name = "CLASS")]
    class: Option<String>,
}

/// Prints a sheet of what was found.
pub fn run(game: &str, all: &super::Options) -> anyhow::Result<bool> {
    let options = &all.mining;
    let settings = Settings {
        seed: all.seed,
        playouts: options.mine_playouts,
        states: options.states,
        share: options.share,
        depth: options.depth,
        ..Settings::default()
    };
    let mut miner = Miner::new(playable(game, all.engine)?.engine, settings);
    let time = Duration::try_from_secs_f64(options.mine_seconds)?;
    let budget = Budget::system().with_timeout(time);
    let mut best: Vec<Candidate> = Vec::new();
    let (mut games, mut seen) = (0, 0);
    while budget.check().is_ok() {
        let mut found = miner.game(&budget)?;
        games += 1;
        seen += found.len();
        found.retain(|candidate| {
            let class = options.class.as_ref();
            class.is_none_or(|class| candidate.position.class == *class)
        });
        // One of each game and class is enough: neighbours ask the same.
        found.sort_by(|a, b| hardness(b).total_cmp(&hardness(a)));
        let mut classes = BTreeSet::new();
        found.retain(|candidate| classes.insert(candidate.position.class.clone()));
        best.extend(found);
        best.sort_by(|a, b| hardness(b).total_cmp(&hardness(a)));
        best.truncate(options.keep);
    }
    eprintln!("{games} games, {seen} states with a question");
    let mut sheet = Sheet {
        game: game.to_owned(),
        positions: Vec::new(),
    };
    for mut candidate in best {
        candidate.position.about = format!(
            "{} of {} moves, {} own moves, refuted in {}, shallow views wrong {:.0} of 100",
            candidate.right,
            candidate.moves,
            candidate.fastest,
            candidate.refuted,
            100.0 * candidate.misleading
        );
        sheet.positions.push(candidate.position);
    }
    print!("{sheet}");
    Ok(true)
}

/// What speaks for a candidate: how often a shallow view is wrong, how few moves are right, and how
/// far one has to look.
fn hardness(candidate: &Candidate) -> f64 {
    let rare = 1.0 - candidate.right as f64 / candidate.moves as f64;
    let far = f64::from(candidate.fastest.min(6)) / 6.0;
    2.0 * candidate.misleading + rare + far
}
