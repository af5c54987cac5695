//! The evaluator of a program: machine code, or truth tables where machine code is too long.

use bitcode::{Code, Evaluator, Interpreter, Plane, TableInterpreter};
use bitcode_native::{Figures, Level, Native};
use budget::Budget;
use std::time::Duration;

/// The most bytes of machine code for one program.
const CODE_BYTES: usize = 64 << 20;

/// Bytes of machine code from which on truth tables are tried. Shorter code stays in the
/// second-level cache, where it is several times as fast.
const LONG: usize = 1 << 20;

/// Operations from which on there is no comparison: more than five megabytes of machine code, which
/// no second-level cache holds.
const MANY: usize = 300_000;

/// Runs of each for the comparison; the fastest counts.
const ROUNDS: usize = 3;

/// An evaluator, and the figures of its machine code if there is any.
pub(crate) struct Evaluated<const W: usize> {
    pub evaluator: Box<dyn Evaluator<W>>,
    pub figures: Option<Figures>,
}

/// Machine code where the machine can run it, else an interpreted program. Programs whose machine
/// code would be long run as truth tables where that is faster.
pub(crate) fn evaluated<const W: usize>(code: &Code, budget: &Budget) -> Evaluated<W> {
    let wide = Level::Avx512.supports(W);
    let covered = wide.then(|| bitcode::cover(code, budget).ok()).flatten();
    // What repeats is fetched once. And how often it does cannot be told without states.
    let mut segments = code.segments.iter();
    let repeats = segments.any(|segment| !segment.loops.is_empty());
    let many = covered.as_ref().filter(|covered| covered.ops.len() >= MANY);
    let tables = many.filter(|_| !repeats).and_then(TableInterpreter::new);
    if let Some(tables) = tables {
        let figures = Figures {
            operations: tables.operations(),
            bytes: tables.bytes(),
            ..Figures::default()
        };
        return Evaluated {
            evaluator: Box::new(tables),
            figures: Some(figures),
        };
    }
    let native = match (&covered, Level::best(W)) {
        (Some(covered), _) => {
            Native::<W>::compile_as_it_is(Level::Avx512, covered, CODE_BYTES, budget).ok()
        }
        (None, Some(level)) => Native::compile_for(level, code, CODE_BYTES, budget).ok(),
        (None, None) => None,
    };
    let Some(native) = native else {
        return Evaluated {
            evaluator: Box::new(Interpreter::new(code)),
            figures: None,
        };
    };
    let figures = Some(*native.figures());
    let long = native.figures().bytes >= LONG && !repeats;
    let covered = covered.filter(|_| long);
    let tables = covered.and_then(|covered| TableInterpreter::new(&covered));
    let evaluator: Box<dyn Evaluator<W>> = match tables {
        Some(tables) if is_faster(&tables, &native, code.segments.len(), budget) => {
            Box::new(tables)
        }
        _ => Box::new(native),
    };
    Evaluated { evaluator, figures }
}

/// Whether the first evaluator runs the program faster. Nothing depends on which of them does, so
/// that the clock may decide.
fn is_faster<const W: usize>(
    first: &impl Evaluator<W>,
    second: &impl Evaluator<W>,
    segments: usize,
    budget: &Budget,
) -> bool {
    let planes = first.planes().max(second.planes());
    let mut memory = vec![Plane::FALSE; planes];
    let mut time = |evaluator: &dyn Evaluator<W>| -> Duration {
        let since = budget.clock().now();
        for segment in 0..segments {
            evaluator.run(segment, &mut memory);
        }
        budget.clock().now().saturating_sub(since)
    };
    let mut least = [Duration::MAX; 2];
    for _ in 0..ROUNDS {
        if budget.check().is_err() {
            break;
        }
        least = [least[0].min(time(first)), least[1].min(time(second))];
    }
    least[0] < least[1]
}
