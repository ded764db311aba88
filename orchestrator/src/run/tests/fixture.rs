//! Test fixture: a run whose nodes are state machines in the test's process.

use std::path::PathBuf;
use std::sync::Arc;

use axum::body::Bytes;
use interlock_algorithm::NodeId;
use interlock_machine::wire::{Initialization, InputBatch, Report};
use interlock_machine::{LiveNode, Steps, live_node};
use interlock_node::Clock;
use jiff::Timestamp;
use serde_json::Value;
use serde_json::value::RawValue;
use tempfile::TempDir;
use uuid::Uuid;

use super::impatient::Impatient;
use crate::journal::{Header, Journal, Origin, Reader, Status};
use crate::run::delivery::Handing;
use crate::run::{Core, Played, ReportError};
use crate::supervisor::Supervisor;
use interlock_model::event::{Event, Json, RestartState, What};
use interlock_model::specification::{Draft, Specification};

/// The state machine of a node, and the number of reports that it has sent.
struct Machine {
    node: Box<dyn LiveNode>,
    incarnation: u32,
    reports: u64,
}

/// Creates the state machine of a node.
type Make = Box<dyn Fn(&Initialization) -> Box<dyn LiveNode>>;

/// A run whose nodes are state machines in the test's process. The run also requires operating system processes,
/// so each node has a process of `cat`.
pub struct Fixture {
    pub core: Core,
    machines: Vec<Machine>,
    make: Make,
    clock: Clock,
    journal: Journal,
    directory: TempDir,
    id: Uuid,
    supervisor: Supervisor,
}

impl Fixture {
    /// Creates a run with the specification `specification`. `make` creates the state machines of its nodes. All
    /// nodes have sent their hello and received their first input.
    pub async fn new(specification: Value, make: impl Fn(&Initialization) -> Box<dyn LiveNode> + 'static) -> Self {
        let draft: Draft = serde_json::from_value(specification).expect("a draft");
        let mut fixture = Self::started(draft.complete().expect("a specification"), None, Box::new(make)).await;
        fixture.core.begin();
        fixture
    }

    /// Creates a run with the specification `specification`. Its nodes have received their first input, and do nothing.
    pub async fn of(specification: Specification) -> Self {
        let make = |initialization: &Initialization| live_node::<Impatient>((), initialization);
        let mut fixture = Self::started(specification, None, Box::new(make)).await;
        fixture.core.begin();
        fixture
    }

    /// Creates a run that will follow a schedule. All nodes have sent their hello, but have not received their
    /// first input.
    pub async fn following(
        played: &Arc<Played>,
        make: impl Fn(&Initialization) -> Box<dyn LiveNode> + 'static,
    ) -> Self {
        let specification = played.schedule.specification.clone();
        Self::started(specification, Some(Arc::clone(played)), Box::new(make)).await
    }

    async fn started(specification: Specification, followed: Option<Arc<Played>>, make: Make) -> Self {
        let directory = TempDir::new().expect("a folder");
        let id = Uuid::now_v7();
        let document = Json::of(&specification).expect("a document");
        let header = Header {
            id,
            name: "test".into(),
            specification: document,
            created_at: Timestamp::now(),
            origin: Origin::Live,
        };
        let journal = Journal::create(directory.path(), &header, None).expect("a journal");
        let clock = Clock::starting_now();
        let supervisor = Supervisor::start(PathBuf::from("cat"), Vec::new(), None).expect("a supervisor");
        let core = Core::new(id, Arc::new(specification), clock, journal.clone(), followed);
        let mut fixture = Self { core, machines: Vec::new(), make, clock, journal, directory, id, supervisor };
        for node in NodeId::all(fixture.core.specification().nodes) {
            fixture.live(node, None).await;
        }
        fixture
    }

    /// Begins the first incarnation of a node or, with `restart`, another incarnation.
    pub async fn live(&mut self, node: NodeId, restart: Option<RestartState>) {
        let initialization = self.core.begin_incarnation(node, restart, "http://127.0.0.1:1").expect("a life");
        let process = self.supervisor.spawn(&initialization, |_| {}).await.expect("a process");
        let incarnation = initialization.incarnation;
        self.core.spawned(node, incarnation, process);
        assert!(self.core.hello(node, incarnation));
        let machine = Machine { node: (self.make)(&initialization), incarnation, reports: 0 };
        match self.machines.get_mut(node.index()) {
            Some(place) => *place = machine,
            None => self.machines.push(machine),
        }
    }

    /// Passes the next batch to a node and returns the node's report; none if there is no batch.
    pub fn hand(&mut self, node: NodeId) -> Option<Bytes> {
        let machine = &mut self.machines[node.index()];
        let Handing::Batch(batch) = self.core.next_batch(node, machine.incarnation) else { return None };
        let batch: InputBatch<&RawValue> = serde_json::from_slice(&batch).expect("a batch");
        let mut steps = Steps::default();
        machine.node.exhaust(batch.exhausted);
        for item in batch.items {
            machine.node.take(item.get(), self.clock.now_us(), &mut steps);
        }
        Some(self.report(node, steps))
    }

    /// Makes the due timers of a node expire, and returns the node's report; none if no timer is due.
    pub fn fire(&mut self, node: NodeId) -> Option<Bytes> {
        let machine = &mut self.machines[node.index()];
        let (mut steps, mut fired) = (Steps::default(), false);
        while machine.node.fire(self.clock.now_us(), &mut steps) {
            fired = true;
        }
        fired.then(|| self.report(node, steps))
    }

    fn report(&mut self, node: NodeId, mut steps: Steps) -> Bytes {
        let machine = &mut self.machines[node.index()];
        machine.reports += 1;
        steps.report(machine.incarnation, machine.reports, machine.node.as_ref()).into()
    }

    /// Passes the report of a node to the run.
    pub fn take(&mut self, node: NodeId, bytes: &Bytes) -> Result<(), ReportError> {
        let report: Report<&RawValue> = serde_json::from_slice(bytes).expect("a report");
        self.core.take_report(node, &report, bytes)
    }

    /// Passes inputs, expiries and reports between the run and its nodes, until nothing is left or `enough`
    /// returns true.
    pub fn play(&mut self, enough: impl Fn(&Core) -> bool) {
        loop {
            let mut moved = false;
            for node in NodeId::all(self.core.specification().nodes) {
                for report in [self.hand(node), self.fire(node)].into_iter().flatten() {
                    self.take(node, &report).expect("the report is taken");
                    moved = true;
                }
            }
            self.core.look_again();
            if !moved || enough(&self.core) {
                return;
            }
        }
    }

    /// Closes the journal of the run, and returns the events in it.
    pub fn events(&mut self) -> Vec<Event> {
        self.core.settle();
        self.journal.finish(Status::Stopped, None).expect("the journal is closed");
        let reader = Reader::open(self.directory.path(), self.id).expect("the journal");
        reader.events_after(0).collect::<Result<_, _>>().expect("the events")
    }

    /// Closes the journal, and returns the details of all events about misbehaviour of nodes.
    pub fn blames(&mut self) -> Vec<String> {
        let blame = |event: Event| match event.what {
            What::Misbehaved { detail, .. } => Some(detail.to_string()),
            _ => None,
        };
        self.events().into_iter().filter_map(blame).collect()
    }
}
