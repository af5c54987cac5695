//! Access to the system: time of day, cores, memory. Only a binary may use it.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Unix time in milliseconds.
pub fn unix_millis() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}

/// A seed from the time of day, short enough to type.
pub fn seed() -> u64 {
    unix_millis() % 1_000_000
}

/// The number of cores that this process may use.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The bytes of memory that this process may use; `None` if the system does not tell.
pub fn memory() -> Option<u64> {
    doctor::Machine::look().memory
}

/// The name of a file without its folder and extension.
pub fn stem(path: &Path) -> String {
    let name = path
        .file_stem()
        .map(|name| name.to_string_lossy().into_owned());
    name.unwrap_or_default()
}
