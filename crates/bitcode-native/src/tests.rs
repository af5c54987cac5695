//! Tests allocation against the meaning of instructions, and encoding against a disassembler.

use crate::allocate::Allocator;
use crate::frame::Frame;
use crate::inst::{Inst, Operand, simulate};
use crate::uses::uses;
use crate::{vectors, wide, words};
use bitcode::Kind;
use budget::Budget;
use iced_x86::{Decoder, DecoderOptions, Formatter, NasmFormatter};
use netlist::word;
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use testkit::circuits::{Circuit, shape};
use x86::{Address, Bytes, Length, Rm};

proptest! {
    #[test]
    fn instructions_agree_with_the_netlist(
        shape in shape(600),
        registers in 5..=32u8,
        covered: bool,
        stride in 1..=4u32,
        whole: bool,
        seed: u64,
    ) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut circuit = Circuit::random(shape, &mut rng);
        if covered {
            circuit.code = bitcode::cover(&circuit.code, &Budget::system()).unwrap();
        }
        let code = &circuit.code;
        code.check().unwrap();
        let uses = uses(code);
        let frame = Frame::new(code.planes, stride, whole);
        let mut allocator = Allocator::new(code, &uses, frame, registers);
        let segments: Vec<Vec<Inst>> = (0..code.segments.len())
            .map(|number| allocator.segment(number, &Budget::system()).unwrap())
            .collect();
        let mut memory = vec![0u64; allocator.planes() * stride as usize];
        memory.fill_with(|| rng.next_u64());
        let inputs: Vec<u64> = circuit.inputs.iter().map(|_| rng.next_u64()).collect();
        for (&plane, &input) in circuit.inputs.iter().zip(&inputs) {
            memory[(plane * stride) as usize] = input;
        }
        let values = circuit.evaluate(&inputs);
        // Segments other than the first keep its results, and may be run in any order.
        let mut order: Vec<usize> = (0..segments.len()).collect();
        order.extend((1..segments.len()).rev());
        for number in order {
            simulate(&segments[number], &mut memory);
            for &(lit, plane) in &circuit.segments[number] {
                prop_assert_eq!(memory[(plane * stride) as usize], word(&values, lit));
            }
        }
    }
}

/// All instructions of some code, as text.
fn disassembled(bytes: &[u8]) -> Vec<String> {
    let mut formatter = NasmFormatter::new();
    formatter
        .options_mut()
        .set_space_after_operand_separator(true);
    formatter.options_mut().set_branch_leading_zeros(false);
    let mut decoder = Decoder::with_ip(64, bytes, 0, DecoderOptions::NONE);
    decoder
        .iter()
        .map(|instruction| {
            let mut text = String::new();
            formatter.format(&instruction, &mut text);
            text
        })
        .collect()
}

const NAMES: [&str; 16] = [
    "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13",
    "r14", "r15",
];

#[test]
fn addresses_are_encoded_for_all_bases_and_offsets() {
    for (base, name) in NAMES.iter().enumerate() {
        for offset in [0i32, 8, 127, -128, 128, -129, 0x1234_5678] {
            for reg in 0..16 {
                let base = base as u8;
                let mut bytes = Bytes(Vec::new());
                bytes.wide(0x8b, reg, Rm::Memory(Address { base, offset }));
                let sign = if offset < 0 { '-' } else { '+' };
                let text = disassembled(&bytes.0);
                let to = NAMES[usize::from(reg)];
                let hex = format!("{:X}", offset.unsigned_abs());
                let digit = if hex.as_bytes()[0].is_ascii_digit() {
                    ""
                } else {
                    "0"
                };
                let suffix = if offset.unsigned_abs() < 10 { "" } else { "h" };
                let expected = if offset == 0 {
                    format!("mov {to}, [{name}]")
                } else {
                    format!("mov {to}, [{name}{sign}{digit}{hex}{suffix}]")
                };
                assert_eq!(text, [expected]);
            }
        }
    }
}

/// Instructions of every kind with every register.
fn every(registers: u8) -> Vec<Inst> {
    let mut insts = vec![Inst::Repeat];
    for to in 0..registers {
        insts.push(Inst::Load { to, from: 0 });
        insts.push(Inst::Store { from: to, to: 4 });
        insts.push(Inst::Constant { to, value: true });
        insts.push(Inst::Constant { to, value: false });
        for a in 0..registers {
            insts.push(Inst::Not { to, a });
            for kind in [Kind::And, Kind::AndNot, Kind::Or, Kind::Xor] {
                let memory = Operand::Memory(4);
                insts.push(Inst::Op {
                    kind,
                    to,
                    a,
                    b: memory,
                });
                for b in (0..registers).map(Operand::Reg) {
                    insts.push(Inst::Op { kind, to, a, b });
                }
            }
        }
        insts.push(Inst::Until { changed: to });
    }
    insts
}

#[test]
fn vector_instructions_disassemble_as_intended() {
    let insts = every(vectors::REGISTERS);
    let mut bytes = Bytes(vec![0xff; 32]);
    vectors::write(&mut bytes, &insts, 0);
    let text = disassembled(&bytes.0[32..]);
    // All places are in one window. They begin 128 bytes before its middle.
    let mut expected = vec!["lea rdi, [rdi+80h]".to_owned()];
    let mut length = 0;
    for inst in &insts {
        expected.extend(match *inst {
            Inst::Load { to, .. } => vec![format!("vmovdqu ymm{to}, [rdi-80h]")],
            Inst::Store { from, .. } => vec![format!("vmovdqu [rdi-60h], ymm{from}")],
            Inst::Constant { to, value } => {
                let name = if value { "vpcmpeqd" } else { "vpxor" };
                vec![format!("{name} ymm{to}, ymm{to}, ymm{to}")]
            }
            Inst::Not { to, a } => vec![format!("vpxor ymm{to}, ymm{a}, [rel 0FFFFFFFFFFFFFFE0h]")],
            Inst::Op { kind, to, a, b } => {
                let name = match kind {
                    Kind::And => "vpand",
                    Kind::AndNot => "vpandn",
                    Kind::Or => "vpor",
                    Kind::Xor => "vpxor",
                    Kind::Table(_) => unreachable!(),
                };
                let b = match b {
                    Operand::Reg(b) => format!("ymm{b}"),
                    Operand::Memory(_) => "[rdi-60h]".to_owned(),
                };
                vec![format!("{name} ymm{to}, ymm{a}, {b}")]
            }
            Inst::Table { .. } | Inst::Move { .. } => unreachable!(),
            Inst::Repeat => continue,
            Inst::Until { changed } => {
                let test = format!("vptest ymm{changed}, ymm{changed}");
                vec![test, "jne near 7".to_owned()]
            }
        });
        length += 1;
    }
    assert!(length > 10_000);
    expected.extend(["vzeroupper", "ret"].map(str::to_owned));
    agree(&text, &expected);
}

#[test]
fn wide_instructions_disassemble_as_intended() {
    for (length, name, middle) in [(Length::Ymm, "ymm", 0x1000), (Length::Zmm, "zmm", 0x2000)] {
        let place = length.bytes() as u32 / 8;
        let mut insts = every(wide::REGISTERS);
        for inst in &mut insts {
            // Places are whole planes.
            if let Inst::Store { to, .. } = inst {
                *to = place;
            }
            if let Inst::Op { b, .. } = inst
                && let Operand::Memory(at) = b
            {
                *at = place;
            }
        }
        for to in 0..wide::REGISTERS {
            let (table, from, b) = (0x10 + to, 31 - to, (to + 7) % 32);
            insts.push(Inst::Move { to, from });
            for c in [Operand::Reg(from), Operand::Memory(place)] {
                insts.push(Inst::Table { table, to, b, c });
            }
        }
        let mut bytes = Bytes::default();
        wide::write(&mut bytes, &insts, length);
        let text = disassembled(&bytes.0);
        let mut expected = vec![format!("lea rdi, [rdi+{middle:X}h]")];
        let memory = format!("[rdi-0{:X}h]", middle - length.bytes());
        let memory = memory.replace("-01", "-1");
        let operand = |operand| match operand {
            Operand::Reg(reg) => format!("{name}{reg}"),
            Operand::Memory(_) => memory.clone(),
        };
        // Where there are only low registers of 256 bits, the older form is shorter.
        let form = |old: &str, regs: &[u8]| match length == Length::Ymm
            && regs.iter().all(|&reg| reg < 16)
        {
            true => old.to_owned(),
            false if old == "vmovdqu" => "vmovdqu64".to_owned(),
            false => format!("{old}q"),
        };
        for inst in &insts {
            expected.extend(match *inst {
                Inst::Load { to, .. } => {
                    vec![format!("vmovdqu64 {name}{to}, [rdi-{middle:X}h]")]
                }
                Inst::Store { from, .. } => vec![format!("vmovdqu64 {memory}, {name}{from}")],
                Inst::Move { to, from } => {
                    let op = form("vmovdqu", &[to, from]);
                    vec![format!("{op} {name}{to}, {name}{from}")]
                }
                Inst::Constant { to, value: false } => {
                    vec![format!(
                        "{0} {name}{to}, {name}{to}, {name}{to}",
                        form("vpxor", &[to])
                    )]
                }
                Inst::Constant { to, value: true } => {
                    vec![format!(
                        "vpternlogq {name}{to}, {name}{to}, {name}{to}, 0FFh"
                    )]
                }
                Inst::Not { to, a } => {
                    vec![format!("vpternlogq {name}{to}, {name}{a}, {name}{a}, 55h")]
                }
                Inst::Table { table, to, b, c } => vec![format!(
                    "vpternlogq {name}{to}, {name}{b}, {}, {table:X}h",
                    operand(c)
                )],
                Inst::Op { kind, to, a, b } => {
                    let op = match kind {
                        Kind::And => "vpand",
                        Kind::AndNot => "vpandn",
                        Kind::Or => "vpor",
                        Kind::Xor => "vpxor",
                        Kind::Table(_) => unreachable!(),
                    };
                    let op = match b {
                        Operand::Reg(b) => form(op, &[to, a, b]),
                        Operand::Memory(_) => format!("{op}q"),
                    };
                    vec![format!("{op} {name}{to}, {name}{a}, {}", operand(b))]
                }
                Inst::Repeat => continue,
                Inst::Until { changed } => vec![
                    format!("vptestmq k1, {name}{changed}, {name}{changed}"),
                    "kortestw k1, k1".to_owned(),
                    "jne near 7".to_owned(),
                ],
            });
        }
        expected.extend(["vzeroupper", "ret"].map(str::to_owned));
        agree(&text, &expected);
    }
}

/// Compares line by line, because the lists are long.
fn agree(text: &[String], expected: &[String]) {
    for (text, expected) in text.iter().zip(expected) {
        assert_eq!(text, expected);
    }
    assert_eq!(text.len(), expected.len());
}

#[test]
fn word_instructions_disassemble_as_intended() {
    const VALUES: [&str; 14] = [
        "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "rbx", "rbp", "r12", "r13", "r14",
        "r15",
    ];
    let insts = every(words::REGISTERS);
    let mut bytes = Bytes(Vec::new());
    words::write(&mut bytes, &insts);
    let text = disassembled(&bytes.0);
    let name = |reg: u8| VALUES[usize::from(reg)];
    let mut expected: Vec<String> = VALUES[8..]
        .iter()
        .map(|reg| format!("push {reg}"))
        .collect();
    expected.push("lea rdi, [rdi+80h]".to_owned());
    let begin = bytes.0.windows(2).position(|w| w == [0x48, 0x8b]).unwrap();
    for inst in &insts {
        expected.extend(match *inst {
            Inst::Load { to, .. } => vec![format!("mov {}, [rdi-80h]", name(to))],
            Inst::Store { from, .. } => vec![format!("mov [rdi-60h], {}", name(from))],
            Inst::Constant { to, value } => {
                let value = if value { "0FFFFFFFFFFFFFFFFh" } else { "0" };
                vec![format!("mov {}, {value}", name(to))]
            }
            Inst::Not { to, a } if to == a => vec![format!("not {}", name(to))],
            Inst::Not { to, a } => vec![
                format!("mov {}, {}", name(to), name(a)),
                format!("not {}", name(to)),
            ],
            Inst::Op {
                kind: Kind::AndNot,
                to,
                a,
                b,
            } => {
                let b = match b {
                    Operand::Reg(b) => name(b),
                    Operand::Memory(_) => "[rdi-60h]",
                };
                vec![format!("andn {}, {}, {b}", name(to), name(a))]
            }
            Inst::Op { kind, to, a, b } => {
                let op = match kind {
                    Kind::And => "and",
                    Kind::Or => "or",
                    _ => "xor",
                };
                match b {
                    Operand::Reg(b) if b == to => vec![format!("{op} {}, {}", name(to), name(a))],
                    _ => {
                        let b = match b {
                            Operand::Reg(b) => name(b),
                            Operand::Memory(_) => "[rdi-60h]",
                        };
                        let mut two = vec![format!("mov {}, {}", name(to), name(a))];
                        two.truncate(usize::from(to != a));
                        two.push(format!("{op} {}, {b}", name(to)));
                        two
                    }
                }
            }
            Inst::Table { .. } | Inst::Move { .. } => unreachable!(),
            Inst::Repeat => continue,
            Inst::Until { changed } => vec![
                format!("test {0}, {0}", name(changed)),
                format!("jne near {begin:X}h"),
            ],
        });
    }
    expected.extend(VALUES[8..].iter().rev().map(|reg| format!("pop {reg}")));
    expected.push("ret".to_owned());
    agree(&text, &expected);
}
