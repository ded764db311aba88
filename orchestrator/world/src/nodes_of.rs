//! The nodes of a world for one algorithm. Only this code of a world is compiled separately for each algorithm.
//! Code that does not depend on the algorithm belongs to the [`Kernel`].

use std::sync::Arc;

use interlock_algorithm::{Algorithm, Message, NodeId, RequestId};
use interlock_machine::client::{Client, ClientContext};
use interlock_machine::followed::{Consequence, Followed};
use interlock_machine::message_id::MessageId;
use interlock_machine::node::{Context, Node, NodeInput, Refused};
use interlock_machine::recipients::recipients;
use interlock_machine::wire::{Order, TimerName};
use interlock_machine::workload::ClientLoop;

use super::content::{Content, Letters, Parcel, json, opened, put};
use super::emit::{Because, Cause, label, label_if};
use super::kernel::Kernel;
use super::nodes::{Nodes, Timer};
use super::process::Input;
use interlock_model::event::{Json, RestartState, StepId, TimerLabel, What};
use interlock_model::network::InFlight;
use interlock_model::specification::Specification;

/// The nodes of a run of algorithm `A`.
pub struct NodesOf<'a, A: Algorithm> {
    setting: &'a A::Setting,
    pub(super) nodes: Vec<Node<A>>,
    /// Stored state of each node; `None` for a node that has not stored a state.
    stored: Vec<Option<A::Stored>>,
    pub(super) letters: Letters<A::Message>,
    /// Effects of the current step. The buffer is cleared and reused in each step.
    followed: Followed<A>,
}

/// The loops of the clients. Successive clients with equal loops share one loop.
struct Loops<'a> {
    specification: &'a Specification,
    latest: Option<Arc<ClientLoop>>,
}

impl Loops<'_> {
    #[inline(never)]
    fn of(&mut self, node: NodeId) -> Option<Arc<ClientLoop>> {
        let own = self.specification.client_loop(node);
        if self.latest.as_deref() != own.as_ref() {
            self.latest = own.map(Arc::new);
        }
        self.latest.clone()
    }
}

impl<'a, A: Algorithm> NodesOf<'a, A> {
    /// Creates all nodes before their first step.
    pub(super) fn new(specification: &Specification, setting: &'a A::Setting) -> Self {
        let Specification { nodes, seed, locks, .. } = *specification;
        let client_context = ClientContext::of::<A>(setting, locks);
        let mut loops = Loops { specification, latest: None };
        let node = |me| {
            let client = Client::new(me, nodes, seed, loops.of(me), client_context);
            let client = client.barred_from(ClientContext::barred::<A>(setting, me, locks));
            Node::new(setting, me, 1, client)
        };
        Self {
            setting,
            nodes: NodeId::all(nodes).map(node).collect(),
            stored: NodeId::all(nodes).map(|_| None).collect(),
            letters: Letters::new(),
            followed: Followed::default(),
        }
    }

    /// Sets the initial states of the first nodes, one state for each node.
    pub(super) fn begin_in(&mut self, states: impl Iterator<Item = A>) {
        for (node, state) in self.nodes.iter_mut().zip(states) {
            *node = node.clone().beginning_in(state);
        }
    }

    /// Converts an input of the world into an input of a node. Returns `None` if the input does not reach the node.
    #[inline]
    fn read(&mut self, me: NodeId, input: Input) -> Option<NodeInput<A>> {
        Some(match input {
            Input::Message(InFlight { id, content }) => match content {
                Content::Protocol(parcel) => {
                    NodeInput::Message { from: id.from, message: opened(&mut self.letters, parcel)? }
                }
                Content::Packet(packet) => {
                    let packet = packet.try_map(|parcel| opened(&mut self.letters, parcel))?;
                    NodeInput::Packet { from: id.from, id, packet: Box::new(packet) }
                }
                Content::Told(told) => NodeInput::Told(*told),
                Content::Heartbeat(heartbeat) => NodeInput::Heartbeat { from: id.from, heartbeat },
            },
            Input::Timer(setting) => NodeInput::Timer(self.nodes[me.index()].timers_mut().expire(setting)?),
            Input::Order(item) => NodeInput::Order(item.order),
            Input::Start => NodeInput::Start,
            Input::Restart => NodeInput::Restart(self.stored[me.index()].clone()),
        })
    }

    /// Returns the cause of a step, as its event reports the cause. `input` has not been read yet.
    fn cause(&self, me: NodeId, input: &Input) -> Option<Cause> {
        Some(match input {
            Input::Message(InFlight { id, content }) => Cause::Message { id: *id, kind: content.kind() },
            Input::Timer(setting) => Cause::Timer(self.label(me, *setting)?),
            Input::Order(item) => Cause::Command(item.clone()),
            Input::Start => Cause::Start,
            Input::Restart => Cause::Restart { stored: self.stored[me.index()].is_some() },
        })
    }

    /// Returns the explanation of a step for users: the reasons that the algorithm gave, and the node's view.
    #[cold]
    fn because(&self, me: NodeId) -> Because {
        Because { reasons: self.followed.reasons().map(json).collect(), view: Some(self.view(me)) }
    }

    /// Executes the effects of a step on the rest of the world. `message` is the message that caused the step.
    /// `next_setting` is the setting number of the first timer that the step sets: the number of timers set before.
    #[inline]
    fn ensue(&mut self, kernel: &mut Kernel<'_>, at: StepId, message: Option<MessageId>, mut next_setting: u64) {
        let Self { setting, stored, letters, followed, .. } = self;
        let nodes = kernel.specification.nodes;
        followed.take_out(|consequence| match consequence {
            Consequence::Send { to, message } => {
                let kind = message.kind();
                kernel.send(at, recipients::<A>(setting, at.node, nodes, to), kind, put(letters, message));
            }
            Consequence::Transmit { to, packet } => {
                if let Some(packet) = packet.try_map(|message| Some(put(letters, message) as Parcel)) {
                    kernel.transmit(at, to, packet);
                }
            }
            Consequence::SetTimer { timer, delay_us } => {
                kernel.set(at, next_setting, label_if(kernel.is_observed(), timer), delay_us);
                next_setting += 1;
            }
            Consequence::CancelTimer { timer } => kernel.cancelled(at, label_if(kernel.is_observed(), timer)),
            Consequence::Store(state) => {
                if kernel.is_observed() {
                    kernel.emit(What::Stored { at, state: json(&state) });
                }
                stored[at.node.index()] = Some(state);
            }
            Consequence::Outcome(outcome) => kernel.come_about(at, outcome),
            Consequence::Taken { message, kind } => kernel.emit_taken(at, message, kind),
            Consequence::Beat { heartbeat } => kernel.beat(at, heartbeat),
            Consequence::Suspected { whom } => kernel.emit(What::Suspected { at, whom }),
            Consequence::Trusted { whom } => kernel.emit(What::Trusted { at, whom }),
            Consequence::Tell { to, told } => kernel.tell(at, to, told),
            Consequence::Refused { detail } => kernel.emit_objection(at, message, &detail),
        });
    }
}

impl<A: Algorithm> Nodes for NodesOf<'_, A> {
    fn step(&mut self, kernel: &mut Kernel<'_>, me: NodeId, input: Input) {
        let cause = if kernel.is_observed() { self.cause(me, &input) } else { None };
        let Some(input) = self.read(me, input) else { return };
        let begins_a_round = matches!(input, NodeInput::Timer(TimerName::Client(timer)) if timer.begins_a_round());
        let node = &mut self.nodes[me.index()];
        let next_setting = node.timers().settings();
        let Kernel { specification, channel, detector, now, .. } = *kernel;
        let context = Context {
            setting: self.setting,
            nodes: specification.nodes,
            seed: specification.seed,
            channel,
            detector,
            timers: specification.timers,
            exhausted: kernel.rounds_left == Some(0),
            now_us: now,
        };
        let taken = node.take(&context, input, &mut self.followed);
        let at = StepId { node: me, incarnation: node.incarnation(), step: node.step() };
        kernel.counts.steps += 1;
        match taken {
            Ok(()) => {
                if begins_a_round && self.followed.is_commanded() {
                    kernel.count_round();
                }
                let message = if let Some(Cause::Message { id, .. }) = cause { Some(id) } else { None };
                if let Some(cause) = cause {
                    let because = if kernel.records() { self.because(me) } else { Because::default() };
                    kernel.emit_input(at, cause, because);
                }
                self.ensue(kernel, at, message, next_setting);
            }
            Err(refused) => {
                if let Some(cause) = cause {
                    let view = kernel.records().then(|| self.view(me));
                    kernel.emit_refusal(at, cause, view, &refused);
                }
                self.followed.clear();
            }
        }
    }

    fn refuse(&mut self, me: NodeId) -> StepId {
        self.nodes[me.index()].refuse();
        self.latest_step(me)
    }

    fn begin_incarnation(&mut self, me: NodeId, state: RestartState, next: RequestId) -> bool {
        let stored = &mut self.stored[me.index()];
        *stored = stored.take().filter(|_| state == RestartState::Stored);
        let node = &mut self.nodes[me.index()];
        let client = node.client().clone().reborn(next, node.client().rounds());
        *node = Node::new(self.setting, me, node.incarnation() + 1, client);
        stored.is_some()
    }

    fn latest_step(&self, me: NodeId) -> StepId {
        let node = &self.nodes[me.index()];
        StepId { node: me, incarnation: node.incarnation(), step: node.step() }
    }

    fn client(&self, me: NodeId) -> &Client {
        self.nodes[me.index()].client()
    }

    fn takes_part(&self, me: NodeId) -> bool {
        self.nodes[me.index()].state().state().is_some()
    }

    fn refusal(&self, me: NodeId, order: &Order) -> Option<Refused> {
        self.nodes[me.index()].refusal(self.setting, order)
    }

    fn view(&self, me: NodeId) -> Json {
        json(&self.nodes[me.index()].state().view(self.setting, me))
    }

    fn awaits(&self, me: NodeId, incarnation: u32, setting: u64) -> bool {
        let node = &self.nodes[me.index()];
        node.incarnation() == incarnation && node.timers().awaits(setting)
    }

    fn find_timer(&self, me: NodeId, is_it: &mut dyn FnMut(&Timer) -> bool) -> Option<Timer> {
        let timer = |(name, due_us, setting)| Timer { name: anonymous(name), due_us, setting };
        self.nodes[me.index()].timers().pending().map(timer).find(is_it)
    }

    fn label(&self, me: NodeId, setting: u64) -> Option<TimerLabel> {
        self.nodes[me.index()].timers().name(setting).map(label)
    }

    fn withhold(&mut self, me: NodeId, setting: u64) -> Option<u64> {
        let timers = self.nodes[me.index()].timers_mut();
        let name = timers.expire(setting)?;
        let again = timers.settings();
        timers.set(name, None);
        Some(again)
    }

    fn forget_timers(&mut self, me: NodeId) {
        self.nodes[me.index()].timers_mut().clear();
    }
}

/// Returns the name of a timer. If the timer belongs to the algorithm, the name that the algorithm gave to it is
/// removed.
const fn anonymous<T: Copy>(name: TimerName<T>) -> TimerName<()> {
    match name {
        TimerName::Client(timer) => TimerName::Client(timer),
        TimerName::Algorithm(_) => TimerName::Algorithm(()),
        TimerName::Channel(other) => TimerName::Channel(other),
        TimerName::Detector(timer) => TimerName::Detector(timer),
    }
}
