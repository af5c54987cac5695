//! The effect of each move, as signals of facts and of the other roles' moves.

use super::wave::Wave;
use analysis::reads::Readers;
use budget::Budget;
use fixedbitset::FixedBitSet;
use netlist::{GameLogic, Gate, Lit, Netlist, copied};
use rustc_hash::FxHashMap;

/// Maximum number of gates written, for all moves of a role together.
const WORK: u64 = 800_000;

/// Moves of a role with the same effect and the same legality signal.
pub(super) struct Twins {
    /// The moves, ascending.
    pub moves: Vec<u32>,
    /// Their legality.
    pub legal: Lit,
    /// The number of their effect; moves with the same number always have the same effect.
    pub effect: usize,
}

/// The effects of the moves of a role.
pub(super) struct Effects {
    /// For each node, the signal without any move of the role.
    pub without: Vec<Lit>,
    /// For each effect, the nodes whose signal differs, with the signal under the move.
    pub with: Vec<Vec<(u32, Lit)>>,
    /// The moves, grouped by effect and legality, ordered by their first move.
    pub twins: Vec<Twins>,
    /// Whether all moves were processed in time.
    pub complete: bool,
}

impl Effects {
    /// The differences between two effects, as signals that are true where the effects differ.
    pub fn differences(&self, net: &mut Netlist, one: usize, other: usize) -> Vec<Lit> {
        let mut values: FxHashMap<u32, [Lit; 2]> = FxHashMap::default();
        for (side, effect) in [one, other].into_iter().enumerate() {
            for &(node, lit) in &self.with[effect] {
                let without = self.without[node as usize];
                values.entry(node).or_insert([without; 2])[side] = lit;
            }
        }
        let mut nodes: Vec<(u32, [Lit; 2])> = values.into_iter().collect();
        nodes.sort_unstable_by_key(|&(node, _)| node);
        let lits = nodes.into_iter().map(|(_, [a, b])| net.xor(a, b));
        lits.filter(|&lit| lit != Lit::FALSE).collect()
    }
}

/// The nodes that define the effect of a move: relevant facts of the next state, values of
/// recursive signals, and all other relevant signals that may read a move.
pub(super) fn roots(logic: &GameLogic, idle: &[u32]) -> FixedBitSet {
    let mut roots = FixedBitSet::with_capacity(logic.net.len());
    let next = logic.next.iter().enumerate();
    let next = next.filter(|(fact, _)| idle.binary_search(&(*fact as u32)).is_err());
    let lits = next.map(|(_, &lit)| lit).chain(logic.fix_roots());
    for lit in lits.chain(logic.legal_roots()).chain(logic.goal_roots()) {
        roots.insert(lit.node());
    }
    roots
}

/// The nodes that depend on moves of a role, in order.
pub(super) fn cone(logic: &GameLogic, readers: &Readers, role: usize) -> Vec<usize> {
    let does = logic.does[role].iter().map(|lit| lit.node());
    let mut marked = FixedBitSet::with_capacity(logic.net.len());
    readers.mark(does.filter(|&node| node > 0), &mut marked);
    marked.ones().collect()
}

/// The effects of the moves of a role. Omits moves that are never legal, moves in `fillers`, and
/// moves for which time ran out.
///
/// New gates go to `net`, which starts as the netlist of the logic. A netlist never writes the
/// same signal twice, so equal effects become equal signals.
pub(super) fn effects(
    logic: &GameLogic,
    readers: &Readers,
    role: usize,
    fillers: &[u32],
    roots: &FixedBitSet,
    net: &mut Netlist,
    budget: &Budget,
) -> Effects {
    let mut now: Vec<Lit> = (0..logic.net.len()).map(|n| Lit::new(n, false)).collect();
    for &lit in &logic.does[role] {
        now[lit.node()] = Lit::FALSE;
    }
    let cone = cone(logic, readers, role);
    for &node in &cone {
        now[node] = copied(net, node, logic.net.gate(node), &now);
    }
    let mut complete = true;
    let mut wave = Wave::new(logic.net.len());
    let mut known: FxHashMap<Vec<(u32, Lit)>, usize> = FxHashMap::default();
    let mut twins: Vec<Twins> = Vec::new();
    let mut places: FxHashMap<(usize, Lit), usize> = FxHashMap::default();
    for (mv, (&does, &legal)) in (logic.does[role].iter().zip(&logic.legal[role])).enumerate() {
        if legal == Lit::FALSE || fillers.binary_search(&(mv as u32)).is_ok() {
            continue;
        }
        if wave.visits > WORK || budget.check().is_err() {
            complete = false;
            break;
        }
        let mut changes = Vec::new();
        if does.as_constant().is_none() {
            let make = |node: usize, now: &[Lit]| match logic.net.gate(node) {
                gate @ (Gate::And(..) | Gate::Xor(..)) => Some(copied(net, node, gate, now)),
                Gate::False | Gate::Input(_) => None,
            };
            wave.run(readers, &mut now, does.node(), Lit::TRUE, make);
            let changed = wave.changed.iter().map(|&(node, _)| node);
            let read = changed.filter(|&node| roots.contains(node as usize));
            changes = read.map(|node| (node, now[node as usize])).collect();
            wave.undo(&mut now);
        }
        let many = known.len();
        let effect = *known.entry(changes).or_insert(many);
        let place = *places.entry((effect, legal)).or_insert_with(|| {
            twins.push(Twins {
                moves: Vec::new(),
                legal,
                effect,
            });
            twins.len() - 1
        });
        twins[place].moves.push(mv as u32);
    }
    let mut with: Vec<(usize, Vec<(u32, Lit)>)> = known
        .into_iter()
        .map(|(changes, at)| (at, changes))
        .collect();
    with.sort_unstable_by_key(|&(at, _)| at);
    Effects {
        without: now,
        with: with.into_iter().map(|(_, changes)| changes).collect(),
        twins,
        complete,
    }
}
