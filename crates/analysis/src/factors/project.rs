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
    let mut projection = Projection::new(whole, control, &parts);
    let now = projection.copy_signals(&parts.outputs, budget)?;
    let context = projection.context.iter();
    let next = context.map(|&fact| moved(&now, whole.next[fact as usize]));
    let next: Vec<Lit> = next.collect();
    let mut outputs = Vec::new();
    for output in &parts.outputs {
        let conjuncts = output.iter().map(|&lit| moved(&now, lit));
        outputs.push(projection.net.and_all(conjuncts));
    }
    let legal = projection.legal(budget)?;
    let words = projection.words();
    Ok(Factor {
        ends: false,
        outputs,
        context: projection.context,
        logic: GameLogic {
            net: projection.net,
            sources: projection.sources,
            facts: projection.facts,
            does: projection.does,
            legal,
            next,
            goals: Vec::new(),
            terminal: Lit::FALSE,
            fixes: Vec::new(),
            words: Arc::new(words),
        },
        facts: parts.facts,
        relevant: parts.relevant,
        actions: parts.actions,
    })
}

/// The logic of a factor under construction.
struct Projection<'g> {
    whole: &'g GameLogic,
    /// For each role, its actions.
    actions: &'g [Vec<Action>],
    /// The facts of the factor and the control facts, ascending.
    context: Vec<u32>,
    net: Netlist,
    sources: Vec<Source>,
    /// The inputs of the facts in `context`.
    facts: Vec<Lit>,
    /// The inputs of the actions.
    does: Vec<Vec<Lit>>,
}

impl<'g> Projection<'g> {
    /// Begins with the inputs.
    fn new(whole: &'g GameLogic, control: &[u32], parts: &'g Parts) -> Projection<'g> {
        let mut context: Vec<u32> = parts.facts.iter().chain(control).copied().collect();
        context.sort_unstable();
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
        Projection {
            whole,
            actions: &parts.actions,
            context,
            net,
            sources,
            facts,
            does,
        }
    }

    /// The input of a fact of the whole game; `None` if the factor does not have the fact.
    fn fact(&self, fact: u32) -> Option<Lit> {
        let at = self.context.binary_search(&fact).ok()?;
        Some(self.facts[at])
    }

    fn holds_initially(&self, fact: u32) -> bool {
        self.whole.words.initial.binary_search(&fact).is_ok()
    }

    /// What stands for each input of the whole game.
    fn inputs(&self) -> Vec<Lit> {
        let action_of: Vec<FxHashMap<u32, usize>> = (self.actions.iter())
            .map(|actions| first_moves(actions).zip(0..).collect())
            .collect();
        let input = |source: &Source| match *source {
            Source::Fact(fact) => {
                let own = self.fact(fact);
                own.unwrap_or_else(|| Lit::constant(self.holds_initially(fact)))
            }
            Source::Does { role, mv } => {
                let action = action_of[usize::from(role)].get(&mv);
                action.map_or(Lit::FALSE, |&at| self.does[usize::from(role)][at])
            }
            Source::Fix(_) => Lit::FALSE,
        };
        self.whole.sources.iter().map(input).collect()
    }

    /// Copies the signals that the next state and the outputs depend on. Returns the copy of
    /// each node of the whole game.
    fn copy_signals(&mut self, outputs: &Outputs, budget: &Budget) -> Result<Vec<Lit>, Exhausted> {
        let whole = self.whole;
        let roots = self.context.iter().map(|&fact| whole.next[fact as usize]);
        let seen = outputs.iter().flatten().copied();
        budget.check()?;
        let cone = whole.net.cone(roots.chain(seen));
        let inputs = self.inputs();
        let mut now = vec![Lit::FALSE; whole.net.len()];
        for (node, &gate) in whole.net.gates().iter().enumerate() {
            if node % 4096 == 0 {
                budget.check()?;
            }
            now[node] = match gate {
                _ if !cone[node] => Lit::FALSE,
                Gate::Input(number) => inputs[number as usize],
                _ => copied(&mut self.net, node, gate, &now),
            };
        }
        Ok(now)
    }

    /// The legality of each action: whether one of its moves may be legal.
    fn legal(&mut self, budget: &Budget) -> Result<Vec<Vec<Lit>>, Exhausted> {
        let whole = self.whole;
        let mut bounds = Bounds::new(whole, |number| match whole.sources[number as usize] {
            Source::Fact(fact) => self.fact(fact),
            _ => None,
        });
        let mut legal = Vec::new();
        for (role, actions) in self.actions.iter().enumerate() {
            let mut of_role = Vec::new();
            for action in actions {
                let mut any = Vec::new();
                for &mv in &action.moves {
                    budget.check()?;
                    let move_legal = whole.legal[role][mv as usize];
                    any.push(bounds.may_be(&mut self.net, move_legal, budget)?);
                }
                of_role.push(self.net.or_all(any));
            }
            legal.push(of_role);
        }
        Ok(legal)
    }

    /// The words of the whole game for what the factor has.
    fn words(&self) -> Vocabulary {
        let words = &self.whole.words;
        let facts = self.context.iter();
        let facts = facts.map(|&fact| words.facts[fact as usize].clone());
        let moves = words.moves.iter().zip(self.actions);
        let moves = moves.map(|(moves, actions)| {
            let first = first_moves(actions);
            first.map(|mv| moves[mv as usize].clone()).collect()
        });
        let initial = (0..self.context.len() as u32)
            .filter(|&at| self.holds_initially(self.context[at as usize]));
        let exclusive = words.exclusive.iter().map(|set| {
            let ours = set.iter().map(|fact| self.context.binary_search(fact));
            ours.flatten().map(|at| at as u32).collect::<Vec<u32>>()
        });
        Vocabulary {
            roles: words.roles.clone(),
            facts: facts.collect(),
            moves: moves.collect(),
            initial: initial.collect(),
            views: Vec::new(),
            exclusive: exclusive.filter(|set| set.len() > 1).collect(),
        }
    }
}

/// The first move of each action, which stands for all of them.
fn first_moves(actions: &[Action]) -> impl Iterator<Item = u32> + '_ {
    actions.iter().map(|action| action.moves[0])
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
