//! Limits of the agreement monitor's memory. Within these limits all properties are judged. Beyond them the monitor
//! may miss violations, but it reports no false ones.

use interlock_algorithm::{Ballot, NodeId, Outcome};

use super::agreement::{Agreement, BROKEN_PROMISE, DUEL, NOT_PROPOSED, TWO_VALUES};
use super::finding::Monitor;
use super::interventions::Interventions;
use crate::state::test_stream::specification;
use interlock_model::event::{Event, StepId, Violation, What};

/// The monitor of a run with three acceptors, and the violations that it has found so far.
struct Room {
    monitor: Agreement,
    seq: u64,
    found: Vec<Violation>,
}

impl Room {
    fn new() -> Self {
        Self { monitor: Agreement::new(&specification(3)), seq: 0, found: Vec::new() }
    }

    fn tell(&mut self, node: u32, outcome: Outcome) -> &mut Self {
        self.seq += 1;
        let at = StepId { node: NodeId(node), incarnation: 1, step: self.seq };
        let event = Event { seq: self.seq, at_us: 0, what: What::Outcome { at, outcome } };
        self.monitor.observe(&event, &Interventions::default(), &mut self.found);
        self
    }

    fn propose(&mut self, instance: u64) -> &mut Self {
        self.tell(0, Outcome::Proposed { instance, value: "a".into() })
    }

    fn decide(&mut self, node: u32, instance: u64, value: &str) -> &mut Self {
        self.tell(node, Outcome::Decided { instance, value: value.into() })
    }

    fn promise(&mut self, node: u32, round: u64, proposer: u32) -> &mut Self {
        let ballot = Ballot { round, proposer: NodeId(proposer) };
        self.tell(node, Outcome::Promised { instance: 0, ballot })
    }

    /// `node` accepts a value in the ballot of the round `round`. Each round has a different value.
    fn accept(&mut self, node: u32, round: u64) -> &mut Self {
        let ballot = Ballot { round, proposer: NodeId(0) };
        self.tell(node, Outcome::Accepted { instance: 0, ballot, value: format!("v{round}").into() })
    }

    fn codes(&self) -> Vec<&str> {
        self.found.iter().map(|violation| &*violation.code).collect()
    }
}

#[test]
fn what_was_proposed_is_remembered_of_the_latest_thousand_instances() {
    for (instances, expected) in [(2, vec![NOT_PROPOSED]), (1_000, vec![NOT_PROPOSED]), (1_001, vec![])] {
        let mut room = Room::new();
        (0..instances).for_each(|instance| _ = room.propose(instance));
        room.decide(1, 0, "c");
        assert_eq!(room.codes(), expected, "{instances}");
    }
}

#[test]
fn late_news_of_what_is_forgotten_makes_nobody_forget_more() {
    let mut room = Room::new();
    (0..1_001).for_each(|instance| _ = room.propose(instance));
    room.decide(1, 0, "c").decide(1, 0, "c").decide(1, 1, "c");
    assert_eq!(room.codes(), [NOT_PROPOSED]);
}

#[test]
fn what_was_chosen_is_remembered_of_a_hundred_thousand_instances_more() {
    let mut room = Room::new();
    (0..101_000).for_each(|instance| _ = room.propose(instance).decide(0, instance, "a"));
    room.decide(1, 0, "b");
    assert_eq!(room.codes(), [TWO_VALUES]);
    room.propose(101_000).decide(1, 0, "b");
    assert_eq!(room.codes(), [TWO_VALUES], "the oldest is forgotten");
    room.decide(1, 1, "b");
    assert_eq!(room.codes(), [TWO_VALUES; 2]);
}

/// P1 promises all ballots one after the other, and then P2 promises the same ballots. P1 is the proposer of the first
/// 50 ballots, and P0 of all others. Returns the codes of the violations that were found.
fn duelled(ballots: u64) -> Vec<String> {
    let mut room = Room::new();
    let proposer = |round| u32::from(round <= 50);
    for acceptor in [1, 2] {
        (1..=ballots).for_each(|round| _ = room.promise(acceptor, round, proposer(round)));
    }
    room.codes().into_iter().map(ToOwned::to_owned).collect()
}

#[test]
fn who_has_promised_is_remembered_of_a_hundred_ballots() {
    assert_eq!(duelled(99), [""; 0], "49 of P0");
    assert_eq!(duelled(100), [DUEL]);
    assert_eq!(duelled(101), [""; 0], "of the first ballot one promise is forgotten: 49 of P1");
}

#[test]
fn who_has_accepted_is_remembered_of_a_hundred_proposals() {
    for (proposals, expected) in [(100, vec![TWO_VALUES]), (101, vec![])] {
        let mut room = Room::new();
        (1..=proposals).for_each(|round| _ = room.accept(1, round));
        room.accept(2, 1).accept(2, 2);
        assert_eq!(room.codes(), expected, "of {proposals}, the first two are accepted by a majority");
    }
}

#[test]
fn the_highest_promise_counts_since_it_was_given_first() {
    let mut room = Room::new();
    room.promise(1, 1, 0).promise(1, 3, 0).promise(1, 3, 0).promise(1, 2, 0).accept(1, 3);
    assert_eq!(room.codes(), [""; 0]);
    room.accept(1, 2);
    assert_eq!(room.codes(), [BROKEN_PROMISE]);
    assert_eq!(room.found[0].events, [2, 6]);
}
