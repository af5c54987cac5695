//! Whether it pays to ask.

use crate::StaticBounds;

/// Whether something pays that takes time and is mostly worth nothing, by how often it was worth something lately.
///
/// What facts prove of results is like that: it takes time to ask for, and in many games it is nothing before late.
#[derive(Debug)]
pub(crate) struct Pays {
    config: StaticBounds,
    asked: u32,
    worth: u32,
    /// How many it was not asked of, modulo [`StaticBounds::sample_in`].
    skipped: u32,
}

impl Pays {
    pub fn new(config: StaticBounds) -> Pays {
        Pays {
            config,
            asked: 0,
            worth: 0,
            skipped: 0,
        }
    }

    /// Whether it pays.
    pub fn pays(&self) -> bool {
        let due = u64::from(self.config.useful_in) * u64::from(self.worth + self.config.credit);
        due >= u64::from(self.asked)
    }

    /// Whether the next is to be asked.
    pub fn asks(&mut self) -> bool {
        if self.pays() {
            return true;
        }
        self.skipped = (self.skipped + 1) % self.config.sample_in.max(1);
        self.skipped == 0
    }

    /// Notes of one that was asked whether it was worth it.
    pub fn note(&mut self, worth: bool) {
        self.asked += 1;
        self.worth += u32::from(worth);
        let StaticBounds {
            useful_in, credit, ..
        } = self.config;
        if u64::from(self.asked) >= 2 * u64::from(useful_in) * u64::from(credit) {
            self.asked /= 2;
            self.worth /= 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of so many states are asked, of which one in `every` is worth it.
    fn asked(pays: &mut Pays, states: u32, every: u32) -> u32 {
        let asks = (1..=states).filter(|state| {
            let asks = pays.asks();
            if asks {
                pays.note(state % every == 0);
            }
            asks
        });
        asks.count() as u32
    }

    #[test]
    fn what_pays_is_asked_of_all_and_what_does_not_of_few() {
        let mut pays = Pays::new(StaticBounds::default());
        assert_eq!(asked(&mut pays, 100_000, 50), 100_000);
        // Found out within some thousands, and for long.
        let few = asked(&mut pays, 1_000_000, 100_000);
        assert!((15_625..30_000).contains(&few), "{few}");
        // It is seen when it begins to pay again.
        assert!(asked(&mut pays, 1_000_000, 10) > 900_000);
    }
}
