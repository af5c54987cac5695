//! An engine with what it was made from.

use crate::Compiled;
use game::Engine;
use std::sync::Arc;

/// An engine, and the compiled game that it plays, if it was made from one.
pub struct Playable {
    /// The engine. If the game is compiled, [`Engine::bits`] uses the fact order of `compiled`.
    pub engine: Box<dyn Engine>,
    /// What the engine was made from. `None` for the reasoner and for games written in Rust.
    pub compiled: Option<Arc<Compiled>>,
}

impl Playable {
    /// A second engine for another thread, of the same compiled game.
    pub fn fork(&self) -> Playable {
        Playable {
            engine: self.engine.fork(),
            compiled: self.compiled.clone(),
        }
    }
}

impl From<Box<dyn Engine>> for Playable {
    /// An engine without a compiled game.
    fn from(engine: Box<dyn Engine>) -> Self {
        Playable {
            engine,
            compiled: None,
        }
    }
}
