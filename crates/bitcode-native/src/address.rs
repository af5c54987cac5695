//! Addresses places in memory with few bytes.
//!
//! An offset of -128 to 127 units from a base register takes one byte, other offsets take four.
//! A unit is a byte, or with some instructions a whole vector. Registers that hold no values
//! serve as bases. Each points to the middle of a window of 256 units, and the windows are placed
//! where memory is used most.

use crate::inst::{Inst, Operand, Place};
use x86::{Address, Bytes, Rm};

/// The number of units in a window.
const SPAN: u32 = 256;
/// The minimum number of uses for which a window gets a register.
const WORTH: u32 = 12;

/// The base registers and where they point.
pub(crate) struct Bases {
    /// The register with the start of the memory when a segment is called, and the offset by
    /// which it is moved.
    pub main: (u8, i32),
    /// The other base registers, and their offsets from the start of the memory.
    pub others: Vec<(u8, i32)>,
    /// For each window, its base and the base's offset. The main base if the window has none.
    windows: Vec<(u8, i32)>,
    /// The number of bytes in a window.
    span: u32,
}

impl Bases {
    /// Chooses bases for the places that instructions use: `main`, and those of `registers`
    /// that save bytes, the most used windows first. Short offsets count units of `unit` bytes.
    pub(crate) fn new(insts: &[Inst], main: u8, registers: &[u8], unit: u32) -> Bases {
        let span = SPAN * unit;
        let mut count: Vec<u32> = Vec::new();
        for place in insts.iter().filter_map(place) {
            let window = (place * 8 / span) as usize;
            if window >= count.len() {
                count.resize(window + 1, 0);
            }
            count[window] += 1;
        }
        let mut order: Vec<usize> = (0..count.len()).collect();
        order.sort_by_key(|&window| std::cmp::Reverse(count[window]));
        let middle = |window: usize| (window as u32 * span + span / 2) as i32;
        let main = (main, order.first().map_or(0, |&window| middle(window)));
        let mut bases = Bases {
            main,
            others: Vec::new(),
            windows: vec![main; count.len()],
            span,
        };
        for (&window, &register) in order.iter().skip(1).zip(registers) {
            if count[window] < WORTH {
                break;
            }
            bases.others.push((register, middle(window)));
            bases.windows[window] = (register, middle(window));
        }
        bases
    }

    /// Writes the instructions that set the bases.
    pub(crate) fn enter(&self, bytes: &mut Bytes) {
        const ADDRESS: u8 = 0x8d;
        let (main, at) = self.main;
        for &(base, to) in self.others.iter().chain([&(main, at)]) {
            let from = Address {
                base: main,
                offset: to,
            };
            bytes.wide(ADDRESS, base, Rm::Memory(from));
        }
    }

    /// The address of a place.
    pub(crate) fn address(&self, place: Place) -> Address {
        let (base, at) = self.windows[(place * 8 / self.span) as usize];
        Address {
            base,
            offset: (place * 8) as i32 - at,
        }
    }
}

/// The place in memory that an instruction uses.
fn place(inst: &Inst) -> Option<Place> {
    match *inst {
        Inst::Load { from: place, .. }
        | Inst::Store { to: place, .. }
        | Inst::Op {
            b: Operand::Memory(place),
            ..
        }
        | Inst::Table {
            c: Operand::Memory(place),
            ..
        } => Some(place),
        _ => None,
    }
}
