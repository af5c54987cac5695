//! Display of a match at the terminal.

use crate::progress::Working;
use crate::seen::Seen;
use crate::source;
use crate::summary::Summary;
use anstyle::{AnsiColor, Style};
use budget::Budget;
use compile::Report;
use game::{Engine, GroundTerm};
use gdl_parse::diagnostic::count;
use gdl_parse::{Diagnostic, Level, Rulesheet};
use matches::{End, Fault, Observer, Outcome, Participant, Settings, Step, Watch};
use parking_lot::Mutex;
use prepare::PrepareError;
use show::Viewer;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Prints a line. If nobody reads it any more, [`source::closed`] calls the match off.
macro_rules! say {
    ($($arg:tt)*) => {{ let _ = source::show(&(format!($($arg)*) + "\n")); }};
}

/// How words are set off where the terminal has colours and nobody has said `NO_COLOR`.
const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const NOTE: Style = AnsiColor::Cyan.on_default().bold();
/// The roles and moves of a match.
const MOVE: Style = Style::new().bold();

/// Prints an error on the standard error.
pub fn error(message: &str) {
    source::note(&format!("{ERROR}error{ERROR:#}: {message}"));
}

/// Warns on the standard error if a rulesheet has errors, or lacks what every game needs. The rules
/// with errors are not part of the game.
pub fn complain(game: &Path, diagnostics: &[Diagnostic], sheet: &Rulesheet) {
    let game_name = source::name(game);
    for finding in gdl_check::missing(sheet) {
        source::note(&format!(
            "{WARNING}warning{WARNING:#}: {game_name}: {}",
            finding.message
        ));
    }
    let errors: Vec<_> = diagnostics
        .iter()
        .filter(|d| d.level == Level::Error)
        .collect();
    if let Some(first) = errors.first() {
        source::note(&format!(
            "{WARNING}warning{WARNING:#}: {game_name} has {} and is played without what they \
             concern; the first: {}; see `rocinante check`",
            count(errors.len(), "error"),
            first.message
        ));
    }
}

/// The error for a game that cannot be played as was asked for, with what would do.
pub fn unplayable(game: &Path, error: &PrepareError) -> anyhow::Error {
    let way_out = match error {
        PrepareError::Network(_) => {
            "; --engine auto takes the reasoner in such a case, which plays any rules"
        }
        _ => "",
    };
    anyhow::anyhow!("cannot play {}: {error}{way_out}", source::name(game))
}

/// Says on the standard error if a game is played on the reasoner because nothing faster could be
/// made.
pub fn notice(game: &Path, report: &Report) {
    if let Some(why) = &report.fallback {
        source::note(&format!(
            "{NOTE}note{NOTE:#}: {} is played on the reasoner, which is slower: {why}",
            source::name(game)
        ));
    }
}

/// Shows a match as it is played: every move, then the board.
pub struct Screen {
    roles: Vec<GroundTerm>,
    /// The roles that are played by humans.
    humans: Vec<bool>,
    seen: Seen,
    quiet: bool,
    /// Shows who is thinking, and what; only on terminals.
    working: Shared,
}

/// The line that shows who is thinking, which the thoughts of players are written to.
type Shared = Arc<Mutex<Option<Working>>>;

impl Screen {
    /// A screen for matches of one game; with `quiet` it shows only results.
    pub fn new(engine: &mut dyn Engine, sheet: &Rulesheet, budget: &Budget, quiet: bool) -> Self {
        let samples = matches::samples(engine, budget);
        let roles = engine.roles().to_vec();
        let viewer = Viewer::new(&show::chains(sheet), &samples);
        Screen {
            humans: vec![false; roles.len()],
            seen: Seen::new(viewer, roles.len()),
            roles,
            quiet,
            working: Shared::default(),
        }
    }

    /// What there is to see of the match.
    pub fn seen(&self) -> &Seen {
        &self.seen
    }

    /// Shows what players think while they think.
    pub fn watch(&self) -> Watch {
        let working = self.working.clone();
        let roles = self.roles.clone();
        Arc::new(move |role, thought| {
            if let Some(working) = &*working.lock() {
                working.say(format!("{}: {}", roles[role.0], thought.so_far()));
            }
        })
    }

    /// Prints the game, the settings and the players.
    pub fn opening(
        &mut self,
        game: &Path,
        report: &Report,
        findings: usize,
        settings: &Settings,
        participants: &[Box<dyn Participant>],
    ) {
        self.humans = participants.iter().map(|one| one.is_human()).collect();
        self.seen.opening(participants);
        if self.quiet {
            return;
        }
        say!(
            "{}: {} in {:.0?}",
            game.display(),
            report.engine,
            report.total()
        );
        match findings {
            0 => {}
            1 => say!("1 finding in the rules, see `rocinante check`"),
            _ => say!("{findings} findings in the rules, see `rocinante check`"),
        }
        say!(
            "start clock {:?}, play clock {:?}, seed {}",
            settings.start_clock,
            settings.play_clock,
            settings.seed
        );
        for (role, participant) in self.roles.iter().zip(participants) {
            say!("  {role}: {}", participant.name());
        }
    }

    /// Prints the number of the next match of several.
    pub fn round(&self, round: u64, of: u64) {
        say!("match {} of {of}", round + 1);
    }

    /// Prints the summary of several matches.
    pub fn summary(&self, summary: &Summary) {
        say!("{summary}");
    }

    /// Prints the result of the match.
    pub fn result(&self, outcome: &Outcome) {
        self.rest();
        let after = match outcome.steps {
            1 => "after 1 move".to_owned(),
            steps => format!("after {steps} moves"),
        };
        match &outcome.end {
            End::Terminal => say!("over {after}"),
            End::CalledOff => say!("called off {after}"),
            End::TooLong => say!("given up {after}: no end in sight"),
            End::Broken(why) => say!("broken off {after}: {why}"),
            _ => say!("ended {after}"),
        }
        let names = &outcome.record.player_names_from_host;
        for (at, role) in self.roles.iter().enumerate() {
            let goal = outcome.goals[at].map_or("-".into(), |goal| goal.to_string());
            let faults = match outcome.counts[at] {
                count if count.total() == 0 => String::new(),
                count => format!(", {count}"),
            };
            say!("{goal:>5}  {role} ({}{faults})", names[at]);
        }
    }

    /// Shows what goes on until [`Screen::rest`].
    fn work(&self, text: String) {
        // The old line goes before the new one comes.
        let mut working = self.working.lock();
        *working = None;
        *working = (!self.quiet).then(|| Working::line(text));
    }

    fn rest(&self) {
        *self.working.lock() = None;
    }

    fn faults(&self, faults: &[Option<Fault>]) {
        for (role, fault) in self.roles.iter().zip(faults) {
            if let Some(fault) = fault {
                say!("     {role}: {fault}");
            }
        }
    }
}

impl Observer for Screen {
    fn starting(&mut self, role: &GroundTerm, name: &str) {
        if name == "human" {
            return self.rest();
        }
        self.work(format!("{role}: {name} prepares"));
    }

    fn started(&mut self, facts: &[GroundTerm], faults: &[Option<Fault>]) {
        self.rest();
        if !self.quiet {
            self.faults(faults);
            say!("\n{}", self.seen.draw(facts));
        }
    }

    fn thinking(&mut self, role: &GroundTerm, step: usize, _clock: Duration) {
        // What a human types must not be written over.
        let human = self.roles.iter().position(|one| one == role);
        if human.is_some_and(|human| self.humans[human]) {
            return self.rest();
        }
        self.work(format!("move {}: {role} thinks", step + 1));
    }

    fn taken_back(&mut self, number: usize, facts: &[GroundTerm]) {
        self.rest();
        self.seen.forget();
        if !self.quiet {
            say!("back to move {}\n\n{}", number + 1, self.seen.draw(facts));
        }
    }

    fn moved(&mut self, step: &Step<'_>) {
        self.rest();
        self.seen.moved(step);
        if self.quiet {
            return;
        }
        // Moves without a choice are left out, unless no role had a choice.
        let forced = step.choices.iter().all(|&choices| choices < 2);
        let mut number = format!("{:>3}.", step.number + 1);
        for at in (0..step.roles.len()).filter(|&at| forced || step.choices[at] > 1) {
            let plays = format!("plays {}", step.joint[at]);
            let mut line = format!("{number} {MOVE}{} {plays}{MOVE:#}", step.roles[at]);
            if let Some(thought) = &step.thoughts[at] {
                // The sentence begins with the move, which is set off here.
                let sentence = thought.sentence();
                line += sentence.strip_prefix(&plays).unwrap_or(&sentence);
            }
            if let Some(note) = &step.notes[at] {
                line += &format!(" [{note}]");
            }
            say!("{}", wrapped(&line));
            number = " ".repeat(number.len());
        }
        self.faults(step.faults);
        say!("\n{}", self.seen.draw(step.facts));
    }
}

/// A line in lines of at most 80 columns.
pub fn wrapped(line: &str) -> String {
    let options = textwrap::Options::new(80).subsequent_indent("     ");
    textwrap::fill(line, options)
}
