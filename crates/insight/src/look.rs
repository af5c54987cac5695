//! What the rules say of states: how many moves each role has, and what it would get.

use crate::moments::{Moment, goal};
use analysis::sampling::{Counts, LANES};
use budget::{Budget, Exhausted};
use invariants::Play;
use netlist::GameLogic;

/// What the rules say of some states.
#[derive(Debug, Clone, Default)]
pub struct Looks {
    /// For each role, for each state, the number of its legal moves.
    pub choices: Vec<Vec<u32>>,
    /// For each role, for each state, the result that it would have if play ended there, if the
    /// rules give one.
    pub goals: Vec<Vec<Option<u8>>>,
}

impl Looks {
    /// Looks at states, 64 at once.
    ///
    /// # Errors
    /// If the budget runs out.
    pub fn at(logic: &GameLogic, moments: &[Moment], budget: &Budget) -> Result<Looks, Exhausted> {
        let roles = logic.roles();
        let mut looks = Looks {
            choices: vec![Vec::with_capacity(moments.len()); roles],
            goals: vec![Vec::with_capacity(moments.len()); roles],
        };
        let mut play = Play::new(logic, 0);
        for some in moments.chunks(LANES) {
            budget.check()?;
            play.enter(|fact| {
                let bit = |moment: &Moment| moment.state[fact as usize / 64] >> (fact % 64) & 1;
                let lanes = some.iter().enumerate();
                lanes.fold(0, |word, (lane, moment)| word | bit(moment) << lane)
            });
            play.results();
            for role in 0..roles {
                let moves = logic.legal[role].iter();
                let counts = Counts::of(moves.map(|&lit| play.word(lit)));
                let goals = &logic.goals[role];
                for lane in 0..some.len() {
                    looks.choices[role].push(counts.sum(1 << lane) as u32);
                    looks.goals[role].push(goal(&play, goals, lane));
                }
            }
        }
        Ok(looks)
    }

    /// The roles that have a choice in a state, as a set of bits.
    pub fn choosing(&self, at: usize) -> u64 {
        let roles = self.choices.iter().take(64).enumerate();
        roles.fold(0, |set, (role, counts)| {
            set | u64::from(counts[at] > 1) << role
        })
    }
}
