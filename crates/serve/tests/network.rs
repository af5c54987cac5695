//! The service on a socket, open to peers that are slow, large, many, or merely modern.

mod common;

use budget::Stop;
use common::{Habit, Rig, SOON, take_away};
use protocol::http::HttpLimits;
use serve::{Server, ServerLimits};
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A server in this process. It ends when the value is dropped.
struct Open {
    address: SocketAddr,
    stop: Stop,
    running: Option<JoinHandle<()>>,
}

impl Open {
    fn new(limits: ServerLimits) -> Open {
        let rig = Rig::new(take_away(), Habit::Last);
        let any = "127.0.0.1:0".parse().unwrap();
        let server = Server::bind(any, rig.service, limits).unwrap();
        let (address, stop) = (server.address(), Stop::default());
        let stopping = stop.clone();
        Open {
            address,
            stop,
            running: Some(std::thread::spawn(move || server.run(&stopping).unwrap())),
        }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(SOON)).unwrap();
        stream
    }

    /// Everything that comes back for these bytes.
    fn send(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        stream.write_all(bytes).unwrap();
        rest(&mut stream)
    }

    fn say(&self, message: &str) -> String {
        let response = self.send(&protocol::http::write_request("test", "", message));
        response.split_once("\r\n\r\n").unwrap().1.to_string()
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.stop.stop();
        if let Some(running) = self.running.take() {
            let _ = running.join();
        }
    }
}

fn rest(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    // A connection that is given up may be reset.
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8(bytes).unwrap()
}

fn status(response: &str) -> &str {
    response.split(' ').nth(1).unwrap_or("nothing")
}

/// Limits that are reached soon.
fn hasty() -> ServerLimits {
    ServerLimits {
        http: HttpLimits {
            head: 1000,
            body: 10_000,
        },
        quiet: Duration::from_millis(50),
        idle: Duration::from_millis(700),
        head: Duration::from_millis(300),
        request: Duration::from_millis(900),
        ..ServerLimits::default()
    }
}

#[test]
fn a_peer_that_waits_for_permission_gets_it_before_its_body() {
    let open = Open::new(ServerLimits::default());
    let mut stream = open.connect();
    let head = "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 6\r\n\r\n";
    stream.write_all(head.as_bytes()).unwrap();
    let mut interim = [0; 25];
    stream.read_exact(&mut interim).unwrap();
    assert_eq!(&interim, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream.write_all(b"(INFO)").unwrap();
    let response = rest(&mut stream);
    assert!(response.contains("( status available )"), "{response}");
    assert_eq!(response.matches("HTTP/1").count(), 1, "{response}");
    let huge = head.replace("Length: 6", "Length: 99999999999");
    assert_eq!(status(&open.send(huge.as_bytes())), "413");
}

#[test]
fn a_whole_match_in_chunks() {
    let open = Open::new(ServerLimits::default());
    let say = |message: &str| {
        let (first, second) = message.split_at(message.len() / 2);
        let chunk = |text: &str| format!("{:x};name=value\r\n{text}\r\n", text.len());
        let body = format!("{}{}0\r\nTrailer: yes\r\n\r\n", chunk(first), chunk(second));
        let head = "POST http://h:9147/ HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n";
        let response = open.send(format!("{head}{body}").as_bytes());
        response.split_once("\r\n\r\n").unwrap().1.to_string()
    };
    for (message, reply) in [
        (
            "(START M1 PLAYER0 (role player0) (role player1) 100 100)",
            "ready",
        ),
        ("(PLAY M1 NIL)", "(take 3)"),
        ("(PLAY M1 (TAKE 3) NOOP)", "noop"),
        ("(STOP M1 (noop (take 1)))", "done"),
    ] {
        assert_eq!(say(message), reply, "{message}");
    }
}

#[test]
fn of_several_requests_in_a_row_the_first_is_answered() {
    let open = Open::new(ServerLimits::default());
    let one = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 6\r\n\r\n(INFO)";
    let response = open.send(format!("{one}{one}{one}").as_bytes());
    assert_eq!(response.matches("( status available )").count(), 1);
    assert!(response.contains("\r\nConnection: close\r\n"), "{response}");
}

#[test]
fn what_cannot_be_read_is_refused_with_the_reason() {
    let open = Open::new(hasty());
    let post = |headers: &str, body: &str| {
        let length = body.len();
        format!("POST / HTTP/1.1\r\n{headers}\r\nContent-Length: {length}\r\n\r\n{body}")
    };
    for (bytes, code, why) in [
        (post("Content-Encoding: br", "xyz"), "415", "encoded as br"),
        (post("Content-Encoding: gzip", "(info)"), "400", "damaged"),
        (post("X: y", &"(".repeat(20_000)), "413", "too large"),
        (
            post(&format!("X: {}", "y".repeat(2000)), ""),
            "413",
            "too large",
        ),
        ("\u{16}\u{3}\u{1}\r\n\r\n".to_string(), "400", "not HTTP"),
    ] {
        let mut stream = open.connect();
        // The rest of what is too large may not be taken any more.
        let _ = stream.write_all(bytes.as_bytes());
        let response = rest(&mut stream);
        assert_eq!(status(&response), code, "{response}");
        assert!(response.contains(why), "{response}");
    }
    assert_eq!(open.say("(ping)"), "ready");
}

#[test]
fn slow_requests_are_given_up_even_if_bytes_keep_coming() {
    let open = Open::new(hasty());
    for begin in [
        "POST / HTTP/1.0\r\nX: y",
        "POST / HTTP/1.0\r\n\r\n(play m (a",
    ] {
        let began = Instant::now();
        let mut stream = open.connect();
        stream.write_all(begin.as_bytes()).unwrap();
        let mut reader = stream.try_clone().unwrap();
        let reading = std::thread::spawn(move || rest(&mut reader));
        // Ends when the other side has closed the connection.
        while began.elapsed() < SOON && stream.write_all(b"x").is_ok() && !reading.is_finished() {
            std::thread::sleep(Duration::from_millis(20));
        }
        let response = reading.join().unwrap();
        assert!(began.elapsed() < SOON, "{begin}");
        assert!(
            ["408", "nothing"].contains(&status(&response)),
            "{response}"
        );
    }
    // A peer that says nothing more, with its side open.
    let mut silent = open.connect();
    silent
        .write_all(b"POST / HTTP/1.0\r\n\r\n(play m (a")
        .unwrap();
    assert_eq!(status(&rest(&mut silent)), "408");
    // A peer that goes away in the middle gets no answer.
    let mut gone = open.connect();
    gone.write_all(b"POST / HTTP/1.0\r\n\r\n(play m (a")
        .unwrap();
    gone.shutdown(Shutdown::Write).unwrap();
    assert_eq!(rest(&mut gone), "");
}

#[test]
fn floods_of_idle_connections_keep_nobody_out() {
    let open = Open::new(ServerLimits {
        connections: 8,
        per_peer: 6,
        ..ServerLimits::default()
    });
    let mut flood: Vec<TcpStream> = (0..100).map(|_| open.connect()).collect();
    for stream in &mut flood {
        // Some of these were closed already.
        let _ = stream.write_all(b"POST / HTT");
    }
    // Connections that gave way end in a moment; until then one more may be refused.
    let began = Instant::now();
    let mut answered = 0;
    while answered < 20 {
        assert!(began.elapsed() < Duration::from_secs(20), "still kept out");
        answered = match open.say("(ping)").as_str() {
            "ready" => answered + 1,
            _ => 0,
        };
    }
}

/// The number of threads of this process.
#[cfg(target_os = "linux")]
fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").unwrap().count()
}

#[cfg(target_os = "linux")]
#[test]
fn many_matches_in_a_row_leave_nothing_behind() {
    let open = Open::new(ServerLimits::default());
    assert_eq!(open.say("(ping)"), "ready");
    let mut most = 0;
    for number in 0..500 {
        let rules = "((role player0) (role player1))";
        let start = format!("(start m{number} player0 {rules} 100 100)");
        assert_eq!(open.say(&start), "ready");
        assert_eq!(
            open.say("(start other player0 ((role player0)) 100 100)"),
            "busy"
        );
        assert_eq!(open.say(&format!("(abort m{number})")), "aborted");
        most = most.max(threads());
    }
    // Other tests of this file run in the same process.
    assert!(most < 150, "{most} threads");
}
