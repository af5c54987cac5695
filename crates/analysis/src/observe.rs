//! Statistics of random play: turns, lengths and results.

use crate::sampling::{self, Extent, LANES, Look, each};
use budget::{Budget, Exhausted};
use invariants::Play;
use netlist::{GameLogic, Gate, Lit};
use std::collections::BTreeMap;

/// Maximum number of playouts.
const PLAYOUTS: u32 = 512;
/// Steps after which a playout is cut.
const LENGTH: u32 = 1000;
/// Bounds on the work, in gates and moves evaluated in all lanes at once, some nanoseconds each:
/// for the first playout of each lane, and for all playouts if the first leave some.
const FIRST: u64 = 40_000_000;
const WORK: u64 = 25_000_000;

/// The statistics.
#[derive(Debug, Default)]
pub struct Observed {
    /// States in which moves were played.
    pub states: u64,
    /// States in which several roles had a choice.
    pub at_once: u64,
    /// For each role, the number of states in which it had a choice, and its maximum number of
    /// moves.
    pub choosing: Vec<(u64, u32)>,
    /// Playouts that reached a terminal state.
    pub playouts: u64,
    /// Steps of the shortest of them.
    pub shortest: u32,
    /// Steps of the longest of them.
    pub longest: u32,
    /// Playouts that were cut, or in which a role had no legal move.
    pub other: u64,
    /// Disjuncts of `terminal` that held at the end of no playout.
    pub unseen: Vec<Lit>,
    /// The results of all roles at the ends of playouts, with their frequencies.
    pub results: BTreeMap<Vec<Option<u8>>, u64>,
}

/// Plays at random, as much as the size of the game allows.
pub fn observe(logic: &GameLogic, seed: u64, budget: &Budget) -> (Observed, Option<Exhausted>) {
    let mut observed = Observed {
        choosing: vec![(0, 0); logic.roles()],
        shortest: u32::MAX,
        unseen: ends(logic),
        ..Observed::default()
    };
    let mut play = Play::new(logic, seed);
    let moves: usize = logic.legal.iter().map(Vec::len).sum();
    let cost = (logic.net.len() + 8 * moves + logic.facts.len()) as u64;
    let first = Extent {
        playouts: 1,
        length: LENGTH,
        steps: FIRST / cost,
    };
    let mut show = |play: &mut Play<'_>, look: &Look| observed.look(logic, play, look);
    let exhausted = match sampling::play(logic, &mut play, first, budget, &mut show) {
        Ok(steps) => {
            let left = (WORK / cost).saturating_sub(steps);
            let more = (left / (steps + 1)).min(u64::from(PLAYOUTS) / LANES as u64 - 1);
            let more = Extent {
                playouts: more as u32,
                steps: left,
                ..first
            };
            sampling::play(logic, &mut play, more, budget, &mut show).err()
        }
        Err(why) => Some(why),
    };
    if observed.playouts == 0 {
        observed.shortest = 0;
    }
    (observed, exhausted)
}

impl Observed {
    fn look(&mut self, logic: &GameLogic, play: &mut Play<'_>, look: &Look) {
        self.states += u64::from(look.going.count_ones());
        let (mut one, mut several) = (0u64, 0u64);
        for ((states, most), legal) in self.choosing.iter_mut().zip(&look.legal) {
            let choosing = look.going & legal.several();
            several |= one & choosing;
            one |= choosing;
            *states += u64::from(choosing.count_ones());
            *most = (*most).max(legal.most(look.going));
        }
        self.at_once += u64::from(several.count_ones());
        self.other += u64::from((look.stuck | look.cut).count_ones());
        if look.over != 0 {
            play.results();
            self.unseen.retain(|&end| play.word(end) & look.over == 0);
        }
        for lane in each(look.over) {
            self.playouts += 1;
            self.shortest = self.shortest.min(look.age[lane]);
            self.longest = self.longest.max(look.age[lane]);
            let results = logic.goals.iter();
            let results = results.map(|row| result(play, row, lane)).collect();
            *self.results.entry(results).or_default() += 1;
        }
    }
}

/// The disjuncts of `terminal`, as many as can be separated easily.
fn ends(logic: &GameLogic) -> Vec<Lit> {
    const MOST: usize = 1000;
    let mut ends = Vec::new();
    let mut open = vec![logic.terminal];
    while let Some(lit) = open.pop() {
        match logic.net.gate(lit.node()) {
            Gate::And(a, b) if lit.is_negated() && ends.len() + open.len() < MOST => {
                open.extend([!a, !b]);
            }
            _ => ends.push(lit),
        }
    }
    ends
}

/// The goal value of a lane, if exactly one holds.
fn result(play: &Play<'_>, goals: &[(u8, Lit)], lane: usize) -> Option<u8> {
    let mut holds = goals
        .iter()
        .filter(|goal| play.word(goal.1) >> lane & 1 == 1);
    let one = holds.next().map(|goal| goal.0);
    one.filter(|_| holds.next().is_none())
}
