//! What is wrong with a rulesheet: errors that make it unplayable, warnings that do not.
