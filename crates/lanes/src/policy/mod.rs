//! Playout policies: how playouts choose moves, if not uniformly among the legal ones.
//!
//! A policy is fixed when the program of a [`crate::Step`] is built, because its conditions
//! become part of the circuit. There are four parts, which can be combined. All are off by
//! default, and a program without any is the same to the last gate.
//!
//! - *Decisive moves*: "this move wins now" becomes a signal of the state before the move, one
//!   for each move. Where a line or a goal row wins, that takes at most about as many gates as
//!   the rest of the step, so that a step takes up to half as long again; playouts become
//!   shorter by about as much or more. Where a result is counted from the whole board or
//!   follows from chains, moves share few gates, and the part is left out.
//! - *Anti-decisive moves*: the decisive moves of the role that chooses next, as if it chose
//!   now, and the moves that block them. This needs another such set of signals.
//! - *Careful moves*: the role avoids moves after which the role that chooses next could win at
//!   once. This replaces anti-decisive moves. Whether the other role could win is one signal,
//!   generated for each move.
//! - *Lists*: the first legal move of a list, at two operations a move. A [`Guided`] role that
//!   never chooses uniformly is faster than one that does. Learnt weights of moves will steer
//!   playouts through these lists; no player uses them yet.
//!
//! Every part ends in a uniform choice, but for guided roles. Figures are in
//! `docs/measurements/2026-11-playout-policies`.

mod ahead;
mod answers;
mod anti_decisive;
mod careful;
mod decisive;
mod foresee;
mod guided;

pub(crate) use foresee::{Foreseen, foresee};
pub(crate) use guided::Lists;
pub use guided::{Guide, Guided, GuidedPlaces};

use crate::import::Import;
use crate::step::Choice;
use budget::Budget;
use netlist::{GameLogic, Lit, Netlist, Source};
use std::fmt;

/// A policy's signals may have this many times as many gates as the logic of the game, or
/// `FLOOR` gates if that is more.
const TIMES: usize = 3;
const FLOOR: usize = 1000;
/// While they are built, this many times as many gates may be generated.
const SCAFFOLD: usize = 10;

/// How roles choose moves.
#[derive(Debug, Clone, Default)]
pub struct Policy {
    /// Roles that play decisive moves.
    ///
    /// Where moves end the game at once with a result of 100, the role chooses among these
    /// alone. (Teytaud and Teytaud, "On the huge benefit of decisive moves in Monte-Carlo tree
    /// search algorithms", 2010.)
    pub decisive: Vec<usize>,
    /// Roles that play anti-decisive moves.
    ///
    /// Where the role that chooses next would have decisive moves if it chose now, the role
    /// chooses among the moves that block all of them, if there are any. Its own decisive moves
    /// come first. (The same source.)
    pub anti_decisive: Vec<usize>,
    /// Roles that play careful moves.
    ///
    /// The role avoids moves after which the role that chooses next could win at once, where
    /// there are others. Where this can be computed, it replaces anti-decisive moves.
    pub careful: Vec<usize>,
    /// Roles that choose by lists of moves instead of uniformly.
    pub guided: Vec<Guided>,
}

/// The outcome of a part of a policy in one phase of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Applied {
    /// The name of the part: `decisive`, `anti-decisive` or `careful`.
    pub part: &'static str,
    /// The role whose choice it concerns.
    pub role: usize,
    /// Its size, or why it was left out.
    pub outcome: Result<Figures, Declined>,
}

/// The size of a part of a policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Figures {
    /// The number of moves that it may select.
    pub moves: usize,
    /// Gates of the signals. The program needs some of them anyway.
    pub gates: usize,
}

/// Why a part of a policy was left out. The role then chooses as if that part were off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Declined {
    /// The role has at most one move in this phase.
    NoChoice,
    /// No move can be of the kind that the policy looks for.
    Never,
    /// Other roles choose at the same time, and the outcome of a move depends on them.
    OthersChoose,
    /// It is unknown which role chooses next.
    NoTurns,
    /// The outcome of a move depends on a recursive rule.
    Recursive,
    /// The signals take too many gates.
    TooLarge,
    /// The budget ran out.
    Exhausted,
}

impl fmt::Display for Declined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Declined::NoChoice => "there is nothing to choose",
            Declined::Never => "no move can be one of these",
            Declined::OthersChoose => "others choose at the same time",
            Declined::NoTurns => "it is not known who chooses next",
            Declined::Recursive => "a recursive rule is in the way",
            Declined::TooLarge => "it would be too large",
            Declined::Exhausted => "the budget ran out",
        })
    }
}

/// A program that is being built, as far as policies need to know it.
pub(crate) struct Draft<'a, 'n> {
    pub net: &'a mut Netlist,
    /// The copies of the logic's nodes in `net`, assuming that play has not ended.
    pub import: &'a Import<'n>,
    /// The logic of this phase, of the next, and of the one after that.
    pub logic: &'n GameLogic,
    pub after: &'n GameLogic,
    pub beyond: &'n GameLogic,
    /// Whether play has ended, without that assumption.
    pub terminal: Lit,
    pub choices: &'a [Choice],
    /// Inputs of the logic that carry recursive signals which do not depend on moves.
    pub early: Vec<usize>,
    pub budget: &'a Budget,
}

impl Draft<'_, '_> {
    /// Checks that the role has a choice, and that no other role chooses in the same state.
    fn chooses_alone(&self, legal: &[Vec<Lit>], role: usize) -> Result<(), Declined> {
        let several = |role: usize| may_choose(&legal[role]);
        let together = |other: usize| {
            // At most one role of a choice has more than one legal move.
            let mut choices = self.choices.iter();
            choices.any(|choice| {
                let has = |role: usize| {
                    let mut leaves = choice.leaves.iter().flatten();
                    leaves.any(|&(r, _)| usize::from(r) == role)
                };
                has(role) && has(other)
            })
        };
        if !several(role) {
            return Err(Declined::NoChoice);
        }
        let mut others = (0..legal.len()).filter(|&other| other != role);
        if others.any(|other| several(other) && !together(other)) {
            return Err(Declined::OthersChoose);
        }
        Ok(())
    }

    /// The most gates that signals may have.
    fn most(&self, times: usize) -> usize {
        times * (TIMES * self.logic.sizes().all).max(FLOOR)
    }

    /// Computes for each move of a role whether it is one that a policy looks for.
    ///
    /// `signal` computes this from the move, valid where the move is legal. It is not called
    /// for moves that are never legal. The signals may have `times` as many gates as those of a
    /// plain part.
    fn for_moves(
        &mut self,
        legal: &[Lit],
        times: usize,
        mut signal: impl FnMut(&mut Netlist, usize) -> Lit,
    ) -> Result<(Vec<Lit>, Figures), Declined> {
        let most = self.most(times);
        let before = self.net.len();
        let mut signals = Vec::with_capacity(legal.len());
        for (mv, &legal) in legal.iter().enumerate() {
            if self.net.len() - before > SCAFFOLD * most {
                return Err(Declined::TooLarge);
            }
            self.budget.check().map_err(|_| Declined::Exhausted)?;
            signals.push(if legal == Lit::FALSE {
                Lit::FALSE
            } else {
                let lit = signal(self.net, mv);
                self.net.and(legal, lit)
            });
        }
        let figures = Figures {
            moves: signals.iter().filter(|&&lit| lit != Lit::FALSE).count(),
            gates: self.net.cone_size(signals.iter().copied()),
        };
        match figures {
            Figures { moves: 0, .. } => Err(Declined::Never),
            Figures { gates, .. } if gates > most => Err(Declined::TooLarge),
            figures => Ok((signals, figures)),
        }
    }

    /// The legal moves that a policy keeps, and the outcome of its parts.
    pub(crate) fn restrict(
        &mut self,
        policy: &Policy,
        legal: Vec<Vec<Lit>>,
    ) -> (Vec<Vec<Lit>>, Vec<Applied>) {
        let (mut left, mut applied) = (legal.clone(), Vec::new());
        let mut careful = Vec::new();
        for &role in &policy.careful {
            let outcome = careful::restrict(self, &legal, role, &mut left);
            careful.extend(outcome.is_ok().then_some(role));
            applied.push(Applied {
                part: "careful",
                role,
                outcome,
            });
        }
        for &role in &policy.anti_decisive {
            if careful.contains(&role) {
                continue;
            }
            let outcome = anti_decisive::restrict(self, &legal, role, &mut left);
            applied.push(Applied {
                part: "anti-decisive",
                role,
                outcome,
            });
        }
        // Last, because a win is worth more than what is prevented.
        for &role in &policy.decisive {
            let outcome = decisive::restrict(self, &legal, role, &mut left);
            applied.push(Applied {
                part: "decisive",
                role,
                outcome,
            });
        }
        (left, applied)
    }
}

/// Whether careful roles see all answers that win, given the outcomes of the policy in each
/// phase of the game.
///
/// A role with two moves in a row, as to place a ball and then turn a board, may also win by
/// the second. Avoiding only the moves that let the first one win made play worse.
pub(crate) fn sees_all_answers(phases: &[&[Applied]]) -> bool {
    let period = phases.len();
    let wins = |phase: usize, role: usize| {
        let mut parts = phases[phase % period].iter();
        parts.any(|of| of.part == "decisive" && of.role == role && of.outcome.is_ok())
    };
    let twice = |phase: usize, role: usize| {
        let mut others = phases[(phase + 1) % period].iter().map(|of| of.role);
        others.any(|other| other != role && wins(phase + 1, other) && wins(phase + 2, other))
    };
    (0..period).all(|phase| {
        let mut careful = phases[phase].iter();
        careful.all(|of| of.part != "careful" || of.outcome.is_err() || !twice(phase, of.role))
    })
}

/// Whether a role may have more than one legal move.
fn may_choose(legal: &[Lit]) -> bool {
    legal.iter().filter(|&&lit| lit != Lit::FALSE).count() > 1
}

/// Whether any of the signals is true, as a balanced tree of gates.
///
/// In a tree, most gates are shared where few signals differ.
fn any_of(net: &mut Netlist, signals: &[Lit]) -> Lit {
    match signals {
        [] => Lit::FALSE,
        [one] => *one,
        _ => {
            let (some, others) = signals.split_at(signals.len() / 2);
            let (some, others) = (any_of(net, some), any_of(net, others));
            net.or(some, others)
        }
    }
}

/// Keeps only the good moves wherever there are any.
fn prefer(net: &mut Netlist, left: &mut [Lit], good: &[Lit]) {
    let any = net.or_all(good.iter().copied());
    for (left, &good) in left.iter_mut().zip(good) {
        let anyway = net.and(*left, !any);
        *left = net.or(good, anyway);
    }
}

/// Drops the unwanted moves wherever there are others.
fn leave_alone(net: &mut Netlist, left: &mut [Lit], unwanted: &[Lit]) {
    let good = left.iter().zip(unwanted);
    let good: Vec<Lit> = good.map(|(&left, &not)| net.and(left, !not)).collect();
    prefer(net, left, &good);
}

/// The fact of an input, if it is one.
fn fact_of(logic: &GameLogic, input: usize) -> Option<usize> {
    match logic.sources[input] {
        Source::Fact(fact) => Some(fact as usize),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(part: &'static str, role: usize, outcome: Result<(), Declined>) -> Applied {
        let figures = Figures { moves: 1, gates: 1 };
        Applied {
            part,
            role,
            outcome: outcome.map(|()| figures),
        }
    }

    #[test]
    fn wins_by_the_second_of_two_moves_are_not_foreseen() {
        use Declined::{Never, NoTurns};
        // Two roles in turn.
        let turn = |role| {
            vec![
                applied("careful", role, Ok(())),
                applied("decisive", role, Ok(())),
            ]
        };
        let [first, second] = [turn(0), turn(1)];
        assert!(sees_all_answers(&[&first, &second]));
        // Each role first puts something down and then turns something.
        let twice = |after: [Result<(), Declined>; 2]| {
            let put = |role| {
                vec![
                    applied("careful", role, Err(NoTurns)),
                    applied("decisive", role, Ok(())),
                ]
            };
            let turn = |role| {
                vec![
                    applied("careful", role, after[0]),
                    applied("decisive", role, after[1]),
                ]
            };
            let phases = [put(0), turn(0), put(1), turn(1)];
            let phases: Vec<&[Applied]> = phases.iter().map(Vec::as_slice).collect();
            sees_all_answers(&phases)
        };
        assert!(!twice([Ok(()), Ok(())]));
        // If no role wins by its second move, or no role is careful, nothing is missed.
        assert!(twice([Ok(()), Err(Never)]));
        assert!(twice([Err(NoTurns), Ok(())]));
    }
}
