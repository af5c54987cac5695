//! What is understood of the messages of many servers.

use super::*;

fn parse(text: &str) -> String {
    match Message::parse(text) {
        Ok(message) => message.to_string(),
        Err(error) => format!("error: {error}"),
    }
}

#[test]
fn every_dialect_is_understood() {
    for (text, understood) in [
        ("", "( INFO )"),
        (" \r\n\t", "( INFO )"),
        ("( INFO )", "( INFO )"),
        ("info", "( INFO )"),
        ("info()", "( INFO )"),
        ("((info))", "( INFO )"),
        ("()", "( INFO )"),
        ("(ping)", "( PING )"),
        ("(ping manager player)", "( PING )"),
        ("(preview ((role a)) 10)", "( PREVIEW ((role a)) 10 )"),
        ("(PREVIEW ((role a)))", "( PREVIEW ((role a)) 0 )"),
        (
            "(Start m1 a ((role a)) 30 15)",
            "( START m1 a ((role a)) 30 15 )",
        ),
        (
            "( START m.1\ra\n( (role a)\t(role b) )\r\n30 15 extra (more) )",
            "( START m.1 a ( (role a)\t(role b) ) 30 15 )",
        ),
        (
            "(START m (a b) ((role (a b))) 0 0)",
            "( START m (a b) ((role (a b))) 0 0 )",
        ),
        ("(start m a () 1.5 -3)", "( START m a ( () ) 1.5 0 )"),
        (
            "(start m a () 1e99 inf)",
            "( START m a ( () ) 864000 864000 )",
        ),
        (
            "(start m a () 99999999999999999999 1)",
            "( START m a ( () ) 864000 1 )",
        ),
        ("(PLAY m NIL)", "( PLAY m NIL )"),
        ("(play m nil)", "( PLAY m NIL )"),
        ("(play m ())", "( PLAY m NIL )"),
        ("(play m)", "( PLAY m NIL )"),
        ("play m ((mark 1 1) noop)", "( PLAY m ( (mark 1 1) noop ) )"),
        ("(PLAY m (MARK 1))", "( PLAY m ( MARK 1 ) )"),
        ("(PLAY m (a () (b)", "( PLAY m ( a () b ) )"),
        ("(PLAY m left)", "( PLAY m left )"),
        ("(PLAY m 0 NIL NIL)", "( PLAY m 0 NIL NIL )"),
        (
            "(play m 3 (mark 1 1) ((did x noop)))",
            "( PLAY m 3 (mark 1 1) ( (did x noop) ) )",
        ),
        ("(STOP m (a b))", "( STOP m ( a b ) )"),
        ("(stop m nil)", "( STOP m NIL )"),
        ("(abort m)", "( ABORT m )"),
        ("(abort m) trailing (garbage", "( ABORT m )"),
        // Several moves without a list around them.
        ("(PLAY m noop (mark 1 1))", "( PLAY m noop (mark 1 1) )"),
        ("(PLAY m NIL NIL)", "( PLAY m NIL )"),
        ("(PLAY m ((a) b) more)", "( PLAY m ( a b ) )"),
        ("(abort)", "error: ABORT without a match"),
        (
            "(start m a ((role a)) 30)",
            "error: START without a play clock",
        ),
        (
            "(start m a rules 30 15)",
            "error: START with \"rules\" as rules",
        ),
        (
            "(start m a () soon 15)",
            "error: START with \"soon\" as a start clock",
        ),
        (
            "(start m a () NaN 15)",
            "error: START with \"NaN\" as a start clock",
        ),
        ("(start m () () 1 1)", "error: START with \"()\" as a role"),
        (
            "favicon.ico",
            "error: \"favicon.ico\" is not a message of the protocol",
        ),
        ("\0\0", "( INFO )"),
    ] {
        assert_eq!(parse(text), understood, "{text:?}");
    }
}

#[test]
fn rules_and_clocks_of_older_and_sloppier_servers() {
    let usual = "( START m a ( (role a) (init p) ) 30 15 )";
    for text in [
        // Rules without a list of their own.
        "(START m a (role a) (init p) 30 15)",
        "(START m a (role a)(init p)\n30 15 extra)",
        // Rules as a string.
        "(START m a \"((role a) (init p))\" 30 15)",
        "(START m a \"(role a)\\n(init p)\" 30 15)",
        "(START m a '(role a) (init p)' 30 15)",
        // Clocks as strings, with units, in a list, or first.
        "(START m a ((role a) (init p)) \"30\" '15')",
        "(START m a ((role a) (init p)) 30s 15000MS)",
        "(START m a ((role a) (init p)) (30 15))",
        "(START m a ((role a) (init p)) (30) (15))",
        "(START m a 30 15 (role a) (init p))",
        "(START m a 30 15 ((role a) (init p)))",
        // The list of rules is not closed.
        "(START m a ((role a) (init p) 30 15)",
        // Around the message.
        "\"(START m a ((role a) (init p)) 30 15)\"",
        "message=(START m a ((role a) (init p)) 30 15)&more=1",
        "<m>(START m a ((role a) (init p)) 30 15)</m>",
        "6 (START m a ((role a) (init p)) 30 15) 0",
    ] {
        let words = |text: &str| {
            text.replace(['(', ')'], " ")
                .split_whitespace()
                .map(str::to_string)
                .collect::<Vec<_>>()
        };
        assert_eq!(words(&parse(text)), words(usual), "{text}");
        let again = parse(&parse(text));
        assert_eq!(words(&again), words(usual), "{text}");
    }
    // A relation may be called like a unit, and a bare word may be a rule.
    assert_eq!(
        parse("(start m a (role a) (s 30) terminal 30 15)"),
        "( START m a ( (role a) (s 30) terminal ) 30 15 )"
    );
    assert_eq!(
        parse("(preview (role a) (init p) 9)"),
        "( PREVIEW ( (role a) (init p) ) 9 )"
    );
}

#[test]
fn what_has_no_one_meaning_is_named() {
    for (text, error) in [
        ("(start m a)", "START without rules"),
        ("(start m a ((role a)))", "START without a start clock"),
        (
            "(start m a (role a) (init p))",
            "START without a start clock",
        ),
        (
            "(start m a (role a) (init p) 30)",
            "START without a play clock",
        ),
        ("(start m a 30 15)", "START with \"30\" as rules"),
        ("(start m a 30 (role a) 15)", "START with \"30\" as rules"),
        (
            "(start m a ((role a)) thirty fifteen)",
            "START with \"thirty\" as a start clock",
        ),
        (
            "(start m a ((role a)) 30 soon)",
            "START with \"soon\" as a play clock",
        ),
        (
            "(start m ((role a)) 30 15)",
            "START with \"((role a))\" as a role",
        ),
        (
            "(start m a ((role a) (init p) 30)",
            "START without a play clock; its parentheses do not balance",
        ),
        (
            "(start m a ((role a) (init (p 30 15)",
            "START without a start clock; its parentheses do not balance",
        ),
    ] {
        assert_eq!(parse(text), format!("error: {error}"), "{text}");
    }
}

#[test]
fn nests_deeper_than_any_stack_are_refused() {
    let deep = format!("(PLAY m ({}", "(f ".repeat(1_000_000));
    assert!(matches!(
        Message::parse(&deep),
        Err(MessageError::TooLarge(_))
    ));
}

#[test]
fn printing_wraps_rules_and_drops_comments() {
    let start = |rules: &str| Message::Start {
        id: "m".into(),
        role: GroundTerm::constant("a"),
        rules: rules.into(),
        start_clock: Duration::from_millis(500),
        play_clock: Duration::from_secs(1),
    };
    for end in ["\n", "\r\n", "\r"] {
        let rules = "; a game\n(role a) ; me\n(role b)\n".replace('\n', end);
        assert_eq!(
            start(&rules).to_string(),
            "( START m a ( (role a) (role b) ) 0.5 1 )"
        );
    }
    // A list whose first element is a list stays as it is, even beside another list.
    assert_eq!(
        parse("(preview ((f a) (g)) 1)"),
        "( PREVIEW ((f a) (g)) 1 )"
    );
}

fn joint(text: &str, roles: &[&str], me: usize) -> Option<String> {
    let roles: Vec<_> = roles.iter().map(|r| GroundTerm::constant(r)).collect();
    let Ok(Message::Play(turn)) = Message::parse(text) else {
        panic!("{text} is a PLAY");
    };
    let joint = turn.joint(&roles, me)?;
    let words: Vec<_> = joint
        .iter()
        .map(|mv| mv.as_ref().map_or("?".into(), ToString::to_string))
        .collect();
    Some(words.join(" "))
}

#[test]
fn joint_moves_of_every_dialect() {
    let two = ["x", "o"];
    assert_eq!(joint("(play m nil)", &two, 0), None);
    assert_eq!(joint("(play m whatever)", &two, 0), None);
    assert_eq!(joint("(play m (a (b c)))", &two, 0).unwrap(), "a (b c)");
    assert_eq!(joint("(play m (a))", &two, 0).unwrap(), "a ?");
    assert_eq!(joint("(play m (a b c))", &two, 0).unwrap(), "a b");
    assert_eq!(joint("(play m a (b c))", &two, 0).unwrap(), "a (b c)");
    assert_eq!(joint("(play m (b c d) a)", &two, 0).unwrap(), "(b c d) a");
    assert_eq!(joint("(play m (a b) more)", &two, 0).unwrap(), "a b");
    let three = ["x", "o", "z"];
    assert_eq!(joint("(play m 1 2 3)", &three, 0).unwrap(), "1 2 3");
    assert_eq!(joint("(play m left more)", &["r"], 0).unwrap(), "left");
    assert_eq!(joint("(play m left)", &["r"], 0).unwrap(), "left");
    assert_eq!(joint("(play m (go 1 2))", &["r"], 0).unwrap(), "(go 1 2)");
    assert_eq!(joint("(play m ((go 1) 2))", &["r"], 0).unwrap(), "?");
    assert_eq!(joint("(play m 0 nil nil)", &two, 0), None);
    assert_eq!(joint("(play m 1 (b) nil)", &two, 1).unwrap(), "? b");
    assert_eq!(
        joint("(play m 1 a ((did o noop) (seen)))", &two, 0).unwrap(),
        "a noop"
    );
}
