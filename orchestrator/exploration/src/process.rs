//! A process in an explored state. Its further steps depend only on this value and on the inputs that it receives.

use std::sync::Arc;

use interlock_algorithm::conduct::Arrival;
use interlock_algorithm::{Algorithm, LockId, NodeId, Show};
use interlock_machine::application::Told;
use interlock_machine::channel::ChannelSetting;
use interlock_machine::client::{Client, ClientContext};
use interlock_machine::detector::DetectorSetting;
use interlock_machine::followed::{Consequence, Followed};
use interlock_machine::node::{Context, Node, NodeInput};
use interlock_machine::recipients::recipients;
use interlock_machine::wire::{ClientTimer, Order, TimerName};

use super::arrival::Brought;
use super::auxiliary::Auxiliary;
use super::environment::Environment;
use super::environment::MOST_LISTED;
use super::notice::Notice;
use super::past::{Heard, Past};
use interlock_model::choice::Choice;
use interlock_model::event::RestartState;
use interlock_world::label;

/// Values that are the same for all processes of a run.
pub(super) struct Frame<'a, A: Algorithm> {
    pub setting: &'a A::Setting,
    pub environment: &'a Environment,
    /// Whether the order of requests is checked.
    pub order: bool,
    /// Whether bypasses are checked.
    pub bypass: bool,
    /// Whether promises are checked.
    pub promises: bool,
    pub nodes: u32,
    pub locks: u32,
    pub seed: u64,
}

/// A process. It is live in one of its incarnations, or it has crashed and its next incarnation has not begun.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Process<A: Algorithm> {
    pub node: Node<A>,
    stored: Option<A::Stored>,
    pub auxiliary: Auxiliary,
}

/// Returns the kind of a message of an algorithm.
fn kind<M: interlock_algorithm::Message>(message: &M) -> &'static str {
    message.kind()
}

/// Returns the lock that a message of an algorithm names, and the kind of the message.
fn label_of<M: interlock_algorithm::Message>(message: &M) -> (Option<LockId>, &'static str) {
    (message.lock(), message.kind())
}

/// A message in transit.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Message<A: Algorithm> {
    pub from: NodeId,
    says: Says<A>,
    /// Requests of which the receiver learns from the message; none if the order of requests is not checked.
    heard: Option<Heard>,
    /// Requests that the message carries; none if bypasses are not checked.
    pub brings: Option<Brought>,
}

impl<A: Algorithm> Message<A> {
    /// Creates a message that no process has sent, and that is on its link when the run starts.
    pub const fn out_of_nothing(from: NodeId, message: A::Message) -> Self {
        Self { from, says: Says::Own(message), heard: None, brings: None }
    }

    /// Creates a notice of a perfect failure detector about a process. The notice does not travel on the link from
    /// that process.
    pub const fn of_notice(whom: NodeId, notice: Notice) -> Self {
        Self { from: whom, says: Says::Happened(notice), heard: None, brings: None }
    }

    /// If this is a notice of the failure detector and not a message, returns the notice.
    pub const fn notice(&self) -> Option<Notice> {
        match self.says {
            Says::Happened(notice) => Some(notice),
            Says::Own(_) | Says::Told(_) => None,
        }
    }

    /// If this is a message of the algorithm, passes each of its unbounded numbers to `show`.
    pub fn growing(&mut self, setting: &A::Setting, show: &mut Show<'_>) {
        if let Says::Own(message) = &mut self.says {
            A::growing_in(message, setting, show);
        }
    }

    /// If this is a message of the algorithm, returns its content.
    pub const fn own(&self) -> Option<&A::Message> {
        match &self.says {
            Says::Own(message) => Some(message),
            Says::Told(_) | Says::Happened(_) => None,
        }
    }
}

/// The content of a message.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Says<A: Algorithm> {
    /// A message to the receiver's algorithm.
    Own(A::Message),
    /// A message to the receiver's client.
    Told(Told),
    /// A notice to the receiver's failure detector. The sender of the message is the process that the notice is
    /// about.
    Happened(Notice),
}

/// A step that a process can take without receiving a message.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Local<T> {
    Order(Order),
    Timer(TimerName<T>),
    Crash,
    Restart,
    Pause,
    Resume,
}

/// Returns whether a client begins a round when this timer expires.
pub(super) const fn begins_a_round<T: Copy>(name: TimerName<T>) -> bool {
    matches!(name, TimerName::Client(timer) if timer.begins_a_round())
}

/// Returns whether a client repeats an aborted request when this timer expires.
const fn is_again<T: Copy>(name: TimerName<T>) -> bool {
    matches!(name, TimerName::Client(ClientTimer::Again))
}

impl<T: serde::Serialize + Copy> Local<T> {
    /// Returns the action of a schedule for this step, or none if a schedule cannot express it.
    pub fn choice(&self, node: NodeId, environment: &Environment) -> Option<Choice> {
        Some(match self {
            Self::Timer(name) => Choice::Fire { node, timer: label(*name) },
            Self::Crash => Choice::Crash { node },
            Self::Pause => Choice::Pause { node },
            Self::Resume => Choice::Resume { node },
            Self::Restart => {
                let state = if environment.forget { RestartState::None } else { RestartState::Stored };
                Choice::Restart { node, state }
            }
            Self::Order(order) => return Choice::of_order(node, order.clone()),
        })
    }
}

/// The result of a step: the process after the step, and the messages that the step sent, in order.
pub(super) struct Stepped<A: Algorithm> {
    pub process: Process<A>,
    pub sent: Vec<(NodeId, Message<A>)>,
}

impl<A: Algorithm> Process<A> {
    /// Creates a process before its first step, in the given state or, if none is given, in its usual initial state.
    pub fn new(frame: &Frame<'_, A>, me: NodeId, state: Option<A>) -> Self {
        let context = ClientContext::of::<A>(frame.setting, frame.locks);
        let client = Client::new(me, frame.nodes, frame.seed, frame.environment.client_loop().map(Arc::new), context);
        let client = client.barred_from(ClientContext::barred::<A>(frame.setting, me, frame.locks));
        let node = Node::new(frame.setting, me, 1, client);
        let node = match state {
            Some(state) => node.beginning_in(state),
            None => node,
        };
        let auxiliary = Auxiliary::new(frame.nodes, frame.order, frame.bypass, frame.promises);
        Self { node, stored: None, auxiliary }
    }

    /// Returns whether the client of the process waits for something.
    pub fn is_waiting(&self) -> bool {
        !self.auxiliary.dead && self.node.client().is_waiting()
    }

    /// Returns whether the request of the process was aborted and the process is not allowed to request again.
    pub fn has_given_up(&self, frame: &Frame<'_, A>) -> bool {
        self.auxiliary.may_not_ask_again(frame.environment)
            && self.node.timers().contains(TimerName::Client(ClientTimer::Again))
    }

    /// Returns the locks whose critical sections contain the process. A crashed process is in none of them.
    pub fn inside(&self) -> impl Iterator<Item = LockId> {
        self.node.client().inside().filter(|_| !self.auxiliary.dead)
    }

    /// Returns all steps that the process can take without receiving a message.
    pub fn locals(&self, frame: &Frame<'_, A>, me: NodeId) -> Vec<Local<A::Timer>> {
        if self.auxiliary.dead {
            return if frame.environment.restart { vec![Local::Restart] } else { Vec::new() };
        }
        let crash = (frame.environment.crash > 0).then_some(Local::Crash);
        if self.auxiliary.paused {
            return [Local::Resume].into_iter().chain(crash).collect();
        }
        let has_asked = frame.environment.has_asked(me, self.auxiliary.ordered);
        let is_denied = |name| (has_asked && begins_a_round(name)) || (is_again(name) && self.has_given_up(frame));
        let timers = self.node.timers().names().filter(|name| !is_denied(*name));
        let mut locals: Vec<Local<A::Timer>> = timers.map(Local::Timer).collect();
        let orders = self.orders(frame, me).into_iter();
        locals.extend(orders.filter(|order| self.node.refusal(frame.setting, order).is_none()).map(Local::Order));
        locals.extend(crash);
        if frame.environment.pause > 0 {
            locals.push(Local::Pause);
        }
        locals
    }

    /// Returns the orders that the client of the process may receive, including orders that cannot be carried out
    /// now.
    fn orders(&self, frame: &Frame<'_, A>, me: NodeId) -> Vec<Order> {
        let is_a_state = |number: &u64| A::arbitrary(frame.setting, me, *number).is_some();
        let corrupts = frame.environment.corrupt > 0;
        let states = if corrupts { (0..MOST_LISTED as u64).take_while(is_a_state).count() } else { 0 };
        let run = (frame.nodes, frame.locks);
        self.auxiliary.orders(A::entry(frame.setting), frame.environment, run, me, states as u64)
    }

    /// Returns the result of a step in which the process receives no message.
    pub fn act(&self, frame: &Frame<'_, A>, me: NodeId, local: &Local<A::Timer>) -> Stepped<A> {
        let mut process = self.clone();
        match local {
            Local::Order(order) => {
                let begins = !matches!(order, Order::Release { .. } | Order::Tell { .. } | Order::Corrupt { .. });
                process.auxiliary.count_order(frame.environment, begins);
                process.take(frame, me, NodeInput::Order(order.clone()))
            }
            Local::Timer(name) => {
                process.auxiliary.count_timer(frame.environment, begins_a_round(*name), is_again(*name));
                process.node.timers_mut().cancel(*name);
                process.take(frame, me, NodeInput::Timer(*name))
            }
            Local::Crash => Stepped { process: process.died(frame, me), sent: Vec::new() },
            Local::Pause | Local::Resume => {
                process.auxiliary.paused = matches!(local, Local::Pause);
                Stepped { process, sent: Vec::new() }
            }
            Local::Restart => {
                process.auxiliary.dead = false;
                let stored = process.stored.clone();
                process.take(frame, me, NodeInput::Restart(stored))
            }
        }
    }

    /// Returns the result of the process's first step, at the start of the run.
    pub fn begin(self, frame: &Frame<'_, A>, me: NodeId) -> Stepped<A> {
        self.take(frame, me, NodeInput::Start)
    }

    /// Returns the result of receiving a message or a notice about another process. A crashed process ignores both.
    pub fn hear(&self, frame: &Frame<'_, A>, me: NodeId, message: Message<A>) -> Stepped<A> {
        if self.auxiliary.dead {
            return Stepped { process: self.clone(), sent: Vec::new() };
        }
        let came = message.brings.zip(message.own().map(kind));
        let Message { from, says, heard, .. } = message;
        let mut process = self.clone();
        process.auxiliary.hear(heard.as_deref());
        let input = match says {
            Says::Own(message) => NodeInput::Message { from, message },
            Says::Told(told) => NodeInput::Told(told),
            Says::Happened(notice) => NodeInput::Order(notice.order(from)),
        };
        let mut stepped = process.take(frame, me, input);
        if let Some((brought, came_as)) = came {
            for (to, message) in &mut stepped.sent {
                let goes_on = message.own().is_some_and(|own| brought.goes_on(came_as, kind(own), *to));
                message.brings = message.brings.or(Some(brought).filter(|_| goes_on));
            }
        }
        stepped
    }

    /// Returns the process after a crash. It is ready to begin its next incarnation.
    fn died(mut self, frame: &Frame<'_, A>, me: NodeId) -> Self {
        let client = self.node.client();
        let client = client.clone().reborn(client.next_request(), client.rounds());
        self.node = Node::new(frame.setting, me, self.node.incarnation() + 1, client);
        self.auxiliary.die();
        if frame.environment.forget {
            self.stored = None;
        }
        self
    }

    fn take(mut self, frame: &Frame<'_, A>, me: NodeId, input: NodeInput<A>) -> Stepped<A> {
        let context = Context {
            setting: frame.setting,
            nodes: frame.nodes,
            seed: frame.seed,
            channel: ChannelSetting::default(),
            detector: DetectorSetting::None,
            timers: false,
            exhausted: false,
            now_us: 0,
        };
        let mut followed = Followed::default();
        let (mut sent, mut requested) = (Vec::new(), false);
        let entry = A::entry(frame.setting);
        // If the node refuses an input, nothing changes except the node's step count.
        if self.node.take(&context, input, &mut followed).is_ok() {
            followed.take_out(|consequence| match consequence {
                Consequence::Send { to, message } => {
                    let message = self.message(me, Says::Own(message));
                    let others = recipients::<A>(frame.setting, me, frame.nodes, to);
                    sent.extend(others.map(|other| (other, message.clone())));
                }
                Consequence::Store(stored) => self.stored = Some(stored),
                Consequence::Tell { to, told } => sent.push((to, self.message(me, Says::Told(told)))),
                Consequence::Outcome(outcome) => requested |= self.auxiliary.learn(entry.conduct.arrival, me, outcome),
                // These consequences need no handling. Explorations have no channels, and a process does not send a
                // message because of a suspicion.
                Consequence::Beat { .. }
                | Consequence::Suspected { .. }
                | Consequence::Trusted { .. }
                | Consequence::Transmit { .. }
                | Consequence::Taken { .. }
                | Consequence::SetTimer { .. }
                | Consequence::CancelTimer { .. }
                | Consequence::Refused { .. } => {}
            });
        }
        self.bring(entry.conduct.arrival, me, requested, &mut sent);
        if frame.environment.unlimited && !entry.conduct.numbers_requests {
            self.node.forget_requests();
        }
        Stepped { process: self, sent }
    }

    /// Creates a message that the process sends now.
    fn message(&self, me: NodeId, says: Says<A>) -> Message<A> {
        Message { from: me, says, heard: self.auxiliary.past.as_ref().map(Past::told), brings: None }
    }

    /// Stores in each message of a step which requests it carries. `requested` says whether the step made a request.
    fn bring(&mut self, arrival: Arrival, me: NodeId, requested: bool, sent: &mut [(NodeId, Message<A>)]) {
        let Some(requests) = &mut self.auxiliary.requests else { return };
        match arrival {
            Arrival::Messages if requested => {
                let brought = requests.asked(me);
                for (_, message) in sent {
                    message.brings = Some(brought);
                }
            }
            Arrival::Messages => {}
            Arrival::Doorway => {
                if requested {
                    requests.asked(me);
                }
                let passes = |(_, kind): &(Option<LockId>, &str)| matches!(*kind, "READ" | "WRITE");
                let own = sent.iter().filter_map(|(_, message)| message.own());
                if let Some((lock, kind)) = own.map(label_of).find(passes) {
                    requests.pass(lock, kind);
                }
            }
        }
    }
}
