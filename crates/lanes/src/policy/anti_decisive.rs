//! Anti-decisive moves: preventing another role's win that is one move away.

use super::ahead::Ahead;
use super::answers::{Answers, answers};
use super::{Declined, Draft, Figures, any_of, fact_of, prefer};
use netlist::Lit;
use std::collections::HashMap;

/// The signals concern two roles, so they may take this many times the gates of a part for one
/// role.
const GATES: usize = 3;

/// The most winning moves of the other role: each of ours is checked against all of them.
const MOST: usize = 1000;

/// Keeps of a role's legal moves those that block all threats, where there are threats and such
/// moves. Elsewhere `left` is unchanged.
///
/// A threat is a win that the role which chooses next would have if it chose now.
///
/// A move blocks another if it has the same name, as where both would put something on one
/// square, or if the other is not legal after it, as where it captures the piece that was to
/// move. Not checked is whether the threat would still win after it, or another move would win
/// by then: that would be a look-ahead of two plies.
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
            // Most moves do not affect each other.
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

/// What the role that chooses next could do if it chose now.
///
/// All facts are as they are, but for those that say whose turn it is.
fn threats(draft: &mut Draft<'_, '_>, role: usize) -> Result<Answers, Declined> {
    let nodes = draft.import.nodes();
    let facts = draft.logic.facts.iter();
    let facts: Vec<Lit> = facts.map(|&fact| netlist::moved(nodes, fact)).collect();
    let mut net = std::mem::take(draft.net);
    let threats = answers(draft, role, &mut net, &facts);
    *draft.net = net;
    threats
}
