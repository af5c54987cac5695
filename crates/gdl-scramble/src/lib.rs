//! Renames and reorders a rulesheet without changing the game.
//!
//! Match servers scramble the names in a game so that players cannot recognise it. A player
//! must do the same to itself to test whether it depends on names or on the order of rules.
//! [`scramble`] changes both, repeatably for a seed, and returns a [`Mapping`] that translates
//! moves and facts between the two rulesheets.
//!
//! The crate is separate because only servers (the match controller) and tests need it. It
//! works on the syntax tree rather than on text: text replacement, as servers do it, can
//! neither reorder rules nor distinguish a variable from a constant.
//!
//! ```
//! use gdl_scramble::{ScrambleOptions, scramble};
//! let rules = "(role robot) (init (at a)) (<= (legal robot (go ?x)) (true (at ?x)))";
//! let sheet = gdl_parse::parse(rules, &Default::default()).sheet;
//! let scrambled = scramble(&sheet, &ScrambleOptions { seed: 1, ..Default::default() });
//! let term = "(go a)".parse().unwrap();
//! let there = scrambled.mapping.scramble(&term);
//! assert_ne!(there, term);
//! assert_eq!(scrambled.mapping.unscramble(&there), term);
//! ```

mod mapping;
mod order;
mod rewrite;
mod words;

pub use mapping::Mapping;

use gdl_parse::Rulesheet;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The changes to make.
#[derive(Debug, Clone, Copy)]
pub struct ScrambleOptions {
    /// The seed. The same seed gives the same rulesheet. [default: 0]
    pub seed: u64,
    /// Whether names and variables are replaced by invented words. [default: true]
    pub rename: bool,
    /// Whether rules, and the conditions of each rule, change their order. Facts about roles
    /// keep their order, because it has a meaning. [default: false]
    pub shuffle_rules: bool,
    /// Whether the arguments of relations and functions change their order. [default: false]
    pub shuffle_arguments: bool,
    /// The server whose conventions are followed when names are replaced. [default: ggp-base]
    pub style: Style,
}

impl Default for ScrambleOptions {
    fn default() -> Self {
        ScrambleOptions {
            seed: 0,
            rename: true,
            shuffle_rules: false,
            shuffle_arguments: false,
            style: Style::GgpBase,
        }
    }
}

/// The conventions of a server: which words it keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// All keywords stay.
    GgpBase,
    /// `base`, `input` and `random` are replaced like any other name, and everything is in
    /// upper case.
    Dresden,
}

/// A rulesheet of the same game, and the mapping between the two.
#[derive(Debug, Clone)]
pub struct Scrambled {
    /// The changed rules. Spans still refer to the text of the original.
    pub sheet: Rulesheet,
    /// The mapping of terms.
    pub mapping: Mapping,
    style: Style,
}

impl Scrambled {
    /// The rules as a server of the chosen style sends them. For Dresden everything is in upper
    /// case, including keywords.
    pub fn to_wire(&self) -> String {
        let wire = self.sheet.to_wire();
        match self.style {
            Style::GgpBase => wire,
            Style::Dresden => wire.to_ascii_uppercase(),
        }
    }
}

/// Changes `sheet` according to `options`.
pub fn scramble(sheet: &Rulesheet, options: &ScrambleOptions) -> Scrambled {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(options.seed);
    let style = match options.rename {
        true => options.style,
        // Upper case without renaming could merge two names.
        false => Style::GgpBase,
    };
    let mapping = Mapping::new(sheet, options, &mut rng);
    let mut sheet = rewrite::rewrite(sheet, &mapping);
    if options.shuffle_rules {
        order::shuffle(&mut sheet.rules, &mut rng);
    }
    Scrambled {
        sheet,
        mapping,
        style,
    }
}
