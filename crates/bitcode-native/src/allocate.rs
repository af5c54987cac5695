//! Register allocation: which values are in registers, and when.
//!
//! A program is straight-line code, so the next use of every value is known. When a register is
//! needed, the value whose next use is furthest away is evicted (Belady, "A study of
//! replacement algorithms for a virtual-storage computer", 1966). Values that are also in
//! memory are preferred for eviction to those that must be written there first. A value in
//! memory that is not needed again soon becomes a memory operand, which costs neither an
//! instruction nor a register.

use crate::frame::Frame;
use crate::inst::{Inst, Operand, Place, Reg};
use crate::uses::{NEVER, Uses, made_by, read};
use bitcode::{Code, Kind, Loop, Output, Segment, Term, Value};
use budget::{Budget, Exhausted};

/// Number of operations processed between two checks of the budget.
const STRIDE: u32 = 1024;
/// The most registers that a machine has.
const REGISTERS: usize = 32;
/// The register of a value that is in no register.
const NOWHERE: Reg = Reg::MAX;
/// The place of a value that is not in memory.
const UNWRITTEN: Place = Place::MAX;
/// The value of an empty register.
const EMPTY: Value = Value(u32::MAX);

/// Converts the segments of a program to instructions, one after the other.
pub(crate) struct Allocator<'c> {
    code: &'c Code,
    uses: &'c Uses,
    frame: Frame,
    /// For each operation of segment 0, the place where its result is kept.
    kept: Vec<Place>,
    /// For each value, the register that holds it.
    reg_of: Vec<Reg>,
    /// For each value, the place in memory that holds it.
    place_of: Vec<Place>,
    /// For each register, its value.
    held: [Value; REGISTERS],
    /// For each register, the next use of its value.
    until: [u32; REGISTERS],
    /// The registers whose values are also in memory.
    clean: u32,
    /// The registers without a value.
    free: u32,
    /// All registers.
    all: u32,
    /// The start of the loop that is being written.
    repeating: Option<u32>,
    /// Places to free after the loop, because the next round reads them again.
    deferred: Vec<Place>,
    insts: Vec<Inst>,
}

impl<'c> Allocator<'c> {
    /// Creates an allocator of registers 0 to `registers - 1`.
    pub(crate) fn new(code: &'c Code, uses: &'c Uses, frame: Frame, registers: u8) -> Self {
        let mut frame = frame;
        let keep = |&kept: &bool| if kept { frame.keep() } else { UNWRITTEN };
        let kept = uses.kept.iter().map(keep).collect();
        let mut place_of: Vec<Place> = code.inputs.iter().map(|&p| frame.plane(p)).collect();
        let values = code.inputs.len() + code.ops.len();
        place_of.resize(values, UNWRITTEN);
        Allocator {
            code,
            uses,
            frame,
            kept,
            reg_of: vec![NOWHERE; values],
            place_of,
            held: [EMPTY; REGISTERS],
            until: [NEVER; REGISTERS],
            clean: 0,
            free: 0,
            all: ((1u64 << registers) - 1) as u32,
            repeating: None,
            deferred: Vec::new(),
            insts: Vec::new(),
        }
    }

    /// The number of planes that the segments written so far need.
    pub(crate) fn planes(&self) -> usize {
        self.frame.planes()
    }

    /// Writes the instructions of a segment. Segment 0 must be written first.
    pub(crate) fn segment(
        &mut self,
        number: usize,
        budget: &Budget,
    ) -> Result<Vec<Inst>, Exhausted> {
        let code = self.code;
        let segment = &code.segments[number];
        self.frame.clear();
        self.forget_registers();
        let (mut made, copied): (Vec<Output>, Vec<_>) = segment
            .outputs
            .iter()
            .copied()
            .partition(|output| self.maker(output, segment).is_some());
        made.sort_by_key(|output| self.maker(output, segment));
        let mut made = made.as_slice();
        let mut loops = segment.loops.iter().zip(&self.uses.carried[number]);
        let mut coming = loops.next();
        for at in segment.ops.start..=segment.ops.end {
            if at % STRIDE == 0 {
                budget.check()?;
            }
            while let Some((l, next)) = coming {
                if l.ops.start == at && self.repeating.is_none() {
                    self.begin_loop(l);
                }
                if l.ops.end != at || self.repeating.is_none() {
                    break;
                }
                self.end_loop(l, next);
                coming = loops.next();
            }
            if at == segment.ops.end {
                break;
            }
            let count = made
                .iter()
                .take_while(|output| self.maker(output, segment) == Some(at))
                .count();
            let (outputs, rest) = made.split_at(count);
            made = rest;
            if self.uses.live[at as usize] {
                self.op(at, outputs);
            }
        }
        self.copies(&copied);
        Ok(std::mem::take(&mut self.insts))
    }

    /// The operation of the segment that computes an output.
    fn maker(&self, output: &Output, segment: &Segment) -> Option<u32> {
        made_by(self.code, read(output.term)?, &segment.ops)
    }

    fn op(&mut self, at: u32, outputs: &[Output]) {
        let op = self.code.ops[at as usize];
        if let Kind::Table(table) = op.kind {
            return self.table(at, table, outputs);
        }
        let [next_a, next_b, _] = self.uses.next[at as usize];
        let (mut a, mut b) = ((op.a, next_a), (op.b, next_b));
        if op.kind != Kind::AndNot && self.better_first(b, a) {
            std::mem::swap(&mut a, &mut b);
        }
        let second = self.reg_of(b.0);
        let pinned = if second == NOWHERE { 0 } else { 1 << second };
        let first = self.in_register(a.0, a.1, at, pinned);
        let worth = self.reg_of(b.0) != NOWHERE || a.0 == b.0 || self.worth_loading(b.1, at);
        let second = if worth {
            Operand::Reg(self.in_register(b.0, b.1, at, 1 << first))
        } else {
            Operand::Memory(self.place_of[b.0.0 as usize])
        };
        for (value, next) in [a, b] {
            let reg = self.reg_of(value);
            if reg != NOWHERE {
                if next == NEVER {
                    self.release(reg);
                } else {
                    self.until[usize::from(reg)] = next;
                }
            }
        }
        // Machines that overwrite an operand prefer one whose last use this is.
        let wanted = match second {
            Operand::Reg(second) => 1 << first | 1 << second,
            Operand::Memory(_) => 1 << first,
        };
        let to = self.take(wanted, 0, at);
        self.insts.push(Inst::Op {
            kind: op.kind,
            to,
            a: first,
            b: second,
        });
        // Not earlier, because making room for the result may write to memory.
        if a.1 == NEVER {
            self.give_back(a.0);
        }
        if b.1 == NEVER && a.0 != b.0 {
            self.give_back(b.0);
        }
        self.hold(to, self.code.result(at), self.uses.first[at as usize]);
        self.set(to, at, outputs);
    }

    /// Writes an operation on three values, which overwrites a register.
    fn table(&mut self, at: u32, table: u8, outputs: &[Output]) {
        let op = self.code.ops[at as usize];
        let next = self.uses.next[at as usize];
        let reads = [op.a, op.b, op.c];
        let missing = |this: &Self, i: usize| this.reg_of(reads[i]) == NOWHERE;
        // The operand that stays in memory: the one that is needed again latest.
        let mut aside = (0..3)
            .filter(|&i| missing(self, i) && !self.worth_loading(next[i], at))
            .max_by_key(|&i| next[i]);
        let mut pinned = 0;
        for reg in reads.map(|value| self.reg_of(value)) {
            if reg != NOWHERE {
                pinned |= 1 << reg;
            }
        }
        for i in 0..3 {
            if aside != Some(i) {
                pinned |= 1 << self.in_register(reads[i], next[i], at, pinned);
            }
        }
        // An operand that is not needed any more is overwritten, or a copy.
        let mut over = (0..3).find(|&i| aside != Some(i) && next[i] == NEVER);
        let to = match over {
            Some(i) => self.reg_of(reads[i]),
            None => {
                let to = self.take(0, pinned, at);
                let i = aside.take().unwrap_or(0);
                over = Some(i);
                self.insts.push(match self.reg_of(reads[i]) {
                    NOWHERE => Inst::Load {
                        to,
                        from: self.place_of[reads[i].0 as usize],
                    },
                    from => Inst::Move { to, from },
                });
                to
            }
        };
        let first = over.unwrap_or(0);
        let last = aside.unwrap_or((first + 2) % 3);
        let second = 3 - first - last;
        let c = match aside {
            Some(i) => Operand::Memory(self.place_of[reads[i].0 as usize]),
            None => Operand::Reg(self.reg_of(reads[last])),
        };
        self.insts.push(Inst::Table {
            table: permuted(table, [first, second, last]),
            to,
            b: self.reg_of(reads[second]),
            c,
        });
        for (value, next) in reads.into_iter().zip(next) {
            let reg = self.reg_of(value);
            if reg == NOWHERE {
                continue;
            }
            match next {
                NEVER => self.release(reg),
                _ => self.until[usize::from(reg)] = next,
            }
        }
        for (i, &value) in reads.iter().enumerate() {
            if next[i] == NEVER && !reads[..i].contains(&value) {
                self.give_back(value);
            }
        }
        self.hold(to, self.code.result(at), self.uses.first[at as usize]);
        self.set(to, at, outputs);
    }

    /// Whether a commutative operation should have `a` as its first operand, which must be in a
    /// register.
    fn better_first(&self, a: (Value, u32), b: (Value, u32)) -> bool {
        let (reg_a, reg_b) = (self.reg_of(a.0), self.reg_of(b.0));
        match (reg_a != NOWHERE, reg_b != NOWHERE) {
            // Registers from 8 on need a longer instruction as the second operand.
            (true, true) => reg_a > reg_b,
            (true, false) => true,
            (false, true) => false,
            (false, false) => a.1 < b.1,
        }
    }

    /// Whether a value in memory whose next use is at `next` should be loaded to a register.
    fn worth_loading(&self, next: u32, at: u32) -> bool {
        next != NEVER && (self.free != 0 || next - at < 8)
    }

    fn set(&mut self, from: Reg, at: u32, outputs: &[Output]) {
        let value = self.code.result(at);
        let dead = self.uses.first[at as usize] == NEVER;
        let written = |allocator: &mut Self, to: Place| {
            allocator.insts.push(Inst::Store { from, to });
            allocator.place_of[value.0 as usize] = to;
            allocator.clean |= 1 << from;
        };
        let mut complement = false;
        for output in outputs {
            match output.term {
                Term::Value { negated: true, .. } => complement = true,
                _ => written(self, self.frame.plane(output.plane)),
            }
        }
        if let Some(&place) = self.kept.get(at as usize)
            && place != UNWRITTEN
        {
            written(self, place);
        }
        if complement {
            let to = if dead {
                from
            } else {
                self.take(0, 1 << from, at)
            };
            self.insts.push(Inst::Not { to, a: from });
            for output in outputs {
                if matches!(output.term, Term::Value { negated: true, .. }) {
                    let place = self.frame.plane(output.plane);
                    self.insts.push(Inst::Store {
                        from: to,
                        to: place,
                    });
                }
            }
            if !dead {
                self.free |= 1 << to;
            }
        }
        if dead {
            self.release(from);
        }
    }

    /// Writes the outputs that no operation of the segment computes.
    fn copies(&mut self, outputs: &[Output]) {
        let mut constants = [None; 2];
        for output in outputs {
            let to = self.frame.plane(output.plane);
            let pinned = constants
                .iter()
                .flatten()
                .fold(0, |all, reg: &Reg| all | 1u32 << reg);
            let from = match output.term {
                Term::Constant(value) => match constants[usize::from(value)] {
                    Some(reg) => reg,
                    None => {
                        let reg = self.take(0, pinned, 0);
                        self.insts.push(Inst::Constant { to: reg, value });
                        constants[usize::from(value)] = Some(reg);
                        reg
                    }
                },
                Term::Value { value, negated } => {
                    let reg = self.in_register(value, NEVER - 1, 0, pinned);
                    if negated {
                        let to = self.take(0, pinned | 1 << reg, 0);
                        self.insts.push(Inst::Not { to, a: reg });
                        self.free |= 1 << to;
                        to
                    } else {
                        reg
                    }
                }
            };
            self.insts.push(Inst::Store { from, to });
        }
    }

    fn begin_loop(&mut self, l: &Loop) {
        self.write_all();
        self.forget_registers();
        let from = self.take(0, 0, l.ops.start);
        if !l.carried.is_empty() {
            let value = false;
            self.insts.push(Inst::Constant { to: from, value });
        }
        for output in &l.carried {
            let to = self.frame.plane(output.plane);
            self.insts.push(Inst::Store { from, to });
        }
        self.free |= 1 << from;
        self.insts.push(Inst::Repeat);
        self.repeating = Some(l.ops.start);
    }

    fn end_loop(&mut self, l: &Loop, next: &[u32]) {
        let at = l.ops.end;
        let changed = self.take(0, 0, at);
        let mut pinned = 1 << changed;
        let scratch = self.take(0, pinned, at);
        pinned |= 1 << scratch;
        self.insts.push(Inst::Constant {
            to: changed,
            value: false,
        });
        for (output, &next) in l.carried.iter().zip(next) {
            let now = match output.term {
                Term::Constant(value) => {
                    let to = self.take(0, pinned, at);
                    self.insts.push(Inst::Constant { to, value });
                    self.free |= 1 << to;
                    to
                }
                Term::Value { value, negated } => {
                    let reg = self.in_register(value, next, at, pinned);
                    if next == NEVER {
                        self.release(reg);
                        self.give_back(value);
                    } else {
                        self.until[usize::from(reg)] = next;
                    }
                    if negated {
                        let to = self.take(0, pinned | 1 << reg, at);
                        self.insts.push(Inst::Not { to, a: reg });
                        self.free |= 1 << to;
                        to
                    } else {
                        reg
                    }
                }
            };
            let place = self.frame.plane(output.plane);
            self.insts.push(Inst::Op {
                kind: Kind::Xor,
                to: scratch,
                a: now,
                b: Operand::Memory(place),
            });
            self.insts.push(Inst::Op {
                kind: Kind::Or,
                to: changed,
                a: changed,
                b: Operand::Reg(scratch),
            });
            self.insts.push(Inst::Store {
                from: now,
                to: place,
            });
        }
        self.free |= pinned;
        // Every round must begin with the same registers as the first: all empty.
        self.write_all();
        self.insts.push(Inst::Until { changed });
        self.repeating = None;
        for place in std::mem::take(&mut self.deferred) {
            self.frame.give_back(place);
        }
    }

    fn reg_of(&self, value: Value) -> Reg {
        self.reg_of[value.0 as usize]
    }

    /// Returns a register that holds a value, which is used again at `next`.
    fn in_register(&mut self, value: Value, next: u32, at: u32, pinned: u32) -> Reg {
        let reg = self.reg_of(value);
        if reg != NOWHERE {
            return reg;
        }
        let to = self.take(0, pinned, at);
        let from = self.place_of[value.0 as usize];
        debug_assert_ne!(from, UNWRITTEN, "a value is somewhere");
        self.insts.push(Inst::Load { to, from });
        self.hold(to, value, next);
        self.clean |= 1 << to;
        to
    }

    /// Frees a register for a new value. Prefers the free ones of `wanted`, and never takes one
    /// of `pinned`.
    fn take(&mut self, wanted: u32, pinned: u32, at: u32) -> Reg {
        let free = self.free & !pinned;
        if free != 0 {
            let best = if free & wanted != 0 {
                free & wanted
            } else {
                free
            };
            let reg = best.trailing_zeros() as Reg;
            self.free &= !(1 << reg);
            return reg;
        }
        let mut best = (0, 0);
        for reg in 0..REGISTERS as Reg {
            let bit = 1 << reg;
            if self.all & bit == 0 || pinned & bit != 0 {
                continue;
            }
            let distance = self.until[usize::from(reg)].saturating_sub(at);
            let weight = if self.clean & bit != 0 { 4 } else { 1 };
            let score = u64::from(distance) * weight + 1;
            if score > best.0 {
                best = (score, reg);
            }
        }
        let reg = best.1;
        self.write(reg);
        self.release(reg);
        self.free &= !(1 << reg);
        reg
    }

    /// Records the value that a register holds from now on.
    fn hold(&mut self, reg: Reg, value: Value, until: u32) {
        self.held[usize::from(reg)] = value;
        self.until[usize::from(reg)] = until;
        self.reg_of[value.0 as usize] = reg;
        self.clean &= !(1 << reg);
        self.free &= !(1 << reg);
    }

    fn release(&mut self, reg: Reg) {
        let value = std::mem::replace(&mut self.held[usize::from(reg)], EMPTY);
        self.reg_of[value.0 as usize] = NOWHERE;
        self.free |= 1 << reg;
    }

    /// Ensures that the value of a register is also in memory.
    fn write(&mut self, reg: Reg) {
        if self.clean & 1 << reg != 0 {
            return;
        }
        let to = self.frame.take();
        let value = self.held[usize::from(reg)];
        self.place_of[value.0 as usize] = to;
        self.insts.push(Inst::Store { from: reg, to });
        self.clean |= 1 << reg;
    }

    fn write_all(&mut self) {
        let mut used = self.all & !self.free;
        while used != 0 {
            self.write(used.trailing_zeros() as Reg);
            used &= used - 1;
        }
    }

    fn forget_registers(&mut self) {
        let mut used = self.all & !self.free;
        while used != 0 {
            let reg = used.trailing_zeros() as usize;
            let value = std::mem::replace(&mut self.held[reg], EMPTY);
            if value != EMPTY {
                self.reg_of[value.0 as usize] = NOWHERE;
            }
            used &= used - 1;
        }
        self.free = self.all;
    }

    /// Frees the place of a value after its last use.
    fn give_back(&mut self, value: Value) {
        let place = self.place_of[value.0 as usize];
        if place == UNWRITTEN {
            return;
        }
        let maker = value.0.checked_sub(self.code.inputs.len() as u32);
        match self.repeating {
            // Values from before the loop are read again in its next round.
            Some(start) if maker.is_none_or(|op| op < start) => {
                if maker.is_some() {
                    self.deferred.push(place);
                }
            }
            _ => self.frame.give_back(place),
        }
    }
}

/// The table for operands in another order: the new one at `i` was at `order[i]`.
fn permuted(table: u8, order: [usize; 3]) -> u8 {
    let row = |row: u8| {
        let old = (0..3).fold(0, |old, i| old | (row >> (2 - i) & 1) << (2 - order[i]));
        (table >> old & 1) << row
    };
    (0..8).map(row).fold(0, |all, bit| all | bit)
}
