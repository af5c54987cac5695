//! The bytes that sloppy peers send, and the messages parsed from them.

use proptest::prelude::*;
use protocol::http::{
    HttpError, HttpLimits, Method, Progress, Request, RequestReader, ResponseReader, write_refusal,
    write_request, write_response,
};
use std::io::Read;

/// Feeds `bytes` in pieces of `size`; then the peer waits without closing.
fn waits(bytes: &[u8], size: usize) -> Result<Progress<Request>, HttpError> {
    let mut reader = RequestReader::default();
    for piece in bytes.chunks(size) {
        if let done @ Progress::Done(_) = reader.feed(piece)? {
            return Ok(done);
        }
    }
    reader.quiet()
}

/// Feeds `bytes` in pieces of `size`; then the peer closes its side.
fn closes(bytes: &[u8], size: usize) -> Result<Request, HttpError> {
    let mut reader = RequestReader::default();
    for piece in bytes.chunks(size) {
        if let Progress::Done(request) = reader.feed(piece)? {
            return Ok(request);
        }
    }
    reader.end()
}

/// The message of `bytes`, which must not depend on how they arrive.
fn message(bytes: &[u8]) -> Option<String> {
    let closed = closes(bytes, bytes.len()).unwrap();
    for size in [1, 2, 7] {
        assert_eq!(closes(bytes, size).unwrap(), closed);
    }
    for size in [1, 3, bytes.len()] {
        assert_eq!(waits(bytes, size), Ok(Progress::Done(closed.clone())));
    }
    closed.message()
}

#[test]
fn messages_of_usual_servers_are_read() {
    // The common server, and an older one that sends no Host.
    for head in [
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: h\r\nSender: GAMESERVER\r\nReceiver: \r\n\
         Content-Type: text/acl\r\nContent-Length: 14\r\n\r\n",
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: Gamecontroller\r\nReceiver: h\r\n\
         Content-type: text/acl\r\nContent-length: 14\r\n\r\n",
        "POST / HTTP/1.1\r\nCONTENT-LENGTH:14\r\n\r\n",
        "post / HTTP/1.0\ncontent-length: 14\n\n",
    ] {
        let bytes = format!("{head}( PLAY m NIL )");
        assert_eq!(message(bytes.as_bytes()).unwrap(), "( PLAY m NIL )");
    }
}

#[test]
fn headers_are_found_in_any_case() {
    let request = closes(b"POST / HTTP/1.0\r\nGGP-Match-STEP: 3\r\n\r\n(info)", 9).unwrap();
    assert_eq!(request.header("ggp-match-step"), Some("3"));
    assert_eq!(request.header("host"), None);
}

#[test]
fn empty_posts_are_pings() {
    for head in [
        "POST / HTTP/1.0\r\n\r\n",
        "POST / HTTP/1.0\r\nContent-Length: 0\r\n\r\n",
        "\r\nPOST / HTTP/1.0\r\n\r\n",
    ] {
        assert_eq!(message(head.as_bytes()).unwrap(), "");
    }
}

#[test]
fn bodies_without_length_end_with_their_list_or_the_connection() {
    assert_eq!(
        message(b"POST / HTTP/1.0\r\n\r\n(stop m\r\n\t(a b))").unwrap(),
        "(stop m\r\n\t(a b))"
    );
    assert_eq!(message(b"POST / HTTP/1.0\r\n\r\nINFO").unwrap(), "INFO");
}

#[test]
fn lengths_counted_in_characters_are_corrected() {
    // The sender counted characters: two bytes are missing from the length.
    let text = "(play m (ö ü))";
    let bytes = format!(
        "POST / HTTP/1.0\r\nContent-Length: {}\r\n\r\n{text}",
        text.chars().count()
    );
    assert_eq!(message(bytes.as_bytes()).unwrap(), text);
    // Another character set with one byte per character.
    let mut bytes = b"POST / HTTP/1.0\r\nContent-Length: 12\r\n\r\n".to_vec();
    bytes.extend_from_slice(b"(play m (\xf6))");
    assert_eq!(message(&bytes).unwrap(), "(play m (ö))");
}

#[test]
fn excessive_or_invalid_lengths_do_not_hang() {
    for length in ["999", "99999999999999999999999", "-1", "many", "4294967296"] {
        let bytes = format!("POST / HTTP/1.0\r\nContent-Length: {length}\r\n\r\n(abort m)");
        assert_eq!(
            waits(bytes.as_bytes(), 5).unwrap(),
            Progress::Done(closes(bytes.as_bytes(), 5).unwrap()),
            "{length}"
        );
        assert_eq!(closes(bytes.as_bytes(), 5).unwrap().body, "(abort m)");
    }
}

#[test]
fn parentheses_in_comments_do_not_count() {
    let text = "(start m a (\n; :-( \n(role a)) 1 1)";
    let bytes = format!("POST / HTTP/1.0\r\n\r\n{text}");
    assert_eq!(message(bytes.as_bytes()).unwrap(), text);
}

#[test]
fn slow_senders_are_awaited_and_truncated_messages_rejected() {
    for bytes in [
        "POST / HTTP/1.0\r\nContent-Length: 14\r\n\r\n( PLAY m (a",
        "POST / HTTP/1.0\r\n\r\n( PLAY m (a",
        "POST / HTTP/1.0\r\nContent-Length: 4\r\n\r\n",
    ] {
        assert_eq!(
            waits(bytes.as_bytes(), 4),
            Ok(Progress::NeedMore),
            "{bytes}"
        );
        assert_eq!(closes(bytes.as_bytes(), 4), Err(HttpError::Truncated));
    }
    assert_eq!(waits(b"POST / HT", 4), Ok(Progress::NeedMore));
    assert_eq!(closes(b"POST / HT", 4), Err(HttpError::Malformed));
    assert_eq!(closes(b"", 1), Err(HttpError::Empty));
    assert_eq!(closes(b"\r\n\r\n", 1), Err(HttpError::Empty));
}

#[test]
fn addresses_carry_messages_too() {
    for (target, text) in [
        ("/(%20INFO%20)", "( INFO )"),
        ("/(play+m+(a%0Db))", "(play m (a b))"),
        ("/", ""),
        ("/?(info)", "(info)"),
        ("/100%", "100%"),
        ("/%zz%c3%b6", "%zzö"),
    ] {
        let bytes = format!("GET {target} HTTP/1.1\r\nHost: x\r\n\r\n");
        assert_eq!(message(bytes.as_bytes()).unwrap(), text);
    }
}

#[test]
fn preflights_and_other_methods_carry_no_message() {
    for (method, expected) in [("OPTIONS", Method::Options), ("DELETE", Method::Other)] {
        let bytes = format!("{method} / HTTP/1.1\r\nOrigin: x\r\n\r\n");
        let request = closes(bytes.as_bytes(), 6).unwrap();
        assert_eq!((request.method, request.message()), (expected, None));
    }
}

#[test]
fn addresses_may_be_absolute_and_forms_encoded() {
    for (line, text) in [
        ("GET http://h:9147/(info) HTTP/1.1", "(info)"),
        ("GET http://h:9147 HTTP/1.1", ""),
        ("GET HTTP://h/?%28INFO%29 HTTP/1.0", "(INFO)"),
        ("GET /?message=%28INFO%29 HTTP/1.0", "message=(INFO)"),
        ("POST http://h:9147/ HTTP/1.1", ""),
    ] {
        let bytes = format!("{line}\r\nHost: h\r\n\r\n");
        assert_eq!(message(bytes.as_bytes()).unwrap(), text, "{line}");
    }
    let form = "%28play+m+%28a+%28b+1%29%29%29";
    for (body, text) in [
        (form, "(play m (a (b 1)))"),
        // Text that only looks encoded is left alone.
        ("(play m (+ %28))", "(play m (+ %28))"),
    ] {
        let head = format!(
            "POST / HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\n\
             Content-Length: {}",
            body.len()
        );
        let bytes = format!("{head}\r\n\r\n{body}");
        assert_eq!(message(bytes.as_bytes()).unwrap(), text);
    }
}

#[test]
fn chunks_are_read_whatever_else_the_head_says() {
    let chunks = "6;x=y\r\n(PLAY \r\n8\r\nm (a b))\r\n0\r\nTrailer: x\r\n\r\n";
    for headers in [
        "Transfer-Encoding: chunked",
        "transfer-encoding:CHUNKED",
        "Transfer-Encoding: identity, Chunked",
        "Content-Length: 3\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nContent-Length: 999",
    ] {
        let bytes = format!("POST / HTTP/1.1\r\nHost: h\r\n{headers}\r\n\r\n{chunks}");
        assert_eq!(message(bytes.as_bytes()).unwrap(), "(PLAY m (a b))");
    }
    // Announced, but not there.
    let plain = b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n(PLAY m (a b))";
    assert_eq!(message(plain).unwrap(), "(PLAY m (a b))");
    for (chunks, error) in [
        ("zz\r\n(info)\r\n", HttpError::Chunks),
        ("20\r\n(play m (a", HttpError::Truncated),
    ] {
        let bytes = format!("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n{chunks}");
        assert_eq!(closes(bytes.as_bytes(), 4), Err(error));
    }
}

#[test]
fn chunks_do_not_get_around_the_limit() {
    let limits = HttpLimits { head: 100, body: 9 };
    let mut reader = RequestReader::new(limits);
    let head = b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
    assert_eq!(reader.feed(head), Ok(Progress::NeedMore));
    assert_eq!(reader.feed(b"5\r\n(aaaa\r\n"), Ok(Progress::NeedMore));
    assert_eq!(reader.feed(b"5\r\nbbbb)"), Err(HttpError::TooLarge));
}

#[test]
fn only_the_first_of_several_requests_is_read() {
    let one =
        "POST / HTTP/1.1\r\nHost: h\r\nConnection: keep-alive\r\nContent-Length: 6\r\n\r\n(INFO)";
    let chunked = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n(INFO)\r\n0\r\n\r\n";
    let open = "POST / HTTP/1.0\r\n\r\n(INFO)";
    for first in [one, chunked, open] {
        let bytes = format!("{first}POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n(abort m)");
        assert_eq!(message(bytes.as_bytes()).unwrap(), "(INFO)");
    }
}

#[test]
fn peers_that_wait_for_permission_are_known() {
    let waits = |head: &str, body: &str| {
        let mut reader = RequestReader::default();
        let bytes = format!("{head}\r\n\r\n{body}");
        reader
            .feed(bytes.as_bytes())
            .map(|_| reader.waits_for_continue())
    };
    let asks = "POST / HTTP/1.1\r\nExpect: 100-Continue\r\nContent-Length: 6";
    assert_eq!(waits(asks, ""), Ok(true));
    // Once bytes of the body come, the peer waits no longer.
    assert_eq!(waits(asks, "(I"), Ok(false));
    for head in [
        "POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 6",
        "POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 0",
        "GET / HTTP/1.1\r\nExpect: 100-continue",
        "POST / HTTP/1.1\r\nContent-Length: 6",
    ] {
        assert_eq!(waits(head, ""), Ok(false), "{head}");
    }
    let huge = "POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 99999999999";
    assert_eq!(waits(huge, ""), Err(HttpError::TooLarge));
}

/// `bytes` packed as gzip or deflate.
fn packed(gzip: bool, bytes: &[u8]) -> Vec<u8> {
    let level = flate2::Compression::default();
    let mut packed = Vec::new();
    let read = match gzip {
        true => flate2::read::GzEncoder::new(bytes, level).read_to_end(&mut packed),
        false => flate2::read::ZlibEncoder::new(bytes, level).read_to_end(&mut packed),
    };
    read.unwrap();
    packed
}

/// A request with these headers and this body.
fn post(headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "POST / HTTP/1.1\r\n{headers}\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

#[test]
fn packed_bodies_are_unpacked_within_the_limit_or_refused() {
    let text = "(start m a ((role a) (init (p 1))) 30 15)";
    for (name, gzip) in [("gzip", true), ("X-GZIP", true), ("deflate", false)] {
        let body = packed(gzip, text.as_bytes());
        let bytes = post(&format!("Content-Encoding: {name}"), &body);
        for size in [1, 7, bytes.len()] {
            assert_eq!(closes(&bytes, size).unwrap().message().unwrap(), text);
        }
        let mut damaged = bytes.clone();
        let at = damaged.len() - 12;
        damaged[at] ^= 0x55;
        assert_eq!(closes(&damaged, 9), Err(HttpError::Damaged), "{name}");
    }
    let bomb = packed(true, &vec![b'a'; 1 << 20]);
    let mut reader = RequestReader::new(HttpLimits {
        head: 1000,
        body: 100_000,
    });
    let bytes = post("Content-Encoding: gzip", &bomb);
    assert_eq!(reader.feed(&bytes), Err(HttpError::TooLarge));
    for (headers, name) in [
        ("Content-Encoding: br", "br"),
        ("Content-Encoding: gzip, deflate", "gzip, deflate"),
        (
            "Content-Transfer-Encoding: quoted-printable",
            "quoted-printable",
        ),
    ] {
        let error = closes(&post(headers, b"x"), 10).unwrap_err();
        assert_eq!(error, HttpError::Coding(name.into()));
        let refusal = write_refusal(error.status(), &error.to_string());
        let refusal = String::from_utf8(refusal).unwrap();
        assert!(refusal.starts_with("HTTP/1.0 415 "), "{refusal}");
        assert!(refusal.contains(name), "{refusal}");
    }
}

#[test]
fn texts_in_two_byte_characters_are_read() {
    let text = "(play m (a (b 1)))";
    for (mark, little) in [(true, true), (true, false), (false, true), (false, false)] {
        let mark = if mark { "\u{feff}" } else { "" };
        let units = mark.encode_utf16().chain(text.encode_utf16());
        let body: Vec<u8> = units
            .flat_map(|unit| match little {
                true => unit.to_le_bytes(),
                false => unit.to_be_bytes(),
            })
            .collect();
        let bytes = post("Content-Type: text/acl; charset=utf-16", &body);
        assert_eq!(closes(&bytes, 5).unwrap().message().unwrap(), text);
    }
}

#[test]
fn other_protocols_are_recognized_as_such() {
    for bytes in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\n\n"[..],
        b"SSH-2.0-OpenSSH\r\n\r\n",
        b"(info)\n\n",
        b"\0\0\0\n\n",
    ] {
        assert_eq!(waits(bytes, 3), Err(HttpError::Malformed));
    }
}

#[test]
fn odd_headers_do_not_spoil_the_rest() {
    let bytes = b"POST  /  HTTP/1.0\r\nno colon here\r\n: empty\r\nX-\xff: 1\r\n\
                  Content-Length: 6\r\n\r\n(info)";
    assert_eq!(closes(bytes, 64).unwrap().body, "(info)");
}

#[test]
fn nothing_grows_beyond_the_limits() {
    let limits = HttpLimits {
        head: 100,
        body: 200,
    };
    let mut reader = RequestReader::new(limits);
    assert_eq!(reader.feed(&[b'a'; 5000]), Err(HttpError::TooLarge));
    let mut reader = RequestReader::new(limits);
    assert_eq!(reader.feed(b"POST / HTTP/1.0\n\n"), Ok(Progress::NeedMore));
    assert_eq!(reader.feed(&[b'('; 200]), Ok(Progress::NeedMore));
    assert_eq!(reader.feed(b"("), Err(HttpError::TooLarge));
    let mut reader = RequestReader::new(limits);
    let many = format!("POST / HTTP/1.0\n{}\n", "a: b\n".repeat(15));
    assert_eq!(reader.feed(many.as_bytes()), Ok(Progress::NeedMore));
}

#[test]
fn a_megabyte_of_rules_arrives_whole() {
    let rules = "(role a) ".repeat(120_000);
    let bytes = write_request("h:1", "me", &format!("( START m a ( {rules}) 1 1 )"));
    let request = closes(&bytes, 4096).unwrap();
    assert!(request.body.len() > 1 << 20);
    assert_eq!(request.header("receiver"), Some("me"));
}

fn response(bytes: &[u8], size: usize) -> Result<String, HttpError> {
    let mut reader = ResponseReader::default();
    for piece in bytes.chunks(size) {
        if let Progress::Done(response) = reader.feed(piece)? {
            return Ok(response.body);
        }
    }
    Ok(reader.end()?.body)
}

#[test]
fn responses_of_all_kinds_of_players_are_read() {
    for bytes in [
        &write_response("(mark 1 1)")[..],
        b"HTTP/1.0 200 OK\r\nContent-length: 10\r\n\r\n(mark 1 1)",
        b"HTTP/1.0 200 OK\r\n\r\n(mark 1 1)",
        b"HTTP/1.1 404 Not Found\ncontent-length: 99\n\n(mark 1 1)",
        b"HTTP/1.0  200\r\n\r\n(mark 1 1)",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n6\r\n(mark \r\n4;x\r\n1 1)\r\n0\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n(mark 1 1)",
        b"HTTP/1.1 200 OK\nContent-Length: 10\nConnection: keep-alive\n\n(mark 1 1)HTTP/1.1 200",
        b"(mark 1 1)",
    ] {
        for size in [1, 5, bytes.len()] {
            assert_eq!(response(bytes, size).unwrap(), "(mark 1 1)");
        }
    }
    assert_eq!(response(b"", 1), Err(HttpError::Empty));
    let cut = b"HTTP/1.0 200 OK\r\nContent-Length: 10\r\n\r\n(mar";
    assert_eq!(response(cut, 3), Err(HttpError::Truncated));
    assert_eq!(response(b"a\n\nb c", 1).unwrap(), "a\n\nb c");
}

#[test]
fn players_that_keep_the_connection_open_are_read_when_they_fall_silent() {
    for (bytes, complete) in [
        ("HTTP/1.1 200 OK\r\n\r\n(mark 1 1)", true),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n(mark 1 1)",
            true,
        ),
        // More of a word may come.
        ("HTTP/1.1 200 OK\r\n\r\nno", false),
        ("HTTP/1.1 200 OK\r\n\r\n(mark 1", false),
        ("HTTP/1.1 200 OK\r\n", false),
    ] {
        let mut reader = ResponseReader::default();
        assert_eq!(reader.feed(bytes.as_bytes()), Ok(Progress::NeedMore));
        let done = matches!(reader.quiet(), Ok(Progress::Done(_)));
        assert_eq!(done, complete, "{bytes}");
    }
}

#[test]
fn our_responses_have_all_required_headers() {
    let text = String::from_utf8(write_response("ö")).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    assert_eq!(body, "ö");
    let lines: Vec<_> = head.split("\r\n").collect();
    assert_eq!(lines[0], "HTTP/1.0 200 OK");
    for line in [
        "Content-Length: 2",
        "Content-Type: text/acl",
        "Access-Control-Allow-Origin: *",
        "Access-Control-Allow-Methods: POST, GET, OPTIONS",
        "Access-Control-Allow-Headers: Content-Type",
        "Access-Control-Max-Age: 86400",
        "Connection: close",
    ] {
        assert!(lines.contains(&line), "{line}");
    }
}

/// Random bytes that often look like requests.
fn noise() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(b"POST / HTTP/1.0\r\n".to_vec()),
        Just(b"GET /(info) HTTP/1.1\r\n".to_vec()),
        Just(b"HTTP/1.0 200 OK\r\n".to_vec()),
        Just(b"Content-Length: ".to_vec()),
        Just(b"Transfer-Encoding: chunked\r\n".to_vec()),
        Just(b"Content-Encoding: gzip\r\n".to_vec()),
        Just(b"5\r\n".to_vec()),
        Just(b"\r\n".to_vec()),
        Just(b"\n".to_vec()),
        Just(b"(play m (a b".to_vec()),
        Just(b"))".to_vec()),
        "[0-9]{1,4}".prop_map(String::into_bytes),
        proptest::collection::vec(any::<u8>(), 0..20),
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    // Failures are reported with the failing case; no regression file is kept.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_do_no_harm(bytes in noise(), sizes in proptest::collection::vec(1_usize..9, 1..8)) {
        let limits = HttpLimits { head: 64, body: 64 };
        let mut requests = RequestReader::new(limits);
        let mut responses = ResponseReader::new(limits);
        let mut rest = &bytes[..];
        for size in sizes.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (now, later) = rest.split_at(rest.len().min(*size));
            rest = later;
            if let Ok(Progress::Done(request)) = requests.feed(now) {
                prop_assert!(request.body.chars().count() <= 128);
                let _ = request.message().map(|text| protocol::Message::parse(&text));
            }
            let _ = requests.quiet();
            let _ = responses.feed(now);
        }
        let _ = (requests.end(), responses.end());
    }

    #[test]
    fn whole_requests_do_not_depend_on_their_pieces(
        body in "[a-z ()]{0,40}",
        cuts in proptest::collection::vec(1_usize..30, 1..6),
    ) {
        let bytes = write_request("h", "r", &body);
        let whole = closes(&bytes, bytes.len());
        let mut reader = RequestReader::default();
        let mut rest = &bytes[..];
        let mut done = None;
        for size in cuts.iter().cycle() {
            if rest.is_empty() || done.is_some() {
                break;
            }
            let (now, later) = rest.split_at(rest.len().min(*size));
            rest = later;
            if let Ok(Progress::Done(request)) = reader.feed(now) {
                done = Some(request);
            }
        }
        prop_assert_eq!(done.map_or_else(|| reader.end(), Ok), whole);
    }

    #[test]
    fn messages_that_parse_print_and_parse_alike(text in "\\(? ?(play|STOP|abort|start|info|preview) [a-z0-9 ()]{0,40}") {
        if let Ok(message) = protocol::Message::parse(&text) {
            let printed = message.to_string();
            let again = protocol::Message::parse(&printed).map(|m| m.to_string());
            prop_assert_eq!(again, Ok(printed));
        }
    }
}
