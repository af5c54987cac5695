//! Humans as players, at the terminal.

mod choices;
mod console;
mod counsel;

pub use crate::seen::Seen;
use crate::source;
use budget::Stop;
use choices::{Choices, Found};
pub use console::Console;
use console::Line;
pub use counsel::Counsel;
use game::GroundTerm;
use matches::{Answer, Fault, Opening, Participant, Turn};
use parking_lot::Mutex;
use std::sync::Arc;

/// Prints to the standard output, whose reader may have gone.
macro_rules! say {
    ($($arg:tt)*) => {{ let _ = source::print(&(format!($($arg)*) + "\n")); }};
}

/// What can be typed at the prompt instead of a move.
const COMMANDS: &[(&str, &str)] = &[
    (
        "moves [BEGINNING]",
        "lists the moves, or those that begin so",
    ),
    ("more", "goes on with the list"),
    ("hint", "what our player would play, after a second"),
    ("why", "what the others thought about their last moves"),
    ("board", "draws the position again"),
    ("undo", "takes your last move back"),
    ("quit", "leaves the match (also Ctrl-D)"),
    ("help", "this list"),
];

/// The human at the keyboard, without a time limit.
pub struct Human {
    stop: Stop,
    console: Arc<Mutex<Console>>,
    seen: Seen,
    counsel: Counsel,
    role: String,
}

impl Human {
    /// A human. If the input ends or is `quit`, the match is called off through `stop`.
    pub fn new(stop: &Stop, console: &Arc<Mutex<Console>>, seen: &Seen, counsel: Counsel) -> Self {
        Human {
            stop: stop.clone(),
            console: console.clone(),
            seen: seen.clone(),
            counsel,
            role: String::new(),
        }
    }

    /// Answers a command. `None` if the line is none, otherwise whether to go on.
    fn command(&mut self, line: &str, turn: &Turn<'_>, list: &mut List<'_>) -> Option<Next> {
        let line = line.trim().trim_start_matches(':');
        let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (name, rest.trim()) {
            ("moves", beginning) => list.begin(beginning),
            ("more", "") => list.go_on(),
            ("hint", "") => {
                say!("thinks for a second");
                match self.counsel.hint(turn) {
                    Ok(hint) => say!("our player {hint}"),
                    Err(fault) => say!("no hint: {fault}"),
                }
            }
            ("why", "") => say!("{}", self.seen.why()),
            ("board", "") => say!("\n{}", self.seen.draw(turn.facts)),
            ("undo", "") if turn.may_take_back => return Some(Next::TakeBack),
            ("undo", "") => say!("{}", self.seen.no_way_back()),
            ("quit" | "q" | "exit", "") => return Some(Next::Leave),
            ("help" | "?", "") => {
                say!("a number, a move, or the beginning of one; Tab completes; or:");
                for (name, what) in COMMANDS {
                    say!("  {name:<18} {what}");
                }
            }
            _ => return None,
        }
        Some(Next::Ask)
    }

    fn leave(&self) -> Fault {
        self.stop.stop();
        Fault::Late
    }
}

/// What follows a command.
enum Next {
    Ask,
    TakeBack,
    Leave,
}

impl Participant for Human {
    fn name(&self) -> String {
        "human".into()
    }

    fn is_human(&self) -> bool {
        true
    }

    fn can_go_back(&self) -> bool {
        true
    }

    fn start(&mut self, opening: &Opening<'_>) -> Result<(), Fault> {
        self.role = opening.roles[opening.role.0].to_string();
        self.counsel.start(opening);
        Ok(())
    }

    fn play(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault> {
        // Another human may just have left.
        if self.stop.is_stopped() {
            return Err(Fault::Late);
        }
        let choices = Choices::new(turn.legal.iter().map(|(_, term)| term));
        let mut list = List::of(&choices);
        list.begin("");
        let prompt = format!("{}, your move (or help): ", self.role);
        let mut interrupted = false;
        loop {
            let words = || words(&choices);
            let line = self.console.lock().read(&prompt, words);
            let line = match line {
                Line::Text(line) => line,
                Line::Interrupted if !interrupted => {
                    interrupted = true;
                    say!("Ctrl-C once more, or Ctrl-D, leaves the match");
                    continue;
                }
                Line::Interrupted | Line::End => return Err(self.leave()),
            };
            interrupted = false;
            if line.trim().is_empty() {
                continue;
            }
            let answer = |mv: &GroundTerm| Answer {
                mv: mv.clone(),
                note: None,
                thought: None,
            };
            // A move goes before a command of the same name, which is then written with a colon.
            if let Some(mv) = choices.exact(&line) {
                return Ok(answer(mv));
            }
            match self.command(&line, turn, &mut list) {
                Some(Next::Ask) => {}
                Some(Next::TakeBack) => return Err(Fault::TakeBack),
                Some(Next::Leave) => return Err(self.leave()),
                None => match choices.find(&line) {
                    Found::Move(mv) => return Ok(answer(mv)),
                    Found::Unclear(why) => say!("{why}"),
                },
            }
        }
    }
}

/// What Tab completes: all moves and commands.
fn words(choices: &Choices<'_>) -> Vec<String> {
    let commands = COMMANDS.iter().map(|(name, _)| {
        let name = name.split(' ').next().unwrap_or(name);
        name.to_owned()
    });
    choices.texts().iter().cloned().chain(commands).collect()
}

/// A list of moves that is shown page by page.
struct List<'a> {
    choices: &'a Choices<'a>,
    /// The moves that are not shown yet.
    left: Vec<usize>,
}

impl<'a> List<'a> {
    fn of(choices: &'a Choices<'a>) -> Self {
        List {
            choices,
            left: Vec::new(),
        }
    }

    /// Shows the first page of the moves that begin so.
    fn begin(&mut self, beginning: &str) {
        self.left = self.choices.beginning_with(beginning);
        match self.left.is_empty() {
            true => say!("no move begins with {beginning:?}"),
            false => self.go_on(),
        }
    }

    /// Shows the next page.
    fn go_on(&mut self) {
        let (page, shown) = self.choices.page(&self.left);
        self.left.drain(..shown);
        let _ = source::print(&page);
        match (shown, self.left.len()) {
            (0, _) => say!("there are no more moves"),
            (_, 0) => {}
            (_, left) => {
                say!("{left} more: `more` shows them, `moves BEGINNING` those that begin so")
            }
        }
    }
}
