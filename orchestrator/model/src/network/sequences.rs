//! Relation between the numbers of messages on their channels and on their links. With this relation, a
//! retransmission can be named as a copy of the first transmission.

use std::collections::{BTreeMap, VecDeque};

use interlock_algorithm::NodeId;
use interlock_machine::channel::{Header, MOST_KEPT};
use interlock_machine::message_id::MessageId;

/// The messages of all channels that may be retransmitted.
#[derive(Debug, Default)]
pub(super) struct Sequences(BTreeMap<(NodeId, NodeId), Sequence>);

/// Messages of one incarnation of a sender to one receiver.
#[derive(Debug, Default)]
struct Sequence {
    life: u32,
    /// Pairs of a number on the channel and a number on the link, in order.
    numbers: VecDeque<(u64, u64)>,
}

impl Sequences {
    /// Records a message that is sent for the first time.
    pub fn sent(&mut self, id: MessageId, header: &Header) {
        let sequence = self.0.entry((id.from, id.to)).or_default();
        if header.life != sequence.life {
            *sequence = Sequence { life: header.life, numbers: VecDeque::new() };
        }
        while sequence.numbers.front().is_some_and(|(number, _)| *number < header.oldest)
            || sequence.numbers.len() >= MOST_KEPT
        {
            sequence.numbers.pop_front();
        }
        sequence.numbers.push_back((header.number, id.number));
    }

    /// Returns the number that a retransmitted message had on the link at its first transmission.
    pub fn number(&self, from: NodeId, to: NodeId, header: &Header) -> Option<u64> {
        let sequence = self.0.get(&(from, to)).filter(|sequence| sequence.life == header.life)?;
        let place = sequence.numbers.binary_search_by_key(&header.number, |(number, _)| *number).ok()?;
        Some(sequence.numbers[place].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FROM: NodeId = NodeId(0);
    const TO: NodeId = NodeId(1);

    const fn header(life: u32, number: u64, oldest: u64) -> Header {
        Header { life, to_life: 1, number, oldest, again: false }
    }

    const fn on_the_link(number: u64) -> MessageId {
        MessageId { from: FROM, to: TO, number, copy: 0 }
    }

    #[test]
    fn what_is_sent_again_is_found_until_it_has_arrived_or_its_sender_is_gone() {
        let mut sequences = Sequences::default();
        sequences.sent(on_the_link(4), &header(1, 1, 1));
        sequences.sent(on_the_link(7), &header(1, 2, 1));
        let number = |sequences: &Sequences, life, number| sequences.number(FROM, TO, &header(life, number, 1));
        assert_eq!([1, 2, 3].map(|place| number(&sequences, 1, place)), [Some(4), Some(7), None]);
        sequences.sent(on_the_link(9), &header(1, 3, 2));
        assert_eq!([1, 2, 3].map(|place| number(&sequences, 1, place)), [None, Some(7), Some(9)]);
        sequences.sent(on_the_link(12), &header(2, 1, 1));
        assert_eq!((number(&sequences, 1, 3), number(&sequences, 2, 1)), (None, Some(12)));
    }

    #[test]
    fn no_more_are_remembered_than_a_channel_keeps() {
        let mut sequences = Sequences::default();
        let most = MOST_KEPT as u64;
        (1..=most + 1).for_each(|number| sequences.sent(on_the_link(number), &header(1, number, 1)));
        assert_eq!(sequences.number(FROM, TO, &header(1, 1, 1)), None);
        assert_eq!(sequences.number(FROM, TO, &header(1, most + 1, 1)), Some(most + 1));
    }
}
