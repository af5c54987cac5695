//! Who chooses when.

use super::control::Control;
use super::ends::Ends;
use super::parts;
use super::phases::Phases;
use analysis::Evidence;
use analysis::observe::Observed;
use budget::Budget;
use invariants::{Groups, exclusion};
use netlist::{GameLogic, Lit};
use std::time::Duration;

/// Time for proofs about legal moves at most.
const PROOF: Duration = Duration::from_millis(400);

/// How the roles take turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// There is one role.
    SinglePlayer,
    /// In every state at most one role has more than one move. Proved, or not seen to be otherwise.
    Alternating,
    /// Several roles choose in the same state, but each in a part of the game of its own: no fact
    /// of this or a later state depends on what two of them choose now, and either each part was
    /// seen to end the game by itself, while nothing else did, or the results of a role depend on
    /// its own part alone. So what one of them chooses matters to the other only through who is
    /// first, and through ends that come at the same time. Parts are found by what reads what, for
    /// each phase of the control facts.
    PseudoSimultaneous,
    /// Several roles choose in the same state, and what comes of it depends on all of them. That
    /// several choose was seen. Proved means that there are no such parts, else none were found.
    Simultaneous,
}

/// The same stage played again and again: the moves offered depend on nothing that was played, and
/// the number of stages is fixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Iterated {
    /// Steps of a stage.
    pub period: u32,
    /// How often it is played.
    pub stages: u32,
}

/// What a role has to choose from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoleTurns {
    /// How many different moves may be legal at all.
    pub moves: u32,
    /// The most that were seen to be legal in one state.
    pub largest: u32,
    /// Whether it has a choice anywhere.
    pub chooses: bool,
    /// How sure that is: a choice that was seen is proof; none was proved, or not seen.
    pub evidence: Evidence,
}

/// Who chooses when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turns {
    /// How the roles take turns.
    pub order: Order,
    /// How sure that is.
    pub evidence: Evidence,
    /// In how many of `states` sampled ones several roles had a choice.
    pub at_once: u64,
    /// States sampled.
    pub states: u64,
    /// Whether it is one stage again and again: that the moves are the same is proved where it is
    /// said, the number of stages is as sure as the length of the game ([`super::Ends`]).
    pub iterated: Option<Iterated>,
    /// What each role has to choose from.
    pub roles: Vec<RoleTurns>,
}

impl Turns {
    /// Finds out.
    pub(super) fn find(
        logic: &GameLogic,
        groups: &Groups,
        control: &Control,
        observed: &Observed,
        ends: &Ends,
        seed: u64,
        budget: &Budget,
    ) -> Turns {
        let phases = Phases::new(logic, groups, control, ends.most, budget);
        let phases = phases.as_ref();
        let seen = match observed.states {
            0 => Evidence::Unknown,
            samples => Evidence::Observed { samples },
        };
        let by_phase = phases.is_some_and(Phases::alternating);
        let idle = |role: usize| observed.choosing[role].0 == 0;
        let by_phase_forced = |role: usize| phases.is_some_and(|phases| phases.forced(role));
        // Proofs by cases cost more: only for what is still open.
        let open_turns = logic.roles() > 1 && observed.at_once == 0 && !by_phase;
        let open_idle = (0..logic.roles()).any(|role| idle(role) && !by_phase_forced(role));
        let mut proved = Proved::default();
        if open_turns || open_idle {
            let short = budget.clone().with_timeout(PROOF);
            proved = Proved::new(logic, groups, &short);
        }
        let (order, evidence) = match logic.roles() {
            0 | 1 => (Order::SinglePlayer, Evidence::Proved),
            _ if observed.at_once > 0 => {
                let separate = phases.and_then(|phases| {
                    parts::separate(logic, groups, control, phases, seed, budget)
                });
                match separate {
                    Some(true) => (Order::PseudoSimultaneous, Evidence::Proved),
                    Some(false) => (Order::Simultaneous, Evidence::Proved),
                    None => (Order::Simultaneous, seen),
                }
            }
            _ if by_phase || proved.alternating => (Order::Alternating, Evidence::Proved),
            _ => (Order::Alternating, seen),
        };
        let role = |role: usize| {
            let (states, largest) = observed.choosing[role];
            let chooses = states > 0;
            let sure = chooses || by_phase_forced(role) || proved.forced.contains(&role);
            RoleTurns {
                moves: logic.legal[role]
                    .iter()
                    .filter(|&&lit| lit != Lit::FALSE)
                    .count() as u32,
                largest,
                chooses,
                evidence: if sure { Evidence::Proved } else { seen },
            }
        };
        let stages = phases.zip(ends.fixed);
        Turns {
            order,
            evidence,
            at_once: observed.at_once,
            states: observed.states,
            iterated: stages.and_then(|(phases, length)| iterated(logic, phases, length)),
            roles: (0..logic.roles()).map(role).collect(),
        }
    }
}

/// What case analysis proves of legal moves.
#[derive(Default)]
struct Proved {
    /// At most one role has a choice in any state.
    alternating: bool,
    /// Roles that never have one.
    forced: Vec<usize>,
}

impl Proved {
    fn new(logic: &GameLogic, groups: &Groups, budget: &Budget) -> Proved {
        let exclusion = exclusion(logic, groups, budget);
        if exclusion.exhausted.is_some() {
            return Proved::default();
        }
        let leaves = |role: usize| {
            let all = exclusion.choices.iter().flat_map(|choice| &choice.leaves);
            all.filter(|leaf| leaf.iter().any(|mv| usize::from(mv.0) == role))
                .count()
        };
        let choosing = exclusion.choices.iter();
        let choosing = choosing.filter(|choice| !choice.leaves.is_empty());
        Proved {
            alternating: choosing.count() <= 1,
            forced: (0..logic.roles())
                .filter(|&role| leaves(role) <= 1)
                .collect(),
        }
    }
}

/// One stage again and again.
fn iterated(logic: &GameLogic, phases: &Phases, length: u32) -> Option<Iterated> {
    if logic.roles() < 2 {
        return None;
    }
    let period = phases.period(length as usize)? as u32;
    let stages = length / period;
    Some(Iterated { period, stages })
}
