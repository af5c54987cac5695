//! Whether it pays to ask.

/// Whether something pays that takes time and is mostly worth nothing, by how often it was worth something lately.
///
/// What facts prove of results is like that: it takes time to ask for, and in many games it is nothing before late.
#[derive(Debug, Default)]
pub(crate) struct Pays {
    asked: u32,
    worth: u32,
    /// How many it was not asked of, modulo [`Pays::SAMPLE`].
    skipped: u32,
}

impl Pays {
    /// One of so many must be worth it.
    const RARE: u32 = 128;
    /// So many more count than were: to begin with, it is asked.
    const FREE: u32 = 16;
    /// Asked so often, half of it is forgotten.
    const SPAN: u32 = 2 * Pays::RARE * Pays::FREE;
    /// Where it does not pay, one of so many is asked all the same.
    const SAMPLE: u32 = 64;

    /// Whether it pays.
    pub fn pays(&self) -> bool {
        Pays::RARE * (self.worth + Pays::FREE) >= self.asked
    }

    /// Whether the next is to be asked.
    pub fn asks(&mut self) -> bool {
        if self.pays() {
            return true;
        }
        self.skipped = (self.skipped + 1) % Pays::SAMPLE;
        self.skipped == 0
    }

    /// Notes of one that was asked whether it was worth it.
    pub fn note(&mut self, worth: bool) {
        self.asked += 1;
        self.worth += u32::from(worth);
        if self.asked >= Pays::SPAN {
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
        let mut pays = Pays::default();
        assert_eq!(asked(&mut pays, 100_000, 50), 100_000);
        // Found out within some thousands, and for long.
        let few = asked(&mut pays, 1_000_000, 100_000);
        assert!((15_625..30_000).contains(&few), "{few}");
        // It is seen when it begins to pay again.
        assert!(asked(&mut pays, 1_000_000, 10) > 900_000);
    }
}
