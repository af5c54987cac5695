//! Slips that real rulesheets contain: which rules are understood, and which findings are
//! reported.

use gdl_parse::{Level, ParseOptions, parse};

/// Texts, the rules understood (one per line), and the codes of the findings. Errors have a
/// `!`.
const SLIPS: &[(&str, &str, &[&str])] = &[
    // Plain GDL in unusual forms.
    ("(role a)(role b)", "(role a)\n(role b)", &[]),
    ("((role a) (role b))", "(role a)\n(role b)", &[]),
    ("( ( role a ) )", "(role a)", &[]),
    (
        "(terminal (role a) (<= p q))",
        "terminal\n(role a)\n(<= p q)",
        &[],
    ),
    ("(p (role a))", "(p (role a))", &[]),
    ("(p (f a))", "(p (f a))", &[]),
    (
        "(ROLE a) (<= TERMINAL (Not (TRUE p)))",
        "(role a)\n(<= terminal (not (true p)))",
        &[],
    ),
    (
        "; (role a)\n(role b);(role c)\r(role d)",
        "(role b)\n(role d)",
        &[],
    ),
    ("(<=(goal a 1)(true ?x))", "(<= (goal a 1) (true ?x))", &[]),
    (
        "(<= p (or (not (or q r)) (and q (or r)) (or)))",
        "(<= p (or (not (or q r)) (and q (or r)) (or)))",
        &[],
    ),
    ("terminal", "terminal", &[]),
    ("", "", &[]),
    ("()", "", &["empty-list"]),
    // Needless parentheses.
    (
        "(terminal) (p)",
        "terminal\np",
        &["needless-parentheses"; 2],
    ),
    (
        "(<= ((p a)) ((q)))",
        "(<= (p a) q)",
        &["needless-parentheses"; 3],
    ),
    (
        "(p (a) (?x) ((f a)))",
        "(p a ?x (f a))",
        &["needless-parentheses"; 3],
    ),
    (
        "(role a) ((<= p q))",
        "(role a)\n(<= p q)",
        &["needless-parentheses"],
    ),
    (
        "(role a) ((p 1) (p 2))",
        "(role a)\n(p 1)\n(p 2)",
        &["needless-parentheses"],
    ),
    ("(((role a) (role b)))", "(role a)\n(role b)", &[]),
    (
        "(<= p ((q a) (r b)))",
        "(<= p (and (q a) (r b)))",
        &["list-of-conditions"],
    ),
    // Rules that are facts, or that lack a space.
    (
        "(<= (legal robot move))",
        "(legal robot move)",
        &["empty-body"],
    ),
    (
        "(role a) (<=terminal (true p))",
        "(role a)\n(<= terminal (true p))",
        &["glued-rule"],
    ),
    // Unbalanced parentheses.
    (
        "(role a)) (role b)",
        "(role a)\n(role b)",
        &["!unbalanced-parenthesis"],
    ),
    (
        "(role a) (p (f b)",
        "(role a)\n(p (f b))",
        &["!unbalanced-parenthesis"],
    ),
    (
        "(p a (<= q r) (role b)",
        "(p a)\n(<= q r)\n(role b)",
        &["!unbalanced-parenthesis"],
    ),
    (
        "(<= p (q a (<= q r) (role b)",
        "(<= p (q a))\n(<= q r)\n(role b)",
        &["!unbalanced-parenthesis"],
    ),
    (
        "((<= p (q a (<= q r) (role b))",
        "(<= p (q a))\n(<= q r)\n(role b)",
        &["!unbalanced-parenthesis"],
    ),
    (
        "((role a) (<= p q)) (role b))",
        "(role a)\n(<= p q)\n(role b)",
        &["needless-parentheses", "!unbalanced-parenthesis"],
    ),
    // Names that are easily confused.
    (
        "(cell Empty) (cell empty) (cell Empty)",
        "(cell Empty)\n(cell empty)\n(cell Empty)",
        &["case-clash"],
    ),
    (
        "(<= (p ?x ?X) (q ?x ?X)) (q ?X x)",
        "(<= (p ?x ?X) (q ?x ?X))\n(q ?X x)",
        &["case-clash"],
    ),
    (
        "(base a b) (input a)",
        "(base a b)\n(input a)",
        &["keyword-arity"; 2],
    ),
    // Unreadable parts invalidate the whole rule.
    ("(<=) (role a)", "(role a)", &["!empty-rule"]),
    ("(<= p ?x) (role a)", "(role a)", &["!variable-as-sentence"]),
    ("(?p a) (role a)", "(role a)", &["!variable-as-sentence"]),
    ("(<= p ()) (role a)", "(role a)", &["!no-relation"]),
    ("(p ()) (q (?f a)) (q ((f a) b))", "", &["!no-function"; 3]),
    (
        "(<= p (not)) (<= p (not q r)) (<= p not)",
        "",
        &["!not-arity", "!not-arity", "!misplaced-connective"],
    ),
    (
        "(<= p (distinct a)) (<= p (distinct a b c))",
        "",
        &["!distinct-arity"; 2],
    ),
    (
        "(not p) (<= (or p q) r) (and p) (distinct a b)",
        "",
        &["!misplaced-connective"; 4],
    ),
    (
        "role (role) (role a b) (legal a) (<= p (true)) (terminal a)",
        "",
        &["!keyword-arity"; 6],
    ),
];

#[test]
fn slips_are_understood_and_reported() {
    for &(text, rules, codes) in SLIPS {
        let parsed = parse(text, &ParseOptions::default());
        assert_eq!(parsed.sheet.to_string().trim_end(), rules, "of {text}");
        let found: Vec<String> = parsed
            .diagnostics
            .iter()
            .map(|finding| match finding.level {
                Level::Error => format!("!{}", finding.code),
                Level::Warning => finding.code.to_owned(),
            })
            .collect();
        assert_eq!(found, codes, "of {text}");
        for finding in &parsed.diagnostics {
            assert!(!finding.help.is_empty(), "{} has no help", finding.code);
        }
    }
}

#[test]
fn all_errors_of_a_rule_are_reported_at_once() {
    let parsed = parse("(<= (p (?f a)) (not) (q ()))", &ParseOptions::default());
    let spans: Vec<_> = parsed.diagnostics.iter().map(|d| d.span.start).collect();
    assert_eq!(spans, [8, 15, 24]);
}

#[test]
fn upper_case_rules_are_folded() {
    let options = ParseOptions {
        fold_case: true,
        ..Default::default()
    };
    let parsed = parse(
        "(ROLE Robot) (<= (LEGAL robot MOVE) (true (On ?X ?x)))",
        &options,
    );
    assert_eq!(
        parsed.sheet.to_string(),
        "(role robot)\n(<= (legal robot move) (true (on ?x ?x)))\n"
    );
    assert!(parsed.diagnostics.is_empty());
}

#[test]
fn spans_cover_the_marked_text() {
    let text = "(role é)\n(<= (legal é a) (true (p  ?x)))";
    let parsed = parse(text, &ParseOptions::default());
    let rule = &parsed.sheet.rules[1];
    assert_eq!(rule.head.span.text(text), "(legal é a)");
    assert_eq!(rule.body[0].span().text(text), "(true (p  ?x))");
    let at = gdl_parse::LineColumn::of(text, rule.body[0].span().start);
    assert_eq!((at.line, at.column), (2, 17));
}
