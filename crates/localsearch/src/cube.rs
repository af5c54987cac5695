//! Cubes: sets of states, given by the facts that must hold and those that must not.

use std::ops::Not;

/// A fact that holds, or one that does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal(u32);

impl Literal {
    /// The literal of a fact, by its position in the vocabulary, that has this value.
    pub fn new(fact: u32, holds: bool) -> Literal {
        debug_assert!(fact < 1 << 31, "a game has fewer than 2^31 facts");
        Literal(fact << 1 | u32::from(!holds))
    }

    /// The fact.
    pub fn fact(self) -> u32 {
        self.0 >> 1
    }

    /// Whether the fact holds.
    pub fn holds(self) -> bool {
        self.0 & 1 == 0
    }

    /// Fact and value in one number, less than twice the number of facts.
    pub(crate) fn code(self) -> usize {
        self.0 as usize
    }

    /// The literal with this code.
    pub(crate) fn of_code(code: usize) -> Literal {
        Literal(code as u32)
    }

    /// In which lanes it is true, given those in which each fact holds.
    pub(crate) fn lanes(self, facts: &[u64]) -> u64 {
        facts[self.fact() as usize] ^ 0u64.wrapping_sub((self.0 & 1).into())
    }
}

impl Not for Literal {
    type Output = Literal;

    fn not(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}

/// What is claimed of every state of a cube.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// The role can force the result within this number of joint moves.
    Wins(u16),
    /// The role cannot force it within this number of joint moves.
    Fails(u16),
}

/// Joint moves without a limit: what fails within these fails for good.
pub const FOREVER: u16 = u16::MAX;

impl Claim {
    /// Whether the claim is that the role succeeds.
    pub fn wins(self) -> bool {
        matches!(self, Claim::Wins(_))
    }

    /// The number of joint moves.
    pub fn plies(self) -> u16 {
        match self {
            Claim::Wins(plies) | Claim::Fails(plies) => plies,
        }
    }

    /// Whether the claim answers what happens within `plies` joint moves.
    pub fn answers(self, plies: u16) -> bool {
        match self {
            Claim::Wins(within) => within <= plies,
            Claim::Fails(within) => within >= plies,
        }
    }
}

/// A set of states, and what was proved of all of them.
///
/// The claim holds in every state of the phase in which all literals are true and everything
/// holds that was proved of the game's states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cube {
    /// The phase of the game.
    pub phase: usize,
    /// What must be true, ascending; no fact twice.
    pub literals: Box<[Literal]>,
    /// What was proved.
    pub claim: Claim,
}

impl Cube {
    /// In which of these lanes the state is in the cube, given those in which each fact holds.
    pub(crate) fn lanes(&self, facts: &[u64], mut lanes: u64) -> u64 {
        for literal in &self.literals {
            lanes &= literal.lanes(facts);
            if lanes == 0 {
                break;
            }
        }
        lanes
    }

    /// Whether a state is in the cube, if it is of the cube's phase. `holds` tells which facts
    /// hold.
    pub fn contains(&self, holds: impl Fn(u32) -> bool) -> bool {
        let mut literals = self.literals.iter();
        literals.all(|literal| holds(literal.fact()) == literal.holds())
    }

    /// About the memory that it takes, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Cube>() + size_of_val(&*self.literals) + 32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cube_is_where_all_its_literals_are_true() {
        let cube = Cube {
            phase: 0,
            literals: [Literal::new(0, true), Literal::new(2, false)].into(),
            claim: Claim::Wins(3),
        };
        assert_eq!(cube.lanes(&[0b1100, 0b1010, 0b0110], u64::MAX), 0b1000);
        assert!(cube.contains(|fact| fact < 2));
        assert!(!cube.contains(|fact| fact > 0));
    }

    #[test]
    fn claims_answer_longer_wins_and_shorter_failures() {
        assert!(Claim::Wins(3).answers(5) && !Claim::Wins(5).answers(3));
        assert!(Claim::Fails(5).answers(3) && !Claim::Fails(3).answers(5));
        assert!(Claim::Fails(FOREVER).answers(1000));
    }
}
