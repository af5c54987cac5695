//! Control facts, turns, length.

use crate::page::{Page, count, some};
use crate::words;
use analysis::profile::Profile;
use analysis::structure::{Chain, Order};
use serde_json::{Value, json};

pub fn text(profile: &Profile, page: &mut Page) {
    let (structure, words) = (&profile.structure, &profile.logic.words);
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
    page.line(match (ends.fixed, ends.most) {
        (Some(steps), _) => format!(
            "every game takes {} ({})",
            count(steps as usize, "step"),
            words::evidence(ends.evidence)
        ),
        (None, Some(most)) => format!("a game takes {} to {most} steps (proved)", ends.least),
        (None, None) => format!("a game takes {} steps or more (proved)", ends.least),
    });
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

/// What reads a chain of control facts, apart from the chain.
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
    let (structure, words) = (&profile.structure, &profile.logic.words);
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
    json!({
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
