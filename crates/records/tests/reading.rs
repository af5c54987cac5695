//! Tests of reading: the containers of archives, spellings, and faults with their places.

use records::{Entry, Record, Records, Violation, add_states, validate};
use std::io::Write;
use std::time::Duration;

/// A game of one role: it steps from 1 to 3 by one or two.
const RULES: &str = "(role walker) (init (at 1)) (succ 1 2) (succ 2 3)
    (<= (legal walker (go ?y)) (true (at ?x)) (succ ?x ?y))
    (<= (legal walker (go 3)) (true (at 1)))
    (<= (next (at ?y)) (does walker (go ?y)))
    (<= terminal (true (at 3))) (goal walker 100)";

/// The parts of a record of that game, with a hole for more.
fn walk(id: &str, more: &str) -> String {
    format!(
        r#"{{"matchId":"{id}","startClock":10,"playClock":5,"moves":[["( go 2 )"],["( go 3 )"]],
"states":["( ( at 1 ) )","( ( at 2 ) )","( ( at 3 ) )"],"errors":[[""],[""],[""]],
"goalValues":[100],"isCompleted":true{more}}}"#
    )
}

/// The same on one line.
fn line(id: &str) -> String {
    walk(id, "").replace('\n', "")
}

fn read(bytes: &[u8]) -> Vec<Result<Entry, String>> {
    match Records::new(bytes) {
        Ok(records) => records
            .map(|entry| entry.map_err(|error| error.to_string()))
            .collect(),
        Err(error) => vec![Err(error.to_string())],
    }
}

/// The numbers, lines and names of the records; all must be valid by the rules.
fn names(bytes: &[u8]) -> Vec<(usize, usize, String)> {
    let entries = read(bytes).into_iter();
    let name = |entry: Result<Entry, String>| {
        let entry = entry.expect("a record");
        assert_eq!(verdict(&entry.record), Ok(()), "{:?}", entry.record);
        (entry.number, entry.line, entry.record.match_id)
    };
    entries.map(name).collect()
}

fn verdict(record: &Record) -> Result<(), Violation> {
    let made = prepare::prepare(
        RULES,
        &prepare::Options {
            engine: prepare::EngineChoice::Reasoner,
            ..prepare::Options::default()
        },
        &budget::Budget::system(),
    );
    validate(record, &mut *made.expect("good rules").playable.engine)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

#[test]
fn one_record_is_read_from_every_container() {
    let plain = walk("m", "");
    let wide = |big: bool| -> Vec<u8> {
        let units = plain.encode_utf16();
        let bytes = units.map(|unit| {
            if big {
                unit.to_be_bytes()
            } else {
                unit.to_le_bytes()
            }
        });
        bytes.flatten().collect()
    };
    let quoted = serde_json::to_string(&plain).expect("a text");
    for (name, bytes) in [
        ("plain", plain.clone().into_bytes()),
        (
            "with data",
            format!(r#"{{"url":"x","data":{plain}}}"#).into_bytes(),
        ),
        ("with match", format!(r#"{{"match":{plain}}}"#).into_bytes()),
        (
            "deeper",
            format!(r#"{{"ok":true,"result":{{"items":[{{"match":{plain}}}]}}}}"#).into_bytes(),
        ),
        ("as a text", format!(r#"{{"data":{quoted}}}"#).into_bytes()),
        ("in a list", format!("[{plain}]").into_bytes()),
        ("with a mark", format!("\u{feff}{plain}").into_bytes()),
        (
            "with other line ends",
            plain.replace('\n', "\r\n").into_bytes(),
        ),
        ("by an older system", plain.replace('\n', "\r").into_bytes()),
        ("compressed", gzip(plain.as_bytes())),
        (
            "compressed, with a mark",
            gzip(format!("\u{feff}{plain}").as_bytes()),
        ),
        ("UTF-16, little end first", wide(false)),
        ("UTF-16, big end first", wide(true)),
        (
            "UTF-16, with a mark",
            [&[0xff, 0xfe][..], &wide(false)].concat(),
        ),
        (
            "with text in Latin-1",
            walk("m", r#","note":"?""#)
                .replace('?', "\u{e9}")
                .chars()
                .map(|c| c as u8)
                .collect(),
        ),
    ] {
        let found = names(&bytes);
        assert_eq!(found.len(), 1, "{name}");
        assert_eq!((found[0].0, &*found[0].2), (1, "m"), "{name}");
        assert_eq!(read(&bytes).len(), 1);
    }
}

#[test]
fn many_records_are_numbered_and_know_their_lines() {
    let (a, b, c) = (line("a"), line("b"), line("c"));
    let wrapped = |record: &str| format!(r#"{{"url":"x","data":{record}}}"#);
    let wanted = |lines: [usize; 3]| -> Vec<_> {
        let named = lines.into_iter().zip(["a", "b", "c"]).enumerate();
        named
            .map(|(at, (line, name))| (at + 1, line, name.to_string()))
            .collect()
    };
    for (text, lines) in [
        (format!("{a}\n{b}\n{c}\n"), [1, 2, 3]),
        (format!("\n\n{a}\r\n\r\n{b}\r\n{c}"), [3, 5, 6]),
        (
            format!("{}\n{}\n{}", wrapped(&a), wrapped(&b), wrapped(&c)),
            [1, 2, 3],
        ),
        (format!("[{a},\n{b},\n{c}]"), [1, 2, 3]),
        (format!("[\n{a},\n{b},\n{c}\n]"), [2, 3, 4]),
        (format!("{{\"matches\":[\n{a},\n{b},\n{c}]}}"), [2, 3, 4]),
        (format!("{{\"a\":{a},\"b\":\n{b},\"c\":{c}}}"), [1, 2, 2]),
        (
            walk("a", "") + "\n" + &walk("b", "") + &walk("c", ""),
            [1, 4, 6],
        ),
        (format!("{a} {b}{c}"), [1, 1, 1]),
    ] {
        assert_eq!(names(text.as_bytes()), wanted(lines), "{text}");
        assert_eq!(names(&gzip(text.as_bytes())), wanted(lines), "{text}");
    }
}

#[test]
fn a_bad_record_does_not_hide_the_next_one() {
    let (a, c) = (line("a"), line("c"));
    for (bad, why) in [
        (
            "{\"matchId\": ",
            "record 2, line 2: the JSON cannot be read: EOF while parsing a value",
        ),
        (
            "{\"matchId\": 7}",
            "record 2, line 2: matchId is 7 and not a text",
        ),
        (
            "{\"name\": 7}",
            "record 2, line 2: this is no match record: it has no matchId, states or moves",
        ),
        (
            "(role x)",
            "record 2, line 2: this is no match record: neither JSON nor XML",
        ),
        (
            "{\"moves\":[[\"a\"],[{}]]}",
            "record 2, line 2: moves[1][0] is {} and not a term",
        ),
    ] {
        let text = format!("{a}\n{bad}\n{c}\n");
        let found = read(text.as_bytes());
        // A line that does not begin with a brace says that the file is one piece of JSON.
        if bad.starts_with('{') {
            assert_eq!(found.len(), 3, "{bad}");
            assert!(found[2].as_ref().is_ok_and(|entry| entry.number == 3));
            assert_eq!(found[1], Err(why.into()));
        } else {
            assert!(found[0].is_ok() && found[1].is_err());
        }
    }
}

#[test]
fn texts_that_are_no_records_are_rejected() {
    for (text, why) in [
        ("", "line 1: the file is empty"),
        ("\n\n", "the file is empty"),
        ("{}", "line 1: this is no match record: it has no matchId"),
        ("[]", "line 1: this is no match record"),
        ("[[]]", "line 1: this is no match record"),
        ("\"x\"", "line 1: this is no match record"),
        ("{\"states\": 7}", "no match record"),
        ("(role x)", "neither JSON nor XML"),
        ("{\n\"matchId\": 7}", "line 2: matchId is 7 and not a text"),
        (
            "{\"matchId\": \"m\",\n\"goalValues\": [300]}",
            "line 2: goalValues[0] is 300 and not a result from 0 to 100",
        ),
        (
            "{\"matchId\": \"m\", \"goalValues\": [-1]}",
            "goalValues[0] is -1 and",
        ),
        (
            "{\"matchId\": \"m\", \"goalValues\": [50.5]}",
            "goalValues[0] is 50.5 and",
        ),
        (
            "{\"matchId\": \"m\", \"goalValues\": [\"50\"]}",
            "goalValues[0] is \"50\" and",
        ),
        (
            "{\"matchId\": \"m\", \"playClock\": \"30\"}",
            "playClock is \"30\" and not a time in seconds from 0 on",
        ),
        (
            "{\"matchId\": \"m\", \"playClock\": -5}",
            "playClock is -5 and",
        ),
        (
            "{\"matchId\": \"m\", \"start_clock\": -1}",
            "start_clock is -1 and",
        ),
        (
            "{\"matchId\": \"m\", \"previewClock\": -2}",
            "previewClock is -2 and",
        ),
        (
            "{\"matchId\": \"m\", \"startTime\": -2}",
            "startTime is -2 and not a whole number from 0 on",
        ),
        (
            "{\"matchId\": \"m\", \"isCompleted\": \"yes\"}",
            "isCompleted is \"yes\" and not true or false",
        ),
        (
            "{\"matchId\": \"m\", \"stateTimes\": [1, 2.5]}",
            "stateTimes[1] is 2.5 and",
        ),
        (
            "{\"matchId\": \"m\", \"answerTimes\": [[1], [-3]]}",
            "answerTimes[1][0] is -3 and",
        ),
        (
            "{\"moves\": [\n[\"a\"],\n[null]]}",
            "line 3: moves[1][0] is null and not a term",
        ),
        ("{\"moves\": [true]}", "moves[0] is true and not a term"),
        (
            "{\"moves\": [], \"states\": [7]}",
            "states[0] is 7 and not a list",
        ),
        (
            "{\"moves\": [], \"errors\": [[7]]}",
            "errors[0][0] is 7 and not a text",
        ),
        (
            "{\"moves\": [], \"thoughts\": [7]}",
            "thoughts[0] is 7 and not a list of thoughts",
        ),
        (
            "{\"moves\": [[\"a\"]]}\n{\"moves\"",
            "there are several records",
        ),
        (
            "<html></html>",
            "line 1: this is no match record: an XML document with <html>",
        ),
    ] {
        let error = Record::parse(text).expect_err(text).to_string();
        assert!(error.contains(why), "{text}: {error}");
    }
    let damaged = gzip(line("m").as_bytes());
    let error = read(&damaged[..damaged.len() / 2]);
    assert!(error.iter().any(Result::is_err), "{error:?}");
}

#[test]
fn keys_and_values_have_several_spellings() {
    let standard = Record::parse(&walk("m", "")).expect("a record");
    for text in [
        r#"{"match_id":"m","start_clock":10,"play_clock":5.0,"moves":["(go 2)","(go 3)"],
            "states":[["(at 1)"],["(at 2)"],["(at 3)"]],"errors":["","",""],"goal_values":[100.0],
            "is_completed":true}"#,
        r#"{"MatchID":"m","StartClock":1e1,"PlayClock":5,"Moves":[["(go 2)"],["(go 3)"]],
            "States":["(at 1)(x)","((at 2))","((at 3))"],"results":{"walker":100},"errors":null,
            "completed":true}"#,
        r#"{"id":"m","startclock":10,"playclock":5,"jointMoves":[{"walker":"(go 2)"},{"Walker":"(go 3)"}],
            "scores":[100],"isCompleted":true}"#,
        r#"{"matchId":"m","startClock":10,"playClock":5,"moves":[["go",2],["go","3"]],
            "roles":["walker"],"goals":[100],"completed":true,"states":[null,[["at",2]],null]}"#,
        r#"{"matchId":"m","startClock":10,"playClock":5,"moves":[["(GO 2)"],["(GO 3)"]],
            "roles":["WALKER"],"goals":[100],"states":["((AT 1))","((AT 2))","((AT 3))"]}"#,
        r#"{"matchId":"m","startClock":10,"playClock":5,"moves":["((go 2))","((go 3))"]}"#,
    ] {
        let record = Record::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(record.match_id, "m", "{text}");
        assert_eq!(record.start_clock, Duration::from_secs(10), "{text}");
        assert_eq!(record.moves.len(), standard.moves.len(), "{text}");
        let right = verdict(&record);
        // The second has a fact too many.
        match text.contains("(x)") {
            true => {
                assert!(right.is_err_and(|violation| violation.to_string().contains("holds x")))
            }
            false => assert_eq!(right, Ok(()), "{text}"),
        }
    }
}

#[test]
fn moves_of_several_roles_are_told_apart() {
    for (moves, wanted) in [
        (r#"[["(go 1)","noop"]]"#, ["(go 1)", "noop"]),
        (r#"["( (go 1) noop )"]"#, ["(go 1)", "noop"]),
        (r#"["(go 1) noop"]"#, ["(go 1)", "noop"]),
        (r#"["(noop noop)"]"#, ["noop", "noop"]),
        (r#"[[["go","1"],"noop"]]"#, ["(go 1)", "noop"]),
        (r#"[{"b":"noop","a":"(go 1)"}]"#, ["(go 1)", "noop"]),
    ] {
        let text = format!(r#"{{"moves":{moves},"gameRoleNames":["a","b"]}}"#);
        let record = Record::parse(&text).expect(moves);
        assert_eq!(record.moves, [wanted], "{moves}");
    }
    let text = r#"{"moves":[{"a":"(go 1)"}],"roles":["a","b"]}"#;
    let error = Record::parse(text)
        .expect_err("a move is missing")
        .to_string();
    assert!(
        error.contains("not an object with a value for b"),
        "{error}"
    );
}

#[test]
fn records_of_older_servers_are_read() {
    let text = "<?xml version='1.0'?>\n<match id='M.1'><game>Walk</game><role>Walker</role>
        <player>Somebody</player><startclock>10</startclock><playclock>5</playclock>
        <herstory><state><stepnum>1</stepnum>
        <fact><relation>at</relation><argument>1</argument></fact></state></herstory>
        <history><move><stepnum>1</stepnum><action>(go 2)</action></move></history>
        <rewards><reward>100</reward></rewards></match>";
    assert_eq!(names(text.as_bytes()), [(1, 2, "M.1".into())]);
    let mut record = Record::parse(text).expect("a record");
    assert_eq!(record.player_names_from_host, ["Somebody"]);
    assert_eq!(record.states, ["( (at 1) )", ""]);
    let made = prepare::prepare(
        RULES,
        &prepare::Options::default(),
        &budget::Budget::system(),
    );
    add_states(&mut record, &mut *made.expect("good rules").playable.engine);
    assert_eq!(record.states, ["( (at 1) )", "( (at 2) )"]);
    let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(names(&wide).len(), 1);
    let broken = text.replace(
        "<stepnum>1</stepnum><action>",
        "<stepnum>0</stepnum><action>",
    );
    let error = Record::parse(&broken).expect_err("no step 0").to_string();
    assert!(
        error.starts_with("line 6: the step number \"0\""),
        "{error}"
    );
}

#[test]
fn long_files_are_read_a_line_at_a_time() {
    /// An endless file of records, which fails after a number of bytes.
    struct Endless(Vec<u8>, usize);
    impl std::io::Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let count = buffer.len().min(self.0.len());
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0.rotate_left(count);
            self.1 += count;
            assert!(self.1 < 10 << 20, "it is not read as it is needed");
            Ok(count)
        }
    }
    let input = Endless((line("m") + "\n").into_bytes(), 0);
    let records = Records::new(input).expect("it begins well");
    let numbers: Vec<usize> = records
        .take(1000)
        .map(|entry| entry.expect("a record").number)
        .collect();
    assert_eq!(numbers, (1..=1000).collect::<Vec<_>>());
}
