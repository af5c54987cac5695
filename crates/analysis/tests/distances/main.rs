//! Distances and couplings on real networks.

mod common;
mod couplings;
mod known;
mod naive;
mod sound;
