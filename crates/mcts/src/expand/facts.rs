//! The facts of states, and what they prove of results.

use super::Expander;
use crate::{Bounds, Config};
use game::{Engine, RoleId, State};

impl Expander {
    /// The facts that hold in the state that it went to, bit by bit; none if the engine cannot tell.
    pub fn bits(&mut self) -> &[u64] {
        match self.plain {
            true => self.state.words(),
            false => self.facts(),
        }
    }

    /// The same in the order of the network, whatever the engine's own is.
    pub fn facts(&mut self) -> &[u64] {
        let bits_of_state = &mut self.bits_of_state;
        facts(&*self.engine, &self.state, bits_of_state, &mut self.bits)
    }

    /// Those of another state, in the order of the network.
    pub fn facts_of(&mut self, state: &State) -> &[u64] {
        facts(
            &*self.engine,
            state,
            &mut self.bits_of_state,
            &mut self.bits,
        )
    }

    /// Those of another state.
    pub fn bits_of<'a>(&'a mut self, state: &'a State) -> &'a [u64] {
        match self.plain {
            true => state.words(),
            false => self.facts_of(state),
        }
    }

    /// Finds out what is proved of the results in the state of a node, if that is bits_of_state for.
    pub(super) fn bound_node(&mut self, config: &Config) {
        if !self.bounds_next {
            self.bounds.fill(Bounds::OPEN);
            return;
        }
        self.bound(false, config);
        let first = self.first_bounds.get_or_insert_with(|| self.bounds.clone());
        self.node_gate.record(*first != self.bounds);
    }

    /// Finds out what is proved of the results by the facts that hold, in any state or in one that comes `after` that
    /// which moves are looked at from.
    pub(super) fn bound(&mut self, after: bool, config: &Config) {
        let Some(prospects) = self.prospects.as_ref().filter(|_| config.solve) else {
            self.bounds.fill(Bounds::OPEN);
            return;
        };
        // Their order is that of the network, whatever the engine's own is.
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
        // What contradicts itself comes from rules that give no result, or more than one.
        if self.bounds.iter().any(|bounds| bounds.low > bounds.high) {
            self.bounds.fill(Bounds::OPEN);
        }
    }
}

/// The facts of a state in `bits`, where those of `bits_of_state` are: states that are bits_of_state about one after the other are
/// much alike.
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
