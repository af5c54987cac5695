//! CPU affinity: the cores that a thread may run on.

use std::io;

/// The cores that the calling thread may run on, as system core numbers in ascending order. If
/// the system does not report them, this is as many numbers as the machine has cores.
pub fn cores() -> Vec<usize> {
    system::cores().unwrap_or_else(|| {
        let count = std::thread::available_parallelism().map_or(1, usize::from);
        (0..count).collect()
    })
}

/// Restricts the calling thread to these cores.
///
/// Threads and processes that it starts afterwards inherit the restriction. A tournament that
/// plays matches side by side gives each match its own cores, so that no player takes time from
/// a player in another match.
///
/// Returns whether the system supports this. If not, nothing happens.
///
/// # Errors
/// Fails if the thread may run on none of the given cores.
pub fn pin(cores: &[usize]) -> io::Result<bool> {
    system::pin(cores)
}

#[cfg(any(target_os = "linux", target_os = "android"))]
mod system {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    use std::io;

    pub(super) fn cores() -> Option<Vec<usize>> {
        let set = sched_getaffinity(None).ok()?;
        let cores = 0..CpuSet::MAX_CPU;
        Some(cores.filter(|&core| set.is_set(core)).collect())
    }

    pub(super) fn pin(cores: &[usize]) -> io::Result<bool> {
        let mut set = CpuSet::new();
        for &core in cores.iter().filter(|&&core| core < CpuSet::MAX_CPU) {
            set.set(core);
        }
        sched_setaffinity(None, &set)?;
        Ok(true)
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
mod system {
    use std::io;

    pub(super) fn cores() -> Option<Vec<usize>> {
        None
    }

    pub(super) fn pin(_cores: &[usize]) -> io::Result<bool> {
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn child_threads_inherit_the_cores() {
        let all = cores();
        assert!(!all.is_empty());
        let last = all[all.len() - 1];
        let thread = std::thread::spawn(move || {
            let pinned = pin(&[last]).expect("it is one of ours");
            (pinned, std::thread::spawn(cores).join().expect("no panic"))
        });
        let (pinned, below) = thread.join().expect("no panic");
        if pinned {
            assert_eq!(below, [last]);
        }
        assert_eq!(cores(), all, "other threads keep theirs");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn an_empty_set_of_cores_is_an_error() {
        assert!(pin(&[]).is_err());
        assert!(pin(&[usize::MAX]).is_err());
    }
}
