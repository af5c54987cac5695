//! A move in one of several parts, of which the role chooses one each turn.

use crate::BestMove;
use crate::apart::{Apart, Place};
use crate::urgency::{Worth, urgency};
use budget::Budget;
use game::{Engine, MoveId, RoleId, State};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Steps of random play that are looked at for roles that choose at the same time.
const SEEN: usize = 500;

impl Apart {
    /// Searches the best move of each part, and what it is worth to pass there. `None` if the role can
    /// move in none.
    pub fn compare(
        &mut self,
        state: &State,
        places: &[Place],
        best: &BestMove,
        budget: &Budget,
    ) -> Option<(MoveId, Option<String>)> {
        let open: Vec<usize> = (0..places.len()).filter(|&at| places[at].own).collect();
        let searches = 2 * open.len() as u32;
        let limits = self.limits.each_of(searches.into());
        let mut most: Option<(f64, MoveId, String)> = None;
        for (&at, left) in open.iter().zip((0..=searches).rev().step_by(2)) {
            let place = &places[at];
            let passed = match place.pass {
                Some(pass) => Some(self.passed(state, pass, at)?),
                None => None,
            };
            let part = &mut self.searched[at];
            // Before anything is known of other parts, the best move of the first one will do.
            let first = most.is_none();
            let publish = |mv: MoveId| {
                if let Some(&mv) = place.moves.get(&mv).filter(|_| first) {
                    best.publish(mv);
                }
            };
            let share = budget.share(left);
            let report = part.search.choose(&place.state, limits, &share, &publish);
            let report = report.ok()?;
            let mv = *place.moves.get(&report.best)?;
            let known = report.candidate.and_then(|candidate| {
                let value = candidate.value?;
                Some(candidate.bounds.clamp(value / 100.0) * 100.0)
            });
            let moved = match known {
                Some(known) => known,
                // There is one move only.
                None => {
                    let share = budget.share(left);
                    part.search.worth(&place.state, limits, &share).ok()?
                }
            };
            let share = budget.share(left - 1);
            let passed = match passed {
                Some(passed) => Some(part.search.worth(&passed, limits, &share).ok()?),
                None => None,
            };
            let won = report.candidate.is_some_and(|best| best.bounds.low == 100);
            let urgency = match won {
                true => f64::INFINITY,
                false => urgency(Worth { moved, passed }),
            };
            if most.as_ref().is_none_or(|most| urgency > most.0) {
                best.publish(mv);
                let passed = passed.map_or(String::new(), |passed| {
                    format!(" against {passed:.0} without a move there")
                });
                let why = part.of.explain(&report, None).unwrap_or_default();
                let count = places.len();
                let why = format!("part {} of {count}, {moved:.0}{passed}: {why}", at + 1);
                most = Some((urgency, mv, why));
            }
            if won {
                break;
            }
        }
        most.map(|(_, mv, why)| (mv, Some(why)))
    }

    /// The state of a part after a move of the whole elsewhere.
    pub fn passed(&mut self, state: &State, pass: MoveId, at: usize) -> Option<State> {
        let mut joint = Vec::new();
        for role in (0..self.engine.roles().len()).map(RoleId) {
            let mut legal = Vec::new();
            self.engine.legal(state, role, &mut legal).ok()?;
            match legal[..] {
                _ if role == self.role => joint.push(pass),
                [only] => joint.push(only),
                _ => return None,
            }
        }
        let (mut next, mut bits) = (State::default(), State::default());
        self.engine.next(state, &joint, &mut next).ok()?;
        if !self.engine.bits(&next, &mut bits) {
            return None;
        }
        let part = &mut self.searched[at];
        let facts = self.parts.facts(part.factor, bits.words());
        part.of.engine().state_of(&facts).ok()
    }
}

/// Whether no two roles were seen to have a choice at the same time in some random play.
pub(crate) fn takes_turns(engine: &mut dyn Engine, seed: u64) -> bool {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut state = engine.initial();
    for _ in 0..SEEN {
        if !matches!(engine.terminal(&state), Ok(false)) {
            state = engine.initial();
        }
        let (mut joint, mut choose) = (Vec::new(), 0);
        for role in (0..engine.roles().len()).map(RoleId) {
            let mut legal = Vec::new();
            if engine.legal(&state, role, &mut legal).is_err() || legal.is_empty() {
                return false;
            }
            choose += usize::from(legal.len() > 1);
            joint.push(legal[rng.random_range(0..legal.len())]);
        }
        let mut next = State::default();
        if choose > 1 || engine.next(&state, &joint, &mut next).is_err() {
            return false;
        }
        state = next;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{scalar, setup};
    use factored::Parts;
    use mcts::Limits;
    use prepare::logic_of;

    /// Plays a whole match against the first moves of the other role: the moves that were chosen, why, and
    /// the result.
    fn played(seed: u64) -> (Vec<MoveId>, Vec<String>, Option<u8>) {
        let mut engine = scalar("breakthrough_walls");
        let budget = Budget::system();
        let logic = logic_of(&*engine).expect("it has logic");
        let parts = Parts::find(logic, seed, &budget).expect("it falls apart");
        let mut profile = crate::default::default();
        profile.lanes = false;
        let limits = Limits {
            playouts: 400,
            ..Limits::default()
        };
        let setup = setup(&*engine, 0, seed);
        let apart = Apart::find(parts, &setup, &profile, limits, &budget);
        let mut apart = apart.expect("its parts can be searched");
        let (mut state, mut made, mut said) = (engine.initial(), Vec::new(), Vec::new());
        while !engine.terminal(&state).expect("it plays") {
            let mut legal = [Vec::new(), Vec::new()];
            for (role, legal) in legal.iter_mut().enumerate() {
                engine.legal(&state, RoleId(role), legal).expect("it plays");
            }
            let mut own = legal[0][0];
            if legal[0].len() > 1 {
                let best = BestMove::default();
                let (chosen, why) = apart.choose(&state, &best, &budget).expect("it chooses");
                assert!(legal[0].contains(&chosen));
                assert_eq!(best.get(), Some(chosen), "what it says is what it chooses");
                own = chosen;
                made.push(own);
                said.extend(why);
            }
            let mut next = State::default();
            let joint = [own, legal[1][0]];
            engine.next(&state, &joint, &mut next).expect("it plays");
            state = next;
        }
        let goal = engine.goal(&state, RoleId(0)).expect("it plays");
        (made, said, goal)
    }

    /// Every choice is one among parts, it repeats, and beats somebody who does not think.
    #[test]
    fn moves_are_weighed_against_passing() {
        let (made, said, goal) = played(1);
        assert_eq!(said.len(), made.len());
        assert!(said.iter().all(|why| why.contains(" of 2, ")), "{said:?}");
        let both = |part| said.iter().any(|why: &String| why.starts_with(part));
        assert!(both("part 1") && both("part 2"), "{said:?}");
        assert!(said[0].contains("without a move there"), "{}", said[0]);
        assert_eq!(goal, Some(100));
        assert_eq!(played(1).0, made);
    }

    #[test]
    fn who_chooses_at_the_same_time_does_not_take_turns() {
        assert!(takes_turns(&mut *scalar("breakthrough_walls"), 1));
        assert!(!takes_turns(&mut *scalar("connect_four_simultaneous"), 1));
    }
}
