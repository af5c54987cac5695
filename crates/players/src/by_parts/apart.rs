//! The parts of a game, each searched by itself.

use crate::thought::Teller;
use crate::{BestMove, Thought};
use budget::Budget;
use game::{MoveId, State};
use mcts::{Limits, Search, SoFar};
use metagame::Divided;
use std::collections::HashMap;
use std::time::Duration;

/// While pondering, how long one part is searched before the next one.
const SLICE: Duration = Duration::from_millis(50);

/// A position of a part, with its moves.
pub(crate) struct Place {
    pub state: State,
    /// For each legal move of the part, a move of the whole with the same effect.
    pub moves: HashMap<MoveId, MoveId>,
    /// Whether the role can move there, and not only pass.
    pub own: bool,
    /// A move of the whole that passes in the part. `None` if the role must move in it.
    pub pass: Option<MoveId>,
}

/// A game of independent parts, each with its search.
pub(crate) struct Apart {
    pub divided: Divided,
    pub searches: Vec<Search>,
    pub limits: Limits,
}

impl Apart {
    pub fn new(divided: Divided, limits: Limits) -> Apart {
        let parts = divided.searched.iter();
        Apart {
            searches: parts.map(|part| part.searchable.search(None)).collect(),
            divided,
            limits,
        }
    }

    /// Discards what the searches have learnt.
    pub fn forget(&mut self) {
        for (search, part) in self.searches.iter_mut().zip(&self.divided.searched) {
            *search = part.searchable.search(None);
        }
    }

    /// The position of each part, with the moves of the whole for its legal moves. `None` if
    /// the parts do not match the whole there.
    fn places(&mut self, state: &State) -> Option<Vec<Place>> {
        let mut bits = State::default();
        let Divided {
            parts,
            role,
            engine: whole,
            numbers,
            searched,
            chooses,
        } = &mut self.divided;
        let (role, chooses) = (*role, *chooses);
        if !whole.bits(state, &mut bits) {
            return None;
        }
        let mut legal = Vec::new();
        whole.legal(state, role, &mut legal).ok()?;
        let mut places = Vec::new();
        for part in searched {
            let facts = parts.facts(part.factor, bits.words());
            let engine = part.searchable.engine();
            let state = engine.state_of(&facts).ok()?;
            let factor = &parts.factors.factors[part.factor];
            let actions = &factor.actions[role.0];
            let (mut moves, mut idle) = (HashMap::new(), None);
            for &mv in &legal {
                let number = *numbers.get(&mv)?;
                let action = parts.factors.actions[role.0][number][part.factor] as usize;
                match actions[action].idle {
                    true => idle = idle.or(Some(mv)),
                    false => _ = moves.entry(part.moves[action]?).or_insert(mv),
                }
            }
            let mut own = Vec::new();
            engine.legal(&state, role, &mut own).ok()?;
            // It does not matter which of the idle moves it is.
            let rest: Vec<&MoveId> = own.iter().filter(|mv| !moves.contains_key(mv)).collect();
            let chosen = !moves.is_empty();
            match (&rest[..], idle) {
                ([], None) => {}
                // The role does not pass in the part while it can move there.
                ([], Some(_)) if chooses && chosen => {}
                ([one], Some(idle)) => _ = moves.insert(**one, idle),
                _ => return None,
            }
            if own.len() != moves.len() {
                return None;
            }
            places.push(Place {
                state,
                moves,
                own: chosen,
                pass: idle,
            });
        }
        Some(places)
    }

    /// Searches the part in which the role has a choice, or each part in which it can move.
    ///
    /// `None` if there is no such part, or more than one where the role does not choose the
    /// part.
    pub fn choose(
        &mut self,
        state: &State,
        best: &BestMove,
        budget: &Budget,
    ) -> Option<(MoveId, Option<Thought>)> {
        let places = self.places(state)?;
        if self.divided.chooses {
            return self.compare(state, &places, best, budget);
        }
        let mut choices = (0..places.len()).filter(|&at| places[at].moves.len() > 1);
        let (at, None) = (choices.next()?, choices.next()) else {
            return None;
        };
        let (place, count) = (&places[at], places.len());
        let part = &mut self.divided.searched[at].searchable;
        let search = &mut self.searches[at];
        let role = part.role();
        let teller = Teller::new(part.engine(), role, budget.clock());
        let named = |thought| Thought {
            part: format!("part {} of {count}", at + 1),
            ..thought
        };
        let publish = |so_far: &SoFar<'_>| {
            if let Some(&mv) = place.moves.get(&so_far.best) {
                best.publish(mv);
                best.answer(|| teller.tell(&so_far.report(), false).map(named));
            }
        };
        let report = search.choose(&place.state, self.limits, budget, &publish);
        let report = report.ok()?;
        let mv = *place.moves.get(&report.best)?;
        let thought = teller.tell(&report, false).map(|thought| Thought {
            mv: self.divided.engine.move_term(role, mv),
            ..named(thought)
        });
        Some((mv, thought))
    }

    /// Searches all parts in turn while there is time. `own` is the move that the role has
    /// made, if any.
    pub fn ponder(&mut self, state: &State, own: Option<MoveId>, budget: &Budget) {
        let Some(places) = self.places(state) else {
            return;
        };
        let divided = &self.divided;
        let own = own.and_then(|own| divided.numbers.get(&own));
        let own = own.map(|&own| &divided.parts.factors.actions[divided.role.0][own]);
        let mut searched = true;
        while searched && budget.check().is_ok() {
            searched = false;
            let parts = divided.searched.iter().zip(&places);
            for (search, (part, place)) in self.searches.iter_mut().zip(parts) {
                let slice = budget.clone().with_timeout(SLICE);
                let mv = own.and_then(|own| part.moves[own[part.factor] as usize]);
                let state = &place.state;
                let playouts = match mv {
                    Some(mv) => search.ponder_after(state, mv, self.limits, &slice),
                    None => search.ponder(state, self.limits, &slice),
                };
                searched |= playouts.is_ok_and(|playouts| playouts > 0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{apart, scalar};
    use game::RoleId;

    /// In every state of some random play, the moves of the parts match those of the whole.
    /// Where the turn decides the part, at most one part has a choice.
    #[test]
    fn parts_match_the_whole() {
        for (name, chosen) in [
            ("connect_four_simultaneous", false),
            ("two_colours", false),
            ("breakthrough_walls", true),
        ] {
            let mut engine = scalar(name).engine;
            let limits = Limits::default();
            let mut of_roles: Vec<Apart> = (0..2)
                .map(|role| apart(name, role, 1, limits).expect("its parts can be searched"))
                .collect();
            let (mut state, mut turn, mut choices) = (engine.initial(), 0u64, 0);
            while !engine.terminal(&state).expect("it plays") {
                let mut joint = Vec::new();
                for (role, apart) in of_roles.iter_mut().enumerate() {
                    let places = apart.places(&state).expect("the parts are right");
                    let with = places.iter().filter(|place| place.moves.len() > 1).count();
                    assert!(chosen || with <= 1, "{name}");
                    choices += with;
                    let mut moves = Vec::new();
                    let role = RoleId(role);
                    engine.legal(&state, role, &mut moves).expect("it plays");
                    for (at, place) in places.iter().enumerate().filter(|_| moves.len() > 1) {
                        let own = place.moves.values().filter(|mv| moves.contains(mv));
                        assert_eq!(own.count(), place.moves.len(), "{name}");
                        if chosen {
                            // After a pass it is the other role's turn, and nothing else in the
                            // part changed.
                            let pass = place.pass.expect("there is a move elsewhere");
                            let passed = apart.passed(&state, pass, at).expect("it can pass");
                            assert_ne!(passed, place.state, "{name}");
                            let mut legal = Vec::new();
                            let part = apart.divided.searched[at].searchable.engine();
                            part.legal(&passed, role, &mut legal).expect("it plays");
                            assert_eq!(legal.len(), 1, "{name}");
                        }
                    }
                    turn += 1;
                    joint.push(moves[(turn * turn % 7) as usize % moves.len()]);
                }
                let mut next = State::default();
                engine.next(&state, &joint, &mut next).expect("it plays");
                state = next;
            }
            assert!(choices > 10, "{name}: {choices}");
        }
    }
}
