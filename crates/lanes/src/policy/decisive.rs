//! Decisive moves: taking a win that is one move away.

use super::ahead::Ahead;
use super::{Declined, Draft, Figures, fact_of, prefer};
use netlist::Lit;

/// The result of a win.
const WIN: u8 = 100;

/// Keeps of a role's legal moves those that win at once, where there are any. Elsewhere `left`
/// is unchanged.
pub(super) fn restrict(
    draft: &mut Draft<'_, '_>,
    legal: &[Vec<Lit>],
    role: usize,
    left: &mut [Vec<Lit>],
) -> Result<Figures, Declined> {
    let (wins, figures) = wins(draft, legal, role)?;
    prefer(draft.net, &mut left[role], &wins);
    Ok(figures)
}

/// For each move of a role, when it is legal and wins at once.
pub(super) fn wins(
    draft: &mut Draft<'_, '_>,
    legal: &[Vec<Lit>],
    role: usize,
) -> Result<(Vec<Lit>, Figures), Declined> {
    let after = draft.after;
    let goals = after.goals.get(role).ok_or(Declined::NoChoice)?;
    let won = goals.iter().find(|&&(value, _)| value == WIN);
    let &(_, won) = won.ok_or(Declined::Never)?;
    let roots = vec![after.terminal, won];
    let mut ahead = Ahead::new(
        draft,
        legal,
        role,
        &after.net,
        |input| fact_of(after, input),
        roots,
    )?;
    draft.for_moves(&legal[role], 1, |net, mv| {
        let both = ahead.after(net, mv);
        net.and(both[0], both[1])
    })
}
