//! Who may ask for what: no page from elsewhere, no name that was pointed at this machine, and
//! only those who know the token if there is one.

use axum::http::header::{COOKIE, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri};

/// The name of the cookie with the token.
pub(crate) const COOKIE_NAME: &str = "rocinante-table";

/// The policy for all pages: scripts, styles and connections are those of this server alone.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
     connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Why a request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The host that was asked for is none of ours.
    Host,
    /// The request comes from a page of another server.
    Origin,
    /// The token is missing or wrong.
    Token,
}

/// Whether a request is answered. `open` is whether others than this machine can reach the server.
pub(crate) fn check(
    method: &Method,
    uri: &Uri,
    headers: &HeaderMap,
    open: bool,
    token: Option<&str>,
) -> Result<(), Refusal> {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let host = text(HOST).ok_or(Refusal::Host)?;
    if !is_ours(host, open) {
        return Err(Refusal::Host);
    }
    let same = text(ORIGIN).map(|origin| origin == format!("http://{host}"));
    match (method, same) {
        (_, Some(false)) => return Err(Refusal::Origin),
        // Browsers always say where such a request comes from.
        (&Method::GET | &Method::HEAD, _) | (_, Some(true)) => {}
        _ => return Err(Refusal::Origin),
    }
    let Some(token) = token else {
        return Ok(());
    };
    let cookies = text(COOKIE).unwrap_or("");
    let mut cookies = cookies
        .split(';')
        .filter_map(|one| one.trim().split_once('='));
    let given = cookies
        .find(|(name, _)| *name == COOKIE_NAME)
        .map(|(_, value)| value);
    let given = given.or_else(|| token_of(uri));
    match given.is_some_and(|given| equal(given, token)) {
        true => Ok(()),
        false => Err(Refusal::Token),
    }
}

/// The token in an address.
pub(crate) fn token_of(uri: &Uri) -> Option<&str> {
    let pairs = uri.query()?.split('&');
    let mut pairs = pairs.filter_map(|pair| pair.split_once('='));
    pairs
        .find(|(name, _)| *name == "token")
        .map(|(_, value)| value)
}

/// Whether a `Host` is a name of this machine. If others can reach the server, any address of
/// numbers will do as well; a name could be pointed here by somebody else.
fn is_ours(host: &str, open: bool) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.parse::<u16>().is_ok() => name,
        _ => host,
    };
    let name = name.trim_start_matches('[').trim_end_matches(']');
    let address = name.parse::<std::net::IpAddr>();
    name == "localhost" || address.is_ok_and(|address| open || address.is_loopback())
}

/// Compares without telling by the time where texts differ.
fn equal(one: &str, other: &str) -> bool {
    let pairs = one.bytes().zip(other.bytes());
    let differ = pairs.fold(0, |differ, (a, b)| differ | (a ^ b));
    one.len() == other.len() && differ == 0
}

/// What every answer carries.
pub(crate) fn headers() -> [(HeaderName, HeaderValue); 4] {
    let fixed = |name, value| {
        (
            HeaderName::from_static(name),
            HeaderValue::from_static(value),
        )
    };
    [
        fixed("content-security-policy", POLICY),
        fixed("x-content-type-options", "nosniff"),
        fixed("referrer-policy", "same-origin"),
        fixed("cache-control", "no-store"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(
        method: &str,
        address: &str,
        lines: &[(&str, &str)],
        open: bool,
        token: Option<&str>,
    ) -> Result<(), Refusal> {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            let name: HeaderName = name.parse().expect("a header");
            headers.insert(name, value.parse().expect("a value"));
        }
        let uri = address.parse().expect("an address");
        check(
            &method.parse().expect("a method"),
            &uri,
            &headers,
            open,
            token,
        )
    }

    #[test]
    fn pages_from_elsewhere_are_refused() {
        let here = ("host", "127.0.0.1:9148");
        let post = |origin| told("POST", "/", &[here, ("origin", origin)], false, None);
        assert_eq!(post("http://127.0.0.1:9148"), Ok(()));
        assert_eq!(post("http://127.0.0.1:9149"), Err(Refusal::Origin));
        assert_eq!(post("https://127.0.0.1:9148"), Err(Refusal::Origin));
        assert_eq!(post("http://elsewhere.example"), Err(Refusal::Origin));
        assert_eq!(post("null"), Err(Refusal::Origin));
        assert_eq!(
            told("POST", "/", &[here], false, None),
            Err(Refusal::Origin)
        );
        assert_eq!(told("GET", "/", &[here], false, None), Ok(()));
        let foreign = [here, ("origin", "http://elsewhere.example")];
        assert_eq!(
            told("GET", "/", &foreign, false, None),
            Err(Refusal::Origin)
        );
    }

    #[test]
    fn only_names_of_this_machine_are_answered() {
        let get = |host, open| told("GET", "/", &[("host", host)], open, None);
        for host in ["localhost:1", "127.0.0.1", "[::1]:9148", "127.9.9.9:80"] {
            assert_eq!(get(host, false), Ok(()), "{host}");
        }
        for host in [
            "elsewhere.example",
            "localhost.example:1",
            "10.0.0.1:1",
            "",
            "[::2]:1",
        ] {
            assert_eq!(get(host, false), Err(Refusal::Host), "{host}");
        }
        assert_eq!(get("10.0.0.1:1", true), Ok(()));
        assert_eq!(get("elsewhere.example", true), Err(Refusal::Host));
        assert_eq!(told("GET", "/", &[], false, None), Err(Refusal::Host));
    }

    #[test]
    fn a_token_is_in_the_address_once_and_in_a_cookie_then() {
        let here = ("host", "localhost");
        let get = |address, cookie| {
            told(
                "GET",
                address,
                &[here, ("cookie", cookie)],
                true,
                Some("abc"),
            )
        };
        assert_eq!(get("/?token=abc", ""), Ok(()));
        assert_eq!(get("/", "x=1; rocinante-table=abc"), Ok(()));
        for (address, cookie) in [
            ("/", ""),
            ("/?token=ab", ""),
            ("/?token=abcd", ""),
            ("/", "rocinante-table=abd"),
        ] {
            assert_eq!(
                get(address, cookie),
                Err(Refusal::Token),
                "{address} {cookie}"
            );
        }
    }
}
