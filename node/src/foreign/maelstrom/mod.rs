//! A Maelstrom program as a node. Each line that the program reads or writes is a message with `src`, `dest` and
//! `body`. The program may write a line at any time.
//!
//! The nodes are `n0`, `n1`, …, and each node has one client, `c0`, `c1`, …. The client sends its node `lock` and
//! `unlock`, or the requests of a service. A message between nodes is delivered with the `src` and `dest` that the
//! program wrote. So a node can forward a request of its client to another node, and the other node can answer the
//! client directly. A line that the program writes takes effect when the timer [`OUTPUT`] expires. The timer expires
//! as soon as a line has arrived, and is then set again.
//!
//! Source of the protocol and the services: Kingsbury, Maelstrom, `doc/protocol.md` and `doc/workloads.md`. The
//! requests for a lock are not a workload of Maelstrom itself. Courses that use Maelstrom have added them.

mod envelope;
mod errand;
mod outbox;
mod reply;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::ffi::OsString;

use interlock_algorithm::catalogue::OWN;
use interlock_algorithm::{AbortCause, Command, LockId, NodeId, Outcome, Response, View};
use interlock_machine::Wake;
use interlock_machine::service::Service;
use interlock_machine::wire::{ForeignProgram, Initialization};
use serde_json::{Value, json};

use super::breach::{Breach, MOST_UNHEARD, PATIENCE, quoted};
use super::dialogue::{Asked, Conversation, OUTPUT, check_kind, in_words};
use super::program::{NoLine, Program};
use super::said::{Answer, Effect};

use self::envelope::{Envelope, Place};
use self::errand::{Errand, Meaning};
use self::outbox::Outbox;
use self::reply::{Sent, answers, kind};

/// Maximum number of lines that take effect in one step. The next constant is the number of bytes after which a
/// step accepts no further line. A step must fit into one report.
const MOST_LINES: usize = 256;
const ENOUGH_BYTES: usize = 64 << 10;
/// Delay of the output timer, in ms: one hour. If a program is silent for an hour, the timer expires without a line
/// and is set again.
const SILENCE_MS: u64 = 3_600_000;
/// The only lock that this protocol has.
const LOCK: LockId = LockId(0);
/// Number of messages that a client may send in one incarnation of the node. Each incarnation has a separate range
/// of message numbers. So an answer to an earlier incarnation is not mistaken for an answer to the current one.
const MESSAGES_PER_LIFE: u64 = 1 << 32;
/// Timer after which the client of a service stops waiting for an answer. The next constant is its delay in ms.
const ANSWER: &str = "answer";
const ANSWER_MS: u64 = 5_000;

/// A Maelstrom program, together with its client.
pub struct Maelstrom {
    starter: Vec<OsString>,
    command: Option<ForeignProgram>,
    me: NodeId,
    nodes: u32,
    /// Kinds of messages between nodes, if the scenario declares them.
    kinds: Option<Vec<String>>,
    /// Whether the service of the run is broadcast. If so, the program first gets the topology.
    broadcasts: bool,
    running: Option<Running>,
    /// Lines of the program that have arrived but have not taken effect.
    heard: VecDeque<Result<String, NoLine>>,
    /// Number of the client's last message. The first message of an incarnation contains the identity of the node.
    last_message: u64,
    /// Request of the client that the program has not answered yet.
    open: Option<Open>,
    /// Next request of the client, which is sent after the answer to the open request.
    next: Option<Errand>,
    wake: Option<Wake>,
    view: View,
    failure: Option<String>,
}

/// The process of the program, and the queue of lines to its standard input.
struct Running {
    program: Program,
    outbox: Outbox,
}

/// A message of the client that is not answered yet.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Open {
    message: u64,
    errand: Errand,
}

impl Maelstrom {
    /// Creates the node for the program that an initialization names. The program is started when the incarnation
    /// begins; `starter` is put before the program's command.
    pub fn of(initialization: &Initialization, starter: Vec<OsString>) -> Self {
        Self {
            starter,
            command: initialization.program.clone(),
            me: initialization.node,
            nodes: initialization.nodes,
            kinds: initialization.declared_kinds.clone(),
            broadcasts: initialization
                .client_loop
                .as_ref()
                .is_some_and(|habit| habit.service == Some(Service::Broadcast)),
            running: None,
            heard: VecDeque::new(),
            last_message: u64::from(initialization.incarnation.saturating_sub(1)) * MESSAGES_PER_LIFE + 1,
            open: None,
            next: None,
            wake: None,
            view: View::default(),
            failure: None,
        }
    }

    fn follow(&mut self, asked: &Asked) -> Result<Vec<Effect>, Breach> {
        match asked {
            Asked::Start {} | Asked::Restart { .. } => {
                self.begin()?;
                Ok(vec![listens()])
            }
            Asked::Timer { timer } if timer.text() == ANSWER => Ok(self.give_up()),
            Asked::Timer { .. } => self.follow_what_it_said(),
            Asked::Message { body, .. } => {
                let envelope = Envelope::read(body)?;
                let mut effects = Vec::new();
                self.hand_over(&envelope, &mut effects)?;
                Ok(effects)
            }
            Asked::Command(Command::Acquire { request, .. }) => {
                self.ask_when_free(Errand::Lock(*request))?;
                Ok(vec![Effect::Outcome(Outcome::requested(LOCK, *request))])
            }
            Asked::Command(Command::Invoke { request, operation }) => {
                self.ask_when_free(Errand::Call(*request, operation.clone()))?;
                let invoked = Outcome::Invoked { request: *request, operation: operation.clone() };
                let timer = Effect::SetTimer { timer: ANSWER.to_owned(), after_ms: ANSWER_MS };
                Ok(vec![Effect::Outcome(invoked), timer])
            }
            // For the client, the critical section ends when the client sends the release, as in Maelstrom's
            // `lock` workload. The client sends its next request only after the release is acknowledged.
            Asked::Command(Command::Release { request, .. }) => {
                self.ask_program(Errand::Unlock)?;
                Ok(vec![Effect::Outcome(Outcome::Exited { lock: LOCK, request: *request })])
            }
            // Maelstrom has no messages that report suspicions.
            Asked::Suspected { .. } | Asked::Trusted { .. } => Ok(Vec::new()),
            Asked::Elect {} | Asked::Command(_) => Err(Breach::Order),
        }
    }

    /// Starts the program, and sends it the identity of its node. Lines that arrive before the program answers are
    /// queued.
    fn begin(&mut self) -> Result<(), Breach> {
        let command = self.command.as_ref().ok_or(Breach::NoCommand)?;
        let name = format!("P{}", self.me.0);
        let start = || {
            let mut program = Program::start(command, &self.starter, name, MOST_UNHEARD, self.wake.clone())?;
            let outbox = Outbox::to(program.take_input())?;
            Ok(Running { program, outbox })
        };
        self.running = Some(start().map_err(Breach::Start)?);
        let nodes: Vec<String> = NodeId::all(self.nodes).map(|node| Place::Node(node).name()).collect();
        let name = Place::Node(self.me).name();
        self.prepare("init", json!({ "type": "init", "node_id": name, "node_ids": nodes }))?;
        if self.broadcasts {
            self.last_message += 1;
            self.prepare(Errand::Topology.name(), Errand::Topology.body(self.nodes))?;
        }
        Ok(())
    }

    /// Sends the program a message that it must answer before it gets any request. Lines that arrive before this
    /// answer are queued.
    fn prepare(&mut self, name: &str, mut body: Value) -> Result<(), Breach> {
        let message = self.last_message;
        body["msg_id"] = message.into();
        self.tell(&Envelope { src: self.client(), dest: Place::Node(self.me), body })?;
        let sent = Sent { open: Some((message, name)), last: message };
        let mut said = None;
        loop {
            let Some(Running { program, .. }) = &mut self.running else { return Ok(()) };
            let line = program.line(PATIENCE).map_err(|why| unanswered(why, name, said))?;
            let envelope = self.read(&line)?;
            if envelope.dest == self.client() && answers(&envelope.body, sent)? {
                let is_ready = kind(&envelope.body)?.strip_suffix("_ok") == Some(name);
                return if is_ready { Ok(()) } else { Err(Breach::reply(name, &envelope.body)) };
            }
            said = Some(quoted(&line));
            self.heard.push_back(Ok(line));
            if self.heard.len() > MOST_UNHEARD {
                return Err(Breach::Talkative(name.to_owned()));
            }
        }
    }

    /// Sends a request of the client. If an earlier message is not answered yet, the request is sent after the
    /// answer to that message.
    fn ask_when_free(&mut self, errand: Errand) -> Result<(), Breach> {
        if self.open.is_some() {
            self.next = Some(errand);
            return Ok(());
        }
        self.ask_program(errand)
    }

    /// Sends a request of the client now.
    fn ask_program(&mut self, errand: Errand) -> Result<(), Breach> {
        self.last_message += 1;
        let message = self.last_message;
        let mut body = errand.body(self.nodes);
        body["msg_id"] = message.into();
        self.open = Some(Open { message, errand });
        self.tell(&Envelope { src: self.client(), dest: Place::Node(self.me), body })
    }

    fn tell(&self, envelope: &Envelope) -> Result<(), Breach> {
        self.running.as_ref().map_or(Ok(()), |running| running.outbox.tell(envelope.written()))
    }

    fn follow_what_it_said(&mut self) -> Result<Vec<Effect>, Breach> {
        let (mut effects, mut bytes) = (Vec::new(), 0);
        for _ in 0..MOST_LINES {
            self.listen();
            let heard = if bytes < ENOUGH_BYTES { self.heard.pop_front() } else { None };
            let Some(heard) = heard else { break };
            let line = heard.map_err(|why| Breach::Unheard { why, to: "itself".to_owned() })?;
            bytes += line.len();
            let envelope = self.read(&line)?;
            self.hand_over(&envelope, &mut effects)?;
        }
        effects.push(listens());
        Ok(effects)
    }

    /// If no line is queued, moves the next line of the program to the queue.
    fn listen(&mut self) {
        if let Some(running) = self.running.as_mut().filter(|_| self.heard.is_empty()) {
            self.heard.extend(running.program.next_line());
        }
    }

    /// Parses a line. The sender and the receiver of the message must be nodes or clients of the run. The sender
    /// need not be this node, because a node may forward a request of its client.
    fn read(&self, line: &str) -> Result<Envelope, Breach> {
        let value: Value = serde_json::from_str(line).map_err(|_| Breach::NoJson(quoted(line)))?;
        let envelope = Envelope::read(&value)?;
        let is_there = |place: Place| place.node().0 < self.nodes;
        if is_there(envelope.src) && is_there(envelope.dest) {
            return Ok(envelope);
        }
        Err(Breach::Address { said: quoted(line), last: self.nodes - 1 })
    }

    /// Delivers a message to its receiver: the program, its client, or another node.
    fn hand_over(&mut self, envelope: &Envelope, effects: &mut Vec<Effect>) -> Result<(), Breach> {
        let to = envelope.dest.node();
        if to != self.me {
            if matches!(envelope.dest, Place::Client(_)) {
                reply::number(&envelope.body)?;
            }
            let kind = kind(&envelope.body)?.to_owned();
            check_kind(self.kinds.as_deref(), OWN.name, &kind)?;
            effects.push(Effect::Send { to: vec![to], kind, body: envelope.value() });
            return Ok(());
        }
        match envelope.dest {
            Place::Node(_) => self.tell(envelope),
            Place::Client(_) => self.answered(envelope, effects),
        }
    }

    /// Handles a message to the client. If the client's request was already answered, the message has no effect:
    /// the network may duplicate answers.
    fn answered(&mut self, envelope: &Envelope, effects: &mut Vec<Effect>) -> Result<(), Breach> {
        let body = &envelope.body;
        let open = self.open.as_ref().map(|open| (open.message, open.errand.name()));
        let is_answer = match answers(body, Sent { open, last: self.last_message }) {
            Ok(is_answer) => is_answer,
            // The invalid answer comes from the program of another node. The program of this node has not violated
            // the protocol.
            Err(_) if envelope.src.node() != self.me => false,
            Err(why) => return Err(why),
        };
        let Some(Open { errand, .. }) = self.open.take_if(|_| is_answer) else { return Ok(()) };
        let meaning = errand.meaning(kind(body)?, body).ok_or_else(|| Breach::reply(errand.name(), body))?;
        let outcome = match (errand, meaning) {
            (Errand::Lock(request), Meaning::Done(_)) => Outcome::Entered { lock: LOCK, request, fence: None },
            (Errand::Lock(request), Meaning::Refused(_)) => Outcome::Aborted { request, cause: AbortCause::GaveWay },
            (Errand::Unlock, Meaning::Done(_)) => {
                return self.next.take().map_or(Ok(()), |errand| self.ask_program(errand));
            }
            (Errand::Call(request, _), meaning) => {
                effects.push(Effect::CancelTimer { timer: ANSWER.to_owned() });
                Outcome::Returned { request, response: response(meaning) }
            }
            (errand, _) => return Err(Breach::reply(errand.name(), body)),
        };
        effects.push(Effect::Outcome(outcome));
        Ok(())
    }

    /// Makes the client of a service stop waiting. The result of its operation stays unknown, and a late answer has
    /// no effect.
    fn give_up(&mut self) -> Vec<Effect> {
        let call = self.open.take_if(|open| matches!(open.errand, Errand::Call(..)));
        let Some(Open { errand: Errand::Call(request, _), .. }) = call else { return Vec::new() };
        vec![Effect::Outcome(Outcome::Returned { request, response: Response::Unknown {} })]
    }

    const fn client(&self) -> Place {
        Place::Client(self.me)
    }
}

impl Conversation for Maelstrom {
    fn ask(&mut self, asked: &Asked) -> Answer {
        if self.failure.is_some() {
            return Answer::default();
        }
        match self.follow(asked) {
            Ok(effects) => Answer { effects, ..Answer::default() },
            Err(breach) => {
                let program = self.running.as_ref().map(|running| &running.program);
                self.failure = Some(in_words(self.me, self.command.as_ref(), program, &breach));
                Answer::default()
            }
        }
    }

    fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    fn view(&self) -> &View {
        &self.view
    }

    fn has_spoken(&mut self) -> bool {
        self.listen();
        !self.heard.is_empty()
    }

    fn wake_with(&mut self, wake: Wake) {
        self.wake = Some(wake);
    }
}

/// Returns the effect that sets the timer for output of the program.
fn listens() -> Effect {
    Effect::SetTimer { timer: OUTPUT.to_owned(), after_ms: SILENCE_MS }
}

/// Returns the breach of a program that did not answer in time. `said` is the last line that the program sent
/// instead of the answer.
fn unanswered(why: NoLine, name: &str, said: Option<String>) -> Breach {
    match (why, said) {
        (NoLine::TooSlow, Some(said)) => Breach::Evasive { question: name.to_owned(), said },
        (why, _) => Breach::Unheard { why, to: format!("`{name}`") },
    }
}

fn response(meaning: Meaning) -> Response {
    match meaning {
        Meaning::Done(response) => response,
        Meaning::Refused(code) => Response::Refused { code },
        Meaning::Unknown => Response::Unknown {},
    }
}
