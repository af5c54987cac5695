//! Leaving alone moves after which another role could win at once.

use super::ahead::Ahead;
use super::decisive::wins;
use super::{Declined, Draft, Figures, any_of, fact_of, may_choose, prefer};
use crate::import::Import;
use crate::step::Choice;
use netlist::{Gate, Lit, Netlist};

/// The signals are those of another role, for each move of this one.
const GATES: usize = 6;

/// Leaves of a role's legal moves those after which the role that chooses next has no decisive move, where there are
/// such moves. What there is left otherwise stays.
///
/// That is a look two moves ahead: a move that gets in the way of one win and makes another one possible is left
/// alone, too, which anti-decisive moves are not.
pub(super) fn restrict(
    draft: &mut Draft<'_, '_>,
    legal: &[Vec<Lit>],
    role: usize,
    left: &mut [Vec<Lit>],
) -> Result<Figures, Declined> {
    draft.chooses_alone(legal, role)?;
    let (net, lost) = answer(draft, role)?;
    let mut ahead = Ahead::new(draft, legal, role, &net, Some, vec![lost])?;
    let (unwanted, figures) =
        draft.for_moves(&legal[role], GATES, |net, mv| ahead.after(net, mv)[0])?;
    let net = &mut *draft.net;
    let good = left[role].iter().zip(&unwanted);
    let good: Vec<Lit> = good
        .map(|(&left, &unwanted)| net.and(left, !unwanted))
        .collect();
    prefer(net, &mut left[role], &good);
    Ok(figures)
}

/// Whether the role that chooses next could win with one move, as a signal of the facts of the state in which it
/// chooses: the inputs are all facts, in their order.
fn answer(draft: &mut Draft<'_, '_>, role: usize) -> Result<(Netlist, Lit), Declined> {
    let (now, next, beyond) = (draft.logic, draft.after, draft.beyond);
    if std::ptr::eq(now, next) {
        return Err(Declined::NoTurns);
    }
    if !next.fixes.is_empty() {
        return Err(Declined::Recursive);
    }
    let mut net = Netlist::new();
    let facts: Vec<Lit> = next.facts.iter().map(|_| net.input()).collect();
    let mut import = Import::new(&next.net);
    for (node, gate) in next.net.gates().iter().enumerate() {
        let Gate::Input(number) = *gate else { continue };
        if let Some(fact) = fact_of(next, number as usize) {
            import.is(node, facts[fact]);
        }
    }
    let terminal = import.take(&mut net, next.terminal);
    import.assume_running(next.terminal);
    let mut row = |lits: &Vec<Lit>| -> Vec<Lit> {
        let lits = lits.iter();
        lits.map(|&lit| import.take(&mut net, lit)).collect()
    };
    let legal: Vec<Vec<Lit>> = next.legal.iter().map(&mut row).collect();
    let choices = Choice::plain(next);
    let mut then = Draft {
        net: &mut net,
        import: &import,
        logic: next,
        after: beyond,
        beyond: next,
        terminal,
        choices: &choices,
        early: Vec::new(),
        budget: draft.budget,
    };
    let chooses = |other: &usize| *other != role && may_choose(&legal[*other]);
    let other = (0..legal.len()).find(chooses).ok_or(Declined::NoTurns)?;
    let (wins, _) = wins(&mut then, &legal, other)?;
    let any = any_of(&mut net, &wins);
    let lost = net.and(any, !terminal);
    Ok((net, lost))
}
