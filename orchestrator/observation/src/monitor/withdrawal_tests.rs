//! Tests of withdrawals. A lost withdrawal is a lost write, after which the account holds more than it should.

use serde_json::json;

use super::resource;
use crate::state::test_stream::TestStream;
use interlock_model::event::What;

/// A writer withdraws 5 from an account of 1000. Another writer, which read the value `read`, then deposits 7. Returns
/// the codes of the violations that were found.
fn paid_in_after_reading(read: i64) -> Vec<String> {
    let mut stream = TestStream::new(2);
    let account = json!({ "balance": 1_000, "deposit": 10_000 });
    let workload = json!({ "idle": "0", "hold": "0", "nodes": "all", "account": account });
    stream.specification.workload = serde_json::from_value(workload).ok();
    for (read, value) in [(1_000, 995), (read, read + 7)] {
        let write = json!({ "resource": "account", "value": value, "read": read });
        stream.push(What::Put { write: serde_json::from_value(write).expect("a write") });
    }
    stream.violations().iter().map(|violation| violation.code.to_string()).collect()
}

#[test]
fn a_withdrawal_that_is_overwritten_is_reported() {
    assert_eq!(paid_in_after_reading(1_000), [resource::LOST_WRITE]);
    assert_eq!(paid_in_after_reading(995), Vec::<String>::new());
}
