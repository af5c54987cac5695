//! What happens to a message on its way, and what it excuses.

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::fmt;

/// What happens to one message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trouble {
    /// Nothing.
    Calm,
    /// It is held for a part of the clock.
    Delay,
    /// It arrives in pieces.
    Drip,
    /// Its answer arrives in pieces.
    DripReply,
    /// It arrives twice at once.
    Twice,
    /// The message before it arrives once more, behind it.
    Stale,
    /// Another connection brings garbage before it.
    Garbage,
    /// Many connections that say nothing are open beside it.
    Flood,
    /// The player's process is stopped for a part of the clock.
    Pause,
    /// The answer is thrown away and the connection cut.
    CutReply,
    /// Half of the answer arrives.
    HalfReply,
    /// Something else arrives in place of the answer.
    Mangle,
    /// The answer arrives when the clock has run out.
    Stall,
    /// The connection is cut before anything arrives.
    Cut,
    /// Half of the message arrives.
    HalfRequest,
    /// It arrives when the clock has run out, behind the next one.
    Reorder,
    /// The player's process is stopped until the clock has run out.
    Freeze,
    /// The player's process is killed, and another one started.
    Kill,
}

/// What a trouble takes away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// Nothing: message and answer can arrive in time.
    Nothing,
    /// The answer. The player has the message, and must follow what is played instead.
    Answer,
    /// The message, in time or for good. What was played before it is unknown to the player.
    Message,
    /// The player with all that it knew.
    Player,
}

impl Trouble {
    /// All of them but [`Trouble::Calm`].
    pub const ALL: [Trouble; 17] = [
        Trouble::Delay,
        Trouble::Drip,
        Trouble::DripReply,
        Trouble::Twice,
        Trouble::Stale,
        Trouble::Garbage,
        Trouble::Flood,
        Trouble::Pause,
        Trouble::CutReply,
        Trouble::HalfReply,
        Trouble::Mangle,
        Trouble::Stall,
        Trouble::Cut,
        Trouble::HalfRequest,
        Trouble::Reorder,
        Trouble::Freeze,
        Trouble::Kill,
    ];

    /// What it takes away.
    pub fn loss(self) -> Loss {
        match self {
            Trouble::Calm
            | Trouble::Delay
            | Trouble::Drip
            | Trouble::DripReply
            | Trouble::Twice
            | Trouble::Stale
            | Trouble::Garbage
            | Trouble::Flood
            | Trouble::Pause => Loss::Nothing,
            Trouble::CutReply | Trouble::HalfReply | Trouble::Mangle | Trouble::Stall => {
                Loss::Answer
            }
            Trouble::Cut | Trouble::HalfRequest | Trouble::Reorder | Trouble::Freeze => {
                Loss::Message
            }
            Trouble::Kill => Loss::Player,
        }
    }

    /// How often it is chosen in comparison with others. What costs a whole clock or a process
    /// is rarer, so that the matches stay short.
    fn weight(self) -> u32 {
        match self {
            Trouble::Kill => 1,
            Trouble::Stall | Trouble::Reorder | Trouble::Freeze => 4,
            _ => 8,
        }
    }

    /// What happens to the next message: something in `percent` of the cases.
    ///
    /// With `gently`, nothing is lost.
    pub fn choose(rng: &mut Xoshiro256PlusPlus, percent: u32, gently: bool) -> Trouble {
        if rng.random_range(0..100) >= percent {
            return Trouble::Calm;
        }
        let chosen = Trouble::ALL.choose_weighted(rng, |trouble| trouble.weight());
        match chosen {
            Ok(trouble) if !gently || trouble.loss() == Loss::Nothing => *trouble,
            _ => Trouble::Calm,
        }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Trouble::Calm => "calm",
            Trouble::Delay => "delayed",
            Trouble::Drip => "request in pieces",
            Trouble::DripReply => "reply in pieces",
            Trouble::Twice => "sent twice",
            Trouble::Stale => "old one repeated",
            Trouble::Garbage => "garbage beside",
            Trouble::Flood => "flood beside",
            Trouble::Pause => "stopped shortly",
            Trouble::CutReply => "reply cut",
            Trouble::HalfReply => "half a reply",
            Trouble::Mangle => "reply mangled",
            Trouble::Stall => "reply held",
            Trouble::Cut => "request cut",
            Trouble::HalfRequest => "half a request",
            Trouble::Reorder => "request behind the next",
            Trouble::Freeze => "stopped",
            Trouble::Kill => "killed",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn all_troubles_are_chosen_and_gentle_ones_lose_nothing() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut chosen: Vec<Trouble> = (0..5000)
            .map(|_| Trouble::choose(&mut rng, 90, false))
            .collect();
        chosen.sort();
        chosen.dedup();
        assert_eq!(chosen.len(), 1 + Trouble::ALL.len());
        for _ in 0..5000 {
            assert_eq!(Trouble::choose(&mut rng, 90, true).loss(), Loss::Nothing);
        }
    }
}
