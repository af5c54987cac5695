//! Listening for connections.

use crate::connection;
use crate::connections::Connections;
use crate::limits::ServerLimits;
use crate::service::Service;
use budget::Stop;
use protocol::http::write_response;
use std::io::{self, Write};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use tracing::{debug, warn};

/// How often a running server checks whether to end, and whether a match is dead.
const TICK: Duration = Duration::from_millis(50);

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

fn accept(listener: &TcpListener, service: &Arc<Service>, limits: ServerLimits, closing: &Stop) {
    let connections = Connections::new(limits);
    let mut refused = 0_u64;
    loop {
        let accepted = listener.accept();
        if closing.is_stopped() {
            return;
        }
        let (stream, peer) = match accepted {
            Ok((stream, peer)) => (Arc::new(stream), peer),
            Err(error) => {
                // Out of file descriptors, or the peer has already left: both are temporary.
                debug!("accepting failed: {error}");
                thread::sleep(TICK);
                continue;
            }
        };
        let Some(place) = connections.admit(&stream, peer.ip()) else {
            refused += 1;
            // A flood of connections is not to be one of lines.
            if refused.is_power_of_two() {
                warn!(%peer, refused, "too many connections at a time; one more is refused");
            }
            let _ = stream.set_write_timeout(Some(TICK));
            let _ = (&*stream).write_all(&write_response("busy"));
            continue;
        };
        // The clocks of matches start here, however long the thread takes to start.
        let arrived = service.clock().now();
        let service = service.clone();
        let spawned = thread::Builder::new()
            .name("connection".into())
            .spawn(move || connection::serve(&stream, place, arrived, &service, &limits));
        if let Err(error) = spawned {
            warn!("no thread for a connection: {error}");
        }
    }
}
