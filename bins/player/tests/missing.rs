//! Games that lack a kind of statement, through every command that takes a game.

mod rig;

use rig::run;

/// A small game, statement by statement.
const GAME: [(&str, &str); 6] = [
    ("role", "(role a) (role b)"),
    ("init", "(init (step 0))"),
    (
        "legal",
        "(<= (legal ?r ?m) (role ?r) (move ?m)) (move x) (move y)",
    ),
    (
        "next",
        "(<= (next (step 1)) (true (step 0))) (<= (next (did ?r ?m)) (does ?r ?m))",
    ),
    ("terminal", "(<= terminal (true (step 1)))"),
    (
        "goal",
        "(<= (goal a 100) (true (did a x))) (<= (goal a 0) (true (did a y))) (goal b 50)",
    ),
];

const COMMANDS: [&[&str]; 9] = [
    &["check"],
    &["analyze", "--timeout", "5"],
    &["ground", "--stats"],
    &["ground", "--dot", "-"],
    &["plan", "--start-clock", "0.3"],
    &["simulate", "--seconds", "0.2"],
    &["simulate", "--seconds", "0.2", "--engine", "reasoner"],
    &["scramble"],
    &[
        "match",
        "--start-clock",
        "0.2",
        "--play-clock",
        "0.05",
        "--max-steps",
        "3",
        "--seed",
        "1",
    ],
];

/// What each command says of a game: its exit code and its errors.
fn said(command: &[&str], rules: &str) -> (i32, String) {
    let output = run(&[command, &["-"]].concat(), rules);
    let errors = String::from_utf8_lossy(&output.stderr);
    let text = format!("{}{errors}", String::from_utf8_lossy(&output.stdout));
    let code = output.status.code().unwrap_or(-1);
    assert!(!text.contains("panicked"), "{command:?}: {text}");
    assert!((0..=2).contains(&code), "{command:?}: {code}, {text}");
    (code, text)
}

#[test]
fn every_command_says_what_is_missing() {
    for (missing, _) in GAME {
        let kept = GAME.iter().filter(|(keyword, _)| *keyword != missing);
        let rules: Vec<&str> = kept.map(|(_, rules)| *rules).collect();
        let rules = rules.join("\n");
        for command in COMMANDS {
            let (code, text) = said(command, &rules);
            match missing {
                "role" if command != ["scramble"] => {
                    assert_eq!(code, 2, "{command:?}: {text}");
                    assert!(
                        text.contains("no role") || text.contains("no `role`"),
                        "{command:?}: {text}"
                    );
                }
                "legal" | "terminal" | "goal" if command != ["scramble"] => {
                    let what = format!("there is no `{missing}`");
                    assert!(text.contains(&what), "{command:?}: {text}");
                }
                _ => {}
            }
        }
    }
}

#[test]
fn a_game_without_facts_is_played() {
    let rules = "(role a) (legal a x) (legal a y) (goal a 50)";
    for command in COMMANDS {
        let (code, text) = said(command, rules);
        assert!(
            code == 0 || ["check", "match"].contains(&command[0]),
            "{command:?}: {text}"
        );
    }
}

#[test]
fn texts_without_rules_are_rejected_in_words() {
    for (rules, what) in [
        ("", "no rules"),
        ("; only a comment", "no rules"),
        ("role(x)\nlegal(x,go) :- true(p)", "infix"),
        ("role(x).\nlegal(x,go) :- true(p).", "Prolog"),
        ("<?xml version='1.0'?><game/>", "XML"),
        ("{\"rulesheet\": \"(role x)\"}", "JSON"),
    ] {
        for command in COMMANDS {
            let (code, text) = said(command, rules);
            assert_eq!(code, 2, "{command:?}: {text}");
            let found = text.contains(what) || text.contains("no rule");
            assert!(found, "{command:?} of {rules:?}: {text}");
        }
    }
}
