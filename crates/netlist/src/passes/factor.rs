//! Factors out common inputs: `(a & b) | (a & c)` is `a & (b | c)`.
//!
//! For each or of ands (and, by complement, each and of ors) the signal that occurs in most of
//! the products is factored out of them, repeatedly. The remaining sums are treated in the same
//! way. This is literal factoring, the simplest form of algebraic factoring after Brayton,
//! "Factoring logic functions" (1987). Products with equal remaining sums are merged without
//! special treatment: the sum counts as a signal that they have in common.

use super::Meter;
use super::wide::{Operand, Wide};
use crate::{GameLogic, Known, Lit};
use budget::{Budget, Exhausted};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The maximum depth of nested sums that are factored.
const DEPTH: usize = 100;

/// Factors common inputs out of sums of products.
///
/// # Errors
/// If the budget is exhausted.
pub fn run(logic: &GameLogic, _: &Known, budget: &Budget) -> Result<GameLogic, Exhausted> {
    let meter = &mut Meter::new(budget);
    let (wide, now) = Wide::read(logic, meter, |wide, meter, operands| {
        // The complement of the gate is a sum: of the products whose complements are read, and
        // of all other operands complemented.
        let mut products = Vec::new();
        for Operand { lit, own } in &operands {
            products.push(match wide.product(!*lit) {
                Some(product) if *own => product.to_vec(),
                _ => vec![!*lit],
            });
        }
        Ok(!sum(wide, meter, products, DEPTH)?)
    })?;
    wide.written(logic, &now, meter)
}

/// The or of products, factored.
fn sum(
    wide: &mut Wide,
    meter: &mut Meter<'_>,
    products: Vec<Vec<Lit>>,
    depth: usize,
) -> Result<Lit, Exhausted> {
    let mut sum = Sum::default();
    let Some(products) = absorbed(products) else {
        return Ok(Lit::TRUE);
    };
    for product in products {
        sum.add(product);
    }
    while let Some(factor) = sum.factor() {
        if depth == 0 {
            break;
        }
        let mut rest = sum.take(factor);
        meter.steps(rest.iter().map(Vec::len).sum())?;
        for product in &mut rest {
            product.retain(|&lit| lit != factor);
        }
        let rest = self::sum(wide, meter, rest, depth - 1)?;
        let mut product = vec![factor];
        match wide.product(rest) {
            Some(lits) => product.extend(lits),
            None => product.push(rest),
        }
        // This remainder is the or of only the factor.
        product.retain(|&lit| lit != Lit::TRUE);
        sum.add(product);
    }
    let products = sum
        .products
        .into_iter()
        .filter(|product| !product.is_empty());
    let products = products.map(|product| wide.and(product)).collect();
    Ok(wide.or(products))
}

/// Removes products that contain one of the single-signal products, and removes the complements
/// of such signals from other products. `None` if the sum is always true.
fn absorbed(mut products: Vec<Vec<Lit>>) -> Option<Vec<Vec<Lit>>> {
    if products.iter().any(Vec::is_empty) {
        return None;
    }
    let mut single: Vec<Lit> = products
        .iter()
        .filter(|product| product.len() == 1)
        .map(|product| product[0])
        .collect();
    single.sort_unstable();
    single.dedup();
    let mut empty = false;
    products.retain_mut(|product| {
        if product.len() == 1 {
            return false;
        }
        if product.iter().any(|lit| single.binary_search(lit).is_ok()) {
            return false;
        }
        product.retain(|&lit| single.binary_search(&!lit).is_err());
        empty |= product.is_empty();
        true
    });
    products.extend(single.into_iter().map(|lit| vec![lit]));
    (!empty).then_some(products)
}

/// A sum of products during factoring.
#[derive(Default)]
struct Sum {
    /// The products. A product is emptied when it is taken out.
    products: Vec<Vec<Lit>>,
    /// For each signal the products of more than one signal that contain it. Some entries may
    /// be outdated.
    holders: FxHashMap<Lit, Vec<u32>>,
    counts: FxHashMap<Lit, u32>,
    /// Former counts of signals, largest first.
    queue: BinaryHeap<(u32, Reverse<Lit>)>,
}

impl Sum {
    fn add(&mut self, product: Vec<Lit>) {
        let number = self.products.len() as u32;
        if product.len() > 1 {
            for &lit in &product {
                self.holders.entry(lit).or_default().push(number);
                let count = self.counts.entry(lit).or_default();
                *count += 1;
                if *count > 1 {
                    self.queue.push((*count, Reverse(lit)));
                }
            }
        }
        self.products.push(product);
    }

    /// The signal that most products contain, if at least two do.
    fn factor(&mut self) -> Option<Lit> {
        while let Some((count, Reverse(lit))) = self.queue.pop() {
            let now = self.counts.get(&lit).copied().unwrap_or(0);
            if now == count {
                return Some(lit);
            }
            if now > 1 && now < count {
                self.queue.push((now, Reverse(lit)));
            }
        }
        None
    }

    /// Takes out the products that contain a signal.
    fn take(&mut self, lit: Lit) -> Vec<Vec<Lit>> {
        let mut taken = Vec::new();
        for number in self.holders.remove(&lit).unwrap_or_default() {
            let product = std::mem::take(&mut self.products[number as usize]);
            if product.is_empty() {
                continue;
            }
            for other in &product {
                if let Some(count) = self.counts.get_mut(other) {
                    *count -= 1;
                }
            }
            taken.push(product);
        }
        taken
    }
}
