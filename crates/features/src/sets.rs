//! How states are divided into sets with weights of their own: by phase, or by who chooses.

use crate::observed::Observed;
use heuristics::Sets;
use netlist::Phases;

/// Sets, at most: each needs as many examples as all others.
const MOST: usize = 4;

/// The sets of a game.
pub fn sets(phases: &Phases, roles: usize, observed: &Observed) -> Sets {
    match phases.period() {
        2..=MOST => Sets {
            bits: phases.facts.clone(),
            values: phases.values.clone(),
        },
        _ => by_role(roles, observed),
    }
}

/// By the facts that hold exactly when a role alone chooses, one for each role.
fn by_role(roles: usize, observed: &Observed) -> Sets {
    if !(2..=MOST).contains(&roles) {
        return Sets::default();
    }
    let facts = observed.moments.first().map_or(0, |one| one.facts.len());
    let mut bits = Vec::new();
    for role in 0..roles {
        let tells = |fact: usize| {
            let mut both = [false; 2];
            let fits = observed.moments.iter().all(|moment| {
                let others = (0..roles).filter(|&other| other != role);
                let others = others.fold(0, |games, other| games | moment.choosing[other]);
                let own = moment.choosing[role];
                let (own, other) = (own & !others, others & !own);
                both[0] |= own != 0;
                both[1] |= other != 0;
                let holds = moment.facts[fact];
                own & !holds == 0 && other & holds == 0
            });
            fits && both == [true; 2]
        };
        match (0..facts).find(|&fact| tells(fact)) {
            Some(fact) => bits.push(fact as u32),
            None => return Sets::default(),
        }
    }
    let values = (0..roles).map(|role| (0..roles).map(|other| other == role).collect());
    Sets {
        values: values.collect(),
        bits,
    }
}
