//! The GGP protocol without any input or output: messages, replies, tolerant HTTP framing.
