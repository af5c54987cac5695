//! Choosing one of the legal moves uniformly, as a circuit.
//!
//! The circuit is a select tree of vertical counters. Bottom-up, every node of a binary tree
//! over groups of moves gets the number of legal moves below it, in binary. A uniformly random
//! rank below the number at the root is drawn. Top-down, the nodes of one level share one
//! comparison, because in every lane only one of them is on the path to the chosen move: the
//! rank is compared with the number of legal moves in the left half of that node. If the path
//! goes right, that number is subtracted. A group has up to three moves, as many as one adder
//! counts; the rank says which of them it is, without further levels.
//!
//! The rank is the upper half of the product of the number of legal moves and some random bits.
//! That is exactly uniform but for a few values of the lower half (Lemire, "Fast random integer
//! generation in an interval", 2019). The circuit signals where one of these may have occurred,
//! which is once in 2^[`SPARE`] draws, and [`mend`] draws again.

use netlist::{Lit, Netlist};
use std::ops::Range;

/// The number of random bits drawn beyond those that the number of moves has.
pub const SPARE: usize = 10;

/// The select tree of one choice, with counts of the legal moves.
pub struct Counted {
    /// Whether each move is legal.
    legal: Vec<Lit>,
    /// For each level of the tree, from the root, its nodes from left to right.
    levels: Vec<Vec<Node>>,
}

/// The most moves of a group, which are not halved further.
const GROUP: usize = 3;

/// A node of the select tree.
struct Node {
    /// The moves below.
    moves: Range<usize>,
    /// The number of legal ones, the lowest bit first.
    count: Vec<Lit>,
    /// The positions of its two halves in the next level. A group of moves has none.
    halves: Option<(usize, usize)>,
}

impl Counted {
    /// Counts the legal moves among `legal`.
    pub fn new(net: &mut Netlist, legal: &[Lit]) -> Counted {
        let mut levels: Vec<Vec<Node>> = Vec::new();
        // The shape of the tree, from the root: ranges of moves.
        let all = 0..legal.len();
        let mut ranges = vec![all];
        while !ranges.is_empty() {
            let mut below = Vec::new();
            let mut level = Vec::with_capacity(ranges.len());
            for range in ranges {
                let halves = (range.len() > GROUP).then(|| {
                    let groups = range.len().div_ceil(GROUP);
                    let middle = range.start + groups.div_ceil(2) * GROUP;
                    below.push(range.start..middle);
                    below.push(middle..range.end);
                    (below.len() - 2, below.len() - 1)
                });
                level.push(Node {
                    moves: range,
                    count: Vec::new(),
                    halves,
                });
            }
            levels.push(level);
            ranges = below;
        }
        for level in (0..levels.len()).rev() {
            let (above, below) = levels.split_at_mut(level + 1);
            for node in &mut above[level] {
                node.count = match node.halves {
                    None => count(net, &legal[node.moves.clone()]),
                    Some((left, right)) => {
                        let (left, right) = (&below[0][left], &below[0][right]);
                        add(net, &left.count, &right.count, Lit::FALSE)
                    }
                };
                node.count.truncate(width(node.moves.len()));
            }
        }
        Counted {
            legal: legal.to_vec(),
            levels,
        }
    }

    /// The number of legal moves, the lowest bit first.
    pub fn total(&self) -> &[Lit] {
        self.levels.first().map_or(&[], |root| &root[0].count)
    }

    /// The number of random bits that [`Counted::rank`] needs.
    pub fn random_bits(&self) -> usize {
        self.total().len() + SPARE
    }

    /// Multiplies uniform random bits by the number of moves.
    pub fn rank(&self, net: &mut Netlist, random: &[Lit]) -> Drawn {
        let total = self.total().to_vec();
        let mut rank: Vec<Lit> = Vec::new();
        let mut zeros = Lit::TRUE;
        for (i, &bit) in random.iter().enumerate() {
            let part: Vec<Lit> = total.iter().map(|&n| net.and(n, bit)).collect();
            let mut sum = add(net, &rank, &part, Lit::FALSE);
            sum.resize(total.len() + 1, Lit::FALSE);
            let low = sum.remove(0);
            if i >= total.len() {
                zeros = net.and(zeros, !low);
            }
            rank = sum;
        }
        // Without legal moves there is nothing to draw again.
        let some = net.or_all(total);
        Drawn {
            rank,
            doubtful: net.and(zeros, some),
        }
    }

    /// For each move, whether it is the chosen one, given the rank of the choice among the
    /// legal moves.
    ///
    /// Where `open` holds and the rank is below the number of legal moves, exactly one move is
    /// chosen, and it is legal. Where `open` does not hold, none is chosen. `open` must not
    /// hold where no move is legal.
    pub fn select(&self, net: &mut Netlist, rank: &[Lit], open: Lit) -> Vec<Lit> {
        let mut chosen = vec![Lit::FALSE; self.legal.len()];
        let mut here = vec![open];
        let mut rank = rank.to_vec();
        for (depth, level) in self.levels.iter().enumerate() {
            for (node, &on) in level.iter().zip(&here) {
                if node.halves.is_none() {
                    let moves = node.moves.clone();
                    let legal = &self.legal[moves.clone()];
                    chosen[moves].copy_from_slice(&select_of(net, legal, &rank, on));
                }
            }
            let Some(below) = self.levels.get(depth + 1) else {
                break;
            };
            let most = level.iter().map(|node| node.moves.len()).max().unwrap_or(0);
            rank.truncate(width(most.saturating_sub(1)));
            let bits = below.iter().map(|node| node.count.len()).max().unwrap_or(0);
            // The number of legal moves in the left half of the node that this lane is at.
            let left: Vec<Lit> = (0..bits)
                .map(|bit| {
                    let parts: Vec<Lit> = level
                        .iter()
                        .zip(&here)
                        .filter_map(|(node, &on)| {
                            let (left, _) = node.halves?;
                            let &count = below[left].count.get(bit)?;
                            Some(net.and(on, count))
                        })
                        .collect();
                    chain_or(net, &parts)
                })
                .collect();
            let (rest, goes_left) = subtract(net, &rank, &left);
            rank = rank
                .iter()
                .zip(&rest)
                .map(|(&old, &new)| net.mux(goes_left, old, new))
                .collect();
            let mut there = vec![Lit::FALSE; below.len()];
            for (node, &on) in level.iter().zip(&here) {
                if let Some((left, right)) = node.halves {
                    there[left] = net.and(on, goes_left);
                    there[right] = net.and(on, !goes_left);
                }
            }
            here = there;
        }
        chosen
    }
}

/// A drawn rank, as the circuit computes it.
pub struct Drawn {
    /// The rank, the lowest bit first.
    pub rank: Vec<Lit>,
    /// Whether it may have to be drawn again.
    pub doubtful: Lit,
}

/// Draws the rank of one lane again if exact uniformity needs it. Returns the rank to use.
///
/// `total` is the number of legal moves (not 0), `drawn` holds the `bits` random bits that were
/// used, and `more` yields random words.
pub fn mend(total: u64, drawn: u64, bits: usize, mut more: impl FnMut() -> u64) -> u64 {
    let mask = (1 << bits) - 1;
    let mut product = total * drawn;
    let reject = (1u64 << bits) % total;
    while product & mask < reject {
        product = total * (more() >> (64 - bits));
    }
    product >> bits
}

/// The number of bits of numbers up to `most`.
fn width(most: usize) -> usize {
    (usize::BITS - most.leading_zeros()) as usize
}

/// Whether any of the signals is true, as a chain of gates.
///
/// In a chain, few signals have to be kept at a time.
fn chain_or(net: &mut Netlist, lits: &[Lit]) -> Lit {
    lits.iter().fold(Lit::FALSE, |any, &lit| net.or(any, lit))
}

/// The number of signals that are true, of up to three, the lowest bit first.
fn count(net: &mut Netlist, lits: &[Lit]) -> Vec<Lit> {
    let at = |i: usize| lits.get(i).copied().unwrap_or(Lit::FALSE);
    add(net, &[at(0)], &[at(1)], at(2))
}

/// For each move of a group, whether it is the legal one with this rank. Holds where `on` does, and
/// the rank is below their number; elsewhere none is chosen.
fn select_of(net: &mut Netlist, legal: &[Lit], rank: &[Lit], on: Lit) -> Vec<Lit> {
    let Some(last) = legal.len().checked_sub(1) else {
        return Vec::new();
    };
    let bit = |i: usize| rank.get(i).copied().unwrap_or(Lit::FALSE);
    let first = net.and(!bit(0), !bit(1));
    let mut chosen = Vec::with_capacity(legal.len());
    // The last one is it if no other is.
    let mut left = on;
    for (at, &is_legal) in legal[..last].iter().enumerate() {
        // There are two before the last, at most.
        let has_rank = match at {
            0 => first,
            _ => net.mux(legal[0], bit(0), first),
        };
        let own = net.and(on, is_legal);
        let own = net.and(own, has_rank);
        left = net.and(left, !own);
        chosen.push(own);
    }
    chosen.push(left);
    chosen
}

/// The sum of two numbers and a bit, the lowest bit first.
fn add(net: &mut Netlist, a: &[Lit], b: &[Lit], mut carry: Lit) -> Vec<Lit> {
    let bits = a.len().max(b.len());
    let mut sum = Vec::with_capacity(bits + 1);
    for i in 0..bits {
        let a = a.get(i).copied().unwrap_or(Lit::FALSE);
        let b = b.get(i).copied().unwrap_or(Lit::FALSE);
        let half = net.xor(a, b);
        sum.push(net.xor(half, carry));
        let both = net.and(a, b);
        let through = net.and(half, carry);
        carry = net.or(both, through);
    }
    sum.push(carry);
    sum
}

/// The difference of two numbers, in as many bits as `a` has, and whether it is negative.
fn subtract(net: &mut Netlist, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Lit) {
    let bits = a.len().max(b.len());
    let mut difference = Vec::with_capacity(bits);
    let mut borrow = Lit::FALSE;
    for i in 0..bits {
        let a = a.get(i).copied().unwrap_or(Lit::FALSE);
        let b = b.get(i).copied().unwrap_or(Lit::FALSE);
        let half = net.xor(a, b);
        difference.push(net.xor(half, borrow));
        let less = net.and(!a, b);
        let through = net.and(!half, borrow);
        borrow = net.or(less, through);
    }
    difference.truncate(a.len());
    (difference, borrow)
}

#[cfg(test)]
mod tests {
    use super::*;
    use netlist::word;

    /// Tries every set of legal moves and every rank, for up to eleven moves, each move one bit.
    #[test]
    fn the_selected_move_has_the_given_rank() {
        for moves in 1..=11usize {
            let mut net = Netlist::new();
            let legal: Vec<Lit> = (0..moves).map(|_| net.input()).collect();
            let counted = Counted::new(&mut net, &legal);
            let rank: Vec<Lit> = counted
                .total()
                .to_vec()
                .iter()
                .map(|_| net.input())
                .collect();
            let chosen = counted.select(&mut net, &rank, Lit::TRUE);
            for set in 1..1u64 << moves {
                for r in 0..u64::from(set.count_ones()) {
                    let bit = |x: u64, i: usize| x >> i & 1;
                    let inputs: Vec<u64> = (0..moves)
                        .map(|i| bit(set, i))
                        .chain((0..rank.len()).map(|i| bit(r, i)))
                        .collect();
                    let values = net.evaluate(&inputs);
                    let mut expected = set;
                    for _ in 0..r {
                        expected &= expected - 1;
                    }
                    expected &= expected.wrapping_neg();
                    for (i, &lit) in chosen.iter().enumerate() {
                        assert_eq!(word(&values, lit) & 1, bit(expected, i), "{set:b} {r}");
                    }
                    let total: u64 = (0..counted.total().len())
                        .map(|i| (word(&values, counted.total()[i]) & 1) << i)
                        .sum();
                    assert_eq!(total, u64::from(set.count_ones()));
                }
            }
        }
    }

    /// Tries all random bits for all totals: every rank is equally frequent once the doubtful
    /// draws are mended.
    #[test]
    fn ranks_are_exactly_uniform() {
        let mut net = Netlist::new();
        let legal: Vec<Lit> = (0..6).map(|_| net.input()).collect();
        let counted = Counted::new(&mut net, &legal);
        let bits = counted.random_bits();
        let random: Vec<Lit> = (0..bits).map(|_| net.input()).collect();
        let drawn = counted.rank(&mut net, &random);
        for total in 1..=6u64 {
            let mut times = vec![0; total as usize];
            let mut redrawn = 0;
            for x in 0..1u64 << bits {
                let inputs: Vec<u64> = (0..6)
                    .map(|i| u64::from(i < total))
                    .chain((0..bits).map(|i| x >> i & 1))
                    .collect();
                let values = net.evaluate(&inputs);
                let is = |lit| word(&values, lit) & 1;
                let rank: u64 = (0..drawn.rank.len()).map(|i| is(drawn.rank[i]) << i).sum();
                assert_eq!(rank, (total * x) >> bits);
                let mut again = false;
                mend(total, x, bits, || {
                    again = true;
                    u64::MAX
                });
                if again {
                    assert_eq!(is(drawn.doubtful), 1, "what must be mended shows");
                    redrawn += 1;
                } else {
                    times[rank as usize] += 1;
                }
            }
            assert!(times.iter().all(|&t| t == times[0]), "{total}: {times:?}");
            assert_eq!(redrawn, (1 << bits) % total);
        }
    }
}
