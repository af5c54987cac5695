//! Measurements in sentences: what is normal, and what to do where it is not.

use crate::{Machine, Port, Simd, Speed, Timers};
use serde::Serialize;

/// How much a sentence matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// All is as it should be.
    Good,
    /// Play is weaker than it could be.
    Note,
    /// Play will fail.
    Problem,
}

/// A sentence about the machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Advice {
    /// How much it matters.
    pub level: Level,
    /// What is the case, and what to do about it.
    pub text: String,
}

/// Free memory below which a search of the usual size does not fit, in MiB.
const LITTLE_MIB: u64 = 1500;
/// The least that the clock's margin should be, in milliseconds, for what is not measured here:
/// the network.
const LEAST_MARGIN: f64 = 100.0;
/// The margin is this many times the worst lateness of a timer under load.
const MARGIN_TIMES: f64 = 4.0;
/// The default margin in milliseconds.
const DEFAULT_MARGIN: f64 = 1500.0;
/// Where machine code runs, it is at least this many times as fast as the interpreter in the
/// middle one of the games.
const NORMAL_MACHINE_CODE: f64 = 1.5;
/// Playouts in lanes are at least this many times as fast as one after the other in the
/// middle one of the games.
const NORMAL_LANES: f64 = 4.0;

fn advice(level: Level, text: impl Into<String>) -> Advice {
    Advice {
        level,
        text: text.into(),
    }
}

pub(crate) fn of_machine(machine: &Machine, all: &mut Vec<Advice>) {
    if !machine.optimised {
        let text = "this is a debug build, several times slower than it could be: \
                    build with `cargo build --release`";
        all.push(advice(Level::Note, text));
    }
    if machine.cores == 1 {
        let text = "with one core, set `ponder = false` if the server or an opponent runs here too";
        all.push(advice(Level::Note, text));
    }
    if machine.simd == Simd::Portable {
        let text = "this processor has no AVX2, so programs are interpreted, several times slower: \
                    take another machine if you can choose";
        all.push(advice(Level::Note, text));
    }
    match machine.free.map(|free| free >> 20) {
        Some(free) if free < LITTLE_MIB => all.push(advice(
            Level::Note,
            format!(
                "only {free} MiB are free: set `memory-mib` to {} or less",
                (free / 2).max(16)
            ),
        )),
        _ => {}
    }
}

pub(crate) fn of_timers(timers: &Timers, all: &mut Vec<Advice>) {
    let margin = (MARGIN_TIMES * timers.loaded.worst_ms).max(LEAST_MARGIN);
    // Rounded up to what one would write down.
    let margin = (margin / 50.0).ceil() * 50.0;
    all.push(match margin > DEFAULT_MARGIN {
        true => advice(
            Level::Problem,
            format!(
                "under load timers ring up to {:.0} ms late: set `margin-ms` to {margin:.0} or \
                 more, or search with fewer threads",
                timers.loaded.worst_ms
            ),
        ),
        false => advice(
            Level::Good,
            format!(
                "timers ring in time: a `margin-ms` of {margin:.0} is enough on this machine and \
                 a local network; the default of {DEFAULT_MARGIN:.0} leaves room for a slow one"
            ),
        ),
    });
}

pub(crate) fn of_speeds(speeds: &[Speed], machine: &Machine, all: &mut Vec<Advice>) {
    let Some(by_machine_code) = middle(speeds.iter().map(Speed::by_machine_code)) else {
        return;
    };
    let by_lanes = middle(speeds.iter().map(Speed::by_lanes)).unwrap_or_default();
    let native = machine.simd > Simd::Portable;
    all.push(match native && by_machine_code < NORMAL_MACHINE_CODE {
        true => advice(
            Level::Note,
            format!(
                "machine code is only {by_machine_code:.1} times as fast as the interpreter, where \
                 {NORMAL_MACHINE_CODE} times and more is normal: something else uses the \
                 processor, or the system forbids executable memory"
            ),
        ),
        false if native => advice(
            Level::Good,
            format!("machine code is {by_machine_code:.1} times as fast as the interpreter"),
        ),
        false => advice(Level::Good, "programs are interpreted, as expected here"),
    });
    all.push(match by_lanes < NORMAL_LANES {
        true => advice(
            Level::Note,
            format!(
                "playouts in lanes are only {by_lanes:.1} times as fast as one after the \
                 other, where {NORMAL_LANES} times and more is normal: something else uses the \
                 processor"
            ),
        ),
        false => advice(
            Level::Good,
            format!("playouts in lanes are {by_lanes:.0} times as fast as one after the other"),
        ),
    });
}

pub(crate) fn of_port(port: &Port, all: &mut Vec<Advice>) {
    all.push(match port {
        Port::Open { port, .. } => advice(
            Level::Good,
            format!(
                "port {port} is free and answers here; for a server elsewhere, serve with \
                 `--bind 0.0.0.0` and open the port in firewalls"
            ),
        ),
        Port::Closed {
            port, in_use: true, ..
        } => advice(
            Level::Problem,
            format!("port {port} is in use: stop what listens there, or take another `--port`"),
        ),
        Port::Closed { port, why, .. } => advice(
            Level::Problem,
            format!("port {port} cannot be used ({why}): take another `--port`"),
        ),
    });
}

/// The middle one of some numbers; `None` without any.
fn middle(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lateness;

    fn levels(give: impl FnOnce(&mut Vec<Advice>)) -> Vec<Level> {
        let mut all = Vec::new();
        give(&mut all);
        all.into_iter().map(|one| one.level).collect()
    }

    fn machine() -> Machine {
        Machine {
            cores: 4,
            simd: Simd::Avx2,
            memory: Some(16 << 30),
            free: Some(8 << 30),
            contained: false,
            optimised: true,
        }
    }

    #[test]
    fn a_good_machine_needs_no_advice() {
        assert_eq!(levels(|all| of_machine(&machine(), all)), []);
        let poor = Machine {
            cores: 1,
            simd: Simd::Portable,
            free: Some(100 << 20),
            optimised: false,
            ..machine()
        };
        assert_eq!(levels(|all| of_machine(&poor, all)), [Level::Note; 4]);
    }

    #[test]
    fn the_margin_goes_by_the_worst_timer() {
        let late = |worst_ms| Lateness {
            median_ms: 0.1,
            hundredth_ms: 0.2,
            worst_ms,
            naps: 100,
        };
        for (worst, level, margin) in [
            (3.0, Level::Good, "100 "),
            (60.0, Level::Good, "250 "),
            (500.0, Level::Problem, "2000 "),
        ] {
            let timers = Timers {
                idle: late(0.1),
                loaded: late(worst),
            };
            let mut all = Vec::new();
            of_timers(&timers, &mut all);
            assert_eq!(all[0].level, level, "{worst}");
            assert!(all[0].text.contains(margin), "{}", all[0].text);
        }
    }

    #[test]
    fn ratios_are_judged_not_speeds() {
        let speed = |lanes: f64, interpreted: f64, scalar: f64| Speed {
            game: "a game".into(),
            lanes,
            interpreted,
            scalar,
        };
        let of = |speed: Speed, machine: &Machine| {
            levels(|all| of_speeds(std::slice::from_ref(&speed), machine, all))
        };
        assert_eq!(of(speed(20.0, 10.0, 2.0), &machine()), [Level::Good; 2]);
        assert_eq!(of(speed(10.0, 10.0, 5.0), &machine()), [Level::Note; 2]);
        let portable = Machine {
            simd: Simd::Portable,
            ..machine()
        };
        assert_eq!(of(speed(10.0, 10.0, 2.0), &portable), [Level::Good; 2]);
        assert_eq!(levels(|all| of_speeds(&[], &machine(), all)), []);
    }
}
