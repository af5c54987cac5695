//! One turn: where the workers put what they know, and connections wait for the answer.

use budget::{Clock, Stop};
use game::{GroundTerm, MoveId};
use parking_lot::{Condvar, Mutex};
use players::BestMove;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Where an answer came from, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// The player came to a decision.
    Choice,
    /// The clock ended the player's thinking.
    BestSoFar,
    /// The player had nothing yet.
    FirstLegal,
    /// Nothing is known to be legal.
    Nothing,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Source::Choice => "chosen",
            Source::BestSoFar => "best so far",
            Source::FirstLegal => "first legal",
            Source::Nothing => "nothing known",
        })
    }
}

/// Times of a turn, as readings of the service's clock.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Times {
    /// When the player must have decided.
    pub(crate) think: Duration,
    /// When the answer is given.
    pub(crate) answer: Duration,
    /// When an answer is given even if no legal move is known.
    pub(crate) last_call: Duration,
    /// Until when to think on after the answer, if nothing more comes.
    pub(crate) ponder: Duration,
}

/// One turn. Connections and both workers share it.
pub(crate) struct Turn {
    /// Turns of the match before this one.
    pub(crate) step: usize,
    /// The moves as the server sent them; a retry sends the same.
    pub(crate) sent: protocol::Turn,
    /// The number that the server gives the turn, if it does.
    pub(crate) number: Option<u64>,
    /// When what is due.
    pub(crate) times: Times,
    /// Ends the thinking.
    pub(crate) stop: Stop,
    /// Ends the thinking after the answer.
    pub(crate) over: Stop,
    /// Where the player publishes.
    pub(crate) best: BestMove,
    state: Mutex<Knowledge>,
    changed: Condvar,
}

/// What is known so far.
#[derive(Default)]
struct Knowledge {
    /// The thinker's legal moves.
    legal: Vec<(MoveId, GroundTerm)>,
    /// The player's decision.
    choice: Option<GroundTerm>,
    thinker_done: bool,
    /// The referee's legal moves; nothing else is an answer once they are known.
    allowed: Option<Vec<GroundTerm>>,
    referee_done: bool,
    called_off: bool,
    answer: Option<(Option<GroundTerm>, Source)>,
    /// Whether a connection could not deliver the answer.
    lost: bool,
}

impl Turn {
    pub(crate) fn new(
        step: usize,
        sent: protocol::Turn,
        number: Option<u64>,
        times: Times,
    ) -> Arc<Turn> {
        Arc::new(Turn {
            step,
            sent,
            number,
            times,
            stop: Stop::default(),
            over: Stop::default(),
            best: BestMove::default(),
            state: Mutex::default(),
            changed: Condvar::new(),
        })
    }

    /// The thinker's legal moves are these.
    pub(crate) fn thinker_legal(&self, legal: Vec<(MoveId, GroundTerm)>) {
        self.update(|known| known.legal = legal);
    }

    /// The thinker has come to its end, with a decision or without.
    pub(crate) fn thinker_done(&self, choice: Option<GroundTerm>) {
        self.update(|known| {
            known.choice = choice;
            known.thinker_done = true;
        });
    }

    /// The referee has come to its end; `None` if it does not know what is legal.
    pub(crate) fn referee_done(&self, allowed: Option<Vec<GroundTerm>>) {
        self.update(|known| {
            known.allowed = allowed;
            known.referee_done = true;
        });
    }

    /// Nobody needs the answer any more, and the next one is due; whoever waits gets what there is.
    pub(crate) fn call_off(&self) {
        self.stop.stop();
        self.over.stop();
        self.update(|known| known.called_off = true);
    }

    /// The answer could not be delivered, or is being delivered again.
    pub(crate) fn mark_lost(&self, lost: bool) {
        self.update(|known| known.lost = lost);
    }

    /// Whether no answer was given yet, or it is known that it was not received.
    pub(crate) fn unanswered(&self) -> bool {
        let known = self.state.lock();
        known.answer.is_none() || known.lost
    }

    /// The move that was answered, if one was.
    pub(crate) fn answer(&self) -> Option<GroundTerm> {
        self.state.lock().answer.as_ref()?.0.clone()
    }

    fn update(&self, change: impl FnOnce(&mut Knowledge)) {
        change(&mut self.state.lock());
        self.changed.notify_all();
    }

    /// Waits until an answer is due and gives it; everybody who asks gets the same.
    pub(crate) fn wait(&self, clock: &dyn Clock) -> (Option<GroundTerm>, Source) {
        let mut known = self.state.lock();
        loop {
            if let Some(answer) = &known.answer {
                return answer.clone();
            }
            let now = clock.now();
            let finished = known.thinker_done && known.referee_done;
            let answer = known.decide(&self.best);
            let due = if answer.0.is_some() {
                self.times.answer
            } else {
                self.times.last_call
            };
            if finished || known.called_off || now >= due {
                self.stop.stop();
                known.answer = Some(answer);
                self.changed.notify_all();
                continue;
            }
            // Before the answer is due there is nothing to do but wait for the workers; after it,
            // the player may publish at any time without a notice.
            let pause = if now < self.times.answer {
                self.times.answer - now
            } else {
                (due - now).min(Duration::from_millis(5))
            };
            self.changed.wait_for(&mut known, pause);
        }
    }
}

impl Knowledge {
    /// The best answer that can be given now.
    fn decide(&self, best: &BestMove) -> (Option<GroundTerm>, Source) {
        let so_far = best
            .get()
            .and_then(|id| self.legal.iter().find(|(legal, _)| *legal == id));
        let candidates = [
            (self.choice.as_ref(), Source::Choice),
            (so_far.map(|(_, term)| term), Source::BestSoFar),
            (self.legal.first().map(|(_, term)| term), Source::FirstLegal),
            (
                self.allowed.as_ref().and_then(|allowed| allowed.first()),
                Source::FirstLegal,
            ),
        ];
        for (candidate, source) in candidates {
            if let Some(term) = candidate {
                match &self.allowed {
                    Some(allowed) if !allowed.is_empty() && !allowed.contains(term) => {}
                    _ => return (Some(term.clone()), source),
                }
            }
        }
        (None, Source::Nothing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use budget::ManualClock;

    fn turn() -> Arc<Turn> {
        let times = Times {
            think: Duration::from_secs(1),
            answer: Duration::from_secs(2),
            last_call: Duration::from_secs(3),
            ponder: Duration::from_secs(4),
        };
        Turn::new(0, protocol::Turn::new("m", None), None, times)
    }

    fn term(name: &str) -> GroundTerm {
        GroundTerm::constant(name)
    }

    /// The answer when time is over.
    fn late(turn: &Turn) -> (Option<GroundTerm>, Source) {
        let clock = ManualClock::default();
        clock.advance(Duration::from_secs(4));
        turn.wait(&clock)
    }

    #[test]
    fn what_the_referee_forbids_is_never_answered() {
        let turn = turn();
        turn.thinker_legal(vec![(MoveId(0), term("a")), (MoveId(1), term("b"))]);
        turn.thinker_done(Some(term("a")));
        turn.referee_done(Some(vec![term("c"), term("b")]));
        let answer = turn.wait(&ManualClock::default());
        assert_eq!(answer, (Some(term("c")), Source::FirstLegal));
        assert_eq!(turn.answer(), Some(term("c")));
    }

    #[test]
    fn at_the_deadline_the_best_so_far_is_taken() {
        let turn = turn();
        turn.thinker_legal(vec![(MoveId(0), term("a")), (MoveId(1), term("b"))]);
        turn.best.publish(MoveId(1));
        assert_eq!(late(&turn), (Some(term("b")), Source::BestSoFar));
        assert!(turn.stop.is_stopped());
        // Whoever asks again gets the same, whatever came after.
        turn.thinker_done(Some(term("a")));
        assert_eq!(late(&turn), (Some(term("b")), Source::BestSoFar));
    }

    #[test]
    fn without_a_thinker_the_referee_answers_and_without_both_nothing_is_made_up() {
        let first = turn();
        first.thinker_done(None);
        first.referee_done(Some(vec![term("x")]));
        let answer = first.wait(&ManualClock::default());
        assert_eq!(answer, (Some(term("x")), Source::FirstLegal));
        assert_eq!(late(&turn()), (None, Source::Nothing));
    }

    #[test]
    fn lost_answers_are_known() {
        let turn = turn();
        assert!(turn.unanswered());
        turn.call_off();
        turn.wait(&ManualClock::default());
        assert!(!turn.unanswered());
        turn.mark_lost(true);
        assert!(turn.unanswered());
    }
}
