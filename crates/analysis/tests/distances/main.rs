//! Tests of distances and couplings on real networks.

mod common;
mod couplings;
mod known;
mod lanes;
mod naive;
mod sound;
