//! Evaluators in lanes: those available at once, and better ones.

use crate::PrepareError;
use crate::evaluators::{Lanes, Settings, Simulator};
use crate::optimised::{choices, emulated, proved, shrunk};
use crate::programs::{Evaluated, evaluated};
use bitcode::{Code, Evaluator, Interpreter, Plane};
use bitcode_native::Level;
use budget::Budget;
use compile::{CompileError, Compiled, Proved, Report, Rules, StepCode, build_network};
use game::{Playouts, State};
use lanes::{Choice, Expander, LanePlayouts, Policy};
use netlist::{GameLogic, Phased};
use std::cell::RefCell;
use std::sync::Arc;

/// Lanes without proofs and passes, available at once.
pub(crate) fn quick_lanes(
    compiled: Arc<Compiled>,
    mut report: Report,
    settings: &Settings,
    budget: &Budget,
) -> Simulator {
    let playouts = plain_lanes(&compiled, settings, budget, &mut report);
    simulator(playouts, &compiled, report)
}

/// Lanes with proofs and passes, even where another evaluator would be faster.
pub(crate) fn lanes(
    compiled: Arc<Compiled>,
    mut report: Report,
    settings: &Settings,
    budget: &Budget,
) -> Simulator {
    let proved = proved(compiled, settings.seed, budget);
    report.stage("proofs", proved.to_string());
    let playouts = better_lanes(&proved, settings, budget, &mut report);
    simulator(playouts, &proved.compiled, report)
}

fn simulator(playouts: Box<dyn Playouts>, compiled: &Compiled, mut report: Report) -> Simulator {
    report.engine = playouts.name();
    Simulator {
        playouts,
        initial: initial(&compiled.logic),
        roles: compiled.logic.words.roles.clone(),
        report,
    }
}

/// The rules as a network and logic, which is all that lanes need.
pub(crate) fn compiled(
    source: &str,
    settings: &Settings,
    budget: &Budget,
) -> Result<(Arc<Compiled>, Report), PrepareError> {
    let mut report = Report::new(budget);
    let rules = Rules::read(source, settings.fold_case, &mut report)?;
    let failed = |error: CompileError| PrepareError::Network(error.into());
    let built = build_network(&rules.program, budget).map_err(failed)?;
    report.stages.extend(built.stages.iter().cloned());
    report.ground_rules = Some(built.ground_rules);
    report.restart();
    let compiled = Compiled::of_network(built.network, budget);
    let compiled = compiled.map_err(|(_, error)| failed(error.into()))?;
    report.stage("logic", compiled.logic.sizes().to_string());
    Ok((Arc::new(compiled), report))
}

/// The initial state in the form that lanes use.
pub(crate) fn initial(logic: &GameLogic) -> State {
    let mut words = vec![0; logic.next.len().div_ceil(64)];
    for &fact in &logic.words.initial {
        words[fact as usize / 64] |= 1 << (fact % 64);
    }
    State::from_words(words)
}

/// Lanes on the logic as it is.
pub(crate) fn plain_lanes(
    compiled: &Compiled,
    settings: &Settings,
    budget: &Budget,
    report: &mut Report,
) -> Box<dyn Playouts> {
    let choices = Choice::plain(&compiled.logic);
    write(&compiled.phased, &choices, settings, budget, report)
}

/// Lanes on the logic after proofs and passes.
pub(crate) fn better_lanes(
    proved: &Proved,
    settings: &Settings,
    budget: &Budget,
    report: &mut Report,
) -> Box<dyn Playouts> {
    // Results are computed in terminal states alone, so the goals of other states do not
    // matter.
    let counted = match settings.emulate_goals {
        true => emulated(proved, budget),
        false => None,
    };
    if let Some(counted) = &counted {
        let gates = format!("{} gates became {}", counted.before, counted.after);
        report.stage("goals", gates);
    }
    let counted = counted.as_ref().map(|counted| &counted.logic);
    let (phased, passes) = shrunk(proved, counted, budget);
    let mut outcome = largest(&phased);
    if let Some(why) = passes.iter().flatten().find_map(|shrunk| shrunk.stopped) {
        outcome += &format!(" (given up: {why})");
    }
    report.stage("passes", outcome);
    write(&phased, &choices(proved), settings, budget, report)
}

/// Expansion in bulk, on the logic after proofs and passes.
pub fn expander(proved: &Proved, budget: &Budget) -> Expander<4> {
    let (phased, _) = shrunk(proved, None, budget);
    Expander::new(&phased, |code: &Code| native(code, budget))
}

/// Machine code where the machine can run it, else an interpreted program.
pub(crate) fn native<const W: usize>(code: &Code, budget: &Budget) -> Box<dyn Evaluator<W>> {
    evaluated(code, budget).evaluator
}

/// Lanes of machine code where the machine can run it, else of interpreted programs.
fn write(
    phased: &Phased,
    choices: &[Choice],
    settings: &Settings,
    budget: &Budget,
    report: &mut Report,
) -> Box<dyn Playouts> {
    let roles = phased.logics.first().map_or(0, GameLogic::roles);
    let policy = Policy {
        decisive: (0..roles).filter(|_| settings.decisive).collect(),
        anti_decisive: (0..roles).filter(|_| settings.anti_decisive).collect(),
        careful: (0..roles).filter(|_| settings.careful).collect(),
        ..Policy::default()
    };
    let made = Made {
        phased,
        choices,
        policy,
        settings,
        budget,
    };
    let lanes = match settings.lanes {
        Lanes::Widest if Level::best(8).is_some() => Some(made.native::<8>()),
        Lanes::Widest | Lanes::Of256 => Some(made.native::<4>()),
        Lanes::Interpreted => None,
    };
    match lanes {
        Some((lanes, Some((step, how)))) => {
            report.step = Some(step);
            report.stage("lanes", format!("{how}, {} side by side", lanes.width()));
            return lanes;
        }
        // There is no time to make them once more.
        Some((lanes, None)) if budget.check().is_err() => {
            report.stage("lanes", "interpreted in part".to_owned());
            return lanes;
        }
        // Both would not fit side by side.
        other => drop(other),
    }
    // More lanes amortise the time for interpreting the program.
    let lanes = made.lanes::<8>(&|code| Box::new(Interpreter::new(code)));
    report.stage("lanes", "interpreted".to_owned());
    Box::new(lanes)
}

/// What playouts in lanes are made of, whatever their number.
struct Made<'a> {
    phased: &'a Phased,
    choices: &'a [Choice],
    policy: Policy,
    settings: &'a Settings,
    budget: &'a Budget,
}

impl Made<'_> {
    fn lanes<const W: usize>(
        &self,
        compile: &dyn Fn(&Code) -> Box<dyn Evaluator<W>>,
    ) -> LanePlayouts<W> {
        let (seed, most) = (self.settings.seed, self.settings.max_steps as u64);
        let (phased, choices) = (self.phased, self.choices);
        LanePlayouts::with(
            phased,
            choices,
            &self.policy,
            compile,
            seed,
            most,
            self.budget,
        )
    }

    /// Lanes that run machine code, with its figures if all programs can be, and what runs them.
    fn native<const W: usize>(&self) -> (Box<dyn Playouts>, Option<(StepCode, &'static str)>) {
        let mut phases = 0.0;
        let mut step = StepCode {
            lanes: 64 * W,
            operations: 0.0,
            instructions: 0.0,
            code_bytes: 0.0,
            plane_bytes: 0.0,
            loops: false,
        };
        let sums = RefCell::new((&mut phases, &mut step));
        let lanes = self.lanes::<W>(&|code| {
            let Evaluated { evaluator, figures } = evaluated::<W>(code, self.budget);
            let Some(figures) = figures else {
                return evaluator;
            };
            let (phases, step) = &mut *sums.borrow_mut();
            **phases += 1.0;
            step.loops |= code.segments.iter().any(|part| !part.loops.is_empty());
            step.operations += figures.operations as f64;
            step.instructions += figures.instructions() as f64;
            step.code_bytes += figures.bytes as f64;
            step.plane_bytes += (evaluator.planes() * size_of::<Plane<W>>()) as f64;
            evaluator
        });
        let all = lanes.evaluators().all(|name| name != "interpreter");
        let how = match lanes.evaluators().any(|name| name == "tables") {
            true => "truth tables",
            false => "native",
        };
        for sum in [
            &mut step.operations,
            &mut step.instructions,
            &mut step.code_bytes,
            &mut step.plane_bytes,
        ] {
            *sum /= phases;
        }
        (Box::new(lanes), all.then_some((step, how)))
    }
}

/// The number of phases, and the size of the largest.
fn largest(phased: &Phased) -> String {
    let sizes = phased.logics.iter().map(GameLogic::sizes);
    let largest = sizes.max_by_key(|sizes| sizes.step).unwrap_or_default();
    format!("{} phases, the largest {largest}", phased.logics.len())
}
