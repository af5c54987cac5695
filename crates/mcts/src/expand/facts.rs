//! The facts (base propositions) of states, and static bounds of results.

use super::Expander;
use crate::{Bounds, Config};
use game::{Engine, RoleId, State};

impl Expander {
    /// The facts of the state that was entered last, one bit each, in the engine's order; empty
    /// if the engine has none.
    pub fn bits(&mut self) -> &[u64] {
        match self.plain {
            true => self.state.words(),
            false => self.facts(),
        }
    }

    /// The same in the order of the network.
    pub fn facts(&mut self) -> &[u64] {
        let bits_of_state = &mut self.bits_of_state;
        facts(&*self.engine, &self.state, bits_of_state, &mut self.bits)
    }

    /// The facts of another state, in the order of the network.
    pub fn facts_of(&mut self, state: &State) -> &[u64] {
        facts(
            &*self.engine,
            state,
            &mut self.bits_of_state,
            &mut self.bits,
        )
    }

    /// The facts of another state, in the engine's order.
    pub fn bits_of<'a>(&'a mut self, state: &'a State) -> &'a [u64] {
        match self.plain {
            true => state.words(),
            false => self.facts_of(state),
        }
    }

    /// Computes the bounds of the next node, if the gate admits it.
    pub(super) fn bound_node(&mut self, config: &Config) {
        if !self.bounds_next {
            self.bounds.fill(Bounds::OPEN);
            return;
        }
        self.bound(false, config);
        let first = self.first_bounds.get_or_insert_with(|| self.bounds.clone());
        self.node_gate.record(*first != self.bounds);
    }

    /// Computes static bounds of the state that was entered last. With `after` it is a successor
    /// of the state that moves are looked ahead from.
    pub(super) fn bound(&mut self, after: bool, config: &Config) {
        let Some(prospects) = self.prospects.as_ref().filter(|_| config.solve) else {
            self.bounds.fill(Bounds::OPEN);
            return;
        };
        // Static bounds need the order of the network.
        let bits_of_state = &mut self.bits_of_state;
        let bits = facts(&*self.engine, &self.state, bits_of_state, &mut self.bits);
        for (role, bounds) in self.bounds.iter_mut().enumerate() {
            let within = if after {
                self.bounds_before[role]
            } else {
                Bounds::OPEN
            };
            *bounds = prospects.bounds(bits, RoleId(role), within);
        }
        if let (Some(sum), [one, two]) = (config.sum, &mut self.bounds[..]) {
            (*one, *two) = (one.meet(two.rest(sum)), two.meet(one.rest(sum)));
        }
        // Bounds contradict each other where rules define no result, or more than one.
        if self.bounds.iter().any(|bounds| bounds.low > bounds.high) {
            self.bounds.fill(Bounds::OPEN);
        }
    }
}

/// The facts of a state in `bits`, which has those of `bits_of_state` so far: states that are
/// asked about one after the other are similar.
fn facts<'a>(
    engine: &dyn Engine,
    state: &State,
    bits_of_state: &mut State,
    bits: &'a mut State,
) -> &'a [u64] {
    if bits_of_state != state {
        if !engine.bits_since(bits_of_state, state, bits) {
            bits.words_mut().clear();
        }
        bits_of_state.clone_from(state);
    }
    bits.words()
}
