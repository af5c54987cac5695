//! Tests the encoding against a disassembler, and runs code.

use crate::{
    AND, Address, Bytes, Evex, LOAD, Length, OR, Pages, Rm, STORE, SUB_BORROW, Vex, XOR, registers,
};
use iced_x86::{Decoder, DecoderOptions, Formatter, NasmFormatter};

/// All instructions of some code, as text.
fn disassembled(bytes: &Bytes) -> Vec<String> {
    let mut formatter = NasmFormatter::new();
    let mut decoder = Decoder::with_ip(64, &bytes.0, 0, DecoderOptions::NONE);
    let instructions = decoder.iter().map(|instruction| {
        let mut text = String::new();
        formatter.format(&instruction, &mut text);
        text
    });
    instructions.collect()
}

const NAMES: [&str; 16] = [
    "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13",
    "r14", "r15",
];

#[test]
fn constants_disassemble_as_named() {
    let mut bytes = Bytes::default();
    let mut expected = Vec::new();
    for (reg, name) in (0u8..).zip(NAMES) {
        bytes.constant(reg, 0x1234_5678_9abc_def0);
        expected.push(format!("mov {name},123456789ABCDEF0h"));
        bytes.constant(reg, 0x8000_0001);
        let half = match reg {
            8.. => format!("{name}d"),
            _ => name.replacen('r', "e", 1),
        };
        expected.push(format!("mov {half},80000001h"));
    }
    assert_eq!(disassembled(&bytes), expected);
}

#[test]
fn rotations_and_borrows_disassemble_as_named() {
    let mut bytes = Bytes::default();
    let mut expected = Vec::new();
    for (reg, name) in (0u8..).zip(NAMES) {
        let (other, named) = (15 - reg, NAMES[15 - usize::from(reg)]);
        bytes.turn_right(reg, Rm::Reg(other), 13);
        expected.push(format!("rorx {name},{named},0Dh"));
        let base = registers::FIRST;
        for (offset, text) in [(8, "8"), (0x400, "400h")] {
            bytes.turn_right(reg, Rm::Memory(Address { base, offset }), 63);
            expected.push(format!("rorx {name},[rdi+{text}],3Fh"));
        }
        bytes.negate(reg);
        expected.push(format!("neg {name}"));
        bytes.borrow_if_zero(reg);
        expected.push(format!("cmp {name},1"));
        bytes.wide(SUB_BORROW, reg, Rm::Reg(reg));
        expected.push(format!("sbb {name},{name}"));
        let and_not = Vex {
            prefix: 0,
            table: 2,
            wide: true,
            vector: false,
            code: 0xf2,
        };
        bytes.vex(and_not, reg, other, Rm::Reg(3));
        expected.push(format!("andn {name},{named},rbx"));
        for (code, word) in [(AND, "and"), (OR, "or"), (XOR, "xor"), (LOAD, "mov")] {
            bytes.wide(code, reg, Rm::Reg(other));
            expected.push(format!("{word} {name},{named}"));
        }
    }
    assert_eq!(disassembled(&bytes), expected);
}

/// `vpternlogq` with every register in every position, and with offsets of both forms.
#[test]
fn wide_vector_instructions_disassemble_as_named() {
    let ternary = Evex {
        prefix: 1,
        table: 3,
        code: 0x25,
    };
    for (length, name) in [(Length::Ymm, "ymm"), (Length::Zmm, "zmm")] {
        let mut bytes = Bytes::default();
        let mut expected = Vec::new();
        for to in 0..32u8 {
            let (a, b) = ((to + 11) % 32, (to + 22) % 32);
            bytes.evex(ternary, length, to, a, Rm::Reg(b));
            bytes.0.push(0x96);
            expected.push(format!("vpternlogq {name}{to},{name}{a},{name}{b},96h"));
        }
        for (base, base_name) in (0u8..).zip(NAMES) {
            let unit = length.bytes();
            for offset in [0, unit, 127 * unit, -128 * unit, 8, 128 * unit] {
                bytes.evex(
                    ternary,
                    length,
                    base + 16,
                    base,
                    Rm::Memory(Address { base, offset }),
                );
                bytes.0.push(0x0f);
                let sign = if offset < 0 { "-" } else { "+" };
                let place = match offset.unsigned_abs() {
                    0 => String::new(),
                    size @ 1..10 => format!("{sign}{size}"),
                    size => {
                        let hex = format!("{size:X}h");
                        let zero = if hex.as_bytes()[0].is_ascii_digit() {
                            ""
                        } else {
                            "0"
                        };
                        format!("{sign}{zero}{hex}")
                    }
                };
                let to = base + 16;
                expected.push(format!(
                    "vpternlogq {name}{to},{name}{base},[{base_name}{place}],0Fh"
                ));
            }
        }
        assert_eq!(disassembled(&bytes), expected);
    }
}

#[cfg(all(target_arch = "x86_64", not(portable)))]
#[test]
#[expect(unsafe_code, reason = "code is called")]
fn code_runs_from_its_entry() {
    let (first, second) = (registers::FIRST, registers::SECOND);
    let mut bytes = Bytes::default();
    bytes.ret();
    let at = bytes.0.len();
    let from = Rm::Memory(Address {
        base: first,
        offset: 8,
    });
    let to = Rm::Memory(Address {
        base: second,
        offset: 0,
    });
    bytes.wide(LOAD, registers::RAX, from);
    bytes.negate(registers::RAX);
    bytes.wide(STORE, registers::RAX, to);
    bytes.ret();
    let pages = Pages::new(&bytes.0).expect("memory that can be run");
    let (mut read, mut written) = ([5u64, 7], [0u64]);
    // SAFETY: the first function does nothing, the other reads the second of the words at the
    // first pointer and writes the word at the second.
    unsafe {
        pages.call(0, read.as_mut_ptr(), written.as_mut_ptr());
        assert_eq!(written, [0]);
        pages.call(at, read.as_mut_ptr(), written.as_mut_ptr());
    }
    assert_eq!((read, written), ([5, 7], [7u64.wrapping_neg()]));
}
