//! Assembles results into output words.

use crate::pack::{Held, Value};
use crate::program::{Frame, Out, Place};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The positions of a group of signals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The output words of the group.
    pub words: Range<usize>,
    /// The bit of each signal, in the order given.
    pub places: Vec<Place>,
}

/// The outputs of a program under construction.
#[derive(Default)]
pub(crate) struct Results {
    pub frames: Vec<Frame>,
    pub outs: Vec<Out>,
}

/// The number of partly filled words that are tried before a new one is started.
const TRIED: usize = 4;

impl Results {
    /// Sets a bit of the output. Words must come in order.
    pub fn put(&mut self, value: Value, place: Place) {
        let word = place.word() as u32;
        let bit = 1u64 << place.bit();
        if self.frames.last().is_none_or(|frame| frame.word != word) {
            self.frames.push(Frame {
                word,
                keep: !0,
                flip: 0,
            });
        }
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        frame.keep &= !bit;
        let held = match value {
            Value::Constant(value) => {
                frame.flip |= if value { bit } else { 0 };
                return;
            }
            Value::Held(held) => held,
        };
        frame.flip |= if held.negated { bit } else { 0 };
        let turn = match held.bit {
            Held::EVERY => 0,
            from => (place.bit() as u8).wrapping_sub(from) % 64,
        };
        let same = self
            .outs
            .iter_mut()
            .rev()
            .take_while(|out| out.word == word)
            .find(|out| out.slot == held.slot && out.turn == turn);
        match same {
            Some(out) => out.mask |= bit,
            None => self.outs.push(Out {
                slot: held.slot,
                word,
                turn,
                mask: bit,
            }),
        }
    }
}

/// Chooses places for values in new words, so that bits of one slot stay together.
pub(crate) fn choose(values: &[Value], results: &mut Results) -> Group {
    let first = results.frames.len();
    let mut pieces: FxHashMap<(u32, bool), Pieces> = FxHashMap::default();
    for (i, value) in values.iter().enumerate() {
        let (slot, bit, every) = match *value {
            Value::Constant(_) => (u32::MAX, 0, true),
            Value::Held(held) => (held.slot, held.bit, held.bit == Held::EVERY),
        };
        let pieces = pieces.entry((slot, every)).or_default();
        match every {
            true => pieces.add_anywhere(i),
            false => pieces.add(bit, i),
        }
    }
    let mut pieces: Vec<Piece> = pieces
        .into_values()
        .flat_map(|pieces| pieces.list)
        .collect();
    for piece in &mut pieces {
        piece.bits.sort_unstable();
    }
    // The largest pieces first, because they are the hardest to place. The order must not
    // depend on the map.
    pieces.sort_unstable_by(|a, b| {
        let size = |piece: &Piece| std::cmp::Reverse(piece.bits.len());
        (size(a), &a.bits).cmp(&(size(b), &b.bits))
    });
    let mut taken: Vec<u64> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut chosen: Vec<(Place, usize)> = Vec::with_capacity(values.len());
    for piece in pieces {
        let fit = open.iter().rev().take(TRIED).find_map(|&word| {
            (0..64)
                .find(|&turn| piece.mask.rotate_left(turn) & taken[word] == 0)
                .map(|turn| (word, turn))
        });
        let (word, turn) = fit.unwrap_or_else(|| {
            taken.push(0);
            open.push(taken.len() - 1);
            (taken.len() - 1, 0)
        });
        taken[word] |= piece.mask.rotate_left(turn);
        if taken[word] == !0 {
            open.retain(|&other| other != word);
        }
        for (bit, i) in piece.bits {
            let bit = (usize::from(bit) + turn as usize) % 64;
            chosen.push((Place::new((first + word) * 64 + bit), i));
        }
    }
    chosen.sort_unstable();
    for &(place, i) in &chosen {
        results.put(values[i], place);
    }
    for frame in &mut results.frames[first..] {
        frame.keep = 0;
    }
    let mut places = vec![Place::new(0); values.len()];
    for (place, i) in chosen {
        places[i] = place;
    }
    Group {
        words: first..first + taken.len(),
        places,
    }
}

/// A set of bits of one slot.
#[derive(Default)]
struct Piece {
    mask: u64,
    /// Each bit, and the number of its value.
    bits: Vec<(u8, usize)>,
}

/// The sets of bits of one slot. Thousands of values may be the same bit, one in each set.
struct Pieces {
    list: Vec<Piece>,
    /// For each bit the number of sets that have it, which are the first ones.
    used: [u32; 64],
}

impl Default for Pieces {
    fn default() -> Self {
        Pieces {
            list: Vec::new(),
            used: [0; 64],
        }
    }
}

impl Pieces {
    /// Adds a value with its bit to the first set that does not have it yet.
    fn add(&mut self, bit: u8, value: usize) {
        let at = self.used[usize::from(bit)] as usize;
        self.used[usize::from(bit)] += 1;
        if at == self.list.len() {
            self.list.push(Piece::default());
        }
        self.list[at].mask |= 1 << bit;
        self.list[at].bits.push((bit, value));
    }

    /// Adds a value that every bit has to the last set, or to a new one if that is full.
    fn add_anywhere(&mut self, value: usize) {
        let last = self.list.last().map_or(!0, |piece| piece.mask);
        self.add(last.trailing_ones() as u8 % 64, value);
    }
}
