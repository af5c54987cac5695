//! Whether processes grow, and whether they rest when nothing is asked of them.

use super::MIB;
use crate::worker::memory;
use anyhow::Context;
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

    /// Whether there are enough looks to judge growth.
    pub fn is_long(&self) -> bool {
        self.looks.len() >= 100
    }

    /// Reports the growth of the process, `name` for people. Returns whether its memory has
    /// grown by at most `bound` bytes, and threads and open files not at all.
    ///
    /// The first tenth of the looks is a warm-up. The second and the last tenth are compared:
    /// by the medians of resident bytes, and by the minima of threads and open files, because a
    /// connection of the last match may still be closing.
    pub fn is_steady(&self, name: &str, bound: u64) -> bool {
        let looks = &self.looks;
        let tenth = looks.len() / 10;
        let of = |place: fn(usize) -> usize, what: fn(&Look) -> u64| {
            [&looks[tenth..2 * tenth], &looks[looks.len() - tenth..]].map(|part| {
                let mut values: Vec<u64> = part.iter().map(what).collect();
                values.sort_unstable();
                values[place(values.len())]
            })
        };
        let bytes = of(|count| count / 2, |look| look.bytes);
        let threads = of(|_| 0, |look| look.threads);
        let files = of(|_| 0, |look| look.files);
        println!(
            "{name}: {:.1} MiB after the second tenth, {:.1} at the end; threads {} and {}; open \
             files {} and {}",
            bytes[0] as f64 / MIB as f64,
            bytes[1] as f64 / MIB as f64,
            threads[0],
            threads[1],
            files[0],
            files[1],
        );
        bytes[1] <= bytes[0] + bound && threads[1] <= threads[0] && files[1] <= files[0]
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
        let steady = |looks: Vec<Look>| Watch { process: 0, looks }.is_steady("it", 10);
        let warm = (0..100).map(|at| look(if at < 10 { at } else { 50 }));
        assert!(steady(warm.collect()));
        assert!(!steady((0..100).map(look).collect()));
        let mut threads: Vec<Look> = (0..100).map(|_| look(50)).collect();
        threads[90..].iter_mut().for_each(|look| look.threads += 1);
        assert!(!steady(threads));
    }
}
