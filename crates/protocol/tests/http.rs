//! The bytes that sloppy peers send, and the messages parsed from them.

use proptest::prelude::*;
use protocol::http::{
    HttpError, HttpLimits, Method, Progress, Request, RequestReader, ResponseReader, write_request,
    write_response,
};

/// Feeds `bytes` in pieces of `size`; then the peer waits without closing.
fn waits(bytes: &[u8], size: usize) -> Result<Progress<Request>, HttpError> {
    let mut reader = RequestReader::default();
    for piece in bytes.chunks(size) {
        if let done @ Progress::Done(_) = reader.feed(piece)? {
            return Ok(done);
        }
    }
    Ok(reader.quiet())
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
