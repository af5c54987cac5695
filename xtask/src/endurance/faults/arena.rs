//! A tournament that is killed again and again ends as one that was left alone.

use crate::endurance::serving::Serving;
use anyhow::{Context, ensure};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::fmt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Small games, so that many matches are played between two kills.
const GAMES: &[&str] = &["nim", "tic_tac_toe", "rock_paper_scissors_repeated"];

/// Matches of each game and pairing that are planned for each kill.
const ROUNDS: usize = 12;

/// The least and the longest time before a kill, in milliseconds.
const BEFORE: std::ops::Range<u64> = 20..250;

/// The columns of the exported matches that do not depend on the clock.
const STEADY: usize = 8;

/// How the killed tournament ended.
pub struct Killed {
    kills: usize,
    matches: usize,
    /// The lines of the table of matches that only one of both tournaments has.
    different: usize,
}

impl Killed {
    /// Whether nothing was lost or doubled.
    pub fn is_fine(&self) -> bool {
        self.different == 0
    }
}

impl fmt::Display for Killed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "arena: killed {} times in {} lines of matches, {} of them lost, doubled or different",
            self.kills, self.matches, self.different
        )
    }
}

/// Plays a tournament that is killed `kills` times, and the same one without.
///
/// # Errors
/// Fails if a tournament cannot be played.
pub fn killed(serving: &Serving, seed: u64, kills: usize) -> anyhow::Result<Killed> {
    let folder = tempfile::tempdir()?;
    let config = folder.path().join("tournament.toml");
    std::fs::write(&config, text(seed, ROUNDS * kills.max(1)))?;
    let program = serving.program()?;
    let run = |out: &Path| -> Command {
        let mut command = Command::new(&program);
        command
            .arg("arena")
            .arg(&config)
            .arg("--quiet")
            .arg("--out")
            .arg(out);
        command.stdout(Stdio::null());
        command
    };
    let [troubled, calm] = ["troubled", "calm"].map(|name| folder.path().join(name));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut done = 0;
    while done < kills {
        let mut child = run(&troubled).spawn().context("the arena cannot be run")?;
        std::thread::sleep(Duration::from_millis(rng.random_range(BEFORE)));
        // A tournament that has ended is not killed; the others are what is tested.
        if child.try_wait()?.is_some() {
            break;
        }
        child.kill()?;
        child.wait()?;
        done += 1;
    }
    for out in [&troubled, &calm] {
        let status = run(out).status()?;
        ensure!(status.success(), "the arena failed: {status}");
        let checked = run(out).arg("--check").status()?;
        ensure!(
            checked.success(),
            "records of the arena are wrong: {checked}"
        );
    }
    let [one, other] = [lines(&troubled)?, lines(&calm)?];
    let different = one.iter().filter(|line| !other.contains(line)).count()
        + other.iter().filter(|line| !one.contains(line)).count()
        + one.len().abs_diff(other.len());
    Ok(Killed {
        kills: done,
        matches: one.len(),
        different,
    })
}

/// The configuration. Both players repeat, whenever they are asked.
fn text(seed: u64, rounds: usize) -> String {
    let games: Vec<String> = GAMES
        .iter()
        .map(|name| {
            let path = testkit::root().join(format!("fixtures/games/{name}.gdl"));
            format!("{:?}", path.display().to_string())
        })
        .collect();
    format!(
        "name = \"kills\"\nrounds = {rounds}\nseed = {seed}\ngames = [{}]\n\
         [[player]]\nname = \"one\"\nis = \"random\"\n\
         [[player]]\nname = \"other\"\nis = \"legal\"\n",
        games.join(", ")
    )
}

/// The exported matches, without the times.
fn lines(folder: &Path) -> anyhow::Result<Vec<String>> {
    let path = folder.join("matches.csv");
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("cannot read {}", path.display()))?;
    let line = |line: &str| line.split(',').take(STEADY).collect::<Vec<_>>().join(",");
    Ok(text.lines().map(line).collect())
}
