//! Tests of channels over links with all kinds of faults.

use std::collections::BTreeMap;

use interlock_algorithm::{Delay, NodeId};
use proptest::prelude::*;

use super::*;
use crate::test_support::EchoMessage;

const SENDER: NodeId = NodeId(0);
const RECEIVER: NodeId = NodeId(1);
const RELIABLE: ChannelSetting = ChannelSetting { channel: Channel::Reliable, again_after_us: 10 };
const FIFO: ChannelSetting = ChannelSetting { channel: Channel::Fifo, again_after_us: 0 };

type Text = EchoMessage;

fn said(number: u64) -> Said<Text> {
    Said::Protocol(EchoMessage::Ping { number })
}

/// A sender and a receiver, the packets in transit between them, and the delivered messages.
struct Pair {
    setting: ChannelSetting,
    ends: BTreeMap<NodeId, Channels<Text>>,
    /// Packets in transit, each with its receiver.
    links: Vec<(NodeId, Packet<Text>)>,
    /// The pending retransmission timers, each with the delay that the channel has requested.
    reminders: BTreeMap<(NodeId, NodeId), Delay>,
    /// Numbers of the delivered messages, in one list for each incarnation of the receiver.
    heard: Vec<Vec<u64>>,
    said: u64,
}

impl Pair {
    fn new(setting: ChannelSetting) -> Self {
        Self {
            setting,
            ends: [SENDER, RECEIVER].map(|end| (end, Channels::new(1))).into(),
            links: Vec::new(),
            reminders: BTreeMap::new(),
            heard: vec![Vec::new()],
            said: 0,
        }
    }

    fn grant(&mut self, me: NodeId, wishes: Vec<Wish<Text>>) {
        for wish in wishes {
            match wish {
                Wish::Send(to, packet) => self.links.push((to, packet)),
                Wish::Take(_, id, Said::Protocol(EchoMessage::Ping { number })) => {
                    assert_eq!((me, id.from), (RECEIVER, SENDER));
                    self.heard.last_mut().expect("a life").push(number);
                }
                Wish::Take(_, _, other) => panic!("nobody said {other:?}"),
                Wish::Set(other, delay) => _ = self.reminders.insert((me, other), delay),
                Wish::Cancel(other) => {
                    assert!(self.reminders.remove(&(me, other)).is_some(), "what is cancelled is pending");
                }
            }
        }
    }

    fn with(&mut self, me: NodeId, act: impl FnOnce(&mut Channels<Text>, &mut Vec<Wish<Text>>)) {
        let mut wishes = Vec::new();
        act(self.ends.get_mut(&me).expect("an end"), &mut wishes);
        self.grant(me, wishes);
    }

    fn say(&mut self) {
        self.said += 1;
        let (setting, number) = (self.setting, self.said);
        self.with(SENDER, |end, wishes| end.send(setting, RECEIVER, said(number), wishes));
    }

    /// Delivers the packet at index `place` of `links`.
    fn arrive(&mut self, place: usize) {
        let (to, packet) = self.links.remove(place);
        let (setting, from) = (self.setting, if to == SENDER { RECEIVER } else { SENDER });
        let id = MessageId { from, to, number: 1, copy: 0 };
        self.with(to, |end, wishes| end.receive(setting, from, id, packet, wishes));
    }

    fn run_out(&mut self, me: NodeId, other: NodeId) {
        if self.reminders.remove(&(me, other)).is_some() {
            let setting = self.setting;
            self.with(me, |end, wishes| end.run_out(setting, other, wishes));
        }
    }

    /// Crashes the receiver and restarts it in a new incarnation.
    fn reborn(&mut self) {
        let life = u32::try_from(self.heard.len()).expect("few lives") + 1;
        self.ends.insert(RECEIVER, Channels::new(life));
        self.reminders.retain(|(me, _), _| *me != RECEIVER);
        self.heard.push(Vec::new());
    }

    /// Delivers all packets in order, and makes retransmission timers expire, until no packet and no timer is
    /// pending.
    fn settle(&mut self) {
        for _ in 0..1_000 {
            while !self.links.is_empty() {
                self.arrive(0);
            }
            let Some((&(me, other), _)) = self.reminders.first_key_value() else { return };
            self.run_out(me, other);
        }
        panic!("a reminder is pending for ever");
    }
}

/// A random event of a test. The index in a variant selects a packet in `links`.
#[derive(Clone, Copy, Debug)]
enum Happens {
    Say,
    Arrive(usize),
    Lose(usize),
    Double(usize),
    RunOut,
}

fn happens() -> impl Strategy<Value = Happens> {
    prop_oneof![
        3 => Just(Happens::Say),
        4 => any::<usize>().prop_map(Happens::Arrive),
        2 => any::<usize>().prop_map(Happens::Lose),
        1 => any::<usize>().prop_map(Happens::Double),
        1 => Just(Happens::RunOut),
    ]
}

fn let_happen(pair: &mut Pair, what: Happens) {
    let place = |number: usize, pair: &Pair| (!pair.links.is_empty()).then(|| number % pair.links.len());
    match what {
        Happens::Say => pair.say(),
        Happens::Arrive(number) => place(number, pair).into_iter().for_each(|place| pair.arrive(place)),
        Happens::Lose(number) => _ = place(number, pair).map(|place| pair.links.remove(place)),
        Happens::Double(number) => {
            let copy = place(number, pair).map(|place| pair.links[place].clone());
            pair.links.extend(copy);
        }
        Happens::RunOut => pair.run_out(SENDER, RECEIVER),
    }
}

fn up_to(number: u64) -> Vec<u64> {
    (1..=number).collect()
}

proptest! {
    #[test]
    fn whatever_happens_all_that_was_said_is_heard_once_and_in_order(all in prop::collection::vec(happens(), 0..200)) {
        let mut pair = Pair::new(RELIABLE);
        for what in all {
            let_happen(&mut pair, what);
            let heard = pair.heard[0].len() as u64;
            prop_assert_eq!(&pair.heard[0], &up_to(heard), "what is heard is the beginning of what was said");
        }
        pair.settle();
        prop_assert_eq!(&pair.heard[0], &up_to(pair.said));
        prop_assert!(pair.reminders.is_empty(), "nothing is sent again for ever");
    }

    #[test]
    fn who_comes_back_hears_all_that_its_earlier_life_has_not_acknowledged(
        before in prop::collection::vec(happens(), 0..100), after in prop::collection::vec(happens(), 0..100),
    ) {
        let mut pair = Pair::new(RELIABLE);
        for what in before {
            let_happen(&mut pair, what);
        }
        pair.reborn();
        for what in after {
            let_happen(&mut pair, what);
        }
        pair.say();
        pair.settle();
        let (first, second) = (pair.heard[0].len() as u64, &pair.heard[1]);
        let begins = second.first().copied().expect("what was said last");
        prop_assert!(begins <= first + 1, "nothing is missing between the lives: {first} and {second:?}");
        prop_assert_eq!(second, &(begins..=pair.said).collect::<Vec<_>>());
    }

    #[test]
    fn a_fifo_channel_keeps_the_order_and_what_is_lost_stops_what_comes_after(
        all in prop::collection::vec(happens(), 0..200),
    ) {
        let mut pair = Pair::new(FIFO);
        let mut lost = false;
        for what in all {
            lost |= matches!(what, Happens::Lose(_)) && !pair.links.is_empty();
            let_happen(&mut pair, what);
            let heard = pair.heard[0].len() as u64;
            prop_assert_eq!(&pair.heard[0], &up_to(heard));
        }
        pair.settle();
        prop_assert!(lost || pair.heard[0] == up_to(pair.said), "without a loss all comes through");
    }
}

#[test]
fn a_gap_in_a_fifo_channel_stays() {
    let mut pair = Pair::new(FIFO);
    (0..3).for_each(|_| pair.say());
    pair.links.remove(1);
    pair.settle();
    assert_eq!(pair.heard, [[1]]);
}

#[test]
fn a_channel_waits_longer_each_time_in_vain_and_not_at_once_with_others() {
    let mut pair = Pair::new(RELIABLE);
    pair.say();
    let mut waits = Vec::new();
    for _ in 0..9 {
        waits.push(pair.reminders[&(SENDER, RECEIVER)]);
        pair.links.clear();
        pair.run_out(SENDER, RECEIVER);
    }
    let expected = [10, 20, 40, 80, 160, 320, 640, 640, 640].map(|low| Delay::Uniform(low, low + low / 2));
    assert_eq!(waits, expected);
    pair.arrive(0);
    pair.say();
    pair.settle();
    pair.say();
    assert_eq!(pair.reminders[&(SENDER, RECEIVER)], expected[0], "what has arrived makes it patient again");
}

#[test]
fn what_was_meant_for_an_earlier_life_is_not_heard_and_sent_again_for_this_one() {
    let mut pair = Pair::new(RELIABLE);
    pair.say();
    pair.reborn();
    pair.arrive(0);
    assert_eq!(pair.heard[1], [0; 0], "it was meant for the first life");
    pair.arrive(0);
    assert!(
        matches!(&pair.links[..], [(RECEIVER, Packet::Data { header, .. })] if header.to_life == 2 && header.again)
    );
    pair.settle();
    assert_eq!(pair.heard[1], [1]);
}

#[test]
fn an_earlier_life_of_the_sender_is_not_heard_once_a_later_one_is() {
    let mut incoming = incoming::Incoming::default();
    let id = MessageId { from: SENDER, to: RECEIVER, number: 1, copy: 0 };
    let header = |life, number| Header { life, to_life: 1, number, oldest: 1, again: false };
    let mut hear = |life, number| incoming.receive(&header(life, number), 1, id, said(number)).len();
    assert_eq!([hear(1, 1), hear(2, 1), hear(1, 2), hear(2, 2)], [1, 1, 0, 1]);
}

#[test]
fn what_the_sender_has_given_up_is_waited_for_no_longer() {
    let mut pair = Pair::new(RELIABLE);
    pair.say();
    pair.settle();
    (0..=MOST_KEPT).for_each(|_| pair.say());
    let all = std::mem::take(&mut pair.links);
    assert_eq!(all.len(), MOST_KEPT + 1, "each is sent once");
    pair.settle();
    let expected: Vec<u64> = (1..=pair.said).filter(|number| *number != 2).collect();
    assert_eq!(pair.heard[0], expected, "the second was given up");
}

#[test]
fn acknowledgements_tell_of_what_came_early() {
    let acknowledgement = Acknowledgement { life: 1, of: 1, received: 3, beyond: 0b101 };
    let covered: Vec<u64> = (0..80).filter(|number| acknowledgement.covers(*number)).collect();
    assert_eq!(covered, [0, 1, 2, 3, 5, 7]);
    let last = Acknowledgement { beyond: 1 << 51, ..acknowledgement };
    assert_eq!((last.covers(56), last.covers(57), last.covers(55)), (true, false, false));
}

/// Acknowledgements contain only numbers that every JSON reader reads without a loss of precision.
#[test]
fn all_that_an_acknowledgement_says_can_be_believed() {
    let mut pair = Pair::new(RELIABLE);
    (0..100).for_each(|_| pair.say());
    pair.links.remove(0);
    while matches!(&pair.links[0], (RECEIVER, _)) {
        pair.arrive(0);
    }
    for (_, packet) in &pair.links {
        let Packet::Acknowledgement(acknowledgement) = packet else { panic!("{packet:?}") };
        assert_eq!(interlock_algorithm::plausibility::implausible(acknowledgement), None);
    }
    pair.settle();
    assert_eq!(pair.heard[0], up_to(100));
}
