//! Programs on words, and their interpreter.

/// The position of a bit in a list of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place(u32);

impl Place {
    /// Creates the position of bit `index % 64` of word `index / 64`.
    pub fn new(index: usize) -> Place {
        debug_assert!(u32::try_from(index).is_ok(), "words are fewer than 2^26");
        Place(index as u32)
    }

    /// The index that it was created from.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The number of the word.
    pub fn word(self) -> usize {
        self.0 as usize / 64
    }

    /// The number of the bit in the word.
    pub fn bit(self) -> u32 {
        self.0 % 64
    }

    /// Whether the bit is set.
    pub fn get(self, words: &[u64]) -> bool {
        words[self.word()] >> self.bit() & 1 == 1
    }

    /// Sets the bit.
    pub fn set(self, words: &mut [u64]) {
        words[self.word()] |= 1 << self.bit();
    }
}

/// The function that an operation computes of a word `x` and a rotated word `y`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// `x & y`
    And,
    /// `!x & y`
    NotAnd,
    /// `x & !y`
    AndNot,
    /// `x | y`
    Or,
    /// `x ^ y`
    Xor,
    /// All ones if x has any bit of a mask, else zero.
    Any,
    /// All ones if x has all bits of a mask, else zero.
    All,
}

/// An operation. Its result goes to the next slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Op {
    /// The function that it computes.
    pub kind: Kind,
    /// The number of bits by which the second operand is rotated to the right.
    pub turn: u8,
    /// The slot of the first operand.
    pub a: u32,
    /// The slot of the second operand, or the position of a mask.
    pub b: u32,
}

/// How an output word changes before results are inserted: the bits of `keep` stay and the
/// others become zero, then the bits of `flip` are inverted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame {
    /// The number of the word.
    pub word: u32,
    /// The bits that stay.
    pub keep: u64,
    /// The bits that are inverted afterwards.
    pub flip: u64,
}

/// Bits of a slot that are combined into an output word by exclusive or.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Out {
    /// The slot.
    pub slot: u32,
    /// The number of the output word.
    pub word: u32,
    /// The number of bits by which the slot is rotated to the left.
    pub turn: u8,
    /// The bits of the output word.
    pub mask: u64,
}

/// A straight-line program on words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Program {
    /// The number of slots that the input words take.
    pub(crate) inputs: usize,
    pub(crate) ops: Box<[Op]>,
    pub(crate) masks: Box<[u64]>,
    pub(crate) frames: Box<[Frame]>,
    pub(crate) outs: Box<[Out]>,
}

impl Program {
    /// The number of input words, which are the first slots.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// The operations, in order. The result of each goes to its own slot, after the inputs.
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// The masks that operations refer to.
    pub fn masks(&self) -> &[u64] {
        &self.masks
    }

    /// The output words, ascending.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// The insertions into the output words, in the order of the words.
    pub fn outs(&self) -> &[Out] {
        &self.outs
    }

    /// The number of operations, not counting outputs.
    pub fn len(&self) -> usize {
        self.ops.len()
    }

    /// Whether there are no operations.
    pub fn is_empty(&self) -> bool {
        self.ops.is_empty()
    }

    /// The number of pieces from which the outputs are assembled.
    pub fn pieces(&self) -> usize {
        self.outs.len() + self.frames.len()
    }

    /// The number of words of scratch space needed for running. The input words come first.
    pub fn slots(&self) -> usize {
        self.inputs + self.ops.len()
    }

    /// The number of bytes that the program takes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.ops)
            + size_of_val(&*self.masks)
            + size_of_val(&*self.frames)
            + size_of_val(&*self.outs)
    }

    /// The range of output words from the first to the last that is written.
    pub fn written(&self) -> std::ops::Range<usize> {
        match (self.frames.first(), self.frames.last()) {
            (Some(first), Some(last)) => first.word as usize..last.word as usize + 1,
            _ => 0..0,
        }
    }

    /// Runs the program. `slots` begins with the input words. The outputs are written to
    /// `outputs`, whose other bits stay.
    ///
    /// # Panics
    /// If there are fewer slots than [`Program::slots`], or too few output words.
    #[inline]
    pub fn run(&self, slots: &mut [u64], outputs: &mut [u64]) {
        let slots = &mut slots[..self.inputs + self.ops.len()];
        for (at, op) in (self.inputs..).zip(&self.ops) {
            let x = slots[op.a as usize];
            slots[at] = match op.kind {
                Kind::Any => filled(x & self.masks[op.b as usize] != 0),
                Kind::All => filled(!x & self.masks[op.b as usize] == 0),
                kind => {
                    let y = slots[op.b as usize].rotate_right(op.turn.into());
                    match kind {
                        Kind::And => x & y,
                        Kind::NotAnd => !x & y,
                        Kind::AndNot => x & !y,
                        Kind::Or => x | y,
                        _ => x ^ y,
                    }
                }
            };
        }
        for frame in &self.frames {
            let word = &mut outputs[frame.word as usize];
            *word = *word & frame.keep ^ frame.flip;
        }
        for out in &self.outs {
            let bits = slots[out.slot as usize].rotate_left(out.turn.into());
            outputs[out.word as usize] ^= bits & out.mask;
        }
    }
}

fn filled(ones: bool) -> u64 {
    0u64.wrapping_sub(ones.into())
}
