//! Covers a program with operations on three values.
//!
//! A machine that computes any function of three bits in one instruction needs fewer
//! instructions than a program has operations. Each operation that is needed becomes a function
//! of a cut: at most three earlier values that determine its result. What lies between is not
//! computed.

mod cuts;

use crate::{Code, Kind, Loop, Op, Output, Segment, Term, Value};
use budget::{Budget, Exhausted};
use cuts::Cut;

/// The truth tables of the first, second and third value: bit `4 * a + 2 * b + c`.
const COLUMNS: [u8; 3] = [0xf0, 0xcc, 0xaa];
/// How often cuts are chosen, each time with the users that the last choice left.
const ROUNDS: usize = 2;

/// Rewrites a program so that it has fewer operations, some of them on three values.
///
/// It sets the same planes to the same contents, with the same segments and loops. It takes
/// about a microsecond for an operation.
///
/// # Errors
/// If the budget is exhausted.
pub fn cover(code: &Code, budget: &Budget) -> Result<Code, Exhausted> {
    let regions = Regions::new(code);
    let mut users = code_users(code);
    let mut best: Option<Choice> = None;
    for _ in 0..ROUNDS {
        let cuts = cuts::best(code, &regions, &users, budget)?;
        let choice = Choice::new(code, cuts);
        for (users, &now) in users.iter_mut().zip(&choice.users) {
            // What is not computed now keeps its users, so that it may be computed again.
            if now > 0 {
                *users = now;
            }
        }
        if best.as_ref().is_none_or(|best| choice.count < best.count) {
            best = Some(choice);
        }
    }
    Ok(match best {
        Some(choice) => Writer::new(code, &choice).write(),
        None => code.clone(),
    })
}

/// The parts of a program whose operations are always run together: those inside each loop, and
/// those between loops.
pub(crate) struct Regions {
    of: Vec<u32>,
}

impl Regions {
    fn new(code: &Code) -> Regions {
        let mut of = vec![0; code.ops.len()];
        let mut region = 0;
        for segment in &code.segments {
            let mut from = segment.ops.start;
            let bounds = segment.loops.iter().flat_map(|l| [l.ops.start, l.ops.end]);
            for to in bounds.chain([segment.ops.end]) {
                of[from as usize..to as usize].fill(region);
                region += 1;
                from = to;
            }
        }
        Regions { of }
    }

    fn same(&self, a: u32, b: u32) -> bool {
        self.of[a as usize] == self.of[b as usize]
    }
}

/// All outputs of a segment, and what its loops carry.
fn outputs(segment: &Segment) -> impl Iterator<Item = &Output> {
    let carried = segment.loops.iter().flat_map(|l| &l.carried);
    carried.chain(&segment.outputs)
}

/// For each operation, how often its result is used.
fn code_users(code: &Code) -> Vec<u32> {
    let mut users = vec![0; code.ops.len()];
    let mut used = |value: Value| {
        if let Some(made) = value.0.checked_sub(code.inputs.len() as u32) {
            users[made as usize] += 1;
        }
    };
    for op in &code.ops {
        op.reads().for_each(&mut used);
    }
    for output in code.segments.iter().flat_map(outputs) {
        if let Term::Value { value, .. } = output.term {
            used(value);
        }
    }
    users
}

/// The operations that are kept, and the values from which each is computed.
struct Choice {
    cuts: Vec<Cut>,
    /// For each operation, how often its result is used. Those that are not are left out.
    users: Vec<u32>,
    /// The number of operations kept.
    count: usize,
}

impl Choice {
    fn new(code: &Code, cuts: Vec<Cut>) -> Choice {
        let inputs = code.inputs.len() as u32;
        let mut users = vec![0u32; code.ops.len()];
        let mut count = 0;
        // Users come later than what they use, and segment 0 is used by all.
        for segment in code.segments.iter().rev() {
            for output in outputs(segment) {
                if let Term::Value { value, .. } = output.term
                    && let Some(made) = value.0.checked_sub(inputs)
                {
                    users[made as usize] += 1;
                }
            }
            for at in segment.ops.clone().rev() {
                if users[at as usize] == 0 {
                    continue;
                }
                count += 1;
                for leaf in cuts[at as usize].leaves() {
                    if let Some(made) = leaf.0.checked_sub(inputs) {
                        users[made as usize] += 1;
                    }
                }
            }
        }
        Choice { cuts, users, count }
    }
}

/// A value of the new program.
#[derive(Clone, Copy, Default)]
struct Held {
    value: u32,
    negated: bool,
}

/// Writes the new program.
struct Writer<'c> {
    code: &'c Code,
    choice: &'c Choice,
    /// Whether more outputs want the complement of each operation than want its result.
    complement: Vec<bool>,
    held: Vec<Held>,
    ops: Vec<Op>,
    /// The truth tables of the values between a cut and its operation.
    tables: Vec<(Value, u8)>,
}

impl<'c> Writer<'c> {
    fn new(code: &'c Code, choice: &'c Choice) -> Self {
        let inputs = code.inputs.len();
        let mut wanted = vec![0i32; code.ops.len()];
        for output in code.segments.iter().flat_map(outputs) {
            if let Term::Value { value, negated } = output.term
                && let Some(made) = (value.0 as usize).checked_sub(inputs)
            {
                wanted[made] += if negated { 1 } else { -1 };
            }
        }
        let mut held: Vec<Held> = (0..inputs as u32)
            .map(|value| Held {
                value,
                negated: false,
            })
            .collect();
        held.resize(inputs + code.ops.len(), Held::default());
        Writer {
            code,
            choice,
            complement: wanted.into_iter().map(|wanted| wanted > 0).collect(),
            held,
            ops: Vec::with_capacity(choice.count),
            tables: Vec::new(),
        }
    }

    fn write(mut self) -> Code {
        let code = self.code;
        // The new position of each operation, or of the next that is kept.
        let mut at = Vec::with_capacity(code.ops.len() + 1);
        for (op, &users) in self.choice.users.iter().enumerate() {
            at.push(self.ops.len() as u32);
            if users > 0 {
                self.op(op);
            }
        }
        at.push(self.ops.len() as u32);
        let range = |ops: &std::ops::Range<u32>| at[ops.start as usize]..at[ops.end as usize];
        let all = |outputs: &[Output]| outputs.iter().map(|output| self.output(output)).collect();
        let segments = code.segments.iter().map(|segment| Segment {
            ops: range(&segment.ops),
            loops: (segment.loops.iter())
                .map(|l| Loop {
                    ops: range(&l.ops),
                    carried: all(&l.carried),
                })
                .collect(),
            outputs: all(&segment.outputs),
        });
        Code {
            planes: code.planes,
            inputs: code.inputs.clone(),
            segments: segments.collect(),
            ops: self.ops,
        }
    }

    fn output(&self, output: &Output) -> Output {
        let term = match output.term {
            Term::Constant(value) => Term::Constant(value),
            Term::Value { value, negated } => {
                let held = self.held[value.0 as usize];
                Term::Value {
                    value: Value(held.value),
                    negated: negated != held.negated,
                }
            }
        };
        Output { term, ..*output }
    }

    /// Writes an operation as a function of its cut.
    fn op(&mut self, op: usize) {
        let mut leaves: Vec<Value> = self.choice.cuts[op].leaves().collect();
        self.tables.clear();
        for (&leaf, column) in leaves.iter().zip(COLUMNS) {
            let held = self.held[leaf.0 as usize];
            let table = if held.negated { !column } else { column };
            self.tables.push((leaf, table));
        }
        let result = self.code.result(op as u32);
        let mut table = self.table(result);
        // Values that make no difference are not read. What is left comes first.
        for (number, shift) in [(2, 1), (1, 2), (0, 4)] {
            let column = COLUMNS[number];
            let differs = (table & column) >> shift != table & !column;
            if number < leaves.len() && !differs {
                leaves.remove(number);
                table = without(table, number);
            }
        }
        let wanted = self.complement[op];
        let value = |leaf: &Value| Value(self.held[leaf.0 as usize].value);
        let (op, negated) = match leaves[..] {
            [ref a, ref b, ref c] => {
                let table = if wanted { !table } else { table };
                let kind = Kind::Table(table);
                let (a, b, c) = (value(a), value(b), value(c));
                (Op { kind, a, b, c }, wanted)
            }
            [ref a, ref b] => pair(table, value(a), value(b)),
            [ref a] => (Op::two(Kind::And, value(a), value(a)), table != COLUMNS[0]),
            _ => {
                let any = value(&self.choice.cuts[op].leaves().next().unwrap_or(Value(0)));
                (Op::two(Kind::Xor, any, any), table != 0)
            }
        };
        let made = self.code.inputs.len() + self.ops.len();
        self.ops.push(op);
        self.held[result.0 as usize] = Held {
            value: made as u32,
            negated,
        };
    }

    /// The truth table of a value between the cut and its operation.
    fn table(&mut self, value: Value) -> u8 {
        let mut stack = vec![value];
        while let Some(&top) = stack.last() {
            let known = |value: Value| self.tables.iter().find(|(v, _)| *v == value);
            if known(top).is_some() {
                stack.pop();
                continue;
            }
            let op = *self.code.op(top).expect("a cut is above all inputs");
            let open = stack.len();
            stack.extend(op.reads().filter(|&read| known(read).is_none()));
            if stack.len() == open {
                let word = |value: Value| known(value).map_or(0, |&(_, table)| u64::from(table));
                let table = op.kind.of(word(op.a), word(op.b), word(op.c)) as u8;
                self.tables.push((top, table));
                stack.pop();
            }
        }
        let known = self.tables.iter().find(|(v, _)| *v == value);
        known.map_or(0, |&(_, table)| table)
    }
}

/// A table without a variable on which it does not depend; later variables move up.
fn without(table: u8, number: usize) -> u8 {
    let row = |index: u8| {
        // The variables of the new table, in their old places.
        let [a, b] = [index >> 2 & 1, index >> 1 & 1];
        let old = match number {
            0 => a << 1 | b,
            1 => a << 2 | b,
            _ => a << 2 | b << 1,
        };
        (table >> old & 1) << index
    };
    (0..8).map(row).fold(0, |all, bit| all | bit)
}

/// The operation on two values that has a truth table or its complement, and whether it is the
/// complement.
fn pair(table: u8, a: Value, b: Value) -> (Op, bool) {
    let [column_a, column_b, _] = COLUMNS;
    for (kind, swap) in [
        (Kind::And, false),
        (Kind::AndNot, false),
        (Kind::AndNot, true),
        (Kind::Or, false),
        (Kind::Xor, false),
    ] {
        let (first, second) = if swap {
            (column_b, column_a)
        } else {
            (column_a, column_b)
        };
        let made = kind.of(first.into(), second.into(), 0) as u8;
        if made == table || !made == table {
            let (a, b) = if swap { (b, a) } else { (a, b) };
            return (Op::two(kind, a, b), made != table);
        }
    }
    unreachable!("the others do not depend on both values")
}
