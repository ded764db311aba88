//! Runs that end automatically.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use interlock_model::event::Ending;
use interlock_model::span::Span;
use tokio::sync::oneshot::Receiver;
use tokio::time::sleep;

use super::waiters::Heard;
use super::{Core, Run};

impl Run {
    /// Ends the run after the time `after`, or when the awaited condition is met, whichever happens first. A `noted`
    /// event contains the reason.
    pub(super) fn end_when(self: &Arc<Self>, after: Option<Span>, awaited: Option<Receiver<Heard>>) {
        let run = Arc::clone(self);
        self.hub.spawn(async move {
            let span = after.map(|Span(after_us)| Duration::from_micros(after_us));
            let why = tokio::select! {
                () = time(span) => format!("its time limit is reached: {}", span.map_or_else(String::new, seconds)),
                Ok(seq) = come_about(awaited) => format!("its end condition was met by event {seq}"),
                () = run.until(Core::is_ended) => return,
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

/// Waits for the event that meets the condition. If there is no condition, never returns.
async fn come_about(awaited: Option<Receiver<Heard>>) -> Heard {
    match awaited {
        Some(heard) => match heard.await {
            Ok(heard) => heard,
            // The sender has been dropped, so the condition can no longer be reported.
            Err(_) => pending().await,
        },
        None => pending().await,
    }
}
