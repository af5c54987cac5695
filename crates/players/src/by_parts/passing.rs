//! Moves in games where the role chooses one of several parts each turn.

use super::apart::{Apart, Place};
use super::urgency::{Worth, urgency};
use crate::thought::Teller;
use crate::{BestMove, Thought};
use budget::Budget;
use game::{MoveId, RoleId, State};
use mcts::SoFar;

impl Apart {
    /// Searches the best move of each part, and the value of passing there. `None` if the role
    /// can move in no part.
    pub fn compare(
        &mut self,
        state: &State,
        places: &[Place],
        best: &BestMove,
        budget: &Budget,
    ) -> Option<(MoveId, Option<Thought>)> {
        let open: Vec<usize> = (0..places.len()).filter(|&at| places[at].own).collect();
        let searches = 2 * open.len() as u32;
        let limits = self.limits.each_of(searches.into());
        let mut most: Option<(f64, MoveId, Thought)> = None;
        for (&at, left) in open.iter().zip((0..=searches).rev().step_by(2)) {
            let place = &places[at];
            let passed = match place.pass {
                Some(pass) => Some(self.passed(state, pass, at)?),
                None => None,
            };
            let part = &mut self.divided.searched[at].searchable;
            let search = &mut self.searches[at];
            // Until other parts are searched, the best move of the first one is published.
            let first = most.is_none();
            let role = part.role();
            let teller = Teller::new(part.engine(), role, budget.clock());
            let publish = |so_far: &SoFar<'_>| {
                if let Some(&mv) = place.moves.get(&so_far.best).filter(|_| first) {
                    best.publish(mv);
                }
                best.answer(|| teller.tell(&so_far.report(), true));
            };
            let share = budget.share(left);
            let report = search.choose(&place.state, limits, &share, &publish);
            let report = report.ok()?;
            let mv = *place.moves.get(&report.best)?;
            let known = report.candidate.and_then(|candidate| {
                let value = candidate.value?;
                Some(candidate.bounds.clamp(value / 100.0) * 100.0)
            });
            let moved = match known {
                Some(known) => known,
                // There is a single move.
                None => {
                    let share = budget.share(left);
                    search.worth(&place.state, limits, &share).ok()?
                }
            };
            let share = budget.share(left - 1);
            let passed = match passed {
                Some(passed) => Some(search.worth(&passed, limits, &share).ok()?),
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
                let term = self.divided.engine.move_term(role, mv);
                let thought = teller.tell(&report, true);
                let thought = Thought {
                    part: format!("part {} of {}, {moved:.0}{passed}", at + 1, places.len()),
                    mv: term.clone(),
                    ..thought.unwrap_or(Thought {
                        value: Some(moved),
                        ..Thought::of(term)
                    })
                };
                most = Some((urgency, mv, thought));
            }
            if won {
                break;
            }
        }
        most.map(|(_, mv, thought)| (mv, Some(thought)))
    }

    /// The state of a part after a move of the whole elsewhere.
    pub fn passed(&mut self, state: &State, pass: MoveId, at: usize) -> Option<State> {
        let mut joint = Vec::new();
        let divided = &mut self.divided;
        for role in (0..divided.engine.roles().len()).map(RoleId) {
            let mut legal = Vec::new();
            divided.engine.legal(state, role, &mut legal).ok()?;
            match legal[..] {
                _ if role == divided.role => joint.push(pass),
                [only] => joint.push(only),
                _ => return None,
            }
        }
        let (mut next, mut bits) = (State::default(), State::default());
        divided.engine.next(state, &joint, &mut next).ok()?;
        if !divided.engine.bits(&next, &mut bits) {
            return None;
        }
        let part = &mut divided.searched[at];
        let facts = divided.parts.facts(part.factor, bits.words());
        part.searchable.engine().state_of(&facts).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{apart, scalar};
    use mcts::Limits;

    /// Plays a whole match against the first moves of the other role. Returns the chosen moves,
    /// their reasons, and the result.
    fn played(seed: u64) -> (Vec<MoveId>, Vec<String>, Option<u8>) {
        let mut engine = scalar("breakthrough_walls").engine;
        let budget = Budget::system();
        let limits = Limits {
            playouts: 400,
            ..Limits::default()
        };
        let apart = apart("breakthrough_walls", 0, seed, limits);
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
                said.extend(why.map(|why| why.to_string()));
            }
            let mut next = State::default();
            let joint = [own, legal[1][0]];
            engine.next(&state, &joint, &mut next).expect("it plays");
            state = next;
        }
        let goal = engine.goal(&state, RoleId(0)).expect("it plays");
        (made, said, goal)
    }

    /// Every choice is among parts; play repeats, and wins against the first legal move.
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
}
