//! What was wrong with the play, in sentences with a place in the rules.

use crate::Options;
use crate::growth::growth;
use crate::tally::{Fault, Tally};
use budget::Budget;
use game::{Engine, GroundTerm, RoleId};
use gdl_parse::diagnostic::count;
use gdl_parse::{Diagnostic, Rulesheet, Span, Term};
use prepare::Prepared;
use reasoner::Reasoner;

/// The most moves of a kind that are named.
const NAMED: usize = 3;

/// A fault of the play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What it is, at the first rule of the relation that is to blame.
    pub diagnostic: Diagnostic,
    /// The joint moves that lead there, in the order of the roles; empty if it is not about one
    /// position, or about the initial one.
    pub witness: Vec<Vec<GroundTerm>>,
}

/// All findings, the worst first.
pub(crate) fn findings(
    game: &mut Prepared,
    tally: &Tally,
    options: &Options,
    budget: &Budget,
) -> Vec<Finding> {
    let mut found = Vec::new();
    let sheet = &game.sheet;
    let engine = &mut *game.playable.engine;
    // The budget of play has ended, and what is left to ask is little.
    engine.set_budget(&Budget::unlimited(budget.clock().clone()));
    let roles = engine.roles().to_vec();
    if let Some((error, fault)) = &tally.broken {
        let message = format!("the rules could not be evaluated: {error}");
        let help = "look for recursion that makes ever new terms, or for joins of many conditions";
        found.push(at(
            sheet,
            "next",
            Diagnostic::error,
            "no-evaluation",
            message,
            help,
            fault,
        ));
    }
    for (role, fault) in roles.iter().zip(&tally.stuck) {
        let Some(fault) = fault else { continue };
        let message = format!(
            "{role} has no legal move in a position that is not terminal ({} of {})",
            fault.count,
            count(tally.playouts as usize, "playout")
        );
        let help = "give it a move that does nothing, or make the position terminal";
        found.push(at(
            sheet,
            "legal",
            Diagnostic::error,
            "no-legal-move",
            message,
            help,
            fault,
        ));
    }
    for (role, fault) in tally.without_goal.iter().enumerate() {
        if let Some(fault) = fault {
            let values = values(sheet, engine, fault, RoleId(role), budget);
            found.push(without_goal(sheet, &roles[role], fault, tally, &values));
        }
    }
    if tally.over {
        let message = "play is over in the first position";
        let help = "look at what makes `terminal` hold there";
        let diagnostic = warning(sheet, "terminal", "over-at-the-start", message, help);
        found.push(without_witness(diagnostic));
    }
    if let Some(fault) = &tally.endless {
        found.extend(endless(sheet, engine, fault, tally, options));
    }
    if let Some(length) = tally.cut.filter(|&length| length > 0) {
        let message = format!(
            "no playout came to an end in the time given: the first one had {}",
            count(length, "move")
        );
        let help = "give more time, or see whether `terminal` can be reached at all";
        found.push(without_witness(warning(
            sheet,
            "terminal",
            "no-end-seen",
            message,
            help,
        )));
    }
    found.extend(same_results(sheet, &roles, tally));
    found.extend(never_legal(sheet, game, &roles, tally));
    found
}

/// What the rules give as the goal of a role where an engine knows none.
fn values(
    sheet: &Rulesheet,
    engine: &mut dyn Engine,
    fault: &Fault,
    role: RoleId,
    budget: &Budget,
) -> Vec<GroundTerm> {
    let facts = engine.facts(&fault.state);
    let bounded = Budget::unlimited(budget.clock().clone()).with_memory(budget.max_bytes());
    let values = Reasoner::new(sheet, &bounded).and_then(|mut reasoner| {
        let state = reasoner.state_of(&facts)?;
        reasoner.goals(&state, role)
    });
    values.unwrap_or_default()
}

fn without_goal(
    sheet: &Rulesheet,
    role: &GroundTerm,
    fault: &Fault,
    tally: &Tally,
    values: &[GroundTerm],
) -> Finding {
    let listed: Vec<String> = values.iter().map(ToString::to_string).collect();
    let (code, what) = match &listed[..] {
        [] => ("no-goal", "no goal".to_owned()),
        [one] => ("no-goal", format!("no goal from 0 to 100 but {one}")),
        several => (
            "several-goals",
            format!("several goals ({})", several.join(", ")),
        ),
    };
    let message = format!(
        "{role} has {what} in a terminal position ({} of {})",
        fault.count,
        count(tally.finished as usize, "playout")
    );
    let help =
        "give every role exactly one goal, a number from 0 to 100, in every terminal position";
    at(
        sheet,
        "goal",
        Diagnostic::warning,
        code,
        message,
        help,
        fault,
    )
}

/// Playouts that reached the step limit, and whether their states grow.
fn endless(
    sheet: &Rulesheet,
    engine: &mut dyn Engine,
    fault: &Fault,
    tally: &Tally,
    options: &Options,
) -> Vec<Finding> {
    let message = format!(
        "{} of {} had no end within {}",
        fault.count,
        count(tally.playouts as usize, "playout"),
        count(options.max_steps, "move")
    );
    let help = "count steps and end the game after some, or raise --max-steps for a long game";
    let endless = at(
        sheet,
        "terminal",
        Diagnostic::warning,
        "endless-play",
        message,
        help,
        fault,
    );
    let Ok(Some(sizes)) = growth(engine, &fault.witness) else {
        return vec![endless];
    };
    let [first, .., last] = sizes;
    let message = format!(
        "states grow without end: from {} and {} in the largest after a quarter of a playout to {} \
         and {} at its end",
        count(first.facts, "fact"),
        count(first.symbols, "symbol"),
        count(last.facts, "fact"),
        count(last.symbols, "symbol"),
    );
    let help = "bound what `next` may add, such as the successors of numbers";
    let growing = at(
        sheet,
        "next",
        Diagnostic::warning,
        "growing-state",
        message,
        help,
        fault,
    );
    vec![growing, endless]
}

/// All playouts ended with the same goals.
fn same_results(sheet: &Rulesheet, roles: &[GroundTerm], tally: &Tally) -> Option<Finding> {
    let mut results = tally.results.iter();
    let (Some((goals, first)), None) = (results.next(), results.next()) else {
        return None;
    };
    // A playout without a choice is the only one there is.
    let choice = tally.legal.iter().any(|legal| legal.len() > 1);
    if !choice || goals.contains(&None) || !tally.is_settled([first].into_iter()) {
        return None;
    }
    let goals = roles.iter().zip(goals.iter().flatten());
    let goals: Vec<String> = goals.map(|(role, goal)| format!("{role} {goal}")).collect();
    let message = format!(
        "all {} ended with the same goals: {}",
        count(tally.finished as usize, "playout"),
        goals.join(", ")
    );
    let help = "see whether the conditions of other goals can hold in a terminal position";
    Some(without_witness(warning(
        sheet,
        "goal",
        "same-results",
        message,
        help,
    )))
}

/// Moves that the rules know but that were legal in no position.
fn never_legal(
    sheet: &Rulesheet,
    game: &Prepared,
    roles: &[GroundTerm],
    tally: &Tally,
) -> Vec<Finding> {
    let network = game.playable.compiled.as_ref();
    let Some(network) = network.and_then(|compiled| compiled.network.as_ref()) else {
        return Vec::new();
    };
    let mut engine = game.playable.engine.fork();
    let mut found = Vec::new();
    for (at, known) in network.vocabulary().moves.iter().enumerate() {
        let seen = &tally.legal[at];
        if !tally.is_settled(seen.values()) {
            continue;
        }
        let legal = |term: &&GroundTerm| {
            let mv = engine.find_move(RoleId(at), term);
            mv.is_some_and(|mv| seen.contains_key(&mv))
        };
        let mut legal = legal;
        let never: Vec<&GroundTerm> = known.iter().filter(|term| !legal(term)).collect();
        if never.is_empty() {
            continue;
        }
        let named = never.iter().take(NAMED).map(ToString::to_string);
        let more = match never.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let message = format!(
            "{} of {} {} never legal in {}: {}{more}",
            count(never.len(), "move"),
            roles[at],
            if never.len() == 1 { "was" } else { "were" },
            count(tally.playouts as usize, "playout"),
            named.collect::<Vec<_>>().join(", ")
        );
        let help = "see whether their conditions can hold together, or whether random play is \
                    unlikely to get there";
        let at = place_of_move(sheet, &roles[at], never[0]);
        let warned = Diagnostic::warning("never-legal", at, message);
        found.push(without_witness(warned.with_help(help)));
    }
    found
}

/// A finding about a position.
fn at(
    sheet: &Rulesheet,
    relation: &str,
    level: fn(&'static str, Span, String) -> Diagnostic,
    code: &'static str,
    message: String,
    help: &str,
    fault: &Fault,
) -> Finding {
    Finding {
        diagnostic: level(code, place(sheet, relation), message).with_help(help),
        witness: fault.witness.clone(),
    }
}

fn warning(
    sheet: &Rulesheet,
    relation: &str,
    code: &'static str,
    message: impl Into<String>,
    help: &str,
) -> Diagnostic {
    Diagnostic::warning(code, place(sheet, relation), message).with_help(help)
}

fn without_witness(diagnostic: Diagnostic) -> Finding {
    Finding {
        diagnostic,
        witness: Vec::new(),
    }
}

/// The first rule that could make a move legal; the first one for any move if there is none.
fn place_of_move(sheet: &Rulesheet, role: &GroundTerm, mv: &GroundTerm) -> Span {
    let mut heads = sheet.rules.iter().map(|rule| &rule.head);
    let found = heads.find(|head| {
        sheet.symbols.name(head.relation) == "legal"
            && matches!(&head.args[..], [whose, what]
                if can_be(sheet, whose, role) && can_be(sheet, what, mv))
    });
    found.map_or_else(|| place(sheet, "legal"), |head| head.span)
}

/// Whether a term of a rule can stand for a term, whatever its variables are.
fn can_be(sheet: &Rulesheet, pattern: &Term, term: &GroundTerm) -> bool {
    match (pattern, term) {
        (Term::Variable(..), _) => true,
        (Term::Constant(name, _), GroundTerm::Constant(known)) => {
            sheet.symbols.name(*name) == &**known
        }
        (Term::Compound(name, args, _), GroundTerm::Compound(known, values)) => {
            sheet.symbols.name(*name) == &**known
                && args.len() == values.len()
                && args
                    .iter()
                    .zip(values)
                    .all(|(arg, value)| can_be(sheet, arg, value))
        }
        _ => false,
    }
}

/// The first rule of a relation; the beginning of the text if there is none.
fn place(sheet: &Rulesheet, relation: &str) -> Span {
    let of = |rule: &&gdl_parse::Rule| sheet.symbols.name(rule.head.relation) == relation;
    let rule = sheet.rules.iter().find(of);
    rule.map_or_else(Span::default, |rule| rule.head.span)
}
