//! The cuts of each operation: sets of at most three values that determine its result.

use super::Regions;
use crate::{Code, Value};
use budget::{Budget, Exhausted};

/// The number of cuts kept for an operation.
const KEPT: usize = 3;
/// Operations between two checks of the budget.
const STRIDE: u32 = 1024;
/// The cost of an operation on one, two or three values. The last overwrites an operand, which
/// sometimes has to be copied before.
const COSTS: [f32; 4] = [1.0, 1.0, 1.0, 1.1];
/// The place of a leaf that is not there. It comes after all values.
const NONE: u32 = u32::MAX;

/// Values that determine a result, ascending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cut([u32; 3]);

impl Cut {
    const EMPTY: Cut = Cut([NONE; 3]);

    fn of(value: Value) -> Cut {
        Cut([value.0, NONE, NONE])
    }

    /// The values.
    pub(super) fn leaves(&self) -> impl Iterator<Item = Value> + use<> {
        self.0.into_iter().filter(|&leaf| leaf != NONE).map(Value)
    }

    fn len(&self) -> usize {
        self.leaves().count()
    }

    /// The values of both, if they are at most three.
    fn union(&self, other: &Cut) -> Option<Cut> {
        let mut union = Cut::EMPTY;
        let (mut left, mut right) = (0, 0);
        for place in 0..4 {
            let a = self.0.get(left).copied().unwrap_or(NONE);
            let b = other.0.get(right).copied().unwrap_or(NONE);
            let next = a.min(b);
            if next == NONE {
                break;
            }
            *union.0.get_mut(place)? = next;
            left += usize::from(a == next);
            right += usize::from(b == next);
        }
        Some(union)
    }
}

/// The cheapest cuts of one operation, the best first.
#[derive(Clone, Copy)]
struct Cheapest {
    cuts: [Cut; KEPT],
    flows: [f32; KEPT],
    count: u8,
}

impl Cheapest {
    const NOTHING: Cheapest = Cheapest {
        cuts: [Cut::EMPTY; KEPT],
        flows: [0.0; KEPT],
        count: 0,
    };

    fn cuts(&self) -> &[Cut] {
        &self.cuts[..usize::from(self.count)]
    }

    /// Adds a cut unless there are enough that are as cheap.
    fn add(&mut self, cut: Cut, flow: f32) {
        let count = usize::from(self.count);
        if count == KEPT && flow >= self.flows[KEPT - 1] || self.cuts().contains(&cut) {
            return;
        }
        let place = self.flows[..count].partition_point(|&known| known <= flow);
        let end = count.min(KEPT - 1);
        self.cuts.copy_within(place..end, place + 1);
        self.flows.copy_within(place..end, place + 1);
        self.cuts[place] = cut;
        self.flows[place] = flow;
        self.count = (end + 1) as u8;
    }
}

/// The best cut of every operation, if the value of operation `op` is used `users[op]` times.
///
/// Cuts are enumerated from the inputs on, and the cheapest are kept (Mishchenko, Cho,
/// Chatterjee and Brayton, "Combinational and sequential mapping with priority cuts", 2007). The
/// cost of a cut is the number of operations that it takes, where those behind a leaf are shared
/// by the users of the leaf.
///
/// # Errors
/// If the budget is exhausted.
pub(super) fn best(
    code: &Code,
    regions: &Regions,
    users: &[u32],
    budget: &Budget,
) -> Result<Vec<Cut>, Exhausted> {
    let inputs = code.inputs.len() as u32;
    let mut kept = vec![Cheapest::NOTHING; code.ops.len()];
    // For each operation, the cost for each user of its value.
    let mut shares = vec![0.0; code.ops.len()];
    for (at, op) in (0u32..).zip(&code.ops) {
        if at % STRIDE == 0 {
            budget.check()?;
        }
        let inside = |value: Value| {
            let made = value.0.checked_sub(inputs)?;
            regions.same(made, at).then_some(made as usize)
        };
        let flow = |cut: &Cut| {
            let behind = cut.leaves().filter_map(inside).map(|made| shares[made]);
            COSTS[cut.len()] + behind.sum::<f32>()
        };
        // The cuts of an operand are also those of this operation if both are run together.
        let theirs = |value: Value| inside(value).map_or(&[][..], |made| kept[made].cuts());
        let third = op.reads().nth(2).map(Cut::of);
        let mut cheapest = Cheapest::NOTHING;
        let [a, b] = [op.a, op.b].map(|value| (Cut::of(value), theirs(value)));
        for first in [&a.0].into_iter().chain(a.1) {
            for second in [&b.0].into_iter().chain(b.1) {
                let Some(mut both) = first.union(second) else {
                    continue;
                };
                // Of an operation on three values, only the third itself is tried.
                if let Some(third) = &third {
                    match both.union(third) {
                        Some(all) => both = all,
                        None => continue,
                    }
                }
                cheapest.add(both, flow(&both));
            }
        }
        shares[at as usize] = cheapest.flows[0] / users[at as usize].max(1) as f32;
        kept[at as usize] = cheapest;
    }
    Ok(kept.into_iter().map(|cheapest| cheapest.cuts[0]).collect())
}
