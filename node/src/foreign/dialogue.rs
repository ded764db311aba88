//! Dialogue with a user's program: inputs and answers. If a program violates the protocol, it gets no further
//! input.

use std::ffi::OsString;
use std::time::Duration;

use interlock_algorithm::plausibility::implausible;
use interlock_algorithm::{
    Algorithm, Command, Configuration, Entry, LockUse, NodeId, Outcome, View, Visitor, catalogue,
};
use interlock_machine::Wake;
use interlock_machine::client::ClientContext;
use interlock_machine::ledger::Ledger;
use interlock_machine::wire::{ForeignProgram, Initialization};
use interlock_machine::wording::complaint;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::breach::{Breach, LONGEST_TIMER, LONGEST_TIMER_MS, MOST_EFFECTS, PATIENCE, quoted};
use super::inline::Inline;
use super::label::Labels;
use super::message::Kind;
use super::program::{LONGEST_TOLD, Program};
use super::said::{Answer, Effect, Greeting, Hello, Init, PROTOCOL};

/// Maximum number of unread lines that the program has sent without an input.
const MOST_WAITING: usize = 4;

/// A conversation with a program. The implementations use different protocols.
pub trait Conversation: Send {
    /// Sends an input to the program, and returns the program's answer. If the program has failed, the answer is
    /// empty.
    fn ask(&mut self, asked: &Asked) -> Answer;

    /// Returns the reason why the program has failed; `None` if it has not failed.
    fn failure(&self) -> Option<&str>;

    /// Returns the latest view that the program has reported.
    fn view(&self) -> &View;

    /// Whether the program has sent a line on its own. If so, the timer [`OUTPUT`] expires.
    fn has_spoken(&mut self) -> bool {
        false
    }

    /// Sets the function that is called when the program may have sent a line on its own.
    fn wake_with(&mut self, _wake: Wake) {}
}

/// Timer that expires when a program has sent a line on its own.
pub const OUTPUT: &str = "output";

/// Returns a sentence about a breach by the program of a node. The sentence includes the program's latest lines on
/// standard error.
pub(super) fn in_words(
    node: NodeId,
    command: Option<&ForeignProgram>,
    program: Option<&Program>,
    breach: &Breach,
) -> String {
    let command = command.map(|program| program.command.join(" ")).unwrap_or_default();
    let errors = program.map(Program::last_errors).unwrap_or_default();
    let errors = if errors.is_empty() {
        String::new()
    } else {
        format!("; last lines on its standard error: {}", errors.join(" ⏎ "))
    };
    format!("P{}, `{command}`, {breach}{errors}", node.0)
}

/// An input for the program.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Asked {
    /// The node begins its first incarnation.
    Start {},
    /// The node restarts after a crash.
    Restart {
        /// Stored state of the node, if the restart keeps it.
        stored: Option<Value>,
    },
    /// A message has arrived.
    Message {
        /// Sender.
        from: NodeId,
        /// Kind of the message.
        kind: Kind,
        /// Fields of the message.
        body: Value,
    },
    /// A timer has expired.
    Timer {
        /// Name of the timer.
        timer: Inline<LONGEST_TIMER>,
    },
    /// The failure detector suspects another node.
    Suspected {
        /// The other node.
        whom: NodeId,
    },
    /// The failure detector trusts another node again.
    Trusted {
        /// The other node.
        whom: NodeId,
    },
    /// The client wants to call an election.
    Elect {},
    /// The client gives a command other than an election.
    #[serde(untagged)]
    Command(Command),
}

/// A conversation with a program in Interlock's own protocol. The program is started at the first input.
pub struct Dialogue {
    starter: Vec<OsString>,
    command: Option<ForeignProgram>,
    init: Init,
    /// Kinds of messages of the algorithm that the program implements; `None` if the kinds are unknown.
    kinds: Option<Vec<String>>,
    /// Lock labels of messages; `None` unless each lock has a separate instance of the algorithm.
    labels: Option<Labels>,
    /// Algorithm that the program implements.
    entry: &'static Entry,
    /// Requests of the client, with the outcomes that the program has reported for them.
    ledger: Ledger,
    program: Option<Program>,
    step: u64,
    view: View,
    failure: Option<String>,
}

impl Dialogue {
    /// Creates the dialogue with the program that an initialization names. `starter` is put before the program's
    /// command.
    #[must_use]
    pub fn of(initialization: &Initialization, starter: Vec<OsString>) -> Self {
        let Initialization { node, nodes, locks, seed, incarnation, .. } = *initialization;
        let value = |value| serde_json::to_value(value).unwrap_or_default();
        let parameters = initialization.parameters.iter().map(|(name, given)| (name.clone(), value(given))).collect();
        let (algorithm, variant) = (initialization.algorithm.clone(), initialization.variant.clone());
        let entry = catalogue::find(&algorithm).unwrap_or(&catalogue::OWN);
        let of_catalogue = || Some(entry.known_kinds()?.iter().map(ToString::to_string).collect());
        let kinds = initialization.declared_kinds.clone().or_else(of_catalogue);
        let labels = (entry.locks == LockUse::Instances).then_some(Labels { locks });
        let leases = entry.conduct.leases || initialization.declares_leases;
        let ledger = Ledger::new(client_context(initialization).shares, leases);
        let command = initialization.program.clone();
        let services = command.as_ref().map(|program| program.services.clone()).unwrap_or_default();
        let protocol = PROTOCOL;
        let init = Init { protocol, node, nodes, locks, algorithm, variant, parameters, seed, incarnation, services };
        let (program, view) = (None, View::default());
        Self { starter, command, init, kinds, labels, entry, ledger, program, step: 0, view, failure: None }
    }

    /// Closes the input of the program. Returns how the program ended; `None` if it did not end within `patience`.
    #[must_use]
    pub fn close(mut self, patience: Duration) -> Option<String> {
        self.program.take().and_then(|program| program.close(patience))
    }

    fn answer(&mut self, asked: &Asked) -> Result<Answer, Breach> {
        if self.program.is_none() {
            self.begin()?;
        }
        let step = self.step;
        let question = format!("step {step}, {}", name_of(asked));
        let mut told = json!({ "step": step, "input": asked });
        if let Some(labels) = self.labels {
            labels.tell(&mut told["input"]);
        }
        let answer: Answer = self.exchange(&told, &question)?;
        if answer.step < step {
            return Err(Breach::Repeated(answer.step));
        }
        if answer.step != step {
            return Err(Breach::OtherStep { answered: answer.step, question });
        }
        let checked = self.check(&answer).and_then(|()| self.enter_in_ledger(asked, &answer));
        checked.map_err(|breach| breach.about(&question))?;
        Ok(answer)
    }

    fn begin(&mut self) -> Result<(), Breach> {
        let command = self.command.as_ref().ok_or(Breach::NoCommand)?;
        let name = format!("P{}", self.init.node.0);
        let program = Program::start(command, &self.starter, name, MOST_WAITING, None);
        self.program = Some(program.map_err(Breach::Start)?);
        let init = json!({ "init": self.init });
        let Greeting { hello: Hello { protocol } } = self.exchange(&init, "hello")?;
        if protocol != PROTOCOL {
            return Err(Breach::Version(protocol));
        }
        Ok(())
    }

    /// Sends a line to the program, and reads the answer.
    fn exchange<T: DeserializeOwned>(&mut self, told: &Value, question: &str) -> Result<T, Breach> {
        let program = self.program.as_mut().ok_or(Breach::NoProcess)?;
        if let Some(unasked) = program.unasked() {
            return Err(Breach::Unasked(quoted(&unasked)));
        }
        let line = told.to_string().into_bytes();
        let question = question.to_owned();
        if line.len() > LONGEST_TOLD {
            return Err(Breach::Question(question));
        }
        // If the program has ended, writing fails. The error is ignored, because reading the answer then reports
        // the end.
        let _ = program.tell(line);
        let line = match program.line(PATIENCE) {
            Ok(line) => line,
            Err(why) => return Err(Breach::NoAnswer { why, question }),
        };
        let Ok(mut value) = serde_json::from_str::<Value>(&line) else {
            return Err(Breach::NoJsonAnswer { question, line: quoted(&line) });
        };
        if let Some(labels) = self.labels {
            labels.take(&mut value).map_err(|breach| breach.about(&question))?;
        }
        serde_path_to_error::deserialize(value).map_err(|error| {
            let place = error.path().to_string();
            let place = if place == "." { String::new() } else { format!("at `{place}`: ") };
            let complaint = complaint(error.inner()).to_string();
            Breach::Unreadable { question, line: quoted(&line), place, complaint }
        })
    }

    fn check(&self, answer: &Answer) -> Result<(), Breach> {
        if answer.effects.len() > MOST_EFFECTS {
            return Err(Breach::Effects);
        }
        answer.effects.iter().try_for_each(|effect| match effect {
            Effect::Send { to, kind, .. } => self.check_sent(to, kind),
            Effect::SetTimer { timer, after_ms } if *after_ms > LONGEST_TIMER_MS => {
                Err(Breach::TimerSpan(quoted(timer)))
            }
            Effect::SetTimer { timer, .. } | Effect::CancelTimer { timer }
                if timer.is_empty() || timer.len() > LONGEST_TIMER =>
            {
                Err(Breach::TimerName(quoted(timer)))
            }
            Effect::Outcome(outcome) => self.check_told(outcome),
            Effect::SetTimer { .. } | Effect::CancelTimer { .. } | Effect::Store(_) => Ok(()),
        })
    }

    /// Checks that the answer of a program is consistent with the commands of the client and with earlier answers.
    fn enter_in_ledger(&mut self, asked: &Asked, answer: &Answer) -> Result<(), Breach> {
        if let Asked::Command(command) = asked {
            self.ledger.command(command);
        }
        let outcomes = answer.effects.iter().filter_map(|effect| match effect {
            Effect::Outcome(outcome) => Some(outcome),
            _ => None,
        });
        Ok(self.ledger.step(outcomes)?)
    }

    /// Checks that the algorithm can report `outcome`, and that the run has the lock and the nodes that the outcome
    /// names.
    fn check_told(&self, outcome: &Outcome) -> Result<(), Breach> {
        let Init { nodes, locks, .. } = self.init;
        if let Some(implausible) = implausible(outcome) {
            return Err(Breach::Number { report: outcome.name(), implausible });
        }
        let about = match outcome {
            Outcome::Blocked { on, .. } => on.as_slice(),
            Outcome::Expired { holder, .. } => std::slice::from_ref(holder),
            Outcome::Elected { leader, .. } => std::slice::from_ref(leader),
            Outcome::Reported { cycle, .. } => cycle.as_slice(),
            Outcome::Invoked { .. } | Outcome::Returned { .. } => return Err(Breach::Service),
            _ => &[],
        };
        if let Some(lock) = outcome.lock().filter(|lock| lock.0 >= locks) {
            return Err(Breach::Missing { what: "lock", number: lock.0, last: locks - 1 });
        }
        if let Some(node) = about.iter().find(|node| node.0 >= nodes) {
            return Err(Breach::Missing { what: "node", number: node.0, last: nodes - 1 });
        }
        if self.entry.reports(outcome) {
            return Ok(());
        }
        Err(Breach::Report { report: outcome.name(), algorithm: self.entry.name })
    }

    fn check_sent(&self, to: &[NodeId], kind: &str) -> Result<(), Breach> {
        let Init { node, nodes, algorithm, .. } = &self.init;
        if let Some(wrong) = to.iter().find(|to| **to == *node || to.0 >= *nodes) {
            let whom = if wrong == node { "itself" } else { "a node that does not exist" };
            return Err(Breach::Receiver { kind: quoted(kind), to: wrong.0, whom, last: nodes - 1 });
        }
        check_kind(self.kinds.as_deref(), algorithm, kind)
    }
}

/// Checks that messages may have the kind `kind`. If the kinds of the algorithm are unknown, any kind is valid.
pub(super) fn check_kind(known: Option<&[String]>, algorithm: &str, kind: &str) -> Result<(), Breach> {
    if let Some(known) = known.filter(|known| !known.iter().any(|known| known == kind)) {
        let (algorithm, known) = (algorithm.to_owned(), known.join(", "));
        return Err(Breach::UnknownKind { kind: quoted(kind), algorithm, known });
    }
    Kind::named(kind)?;
    Ok(())
}

impl Conversation for Dialogue {
    fn ask(&mut self, asked: &Asked) -> Answer {
        if self.failure.is_some() {
            return Answer::default();
        }
        self.step += 1;
        match self.answer(asked) {
            Ok(mut answer) => {
                if let Some(view) = answer.view.take() {
                    self.view = view;
                }
                answer
            }
            Err(breach) => {
                self.failure = Some(in_words(self.init.node, self.command.as_ref(), self.program.as_ref(), &breach));
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
}

/// Returns the context for a client of the algorithm. If the algorithm cannot be configured with the given
/// parameters, returns the context for one lock.
pub(super) fn client_context(initialization: &Initialization) -> ClientContext {
    struct Context(u32);
    impl Visitor for Context {
        type Output = ClientContext;
        fn visit<A: Algorithm>(self, setting: A::Setting) -> ClientContext {
            ClientContext::of::<A>(&setting, self.0)
        }
    }
    let Initialization { algorithm, variant, parameters, nodes, locks, .. } = initialization;
    let configuration =
        Configuration { algorithm, variant: variant.as_deref(), parameters, nodes: *nodes, locks: *locks };
    catalogue::instantiate_erased(&configuration, Context(*locks)).unwrap_or(ClientContext::ONE_LOCK)
}

/// Returns the name of an input, for use in a sentence.
fn name_of(asked: &Asked) -> String {
    match asked {
        Asked::Start {} => "start".to_owned(),
        Asked::Restart { .. } => "restart".to_owned(),
        Asked::Message { from, kind, .. } => format!("{} from P{}", kind.name(), from.0),
        Asked::Elect {} => Command::Elect.name().to_owned(),
        Asked::Command(command) => command.name().to_owned(),
        Asked::Timer { timer } => format!("timer {}", timer.text()),
        Asked::Suspected { whom } => format!("suspected P{}", whom.0),
        Asked::Trusted { whom } => format!("trusted P{}", whom.0),
    }
}

#[cfg(test)]
mod tests {
    use interlock_machine::test_support::initialization;
    use interlock_machine::wire::Services;

    use super::*;

    /// Returns the lines in which a program repeats its environment and its first line.
    fn told(services: Services) -> String {
        let script = r#"read init; echo "[$INTERLOCK_SERVICES]" >&2; echo "$init" >&2"#;
        let command = ["sh", "-c", script].map(ToOwned::to_owned).to_vec();
        let path = std::env::var("PATH").expect("a path");
        let program = ForeignProgram { command, folder: "/".into(), path, services, ..ForeignProgram::default() };
        let initialization = Initialization { program: Some(program), ..initialization("own", 3) };
        let mut dialogue = Dialogue::of(&initialization, Vec::new());
        dialogue.ask(&Asked::Start {});
        dialogue.failure().expect("the program does not answer").to_owned()
    }

    #[test]
    fn a_program_learns_the_addresses_of_its_services_if_there_are_any() {
        let told_with = told([("redis".to_owned(), vec!["127.0.0.1:40001".to_owned()])].into());
        let addresses = r#"{"redis":["127.0.0.1:40001"]}"#;
        assert!(told_with.contains(&format!("[{addresses}] ⏎ ")), "{told_with}");
        assert!(told_with.contains(&format!(r#""seed":42,"services":{addresses},"#)), "{told_with}");
        let told_without = told(Services::new());
        assert!(told_without.contains("[] ⏎ {\"init\"") && !told_without.contains("services"), "{told_without}");
    }
}
