//! What every source file must and must not hold.

use std::path::{Path, PathBuf};

/// Longest file in lines; most are far below.
const LONGEST: usize = 800;

/// Text that must not occur in code, and why. Written in two parts, or this file would hold it.
const MARKS: &[(&str, &str)] = &[
    (concat!("todo", "!("), "finish it, or leave it out"),
    (concat!("unimplemented", "!("), "finish it, or leave it out"),
    (concat!("dbg", "!("), "left over from debugging"),
    (
        concat!("#[", "ignore"),
        "a test that is not run tests nothing",
    ),
    (
        concat!("#[should_", "panic"),
        "assert on an error instead: any panic satisfies this",
    ),
];

/// Text that must not occur in libraries, and why.
const LIBRARY_MARKS: &[(&str, &str)] = &[
    ("println!(", "only binaries print"),
    ("print!(", "only binaries print"),
    ("process::exit", "only binaries exit"),
];

/// Text that must not occur in crates that must also run in a browser or under simulated time.
const CORE_MARKS: &[(&str, &str)] = &[
    ("std::fs", "core crates touch no files"),
    ("std::net", "core crates touch no network"),
    ("std::thread", "core crates start no threads"),
    ("std::env", "core crates look nothing up"),
    ("Instant::now", "core crates are given a clock"),
    ("SystemTime", "core crates are given a clock"),
];

/// The crates that know neither threads nor files nor the time.
const CORE: &[&str] = &[
    "game",
    "gdl-parse",
    "gdl-check",
    "gdl-scramble",
    "datalog",
    "reasoner",
    "grounding",
    "propnet",
    "protocol",
];

/// Crates for tests may print.
const FOR_TESTS: &[&str] = &["testkit", "perft"];

/// All Rust files of the workspace, relative to its root, in order.
///
/// # Errors
/// If a folder cannot be read.
pub(super) fn sources(root: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut folders: Vec<PathBuf> = ["crates", "bins", "xtask"].map(PathBuf::from).to_vec();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(root.join(&folder))? {
            let entry = entry?;
            let path = folder.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// What is wrong with the text of a file.
pub(super) fn check(path: &Path, text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let shown = path.display();
    let lines = text.lines().count();
    if lines > LONGEST {
        problems.push(format!(
            "{shown}: {lines} lines, more than {LONGEST}; split it"
        ));
    }
    let first = text
        .lines()
        .find(|line| !line.trim().is_empty() && !line.starts_with("#!["));
    if !first.is_some_and(|line| line.starts_with("//!")) {
        problems.push(format!(
            "{shown}: no module documentation; say in a line what it is for"
        ));
    }
    let tests = test_lines(path, text);
    for (number, line) in text.lines().enumerate() {
        // What is said in comments is not done.
        let code = line.split("//").next().unwrap_or("");
        for (mark, why) in forbidden(path, number < tests) {
            if code.contains(mark) {
                problems.push(format!("{shown}:{}: `{mark}`: {why}", number + 1));
                break;
            }
        }
    }
    problems
}

/// The number of lines before a file's unit tests.
fn test_lines(path: &Path, text: &str) -> usize {
    let folder = |name: &str| path.iter().any(|part| part == name);
    let is_tests = folder("tests") || folder("benches") || folder("examples");
    if is_tests || path.file_stem().is_some_and(|stem| stem == "tests") {
        return 0;
    }
    text.lines()
        .position(|line| line.trim() == "#[cfg(test)]")
        .unwrap_or(usize::MAX)
}

fn forbidden(
    path: &Path,
    shipped: bool,
) -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    let mut parts = path.iter().filter_map(|part| part.to_str());
    let library = (parts.next() == Some("crates"))
        .then(|| parts.next())
        .flatten();
    let prints = library.is_none_or(|name| FOR_TESTS.contains(&name)) || !shipped;
    let core = library.is_some_and(|name| CORE.contains(&name)) && shipped;
    MARKS
        .iter()
        .chain(LIBRARY_MARKS.iter().filter(move |_| !prints))
        .chain(CORE_MARKS.iter().filter(move |_| core))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The problems of a file, without its path.
    fn problems(path: &str, text: &str) -> Vec<String> {
        check(Path::new(path), text)
            .iter()
            .map(|problem| problem.strip_prefix(path).unwrap_or(problem).to_owned())
            .collect()
    }

    #[test]
    fn files() {
        let doc = "//! Something.\n";
        let long = format!("{doc}{}", "\n".repeat(LONGEST));
        let mark = |i: usize| format!("{doc}fn f() {{ {}) }}\n", MARKS[i].0);
        let tests = format!("{doc}#[cfg(test)]\nfn f() {{ println!(\"x\") }}\n");
        for (path, text, expected) in [
            ("crates/game/src/a.rs", doc.to_owned(), &[][..]),
            ("crates/game/src/a.rs", format!("#![deny(x)]\n\n{doc}"), &[]),
            (
                "crates/game/src/a.rs",
                "fn f() {}\n".to_owned(),
                &[": no module documentation"],
            ),
            (
                "crates/game/src/a.rs",
                String::new(),
                &[": no module documentation"],
            ),
            ("bins/player/src/a.rs", long, &[": 801 lines"]),
            ("bins/player/src/a.rs", mark(0), &[":2: `"]),
            ("crates/game/tests/a.rs", mark(1), &[":2: `"]),
            (
                "crates/game/src/a.rs",
                format!("{doc}// {}\n", MARKS[0].0),
                &[],
            ),
            (
                "crates/game/src/a.rs",
                format!("{doc}println!(\n"),
                &[":2: `println!(`: only binaries"],
            ),
            ("bins/player/src/a.rs", format!("{doc}println!(\n"), &[]),
            ("crates/testkit/src/a.rs", format!("{doc}println!(\n"), &[]),
            ("crates/game/src/a.rs", tests.clone(), &[]),
            ("crates/game/src/tests.rs", format!("{doc}println!(\n"), &[]),
            (
                "crates/game/src/a.rs",
                format!("{doc}use std::fs;\n"),
                &[":2: `std::fs`"],
            ),
            (
                "crates/serve/src/a.rs",
                format!("{doc}use std::thread;\n"),
                &[],
            ),
        ] {
            let found = problems(path, &text);
            assert_eq!(found.len(), expected.len(), "{path}: {text}: {found:?}");
            for (problem, begins) in found.iter().zip(expected) {
                assert!(problem.starts_with(begins), "{problem}");
            }
        }
    }

    #[test]
    fn finds_the_sources() {
        let files = sources(&super::super::root()).unwrap();
        assert!(files.contains(&PathBuf::from("crates/gdl-parse/src/lib.rs")));
        assert!(files.contains(&PathBuf::from("xtask/src/tidy/files.rs")));
    }
}
