//! The share of the machine that playouts in lanes use.
//!
//! The peak is what a core can do at most: a program of logic operations on a dozen registers, none
//! of which waits for memory or for the operation before it. What a step of a game does is known
//! from its machine code. So the share says how far the playouts of a game are from the limit that
//! the ports of the processor set, and the sizes beside it say what else may hold them up.

use super::results::{Row, Run};
use crate::stopwatch::{Stopwatch, Time};
use crate::worker::StepFigures;
use bitcode::{Assembler, Code, Evaluator, Plane};
use bitcode_native::Native;
use budget::Budget;
use netlist::{Lit, Netlist};
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// Values that are kept in registers.
const VALUES: usize = 12;
/// How often each of them is computed anew in a run of the program.
const ROUNDS: usize = 64;
/// Seconds of a measurement, and the number of measurements, of which the fastest counts.
const SECONDS: f64 = 0.05;
const REPEATS: usize = 5;
/// Bytes of a first-level cache of most processors, for code and for data alike.
const NEAREST: f64 = 32.0 * 1024.0;
/// The share of the peak from which on the ports are the limit.
const BUSY: f64 = 0.5;

/// The most logic operations on registers of so many lanes that a core can do in a second.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Peak {
    /// The lanes of a register.
    pub lanes: usize,
    /// Operations in a second.
    pub operations_per_second: f64,
}

/// The peaks of the machine, for each width that it has.
pub fn measured(time: Time) -> Vec<Peak> {
    [peak::<4>(time), peak::<8>(time)]
        .into_iter()
        .flatten()
        .collect()
}

fn peak<const W: usize>(time: Time) -> Option<Peak> {
    let native = Native::<W>::compile(&program(), 1 << 20, &Budget::system()).ok()?;
    let mut memory = aligned(Evaluator::<W>::planes(&native));
    let mut best = 0.0f64;
    for _ in 0..REPEATS {
        let (watch, mut runs) = (Stopwatch::start(time), 0u32);
        while watch.seconds() < SECONDS {
            for _ in 0..256 {
                native.run(0, &mut memory);
            }
            runs += 256;
        }
        best = best.max(f64::from(runs) / watch.seconds());
    }
    Some(Peak {
        lanes: 64 * W,
        operations_per_second: best * native.figures().operations as f64,
    })
}

/// Planes that begin with different bits.
fn aligned<const W: usize>(
    planes: usize,
) -> aligned_vec::AVec<Plane<W>, aligned_vec::ConstAlign<64>> {
    let mut memory = aligned_vec::avec![[64]| Plane::FALSE; planes];
    for (at, plane) in memory.iter_mut().enumerate() {
        plane.0[0] = 0x9e37_79b9_7f4a_7c15u64.wrapping_mul(at as u64 + 1);
    }
    memory
}

/// Each value becomes a function of itself and the next two, round after round.
fn program() -> Code {
    let mut net = Netlist::new();
    let mut values: Vec<Lit> = (0..VALUES).map(|_| net.input()).collect();
    for _ in 0..ROUNDS {
        for at in 0..VALUES {
            let [one, two, three] = [0, 1, 2].map(|next| values[(at + next) % VALUES]);
            let both = net.and(two, three);
            values[at] = net.xor(one, both);
        }
    }
    let inputs: Vec<u32> = (0..VALUES as u32).collect();
    let mut assembler = Assembler::new(&net, 2 * VALUES as u32, &inputs);
    let roots: Vec<(Lit, u32)> = values.into_iter().zip(VALUES as u32..).collect();
    assembler.segment(&roots);
    assembler.finish()
}

/// The share of the peak that a row reaches, 0 to 1, and its code.
pub fn share(row: &Row, peaks: &[Peak]) -> Option<(f64, StepFigures)> {
    let step = row.build.as_ref()?.step?;
    let peak = peaks.iter().find(|peak| peak.lanes == step.lanes)?;
    let most = peak.operations_per_second / step.operations * step.lanes as f64;
    let threads = row.threads.max(1) as f64;
    Some((row.states_per_second()? / most / threads, step))
}

/// What holds the playouts up most, as far as sizes tell.
fn limit(share: f64, step: &StepFigures) -> &'static str {
    if step.loops {
        return "parts repeat until nothing changes, and count once";
    }
    match (
        share >= BUSY,
        step.code_bytes > NEAREST,
        step.plane_bytes > NEAREST,
    ) {
        (true, ..) => "ports",
        (false, true, true) => "code and data are beyond the nearest cache",
        (false, true, false) => "code is beyond the nearest cache",
        (false, false, true) => "data is beyond the nearest cache",
        (false, false, false) => "work between steps: random numbers, ended playouts",
    }
}

/// A line for each row that has machine code; empty if none has.
pub fn table(run: &Run) -> String {
    let mut text = String::new();
    for row in &run.rows {
        let Some((share, step)) = share(row, &run.peaks) else {
            continue;
        };
        if text.is_empty() {
            for peak in &run.peaks {
                let billions = peak.operations_per_second / 1e9;
                let _ = write!(
                    text,
                    "\npeak: {billions:.1} billion operations a second on {} lanes",
                    peak.lanes
                );
            }
            let _ = writeln!(
                text,
                "\n{:<32} {:<12} {:>9} {:>8} {:>8} {:>9} {:>6}  limit",
                "game", "engine", "ops/step", "instr/op", "code KiB", "plane KiB", "peak %"
            );
        }
        let _ = writeln!(
            text,
            "{:<32} {:<12} {:>9.0} {:>8.2} {:>8.0} {:>9.0} {:>6.1}  {}",
            row.game,
            row.evaluator,
            step.operations,
            step.instructions / step.operations,
            step.code_bytes / 1024.0,
            step.plane_bytes / 1024.0,
            100.0 * share,
            limit(share, &step)
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::results::examples::{row, run};
    use super::*;

    #[test]
    fn a_share_is_of_the_peak_of_its_width() {
        let mut measured = run(vec![row("a", "lanes", 1, 0.5, 1e9)]);
        let peak = |lanes, operations_per_second| Peak {
            lanes,
            operations_per_second,
        };
        measured.peaks = vec![peak(256, 1.0), peak(512, 4e9)];
        assert_eq!(table(&measured), "");
        measured.rows[0].build.as_mut().expect("it was built").step = Some(StepFigures {
            lanes: 512,
            operations: 1024.0,
            instructions: 1536.0,
            code_bytes: 8192.0,
            plane_bytes: 65536.0,
            loops: false,
        });
        let (share, _) = share(&measured.rows[0], &measured.peaks).expect("it has code");
        // 512 lanes at 4 billion operations, 1024 for each step: 2 billion states.
        assert!((share - 0.5).abs() < 1e-9, "{share}");
        assert!(table(&measured).contains("ports"));
        assert_eq!(
            limit(0.1, &measured.rows[0].build.as_ref().unwrap().step.unwrap()),
            "data is beyond the nearest cache"
        );
    }

    #[test]
    fn the_program_computes_and_is_not_simplified_away() {
        let code = program();
        assert!(
            code.ops.len() >= 2 * VALUES * (ROUNDS - 1),
            "{}",
            code.ops.len()
        );
        for peak in measured(Time::Processor) {
            assert!(peak.operations_per_second > 1e6, "{peak:?}");
        }
    }
}
