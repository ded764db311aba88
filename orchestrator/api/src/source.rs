//! The journal of a run, with the read operations of the routes.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::OwnedSemaphorePermit;
use tokio::task::spawn_blocking;
use uuid::Uuid;

use interlock_observation::document::StateDocument;
use interlock_observation::state::State;
use interlock_orchestrator::journal::{EventQuery, Page, Reader};
use interlock_orchestrator::run::{PastView, Registry, RunError};

/// Maximum number of events of a short read. A read of this size takes some milliseconds.
pub(super) const MOST_IN_PASSING: usize = 2_000;
/// Maximum number of bytes of the events of a short read.
pub(super) const BYTES_IN_PASSING: usize = 1 << 20;

/// The journal of a run. Because reads may block, they are executed on other threads.
pub(super) struct Source {
    registry: Arc<Registry>,
    run: Uuid,
    reader: Option<Reader>,
}

impl Source {
    /// Opens the journal of a run.
    pub async fn open(registry: Arc<Registry>, run: Uuid) -> Result<Self, RunError> {
        let mut source = Self { registry: Arc::clone(&registry), run, reader: None };
        source.settle().await?;
        // The journal of a past run may take long to open if it is not in the index yet.
        let turn = if registry.find(run).is_some() { registry.glancing().await } else { None };
        let reader = spawn_blocking(in_turn(turn, move || registry.reader(run))).await??;
        source.reader = Some(reader);
        Ok(source)
    }

    /// Returns the number of the latest event of a run in memory.
    pub fn latest(&self) -> Option<u64> {
        self.registry.find(self.run).map(|run| run.with(|core| core.latest()))
    }

    /// Waits until all events so far are in the journal.
    async fn settle(&mut self) -> Result<(), RunError> {
        if let Some(run) = self.registry.find(self.run) {
            let latest = run.with(|core| core.latest());
            // The result of the wait is ignored: a failed journal still has its events and stays readable. The
            // journal of a run that has just ended may still be writing its last events.
            let _ = run.journal().flushed(latest).await;
        }
        Ok(())
    }

    /// Returns the numbers of the first and the last event.
    pub async fn ends(&mut self) -> Result<(u64, u64), RunError> {
        self.glance(|reader| Ok((reader.oldest()?, reader.latest()?))).await
    }

    /// Returns a page of events. A short page is read at once. If the page is larger or filtered, or has large
    /// events, the read waits for a permit and is executed in the background.
    pub async fn page(&mut self, query: EventQuery) -> Result<Page, RunError> {
        if query.limit <= MOST_IN_PASSING && query.kinds.is_empty() && query.node.is_none() {
            let wanted = query.clone();
            let read = move |reader: &Reader| Ok(reader.page_within(&wanted, BYTES_IN_PASSING)?);
            if let Some(page) = self.glance(read).await? {
                return Ok(page);
            }
        }
        self.read_in_background(move |reader| Ok(reader.page(&query)?)).await
    }

    /// Waits for a permit for reading, and then executes a read that may take long.
    pub async fn read<T: Send + 'static>(
        &mut self,
        action: impl FnOnce(&Reader) -> Result<T, RunError> + Send + 'static,
    ) -> Result<T, RunError> {
        let turn = self.registry.reading().await;
        self.act(turn, action).await
    }

    /// Waits for a permit for paging, and then executes a read that may take long on a background thread.
    /// Background threads have a lower priority than watching clients and runs in progress.
    pub async fn read_in_background<T: Send + 'static>(
        &mut self,
        action: impl FnOnce(&Reader) -> Result<T, RunError> + Send + 'static,
    ) -> Result<T, RunError> {
        let turn = self.registry.paging().await;
        let registry = Arc::clone(&self.registry);
        let action = self.whole_of(turn, action)?;
        self.done(registry.background().spawn(action).await?)
    }

    /// Executes a read without a permit, even if the read takes long. This is for clients that watch a run or have
    /// set a time limit.
    pub async fn read_at_once<T: Send + 'static>(
        &mut self,
        action: impl FnOnce(&Reader) -> Result<T, RunError> + Send + 'static,
    ) -> Result<T, RunError> {
        self.act(None, action).await
    }

    /// Waits for a permit for short reads, and then executes a read that takes at most some milliseconds.
    pub async fn glance<T: Send + 'static>(
        &mut self,
        action: impl FnOnce(&Reader) -> Result<T, RunError> + Send + 'static,
    ) -> Result<T, RunError> {
        let turn = self.registry.glancing().await;
        self.act(turn, action).await
    }

    /// Waits for a permit for folding, and then reads events and computes states for a stream with states.
    pub async fn fold<T: Send + 'static>(
        &mut self,
        action: impl FnOnce(&Reader) -> Result<T, RunError> + Send + 'static,
    ) -> Result<T, RunError> {
        let turn = self.registry.folding().await;
        self.act(turn, action).await
    }

    async fn act<T: Send + 'static>(
        &mut self,
        turn: Option<OwnedSemaphorePermit>,
        action: impl FnOnce(&Reader) -> Result<T, RunError> + Send + 'static,
    ) -> Result<T, RunError> {
        let action = self.whole_of(turn, action)?;
        self.done(spawn_blocking(action).await?)
    }

    /// Converts the read `action` to a function for a thread that may block. The returned function owns the permit
    /// `turn` and the reader, and returns the reader together with the result.
    fn whole_of<T: Send + 'static>(
        &mut self,
        turn: Option<OwnedSemaphorePermit>,
        action: impl FnOnce(&Reader) -> Result<T, RunError> + Send + 'static,
    ) -> Result<impl FnOnce() -> (Result<T, RunError>, Reader) + Send + 'static, RunError> {
        let Some(reader) = self.reader.take() else { return Err(RunError::UnknownRun(self.run)) };
        Ok(in_turn(turn, move || (action(&reader), reader)))
    }

    /// Stores the reader for the next read, and returns the result.
    fn done<T>(&mut self, (read, reader): (Result<T, RunError>, Reader)) -> Result<T, RunError> {
        self.reader = Some(reader);
        read
    }

    /// Returns a page of events. If the page would be empty, waits for an event for at most `patience`.
    pub async fn awaited(&mut self, mut query: EventQuery, patience: Duration) -> Result<Page, RunError> {
        let deadline = tokio::time::Instant::now() + patience;
        loop {
            let page = self.page(query.clone()).await?;
            query.since = page.next_since;
            // If the last requested event has been examined, or the time is over, the wait ends. Without this check,
            // events that do not match the query could prolong it.
            let is_last = query.until.is_some_and(|until| until <= page.next_since);
            if !page.items.is_empty() || is_last || tokio::time::Instant::now() >= deadline {
                return Ok(page);
            }
            let more = self.more_than(page.next_since);
            if !tokio::time::timeout_at(deadline, more).await.unwrap_or(false) {
                return Ok(page);
            }
        }
    }

    /// Waits until there is an event after event `seq`. Returns false if the run ends without such an event.
    pub async fn more_than(&mut self, seq: u64) -> bool {
        let Some(run) = self.registry.find(self.run) else { return false };
        let mut committed = run.journal().committed();
        committed.wait_for(|&last| last > seq).await.is_ok()
    }
}

/// Returns `action`, extended so that it holds the permit `turn` until it has ended, even if the client disconnects
/// earlier.
fn in_turn<T>(
    turn: Option<OwnedSemaphorePermit>,
    action: impl FnOnce() -> T + Send + 'static,
) -> impl FnOnce() -> T + Send + 'static {
    move || {
        let _turn = turn;
        action()
    }
}

/// Returns the state after event `at`. Without `at`, returns the present state, or the final state of a past run.
pub async fn state_of(registry: Arc<Registry>, id: Uuid, at: Option<u64>) -> Result<StateDocument, RunError> {
    if let (Some(run), None) = (registry.find(id), at) {
        return Ok(run.with(|core| core.document()));
    }
    let mut source = Source::open(registry, id).await?;
    let past = source.read(move |reader| PastView::at(reader, at)).await?;
    Ok(past.state.document(id, past.state.at_us(), 0))
}

/// Applies the function `look` to the present state of a run, or to the final state of a past run.
pub async fn with_state<T>(registry: &Arc<Registry>, id: Uuid, look: impl FnOnce(&State) -> T) -> Result<T, RunError> {
    if let Some(run) = registry.find(id) {
        return Ok(run.with(|core| look(core.state())));
    }
    let mut source = Source::open(Arc::clone(registry), id).await?;
    let past = source.read(|reader| PastView::at(reader, None)).await?;
    Ok(look(&past.state))
}
