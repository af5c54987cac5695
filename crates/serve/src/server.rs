//! Listening for connections.

use crate::connection;
use crate::service::Service;
use budget::Stop;
use protocol::http::{HttpLimits, write_response};
use std::io::{self, Write};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;
use tracing::{debug, warn};

/// How often a running server checks whether to end, and whether a match is dead.
const TICK: Duration = Duration::from_millis(50);

/// Limits for peers.
#[derive(Debug, Clone, Copy)]
pub struct ServerLimits {
    /// Sizes of requests.
    pub http: HttpLimits,
    /// After this long without a byte, a request counts as complete if it can be. [default: 0.4
    /// s]
    pub quiet: Duration,
    /// After this long without a byte, a request is given up. [default: 10 s]
    pub idle: Duration,
    /// A request is given up if it takes longer than this to arrive. [default: 60 s]
    pub request: Duration,
    /// The most connections at a time. [default: 64]
    pub connections: usize,
}

impl Default for ServerLimits {
    fn default() -> Self {
        ServerLimits {
            http: HttpLimits::default(),
            quiet: Duration::from_millis(400),
            idle: Duration::from_secs(10),
            request: Duration::from_secs(60),
            connections: 64,
        }
    }
}

/// Listens on an address and answers with a [`Service`], each connection in its own thread.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    service: Arc<Service>,
    limits: ServerLimits,
}

impl Server {
    /// Starts listening. Connections wait until [`Server::run`].
    ///
    /// # Errors
    /// If it cannot listen on the address.
    pub fn bind(
        address: SocketAddr,
        service: Arc<Service>,
        limits: ServerLimits,
    ) -> io::Result<Server> {
        let listener = TcpListener::bind(address)?;
        Ok(Server {
            address: listener.local_addr()?,
            listener,
            service,
            limits,
        })
    }

    /// The address it listens on, with the actual port if port 0 was requested.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until `stop`, then ends a running match.
    ///
    /// # Errors
    /// If the listening thread cannot be started.
    pub fn run(self, stop: &Stop) -> io::Result<()> {
        let Server {
            listener,
            address,
            service,
            limits,
        } = self;
        let closing = Stop::default();
        let acceptor = {
            let (service, closing) = (service.clone(), closing.clone());
            thread::Builder::new()
                .name("acceptor".into())
                .spawn(move || accept(&listener, &service, limits, &closing))?
        };
        while !stop.is_stopped() && !acceptor.is_finished() {
            thread::sleep(TICK);
            service.tick();
        }
        closing.stop();
        service.shut_down();
        // The acceptor waits for a connection; this one wakes it.
        let woken = TcpStream::connect_timeout(&reachable(address), Duration::from_secs(1)).is_ok();
        if woken || acceptor.is_finished() {
            let _ = acceptor.join();
        }
        Ok(())
    }
}

/// The address under which this machine reaches the server.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        address.set_ip(match address {
            SocketAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    address
}

/// Counts a connection while it is open.
struct Slot(Arc<AtomicUsize>);

impl Drop for Slot {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

fn accept(listener: &TcpListener, service: &Arc<Service>, limits: ServerLimits, closing: &Stop) {
    let open = Arc::new(AtomicUsize::new(0));
    loop {
        let accepted = listener.accept();
        if closing.is_stopped() {
            return;
        }
        let mut stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                // Out of file descriptors, or the peer has already left: both are temporary.
                debug!("accepting failed: {error}");
                thread::sleep(TICK);
                continue;
            }
        };
        let slot = Slot(open.clone());
        if open.fetch_add(1, Ordering::AcqRel) >= limits.connections {
            warn!("more than {} connections", limits.connections);
            let _ = stream.set_write_timeout(Some(TICK));
            let _ = stream.write_all(&write_response("busy"));
            continue;
        }
        // The clocks of matches start here, however long the thread takes to start.
        let arrived = service.clock().now();
        let service = service.clone();
        let spawned = thread::Builder::new()
            .name("connection".into())
            .spawn(move || {
                connection::serve(stream, arrived, &service, &limits);
                drop(slot);
            });
        if let Err(error) = spawned {
            warn!("no thread for a connection: {error}");
        }
    }
}
