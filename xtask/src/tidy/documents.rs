//! Limits on the length of documents.

use std::path::Path;

/// Documents with a maximum number of lines.
const BOUNDS: &[(&str, usize)] = &[
    ("README.md", 150),
    ("ARCHITECTURE.md", 250),
    ("CONTRIBUTING.md", 250),
];

/// The maximum number of lines of the README of a crate.
const README: usize = 120;

/// Documents that are too long, or missing.
///
/// # Errors
/// Fails if the folder of the crates cannot be read.
pub(super) fn check(root: &Path) -> std::io::Result<Vec<String>> {
    let mut problems = Vec::new();
    for (name, most) in BOUNDS {
        match lines(&root.join(name)) {
            Some(lines) => problems.extend(too_long(name, lines, *most)),
            None => problems.push(format!("{name} is missing")),
        }
    }
    for entry in std::fs::read_dir(root.join("crates"))? {
        let readme = entry?.path().join("README.md");
        if let Some(lines) = lines(&readme) {
            let name = readme.strip_prefix(root).unwrap_or(&readme).display();
            problems.extend(too_long(&name.to_string(), lines, README));
        }
    }
    Ok(problems)
}

fn lines(path: &Path) -> Option<usize> {
    let text = std::fs::read_to_string(path).ok()?;
    Some(text.lines().count())
}

fn too_long(name: &str, lines: usize, most: usize) -> Option<String> {
    (lines > most).then(|| format!("{name}: {lines} lines, more than {most}; move some to docs/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_documents_are_reported() {
        assert_eq!(too_long("a", 3, 3), None);
        let problem = too_long("a", 4, 3).expect("it is too long");
        assert!(problem.starts_with("a: 4 lines"), "{problem}");
    }
}
