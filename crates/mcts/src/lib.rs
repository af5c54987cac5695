//! Monte-Carlo tree search over any engine.
