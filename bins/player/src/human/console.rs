//! Lines from the keyboard, with an editor on a terminal, or from a pipe.

use budget::Stop;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};
use std::io::{BufRead, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// How often the stop signal is looked at.
const SLICE: Duration = Duration::from_millis(50);

/// What came from the keyboard.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// A line without its end.
    Text(String),
    /// Ctrl-C at the prompt.
    Interrupted,
    /// Ctrl-D, the end of the pipe, or the stop signal.
    End,
}

/// Reads lines. All humans of a match share one console.
pub struct Console {
    source: Source,
    stop: Stop,
}

enum Source {
    /// On a terminal: an editor with history and completion.
    Editor(Box<Editor<Words, MemHistory>>),
    /// A thread that reads the standard input, so that waiting for it can be interrupted.
    Pipe(Receiver<String>),
}

impl Console {
    /// A console on the standard input. Waiting for a line ends with `stop`.
    pub fn open(stop: &Stop) -> Console {
        let terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        let editor = terminal.then(editor).and_then(Result::ok);
        Console {
            source: editor.map_or_else(
                || Source::Pipe(pipe()),
                |editor| Source::Editor(Box::new(editor)),
            ),
            stop: stop.clone(),
        }
    }

    /// Asks for a line. Tab completes its beginning to one of `words`.
    pub fn read(&mut self, prompt: &str, words: impl FnOnce() -> Vec<String>) -> Line {
        match &mut self.source {
            Source::Editor(editor) => {
                editor.set_helper(Some(Words(words())));
                let line = interruptible(&self.stop, || editor.readline(prompt));
                match line {
                    Ok(line) => {
                        // An entry that cannot be kept is only missing from the history.
                        let _ = editor.add_history_entry(line.as_str());
                        Line::Text(line)
                    }
                    Err(_) if self.stop.is_stopped() => Line::End,
                    Err(ReadlineError::Interrupted | ReadlineError::Signal(_)) => Line::Interrupted,
                    Err(_) => Line::End,
                }
            }
            Source::Pipe(lines) => {
                let mut out = std::io::stdout();
                let _ = write!(out, "{prompt}").and_then(|()| out.flush());
                loop {
                    if self.stop.is_stopped() {
                        return Line::End;
                    }
                    match lines.recv_timeout(SLICE) {
                        Ok(line) => return Line::Text(line),
                        Err(RecvTimeoutError::Timeout) => {}
                        Err(RecvTimeoutError::Disconnected) => {
                            let _ = writeln!(out);
                            return Line::End;
                        }
                    }
                }
            }
        }
    }
}

fn editor() -> rustyline::Result<Editor<Words, MemHistory>> {
    let config = Config::builder()
        .completion_type(CompletionType::List)
        .build();
    let history = MemHistory::with_config(&config);
    Editor::with_history(config, history)
}

/// The lines of the standard input.
fn pipe() -> Receiver<String> {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    lines
}

/// Runs `read`, which waits for a key, and interrupts it when `stop` is sent: signals other than
/// ctrl-C do not reach the editor.
fn interruptible<T>(stop: &Stop, read: impl FnOnce() -> T) -> T {
    let done = Arc::new(AtomicBool::new(false));
    std::thread::scope(|scope| {
        let (over, stop) = (done.clone(), stop.clone());
        scope.spawn(move || {
            while !over.load(Ordering::Acquire) {
                if stop.is_stopped() {
                    // The editor catches this signal while it waits. A failure leaves it waiting.
                    let _ = kill(Pid::this(), Signal::SIGINT);
                    break;
                }
                std::thread::park_timeout(SLICE);
            }
        });
        let line = read();
        done.store(true, Ordering::Release);
        line
    })
}

/// The words that Tab completes to.
struct Words(Vec<String>);

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        pos: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(completions(&self.0, line, pos))
    }
}

impl Hinter for Words {
    type Hint = String;
}
impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}

/// The place from which a line is completed, and the words that fit. Moves are completed without
/// the outer parenthesis, which may be left out.
fn completions(words: &[String], line: &str, pos: usize) -> (usize, Vec<String>) {
    let written = &line[..pos];
    let body = written.trim_start_matches([' ', '(']);
    let beginning = body.to_lowercase();
    let fits = words.iter().filter(|word| word.starts_with(&beginning));
    (written.len() - body.len(), fits.cloned().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_and_commands_are_completed() {
        let words = ["mark 1 1", "mark 1 2", "moves", "noop"].map(str::to_owned);
        for (line, start, count) in [
            ("", 0, 4),
            ("ma", 0, 2),
            ("Mark 1", 0, 2),
            (" (mark 1 2", 2, 1),
            ("m", 0, 3),
            ("z", 0, 0),
        ] {
            let (from, found) = completions(&words, line, line.len());
            assert_eq!((from, found.len()), (start, count), "{line}");
        }
        // Only what is before the cursor counts.
        assert_eq!(completions(&words, "noop 7", 2).1, ["noop"]);
    }
}
