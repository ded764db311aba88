//! Explorations of the orchestrator, running or recently ended. Each running exploration has its own thread.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use interlock_exploration::{Exploration, ExplorationDocument, Limits, Progress};
use interlock_model::size::Size;
use serde::Serialize;
use tokio::sync::watch;
use utoipa::ToSchema;
use uuid::Uuid;

use interlock_orchestrator::identifier::new_identifier;
use interlock_orchestrator::run::lock;

/// Maximum number of explorations that run at the same time; each occupies a core.
pub const MOST_UNDER_WAY: usize = 2;
/// Maximum number of explorations in memory. If there are more, the oldest of the ended explorations is removed.
pub const MOST_KEPT: usize = 32;
/// Maximum memory for the states of one exploration.
pub const MOST_MEMORY: Size = Size { bytes: 4 << 30 };

/// Status of an exploration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// The exploration is running.
    Running,
    /// The exploration has a verdict, or was stopped before it had a verdict.
    Ended,
    /// The exploration is impossible for this algorithm: see `because`.
    Failed,
}

/// An exploration of this orchestrator.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Explored {
    /// Identifier of the exploration in the API.
    pub id: Uuid,
    /// Status of the exploration.
    pub status: Standing,
    /// The configuration that is explored, and the result so far.
    #[serde(flatten)]
    pub exploration: ExplorationDocument,
}

/// Reason why no exploration can be started at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoRoom {
    /// The maximum number of explorations is running.
    #[error(
        "cannot start the exploration: {MOST_UNDER_WAY} are running, the maximum; wait for one, or end one with DELETE"
    )]
    TooMany,
    /// The operating system has no thread left.
    #[error("cannot start the exploration: this machine has no thread left; try again when less is running")]
    NoThread,
}

/// An exploration and the thread that executes it.
struct Exploring {
    id: Uuid,
    latest: watch::Receiver<Explored>,
    ended: Arc<AtomicBool>,
}

/// All explorations of an orchestrator, the oldest first.
#[derive(Default)]
pub struct Explorations {
    all: Mutex<VecDeque<Exploring>>,
}

impl Explorations {
    /// Starts an exploration.
    ///
    /// # Errors
    /// If the maximum number of explorations is running, or the machine has no thread left.
    pub fn begin(&self, exploration: Exploration, limits: Limits) -> Result<Explored, NoRoom> {
        let mut all = lock(&self.all);
        let is_under_way = |exploring: &Exploring| exploring.latest.borrow().status == Standing::Running;
        if all.iter().filter(|exploring| is_under_way(exploring)).count() >= MOST_UNDER_WAY {
            return Err(NoRoom::TooMany);
        }
        while all.len() >= MOST_KEPT {
            let Some(oldest) = all.iter().position(|exploring| !is_under_way(exploring)) else { break };
            all.remove(oldest);
        }
        let id = new_identifier();
        let begun = Explored {
            id,
            status: Standing::Running,
            exploration: ExplorationDocument::in_progress(&exploration, &Progress::default()),
        };
        let (tell, latest) = watch::channel(begun.clone());
        let ended = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&ended);
        let tell = Telling(tell);
        let thread = thread::Builder::new().name("exploration".to_owned());
        thread.spawn(move || explore(&exploration, limits, &told, &tell)).map_err(|_| NoRoom::NoThread)?;
        all.push_back(Exploring { id, latest, ended });
        Ok(begun)
    }

    /// Returns all explorations, the newest first, each without its schedule and its table of violations.
    pub fn list(&self) -> Vec<Explored> {
        let brief = |exploring: &Exploring| {
            let mut latest = exploring.latest.borrow().clone();
            (latest.exploration.schedule, latest.exploration.table) = (None, None);
            latest
        };
        lock(&self.all).iter().rev().map(brief).collect()
    }

    /// Waits until an exploration has ended, but at most for `patience`. Returns its present state, or none if
    /// there is no such exploration.
    pub async fn find(&self, id: Uuid, patience: Duration) -> Option<Explored> {
        let mut latest = lock(&self.all).iter().find(|exploring| exploring.id == id)?.latest.clone();
        let ended = latest.wait_for(|explored| explored.status != Standing::Running);
        // The present state is returned in any case: after the end of the exploration, after the time limit, and
        // after a failure of the thread.
        let _ = tokio::time::timeout(patience, ended).await;
        let explored = latest.borrow().clone();
        Some(explored)
    }

    /// Stops and removes an exploration. Returns whether the exploration existed.
    pub fn remove(&self, id: Uuid) -> bool {
        let mut all = lock(&self.all);
        let Some(place) = all.iter().position(|exploring| exploring.id == id) else { return false };
        let removed = all.remove(place);
        removed.inspect(|exploring| exploring.ended.store(true, Ordering::Relaxed)).is_some()
    }
}

impl Drop for Explorations {
    fn drop(&mut self) {
        lock(&self.all).iter().for_each(|exploring| exploring.ended.store(true, Ordering::Relaxed));
    }
}

/// Publishes the state of an exploration. If the value is dropped while the exploration is still running, because its
/// thread has panicked, the exploration is reported as failed.
struct Telling(watch::Sender<Explored>);

impl Drop for Telling {
    fn drop(&mut self) {
        self.0.send_if_modified(|latest| {
            let breaks_off = latest.status == Standing::Running;
            if breaks_off {
                latest.status = Standing::Failed;
                latest.exploration.because =
                    Some("it failed with an error of this program; the result is unknown".to_owned());
            }
            breaks_off
        });
    }
}

/// Executes the exploration until its end, and publishes its progress.
fn explore(exploration: &Exploration, limits: Limits, ended: &AtomicBool, Telling(tell): &Telling) {
    let mut because = None;
    let explored = exploration.run(|progress| {
        let somebody = ended.load(Ordering::Relaxed).then(|| "a client ended it".to_owned());
        let why = somebody.or_else(|| limits.exceeded(progress));
        tell.send_modify(|latest| latest.exploration = ExplorationDocument::in_progress(exploration, progress));
        let goes_on = why.is_none();
        because = why.or(because.take());
        goes_on
    });
    tell.send_modify(|latest| match explored {
        Ok(explored) => {
            latest.exploration = ExplorationDocument::of(exploration, &explored, because.as_deref());
            latest.status = Standing::Ended;
        }
        Err(refusal) => {
            latest.exploration.because = Some(refusal.to_string());
            latest.status = Standing::Failed;
        }
    });
}

#[cfg(test)]
mod tests {
    use interlock_exploration::{ExplorationDraft, VerdictWord};
    use serde_json::json;

    use super::*;

    const LONG: Duration = Duration::from_mins(1);
    const GENEROUS: Limits = Limits { memory: MOST_MEMORY, states: None };

    fn exploration(algorithm: &str, variant: &str, nodes: u32) -> Exploration {
        let specification = json!({ "algorithm": algorithm, "variant": variant, "nodes": nodes });
        let draft: ExplorationDraft =
            serde_json::from_value(json!({ "specification": specification })).expect("a draft");
        draft.complete().expect("it can be")
    }

    async fn ended(explorations: &Explorations, begun: &Explored) -> Explored {
        explorations.find(begun.id, LONG).await.expect("it is there")
    }

    #[tokio::test]
    async fn one_comes_to_its_verdict() {
        let explorations = Explorations::default();
        let begun =
            explorations.begin(exploration("lamport", "any-later-message", 2), GENEROUS).expect("there is room");
        let holds = ended(&explorations, &begun).await;
        assert_eq!((holds.status, holds.exploration.verdict), (Standing::Ended, Some(VerdictWord::Holds)));
        let begun = explorations.begin(exploration("lamport", "no-ack", 2), GENEROUS).expect("there is room");
        let violated = ended(&explorations, &begun).await.exploration;
        assert_eq!(violated.verdict, Some(VerdictWord::Violated));
        assert_eq!(violated.schedule.expect("a schedule").choices.len(), 2);
        assert!(explorations.list()[0].exploration.schedule.is_none());
    }

    #[tokio::test]
    async fn what_is_cut_off_says_why_and_never_that_it_holds() {
        let explorations = Explorations::default();
        for (limits, why) in [
            (Limits { states: Some(1_000), ..GENEROUS }, "there are more than 1000 states"),
            (Limits { memory: Size { bytes: 1 << 20 }, states: None }, "the states take more than 1 MiB"),
        ] {
            let begun = explorations.begin(exploration("ricart-agrawala", "lamport-clock", 4), limits).expect("room");
            let cut = ended(&explorations, &begun).await.exploration;
            assert_eq!((cut.verdict, cut.because.as_deref()), (Some(VerdictWord::Unfinished), Some(why)));
        }
    }

    #[tokio::test]
    async fn one_that_is_removed_ends_and_makes_room() {
        let explorations = Explorations::default();
        let endless = || exploration("ricart-agrawala", "lamport-clock", 6);
        let first = explorations.begin(endless(), GENEROUS).expect("there is room");
        explorations.begin(endless(), GENEROUS).expect("there is room");
        assert_eq!(explorations.begin(endless(), GENEROUS).map(|_| ()), Err(NoRoom::TooMany));
        let mut latest = lock(&explorations.all)[0].latest.clone();
        assert!(explorations.remove(first.id) && !explorations.remove(first.id));
        let end = latest.wait_for(|explored| explored.status == Standing::Ended).await.expect("it tells").clone();
        assert_eq!(end.exploration.because.as_deref(), Some("a client ended it"));
        assert!(explorations.begin(endless(), GENEROUS).is_ok(), "there is room again");
    }

    #[tokio::test]
    async fn one_that_breaks_off_has_failed() {
        let explorations = Explorations::default();
        let begun = explorations.begin(exploration("lamport", "no-ack", 2), GENEROUS).expect("there is room");
        let mut told = ended(&explorations, &begun).await;
        for (before, after) in [(Standing::Running, Standing::Failed), (Standing::Ended, Standing::Ended)] {
            told.status = before;
            let (tell, latest) = watch::channel(told.clone());
            drop(Telling(tell));
            let says_why =
                latest.borrow().exploration.because.as_deref().is_some_and(|why| why.contains("failed with an error"));
            assert_eq!((latest.borrow().status, says_why), (after, before == Standing::Running));
        }
    }

    #[tokio::test]
    async fn what_the_algorithm_does_not_have_is_told() {
        let explorations = Explorations::default();
        let mut unknown = exploration("lamport", "any-later-message", 2);
        unknown.properties = vec![interlock_exploration::Property::Convergence];
        let begun = explorations.begin(unknown, GENEROUS).expect("there is room");
        let failed = ended(&explorations, &begun).await;
        assert_eq!(failed.status, Standing::Failed);
        assert!(failed.exploration.because.is_some_and(|why| why.contains("does not report privileges")));
    }
}
