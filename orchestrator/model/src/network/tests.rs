//! Tests of the faults of a link, alone and in combination.

use std::slice;

use std::collections::BTreeSet;

use interlock_algorithm::NodeId;
use interlock_machine::message_id::MessageId;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Accepted, Arrival, Fate, LinkPatch, MOST_ON_A_LINK, Network, PartitionDraft, RuleDraft, Standing};
use crate::event::{DropReason, Hand};
use crate::network::{LinkOverride, LinkSetting};
use crate::specification::Draft;

const A: NodeId = NodeId(0);
const B: NodeId = NodeId(1);
const C: NodeId = NodeId(2);

fn network(links: Value) -> Network<()> {
    let mut document = json!({ "algorithm": "ricart-agrawala", "nodes": 3, "seed": 7 });
    document["network"] = links;
    let draft: Draft = serde_json::from_value(document).expect("a draft");
    let specification = draft.complete().expect("a specification");
    Network::new(specification.nodes, specification.seed, specification.network, &specification.links)
}

fn rule(network: &mut Network<()>, rule: Value) {
    network.add_rule(serde_json::from_value::<RuleDraft>(rule).expect("a rule"));
}

fn partition(network: &mut Network<()>, partition: Value) -> u64 {
    network.add_partition(serde_json::from_value::<PartitionDraft>(partition).expect("a partition")).id
}

fn send(network: &mut Network<()>, now_us: u64, from: NodeId, to: NodeId) -> Accepted {
    network.accept(now_us, from, to, "REQUEST", ())
}

fn arrivals(network: &mut Network<()>, now_us: u64) -> Vec<String> {
    let mut all = Vec::new();
    while let Some(arrival) = network.arrival(now_us) {
        all.push(match arrival {
            Arrival::HandOver(carried) => carried.id.to_string(),
            Arrival::Cut(lost) => format!("cut {}", lost.id),
            Arrival::Stopped(held) => format!("stopped {}", held.id),
        });
    }
    all
}

fn id(text: &str) -> MessageId {
    text.parse().expect("an id")
}

/// The third process is a service. Its links carry TCP connections.
#[test]
fn a_link_of_a_service_loses_and_duplicates_nothing_and_leaves_the_order_to_the_connections() {
    let faults = json!({ "delay": "uniform:1..50", "loss": 0.5, "duplicate": 0.5, "fifo": true });
    let mut network = network(faults).with_services_from(2);
    for (to, is_stream) in [(C, true), (B, false)] {
        let sent: Vec<Accepted> = (0..50).map(|_| send(&mut network, 0, A, to)).collect();
        let due = |sent: &Accepted| if let Fate::Due(due_us) = sent.fate { Some(due_us) } else { None };
        let dues: Vec<u64> = sent.iter().filter_map(due).collect();
        assert_eq!(dues.len() == sent.len(), is_stream, "nothing is lost");
        assert_eq!(sent.iter().all(|sent| sent.copies == [None; 2]), is_stream, "nothing is duplicated");
        assert_eq!(dues.is_sorted(), !is_stream, "messages of different connections may overtake each other");
    }
}

/// Faults of connections stop messages until they end. Held messages of the link itself stay held.
#[test]
fn messages_that_a_fault_of_connections_stops_are_freed_when_it_ends() {
    let faults = |tcp: Value| LinkPatch { tcp: serde_json::from_value(tcp).expect("faults"), ..LinkPatch::default() };
    for (tcp, kind, is_stopped) in [
        (json!({ "timeout": "1s" }), "DATA", true),
        (json!({ "hang": true }), "SYN", true),
        (json!({ "hang": true }), "DATA", false),
    ] {
        let mut network = network(json!({})).with_services_from(2);
        network.patch_default(&faults(tcp));
        let [to_service, to_node] = [C, B].map(|to| network.accept(0, A, to, kind, ()));
        assert_eq!(to_service.fate, if is_stopped { Fate::Held } else { Fate::Due(0) });
        assert_eq!(to_node.fate, Fate::Due(0), "the link carries no connections");
        assert_eq!(network.freed(), []);
        network.patch_default(&faults(json!({})));
        assert_eq!(network.freed(), if is_stopped { vec![to_service.id] } else { vec![] });
        assert_eq!(network.freed(), [], "each message is freed once");
    }
}

#[test]
fn a_partition_holds_what_passes_on_a_link_of_a_service() {
    for (to, is_stream) in [(C, true), (B, false)] {
        let mut network = network(json!({ "delay": "const:5" })).with_services_from(2);
        let (early, id_of) = (send(&mut network, 0, A, to), |sent: Accepted| sent.id.to_string());
        let cut = partition(&mut network, json!({ "groups": [[0], [1, 2]] }));
        let late = send(&mut network, 1_000, A, to);
        if is_stream {
            assert_eq!(arrivals(&mut network, 9_000), [early, late].map(|sent| format!("stopped {}", id_of(sent))));
            assert_eq!(network.remove_partition(cut), Some(vec![early.id, late.id]));
        } else {
            assert_eq!(late.fate, Fate::Dropped(DropReason::Partition));
            assert_eq!(arrivals(&mut network, 9_000), [format!("cut {}", id_of(early))]);
            assert_eq!(network.remove_partition(cut), Some(vec![]));
        }
    }
}

#[test]
fn a_message_is_handed_over_at_its_deadline_and_not_before() {
    let mut network = network(json!({ "delay": "const:5" }));
    assert_eq!(send(&mut network, 1_000, A, B).fate, Fate::Due(6_000));
    assert_eq!(network.next_due_us(), Some(6_000));
    assert_eq!(arrivals(&mut network, 5_999), Vec::<String>::new());
    assert_eq!(arrivals(&mut network, 6_000), ["0.1.1"]);
    assert_eq!(network.next_due_us(), None);
}

#[test]
fn a_later_message_with_an_earlier_deadline_overtakes_unless_the_link_is_fifo() {
    for (fifo, order) in [(false, ["0.1.2", "0.1.1"]), (true, ["0.1.1", "0.1.2"])] {
        let mut network = network(json!({ "delay": "const:50", "fifo": fifo }));
        send(&mut network, 0, A, B);
        network.patch_default(&LinkPatch { delay: "const:1".parse().ok(), ..LinkPatch::default() });
        send(&mut network, 0, A, B);
        assert_eq!(arrivals(&mut network, 50_000), order, "fifo {fifo}");
    }
}

#[test]
fn a_partition_drops_at_both_ends_of_the_cable_and_only_across() {
    let mut network = network(json!({ "delay": "const:5" }));
    send(&mut network, 0, A, B);
    let cut = partition(&mut network, json!({ "groups": [[0], [1]] }));
    assert_eq!(send(&mut network, 0, A, B).fate, Fate::Dropped(DropReason::Partition));
    assert_eq!(send(&mut network, 0, B, A).fate, Fate::Dropped(DropReason::Partition));
    assert_eq!(send(&mut network, 0, A, C).fate, Fate::Due(5_000), "who is in no group is cut off from nobody");
    assert_eq!(arrivals(&mut network, 5_000), ["cut 0.1.1", "0.2.1"]);
    assert_eq!(network.remove_partition(cut), Some(Vec::new()), "nothing waits");
    assert_eq!(network.remove_partition(cut), None);
    assert_eq!(send(&mut network, 0, A, B).fate, Fate::Due(5_000));
}

#[test]
fn a_partition_that_holds_lets_all_through_in_order_when_nothing_cuts_the_link_any_more() {
    let mut network = network(json!({ "delay": "const:5", "fifo": true }));
    send(&mut network, 0, A, B);
    let groups = json!({ "groups": [[0], [1, 2]], "lost": "hold" });
    let (one, other) = (partition(&mut network, groups.clone()), partition(&mut network, groups));
    assert_eq!(send(&mut network, 1_000, A, B).fate, Fate::Due(6_000), "it is stopped where it would arrive");
    send(&mut network, 3_000, A, B);
    assert_eq!(arrivals(&mut network, 6_000), ["stopped 0.1.1", "stopped 0.1.2"]);
    assert_eq!(network.standing(id("0.1.1")), Some(Standing::Held));
    assert_eq!(network.remove_partition(one), Some(Vec::new()), "another cuts the link");
    assert!(network.take(id("0.1.1")).is_some(), "a hand may be first");
    assert_eq!(network.remove_partition(other), Some(vec![id("0.1.2")]));
    assert_eq!(arrivals(&mut network, 8_000), ["0.1.3"], "what was not stopped yet goes on");
    let dropping = partition(&mut network, json!({ "groups": [[0], [1]] }));
    partition(&mut network, json!({ "groups": [[0], [1]], "lost": "hold" }));
    assert_eq!(send(&mut network, 9_000, A, B).fate, Fate::Dropped(DropReason::Partition), "one of two loses it");
    assert_eq!(network.remove_partition(dropping), Some(Vec::new()));
}

#[test]
fn what_was_held_otherwise_is_not_set_free_by_a_partition_that_ends() {
    let mut network = network(json!({ "delay": "const:5" }));
    rule(&mut network, json!({ "action": "hold", "count": 1 }));
    let cut = partition(&mut network, json!({ "groups": [[0], [1]], "lost": "hold" }));
    assert_eq!(send(&mut network, 0, A, B).fate, Fate::Held);
    send(&mut network, 0, A, B);
    assert_eq!(arrivals(&mut network, 5_000), ["stopped 0.1.2"]);
    assert_eq!(network.remove_partition(cut), Some(vec![id("0.1.2")]));
    assert_eq!(network.held(), [id("0.1.1"), id("0.1.2")], "until somebody hands it over");
}

#[test]
fn a_rule_has_a_probability_above_0_and_up_to_1() {
    for (probability, is_one) in [(0.5, true), (1.0, true), (0.0, false), (-1.0, false), (1.5, false)] {
        let draft: RuleDraft =
            serde_json::from_value(json!({ "action": "drop", "probability": probability })).expect("a rule");
        assert_eq!(draft.errors(2, None).is_empty(), is_one, "{probability}");
    }
}

#[test]
fn a_rule_with_a_probability_acts_on_that_part_and_counts_no_other() {
    let mut network = network(json!({}));
    rule(&mut network, json!({ "action": "drop", "probability": "25%" }));
    let lost = (0..4_000).filter(|_| send(&mut network, 0, A, B).fate == Fate::Dropped(DropReason::Rule)).count();
    assert!((900..1_100).contains(&lost), "{lost} of 4000");
    let mut counted = self::network(json!({}));
    rule(&mut counted, json!({ "action": "drop", "probability": 0.25, "skip": 1, "count": 2 }));
    let lost: Vec<_> =
        (0..4_000).filter(|_| send(&mut counted, 0, A, B).fate == Fate::Dropped(DropReason::Rule)).collect();
    assert!(lost.len() == 2 && lost[0] > 1, "{lost:?}");
}

#[test]
fn a_forward_partition_cuts_one_way() {
    let mut network = network(json!({}));
    partition(&mut network, json!({ "groups": [[1], [0, 2]], "direction": "forward" }));
    assert_eq!(send(&mut network, 0, B, A).fate, Fate::Dropped(DropReason::Partition));
    assert_eq!(send(&mut network, 0, A, B).fate, Fate::Due(0));
    assert_eq!(send(&mut network, 0, A, C).fate, Fate::Due(0));
}

#[test]
fn a_rule_skips_then_counts_then_lets_pass() {
    let mut network = network(json!({}));
    let document =
        json!({ "match": { "from": 0, "to": 1, "message_kind": "REQUEST" }, "action": "drop", "skip": 2, "count": 1 });
    rule(&mut network, document);
    let fates: Vec<_> = (0..4).map(|_| send(&mut network, 0, A, B).fate).collect();
    assert_eq!(fates, [Fate::Due(0), Fate::Due(0), Fate::Dropped(DropReason::Rule), Fate::Due(0)]);
    assert_eq!(send(&mut network, 0, A, C).fate, Fate::Due(0), "another link");
    assert_eq!(network.setup().rules[0].count, Some(0));
}

#[test]
fn the_first_rule_that_acts_decides() {
    let mut network = network(json!({}));
    rule(&mut network, json!({ "action": "hold", "count": 1 }));
    rule(&mut network, json!({ "action": "delay:3" }));
    assert_eq!(send(&mut network, 0, A, B).fate, Fate::Held);
    assert_eq!(send(&mut network, 0, A, B).fate, Fate::Due(3_000));
}

#[test]
fn a_rule_holds_or_drops_what_chance_would_also_have_lost() {
    let mut network = network(json!({ "loss": 1.0 }));
    rule(&mut network, json!({ "action": "hold", "count": 1 }));
    assert_eq!(send(&mut network, 0, A, B).fate, Fate::Held);
    assert_eq!(send(&mut network, 0, A, B).fate, Fate::Dropped(DropReason::Loss));
}

#[test]
fn what_a_rule_does_has_its_number_and_what_happens_anyway_has_none() {
    let sent = |network: Value, rules: &[Value]| {
        let mut network = self::network(network);
        for document in rules {
            rule(&mut network, document.clone());
        }
        send(&mut network, 0, A, B)
    };
    let plain = json!({ "delay": "const:5" });
    let [drop, hold, delay] = ["drop", "hold", "delay:3"].map(|action| json!({ "action": action }));
    let (copy, never) = (json!({ "action": "duplicate" }), json!({ "match": { "to": 2 }, "action": "drop" }));
    for (network, rules, expected) in [
        (&plain, vec![drop.clone()], Some(1)),
        (&plain, vec![never.clone(), drop], Some(2)),
        (&plain, vec![hold.clone()], Some(1)),
        (&plain, vec![delay.clone()], Some(1)),
        (&plain, vec![never], None),
        (&json!({ "loss": 1.0 }), vec![delay.clone()], None),
        (&json!({ "hold": true }), vec![delay], None),
        (&json!({ "hold": true }), vec![copy.clone()], None),
        (&json!({ "hold": true }), vec![hold], Some(1)),
    ] {
        assert_eq!(sent(network.clone(), &rules).rule, expected, "{network} {rules:?}");
    }
    let copied = |network, rules: &[Value]| sent(network, rules).copies.map(|copy| copy.map(|copy| copy.rule));
    assert_eq!(copied(plain, slice::from_ref(&copy)), [Some(Some(1)), None]);
    assert_eq!(
        copied(json!({ "duplicate": 1.0 }), &[copy]),
        [Some(Some(1)), Some(None)],
        "one by the rule, one by chance"
    );
}

#[test]
fn a_rule_and_chance_each_make_a_copy_that_fares_by_itself() {
    let mut network = network(json!({ "duplicate": 1.0 }));
    rule(&mut network, json!({ "action": "duplicate" }));
    let accepted = send(&mut network, 0, A, B);
    let copies: Vec<_> = accepted.copies.iter().flatten().map(|copy| (copy.id.to_string(), copy.by)).collect();
    assert_eq!(copies, [("0.1.1.1".to_owned(), Hand::Rule), ("0.1.1.2".to_owned(), Hand::Chance)]);
    assert_eq!(arrivals(&mut network, 0), ["0.1.1", "0.1.1.1", "0.1.1.2"]);
}

#[test]
fn held_messages_wait_for_a_hand_which_keeps_no_order() {
    let mut network = network(json!({ "hold": true, "fifo": true }));
    for _ in 0..3 {
        assert_eq!(send(&mut network, 0, A, B).fate, Fate::Held);
    }
    assert_eq!(network.next_due_us(), None);
    assert_eq!(network.take(id("0.1.2")).map(|carried| carried.id), Some(id("0.1.2")));
    assert_eq!(network.take(id("0.1.2")), None, "it is gone");
    assert_eq!(network.duplicate(id("0.1.1")), Some(id("0.1.1.1")));
    assert_eq!(network.held(), [id("0.1.1"), id("0.1.3"), id("0.1.1.1")]);
}

#[test]
fn a_message_on_its_way_can_be_taken_out_and_leaves_no_trace() {
    let mut network = network(json!({ "delay": "const:5" }));
    send(&mut network, 0, A, B);
    send(&mut network, 0, A, B);
    assert!(network.take(id("0.1.1")).is_some());
    assert_eq!(arrivals(&mut network, 9_000), ["0.1.2"]);
}

#[test]
fn a_full_link_drops_visibly_and_holds_up_nobody_else() {
    let mut network = network(json!({ "hold": true }));
    for _ in 0..MOST_ON_A_LINK {
        assert_eq!(send(&mut network, 0, A, B).fate, Fate::Held);
    }
    assert_eq!(send(&mut network, 0, A, B).fate, Fate::Dropped(DropReason::Full));
    assert_eq!(send(&mut network, 0, B, A).fate, Fate::Held);
}

#[test]
fn an_override_changes_one_link_and_only_what_it_names() {
    let mut network = network(json!({ "delay": "const:5" }));
    network.override_link(A, B, Some(LinkPatch { loss: Some(1.0), ..LinkPatch::default() }));
    assert_eq!(send(&mut network, 0, A, B).fate, Fate::Dropped(DropReason::Loss));
    assert_eq!(send(&mut network, 0, B, A).fate, Fate::Due(5_000));
    assert!(network.override_link(A, B, None));
    assert!(!network.override_link(A, B, None));
    assert_eq!(send(&mut network, 0, A, B).fate, Fate::Due(5_000));
}

/// In a network with the settings `links`, sends 200 messages from A to B. Returns the numbers of the messages for
/// which `happened` returns true.
fn numbers(links: Value, happened: impl Fn(&Accepted) -> bool) -> BTreeSet<u64> {
    let mut network = network(links);
    (0..200).map(|_| send(&mut network, 0, A, B)).filter(happened).map(|accepted| accepted.id.number).collect()
}

#[test]
fn switching_one_fault_on_does_not_shift_the_draws_of_another() {
    let lost = |accepted: &Accepted| accepted.fate == Fate::Dropped(DropReason::Loss);
    let alone = numbers(json!({ "loss": 0.3 }), lost);
    assert!((30..90).contains(&alone.len()), "{} of 200 are lost", alone.len());
    assert_eq!(numbers(json!({ "loss": 0.3, "duplicate": 0.5, "delay": "exp:3" }), lost), alone);
    let copied = |accepted: &Accepted| accepted.copies.iter().any(Option::is_some);
    let alone = numbers(json!({ "duplicate": 0.3 }), copied);
    assert_eq!(numbers(json!({ "duplicate": 0.3, "loss": 0.9 }), copied), alone);
}

#[test]
fn the_share_of_lost_messages_is_the_one_asked_for() {
    let mut network = network(json!({ "loss": 0.2 }));
    let lost = (0..20_000).filter(|_| matches!(send(&mut network, 0, A, B).fate, Fate::Dropped(_))).count();
    assert!((3_800..4_200).contains(&lost), "{lost} of 20,000");
}

proptest! {
    /// With any combination of faults, each copy of a message has exactly one fate: delivered, held or dropped.
    #[test]
    fn nothing_appears_twice_and_nothing_vanishes(
        loss in 0.0..=1.0, duplicate in 0.0..=1.0, fifo: bool, hold: bool, times in prop::collection::vec(0_u64..50_000, 1..60),
    ) {
        let mut network = network(json!({ "delay": "uniform:0..20", "loss": loss, "duplicate": duplicate, "fifo": fifo }));
        network.override_link(B, A, Some(LinkPatch { hold: Some(hold), ..LinkPatch::default() }));
        let (mut due, mut held) = (BTreeSet::new(), BTreeSet::new());
        let mut times = times;
        times.sort_unstable();
        for (place, now_us) in times.into_iter().enumerate() {
            let (from, to) = if place % 2 == 0 { (A, B) } else { (B, A) };
            let accepted = send(&mut network, now_us, from, to);
            let copies = accepted.copies.into_iter().flatten().map(|copy| (copy.id, copy.fate));
            for (id, fate) in copies.chain([(accepted.id, accepted.fate)]) {
                match fate {
                    Fate::Due(_) => prop_assert!(due.insert(id.to_string())),
                    Fate::Held => prop_assert!(held.insert(id.to_string())),
                    Fate::Dropped(_) => {}
                }
            }
        }
        let arrived = arrivals(&mut network, u64::MAX);
        if fifo && duplicate == 0.0 {
            let numbers: Vec<u64> = arrived.iter().map(|text| id(text)).filter(|id| id.from == A).map(|id| id.number).collect();
            prop_assert!(numbers.is_sorted());
        }
        prop_assert_eq!(arrived.len(), due.len());
        prop_assert_eq!(arrived.into_iter().collect::<BTreeSet<_>>(), due);
        prop_assert_eq!(network.held().iter().map(ToString::to_string).collect::<BTreeSet<_>>(), held);
    }
}

/// At time 0, sends one message of each of the kinds `kinds` from A to B. Returns the fates of the messages.
fn due(network: &mut Network<()>, kinds: &[&str]) -> Vec<Fate> {
    kinds.iter().map(|kind| network.accept(0, A, B, kind, ()).fate).collect()
}

#[test]
fn a_kind_of_message_may_have_a_delay_of_its_own() {
    let mut network = network(json!({ "delay": "const:1", "delays": { "REPLY": "const:9" } }));
    let kinds = ["REQUEST", "REPLY"];
    assert_eq!(due(&mut network, &kinds), [Fate::Due(1_000), Fate::Due(9_000)]);
    let patch = |patch: Value| serde_json::from_value::<LinkPatch>(patch).expect("a patch");
    network.patch_default(&patch(json!({ "delay": "const:2" })));
    assert_eq!(due(&mut network, &kinds), [Fate::Due(2_000), Fate::Due(9_000)], "what is absent stays");
    network.override_link(A, B, Some(patch(json!({ "delays": { "REQUEST": "const:7" } }))));
    assert_eq!(due(&mut network, &kinds), [Fate::Due(7_000), Fate::Due(2_000)], "all kinds are replaced");
    network.override_link(A, B, Some(patch(json!({ "delays": {} }))));
    assert_eq!(due(&mut network, &kinds), [Fate::Due(2_000), Fate::Due(2_000)]);
    network.override_link(A, B, None);
    network.patch_default(&patch(json!({ "delays": {} })));
    assert_eq!(due(&mut network, &kinds), [Fate::Due(2_000), Fate::Due(2_000)]);
}

#[test]
fn delays_of_a_kind_shift_no_other_draw() {
    let links = |delays: Value| json!({ "delay": "exp:5", "loss": 0.2, "duplicate": 0.2, "delays": delays });
    let fates = |delays: Value| {
        let mut network = network(links(delays));
        (0..50).map(|_| network.accept(0, A, B, "REQUEST", ())).collect::<Vec<_>>()
    };
    assert_eq!(fates(json!({})), fates(json!({ "REPLY": "const:9" })));
    assert_eq!(fates(json!({})), fates(json!({ "REQUEST": "exp:5" })));
    assert_ne!(fates(json!({})), fates(json!({ "REQUEST": "exp:6" })));
}

#[test]
fn a_setting_is_written_as_it_was_read() {
    let text = r#"{"delay":"const:1","delays":{"REPLY":"exp:9"},"fifo":true,"loss":0.0,"duplicate":0.0,"hold":false}"#;
    let setting: LinkSetting = serde_json::from_str(text).expect("a setting");
    assert_eq!(serde_json::to_string(&setting).expect("JSON"), text);
    let link = r#"{"from":0,"to":1,"delays":{"REPLY":"const:9"}}"#;
    let read: LinkOverride = serde_json::from_str(link).expect("a link");
    assert_eq!(serde_json::to_string(&read).expect("JSON"), link);
}
