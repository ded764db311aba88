//! A run as a space-time diagram (Lamport 1978): a row for each process, time in the order of events, and an arrow for
//! each message.
//!
//! The picture is one self-contained file. All shapes are visible without the style sheet, since attributes set their
//! colours. A viewer that applies the style sheet adapts the colours to a dark background.

use std::collections::HashMap;
use std::io;

use interlock_algorithm::{LockId, NodeId, Outcome};
use interlock_machine::message_id::MessageId;

use super::moment::{Moment, moments};
use super::words;
use crate::monitor;
use interlock_model::event::{Event, What};

/// Horizontal position at which rows begin.
const LEFT: usize = 56;
/// Horizontal distance between two moments.
const STEP: usize = 40;
/// Vertical position of the first row.
const TOP: usize = 40;
/// Vertical distance between two rows.
const ROW: usize = 72;

/// Style sheet: the fonts of the picture, and its colours on a dark background. The colours on a light background are
/// in the attributes of the shapes.
const STYLE: &str = "text{font:12px sans-serif}.kind{font-size:10px}\
@media (prefers-color-scheme:dark){.ground{fill:#16181d}text{fill:#e6e6e6}.life,.message{stroke:#9aa4b2}\
.step,.tip{fill:#9aa4b2}.section{fill:#5a8dee}.lost,.dead,.wrong{stroke:#ff6b6b}}";

/// Marker for the end of an arrow.
const TIP: &str = r##"<defs><marker id="tip" markerWidth="9" markerHeight="8" refX="9" refY="4" orient="auto"><path class="tip" d="M0 0L9 4L0 8Z" fill="#333"/></marker></defs>"##;

/// Writes the diagram of a run as SVG.
pub(super) fn write(events: &[Event], nodes: u32, out: &mut impl io::Write) -> io::Result<()> {
    let moments = moments(events);
    let mut picture = Picture::new(nodes);
    for moment in &moments {
        picture.draw(moment);
    }
    picture.finish();
    picture.write(out)
}

/// A message in transit: the position at which its arrow begins, and its label.
#[derive(Clone)]
struct Flight {
    x: usize,
    kind: String,
}

/// The picture under construction: its shapes in layers, the lowest layer first.
struct Picture {
    nodes: u32,
    x: usize,
    lives: Vec<String>,
    sections: Vec<String>,
    arrows: Vec<String>,
    steps: Vec<String>,
    flights: HashMap<MessageId, Flight>,
    latest: Option<(MessageId, Flight)>,
    /// The nodes in a section, each with its lock and the position at which it entered.
    inside: Vec<(NodeId, LockId, usize)>,
    /// For each node, the position at which its incarnation began; `None` while it is crashed.
    alive: Vec<Option<usize>>,
}

impl Picture {
    fn new(nodes: u32) -> Self {
        Self {
            nodes,
            x: LEFT,
            lives: Vec::new(),
            sections: Vec::new(),
            arrows: Vec::new(),
            steps: Vec::new(),
            flights: HashMap::new(),
            latest: None,
            inside: Vec::new(),
            alive: NodeId::all(nodes).map(|_| Some(LEFT)).collect(),
        }
    }

    /// Draws a moment, unless the moment has neither a sentence nor a violation.
    fn draw(&mut self, moment: &Moment) {
        let said = words::of_moment(moment);
        if said.is_some() || !moment.found.is_empty() {
            self.x += STEP;
        }
        self.happen(moment.what);
        moment.effects.iter().for_each(|effect| self.happen(effect));
        for violation in &moment.found {
            let (x, bottom, title) = (self.x, self.bottom(), title(&monitor::sentence(violation)));
            self.steps.push(format!(
                r##"<path class="wrong" d="M{x} 16V{bottom}" stroke="#c00" stroke-dasharray="2 3">{title}</path>"##
            ));
        }
        if let (Some(at), Some(said)) = (moment.step(), said) {
            let because: Vec<String> = moment.because().iter().map(words::reason).collect();
            let because = if because.is_empty() { String::new() } else { format!(", because: {}", because.join("; ")) };
            let (x, y, title) = (self.x, y_of(at.node), title(&(said + &because)));
            self.steps.push(format!(r##"<circle class="step" cx="{x}" cy="{y}" r="4" fill="#333">{title}</circle>"##));
        }
    }

    fn happen(&mut self, what: &What) {
        match what {
            What::Sent { message, message_kind, .. } => {
                let flight = Flight { x: self.x, kind: message_kind.to_string() };
                self.latest = Some((*message, flight.clone()));
                self.flights.insert(*message, flight);
            }
            What::Duplicated { message, copy, .. } => {
                let latest = || self.latest.as_ref().filter(|(sent, _)| sent == message).map(|(_, flight)| flight);
                if let Some(flight) = self.flights.get(message).or_else(latest).cloned() {
                    self.flights.insert(*copy, flight);
                }
            }
            What::Delivered { message, .. } | What::Refused { message: Some(message), .. } => {
                self.arrive(*message);
            }
            What::Dropped { message, .. } => self.lose(*message, what),
            What::Outcome { at, outcome: Outcome::Entered { lock, .. } } => self.inside.push((at.node, *lock, self.x)),
            What::Outcome { at, outcome: Outcome::Exited { lock, .. } } => {
                self.leave(|node, inside| (node, inside) == (at.node, *lock));
            }
            What::Crashed { node, .. } => self.die(*node, what),
            What::Restarted { node, .. } => {
                if let Some(since) = self.alive.get_mut(node.index()) {
                    *since = Some(self.x);
                }
            }
            _ => {}
        }
    }

    fn arrive(&mut self, message: MessageId) {
        if let Some(flight) = self.flights.remove(&message) {
            let end = (self.x, y_of(message.to));
            self.arrow(message, &flight, end, r#" marker-end="url(#tip)""#);
        }
    }

    /// Draws the arrow of a lost message. The arrow stops before the row of the receiver and ends in a cross.
    fn lose(&mut self, message: MessageId, what: &What) {
        let Some(flight) = self.flights.remove(&message) else { return };
        let x = if flight.x == self.x { self.x + STEP / 2 } else { self.x };
        let y = part_of_way(message);
        self.arrow(message, &flight, (x, y), "");
        let said = words::sentence(what).unwrap_or_default();
        self.arrows.push(cross("lost", x, y, &said));
    }

    fn arrow(&mut self, message: MessageId, flight: &Flight, (x, y): (usize, usize), tip: &str) {
        let (from, start) = (flight.x, y_of(message.from));
        let dashes = if message.copy > 0 { r#" stroke-dasharray="5 3""# } else { "" };
        let MessageId { from: sender, to, .. } = message;
        let title = title(&format!("{} {message} from {sender} to {to}", flight.kind));
        let (middle, height) = (from.midpoint(x), start.midpoint(y));
        let kind = escaped(&flight.kind);
        self.arrows.push(format!(
            r##"<path class="message" d="M{from} {start}L{x} {y}" stroke="#555"{dashes}{tip}>{title}</path><text class="kind" x="{middle}" y="{height}">{kind}</text>"##
        ));
    }

    fn leave(&mut self, is: impl Fn(NodeId, LockId) -> bool) {
        let (left, inside): (Vec<_>, _) =
            std::mem::take(&mut self.inside).into_iter().partition(|(node, lock, _)| is(*node, *lock));
        self.inside = inside;
        for (node, lock, since) in left {
            let (y, width) = (y_of(node) - 8, (self.x - since).max(2));
            let title = title(&format!("{node} is in the section of lock {lock}"));
            self.sections.push(format!(
                r##"<rect class="section" x="{since}" y="{y}" width="{width}" height="16" rx="3" fill="#2563eb" fill-opacity="0.45">{title}</rect>"##
            ));
        }
    }

    fn die(&mut self, node: NodeId, what: &What) {
        self.leave(|inside, _| inside == node);
        self.end_life(node);
        let said = words::sentence(what).unwrap_or_default();
        self.steps.push(cross("dead", self.x, y_of(node), &said));
    }

    fn end_life(&mut self, node: NodeId) {
        if let Some(since) = self.alive.get_mut(node.index()).and_then(Option::take) {
            let (x, y) = (self.x, y_of(node));
            self.lives.push(format!(r##"<path class="life" d="M{since} {y}H{x}" stroke="#888"/>"##));
        }
    }

    /// Extends the arrows, sections and incarnations that have not ended to the right margin.
    fn finish(&mut self) {
        self.x += STEP;
        let mut flights: Vec<(MessageId, Flight)> = self.flights.drain().collect();
        flights.sort_by_key(|(message, _)| *message);
        for (message, flight) in flights {
            let end = (self.x, part_of_way(message));
            self.arrow(message, &flight, end, "");
        }
        self.leave(|_, _| true);
        NodeId::all(self.nodes).for_each(|node| self.end_life(node));
    }

    fn bottom(&self) -> usize {
        TOP + ROW * NodeId::all(self.nodes).len() - ROW / 2
    }

    fn write(&self, out: &mut impl io::Write) -> io::Result<()> {
        let (width, height) = (self.x + 24, self.bottom());
        writeln!(
            out,
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">"#
        )?;
        writeln!(out, "<style>{STYLE}</style>")?;
        writeln!(out, r##"<rect class="ground" width="{width}" height="{height}" fill="#fff"/>"##)?;
        writeln!(out, "{TIP}")?;
        writeln!(out, r#"<g fill="none" stroke-width="1.5">"#)?;
        self.lives.iter().try_for_each(|shape| writeln!(out, "{shape}"))?;
        writeln!(out, r##"</g><g fill="#222" font-family="sans-serif" font-size="12" stroke-width="1.2">"##)?;
        for shapes in [&self.sections, &self.arrows, &self.steps] {
            shapes.iter().try_for_each(|shape| writeln!(out, "{shape}"))?;
        }
        for node in NodeId::all(self.nodes) {
            writeln!(out, r#"<text x="16" y="{}">{node}</text>"#, y_of(node) + 4)?;
        }
        writeln!(out, "</g></svg>")
    }
}

fn y_of(node: NodeId) -> usize {
    TOP + ROW * node.index()
}

/// Returns the vertical position at which the arrow of a message that does not arrive ends: at two thirds of the
/// distance between sender and receiver.
fn part_of_way(message: MessageId) -> usize {
    (y_of(message.from) + 2 * y_of(message.to)) / 3
}

fn cross(class: &str, x: usize, y: usize, said: &str) -> String {
    let (left, right, up, down) = (x.saturating_sub(5), x + 5, y.saturating_sub(5), y + 5);
    let title = title(said);
    format!(
        r##"<path class="{class}" d="M{left} {up}L{right} {down}M{left} {down}L{right} {up}" stroke="#c00" stroke-width="2">{title}</path>"##
    )
}

fn title(text: &str) -> String {
    format!("<title>{}</title>", escaped(text))
}

/// Escapes text for XML. The result is on one line and contains no elements, and control characters are visible.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in words::on_one_line(text).chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            other => safe.push(other),
        }
    }
    safe
}
