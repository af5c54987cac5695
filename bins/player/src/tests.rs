//! Tests of the command line as a whole.

use crate::{Cli, EXIT_CODES};
use clap::{Arg, Command, CommandFactory};
use std::collections::BTreeMap;

/// The options that several commands share, with the names of their values. Each means the same
/// everywhere; `json` is a switch for what is printed, and a file for what is kept beside it;
/// `all` means all there is, in a folder if it takes one.
const SHARED: &[(&str, &[&str])] = &[
    ("all", &["", "DIR"]),
    ("bind", &["ADDRESS"]),
    ("check", &[""]),
    ("engine", &["ENGINE"]),
    ("explain", &[""]),
    ("fold-case", &["", "BOOL"]),
    ("games", &["N"]),
    ("json", &["", "FILE"]),
    ("max-steps", &["N"]),
    ("memory-mib", &["MIB"]),
    ("no-learning", &["", "BOOL"]),
    ("plans", &["DIR"]),
    ("play", &[""]),
    ("player", &["PLAYER"]),
    ("playouts", &["N"]),
    ("port", &["PORT"]),
    ("quiet", &[""]),
    ("rounds", &["N"]),
    ("rules", &["FILE"]),
    ("seconds", &["SECONDS"]),
    ("seed", &["SEED"]),
    ("shuffle-arguments", &[""]),
    ("shuffle-rules", &[""]),
    ("start-clock", &["SECONDS"]),
    ("store", &["FILE"]),
    ("threads", &["N"]),
];

/// Other words for what is in the table.
const NOT_SO: &[&str] = &[
    "clock",
    "duration",
    "evaluator",
    "jobs",
    "memory",
    "memory-mb",
    "random-seed",
    "time-limit",
    "timeout",
];

/// The options of all commands: the command and the option.
fn options(command: &Command) -> Vec<(String, &Arg)> {
    let own = command
        .get_arguments()
        .map(|arg| (command.get_name().to_owned(), arg));
    own.chain(command.get_subcommands().flat_map(options))
        .collect()
}

fn value(arg: &Arg) -> String {
    if !arg.get_action().takes_values() {
        return String::new();
    }
    let names = arg.get_value_names().unwrap_or_default();
    names
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn the_command_line_is_consistent() {
    Cli::command().debug_assert();
}

#[test]
fn options_are_called_the_same_everywhere() {
    let command = Cli::command();
    let mut uses: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (name, arg) in options(&command) {
        let Some(long) = arg.get_long() else { continue };
        assert!(!NOT_SO.contains(&long), "{name} --{long}");
        let kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        assert!(long.chars().all(kebab), "{name} --{long}");
        uses.entry(long).or_default().push(name.clone());
        if let Some((_, values)) = SHARED.iter().find(|shared| shared.0 == long) {
            let value = value(arg);
            assert!(values.contains(&&*value), "{name} --{long} {value}");
        }
    }
    for (long, commands) in uses {
        let known = ["help", "version"].contains(&long) || SHARED.iter().any(|one| one.0 == long);
        assert!(
            known || commands.len() == 1,
            "--{long} of {commands:?} is not in the table"
        );
    }
}

#[test]
fn every_option_says_what_it_is() {
    for (name, arg) in options(&Cli::command()) {
        let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        assert!(!help.is_empty(), "{name} {}", arg.get_id());
        assert!(!help.ends_with('.'), "{name} {}: {help}", arg.get_id());
    }
}

#[test]
fn exit_codes_are_documented_in_one_place() {
    let page = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/guide/exit-codes.md"
    );
    let page = std::fs::read_to_string(page).expect("the page is there");
    assert!(
        page.contains(EXIT_CODES),
        "docs/guide/exit-codes.md differs from the help text"
    );
    let help = Cli::command().render_help().to_string();
    assert!(
        help.contains("Exit codes:") && help.contains("130"),
        "{help}"
    );
}
