//! Random runs of agreement, with several proposers. Messages are lost, duplicated and reordered, and the network is
//! partitioned. Processes crash and restart with their stored state, but a majority is always live.

use std::collections::BTreeSet;

use interlock_algorithm::{Entry, Group, NodeId, ParameterValue, Parameters, Risk};
use serde_json::{Value, json};

use super::Candidate;
use super::draws::Draws;
use super::faults::{UNIT, episodes, in_order};
use super::network::links;
use super::scene;
use super::structure::{self, Extent, listed};
use interlock_model::choice::Choice;
use interlock_model::event::RestartState;
use interlock_model::span::Span;
use interlock_model::specification::Scripted;

/// Maximum number of steps. A run that takes more steps counts as endless.
pub(super) const MOST_STEPS: u64 = 500_000;
/// Maximum number of nodes. Runs with more nodes would not expose further flaws.
const MOST_NODES: u64 = 7;
/// Maximum number of entries. The lock service grants requests in the order of its log, so runs with more entries
/// would not expose further flaws.
const MOST_ENTRIES: u64 = 30;

/// Returns the run of Paxos that is drawn from `seed`.
pub(super) fn one_decree(candidate: Candidate, seed: u64) -> Value {
    let mut draws = Draws::new(seed);
    let Candidate { entry, variant } = candidate;
    let nodes = draws.number(2, MOST_NODES);
    // If two of three acceptors are a quorum, few lost messages are enough to expose a flaw. But the losses must
    // be repeated, and other proposers must try again before the first proposer is done.
    let is_adverse = draws.happens(0.5);
    let losses = if is_adverse { &["0.3", "0.5"][..] } else { &["0", "0.1", "0.3", "0.5"] };
    let links = links(candidate, nodes, [losses, &["0", "0.1"]], &mut draws);
    let mut parameters =
        structure::parameters(candidate, Extent { nodes, locks: 1, longest: links.longest }, &mut draws);
    // If half of the messages are lost, a quorum larger than a majority almost never answers within one round.
    let is_lossy = links.network["loss"].as_f64().is_some_and(|loss| loss > 0.1);
    let are_few = is_adverse || draws.happens(0.5);
    let voters = voters(entry, nodes, [are_few, is_lossy], &mut parameters, &mut draws);
    let mut script = proposals(nodes, &mut draws);
    script.extend(crashes(&voters.members, voters.dispensable, 300, &mut draws));
    if is_adverse {
        let time_outs = candidate.assumes().time_outs.iter().filter(|time_out| time_out.risk == Risk::Progress);
        parameters.extend(time_outs.map(|time_out| (time_out.parameter.to_owned(), ParameterValue::Number(20))));
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

/// The acceptors of a run.
struct Voters {
    members: Vec<NodeId>,
    /// Maximum number of acceptors that may be crashed at the same time.
    dispensable: u64,
}

/// Returns the acceptors that the parameters name, or all nodes if the parameters name none. If `few`, first reduces
/// the acceptors in the parameters to three. If `easy`, sets the quorum in the parameters to a majority.
fn voters(entry: &Entry, nodes: u64, [few, easy]: [bool; 2], parameters: &mut Parameters, draws: &mut Draws) -> Voters {
    let Some(Group { members, quorum }) = entry.group() else {
        return Voters { members: listed("all", nodes), dispensable: (nodes - 1) / 2 };
    };
    if few && nodes > 3 {
        let mut three = BTreeSet::new();
        while three.len() < 3 {
            three.insert(draws.node(nodes).0.to_string());
        }
        let three = three.into_iter().collect::<Vec<_>>().join(",");
        parameters.insert(members.to_owned(), ParameterValue::Text(three));
    }
    let members = listed(&parameters.get(members).map_or_else(|| "all".to_owned(), ToString::to_string), nodes);
    let count = members.len() as u64;
    let majority = count / 2 + 1;
    let chosen = parameters.get(quorum).and_then(|enough| enough.to_string().parse().ok());
    let enough = chosen.filter(|enough| !easy && (majority..=count).contains(enough)).unwrap_or(majority);
    parameters.insert(quorum.to_owned(), ParameterValue::Text(enough.to_string()));
    Voters { members, dispensable: count - enough }
}

/// Returns the run of the lock service that is drawn from `seed`.
pub(super) fn lock_service(candidate: Candidate, seed: u64) -> Value {
    let mut document = scene::document(candidate, seed);
    let asking = document["workload"]["nodes"].as_array().map(Vec::len);
    let nodes = document["nodes"].as_u64().unwrap_or(1);
    let most = MOST_ENTRIES.div_ceil(asking.map_or(nodes, |asking| asking as u64));
    let entries = document["workload"]["entries"].as_u64().unwrap_or(most);
    document["workload"]["entries"] = json!(entries.min(most));
    // These random numbers must differ from the random numbers that `scene::document` has used for the same run.
    let mut draws = Draws::new(!seed);
    if draws.happens(0.5) {
        let crashes = in_order(crashes(&listed("all", nodes), (nodes - 1) / 2, 1_500, &mut draws))
            .into_iter()
            .map(|scripted| json!(scripted));
        if let Some(script) = document["script"].as_array_mut() {
            script.extend(crashes);
        }
    }
    document
}

/// Returns random proposals, of which several may be made at about the same time.
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

/// Returns random crashes and restarts of `nodes`. At most `most` nodes are crashed at the same time, and crashed
/// nodes restart before further nodes crash. Only the nodes that crash last may stay crashed.
fn crashes(nodes: &[NodeId], most: u64, units: u64, draws: &mut Draws) -> Vec<Scripted> {
    let mut script = Vec::new();
    let mut now = 0;
    for last in (0..draws.number(0, 4)).rev() {
        now += draws.number(0, units * UNIT / 4);
        let dead = draws.number(0, most);
        let first = draws.number(0, nodes.len() as u64 - 1);
        let stays_dead = last == 0 && draws.happens(0.5);
        let length = draws.number(1, units * UNIT / 4);
        let from_first = nodes.iter().cycle().skip(usize::try_from(first).unwrap_or_default());
        for (&node, _) in from_first.zip(0..dead) {
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
