//! Renames and reorders a rulesheet without changing the game.
