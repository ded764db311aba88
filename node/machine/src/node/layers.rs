//! A node with layers between its algorithm and the network: channels and a failure detector. When a message
//! arrives, the channel may pass on this message, several messages or none to the algorithm.

use interlock_algorithm::{Algorithm, Delay, Effect, Input, NodeId};

use super::{Context, Node, NodeInput, Refused};
use crate::channel::{Channels, Said, Wish};
use crate::client::ClientEffect;
use crate::delay::delay_ticks;
use crate::detector::{Belief, Detector, Heartbeat};
use crate::followed::{Consequence, Followed};
use crate::recipients::recipients;
use crate::wire::{DetectorTimer, Order, TimerName};

type Wishes<A> = Vec<Wish<<A as Algorithm>::Message>>;

impl<A: Algorithm> NodeInput<A> {
    /// Whether the failure detector handles the input. This includes orders to suspect or trust a process, which
    /// are possible even in a run without a detector.
    pub(super) const fn is_for_the_detector(&self) -> bool {
        matches!(
            self,
            Self::Heartbeat { .. }
                | Self::Timer(TimerName::Detector(_))
                | Self::Order(Order::Suspect { .. } | Order::Trust { .. })
        )
    }
}

impl<A: Algorithm> Node<A> {
    /// Handles one input in a run with layers. Messages in both directions pass through the channels.
    pub(super) fn take_through_layers(
        &mut self,
        context: &Context<'_, A>,
        input: NodeInput<A>,
        followed: &mut Followed<A>,
    ) -> Result<(), Refused> {
        let is_raw = context.channel.channel.is_raw();
        if !self.began && (input.is_for_the_detector() || matches!(input, NodeInput::Packet { .. })) {
            return Err(Refused::NotStarted);
        }
        let mut wishes = Wishes::<A>::new();
        match input {
            NodeInput::Message { .. } | NodeInput::Told(_) if !is_raw => {
                return Err(Refused::NoPacket);
            }
            NodeInput::Packet { .. } | NodeInput::Timer(TimerName::Channel(_)) if is_raw => {
                return Err(Refused::NoChannel);
            }
            NodeInput::Packet { from, id, packet } => {
                self.channels().receive(context.channel, from, id, *packet, &mut wishes);
            }
            NodeInput::Timer(TimerName::Channel(other)) => {
                self.channels().run_out(context.channel, other, &mut wishes);
            }
            NodeInput::Timer(TimerName::Detector(DetectorTimer::Beat)) => self.beat(context, followed)?,
            NodeInput::Heartbeat { from, heartbeat } => self.hear(context, from, heartbeat, followed)?,
            NodeInput::Order(Order::Suspect { whom }) => {
                self.be_told(context, Belief::Suspected(whom), followed)?;
            }
            NodeInput::Order(Order::Trust { whom }) => self.be_told(context, Belief::Trusted(whom), followed)?,
            // The first heartbeat precedes all other messages of the incarnation. So a process that has not noticed
            // the crash of this process detects the restart before any other message of this incarnation arrives.
            NodeInput::Start | NodeInput::Restart(_) if !self.began => {
                self.say_alive(context, followed);
                self.react(context, input, followed)?;
            }
            input => self.react(context, input, followed)?,
        }
        wishes.into_iter().try_for_each(|wish| self.grant(context, wish, followed))
    }

    fn channels(&mut self) -> &mut Channels<A::Message> {
        self.channels.get_or_insert_with(|| Box::new(Channels::new(self.incarnation)))
    }

    fn detector(&mut self, nodes: u32) -> &mut Detector {
        self.detector.get_or_insert_with(|| Box::new(Detector::new(nodes)))
    }

    /// If the run has heartbeats, sends a heartbeat to all other nodes, and sets the timer for the next heartbeat.
    fn say_alive(&mut self, context: &Context<'_, A>, followed: &mut Followed<A>) {
        // A process that does not take part in the algorithm counts as crashed, so it sends no heartbeats.
        let takes_part = self.state.state().is_some() && context.nodes > 1;
        let Some(beating) = context.detector.beating().filter(|_| takes_part) else { return };
        followed.consequences.push(Consequence::Beat { heartbeat: Heartbeat { life: self.incarnation } });
        let again = Delay::Exactly(beating.interval_us);
        self.arm(context, TimerName::Detector(DetectorTimer::Beat), again, followed);
    }

    fn beat(&mut self, context: &Context<'_, A>, followed: &mut Followed<A>) -> Result<(), Refused> {
        let beating = context.detector.beating().ok_or(Refused::NoHeartbeats)?;
        self.say_alive(context, followed);
        let me = self.me;
        let news = self.detector(context.nodes).beat(beating, me);
        for belief in news {
            self.hold_true(context, belief, followed);
        }
        Ok(())
    }

    fn hear(
        &mut self,
        context: &Context<'_, A>,
        from: NodeId,
        heartbeat: Heartbeat,
        followed: &mut Followed<A>,
    ) -> Result<(), Refused> {
        let beating = context.detector.beating().ok_or(Refused::NoHeartbeats)?;
        let news = self.detector(context.nodes).hear(beating, from, heartbeat);
        for belief in news {
            self.hold_true(context, belief, followed);
        }
        Ok(())
    }

    /// Sets a belief about another process as an order requires. The order is from a perfect failure detector, or
    /// from a user who causes a wrong suspicion on purpose.
    fn be_told(&mut self, context: &Context<'_, A>, belief: Belief, followed: &mut Followed<A>) -> Result<(), Refused> {
        if let Some(refused) = self.disbelief(belief) {
            return Err(refused);
        }
        self.detector(context.nodes).believe(belief);
        self.hold_true(context, belief, followed);
        Ok(())
    }

    /// Returns the reason why an order cannot set `belief`; `None` if an order can set it.
    pub(super) fn disbelief(&self, belief: Belief) -> Option<Refused> {
        let (Belief::Suspected(whom) | Belief::Trusted(whom)) = belief;
        let (me, nodes) = (self.me, self.client.nodes());
        if whom == me {
            return Some(Refused::Itself(me));
        }
        if whom.0 >= nodes {
            return Some(Refused::NoNode(whom, nodes));
        }
        let suspects = self.suspects(whom);
        match belief {
            Belief::Suspected(_) if suspects => Some(Refused::Suspects(me, whom)),
            Belief::Trusted(_) if !suspects => Some(Refused::Trusts(me, whom)),
            _ => None,
        }
    }

    /// Notifies the algorithm of a new belief of the failure detector.
    fn hold_true(&mut self, context: &Context<'_, A>, belief: Belief, followed: &mut Followed<A>) {
        let (told, input) = match belief {
            Belief::Suspected(whom) => (Consequence::Suspected { whom }, Input::Suspected(whom)),
            Belief::Trusted(whom) => (Consequence::Trusted { whom }, Input::Trusted(whom)),
        };
        followed.consequences.push(told);
        self.step_algorithm(context, input, followed);
        self.follow_through_layers(context, followed);
    }

    fn grant(
        &mut self,
        context: &Context<'_, A>,
        wish: Wish<A::Message>,
        followed: &mut Followed<A>,
    ) -> Result<(), Refused> {
        match wish {
            Wish::Send(to, packet) => {
                followed.consequences.push(Consequence::Transmit { to, packet: Box::new(packet) });
            }
            Wish::Set(other, delay) => self.arm(context, TimerName::Channel(other), delay, followed),
            Wish::Cancel(other) => self.disarm(TimerName::Channel(other), followed),
            Wish::Take(from, message, said) => {
                followed.consequences.push(Consequence::Taken { message, kind: said.kind() });
                return match said {
                    Said::Protocol(message) => self.react(context, NodeInput::Message { from, message }, followed),
                    Said::Told(told) => self.react(context, NodeInput::Told(told), followed),
                };
            }
        }
        Ok(())
    }

    /// Passes an input to the algorithm and the client. Executes the effects of the algorithm, and then those of the
    /// client.
    fn react(
        &mut self,
        context: &Context<'_, A>,
        input: NodeInput<A>,
        followed: &mut Followed<A>,
    ) -> Result<(), Refused> {
        if let Some(input) = self.admit(context, input, followed)? {
            self.step_algorithm(context, input, followed);
        }
        self.follow_through_layers(context, followed);
        Ok(())
    }

    fn step_algorithm(&mut self, context: &Context<'_, A>, input: Input<A>, followed: &mut Followed<A>) {
        self.state.step(context.setting, self.me, input, &mut followed.effects);
        followed.lasted_us = followed.lasted_us.saturating_add(A::step_lasted_us(context.setting));
    }

    fn follow_through_layers(&mut self, context: &Context<'_, A>, followed: &mut Followed<A>) {
        let effects: Vec<Effect<A>> = followed.effects.drain().collect();
        for effect in effects {
            match effect {
                Effect::Send { to, message } if context.channel.channel.is_raw() => {
                    followed.consequences.push(Consequence::Send { to, message });
                }
                Effect::Send { to, message } => {
                    for other in recipients::<A>(context.setting, self.me, context.nodes, to) {
                        self.say(context, other, Said::Protocol(message.clone()), followed);
                    }
                }
                Effect::SetTimer { timer, delay } => self.arm(context, TimerName::Algorithm(timer), delay, followed),
                Effect::CancelTimer(timer) => self.disarm(TimerName::Algorithm(timer), followed),
                Effect::Store(stored) => followed.consequences.push(Consequence::Store(stored)),
                Effect::Outcome(outcome) => {
                    self.client.observe(&outcome, &mut followed.client);
                    followed.consequences.push(Consequence::Outcome(outcome));
                }
                Effect::Because(reason) => followed.because.push(reason),
            }
        }
        for effect in std::mem::take(&mut followed.client) {
            match effect {
                ClientEffect::Set(timer, delay_us) => {
                    self.arm(context, TimerName::Client(timer), Delay::Exactly(delay_us), followed);
                }
                ClientEffect::Cancel(timer) => self.disarm(TimerName::Client(timer), followed),
                ClientEffect::Tell(to, mut told) => {
                    told.clock = self.state.stamp(context.setting);
                    if context.channel.channel.is_raw() {
                        followed.consequences.push(Consequence::Tell { to, told });
                    } else {
                        self.say(context, to, Said::Told(told), followed);
                    }
                }
            }
        }
    }

    /// Sends a message to another node through the channel.
    fn say(&mut self, context: &Context<'_, A>, to: NodeId, said: Said<A::Message>, followed: &mut Followed<A>) {
        let mut wishes = Wishes::<A>::new();
        self.channels().send(context.channel, to, said, &mut wishes);
        for wish in wishes {
            // The result is an error only if a delivery is refused. Sending delivers no message, so the result is
            // ignored.
            _ = self.grant(context, wish, followed);
        }
    }

    fn arm(&mut self, context: &Context<'_, A>, timer: TimerName<A::Timer>, delay: Delay, followed: &mut Followed<A>) {
        let place = followed.consequences.len();
        let delay_us = delay_ticks(delay, context.seed, self.me, self.incarnation, self.step, place);
        let answered_us = context.now_us.saturating_add(followed.lasted_us);
        self.timers.set(timer, context.timers.then(|| answered_us.saturating_add(delay_us)));
        followed.consequences.push(Consequence::SetTimer { timer, delay_us });
    }

    fn disarm(&mut self, timer: TimerName<A::Timer>, followed: &mut Followed<A>) {
        self.timers.cancel(timer);
        followed.consequences.push(Consequence::CancelTimer { timer });
    }
}
