//! The closed list of phenomena, and the phenomenon of each kind of violation.

use serde::Serialize;
use utoipa::ToSchema;

use crate::monitor::{
    agreement, capacity, deadlocks, deserted, fencing, leaders, livelock, mutual_exclusion, order, progress, real_time,
    real_time_order, resource, service, timestamp_order, tokens,
};

/// Declares the phenomena, each with its name in documents.
macro_rules! phenomena {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)+) => {
        /// A phenomenon that a run can show.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
        #[serde(rename_all = "kebab-case")]
        pub enum Phenomenon {
            $($(#[$doc])* $variant,)+
        }

        impl Phenomenon {
            /// All phenomena.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Returns the name of the phenomenon in documents.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }
        }
    };
}

phenomena! {
    /// Two processes are in the critical section of one lock.
    TwoInSection = "two-in-section",
    /// More units of a lock are taken than it has.
    TooManyInSection = "too-many-in-section",
    /// A request was granted before another one that happened before it.
    OutOfOrder = "out-of-order",
    /// Processes wait for each other in a cycle.
    Deadlock = "deadlock",
    /// A process reports a deadlock that does not exist.
    FalseDeadlock = "false-deadlock",
    /// Processes act all the time, and none of them makes progress.
    Livelock = "livelock",
    /// A process waits while others are served again and again.
    Starvation = "starvation",
    /// No process enters although some wait and time-outs expire.
    NobodyEnters = "nobody-enters",
    /// The token was lost.
    TokenLost = "token-lost",
    /// There are two tokens.
    TwoTokens = "two-tokens",
    /// A fencing token is not greater than the token before it.
    TokenNotGreater = "token-not-greater",
    /// An update of a resource was lost.
    LostUpdate = "lost-update",
    /// A process wrote to a resource outside its critical section.
    UnguardedWrite = "unguarded-write",
    /// Two processes are believed to be the coordinator.
    TwoCoordinators = "two-coordinators",
    /// A process knows no live coordinator, and nothing will change that.
    NoCoordinator = "no-coordinator",
    /// Two values were chosen.
    TwoValues = "two-values",
    /// A value was chosen that nobody proposed.
    UnproposedValue = "unproposed-value",
    /// An acceptor broke its promise.
    BrokenPromise = "broken-promise",
    /// No value is chosen.
    NoValueChosen = "no-value-chosen",
    /// A service gave a wrong answer.
    WrongAnswer = "wrong-answer",
    /// A process waits for a message that was lost.
    MessageLost = "message-lost",
    /// A process waits for a crashed process.
    ProcessCrashed = "process-crashed",
    /// A process waits, nothing can move, and none of the other phenomena explains why.
    Standstill = "standstill",
}

/// Returns the phenomenon of a kind of violation, and the arguments of the violation that name the processes
/// concerned, in the order in which they are shown.
pub(super) fn of_code(code: &str) -> Option<(Phenomenon, &'static [&'static str])> {
    use Phenomenon as P;
    Some(match code {
        mutual_exclusion::CONCURRENT_SECTIONS | real_time::OVERLAPPING_SECTIONS => {
            (P::TwoInSection, &["first", "second"])
        }
        capacity::TOO_MANY => (P::TooManyInSection, &[]),
        order::GRANTED_OUT_OF_ORDER
        | real_time_order::LATER_REQUEST_FIRST
        | timestamp_order::LARGER_TIMESTAMP_FIRST => (P::OutOfOrder, &["second", "first"]),
        deadlocks::CYCLE => (P::Deadlock, &["circle"]),
        deadlocks::PHANTOM | deadlocks::LATE => (P::FalseDeadlock, &["cycle"]),
        livelock::LIVELOCK => (P::Livelock, &["nodes"]),
        livelock::STARVATION | progress::STARVATION => (P::Starvation, &["node"]),
        deserted::NOBODY_ENTERS => (P::NobodyEnters, &["waiting"]),
        tokens::LOST_TOKEN => (P::TokenLost, &["from", "to"]),
        tokens::SECOND_TOKEN => (P::TwoTokens, &["node"]),
        tokens::COPIED_TOKEN => (P::TwoTokens, &["from", "to"]),
        fencing::NOT_GREATER => (P::TokenNotGreater, &["first", "second"]),
        resource::LOST_WRITE => (P::LostUpdate, &["node"]),
        resource::UNGUARDED_WRITE => (P::UnguardedWrite, &["node"]),
        leaders::TWO_COORDINATORS => (P::TwoCoordinators, &["first", "second"]),
        leaders::TWO_BELIEFS => (P::TwoCoordinators, &["leader", "other_leader"]),
        leaders::OLDER_TERM | leaders::DISAGREEMENT => (P::TwoCoordinators, &["node", "leader"]),
        leaders::NOBODY_ELECTED => (P::NoCoordinator, &[]),
        leaders::DEAD_COORDINATOR | leaders::RESULT_UNKNOWN => (P::NoCoordinator, &["node"]),
        agreement::TWO_VALUES => (P::TwoValues, &[]),
        agreement::NOT_PROPOSED => (P::UnproposedValue, &["node"]),
        agreement::BROKEN_PROMISE => (P::BrokenPromise, &["node"]),
        agreement::UNDECIDED => (P::NoValueChosen, &[]),
        agreement::DUEL => (P::NoValueChosen, &["proposers"]),
        service::echo::OTHER_ECHO
        | service::unique_ids::SAME_ID
        | service::broadcast::UNHEARD_VALUE
        | service::broadcast::FORGOTTEN_VALUE
        | service::linearizability::NOT_LINEARIZABLE => (P::WrongAnswer, &["node"]),
        _ => return None,
    })
}
