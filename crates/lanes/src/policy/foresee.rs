//! Outlooks: wins that are one move away, for the role that chooses and for the role that
//! answers.

use super::{Declined, Draft, any_of, careful, decisive, may_choose};
use netlist::Lit;

/// The outlook of states in which one role chooses, as signals of the state.
pub(crate) struct Foreseen {
    pub role: usize,
    /// When one of its moves wins at once.
    pub wins: Lit,
    /// The role that chooses next; and for each move, when it is legal and leaves that role no
    /// winning move.
    pub careful: Option<(usize, Vec<Lit>)>,
}

/// The outlook for these legal moves of all roles, if only one role chooses in this phase.
pub(crate) fn foresee(draft: &mut Draft<'_, '_>, legal: &[Vec<Lit>]) -> Option<Foreseen> {
    let mut choosing = (0..legal.len()).filter(|&role| may_choose(&legal[role]));
    let (Some(role), None) = (choosing.next(), choosing.next()) else {
        return None;
    };
    let wins = match decisive::wins(draft, legal, role) {
        Ok((wins, _)) => any_of(draft.net, &wins),
        Err(Declined::Never) => Lit::FALSE,
        Err(_) => return None,
    };
    let unwanted = careful::unwanted(draft, legal, role);
    if wins == Lit::FALSE && unwanted.is_err() {
        return None;
    }
    let careful = unwanted.ok().map(|unwanted| {
        let net = &mut *draft.net;
        let moves = legal[role].iter().zip(&unwanted.moves);
        let moves = moves.map(|(&legal, &not)| net.and(legal, !not));
        (unwanted.by, moves.collect())
    });
    Some(Foreseen {
        role,
        wins,
        careful,
    })
}
