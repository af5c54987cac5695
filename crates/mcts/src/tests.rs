//! Whole searches of games whose best moves are known.

mod amaf;
mod batches;
mod children;
mod fans;
mod proofs;
mod resources;
mod simultaneous;
mod solving;

use crate::{Builder, Config, Limits, Report, Search};
use budget::Budget;
use game::{Engine, Playouts, RoleId, ScalarPlayouts, State};

/// Bytes of a search with enough memory.
const MEMORY: usize = 64 << 20;

/// A search with the default parameters.
fn search(engine: impl Engine + 'static, role: usize) -> Search {
    search_with(engine, role, Config::default())
}

fn search_with(engine: impl Engine + 'static, role: usize, config: Config) -> Search {
    builder_for(engine, role, config).build()
}

/// A search with plain playouts, before it is built.
fn builder_for(engine: impl Engine + 'static, role: usize, config: Config) -> Builder {
    let playouts = ScalarPlayouts::new(engine.fork(), 3, 1000);
    let search = seeded(Box::new(engine), Box::new(playouts), MEMORY);
    search.role(RoleId(role)).config(config)
}

/// A search with these playouts and so many bytes, before it is built.
fn seeded(engine: Box<dyn Engine>, playouts: Box<dyn Playouts>, memory: usize) -> Builder {
    Search::builder(engine, playouts).seed(7).memory(memory)
}

/// A search in batches: 8 playouts from each of 64 leaves.
fn batches() -> Config {
    Config {
        batch: 64,
        playouts: 8,
        ..Config::default()
    }
}

/// Searches for so many playouts.
fn choose(search: &mut Search, state: &State, playouts: u64) -> Report {
    let limits = Limits {
        playouts,
        ..Limits::default()
    };
    search
        .choose(state, limits, &Budget::system(), &|_| ())
        .expect("a legal move")
}
