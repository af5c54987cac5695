//! The logic of a factor as a game of its own.

use super::bounds::Bounds;
use super::combine::{Combination, Input, Outputs};
use super::relieved::Relieved;
use super::{Action, Factor};
use budget::{Budget, Exhausted};
use netlist::{GameLogic, Gate, Lit, Netlist, Source, copied, moved};
use propnet::Vocabulary;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The description of a factor.
pub(super) struct Parts {
    /// Its own facts, ascending.
    pub facts: Vec<u32>,
    /// Whether goals or terminality depend on it.
    pub relevant: bool,
    /// For each role, its actions.
    pub actions: Vec<Vec<Action>>,
    /// Its outputs.
    pub outputs: Outputs,
}

/// Builds a factor without terminality and goals, which depend on the outputs of all factors.
pub(super) fn factor(
    game: &Relieved,
    control: &[u32],
    parts: Parts,
    budget: &Budget,
) -> Result<Factor, Exhausted> {
    let whole = &game.logic;
    let mut context: Vec<u32> = parts.facts.iter().chain(control).copied().collect();
    context.sort_unstable();
    let position = |fact: u32| context.binary_search(&fact).ok();

    let mut net = Netlist::new();
    let mut sources = Vec::new();
    let mut facts = Vec::new();
    for number in 0..context.len() as u32 {
        sources.push(Source::Fact(number));
        facts.push(net.input());
    }
    let mut does = Vec::new();
    for (role, actions) in (0..).zip(&parts.actions) {
        let all = (0..actions.len() as u32).map(|mv| {
            sources.push(Source::Does { role, mv });
            net.input()
        });
        does.push(all.collect::<Vec<Lit>>());
    }
    // The first move of an action stands for all of them.
    let action_of: Vec<FxHashMap<u32, usize>> = (parts.actions.iter())
        .map(|actions| {
            let first = actions.iter().map(|action| action.moves[0]);
            first.zip(0..).collect()
        })
        .collect();
    let input = |number: u32| match whole.sources[number as usize] {
        Source::Fact(fact) => match position(fact) {
            Some(at) => facts[at],
            None => Lit::constant(whole.words.initial.binary_search(&fact).is_ok()),
        },
        Source::Does { role, mv } => {
            let action = action_of[usize::from(role)].get(&mv);
            action.map_or(Lit::FALSE, |&at| does[usize::from(role)][at])
        }
        Source::Fix(_) => Lit::FALSE,
    };
    let roots = context.iter().map(|&fact| whole.next[fact as usize]);
    let seen = parts.outputs.iter().flatten().copied();
    budget.check()?;
    let cone = whole.net.cone(roots.chain(seen));
    let mut now = vec![Lit::FALSE; whole.net.len()];
    for (node, &gate) in whole.net.gates().iter().enumerate() {
        if node % 4096 == 0 {
            budget.check()?;
        }
        now[node] = match gate {
            _ if !cone[node] => Lit::FALSE,
            Gate::Input(number) => input(number),
            _ => copied(&mut net, node, gate, &now),
        };
    }
    let next = context
        .iter()
        .map(|&fact| moved(&now, whole.next[fact as usize]));
    let next: Vec<Lit> = next.collect();
    let mut outputs = Vec::new();
    for output in &parts.outputs {
        outputs.push(net.and_all(output.iter().map(|&lit| moved(&now, lit))));
    }

    let mut bounds = Bounds::new(whole, |number| match whole.sources[number as usize] {
        Source::Fact(fact) => position(fact).map(|at| facts[at]),
        _ => None,
    });
    let mut legal = Vec::new();
    for (role, actions) in parts.actions.iter().enumerate() {
        let mut of_role = Vec::new();
        for action in actions {
            let mut any = Vec::new();
            for &mv in &action.moves {
                budget.check()?;
                any.push(bounds.may_be(&mut net, whole.legal[role][mv as usize], budget)?);
            }
            of_role.push(net.or_all(any));
        }
        legal.push(of_role);
    }

    let words = &whole.words;
    let moves = words
        .moves
        .iter()
        .zip(&parts.actions)
        .map(|(moves, actions)| {
            let first = actions.iter().map(|action| action.moves[0]);
            first.map(|mv| moves[mv as usize].clone()).collect()
        });
    let initial = (0..context.len() as u32)
        .filter(|&at| words.initial.binary_search(&context[at as usize]).is_ok());
    let words = Vocabulary {
        roles: words.roles.clone(),
        facts: context
            .iter()
            .map(|&fact| words.facts[fact as usize].clone())
            .collect(),
        moves: moves.collect(),
        initial: initial.collect(),
        views: Vec::new(),
    };
    Ok(Factor {
        facts: parts.facts,
        relevant: parts.relevant,
        ends: false,
        actions: parts.actions,
        outputs,
        context,
        logic: GameLogic {
            net,
            sources,
            facts,
            does,
            legal,
            next,
            goals: Vec::new(),
            terminal: Lit::FALSE,
            fixes: Vec::new(),
            words: Arc::new(words),
        },
    })
}

/// The values of the outputs of a factor in the initial state.
fn initially(factor: &Factor) -> Vec<bool> {
    let logic = &factor.logic;
    let holds = |source: &Source| match *source {
        Source::Fact(fact) => logic.words.initial.binary_search(&fact).is_ok(),
        _ => false,
    };
    let inputs = logic.sources.iter().map(|source| u64::from(holds(source)));
    let values = logic.net.evaluate(&inputs.collect::<Vec<u64>>());
    let outputs = factor.outputs.iter();
    outputs
        .map(|&lit| netlist::word(&values, lit) & 1 == 1)
        .collect()
}

/// Gives each factor its own terminality and goals: those of the whole game while all other
/// factors are in their initial states. Where these do not depend on the factor, the outputs of
/// all others are inverted.
pub(super) fn conclude(
    factors: &mut [Factor],
    combination: &Combination,
    budget: &Budget,
) -> Result<(), Exhausted> {
    let mut before: Vec<Vec<bool>> = Vec::new();
    for factor in factors.iter() {
        budget.check()?;
        before.push(initially(factor));
    }
    for (at, factor) in factors.iter_mut().enumerate() {
        let logic = &mut factor.logic;
        let given = |contrary: bool| {
            let inputs = combination.inputs.iter().map(|&input| match input {
                Input::Control(fact) => {
                    let at = factor.context.binary_search(&fact);
                    at.map_or(Lit::FALSE, |at| logic.facts[at])
                }
                Input::Output { factor: of, output } if of == at => factor.outputs[output],
                Input::Output { factor: of, output } => {
                    Lit::constant(before[of][output] != contrary)
                }
            });
            inputs.collect::<Vec<Lit>>()
        };
        let (same, contrary) = (given(false), given(true));
        let own: Vec<usize> = (logic.facts.iter().zip(&factor.context))
            .filter(|(_, fact)| factor.facts.binary_search(fact).is_ok())
            .map(|(lit, _)| lit.node())
            .collect();
        let conclude = |net: &mut Netlist, signal: Lit| {
            budget.check()?;
            let plain = combination.written(net, signal, &same);
            let has_say = |net: &Netlist, lit: Lit| {
                let cone = net.cone([lit]);
                own.iter().any(|&node| cone[node])
            };
            if has_say(net, plain) {
                return Ok((plain, true));
            }
            let other = combination.written(net, signal, &contrary);
            let signal = if has_say(net, other) { other } else { plain };
            Ok((signal, false))
        };
        (logic.terminal, factor.ends) = conclude(&mut logic.net, combination.terminal)?;
        logic.goals.clear();
        for row in &combination.goals {
            let row = row.iter();
            let row = row.map(|&(value, lit)| Ok((value, conclude(&mut logic.net, lit)?.0)));
            logic.goals.push(row.collect::<Result<_, Exhausted>>()?);
        }
    }
    Ok(())
}
