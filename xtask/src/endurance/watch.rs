//! Whether processes grow, and whether they rest when nothing is asked of them.

use super::MIB;
use crate::worker::memory;
use anyhow::Context;
use std::fmt;
use std::time::Duration;

/// How long a process is observed at rest. The next constant is the maximum share of that time
/// that it may compute.
const REST: Duration = Duration::from_secs(2);
const MOST_AT_REST: f64 = 0.05;

/// The resources of one process between two matches.
#[derive(Clone, Copy)]
struct Look {
    bytes: u64,
    threads: u64,
    files: u64,
}

/// What was seen of one process.
pub struct Watch {
    process: u32,
    looks: Vec<Look>,
}

impl Watch {
    /// Nothing seen yet of the process with this id.
    pub fn new(process: u32) -> Watch {
        Watch {
            process,
            looks: Vec::new(),
        }
    }

    /// The id of the process.
    pub fn process(&self) -> u32 {
        self.process
    }

    /// Looks at the process. The caller does so after every match.
    ///
    /// # Errors
    /// Fails if the process has ended, or the system does not tell what it takes.
    pub fn look(&mut self) -> anyhow::Result<()> {
        let id = self.process;
        let look = || {
            Some(Look {
                bytes: memory::resident_of(id)?,
                threads: std::fs::read_dir(format!("/proc/{id}/task")).ok()?.count() as u64,
                files: std::fs::read_dir(format!("/proc/{id}/fd")).ok()?.count() as u64,
            })
        };
        let look = look().context("a player has ended, or the system does not tell what it takes");
        self.looks.push(look?);
        Ok(())
    }

    /// The memory at the last look, in MiB, for people.
    pub fn last(&self) -> String {
        let bytes = self.looks.last().map_or(0, |look| look.bytes);
        format!("{:.1}", bytes as f64 / MIB as f64)
    }

    /// The change of the process. `None` where there are fewer than `least` looks, or ten.
    ///
    /// The first tenth of the looks is a warm-up. The second and the last tenth are compared:
    /// by the medians of resident bytes, and by the minima of threads and open files, because a
    /// connection of the last match may still be closing.
    pub fn growth(&self, least: usize) -> Option<Growth> {
        let looks = &self.looks;
        if looks.len() < least.max(10) {
            return None;
        }
        let tenth = looks.len() / 10;
        let of = |place: fn(usize) -> usize, what: fn(&Look) -> u64| {
            [&looks[tenth..2 * tenth], &looks[looks.len() - tenth..]].map(|part| {
                let mut values: Vec<u64> = part.iter().map(what).collect();
                values.sort_unstable();
                values[place(values.len())]
            })
        };
        Some(Growth {
            bytes: of(|count| count / 2, |look| look.bytes),
            threads: of(|_| 0, |look| look.threads),
            files: of(|_| 0, |look| look.files),
        })
    }

    /// The maximum resident memory that was seen, in bytes.
    pub fn peak(&self) -> u64 {
        self.looks.iter().map(|look| look.bytes).max().unwrap_or(0)
    }

    /// Reports the share of a core that the process uses without a match. Returns whether it is
    /// nearly none.
    ///
    /// # Errors
    /// Fails if the system does not tell.
    pub fn rests(&self, name: &str) -> anyhow::Result<bool> {
        // After this, the connections of the last match are closed and its threads have ended.
        std::thread::sleep(REST / 4);
        let before = memory::processor_time_of(self.process);
        std::thread::sleep(REST);
        let after = memory::processor_time_of(self.process);
        let (before, after) = before
            .zip(after)
            .context("this system does not tell how long a process has run")?;
        let part = (after - before).as_secs_f64() / REST.as_secs_f64();
        println!("{name}: {:.1} % of a core at rest", 100.0 * part);
        Ok(part <= MOST_AT_REST)
    }
}

/// The resources of a process early and late: in the second and the last tenth of its looks.
#[derive(Debug, Clone, Copy)]
pub struct Growth {
    bytes: [u64; 2],
    threads: [u64; 2],
    files: [u64; 2],
}

impl Growth {
    /// Whether memory has grown by at most `bound` bytes, and threads and open files not at all.
    pub fn is_steady(&self, bound: u64) -> bool {
        self.bytes[1] <= self.bytes[0] + bound && self.keeps_handles()
    }

    /// Whether threads and open files have not grown.
    fn keeps_handles(&self) -> bool {
        self.threads[1] <= self.threads[0] && self.files[1] <= self.files[0]
    }

    /// Whether these processes of one kind, all of them young, are steady. The memory of one
    /// may grow by more than `bound` because it meets the largest game late; a leak shows in
    /// half of them.
    pub fn are_steady(all: &[Growth], bound: u64) -> bool {
        let steady = all.iter().filter(|growth| growth.is_steady(bound)).count();
        2 * steady >= all.len() && all.iter().all(Growth::keeps_handles)
    }
}

impl fmt::Display for Growth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [early, late] = self.bytes.map(|bytes| bytes as f64 / MIB as f64);
        let ([t0, t1], [f0, f1]) = (self.threads, self.files);
        write!(
            f,
            "{early:.1} MiB after the second tenth, {late:.1} at the end; threads {t0} and {t1}; \
             open files {f0} and {f1}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_detected_except_during_warm_up() {
        let look = |bytes| Look {
            bytes,
            threads: 3,
            files: 9,
        };
        let of = |looks: Vec<Look>| Watch { process: 0, looks }.growth(0).unwrap();
        let warm = of((0..100)
            .map(|at| look(if at < 10 { at } else { 50 }))
            .collect());
        assert!(warm.is_steady(10));
        let leak = of((0..100).map(look).collect());
        assert!(!leak.is_steady(10));
        let mut threads: Vec<Look> = (0..100).map(|_| look(50)).collect();
        threads[90..].iter_mut().for_each(|look| look.threads += 1);
        let threads = of(threads);
        assert!(!threads.is_steady(10));
        assert!(Growth::are_steady(&[warm, leak], 10));
        assert!(!Growth::are_steady(&[warm, leak, leak], 10));
        assert!(!Growth::are_steady(&[warm, warm, threads], 10));
    }
}
