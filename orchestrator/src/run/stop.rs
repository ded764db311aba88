//! When a run is to end by itself.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use interlock_model::event::Ending;
use interlock_model::field_error::FieldError;
use interlock_model::scenario::Until;
use interlock_model::span::Span;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::oneshot::Receiver;
use tokio::time::sleep;
use utoipa::ToSchema;

use super::Run;
use super::waiting::Heard;

/// When a run is to end, if nobody ends it before: after a time, when something has come about, or whichever is first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RunStop {
    /// After this time, counted from when its processes are there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Span>,
    /// When this has come about: `"violation"`, `{"entries":100}`, all that can be waited for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Until>)]
    pub when: Option<Value>,
}

impl RunStop {
    /// What is to come about, if the end does not depend on the time alone.
    ///
    /// # Errors
    /// Where it says nothing, or names what there cannot be in a run of so many nodes whose messages are of these kinds.
    pub fn condition(&self, nodes: u32, kinds: Option<&[&str]>) -> Result<Option<Until>, Vec<FieldError>> {
        let Some(when) = &self.when else {
            let says_nothing = self.after.is_none();
            let nothing = || vec![FieldError::new("/stop", "`after`, a time, or `when`, a condition, is expected")];
            return if says_nothing { Err(nothing()) } else { Ok(None) };
        };
        let until = Until::read(when.clone()).map_err(|error| vec![error.below("/stop/when")])?;
        let errors = until.errors("/stop/when", nodes, kinds);
        if errors.is_empty() { Ok(Some(until)) } else { Err(errors) }
    }
}

impl Run {
    /// Lets the run end after this time, or when what is waited for has come about; whoever reads its events finds there by
    /// what.
    pub(super) fn end_when(self: &Arc<Self>, after: Option<Span>, awaited: Option<Receiver<Heard>>) {
        let run = Arc::clone(self);
        self.hub.spawn(async move {
            let span = after.map(|Span(after_us)| Duration::from_micros(after_us));
            let why = tokio::select! {
                () = time(span) => format!("its time is over: {}", span.map_or_else(String::new, seconds)),
                Ok(seq) = come_about(awaited) => format!("what was to end it has come about by event {seq}"),
                () = run.until(|core| core.ended.is_some()) => return,
            };
            run.with(|core| core.note(format!("the run ends: {why}")));
            run.end(Ending::Stopped).await;
        });
    }
}

fn seconds(span: Duration) -> String {
    format!("{} s", span.as_secs_f64())
}

async fn time(span: Option<Duration>) {
    match span {
        Some(span) => sleep(span).await,
        None => pending().await,
    }
}

/// Waits for the event by which it comes about; it does not end where there is nothing to wait for.
async fn come_about(awaited: Option<Receiver<Heard>>) -> Heard {
    match awaited {
        Some(heard) => match heard.await {
            Ok(heard) => heard,
            // Nobody tells it any more.
            Err(_) => pending().await,
        },
        None => pending().await,
    }
}
