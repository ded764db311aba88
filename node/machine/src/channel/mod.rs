//! Channels: what lies between the algorithm of a process and the links to the others.
//!
//! A *fifo* channel numbers what is said to each process and puts it in order again; what is lost leaves a gap, behind
//! which nothing comes through. A *reliable* one acknowledges what arrives, sends again what is not acknowledged in time,
//! and lets each message through once, in order (Cachin, Guerraoui and Rodrigues 2011, "Introduction to Reliable and Secure
//! Distributed Programming", section 2.4). Both tell the lives of a process apart: what an earlier life of the
//! sender said is not let through once a later one has been heard, and a receiver that comes back is sent again what its
//! earlier life has not acknowledged. So across a crash of the receiver a message may come through twice, once in each life.
//!
//! All is bounded: what waits for its turn, what is kept to be sent again, and what is sent again at a time.

mod incoming;
mod outgoing;
mod packet;
#[cfg(test)]
mod tests;

use interlock_algorithm::FlatMap;
use interlock_algorithm::{Delay, NodeId, Ticks};
use serde::{Deserialize, Serialize};

use crate::message_id::MessageId;
use incoming::Incoming;
use outgoing::{News, Outgoing};

pub use outgoing::MOST_KEPT;
pub use packet::{Acknowledgement, CHANNEL_ACK, Header, Packet, Said};

/// What lies above a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Channel {
    /// Nothing: messages fare as the network is told.
    #[default]
    Raw,
    /// Numbers: messages come through in the order in which they were sent, and nothing behind one that is lost.
    Fifo,
    /// Numbers, acknowledgements and retransmission: each message comes through once, in order.
    Reliable,
}

impl Channel {
    /// Whether there is nothing.
    #[must_use]
    pub const fn is_raw(&self) -> bool {
        matches!(self, Self::Raw)
    }
}

/// The channels of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChannelSetting {
    /// Of which kind they are.
    pub channel: Channel,
    /// After how long what is not acknowledged is sent again for the first time, in microseconds.
    pub again_after_us: Ticks,
}

/// What a channel wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish<M> {
    /// To send this.
    Send(NodeId, Packet<M>),
    /// To let the process take this, which came by that name.
    Take(NodeId, MessageId, Said<M>),
    /// To be reminded of what is said to this process.
    Set(NodeId, Delay),
    /// Not to be reminded any more.
    Cancel(NodeId),
}

/// The channels of one life of a process, to all others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Channels<M> {
    life: u32,
    outgoing: FlatMap<NodeId, Outgoing<M>>,
    incoming: FlatMap<NodeId, Incoming<M>>,
}

impl<M: Clone> Channels<M> {
    /// Those of a life that begins.
    #[must_use]
    pub const fn new(life: u32) -> Self {
        Self { life, outgoing: FlatMap::new(), incoming: FlatMap::new() }
    }

    /// The process says something to another.
    pub fn send(&mut self, setting: ChannelSetting, to: NodeId, said: Said<M>, wishes: &mut Vec<Wish<M>>) {
        let outgoing = self.outgoing.entry(to).or_default();
        let is_kept = setting.channel == Channel::Reliable;
        let was_settled = outgoing.is_settled();
        wishes.push(Wish::Send(to, outgoing.send(self.life, said, is_kept)));
        if is_kept && was_settled {
            wishes.push(remind(setting, to, outgoing));
        }
    }

    /// Something has arrived from another process.
    pub fn receive(
        &mut self,
        setting: ChannelSetting,
        from: NodeId,
        id: MessageId,
        packet: Packet<M>,
        wishes: &mut Vec<Wish<M>>,
    ) {
        match packet {
            Packet::Data { header, said } if setting.channel == Channel::Reliable => {
                self.meet(setting, from, header.life, wishes);
                let incoming = self.incoming.entry(from).or_default();
                if header.to_life == self.life {
                    let now = incoming.receive(&header, header.oldest, id, said);
                    wishes.extend(now.into_iter().map(|(id, said)| Wish::Take(from, id, said)));
                }
                let acknowledgement = incoming.acknowledgement(self.life, header.life);
                wishes.push(Wish::Send(from, Packet::Acknowledgement(acknowledgement)));
            }
            Packet::Data { header, said } => {
                let is_first = !self.incoming.contains_key(&from);
                let incoming = self.incoming.entry(from).or_default();
                // Who was not there from the beginning begins with what it hears first.
                let begins = if is_first && self.life > 1 { header.number } else { 1 };
                let header = Header { oldest: 0, ..header };
                let now = incoming.receive(&header, begins, id, said);
                wishes.extend(now.into_iter().map(|(id, said)| Wish::Take(from, id, said)));
            }
            Packet::Acknowledgement(acknowledgement) if acknowledgement.of == self.life => {
                let Some(outgoing) = self.outgoing.get_mut(&from) else { return };
                match outgoing.acknowledged(&acknowledgement) {
                    News::None => {}
                    News::Progress => wishes.push(remind(setting, from, outgoing)),
                    News::Settled => wishes.push(Wish::Cancel(from)),
                    News::OtherLife => send_again(setting, from, outgoing, self.life, wishes),
                }
            }
            Packet::Acknowledgement(_) => {}
        }
    }

    /// Learns which life another process is in.
    fn meet(&mut self, setting: ChannelSetting, other: NodeId, life: u32, wishes: &mut Vec<Wish<M>>) {
        let outgoing = self.outgoing.entry(other).or_default();
        if outgoing.meet(life) {
            send_again(setting, other, outgoing, self.life, wishes);
        }
    }

    /// The time has come to send again what is said to this process.
    pub fn run_out(&mut self, setting: ChannelSetting, to: NodeId, wishes: &mut Vec<Wish<M>>) {
        let Some(outgoing) = self.outgoing.get_mut(&to) else { return };
        if outgoing.is_settled() {
            return;
        }
        wishes.extend(outgoing.run_out(self.life).into_iter().map(|packet| Wish::Send(to, packet)));
        wishes.push(remind(setting, to, outgoing));
    }
}

fn send_again<M: Clone>(
    setting: ChannelSetting,
    to: NodeId,
    outgoing: &Outgoing<M>,
    life: u32,
    wishes: &mut Vec<Wish<M>>,
) {
    wishes.extend(outgoing.again(life).into_iter().map(|packet| Wish::Send(to, packet)));
    wishes.push(remind(setting, to, outgoing));
}

/// When to send again: between once and one and a half times the time-out, so that those who were disturbed at once do not
/// disturb each other again.
fn remind<M: Clone>(setting: ChannelSetting, to: NodeId, outgoing: &Outgoing<M>) -> Wish<M> {
    let after = setting.again_after_us.saturating_mul(outgoing.back_off());
    Wish::Set(to, Delay::Uniform(after, after.saturating_add(after / 2)))
}
