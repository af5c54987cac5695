//! Where a refutation got stuck: counterexamples are searched for near that place.

use super::Refuter;
use super::trail::Undo;
use super::value::TRUE;
use netlist::{Gate, Source};

/// The place where a refutation got stuck: the facts and moves that were assumed or inferred.
#[derive(Debug, Default)]
pub struct Stuck {
    /// Facts, and whether they hold.
    pub facts: Vec<(u32, bool)>,
    /// Roles, and the moves they play.
    pub made: Vec<(u16, u32)>,
}

impl Refuter<'_> {
    /// The place where a refutation first got stuck since the last call.
    pub fn take_stuck(&mut self) -> Option<Stuck> {
        self.stuck.take()
    }

    /// Notes the present place, unless there is one already.
    pub(super) fn note_stuck(&mut self) {
        if self.stuck.is_some() {
            return;
        }
        let mut stuck = Stuck::default();
        for undo in &self.trail {
            let Undo::Value(node) = undo else { continue };
            let Gate::Input(number) = self.logic.net.gate(*node as usize) else {
                continue;
            };
            let holds = self.nodes[*node as usize].value() == TRUE;
            match self.logic.sources[number as usize] {
                Source::Fact(fact) => stuck.facts.push((fact, holds)),
                Source::Does { role, mv } if holds => stuck.made.push((role, mv)),
                _ => {}
            }
        }
        self.stuck = Some(stuck);
    }
}
