//! Proofs that the moves of an action do the same in a factor.

use super::Factor;
use super::relieved::Relieved;
use budget::Budget;
use netlist::{Gate, Lit, Netlist, Source, copied, moved};

/// Maximum number of nodes written for one factor and role.
const EFFORT: usize = 2_000_000;

/// Whether, for each action of each role, all moves are proved to do the same in the factor.
/// Either the rules of the factor read none of them, or the next state with each of them is the
/// same circuit.
pub(super) fn alike(game: &Relieved, factor: &Factor, budget: &Budget) -> bool {
    let roles = 0..game.logic.roles();
    let mut roles = roles.map(|role| alike_of(game, factor, role, budget));
    roles.all(|alike| alike)
}

fn alike_of(game: &Relieved, factor: &Factor, role: usize, budget: &Budget) -> bool {
    let logic = &game.logic;
    let cone = logic
        .net
        .cone(factor.facts.iter().map(|&fact| logic.next[fact as usize]));
    let does = &logic.does[role];
    let is_read = |mv: u32| cone[does[mv as usize].node()];
    let several = factor.actions[role]
        .iter()
        .filter(|action| action.moves.len() > 1);
    let open: Vec<_> = several
        .filter(|action| action.moves.iter().any(|&mv| is_read(mv)))
        .collect();
    if open.is_empty() {
        return true;
    }
    // Only nodes that depend on the role's move are written again for each move.
    let mut net = Netlist::new();
    let mut now = vec![Lit::FALSE; logic.net.len()];
    let mut depends = vec![false; logic.net.len()];
    for (node, &gate) in logic.net.gates().iter().enumerate() {
        match gate {
            Gate::Input(number) => {
                let own = Source::Does {
                    role: role as u16,
                    mv: 0,
                };
                let source = logic.sources[number as usize];
                depends[node] = match (source, own) {
                    (Source::Does { role, .. }, Source::Does { role: own, .. }) => role == own,
                    _ => false,
                };
                now[node] = net.input();
            }
            _ => depends[node] = gate.reads().any(|read| depends[read.node()]),
        }
        if cone[node] && gate.is_logic() && !depends[node] {
            now[node] = copied(&mut net, node, gate, &now);
        }
    }
    let again: Vec<usize> = (0..logic.net.len())
        .filter(|&node| cone[node] && depends[node])
        .collect();
    let mut left = EFFORT;
    let mut with = |mv: u32| -> Option<Vec<Lit>> {
        left = left.checked_sub(again.len())?;
        budget.check().ok()?;
        for &node in &again {
            let gate = logic.net.gate(node);
            now[node] = match gate {
                Gate::Input(_) => Lit::constant(node == does[mv as usize].node()),
                _ => copied(&mut net, node, gate, &now),
            };
        }
        let next = factor.facts.iter();
        Some(
            next.map(|&fact| moved(&now, logic.next[fact as usize]))
                .collect(),
        )
    };
    open.into_iter().all(|action| {
        let first = with(action.moves[0]);
        first.is_some() && action.moves[1..].iter().all(|&mv| with(mv) == first)
    })
}
