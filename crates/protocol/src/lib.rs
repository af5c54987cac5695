//! The GGP protocol without any input or output: messages, replies, tolerant HTTP framing.
//!
//! Servers speak sloppy HTTP/1.0: no Host, lengths counted in characters instead of bytes,
//! bodies that end where the connection does, an empty POST as a ping. Inside are S-expressions
//! in several dialects. This crate parses all of it from bytes that the caller has read;
//! nothing here waits, opens or listens. So every hostile conversation is a plain test, and the
//! readers work with any transport.
//!
//! An established HTTP library was the alternative for the outer layer. Such libraries are
//! right to reject what match servers send, so only the parsing of headers and chunk sizes is
//! taken from one (`httparse`), and framing is our own: a message is complete when its length
//! has arrived *and* its parentheses balance.
//!
//! ```
//! use protocol::{Message, http::{Progress, RequestReader}};
//!
//! let mut reader = RequestReader::default();
//! let Ok(Progress::Done(request)) = reader.feed(b"POST / HTTP/1.0\r\n\r\n(play m1 nil)") else {
//!     panic!("balanced parentheses end a body of unknown length");
//! };
//! let message = Message::parse(&request.message().unwrap()).unwrap();
//! assert_eq!(message.to_string(), "( PLAY m1 NIL )");
//! ```

mod answer;
mod game;
pub mod http;
mod message;
mod parse;
mod reply;

pub use answer::{Heard, Place, Unheard, is_ready, read_move};
pub use message::{Message, Moves, Sight, Turn};
pub use parse::MessageError;
pub use reply::{Presence, Reply};
