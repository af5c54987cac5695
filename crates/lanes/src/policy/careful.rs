//! Careful moves: avoiding moves after which another role could win at once.

use super::ahead::Ahead;
use super::answers::answers;
use super::{Declined, Draft, Figures, any_of, leave_alone};
use netlist::{Lit, Netlist};

/// Each move of this role needs the signals of another role's moves.
const GATES: usize = 6;

/// Keeps of a role's legal moves those after which the next role to choose has no decisive
/// move, where there are such moves. Elsewhere `left` is unchanged.
///
/// This is a look-ahead of two plies. Unlike anti-decisive moves, it also avoids a move that
/// blocks one win and makes another one possible.
pub(super) fn restrict(
    draft: &mut Draft<'_, '_>,
    legal: &[Vec<Lit>],
    role: usize,
    left: &mut [Vec<Lit>],
) -> Result<Figures, Declined> {
    let unwanted = unwanted(draft, legal, role)?;
    leave_alone(draft.net, &mut left[role], &unwanted.moves);
    Ok(unwanted.figures)
}

/// Moves that give another role a win.
pub(super) struct Unwanted {
    /// The role that could win.
    pub by: usize,
    /// For each move, when it is legal and lets the other role win.
    pub moves: Vec<Lit>,
    pub figures: Figures,
}

/// The moves of a role after which the role that chooses next could win at once.
pub(super) fn unwanted(
    draft: &mut Draft<'_, '_>,
    legal: &[Vec<Lit>],
    role: usize,
) -> Result<Unwanted, Declined> {
    draft.chooses_alone(legal, role)?;
    let (net, by, lost) = answer(draft, role)?;
    let mut ahead = Ahead::new(draft, legal, role, &net, Some, vec![lost])?;
    let (moves, figures) =
        draft.for_moves(&legal[role], GATES, |net, mv| ahead.after(net, mv)[0])?;
    Ok(Unwanted { by, moves, figures })
}

/// The role that chooses next, and whether it could win with one move.
///
/// The latter is a signal of the facts of the state in which it chooses: the inputs are all
/// facts, in their order.
fn answer(draft: &Draft<'_, '_>, role: usize) -> Result<(Netlist, usize, Lit), Declined> {
    let mut net = Netlist::new();
    let facts: Vec<Lit> = draft.after.facts.iter().map(|_| net.input()).collect();
    let answers = answers(draft, role, &mut net, &facts)?;
    let any = any_of(&mut net, &answers.wins);
    let lost = net.and(any, !answers.terminal);
    Ok((net, answers.role, lost))
}
