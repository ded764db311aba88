//! The JSON form of an event that reports an outcome.

use std::sync::Arc;

use interlock_algorithm::{AbortCause, Ballot, LockId, NodeId, Operation, Outcome, RequestId, Response, outcomes};
use serde::Serialize;
use utoipa::ToSchema;

use super::StepId;

macro_rules! define {
    ($(
        $(#[$about:meta])* $name:literal $variant:ident { $($(#[$about_field:meta])* $field:ident: $type:ty,)+ },
    )+) => {
        /// An event that reports an outcome, in its JSON form.
        #[derive(Serialize, ToSchema)]
        #[serde(tag = "kind", rename_all = "kebab-case")]
        pub enum OutcomeEvent<'a> {
            $(
                $(#[$about])*
                $variant {
                    /// The step that reports the outcome.
                    #[serde(flatten)]
                    at: &'a StepId,
                    $($(#[$about_field])* $field: &'a $type,)+
                },
            )+
        }

        impl<'a> OutcomeEvent<'a> {
            /// Returns the event that reports this outcome of this step.
            #[must_use]
            pub const fn new(at: &'a StepId, outcome: &'a Outcome) -> Self {
                match outcome {
                    $(Outcome::$variant { $($field),+ } => Self::$variant { at, $($field),+ },)+
                }
            }
        }
    };
}

outcomes!(define);
