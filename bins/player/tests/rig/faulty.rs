//! A player that commits prescribed faults.

use game::{Engine, GroundTerm, RoleId, State};
use protocol::http::{Progress, RequestReader, write_response};
use protocol::{Message, Moves};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// How a player answers a request for a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Does {
    /// Answers with a legal move.
    Well,
    /// Answers with a legal move after the time limit.
    Late,
    /// Answers with a term that is not a move of the game.
    Illegal,
    /// Closes the connection without an answer.
    Close,
    /// Answers with text that is not a term.
    Garbage,
    /// Answers with empty text.
    Nothing,
    /// Closes the connection in the middle of the answer.
    Cut,
    /// Sends an endless answer at full speed.
    Flood,
    /// Sends its answer so slowly that it never ends.
    Drip,
}

/// A player on a free port that follows its match with the reasoner.
pub struct Faulty {
    pub address: SocketAddr,
    ended: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Faulty {
    /// A player that follows this plan turn by turn, repeatedly.
    pub fn start(plan: Vec<Does>) -> Faulty {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let ended = Arc::new(AtomicBool::new(false));
        let over = ended.clone();
        let game = Arc::new(Mutex::new(None));
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if over.load(Ordering::Acquire) {
                    break;
                }
                let (game, plan) = (game.clone(), plan.clone());
                // One thread per connection, so that it can accept the next request while a
                // slow answer is sent.
                std::thread::spawn(move || answer(stream.unwrap(), &game, &plan));
            }
        });
        Faulty {
            address,
            ended,
            thread: Some(thread),
        }
    }
}

impl Drop for Faulty {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Release);
        // Wakes the thread, which is blocked in `accept`.
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The match that the player takes part in.
struct Game {
    engine: Box<dyn Engine>,
    role: RoleId,
    state: State,
    turn: usize,
}

impl Game {
    fn new(rules: &str, role: &GroundTerm) -> Game {
        let engine = super::referee(rules);
        let role = engine.roles().iter().position(|name| name == role).unwrap();
        Game {
            role: RoleId(role),
            state: engine.initial(),
            turn: 0,
            engine,
        }
    }

    fn advance(&mut self, moves: &Moves) {
        if let Moves::Joint(terms) = moves {
            let joint: Vec<_> = terms
                .iter()
                .enumerate()
                .map(|(role, term)| {
                    let term = term.as_ref().unwrap();
                    self.engine.find_move(RoleId(role), term).unwrap()
                })
                .collect();
            let mut next = State::default();
            self.engine.next(&self.state, &joint, &mut next).unwrap();
            self.state = next;
        }
    }

    fn legal(&mut self) -> String {
        let mut moves = Vec::new();
        self.engine
            .legal(&self.state, self.role, &mut moves)
            .unwrap();
        self.engine.move_term(self.role, moves[0]).to_string()
    }
}

fn read(stream: &mut TcpStream) -> Option<Message> {
    let mut reader = RequestReader::default();
    let mut buffer = [0; 4096];
    loop {
        let count = stream.read(&mut buffer).ok()?;
        if count == 0 {
            return None;
        }
        if let Progress::Done(request) = reader.feed(&buffer[..count]).ok()? {
            return Message::parse(&request.message()?).ok();
        }
    }
}

/// Answers one message.
fn answer(mut stream: TcpStream, game: &Mutex<Option<Game>>, plan: &[Does]) {
    let (does, mv) = match read(&mut stream) {
        Some(Message::Start { role, rules, .. }) => {
            *game.lock().unwrap() = Some(Game::new(&rules, &role));
            (Does::Well, "ready".to_string())
        }
        Some(Message::Play(turn)) => {
            let mut game = game.lock().unwrap();
            let game = game.as_mut().unwrap();
            game.advance(&turn.moves);
            let does = plan[game.turn % plan.len()];
            game.turn += 1;
            (does, game.legal())
        }
        _ => (Does::Well, "done".to_string()),
    };
    // The other side may have closed the connection.
    let mut say = |bytes: &[u8]| stream.write_all(bytes).is_ok();
    match does {
        Does::Well => say(&write_response(&mv)),
        Does::Late => {
            std::thread::sleep(Duration::from_secs(2));
            say(&write_response(&mv))
        }
        Does::Illegal => say(&write_response("(no such move)")),
        Does::Close => true,
        Does::Garbage => say(&write_response(")(")),
        Does::Nothing => say(&write_response("")),
        Does::Cut => say(b"HTTP/1.0 200 OK\r\nContent-Length: 50\r\n\r\n(mark"),
        Does::Flood => {
            while say(&[b'x'; 4096]) {}
            true
        }
        Does::Drip => {
            let _ = say(b"HTTP/1.0 200 OK\r\nContent-Length: 100000\r\n\r\n");
            while say(b"x") {
                std::thread::sleep(Duration::from_millis(20));
            }
            true
        }
    };
}
