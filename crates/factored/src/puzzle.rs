//! Puzzles part by part.

use crate::Parts;
use crate::combine::{Combiner, Offer};
use crate::control::{Control, matters};
use crate::judge::Possible;
use crate::positions::{Positions, Scope};
use crate::walk::{Failed, Walk, Walker};
use analysis::Evidence;
use analysis::factors::{Factor, Input, Sharing};
use budget::Budget;
use game::{Engine, MoveId, State};
use rustc_hash::FxHashMap;

/// Turns that are looked ahead, at most.
const LONGEST: usize = 1_000;

/// Bytes for the positions of all parts, at most, if the budget allows as much.
const BYTES: usize = 256 << 20;

/// A line of play to the end for a single role, which was tried: it brings what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    /// The result, 0 to 100.
    pub result: u8,
    /// Whether no other way brings more, with proof.
    pub best: bool,
    /// The moves, each with the state in which it is to be made.
    pub steps: Vec<(State, MoveId)>,
    /// The positions of parts that were looked at.
    pub positions: usize,
}

impl Solution {
    /// The move in a state that is on the way, and how many moves are left with it.
    pub fn at(&self, state: &State) -> Option<(MoveId, usize)> {
        let at = self.steps.iter().position(|step| step.0 == *state)?;
        Some((self.steps[at].1, self.steps.len() - at))
    }
}

/// Finds a way from `state` of `engine`, with the greatest result that it can.
///
/// Every part is explored by itself, and what is seen of the parts is put together to what the whole
/// would come to. Positions take no more memory than the budget allows. `None` if the game is none of a single role, or nothing was found.
pub fn solve(
    parts: &Parts,
    engine: &mut dyn Engine,
    state: &State,
    budget: &Budget,
) -> Option<Solution> {
    if parts.compiled.logic.roles() != 1 {
        return None;
    }
    let mut bits = State::default();
    if !engine.bits(state, &mut bits) {
        return None;
    }
    let relevant: Vec<&Factor> = parts.relevant().map(|part| part.1).collect();
    let in_turn = parts.factors.choices.contains(&Sharing::Several);
    let mut search = Search {
        numbers: parts.relevant().map(|part| part.0).collect(),
        walker: Walker::new(parts, engine, state, budget),
        parts,
        in_turn,
        whole: bits.words(),
        relevant: &relevant,
        best: None,
        bound: None,
        positions: 0,
        thinkable: false,
        budget,
    };
    let mut sure = false;
    if in_turn && !relevant.iter().any(|factor| matters(factor)) {
        for scope in [Scope::Shortest, Scope::Exact] {
            match search.untimed(scope) {
                Ok(Verdict::Complete) => sure = true,
                Ok(Verdict::Drifts) => {
                    sure = search.timed().unwrap_or(false);
                    break;
                }
                _ => {}
            }
            if search.is_done(sure) {
                break;
            }
        }
    } else {
        sure = search.timed().unwrap_or(false);
    }
    let best = search.is_done(sure);
    let positions = search.positions;
    let found = search.best?;
    Some(Solution {
        result: found.result,
        best,
        steps: found.steps,
        positions,
    })
}

/// Whether turns can be let go by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Waits {
    /// Up to this turn.
    Until(usize),
    /// Not at all.
    Never,
    /// There is no last turn; it is not known what waiting comes to.
    ForEver,
}

/// How an attempt went.
enum Verdict {
    /// Everything that there is was looked at.
    Complete,
    /// Something was left out.
    Partial,
    /// Time matters after all.
    Drifts,
}

/// The search for a way.
struct Search<'a> {
    parts: &'a Parts,
    walker: Walker<'a>,
    whole: &'a [u64],
    /// The factors that matter, and their numbers.
    relevant: &'a [&'a Factor],
    numbers: Vec<usize>,
    /// Whether one of them at a time is played in.
    in_turn: bool,
    /// The best way so far.
    best: Option<Walk>,
    /// The greatest result that is not excluded, if that is known.
    bound: Option<u8>,
    positions: usize,
    /// Whether anything was found that would bring the result that is looked for.
    thinkable: bool,
    budget: &'a Budget,
}

impl<'a> Search<'a> {
    fn so_far(&self) -> Option<u8> {
        self.best.as_ref().map(|best| best.result)
    }

    /// Whether what was found is proved to be the best, if everything was looked at.
    fn is_done(&self, sure: bool) -> bool {
        let proved = sure && self.parts.factors.evidence == Evidence::Proved;
        match (self.so_far(), self.bound) {
            (Some(100), _) => true,
            (Some(result), Some(bound)) => proved && result >= bound,
            (Some(result), None) => proved && result == 0,
            (None, _) => false,
        }
    }

    /// All results that there are and that are better than what was found, the greatest first.
    fn results(&self) -> Vec<u8> {
        let goals = self.parts.factors.combination.goals[0].iter();
        let mut results: Vec<u8> = goals.map(|goal| goal.0).collect();
        results.sort_unstable_by_key(|&result| std::cmp::Reverse(result));
        results.dedup();
        results.retain(|&result| self.so_far().is_none_or(|found| result > found));
        results
    }

    fn positions(&self, scope: Scope) -> Vec<Positions<'a>> {
        let most = BYTES.min(self.budget.max_bytes()) / self.relevant.len().max(1);
        let relevant = self.relevant.iter();
        relevant
            .map(|factor| Positions::from(factor, self.whole, scope, most))
            .collect()
    }

    /// When play ends whatever is done, if that follows from control alone.
    fn horizon(&self, control: &mut Control<'_>) -> Option<usize> {
        let combination = &self.parts.factors.combination;
        (0..=LONGEST).find(|&turn| {
            let possible = Possible::of(combination, |input| match input {
                Input::Control(fact) => Some(control.holds(fact, turn)),
                Input::Output { .. } => None,
            });
            possible.must(combination.terminal)
        })
    }

    fn adopt(&mut self, walk: Option<Walk>, wanted: u8) -> bool {
        if let Some(walk) = walk
            && self.so_far().is_none_or(|found| walk.result > found)
        {
            self.best = Some(walk);
        }
        self.so_far().is_some_and(|found| found >= wanted)
    }

    /// Where every turn is used in one of the parts, and nothing else changes them: how many moves
    /// each of them takes is all that matters.
    fn untimed(&mut self, scope: Scope) -> Result<Verdict, Failed> {
        let mut control = Control::from(self.relevant[0], self.whole);
        let horizon = self.horizon(&mut control);
        let deepest = match scope {
            // Positions come again and again for ever.
            Scope::Exact => match horizon {
                Some(horizon) => horizon,
                None => return Ok(Verdict::Partial),
            },
            _ => usize::MAX,
        };
        let mut all = self.positions(scope);
        let combination = &self.parts.factors.combination;
        for (number, positions) in self.numbers.iter().zip(&mut all) {
            let mut over = |sight: &[bool]| {
                let possible = Possible::of(combination, |input| match input {
                    Input::Output { factor, output } if factor == *number => Some(sight[output]),
                    _ => None,
                });
                possible.must(combination.terminal)
            };
            while !positions.are_all() && positions.layers() <= deepest {
                positions.expand(&mut over, self.budget)?;
                if positions.drifts {
                    return Ok(Verdict::Drifts);
                }
            }
        }
        self.positions += all.iter().map(Positions::len).sum::<usize>();
        let offers: Vec<Vec<Offer>> = all.iter().map(|own| offers(own, scope)).collect();
        let sees = |place: usize, sight: u32, output: usize| all[place].sees(sight, output);
        let numbers = self.numbers.clone();
        let combiner = Combiner {
            combination,
            parts: &numbers,
            offers: &offers,
            sees: &sees,
            budget: self.budget,
        };
        let mut complete = all.iter().all(|own| !own.cut);
        let mut bound = None;
        for result in self.results() {
            self.thinkable = false;
            let waits = match horizon {
                // Longer ways in a part are like waiting.
                Some(last) if scope == Scope::Shortest || self.walker.can_wait() => {
                    Waits::Until(last)
                }
                Some(_) => Waits::Never,
                None => Waits::ForEver,
            };
            let mut take = |chosen: &[Offer]| {
                self.try_in_turn(&combiner, chosen, &all, result, waits, &mut control)
            };
            let (found, looked) = combiner.search(result, &mut |_| None, &mut take)?;
            complete &= looked;
            if self.thinkable && bound.is_none() {
                bound = Some(result);
            }
            if found {
                break;
            }
        }
        // What cannot be seen of all parts at once, in whatever order, cannot be reached.
        if complete {
            self.bound = bound.max(self.so_far());
        }
        Ok(match complete {
            true => Verdict::Complete,
            false => Verdict::Partial,
        })
    }

    /// Tries to reach what was chosen at a time when it brings `result`; whether it did.
    fn try_in_turn(
        &mut self,
        combiner: &Combiner<'_>,
        chosen: &[Offer],
        all: &[Positions<'_>],
        result: u8,
        waits: Waits,
        control: &mut Control<'_>,
    ) -> Result<bool, budget::Exhausted> {
        let combination = combiner.combination;
        let moves: usize = chosen.iter().map(|offer| offer.moves).sum();
        self.thinkable |= waits == Waits::ForEver;
        let last = match waits {
            Waits::Until(last) => last,
            Waits::Never | Waits::ForEver => moves,
        };
        for turn in moves..=last {
            let mut then = |fact| Some(control.holds(fact, turn));
            let possible = combiner.possible(chosen, &mut then);
            let goals = combination.goals[0].iter();
            let mut goals = goals.filter(|goal| goal.0 == result);
            if !possible.may(combination.terminal) || !goals.any(|goal| possible.may(goal.1)) {
                continue;
            }
            self.thinkable = true;
            let ways = all.iter().zip(chosen);
            let ways: Vec<Vec<u32>> = ways.map(|(own, offer)| own.way(offer.position)).collect();
            match self.walker.in_turn(&ways, turn - moves) {
                Ok(walk) => {
                    if self.adopt(walk, result) {
                        return Ok(true);
                    }
                }
                Err(Failed::Exhausted(why)) => return Err(why),
                Err(Failed::Engine) => return Ok(false),
            }
        }
        Ok(false)
    }

    /// Where the parts change with time: turn by turn. Whether all turns were looked at.
    fn timed(&mut self) -> Result<bool, Failed> {
        let mut control = Control::from(self.relevant[0], self.whole);
        let mut all = self.positions(Scope::Timed);
        let combination = &self.parts.factors.combination;
        let numbers = self.numbers.clone();
        let (mut bound, mut complete) = (None::<u8>, true);
        for turn in 0..=LONGEST {
            let offers: Vec<Vec<Offer>> = all.iter().map(|own| offers_in(own, turn)).collect();
            let still: Vec<Option<Offer>> = all.iter().map(|own| untouched(own, turn)).collect();
            let sees = |place: usize, sight: u32, output: usize| all[place].sees(sight, output);
            let choices = match self.in_turn {
                false => vec![offers.clone()],
                // One part is played in all the time, and nothing is done in the others.
                true => alone(&offers, &still),
            };
            for result in self.results() {
                let mut then = |fact| Some(control.holds(fact, turn));
                let mut possible = false;
                let relaxed = Combiner {
                    combination,
                    parts: &numbers,
                    offers: &offers,
                    sees: &sees,
                    budget: self.budget,
                };
                let mut noted = |_: &[Offer]| {
                    possible = true;
                    Ok(true)
                };
                let (_, looked) = relaxed.search(result, &mut then, &mut noted)?;
                complete &= looked;
                if !possible {
                    continue;
                }
                bound = bound.max(Some(result));
                for offers in &choices {
                    let combiner = Combiner { offers, ..relaxed };
                    let mut take = |chosen: &[Offer]| self.try_together(chosen, &all, result);
                    combiner.search(result, &mut then, &mut take)?;
                }
            }
            if self.so_far() == Some(100) {
                self.positions += all.iter().map(Positions::len).sum::<usize>();
                return Ok(true);
            }
            if all.iter().any(Positions::are_all) {
                self.positions += all.iter().map(Positions::len).sum::<usize>();
                self.bound = bound;
                return Ok(complete && all.iter().all(|own| !own.cut));
            }
            for (number, positions) in numbers.iter().zip(&mut all) {
                let mut over = |sight: &[bool]| {
                    let possible = Possible::of(combination, |input| match input {
                        Input::Control(fact) => Some(control.holds(fact, turn)),
                        Input::Output { factor, output } if factor == *number => {
                            Some(sight[output])
                        }
                        Input::Output { .. } => None,
                    });
                    possible.must(combination.terminal)
                };
                positions.expand(&mut over, self.budget)?;
            }
        }
        Ok(false)
    }

    fn try_together(
        &mut self,
        chosen: &[Offer],
        all: &[Positions<'_>],
        result: u8,
    ) -> Result<bool, budget::Exhausted> {
        let ways = all.iter().zip(chosen);
        let ways: Vec<Vec<u32>> = ways.map(|(own, offer)| own.way(offer.position)).collect();
        let length = ways.iter().map(Vec::len).max().unwrap_or(0);
        let turns = (0..length).map(|turn| {
            let actions = ways.iter().map(|way| way.get(turn).copied());
            actions.collect::<Option<Vec<u32>>>()
        });
        let Some(turns) = turns.collect::<Option<Vec<Vec<u32>>>>() else {
            return Ok(false);
        };
        match self.walker.together(&turns) {
            Ok(walk) => Ok(self.adopt(walk, result)),
            Err(Failed::Exhausted(why)) => Err(why),
            Err(Failed::Engine) => Ok(false),
        }
    }
}

/// What is seen of a part, and with how many moves: by the shortest ways, or by ways of all lengths.
fn offers(positions: &Positions<'_>, scope: Scope) -> Vec<Offer> {
    let mut offers: Vec<Offer> = Vec::new();
    let mut first: FxHashMap<u32, ()> = FxHashMap::default();
    for moves in 0..positions.layers() {
        for (sight, position) in positions.sights_in(moves) {
            if scope == Scope::Exact || first.insert(sight, ()).is_none() {
                offers.push(Offer {
                    sight,
                    position,
                    moves,
                });
            }
        }
    }
    offers
}

fn offers_in(positions: &Positions<'_>, turn: usize) -> Vec<Offer> {
    let sights = positions.sights_in(turn).into_iter();
    sights
        .map(|(sight, position)| Offer {
            sight,
            position,
            moves: turn,
        })
        .collect()
}

/// What a part shows if nothing was ever done in it.
fn untouched(positions: &Positions<'_>, turn: usize) -> Option<Offer> {
    let position = positions.untouched(turn)?;
    Some(Offer {
        sight: positions.sight(position),
        position,
        moves: turn,
    })
}

/// For each part, the offers with which something is done in it alone.
fn alone(offers: &[Vec<Offer>], still: &[Option<Offer>]) -> Vec<Vec<Vec<Offer>>> {
    let of = |active: usize| {
        let each = offers.iter().zip(still).enumerate();
        let each = each.map(|(place, (offers, still))| match place == active {
            true => offers.clone(),
            false => still.iter().copied().collect(),
        });
        each.collect()
    };
    (0..offers.len()).map(of).collect()
}
