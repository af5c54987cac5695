//! The programs of expansion for one phase: one applies given moves, one evaluates the
//! resulting states.

use super::Order;
use crate::choice::Counted;
use crate::import::{Import, cycles};
use crate::policy::{self, Draft, Foreseen};
use crate::step::{Choice, at_least_two};
use bitcode::{Assembler, Code};
use budget::Budget;
use netlist::{Fix, GameLogic, Gate, Lit, Netlist, Source};
use std::ops::Range;

/// The segment of a [`Look`] that computes whether states are terminal and which moves are
/// legal.
pub const LEGAL: usize = 0;
/// The segment of a [`Look`] that computes the results.
pub const GOALS: usize = 1;
/// The segment of a [`Look`] that computes the outlook, if there is one.
pub const AHEAD: usize = 2;

/// Applies given moves.
///
/// The states are in the first planes, one for each bit of their words; the next states follow.
pub struct Transition {
    pub code: Code,
    /// For each role and each of its moves, how the choice of that move is passed in.
    pub does: Vec<Vec<Does>>,
    /// The planes that pass in the moves.
    pub planes: Range<usize>,
}

/// How the choice of a move is passed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Does {
    /// The move is never legal in this phase.
    Never,
    /// The move is the role's only one in this phase.
    Always,
    /// This plane is true where the move is chosen.
    Plane(u32),
}

impl Transition {
    /// Builds the program for the logic of a phase and states with this order.
    pub fn new(logic: &GameLogic, order: &Order) -> Transition {
        let mut net = Netlist::new();
        let mut import = Import::new(&logic.net);
        let (mut planes, mut free) = inputs(logic, order, 0, &mut net, &mut import);
        // Only moves that may be legal in this phase are passed in.
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
            .zip(order.places())
            .map(|(&lit, place)| (import.take(&mut net, lit), order.bits() as u32 + place))
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

/// Evaluates states where a [`Transition`] leaves them: behind the planes of the first states.
pub struct Look {
    pub code: Code,
    /// The plane of whether states are terminal.
    pub terminal: usize,
    /// For each role, its moves that may be legal, ascending, and the plane of the first of
    /// them.
    pub legal: Vec<(Vec<u32>, usize)>,
    /// For each role, its results: the value, and the plane that is true where it is the role's
    /// only result.
    pub goals: Vec<Vec<(u8, usize)>>,
    /// The planes of the outlook, if there is one.
    pub outlook: Option<OutlookPlaces>,
}

/// The outlook of states in which a role chooses.
pub struct OutlookPlaces {
    pub role: usize,
    /// The role that chooses after it, if known.
    pub then: Option<usize>,
    /// First the plane that is true where the role has a winning move.
    ///
    /// Then those of the number of its moves after which the other role has none, the lowest
    /// bit first.
    pub planes: Range<usize>,
}

impl Look {
    /// Builds the program for the logic of a phase and states with this order.
    ///
    /// An outlook also needs the logic of the next two phases, and time.
    pub fn new(
        logic: &GameLogic,
        order: &Order,
        foresee: Option<([&GameLogic; 2], &Budget)>,
    ) -> Look {
        let mut writer = Writer::new(logic, order);
        let terminal = writer.reserve(1);
        let over = writer.take(logic.terminal);
        let (goals, results) = writer.goals();
        let (early, _) = cycles(logic);
        let carried = early.iter().copied();
        let carried: Vec<_> = carried.map(|cycle| writer.cycle(cycle)).collect();
        writer.import.assume_running(logic.terminal);
        let all = writer.legal_lits();
        let (legal, may) = writer.legal(&all);
        let foreseen = foresee.and_then(|([after, beyond], budget)| {
            let fixes = early.iter().copied().flatten();
            let mut draft = Draft {
                net: &mut writer.net,
                import: &writer.import,
                logic,
                after,
                beyond,
                terminal: over,
                choices: &Choice::plain(logic),
                early: fixes.map(|fix| fix.input.node()).collect(),
                budget,
            };
            policy::foresee(&mut draft, &all)
        });
        let (outlook, ahead) = foreseen.map(|foreseen| writer.outlook(foreseen)).unzip();
        let mut assembler = Assembler::new(&writer.net, writer.free as u32, &writer.planes);
        for cycle in carried {
            assembler.cycle(cycle);
        }
        let look: Vec<Output> = [(over, terminal as u32)].into_iter().chain(may).collect();
        assembler.segment(&look);
        assembler.segment(&results);
        if let Some(ahead) = ahead {
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

/// A signal, and the plane that it is written to.
type Output = (Lit, u32);

/// Writes the signals of a [`Look`].
struct Writer<'l> {
    logic: &'l GameLogic,
    net: Netlist,
    import: Import<'l>,
    /// The planes of the inputs.
    planes: Vec<u32>,
    /// The first plane that is not used yet.
    free: usize,
}

impl<'l> Writer<'l> {
    fn new(logic: &'l GameLogic, order: &Order) -> Writer<'l> {
        let mut net = Netlist::new();
        let mut import = Import::new(&logic.net);
        let (planes, free) = inputs(logic, order, order.bits(), &mut net, &mut import);
        Writer {
            logic,
            net,
            import,
            planes,
            free,
        }
    }

    /// Reserves planes. Returns the first of them.
    fn reserve(&mut self, count: usize) -> usize {
        self.free += count;
        self.free - count
    }

    fn take(&mut self, lit: Lit) -> Lit {
        self.import.take(&mut self.net, lit)
    }

    fn cycle(&mut self, fixes: &[Fix]) -> Vec<(Lit, Lit)> {
        self.import.cycle(&mut self.net, fixes)
    }

    /// The planes of the results of each role, and what is written to them.
    fn goals(&mut self) -> (Vec<Vec<(u8, usize)>>, Vec<Output>) {
        let (mut goals, mut results) = (Vec::new(), Vec::new());
        for row in &self.logic.goals {
            let lits: Vec<Lit> = row.iter().map(|&(_, lit)| self.take(lit)).collect();
            let twice = at_least_two(&mut self.net, &lits);
            let first = self.reserve(row.len());
            for (&lit, plane) in lits.iter().zip(first..) {
                results.push((self.net.and(lit, !twice), plane as u32));
            }
            goals.push(row.iter().map(|&(value, _)| value).zip(first..).collect());
        }
        (goals, results)
    }

    /// Whether the moves of each role are legal.
    fn legal_lits(&mut self) -> Vec<Vec<Lit>> {
        let rows = self.logic.legal.iter();
        rows.map(|row| row.iter().map(|&lit| self.take(lit)).collect())
            .collect()
    }

    /// For each role, its moves that may be legal and the plane of the first of them, and what
    /// is written to these planes.
    fn legal(&mut self, all: &[Vec<Lit>]) -> (Vec<(Vec<u32>, usize)>, Vec<Output>) {
        let (mut legal, mut outputs) = (Vec::new(), Vec::new());
        for lits in all {
            let first = self.free;
            let mut moves = Vec::new();
            for (mv, &lit) in lits.iter().enumerate() {
                if lit != Lit::FALSE {
                    outputs.push((lit, self.reserve(1) as u32));
                    moves.push(mv as u32);
                }
            }
            legal.push((moves, first));
        }
        (legal, outputs)
    }

    /// The planes of an outlook, and what is written to them.
    fn outlook(&mut self, foreseen: Foreseen) -> (OutlookPlaces, Vec<Output>) {
        let (then, careful) = foreseen.careful.unzip();
        let careful = careful.map(|moves| Counted::new(&mut self.net, &possible(moves)));
        let count = careful.as_ref().map_or(&[][..], Counted::total);
        let lits = [foreseen.wins].into_iter().chain(count.iter().copied());
        let first = self.reserve(1 + count.len());
        let outputs: Vec<Output> = lits.zip(first as u32..).collect();
        let places = OutlookPlaces {
            role: foreseen.role,
            then,
            planes: first..first + outputs.len(),
        };
        (places, outputs)
    }
}

/// The signals that may be true.
fn possible(mut lits: Vec<Lit>) -> Vec<Lit> {
    lits.retain(|&lit| lit != Lit::FALSE);
    lits
}

/// Turns the facts of a state into inputs, in planes from `first` on, and recursive signals
/// into inputs behind the planes of two states. Returns the planes of the inputs, and the first
/// plane behind all of these.
fn inputs(
    logic: &GameLogic,
    order: &Order,
    first: usize,
    net: &mut Netlist,
    import: &mut Import<'_>,
) -> (Vec<u32>, usize) {
    let mut planes = Vec::new();
    let mut free = 2 * order.bits();
    for (node, gate) in logic.net.gates().iter().enumerate() {
        let Gate::Input(number) = *gate else { continue };
        match logic.sources[number as usize] {
            Source::Fact(fact) => planes.push(first as u32 + order.places()[fact as usize]),
            Source::Fix(_) => {
                planes.push(free as u32);
                free += 1;
            }
            Source::Does { .. } => continue,
        }
        let input = net.input();
        import.is(node, input);
    }
    (planes, free)
}
