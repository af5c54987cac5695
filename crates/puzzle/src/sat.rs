//! Solving by SAT: the best results first, on ever longer lines.

use crate::circuit::Answer;
use crate::found::Board;
use crate::method::{Method, State as Status, Work};
use crate::problem::Problem;
use crate::unroll::Unrolled;
use budget::Budget;
use std::sync::Arc;

/// Conflicts for a horizon before a longer one is tried.
const CONFLICTS: u64 = 4_000;

/// SAT on the unrolled network.
pub(crate) struct Sat {
    problem: Arc<Problem>,
    bytes: usize,
    play: Option<Unrolled>,
    horizons: Vec<Horizon>,
    /// The longest line, once that is known.
    longest: Option<usize>,
    /// Conflicts for each horizon in this round.
    conflicts: u64,
    /// The horizon that is asked next.
    next: usize,
    full: bool,
}

/// Lines of at most this many plies.
struct Horizon {
    plies: usize,
    /// The least result that no such line has.
    excluded: Option<u8>,
    /// Whether it was asked whether play must be over.
    closed: bool,
}

impl Sat {
    pub fn new(problem: Arc<Problem>, bytes: usize) -> Sat {
        Sat {
            longest: problem.horizon,
            problem,
            bytes,
            play: None,
            horizons: Vec::new(),
            conflicts: CONFLICTS,
            next: 0,
            full: false,
        }
    }

    /// Unrolls to the next horizon: twice the last one, or the longest line. Returns whether
    /// there is one.
    fn deepen(&mut self, budget: &Budget) -> bool {
        let Some(known) = self.problem.known.as_ref() else {
            return false;
        };
        let (Some(play), false) = (&mut self.play, self.full) else {
            return false;
        };
        let last = self.horizons.last().map_or(0, |horizon| horizon.plies);
        let most = self.longest.unwrap_or(usize::MAX);
        if last >= most {
            return false;
        }
        // Steps of half the length so far, from 4 on: no line is missed by much.
        let plies = (last + last / 2).max(4).min(most);
        while play.len() < plies || !play.has_begun() {
            match play.extend(known, budget) {
                Ok(()) => {}
                Err(budget::Exhausted::Memory) => {
                    self.full = true;
                    return false;
                }
                Err(_) => return false,
            }
            if play.circuit.value(play.over(play.len())) == Some(true) {
                self.longest = Some(play.len());
                break;
            }
        }
        self.horizons.push(Horizon {
            plies: play.len(),
            excluded: None,
            closed: false,
        });
        true
    }
}

impl Method for Sat {
    fn name(&self) -> &'static str {
        "SAT"
    }

    fn work(&mut self, board: &Board, budget: &Budget) -> Status {
        if self.play.is_none() {
            let known = self.problem.known.as_ref();
            self.play =
                known.and_then(|known| Unrolled::new(known, &self.problem.start, self.bytes));
            if self.play.is_none() {
                return Status::Over;
            }
        }
        while budget.check().is_ok() {
            let asked = board.bound();
            if board.wanted().is_none() {
                return Status::Over;
            }
            let open = |horizon: &Horizon| horizon.excluded.is_none_or(|least| least > asked);
            let rest = self.horizons.iter().skip(self.next);
            let Some(next) = rest.clone().position(open) else {
                // A longer horizon may do what these did not, else more conflicts.
                self.next = match self.deepen(budget) {
                    true => self.horizons.len() - 1,
                    false if budget.check().is_err() => return Status::Open,
                    false if !self.horizons.iter().any(open) => return Status::Over,
                    false => 0,
                };
                if self.next == 0 {
                    self.conflicts *= 2;
                }
                continue;
            };
            self.next += next;
            let (horizon, Some(play)) = (&mut self.horizons[self.next], &mut self.play) else {
                return Status::Over;
            };
            let plies = horizon.plies;
            let question = play.result(plies, asked);
            match play.circuit.ask(&[question], self.conflicts, budget) {
                Answer::Yes => {
                    let line = play.line();
                    if !board.offer(&line, "SAT") {
                        return Status::Over;
                    }
                }
                Answer::No => {
                    horizon.excluded = Some(asked);
                    if self.longest.is_none() && !horizon.closed {
                        horizon.closed = true;
                        let over = play.over(plies);
                        if play.circuit.ask(&[!over], CONFLICTS, budget) == Answer::No {
                            self.longest = Some(plies);
                        }
                    }
                    if self.longest.is_some_and(|longest| longest <= plies) {
                        let below = board.results.iter().copied().find(|&result| result < asked);
                        let Some(below) = below else {
                            return Status::Over;
                        };
                        board.limit(below, "SAT");
                        if board.bound() == asked {
                            return Status::Over;
                        }
                    }
                }
                Answer::Unknown if budget.check().is_err() => return Status::Open,
                Answer::Unknown => self.next += 1,
            }
        }
        Status::Open
    }

    fn done(&self) -> Work {
        Work {
            count: self
                .play
                .as_ref()
                .map_or(0, |play| play.circuit.conflicts()),
            unit: if self.full {
                "conflicts, all plies that memory holds"
            } else {
                "conflicts"
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packing::Packing;
    use crate::problem::Known;
    use compile::Proved;
    use game::State;
    use varisat::{ExtendFormula, Solver};

    const BYTES: usize = 256 << 20;

    /// Whether another solver finds no model either, by a proof that is checked step by step.
    fn is_excluded(circuit: &crate::circuit::Circuit, question: batsat::Lit) -> bool {
        let mut solver = Solver::new();
        solver.enable_self_checking();
        let lit =
            |lit: &batsat::Lit| varisat::Lit::from_index(lit.var().idx() as usize, lit.sign());
        for clause in &circuit.written {
            let clause: Vec<varisat::Lit> = clause.iter().map(lit).collect();
            solver.add_clause(&clause);
        }
        solver.add_clause(&[lit(&question)]);
        !solver.solve().expect("its proof is right")
    }

    /// The greatest result by SAT, for each greater one a proof that was checked, and how many
    /// these were. `None` if time alone does not end play.
    fn best_by_checked_proofs(rules: &str) -> Option<(u8, usize)> {
        let budget = Budget::system();
        let compiled = compile::compile(rules, &budget).expect("it has a network");
        let known = Known::find(&Proved::find(Arc::new(compiled), 1, &budget), &budget);
        let logic = known.logic.clone();
        let mut words = vec![0_u64; logic.facts.len().div_ceil(64)];
        for &fact in &logic.words.initial {
            words[fact as usize / 64] |= 1 << (fact % 64);
        }
        let horizon = known.time.horizon(&logic, &words, &budget)?;
        let problem = Arc::new(Problem {
            packing: Arc::new(Packing::plain(words.len())),
            start: State::from_words(words),
            horizon: Some(horizon),
            known: Some(Arc::new(known)),
        });
        let known = problem.known.as_ref()?;
        let mut play = Unrolled::new(known, &problem.start, BYTES)?;
        while play.len() < horizon || !play.has_begun() {
            play.extend(known, &budget).expect("there is room");
        }
        let mut checked = 0;
        for result in known.results() {
            let question = play.result(horizon, result);
            match play.circuit.ask(&[question], u64::MAX, &budget) {
                Answer::Yes => return Some((result, checked)),
                Answer::No => {
                    assert!(is_excluded(&play.circuit, question), "{result} can be had");
                    checked += 1;
                }
                Answer::Unknown => panic!("it has all the time"),
            }
        }
        None
    }

    /// Lamps in a row; a switch turns its lamp and the next one. An odd number of lamps never
    /// shines, so that of `lamps` lamps, an odd number, at most `lamps - 1` do.
    fn lamps(lamps: usize, plies: usize) -> String {
        let succ: String = (0..plies.max(lamps))
            .map(|n| format!("(succ {n} {})", n + 1))
            .collect();
        let switches: String = (1..lamps).map(|n| format!("(switch {n})")).collect();
        let dark: String = (1..=lamps)
            .map(|n| format!("(not (true (on {n})))"))
            .collect();
        let all: String = (1..=lamps).map(|n| format!("(true (on {n}))")).collect();
        let but_one: String = (1..lamps).map(|n| format!("(true (on {n}))")).collect();
        format!(
            "(role r) (init (step 0)) {succ} {switches} (<= (legal r (turn ?n)) (switch ?n))
            (<= (turned ?n) (does r (turn ?n))) (<= (turned ?m) (does r (turn ?n)) (succ ?n ?m))
            (<= (next (on ?n)) (turned ?n) (not (true (on ?n))))
            (<= (next (on ?n)) (true (on ?n)) (not (turned ?n)))
            (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
            (<= terminal (true (step {plies})))
            (<= (goal r 100) {all}) (<= (goal r 60) {but_one} (not (true (on {lamps}))))
            (<= (goal r 10) {dark})"
        )
    }

    #[test]
    fn what_is_excluded_has_a_proof_that_another_solver_checks() {
        // Six switches are needed for six lamps of seven: one to turn 1 and 2, and so on.
        assert_eq!(best_by_checked_proofs(&lamps(7, 9)), Some((60, 1)));
        assert_eq!(best_by_checked_proofs(&lamps(7, 3)), Some((60, 1)));
        assert_eq!(best_by_checked_proofs(&lamps(7, 2)), Some((10, 2)));
        // Three switches light six lamps, and the number of those that are turned has to be odd.
        assert_eq!(best_by_checked_proofs(&lamps(6, 4)), Some((10, 2)));
        assert_eq!(best_by_checked_proofs(&lamps(6, 5)), Some((100, 0)));
    }

    #[test]
    fn puzzles_of_the_corpus_too() {
        let Some(corpus) = testkit::corpus() else {
            return;
        };
        let path = corpus.join("games/factoringMutuallyAssuredDestruction.kif");
        let Ok(rules) = std::fs::read_to_string(path) else {
            return;
        };
        let (result, checked) = best_by_checked_proofs(&rules).expect("a step counter ends it");
        assert!(result == 0 && checked > 0, "{result}, {checked} proofs");
    }
}
