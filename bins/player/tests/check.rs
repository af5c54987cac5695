//! Tests of `rocinante check` and `rocinante scramble` as processes.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn rocinante(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rocinante"));
    command
        .args(args)
        .current_dir(testkit::root().join("fixtures"));
    command
}

fn run(args: &[&str]) -> Output {
    rocinante(args).output().unwrap()
}

/// The output, after a check of the exit code.
fn expect(code: i32, args: &[&str]) -> String {
    let output = run(args);
    let text = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {text}{errors}");
    text
}

#[test]
fn exit_codes_depend_on_the_worst_diagnostic() {
    let clean = "games/tic_tac_toe.gdl";
    let warnings = "check/unused.gdl";
    let errors = "check/no_role.gdl";
    assert_eq!(
        expect(0, &["check", clean]),
        format!("{clean}: nothing found\n")
    );
    expect(1, &["check", warnings]);
    expect(2, &["check", errors]);
    expect(1, &["check", clean, warnings]);
    expect(2, &["check", errors, warnings, clean]);
    expect(2, &["check", "--json", errors]);
    let missing = run(&["check", "no/such/file"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("cannot read no/such/file"));
    assert_eq!(run(&["check"]).status.code(), Some(2));
}

#[test]
fn diagnostics_have_a_position_and_advice() {
    let text = expect(1, &["check", "check/undefined.gdl"]);
    for part in [
        "warning[undefined-relation]: nothing defines `(brigth on)`",
        "--> check/undefined.gdl:16:5",
        "help: did you mean `bright`?",
        "check/undefined.gdl: 4 warnings",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(
        !text.contains('\u{1b}'),
        "no colours where nobody sees them"
    );
}

#[test]
fn json() {
    let text = expect(
        2,
        &[
            "check",
            "--json",
            "check/bodyless_rules.gdl",
            "check/empty.gdl",
        ],
    );
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("check_json", text);
    });
}

#[test]
fn folded_case() {
    let mut command = rocinante(&["check", "-", "--fold-case"]);
    let game = std::fs::read(testkit::root().join("fixtures/games/nim.gdl")).unwrap();
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let shouted = game.to_ascii_uppercase();
    child.stdin.take().unwrap().write_all(&shouted).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "-: nothing found\n"
    );
    assert!(output.status.success());
}

#[test]
fn hostile_files_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| -> PathBuf {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    for (path, code) in [
        (file("parentheses", &vec![b'('; 40 << 20]), "too-large"),
        (file("nest", &vec![b'('; 1 << 20]), "too-deep"),
        (
            file("closing", &vec![b')'; 1 << 20]),
            "unbalanced-parenthesis",
        ),
        (file("zeros", &vec![0; 1 << 20]), "control-character"),
        (file("noise", &[0xc3, 0x28, 0xff, 0xfe]), "invalid-utf8"),
    ] {
        let text = expect(2, &["check", &path.to_string_lossy()]);
        assert!(text.contains(&format!("error[{code}]")), "{text}");
        assert!(text.len() < 100_000);
    }
}

#[cfg(unix)]
#[test]
fn endless_files_are_rejected() {
    let text = expect(2, &["check", "/dev/zero"]);
    assert!(text.contains("error[too-large]"), "{text}");
}

#[test]
fn scrambling_adds_no_diagnostics() {
    let folder = tempfile::tempdir().unwrap();
    let clean = |path: &Path, args: &[&str]| {
        expect(0, &[&["check"], args, &[&path.to_string_lossy()]].concat());
    };
    let game = "games/tic_tac_toe.gdl";
    for (i, args) in [
        &["--seed", "1"][..],
        &[
            "--seed",
            "2",
            "--shuffle-rules",
            "--shuffle-arguments",
            "--wire",
        ],
        &["--keep-names", "--shuffle-rules"],
    ]
    .iter()
    .enumerate()
    {
        let args = [&["scramble", game], *args].concat();
        let text = expect(0, &args);
        assert_eq!(text, expect(0, &args), "the seed decides");
        assert_eq!(text.contains("noop"), args.contains(&"--keep-names"));
        let path = folder.path().join(i.to_string());
        std::fs::write(&path, text).unwrap();
        clean(&path, &[]);
    }
    let shouted = expect(0, &["scramble", game, "--dresden", "--wire"]);
    assert_eq!(shouted, shouted.to_ascii_uppercase());
    assert_eq!(
        run(&["scramble", "check/unclosed.gdl"]).status.code(),
        Some(2)
    );
}
