//! A node whose messages go through channels: one that arrives may let none through, or several at once.

use interlock_algorithm::{Algorithm, Delay, Effect, NodeId};

use super::{Context, Node, NodeInput};
use crate::channel::{Channels, Said, Wish};
use crate::client::ClientEffect;
use crate::delay::delay_ticks;
use crate::followed::{Consequence, Followed};
use crate::recipients::recipients;
use crate::wire::TimerName;

type Wishes<A> = Vec<Wish<<A as Algorithm>::Message>>;

impl<A: Algorithm> Node<A> {
    /// Takes one input: what arrives passes through the channels, and so does what is sent.
    pub(super) fn take_through_channels(
        &mut self,
        context: &Context<'_, A>,
        input: NodeInput<A>,
        followed: &mut Followed<A>,
    ) -> Result<(), String> {
        let mut wishes = Wishes::<A>::new();
        match input {
            NodeInput::Message { .. } | NodeInput::Told(_) => {
                return Err("it has no place on the channel".to_owned());
            }
            NodeInput::Packet { .. } if !self.began => return Err("this life of the node has not begun yet".to_owned()),
            NodeInput::Packet { from, id, packet } => {
                self.channels().receive(context.channel, from, id, *packet, &mut wishes);
            }
            NodeInput::Timer(TimerName::Channel(other)) => {
                self.channels().run_out(context.channel, other, &mut wishes);
            }
            input => self.react(context, input, followed)?,
        }
        wishes.into_iter().try_for_each(|wish| self.grant(context, wish, followed))
    }

    fn channels(&mut self) -> &mut Channels<A::Message> {
        self.channels.get_or_insert_with(|| Box::new(Channels::new(self.incarnation)))
    }

    fn grant(
        &mut self,
        context: &Context<'_, A>,
        wish: Wish<A::Message>,
        followed: &mut Followed<A>,
    ) -> Result<(), String> {
        match wish {
            Wish::Send(to, packet) => {
                followed.through_channels.push(Consequence::Transmit { to, packet: Box::new(packet) });
            }
            Wish::Set(other, delay) => self.arm(context, TimerName::Channel(other), delay, followed),
            Wish::Cancel(other) => self.disarm(TimerName::Channel(other), followed),
            Wish::Take(from, message, said) => {
                followed.through_channels.push(Consequence::Taken { message, kind: said.kind() });
                return match said {
                    Said::Protocol(message) => self.react(context, NodeInput::Message { from, message }, followed),
                    Said::Told(told) => self.react(context, NodeInput::Told(told), followed),
                };
            }
        }
        Ok(())
    }

    /// What the algorithm and the client make of an input, in its order: what the algorithm wants, then what its client
    /// does.
    fn react(
        &mut self,
        context: &Context<'_, A>,
        input: NodeInput<A>,
        followed: &mut Followed<A>,
    ) -> Result<(), String> {
        if let Some(input) = self.admit(context, input, followed)? {
            self.state.step(context.setting, self.me, input, &mut followed.effects);
        }
        let effects: Vec<Effect<A>> = followed.effects.drain().collect();
        for effect in effects {
            match effect {
                Effect::Send { to, message } => {
                    for other in recipients::<A>(context.setting, self.me, context.nodes, to) {
                        self.say(context, other, Said::Protocol(message.clone()), followed);
                    }
                }
                Effect::SetTimer { timer, delay } => self.arm(context, TimerName::Algorithm(timer), delay, followed),
                Effect::CancelTimer(timer) => self.disarm(TimerName::Algorithm(timer), followed),
                Effect::Store(stored) => followed.through_channels.push(Consequence::Store(stored)),
                Effect::Outcome(outcome) => {
                    self.client.observe(&outcome, &mut followed.client);
                    followed.through_channels.push(Consequence::Outcome(outcome));
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
                    self.say(context, to, Said::Told(told), followed);
                }
            }
        }
        Ok(())
    }

    /// Gives something to the channel to another node.
    fn say(&mut self, context: &Context<'_, A>, to: NodeId, said: Said<A::Message>, followed: &mut Followed<A>) {
        let mut wishes = Wishes::<A>::new();
        self.channels().send(context.channel, to, said, &mut wishes);
        for wish in wishes {
            // Who sends takes nothing, so nothing can be refused.
            _ = self.grant(context, wish, followed);
        }
    }

    fn arm(&mut self, context: &Context<'_, A>, timer: TimerName<A::Timer>, delay: Delay, followed: &mut Followed<A>) {
        let place = followed.through_channels.len();
        let delay_us = delay_ticks(delay, context.seed, self.me, self.incarnation, self.step, place);
        self.timers.set(timer, context.timers.then(|| context.now_us.saturating_add(delay_us)));
        followed.through_channels.push(Consequence::SetTimer { timer, delay_us });
    }

    fn disarm(&mut self, timer: TimerName<A::Timer>, followed: &mut Followed<A>) {
        self.timers.cancel(timer);
        followed.through_channels.push(Consequence::CancelTimer { timer });
    }
}
