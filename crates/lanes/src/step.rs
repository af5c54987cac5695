//! One step of play as a program: the legal moves, the choice, the next state.

use crate::choice::Counted;
use crate::import::{Import, cycles};
use crate::policy::{Applied, Draft, GuidedPlaces, Policy};
use bitcode::{Assembler, Code};
use budget::{Budget, ManualClock};
use netlist::{GameLogic, Gate, Lit, Netlist};
use std::ops::Range;
use std::sync::Arc;

/// The segment that computes whether states are terminal, counts the legal moves and draws
/// ranks.
pub const LOOK: usize = 0;
/// The segment that computes the results.
pub const RESULTS: usize = 1;
/// The segment that applies the chosen moves.
pub const MOVE: usize = 2;
/// The segment that makes the next state the present one, and begins new playouts.
pub const REFILL: usize = 3;

/// The places of values in the memory of a [`Step`].
#[derive(Debug, Clone, Default)]
pub struct Places {
    /// The number of facts of a state. The state is in the first planes; the next state and the
    /// one in which new playouts begin follow.
    pub facts: usize,
    /// The plane of the lanes in which [`REFILL`] begins new playouts.
    pub fresh: usize,
    /// The plane of whether the state is terminal.
    pub terminal: usize,
    /// The plane of whether a role has no move though the state is not terminal.
    pub stuck: usize,
    /// Each role's results: the value, and the plane that is true where it is the role's only
    /// result.
    pub goals: Vec<Vec<(u8, usize)>>,
    /// The choices.
    pub choices: Vec<ChoicePlaces>,
    /// The choices of guided roles.
    pub guided: Vec<GuidedPlaces>,
}

/// The places of a choice in memory.
#[derive(Debug, Clone)]
pub struct ChoicePlaces {
    /// Random bits, to be filled before [`LOOK`].
    pub random: Range<usize>,
    /// The number of legal moves.
    pub total: Range<usize>,
    /// The rank of the chosen move, which may be changed between [`LOOK`] and [`MOVE`].
    pub rank: Range<usize>,
    /// The plane that is true where the rank may have to be drawn again.
    pub doubtful: usize,
}

impl Places {
    /// The planes of the next state.
    pub fn next(&self) -> Range<usize> {
        self.facts..2 * self.facts
    }

    /// The planes of the states in which new playouts begin. They are the same in the programs
    /// of all phases of a game, and only the caller sets them.
    pub fn begin(&self) -> Range<usize> {
        2 * self.facts..3 * self.facts
    }
}

/// Moves among which one random number chooses.
///
/// In every state that play reaches, at most one role of a choice has more than one legal move.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Choice {
    /// The alternatives: sets of moves, as (role, move). No two moves of a set are ever legal
    /// in the same state.
    pub leaves: Vec<Vec<(u16, u32)>>,
    /// Moves that are their role's only one wherever they are legal. They are played there and
    /// are not alternatives of the choice.
    pub forced: Vec<(u16, u32)>,
}

impl Choice {
    /// A choice for every role, in which every move is an alternative by itself. Correct for
    /// every game.
    pub fn plain(logic: &GameLogic) -> Vec<Choice> {
        let choice = |(role, moves): (usize, &Vec<Lit>)| Choice {
            leaves: (0..moves.len())
                .map(|mv| vec![(role as u16, mv as u32)])
                .collect(),
            forced: Vec::new(),
        };
        logic.does.iter().enumerate().map(choice).collect()
    }
}

/// A program that makes one random step from a state in every lane.
#[derive(Debug, Clone)]
pub struct Step {
    /// The program.
    pub code: Code,
    /// The layout of its memory.
    pub places: Places,
    /// The number of alternatives, in all choices.
    pub leaves: usize,
    /// The outcome of each part of the policy.
    pub applied: Vec<Applied>,
}

impl Step {
    /// Builds a step from logic that is specialised for the states in which it will be used.
    ///
    /// `choices` say how moves are chosen; every move is in exactly one of them.
    pub fn new(logic: &GameLogic, choices: &[Choice]) -> Step {
        let unlimited = Budget::unlimited(Arc::new(ManualClock::default()));
        Step::with([logic; 3], choices, &Policy::default(), &unlimited)
    }

    /// Like [`Step::new`], but with a policy.
    ///
    /// The logics are those of this step and of the next two. `budget` bounds the time for
    /// building the policy's signals, which are left out if it runs out.
    pub fn with(
        [logic, after, beyond]: [&GameLogic; 3],
        choices: &[Choice],
        policy: &Policy,
        budget: &Budget,
    ) -> Step {
        let mut net = Netlist::new();
        let mut planes = Vec::new();
        let mut import = Import::new(&logic.net);
        let facts = logic.next.len();
        let mut places = Places {
            facts,
            fresh: 3 * facts,
            terminal: 3 * facts + 1,
            stuck: 3 * facts + 2,
            ..Places::default()
        };
        let mut free = 3 * facts + 3;
        let mut reserve = |count: usize| {
            free += count;
            free - count..free
        };
        for (node, gate) in logic.net.gates().iter().enumerate() {
            let Gate::Input(number) = *gate else { continue };
            let plane = match logic.sources[number as usize] {
                netlist::Source::Fact(fact) => fact as usize,
                netlist::Source::Fix(_) => reserve(1).start,
                netlist::Source::Does { .. } => continue,
            };
            planes.push(plane as u32);
            let input = net.input();
            import.is(node, input);
        }
        let terminal = import.take(&mut net, logic.terminal);
        let mut results = Vec::new();
        for goals in &logic.goals {
            let lits: Vec<Lit> = goals
                .iter()
                .map(|&(_, lit)| import.take(&mut net, lit))
                .collect();
            let twice = at_least_two(&mut net, &lits);
            let planes = reserve(goals.len());
            for (&lit, plane) in lits.iter().zip(planes.clone()) {
                results.push((net.and(lit, !twice), plane as u32));
            }
            let values = goals.iter().map(|&(value, _)| value);
            places.goals.push(values.zip(planes).collect());
        }
        // Copied first: results and the end itself must not assume that play continues.
        let (early, late) = cycles(logic);
        let mut carried = Vec::new();
        carried.extend(early.iter().map(|cycle| import.cycle(&mut net, cycle)));
        import.assume_running(logic.terminal);
        let mut look = vec![(terminal, places.terminal as u32)];
        let mut stuck = Lit::FALSE;
        let mut leaves = 0;
        // The value of every move's node; false where the move is never legal.
        let mut chosen = vec![Lit::FALSE; logic.net.len()];
        let legal: Vec<Vec<Lit>> = (logic.legal.iter())
            .map(|row| row.iter().map(|&lit| import.take(&mut net, lit)).collect())
            .collect();
        for row in &legal {
            let some = net.or_all(row.iter().copied());
            stuck = net.or(stuck, !some);
        }
        let fixes = early.iter().copied().flatten();
        let mut draft = Draft {
            net: &mut net,
            import: &import,
            logic,
            after,
            beyond,
            terminal,
            choices,
            early: fixes.map(|fix| fix.input.node()).collect(),
            budget,
        };
        let (legal, applied) = draft.restrict(policy, legal);
        for &guided in &policy.guided {
            let row = legal.get(guided.role).map_or(&[][..], Vec::as_slice);
            if let Some(guided) = GuidedPlaces::new(guided, row, &mut reserve) {
                look.extend(guided.outputs(row));
                places.guided.push(guided);
            }
        }
        let legal = |&(role, mv): &(u16, u32)| legal[usize::from(role)][mv as usize];
        let does = |&(role, mv): &(u16, u32)| logic.does[usize::from(role)][mv as usize].node();
        for choice in choices {
            let moves = |moves: &[(u16, u32)]| {
                let possible = moves.iter().copied().filter(|mv| legal(mv) != Lit::FALSE);
                possible.collect::<Vec<_>>()
            };
            let forced = moves(&choice.forced);
            for mv in &forced {
                chosen[does(mv)] = legal(mv);
            }
            let listed = |&(role, _): &(u16, u32)| {
                let mut guided = places.guided.iter();
                guided.any(|g| g.role == usize::from(role) && g.follows.is_none())
            };
            let groups = choice.leaves.iter().map(|leaf| {
                let mut leaf = moves(leaf);
                leaf.retain(|mv| !listed(mv));
                leaf
            });
            let groups: Vec<_> = groups.into_iter().filter(|leaf| !leaf.is_empty()).collect();
            if groups.is_empty() {
                continue;
            }
            if let [only] = &groups[..] {
                // No choice: the legal moves are played. A move that is its role's only one
                // here is played wherever play continues.
                let alone = forced.is_empty() && only.len() == 1;
                let made = |mv| if alone { Lit::TRUE } else { legal(mv) };
                for mv in only {
                    chosen[does(mv)] = made(mv);
                }
                continue;
            }
            leaves += groups.len();
            let lits: Vec<Lit> = (groups.iter())
                .map(|leaf| net.or_all(leaf.iter().map(&legal)))
                .collect();
            let counted = Counted::new(&mut net, &lits);
            let random = reserve(counted.random_bits());
            let bits: Vec<Lit> = random.clone().map(|_| net.input()).collect();
            planes.extend(random.clone().map(|plane| plane as u32));
            let drawn = counted.rank(&mut net, &bits);
            let total = reserve(counted.total().len());
            let rank = reserve(drawn.rank.len());
            let doubtful = reserve(1).start;
            let outputs = total.clone().chain(rank.clone()).chain([doubtful]);
            let lits = counted
                .total()
                .iter()
                .chain(&drawn.rank)
                .chain([&drawn.doubtful]);
            look.extend(lits.zip(outputs).map(|(&lit, plane)| (lit, plane as u32)));
            // From here on the rank is read from memory.
            let held: Vec<Lit> = rank.clone().map(|_| net.input()).collect();
            planes.extend(rank.clone().map(|plane| plane as u32));
            // If all moves of the choice are forced, there is nothing to choose.
            let role = groups[0][0].0;
            let plain = forced.is_empty() && groups.iter().flatten().all(|mv| mv.0 == role);
            let open = if plain {
                Lit::TRUE
            } else {
                net.or_all(counted.total().iter().copied())
            };
            let on = counted.select(&mut net, &held, open);
            for (leaf, on) in groups.iter().zip(on) {
                match &leaf[..] {
                    [only] => chosen[does(only)] = on,
                    several => {
                        for mv in several {
                            chosen[does(mv)] = net.and(on, legal(mv));
                        }
                    }
                }
            }
            places.choices.push(ChoicePlaces {
                random,
                total,
                rank,
                doubtful,
            });
        }
        let stuck = net.and(stuck, !terminal);
        look.push((stuck, places.stuck as u32));
        for guided in &places.guided {
            let mut held = |plane: usize| {
                planes.push(plane as u32);
                net.input()
            };
            let follows = guided.follows.map(&mut held);
            let listed: Vec<Lit> = guided.chosen.clone().map(&mut held).collect();
            for (&mv, listed) in guided.moves.iter().zip(listed) {
                let chosen = &mut chosen[logic.does[guided.role][mv as usize].node()];
                let otherwise = match follows {
                    Some(follows) => net.and(*chosen, !follows),
                    None => Lit::FALSE,
                };
                *chosen = net.or(listed, otherwise);
            }
        }
        for does in logic.does.iter().flatten() {
            import.is(does.node(), chosen[does.node()]);
        }
        let next: Vec<(Lit, u32)> = (logic.next.iter())
            .zip(places.next())
            .map(|(&lit, plane)| (import.take(&mut net, lit), plane as u32))
            .collect();
        carried.extend(late.iter().map(|cycle| import.cycle(&mut net, cycle)));
        let mut held = |plane: usize| {
            planes.push(plane as u32);
            net.input()
        };
        let fresh = held(places.fresh);
        let both: Vec<[Lit; 2]> = (places.begin().zip(places.next()))
            .map(|(begin, next)| [held(begin), held(next)])
            .collect();
        let refilled: Vec<(Lit, u32)> = (both.into_iter().zip(0..))
            .map(|([begin, next], fact)| (net.mux(fresh, begin, next), fact))
            .collect();
        let mut assembler = Assembler::new(&net, free as u32, &planes);
        for cycle in carried {
            assembler.cycle(cycle);
        }
        assembler.segment(&look);
        assembler.segment(&results);
        assembler.segment(&next);
        assembler.segment(&refilled);
        Step {
            code: assembler.finish(),
            places,
            leaves,
            applied,
        }
    }
}

/// Whether two or more of the signals are true.
pub(crate) fn at_least_two(net: &mut Netlist, lits: &[Lit]) -> Lit {
    let (mut once, mut twice) = (Lit::FALSE, Lit::FALSE);
    for &lit in lits {
        let again = net.and(once, lit);
        twice = net.or(twice, again);
        once = net.or(once, lit);
    }
    twice
}
