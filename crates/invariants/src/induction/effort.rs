//! How much work a proof may take: levels of effort, bounds on all proofs together, and the kinds
//! of groups on which effort is wasted.

use super::{Induction, Outcome};
use crate::groups::Group;

/// The strength of an attempt at a proof.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Attempt {
    Quick,
    /// Proves each phase of the game separately, and with everything that follows from play not
    /// having ended.
    Thorough,
}

impl Attempt {
    /// Maximum number of node visits for one case of a proof.
    pub(super) fn steps(self) -> u64 {
        match self {
            Attempt::Quick => 5_000,
            Attempt::Thorough => 50_000,
        }
    }
}

/// The attempts at one effort level, and their steps in total.
pub(super) struct Effort {
    pub(super) steps: u64,
    pub(super) attempts: &'static [Attempt],
}

/// The first effort level, and the ones tried after everything else when it did not suffice.
pub(super) const EFFORT: [Effort; 3] = [
    Effort {
        steps: 300_000,
        attempts: &[Attempt::Quick],
    },
    Effort {
        steps: 3_000_000,
        attempts: &[Attempt::Quick, Attempt::Thorough],
    },
    Effort {
        steps: 45_000_000,
        attempts: &[Attempt::Quick, Attempt::Thorough],
    },
];
/// Steps, including those for counterexamples, after which an invariant is dropped unless the
/// first effort level proves it.
pub(super) const HURRY: u64 = 110_000_000;
/// Steps after which the search ends.
pub(super) const END: u64 = 135_000_000;
/// Number of gates above which both bounds are divided by four, since each step takes longer
/// there.
const HUGE: usize = 500_000;
/// Number of groups of one kind on which higher effort failed, after which others of the kind
/// get none.
const VAIN: i32 = 8;

impl Induction<'_> {
    /// The steps spent so far, including counterexamples converted to steps.
    pub(super) fn spent(&self) -> u64 {
        self.refuter.steps + self.refusals.cost()
    }

    /// Scales a bound on steps by the size of the network.
    pub(super) fn until(&self, steps: u64) -> u64 {
        match self.logic.net.len() > HUGE {
            true => steps / 4,
            false => steps,
        }
    }

    /// Whether the present invariant has used its steps for now.
    pub(super) fn is_over(&self) -> bool {
        self.refuter.steps >= self.allowed
    }

    /// Whether higher effort failed on several groups of the same kind.
    pub(super) fn is_hopeless(&self, group: &Group) -> bool {
        let vain = self.vain.get(&(group.facts.len(), group.exactly));
        vain.is_some_and(|&vain| vain >= VAIN)
    }

    /// Records whether higher effort than the first level succeeded on a group of this kind.
    pub(super) fn learn(&mut self, kind: (usize, bool), outcome: &Outcome, progress: bool) {
        let vain = self.vain.entry(kind).or_default();
        match outcome {
            Outcome::Proved => *vain = i32::MIN / 2,
            Outcome::Weaker(_) => *vain += 1,
            Outcome::Later if !progress => *vain += 1,
            Outcome::AtMost(_) | Outcome::Later => {}
        }
    }
}
