//! The cuts of each operation: sets of at most three values that determine its result.

use super::Regions;
use crate::{Code, Value};
use budget::{Budget, Exhausted};

/// The number of cuts kept for an operation.
const KEPT: usize = 6;
/// Operations between two checks of the budget.
const STRIDE: u32 = 1024;
/// The cost of an operation on two values, and of one on three. The latter overwrites an
/// operand, which sometimes has to be copied before.
const COSTS: [f32; 4] = [1.0, 1.0, 1.0, 1.1];

/// Values that determine a result, ascending.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Cut {
    leaves: [u32; 3],
    count: u8,
    /// The estimated number of operations, with those behind the leaves shared among their
    /// users.
    flow: f32,
}

impl Cut {
    fn of(value: Value) -> Cut {
        Cut {
            leaves: [value.0, 0, 0],
            count: 1,
            flow: 0.0,
        }
    }

    /// The values.
    pub(super) fn leaves(&self) -> impl Iterator<Item = Value> + use<> {
        let count = usize::from(self.count);
        self.leaves.into_iter().take(count).map(Value)
    }

    /// The values of both, if they are at most three.
    fn union(&self, other: &Cut) -> Option<Cut> {
        let mut union = *self;
        for leaf in other.leaves() {
            let count = usize::from(union.count);
            let at = union.leaves[..count].partition_point(|&known| known < leaf.0);
            if union.leaves[..count].get(at) == Some(&leaf.0) {
                continue;
            }
            if count == 3 {
                return None;
            }
            union.leaves.copy_within(at..count, at + 1);
            union.leaves[at] = leaf.0;
            union.count += 1;
        }
        Some(union)
    }

    fn same(&self, other: &Cut) -> bool {
        self.count == other.count && self.leaves().eq(other.leaves())
    }
}

/// The best cut of every operation, if the value of operation `op` is used `users[op]` times.
///
/// Cuts are enumerated from the inputs on, and the cheapest are kept (Mishchenko, Cho,
/// Chatterjee and Brayton, "Combinational and sequential mapping with priority cuts", 2007).
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
    let mut kept: Vec<[Cut; KEPT]> = vec![[Cut::default(); KEPT]; code.ops.len()];
    let mut counts = vec![0u8; code.ops.len()];
    let mut candidates: Vec<Cut> = Vec::new();
    let mut flows = vec![0.0; code.ops.len()];
    for (at, op) in (0u32..).zip(&code.ops) {
        if at % STRIDE == 0 {
            budget.check()?;
        }
        candidates.clear();
        // The cuts of an operand are also those of this operation if both are run together.
        let open = |value: Value| match value.0.checked_sub(inputs) {
            Some(made) if regions.same(made, at) => {
                &kept[made as usize][..usize::from(counts[made as usize])]
            }
            _ => &[],
        };
        let mut cuts: Vec<Cut> = Vec::with_capacity(KEPT + 1);
        for (number, value) in op.reads().enumerate() {
            let own = [Cut::of(value)];
            let theirs = || open(value).iter().chain(&own);
            if number == 0 {
                cuts.extend(theirs());
                continue;
            }
            let together = cuts
                .iter()
                .flat_map(|a| theirs().filter_map(|b| a.union(b)));
            cuts = together.collect();
        }
        for cut in &mut cuts {
            let shared = |leaf: Value| {
                let made = leaf.0.checked_sub(inputs);
                let made = made.filter(|&made| regions.same(made, at));
                made.map_or(0.0, |made| {
                    flows[made as usize] / users[made as usize].max(1) as f32
                })
            };
            let behind: f32 = cut.leaves().map(shared).sum();
            cut.flow = COSTS[usize::from(cut.count)] + behind;
        }
        cuts.sort_by(|a, b| a.flow.total_cmp(&b.flow).then(a.count.cmp(&b.count)));
        for cut in cuts {
            if candidates.len() < KEPT && !candidates.iter().any(|known| known.same(&cut)) {
                candidates.push(cut);
            }
        }
        let here = at as usize;
        counts[here] = candidates.len() as u8;
        kept[here][..candidates.len()].copy_from_slice(&candidates);
        flows[here] = candidates.first().map_or(0.0, |best| best.flow);
    }
    Ok(kept.into_iter().map(|cuts| cuts[0]).collect())
}
