//! Monitor of an echo service: the service returns the text that it receives.

use super::Call;
use crate::monitor::finding::{Finding, findings};
use interlock_algorithm::{NodeId, Operation, Response};
use interlock_model::event::Violation;

/// The name of this monitor.
pub const NAME: &str = "echo";

findings! {
    /// The service returned another text than the one it received. Arguments: `node`, `said` (the text sent), `heard`
    /// (the text returned).
    pub const OTHER_ECHO = "other-echo";
    OtherEcho { node: NodeId, said: String, heard: String } =>
        format!("{node} asked for the echo of `{said}` and received `{heard}`.")
}

/// Judges the response of an echo service.
pub(super) fn judge(call: &Call<'_>) -> Option<Violation> {
    let (Operation::Echo { text: said }, Response::Text(heard)) = (&call.operation, call.response) else { return None };
    let finding = || OtherEcho { node: call.node, said: said.clone(), heard: heard.clone() };
    (said != heard).then(|| finding().violation(call.events()))
}
