//! A run whose nodes are machines in this process.

use std::path::PathBuf;
use std::sync::Arc;

use axum::body::Bytes;
use interlock_algorithm::NodeId;
use interlock_machine::wire::{Initialization, InputBatch, Report};
use interlock_machine::{LiveNode, Steps};
use interlock_node::Clock;
use jiff::Timestamp;
use serde_json::Value;
use serde_json::value::RawValue;
use tempfile::TempDir;
use uuid::Uuid;

use crate::journal::{Header, Journal, Origin, Reader, Status};
use crate::run::delivery::Handing;
use crate::run::{Core, ReportError};
use crate::supervisor::Supervisor;
use interlock_model::event::{Event, Json, What};
use interlock_model::specification::Draft;

/// A machine, and how far its reports have come.
struct Machine {
    node: Box<dyn LiveNode>,
    incarnation: u32,
    reports: u64,
}

/// A run whose nodes are machines in this process, but for what has to be a process: they are played by `cat`.
pub struct Fixture {
    pub core: Core,
    machines: Vec<Machine>,
    clock: Clock,
    journal: Journal,
    directory: TempDir,
    id: Uuid,
    _supervisor: Supervisor,
}

impl Fixture {
    /// A run of this specification whose nodes `make` makes; they have all said hello and begun.
    pub async fn new(specification: Value, make: impl Fn(&Initialization) -> Box<dyn LiveNode>) -> Self {
        let draft: Draft = serde_json::from_value(specification).expect("a draft");
        let specification = draft.complete().expect("a specification");
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
        let supervisor = Supervisor::start(PathBuf::from("cat"), Vec::new()).expect("a supervisor");
        let mut core = Core::new(id, Arc::new(specification), clock, journal.clone());
        let mut machines = Vec::new();
        for node in NodeId::all(core.specification.nodes) {
            let initialization = core.begin_incarnation(node, None, "http://127.0.0.1:1").expect("a life");
            let process = supervisor.spawn(&initialization, |_| {}).await.expect("a process");
            core.spawned(node, 1, process);
            assert!(core.hello(node, 1, "http://127.0.0.1:2"));
            machines.push(Machine { node: make(&initialization), incarnation: 1, reports: 0 });
        }
        core.begin();
        Self { core, machines, clock, journal, directory, id, _supervisor: supervisor }
    }

    /// Hands the next batch to a node and returns what it reports, or nothing if there is nothing for it.
    pub fn hand(&mut self, node: NodeId) -> Option<Bytes> {
        let machine = &mut self.machines[node.index()];
        let Handing::Batch(batch) = self.core.next_batch(node, machine.incarnation) else { return None };
        let batch: InputBatch<&RawValue> = serde_json::from_slice(&batch).expect("a batch");
        let mut steps = Steps::default();
        for item in batch.items {
            machine.node.take(item.get(), self.clock.now_us(), &mut steps);
        }
        Some(self.report(node, steps))
    }

    /// Lets the timers of a node run out that are due, and returns what it reports of it.
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

    /// Has the run take a report.
    pub fn take(&mut self, node: NodeId, bytes: &Bytes) -> Result<(), ReportError> {
        let report: Report<&RawValue> = serde_json::from_slice(bytes).expect("a report");
        self.core.take_report(node, &report, bytes)
    }

    /// Lets everything happen that can, until nothing does any more or `enough` says so.
    pub fn play(&mut self, enough: impl Fn(&Core) -> bool) {
        loop {
            let mut moved = false;
            for node in NodeId::all(self.core.specification.nodes) {
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

    /// Ends the run and reads what was told of it.
    pub fn events(&mut self) -> Vec<Event> {
        self.core.settle();
        self.journal.finish(Status::Stopped, None).expect("the journal is closed");
        let reader = Reader::open(self.directory.path(), self.id).expect("the journal");
        reader.events_after(0).collect::<Result<_, _>>().expect("the events")
    }

    /// What nodes were blamed for, so far.
    pub fn blames(&mut self) -> Vec<String> {
        let blame = |event: Event| match event.what {
            What::Misbehaved { detail, .. } => Some(detail.to_string()),
            _ => None,
        };
        self.events().into_iter().filter_map(blame).collect()
    }
}
