//! One node: the algorithm, its client and its timers. An input comes in, and all that follows from it comes out.
//!
//! Nobody else knows what an effect means for the node itself. What it means for others (a message to be carried, an
//! outcome to be told) is up to the driver: the process of a live node, or the world of a simulation.

use interlock_algorithm::{Algorithm, Command, Effect, Effects, Input, NodeId, Participant, Ticks};

use crate::client::Client;
use crate::delay::delay_ticks;
use crate::timers::TimerTable;
use crate::wire::{Order, TimerName, Told};

pub use crate::client::ClientEffect;

/// What is the same for all nodes of a run, and the time.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a, A: Algorithm> {
    /// The setting of the algorithm.
    pub setting: &'a A::Setting,
    /// The seed of the run.
    pub seed: u64,
    /// Whether timers run out by themselves.
    pub timers: bool,
    /// Whether clients begin nothing more by themselves.
    pub exhausted: bool,
    /// The time, in microseconds since the run began.
    pub now_us: Ticks,
}

/// What a node can be given.
#[derive(Debug)]
pub enum NodeInput<A: Algorithm> {
    /// The run begins.
    Start,
    /// The node is back after a crash, with what it had stored, if that was kept.
    Restart(Option<A::Stored>),
    /// A message of the algorithm.
    Message {
        /// Who sent it.
        from: NodeId,
        /// What it says.
        message: A::Message,
    },
    /// A message of the application.
    Told(Told),
    /// An order to the client.
    Order(Order),
    /// A timer that has run out, and is pending no more.
    Timer(TimerName<A::Timer>),
}

/// What follows from an input, in its order: the effects of the algorithm, then those of its client, then its objection.
#[derive(Debug)]
pub struct Followed<A: Algorithm> {
    effects: Effects<A>,
    client: Vec<ClientEffect>,
    commanded: bool,
    objection: Option<String>,
}

impl<A: Algorithm> Default for Followed<A> {
    fn default() -> Self {
        Self { effects: Effects::default(), client: Vec::new(), commanded: false, objection: None }
    }
}

impl<A: Algorithm> Followed<A> {
    /// What the algorithm wants, its reasons included.
    #[must_use]
    pub fn effects(&self) -> &[Effect<A>] {
        self.effects.as_slice()
    }

    /// Takes out what the algorithm wants.
    pub fn drain_effects(&mut self) -> impl Iterator<Item = Effect<A>> {
        self.effects.drain()
    }

    /// What the client wants.
    #[must_use]
    pub fn client(&self) -> &[ClientEffect] {
        &self.client
    }

    /// Takes out what the client wants.
    pub fn drain_client(&mut self) -> impl Iterator<Item = ClientEffect> {
        self.client.drain(..)
    }

    /// Whether the client has given its algorithm a command.
    #[must_use]
    pub const fn is_commanded(&self) -> bool {
        self.commanded
    }

    /// Why the algorithm did not take the command of its client, if it did not.
    #[must_use]
    pub const fn objection(&self) -> Option<&String> {
        self.objection.as_ref()
    }

    /// Takes out why the algorithm did not take the command of its client, if it did not.
    pub const fn take_objection(&mut self) -> Option<String> {
        self.objection.take()
    }

    /// Forgets everything, to be used again.
    pub fn clear(&mut self) {
        drop(self.effects.drain());
        self.client.clear();
        self.commanded = false;
        self.objection = None;
    }
}

/// One life of a node that runs algorithm `A`.
#[derive(Clone, Debug)]
pub struct Node<A: Algorithm> {
    me: NodeId,
    incarnation: u32,
    began: bool,
    step: u64,
    state: Participant<A>,
    client: Client,
    timers: TimerTable<TimerName<A::Timer>>,
}

impl<A: Algorithm> Node<A> {
    /// A node before its life begins, with its client.
    #[must_use]
    pub fn new(setting: &A::Setting, me: NodeId, incarnation: u32, client: Client) -> Self {
        let state = Participant::new(setting, me, incarnation);
        Self { me, incarnation, began: false, step: 0, state, client, timers: TimerTable::default() }
    }

    /// Which life of the node this is, counted from 1.
    #[must_use]
    pub const fn incarnation(&self) -> u32 {
        self.incarnation
    }

    /// How many inputs it was given in this life.
    #[must_use]
    pub const fn step(&self) -> u64 {
        self.step
    }

    /// Whether its life has begun.
    #[must_use]
    pub const fn has_begun(&self) -> bool {
        self.began
    }

    /// Its algorithm.
    #[must_use]
    pub const fn state(&self) -> &Participant<A> {
        &self.state
    }

    /// Its client.
    #[must_use]
    pub const fn client(&self) -> &Client {
        &self.client
    }

    /// Its pending timers.
    #[must_use]
    pub const fn timers(&self) -> &TimerTable<TimerName<A::Timer>> {
        &self.timers
    }

    /// Its pending timers, to take out those that run out.
    pub const fn timers_mut(&mut self) -> &mut TimerTable<TimerName<A::Timer>> {
        &mut self.timers
    }

    /// Takes one input, and says in `followed`, which must be empty, what follows from it.
    ///
    /// # Errors
    /// Says why the node cannot take it: then nothing has changed but the number of its steps.
    pub fn take(
        &mut self,
        context: &Context<'_, A>,
        input: NodeInput<A>,
        followed: &mut Followed<A>,
    ) -> Result<(), String> {
        self.step += 1;
        let input = self.admit(context, input, followed)?;
        if let Some(input) = input {
            self.state.step(context.setting, self.me, input, &mut followed.effects);
        }
        self.follow(context, followed);
        Ok(())
    }

    /// Counts an input that cannot even be read.
    pub const fn refuse(&mut self) {
        self.step += 1;
    }

    /// What the algorithm gets of an input, if anything.
    #[inline]
    fn admit(
        &mut self,
        context: &Context<'_, A>,
        input: NodeInput<A>,
        followed: &mut Followed<A>,
    ) -> Result<Option<Input<A>>, String> {
        let begins = matches!(input, NodeInput::Start | NodeInput::Restart(_));
        if begins == self.began {
            let refused = if begins {
                "this life of the node has begun already"
            } else {
                "this life of the node has not begun yet"
            };
            return Err(refused.to_owned());
        }
        let command = match input {
            NodeInput::Message { from, message } => return Ok(Some(Input::Message { from, message })),
            NodeInput::Timer(TimerName::Algorithm(timer)) => return Ok(Some(Input::Timer(timer))),
            NodeInput::Timer(TimerName::Client(timer)) if context.exhausted && timer.begins_a_round() => None,
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
                unknown_order::<A>(&order).map_or(Ok(()), Err)?;
                self.client.order(&order, &mut followed.client).map_err(|error| error.to_string())?
            }
        };
        Ok(command.and_then(|command| self.command(context, command, followed)))
    }

    fn begin(&mut self, input: Input<A>, followed: &mut Followed<A>) -> Input<A> {
        self.began = true;
        self.client.begin(&mut followed.client);
        input
    }

    /// What the algorithm gets of a command: nothing if it objects.
    fn command(&mut self, context: &Context<'_, A>, command: Command, followed: &mut Followed<A>) -> Option<Input<A>> {
        followed.commanded = true;
        followed.objection = self.state.objection(context.setting, self.me, &command);
        if followed.objection.is_some() {
            self.client.withdraw(&command, &mut followed.client);
            return None;
        }
        Some(Input::Command(command))
    }

    /// What follows for the node itself: its timers are set, its client learns what came about, and what that tells
    /// others is stamped.
    #[inline]
    fn follow(&mut self, context: &Context<'_, A>, followed: &mut Followed<A>) {
        let Context { seed, timers, now_us, setting, .. } = *context;
        let due_us = |delay_us: Ticks| timers.then(|| now_us.saturating_add(delay_us));
        for (place, effect) in followed.effects.as_slice().iter().enumerate() {
            match effect {
                Effect::SetTimer { timer, delay } => {
                    let delay_us = delay_ticks(*delay, seed, self.me, self.incarnation, self.step, place);
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

/// Why an algorithm cannot be told this at all; none if it can.
#[must_use]
pub fn unknown_order<A: Algorithm>(order: &Order) -> Option<String> {
    let known = A::ENTRY.commands;
    let unknown = order.command().filter(|name| !known.contains(name))?;
    Some(format!("the nodes of `{}` cannot be told to {unknown}, only to {}", A::ENTRY.name, known.join(" or ")))
}
