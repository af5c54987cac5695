//! The programs of expansion, for one phase: one that makes given moves, one that looks at what
//! came of them.

use crate::choice::Counted;
use crate::import::{Import, cycles};
use crate::policy::{self, Draft};
use crate::step::{Choice, at_least_two};
use bitcode::{Assembler, Code};
use budget::Budget;
use netlist::{GameLogic, Gate, Lit, Netlist, Source};
use std::ops::Range;

/// The segment of a [`Look`] that finds whether play has ended and what is legal.
pub const LEGAL: usize = 0;
/// The segment of a [`Look`] that finds the results.
pub const GOALS: usize = 1;
/// The segment of a [`Look`] that finds what is foreseen, where there is an outlook.
pub const AHEAD: usize = 2;

/// Makes the moves that it is told. The states are in the first planes, the next states follow.
pub struct Transition {
    pub code: Code,
    /// For each role and each of its moves: how it is said that it is made.
    pub does: Vec<Vec<Does>>,
    /// Where the moves are said.
    pub planes: Range<usize>,
}

/// How it is said that a move is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Does {
    /// It is never legal in this phase.
    Never,
    /// It is the only one in this phase.
    Always,
    /// By this plane.
    Plane(u32),
}

impl Transition {
    /// Writes it for the logic of a phase.
    pub fn new(logic: &GameLogic) -> Transition {
        let mut net = Netlist::new();
        let mut import = Import::new(&logic.net);
        let facts = logic.next.len();
        let mut planes = inputs(logic, 0, &mut net, &mut import);
        let mut free = 2 * facts + planes.len() - facts;
        // What may be legal in this phase, which is all that is made.
        let (early, late) = cycles(logic);
        let mut carried = Vec::new();
        carried.extend(early.iter().map(|cycle| import.cycle(&mut net, cycle)));
        import.assume_running(logic.terminal);
        let first = free;
        let mut does = Vec::new();
        for (row, legal) in logic.does.iter().zip(&logic.legal) {
            let possible: Vec<bool> = legal
                .iter()
                .map(|&lit| import.take(&mut net, lit) != Lit::FALSE)
                .collect();
            let alone = possible.iter().filter(|&&possible| possible).count() == 1;
            let says = row.iter().zip(possible).map(|(lit, possible)| {
                let (says, lit_now) = match (possible, alone) {
                    (false, _) => (Does::Never, Lit::FALSE),
                    (true, true) => (Does::Always, Lit::TRUE),
                    (true, false) => {
                        planes.push(free as u32);
                        free += 1;
                        (Does::Plane(free as u32 - 1), net.input())
                    }
                };
                import.is(lit.node(), lit_now);
                says
            });
            does.push(says.collect());
        }
        let next: Vec<(Lit, u32)> = logic
            .next
            .iter()
            .zip(facts..)
            .map(|(&lit, plane)| (import.take(&mut net, lit), plane as u32))
            .collect();
        carried.extend(late.iter().map(|cycle| import.cycle(&mut net, cycle)));
        let mut assembler = Assembler::new(&net, free as u32, &planes);
        for cycle in carried {
            assembler.cycle(cycle);
        }
        assembler.segment(&next);
        Transition {
            code: assembler.finish(),
            does,
            planes: first..free,
        }
    }
}

/// Looks at states, which are where a [`Transition`] leaves them: from plane `facts` on.
pub struct Look {
    pub code: Code,
    /// Whether play has ended.
    pub terminal: usize,
    /// For each role, its moves that may be legal, ascending, and where the plane of the first is.
    pub legal: Vec<(Vec<u32>, usize)>,
    /// For each role, its results: the value, and the plane that tells where it is the only one.
    pub goals: Vec<Vec<(u8, usize)>>,
    /// Where there is what is foreseen, if anything is.
    pub outlook: Option<OutlookPlaces>,
}

/// Where there is what is foreseen of states in which a role chooses.
pub struct OutlookPlaces {
    pub role: usize,
    /// Who chooses after it, if that is known.
    pub then: Option<usize>,
    /// The plane that tells whether it wins at once, and those of the number of its moves after which the other does not,
    /// the lowest bit first.
    pub planes: Range<usize>,
}

impl Look {
    /// Writes it for the logic of a phase. To foresee something takes the logic of the two phases after it, too, and
    /// time.
    pub fn new(logic: &GameLogic, foresee: Option<([&GameLogic; 2], &Budget)>) -> Look {
        let mut net = Netlist::new();
        let mut import = Import::new(&logic.net);
        let facts = logic.next.len();
        let planes = inputs(logic, facts, &mut net, &mut import);
        let mut free = 2 * facts + planes.len() - facts;
        let mut reserve = |count: usize| {
            free += count;
            free - count
        };
        let terminal = reserve(1);
        let lit = import.take(&mut net, logic.terminal);
        let mut look = vec![(lit, terminal as u32)];
        let (mut results, mut goals) = (Vec::new(), Vec::new());
        for row in &logic.goals {
            let lits: Vec<Lit> = row
                .iter()
                .map(|&(_, lit)| import.take(&mut net, lit))
                .collect();
            let twice = at_least_two(&mut net, &lits);
            let first = reserve(row.len());
            for (&lit, plane) in lits.iter().zip(first..) {
                results.push((net.and(lit, !twice), plane as u32));
            }
            goals.push(row.iter().map(|&(value, _)| value).zip(first..).collect());
        }
        let (early, _) = cycles(logic);
        let carried: Vec<_> = early
            .iter()
            .map(|cycle| import.cycle(&mut net, cycle))
            .collect();
        import.assume_running(logic.terminal);
        let (mut legal, mut all) = (Vec::new(), Vec::new());
        for row in &logic.legal {
            let mut moves = Vec::new();
            let first = reserve(0);
            let lits = row.iter().map(|&lit| import.take(&mut net, lit));
            let lits: Vec<Lit> = lits.collect();
            for (mv, &lit) in lits.iter().enumerate() {
                if lit != Lit::FALSE {
                    look.push((lit, reserve(1) as u32));
                    moves.push(mv as u32);
                }
            }
            legal.push((moves, first));
            all.push(lits);
        }
        let fixes = early.iter().copied().flatten();
        let foreseen = foresee.and_then(|([after, beyond], budget)| {
            let mut draft = Draft {
                net: &mut net,
                import: &import,
                logic,
                after,
                beyond,
                terminal: lit,
                choices: &Choice::plain(logic),
                early: fixes.map(|fix| fix.input.node()).collect(),
                budget,
            };
            policy::foresee(&mut draft, &all)
        });
        let mut ahead = Vec::new();
        let outlook = foreseen.map(|foreseen| {
            let (then, careful) = foreseen.careful.unzip();
            let careful = careful.map(|moves| Counted::new(&mut net, &possible(moves)));
            let count = careful.as_ref().map_or(&[][..], Counted::total);
            let lits = [foreseen.wins].into_iter().chain(count.iter().copied());
            let first = reserve(1 + count.len());
            ahead.extend(lits.zip(first as u32..));
            OutlookPlaces {
                role: foreseen.role,
                then,
                planes: first..first + ahead.len(),
            }
        });
        let mut assembler = Assembler::new(&net, free as u32, &planes);
        for cycle in carried {
            assembler.cycle(cycle);
        }
        assembler.segment(&look);
        assembler.segment(&results);
        if outlook.is_some() {
            assembler.segment(&ahead);
        }
        Look {
            code: assembler.finish(),
            terminal,
            legal,
            goals,
            outlook,
        }
    }
}

/// Those that may be true.
fn possible(mut lits: Vec<Lit>) -> Vec<Lit> {
    lits.retain(|&lit| lit != Lit::FALSE);
    lits
}

/// Makes the facts of a state inputs, in planes from `first` on, and recursive signals inputs behind
/// the planes of two states. Returns the planes of the inputs.
fn inputs(logic: &GameLogic, first: usize, net: &mut Netlist, import: &mut Import<'_>) -> Vec<u32> {
    let mut planes = Vec::new();
    let mut free = 2 * logic.next.len();
    for (node, gate) in logic.net.gates().iter().enumerate() {
        let Gate::Input(number) = *gate else { continue };
        match logic.sources[number as usize] {
            Source::Fact(fact) => planes.push((first + fact as usize) as u32),
            Source::Fix(_) => {
                planes.push(free as u32);
                free += 1;
            }
            Source::Does { .. } => continue,
        }
        let input = net.input();
        import.is(node, input);
    }
    planes
}
