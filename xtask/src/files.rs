//! Output files of tasks.

use anyhow::Context;
use std::path::Path;

/// Writes a file, and creates missing folders above it, so that a long measurement is not lost
/// because of a missing folder.
///
/// # Errors
/// Fails if the file cannot be written.
pub fn write(path: &Path, contents: impl AsRef<[u8]>) -> anyhow::Result<()> {
    let folder = path.parent().unwrap_or(Path::new(""));
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(path, contents))
        .with_context(|| format!("cannot write {}", path.display()))
}
