//! Tests of pondering in the real binary: it searches between its answers, and it stops at
//! once.

mod rig;

use rig::{Player, fixture, start_message};
use std::path::Path;
use std::time::{Duration, Instant};

/// The player uses a tenth of a clock of one second, so that the nodes of pondering stand out.
const FAST: [&str; 4] = ["--margin-ms", "10000", "--margin-percent", "90"];
/// A search that reports how many nodes its graph has.
const COUNTING: [&str; 2] = ["--profile", "default:no-knowledge"];
/// The thinking time of the opponent.
const PAUSE: Duration = Duration::from_millis(700);

/// The reply, and how long it took.
fn timed(player: &Player, message: &str) -> (String, Duration) {
    let since = Instant::now();
    let reply = player.say(message);
    (reply, since.elapsed())
}

/// How long a choice may take to appear in the log. On a busy machine the player may have had
/// no time to search, and then it logs nothing.
const SOON: Duration = Duration::from_secs(5);

/// The log line of choice number `count`; `None` if it does not appear in time.
fn last_choice(log: &Path, count: usize) -> Option<String> {
    let since = Instant::now();
    loop {
        let text = rig::read(log);
        let choices: Vec<&str> = text
            .lines()
            .filter(|line| line.contains(" playouts, "))
            .collect();
        if choices.len() >= count {
            return Some(choices[count - 1].to_string());
        }
        if since.elapsed() > SOON {
            return None;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Plays a move, lets the opponent think twice, and returns the number of nodes of the graph
/// after the next move. `None` if there was no time to search.
///
/// The visits known before the next move would say less: after longer thought another reply
/// may be the best one, so that the reply played has few of the visits.
fn nodes_after(flags: &[&str]) -> Option<u64> {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log");
    let file = std::fs::File::create(&log).expect("a file");
    let player =
        Player::start_logging("info", file.into(), &[&FAST[..], &COUNTING, flags].concat());
    let rules = fixture("connect_four");
    assert_eq!(player.say(&start_message(&rules, 1, 1)), "ready");
    let (own, took) = timed(&player, "(play m nil)");
    assert!(took < Duration::from_secs(1), "{took:?}");
    last_choice(&log, 1)?;
    std::thread::sleep(PAUSE);

    let (noop, took) = timed(&player, &format!("(play m ({own} noop))"));
    assert_eq!(noop, "noop");
    assert!(took < Duration::from_secs(1), "{took:?}");
    std::thread::sleep(PAUSE);

    let (_, took) = timed(&player, "(play m (noop (drop 1)))");
    assert!(took < Duration::from_secs(1), "{took:?}");
    let choice = last_choice(&log, 2)?;
    let (before, _) = choice.split_once(" nodes").expect("it counts nodes");
    let nodes = before.rsplit(' ').next().expect("a word");
    Some(nodes.parse().expect("a number"))
}

#[test]
fn the_graph_grows_while_pondering_and_answers_are_in_time() {
    // While pondering, the search runs for many times the play clock. The test asks for much
    // less than that ratio, and tries more than once, because a busy machine may have had no time
    // to search.
    let mut seen = Vec::new();
    for _ in 0..3 {
        let (with, without) = (nodes_after(&[]), nodes_after(&["--ponder", "false"]));
        if with
            .zip(without)
            .is_some_and(|(with, without)| with > 2 * without)
        {
            return;
        }
        seen.push((with, without));
    }
    panic!("nodes with thinking on, and without: {seen:?}");
}

/// The processor time of a process, in hundredths of a second.
#[cfg(target_os = "linux")]
fn ticks(player: &Player) -> u64 {
    let text = rig::read(Path::new(&format!("/proc/{}/stat", player.child.id())));
    let numbers = text.rsplit_once(')').expect("a name").1;
    let numbers = numbers.split_whitespace().skip(11).take(2);
    numbers
        .map(|ticks| ticks.parse::<u64>().expect("a number"))
        .sum()
}

#[cfg(target_os = "linux")]
#[test]
fn the_search_stops_at_the_end_of_the_match() {
    let player = Player::start(&FAST);
    for end in ["(stop m nil)", "(abort m)"] {
        assert_eq!(
            player.say(&start_message(&fixture("breakthrough"), 1, 10)),
            "ready"
        );
        player.say("(play m nil)");
        let (before, since) = (ticks(&player), Instant::now());
        while ticks(&player) < before + 10 {
            assert!(since.elapsed() < rig::LONG, "it does not think on");
            std::thread::sleep(Duration::from_millis(5));
        }
        player.say(end);
        // Threads end within moments. Without the message the search would continue for many
        // seconds.
        let since = Instant::now();
        loop {
            let before = ticks(&player);
            std::thread::sleep(Duration::from_millis(300));
            let after = ticks(&player) - before;
            if after <= 1 {
                break;
            }
            assert!(
                since.elapsed() < Duration::from_secs(5),
                "{after} hundredths of a second after {end}"
            );
        }
    }
}
