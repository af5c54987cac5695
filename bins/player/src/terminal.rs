//! Display of a match at the terminal.

use crate::who::player_of;
use budget::Budget;
use compile::Report;
use game::{Engine, EngineError, GroundTerm, RoleId, State};
use gdl_parse::diagnostic::count;
use gdl_parse::{Diagnostic, Level, Rulesheet};
use indicatif::ProgressBar;
use matches::{End, Fault, Observer, Outcome, Participant, Settings, Step};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use show::Viewer;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// Prints to the standard output. Errors are ignored, since the reader may have closed the
/// pipe.
macro_rules! say {
    ($($arg:tt)*) => {{ let _ = writeln!(std::io::stdout(), $($arg)*); }};
}

/// Warns on the standard error if a rulesheet has errors, or lacks what every game needs. The rules
/// with errors are not part of the game.
pub fn complain(game: &Path, diagnostics: &[Diagnostic], sheet: &Rulesheet) {
    let game_name = game.display();
    for finding in gdl_check::missing(sheet) {
        eprintln!("warning: {game_name}: {}", finding.message);
    }
    let errors: Vec<_> = diagnostics
        .iter()
        .filter(|d| d.level == Level::Error)
        .collect();
    if let Some(first) = errors.first() {
        eprintln!(
            "warning: {game_name} has {} and is played without what they concern; the first: {}; \
             see `rocinante check`",
            count(errors.len(), "error"),
            first.message
        );
    }
}

/// Shows a match as it is played: every move, then the board.
pub struct Screen {
    roles: Vec<GroundTerm>,
    viewer: Viewer,
    quiet: bool,
    /// Shows which role is thinking; only drawn on terminals.
    spinner: ProgressBar,
}

impl Screen {
    /// A screen for matches of one game; with `quiet` it shows only results.
    pub fn new(engine: &mut dyn Engine, sheet: &Rulesheet, budget: &Budget, quiet: bool) -> Self {
        let samples = match quiet {
            true => Vec::new(),
            false => samples(engine, budget),
        };
        Screen {
            roles: engine.roles().to_vec(),
            viewer: Viewer::new(&show::chains(sheet), &samples),
            quiet,
            spinner: ProgressBar::hidden(),
        }
    }

    /// Prints the game, the settings and the players.
    pub fn opening(
        &self,
        game: &Path,
        report: &Report,
        findings: usize,
        settings: &Settings,
        participants: &[Box<dyn Participant>],
    ) {
        if self.quiet {
            return;
        }
        say!("{}: {report}", game.display());
        if findings > 0 {
            say!("{findings} findings in the rules, see `rocinante check`");
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
        self.spinner.finish_and_clear();
        match &outcome.end {
            End::Terminal => say!("over after {} moves", outcome.steps),
            End::CalledOff => say!("called off after {} moves", outcome.steps),
            End::TooLong => say!("given up after {} moves: no end in sight", outcome.steps),
            End::Broken(why) => say!("broken off after {} moves: {why}", outcome.steps),
            _ => say!("ended after {} moves", outcome.steps),
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

    fn spin(&mut self, text: String) {
        self.spinner.finish_and_clear();
        if !self.quiet {
            self.spinner = ProgressBar::new_spinner().with_message(text);
            self.spinner.enable_steady_tick(Duration::from_millis(100));
        }
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
        self.spin(format!("{role}: {name} prepares"));
    }

    fn started(&mut self, facts: &[GroundTerm], faults: &[Option<Fault>]) {
        self.spinner.finish_and_clear();
        if !self.quiet {
            self.faults(faults);
            say!("\n{}", self.viewer.draw(facts));
        }
    }

    fn thinking(&mut self, role: &GroundTerm, step: usize, _clock: Duration) {
        self.spin(format!("move {}: {role} thinks", step + 1));
    }

    fn moved(&mut self, step: &Step<'_>) {
        self.spinner.finish_and_clear();
        if self.quiet {
            return;
        }
        // Moves without a choice are left out, unless no role had a choice.
        let forced = step.choices.iter().all(|&choices| choices < 2);
        let mut number = format!("{:>3}.", step.number + 1);
        for at in (0..step.roles.len()).filter(|&at| forced || step.choices[at] > 1) {
            let note = step.notes[at].as_ref();
            let note = note.map_or(String::new(), |note| format!("   [{note}]"));
            say!("{number} {} {}{note}", step.roles[at], step.joint[at]);
            number = " ".repeat(number.len());
        }
        self.faults(step.faults);
        say!("\n{}", self.viewer.draw(step.facts));
    }
}

/// The summary of several matches, by player.
pub struct Summary {
    matches: usize,
    players: Vec<Line>,
}

/// The summary of one player.
#[derive(Clone, Default)]
struct Line {
    name: String,
    /// The sum of its goal values; a match without one adds 0.
    points: u64,
    replaced: usize,
}

impl Summary {
    /// The summary of no matches between `players` players.
    pub fn new(players: usize) -> Self {
        Summary {
            matches: 0,
            players: vec![Line::default(); players],
        }
    }

    /// Adds a match in which the players were rotated by `shift` roles.
    pub fn add(&mut self, shift: usize, outcome: &Outcome) {
        self.matches += 1;
        let roles = self.players.len();
        for (role, name) in outcome.record.player_names_from_host.iter().enumerate() {
            let line = &mut self.players[player_of(role, shift, roles)];
            line.name.clone_from(name);
            line.points += u64::from(outcome.goals[role].unwrap_or(0));
            line.replaced += outcome.counts[role].replaced();
        }
    }
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} matches", self.matches)?;
        for (at, line) in self.players.iter().enumerate() {
            let mean = line.points as f64 / self.matches.max(1) as f64;
            let replaced = match line.replaced {
                0 => String::new(),
                1 => ", 1 move replaced".into(),
                many => format!(", {many} moves replaced"),
            };
            let number = at + 1;
            write!(
                f,
                "\n{mean:>5.1}  player {number} ({}{replaced})",
                line.name
            )?;
        }
        Ok(())
    }
}

/// Sample states: the initial state and states of random playouts. At most 200, found in at
/// most 300 ms.
pub fn samples(engine: &mut dyn Engine, budget: &Budget) -> Vec<Vec<GroundTerm>> {
    const MOST: usize = 200;
    let budget = budget.clone().with_timeout(Duration::from_millis(300));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(0);
    let mut samples = Vec::new();
    while samples.len() < MOST && budget.check().is_ok() {
        let state = engine.initial();
        let room = MOST - samples.len();
        // After an error, boards are drawn from the samples so far.
        match walk(engine, state, room, &budget, &mut rng, &mut samples) {
            Ok(()) if samples.len() > 1 => {}
            _ => break,
        }
    }
    samples
}

/// Adds the states of a random playout to the samples.
fn walk(
    engine: &mut dyn Engine,
    mut state: State,
    room: usize,
    budget: &Budget,
    rng: &mut Xoshiro256PlusPlus,
    samples: &mut Vec<Vec<GroundTerm>>,
) -> Result<(), EngineError> {
    let mut moves = Vec::new();
    for _ in 0..room {
        samples.push(engine.facts(&state));
        if budget.check().is_err() || engine.terminal(&state)? {
            break;
        }
        let mut joint = Vec::new();
        for role in 0..engine.roles().len() {
            engine.legal(&state, RoleId(role), &mut moves)?;
            if moves.is_empty() {
                return Ok(());
            }
            joint.push(moves[rng.random_range(0..moves.len())]);
        }
        let mut next = State::default();
        engine.next(&state, &joint, &mut next)?;
        state = next;
    }
    Ok(())
}
