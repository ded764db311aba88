//! The outcome of an attempt.

use interlock_machine::message_id::MessageId;

use super::Kept;
use crate::schedule::Scheduled;

/// The outcome of executing some of the actions of a schedule.
#[derive(Debug, Default)]
pub(super) struct Attempted {
    /// The executed actions, with the message ids of the original schedule.
    pub happened: Vec<Kept>,
    /// The executed actions, with the message ids of this run.
    pub choices: Vec<Scheduled>,
    /// Whether the property was violated. The attempt ends as soon as this happens.
    pub broken: bool,
    /// The messages sent. Each has the index of the action of the original schedule that sent it, or none if it was
    /// sent before the first action.
    pub sent: Vec<(Option<usize>, MessageId)>,
    /// Whether no timer of an algorithm expired while a message was late.
    pub is_patient: bool,
}
