//! The roles that choose in each state.

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

/// Maximum time for proofs about legal moves.
const PROOF: Duration = Duration::from_millis(400);

/// The order of turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// There is one role.
    SinglePlayer,
    /// In every state at most one role has more than one move. Proved, or never observed
    /// otherwise.
    Alternating,
    /// Several roles choose in the same state, but each in its own part of the game.
    ///
    /// No fact of this or a later state depends on the choices of two roles. In addition, either
    /// each part was observed to end the game while no other part did, or the results of each
    /// role depend on its own part alone. So the choice of one role affects another only through
    /// which part ends first, and through ends at the same time. Parts are found from
    /// dependencies, for each phase of the control facts.
    PseudoSimultaneous,
    /// Several roles choose in the same state, and the outcome depends on all of them. The
    /// simultaneous choice was observed. If proved, there are no separate parts; otherwise none
    /// were found.
    Simultaneous,
}

/// The same stage played repeatedly: the available moves do not depend on what was played, and
/// the number of stages is fixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Iterated {
    /// Number of steps of a stage.
    pub period: u32,
    /// Number of stages.
    pub stages: u32,
}

/// The choices of a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoleTurns {
    /// Number of different moves that may be legal at all.
    pub moves: u32,
    /// The greatest number of legal moves observed in one state.
    pub largest: u32,
    /// Whether it has a choice in some state.
    pub chooses: bool,
    /// The evidence: an observed choice is a proof; the absence of choices is proved or
    /// observed.
    pub evidence: Evidence,
}

/// The roles that choose in each state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turns {
    /// The order of turns.
    pub order: Order,
    /// The evidence for the order.
    pub evidence: Evidence,
    /// The number of sampled states in which several roles had a choice, out of `states`.
    pub at_once: u64,
    /// The number of sampled states.
    pub states: u64,
    /// The repeated stage, if the game consists of one. That the moves repeat is proved. The
    /// number of stages has the same evidence as the length of the game ([`super::Ends`]).
    pub iterated: Option<Iterated>,
    /// The choices of each role.
    pub roles: Vec<RoleTurns>,
}

impl Turns {
    /// Analyses the turns.
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
        // Proofs by cases are more expensive, so they are only for what is still open.
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

/// The properties of legal moves that case analysis proves.
#[derive(Default)]
struct Proved {
    /// At most one role has a choice in any state.
    alternating: bool,
    /// Roles that never have a choice.
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

/// The repeated stage, if the game consists of one.
fn iterated(logic: &GameLogic, phases: &Phases, length: u32) -> Option<Iterated> {
    if logic.roles() < 2 {
        return None;
    }
    let period = phases.period(length as usize)? as u32;
    let stages = length / period;
    Some(Iterated { period, stages })
}
