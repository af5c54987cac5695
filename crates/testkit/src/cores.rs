//! Tests of many games, on all cores.

use std::sync::Mutex;
use std::thread;

/// Calls `check` for each item, on as many threads as there are cores, and returns its results in
/// the order of the items.
///
/// # Panics
/// If `check` does for any item.
pub fn on_all_cores<T: Send, R: Send>(
    items: impl IntoIterator<Item = T>,
    check: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let items: Vec<T> = items.into_iter().collect();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let queue = Mutex::new(items.into_iter().enumerate());
    let next = || queue.lock().unwrap_or_else(|e| e.into_inner()).next();
    let done = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while let Some((at, item)) = next() {
                    let result = check(item);
                    let mut done = done.lock().unwrap_or_else(|e| e.into_inner());
                    done.push((at, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(|e| e.into_inner());
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_the_order_and_panics_are_passed_on() {
        assert_eq!(on_all_cores(0..100, |n| n * n)[..4], [0, 1, 4, 9]);
        let failed = std::panic::catch_unwind(|| on_all_cores(0..9, |n| assert_ne!(n, 7)));
        assert!(failed.is_err());
    }
}
