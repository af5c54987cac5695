//! From rulesheet text to the best engine that a budget allows.
