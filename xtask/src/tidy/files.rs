//! Rules for every source file.

use std::path::{Path, PathBuf};

/// The maximum number of lines of a file; most files are far shorter.
const LONGEST: usize = 800;

/// The maximum number of lines of the median file.
const MEDIAN: usize = 200;

/// Text that is forbidden in code, with the reason. Split, so that this file does not contain
/// it.
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

/// Text that is forbidden in libraries, with the reason.
const LIBRARY_MARKS: &[(&str, &str)] = &[
    ("println!(", "only binaries print"),
    ("print!(", "only binaries print"),
    ("process::exit", "only binaries exit"),
];

/// Text that is forbidden in crates that must also run in a browser or under simulated time.
const CORE_MARKS: &[(&str, &str)] = &[
    ("std::fs", "core crates touch no files"),
    ("std::net", "core crates touch no network"),
    ("std::thread", "core crates start no threads"),
    ("std::env", "core crates look nothing up"),
    ("Instant::now", "core crates are given a clock"),
    ("SystemTime", "core crates are given a clock"),
];

/// Crates at the edge, which may use clocks, threads, files and connections. All others are
/// core.
const EDGE: &[&str] = &[
    "atomic-file",
    "doctor",
    "serve",
    "store",
    "matches",
    "arena",
    "table",
    "tactics",
    "testkit",
    "perft",
    "fuzz-targets",
];

/// Text that single core crates may contain nevertheless.
const EXCEPTIONS: &[(&str, &str)] = &[
    // The only clock of the system, behind a trait.
    ("budget", "Instant::now"),
    // The threads of a search share one tree or graph.
    ("mcts", "std::thread"),
    ("yardstick", "std::thread"),
    // The threads of a team share one table.
    ("dfpn", "std::thread"),
    // A second thread works beside a search that has one.
    ("players", "std::thread"),
    // Methods for puzzles run in threads.
    ("puzzle", "std::thread"),
];

/// Text that only some crates may contain, with the reason.
const ONLY_IN: &[(&str, &[&str], &str)] = &[(
    concat!("Groups::", "find("),
    &["invariants", "compile", "profile"],
    "facts are proved once, in `compile::Proved`",
)];

/// The maximum length of a comment line, in columns.
const WIDEST: usize = 100;

/// Crates for tests, which may print.
const FOR_TESTS: &[&str] = &["testkit", "perft"];

/// All Rust files of the workspace, sorted, relative to its root.
///
/// # Errors
/// Fails if a folder cannot be read.
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

/// The problems of a file.
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
        if line.trim_start().starts_with("//") && line.chars().count() > WIDEST {
            let at = number + 1;
            problems.push(format!(
                "{shown}:{at}: a comment of more than {WIDEST} columns"
            ));
        }
        for (mark, crates, why) in ONLY_IN {
            let inside = crates
                .iter()
                .any(|name| path.starts_with(Path::new("crates").join(name)));
            let code = line.split("//").next().unwrap_or("");
            if number < tests && code.contains(mark) && !inside {
                problems.push(format!("{shown}:{}: `{mark}`: {why}", number + 1));
            }
        }
        // Comments may contain forbidden text.
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

/// The problem of a median file that is too long.
pub(super) fn median(lengths: &mut [usize]) -> Option<String> {
    lengths.sort_unstable();
    let median = *lengths.get(lengths.len() / 2)?;
    (median > MEDIAN).then(|| format!("the median file has {median} lines, more than {MEDIAN}"))
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
    let core = library.is_some_and(|name| !EDGE.contains(&name)) && shipped;
    let excepted = move |mark: &str| {
        let of_this = |(name, allowed): &&(&str, &str)| Some(*name) == library && *allowed == mark;
        EXCEPTIONS.iter().any(|exception| of_this(&exception))
    };
    MARKS
        .iter()
        .chain(LIBRARY_MARKS.iter().filter(move |_| !prints))
        .chain(
            CORE_MARKS
                .iter()
                .filter(move |(mark, _)| core && !excepted(mark)),
        )
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
    fn every_rule_for_files_is_checked() {
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
            (
                "crates/mcts/src/a.rs",
                format!("{doc}use std::thread;\n"),
                &[],
            ),
            (
                "crates/mcts/src/a.rs",
                format!("{doc}use std::net;\n"),
                &[":2: `std::net`"],
            ),
            (
                "crates/players/src/a.rs",
                format!("{doc}let groups = {}logic);\n", ONLY_IN[0].0),
                &[":2: `"],
            ),
            (
                "crates/game/src/a.rs",
                format!("{doc}// {}\n", "x".repeat(WIDEST)),
                &[":2: a comment of more than"],
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
    fn sources_are_found() {
        let files = sources(&super::super::root()).unwrap();
        assert!(files.contains(&PathBuf::from("crates/gdl-parse/src/lib.rs")));
        assert!(files.contains(&PathBuf::from("xtask/src/tidy/files.rs")));
    }
}
