//! Monitor of fencing tokens: the token of an entry is greater than the tokens of all earlier entries to the same
//! lock.
//!
//! A resource that remembers the greatest token rejects a holder whose lease has expired (Gray and Cheriton 1989,
//! "Leases"; Kleppmann 2016, "How to do distributed locking"). This works only if the tokens of successive entries
//! grow. *Earlier* means by happened-before. The monitor of [mutual exclusion](super::mutual_exclusion) computes
//! that order and calls this monitor. If two sections overlap, only the monitor of mutual exclusion judges them.
//! This monitor does not judge a holder that enters after its lease was taken back, since such a holder has an
//! older token. Entries without a token are not compared.

use super::finding::{Finding, findings};
use interlock_algorithm::{LockId, NodeId};
use interlock_model::event::Violation;

/// The name of this monitor.
pub const NAME: &str = "fencing";

findings! {
    /// The token of an entry is not greater than the token of an earlier entry. Arguments: `lock`; `first` and
    /// `second`, the nodes of the earlier and the later entry; `earlier` and `later`, their tokens.
    pub const NOT_GREATER = "token-not-greater";
    NotGreater { lock: LockId, first: NodeId, second: NodeId, earlier: u64, later: u64 } => format!(
        "The fencing token of {second} for lock {lock} is {later}, which is not greater than {earlier}, the token of \
         {first} in an earlier entry."
    )
}

/// The fencing token of an entry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fence {
    /// The process that entered.
    pub node: NodeId,
    /// The token.
    pub token: u64,
    /// The `seq` of the event that reported the entry.
    pub entered: u64,
}

/// Compares the token of an entry with the greatest token of all earlier entries. Returns a violation if the new token
/// is not greater.
pub(super) fn judge(lock: LockId, earlier: impl Iterator<Item = Fence>, later: Fence) -> Option<Violation> {
    let first = earlier.max_by_key(|fence| fence.token).filter(|first| first.token >= later.token)?;
    let finding = NotGreater { lock, first: first.node, second: later.node, earlier: first.token, later: later.token };
    Some(finding.violation([first.entered, later.entered]))
}

#[cfg(test)]
mod tests {
    use interlock_algorithm::{NodeId, Outcome, RequestId};

    use super::super::sentence;
    use super::*;
    use crate::state::test_stream::{LOCK, TestStream};
    use interlock_model::event::StepId;

    fn enter(stream: &mut TestStream, node: u32, request: u64, fence: Option<u64>) {
        let at = StepId { node: NodeId(node), incarnation: 1, step: stream.events.len() as u64 };
        stream.outcome(at, Outcome::requested(LOCK, RequestId(request)));
        stream.outcome(at, Outcome::Entered { lock: LOCK, request: RequestId(request), fence });
    }

    fn exit(stream: &mut TestStream, node: u32, request: u64) {
        let at = StepId { node: NodeId(node), incarnation: 1, step: stream.events.len() as u64 };
        stream.outcome(at, Outcome::Exited { lock: LOCK, request: RequestId(request) });
    }

    fn found(stream: &TestStream) -> Vec<String> {
        let found = stream.violations();
        found.iter().filter(|violation| *violation.monitor == *NAME).map(sentence).collect()
    }

    /// P0 enters with token `first`, leaves, and sends P1 a message. Then P1 enters with token `second`. Returns the
    /// codes of the violations that were found.
    fn in_turn(first: Option<u64>, second: Option<u64>) -> Vec<String> {
        let mut stream = TestStream::new(2);
        enter(&mut stream, 0, 1, first);
        exit(&mut stream, 0, 1);
        let word = stream.send(0, 1, "UNLOCK");
        stream.deliver(word);
        enter(&mut stream, 1, 1, second);
        found(&stream)
    }

    #[test]
    fn tokens_grow_from_entry_to_entry() {
        assert_eq!(in_turn(Some(4), Some(5)), [""; 0]);
        let falls = "The fencing token of P1 for lock 0 is 4, which is not greater than 5, the token of P0 in an earlier entry.";
        assert_eq!(in_turn(Some(5), Some(4)), [falls]);
        assert_eq!(in_turn(Some(5), Some(5)).len(), 1);
        assert_eq!([in_turn(Some(5), None), in_turn(None, Some(1))].concat(), [""; 0], "an entry without a token");
    }

    #[test]
    fn the_next_entry_of_the_same_process_has_a_greater_token() {
        for (second, count) in [(6, 0), (5, 1)] {
            let mut stream = TestStream::new(2);
            enter(&mut stream, 0, 1, Some(5));
            exit(&mut stream, 0, 1);
            enter(&mut stream, 0, 2, Some(second));
            assert_eq!(found(&stream).len(), count, "{second}");
        }
    }

    /// P1 has token 1, but its lease is taken back before it enters. P2 enters with token 2 and leaves. P1 enters only
    /// after that.
    #[test]
    fn a_late_holder_keeps_its_older_token() {
        let mut stream = TestStream::new(3);
        stream.specification.algorithm = "replicated-lock".to_owned();
        let at = StepId { node: NodeId(0), incarnation: 1, step: 1 };
        stream.outcome(at, Outcome::Expired { lock: LOCK, holder: NodeId(1), request: RequestId(1) });
        let word = stream.send(0, 2, "GRANT");
        stream.deliver(word);
        enter(&mut stream, 2, 1, Some(2));
        exit(&mut stream, 2, 1);
        enter(&mut stream, 1, 1, Some(1));
        assert_eq!(found(&stream), [""; 0]);
    }

    #[test]
    fn of_two_sections_at_the_same_time_mutual_exclusion_speaks() {
        let mut stream = TestStream::new(2);
        enter(&mut stream, 0, 1, Some(5));
        enter(&mut stream, 1, 1, Some(4));
        assert_eq!(found(&stream), [""; 0]);
        assert!(!stream.violations().is_empty());
    }

    /// P0, P1 and P2 enter one after the other, each with a token.
    #[test]
    fn an_entry_is_compared_with_the_greatest_earlier_token() {
        let told = |tokens: [u64; 3]| {
            let mut stream = TestStream::new(3);
            for (node, token) in (0..).zip(tokens) {
                enter(&mut stream, node, 1, Some(token));
                exit(&mut stream, node, 1);
                if node < 2 {
                    let message = stream.send(node, node + 1, "ANY");
                    stream.deliver(message);
                }
            }
            found(&stream).len()
        };
        assert_eq!([told([5, 7, 8]), told([5, 7, 6])], [0, 1]);
    }
}
