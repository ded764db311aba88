//! Random runs of agreement: messages are lost, doubled and overtaken, the network is cut, a minority is dead at a time and
//! comes back with what it had stored, and several propose.

use interlock_algorithm::NodeId;
use serde_json::{Value, json};

use super::Candidate;
use super::draws::Draws;
use super::faults::{UNIT, episodes, in_order};
use super::network::links;
use super::{scene, structure};
use interlock_model::choice::Choice;
use interlock_model::event::RestartState;
use interlock_model::span::Span;
use interlock_model::specification::Scripted;

/// A run that takes more steps than this does not end.
pub(super) const MOST_STEPS: u64 = 500_000;
/// Beyond so many there are only more of the same.
const MOST_NODES: u64 = 7;
/// More entries than this show nothing new of the lock service, which serves in the order of its log.
const MOST_ENTRIES: u64 = 30;

/// The run of Paxos of this seed.
pub(super) fn one_decree(candidate: Candidate, seed: u64) -> Value {
    let mut draws = Draws::new(seed);
    let Candidate { entry, variant } = candidate;
    let nodes = draws.number(2, MOST_NODES);
    // Of three acceptors, two are enough: there it takes the fewest messages that go astray to show what is wrong. But
    // they must go astray again and again, while others try again before it is over.
    let is_adverse = draws.happens(0.5);
    let losses = if is_adverse { &["0.3", "0.5"][..] } else { &["0", "0.1", "0.3", "0.5"] };
    let links = links(candidate, nodes, [losses, &["0", "0.1"]], &mut draws);
    let acceptors = if nodes > 3 && (is_adverse || draws.happens(0.5)) { 3 } else { nodes };
    // Where half of the messages are lost, all but never do so many answer in the same round.
    let is_lossy = links.network["loss"].as_f64().is_some_and(|loss| loss > 0.1);
    let majority = acceptors / 2 + 1;
    let quorum = if is_lossy || draws.happens(0.5) { majority } else { draws.number(majority, acceptors) };
    let mut parameters = json!(structure::parameters(candidate, nodes, links.longest, &mut draws));
    parameters["acceptors"] = json!(if acceptors == nodes { "all" } else { "0,1,2" });
    parameters["proposers"] = json!(draws.of(&["none", "all", "all", "0,1"]));
    parameters["quorum"] = json!(quorum);
    let mut script = proposals(nodes, &mut draws);
    script.extend(crashes(acceptors, acceptors - quorum, 300, &mut draws));
    if is_adverse {
        parameters["retry"] = json!(20);
    } else {
        script.extend(episodes(candidate, nodes, &mut draws));
    }
    json!({
        "algorithm": entry.name,
        "variant": variant.name,
        "nodes": nodes,
        "seed": seed,
        "parameters": parameters,
        "network": links.network,
        "links": links.others,
        "script": in_order(script),
    })
}

/// The run of the lock service of this seed.
pub(super) fn lock_service(candidate: Candidate, seed: u64) -> Value {
    let mut document = scene::document(candidate, seed);
    let asking = document["workload"]["nodes"].as_array().map(Vec::len);
    let nodes = document["nodes"].as_u64().unwrap_or(1);
    let most = MOST_ENTRIES.div_ceil(asking.map_or(nodes, |asking| asking as u64));
    let entries = document["workload"]["entries"].as_u64().unwrap_or(most);
    document["workload"]["entries"] = json!(entries.min(most));
    // Other draws than those that made the run.
    let mut draws = Draws::new(!seed);
    if draws.happens(0.5) {
        let crashes =
            in_order(crashes(nodes, (nodes - 1) / 2, 1_500, &mut draws)).into_iter().map(|scripted| json!(scripted));
        if let Some(script) = document["script"].as_array_mut() {
            script.extend(crashes);
        }
    }
    document
}

/// Some propose, now and then several at about the same time.
fn proposals(nodes: u64, draws: &mut Draws) -> Vec<Scripted> {
    let mut script = Vec::new();
    for round in 0..draws.number(1, 6) {
        let from = draws.number(0, 200 * UNIT);
        for _ in 0..draws.number(1, 3) {
            let (node, at) = (draws.node(nodes), Span(from + draws.number(0, 20 * UNIT)));
            let value = format!("w{round}-{}", node.0);
            script.push(Scripted { at, choice: Choice::Propose { node, instance: 0, value } });
        }
    }
    script
}

/// Of the first `nodes` so many die, and come back before the next do; the last may stay dead.
fn crashes(nodes: u64, most: u64, units: u64, draws: &mut Draws) -> Vec<Scripted> {
    let mut script = Vec::new();
    let mut now = 0;
    for last in (0..draws.number(0, 4)).rev() {
        now += draws.number(0, units * UNIT / 4);
        let dead = draws.number(0, most);
        let first = draws.number(0, nodes - 1);
        let stays_dead = last == 0 && draws.happens(0.5);
        let length = draws.number(1, units * UNIT / 4);
        for node in (0..dead).filter_map(|offset| u32::try_from((first + offset) % nodes).ok().map(NodeId)) {
            script.push(Scripted { at: Span(now + draws.number(0, length)), choice: Choice::Crash { node } });
            if !stays_dead {
                script.push(Scripted {
                    at: Span(now + length),
                    choice: Choice::Restart { node, state: RestartState::Stored },
                });
            }
        }
        now += length;
    }
    script
}
