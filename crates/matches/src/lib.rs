//! Plays one match between any players, with clocks, and records it.
