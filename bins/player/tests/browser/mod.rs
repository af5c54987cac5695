//! Drives a real Chromium through its WebDriver, and serves the table that it looks at.
//!
//! The protocol is JSON over HTTP, of which the tests need a dozen messages; a client for all of it
//! would be the largest dependency of the workspace.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The longest time that a test waits for anything.
const LONG: Duration = Duration::from_secs(90);
/// How often a test looks whether something has happened.
const OFTEN: Duration = Duration::from_millis(25);

/// Whether an answer has arrived as a whole; `false` as well if it does not tell its length.
fn is_whole(answer: &[u8]) -> bool {
    let Some(head) = answer.windows(4).position(|four| four == b"\r\n\r\n") else {
        return false;
    };
    let lines = String::from_utf8_lossy(&answer[..head]).to_ascii_lowercase();
    let length = lines
        .lines()
        .find_map(|line| line.strip_prefix("content-length:"));
    let length = length.and_then(|length| length.trim().parse::<usize>().ok());
    length.is_some_and(|length| answer.len() >= head + 4 + length)
}

/// An HTTP message to a server on this machine. Returns the head of the answer and its body.
fn exchange(
    address: SocketAddr,
    method: &str,
    path: &str,
    lines: &str,
    body: &str,
) -> (String, String) {
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream.set_read_timeout(Some(LONG)).expect("a timeout");
    let length = body.len();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {length}\r\n{lines}\r\n"
    );
    stream
        .write_all((head + body).as_bytes())
        .expect("it reads");
    // Not every server closes the connection when it is asked to.
    let (mut answer, mut piece) = (Vec::new(), [0; 4096]);
    while !is_whole(&answer) {
        match stream.read(&mut piece).expect("it answers") {
            0 => break,
            count => answer.extend_from_slice(&piece[..count]),
        }
    }
    let answer = String::from_utf8_lossy(&answer);
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    (head.to_owned(), body.to_owned())
}

/// An HTTP message to a server on this machine. Returns the status and the body.
pub fn http(
    address: SocketAddr,
    method: &str,
    path: &str,
    lines: &str,
    body: &str,
) -> (u16, String) {
    let (head, body) = exchange(address, method, path, lines, body);
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
    (status.expect("a status"), body)
}

/// A `rocinante table` process on a free port. It is killed when the value is dropped.
pub struct Server {
    child: Child,
    pub address: SocketAddr,
}

impl Server {
    /// Serves these folders, and keeps its tables in `store`.
    pub fn start(store: &Path, flags: &[&str]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_rocinante"))
            .args([
                "table",
                "--port",
                "0",
                "--threads",
                "1",
                "--memory-mib",
                "64",
                "--tables",
            ])
            .arg(store)
            .args(flags)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("its output is piped");
        BufReader::new(stdout)
            .read_line(&mut line)
            .expect("it says where it is");
        let address = line
            .split("http://")
            .nth(1)
            .and_then(|rest| rest.split('/').next());
        let address = address.and_then(|text| text.parse().ok());
        Server {
            address: address.unwrap_or_else(|| panic!("no address in {line:?}")),
            child,
        }
    }

    /// The address of a page.
    pub fn page(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// A message as a browser sends it from one of the server's own pages.
    pub fn post(&self, path: &str, body: &str) -> (u16, String) {
        self.post_from(path, body, &format!("http://{}", self.address))
    }

    /// The same from a page of another server.
    pub fn post_from(&self, path: &str, body: &str, origin: &str) -> (u16, String) {
        let lines = self.form_lines(origin);
        http(self.address, "POST", path, &lines, body)
    }

    /// Lays a table by the fields of a form. Returns its address.
    pub fn open(&self, fields: &str) -> String {
        let lines = self.form_lines(&format!("http://{}", self.address));
        let (head, _) = exchange(self.address, "POST", "/tables", &lines, fields);
        let address = head
            .lines()
            .find_map(|line| line.strip_prefix("location: "));
        let address = address.unwrap_or_else(|| panic!("no table: {head}"));
        address.trim().to_owned()
    }

    fn form_lines(&self, origin: &str) -> String {
        let host = self.address;
        format!(
            "Host: {host}\r\nOrigin: {origin}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        )
    }

    /// What is at an address.
    pub fn get(&self, path: &str) -> (u16, String) {
        http(
            self.address,
            "GET",
            path,
            &format!("Host: {}\r\n", self.address),
            "",
        )
    }

    /// Sends it ctrl-C, and returns how long it took to end.
    pub fn interrupt(mut self) -> Duration {
        let began = Instant::now();
        let pid = nix::unistd::Pid::from_raw(self.child.id() as i32);
        nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGINT).expect("it runs");
        let status = self.child.wait().expect("it ends");
        assert!(status.success(), "{status}");
        began.elapsed()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A window of Chromium. It is closed when the value is dropped.
pub struct Browser {
    driver: Child,
    address: SocketAddr,
    session: String,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// Opens a window; `None`, with a message, where there is no Chromium with its driver.
    #[expect(clippy::disallowed_macros, reason = "tests that are skipped say so")]
    pub fn open() -> Option<Browser> {
        let there = |name: &str| {
            let paths = std::env::var_os("PATH").unwrap_or_default();
            std::env::split_paths(&paths).any(|folder| folder.join(name).is_file())
        };
        if !there("chromedriver") || !there("chromium") {
            println!("skipped: there is no chromium with its chromedriver on this machine");
            return None;
        }
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the driver starts");
        let stdout = BufReader::new(driver.stdout.take().expect("its output is piped"));
        let mut lines = stdout.lines();
        let port = lines.find_map(|line| {
            let line = line.ok()?;
            let port = line.split("successfully on port ").nth(1)?;
            port.trim_end_matches('.').parse::<u16>().ok()
        });
        // It goes on talking, and must not wait for a reader.
        std::thread::spawn(move || lines.count());
        let profile = tempfile::tempdir().expect("a folder");
        let folder = format!("--user-data-dir={}", profile.path().display());
        let flags = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--window-size=1300,1000",
            &folder,
        ];
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": {"args": flags},
        }}});
        let mut browser = Browser {
            driver,
            address: SocketAddr::from(([127, 0, 0, 1], port.expect("it tells its port"))),
            session: String::new(),
            _profile: profile,
        };
        let made = browser.say("POST", "/session", &wanted).expect("a session");
        browser.session = made["sessionId"].as_str().expect("its name").to_owned();
        Some(browser)
    }

    fn say(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        let body = if method == "GET" {
            String::new()
        } else {
            body.to_string()
        };
        let lines = "Host: localhost\r\nContent-Type: application/json\r\n";
        let (status, answer) = http(self.address, method, path, lines, &body);
        let answer: Value = serde_json::from_str(&answer).map_err(|error| error.to_string())?;
        match status {
            200 => Ok(answer["value"].clone()),
            _ => Err(answer["value"]["error"].to_string()),
        }
    }

    fn command(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        self.say(method, &format!("/session/{}{path}", self.session), body)
    }

    /// Goes to an address.
    pub fn go(&self, address: &str) {
        let done = self.command("POST", "/url", &json!({"url": address}));
        done.expect("the page is there");
    }

    /// Loads the page again.
    pub fn reload(&self) {
        self.command("POST", "/refresh", &json!({}))
            .expect("it reloads");
    }

    /// What an expression of the page is.
    pub fn value(&self, expression: &str) -> Value {
        let script = json!({"script": format!("return {expression}"), "args": []});
        self.command("POST", "/execute/sync", &script)
            .expect("it can be evaluated")
    }

    /// The address of the page.
    pub fn path(&self) -> String {
        self.value("location.pathname")
            .as_str()
            .unwrap_or("")
            .to_owned()
    }

    /// The text of an element.
    pub fn text(&self, css: &str) -> String {
        let text = self.value(&format!(
            "document.querySelector({})?.textContent",
            json!(css)
        ));
        text.as_str().unwrap_or("").to_owned()
    }

    /// Clicks the element at a position among those that match, as a mouse does. Fails if it has
    /// just been replaced.
    pub fn click(&self, css: &str, at: usize) -> Result<(), String> {
        let query = json!({"using": "css selector", "value": css});
        let found = self.command("POST", "/elements", &query)?;
        let found = found.as_array().cloned().unwrap_or_default();
        let element = found
            .get(at % found.len().max(1))
            .ok_or("no such element")?;
        let id = element
            .as_object()
            .and_then(|object| object.values().next());
        let id = id.and_then(Value::as_str).ok_or("no element")?;
        self.command("POST", &format!("/element/{id}/click"), &json!({}))
            .map(|_| ())
    }

    /// Waits until an expression of the page is true.
    pub fn until(&self, expression: &str) {
        let began = Instant::now();
        while self.value(expression) != Value::Bool(true) {
            let status = self.text("#status");
            assert!(
                began.elapsed() < LONG,
                "in vain: {expression}; it says {status:?}"
            );
            std::thread::sleep(OFTEN);
        }
    }

    /// Waits until an element can be clicked, and clicks it.
    pub fn press(&self, css: &str) {
        let began = Instant::now();
        while let Err(why) = self.click(css, 0) {
            assert!(began.elapsed() < LONG, "{css}: {why}");
            std::thread::sleep(OFTEN);
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            let _ = self.command("DELETE", "", &json!({}));
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
