//! Files that tasks leave behind.

use anyhow::Context;
use std::path::Path;

/// Writes a file, and the folders above it where they are missing: nobody measures for an hour to
/// lose the figures to a folder that is not there.
///
/// # Errors
/// If the file cannot be written.
pub fn write(path: &Path, contents: impl AsRef<[u8]>) -> anyhow::Result<()> {
    let folder = path.parent().unwrap_or(Path::new(""));
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(path, contents))
        .with_context(|| format!("cannot write {}", path.display()))
}
