//! Proof cubes, asked about one position after the other.

use crate::own_matches::Step;
use crate::stopwatch::{Stopwatch, Time};
use budget::Budget;
use compile::{Playable, Proved};
use game::{Engine, MoveId, RoleId, State};
use localsearch::{Claim, FOREVER, Search};
use std::time::Duration;

/// Bytes of each search.
const MEMORY: usize = 256 << 20;
/// Time for proofs about the game itself.
const FACTS: Duration = Duration::from_secs(5);
/// The most joint moves that are looked ahead.
const PLIES: u16 = 199;
/// The result that is to be forced.
const BEST: u8 = 100;

/// How far a position was searched.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Depth {
    /// The joint moves of the shortest win, if there is one.
    pub win: Option<u16>,
    /// The joint moves within which there is none; [`FOREVER`] if there never is.
    pub completed: u16,
    /// Processor time until the win was found, or the last completed depth was.
    pub seconds: f64,
    /// States made by then.
    pub states: u64,
}

/// Searches of a game by proof cubes.
pub struct Cubes {
    proved: Proved,
}

impl Cubes {
    /// Proves what cubes rest on.
    ///
    /// # Errors
    /// Fails if there is no network of the game, or it does not suit cubes.
    pub fn new(playable: &Playable) -> anyhow::Result<Cubes> {
        let compiled = playable.compiled.clone();
        let compiled = compiled.ok_or_else(|| anyhow::anyhow!("it has no network"))?;
        let budget = Budget::system().with_timeout(FACTS);
        let cubes = Cubes {
            proved: Proved::find(compiled, 1, &budget),
        };
        cubes.search(RoleId(0))?;
        Ok(cubes)
    }

    fn search(&self, role: RoleId) -> anyhow::Result<Search> {
        let budget = Budget::system().with_timeout(FACTS);
        Ok(Search::new(&self.proved, role, BEST, MEMORY, &budget)?)
    }

    /// Looks for the shortest win of the role that chooses, from scratch.
    ///
    /// # Errors
    /// Fails if the engine does.
    pub fn deepen(
        &self,
        engine: &mut dyn Engine,
        step: &Step,
        budget: &Budget,
    ) -> anyhow::Result<Depth> {
        let mut facts = State::default();
        engine.bits(&step.state, &mut facts);
        let mut search = self.search(step.role)?;
        let watch = Stopwatch::start(Time::Processor);
        let mut depth = Depth::default();
        for plies in (1..=PLIES).step_by(search.stride()) {
            let Some(proof) = search.ask(&facts, plies, u64::MAX, budget) else {
                break;
            };
            (depth.seconds, depth.states) = (watch.seconds(), search.states());
            match proof.cube.claim {
                Claim::Wins(plies) => {
                    depth.win = Some(plies);
                    break;
                }
                Claim::Fails(within) => depth.completed = within,
            }
            if depth.completed == FOREVER {
                break;
            }
        }
        Ok(depth)
    }

    /// Whether the role still has a forced win after a move; `None` if that was not found out.
    ///
    /// # Errors
    /// Fails if the engine does.
    pub fn keeps(
        &self,
        engine: &mut dyn Engine,
        step: &Step,
        mv: MoveId,
        budget: &Budget,
    ) -> anyhow::Result<Option<bool>> {
        let next = step.after(engine, mv)?;
        if engine.terminal(&next)? {
            return Ok(Some(engine.goal(&next, step.role)? == Some(BEST)));
        }
        let mut facts = State::default();
        engine.bits(&next, &mut facts);
        let mut search = self.search(step.role)?;
        let proof = search.deepen(&facts, PLIES, u64::MAX, budget);
        Ok(match proof.map(|proof| proof.cube.claim) {
            Some(Claim::Wins(_)) => Some(true),
            Some(Claim::Fails(FOREVER)) => Some(false),
            _ => None,
        })
    }
}
