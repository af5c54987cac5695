//! The archive that players use: it never fails, and never makes them wait for long.

use crate::{Store, StoreError};
use metagame::{Archive, Learnt, Plan};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;

/// Whom failures are told.
type Tell = Arc<dyn Fn(&str) + Send + Sync>;

/// A store whose failures are warnings. What takes long to write is written by a thread of its
/// own; dropping the keeper waits for that.
pub struct Keeper {
    store: Arc<Store>,
    tell: Tell,
    /// What is to be written: the game, and what was learnt about it.
    queue: Option<Sender<(u64, Learnt)>>,
    writer: Option<JoinHandle<()>>,
}

impl Keeper {
    /// A keeper of a store. `tell` is told what fails, in a sentence.
    pub fn new(store: Store, tell: Tell) -> Keeper {
        let store = Arc::new(store);
        let (queue, wanted) = channel::<(u64, Learnt)>();
        let (written, told) = (store.clone(), tell.clone());
        let writer = std::thread::spawn(move || {
            for (game, learnt) in wanted {
                if let Err(error) = written.keep_learnt(game, &learnt) {
                    told(&sentence(&written, "what was learnt is not kept", &error));
                }
            }
        });
        Keeper {
            store,
            tell,
            queue: Some(queue),
            writer: Some(writer),
        }
    }
}

fn sentence(store: &Store, what: &str, error: &StoreError) -> String {
    format!("{}: {what}: {error}", store.path().display())
}

impl Keeper {
    fn warn(&self, what: &str, error: &StoreError) {
        (self.tell)(&sentence(&self.store, what, error));
    }
}

impl Archive for Keeper {
    fn plan(&self, game: u64) -> Option<Plan> {
        self.store.plan(game).unwrap_or_else(|error| {
            self.warn("the plan is not read", &error);
            None
        })
    }

    fn keep_plan(&self, game: u64, plan: &Plan) {
        if let Err(error) = self.store.keep_plan(game, plan) {
            self.warn("the plan is not kept", &error);
        }
    }

    fn learnt(&self, game: u64) -> Option<Learnt> {
        self.store.learnt(game).unwrap_or_else(|error| {
            self.warn("what was learnt is not read", &error);
            None
        })
    }

    fn keep_learnt(&self, game: u64, learnt: Learnt) {
        // The thread ends only after the queue.
        if let Some(queue) = &self.queue {
            let _ = queue.send((game, learnt));
        }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.queue = None;
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}
