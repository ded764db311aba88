//! Exploration of all schedules of small configurations, for the permission-based algorithms.

use interlock_algorithm::NodeId;
use interlock_algorithm::mutual_exclusion::lamport::{Lamport, LamportMessage};
use interlock_algorithm::mutual_exclusion::ricart_agrawala::RicartAgrawala;

use crate::careless::Careless;
use crate::driver::Scene;
use crate::driver::clients::nobody;
use crate::driver::exhaustive::{Broken, RULES, breaks, explore, holds};
use crate::driver::faults::{FIFO, Faults, OVERTAKING};
use crate::driver::script::Script;

/// One message may be duplicated. The copy stays next to its original.
const COPIED: Faults = Faults { copies: 1, ..FIFO };
/// One message may be duplicated. The copy may arrive at any later time.
const COPIED_AND_OVERTAKING: Faults = Faults { copies: 1, ..OVERTAKING };
/// One message may be lost.
const LOSSY: Faults = Faults { losses: 1, ..FIFO };

#[test]
fn ricart_agrawala_needs_no_order_of_messages() {
    for channel in [FIFO, OVERTAKING] {
        holds::<RicartAgrawala>("lamport-clock", 1, 2, channel);
        holds::<RicartAgrawala>("lamport-clock", 2, 3, channel);
        holds::<RicartAgrawala>("lamport-clock", 3, 1, channel);
    }
}

#[test]
fn ricart_agrawala_waits_for_what_is_lost() {
    let steps = breaks::<RicartAgrawala>("lamport-clock", 2, 1, LOSSY, Broken::Progress);
    assert_eq!(steps, ["acquire 0", "lose REQUEST 0→1"]);
}

/// A process does not recognise a copy of a REQUEST, and answers the copy. The requester can take this second REPLY for
/// the permission for its next request. A copy of a REPLY does no harm, since the clock in the REPLY is too old. A
/// process that only counts REPLYs, as in the paper, has no such check. Then even a copy of a REPLY can violate mutual
/// exclusion.
#[test]
fn ricart_agrawala_takes_the_reply_to_a_copy_for_permission() {
    holds::<RicartAgrawala>("lamport-clock", 2, 1, COPIED_AND_OVERTAKING);
    let steps = breaks::<RicartAgrawala>("lamport-clock", 2, 2, COPIED, Broken::Exclusion);
    assert!(steps.contains(&"copy REQUEST 0→1".to_owned()), "{steps:?}");
    let steps = breaks::<Careless>("none", 2, 2, COPIED, Broken::Exclusion);
    assert!(steps.contains(&"copy REPLY 1→0".to_owned()), "{steps:?}");
}

#[test]
fn ricart_agrawala_breaks_with_each_mistake_and_with_none_it_does_not() {
    for (nodes, entries) in [(2, 2), (3, 1)] {
        holds::<Careless>("none", nodes, entries, OVERTAKING);
        for mistake in ["replies-while-wanting", "replies-at-tie", "keeps-its-clock", "replies-in-section"] {
            breaks::<Careless>(mistake, nodes, entries, OVERTAKING, Broken::Exclusion);
        }
        breaks::<Careless>("defers-at-tie", nodes, entries, OVERTAKING, Broken::Progress);
    }
}

#[test]
fn lamport_is_right_where_messages_keep_their_order() {
    let variants =
        ["any-later-message", "explicit-ack", "postponed-ack", "postponed-ack release=request", "remove-dead"];
    for variant in variants {
        holds::<Lamport>(variant, 1, 2, FIFO);
        holds::<Lamport>(variant, 2, 2, FIFO);
        holds::<Lamport>(variant, 3, 1, FIFO);
        holds::<Lamport>(variant, 2, 2, COPIED);
    }
}

#[test]
fn lamport_breaks_where_messages_overtake_and_any_later_message_counts() {
    for variant in ["any-later-message", "any-later-message release=request"] {
        let steps = breaks::<Lamport>(variant, 2, 1, OVERTAKING, Broken::Exclusion);
        assert_eq!(steps, ["acquire 0", "acquire 1", "deliver REQUEST 1→0", "deliver ACK 0→1"]);
        assert_eq!(breaks::<Lamport>(variant, 3, 1, OVERTAKING, Broken::Exclusion).len(), 7);
    }
}

#[test]
fn lamport_breaks_where_messages_overtake_and_acknowledgements_count() {
    let steps = breaks::<Lamport>("explicit-ack", 2, 1, OVERTAKING, Broken::Exclusion);
    let both = ["deliver REQUEST 1→0", "deliver ACK 0→1", "deliver REQUEST 0→1", "deliver ACK 1→0"];
    assert_eq!(steps, [["acquire 0", "acquire 1"].as_slice(), &both].concat());
}

#[test]
fn lamport_with_postponed_acknowledgements_is_right_without_order_only_if_releases_name_their_requests() {
    holds::<Lamport>("postponed-ack release=request", 2, 3, OVERTAKING);
    let steps = breaks::<Lamport>("postponed-ack release=sender", 2, 2, OVERTAKING, Broken::Exclusion);
    assert_eq!(steps.len(), 11);
}

#[test]
#[ignore = "2.6 million states: half a minute"]
fn lamport_with_postponed_acknowledgements_is_right_without_order_for_three() {
    holds::<Lamport>("postponed-ack release=request", 3, 1, OVERTAKING);
}

#[test]
fn lamport_breaks_or_waits_for_what_is_lost() {
    let steps = breaks::<Lamport>("any-later-message", 2, 1, LOSSY, Broken::Exclusion);
    let lost = ["acquire 0", "acquire 1", "deliver REQUEST 1→0", "lose REQUEST 0→1", "deliver ACK 0→1"];
    assert_eq!(steps, lost);
    breaks::<Lamport>("explicit-ack", 2, 1, LOSSY, Broken::Progress);
    breaks::<Lamport>("postponed-ack", 2, 1, LOSSY, Broken::Progress);
}

/// The variant `postponed-ack` with `release=request` tolerates messages that overtake each other. It does not
/// tolerate duplicates in addition: a copy of a REQUEST can arrive after the RELEASE of the same request.
#[test]
fn lamport_queues_a_late_copy_for_ever() {
    breaks::<Lamport>("postponed-ack release=request", 2, 1, COPIED_AND_OVERTAKING, Broken::Progress);
}

#[test]
fn lamport_needs_acknowledgements() {
    let steps = breaks::<Lamport>("no-ack", 2, 1, FIFO, Broken::Exclusion);
    assert_eq!(steps, ["acquire 0", "acquire 1"]);
}

/// In the variant `no-ack-waiting`, no process sends an ACK, but each process waits for a later message from every
/// other process. So no process enters too early. But if a process requests while no other process wants to enter,
/// the requesting process never enters.
#[test]
fn lamport_blocks_who_waits_for_acknowledgements_that_nobody_sends() {
    let steps = breaks::<Lamport>("no-ack-waiting", 2, 1, FIFO, Broken::Progress);
    assert_eq!(steps, ["acquire 0", "deliver REQUEST 0→1"]);
    let both_ask = Scene::<Lamport>::new("no-ack-waiting", 2, FIFO, nobody());
    explore(&both_ask, &[1], &RULES[..1], None).expect("nobody beside another");
    let mut stage = Script::<Lamport>::begin("no-ack-waiting", 3);
    stage.acquire(0);
    stage.deliver_all();
    assert_eq!((stage.inside(), stage.view(0).waits_for), (vec![], [1, 2].map(NodeId).to_vec()));
}

/// If a received time does not advance the clock, an ACK need not be later than the request that it answers, so the
/// requesting process waits forever. With the rule of the paper, the same schedules hold.
#[test]
fn lamport_waits_forever_if_received_times_do_not_count() {
    let steps = breaks::<Lamport>("no-clock-update", 2, 1, FIFO, Broken::Progress);
    assert_eq!(steps, ["acquire 1", "deliver REQUEST 1→0", "deliver ACK 0→1"]);
    holds::<Lamport>("any-later-message", 2, 1, FIFO);
    let excluded = Scene::<Lamport>::new("no-clock-update", 3, FIFO, nobody());
    explore(&excluded, &[1], &RULES[..1], None).expect("mutual exclusion needs only clocks that grow");
}

/// A faulty process sends one request after the other. Only its newest request stays in the queue.
#[test]
fn lamport_queues_one_request_of_each() {
    let mut stage = Script::<Lamport>::begin("any-later-message", 3);
    let process = NodeId(1);
    for clock in (1..1_000).rev().chain(1..1_000) {
        stage.push(NodeId(1), NodeId(0), LamportMessage::Request { clock, process });
        stage.deliver("REQUEST", 1, 0);
    }
    let queued: Vec<_> = stage.view(0).queue.iter().map(|queued| (queued.node, queued.clock)).collect();
    assert_eq!(queued, [(process, Some(999))]);
}
