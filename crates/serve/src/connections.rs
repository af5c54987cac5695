//! The open connections: how many there may be, and which of them gives way.
//!
//! A connection whose request has arrived is answered. One that still waits for its request may
//! wait for ever, on purpose or not. So when all places are taken, it is one of these that gives
//! way, the oldest of the peer that has most: floods of idle connections keep nobody out.

use crate::limits::ServerLimits;
use parking_lot::Mutex;
use std::net::{IpAddr, Shutdown, TcpStream};
use std::sync::Arc;

/// All open connections.
pub(crate) struct Connections {
    limits: ServerLimits,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The connections that have a place, oldest first.
    open: Vec<Open>,
    next: u64,
    /// How many there are with those that gave way and have not ended yet.
    all: usize,
    /// The bytes of requests that are held.
    held: usize,
}

struct Open {
    number: u64,
    peer: IpAddr,
    stream: Arc<TcpStream>,
    /// Whether its request has not arrived yet.
    waits: bool,
}

/// A connection's place, which is free again when this is dropped.
pub(crate) struct Place {
    of: Arc<Connections>,
    number: u64,
    held: usize,
}

/// Too many bytes of requests are held already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Full;

impl Connections {
    pub(crate) fn new(limits: ServerLimits) -> Arc<Self> {
        Arc::new(Connections {
            limits,
            state: Mutex::default(),
        })
    }

    /// A place for a new connection. `None` if no other one can give way.
    pub(crate) fn admit(self: &Arc<Self>, stream: &Arc<TcpStream>, peer: IpAddr) -> Option<Place> {
        // An IPv4 address may be written as one of IPv6.
        let peer = peer.to_canonical();
        let mut state = self.state.lock();
        let count = |peer| state.open.iter().filter(|open| open.peer == peer).count();
        if state.all >= 2 * self.limits.connections {
            return None;
        }
        let mut waiting = state.open.iter().enumerate().filter(|(_, open)| open.waits);
        let yields = if count(peer) >= self.limits.per_peer {
            Some(waiting.find(|(_, open)| open.peer == peer)?.0)
        } else if state.open.len() >= self.limits.connections {
            // Of equals `max_by_key` takes the last, and the oldest is to give way.
            let most = waiting.rev().max_by_key(|(_, open)| count(open.peer));
            Some(most?.0)
        } else {
            None
        };
        if let Some(at) = yields {
            // Its thread finds the connection ended.
            let _ = state.open.remove(at).stream.shutdown(Shutdown::Both);
        }
        let number = state.next;
        state.next += 1;
        state.all += 1;
        state.open.push(Open {
            number,
            peer,
            stream: stream.clone(),
            waits: true,
        });
        Some(Place {
            of: self.clone(),
            number,
            held: 0,
        })
    }
}

impl Place {
    /// Notes that so many more bytes of the request are held.
    ///
    /// # Errors
    /// If all connections together would hold too many.
    pub(crate) fn hold(&mut self, bytes: usize) -> Result<(), Full> {
        let mut state = self.of.state.lock();
        if state.held + bytes > self.of.limits.held {
            return Err(Full);
        }
        state.held += bytes;
        self.held += bytes;
        Ok(())
    }

    /// Notes that the request has arrived: the connection will be answered.
    pub(crate) fn has_request(&self) {
        let mut state = self.of.state.lock();
        let mine = state
            .open
            .iter_mut()
            .find(|open| open.number == self.number);
        if let Some(open) = mine {
            open.waits = false;
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut state = self.of.state.lock();
        state.open.retain(|open| open.number != self.number);
        state.all -= 1;
        state.held -= self.held;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;
    use std::net::TcpListener;

    /// Connections to oneself, under the names of any peers.
    struct Rig {
        listener: TcpListener,
        all: Arc<Connections>,
    }

    impl Rig {
        fn new(connections: usize, per_peer: usize) -> Rig {
            Rig {
                listener: TcpListener::bind("127.0.0.1:0").expect("a port"),
                all: Connections::new(ServerLimits {
                    connections,
                    per_peer,
                    held: 100,
                    ..ServerLimits::default()
                }),
            }
        }

        fn open(&self, peer: u8) -> Option<(Place, TcpStream)> {
            let address = self.listener.local_addr().expect("bound");
            let theirs = TcpStream::connect(address).expect("it listens");
            let ours = Arc::new(self.listener.accept().expect("a connection").0);
            let place = self.all.admit(&ours, [10, 0, 0, peer].into())?;
            Some((place, theirs))
        }
    }

    /// Whether the connection was ended from our side.
    fn ended(theirs: &mut TcpStream) -> bool {
        theirs.set_nonblocking(true).expect("a socket");
        matches!(theirs.read(&mut [0; 8]), Ok(0))
    }

    #[test]
    fn the_oldest_waiting_connection_of_the_busiest_peer_gives_way() {
        let rig = Rig::new(4, 4);
        let (_a, mut first) = rig.open(1).expect("a place");
        let (b, mut answered) = rig.open(2).expect("a place");
        b.has_request();
        let (_c, mut second) = rig.open(2).expect("a place");
        let (_d, mut third) = rig.open(2).expect("a place");
        let _e = rig.open(3).expect("one gives way");
        assert!(ended(&mut second));
        assert!(!ended(&mut first) && !ended(&mut answered) && !ended(&mut third));
    }

    #[test]
    fn a_peer_has_only_so_many_and_its_own_give_way() {
        let rig = Rig::new(9, 2);
        let (_other, mut other) = rig.open(1).expect("a place");
        let (_a, mut first) = rig.open(2).expect("a place");
        let (b, _second) = rig.open(2).expect("a place");
        let (c, _third) = rig.open(2).expect("its first gives way");
        assert!(ended(&mut first) && !ended(&mut other));
        b.has_request();
        c.has_request();
        assert!(rig.open(2).is_none(), "both are to be answered");
        drop(b);
        assert!(rig.open(2).is_some());
    }

    #[test]
    fn connections_to_be_answered_keep_their_places() {
        let rig = Rig::new(2, 2);
        let places: Vec<_> = (0..2)
            .map(|peer| rig.open(peer).expect("a place"))
            .collect();
        for (place, _) in &places {
            place.has_request();
        }
        assert!(rig.open(9).is_none());
    }

    #[test]
    fn bytes_are_bounded_over_all_connections() {
        let rig = Rig::new(9, 9);
        let (mut a, _) = rig.open(1).expect("a place");
        let (mut b, _) = rig.open(2).expect("a place");
        assert_eq!(a.hold(60), Ok(()));
        assert_eq!(b.hold(50), Err(Full));
        drop(a);
        assert_eq!(b.hold(50), Ok(()));
    }
}
