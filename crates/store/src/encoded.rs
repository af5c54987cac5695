//! How values are written: postcard, packed with a checksum.

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use heuristics::{FeatureSet, Outputs, Value, Weights};
use metagame::Learnt;
use serde::{Deserialize, Serialize};
use std::io::{Read, Write};

/// The most bytes of a value, so that a wrong length takes no more memory.
const MOST: u64 = 1 << 31;

/// What is written of a learnt value.
#[derive(Serialize)]
pub(crate) struct Written<'a> {
    pub features: &'a FeatureSet,
    pub weights: &'a Weights,
    pub outputs: Outputs,
    pub games: u64,
    pub positions: u64,
}

/// The same, read.
#[derive(Deserialize)]
struct Found {
    features: FeatureSet,
    weights: Weights,
    outputs: Outputs,
    games: u64,
    positions: u64,
}

impl<'a> Written<'a> {
    pub fn of(learnt: &'a Learnt) -> Written<'a> {
        Written {
            features: learnt.value.features.data(),
            weights: &learnt.value.weights,
            outputs: learnt.value.outputs,
            games: learnt.games,
            positions: learnt.positions,
        }
    }
}

/// A learnt value as bytes.
pub(crate) fn pack(learnt: &Learnt) -> Result<Vec<u8>, String> {
    let plain = postcard::to_stdvec(&Written::of(learnt)).map_err(|error| error.to_string())?;
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
    let written = packed.write_all(&plain).and_then(|()| packed.finish());
    written.map_err(|error| error.to_string())
}

/// The learnt value that was written as these bytes.
pub(crate) fn unpack(bytes: &[u8]) -> Result<Learnt, String> {
    let mut plain = Vec::new();
    let read = ZlibDecoder::new(bytes).take(MOST).read_to_end(&mut plain);
    read.map_err(|error| error.to_string())?;
    let found: Found = postcard::from_bytes(&plain).map_err(|error| error.to_string())?;
    let value = Value::of(found.features, found.weights, found.outputs);
    Ok(Learnt {
        value: value.ok_or("its parts do not fit together")?,
        games: found.games,
        positions: found.positions,
    })
}
