//! A user's program as a node. The program takes the place of an algorithm of the catalogue. It communicates
//! through its standard input and output, in lines of JSON. This process still provides the client, the timers,
//! the numbers of messages and the network.
//!
//! A service is a program that communicates with other programs over TCP instead (`service.rs`).
//!
//! The protocol is described for authors of such programs in `docs/reference/node-protocol.md`.

mod algorithm;
mod breach;
mod check;
mod dialogue;
mod exec;
mod inline;
mod keeper;
mod label;
mod log;
mod maelstrom;
mod message;
mod program;
mod ready;
mod said;
mod service;

use std::ffi::OsString;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use interlock_algorithm::{Algorithm, Configuration, NodeId, Refusal, Visitor, catalogue};
use interlock_machine::wire::{Initialization, Protocol};
use interlock_machine::{LiveNode, Steps, Wake, catalogue_node, live_node};

use self::algorithm::{Foreign, Ground};

pub use self::check::{Check, check_program};
pub use self::exec::exec;
pub use self::keeper::keep;

use self::dialogue::{Conversation, Dialogue, OUTPUT};
use self::maelstrom::Maelstrom;
use self::service::Server;

/// A node whose algorithm is a user's program.
struct ForeignNode {
    inner: Box<dyn LiveNode>,
    conversation: Arc<Mutex<dyn Conversation>>,
    /// Whether the node's timers expire automatically. If so, lines that the program sends without an input also
    /// take effect automatically.
    timers: bool,
    /// The reason why the program has failed, copied from the conversation; `None` if it has not failed.
    failure: Option<String>,
}

/// Creates the node for an initialization. If the initialization names a user's program, the node runs this
/// program; otherwise it runs an algorithm of the catalogue.
///
/// # Errors
/// The invalid field of the configuration, with its valid values.
pub fn any_node(initialization: &Initialization) -> Result<Box<dyn LiveNode>, Refusal> {
    if initialization.program.is_none() {
        return catalogue_node(initialization);
    }
    foreign_node(initialization, starter(initialization))
}

/// Returns the words that are put before the command of a user's program. These words start this executable as the
/// keeper of the program. If the file of this executable no longer exists, returns no words, and the program is
/// started without a keeper.
fn starter(initialization: &Initialization) -> Vec<OsString> {
    let Initialization { program, confinement, .. } = initialization;
    let folder = program.as_ref().and_then(|program| program.own_folder.as_ref()).map(|folder| &*folder.path);
    let ports = program.as_ref().map(|program| program.ports.clone()).unwrap_or_default();
    exec::words("keep", std::process::id(), *confinement, folder, &ports).unwrap_or_default()
}

/// Creates the node for an initialization with a user's program. The program plays the part of the algorithm.
/// `starter` is put before the program's command.
fn foreign_node(initialization: &Initialization, starter: Vec<OsString>) -> Result<Box<dyn LiveNode>, Refusal> {
    let Initialization { algorithm, variant, parameters, nodes, locks, .. } = initialization;
    let configuration =
        Configuration { algorithm, variant: variant.as_deref(), parameters, nodes: *nodes, locks: *locks };
    let conversation = conversation(initialization, starter);
    let learn = Learn { me: initialization.node, locks: *locks, conversation: Arc::clone(&conversation) };
    let inner = live_node::<Foreign>(catalogue::instantiate_erased(&configuration, learn)?, initialization);
    Ok(Box::new(ForeignNode { inner, conversation, timers: initialization.timers, failure: None }))
}

/// Returns the conversation with the program that an initialization names.
fn conversation(initialization: &Initialization, starter: Vec<OsString>) -> Arc<Mutex<dyn Conversation>> {
    if let Some(server) = Server::of(initialization, &starter) {
        return Arc::new(Mutex::new(server));
    }
    match initialization.program.as_ref().map(|program| program.protocol).unwrap_or_default() {
        Protocol::Interlock => Arc::new(Mutex::new(Dialogue::of(initialization, starter))),
        Protocol::Maelstrom => Arc::new(Mutex::new(Maelstrom::of(initialization, starter))),
    }
}

/// Visitor that reads from an algorithm the facts that a client needs.
struct Learn {
    me: NodeId,
    locks: u32,
    conversation: Arc<Mutex<dyn Conversation>>,
}

impl Visitor for Learn {
    type Output = Ground;

    fn visit<A: Algorithm>(self, setting: A::Setting) -> Ground {
        Ground::of::<A>(&setting, self.me, self.locks, self.conversation)
    }
}

impl ForeignNode {
    fn look_at_the_program(&mut self) {
        if self.failure.is_none() {
            self.failure = lock(&self.conversation).failure().map(ToOwned::to_owned);
        }
    }

    fn has_spoken(&self) -> bool {
        self.timers && lock(&self.conversation).has_spoken()
    }
}

impl LiveNode for ForeignNode {
    fn take(&mut self, item: &str, now_us: u64, out: &mut Steps) {
        self.inner.take(item, now_us, out);
        self.look_at_the_program();
    }

    fn exhaust(&mut self, exhausted: bool) {
        self.inner.exhaust(exhausted);
    }

    fn fire(&mut self, now_us: u64, out: &mut Steps) -> bool {
        let fired = if self.has_spoken() {
            self.inner.take(&format!(r#"{{"timer":{{"algorithm":"{OUTPUT}"}}}}"#), now_us, out);
            true
        } else {
            self.inner.fire(now_us, out)
        };
        self.look_at_the_program();
        fired
    }

    fn due_us(&self) -> Option<u64> {
        match self.failure {
            Some(_) => None,
            None if self.has_spoken() => Some(0),
            None => self.inner.due_us(),
        }
    }

    fn wake_with(&mut self, wake: Wake) {
        lock(&self.conversation).wake_with(wake);
    }

    fn write_view(&self, out: &mut Vec<u8>) {
        self.inner.write_view(out);
    }

    fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }
}

// If a thread panics while it holds this lock, the whole process ends. So the lock is never poisoned.
fn lock(conversation: &Mutex<dyn Conversation>) -> MutexGuard<'_, dyn Conversation + 'static> {
    conversation.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use interlock_machine::test_support::initialization;
    use interlock_machine::wire::{ForeignProgram, Report};
    use serde_json::Value;

    use super::*;

    const HOLD_US: u64 = 1_000_000;

    /// Returns the step in which a program enters that answers its second input only after `pause`, and the time at
    /// which its node will make it leave.
    fn entered(pause: &str) -> (u64, u64, u64) {
        let script = format!(
            r#"read init; echo '{{"hello":{{"protocol":1}}}}'
            read start; echo '{{"step":1,"effects":[]}}'
            read acquire; {pause}
            echo '{{"step":2,"effects":[{{"requested":{{"lock":0,"request":1}}}},{{"entered":{{"lock":0,"request":1}}}}]}}'
            read end"#
        );
        let command = ["sh".to_owned(), "-c".to_owned(), script].into();
        let path = std::env::var("PATH").expect("a path");
        let program = ForeignProgram { command, folder: "/".into(), path, ..ForeignProgram::default() };
        let initialization = Initialization { program: Some(program), timers: true, ..initialization("own", 3) };
        let mut node = foreign_node(&initialization, Vec::new()).expect("a node");
        let mut steps = Steps::default();
        let acquire = format!(r#"{{"command":{{"id":1,"acquire":{{"lock":0,"hold_us":{HOLD_US}}}}}}}"#);
        node.take(r#"{"start":{}}"#, 100, &mut steps);
        node.take(&acquire, 200, &mut steps);
        assert_eq!(node.failure(), None);
        let due_us = node.due_us().expect("the client leaves");
        let report: Report<Value> = serde_json::from_slice(&steps.report(1, 1, &*node)).expect("a report");
        let step = &report.steps[1];
        (step.at_us, step.answered_us.expect("the time of the answer"), due_us)
    }

    #[test]
    fn a_program_holds_its_lock_from_its_answer() {
        for (pause, least_us) in [("sleep 0.2", 200_000), (":", 0)] {
            let (at_us, answered_us, due_us) = entered(pause);
            assert_eq!(at_us, 200);
            assert!(answered_us >= at_us + least_us, "{pause}: {answered_us}");
            assert_eq!(due_us, answered_us + HOLD_US, "{pause}");
        }
    }
}
