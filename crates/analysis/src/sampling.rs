//! Random playouts in the lanes of a word, each observed from its beginning to its end.

use budget::{Budget, Exhausted};
use invariants::Play;
use netlist::GameLogic;

/// Number of games in lockstep: one per bit of a word.
pub const LANES: usize = 64;

/// A number in each lane, stored as bit planes, lowest bit first.
#[derive(Debug, Clone, Default)]
pub struct Counts {
    planes: Vec<u64>,
}

impl Counts {
    /// For each lane, the number of words that have its bit set.
    pub fn of(words: impl Iterator<Item = u64>) -> Counts {
        let mut planes: Vec<u64> = Vec::new();
        for word in words {
            let mut carry = word;
            for plane in &mut planes {
                if carry == 0 {
                    break;
                }
                (*plane, carry) = (*plane ^ carry, *plane & carry);
            }
            if carry != 0 {
                planes.push(carry);
            }
        }
        Counts { planes }
    }

    /// The lanes whose number is not 0.
    pub fn some(&self) -> u64 {
        self.planes.iter().fold(0, |any, plane| any | plane)
    }

    /// The lanes whose number is above 1.
    pub fn several(&self) -> u64 {
        self.planes.iter().skip(1).fold(0, |any, plane| any | plane)
    }

    /// The sum of the numbers in these lanes.
    pub fn sum(&self, lanes: u64) -> u64 {
        let planes = self.planes.iter().enumerate();
        planes
            .map(|(bit, plane)| u64::from((plane & lanes).count_ones()) << bit)
            .sum()
    }

    /// The greatest number in these lanes.
    pub fn most(&self, lanes: u64) -> u32 {
        let (mut most, mut left) = (0, lanes);
        for (bit, plane) in self.planes.iter().enumerate().rev() {
            if left & plane != 0 {
                left &= plane;
                most |= 1 << bit;
            }
        }
        if lanes == 0 { 0 } else { most }
    }
}

/// The lanes at one moment. `over`, `stuck`, `cut` and `going` cover all counted lanes.
pub struct Look {
    /// Play has ended.
    pub over: u64,
    /// Play has not ended, but a role has no legal move.
    pub stuck: u64,
    /// The playout is cut.
    pub cut: u64,
    /// Moves will be played.
    pub going: u64,
    /// The number of steps that each playout has taken.
    pub age: [u32; LANES],
    /// For each role, the number of its legal moves.
    pub legal: Vec<Counts>,
}

impl Look {
    /// The lanes whose playout ends here.
    pub fn ended(&self) -> u64 {
        self.over | self.stuck | self.cut
    }

    /// All counted lanes.
    pub fn live(&self) -> u64 {
        self.ended() | self.going
    }
}

/// The amount of play.
#[derive(Debug, Clone, Copy)]
pub struct Extent {
    /// Playouts of each lane, one after the other. Every playout that starts is played to its
    /// end, so that short ones are not overrepresented.
    pub playouts: u32,
    /// Steps after which a playout is cut.
    pub length: u32,
    /// Steps of all lanes in lockstep after which all playouts are cut.
    pub steps: u64,
}

/// Plays from the initial state in all lanes and passes every step to `show`. Returns the number
/// of steps.
///
/// # Errors
/// If the budget runs out. Playouts in progress were then shown as cut.
pub fn play(
    logic: &GameLogic,
    play: &mut Play<'_>,
    extent: Extent,
    budget: &Budget,
    mut show: impl FnMut(&mut Play<'_>, &Look),
) -> Result<u64, Exhausted> {
    play.restart(u64::MAX);
    play.step();
    let mut live = if extent.playouts == 0 { 0 } else { u64::MAX };
    let mut left = [extent.playouts; LANES];
    let mut age = [0u32; LANES];
    let mut steps = 0;
    while live != 0 {
        let rows = logic.legal.iter();
        let legal: Vec<Counts> = rows
            .map(|row| Counts::of(row.iter().map(|&lit| play.word(lit))))
            .collect();
        let able = legal
            .iter()
            .fold(u64::MAX, |able, count| able & count.some());
        let over = live & play.word(logic.terminal);
        let stuck = live & !over & !able;
        let over_budget = budget.check();
        let mut cut = live & able & !over;
        if over_budget.is_ok() && steps < extent.steps {
            cut &= lanes(|lane| age[lane] >= extent.length);
        }
        let look = Look {
            over,
            stuck,
            cut,
            going: live & able & !over & !cut,
            age,
            legal,
        };
        show(play, &look);
        over_budget?;
        if steps >= extent.steps {
            break;
        }
        for lane in each(look.ended()) {
            age[lane] = 0;
            left[lane] -= 1;
            if left[lane] == 0 {
                live &= !(1 << lane);
            }
        }
        for lane in each(look.going) {
            age[lane] += 1;
        }
        play.restart(cut);
        play.step();
        steps += 1;
    }
    Ok(steps)
}

/// The lanes for which `so` returns true.
pub fn lanes(so: impl Fn(usize) -> bool) -> u64 {
    (0..LANES).fold(0, |word, lane| word | u64::from(so(lane)) << lane)
}

/// The lanes of a word.
pub fn each(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = word.trailing_zeros() as usize;
        (word != 0).then(|| {
            word &= word - 1;
            lane
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_equal_the_number_of_set_bits() {
        let words = [0b1011, 0b0011, 0b0001, 0b0001, 0b0001];
        let counts = Counts::of(words.into_iter());
        let of: Vec<u64> = (0..4).map(|lane| counts.sum(1 << lane)).collect();
        assert_eq!(of, [5, 2, 0, 1]);
        assert_eq!((counts.some(), counts.several()), (0b1011, 0b0011));
        assert_eq!((counts.sum(0b1010), counts.sum(0b1111)), (3, 8));
        assert_eq!(
            (counts.most(0b1111), counts.most(0b1110), counts.most(0)),
            (5, 2, 0)
        );
    }
}
