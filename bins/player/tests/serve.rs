//! Tests of the real binary over HTTP: whole matches, and disturbances of them.

mod rig;

use gdl_scramble::{ScrambleOptions, Style};
use matches::{End, Settings};
use rig::{LONG, Player, fixture, play, read, referee, second, start_message};
use std::process::{Command, Stdio};
use std::time::Duration;

/// The player uses a tenth of a clock of one second, so that searching players play fast too.
const FAST: [&str; 4] = ["--margin-ms", "10000", "--margin-percent", "90"];

fn searching() -> Player {
    Player::start(&FAST)
}

fn random() -> Player {
    Player::start(&["--profile", "random"])
}

#[test]
fn whole_matches_of_two_processes() {
    let (a, b, c) = (searching(), random(), random());
    for (game, players) in [
        ("tic_tac_toe", vec![&a, &b]),
        ("tic_tac_toe", vec![&b, &a]),
        ("blocker", vec![&a, &b]),
        ("eight_puzzle", vec![&b]),
        ("three_player_free_for_all", vec![&c, &a, &b]),
        ("breakthrough_small", vec![&b, &c]),
    ] {
        let outcome = play(&fixture(game), &players, None, &second(game));
        assert_eq!(outcome.end, End::Terminal, "{game}");
        assert!(outcome.goals.iter().all(Option::is_some), "{game}");
        for player in players {
            assert!(!player.is_busy(), "{game}: STOP frees the player");
        }
    }
}

#[test]
fn whole_matches_with_scrambled_rules() {
    let (a, b) = (searching(), random());
    let shuffled = ScrambleOptions {
        seed: 7,
        shuffle_rules: true,
        shuffle_arguments: true,
        ..ScrambleOptions::default()
    };
    let upper = ScrambleOptions {
        seed: 8,
        style: Style::Dresden,
        ..ScrambleOptions::default()
    };
    for (game, options) in [("connect_four", shuffled), ("tic_tac_toe", upper)] {
        let outcome = play(&fixture(game), &[&a, &b], Some(options), &second(game));
        assert_eq!(outcome.end, End::Terminal, "{game}");
    }
}

#[test]
fn abort_while_searching() {
    let player = Player::start(&[]);
    let rules = fixture("breakthrough");
    // With these clocks the test would time out if ABORT did not end the search.
    assert_eq!(player.say(&start_message(&rules, 1, 2000)), "ready");
    std::thread::scope(|scope| {
        let play = scope.spawn(|| player.say("( PLAY m NIL )"));
        while !play.is_finished() && !player.is_busy() {
            std::thread::yield_now();
        }
        // Long enough to be in the middle of the search.
        std::thread::sleep(Duration::from_millis(200));
        assert!(!play.is_finished() && player.is_busy());
        assert_eq!(player.say("( ABORT m )"), "aborted");
        let legal: gdl_parse::GroundTerm = play.join().unwrap().parse().unwrap();
        let mut engine = referee(&rules);
        assert!(
            engine.find_move(game::RoleId(0), &legal).is_some(),
            "{legal}"
        );
    });
    assert!(!player.is_busy());
    assert_eq!(player.say(&start_message(&rules, 1, 2000)), "ready");
}

#[test]
fn a_repeated_play_message_gets_the_same_answer() {
    let player = random();
    assert_eq!(
        player.say(&start_message(&fixture("breakthrough"), 10, 10)),
        "ready"
    );
    let answer = player.say("( PLAY m NIL )");
    // A random player would hardly choose the same of 22 moves ten times.
    for _ in 0..10 {
        assert_eq!(player.say("( PLAY m NIL )"), answer);
    }
    let next = format!("( PLAY m ( {answer} noop ) )");
    let waiting = player.say(&next);
    assert_eq!(waiting, "noop");
    assert_eq!(player.say(&next), waiting);
}

#[test]
fn garbage_does_not_disturb_a_match() {
    let player = random();
    assert_eq!(
        player.say(&start_message(&fixture("breakthrough"), 10, 10)),
        "ready"
    );
    let deep = format!("POST / HTTP/1.0\r\n\r\n{}", "(".repeat(1_000_000));
    let nest = format!(
        "POST / HTTP/1.0\r\n\r\n{}{}",
        "(a ".repeat(50_000),
        ")".repeat(50_000)
    );
    let head = format!("POST / HTTP/1.0\r\n{}\r\n", "x: y\r\n".repeat(10_000));
    let garbage: [&[u8]; 12] = [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"\0\0\0\0\r\n\r\n",
        b"(play m nil)",
        b"GET /favicon.ico HTTP/1.1\r\nHost: x\r\n\r\n",
        b"POST / HTTP/1.0\r\nContent-Length: 400\r\n\r\n(play m (",
        b"POST / HTTP/1.0\r\nContent-Length: -5\r\n\r\n(stop",
        b"POST / HTTP/1.0\r\n\r\n)))) (stop other nil)",
        b"POST / HTTP/1.0\r\n\r\n\xff\xfe\xfd",
        b"BREW / HTCPCP/1.0\r\n\r\n",
        deep.as_bytes(),
        nest.as_bytes(),
        head.as_bytes(),
    ];
    for bytes in garbage {
        let response = player.raw_or_reset(bytes);
        assert!(
            response.is_empty() || response.starts_with("HTTP/1.0 "),
            "{response:?}"
        );
    }
    assert!(player.is_busy());
    assert_eq!(player.say("( PLAY m NIL )"), player.say("( PLAY m NIL )"));
    assert_eq!(player.say("( STOP m NIL )"), "done");
}

#[test]
fn sloppy_requests_are_answered() {
    let player = random();
    for bytes in [
        "POST / HTTP/1.0\r\n\r\n",
        "POST / HTTP/1.0\r\nContent-Length: 0\r\n\r\n",
        "POST / HTTP/1.0\r\nCONTENT-LENGTH: 999\r\n\r\n( INFO )",
        "POST / HTTP/1.1\nHost: x\nContent-length: 3\n\n(\tinfo\r\n)",
        "GET /(%20INFO+) HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.0\r\n\r\n",
    ] {
        for half_close in [true, false] {
            let response = player.raw(bytes.as_bytes(), half_close);
            let (head, body) = response.split_once("\r\n\r\n").unwrap();
            assert!(body.contains("( status available )"), "{bytes:?}: {body}");
            assert!(
                head.contains("\r\nAccess-Control-Allow-Origin: *\r\n"),
                "{head}"
            );
            assert!(head.contains("\r\nConnection: close"), "{head}");
        }
    }
    let preflight = player.raw(b"OPTIONS / HTTP/1.1\r\nOrigin: null\r\n\r\n", false);
    assert!(preflight.contains("Access-Control-Allow-Methods: POST, GET, OPTIONS"));
    assert!(preflight.ends_with("\r\n\r\n"));
}

#[test]
fn a_server_of_the_old_protocol_is_understood() {
    let player = random();
    // All in upper case, and rules without a list of their own.
    let start = "(START M1 A\n(ROLE A) (INIT (N 0)) (<= (LEGAL A GO) (TRUE (N 0)))\n\
                 (<= (LEGAL A WAIT) (TRUE (N 0))) (<= (NEXT (N 1)) (DOES A GO))\n\
                 (<= (NEXT (N 0)) (DOES A WAIT)) (<= TERMINAL (TRUE (N 1))) (GOAL A 100)\n10 10)";
    assert_eq!(player.say(start), "ready");
    let answer = player.say("(PLAY M1 NIL)");
    assert!(["GO", "WAIT"].contains(&answer.as_str()), "{answer}");
    assert_eq!(player.say("(STOP M1 (GO))"), "done");
}

#[test]
fn records_of_served_matches_replay() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("new");
    let flags = ["--records", folder.to_str().unwrap()];
    let (a, b) = (Player::start(&[&FAST[..], &flags].concat()), random());
    play(
        &fixture("tic_tac_toe"),
        &[&a, &b],
        None,
        &second("tic_tac_toe"),
    );
    // It is cut off in the middle of another match: nothing that was played is lost.
    let rules = fixture("breakthrough");
    assert_eq!(a.say(&start_message(&rules, 1, 1)), "ready");
    let answer = a.say("( PLAY m NIL )");
    assert_eq!(a.say(&format!("( PLAY m ( {answer} noop ) )")), "noop");
    let began = std::time::Instant::now();
    let recorded = |moves: usize| {
        let files = testkit::files(&folder, "json");
        let moves = |path: &std::path::PathBuf| {
            let record = records::Record::parse(&read(path)).unwrap();
            record.moves.len() == moves
        };
        files.len() == 2 && moves(files.last().unwrap())
    };
    while !recorded(1) {
        assert!(began.elapsed() < LONG, "no record of the second match");
        std::thread::sleep(Duration::from_millis(5));
    }
    drop(a);
    let files = testkit::files(&folder, "json");
    let mut args = vec!["replay", "--check"];
    args.extend(files.iter().map(|path| path.to_str().unwrap()));
    let output = rig::run(&args, "");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    assert_eq!(text.matches("holds, ").count(), 2, "{text}");
    let finished = records::Record::parse(&read(&files[0])).unwrap();
    assert_eq!(finished.is_completed, Some(true));
    assert_eq!(finished.thoughts.len(), finished.moves.len());
    let mut thoughts = finished.thoughts.iter().flatten();
    // Which of these it says depends on the time that it had.
    let said = |line: &str| line.contains("by force") || line.contains("playouts");
    assert!(
        thoughts.any(|thought| said(&thought.line)),
        "{:?}",
        finished.thoughts
    );
}

#[test]
fn slow_requests_are_answered() {
    let player = random();
    let message = start_message(&fixture("tic_tac_toe"), 100, 100);
    let mut bytes = protocol::http::write_request("test", "", &message);
    let tail = bytes.split_off(bytes.len() - 40);
    let response = player.drip(&bytes, &tail, Duration::from_millis(40));
    assert!(response.ends_with("ready"), "{response}");
}

#[test]
fn a_second_server_waits_until_the_first_is_done() {
    let player = random();
    let message = start_message(&fixture("tic_tac_toe"), 100, 100);
    assert_eq!(player.say(&message), "ready");
    let other = message.replacen(" m ", " other ", 1);
    assert_eq!(player.say(&other), "busy");
    assert_eq!(player.say("(play other nil)"), "busy");
    assert_eq!(player.say("(abort m)"), "aborted");
    assert_eq!(player.say(&other), "ready");
}

/// Some of the largest known games, on the shortest clock in use, with two searching players on
/// one machine. A few turns suffice, since the first turn is the critical one. With
/// `ROCINANTE_LONG_TESTS` set, the test runs all games of the corpus.
#[test]
fn clocks_of_a_second_are_kept_in_the_largest_games() {
    let Some(corpus) = testkit::corpus() else {
        return;
    };
    let games = corpus.join("games");
    let paths = match std::env::var_os("ROCINANTE_LONG_TESTS") {
        Some(_) => testkit::files(&games, "kif"),
        None => [
            "amazons_10x10",
            "chess",
            "slaughter",
            "checkers-mustjump-torus",
        ]
        .iter()
        .map(|name| games.join(format!("{name}.kif")))
        .collect(),
    };
    let (a, b) = (Player::start(&[]), Player::start(&[]));
    for path in paths {
        let rules = read(&path);
        let settings = Settings {
            max_steps: 3,
            ..second(&path.display().to_string())
        };
        let roles = referee(&rules).roles().len();
        // Two searching processes share the machine; the players of further roles play at
        // random.
        let others: Vec<Player> = (2..roles)
            .map(|_| Player::start(&["--profile", "random"]))
            .collect();
        let players: Vec<&Player> = [&a, &b].into_iter().chain(&others).take(roles).collect();
        play(&rules, &players, None, &settings);
    }
}

#[test]
fn invalid_settings_are_rejected_at_the_start() {
    let run = |flags: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_rocinante"))
            .arg("serve")
            .args(flags)
            .output()
            .unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (code, error) = run(&["--profile", "nobody"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("no player is called `nobody`"), "{error}");
    let (code, error) = run(&["--config", "/nowhere.toml"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("/nowhere.toml"), "{error}");
    for (flags, word) in [
        (
            ["--log", "loud"],
            "levels are off, error, warn, info, debug, trace",
        ),
        (["--log", "sevre=debug"], "serve and rocinante"),
        (["--records", "/dev/null/records"], "/dev/null/records"),
    ] {
        let (code, error) = run(&flags);
        assert_eq!(code, Some(2), "{error}");
        assert!(error.contains(word), "{error}");
    }
    let player = random();
    let (code, error) = run(&["--port", &player.address.port().to_string()]);
    assert_eq!(code, Some(2));
    assert!(error.contains("cannot listen on 127.0.0.1"), "{error}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_cleanly_even_while_searching() {
    let mut player = Player::start(&[]);
    assert_eq!(
        player.say(&start_message(&fixture("breakthrough"), 1, 2000)),
        "ready"
    );
    let address = player.address;
    let play = std::thread::spawn(move || rig::say_and_forget(address, "( PLAY m NIL )"));
    std::thread::sleep(Duration::from_millis(200));
    let id = player.child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
    let deadline = std::time::Instant::now() + LONG;
    let status = loop {
        if let Some(status) = player.child.try_wait().unwrap() {
            break status;
        }
        assert!(std::time::Instant::now() < deadline, "it does not end");
        std::thread::sleep(Duration::from_millis(5));
    };
    assert!(status.success(), "{status}");
    play.join().unwrap();
}

#[cfg(unix)]
#[test]
fn a_player_started_with_nohup_outlives_its_terminal() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    let program = env!("CARGO_BIN_EXE_rocinante");
    for (launcher, outlives) in [(&["nohup", program][..], true), (&[program], false)] {
        let mut player = Player::launch(launcher, "error", Stdio::inherit(), &[]);
        let id = Pid::from_raw(player.child.id().cast_signed());
        kill(id, Signal::SIGHUP).unwrap();
        std::thread::sleep(Duration::from_millis(300));
        let ended = player.child.try_wait().unwrap();
        assert_eq!(ended.is_none(), outlives, "{launcher:?}");
        kill(id, Signal::SIGTERM).unwrap();
        assert!(player.child.wait().unwrap().success(), "{launcher:?}");
    }
}
