//! The whole examination, as text.

use crate::advice::{Advice, Level, of_machine, of_port, of_speeds, of_timers};
use crate::speed::SpeedError;
use crate::{GAMES, Machine, Port, Speed, Timers};
use budget::Budget;
use serde::Serialize;
use std::fmt;
use std::time::Duration;

/// What to examine.
#[derive(Debug, Clone)]
pub struct Options {
    /// The port to try.
    pub port: u16,
    /// How long each single measurement takes.
    pub time: Duration,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// The machine.
    pub machine: Machine,
    /// How late timers are; `None` if the budget ended before.
    pub timers: Option<Timers>,
    /// Speeds of playouts; fewer if the budget ended before.
    pub speeds: Vec<Speed>,
    /// What came of the port.
    pub port: Port,
    /// All of that in sentences.
    pub advice: Vec<Advice>,
}

/// Examines this machine. What the budget leaves no time for is missing.
///
/// # Errors
/// If our own rules cannot be played.
pub fn examine(options: &Options, budget: &Budget) -> Result<Report, SpeedError> {
    let machine = Machine::look();
    budget.begins("trying the port");
    let port = Port::try_out(options.port);
    budget.begins("measuring timers");
    let in_time = || budget.check().is_ok();
    let timers = in_time().then(|| Timers::measure(machine.cores, options.time));
    let mut speeds = Vec::new();
    for (name, rules) in GAMES {
        match Speed::measure(name, rules, options.time, budget) {
            Ok(speed) => speeds.push(speed),
            Err(error) if in_time() => return Err(error),
            Err(_) => break,
        }
    }
    let mut advice = Vec::new();
    of_machine(&machine, &mut advice);
    if let Some(timers) = &timers {
        of_timers(timers, &mut advice);
    }
    of_speeds(&speeds, &machine, &mut advice);
    of_port(&port, &mut advice);
    Ok(Report {
        machine,
        timers,
        speeds,
        port,
        advice,
    })
}

impl Report {
    /// Whether play would fail on this machine as it is.
    pub fn has_problems(&self) -> bool {
        self.advice.iter().any(|one| one.level == Level::Problem)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Machine {
            cores,
            simd,
            contained,
            ..
        } = self.machine;
        let mib = |bytes: Option<u64>| match bytes {
            Some(bytes) => format!("{} MiB", bytes >> 20),
            None => "unknown".to_owned(),
        };
        writeln!(f, "cores       {cores}")?;
        writeln!(f, "SIMD        {}", simd.name())?;
        let container = if contained {
            " (bounded by a container)"
        } else {
            ""
        };
        let (memory, free) = (mib(self.machine.memory), mib(self.machine.free));
        writeln!(f, "memory      {memory}{container}, {free} free")?;
        if let Some(Timers { idle, loaded }) = &self.timers {
            writeln!(f, "\ntimers, ms late          median   1 in 100      worst")?;
            for (name, late) in [("idle", idle), ("under load", loaded)] {
                let (median, hundredth) = (late.median_ms, late.hundredth_ms);
                let worst = late.worst_ms;
                writeln!(
                    f,
                    "  {name:<16} {median:>12.2} {hundredth:>10.2} {worst:>10.2}"
                )?;
            }
        }
        if !self.speeds.is_empty() {
            writeln!(f, "\nmillion states/s, one thread")?;
            writeln!(
                f,
                "                       in lanes  interpreted  one by one"
            )?;
            for speed in &self.speeds {
                let [lanes, interpreted, scalar] =
                    [speed.lanes, speed.interpreted, speed.scalar].map(|rate| rate / 1e6);
                let game = &speed.game;
                writeln!(
                    f,
                    "  {game:<16} {lanes:>12.2} {interpreted:>12.2} {scalar:>11.2}"
                )?;
            }
        }
        writeln!(f)?;
        for Advice { level, text } in &self.advice {
            let mark = match level {
                Level::Good => "good",
                Level::Note => "note",
                Level::Problem => "PROBLEM",
            };
            writeln!(f, "{mark}: {text}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use budget::Stop;

    #[test]
    fn an_interrupted_examination_has_what_it_got_to() {
        let stop = Stop::default();
        stop.stop();
        let options = Options {
            port: 0,
            time: Duration::from_millis(1),
        };
        let report = examine(&options, &Budget::system().with_stop(stop)).expect("it ends");
        assert_eq!((&report.timers, report.speeds.len()), (&None, 0));
        assert!(!report.has_problems(), "{report}");
        assert!(report.to_string().starts_with("cores "), "{report}");
    }
}
