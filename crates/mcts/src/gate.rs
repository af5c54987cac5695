//! Whether an expensive query is made, by how often it was useful lately.

use crate::StaticBounds;

/// Lets all queries pass while enough of them are useful, and else only a sample.
///
/// Static bounds are such queries: they take time, and in many games they are trivial until late.
#[derive(Debug)]
pub(crate) struct Gate {
    config: StaticBounds,
    /// Queries that were made, older ones counting for less.
    queries: u32,
    /// How many of these were useful.
    useful: u32,
    /// Queries that were not made, modulo [`StaticBounds::sample_in`].
    skipped: u32,
}

impl Gate {
    pub fn new(config: StaticBounds) -> Gate {
        Gate {
            config,
            queries: 0,
            useful: 0,
            skipped: 0,
        }
    }

    /// Whether all queries pass.
    pub fn is_open(&self) -> bool {
        let allowed =
            u64::from(self.config.useful_in) * u64::from(self.useful + self.config.credit);
        allowed >= u64::from(self.queries)
    }

    /// Whether the next query is made.
    pub fn admits(&mut self) -> bool {
        if self.is_open() {
            return true;
        }
        self.skipped = (self.skipped + 1) % self.config.sample_in.max(1);
        self.skipped == 0
    }

    /// Records of a query that was made whether it was useful.
    pub fn record(&mut self, useful: bool) {
        self.queries += 1;
        self.useful += u32::from(useful);
        let (useful_in, credit) = (self.config.useful_in, self.config.credit);
        // Old queries fade, so that the gate opens and closes again.
        if u64::from(self.queries) >= 2 * u64::from(useful_in) * u64::from(credit) {
            self.queries /= 2;
            self.useful /= 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of so many queries are made, of which one in `every` is useful.
    fn made(gate: &mut Gate, queries: u32, every: u32) -> u32 {
        let made = (1..=queries).filter(|query| {
            let admits = gate.admits();
            if admits {
                gate.record(query % every == 0);
            }
            admits
        });
        made.count() as u32
    }

    #[test]
    fn useful_queries_all_pass_and_useless_ones_rarely() {
        let mut gate = Gate::new(StaticBounds::default());
        assert_eq!(made(&mut gate, 100_000, 50), 100_000);
        // It closes within some thousands of queries, and stays closed.
        let few = made(&mut gate, 1_000_000, 100_000);
        assert!((15_625..30_000).contains(&few), "{few}");
        // It opens again.
        assert!(made(&mut gate, 1_000_000, 10) > 900_000);
    }
}
