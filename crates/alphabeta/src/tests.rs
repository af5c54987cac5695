//! The tests of `dfpn` on this prover.

#[path = "../../dfpn/src/tests.rs"]
mod as_dfpn;
