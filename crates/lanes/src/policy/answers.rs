//! The moves of the role that chooses next, as signals of a state.

use super::decisive::wins;
use super::{Declined, Draft, fact_of, may_choose};
use crate::import::Import;
use crate::step::Choice;
use netlist::{Gate, Lit, Netlist};

/// The moves of the role that chooses next, in a state in which it chooses.
pub(super) struct Answers {
    pub role: usize,
    /// For each of its moves, when it would be legal.
    pub legal: Vec<Lit>,
    /// For each of its moves, when it would win.
    pub wins: Vec<Lit>,
    /// When that state is terminal.
    pub terminal: Lit,
}

/// The role that chooses after `role`, and its moves, written into `net`.
///
/// The `facts` of the state in which it would choose are signals of `net`.
pub(super) fn answers(
    draft: &Draft<'_, '_>,
    role: usize,
    net: &mut Netlist,
    facts: &[Lit],
) -> Result<Answers, Declined> {
    let (next, beyond) = (draft.after, draft.beyond);
    if std::ptr::eq(draft.logic, next) {
        return Err(Declined::NoTurns);
    }
    if !next.fixes.is_empty() {
        return Err(Declined::Recursive);
    }
    let mut import = Import::new(&next.net);
    for (node, gate) in next.net.gates().iter().enumerate() {
        let Gate::Input(number) = *gate else { continue };
        if let Some(fact) = fact_of(next, number as usize) {
            import.is(node, facts[fact]);
        }
    }
    let terminal = import.take(net, next.terminal);
    import.assume_running(next.terminal);
    let mut row = |lits: &Vec<Lit>| -> Vec<Lit> {
        let lits = lits.iter();
        lits.map(|&lit| import.take(net, lit)).collect()
    };
    let mut legal: Vec<Vec<Lit>> = next.legal.iter().map(&mut row).collect();
    let choices = Choice::plain(next);
    let mut then = Draft {
        net,
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
    Ok(Answers {
        role: other,
        legal: legal.swap_remove(other),
        wins,
        terminal,
    })
}
