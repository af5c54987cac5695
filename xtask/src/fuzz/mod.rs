//! `cargo xtask fuzz`: searches for bytes that the project handles wrongly.
//!
//! The programs are those of `xtask/fuzz`, one for each of [`fuzz_targets::TARGETS`]. They are
//! built with coverage feedback, which the stable compiler can do. `cargo fuzz` runs them too
//! (`--fuzz-dir xtask/fuzz`), but seeds are made here.

mod build;

use anyhow::{Context, ensure};
use fuzz_targets::{TARGETS, Target};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Arguments of `cargo xtask fuzz`.
#[derive(clap::Args)]
pub struct Options {
    /// Fuzz only these targets
    #[arg(long = "only", value_name = "TARGET")]
    only: Vec<String>,
    /// Time for each target, one after the other
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    seconds: u64,
    /// Folder of the inputs that were found; later runs begin with them
    #[arg(long, value_name = "DIR", default_value = "target/fuzz")]
    folder: PathBuf,
    /// Only build the programs and make the seeds
    #[arg(long)]
    build: bool,
}

/// The wall time after which an input counts as hanging, in seconds.
///
/// The limit of processor time is that of `fuzz_targets`; this one ends what never returns.
const HANGS: u64 = 30;

/// The memory that an input may take, in MiB, the program and its corpus included.
const MEMORY: u64 = 512;

/// The longest input, in bytes.
const LONGEST: u64 = 8192;

/// Fuzzes the targets. Returns whether nothing was found.
///
/// # Errors
/// Fails if the programs cannot be built or run.
pub fn run(options: &Options) -> anyhow::Result<bool> {
    let wanted = |target: &&Target| {
        options.only.is_empty() || options.only.iter().any(|name| name == target.name)
    };
    let targets: Vec<&Target> = TARGETS.iter().filter(wanted).collect();
    let names = TARGETS.iter().map(|target| target.name);
    ensure!(
        targets.len() >= options.only.len().max(1),
        "the targets are {}",
        names.collect::<Vec<_>>().join(", ")
    );
    let programs = build::build()?;
    let mut fine = true;
    for target in targets {
        let folder = options.folder.join(target.name);
        make_seeds(target, &folder.join("seeds"))?;
        if !options.build {
            fine &= fuzz(target, &programs, &folder, options.seconds)?;
        }
    }
    Ok(fine)
}

fn make_seeds(target: &Target, folder: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)?;
    for (number, seed) in (target.seeds)().iter().enumerate() {
        std::fs::write(folder.join(format!("{number:03}")), seed)
            .with_context(|| format!("cannot write seeds to {}", folder.display()))?;
    }
    Ok(())
}

/// Runs the program of one target. Returns whether it found nothing.
fn fuzz(target: &Target, programs: &Path, folder: &Path, seconds: u64) -> anyhow::Result<bool> {
    let [corpus, findings] = ["corpus", "findings"].map(|name| folder.join(name));
    std::fs::create_dir_all(&corpus)?;
    std::fs::create_dir_all(&findings)?;
    let program = programs.join(target.name);
    let status = Command::new(&program)
        .arg(&corpus)
        .arg(folder.join("seeds"))
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-max_len={LONGEST}"))
        .arg(format!("-timeout={HANGS}"))
        .arg(format!("-rss_limit_mb={MEMORY}"))
        .arg(format!("-artifact_prefix={}/", findings.display()))
        .arg("-print_final_stats=1")
        .status()
        .with_context(|| format!("cannot run {}", program.display()))?;
    let found = std::fs::read_dir(&findings)?.count();
    println!(
        "{}: {status}, {found} findings in {}",
        target.name,
        findings.display()
    );
    Ok(status.success())
}
