//! Evaluates states by features, each next to a state that is one move away.

use crate::Features;
use crate::features::NONE;
use crate::weights::Weights;
use std::sync::Arc;

/// A state with its entries in all tables, from which states close to it are evaluated.
#[derive(Debug, Clone)]
pub struct Reference {
    state: Vec<u64>,
    /// The state as it is, and in each mirror: brought up to date when it is needed.
    views: Vec<View>,
}

/// A state in one view.
#[derive(Debug, Clone)]
struct View {
    /// Whether it is that of the reference. If not, it is the one before.
    current: bool,
    state: Vec<u64>,
    /// For each variable the sum of the values of its bits.
    values: Vec<u32>,
    /// For each tuple its entry.
    entries: Vec<u32>,
    /// For each set of weights and output the value of the state, once it was needed.
    sums: Vec<Option<f32>>,
}

impl Reference {
    /// The state without any fact.
    pub fn new(features: &Features) -> Reference {
        let view = View {
            current: true,
            state: Vec::new(),
            values: vec![0; features.data().sizes.len()],
            entries: features.base.clone(),
            sums: Vec::new(),
        };
        Reference {
            state: Vec::new(),
            views: vec![view; features.views()],
        }
    }

    /// The state.
    pub fn state(&self) -> &[u64] {
        &self.state
    }

    /// Forgets values, because weights have changed.
    pub fn forget_values(&mut self) {
        self.views.iter_mut().for_each(|view| view.sums.clear());
    }
}

/// Evaluates states beside a [`Reference`].
///
/// The value of a state that differs from the reference in few facts costs as much as there are
/// tuples that these touch.
#[derive(Debug, Clone)]
pub struct Evaluator {
    features: Arc<Features>,
    /// For each tuple, by how much its entry moves. All 0 between two states.
    moved: Vec<u32>,
    /// The tuples whose entries may move.
    touched: Vec<u32>,
    /// The entries that differ: of the reference, and of the state.
    steps: Vec<[u32; 2]>,
    /// The variables that differ, with the difference of the sums of their bits.
    changes: Vec<(u32, u32)>,
}

impl Evaluator {
    /// An evaluator of these features.
    pub fn new(features: Arc<Features>) -> Evaluator {
        let tuples = features.base.len();
        Evaluator {
            moved: vec![0; tuples],
            touched: Vec::new(),
            steps: Vec::new(),
            changes: Vec::new(),
            features,
        }
    }

    /// The features.
    pub fn features(&self) -> &Arc<Features> {
        &self.features
    }

    /// Moves the reference to another state. Costs as much as the two differ, once a state is
    /// evaluated beside it.
    pub fn set(&mut self, reference: &mut Reference, state: &[u64]) {
        if reference.state.len() != state.len() {
            *reference = Reference::new(&self.features);
            reference.state.resize(state.len(), 0);
            let views = reference.views.iter_mut();
            views.for_each(|view| view.state.resize(state.len(), 0));
        }
        reference.state.copy_from_slice(state);
        reference
            .views
            .iter_mut()
            .for_each(|view| view.current = false);
    }

    /// The entries of the reference as its own set looks at it.
    pub(crate) fn entries<'r>(&mut self, reference: &'r mut Reference) -> &'r [u32] {
        let set = self.features.data().sets.of(&reference.state);
        let view = self.features.perspective(set).view;
        self.bring_up(reference, view);
        &reference.views[view].entries
    }

    /// Brings a view of the reference up to date.
    #[inline]
    fn bring_up(&mut self, reference: &mut Reference, number: usize) {
        let view = &mut reference.views[number];
        if view.current {
            return;
        }
        self.compare(&view.state, &reference.state, number);
        for &(variable, by) in &self.changes {
            let sum = &mut view.values[variable as usize];
            let by = self.features.change(variable, sum, by);
            for used in self.features.uses(variable) {
                let entry = &mut view.entries[used.tuple as usize];
                *entry = entry.wrapping_add(used.stride.wrapping_mul(by));
            }
        }
        view.state.copy_from_slice(&reference.state);
        view.sums.clear();
        view.current = true;
    }

    /// The value of a state for an output, in logits.
    #[inline]
    pub fn value(
        &mut self,
        reference: &mut Reference,
        weights: &Weights,
        state: &[u64],
        output: usize,
    ) -> f32 {
        let set = self.features.data().sets.of(state);
        self.touch(reference, state, set);
        self.sum(reference, weights, set, output)
    }

    /// The values of a state for all outputs, in logits, added to `values`.
    #[inline]
    pub fn values(
        &mut self,
        reference: &mut Reference,
        weights: &Weights,
        state: &[u64],
        values: &mut Vec<f32>,
    ) {
        let set = self.features.data().sets.of(state);
        self.touch(reference, state, set);
        for output in 0..weights.outputs() {
            values.push(self.sum(reference, weights, set, output));
        }
    }

    /// The value of a state whose steps are known.
    #[inline]
    fn sum(&self, reference: &mut Reference, weights: &Weights, set: usize, output: usize) -> f32 {
        let perspective = self.features.perspective(set);
        let (output, turned) = perspective.output(output, weights.outputs());
        let table = weights.table(perspective.weights, output);
        let own = reference.views[perspective.view].sum(weights, perspective.weights, output);
        // Four sums, so that no addition waits for the one before it.
        let mut sums = [own, 0.0, 0.0, 0.0];
        let (fours, rest) = self.steps.as_chunks::<4>();
        for four in fours {
            for (sum, &[from, to]) in sums.iter_mut().zip(four) {
                *sum += table[to as usize] - table[from as usize];
            }
        }
        for (sum, &[from, to]) in sums.iter_mut().zip(rest) {
            *sum += table[to as usize] - table[from as usize];
        }
        let sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
        if turned { -sum } else { sum }
    }

    /// Finds the variables that differ between two states in a view.
    #[inline]
    fn compare(&mut self, from: &[u64], to: &[u64], view: usize) {
        self.changes.clear();
        for (at, (&word, &before)) in to.iter().zip(from).enumerate() {
            let mut left = word ^ before;
            while left != 0 {
                let bit = left.trailing_zeros();
                left &= left - 1;
                let (variable, value) = self.features.of_bit(view, 64 * at + bit as usize);
                if variable == NONE {
                    continue;
                }
                let by = match word >> bit & 1 {
                    1 => value,
                    _ => value.wrapping_neg(),
                };
                // The bits of a variable are mostly adjacent.
                match self.changes.iter_mut().rev().find(|one| one.0 == variable) {
                    Some(change) => change.1 = change.1.wrapping_add(by),
                    None => self.changes.push((variable, by)),
                }
            }
        }
    }

    /// Finds the entries that differ.
    #[inline]
    fn touch(&mut self, reference: &mut Reference, state: &[u64], set: usize) {
        let number = self.features.perspective(set).view;
        self.bring_up(reference, number);
        let reference = &reference.views[number];
        self.compare(&reference.state, state, number);
        self.steps.clear();
        if let ([(variable, by)], true) = (&self.changes[..], self.features.once) {
            // Each tuple moves once at most.
            let mut sum = reference.values[*variable as usize];
            let by = self.features.change(*variable, &mut sum, *by);
            let uses = self.features.uses(*variable).iter().filter(|_| by != 0);
            self.steps.extend(uses.map(|used| {
                let from = reference.entries[used.tuple as usize];
                [from, from.wrapping_add(used.stride.wrapping_mul(by))]
            }));
            return;
        }
        for &(variable, by) in &self.changes {
            let mut sum = reference.values[variable as usize];
            let by = self.features.change(variable, &mut sum, by);
            for used in self.features.uses(variable) {
                let moved = &mut self.moved[used.tuple as usize];
                if *moved == 0 {
                    self.touched.push(used.tuple);
                }
                *moved = moved.wrapping_add(used.stride.wrapping_mul(by));
            }
        }
        for tuple in self.touched.drain(..) {
            // A tuple that moved there and back again in between is here twice.
            let moved = std::mem::take(&mut self.moved[tuple as usize]);
            if moved != 0 {
                let from = reference.entries[tuple as usize];
                self.steps.push([from, from.wrapping_add(moved)]);
            }
        }
    }
}

impl View {
    /// The value of the state with the weights of a set, for an output.
    #[inline]
    fn sum(&mut self, weights: &Weights, set: usize, output: usize) -> f32 {
        if self.sums.is_empty() {
            self.sums.resize(weights.sets() * weights.outputs(), None);
        }
        let place = set * weights.outputs() + output;
        match self.sums[place] {
            Some(sum) => sum,
            None => {
                let table = weights.table(set, output);
                let entries = self.entries.iter();
                let sum = entries.map(|&entry| table[entry as usize]).sum();
                self.sums[place] = Some(sum);
                sum
            }
        }
    }
}
