//! Control facts, turns, length.

use crate::page::{Page, count, some};
use crate::words;
use analysis::Evidence;
use profile::Profile;
use profile::structure::{Chain, Order, Sum};
use serde_json::{Value, json};

pub fn text(profile: &Profile, page: &mut Page) {
    let (structure, words) = (&profile.structure, &profile.compiled.logic.words);
    page.begin("structure");
    let turns = &structure.turns;
    page.line(format!(
        "{} ({})",
        order(turns.order),
        words::evidence(turns.evidence)
    ));
    if let Some(iterated) = turns.iterated {
        page.line(format!(
            "the same stage of {} again and again, {} times",
            count(iterated.period as usize, "step"),
            iterated.stages
        ));
    }
    for (role, turns) in turns.roles.iter().enumerate() {
        let choice = match turns.chooses {
            true => format!("up to {} of", turns.largest),
            false => "never a choice among".to_string(),
        };
        let moves = count(turns.moves as usize, "move");
        page.line(format!("  {}: {choice} {moves}", words::role(words, role)));
    }
    let ends = structure.ends;
    let lengths = match (ends.fixed, ends.most) {
        (Some(steps), _) => Some(format!(
            "every game takes {} ({})",
            count(steps as usize, "step"),
            words::evidence(ends.evidence)
        )),
        (None, Some(most)) => Some(format!(
            "a game takes {} to {most} steps (proved)",
            ends.least
        )),
        // That a game takes 0 steps or more is true of all of them.
        (None, None) if ends.least == 0 => None,
        (None, None) => Some(format!(
            "a game takes {} steps or more (proved)",
            ends.least
        )),
    };
    if let Some(lengths) = lengths {
        page.line(lengths);
    }
    let results = structure
        .goals
        .roles
        .iter()
        .enumerate()
        .map(|(role, goals)| {
            let values: Vec<String> = goals.values.iter().map(u8::to_string).collect();
            format!("{} {}", words::role(words, role), values.join("/"))
        });
    page.line(format!(
        "results: {}; {}",
        some(results),
        sum(structure.goals.sum, structure.goals.evidence)
    ));
    let relevance = &structure.relevance;
    if !relevance.is_whole() {
        let saved = relevance.saved(&profile.compiled.logic);
        page.line(format!(
            "without what no result depends on: {} of {} facts, {} of {} moves, {} of {} gates",
            saved.facts.1,
            saved.facts.0,
            saved.moves.1,
            saved.moves.0,
            saved.gates.1,
            saved.gates.0
        ));
    }
    let control = &structure.control;
    if !control.facts.is_empty() {
        let facts = control.facts.iter().map(|&fact| words::fact(words, fact));
        page.line(format!("go their way whatever is played: {}", some(facts)));
    }
    if let Some(counter) = control.counter() {
        let (first, last) = (counter.facts.first(), counter.facts.last());
        if let (Some(&first), Some(&last)) = (first, last) {
            page.line(format!(
                "a step counter from {} to {}, read by {}",
                words::fact(words, first),
                words::fact(words, last),
                readers(counter)
            ));
        }
    }
    let idle = control.idle();
    if !idle.is_empty() {
        let facts = idle.iter().map(|&fact| words::fact(words, fact));
        page.line(format!("need not be told apart: {}", some(facts)));
    }
}

fn order(order: Order) -> &'static str {
    match order {
        Order::SinglePlayer => "one player",
        Order::Alternating => "one role at a time has a choice",
        Order::PseudoSimultaneous => "roles choose at once, each in a part of its own",
        Order::Simultaneous => "roles choose at once",
    }
}

fn sum(sum: Sum, evidence: Evidence) -> String {
    let what = match sum {
        Sum::Alone => return "one role alone".to_string(),
        Sum::Constant(sum) => format!("they add up to {sum}"),
        Sum::Same => "always the same for all".to_string(),
        Sum::Various => "they add up to various sums".to_string(),
        Sum::Unknown => return "no end of play was seen".to_string(),
    };
    format!("{what} ({})", words::evidence(evidence))
}

/// The readers of a chain of control facts, apart from the chain.
fn readers(chain: &Chain) -> String {
    let read = chain.read_by;
    let names = [
        (read.legal, "legal moves"),
        (read.goals, "results"),
        (read.terminal, "the end of play"),
        (read.others, "other facts"),
    ];
    let names: Vec<&str> = names
        .iter()
        .filter(|name| name.0)
        .map(|name| name.1)
        .collect();
    match names.is_empty() {
        true => "nothing".to_string(),
        false => names.join(", "),
    }
}

pub fn json(profile: &Profile) -> Value {
    let (structure, words) = (&profile.structure, &profile.compiled.logic.words);
    let facts = |facts: &[u32]| -> Vec<String> {
        facts.iter().map(|&fact| words::fact(words, fact)).collect()
    };
    let control = &structure.control;
    let chains = control.chains.iter().map(|chain| {
        json!({
            "facts": facts(&chain.facts),
            "from": chain.from,
            "round": chain.round,
            "read_by": {
                "legal": chain.read_by.legal,
                "goals": chain.read_by.goals,
                "terminal": chain.read_by.terminal,
                "others": chain.read_by.others,
            },
        })
    });
    let turns = &structure.turns;
    let roles = turns.roles.iter().map(|role| {
        json!({
            "moves": role.moves,
            "largest_seen": role.largest,
            "chooses": role.chooses,
            "evidence": words::evidence_json(role.evidence),
        })
    });
    let order = match turns.order {
        Order::SinglePlayer => "single-player",
        Order::Alternating => "alternating",
        Order::PseudoSimultaneous => "pseudo-simultaneous",
        Order::Simultaneous => "simultaneous",
    };
    let goals = structure.goals.roles.iter();
    let goals = goals.map(|role| json!({ "values": role.values, "observed": role.seen }));
    let sum = match structure.goals.sum {
        Sum::Alone => json!("alone"),
        Sum::Constant(sum) => json!({ "constant": sum }),
        Sum::Same => json!("same"),
        Sum::Various => json!("various"),
        Sum::Unknown => json!("unknown"),
    };
    let fillers = structure.relevance.fillers.iter().enumerate();
    let fillers = fillers.map(|(role, fillers)| {
        let moves = fillers.moves.iter().map(|&mv| words::mv(words, role, mv));
        json!({ "moves": moves.collect::<Vec<_>>(), "always": fillers.always })
    });
    json!({
        "results": {
            "roles": goals.collect::<Vec<_>>(),
            "sum": sum,
            "sure": words::evidence_json(structure.goals.evidence),
        },
        "irrelevant": {
            "facts": facts(&structure.relevance.idle),
            "fillers": fillers.collect::<Vec<_>>(),
        },
        "control": facts(&control.facts),
        "chains": chains.collect::<Vec<_>>(),
        "idle": facts(&control.idle()),
        "order": order,
        "order_evidence": words::evidence_json(turns.evidence),
        "iterated": turns.iterated.map(|iterated| json!({
            "period": iterated.period,
            "stages": iterated.stages,
        })),
        "roles": roles.collect::<Vec<_>>(),
        "length": {
            "fixed": structure.ends.fixed,
            "evidence": words::evidence_json(structure.ends.evidence),
            "least": structure.ends.least,
            "most": structure.ends.most,
        },
    })
}
