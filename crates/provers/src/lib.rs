//! Makes proof searches of a game, by any of the project's methods.
//!
//! All of them answer the same questions ([`ProofSearch`]): whether a role gets at least some
//! result from a state, whatever all others do. Which of them answers sooner differs by game:
//! narrow lines of threats suit proof numbers, endings that are counted out suit alpha-beta.

pub use dfpn::{Answer, Helper, ProofSearch, Results};

use dfpn::Subject;
use game::{Engine, Fans, RoleId};
use heuristics::Value;

/// How a proof search goes about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ProofMethod {
    /// By proof numbers, depth first (crate `dfpn`).
    #[default]
    DepthFirst,
    /// The same, but deep before wide ([`Subject::plunge`]).
    Plunging,
    /// By proof numbers in batches, over an explicit graph (crate `pnsearch`).
    Batched,
    /// By alpha-beta, to the end of play (crate `alphabeta`).
    AlphaBeta,
}

impl ProofMethod {
    /// All methods.
    pub const ALL: [ProofMethod; 4] = [
        ProofMethod::DepthFirst,
        ProofMethod::Plunging,
        ProofMethod::Batched,
        ProofMethod::AlphaBeta,
    ];

    /// Whether it is one by proof numbers, which a value can guide.
    pub fn by_numbers(self) -> bool {
        self != ProofMethod::AlphaBeta
    }
}

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
    /// The results that the role can have, as far as that is known.
    pub results: Results,
    /// What states of the engine are worth, if that is known and to guide searches by proof
    /// numbers.
    pub value: Option<&'a Value>,
}

impl Maker<'_> {
    /// A search in about `memory` bytes.
    pub fn make(&self, method: ProofMethod, memory: usize) -> Box<dyn ProofSearch> {
        let subject = self.subject(method);
        match method {
            ProofMethod::DepthFirst | ProofMethod::Plunging => {
                Box::new(dfpn::Prover::about(subject, memory))
            }
            ProofMethod::Batched => Box::new(pnsearch::Prover::about(subject, memory)),
            ProofMethod::AlphaBeta => Box::new(alphabeta::Prover::about(subject, memory)),
        }
    }

    /// Searches for so many threads, in about `memory` bytes together. Those that go depth first
    /// share a table, so that each knows what the others found.
    pub fn make_several(
        &self,
        method: ProofMethod,
        memory: usize,
        threads: usize,
    ) -> Vec<Box<dyn ProofSearch>> {
        let subject = self.subject(method);
        match method {
            ProofMethod::DepthFirst | ProofMethod::Plunging => {
                boxed(dfpn::Prover::several(subject, memory, threads))
            }
            ProofMethod::Batched => {
                let each = |_| self.make(method, memory / threads.max(1));
                (0..threads).map(each).collect()
            }
            ProofMethod::AlphaBeta => boxed(alphabeta::Prover::several(subject, memory, threads)),
        }
    }

    /// A search by proof numbers in which so many threads answer each question together, in about
    /// `memory` bytes.
    pub fn make_team(&self, memory: usize, threads: usize) -> Box<dyn ProofSearch> {
        let provers = dfpn::Prover::several(
            self.subject(ProofMethod::DepthFirst),
            memory,
            threads.max(1),
        );
        Box::new(dfpn::Team::new(provers))
    }

    fn subject(&self, method: ProofMethod) -> Subject {
        let mut subject = Subject::new(self.engine.fork(), self.role, self.missing);
        subject.judge.results = self.results;
        if method == ProofMethod::Plunging {
            subject.plunge();
        }
        if let Some(value) = self.value {
            subject.guide(value);
        }
        if let Some(fans) = self.fans {
            subject.fans = Some(fans.fork());
            if self.foresees {
                subject.foresee(self.sum.map(u32::from));
            }
        }
        subject
    }
}

fn boxed<P: ProofSearch + 'static>(searches: Vec<P>) -> Vec<Box<dyn ProofSearch>> {
    let boxes = searches.into_iter();
    boxes.map(|search| Box::new(search) as _).collect()
}
