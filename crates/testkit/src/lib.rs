//! Finds fixtures and the corpus, and generates games, for tests.
//!
//! It is a dev-dependency only: nothing that ships depends on it.

pub mod agreement;
pub mod circuits;
mod cores;
pub mod fans;
mod forward;
pub mod games;
pub mod gates;
pub mod layered;
pub mod rules;
mod steps;
pub mod toys;

pub mod golden;
mod replay;
mod slow;

pub use cores::on_all_cores;
pub use replay::replay;
pub use slow::Slow;
pub use steps::{StepClock, steps};

use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All fixture rulesheets, `fixtures/games/*.gdl`, sorted by name.
pub fn fixtures() -> Vec<PathBuf> {
    files(&root().join("fixtures/games"), "gdl")
}

/// The corpus: `$ROCINANTE_CORPUS`, or `../shared` beside the repository. `None` if there is
/// none; a message then reports that the test is skipped.
pub fn corpus() -> Option<PathBuf> {
    let path = std::env::var_os("ROCINANTE_CORPUS")
        .map_or_else(|| root().join("../shared"), PathBuf::from);
    if path.join("games").is_dir() {
        Some(path)
    } else {
        eprintln!(
            "skipped: no corpus at {} (set ROCINANTE_CORPUS)",
            path.display()
        );
        None
    }
}

/// The files in `folder` with the extension `extension`, sorted by name. Empty if there is no
/// such folder.
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == extension))
        .collect();
    paths.sort();
    paths
}
