//! States that a command is given: facts in KIF, or a state of a match record.

use crate::source;
use anyhow::{Context, bail};
use game::{Engine, GroundTerm, State};
use gdl_parse::{Limits, Sexpr, read_all};
use records::{Record, add_states, parse_facts};
use std::path::Path;

/// Reads a state: the facts in KIF, or a state of a match record.
///
/// # Errors
/// Fails if the file cannot be read, or holds no state of this game.
pub fn read_state(
    file: &Path,
    step: Option<usize>,
    engine: &mut dyn Engine,
) -> anyhow::Result<State> {
    let name = source::name(file);
    let text = source::text(file)?;
    let facts = match text.trim_start().starts_with('{') {
        true => of_record(&text, step, engine),
        false if step.is_some() => bail!("{name} is no match record; leave --step out"),
        false => of_kif(&text),
    };
    let facts = facts.with_context(|| format!("cannot read {name} as a state"))?;
    let state = engine.state_of(&facts);
    state.with_context(|| format!("{name} holds no state of this game"))
}

fn of_record(
    text: &str,
    step: Option<usize>,
    engine: &mut dyn Engine,
) -> anyhow::Result<Vec<GroundTerm>> {
    let mut record = Record::parse(text)?;
    add_states(&mut record, engine);
    let last = record.states.len().saturating_sub(1);
    let step = step.unwrap_or(last);
    let state = record.states.get(step).filter(|state| !state.is_empty());
    let state =
        state.with_context(|| format!("the record has no state {step}; its last is {last}"))?;
    parse_facts(state).map_err(anyhow::Error::msg)
}

/// Facts one after another or in one list, with or without `true`.
fn of_kif(text: &str) -> anyhow::Result<Vec<GroundTerm>> {
    let (mut exprs, diagnostics) = read_all(text, &Limits::default());
    if let Some(problem) = diagnostics.first() {
        bail!("{}", problem.message);
    }
    if let [Sexpr::List(inner, _)] = exprs.as_slice()
        && inner.iter().all(|fact| matches!(fact, Sexpr::List(..)))
    {
        exprs = inner.clone();
    }
    let fact = |fact: &Sexpr<'_>| match fact {
        Sexpr::List(inner, _) if inner.len() == 2 && is_true(&inner[0]) => {
            GroundTerm::from_sexpr(&inner[1])
        }
        fact => GroundTerm::from_sexpr(fact),
    };
    let facts: Result<Vec<_>, _> = exprs.iter().map(fact).collect();
    Ok(facts?)
}

fn is_true(head: &Sexpr<'_>) -> bool {
    GroundTerm::from_sexpr(head).is_ok_and(|head| head.to_string() == "true")
}
