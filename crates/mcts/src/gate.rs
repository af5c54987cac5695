//! Whether it gate to ask.

use crate::StaticBounds;

/// Whether something gate that takes time and is mostly useful nothing, by how often it was useful something lately.
///
/// What facts prove of results is like that: it takes time to ask for, and in many games it is nothing before late.
#[derive(Debug)]
pub(crate) struct Gate {
    config: StaticBounds,
    asked: u32,
    useful: u32,
    /// How many it was not asked of, modulo [`StaticBounds::sample_in`].
    skipped: u32,
}

impl Gate {
    pub fn new(config: StaticBounds) -> Gate {
        Gate {
            config,
            asked: 0,
            useful: 0,
            skipped: 0,
        }
    }

    /// Whether it gate.
    pub fn is_open(&self) -> bool {
        let due = u64::from(self.config.useful_in) * u64::from(self.useful + self.config.credit);
        due >= u64::from(self.asked)
    }

    /// Whether the next is to be asked.
    pub fn admits(&mut self) -> bool {
        if self.is_open() {
            return true;
        }
        self.skipped = (self.skipped + 1) % self.config.sample_in.max(1);
        self.skipped == 0
    }

    /// Notes of one that was asked whether it was useful it.
    pub fn record(&mut self, useful: bool) {
        self.asked += 1;
        self.useful += u32::from(useful);
        let StaticBounds {
            useful_in, credit, ..
        } = self.config;
        if u64::from(self.asked) >= 2 * u64::from(useful_in) * u64::from(credit) {
            self.asked /= 2;
            self.useful /= 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of so many states are asked, of which one in `every` is useful it.
    fn asked(gate: &mut Gate, states: u32, every: u32) -> u32 {
        let asks = (1..=states).filter(|state| {
            let asks = gate.admits();
            if asks {
                gate.record(state % every == 0);
            }
            asks
        });
        asks.count() as u32
    }

    #[test]
    fn useful_queries_all_pass_and_useless_ones_rarely() {
        let mut gate = Gate::new(StaticBounds::default());
        assert_eq!(asked(&mut gate, 100_000, 50), 100_000);
        // Found out within some thousands, and for long.
        let few = asked(&mut gate, 1_000_000, 100_000);
        assert!((15_625..30_000).contains(&few), "{few}");
        // It is seen when it begins to pay again.
        assert!(asked(&mut gate, 1_000_000, 10) > 900_000);
    }
}
