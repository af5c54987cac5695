//! Keeping another role from a win that would be one move away for it.

use super::ahead::Ahead;
use super::decisive::wins;
use super::{Declined, Draft, Figures, any_of, fact_of, may_choose, prefer};
use crate::import::Import;
use crate::step::Choice;
use netlist::{Gate, Lit};
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

/// What the role that chooses next could do if it chose now.
struct Threats {
    role: usize,
    /// For each of its moves, when it would be legal.
    legal: Vec<Lit>,
    /// And when it would win.
    wins: Vec<Lit>,
}

/// Looks at the state with the eyes of the next phase of the game: all facts are as they are, but for those
/// that say whose turn it is.
fn threats(draft: &mut Draft<'_, '_>, role: usize) -> Result<Threats, Declined> {
    let (now, next, beyond) = (draft.logic, draft.after, draft.beyond);
    if std::ptr::eq(now, next) {
        return Err(Declined::NoTurns);
    }
    if !next.fixes.is_empty() {
        return Err(Declined::Recursive);
    }
    let mut import = Import::new(&next.net);
    for (node, gate) in next.net.gates().iter().enumerate() {
        let Gate::Input(number) = *gate else { continue };
        if let Some(fact) = fact_of(next, number as usize) {
            let own = now.facts[fact];
            import.is(node, netlist::moved(draft.import.nodes(), own));
        }
    }
    let terminal = import.take(draft.net, next.terminal);
    import.assume_running(next.terminal);
    let mut row = |lits: &Vec<Lit>| -> Vec<Lit> {
        let lits = lits.iter();
        lits.map(|&lit| import.take(draft.net, lit)).collect()
    };
    let legal: Vec<Vec<Lit>> = next.legal.iter().map(&mut row).collect();
    let choices = Choice::plain(next);
    let mut then = Draft {
        net: &mut *draft.net,
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
    Ok(Threats {
        role: other,
        legal: legal[other].clone(),
        wins,
    })
}
