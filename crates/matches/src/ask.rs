//! Requests to participants: in parallel or one after the other.

use crate::{Fault, Participant};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Calls `question` for every participant that `wanted` selects. Remote participants are asked
/// in parallel. The others are asked one after the other, and `before` is called before each of
/// them. A participant that was not asked has the answer `None`.
pub(crate) fn ask<T: Send>(
    participants: &mut [Box<dyn Participant>],
    wanted: impl Fn(usize, &dyn Participant) -> bool,
    mut before: impl FnMut(usize, &dyn Participant),
    question: impl Fn(usize, &mut dyn Participant) -> T + Sync,
) -> Vec<Option<T>> {
    let question = &question;
    let mut answers: Vec<Option<T>> = participants.iter().map(|_| None).collect();
    std::thread::scope(|scope| {
        let mut remote = Vec::new();
        let mut local = Vec::new();
        for (role, participant) in participants.iter_mut().enumerate() {
            if !wanted(role, &**participant) {
                continue;
            }
            if participant.is_remote() {
                remote.push((
                    role,
                    scope.spawn(move || question(role, &mut **participant)),
                ));
            } else {
                local.push((role, participant));
            }
        }
        for (role, participant) in local {
            before(role, &**participant);
            answers[role] = Some(question(role, &mut **participant));
        }
        for (role, thread) in remote {
            match thread.join() {
                Ok(answer) => answers[role] = Some(answer),
                Err(panic) => resume_unwind(panic),
            }
        }
    });
    answers
}

/// Runs `work` and turns a panic in it into a fault.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(panicked(&*panic)))
}

/// The fault for a panic, with its message.
pub(crate) fn panicked(panic: &(dyn Any + Send)) -> Fault {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    Fault::Failed(format!("panic: {}", text.unwrap_or("no message")))
}
