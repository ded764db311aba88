//! Each example shows what it says.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::*;
use crate::event::{Event, What};
use crate::simulation::{Report, Simulation, Watch};

/// The longest that an example that ends by itself may last, in ticks: two minutes.
const LONGEST: u64 = 120_000_000;

/// The example of this name, simulated to its end.
fn played(name: &str) -> Report {
    let draft = find(name).expect("an example").draft().expect("a draft");
    let specification = draft.complete_simulated().expect("a specification");
    let simulation = Simulation { watch: Watch::Events, until: Some(LONGEST), ..Simulation::new(specification, 0) };
    Simulation { entries: None, ..simulation }.run().expect("a report")
}

fn codes(report: &Report) -> BTreeSet<&str> {
    report.violations.iter().map(|(_, violation)| &*violation.code).collect()
}

/// Who entered, in this order.
fn entered(report: &Report) -> Vec<u32> {
    let entered = report.events.iter().filter_map(|event| match &event.what {
        What::Entered { at, .. } => Some(at.node.0),
        _ => None,
    });
    entered.collect()
}

fn count(report: &Report, kind: &str) -> usize {
    report.events.iter().filter(|event| event.kind() == kind).count()
}

/// The first event of this kind after so many ms.
fn first<'a>(report: &'a Report, kind: &str, after_ms: u64) -> Option<&'a Event> {
    report.events.iter().find(|event| event.kind() == kind && event.at_us >= after_ms * 1_000)
}

/// The fields of the messages of this kind that were sent, with their senders.
fn sent(report: &Report, kind: &str) -> Vec<(u32, Value)> {
    let sent = report.events.iter().filter_map(|event| match &event.what {
        What::Sent { at, message_kind, body, .. } if **message_kind == *kind => {
            Some((at.node.0, serde_json::from_str(body.as_str()).expect("JSON")))
        }
        _ => None,
    });
    sent.collect()
}

#[test]
fn every_example_can_be_run_live_and_simulated() {
    let examples = all().expect("documents");
    let names: BTreeSet<&str> = examples.iter().map(|example| &*example.name).collect();
    assert_eq!(names.len(), examples.len(), "names are unique");
    for example in &examples {
        let draft = example.draft().unwrap_or_else(|error| panic!("{}: {error}", example.name));
        let live = draft.clone().complete();
        let simulated = draft.complete_simulated();
        assert!(live.is_ok() && simulated.is_ok(), "{}: {live:?}", example.name);
    }
}

#[test]
fn one_that_there_is_not_is_refused_with_the_nearest() {
    let refusal = find("cash-machine").expect_err("no such example");
    assert!(refusal.contains("did you mean `cash-machines`?"), "{refusal}");
}

/// Those that go on for ever are about load; all others have an end, long enough after the beginning to be seen.
#[test]
fn examples_end_and_not_at_once() {
    for example in all().expect("documents") {
        let report = played(&example.name);
        let goes_on = example.name.starts_with("files-");
        assert_eq!(report.cut.is_some(), goes_on, "{}: {:?}", example.name, report.cut);
        let told = if example.name.starts_with("cash-machines") { 300_000 } else { 1_500_000 };
        assert!(report.ended_at >= told, "{} is over after {} ms", example.name, report.ended_at / 1_000);
        assert!(goes_on || report.ended_at <= 45_000_000, "{} lasts {} ms", example.name, report.ended_at / 1_000);
    }
}

#[test]
fn what_goes_wrong_goes_wrong_and_what_goes_well_goes_well() {
    let wrong = [
        ("cash-machines-unprotected", &["concurrent-sections", "lost-deposit"][..]),
        ("corridor", &["livelock"]),
        ("lamport-without-fifo", &["concurrent-sections"]),
        ("lease-unfenced", &["lost-deposit"]),
        ("maekawa-deadlock", &["quiescent"]),
        ("paxos-two-values", &["two-values"]),
        ("phantom-deadlock", &["phantom-deadlock"]),
        ("philosophers", &["cycle"]),
        ("priority-starvation", &["starvation"]),
        ("suzuki-kasami-lost-token", &["lost-token", "quiescent"]),
        ("two-coordinators", &["two-coordinators"]),
    ];
    for (name, expected) in wrong {
        let report = played(name);
        assert!(expected.iter().all(|code| codes(&report).contains(code)), "{name}: {:?}", codes(&report));
    }
    // Proposers who duel, a corridor that is crossed and a holder that is late break no rule.
    for name in [
        "banker",
        "bully",
        "cash-machines",
        "corridor-random",
        "distributed-deadlock",
        "failover",
        "paxos",
        "paxos-ignored-accept",
        "paxos-ignored-prepare",
        "paxos-promises",
        "philosophers-give-way",
        "philosophers-ordered",
        "philosophers-shared",
        "philosophers-together",
        "probes",
        "ricart-agrawala",
        "ring-best",
        "ring-dead-successor",
        "ring-worst",
        "wait-die",
        "wound-wait",
    ] {
        assert_eq!(codes(&played(name)), BTreeSet::new(), "{name}");
    }
}

#[test]
fn requests_are_those_that_the_lecture_draws() {
    let report = played("ricart-agrawala");
    let mut asked: Vec<(u32, u64)> = sent(&report, "REQUEST")
        .into_iter()
        .filter_map(|(node, body)| Some((node, body["clock"].as_u64()?)))
        .filter(|(node, _)| *node != 1)
        .collect();
    asked.dedup();
    assert_eq!(asked, [(3, 42), (5, 49)]);
    assert_eq!(entered(&report), [1, 3, 5]);
}

#[test]
fn each_of_three_has_two_votes() {
    let report = played("maekawa-deadlock");
    let mut votes: Vec<(u32, u32)> = report
        .events
        .iter()
        .filter_map(|event| match &event.what {
            What::Sent { at, to, message_kind, .. } if **message_kind == *"LOCKED" => Some((at.node.0, to.0)),
            _ => None,
        })
        .collect();
    votes.sort_unstable();
    // A vote for oneself is no message: P0 and P1 have their own.
    assert_eq!(votes, [(2, 0), (3, 1), (4, 2), (5, 2)]);
    assert_eq!(entered(&report), [] as [u32; 0]);
}

#[test]
fn a_fence_keeps_what_would_be_lost() {
    for (name, balance, refused) in [("lease-fenced", 1_100, 1), ("lease-unfenced", 1_100, 0)] {
        let report = played(name);
        let account = report.account.clone().expect("an account");
        assert_eq!((account.balance, account.refused), (balance, refused), "{name}");
        assert_eq!(entered(&report), [1, 2], "{name}");
        assert_eq!(codes(&report).contains("lost-deposit"), refused == 0, "{name}");
    }
}

#[test]
fn the_young_one_dies_or_is_wounded_and_gets_its_turn() {
    for (name, cause, times) in [("wait-die", "died", 2), ("wound-wait", "wounded", 1)] {
        let report = played(name);
        let aborts: Vec<(u32, Value)> = report
            .events
            .iter()
            .filter_map(|event| match &event.what {
                What::Aborted { at, cause, .. } => Some((at.node.0, json!(cause))),
                _ => None,
            })
            .collect();
        assert_eq!(aborts, vec![(1, json!(cause)); times], "{name}");
        assert_eq!(entered(&report), [0, 1, 0, 1, 1], "{name}: P0 has both before P1 has any again");
    }
}

#[test]
fn a_duel_ends_when_one_falls_silent() {
    let report = played("paxos-duel");
    let decided = first(&report, "decided", 0).expect("a decision");
    assert!(decided.at_us > 12_000_000 && matches!(&decided.what, What::Decided { value, .. } if **value == *"v0"));
    let before = report.events.iter().filter(|event| event.at_us < 12_000_000);
    let asked =
        before.filter(|event| matches!(&event.what, What::Sent { message_kind, .. } if **message_kind == *"PREPARE"));
    assert!(asked.count() >= 3 * 16, "both try again and again");
}

#[test]
fn a_livelock_is_said_before_it_ends() {
    let report = played("corridor");
    let said = first(&report, "violated", 0).expect("a violation").at_us;
    let end = first(&report, "configured", 0).expect("a rule").at_us;
    assert!(said < end, "{said} {end}");
    let end = report.events.iter().rfind(|event| event.kind() == "aborted").expect("an abort").at_us;
    let last = entered(&report).len();
    assert!(end < report.ended_at && last > 100, "they get past each other in the end");
    assert!(first(&report, "exited", 23_000).is_some());
}

#[test]
fn philosophers_who_wait_in_a_circle_eat_when_a_fork_is_put_down() {
    let report = played("philosophers");
    let mut entered = entered(&report);
    let rest = entered.split_off(5);
    assert_eq!(rest, [4, 3, 2, 1, 0], "each gets its second fork after the first was put down");
}

#[test]
fn the_clients_of_a_dead_coordinator_go_on_with_another() {
    let report = played("failover");
    let died = first(&report, "crashed", 0).expect("a death").at_us;
    let elected = first(&report, "elected", 6_000).expect("an election").at_us;
    assert!(died < elected && elected < died + 4_000_000, "{died} {elected}");
    assert!(first(&report, "entered", elected / 1_000).is_some() && entered(&report).len() == 24);
    assert!(report.metrics.is_some_and(|metrics| metrics.elections > 0));
}

#[test]
fn whom_the_probe_comes_back_to_gives_up_and_gets_it_later() {
    let report = played("probes");
    assert_eq!((count(&report, "reported"), count(&report, "aborted")), (1, 1));
    assert_eq!(entered(&report).last(), Some(&3));
    assert!(first(&report, "aborted", 5_000).is_some(), "nobody gives up before all wait");
}

#[test]
fn the_banker_shows_what_is_still_needed() {
    let report = played("banker");
    let mut views = report.events.iter().filter_map(|event| match &event.what {
        What::Delivered { at, view: Some(view), .. } if at.node.0 == 0 => Some((event.at_us, view)),
        _ => None,
    });
    let (_, view) = views.rfind(|(at_us, _)| *at_us < 2_000_000).expect("a view");
    let view: Value = serde_json::from_str(view.as_str()).expect("JSON");
    assert_eq!(view["variables"]["needs of P1"], json!([0, 1, 1, 2]), "{view}");
}
