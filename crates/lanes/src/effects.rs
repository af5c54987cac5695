//! What chosen moves bring about, computed once for each move instead of by gates.
//!
//! Of many moves one is chosen. A signal that depends on nothing else is then a set of moves:
//! those for which it differs from its value where none is chosen. "Some move to this square"
//! is such a signal, an or of hundreds of moves. Its plane can be set where the move is chosen,
//! so that neither those gates nor a plane for each move is needed.

use netlist::{Fix, GameLogic, Gate, Lit};

/// The most entries of sets that are merged for one choice. What would need more is computed by
/// gates.
const MOST_WORK: usize = 50_000_000;
/// Signals that more than this part of the moves change are computed by gates from others: to
/// set them would take longer.
const LARGE_PART: usize = 4;

/// The signals by which a step learns which move was chosen.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    /// The nodes, with their value where no move is chosen.
    pub nodes: Vec<(usize, bool)>,
    /// For each move, the positions in `nodes` of those that have the other value if it is
    /// chosen.
    pub of: Vec<Vec<u32>>,
    /// The nodes that no choice changes, with their value.
    pub constant: Vec<(usize, bool)>,
}

/// A signal that depends on the choice alone.
struct Signal {
    /// Its value where no move is chosen.
    none: bool,
    /// The moves for which it has the other value, in order.
    moves: Vec<u32>,
}

impl Effects {
    /// The effects of moves of which at most one is chosen. `moves` are the nodes of their inputs,
    /// and `late` the recursive signals that may depend on them.
    pub(crate) fn of(logic: &GameLogic, late: &[&[Fix]], moves: &[usize]) -> Effects {
        let values = late.iter().flat_map(|cycle| cycle.iter());
        let roots = logic.next.iter().copied();
        let roots: Vec<Lit> = roots.chain(values.map(|fix| fix.value)).collect();
        let cone = logic.net.cone(roots.iter().copied());
        let mut unread = vec![0u32; cone.len()];
        for node in (0..cone.len()).filter(|&node| cone[node]) {
            for read in logic.net.gate(node).reads() {
                unread[read.node()] += 1;
            }
        }
        let mut needed = vec![false; cone.len()];
        for root in roots {
            needed[root.node()] = true;
        }
        let mut signals: Vec<Option<Signal>> = Vec::new();
        signals.resize_with(cone.len(), || None);
        let inputs = moves.iter().enumerate();
        for (number, &node) in inputs.filter(|&(_, &node)| node != 0) {
            let signal = signals[node].get_or_insert(Signal {
                none: false,
                moves: Vec::new(),
            });
            signal.moves.push(number as u32);
        }
        let most = moves.len() / LARGE_PART;
        let mut work = 0;
        for node in (0..cone.len()).filter(|&node| cone[node]) {
            let gate = logic.net.gate(node);
            let (Gate::And(a, b) | Gate::Xor(a, b)) = gate else {
                continue;
            };
            let signal = match (&signals[a.node()], &signals[b.node()]) {
                (Some(one), Some(other)) if work < MOST_WORK => {
                    work += one.moves.len() + other.moves.len();
                    let both = merged((one, a), (other, b), matches!(gate, Gate::Xor(..)));
                    (both.moves.len() <= most).then_some(both)
                }
                _ => None,
            };
            for read in [a.node(), b.node()] {
                needed[read] |= signal.is_none();
                unread[read] -= 1;
                if unread[read] == 0 && !needed[read] {
                    signals[read] = None;
                }
            }
            signals[node] = signal;
        }
        let mut effects = Effects {
            of: vec![Vec::new(); moves.len()],
            ..Effects::default()
        };
        for (node, signal) in signals.into_iter().enumerate() {
            let Some(signal) = signal.filter(|_| cone[node] && needed[node]) else {
                continue;
            };
            if signal.moves.is_empty() {
                effects.constant.push((node, signal.none));
                continue;
            }
            for &mv in &signal.moves {
                effects.of[mv as usize].push(effects.nodes.len() as u32);
            }
            effects.nodes.push((node, signal.none));
        }
        effects
    }
}

/// The and, or the exclusive or, of two signals.
fn merged((one, a): (&Signal, Lit), (other, b): (&Signal, Lit), xor: bool) -> Signal {
    let (a, b) = (one.none ^ a.is_negated(), other.none ^ b.is_negated());
    let value = |a: bool, b: bool| if xor { a ^ b } else { a && b };
    let none = value(a, b);
    // What becomes of moves that change only one of them, the other, and both.
    let kept = [value(!a, b), value(a, !b), value(!a, !b)].map(|changed| changed != none);
    let (mut left, mut right) = (&one.moves[..], &other.moves[..]);
    let mut moves = Vec::with_capacity(left.len() + right.len());
    loop {
        let which = match (left.first(), right.first()) {
            (None, None) => break,
            (Some(l), Some(r)) if l == r => 2,
            (Some(l), Some(r)) => usize::from(l > r),
            (Some(_), None) => 0,
            (None, Some(_)) => 1,
        };
        let first = if which == 1 { right[0] } else { left[0] };
        if kept[which] {
            moves.push(first);
        }
        left = &left[usize::from(which != 1)..];
        right = &right[usize::from(which != 0)..];
    }
    moves.shrink_to_fit();
    Signal { none, moves }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tries all gates of two signals, with all values where no move is chosen.
    #[test]
    fn merged_sets_are_those_of_the_gate() {
        for code in 0..32 {
            let bit = |at: u32| code >> at & 1 == 1;
            let one = Signal {
                none: bit(0),
                moves: vec![0, 2, 5],
            };
            let other = Signal {
                none: bit(1),
                moves: vec![2, 3, 5, 7],
            };
            let (a, b) = (Lit::new(1, bit(2)), Lit::new(2, bit(3)));
            let gate = |x: bool, y: bool| if bit(4) { x ^ y } else { x && y };
            let both = merged((&one, a), (&other, b), bit(4));
            assert_eq!(both.none, gate(bit(0) ^ bit(2), bit(1) ^ bit(3)));
            for mv in 0..9 {
                let value = |signal: &Signal| signal.none ^ signal.moves.contains(&mv);
                let expected = gate(value(&one) ^ bit(2), value(&other) ^ bit(3));
                assert_eq!(value(&both), expected, "{code:b} {mv}");
            }
        }
    }
}
