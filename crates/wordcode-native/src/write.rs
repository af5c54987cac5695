//! Converts a program to machine code.

use wordcode::{Frame, Kind, Op, Out, Program};
use x86::registers::{FIRST as SLOTS, RAX as A, RCX as C, RDX as D, SECOND as OUTPUTS};
use x86::{AND, Address, Bytes, LOAD, OR, Rm, STORE, SUB_BORROW, Vex, XOR};

/// Computes the and of the complement of one operand and the other.
const AND_NOT: Vex = Vex {
    prefix: 0,
    table: 2,
    wide: true,
    vector: false,
    code: 0xf2,
};

/// Registers for results. Those that a function need not restore come first.
const VALUES: [u8; 10] = [8, 9, 10, 11, 3, 5, 12, 13, 14, 15];
/// How many of them need not be restored.
const UNSAVED: usize = 4;

/// The time of the next use if there is none.
const NEVER: u32 = u32::MAX;

/// Writes a function that runs the program.
///
/// Every result gets a register; inputs are used from memory. The program is straight-line
/// code, so the time of every use is known. When no register is free, the result whose next use
/// is furthest away goes to its slot in memory (Belady's rule).
pub(crate) fn write(code: &mut Bytes, program: &Program) {
    let mut writer = Writer {
        bytes: Bytes::default(),
        inputs: program.inputs() as u32,
        homes: vec![Home::Memory; program.slots()],
        uses: Uses::new(program),
        held: [None; VALUES.len()],
    };
    let mut body = Body { most: UNSAVED };
    let mut time = 0;
    for (op, slot) in program.ops().iter().zip(program.inputs() as u32..) {
        writer.op(program, op, slot, time, &mut body);
        time += 1;
    }
    let mut outs = program.outs();
    for frame in program.frames() {
        let count = outs.iter().take_while(|out| out.word == frame.word).count();
        let (mine, rest) = outs.split_at(count);
        writer.output(frame, mine, &mut time);
        outs = rest;
    }
    let saved = &VALUES[UNSAVED..body.most];
    for &reg in saved {
        code.push(reg);
    }
    code.0.append(&mut writer.bytes.0);
    for &reg in saved.iter().rev() {
        code.pop(reg);
    }
    code.ret();
}

/// A word at an offset from a base register.
fn word(base: u8, word: u32) -> Rm {
    Rm::Memory(Address {
        base,
        offset: (word * 8) as i32,
    })
}

/// The location of a slot's word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Home {
    Memory,
    /// One of [`VALUES`].
    Register(u8),
}

/// The number of registers that are used.
struct Body {
    most: usize,
}

struct Writer {
    bytes: Bytes,
    inputs: u32,
    homes: Vec<Home>,
    uses: Uses,
    /// The slot that each register holds.
    held: [Option<u32>; VALUES.len()],
}

impl Writer {
    fn at(&self, slot: u32) -> Rm {
        match self.homes[slot as usize] {
            Home::Memory => word(SLOTS, slot),
            Home::Register(reg) => Rm::Reg(VALUES[usize::from(reg)]),
        }
    }

    /// Records a use of a slot, and frees its register after the last one.
    fn used(&mut self, slot: u32, time: u32) {
        if slot >= self.inputs
            && self.uses.after(slot, time) == NEVER
            && let Home::Register(reg) = self.homes[slot as usize]
        {
            self.held[usize::from(reg)] = None;
        }
    }

    /// Returns a register for a result.
    fn register(&mut self, slot: u32, time: u32, body: &mut Body) -> u8 {
        let free = self.held.iter().position(Option::is_none);
        let reg = free.unwrap_or_else(|| {
            let next = |slot: &Option<u32>| slot.map_or(NEVER, |slot| self.uses.after(slot, time));
            let last = (0..VALUES.len()).max_by_key(|&reg| next(&self.held[reg]));
            let reg = last.unwrap_or(0);
            if let Some(other) = self.held[reg] {
                let to = word(SLOTS, other);
                self.bytes.wide(STORE, VALUES[reg], to);
                self.homes[other as usize] = Home::Memory;
            }
            reg
        });
        body.most = body.most.max(reg + 1);
        self.held[reg] = Some(slot);
        self.homes[slot as usize] = Home::Register(reg as u8);
        VALUES[reg]
    }

    fn op(&mut self, program: &Program, op: &Op, slot: u32, time: u32, body: &mut Body) {
        if self.uses.after(slot, time) == NEVER && self.uses.first(slot) == NEVER {
            return;
        }
        let a = self.at(op.a);
        if matches!(op.kind, Kind::Any | Kind::All) {
            self.used(op.a, time);
            let mask = program.masks()[op.b as usize];
            self.bytes.constant(A, mask);
            match op.kind {
                Kind::Any => {
                    self.bytes.wide(AND, A, a);
                    self.bytes.negate(A);
                }
                _ => {
                    let x = match a {
                        Rm::Reg(reg) => reg,
                        _ => {
                            self.bytes.wide(LOAD, C, a);
                            C
                        }
                    };
                    self.bytes.vex(AND_NOT, A, x, Rm::Reg(A));
                    self.bytes.borrow_if_zero(A);
                }
            }
            let to = self.register(slot, time, body);
            self.bytes.wide(SUB_BORROW, to, Rm::Reg(to));
            return;
        }
        let b = self.at(op.b);
        // Move the operands to A before the result takes a register, which may be one of
        // theirs.
        if op.turn > 0 {
            self.bytes.turn_right(A, b, op.turn);
            match op.kind {
                Kind::And => self.bytes.wide(AND, A, a),
                Kind::Or => self.bytes.wide(OR, A, a),
                Kind::Xor => self.bytes.wide(XOR, A, a),
                Kind::AndNot => self.bytes.vex(AND_NOT, A, A, a),
                _ => {
                    let x = self.in_register(a, C);
                    self.bytes.vex(AND_NOT, A, x, Rm::Reg(A));
                }
            }
        } else {
            match op.kind {
                Kind::AndNot => {
                    let y = self.in_register(b, A);
                    self.bytes.vex(AND_NOT, A, y, a);
                }
                Kind::NotAnd => {
                    let x = self.in_register(a, A);
                    self.bytes.vex(AND_NOT, A, x, b);
                }
                kind => {
                    self.bytes.wide(LOAD, A, a);
                    let code = match kind {
                        Kind::And => AND,
                        Kind::Or => OR,
                        _ => XOR,
                    };
                    self.bytes.wide(code, A, b);
                }
            }
        }
        self.used(op.a, time);
        self.used(op.b, time);
        let to = self.register(slot, time, body);
        self.bytes.wide(LOAD, to, Rm::Reg(A));
    }

    fn in_register(&mut self, rm: Rm, spare: u8) -> u8 {
        match rm {
            Rm::Reg(reg) => reg,
            _ => {
                self.bytes.wide(LOAD, spare, rm);
                spare
            }
        }
    }

    /// Assembles an output word in D.
    fn output(&mut self, frame: &Frame, outs: &[Out], time: &mut u32) {
        let place = word(OUTPUTS, frame.word);
        if frame.keep == 0 {
            self.bytes.constant(D, frame.flip);
        } else {
            self.bytes.constant(D, frame.keep);
            self.bytes.wide(AND, D, place);
            if frame.flip != 0 {
                self.bytes.constant(A, frame.flip);
                self.bytes.wide(XOR, D, Rm::Reg(A));
            }
        }
        for out in outs {
            let from = self.at(out.slot);
            if out.turn == 0 {
                if out.mask == !0 {
                    self.bytes.wide(XOR, D, from);
                    *time += 1;
                    continue;
                }
                self.bytes.wide(LOAD, A, from);
            } else {
                self.bytes.turn_right(A, from, 64 - out.turn);
            }
            if out.mask != !0 {
                self.bytes.constant(C, out.mask);
                self.bytes.wide(AND, A, Rm::Reg(C));
            }
            self.bytes.wide(XOR, D, Rm::Reg(A));
            *time += 1;
        }
        self.bytes.wide(STORE, D, place);
    }
}

/// The uses of each slot: operations first, then outputs, in order.
struct Uses {
    first: Vec<u32>,
    times: Vec<u32>,
}

impl Uses {
    fn new(program: &Program) -> Uses {
        let mut uses: Vec<(u32, u32)> = Vec::new();
        let mut time = 0;
        for op in program.ops() {
            uses.push((op.a, time));
            if !matches!(op.kind, Kind::Any | Kind::All) {
                uses.push((op.b, time));
            }
            time += 1;
        }
        for out in program.outs() {
            uses.push((out.slot, time));
            time += 1;
        }
        uses.sort_unstable();
        let mut first = vec![0u32; program.slots() + 1];
        for &(slot, _) in &uses {
            first[slot as usize + 1] += 1;
        }
        for i in 1..first.len() {
            first[i] += first[i - 1];
        }
        Uses {
            first,
            times: uses.into_iter().map(|(_, time)| time).collect(),
        }
    }

    fn of(&self, slot: u32) -> &[u32] {
        let slot = slot as usize;
        &self.times[self.first[slot] as usize..self.first[slot + 1] as usize]
    }

    /// The first use of a slot.
    fn first(&self, slot: u32) -> u32 {
        self.of(slot).first().copied().unwrap_or(NEVER)
    }

    /// The next use of a slot after a time.
    fn after(&self, slot: u32, time: u32) -> u32 {
        let times = self.of(slot);
        let next = times.partition_point(|&use_| use_ <= time);
        times.get(next).copied().unwrap_or(NEVER)
    }
}
