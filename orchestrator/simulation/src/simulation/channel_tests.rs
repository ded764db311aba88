//! Runs over channels: which faults the channels hide from the algorithms, and what the channels cost.

use interlock_algorithm::catalogue::ENTRIES;
use serde_json::{Value, json};

use super::{Report, Simulation, Watch};
use interlock_model::specification::Draft;

/// Returns a run over links with the given loss, duplication and delay.
fn document(algorithm: &str, channel: &str, seed: u64, network: &Value) -> Value {
    json!({
        "algorithm": algorithm, "channel": channel, "nodes": 4, "seed": seed, "network": network,
        "workload": { "idle": "exp:5", "hold": "const:1", "entries": 10 },
    })
}

fn run(document: Value) -> Report {
    let draft: Draft = serde_json::from_value(document).expect("a draft");
    let specification = draft.complete_simulated().expect("a specification");
    let simulation = Simulation { entries: None, watch: Watch::Events, ..Simulation::new(specification, 0) };
    simulation.run().expect("a run")
}

fn bad_links() -> Value {
    json!({ "delay": "uniform:1..5", "loss": 0.2, "duplicate": 0.1 })
}

/// Returns the algorithms for mutual exclusion that use only messages.
fn algorithms() -> impl Iterator<Item = &'static str> {
    let needs_time = |name: &str| matches!(name, "centralised-failover" | "replicated-lock");
    let exclusive = ENTRIES.iter().filter(|entry| entry.family == "mutual-exclusion");
    exclusive.map(|entry| entry.name).filter(move |name| !needs_time(name))
}

#[test]
fn over_a_reliable_channel_every_algorithm_goes_on_whatever_the_links_lose() {
    for algorithm in algorithms() {
        for seed in 1..=5 {
            let report = run(document(algorithm, "reliable", seed, &bad_links()));
            assert_eq!(report.violations, [], "{algorithm}, seed {seed}");
            assert_eq!((report.entries, report.cut), (40, None), "{algorithm}, seed {seed}");
            let cost = report.metrics.expect("metrics").channel;
            assert!(cost.retransmissions > 0 && cost.acknowledgements > 0, "{algorithm}: {cost:?}");
        }
    }
}

/// Without a channel, only algorithms that repeat their messages survive losses. In every other algorithm, some
/// process waits without end.
#[test]
fn without_one_they_do_not() {
    for algorithm in algorithms().filter(|name| !matches!(*name, "bakery" | "dijkstra-ring")) {
        let goes_on = |seed| run(document(algorithm, "raw", seed, &bad_links())).violations.is_empty();
        assert!(!(1..=5).all(goes_on), "{algorithm}");
    }
}

#[test]
fn a_fifo_channel_is_enough_where_nothing_is_lost_and_a_raw_one_is_not() {
    let overtaking = json!({ "delay": "uniform:1..9", "fifo": false });
    let goes_on = |channel: &str, seed| run(document("lamport", channel, seed, &overtaking)).violations.is_empty();
    assert!((1..=10).all(|seed| goes_on("fifo", seed)));
    assert!(!(1..=10).all(|seed| goes_on("raw", seed)));
}

/// Over a channel, the algorithm sends the same messages, and an entry has the same cost. The messages of the channel
/// are counted separately.
#[test]
fn what_a_channel_costs_is_no_cost_of_the_algorithm() {
    let quiet = json!({ "delay": "const:1" });
    let [raw, reliable] = ["raw", "reliable"].map(|channel| {
        let report = run(document("ricart-agrawala", channel, 1, &quiet));
        (report.messages, report.metrics.expect("metrics"))
    });
    assert_eq!(raw.1.channel, interlock_observation::metrics::ChannelDocument::default());
    assert_eq!((raw.0, &raw.1.messages_by_kind), (240, &reliable.1.messages_by_kind));
    assert_eq!((reliable.0, reliable.1.messages), (240, 240));
    assert_eq!(raw.1.handled_per_node, reliable.1.handled_per_node);
    let cost = reliable.1.channel;
    assert_eq!((cost.retransmissions, cost.acknowledgements, cost.kept_back), (0, 240, 0), "nothing is lost");
}

/// The channels retransmit messages to the crashed process without end. These messages cannot help the waiting
/// processes, so the run is reported as stuck and ends.
#[test]
fn who_waits_for_the_dead_is_stuck_and_the_run_ends() {
    let mut document = document("ricart-agrawala", "reliable", 1, &json!({ "delay": "const:1" }));
    document["script"] = json!([{ "at": 20, "do": { "crash": { "node": 3 } } }]);
    let report = run(document);
    let found: Vec<&str> = report.violations.iter().map(|(_, violation)| &*violation.monitor).collect();
    assert_eq!((found, report.cut), (vec!["stuck"], None), "it is told once");
}

/// P3 acknowledges nothing for a minute. If P3 has crashed, it is reported as staying away. If P3 is paused and
/// resumes, it is not reported. After only thirty milliseconds of silence, P3 is not reported either.
#[test]
fn who_acknowledges_nothing_stays_away_until_it_does() {
    let stay_away = |script: Value| {
        let mut document = document("ricart-agrawala", "reliable", 1, &json!({ "delay": "const:1" }));
        document["script"] = script;
        run(document).metrics.expect("metrics").channel.stay_away
    };
    let dead = stay_away(json!([
        { "at": 20, "do": { "crash": { "node": 3 } } }, { "at": 60_000, "do": { "note": "a minute later" } },
    ]));
    assert!(!dead.is_empty() && dead.iter().all(|link| link.to.0 == 3 && link.times >= 6), "{dead:?}");
    let back = stay_away(json!([
        { "at": 20, "do": { "pause": { "node": 3 } } }, { "at": 60_000, "do": { "resume": { "node": 3 } } },
    ]));
    assert_eq!(back, []);
    let short = stay_away(json!([
        { "at": 20, "do": { "crash": { "node": 3 } } }, { "at": 50, "do": { "note": "thirty milliseconds later" } },
    ]));
    assert_eq!(short, [], "it may yet answer");
}

#[test]
fn who_comes_back_is_sent_again_what_it_has_missed() {
    let mut document = document("paxos", "reliable", 1, &json!({ "delay": "const:1" }));
    document["workload"] = Value::Null;
    document["nodes"] = json!(3);
    document["script"] = json!([
        { "at": 1, "do": { "crash": { "node": 1 } } }, { "at": 1, "do": { "crash": { "node": 2 } } },
        { "at": 2, "do": { "propose": { "node": 0, "value": "a" } } },
        { "at": 200, "do": { "restart": { "node": 1 } } },
    ]);
    let report = run(document);
    let decided = report.events.iter().filter(|event| event.kind() == "decided");
    let by: Vec<u32> = decided.filter_map(|event| event.what.node()).map(|node| node.0).collect();
    assert!(by.contains(&0) && by.contains(&1), "{by:?}");
}
