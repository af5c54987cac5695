//! Taking moves back.

use super::{local, run};
use crate::*;
use game::Engine;
use std::collections::VecDeque;
use std::sync::mpsc::{Sender, channel};
use testkit::toys::TakeAway;

/// Plays these moves, and takes back where there is none. Tells of every turn its number,
/// whether there was a move before it, and whether a move could be taken back.
struct Script {
    moves: VecDeque<Option<&'static str>>,
    turns: Sender<(usize, bool, bool)>,
    anywhere: bool,
}

impl Participant for Script {
    fn name(&self) -> String {
        "script".into()
    }
    fn can_go_back(&self) -> bool {
        self.anywhere
    }
    fn start(&mut self, _: &Opening<'_>) -> Result<(), Fault> {
        Ok(())
    }
    fn play(&mut self, turn: &Turn<'_>) -> Result<Answer, Fault> {
        let told = (turn.step, turn.previous.is_some(), turn.may_take_back);
        self.turns.send(told).expect("the test listens");
        let mv = self.moves.pop_front().unwrap_or(Some("(take 1)"));
        Ok(Answer {
            mv: mv.ok_or(Fault::TakeBack)?.parse().expect("a term"),
            note: None,
            thought: None,
        })
    }
}

/// The outcome of a match of a script against the first legal move, and the script's turns.
fn played(moves: &[Option<&'static str>], anywhere: bool) -> (Outcome, Vec<(usize, bool, bool)>) {
    let (turns, told) = channel();
    let script = Script {
        moves: moves.iter().copied().collect(),
        turns,
        anywhere,
    };
    let game = TakeAway::new(2, 9, 3);
    let legal = local(&game, players::Legal::default());
    let outcome = run(game.clone(), vec![Box::new(script), legal]);
    let mut referee: Box<dyn Engine> = Box::new(game);
    assert_eq!(records::validate(&outcome.record, &mut *referee), Ok(()));
    (outcome, told.try_iter().collect())
}

#[test]
fn a_decision_is_made_again_and_what_followed_is_undone() {
    let script = [
        Some("(take 1)"),
        Some("(take 3)"),
        None,
        None,
        Some("(take 2)"),
    ];
    let (outcome, turns) = played(&script, true);
    let expected = [
        (0, false, false),
        (2, true, true),
        (4, true, true),
        (2, true, true),
        (0, false, false),
        (2, true, true),
    ];
    assert_eq!(turns[..6], expected);
    assert_eq!(outcome.end, End::Terminal);
    assert_eq!(outcome.counts, [FaultCount::default(); 2]);
    let moves = &outcome.record.moves;
    assert_eq!(moves[0][0], "(take 2)");
    assert_eq!(moves.len(), outcome.steps);
    assert_eq!(outcome.record.states.len(), outcome.steps + 1);
}

#[test]
fn faults_that_are_taken_back_do_not_count() {
    let (outcome, _) = played(&[Some("(take 9)"), None, Some("(take 1)")], true);
    assert_eq!(outcome.counts[0].total(), 0);
    assert_eq!(outcome.record.errors[1], ["", ""]);
}

#[test]
fn what_cannot_be_taken_back_is_no_answer() {
    for (script, anywhere) in [(&[None][..], true), (&[Some("(take 1)"), None], false)] {
        let (outcome, turns) = played(script, anywhere);
        assert_eq!(outcome.counts[0].late, 1);
        assert!(turns.iter().take(script.len()).all(|turn| !turn.2));
    }
}
