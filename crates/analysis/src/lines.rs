//! What a role collects for its best result: rows of facts, as the squares of a line on a board.
//!
//! A goal is written as alternatives, each of some facts that must all hold ("lines"). How many of them are open,
//! and how many of their facts are missing, tells much of who is ahead, whatever the game is called; goals
//! were first made use of like that by Fluxplayer (Schiffel and Thielscher, "Fluxplayer: a successful general game
//! player", 2007). Nothing here is proved: facts that a goal asks not to hold are left out, and a line is taken for
//! closed where another fact holds that excludes one of its own and did not hold at first.

use budget::Budget;
use invariants::Groups;
use netlist::{GameLogic, Gate, Lit, Source};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A goal with more lines, or with longer ones, is left alone.
const MOST: usize = 2048;
const LONGEST: usize = 16;
/// Facts of all lines that are looked at, of goals and of parts of them; and those that fill or close lines.
const STORED: usize = 1 << 20;
/// Lines count that miss so many facts at most.
const MISSING: usize = 4;
/// So many of them at most.
const COUNTED: u32 = 8;
/// Bits for each role.
const BITS: usize = MISSING * COUNTED as usize;

/// Facts that must all hold, ascending.
type Line = Vec<u32>;

/// Alternatives; of no facts where there is nothing to collect.
type Lines = Arc<Vec<Line>>;

/// What a fact is to a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Part {
    line: u32,
    /// Whether it is one that the line asks for; else it closes the line.
    own: bool,
}

/// A line in the state that was last asked about.
#[derive(Debug, Clone, Copy)]
struct Row {
    role: u16,
    missing: u16,
    /// Facts that hold and close it.
    closing: u16,
}

/// How far roles are with the lines of their best results.
///
/// It goes from state to state by what differs: those that a search asks about are much alike.
#[derive(Debug, Clone)]
pub struct Progress {
    /// What each fact is to lines.
    parts: Arc<Vec<Vec<Part>>>,
    /// The state that was last asked about, its lines, and for each role how many open ones miss so many facts.
    facts: Vec<u64>,
    rows: Vec<Row>,
    counts: Vec<[u16; MISSING + 1]>,
}

impl Progress {
    /// The lines of the best result of each role. `None` if there are none, or too many, or time runs out.
    pub fn find(logic: &GameLogic, groups: &Groups, budget: &Budget) -> Option<Progress> {
        let mut read = Reader {
            logic,
            known: vec![[None, None]; logic.net.len()],
            stored: 0,
        };
        let (all, of_facts) = (&groups.groups, groups.of_facts(logic.facts.len()));
        let first = |fact: &u32| logic.words.initial.binary_search(fact).is_ok();
        let mut parts: Vec<Vec<Part>> = vec![Vec::new(); logic.facts.len()];
        let (mut rows, mut size) = (Vec::new(), 0);
        for (role, goals) in (0..).zip(&logic.goals) {
            let best = goals.iter().max_by_key(|goal| goal.0)?;
            let lines = read.lines(best.1, budget)?;
            for line in lines.iter().filter(|line| line.len() > 1) {
                let number = rows.len() as u32;
                rows.push(Row {
                    role,
                    missing: line.len() as u16,
                    closing: 0,
                });
                let groups = line.iter().flat_map(|&fact| &of_facts[fact as usize]);
                let others = groups.flat_map(|&group| &all[group as usize].facts);
                let closing: BTreeSet<u32> =
                    others.filter(|other| !first(other)).copied().collect();
                size += line.len() + closing.len();
                if size > STORED {
                    return None;
                }
                for &fact in line {
                    parts[fact as usize].push(Part {
                        line: number,
                        own: true,
                    });
                }
                for fact in closing.into_iter().filter(|fact| !line.contains(fact)) {
                    parts[fact as usize].push(Part {
                        line: number,
                        own: false,
                    });
                }
            }
        }
        if !(2..=MOST).contains(&rows.len()) {
            return None;
        }
        let mut counts = vec![[0; MISSING + 1]; logic.roles()];
        for row in &rows {
            note(&mut counts, row, 1);
        }
        Some(Progress {
            parts: Arc::new(parts),
            facts: vec![0; logic.facts.len().div_ceil(64)],
            rows,
            counts,
        })
    }

    /// Adds words to those of a state that say how many lines are open of which one fact is missing, two, and so on:
    /// for each role, and each of these, as many bits are set as there are lines, up to eight.
    ///
    /// Fact `f` is bit `f % 64` of word `f / 64` of `facts`.
    pub fn add(&mut self, facts: &[u64], to: &mut Vec<u64>) {
        for at in 0..self.facts.len() {
            let word = facts.get(at).copied().unwrap_or(0);
            let mut left = word ^ self.facts[at];
            self.facts[at] = word;
            while left != 0 {
                let bit = left.trailing_zeros() as usize;
                self.turn(64 * at + bit, word >> bit & 1 == 1);
                left &= left - 1;
            }
        }
        let (begin, mut place) = (to.len(), 0);
        to.resize(begin + (self.counts.len() * BITS).div_ceil(64), 0);
        for counts in &self.counts {
            for &count in &counts[1..] {
                let bits = (1u64 << u32::from(count).min(COUNTED)) - 1;
                to[begin + place / 64] |= bits << (place % 64);
                place += COUNTED as usize;
            }
        }
    }

    /// A fact begins to hold, or ends to.
    fn turn(&mut self, fact: usize, holds: bool) {
        for &Part { line, own } in self.parts.get(fact).into_iter().flatten() {
            let row = &mut self.rows[line as usize];
            note(&mut self.counts, row, u16::MAX);
            match (own, holds) {
                (true, true) => row.missing -= 1,
                (true, false) => row.missing += 1,
                (false, true) => row.closing += 1,
                (false, false) => row.closing -= 1,
            }
            note(&mut self.counts, row, 1);
        }
    }
}

/// Counts a line once more, or, with minus one, once less.
fn note(counts: &mut [[u16; MISSING + 1]], row: &Row, by: u16) {
    let count = counts[usize::from(row.role)].get_mut(usize::from(row.missing));
    if let Some(count) = count.filter(|_| row.closing == 0) {
        *count = count.wrapping_add(by);
    }
}

struct Reader<'l> {
    logic: &'l GameLogic,
    /// For each node, as it is and negated.
    known: Vec<[Option<Lines>; 2]>,
    /// How many facts that is.
    stored: usize,
}

impl Reader<'_> {
    /// The lines of a signal, every node below it first; `None` without time left, or if they are too many.
    fn lines(&mut self, lit: Lit, budget: &Budget) -> Option<Lines> {
        let mut open = vec![lit];
        while let Some(&top) = open.last() {
            if self.known(top).is_some() {
                open.pop();
                continue;
            }
            budget.check().ok()?;
            let wanted = match self.logic.net.gate(top.node()) {
                Gate::And(a, b) => {
                    let negated = top.is_negated();
                    [a ^ negated, b ^ negated]
                }
                _ => [top; 2],
            };
            let missing = wanted
                .into_iter()
                .filter(|&lit| lit != top && self.known(lit).is_none());
            let before = open.len();
            open.extend(missing.collect::<Vec<_>>());
            if open.len() == before {
                let found = self.read(top, wanted);
                self.stored += found.iter().map(|line| line.len() + 1).sum::<usize>();
                if self.stored > STORED {
                    return None;
                }
                self.known[top.node()][usize::from(top.is_negated())] = Some(Arc::new(found));
            }
        }
        self.known(lit)
    }

    fn known(&self, lit: Lit) -> Option<Lines> {
        self.known[lit.node()][usize::from(lit.is_negated())].clone()
    }

    fn read(&self, lit: Lit, inputs: [Lit; 2]) -> Vec<Line> {
        let anything = vec![Line::new()];
        match self.logic.net.gate(lit.node()) {
            Gate::False if lit.is_negated() => anything,
            Gate::False => Vec::new(),
            Gate::Input(number) => match self.logic.sources[number as usize] {
                Source::Fact(fact) if !lit.is_negated() => vec![vec![fact]],
                _ => anything,
            },
            Gate::Xor(..) => anything,
            Gate::And(..) => {
                let [Some(a), Some(b)] = inputs.map(|input| self.known(input)) else {
                    return anything;
                };
                match lit.is_negated() {
                    true => either(&a, &b),
                    false => both(&a, &b),
                }
            }
        }
    }
}

fn either(a: &[Line], b: &[Line]) -> Vec<Line> {
    let all: BTreeSet<Line> = a.iter().chain(b).cloned().collect();
    match all.first().is_none_or(|first| !first.is_empty()) && all.len() <= MOST {
        true => all.into_iter().collect(),
        // Where nothing has to be collected, or too much to know, nothing is.
        false => vec![Line::new()],
    }
}

fn both(a: &[Line], b: &[Line]) -> Vec<Line> {
    if a.len() * b.len() > MOST {
        return vec![Line::new()];
    }
    let mut all = BTreeSet::new();
    for a in a {
        for b in b {
            let line: BTreeSet<u32> = a.iter().chain(b).copied().collect();
            if line.len() > LONGEST {
                return vec![Line::new()];
            }
            all.insert(line.into_iter().collect::<Line>());
        }
    }
    all.into_iter().collect()
}
