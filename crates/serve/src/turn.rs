//! One turn: the workers report their results here, and connections wait for the answer.

use crate::legal::{LegalMoves, Speller};
use budget::{Clock, Stop};
use game::GroundTerm;
use parking_lot::{Condvar, Mutex};
use players::BestMove;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// The source of an answer, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// The player's final choice.
    Choice,
    /// The best move so far when the clock ended the player's thinking.
    BestSoFar,
    /// The first legal move, because the player had published none.
    FirstLegal,
    /// No move, because none is known to be legal.
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
    /// When the answer is sent.
    pub(crate) answer: Duration,
    /// When an answer is sent even if no legal move is known.
    pub(crate) last_call: Duration,
    /// When pondering after the answer ends, if no message comes.
    pub(crate) ponder: Duration,
}

/// One turn. Connections and both workers share it.
pub(crate) struct Turn {
    /// The number of turns of the match before this one.
    pub(crate) step: usize,
    /// The moves as the server sent them; a retry sends the same.
    pub(crate) sent: protocol::Turn,
    /// How many turns before the last one a message had the same moves, if one had: then this
    /// message may be a copy that came late, and no turn at all.
    pub(crate) repeats: Option<usize>,
    /// The server's number of the turn, if it sends one.
    pub(crate) number: Option<u64>,
    /// The deadlines.
    pub(crate) times: Times,
    /// Ends the thinking.
    pub(crate) stop: Stop,
    /// Ends the pondering after the answer.
    pub(crate) over: Stop,
    /// The cell in which the player publishes.
    pub(crate) best: BestMove,
    state: Mutex<Knowledge>,
    changed: Condvar,
}

/// The results so far.
#[derive(Default)]
struct Knowledge {
    /// Spells what the player publishes.
    speller: Option<Speller>,
    /// The thinker's legal moves, if there was time to list them.
    legal: Option<Arc<LegalMoves>>,
    /// The player's decision.
    choice: Option<GroundTerm>,
    thinker_done: bool,
    /// A legal move that the referee knows, perhaps before it knows all.
    first: Option<GroundTerm>,
    /// The referee's legal moves. Once they are known, the answer must be one of them.
    allowed: Option<LegalMoves>,
    referee_done: bool,
    called_off: bool,
    answer: Option<(Option<GroundTerm>, Source)>,
    /// When the answer was given.
    answered: Option<Duration>,
    /// Whether a connection could not deliver the answer.
    lost: bool,
}

impl Turn {
    pub(crate) fn new(
        step: usize,
        sent: protocol::Turn,
        repeats: Option<usize>,
        number: Option<u64>,
        times: Times,
    ) -> Arc<Turn> {
        Arc::new(Turn {
            step,
            sent,
            repeats,
            number,
            times,
            stop: Stop::default(),
            over: Stop::default(),
            best: BestMove::default(),
            state: Mutex::default(),
            changed: Condvar::new(),
        })
    }

    /// Reports that the thinker follows, and how to spell what its player publishes.
    pub(crate) fn thinker_follows(&self, speller: Speller) {
        self.update(|known| known.speller = Some(speller));
    }

    /// Reports the thinker's legal moves.
    pub(crate) fn thinker_legal(&self, legal: Arc<LegalMoves>) {
        self.update(|known| known.legal = Some(legal));
    }

    /// Reports that the thinker is done, with a decision or without.
    pub(crate) fn thinker_done(&self, choice: Option<GroundTerm>) {
        self.update(|known| {
            known.choice = choice;
            known.thinker_done = true;
        });
    }

    /// Reports a legal move that the referee knows before it knows all of them.
    pub(crate) fn referee_first(&self, first: GroundTerm) {
        self.update(|known| known.first = Some(first));
    }

    /// Reports that the referee is done; `None` if it does not know what is legal.
    pub(crate) fn referee_done(&self, allowed: Option<LegalMoves>) {
        self.update(|known| {
            known.allowed = allowed;
            known.referee_done = true;
        });
    }

    /// Ends the turn: its answer is not needed any more. Waiting connections get what there is.
    pub(crate) fn call_off(&self) {
        self.stop.stop();
        self.over.stop();
        self.update(|known| known.called_off = true);
    }

    /// Records whether the answer was lost; false when it is being sent again.
    pub(crate) fn mark_lost(&self, lost: bool) {
        self.update(|known| known.lost = lost);
    }

    /// Whether no answer was given yet, or the answer is known to be lost.
    pub(crate) fn unanswered(&self) -> bool {
        let known = self.state.lock();
        known.answer.is_none() || known.lost
    }

    /// Whether the answer was given after this time.
    pub(crate) fn answered_after(&self, time: Duration) -> bool {
        let answered = self.state.lock().answered;
        answered.is_some_and(|answered| answered > time)
    }

    /// The move that was answered, if any.
    pub(crate) fn answer(&self) -> Option<GroundTerm> {
        self.state.lock().answer.as_ref()?.0.clone()
    }

    fn update(&self, change: impl FnOnce(&mut Knowledge)) {
        change(&mut self.state.lock());
        self.changed.notify_all();
    }

    /// Waits until an answer is due and returns it. All callers get the same answer.
    pub(crate) fn wait(&self, clock: &dyn Clock) -> (Option<GroundTerm>, Source) {
        let mut known = self.state.lock();
        loop {
            if let Some(answer) = &known.answer {
                return answer.clone();
            }
            let now = clock.now();
            let finished = known.thinker_done && known.referee_done;
            let over = finished || known.called_off || now >= self.times.last_call;
            if over || now >= self.times.answer {
                let answer = known.decide(&self.best);
                if over || answer.0.is_some() {
                    self.stop.stop();
                    known.answer = Some(answer);
                    known.answered = Some(now);
                    self.changed.notify_all();
                    continue;
                }
            }
            // Before the answer is due, only the workers can change it. Later the player may
            // publish at any time without a notification.
            let pause = if now < self.times.answer {
                self.times.answer - now
            } else {
                (self.times.last_call - now).min(Duration::from_millis(5))
            };
            self.changed.wait_for(&mut known, pause);
        }
    }
}

impl Knowledge {
    /// The best answer that can be given now.
    fn decide(&self, best: &BestMove) -> (Option<GroundTerm>, Source) {
        type Candidate<'a> = (&'a dyn Fn() -> Option<GroundTerm>, Source);
        let so_far = || match &self.legal {
            Some(legal) => legal.term(best.get()?),
            None => self.speller.as_ref()?.term(best.get()?),
        };
        let first = || self.legal.as_ref()?.first();
        let allowed = || self.allowed.as_ref()?.first();
        // Spelled one after the other, since one will do.
        let candidates: [Candidate<'_>; 5] = [
            (&|| self.choice.clone(), Source::Choice),
            (&so_far, Source::BestSoFar),
            (&first, Source::FirstLegal),
            (&allowed, Source::FirstLegal),
            (&|| self.first.clone(), Source::FirstLegal),
        ];
        for (candidate, source) in candidates {
            if let Some(term) = candidate() {
                match &self.allowed {
                    Some(allowed) if !allowed.is_empty() && !allowed.contains(&term) => {}
                    _ => return (Some(term), source),
                }
            }
        }
        (None, Source::Nothing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::legal::Speller;
    use budget::ManualClock;
    use game::{Engine, MoveId, RoleId};
    use testkit::toys::TakeAway;

    fn turn() -> Arc<Turn> {
        let times = Times {
            think: Duration::from_secs(1),
            answer: Duration::from_secs(2),
            last_call: Duration::from_secs(3),
            ponder: Duration::from_secs(4),
        };
        Turn::new(0, protocol::Turn::new("m", None), None, None, times)
    }

    fn speller() -> Speller {
        Speller::new(TakeAway::new(1, 9, 9).fork(), RoleId(0))
    }

    /// Legal moves to take so many tokens.
    fn moves(ids: &[u32]) -> LegalMoves {
        LegalMoves::new(ids.iter().map(|&id| MoveId(id)).collect(), &speller())
    }

    fn take(count: u32) -> GroundTerm {
        format!("(take {count})").parse().expect("a term")
    }

    /// The answer after the deadline.
    fn late(turn: &Turn) -> (Option<GroundTerm>, Source) {
        let clock = ManualClock::default();
        clock.advance(Duration::from_secs(4));
        turn.wait(&clock)
    }

    #[test]
    fn moves_illegal_for_the_referee_are_never_answered() {
        let turn = turn();
        turn.thinker_legal(Arc::new(moves(&[1, 2])));
        turn.thinker_done(Some(take(1)));
        turn.referee_done(Some(moves(&[3, 2])));
        let answer = turn.wait(&ManualClock::default());
        // The thinker's first move is not legal either.
        assert_eq!(answer, (Some(take(3)), Source::FirstLegal));
        assert_eq!(turn.answer(), Some(take(3)));
    }

    #[test]
    fn at_the_deadline_the_best_so_far_is_taken() {
        let turn = turn();
        turn.thinker_legal(Arc::new(moves(&[1, 2])));
        turn.best.publish(MoveId(2));
        assert_eq!(late(&turn), (Some(take(2)), Source::BestSoFar));
        assert!(turn.stop.is_stopped());
        // A repeated request gets the same, whatever came later.
        turn.thinker_done(Some(take(1)));
        assert_eq!(late(&turn), (Some(take(2)), Source::BestSoFar));
    }

    #[test]
    fn published_moves_that_are_not_legal_are_not_taken() {
        let turn = turn();
        turn.thinker_legal(Arc::new(moves(&[1, 2])));
        turn.best.publish(MoveId(7));
        assert_eq!(late(&turn), (Some(take(1)), Source::FirstLegal));
    }

    #[test]
    fn published_moves_are_taken_where_there_was_no_time_to_list_all() {
        let turn = turn();
        turn.thinker_follows(speller());
        turn.referee_first(take(5));
        turn.best.publish(MoveId(2));
        assert_eq!(late(&turn), (Some(take(2)), Source::BestSoFar));
    }

    #[test]
    fn one_legal_move_is_an_answer_before_all_are_known() {
        let turn = turn();
        turn.referee_first(take(5));
        assert_eq!(late(&turn), (Some(take(5)), Source::FirstLegal));
    }

    #[test]
    fn without_a_thinker_the_referee_answers_and_without_both_nobody() {
        let first = turn();
        first.thinker_done(None);
        first.referee_done(Some(moves(&[4])));
        let answer = first.wait(&ManualClock::default());
        assert_eq!(answer, (Some(take(4)), Source::FirstLegal));
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
