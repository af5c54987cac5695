//! What there is to see of a match: for the screen, and for humans who ask.

use game::GroundTerm;
use matches::{Participant, Step};
use parking_lot::Mutex;
use show::Viewer;
use std::sync::Arc;

/// What there is to see of a match. Clones share it.
#[derive(Clone)]
pub struct Seen(Arc<Inner>);

struct Inner {
    viewer: Viewer,
    /// Players that follow the match elsewhere, so that moves cannot be taken back.
    elsewhere: Mutex<Vec<String>>,
    /// What the player of each role thought about its last choice.
    thoughts: Mutex<Vec<Option<String>>>,
}

impl Seen {
    /// The view of a game with so many roles.
    pub fn new(viewer: Viewer, roles: usize) -> Seen {
        Seen(Arc::new(Inner {
            viewer,
            elsewhere: Mutex::default(),
            thoughts: Mutex::new(vec![None; roles]),
        }))
    }

    /// A match begins.
    pub fn opening(&self, participants: &[Box<dyn Participant>]) {
        let elsewhere = participants.iter().filter(|one| !one.can_go_back());
        *self.0.elsewhere.lock() = elsewhere.map(|one| one.name()).collect();
        self.forget();
    }

    /// Forgets what was thought.
    pub fn forget(&self) {
        self.0.thoughts.lock().fill(None);
    }

    /// A joint move was played.
    pub fn moved(&self, step: &Step<'_>) {
        let mut thoughts = self.0.thoughts.lock();
        for (role, thought) in step.thoughts.iter().enumerate() {
            // Without a choice nothing is thought.
            if let Some(thought) = thought {
                let (sentence, role_name) = (thought.sentence(), &step.roles[role]);
                thoughts[role] = Some(format!("{role_name} {sentence}\n  {thought}"));
            }
        }
    }

    /// What all players thought about their last choices.
    pub fn why(&self) -> String {
        let thoughts = self.0.thoughts.lock();
        let told: Vec<String> = thoughts.iter().flatten().cloned().collect();
        match told.is_empty() {
            true => "nobody has told what it thought".to_owned(),
            false => told.join("\n"),
        }
    }

    /// Why no move can be taken back.
    pub fn no_way_back(&self) -> String {
        let elsewhere = self.0.elsewhere.lock();
        match elsewhere.is_empty() {
            true => "there is no move of yours to take back".to_owned(),
            false => format!(
                "moves cannot be taken back: elsewhere the match is followed move by move ({})",
                elsewhere.join(", ")
            ),
        }
    }

    /// The facts of a state as text.
    pub fn draw(&self, facts: &[GroundTerm]) -> String {
        self.0.viewer.draw(facts)
    }
}
