//! No deposit is lost: what is in the account is what was in it at first and all that was paid in (s2, the two cash
//! machines).

use serde_json::json;

use crate::event::{Event, Violation, What};
use crate::specification::Specification;
use crate::state::Account;

/// The name of this monitor.
pub const NAME: &str = "account";
/// A deposit was lost. Arguments: `node` (who overwrote it), `balance`, `expected`.
pub const LOST_DEPOSIT: &str = "lost-deposit";

/// Watches the account, if the run has one.
#[derive(Debug)]
pub struct AccountMonitor {
    account: Option<Account>,
    /// What was missing so far.
    missing: i64,
}

impl AccountMonitor {
    /// The monitor of a run, before the first event.
    #[must_use]
    pub fn new(specification: &Specification) -> Self {
        Self { account: Account::new(specification), missing: 0 }
    }

    /// Takes the next event.
    pub fn observe(&mut self, event: &Event, found: &mut Vec<Violation>) {
        let Some(account) = &mut self.account else { return };
        account.apply(event);
        let missing = account.expected.saturating_sub(account.balance);
        if let What::Exited { at, .. } = &event.what
            && missing != self.missing
        {
            self.missing = missing;
            found.push(Violation {
                monitor: NAME.into(),
                code: LOST_DEPOSIT.into(),
                arguments: json!({ "node": at.node, "balance": account.balance, "expected": account.expected }),
                events: vec![event.seq],
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::sentence;
    use crate::specification::Account;
    use crate::state::test_stream::TestStream;

    fn paid(together: bool) -> Vec<(String, String)> {
        let mut stream = TestStream::new(2);
        let account = Account { balance: 1_000, deposit: 10_000, fencing: false };
        stream.specification.workload =
            serde_json::from_value(json!({ "idle": "0", "hold": "0", "nodes": "all", "account": account })).ok();
        stream.request(0);
        stream.enter(0);
        if !together {
            stream.exit(0);
        }
        stream.request(1);
        stream.enter(1);
        if together {
            stream.exit(0);
        }
        stream.exit(1);
        let of_the_account = |violation: &crate::event::Violation| *violation.monitor == *super::NAME;
        let found = stream.violations().into_iter().filter(of_the_account);
        found.map(|violation| (violation.code.to_string(), sentence(&violation))).collect()
    }

    #[test]
    fn a_deposit_that_is_overwritten_is_told_of() {
        let sentence = "A deposit is lost: when P1 had written, 11000 were in the account, and not 21000.";
        assert_eq!(paid(true), [(super::LOST_DEPOSIT.to_owned(), sentence.to_owned())]);
        assert_eq!(paid(false), []);
    }
}
