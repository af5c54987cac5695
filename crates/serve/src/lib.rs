//! A GGP player as an HTTP service: connections, matches, clocks.
