//! What must hold for any bytes that come from outside, as plain functions.
//!
//! Each [`Target`] takes bytes and panics if the project handles them wrongly: a panic, an answer
//! that contradicts another one, too much time or memory. A fuzzer searches for such bytes
//! (`cargo xtask fuzz`, whose programs are in `xtask/fuzz`), and the tests of this crate call the
//! same functions with seeds and with mutations of them, so that every build runs them.
//!
//! The crate is apart from the fuzzer because the fuzzer needs a compiler for C++ and the
//! targets do not.
//!
//! Rulesheets are mutated as trees ([`mutate`]): changed bytes rarely get past the parser.

mod bytes;
mod engines;
mod limits;
pub mod mutate;
mod records;
mod seeds;
mod settings;
mod texts;

/// Something that must hold for any bytes.
#[derive(Clone, Copy)]
pub struct Target {
    /// The name, which is that of the fuzzer's program.
    pub name: &'static str,
    /// Panics if the bytes are handled wrongly.
    pub check: fn(&[u8]),
    /// Well-formed inputs to begin with, made from fixtures.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Whether inputs are rulesheets, to be mutated as such.
    pub rules: bool,
}

impl Target {
    /// Checks the bytes, within the time that an input may take.
    ///
    /// # Panics
    /// If they are handled wrongly, or take too long.
    pub fn run(&self, data: &[u8]) {
        limits::timed(|| (self.check)(data));
    }
}

/// All targets.
pub const TARGETS: &[Target] = &[
    Target {
        name: "text",
        check: texts::check,
        seeds: seeds::texts,
        rules: true,
    },
    Target {
        name: "engines",
        check: engines::check,
        seeds: seeds::games,
        rules: true,
    },
    Target {
        name: "bytes",
        check: bytes::check,
        seeds: seeds::conversations,
        rules: false,
    },
    Target {
        name: "records",
        check: records::check,
        seeds: seeds::records,
        rules: false,
    },
    Target {
        name: "settings",
        check: settings::check,
        seeds: seeds::settings,
        rules: false,
    },
];

/// The target with this name.
///
/// # Panics
/// If there is none.
pub fn target(name: &str) -> &'static Target {
    let found = TARGETS.iter().find(|target| target.name == name);
    found.unwrap_or_else(|| panic!("there is no target {name}"))
}
