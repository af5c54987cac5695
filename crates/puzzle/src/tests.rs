//! Tests of all methods on whole puzzles.
