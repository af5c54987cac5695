//! The facts in the last states of playouts.

use crate::transpose::unload_all;
use bitcode::Plane;
use game::Tally;

/// The last state of every lane whose playout has ended, until it is counted.
pub(crate) struct LastStates<const W: usize> {
    planes: Vec<Plane<W>>,
    /// The lanes that are not counted yet.
    ended: Plane<W>,
    /// The results of the roles in each of these lanes.
    goals: Vec<u8>,
    rows: Vec<[u64; 64]>,
}

impl<const W: usize> LastStates<W> {
    pub fn new(facts: usize, roles: usize) -> Self {
        LastStates {
            planes: vec![Plane::FALSE; facts],
            ended: Plane::FALSE,
            goals: vec![0; Plane::<W>::LANES * roles],
            rows: Vec::new(),
        }
    }

    /// Discards all states that are not counted yet.
    pub fn forget(&mut self) {
        self.ended = Plane::FALSE;
    }

    /// Keeps the states of lanes that have just ended.
    pub fn keep(&mut self, here: &[Plane<W>], ended: &Plane<W>) {
        take(&mut self.planes, here, ended);
        self.ended = self.ended.zip(ended, |a, b| a | b);
    }

    /// The results of a kept lane, to be overwritten.
    pub fn goals(&mut self, lane: usize) -> &mut [u8] {
        let roles = self.goals.len() / Plane::<W>::LANES;
        &mut self.goals[lane * roles..][..roles]
    }

    /// Counts all kept states, each in the tally of its lane's start.
    pub fn count(&mut self, start_of: &[usize], tallies: &mut [Tally]) {
        let words = self.planes.len().div_ceil(64);
        let roles = self.goals.len() / Plane::<W>::LANES;
        for w in 0..W {
            let mut ended = self.ended.0[w];
            if ended == 0 {
                continue;
            }
            unload_all(&self.planes, w, &mut self.rows);
            while ended != 0 {
                let place = ended.trailing_zeros() as usize;
                ended &= ended - 1;
                let lane = 64 * w + place;
                let goals = &self.goals[lane * roles..][..roles];
                let bits = self.rows.iter().map(|square| square[place]);
                tallies[start_of[lane]].ends.count(bits, words, goals);
            }
        }
        self.forget();
    }
}

/// Copies the planes of some lanes.
#[multiversion::multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
fn take<const W: usize>(to: &mut [Plane<W>], from: &[Plane<W>], lanes: &Plane<W>) {
    for (to, from) in to.iter_mut().zip(from) {
        for w in 0..W {
            to.0[w] = to.0[w] & !lanes.0[w] | from.0[w] & lanes.0[w];
        }
    }
}
