//! Actions on the processes of a run (start, crash, pause, resume, restart, end), and commands to nodes.

use std::sync::Arc;
use std::time::Duration;

use interlock_algorithm::{LockId, NodeId};
use interlock_machine::wire::{Initialization, Order};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::streams::{LinksError, serve};
use super::summary::standing;
use super::taken::{Acquired, Taken};
use super::{Run, RunError, Temporary, lock};
use crate::supervisor::{Exit, Process};
use interlock_model::event::{Ending, RestartState};
use interlock_model::impossible::{Deed, Impossible};
use interlock_model::process_status::ProcessStatus;
use interlock_model::specification::ServiceProcess;

/// Time limit for the hello of a node after its process was started.
const HELLO_TIMEOUT: Duration = Duration::from_secs(20);
/// Maximum number of processes that start at the same time. If more processes compete for the processors, the network
/// cannot accept their connections in time, and they connect again only after a second.
const MOST_STARTING: usize = 32;
/// Maximum time that the run waits until nodes have handled an input. With this limit, a hanging node cannot delay
/// the run endlessly.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);
/// Maximum time that an answer to a client waits until a node has handled a command. A paused node handles the
/// command later.
const COMMAND_PATIENCE: Duration = Duration::from_secs(1);

impl Run {
    /// Starts all processes and, when all of them have started, queues their first inputs. Returns when the
    /// processes have handled these inputs.
    pub(super) async fn start(self: &Arc<Self>) -> Result<(), RunError> {
        let run = Arc::clone(self);
        self.hub.spawn(run.keep_deadlines());
        let run = Arc::clone(self);
        self.hub.spawn(run.watch_journal());
        self.serve_links()?;
        self.all_up().await?;
        self.services_ready().await?;
        if lock(&self.core).driver.follows_parts() {
            self.with(|core| core.conclude(None, None));
            return Ok(());
        }
        if lock(&self.core).driver.follows() {
            self.begin_one_after_the_other().await;
            return Ok(());
        }
        self.with(super::Core::begin);
        self.all_begun().await;
        if !self.specification.script.is_empty() {
            self.hub.spawn(Arc::clone(self).play_script());
        }
        Ok(())
    }

    /// Begins to accept connections to the services, on all links that do not refuse them.
    fn serve_links(self: &Arc<Self>) -> Result<(), RunError> {
        let (doors, ports) = self.with(|core| (std::mem::take(&mut core.links.doors), core.links.ports.clone()));
        for ((client, service), door) in doors {
            let Some(address) = ports.address(service) else { continue };
            let refuses = self.with(|core| core.refuses(client, service));
            let listener = if refuses { None } else { Some(self.hub.within(|| door.listen())) };
            let listener = listener.transpose().map_err(LinksError::from)?;
            self.hub.spawn(serve(Arc::clone(self), (client, service), (door, listener), address));
        }
        Ok(())
    }

    /// Starts the services one after the other, and waits until each is ready.
    async fn services_ready(self: &Arc<Self>) -> Result<(), RunError> {
        for (node, ServiceProcess { service, .. }) in self.specification.service_processes() {
            self.with(|core| core.begin_node(node));
            self.taken(node).await;
            if let Some((_, how)) = self.with(|core| core.dead()) {
                return Err(RunError::NotReady(service.name.clone(), how));
            }
        }
        Ok(())
    }

    /// Starts the processes of all nodes, and waits for their hellos. If a process cannot be started or dies at once, no
    /// further processes are started. Those that are starting are recorded, so that the end of the run ends them.
    async fn all_up(self: &Arc<Self>) -> Result<(), RunError> {
        let begin = |node| self.with(|core| core.begin_incarnation(node, None, &self.hub.url()));
        let initializations: Result<Vec<_>, _> = NodeId::all(self.specification.nodes).map(begin).collect();
        let places = Arc::new(Semaphore::new(MOST_STARTING));
        let starts: JoinSet<_> = initializations?
            .into_iter()
            .map(|initialization| {
                let (run, places) = (Arc::clone(self), Arc::clone(&places));
                async move { run.bring_up_at(&places, initialization).await }
            })
            .collect();
        let up = starts.join_all().await.into_iter().collect();
        match (up, self.with(|core| core.dead())) {
            _ if self.ending().is_some() => Err(RunError::Ended),
            (Ok(()) | Err(RunError::NotUp(..)), Some((node, how))) => Err(RunError::DiedAtOnce(node, how)),
            (up, _) => up,
        }
    }

    /// Starts a process when one of `places` is free, and waits for its hello. If that fails, closes the places. If they
    /// are closed, does nothing more.
    async fn bring_up_at(self: &Arc<Self>, places: &Semaphore, initialization: Initialization) -> Result<(), RunError> {
        let Ok(_place) = places.acquire().await else { return Ok(()) };
        let (node, incarnation) = (initialization.node, initialization.incarnation);
        let up = self.bring_up_and_await(initialization, || places.is_closed()).await;
        if up.is_err() || self.with(|core| core.is_over(node, incarnation)) {
            places.close();
            self.changed.notify_waiters();
        }
        up
    }

    /// Starts a process, and waits for its hello or its end, or until `is_needless` returns true.
    async fn bring_up_and_await(
        self: &Arc<Self>,
        initialization: Initialization,
        is_needless: impl Fn() -> bool,
    ) -> Result<(), RunError> {
        let (node, incarnation) = (initialization.node, initialization.incarnation);
        self.bring_up(initialization).await?;
        let come = self.until(|core| core.has_come(node) || core.is_over(node, incarnation) || is_needless());
        timeout(HELLO_TIMEOUT, come).await.map_err(|_| RunError::NotUp(node, HELLO_TIMEOUT.as_secs()))
    }

    pub(super) async fn bring_up(self: &Arc<Self>, initialization: Initialization) -> Result<(), RunError> {
        let (node, incarnation) = (initialization.node, initialization.incarnation);
        let (run, hub) = (Arc::clone(self), self.hub.clone());
        // The callback runs on the supervisor's thread, which must not wait for the lock of the run.
        let on_exit = move |exit: Exit| {
            hub.spawn(async move {
                run.with(|core| core.exited(node, incarnation, &exit.to_string()));
                run.changed.notify_waiters();
            });
        };
        let process = match self.supervisor.spawn(&initialization, on_exit).await {
            Ok(process) => process,
            Err(error) => {
                self.with(|core| core.exited(node, incarnation, &error.to_string()));
                return Err(error.into());
            }
        };
        if !self.with(|core| core.spawned(node, incarnation, process.clone())) {
            process.kill().await;
            return Err(RunError::Ended);
        }
        let run = Arc::clone(self);
        self.hub.spawn(run.watch_standing(node, process));
        self.changed.notify_waiters();
        Ok(())
    }

    /// Emits an event whenever another program on this machine stops or continues the process of a node.
    async fn watch_standing(self: Arc<Self>, node: NodeId, process: Process) {
        let mut standing = process.stands();
        while standing.changed().await.is_ok() {
            let Ok(turn) = self.turn(node) else { return };
            let _turn = turn.lock().await;
            let stands = *standing.borrow_and_update();
            self.with(|core| core.turned_by_somebody(node, process.pid(), stands));
            self.changed.notify_waiters();
        }
    }

    /// Waits until every node has handled its first input, so that a client of the new run finds the events of all
    /// starts.
    async fn all_begun(&self) {
        let begun = async {
            for node in NodeId::all(self.specification.nodes) {
                self.taken(node).await;
            }
        };
        if timeout(PATIENCE, begun).await.is_err() {
            let detail = format!("not all nodes have started within {} s", PATIENCE.as_secs());
            self.with(|core| core.note(detail));
        }
    }

    /// Waits until a node has handled all inputs so far. The wait also ends if the node is paused or crashes.
    pub(super) async fn taken(&self, node: NodeId) {
        let handed = self.with(|core| core.handed_so_far(node));
        self.until(|core| core.has_taken(handed)).await;
    }

    /// Ends the run if its journal can no longer be written, because every event of a run must be in its journal.
    async fn watch_journal(self: Arc<Self>) {
        let mut failure = self.journal.failure();
        if let Ok(reason) = failure.wait_for(Option::is_some).await.map(|reason| reason.as_deref().map(str::to_owned)) {
            self.end(Ending::Failed(reason.unwrap_or_default())).await;
        }
    }

    /// Starts a new process for a crashed node, and waits for its hello or its end. Emits no event.
    ///
    /// # Errors
    /// If the node has not crashed, or if the new process does not start in time.
    pub(super) async fn relaunch(self: &Arc<Self>, node: NodeId, state: RestartState) -> Result<(), RunError> {
        let _turn = self.turn(node)?.lock().await;
        let initialization = self.with(|core| core.begin_incarnation(node, Some(state), &self.hub.url()))?;
        self.bring_up_and_await(initialization, || false).await
    }

    /// Emits the pause of a node, but stops its process only after the next `late` inputs. According to the
    /// schedule, the process handles these inputs before it stops.
    ///
    /// # Errors
    /// If the node is not running.
    pub(super) async fn pause_after(self: &Arc<Self>, node: NodeId, late: usize) -> Result<(), RunError> {
        if late == 0 {
            return self.pause(node, None).await.map(drop);
        }
        self.with(|core| {
            let pid = core.process_for(node, Deed::Pause)?.pid();
            core.paused(node, pid)?;
            core.nodes[node].stop_after(late);
            Ok(())
        })
    }

    /// Records that a process has handled one of the inputs that precede its stop. After the last of these inputs,
    /// stops the process.
    ///
    /// # Errors
    /// If the process has ended.
    pub(super) async fn took_late(&self, node: NodeId) -> Result<(), RunError> {
        match self.with(|core| core.nodes[node].took_late()) {
            Some(process) => Ok(process.pause().await?),
            None => Ok(()),
        }
    }

    /// Kills the process of a node and waits for its end. Returns the `seq` of the latest event, after the crash.
    ///
    /// # Errors
    /// If the node has already crashed.
    pub async fn crash(&self, node: NodeId) -> Result<u64, RunError> {
        let _turn = self.turn(node)?.lock().await;
        let (process, incarnation) = self.with(|core| core.order_crash(node))?;
        process.kill().await;
        self.until(|core| core.is_over(node, incarnation)).await;
        Ok(self.with(|core| core.latest()))
    }

    /// Pauses the process of a node. With `span`, the process is resumed automatically after that time.
    ///
    /// # Errors
    /// If the node is not running.
    pub async fn pause(self: &Arc<Self>, node: NodeId, span: Option<Duration>) -> Result<u64, RunError> {
        let _turn = self.turn(node)?.lock().await;
        let process = self.with(|core| core.process_for(node, Deed::Pause))?;
        process.pause().await?;
        let pid = process.pid();
        let seq = self.with(|core| core.paused(node, pid))?;
        self.changed.notify_waiters();
        if let Some(span) = span {
            self.undo_after(span, Temporary::Pause { node, told: seq });
        }
        Ok(seq)
    }

    /// Resumes the process of a paused node.
    ///
    /// # Errors
    /// If the node is not paused.
    pub async fn resume(&self, node: NodeId) -> Result<u64, RunError> {
        self.resume_process(node, None).await
    }

    /// Ends the pause of a node. If `only` is given, does nothing but return an error unless event `only` reported
    /// the pause.
    pub(super) async fn resume_process(&self, node: NodeId, only: Option<u64>) -> Result<u64, RunError> {
        let _turn = self.turn(node)?.lock().await;
        let (process, seq) = self.with(|core| {
            let process = core.process_for(node, Deed::Resume)?;
            if only.is_some_and(|only| !core.nodes[node].was_paused_by(only)) {
                let needed = "the pause to be ended is over";
                return Err(RunError::from(Impossible::WrongCondition { node, process: "paused again", needed }));
            }
            // The event is emitted before the signal is sent. In the reverse order, a step of the resumed process
            // could precede the event.
            Ok((process, core.resumed(node)))
        })?;
        process.resume().await?;
        Ok(seq)
    }

    /// Starts a new process for a crashed node, and waits until the process has handled its first input.
    ///
    /// # Errors
    /// If the node has not crashed, or if the new process does not start in time.
    pub async fn restart(self: &Arc<Self>, node: NodeId, state: RestartState) -> Result<u64, RunError> {
        let _turn = self.turn(node)?.lock().await;
        let initialization = self.with(|core| core.begin_incarnation(node, Some(state), &self.hub.url()))?;
        let incarnation = initialization.incarnation;
        self.bring_up(initialization).await?;
        let up = self.until(|core| core.is_up(node, incarnation) || core.is_over(node, incarnation));
        timeout(HELLO_TIMEOUT, up).await.map_err(|_| RunError::NotUp(node, HELLO_TIMEOUT.as_secs()))?;
        // Because of the time limit, a hanging node cannot delay the restart endlessly.
        let _ = timeout(PATIENCE, self.taken(node)).await;
        if self.with(|core| core.is_up(node, incarnation)) {
            Ok(self.with(|core| core.latest()))
        } else {
            Err(RunError::Died(node))
        }
    }

    /// Makes a node request a lock, and waits for the entry for at most `patience`. With `hold`, the node releases
    /// the lock automatically after that time.
    ///
    /// # Errors
    /// If the node has crashed, or has already requested the lock or holds it.
    pub async fn acquire(
        &self,
        node: NodeId,
        lock: LockId,
        hold: Option<Duration>,
        patience: Duration,
    ) -> Result<Acquired, RunError> {
        self.acquire_by(node, Order::Acquire { lock, hold_us: hold.map(micros) }, patience).await
    }

    /// Makes a node request several locks at the same time, each as often as it is listed. Waits for the entry for
    /// at most `patience`. With `hold`, the node releases the locks automatically after that time.
    ///
    /// # Errors
    /// If the node has crashed, has already requested one of the locks or holds it, or if its algorithm does not
    /// support several locks.
    pub async fn acquire_together(
        &self,
        node: NodeId,
        locks: Vec<LockId>,
        hold: Option<Duration>,
        patience: Duration,
    ) -> Result<Acquired, RunError> {
        self.acquire_by(node, Order::AcquireTogether { locks, hold_us: hold.map(micros) }, patience).await
    }

    async fn acquire_by(&self, node: NodeId, order: Order, patience: Duration) -> Result<Acquired, RunError> {
        let deadline = tokio::time::Instant::now() + patience;
        let Some((acquired, entry)) = self.command(node, order).await? else { return Ok(self.not_taken()) };
        let Some(entry) = entry else { return Ok(acquired) };
        let entered = tokio::time::timeout_at(deadline, entry).await.ok().and_then(Result::ok).and_then(Result::ok);
        Ok(Acquired { entered: entered.is_some(), seq: entered.unwrap_or(acquired.seq), ..acquired })
    }

    /// Makes a node leave the critical section.
    ///
    /// # Errors
    /// If the node has crashed, or is not in the critical section.
    pub async fn release(&self, node: NodeId, lock: LockId) -> Result<Acquired, RunError> {
        let taken = self.command(node, Order::Release { lock }).await?;
        Ok(taken.map_or_else(|| self.not_taken(), |(acquired, _)| Acquired { entered: false, ..acquired }))
    }

    /// Sends a node a command that does not concern a lock. Returns whether the node has handled the command, and
    /// the number of the latest event that the command caused. A paused node, for example, has not handled it.
    ///
    /// # Errors
    /// If the node has crashed, or cannot execute the command now.
    pub async fn ordered(&self, node: NodeId, order: Order) -> Result<(bool, u64), RunError> {
        let taken = self.command(node, order).await?;
        Ok(taken.map_or_else(|| (false, self.not_taken().seq), |(acquired, _)| (true, acquired.seq)))
    }

    fn not_taken(&self) -> Acquired {
        Acquired { request: None, entered: false, seq: self.with(|core| core.latest()) }
    }

    async fn command(&self, node: NodeId, order: Order) -> Result<Option<Taken>, RunError> {
        let receiver = self.with(|core| core.order(node, order))?;
        match timeout(COMMAND_PATIENCE, receiver).await {
            Err(_) => Ok(None),
            Ok(Err(_)) => Err(RunError::Died(node)),
            Ok(Ok(reply)) => reply.map(Some).map_err(|detail| RunError::Refused(node, detail)),
        }
    }

    /// Removes all faults and resumes all paused nodes.
    ///
    /// # Errors
    /// If the run is over.
    pub async fn heal(&self) -> Result<u64, RunError> {
        self.with(super::Core::heal_network)?;
        for node in NodeId::all(self.specification.nodes) {
            if self.with(|core| core.process(node))? == ProcessStatus::Paused {
                self.resume(node).await?;
            }
        }
        Ok(self.with(|core| core.latest()))
    }

    /// Ends the run: kills its processes, waits for their ends, and closes its journal.
    pub async fn end(&self, why: Ending) {
        if self.with(|core| core.end(why.clone())) {
            let processes = self.with(|core| core.processes()).into_iter();
            let ends: JoinSet<_> = processes.map(|process| async move { process.kill().await }).collect();
            ends.join_all().await;
            self.close(&why).await;
        } else {
            self.until(|_| self.is_closed()).await;
        }
    }

    /// Returns the lock that prevents concurrent actions on the process of `node`.
    fn turn(&self, node: NodeId) -> Result<&tokio::sync::Mutex<()>, RunError> {
        self.turns.get(node.index()).ok_or(Impossible::UnknownNode(node, self.specification.nodes).into())
    }

    /// Closes the journal of a run that has ended.
    pub(super) async fn close(&self, why: &Ending) {
        self.hub.dismiss(self.id);
        let (status, because) = standing(Some(why));
        let journal = self.journal.clone();
        // An error is only logged here: every observer of the journal has already received it.
        let closing = tokio::task::spawn_blocking(move || journal.finish(status, because.as_deref()));
        if let Ok(Err(failure)) = closing.await {
            tracing::error!("{failure}");
        }
        // The alarm is made to expire at once, so that the task in `keep_deadlines` detects the end of the run.
        if let Some(alarm) = lock(&self.armed).alarm.take() {
            let _ = alarm.set(Some(0));
        }
        self.changed.notify_waiters();
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
