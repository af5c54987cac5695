//! Whether a port can be listened on and reached.

use serde::Serialize;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

/// The longest wait for a connection or a byte.
const PATIENCE: Duration = Duration::from_secs(2);

/// What came of an attempt to use a port on this machine.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "state")]
pub enum Port {
    /// A message went there and back.
    Open {
        /// The port.
        port: u16,
        /// How long that took, in milliseconds.
        round_trip_ms: f64,
    },
    /// It cannot be used.
    Closed {
        /// The port.
        port: u16,
        /// What the system says.
        why: String,
        /// Whether something listens there already.
        in_use: bool,
    },
}

impl Port {
    /// Listens on a port of the loopback interface, connects to it, and sends a byte there and
    /// back.
    pub fn try_out(port: u16) -> Port {
        match round_trip(port) {
            Ok(time) => Port::Open {
                port,
                round_trip_ms: time.as_secs_f64() * 1000.0,
            },
            Err(error) => Port::Closed {
                port,
                in_use: error.kind() == io::ErrorKind::AddrInUse,
                why: error.to_string(),
            },
        }
    }
}

fn round_trip(port: u16) -> io::Result<Duration> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    let address: SocketAddr = listener.local_addr()?;
    let began = Instant::now();
    // The backlog takes the connection, so that one thread is enough.
    let mut client = TcpStream::connect_timeout(&address, PATIENCE)?;
    let (mut server, _) = listener.accept()?;
    for stream in [&client, &server] {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
    }
    let mut byte = [7];
    client.write_all(&byte)?;
    server.read_exact(&mut byte)?;
    server.write_all(&byte)?;
    client.read_exact(&mut byte)?;
    Ok(began.elapsed())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_free_port_is_open_and_a_taken_one_is_in_use() {
        let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("some port is free");
        let port = taken.local_addr().expect("it has one").port();
        assert!(matches!(
            Port::try_out(port),
            Port::Closed { in_use: true, .. }
        ));
        assert!(matches!(Port::try_out(0), Port::Open { .. }));
    }
}
