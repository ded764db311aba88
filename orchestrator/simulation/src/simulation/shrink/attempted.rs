//! The outcome of an attempt.

use interlock_machine::message_id::MessageId;

use super::Kept;
use crate::schedule::Scheduled;

/// The outcome of playing some of the actions of a schedule.
#[derive(Debug, Default)]
pub(super) struct Attempted {
    /// The actions that were executed, with the message names of the original schedule.
    pub happened: Vec<Kept>,
    /// The same actions with the message names of this run.
    pub choices: Vec<Scheduled>,
    /// Whether the property was violated; the attempt ends there.
    pub broken: bool,
    /// The messages sent, each with the index of its action in the original, or none before the first action.
    pub sent: Vec<(Option<usize>, MessageId)>,
    /// Whether no timer of an algorithm expired while a message was late.
    pub is_patient: bool,
}
