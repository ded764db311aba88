//! Random schedules of configurations that are too large for an exhaustive exploration.

use interlock_algorithm::mutual_exclusion::lamport::Lamport;
use interlock_algorithm::mutual_exclusion::ricart_agrawala::RicartAgrawala;

use crate::careless::Careless;
use crate::driver::costs::{Cost, breaks_at_random, holds_at_random};
use crate::driver::faults::{FIFO, OVERTAKING};
use crate::driver::random::{exclusion, exclusion_and_order};

const REQUEST_AND_REPLY: &Cost = &[("REQUEST", 1), ("REPLY", 1)];
const REQUEST_ACK_AND_RELEASE: &Cost = &[("REQUEST", 1), ("ACK", 1), ("RELEASE", 1)];

#[test]
fn ricart_agrawala_keeps_the_rules_and_the_order_on_any_channel() {
    holds_at_random::<RicartAgrawala>("lamport-clock", FIFO, &exclusion_and_order(), REQUEST_AND_REPLY);
    holds_at_random::<RicartAgrawala>("lamport-clock", OVERTAKING, &exclusion_and_order(), REQUEST_AND_REPLY);
}

#[test]
fn lamport_keeps_the_rules_and_the_order_on_a_fifo_channel() {
    let variants =
        ["any-later-message", "explicit-ack", "postponed-ack", "explicit-ack release=request", "remove-dead"];
    for variant in variants {
        holds_at_random::<Lamport>(variant, FIFO, &exclusion_and_order(), REQUEST_ACK_AND_RELEASE);
    }
}

/// This variant guarantees everything except happened-before order: an ACK can overtake an earlier REQUEST of its
/// sender.
#[test]
fn lamport_with_postponed_acknowledgements_and_named_releases_keeps_all_but_the_order_on_any_channel() {
    let variant = "postponed-ack release=request";
    holds_at_random::<Lamport>(variant, OVERTAKING, &exclusion(), REQUEST_ACK_AND_RELEASE);
    breaks_at_random::<Lamport>(variant, 2, OVERTAKING, &exclusion_and_order(), "out of order");
}

#[test]
fn what_is_wrong_is_caught() {
    let caught = [
        ("replies-while-wanting", "two in the section"),
        ("replies-at-tie", "two in the section"),
        ("keeps-its-clock", "two in the section"),
        ("replies-in-section", "two in the section"),
        ("defers-at-tie", "stuck"),
    ];
    for (mistake, rule) in caught {
        breaks_at_random::<Careless>(mistake, 3, FIFO, &exclusion(), rule);
    }
    for variant in ["any-later-message", "explicit-ack", "postponed-ack"] {
        breaks_at_random::<Lamport>(variant, 3, OVERTAKING, &exclusion(), "two in the section");
    }
    breaks_at_random::<Lamport>("no-ack", 3, FIFO, &exclusion(), "two in the section");
}

/// Happened-before order is guaranteed only if every message carries a clock. In the paper, and in this
/// implementation, REPLY carries no clock.
#[test]
fn without_a_clock_on_the_reply_the_order_is_lost() {
    breaks_at_random::<Careless>("none", 3, OVERTAKING, &exclusion_and_order(), "out of order");
}
