//! Which cores of the machine a thread may run on.

use std::io;

/// The cores that the calling thread may run on, by the system's numbers, lowest first. Where the
/// system does not say, as many as it has.
pub fn cores() -> Vec<usize> {
    system::cores().unwrap_or_else(|| {
        let count = std::thread::available_parallelism().map_or(1, usize::from);
        (0..count).collect()
    })
}

/// Lets the calling thread, and all threads and processes that it starts from now on, run on these
/// cores only: whoever plays several matches side by side gives each its share, so that no player
/// thinks at the cost of one in another match.
///
/// Returns whether the system can do that; where it cannot, nothing happens.
///
/// # Errors
/// If none of the cores is one that this thread may run on.
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
    fn a_share_of_the_cores_is_handed_down() {
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
    fn no_cores_are_an_error() {
        assert!(pin(&[]).is_err());
        assert!(pin(&[usize::MAX]).is_err());
    }
}
