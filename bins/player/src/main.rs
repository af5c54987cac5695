//! The command line of Rocinante.

fn main() {}
