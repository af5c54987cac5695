//! Network addresses of remote players.

use std::net::SocketAddr;

/// The default port of a player.
const PORT: u16 = 9147;

/// Where a remote player listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    pub(crate) host: String,
    pub(crate) port: u16,
}

impl std::str::FromStr for Address {
    type Err = String;

    /// Parses `http://host:port`. The port and the trailing slash are optional.
    fn from_str(text: &str) -> Result<Self, String> {
        let rest = text
            .strip_prefix("http://")
            .ok_or_else(|| format!("{text} does not begin with http://"))?;
        let rest = rest.trim_end_matches('/');
        // An IPv6 address has its colons in brackets.
        let (host, port) = match rest.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => {
                let port = port.parse().map_err(|_| format!("{port} is no port"))?;
                (host, port)
            }
            _ => (rest, PORT),
        };
        let host = host.trim_start_matches('[').trim_end_matches(']');
        if host.is_empty() || host.contains('/') {
            return Err(format!("{text} is not of the form http://host:port"));
        }
        Ok(Address {
            host: host.to_string(),
            port,
        })
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.host.contains(':') {
            true => write!(f, "[{}]:{}", self.host, self.port),
            false => write!(f, "{}:{}", self.host, self.port),
        }
    }
}

impl From<SocketAddr> for Address {
    fn from(address: SocketAddr) -> Self {
        Address {
            host: address.ip().to_string(),
            port: address.port(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_parsed() {
        for (text, wanted) in [
            ("http://localhost:1", "localhost:1"),
            ("http://127.0.0.1/", "127.0.0.1:9147"),
            ("http://[::1]:80", "[::1]:80"),
            ("http://[::1]", "[::1]:9147"),
        ] {
            let address: Address = text.parse().expect(text);
            assert_eq!(address.to_string(), wanted);
        }
        for text in ["localhost:1", "http://", "http://a:b", "http://a:99999"] {
            assert!(text.parse::<Address>().is_err(), "{text}");
        }
    }

    #[test]
    fn socket_addresses_convert() {
        let socket: SocketAddr = "[::1]:80".parse().expect("one");
        assert_eq!(Address::from(socket).to_string(), "[::1]:80");
    }
}
