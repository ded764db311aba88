//! One node: its algorithm, its client and its timers. The node handles an input, and returns all effects of this
//! input.
//!
//! This module executes only the effects on the node itself. The driver executes all other effects: for example, it
//! transmits messages and reports outcomes. The driver of a live node is its process; the driver of a simulated node
//! is the simulated world.

mod layers;
mod refused;

use std::hash::{Hash, Hasher};

use interlock_algorithm::{Algorithm, Command, Delay, Effect, Input, NodeId, Participant, Show, Ticks};

use crate::application::Told;
use crate::channel::{ChannelSetting, Channels, Packet};
use crate::client::{Client, ClientEffect};
use crate::delay::delay_ticks;
use crate::detector::{Belief, Detector, DetectorSetting, Heartbeat};
use crate::followed::Followed;
use crate::message_id::MessageId;
use crate::timers::TimerTable;
use crate::wire::{Order, TimerName};

pub use refused::Refused;

/// Data that are the same for all nodes of a run, and the current time.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a, A: Algorithm> {
    /// Setting of the algorithm.
    pub setting: &'a A::Setting,
    /// Number of nodes in the run.
    pub nodes: u32,
    /// Seed of the run.
    pub seed: u64,
    /// Channels between the algorithm and the links.
    pub channel: ChannelSetting,
    /// Failure detectors of the processes.
    pub detector: DetectorSetting,
    /// Whether timers expire by themselves.
    pub timers: bool,
    /// Whether clients must no longer begin rounds by themselves.
    pub exhausted: bool,
    /// Time in microseconds since the run began.
    pub now_us: Ticks,
}

/// An input of a node.
#[derive(Debug)]
pub enum NodeInput<A: Algorithm> {
    /// The node begins its first incarnation.
    Start,
    /// The node restarts after a crash. It receives its stored state if the restart keeps this state.
    Restart(Option<A::Stored>),
    /// A message of the algorithm.
    Message {
        /// Sender.
        from: NodeId,
        /// Content.
        message: A::Message,
    },
    /// A packet from a link, in a run with channels.
    Packet {
        /// Sender.
        from: NodeId,
        /// Name of the copy that arrived.
        id: MessageId,
        /// Content.
        packet: Box<Packet<A::Message>>,
    },
    /// A heartbeat of another process.
    Heartbeat {
        /// Sender.
        from: NodeId,
        /// Content.
        heartbeat: Heartbeat,
    },
    /// A message of the application.
    Told(Told),
    /// An order for the client.
    Order(Order),
    /// A timer that has expired. The timer is no longer in the table of pending timers.
    Timer(TimerName<A::Timer>),
}

/// One incarnation of a node that runs algorithm `A`.
#[derive(Clone, Debug)]
pub struct Node<A: Algorithm> {
    me: NodeId,
    incarnation: u32,
    began: bool,
    step: u64,
    state: Participant<A>,
    client: Client,
    timers: TimerTable<TimerName<A::Timer>>,
    /// Channels to the other nodes. `None` before the first message through a channel.
    channels: Option<Box<Channels<A::Message>>>,
    /// Failure detector. `None` until its first use; until then, no other process is suspected.
    detector: Option<Box<Detector>>,
}

/// Two incarnations are equal if their possible futures are the same. The numbers of their steps do not matter.
impl<A: Algorithm> PartialEq for Node<A> {
    fn eq(&self, other: &Self) -> bool {
        self.essence() == other.essence()
    }
}

impl<A: Algorithm> Eq for Node<A> {}

impl<A: Algorithm> Hash for Node<A> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.essence().hash(hasher);
    }
}

impl<A: Algorithm> Node<A> {
    /// Returns the state that determines the possible futures of the node. State that affects only random draws is
    /// not included.
    fn essence(&self) -> impl Eq + Hash {
        let layers = (&self.channels, &self.detector);
        (self.me, self.incarnation, self.began, &self.state, &self.client, &self.timers, layers)
    }

    /// Creates a node with its client, before its first step.
    #[must_use]
    pub fn new(setting: &A::Setting, me: NodeId, incarnation: u32, client: Client) -> Self {
        let state = Participant::new(setting, me, incarnation);
        let timers = TimerTable::default();
        Self { me, incarnation, began: false, step: 0, state, client, timers, channels: None, detector: None }
    }

    /// Returns the same node with `state` as the initial state of its algorithm. A self-stabilising algorithm may
    /// begin in any state.
    #[must_use]
    pub fn beginning_in(self, state: A) -> Self {
        Self { state: Participant::in_state(state), ..self }
    }

    /// Returns the number of the incarnation, from 1.
    #[must_use]
    pub const fn incarnation(&self) -> u32 {
        self.incarnation
    }

    /// Returns the number of inputs that this incarnation has handled or refused.
    #[must_use]
    pub const fn step(&self) -> u64 {
        self.step
    }

    /// Whether the incarnation has executed its first step.
    #[must_use]
    pub const fn has_begun(&self) -> bool {
        self.began
    }

    /// Returns the algorithm.
    #[must_use]
    pub const fn state(&self) -> &Participant<A> {
        &self.state
    }

    /// Returns the client.
    #[must_use]
    pub const fn client(&self) -> &Client {
        &self.client
    }

    /// If no request is open, restarts the numbering of the client's requests at 1. An exploration calls this if
    /// the algorithm does not depend on the numbers of requests.
    pub fn forget_requests(&mut self) {
        self.client.forget_requests();
    }

    /// Calls `show` with every number of the algorithm that grows without bound: see [`Algorithm::growing`].
    pub fn growing(&mut self, setting: &A::Setting, show: &mut Show<'_>) {
        self.state.growing(setting, self.me, show);
    }

    /// Returns the pending timers.
    #[must_use]
    pub const fn timers(&self) -> &TimerTable<TimerName<A::Timer>> {
        &self.timers
    }

    /// Returns the pending timers for modification. The caller must remove the timers that expire.
    pub const fn timers_mut(&mut self) -> &mut TimerTable<TimerName<A::Timer>> {
        &mut self.timers
    }

    /// Whether the failure detector suspects the process `whom`.
    #[must_use]
    pub fn suspects(&self, whom: NodeId) -> bool {
        self.detector.as_ref().is_some_and(|detector| detector.suspects(whom))
    }

    /// Handles one input, and writes its effects to `followed`, which must be empty.
    ///
    /// # Errors
    /// The reason why the node refuses the input. The refusal changes only the number of steps.
    pub fn take(
        &mut self,
        context: &Context<'_, A>,
        input: NodeInput<A>,
        followed: &mut Followed<A>,
    ) -> Result<(), Refused> {
        self.step += 1;
        let is_plain = context.channel.channel.is_raw() && context.detector.beating().is_none();
        if !is_plain || input.is_for_the_detector() {
            return self.take_through_layers(context, input, followed);
        }
        let input = self.admit(context, input, followed)?;
        if let Some(input) = input {
            self.state.step(context.setting, self.me, input, &mut followed.effects);
            followed.lasted_us = A::step_lasted_us(context.setting);
        }
        self.follow(context, followed);
        Ok(())
    }

    /// Counts a step whose input does not reach the node, because the input is unreadable or its timer is not
    /// pending.
    pub const fn refuse(&mut self) {
        self.step += 1;
    }

    /// Converts an input of the node into an input of its algorithm. Returns `None` if the algorithm need not
    /// handle the input.
    #[inline(always)]
    fn admit(
        &mut self,
        context: &Context<'_, A>,
        input: NodeInput<A>,
        followed: &mut Followed<A>,
    ) -> Result<Option<Input<A>>, Refused> {
        let begins = matches!(input, NodeInput::Start | NodeInput::Restart(_));
        if begins == self.began {
            return Err(if begins { Refused::Started } else { Refused::NotStarted });
        }
        let command = match input {
            NodeInput::Message { from, message } => return Ok(Some(Input::Message { from, message })),
            NodeInput::Timer(TimerName::Algorithm(timer)) => return Ok(Some(Input::Timer(timer))),
            NodeInput::Timer(TimerName::Client(timer)) if context.exhausted && timer.begins_a_round() => None,
            NodeInput::Packet { .. }
            | NodeInput::Heartbeat { .. }
            | NodeInput::Timer(TimerName::Channel(_) | TimerName::Detector(_)) => {
                return Err(Refused::NoLayer);
            }
            NodeInput::Timer(TimerName::Client(timer)) => self.client.run_out(timer, &mut followed.client),
            NodeInput::Start => return Ok(Some(self.begin(Input::Start, followed))),
            NodeInput::Restart(stored) => return Ok(Some(self.begin(Input::Restart(stored), followed))),
            NodeInput::Told(told) => {
                if let Some(clock) = told.clock {
                    self.state.witness(context.setting, clock);
                }
                self.client.told(told, &mut followed.client)
            }
            NodeInput::Order(order) => {
                unknown_order::<A>(context.setting, &order).map_or(Ok(()), Err)?;
                self.client.order(&order, &mut followed.client)?
            }
        };
        Ok(command.and_then(|command| self.command(context, command, followed)))
    }

    /// Returns the reason why the node would refuse an order now; `None` if it would execute the order.
    #[must_use]
    pub fn refusal(&self, setting: &A::Setting, order: &Order) -> Option<Refused> {
        match *order {
            Order::Suspect { whom } => return self.disbelief(Belief::Suspected(whom)),
            Order::Trust { whom } => return self.disbelief(Belief::Trusted(whom)),
            _ => {}
        }
        let command = match self.client.clone().order(order, &mut Vec::new()) {
            Ok(command) => command,
            Err(error) => return Some(error.into()),
        };
        let objection = || self.state.objection(setting, self.me, &command?);
        unknown_order::<A>(setting, order).or_else(|| objection().map(|reason| Refused::Objection(reason.into())))
    }

    fn begin(&mut self, input: Input<A>, followed: &mut Followed<A>) -> Input<A> {
        self.began = true;
        self.client.begin(&mut followed.client);
        input
    }

    /// Converts a command into an input of the algorithm. Returns `None` if the algorithm refuses the command.
    fn command(&mut self, context: &Context<'_, A>, command: Command, followed: &mut Followed<A>) -> Option<Input<A>> {
        followed.commanded = true;
        followed.objection = self.state.objection(context.setting, self.me, &command);
        if followed.objection.is_some() {
            self.client.withdraw(&command, &mut followed.client);
            return None;
        }
        Some(Input::Command(command))
    }

    /// Executes the effects on the node itself: sets timers, passes outcomes to the client, and adds the
    /// algorithm's logical clock to the client's messages.
    #[inline(always)]
    fn follow(&mut self, context: &Context<'_, A>, followed: &mut Followed<A>) {
        let Context { seed, timers, now_us, setting, .. } = *context;
        let answered_us = now_us.saturating_add(followed.lasted_us);
        let due_us = |delay_us: Ticks| timers.then(|| answered_us.saturating_add(delay_us));
        for (place, effect) in followed.effects.as_mut_slice().iter_mut().enumerate() {
            match effect {
                Effect::SetTimer { timer, delay } => {
                    let delay_us = delay_ticks(*delay, seed, self.me, self.incarnation, self.step, place);
                    *delay = Delay::Exactly(delay_us);
                    self.timers.set(TimerName::Algorithm(*timer), due_us(delay_us));
                }
                Effect::CancelTimer(timer) => _ = self.timers.cancel(TimerName::Algorithm(*timer)),
                Effect::Outcome(outcome) => self.client.observe(outcome, &mut followed.client),
                Effect::Send { .. } | Effect::Store(_) | Effect::Because(_) => {}
            }
        }
        for effect in &mut followed.client {
            match effect {
                ClientEffect::Set(timer, delay_us) => self.timers.set(TimerName::Client(*timer), due_us(*delay_us)),
                ClientEffect::Cancel(timer) => _ = self.timers.cancel(TimerName::Client(*timer)),
                ClientEffect::Tell(_, told) => told.clock = self.state.stamp(setting),
            }
        }
    }
}

/// Returns the reason why algorithm `A` can never accept `order`; `None` if it may accept the order.
#[must_use]
pub fn unknown_order<A: Algorithm>(setting: &A::Setting, order: &Order) -> Option<Refused> {
    let entry = A::entry(setting);
    let known = entry.commands;
    let unknown = order.command().filter(|name| !known.contains(name))?;
    if matches!(order, Order::Corrupt { .. }) {
        return Some(Refused::Unstable(entry.name));
    }
    Some(Refused::NoCommand(Box::new((entry.name, unknown, known))))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use interlock_algorithm::{LockId, NodeId, Outcome, RequestId};

    use super::*;
    use crate::client::ClientContext;
    use crate::followed::Consequence;
    use crate::test_support::Echo;
    use crate::wire::ClientTimer;

    const ME: NodeId = NodeId(1);
    static SETTING: Vec<NodeId> = Vec::new();

    fn context(setting: &Vec<NodeId>) -> Context<'_, Echo> {
        Context {
            setting,
            nodes: 3,
            seed: 7,
            channel: ChannelSetting::default(),
            detector: DetectorSetting::None,
            timers: true,
            exhausted: false,
            now_us: 100,
        }
    }

    /// Creates a node and executes its first step. The client has no idle time between requests, and holds the
    /// critical section for 5 ms.
    fn begun() -> Node<Echo> {
        let habit = Arc::new(serde_json::from_str(r#"{"idle":"0","hold":"const:5"}"#).expect("a client loop"));
        let mut node = Node::new(&SETTING, ME, 1, Client::new(ME, 3, 7, Some(habit), ClientContext::ONE_LOCK));
        let mut followed = Followed::default();
        assert_eq!(node.take(&context(&SETTING), NodeInput::Start, &mut followed), Ok(()));
        node
    }

    fn run_out(node: &mut Node<Echo>, context: &Context<'_, Echo>, timer: ClientTimer) -> Followed<Echo> {
        let mut followed = Followed::default();
        let timer = TimerName::Client(timer);
        assert!(node.timers_mut().cancel(timer));
        assert_eq!(node.take(context, NodeInput::Timer(timer), &mut followed), Ok(()));
        followed
    }

    #[test]
    fn a_life_begins_once_and_before_anything_else() {
        let mut node = begun();
        let pending = node.timers().names().count();
        let mut followed = Followed::default();
        assert!(node.take(&context(&SETTING), NodeInput::Start, &mut followed).is_err());
        assert!(node.take(&context(&SETTING), NodeInput::Restart(None), &mut followed).is_err());
        followed.gather();
        assert_eq!((node.step(), node.timers().names().count(), followed.consequences.len()), (3, pending, 0));
        let mut unborn = Node::<Echo>::new(&SETTING, ME, 1, Client::new(ME, 3, 7, None, ClientContext::ONE_LOCK));
        assert!(unborn.take(&context(&SETTING), NodeInput::Timer(TimerName::Algorithm(1)), &mut followed).is_err());
    }

    #[test]
    fn what_the_client_does_follows_in_the_same_step() {
        let mut node = begun();
        let mut followed = run_out(&mut node, &context(&SETTING), ClientTimer::Idle);
        let (lock, request) = (LockId(0), RequestId(1));
        let expected = [
            Consequence::Outcome(Outcome::requested(lock, request)),
            Consequence::Outcome(Outcome::Entered { lock, request, fence: Some(1) }),
            Consequence::SetTimer { timer: TimerName::Client(ClientTimer::Hold), delay_us: 5_000 },
        ];
        followed.gather();
        assert_eq!(followed.consequences, expected);
        assert!(followed.is_commanded());
        assert!(node.timers().contains(TimerName::Client(ClientTimer::Hold)));
        assert!(node.timers_mut().pop_due(5_099) != Some(TimerName::Client(ClientTimer::Hold)));
    }

    #[test]
    fn once_all_is_used_up_a_client_begins_nothing_and_ends_what_it_began() {
        let mut node = begun();
        let exhausted = Context { exhausted: true, ..context(&SETTING) };
        assert!(!run_out(&mut node, &exhausted, ClientTimer::Idle).is_commanded());
        let mut node = begun();
        run_out(&mut node, &context(&SETTING), ClientTimer::Idle);
        assert!(run_out(&mut node, &exhausted, ClientTimer::Hold).is_commanded());
    }

    #[test]
    fn what_is_gathered_is_what_is_taken_out() {
        let (mut gathered, mut taken) = (Followed::default(), Vec::new());
        for is_gathered in [true, false] {
            let mut followed = run_out(&mut begun(), &context(&SETTING), ClientTimer::Idle);
            if is_gathered {
                followed.gather();
                gathered = followed;
            } else {
                followed.take_out(|consequence| taken.push(consequence));
            }
        }
        assert_eq!((taken.len(), taken), (3, gathered.consequences));
    }
}
