//! Plays straight from the rules by tabled evaluation, with no grounding.
