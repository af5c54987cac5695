//! Limits for peers.

use protocol::http::HttpLimits;
use std::time::Duration;

/// Limits for peers, so that none of them can take the player from the others.
#[derive(Debug, Clone, Copy)]
pub struct ServerLimits {
    /// Sizes of a request.
    pub http: HttpLimits,
    /// After this long without a byte, a request counts as complete if it can be. [default: 0.4
    /// s]
    pub quiet: Duration,
    /// After this long without a byte, a request is given up. [default: 10 s]
    pub idle: Duration,
    /// The whole head must arrive within this time. [default: 10 s]
    pub head: Duration,
    /// The whole request must arrive within this time. [default: 60 s]
    pub request: Duration,
    /// The most connections at a time. [default: 64]
    ///
    /// When all are taken, one that still waits for its request gives way to a new one.
    pub connections: usize,
    /// The most connections at a time of one peer, which is an address. [default: 32]
    pub per_peer: usize,
    /// The most bytes of requests that are held at a time, of all connections. [default: 64
    /// MiB]
    pub held: usize,
}

impl Default for ServerLimits {
    fn default() -> Self {
        ServerLimits {
            http: HttpLimits::default(),
            quiet: Duration::from_millis(400),
            idle: Duration::from_secs(10),
            head: Duration::from_secs(10),
            request: Duration::from_secs(60),
            connections: 64,
            per_peer: 32,
            held: 64 << 20,
        }
    }
}
