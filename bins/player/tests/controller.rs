//! Tests of the match controller with players in other processes, and with faulty players.

mod rig;

use budget::Budget;
use game::Engine;
use matches::{
    End, FaultCount, Launch, Local, Observer, Outcome, Participant, Process, Remote, Resources,
    Settings, Spawned, Step,
};
use records::validate;
use rig::faulty::{Does, Faulty};
use std::time::{Duration, Instant};

/// Starts `rocinante serve` with this profile.
fn process(profile: &str) -> Process {
    let words = "serve --while-stdin --port 0 --log error --threads 1 --seed 1 --margin-ms 10";
    let mut arguments: Vec<String> = words.split(' ').map(String::from).collect();
    arguments.extend(["--profile".to_string(), profile.to_string()]);
    let launch = Launch {
        program: env!("CARGO_BIN_EXE_rocinante").into(),
        arguments,
    };
    Process::start(&launch, rig::LONG).expect("it listens")
}

/// A participant in a process, which receives these rules.
fn spawned(process: &Process, rules: &str, grace: Duration) -> Box<dyn Participant> {
    let budget = Budget::system();
    let remote = Remote::new(process.address(), rules.into(), None, grace, &budget);
    Box::new(Spawned::new("there".into(), process.clone(), remote))
}

/// A player in this process.
fn local(engine: &dyn Engine) -> Box<dyn Participant> {
    let resources = Resources {
        threads: 1,
        memory: 1 << 20,
    };
    let player = players::by_name("random").expect("a profile");
    let budget = Budget::system();
    Box::new(Local::new(player, engine.fork().into(), resources, &budget))
}

fn play(
    engine: &mut dyn Engine,
    mut participants: Vec<Box<dyn Participant>>,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Outcome {
    let outcome = matches::play(
        engine,
        &mut participants,
        settings,
        observer,
        &Budget::system(),
    )
    .expect("a participant for each role");
    assert_eq!(outcome.end, End::Terminal, "{}", settings.id);
    assert_eq!(validate(&outcome.record, engine), Ok(()));
    outcome
}

/// Two processes play many matches, a hundred with `ROCINANTE_LONG_TESTS=1`: alternating,
/// simultaneous and single-player games, and games with a third player in this process.
#[test]
#[expect(clippy::disallowed_macros, reason = "a figure for people")]
fn two_processes_play_many_matches() {
    let games = [
        "tic_tac_toe",
        "rock_paper_scissors_repeated",
        "buttons_and_lights",
        "three_player_free_for_all",
        "nim",
        "bidding_tic_tac_toe",
        "joint_buttons_and_lights",
        "breakthrough_small",
        "chomp",
        "connect_four_simultaneous",
    ];
    let began = Instant::now();
    let rules = games.map(rig::fixture);
    let players = [process("baseline:playouts=20"), process("random")];
    // Answers are late only if the machine stalls.
    let grace = Duration::from_secs(20);
    let mut moves = 0;
    let long = std::env::var_os("ROCINANTE_LONG_TESTS").is_some_and(|value| value == "1");
    let matches = if long { 100 } else { 40 };
    for number in 0..matches {
        let rules = &rules[number % games.len()];
        let mut engine = rig::referee(rules);
        let roles = engine.roles().len();
        let mut participants = Vec::new();
        for role in 0..roles {
            // The processes alternate between the seats. Each plays one role of a match.
            participants.push(match role {
                0 | 1 => spawned(&players[(role + number / games.len()) % 2], rules, grace),
                _ => local(&*engine),
            });
        }
        let settings = Settings {
            id: format!("hundred.{number}"),
            start_clock: Duration::from_millis(20),
            play_clock: Duration::from_millis(20),
            seed: number as u64,
            ..Settings::default()
        };
        let mut faults = rig::Faults::default();
        let outcome = play(&mut *engine, participants, &settings, &mut faults);
        assert!(
            faults.0.is_empty(),
            "{}: {}",
            games[number % games.len()],
            faults.0.join("; ")
        );
        moves += outcome.steps;
    }
    for process in &players {
        assert_eq!(process.wait(Duration::ZERO), None, "it still runs");
    }
    eprintln!(
        "{matches} matches, {moves} joint moves, {:?}",
        began.elapsed()
    );
}

/// Clocks that a healthy player cannot miss, and that are short enough to wait for a faulty
/// one.
fn patient(id: &str) -> Settings {
    Settings {
        id: id.into(),
        start_clock: Duration::from_secs(20),
        play_clock: Duration::from_millis(700),
        seed: 1,
        ..Settings::default()
    }
}

#[test]
fn every_fault_is_attributed_to_its_player() {
    let codes = |does: &Does| match does {
        Does::Well => "",
        Does::Late | Does::Drip => "TO",
        Does::Close | Does::Cut | Does::Flood => "CE",
        Does::Illegal => "IL (no such move)",
        Does::Garbage => "IL )(",
        Does::Nothing => "IL nothing",
    };
    let plan = [
        Does::Well,
        Does::Late,
        Does::Illegal,
        Does::Close,
        Does::Garbage,
        Does::Cut,
        Does::Flood,
        Does::Nothing,
        Does::Drip,
    ];
    let well = process("random");
    // Simultaneous, alternating, and with three roles.
    for game in [
        "rock_paper_scissors_repeated",
        "tic_tac_toe",
        "three_player_free_for_all",
    ] {
        let rules = rig::fixture(game);
        let mut engine = rig::referee(&rules);
        let roles = engine.roles().len();
        for seat in 0..2 {
            let faulty = Faulty::start(plan.to_vec());
            let address = format!("http://{}", faulty.address).parse().unwrap();
            let grace = Duration::ZERO;
            let remote = Remote::new(address, rules.clone(), None, grace, &Budget::system());
            let mut participants = vec![spawned(&well, &rules, grace)];
            participants.insert(seat, Box::new(remote));
            participants.extend((2..roles).map(|_| local(&*engine)));
            let outcome = play(&mut *engine, participants, &patient(game), &mut ());
            for (at, line) in outcome.record.errors[1..].iter().enumerate() {
                for (role, code) in line.iter().enumerate() {
                    let wanted = match role == seat {
                        true => codes(&plan[at % plan.len()]),
                        false => "",
                    };
                    assert_eq!(code, wanted, "{game}, move {at}, role {role}");
                }
            }
            let steps = outcome.steps;
            let planned = |of: &[Does]| {
                let turns = (0..steps).map(|at| &plan[at % plan.len()]);
                turns.filter(|does| of.contains(does)).count()
            };
            let counted = FaultCount {
                start: 0,
                late: planned(&[Does::Late, Does::Drip]),
                illegal: planned(&[Does::Illegal, Does::Garbage, Does::Nothing]),
                connection: planned(&[Does::Close, Does::Cut, Does::Flood]),
                failed: 0,
            };
            for (role, count) in outcome.counts.iter().enumerate() {
                let wanted = if role == seat {
                    counted
                } else {
                    FaultCount::default()
                };
                assert_eq!(*count, wanted, "{game}, role {role}");
            }
        }
    }
}

/// Kills a process after a number of joint moves.
struct Kills<'a>(&'a Process, usize);

impl Observer for Kills<'_> {
    fn moved(&mut self, step: &Step<'_>) {
        if step.number + 1 == self.1 {
            let id = self.0.id().to_string();
            let mut kill = std::process::Command::new("kill");
            let killed = kill.args(["-KILL", &id]).status().expect("it runs");
            assert!(killed.success());
            assert!(self.0.wait(rig::LONG).is_some());
        }
    }
}

#[cfg(unix)]
#[test]
fn moves_of_a_crashed_process_are_replaced() {
    let rules = rig::fixture("three_player_free_for_all");
    let mut engine = rig::referee(&rules);
    let (crashes, well) = (process("random"), process("random"));
    let grace = Duration::from_secs(5);
    let participants = vec![
        spawned(&well, &rules, grace),
        spawned(&crashes, &rules, grace),
        local(&*engine),
    ];
    let mut kills = Kills(&crashes, 3);
    let outcome = play(&mut *engine, participants, &patient("crash"), &mut kills);
    assert!(outcome.steps > 5);
    let failed = FaultCount {
        failed: outcome.steps - 3,
        ..FaultCount::default()
    };
    assert_eq!(
        outcome.counts,
        [FaultCount::default(), failed, FaultCount::default()]
    );
    for (at, line) in outcome.record.errors.iter().enumerate() {
        let code = if at > 3 { "CE" } else { "" };
        assert_eq!(line[..], ["", code, ""], "state {at}");
    }
    assert_eq!(well.wait(Duration::ZERO), None, "the other still runs");
    // A match can begin with a process that has ended.
    let participants = vec![
        spawned(&crashes, &rules, grace),
        spawned(&well, &rules, grace),
        local(&*engine),
    ];
    let outcome = play(&mut *engine, participants, &patient("after"), &mut ());
    assert_eq!(outcome.counts[0].start, 1);
    assert_eq!(outcome.counts[0].failed, outcome.steps);
    assert_eq!(outcome.faults[1..], [0, 0]);
}

#[test]
fn a_process_ends_with_its_last_handle() {
    let process = process("random");
    let other = process.clone();
    let address: std::net::SocketAddr = process.address().to_string().parse().unwrap();
    drop(process);
    assert!(std::net::TcpStream::connect(address).is_ok());
    drop(other);
    assert!(std::net::TcpStream::connect(address).is_err());
}

#[test]
fn a_process_stops_when_its_input_ends() {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_rocinante"))
        .args(["serve", "--port", "0", "--while-stdin", "--log", "error"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    assert_eq!(child.try_wait().unwrap(), None);
    drop(child.stdin.take());
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if began.elapsed() > rig::LONG {
            child.kill().unwrap();
            panic!("it still runs");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}
