//! The observer of a run. It records the outcomes that the nodes report, and checks with the monitors whether the
//! run violates a property.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use interlock_algorithm::{NodeId, Outcome};
use interlock_machine::application::TELL;
use interlock_model::event::{Event, What};
use interlock_model::specification::Specification;
use interlock_observation::monitor::interventions::Interventions;
use interlock_observation::monitor::mutual_exclusion::MutualExclusion;
use interlock_observation::monitor::precedence::Precedence;
use interlock_observation::monitor::{Monitor, sentence};
use interlock_world::Observer;

/// An event at a node that a property may depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happened {
    /// The node has reported an outcome.
    Told(Outcome),
    /// The node has crashed.
    Crashed,
    /// The node has restarted.
    Restarted,
}

/// The observations of a run so far.
#[derive(Debug)]
pub struct Seen {
    /// The crashes, restarts and reported outcomes of all nodes, in order.
    pub log: Vec<(NodeId, Happened)>,
    /// Number of messages of each kind that the algorithm has sent.
    pub sent: BTreeMap<String, u32>,
    /// The events that the latest action has caused.
    pub latest: Vec<Event>,
    /// A violation of ME1: by happened-before, two processes were in the critical section at the same time.
    pub together: Option<String>,
    /// A violation of ORDER: of two requests, the one that happened before the other was granted later.
    pub out_of_order: Option<String>,
    events: u64,
    mutual_exclusion: MutualExclusion,
    precedence: Option<Precedence>,
}

/// Observer of a run that shares its observations with the test.
#[derive(Debug)]
pub struct Watch {
    seen: Rc<RefCell<Seen>>,
    records: bool,
}

impl Watch {
    /// Creates an observer of a run. If `records` is true, the observer also reads the contents of messages and the
    /// reasons.
    pub fn new(specification: &Specification, records: bool) -> Self {
        let seen = Seen {
            log: Vec::new(),
            sent: BTreeMap::new(),
            latest: Vec::new(),
            together: None,
            out_of_order: None,
            events: 0,
            mutual_exclusion: MutualExclusion::new(specification),
            precedence: Precedence::new(specification.nodes),
        };
        Self { seen: Rc::new(RefCell::new(seen)), records }
    }

    /// Returns the shared observations.
    pub fn seen(&self) -> Rc<RefCell<Seen>> {
        Rc::clone(&self.seen)
    }
}

impl Observer for Watch {
    fn records(&self) -> bool {
        self.records
    }

    fn observe(&mut self, at_us: u64, what: What) {
        self.seen.borrow_mut().observe(at_us, what);
    }
}

impl Seen {
    fn observe(&mut self, at_us: u64, what: What) {
        match &what {
            What::Sent { message_kind, .. } if **message_kind != *TELL => {
                *self.sent.entry(message_kind.to_string()).or_default() += 1;
            }
            What::Crashed { node, .. } => self.log.push((*node, Happened::Crashed)),
            What::Restarted { node, .. } => self.log.push((*node, Happened::Restarted)),
            What::Outcome { at, outcome } => self.log.push((at.node, Happened::Told(outcome.clone()))),
            _ => {}
        }
        self.events += 1;
        let event = Event { seq: self.events, at_us, what };
        let mut found = Vec::new();
        self.mutual_exclusion.observe(&event, &Interventions::default(), &mut found);
        self.together = self.together.take().or_else(|| found.first().map(sentence));
        if let Some(precedence) = &mut self.precedence {
            let out_of_order = &mut self.out_of_order;
            precedence.observe(&event, |inversion| *out_of_order = Some(format!("{inversion:?}")));
        }
        self.latest.push(event);
    }
}
