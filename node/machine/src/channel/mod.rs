//! Channels: a layer between the algorithm of a process and the links to other processes.
//!
//! A *fifo* channel numbers the messages to each process, and delivers them in the order of their numbers. If a
//! message is lost, no later message is delivered. A *reliable* channel acknowledges messages that arrive, and
//! retransmits messages that are not acknowledged in time. It delivers each message once, in order (Cachin,
//! Guerraoui and Rodrigues 2011, "Introduction to Reliable and Secure Distributed Programming", section 2.4).
//!
//! Both kinds distinguish the incarnations of a process. After a message from a later incarnation of a sender has
//! arrived, messages from its earlier incarnations are not delivered. If a receiver restarts, the sender
//! retransmits the messages that the receiver's earlier incarnation did not acknowledge. So a message may be
//! delivered twice: once in each incarnation of the receiver.
//!
//! Three numbers are bounded: the early messages that wait for a missing message, the messages that are kept for
//! retransmission, and the messages in one retransmission.

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

/// The kind of channel above a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Channel {
    /// No channel: messages go directly over the link, which may lose, duplicate and reorder them.
    #[default]
    Raw,
    /// Sequence numbers: messages are delivered in the order of sending. If a message is lost, no later message is
    /// delivered.
    Fifo,
    /// Sequence numbers, acknowledgements and retransmission: each message is delivered once, in order.
    Reliable,
}

impl Channel {
    /// Whether there is no channel.
    #[must_use]
    pub const fn is_raw(&self) -> bool {
        matches!(self, Self::Raw)
    }
}

/// The channels of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChannelSetting {
    /// Kind of the channels.
    pub channel: Channel,
    /// Time-out before the first retransmission of an unacknowledged message, in microseconds.
    pub again_after_us: Ticks,
}

/// An action that a channel requests from its process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish<M> {
    /// Send a packet to a process.
    Send(NodeId, Packet<M>),
    /// Deliver a message from a process. The id names the copy that arrived.
    Take(NodeId, MessageId, Said<M>),
    /// Set the retransmission timer of the channel to a process.
    Set(NodeId, Delay),
    /// Cancel the retransmission timer of the channel to a process.
    Cancel(NodeId),
}

/// The channels of one incarnation of a process to all other processes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Channels<M> {
    life: u32,
    outgoing: FlatMap<NodeId, Outgoing<M>>,
    incoming: FlatMap<NodeId, Incoming<M>>,
}

impl<M: Clone> Channels<M> {
    /// Creates the channels of a new incarnation.
    #[must_use]
    pub const fn new(life: u32) -> Self {
        Self { life, outgoing: FlatMap::new(), incoming: FlatMap::new() }
    }

    /// Handles a message that this process sends to another process.
    pub fn send(&mut self, setting: ChannelSetting, to: NodeId, said: Said<M>, wishes: &mut Vec<Wish<M>>) {
        let outgoing = self.outgoing.entry(to).or_default();
        let is_kept = setting.channel == Channel::Reliable;
        let was_settled = outgoing.is_settled();
        wishes.push(Wish::Send(to, outgoing.send(self.life, said, is_kept)));
        if is_kept && was_settled {
            wishes.push(remind(setting, to, outgoing));
        }
    }

    /// Handles a packet that has arrived from another process.
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
                // A restarted receiver may have missed earlier messages of the sender. For such a receiver, the
                // sequence begins with the first message that arrives.
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

    /// Records the incarnation of another process. If this incarnation is new, retransmits all messages that are
    /// kept for the other process.
    fn meet(&mut self, setting: ChannelSetting, other: NodeId, life: u32, wishes: &mut Vec<Wish<M>>) {
        let outgoing = self.outgoing.entry(other).or_default();
        if outgoing.meet(life) {
            send_again(setting, other, outgoing, self.life, wishes);
        }
    }

    /// Handles the expiry of the retransmission timer: retransmits the unacknowledged messages to `to`.
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

/// Returns the request to set the timer for the next retransmission. The delay is drawn between 1 and 1.5 times the
/// time-out. So two processes that have sent at the same time do not retransmit at the same time.
fn remind<M: Clone>(setting: ChannelSetting, to: NodeId, outgoing: &Outgoing<M>) -> Wish<M> {
    let after = setting.again_after_us.saturating_mul(outgoing.back_off());
    Wish::Set(to, Delay::Uniform(after, after.saturating_add(after / 2)))
}
