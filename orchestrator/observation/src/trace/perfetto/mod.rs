//! A run in Chrome's trace event format (Google, "Trace Event Format"), which Perfetto also reads. The output has one
//! process for the run, a thread for each node, slices for durations and arrows for messages.
//!
//! Perfetto accepts only numbers as ids of arrows. The arrows are therefore numbered, and the id of the message is an
//! argument of each arrow.

mod lanes;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io;

use interlock_algorithm::{FlatMap, LockId, NodeId, Outcome, RequestId};
use interlock_machine::message_id::MessageId;
use serde::Serialize;
use serde_json::{Value, json};

use super::moment::{Moment, moments};
use super::words;
use crate::monitor;
use interlock_model::event::{Event, What};
use interlock_model::specification::Specification;
use lanes::Lanes;

/// Number of the process that represents the run. Process and thread numbers begin at 1, because some viewers treat 0
/// as "no process" or "no thread".
const RUN: u64 = 1;
/// Displayed duration of a step, in microseconds. It is not 0, because viewers attach no arrow to a slice without
/// duration.
const STEP_US: u64 = 1;

/// Writes the names of the threads, and then the records in the order of time.
pub(super) fn write(events: &[Event], specification: &Specification, out: &mut impl io::Write) -> io::Result<()> {
    let mut recording = Recording::default();
    for moment in &moments(events) {
        recording.take(moment);
    }
    recording.finish(events.iter().map(|event| event.at_us).max().unwrap_or_default());
    let mut items = recording.items;
    items.sort_by_key(|item| (item.start_us, Reverse(item.end_us)));

    let mut lanes = Lanes::new(specification.nodes);
    let places: Vec<_> = items.iter().map(|item| item.node.map(|node| lanes.place(node, item.span()))).collect();
    let threads = lanes.threads();
    let process = format!("{} ({}/{})", specification.name, specification.algorithm, specification.variant);
    writeln!(out, "{{\"displayTimeUnit\":\"ms\",\"traceEvents\":[")?;
    line(out, &Record::named("process_name", None, &words::on_one_line(&process)))?;
    for (name, thread) in threads.values() {
        writeln!(out, ",")?;
        line(out, &Record::named("thread_name", Some(*thread), name))?;
    }
    for (item, place) in items.iter().zip(places) {
        let thread = place.and_then(|place| threads.get(&place)).map(|(_, thread)| *thread);
        for record in item.records(thread) {
            writeln!(out, ",")?;
            line(out, &record)?;
        }
    }
    writeln!(out, "\n]}}")
}

fn line(out: &mut impl io::Write, record: &Record) -> io::Result<()> {
    Ok(serde_json::to_writer(out, record)?)
}

/// A record: one event of Chrome's format.
#[derive(Serialize)]
struct Record<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cat: Option<&'a str>,
    ph: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ts: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dur: Option<u64>,
    pid: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    tid: Option<u64>,
    /// The number of the arrow that the record begins or ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    /// Binding point of an arrow's end. The value `e` binds the arrow to the enclosing slice.
    #[serde(skip_serializing_if = "Option::is_none")]
    bp: Option<&'static str>,
    /// Scope of an instant: `t` for its thread, `p` for its process.
    #[serde(skip_serializing_if = "Option::is_none")]
    s: Option<&'static str>,
    args: Value,
}

impl<'a> Record<'a> {
    const fn new(ph: &'static str, name: &'a str, args: Value) -> Self {
        Self { name, cat: None, ph, ts: None, dur: None, pid: RUN, tid: None, id: None, bp: None, s: None, args }
    }

    fn named(what: &'a str, tid: Option<u64>, name: &str) -> Self {
        Self { tid, ..Self::new("M", what, json!({ "name": name })) }
    }
}

/// An item shown at a node, or for the whole run.
struct Item {
    node: Option<NodeId>,
    start_us: u64,
    end_us: u64,
    /// Whether the item is an instant, which is displayed without a duration.
    instant: bool,
    category: &'static str,
    name: String,
    args: Value,
    ends: Vec<ArrowEnd>,
}

/// The beginning or the end of an arrow.
struct ArrowEnd {
    id: u64,
    message: MessageId,
    kind: String,
    arrives: bool,
}

impl Item {
    const fn span(&self) -> (u64, u64) {
        (self.start_us, self.end_us)
    }

    /// Returns the record of the item, followed by the records of the ends of arrows at the item.
    fn records(&self, tid: Option<u64>) -> impl Iterator<Item = Record<'_>> {
        let Self { start_us, end_us, instant, category, name, args, .. } = self;
        let at = move |record| Record { cat: Some(*category), ts: Some(*start_us), tid, ..record };
        let shown = if *instant {
            let scope = if tid.is_some() { "t" } else { "p" };
            Record { s: Some(scope), ..at(Record::new("i", name, args.clone())) }
        } else {
            Record { dur: Some(end_us - start_us), ..at(Record::new("X", name, args.clone())) }
        };
        let ends = self.ends.iter().map(move |end| {
            let (ph, bp) = if end.arrives { ("f", Some("e")) } else { ("s", None) };
            let args = json!({ "message": end.message.to_string() });
            Record { cat: Some("message"), id: Some(end.id), bp, ..at(Record::new(ph, &end.kind, args)) }
        });
        std::iter::once(shown).chain(ends)
    }
}

/// A kind of duration that is shown as a slice.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Span {
    Wait(LockId, RequestId),
    Section(LockId, RequestId),
    Call(RequestId),
    Paused,
    Dead,
}

/// The items, open spans and messages while the events of a run are converted to records.
#[derive(Default)]
struct Recording {
    items: Vec<Item>,
    /// For each node, its open spans, each with the time at which the span began.
    open: FlatMap<NodeId, Vec<(Span, u64)>>,
    /// The messages that have not arrived: the kind of each message, and the index of the item that sent it.
    flights: BTreeMap<MessageId, (String, usize)>,
    /// The latest displayed time of each node. If a later event has an earlier timestamp, the event is displayed at
    /// this latest time.
    now: FlatMap<NodeId, u64>,
    arrows: u64,
}

impl Recording {
    fn take(&mut self, moment: &Moment) {
        let step = self.step(moment);
        for Event { at_us, what, .. } in &moment.events {
            let now = what.node().map_or(*at_us, |node| self.reach(node, *at_us));
            match what {
                What::Sent { message, message_kind, .. } => {
                    let flight = step.map(|step| (*message, (words::on_one_line(message_kind), step)));
                    self.flights.extend(flight);
                }
                What::Duplicated { message, copy, .. } => {
                    let flight = self.flights.get(message).cloned();
                    self.flights.extend(flight.map(|flight| (*copy, flight)));
                }
                _ => self.happen(what, now),
            }
        }
    }

    /// Records a step that receives or sends messages. The displayed time of a receiving step is never earlier than
    /// the displayed time of the sending step.
    fn step(&mut self, moment: &Moment) -> Option<usize> {
        let taken = match moment.what {
            What::Delivered { message, message_kind, .. } => Some((*message, format!("receives {message_kind}"))),
            What::Refused { message: Some(message), .. } => Some((*message, "refuses a message".to_owned())),
            _ => None,
        };
        let sent = moment.events.iter().find_map(|event| match &event.what {
            What::Sent { message_kind, .. } => Some(format!("sends {message_kind}")),
            _ => None,
        });
        let (arrived, name) = match taken {
            Some((message, name)) => (Some(message), name),
            None => (None, sent?),
        };
        let node = moment.what.node()?;
        let flight = arrived.and_then(|message| Some((message, self.flights.remove(&message)?)));
        let sent_us = flight.as_ref().and_then(|(_, (_, from))| self.items.get(*from)).map_or(0, |from| from.start_us);
        let at_us = moment.events.first().map_or(0, |event| event.at_us);
        let now = self.reach(node, at_us.max(sent_us));
        let place = self.items.len();
        let args = json!({ "what": words::of_moment(moment) });
        self.show(node, "step", &words::on_one_line(&name), (now, now.saturating_add(STEP_US)), args);
        if let Some((message, (kind, from))) = flight {
            self.arrows += 1;
            for (place, arrives) in [(from, false), (place, true)] {
                if let Some(item) = self.items.get_mut(place) {
                    item.ends.push(ArrowEnd { id: self.arrows, message, kind: kind.clone(), arrives });
                }
            }
        }
        Some(place)
    }

    fn happen(&mut self, what: &What, now: u64) {
        match what {
            What::Outcome { at, outcome } => match outcome {
                Outcome::Requested { lock, request, .. } => self.begin(at.node, Span::Wait(*lock, *request), now),
                Outcome::Entered { lock, request, .. } => {
                    self.end(at.node, now, None, |span| span == Span::Wait(*lock, *request));
                    self.begin(at.node, Span::Section(*lock, *request), now);
                }
                Outcome::Exited { lock, request } => {
                    self.end(at.node, now, None, |span| span == Span::Section(*lock, *request));
                }
                Outcome::Aborted { request, .. } => {
                    self.end(at.node, now, Some("given up"), |span| span.is_of(*request));
                }
                Outcome::Called { .. } | Outcome::Elected { .. } => self.note("election", what, now),
                Outcome::Proposed { .. } | Outcome::Decided { .. } => self.note("agreement", what, now),
                Outcome::Invoked { request, .. } => self.begin(at.node, Span::Call(*request), now),
                Outcome::Returned { request, .. } => {
                    self.end(at.node, now, None, |span| span == Span::Call(*request));
                }
                Outcome::Expired { .. } | Outcome::Reported { .. } => self.note("lock", what, now),
                _ => {}
            },
            What::Paused { node, .. } => self.begin(*node, Span::Paused, now),
            What::Resumed { node, .. } => self.end(*node, now, None, |span| span == Span::Paused),
            What::Crashed { node, .. } => {
                self.end(*node, now, Some("crashed"), |_| true);
                self.begin(*node, Span::Dead, now);
            }
            What::Restarted { node, .. } => self.end(*node, now, None, |span| span == Span::Dead),
            What::Configured { .. } => self.note("network", what, now),
            What::Put { .. } | What::Rejected { .. } => self.note("resource", what, now),
            What::Violated { violation } => {
                let args = json!({ "what": monitor::sentence(violation), "events": violation.events });
                self.instant(None, ("rule", &violation.monitor), now, args);
            }
            _ => {}
        }
    }

    /// Returns the displayed time of an event at a node: at least the displayed time of the node's previous event.
    fn reach(&mut self, node: NodeId, at_us: u64) -> u64 {
        let now = self.now.entry(node).or_default();
        *now = at_us.max(*now);
        *now
    }

    fn begin(&mut self, node: NodeId, span: Span, now: u64) {
        // If the same span begins twice, it is shown as two spans, one after the other.
        self.end(node, now, None, |open| open == span);
        self.open.entry(node).or_default().push((span, now));
    }

    /// Ends the open spans of a node for which `is_such` is true. If the spans end in an unusual way, `how` describes
    /// it.
    fn end(&mut self, node: NodeId, now: u64, how: Option<&str>, is_such: impl Fn(Span) -> bool) {
        let Some(open) = self.open.get_mut(&node) else { return };
        for (span, since) in open.extract_if(.., |(span, _)| is_such(*span)).collect::<Vec<_>>() {
            let (category, name, mut args) = span.shown();
            if let Some(how) = how {
                args["ended"] = how.into();
            }
            self.show(node, category, &name, (since, now), args);
        }
    }

    /// Ends all open spans at the time of the last event.
    fn finish(&mut self, last_us: u64) {
        let last_us = self.now.values().copied().fold(last_us, u64::max);
        let nodes: Vec<NodeId> = self.open.keys().copied().collect();
        for node in nodes {
            self.end(node, last_us, Some("not yet"), |_| true);
        }
    }

    fn show(&mut self, node: NodeId, category: &'static str, name: &str, (start_us, end_us): (u64, u64), args: Value) {
        let (node, name, ends) = (Some(node), name.to_owned(), Vec::new());
        self.items.push(Item { node, start_us, end_us, instant: false, category, name, args, ends });
    }

    fn note(&mut self, category: &'static str, what: &What, now: u64) {
        self.instant(what.node(), (category, what.kind()), now, json!({ "what": words::sentence(what) }));
    }

    fn instant(&mut self, node: Option<NodeId>, (category, name): (&'static str, &str), now: u64, args: Value) {
        let (name, ends) = (words::on_one_line(name), Vec::new());
        self.items.push(Item { node, start_us: now, end_us: now, instant: true, category, name, args, ends });
    }
}

impl Span {
    fn is_of(self, which: RequestId) -> bool {
        matches!(self, Self::Wait(_, request) | Self::Section(_, request) if request == which)
    }

    /// Returns the category, the name and the arguments of a span.
    fn shown(self) -> (&'static str, String, Value) {
        let about = |lock: LockId, request: RequestId| json!({ "lock": lock, "request": request });
        match self {
            Self::Wait(lock, request) => ("wait", format!("waits for lock {lock}"), about(lock, request)),
            Self::Section(lock, request) => ("section", format!("in the section of lock {lock}"), about(lock, request)),
            Self::Call(request) => ("call", "calls the service".to_owned(), json!({ "request": request })),
            Self::Paused => ("fault", "paused".to_owned(), json!({})),
            Self::Dead => ("fault", "crashed".to_owned(), json!({})),
        }
    }
}
