//! Making proof searches of a game.

use crate::{ProofSearch, Prover};
use game::{Engine, Fans, RoleId};

/// Makes proof searches of one game about one role.
#[derive(Clone, Copy)]
pub struct Maker<'a> {
    /// The engine, of which each search gets a fork.
    pub engine: &'a dyn Engine,
    /// The role that questions are about.
    pub role: RoleId,
    /// The result where the rules define none.
    pub missing: u8,
    /// The evaluator of many moves side by side, if it is faster.
    pub fans: Option<&'a dyn Fans>,
    /// Whether wins that are one move away are used, where `fans` report them.
    pub foresees: bool,
    /// What the results of two roles add up to in every terminal state.
    pub sum: Option<u16>,
}

impl Maker<'_> {
    /// A search in about `memory` bytes: in batches ([`Prover`]), or depth first
    /// ([`dfpn::Prover`]).
    pub fn make(&self, batched: bool, memory: usize) -> Box<dyn ProofSearch> {
        match batched {
            true => Box::new(self.in_batches(memory)),
            false => Box::new(self.depth_first(memory)),
        }
    }

    fn in_batches(&self, memory: usize) -> Prover {
        let mut prover = Prover::new(self.engine.fork(), self.role, memory, self.missing);
        if let Some(fans) = self.fans {
            prover.fan_out(fans.fork());
            if self.foresees {
                prover.foresee(self.sum.map(u32::from));
            }
        }
        prover
    }

    fn depth_first(&self, memory: usize) -> dfpn::Prover {
        let mut prover = dfpn::Prover::new(self.engine.fork(), self.role, memory, self.missing);
        if let Some(fans) = self.fans {
            prover.fan_out(fans.fork());
            if self.foresees {
                prover.foresee(self.sum.map(u32::from));
            }
        }
        prover
    }
}
