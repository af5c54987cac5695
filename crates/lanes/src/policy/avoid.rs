//! Leaving moves alone that the caller does not want, where there are others.

use super::ahead::Ahead;
use super::{Declined, Draft, Figures, leave_alone, may_choose};
use netlist::{Gate, Lit, Netlist};

/// Moves that a role leaves alone where there are others.
#[derive(Debug, Clone)]
pub struct Avoid {
    /// The role.
    pub role: usize,
    /// Where the signals are written: its inputs are the facts of a state, all of them, in order.
    pub net: Netlist,
    /// Which moves are meant.
    pub moves: Unwanted,
}

/// Which moves are meant by [`Avoid`].
#[derive(Debug, Clone)]
pub enum Unwanted {
    /// For each move of the role, a condition on the state in which it would be made.
    When(Vec<Lit>),
    /// Those that lead to a state that fulfils a condition, from one that does not.
    LeadingTo(Lit),
}

impl Avoid {
    pub(super) fn restrict(
        &self,
        draft: &mut Draft<'_, '_>,
        legal: &[Vec<Lit>],
        left: &mut [Vec<Lit>],
    ) -> Result<Figures, Declined> {
        let row = legal.get(self.role).ok_or(Declined::OtherGame)?;
        let fits = match &self.moves {
            Unwanted::When(moves) => moves.len() == row.len(),
            Unwanted::LeadingTo(_) => true,
        };
        if !fits || self.net.inputs() != draft.logic.facts.len() {
            return Err(Declined::OtherGame);
        }
        if !may_choose(row) {
            return Err(Declined::NoChoice);
        }
        // The signals of now.
        let mut now = vec![Lit::FALSE; self.net.len()];
        for (node, &gate) in self.net.gates().iter().enumerate() {
            now[node] = match gate {
                Gate::Input(fact) => {
                    let fact = draft.logic.facts[fact as usize];
                    netlist::moved(draft.import.nodes(), fact)
                }
                _ => netlist::copied(draft.net, node, gate, &now),
            };
        }
        let (unwanted, figures) = match &self.moves {
            Unwanted::When(moves) => {
                draft.for_moves(row, 1, |_, mv| netlist::moved(&now, moves[mv]))?
            }
            Unwanted::LeadingTo(lit) => {
                let mut ahead = Ahead::new(draft, legal, self.role, &self.net, Some, vec![*lit])?;
                let already = netlist::moved(&now, *lit);
                draft.for_moves(row, 1, |net, mv| {
                    let then = ahead.after(net, mv)[0];
                    net.and(then, !already)
                })?
            }
        };
        leave_alone(draft.net, &mut left[self.role], &unwanted);
        Ok(figures)
    }
}
