//! Solving puzzles part by part.

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

/// The most turns of look-ahead.
const LONGEST: usize = 1_000;

/// The most bytes for the positions of all parts, if the budget allows as much.
const BYTES: usize = 256 << 20;

/// A line of play to the end for a single role. It was replayed on the whole, so its result is
/// certain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    /// The result, 0 to 100.
    pub result: u8,
    /// Whether it is proved that no other line has a greater result.
    pub best: bool,
    /// The moves, each with the state in which it is played.
    pub steps: Vec<(State, MoveId)>,
    /// The positions of parts that were examined.
    pub positions: usize,
}

impl Solution {
    /// The move in a state of the line, and the number of moves left including it.
    pub fn at(&self, state: &State) -> Option<(MoveId, usize)> {
        let at = self.steps.iter().position(|step| step.0 == *state)?;
        Some((self.steps[at].1, self.steps.len() - at))
    }
}

/// Finds a line from `state` of `engine` with the greatest result it can.
///
/// Every part is explored by itself, and the outputs of the parts are combined to the results
/// of the whole. Positions take no more memory than the budget allows. `None` if the game has
/// several roles, or nothing was found.
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

/// Whether the role can wait, that is, let turns pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Waits {
    /// Up to this turn.
    Until(usize),
    /// Not at all.
    Never,
    /// There is no last turn, so the effect of waiting is unknown.
    ForEver,
}

/// The outcome of an attempt.
enum Verdict {
    /// All possibilities were examined.
    Complete,
    /// Something was left out.
    Partial,
    /// Time matters after all.
    Drifts,
}

/// The search for a line.
struct Search<'a> {
    parts: &'a Parts,
    walker: Walker<'a>,
    whole: &'a [u64],
    /// The relevant factors, and their numbers.
    relevant: &'a [&'a Factor],
    numbers: Vec<usize>,
    /// Whether each turn is used in one factor only.
    in_turn: bool,
    /// The best line so far.
    best: Option<Walk>,
    /// The greatest result that is not excluded, if that is known.
    bound: Option<u8>,
    positions: usize,
    /// Whether a combination was found that would have the wanted result.
    thinkable: bool,
    budget: &'a Budget,
}

impl<'a> Search<'a> {
    fn so_far(&self) -> Option<u8> {
        self.best.as_ref().map(|best| best.result)
    }

    /// Whether the line found is proved to be the best. `sure` says that all possibilities were
    /// examined.
    fn is_done(&self, sure: bool) -> bool {
        let proved = sure && self.parts.factors.evidence == Evidence::Proved;
        match (self.so_far(), self.bound) {
            (Some(100), _) => true,
            (Some(result), Some(bound)) => proved && result >= bound,
            (Some(result), None) => proved && result == 0,
            (None, _) => false,
        }
    }

    /// All results of the rules that are better than what was found, the greatest first.
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

    /// The turn in which play ends whatever is done, if that follows from control facts alone.
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

    /// Solves games where every turn is used in one part and nothing else changes the parts.
    /// Then only the number of moves in each part matters.
    fn untimed(&mut self, scope: Scope) -> Result<Verdict, Failed> {
        let mut control = Control::from(self.relevant[0], self.whole);
        let horizon = self.horizon(&mut control);
        let deepest = match scope {
            // Without a horizon, positions repeat for ever.
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
                // Longer paths in a part are like waiting.
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
        // A combination of outputs that the parts cannot reach, in whatever order, cannot be
        // reached by the whole.
        if complete {
            self.bound = bound.max(self.so_far());
        }
        Ok(match complete {
            true => Verdict::Complete,
            false => Verdict::Partial,
        })
    }

    /// Tries to reach the chosen offers at a turn when they bring `result`. Returns whether it
    /// did.
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

    /// Solves games whose parts change with time, turn by turn. Returns whether all turns were
    /// examined.
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
                // One part is played in all the time, and the others stay idle.
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

/// The output vectors of a part with the number of moves to them: on the shortest paths, or on
/// paths of all lengths.
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

/// The output vector of a part in which nothing but idle actions was played.
fn untouched(positions: &Positions<'_>, turn: usize) -> Option<Offer> {
    let position = positions.untouched(turn)?;
    Some(Offer {
        sight: positions.sight(position),
        position,
        moves: turn,
    })
}

/// For each part, the offers if only that part is played in.
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
