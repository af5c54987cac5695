//! `cargo xtask tidy`: what reviewers would otherwise have to look for.
//!
//! Walls between crates ([`walls`]), and what every source file must and must not hold ([`files`]).

mod files;
mod walls;

use anyhow::Context;
use std::path::{Path, PathBuf};

/// The repository's root.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Prints everything that is untidy; whether that is nothing.
///
/// # Errors
/// If the repository cannot be read.
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
    let mut problems = walls::check(&walls::Workspace::read(&root())?);
    for file in files::sources(&root())? {
        let text = std::fs::read_to_string(root().join(&file))
            .with_context(|| format!("cannot read {}", file.display()))?;
        problems.extend(files::check(&file, &text));
    }
    Ok(problems)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_repository_is_tidy() {
        assert_eq!(super::problems().unwrap(), Vec::<String>::new());
    }
}
