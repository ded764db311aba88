//! An echo is what was said.

use interlock_algorithm::{Operation, Response};
use serde_json::json;

use super::Call;
use interlock_model::event::Violation;

/// The name of this monitor.
pub const NAME: &str = "echo";
/// Something else came back. Arguments: `node`, `said`, `heard`.
pub const OTHER_ECHO: &str = "other-echo";

/// Looks at what has come back.
pub(super) fn judge(call: &Call<'_>) -> Option<Violation> {
    let (Operation::Echo { text: said }, Response::Text(heard)) = (&call.operation, call.response) else { return None };
    let arguments = json!({ "node": call.node, "said": said, "heard": heard });
    (said != heard).then(|| call.violation(NAME, OTHER_ECHO, arguments))
}
