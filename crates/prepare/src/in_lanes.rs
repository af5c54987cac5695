//! Evaluators in lanes: at once, and better ones later.

use crate::evaluators::{Settings, Simulator};
use crate::optimised::{Proofs, emulated, shrunk};
use crate::{NetworkError, PrepareError, Report, build_network};
use bitcode::{Code, Evaluator, Interpreter};
use budget::Budget;
use datalog::Program;
use game::{Playouts, State};
use lanes::{Choice, Expander, LanePlayouts, Policy};
use native::Native;
use netlist::{GameLogic, Phased};

/// The most machine code for one program.
const CODE_BYTES: usize = 64 << 20;

/// What is needed to make better lanes for a game than those that can be had at once.
///
/// It may be sent to another thread, so that play begins meanwhile.
pub struct Upgrade {
    logic: GameLogic,
    settings: Settings,
    report: Report,
}

impl Upgrade {
    /// Proves what can be proved of the game, makes its logic smaller by it, and writes the programs
    /// anew. States mean the same as before.
    pub fn make(mut self, budget: &Budget) -> Simulator {
        self.report.restart();
        let playouts = better_lanes(&self.logic, &self.settings, budget, &mut self.report);
        simulator(playouts, &self.logic, self.report)
    }
}

/// Lanes on the logic as it is, for whoever cannot wait, and what makes better ones of it.
///
/// # Errors
/// If the text holds no rules, or no network can be made of them within the budget.
pub fn lanes_at_once(
    source: &str,
    settings: &Settings,
    budget: &Budget,
) -> Result<(Simulator, Upgrade), PrepareError> {
    let (logic, mut report) = lowered(source, settings, budget)?;
    let upgrade = Upgrade {
        settings: settings.clone(),
        report: report.clone(),
        logic,
    };
    let playouts = plain_lanes(&upgrade.logic, settings, budget, &mut report);
    Ok((simulator(playouts, &upgrade.logic, report), upgrade))
}

/// Lanes without proofs and passes.
pub(crate) fn quick_lanes(
    source: &str,
    settings: &Settings,
    budget: &Budget,
) -> Result<Simulator, PrepareError> {
    Ok(lanes_at_once(source, settings, budget)?.0)
}

/// Hundreds of playouts side by side, whatever else would be better.
pub(crate) fn lanes(
    source: &str,
    settings: &Settings,
    budget: &Budget,
) -> Result<Simulator, PrepareError> {
    let (logic, mut report) = lowered(source, settings, budget)?;
    let playouts = better_lanes(&logic, settings, budget, &mut report);
    Ok(simulator(playouts, &logic, report))
}

fn simulator(playouts: Box<dyn Playouts>, logic: &GameLogic, mut report: Report) -> Simulator {
    report.engine = playouts.name();
    Simulator {
        playouts,
        initial: initial(logic),
        roles: logic.words.roles.clone(),
        report,
    }
}

/// The logic of a game, as it is lowered from its network.
fn lowered(
    source: &str,
    settings: &Settings,
    budget: &Budget,
) -> Result<(GameLogic, Report), PrepareError> {
    let mut report = Report::new(budget);
    let (_, program) = crate::read(source, settings.fold_case, &mut report)?;
    let logic = lower(&program, budget, &mut report).map_err(PrepareError::Network)?;
    Ok((logic, report))
}

fn lower(
    program: &Program,
    budget: &Budget,
    report: &mut Report,
) -> Result<GameLogic, NetworkError> {
    let built = build_network(program, budget)?;
    report.stages.extend(built.stages.iter().cloned());
    report.ground_rules = Some(built.ground_rules);
    report.restart();
    let logic = netlist::lower(&built.network, budget)?;
    report.stage("netlist", logic.sizes().to_string());
    Ok(logic)
}

/// The initial state as lanes know it.
pub(crate) fn initial(logic: &GameLogic) -> State {
    let mut words = vec![0; logic.next.len().div_ceil(64)];
    for &fact in &logic.words.initial {
        words[fact as usize / 64] |= 1 << (fact % 64);
    }
    State::from_words(words)
}

/// Lanes on the logic as it is.
pub(crate) fn plain_lanes(
    logic: &GameLogic,
    settings: &Settings,
    budget: &Budget,
    report: &mut Report,
) -> Box<dyn Playouts> {
    let choices = Choice::plain(logic);
    write(&Phased::new(logic), &choices, settings, budget, report)
}

/// Lanes on the logic that proofs and passes leave. It is given as it was lowered.
pub(crate) fn better_lanes(
    logic: &GameLogic,
    settings: &Settings,
    budget: &Budget,
    report: &mut Report,
) -> Box<dyn Playouts> {
    let proofs = Proofs::find(logic, settings.seed, budget);
    report.stage("proofs", proofs.to_string());
    // Results are asked for in final states alone, so that it does not matter what goals are before.
    let counted = match settings.emulate_goals {
        true => emulated(logic, &proofs, budget),
        false => None,
    };
    if let Some(counted) = &counted {
        let gates = format!("{} gates became {}", counted.before, counted.after);
        report.stage("goals", gates);
    }
    let logic = counted.as_ref().map_or(logic, |counted| &counted.logic);
    let (phased, passes) = shrunk(logic, &proofs, budget);
    let mut outcome = largest(&phased);
    if let Some(why) = passes.iter().flatten().find_map(|shrunk| shrunk.stopped) {
        outcome += &format!(" (given up: {why})");
    }
    report.stage("passes", outcome);
    write(&phased, &proofs.choices(), settings, budget, report)
}

/// Expansion in bulk, on the logic that proofs and passes leave. It is given as it was lowered. The
/// seed is that of the random play that suggests what to prove.
pub fn expander(logic: &GameLogic, seed: u64, budget: &Budget) -> Expander<4> {
    let proofs = Proofs::find(logic, seed, budget);
    let (phased, _) = shrunk(logic, &proofs, budget);
    Expander::new(&phased, |code: &Code| native(code, budget))
}

/// Machine code where the machine can run it, else an interpreted program.
pub(crate) fn native(code: &Code, budget: &Budget) -> Box<dyn Evaluator<4>> {
    match Native::compile(code, CODE_BYTES, budget) {
        Ok(native) => Box::new(native),
        Err(_) => Box::new(Interpreter::new(code)),
    }
}

/// Lanes of machine code where the machine can run it, else of interpreted programs.
fn write(
    phased: &Phased,
    choices: &[Choice],
    settings: &Settings,
    budget: &Budget,
    report: &mut Report,
) -> Box<dyn Playouts> {
    let (seed, most) = (settings.seed, settings.max_steps as u64);
    let roles = phased.logics.first().map_or(0, GameLogic::roles);
    let policy = Policy {
        decisive: (0..roles).filter(|_| settings.decisive).collect(),
        anti_decisive: (0..roles).filter(|_| settings.anti_decisive).collect(),
        careful: (0..roles).filter(|_| settings.careful).collect(),
        ..Policy::default()
    };
    let native = |code: &Code| native(code, budget);
    let lanes = LanePlayouts::<4>::with(phased, choices, &policy, native, seed, most, budget);
    if lanes.evaluators().all(|name| name == "native") {
        report.stage("lanes", "native".to_owned());
        return Box::new(lanes);
    }
    // More lanes make up for the time that goes into reading the program.
    let interpreted = |code: &Code| Box::new(Interpreter::new(code)) as Box<dyn Evaluator<8>>;
    let lanes = LanePlayouts::<8>::with(phased, choices, &policy, interpreted, seed, most, budget);
    report.stage("lanes", "interpreted".to_owned());
    Box::new(lanes)
}

/// How many phases there are, and the size of the largest.
fn largest(phased: &Phased) -> String {
    let sizes = phased.logics.iter().map(GameLogic::sizes);
    let largest = sizes.max_by_key(|sizes| sizes.step).unwrap_or_default();
    format!("{} phases, the largest {largest}", phased.logics.len())
}
