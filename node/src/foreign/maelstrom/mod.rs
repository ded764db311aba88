//! A program that is written for Maelstrom, as a node: it speaks when it likes, in messages with `src`, `dest` and `body`.
//!
//! The nodes are `n0`, `n1`, … and each has one client, `c0`, `c1`, …, which asks it for the lock (`lock`, `unlock`). Between
//! nodes a message travels whole, so that a node can hand the request of its client on, and another can answer that client.
//! What the program says takes effect when the timer [`OUTPUT`] runs out, which it does as soon as there is something.
//!
//! The protocol: Kingsbury, Maelstrom, `doc/protocol.md`; the workload: its `lock`.

mod envelope;
mod outbox;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::ffi::OsString;

use interlock_algorithm::{AbortCause, Command, LockId, NodeId, Outcome, RequestId, View};
use interlock_machine::Wake;
use interlock_machine::wire::{ForeignProgram, Initialization};
use serde_json::{Value, json};

use super::dialogue::{Asked, Conversation, OUTPUT, PATIENCE, in_words, quoted};
use super::message::Kind;
use super::program::{NoLine, Program};
use super::said::{Answer, Effect};

use self::envelope::{Envelope, Place};
use self::outbox::Outbox;

/// How many lines of the program may wait before it has to.
const MOST_WAITING: usize = 1_024;
/// The most lines that take effect in one step, and after how many bytes no further line does: a step is told in one report.
const MOST_LINES: usize = 256;
const ENOUGH_BYTES: usize = 64 << 10;
/// The timer never runs out by itself: it is set anew after an hour in which the program has said nothing.
const SILENCE_MS: u64 = 3_600_000;
/// The only lock that such a program knows.
const LOCK: LockId = LockId(0);
/// How many messages its client may send in one life of the node: each life numbers its own, so that an answer from the
/// life before is none.
const MESSAGES_PER_LIFE: u64 = 1 << 32;
/// The errors by which a program says that it will never understand: not supported, and malformed.
const NEVER: [u64; 2] = [10, 12];

/// A program that is written for Maelstrom, with its client.
pub struct Maelstrom {
    starter: Vec<OsString>,
    command: Option<ForeignProgram>,
    me: NodeId,
    nodes: u32,
    running: Option<Running>,
    /// What it has said, and nobody has followed yet.
    heard: VecDeque<Result<String, NoLine>>,
    /// The number of the last message of the client; that of the first tells the program who it is.
    last_message: u64,
    /// What the client has asked for and not got an answer to.
    open: Option<Open>,
    /// A request that waits until the lock is given back.
    next: Option<RequestId>,
    wake: Option<Wake>,
    view: View,
    failure: Option<String>,
}

/// The process, and the way to its standard input.
struct Running {
    program: Program,
    outbox: Outbox,
}

/// A message of the client that waits for its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Open {
    message: u64,
    errand: Errand,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Errand {
    Lock(RequestId),
    Unlock,
}

impl Errand {
    const fn name(self) -> &'static str {
        match self {
            Self::Lock(_) => "lock",
            Self::Unlock => "unlock",
        }
    }
}

impl Maelstrom {
    /// The program of an initialization, started with `starter` before its command when its life begins.
    pub fn of(initialization: &Initialization, starter: Vec<OsString>) -> Self {
        Self {
            starter,
            command: initialization.program.clone(),
            me: initialization.node,
            nodes: initialization.nodes,
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

    fn follow(&mut self, asked: &Asked) -> Result<Vec<Effect>, String> {
        match asked {
            Asked::Start {} | Asked::Restart { .. } => {
                self.begin()?;
                Ok(vec![listens()])
            }
            Asked::Timer { .. } => self.follow_what_it_said(),
            Asked::Message { body, .. } => {
                let envelope = Envelope::read(body)?;
                let mut effects = Vec::new();
                self.hand_over(&envelope, &mut effects)?;
                Ok(effects)
            }
            Asked::Command(Command::Acquire { request, .. }) => {
                self.acquire(*request)?;
                Ok(vec![Effect::Outcome(Outcome::Requested { lock: LOCK, request: *request })])
            }
            // Its client is out as soon as it says so (Maelstrom's `lock` judges likewise); it asks anew once that is known.
            Asked::Command(Command::Release { request, .. }) => {
                self.ask_program(Errand::Unlock)?;
                Ok(vec![Effect::Outcome(Outcome::Exited { lock: LOCK, request: *request })])
            }
            Asked::Elect {} | Asked::Command(_) => {
                Err("cannot be told to do more than `lock` and `unlock`, as a program for Maelstrom".to_owned())
            }
        }
    }

    /// Starts the program, and tells it who it is; what it says before it has understood that waits.
    fn begin(&mut self) -> Result<(), String> {
        let command = self.command.as_ref().ok_or("has no command")?;
        let name = format!("P{}", self.me.0);
        let start = || {
            let mut program = Program::start(command, &self.starter, name, MOST_WAITING, self.wake.clone())?;
            let outbox = Outbox::to(program.take_input())?;
            Ok(Running { program, outbox })
        };
        self.running = Some(start().map_err(|error: std::io::Error| format!("cannot be started: {error}"))?);
        let nodes: Vec<String> = NodeId::all(self.nodes).map(|node| Place::Node(node).name()).collect();
        let (message, name) = (self.last_message, Place::Node(self.me).name());
        let init = json!({ "type": "init", "msg_id": message, "node_id": name, "node_ids": nodes });
        self.tell(&Envelope { src: self.client(), dest: Place::Node(self.me), body: init })?;
        loop {
            let Some(Running { program, .. }) = &mut self.running else { return Ok(()) };
            let line = program.line(PATIENCE).map_err(|why| unheard(&why, "`init`"))?;
            let envelope = self.read(&line)?;
            if envelope.dest == self.client() && envelope.body["in_reply_to"] == message {
                let kind = kind(&envelope.body)?;
                return if kind == "init_ok" { Ok(()) } else { Err(answered("init", &envelope.body)) };
            }
            self.heard.push_back(Ok(line));
            if self.heard.len() > MOST_WAITING {
                return Err(format!("says more than {MOST_WAITING} things before it answers `init`"));
            }
        }
    }

    fn acquire(&mut self, request: RequestId) -> Result<(), String> {
        if self.open.is_some() {
            self.next = Some(request);
            return Ok(());
        }
        self.ask_program(Errand::Lock(request))
    }

    /// Sends a message of the client.
    fn ask_program(&mut self, errand: Errand) -> Result<(), String> {
        self.last_message += 1;
        let message = self.last_message;
        self.open = Some(Open { message, errand });
        let body = json!({ "type": errand.name(), "msg_id": message });
        self.tell(&Envelope { src: self.client(), dest: Place::Node(self.me), body })
    }

    fn tell(&self, envelope: &Envelope) -> Result<(), String> {
        self.running.as_ref().map_or(Ok(()), |running| running.outbox.tell(envelope.written()))
    }

    fn follow_what_it_said(&mut self) -> Result<Vec<Effect>, String> {
        let (mut effects, mut bytes) = (Vec::new(), 0);
        for _ in 0..MOST_LINES {
            self.listen();
            let heard = if bytes < ENOUGH_BYTES { self.heard.pop_front() } else { None };
            let Some(heard) = heard else { break };
            let line = heard.map_err(|why| unheard(&why, "itself"))?;
            bytes += line.len();
            let envelope = self.read(&line)?;
            self.hand_over(&envelope, &mut effects)?;
        }
        effects.push(listens());
        Ok(effects)
    }

    /// Takes what the program says next, if nothing waits.
    fn listen(&mut self) {
        if let Some(running) = self.running.as_mut().filter(|_| self.heard.is_empty()) {
            self.heard.extend(running.program.next_line());
        }
    }

    /// What a line says: it is from this node, or hands on what another has said.
    fn read(&self, line: &str) -> Result<Envelope, String> {
        let value: Value =
            serde_json::from_str(line).map_err(|_| format!("says something that is no JSON: `{}`", quoted(line)))?;
        let envelope = Envelope::read(&value)?;
        let is_there = |place: Place| place.node().0 < self.nodes;
        if is_there(envelope.src) && is_there(envelope.dest) {
            return Ok(envelope);
        }
        let last = self.nodes - 1;
        Err(format!("says `{}`, but there are nodes n0 to n{last} and clients c0 to c{last}", quoted(line)))
    }

    /// Brings a message to where it is to go: to the program, to its client, or to another node.
    fn hand_over(&mut self, envelope: &Envelope, effects: &mut Vec<Effect>) -> Result<(), String> {
        let to = envelope.dest.node();
        if to != self.me {
            let kind = kind(&envelope.body)?.to_owned();
            Kind::named(&kind)?;
            effects.push(Effect::Send { to: vec![to], kind, body: envelope.value() });
            return Ok(());
        }
        match envelope.dest {
            Place::Node(_) => self.tell(envelope),
            Place::Client(_) => self.answered(&envelope.body, effects),
        }
    }

    /// The client gets an answer. One to what is answered already says nothing new: messages may arrive twice.
    fn answered(&mut self, body: &Value, effects: &mut Vec<Effect>) -> Result<(), String> {
        let reply = body["in_reply_to"].as_u64();
        let Some(Open { errand, .. }) = self.open.filter(|open| Some(open.message) == reply) else { return Ok(()) };
        self.open = None;
        let refused = (kind(body)? == "error").then(|| body["code"].as_u64()).flatten();
        match (errand, kind(body)?) {
            (Errand::Lock(request), "lock_ok") => {
                effects.push(Effect::Outcome(Outcome::Entered { lock: LOCK, request, fence: None }));
                Ok(())
            }
            (Errand::Lock(request), _) if refused.is_some_and(|code| !NEVER.contains(&code)) => {
                effects.push(Effect::Outcome(Outcome::Aborted { request, cause: AbortCause::GaveWay }));
                Ok(())
            }
            (Errand::Unlock, "unlock_ok") => {
                let next = self.next.take();
                next.map_or(Ok(()), |request| self.ask_program(Errand::Lock(request)))
            }
            _ => Err(answered(errand.name(), body)),
        }
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
            Err(what) => {
                let program = self.running.as_ref().map(|running| &running.program);
                self.failure = Some(in_words(self.me, self.command.as_ref(), program, &what));
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

/// The timer that waits for what the program says.
fn listens() -> Effect {
    Effect::SetTimer { timer: OUTPUT.to_owned(), after_ms: SILENCE_MS }
}

/// The kind of a message, as its body says it.
fn kind(body: &Value) -> Result<&str, String> {
    body["type"].as_str().ok_or_else(|| format!("says `{}`, which has no `type`", quoted(&body.to_string())))
}

fn answered(what: &str, body: &Value) -> String {
    format!("answered `{what}` with `{}` instead of `{what}_ok`", quoted(&body.to_string()))
}

fn unheard(why: &NoLine, to: &str) -> String {
    match why {
        NoLine::TooSlow => {
            format!("said nothing within {} s to {to}; does it flush what it writes?", PATIENCE.as_secs())
        }
        NoLine::Ended(how) => format!("{how} before its node did"),
        NoLine::TooLong => "says a line that has no end".to_owned(),
        NoLine::NoText => "says something that is not UTF-8".to_owned(),
    }
}
