//! Keeping another role from a win that would be one move away for it.

use super::ahead::Ahead;
use super::answers::{Answers, answers};
use super::{Declined, Draft, Figures, any_of, fact_of, prefer};
use netlist::Lit;
use std::collections::HashMap;

/// The signals are those of two roles, so they may take that many times as many gates as those of one.
const GATES: usize = 3;

/// Winning moves of the other role at most: for each move all of them are looked at.
const MOST: usize = 1000;

/// Leaves of a role's legal moves those that are in the way of all wins that the role which chooses next
/// would have if it chose now, where it would have some and there are such moves. What there is left
/// otherwise stays.
///
/// A move is in the way of another one if it has the same name, as where both would put something on one
/// square, or if the other is not legal after it, as where it takes the piece that was to be moved. Whether the
/// other would still win after it, or another one would by then, is not asked: that would be a look two moves
/// ahead.
pub(super) fn restrict(
    draft: &mut Draft<'_, '_>,
    legal: &[Vec<Lit>],
    role: usize,
    left: &mut [Vec<Lit>],
) -> Result<Figures, Declined> {
    draft.chooses_alone(legal, role)?;
    let threats = threats(draft, role)?;
    let next = draft.after;
    let (of, names) = (threats.role, &next.words.moves[threats.role]);
    let known = threats.wins.iter().enumerate();
    let known: Vec<usize> = (known.filter(|known| *known.1 != Lit::FALSE))
        .map(|known| known.0)
        .collect();
    if known.len() > MOST {
        return Err(Declined::TooLarge);
    }
    let by_name: HashMap<_, usize> = known.iter().map(|&mv| (&names[mv], mv)).collect();
    let roots = known.iter().map(|&mv| next.legal[of][mv]).collect();
    let mut ahead = Ahead::new(
        draft,
        legal,
        role,
        &next.net,
        |input| fact_of(next, input),
        roots,
    )?;
    let own = &draft.logic.words.moves[role];
    let wins: Vec<Lit> = known.iter().map(|&mv| threats.wins[mv]).collect();
    let any = any_of(draft.net, &wins);
    let (signals, figures) = draft.for_moves(&legal[role], GATES, |net, mv| {
        let same = by_name.get(&own[mv]);
        let after = ahead.after(net, mv);
        let left = known.iter().zip(after).zip(&wins);
        let left = left.map(|((other, then), &win)| match same == Some(other) {
            true => Lit::FALSE,
            // Most moves have nothing to do with each other.
            false if then == threats.legal[*other] => win,
            false => net.and(win, then),
        });
        let left: Vec<Lit> = left.collect();
        let left = any_of(net, &left);
        net.and(any, !left)
    })?;
    let net = &mut *draft.net;
    let good = left[role].iter().zip(&signals);
    let good: Vec<Lit> = good.map(|(&left, &signal)| net.and(left, signal)).collect();
    prefer(net, &mut left[role], &good);
    Ok(figures)
}

/// What the role that chooses next could do if it chose now: all facts are as they are, but for those that say whose
/// turn it is.
fn threats(draft: &mut Draft<'_, '_>, role: usize) -> Result<Answers, Declined> {
    let nodes = draft.import.nodes();
    let facts = draft.logic.facts.iter();
    let facts: Vec<Lit> = facts.map(|&fact| netlist::moved(nodes, fact)).collect();
    let mut net = std::mem::take(draft.net);
    let threats = answers(draft, role, &mut net, &facts);
    *draft.net = net;
    threats
}
