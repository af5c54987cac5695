//! Well-formed inputs to begin with, made from the fixtures and never kept as files.

use budget::Budget;
use gdl_parse::GroundTerm;
use matches::{Local, Participant, Resources, play};
use prepare::{EngineChoice, Options, prepare};
use protocol::http::write_request;
use protocol::{Message, Turn};
use std::path::Path;
use std::time::Duration;

/// The longest seeds, in bytes. Long ones take the fuzzer's time and show nothing that short
/// ones do not.
const LONGEST: usize = 6_000;

/// The same for rulesheets that are played.
const LONGEST_PLAYED: usize = 2_500;

/// Random games beside the fixtures.
const RANDOM: u64 = 40;

fn rulesheets(folder: &str) -> Vec<Vec<u8>> {
    let folder = testkit::root().join("fixtures").join(folder);
    testkit::files(&folder, "gdl")
        .iter()
        .map(|path| read(path))
        .collect()
}

fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Rulesheets, sound and damaged.
pub(crate) fn texts() -> Vec<Vec<u8>> {
    let mut texts = rulesheets("games");
    texts.extend(rulesheets("check"));
    texts.retain(|text| text.len() <= LONGEST);
    texts
}

/// Rulesheets that can be played.
pub(crate) fn games() -> Vec<Vec<u8>> {
    let mut games = rulesheets("games");
    games.retain(|text| text.len() <= LONGEST_PLAYED);
    games.extend((0..RANDOM).map(|seed| testkit::games::random_game(seed).into_bytes()));
    games
}

/// A small game as text.
fn small() -> String {
    let path = testkit::root().join("fixtures/games/nim.gdl");
    String::from_utf8_lossy(&read(&path)).into_owned()
}

/// Requests of servers, and answers of players.
pub(crate) fn conversations() -> Vec<Vec<u8>> {
    let moves = ["(take 1)", "noop"].map(|text| text.parse::<GroundTerm>().expect("a term"));
    let messages = [
        Message::Info,
        Message::Ping,
        Message::Preview {
            rules: "(role a)".into(),
            clock: Duration::from_secs(1),
        },
        Message::Start {
            id: "m".into(),
            role: GroundTerm::constant("a"),
            rules: small(),
            start_clock: Duration::from_secs(1),
            play_clock: Duration::from_secs(1),
        },
        Message::Play(Turn::new("m", None)),
        Message::Play(Turn::new("m", Some(&moves))),
        Message::Stop(Turn::new("m", Some(&moves))),
        Message::Abort { id: "m".into() },
    ];
    let mut seeds: Vec<Vec<u8>> = messages
        .iter()
        .map(|message| write_request("host:1", "player", &message.to_string()))
        .collect();
    let others = [
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n\
         3\r\n(IN\r\n3;x=y\r\nFO)\r\n0\r\n\r\n",
        "GET /%28INFO+%29 HTTP/1.0\r\n\r\n",
        "OPTIONS / HTTP/1.1\r\n\r\n",
        "HTTP/1.0 200 OK\r\nContent-Length: 8\r\n\r\n(take 1)",
        "((name x) (status available))",
        "((take 1) (explanation \"it wins\") (taunt \"ha\"))",
        "(START m a (role a) (role b) (<= (legal a go) (true p)) 10 5)",
        "(PLAY m 3 (mark 1 1) ((did x noop)))",
    ];
    seeds.extend(others.map(|text| text.as_bytes().to_vec()));
    seeds
}

/// Records of matches between random players.
pub(crate) fn records() -> Vec<Vec<u8>> {
    let games = [
        "nim",
        "tic_tac_toe",
        "rock_paper_scissors_repeated",
        "eight_puzzle",
    ];
    games.map(|name| record(name).into_bytes()).to_vec()
}

fn record(name: &str) -> String {
    let path = testkit::root().join(format!("fixtures/games/{name}.gdl"));
    let rulesheet = String::from_utf8_lossy(&read(&path)).into_owned();
    let budget = Budget::system();
    let options = Options {
        engine: EngineChoice::Reasoner,
        ..Options::default()
    };
    let mut game = prepare(&rulesheet, &options, &budget)
        .expect("a fixture")
        .playable;
    let resources = Resources {
        threads: 1,
        memory: 1 << 20,
    };
    let seat = |_| -> Box<dyn Participant> {
        let player = players::by_name("random").expect("a player");
        Box::new(Local::new(player, game.fork(), resources, &budget))
    };
    let mut seats: Vec<_> = game.engine.roles().iter().map(seat).collect();
    let settings = matches::Settings {
        rulesheet,
        max_steps: 6,
        ..Default::default()
    };
    let outcome = play(&mut *game.engine, &mut seats, &settings, &mut (), &budget);
    outcome.expect("a player for each role").record.to_json()
}

/// Settings of every kind.
pub(crate) fn settings() -> Vec<Vec<u8>> {
    let fixtures = testkit::root().join("fixtures");
    let mut seeds: Vec<Vec<u8>> = [("arena", "toml"), ("positions", "positions")]
        .into_iter()
        .flat_map(|(folder, extension)| testkit::files(&fixtures.join(folder), extension))
        .map(|path| read(&path))
        .collect();
    seeds.retain(|text| text.len() <= LONGEST);
    let lines = [
        "default:no-reuse,playouts=300,threads=2",
        "baseline:nodes=1000",
        "http://localhost:9147/",
        "http://[::1]",
        "java -jar 'a player.jar' {port}",
    ];
    seeds.extend(lines.map(|line| line.as_bytes().to_vec()));
    seeds
}
