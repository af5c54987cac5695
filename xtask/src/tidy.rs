//! `cargo xtask tidy`: checks of the sources that would otherwise be left to reviewers.
//!
//! It checks the dependencies between crates ([`floors`]), the rules for every source file
//! ([`files`]), and the length of documents ([`documents`]).

mod documents;
mod files;
mod floors;

use anyhow::Context;
use std::path::{Path, PathBuf};

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Prints all problems. Returns whether there are none.
///
/// # Errors
/// Fails if the repository cannot be read.
pub fn run() -> anyhow::Result<bool> {
    let problems = problems()?;
    for problem in &problems {
        println!("{problem}");
    }
    match problems.len() {
        0 => println!("tidy"),
        1 => println!("1 thing to tidy up"),
        n => println!("{n} things to tidy up"),
    }
    Ok(problems.is_empty())
}

fn problems() -> anyhow::Result<Vec<String>> {
    let mut problems = floors::check(&floors::Workspace::read(&root())?);
    let mut lengths = Vec::new();
    for file in files::sources(&root())? {
        let text = std::fs::read_to_string(root().join(&file))
            .with_context(|| format!("cannot read {}", file.display()))?;
        problems.extend(files::check(&file, &text));
        lengths.push(text.lines().count());
    }
    problems.extend(files::median(&mut lengths));
    problems.extend(documents::check(&root())?);
    Ok(problems)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_repository_is_tidy() {
        assert_eq!(super::problems().unwrap(), Vec::<String>::new());
    }
}
