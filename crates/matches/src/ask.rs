//! Questions to participants: at the same time, or one after the other.

use crate::{Fault, Participant};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Puts a question to every participant that is `wanted`: remote ones all at the same time, then
/// the others one after the other, each after `before`. `None` for those not asked.
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

/// What `work` comes to; a panic in it is a fault like any other.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(panicked(&*panic)))
}

/// The fault of whoever panicked.
pub(crate) fn panicked(panic: &(dyn Any + Send)) -> Fault {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    Fault::Failed(format!("panic: {}", text.unwrap_or("no message")))
}
