//! Writes files as a whole.
//!
//! A reader of a file that is written by [`write()`] finds the old contents or the new, even if
//! this process is killed in between. Records, plans and results depend on it.
//!
//! ```
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("plan.json");
//! atomic_file::check(&path)?;
//! atomic_file::write(&path, b"{}\n")?;
//! assert_eq!(std::fs::read(&path)?, b"{}\n");
//! # Ok::<(), std::io::Error>(())
//! ```

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Replaces the contents of the file at `path`, or leaves it as it was. If `path` is not a
/// regular file but for example a pipe or a terminal, the bytes are written to it directly.
///
/// # Errors
/// Fails if the file cannot be written.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let Some(target) = target(path)? else {
        return OpenOptions::new().write(true).open(path)?.write_all(bytes);
    };
    let (mut file, name) = temporary(&target)?;
    let written = file
        .write_all(bytes)
        .and_then(|()| file.sync_all())
        .and_then(|()| std::fs::rename(&name, &target));
    drop(file);
    if let Err(error) = written {
        remove(&name);
        return Err(error);
    }
    // The new directory entry must reach the disk too. Some systems cannot open a folder; there
    // this is skipped.
    if let Ok(folder) = File::open(folder(&target)) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// Checks whether [`write()`] to `path` can be expected to succeed. Use it before long work.
///
/// # Errors
/// The same as those of writing.
pub fn check(path: &Path) -> io::Result<()> {
    match target(path)? {
        Some(target) => {
            let (_, name) = temporary(&target)?;
            remove(&name);
            Ok(())
        }
        None => OpenOptions::new().write(true).open(path).map(drop),
    }
}

/// The file that `path` names, with links resolved; `None` if it is not a regular file.
fn target(path: &Path) -> io::Result<Option<PathBuf>> {
    match std::fs::metadata(path) {
        Ok(data) if data.is_dir() => Err(ErrorKind::IsADirectory.into()),
        Ok(data) if data.is_file() => path.canonicalize().map(Some),
        Ok(_) => Ok(None),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Some(path.to_path_buf())),
        Err(error) => Err(error),
    }
}

/// The folder of a file.
fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Creates a hidden file in the folder of `path`, under a name that no other thread or process
/// uses.
fn temporary(path: &Path) -> io::Result<(File, PathBuf)> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let name = path.file_name().ok_or(ErrorKind::InvalidInput)?;
    loop {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!(
            ".{}.{}.{count}.tmp",
            name.to_string_lossy(),
            std::process::id()
        );
        let name = folder(path).join(name);
        match OpenOptions::new().write(true).create_new(true).open(&name) {
            Ok(file) => return Ok((file, name)),
            // A killed process with the same id left this file behind.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

fn remove(name: &Path) {
    // A leftover hidden file is no reason to fail.
    let _ = std::fs::remove_file(name);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sorted file names in a folder.
    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).expect("the folder");
        let mut names: Vec<String> = entries
            .map(|entry| {
                let name = entry.expect("an entry").file_name();
                name.to_string_lossy().into_owned()
            })
            .collect();
        names.sort();
        names
    }

    #[test]
    fn files_are_replaced_atomically() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.json");
        check(&path).expect("it is");
        assert!(names(folder.path()).is_empty(), "checking leaves nothing");
        write(&path, b"long first text").expect("written");
        write(&path, b"second").expect("written again");
        assert_eq!(std::fs::read(&path).expect("there"), b"second");
        check(&path).expect("it still is");
        assert_eq!(std::fs::read(&path).expect("there"), b"second");
        assert_eq!(names(folder.path()), ["a.json"]);
    }

    #[test]
    fn a_failed_write_is_an_error_and_leaves_no_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let nowhere = folder.path().join("none/a.json");
        assert!(write(&nowhere, b"x").is_err());
        assert!(check(&nowhere).is_err());
        assert!(write(folder.path(), b"x").is_err());
        assert!(names(folder.path()).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_kept_and_devices_are_written_to() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, link) = (folder.path().join("a"), folder.path().join("link"));
        std::fs::write(&path, "old").expect("written");
        std::os::unix::fs::symlink(&path, &link).expect("linked");
        write(&link, b"new").expect("written");
        assert_eq!(std::fs::read(&path).expect("there"), b"new");
        assert!(link.symlink_metadata().expect("there").is_symlink());
        let null = Path::new("/dev/null");
        write(null, b"lost").expect("it takes everything");
        check(null).expect("it does");
        assert!(!null.metadata().expect("there").is_file());
    }
}
