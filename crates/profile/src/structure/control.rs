//! Control facts, which change in the same way whatever is played: step counters, whose turn it
//! is, phases.

use analysis::reads::{Cone, Readers, fact, untouched};
use budget::Budget;
use fixedbitset::FixedBitSet;
use netlist::GameLogic;
use std::collections::HashMap;

/// Maximum number of steps for which control facts are followed.
const LONGEST: usize = 4096;
/// Maximum number of nodes evaluated on the way.
const WORK: usize = 20_000_000;
/// Maximum period that is recognised.
const PERIOD: usize = 64;

/// The course of a control fact over time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Course {
    /// It is constant.
    Constant,
    /// It is periodic from the first step on, with this period (above 1).
    Round(u32),
    /// It is not periodic: at some point it changes for good.
    Passing,
    /// It was not followed to its end.
    Unknown,
}

/// The readers of the facts of a chain, except the chain itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReadBy {
    /// Legality of moves.
    pub legal: bool,
    /// Results.
    pub goals: bool,
    /// Terminality.
    pub terminal: bool,
    /// Facts of the next state that are not in the chain.
    pub others: bool,
}

/// Control facts that hold one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    /// The facts, in the order in which they hold.
    pub facts: Vec<u32>,
    /// The step at which the first of them begins to hold.
    pub from: u32,
    /// Whether the first follows the last. If not, the chain never repeats, and its facts count
    /// steps.
    pub round: bool,
    /// The readers of the facts.
    pub read_by: ReadBy,
}

/// The control facts: those that no move influences, directly or through any number of
/// transitions. This is proved by the network. In all states after the same number of steps,
/// they are the same.
///
/// # Leaving a chain out of a state's identity
/// States that differ only in a chain of control facts are reached in different numbers of
/// steps. Whether they may share an entry in a transposition table depends on what reads the
/// chain ([`ReadBy`]):
/// - nothing: the rest of the game is exactly the same;
/// - only `terminal`: they allow the same moves with the same results, but one of them ends
///   sooner. A stored result for one is valid for the other only if it does not depend on that.
///   For example, a proved win in fewer steps than are left is valid, but a value that depends
///   on the step limit is not. This is the usual case of step counters;
/// - anything else: they are different positions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Control {
    /// The facts, ascending.
    pub facts: Vec<u32>,
    /// The course of each fact.
    pub courses: Vec<Course>,
    /// For each number of steps, the control facts that hold then. Continues beyond the end of
    /// play, until it repeats.
    pub steps: Vec<Vec<u32>>,
    /// The entry of `steps` that follows the last; `None` if the facts were not followed that
    /// far.
    pub back: Option<usize>,
    /// Chains of facts that hold one after the other, at least two facts each.
    pub chains: Vec<Chain>,
}

impl Control {
    /// Whether a fact is a control fact.
    pub fn contains(&self, fact: u32) -> bool {
        self.facts.binary_search(&fact).is_ok()
    }

    /// The control facts that hold after this number of steps; `None` if that is not known.
    pub fn at(&self, step: usize) -> Option<&[u32]> {
        if let Some(facts) = self.steps.get(step) {
            return Some(facts);
        }
        let back = self.back?;
        let period = self.steps.len() - back;
        Some(&self.steps[back + (step - back) % period])
    }

    /// The longest chain that never repeats: a step counter.
    pub fn counter(&self) -> Option<&Chain> {
        let forward = self.chains.iter().filter(|chain| !chain.round);
        forward.max_by_key(|chain| (chain.facts.len(), std::cmp::Reverse(chain.facts[0])))
    }

    /// Facts that can be left out of a state's identity without any loss: control facts that
    /// only their own chain reads.
    pub fn idle(&self) -> Vec<u32> {
        let idle = |chain: &&Chain| chain.read_by == ReadBy::default();
        let facts = self.chains.iter().filter(idle);
        let mut facts: Vec<u32> = facts.flat_map(|c| c.facts.iter().copied()).collect();
        facts.sort_unstable();
        facts
    }

    /// Finds the control facts; if time is short, follows them for fewer steps.
    pub(super) fn find(logic: &GameLogic, readers: &Readers, budget: &Budget) -> Control {
        let facts = untouched(logic, readers);
        let (steps, back) = follow(logic, &facts, budget);
        let mut control = Control {
            courses: Vec::new(),
            chains: Vec::new(),
            facts,
            steps,
            back,
        };
        let spans: Vec<(Course, Option<Span>)> = {
            let of = |&fact: &u32| control.course(fact);
            control.facts.iter().map(of).collect()
        };
        control.courses = spans.iter().map(|span| span.0).collect();
        control.chains = control.chained(logic, readers, &spans);
        control
    }

    /// The course of a fact, and the interval in which it holds, if there is only one.
    fn course(&self, fact: u32) -> (Course, Option<Span>) {
        if self.back.is_none() {
            return (Course::Unknown, None);
        }
        let all = self.steps.len();
        let seen = |step| self.at(step).unwrap_or_default();
        let at = |step: usize| seen(step).binary_search(&fact).is_ok();
        let held: Vec<bool> = (0..all).map(at).collect();
        // After the last step, the sequence continues at an earlier one.
        let round = (1..=PERIOD).find(|p| (0..all).all(|t| at(t) == at(t + p)));
        match round {
            Some(1) => (Course::Constant, None),
            Some(period) => {
                let begins = (0..period).filter(|&t| held[t % all] && !at(t + period - 1));
                let begins: Vec<usize> = begins.collect();
                let length = (0..period).filter(|&t| at(t)).count();
                let span = (begins.len() == 1).then(|| Span {
                    from: begins[0],
                    until: begins[0] + length,
                    period: Some(period),
                });
                (Course::Round(period as u32), span)
            }
            None => {
                let from = held.iter().position(|&held| held).unwrap_or(all);
                let length = held[from..].iter().take_while(|&&held| held).count();
                let once = !held[from + length..].contains(&true) && length > 0;
                let span = once.then_some(Span {
                    from,
                    until: from + length,
                    period: None,
                });
                (Course::Passing, span)
            }
        }
    }

    /// Chains of facts in which each begins to hold when the one before ends, and reads it.
    fn chained(
        &self,
        logic: &GameLogic,
        readers: &Readers,
        spans: &[(Course, Option<Span>)],
    ) -> Vec<Chain> {
        let mut by_begin: HashMap<(usize, Option<usize>), Vec<usize>> = HashMap::new();
        for (at, span) in spans.iter().enumerate() {
            if let Some(span) = span.1 {
                by_begin
                    .entry((span.from, span.period))
                    .or_default()
                    .push(at);
            }
        }
        let follower = |at: usize| -> Option<usize> {
            let span = spans[at].1?;
            let begin = match span.period {
                Some(period) => span.until % period,
                None => span.until,
            };
            let candidates = by_begin.get(&(begin, span.period))?;
            let mut marked = FixedBitSet::with_capacity(logic.net.len());
            readers.mark([logic.facts[self.facts[at] as usize].node()], &mut marked);
            let reads = |&&other: &&usize| {
                let next = logic.next[self.facts[other] as usize];
                other != at && marked.contains(next.node())
            };
            let mut follow = candidates.iter().filter(reads);
            let one = follow.next().copied();
            one.filter(|_| follow.next().is_none())
        };
        let next: Vec<Option<usize>> = (0..spans.len()).map(follower).collect();
        let mut before = vec![0u32; next.len()];
        for &at in next.iter().flatten() {
            before[at] += 1;
        }
        // If two facts have the same follower, it begins a new chain.
        let link = |at: usize| next[at].filter(|&to| before[to] == 1);
        let mut linked = vec![false; next.len()];
        (0..next.len())
            .filter_map(link)
            .for_each(|to| linked[to] = true);
        let mut taken = vec![false; next.len()];
        let mut chains = Vec::new();
        // Beginnings first; the remaining facts form cycles.
        let heads = (0..next.len()).filter(|&at| !linked[at]);
        let mut order: Vec<usize> = (0..next.len()).filter(|&at| linked[at]).collect();
        order.sort_by_key(|&at| spans[at].1.map(|span| span.from));
        for head in heads.chain(order) {
            let mut members = Vec::new();
            let mut at = Some(head);
            while let Some(one) = at.filter(|&one| !taken[one]) {
                taken[one] = true;
                members.push(one);
                at = link(one);
            }
            if let (2.., Some(span)) = (members.len(), spans[head].1) {
                let facts: Vec<u32> = members.iter().map(|&at| self.facts[at]).collect();
                chains.push(Chain {
                    read_by: read_by(logic, readers, &facts),
                    facts,
                    from: span.from as u32,
                    round: span.period.is_some(),
                });
            }
        }
        chains.sort_by_key(|chain| chain.facts[0]);
        chains
    }
}

/// The interval in which a fact holds.
#[derive(Debug, Clone, Copy)]
struct Span {
    from: usize,
    until: usize,
    period: Option<usize>,
}

/// The facts that hold, step by step, until the sequence repeats, and the step at which it then
/// continues.
fn follow(logic: &GameLogic, facts: &[u32], budget: &Budget) -> (Vec<Vec<u32>>, Option<usize>) {
    let roots = facts.iter().map(|&fact| logic.next[fact as usize]);
    let cone = Cone::new(logic, roots);
    let mut values = vec![false; logic.net.len()];
    let initial = &logic.words.initial;
    let mut now: Vec<u32> = facts.to_vec();
    now.retain(|fact| initial.binary_search(fact).is_ok());
    let (mut steps, mut known) = (Vec::new(), HashMap::new());
    let longest = (WORK / (cone.size() + 1)).clamp(2, LONGEST);
    loop {
        if let Some(&before) = known.get(&now) {
            return (steps, Some(before));
        }
        if steps.len() >= longest || budget.check().is_err() {
            return (steps, None);
        }
        known.insert(now.clone(), steps.len());
        steps.push(now.clone());
        cone.wholly(logic, |fact| now.binary_search(&fact).is_ok(), &mut values);
        let next = |&&fact: &&u32| {
            let lit = logic.next[fact as usize];
            values[lit.node()] != lit.is_negated()
        };
        now = facts.iter().filter(next).copied().collect();
    }
}

/// The readers of some facts.
fn read_by(logic: &GameLogic, readers: &Readers, facts: &[u32]) -> ReadBy {
    let mut marked = FixedBitSet::with_capacity(logic.net.len());
    let nodes = facts.iter().map(|&fact| logic.facts[fact as usize].node());
    readers.mark(nodes, &mut marked);
    let reads = |lit: &netlist::Lit| marked.contains(lit.node());
    let others = logic.next.iter().enumerate();
    let mut others = others.filter(|(fact, _)| !facts.contains(&(*fact as u32)));
    ReadBy {
        legal: logic.legal.iter().flatten().any(reads),
        goals: logic.goals.iter().flatten().any(|goal| reads(&goal.1)),
        terminal: reads(&logic.terminal),
        others: others.any(|(_, lit)| reads(lit)),
    }
}

/// The control facts among some nodes, ascending.
pub(super) fn among(control: &Control, logic: &GameLogic, nodes: &[bool]) -> Vec<u32> {
    let read = (0..nodes.len()).filter(|&node| nodes[node]);
    let mut facts: Vec<u32> = read.filter_map(|node| fact(logic, node)).collect();
    facts.retain(|&fact| control.contains(fact));
    facts.sort_unstable();
    facts
}
