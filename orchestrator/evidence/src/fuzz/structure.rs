//! Random parameters: who is whose neighbour, whom each asks, who begins, how long is waited. Time-outs are now and then as
//! close to the delays as the algorithm allows, and never shorter.

use std::collections::BTreeMap;

use interlock_algorithm::{Configuration, Parameter, ParameterValue, Parameters, catalogue};

use super::Candidate;
use super::draws::Draws;
use super::faults::UNIT;

/// The parameters of a run of so many nodes, in which a message takes so many units of time at most.
pub(super) fn parameters(candidate: Candidate, nodes: u64, longest: u64, draws: &mut Draws) -> Parameters {
    let mut chosen = Parameters::new();
    for parameter in candidate.entry.parameters {
        let Some(value) = value(candidate, parameter, nodes, longest, draws) else { continue };
        chosen.insert(parameter.name.to_owned(), ParameterValue::Text(value));
        // There are no planes for most numbers of nodes, and one parameter may be for one variant only.
        if !is_possible(candidate, &chosen, nodes) {
            chosen.remove(parameter.name);
        }
    }
    if candidate.entry.name == "sanders" && candidate.variant.name == "given" {
        chosen.extend(information_structure(nodes, draws));
    }
    time_outs(candidate, nodes, longest, &mut chosen, draws);
    chosen
}

fn value(candidate: Candidate, parameter: &Parameter, nodes: u64, longest: u64, draws: &mut Draws) -> Option<String> {
    let node = |draws: &mut Draws| draws.number(0, nodes - 1).to_string();
    Some(match (parameter.name, candidate.entry.family) {
        ("tree", _) => random_or(&["binary", "star", "line", "k-ary:3"], draws),
        ("ring", _) => random_or(&["ascending", "descending"], draws),
        ("coterie", _) if draws.happens(0.5) => coterie(nodes, draws),
        ("coterie", _) => draws.of(&["grid", "plane"]).to_owned(),
        ("failed", _) => draws.of(&["any-better", "holder-better"]).to_owned(),
        ("release", _) => draws.of(&["sender", "request"]).to_owned(),
        ("requests", _) => draws.of(&["one-by-one", "at-once"]).to_owned(),
        ("holder" | "leader" | "banker", _) | ("coordinator", "mutual-exclusion" | "deadlock") => node(draws),
        ("initiators", _) => {
            let caller = node(draws);
            draws.of(&["all", "none", &caller]).to_owned()
        }
        // What is said in the right order needs two states; more are for a ring that must find its way.
        ("k", _) if draws.happens(0.5) => draws.number(2, 2 * nodes + 2).to_string(),
        ("period", _) => ParameterValue::time(UNIT * draws.number(5, 20.max(2 * longest))).to_string(),
        ("pause", _) => ParameterValue::time(draws.number(1, 5 * UNIT)).to_string(),
        _ => return None,
    })
}

fn random_or(choices: &[&str], draws: &mut Draws) -> String {
    let random = format!("random:{}", draws.number(1, 1_000));
    let mut all = choices.to_vec();
    all.push(&random);
    draws.of(&all).to_owned()
}

/// Time-outs that are hardly longer than the catalogue says they must be, in half of the runs: as if each message took a
/// little longer than the longest.
fn time_outs(candidate: Candidate, nodes: u64, longest: u64, chosen: &mut Parameters, draws: &mut Draws) {
    if draws.happens(0.5) {
        return;
    }
    let delay = longest * UNIT + draws.one(&[1, UNIT, 10 * UNIT]).copied().unwrap_or(1);
    let mut set = BTreeMap::new();
    for time_out in candidate.assumes().time_outs {
        let inner = time_out.within.and_then(|within| set.get(within.parameter).copied()).unwrap_or_default();
        let ticks = time_out.bound(u32::try_from(nodes).unwrap_or(u32::MAX), inner).needed(delay);
        set.insert(time_out.parameter, ticks);
        chosen.insert(time_out.parameter.to_owned(), ParameterValue::time(ticks));
    }
}

/// Voting sets of any size: each has its owner in it, and where two do not meet one takes in a member of the other.
fn coterie(nodes: u64, draws: &mut Draws) -> String {
    let density = draws.one(&[0.0, 0.2, 0.5]).copied().unwrap_or_default();
    let mut sets = owned_sets(nodes, density, draws);
    // Where all take in the same node, it decides alone: the most uneven of all.
    let centre = draws.number(0, nodes - 1);
    let is_star = draws.happens(0.3);
    for one in 0..sets.len() {
        for other in 0..one {
            if sets[one].iter().any(|node| sets[other].contains(node)) {
                continue;
            }
            if is_star {
                add(&mut sets[one], centre);
                add(&mut sets[other], centre);
            } else {
                let place = draws.number(0, sets[other].len() as u64 - 1);
                let taken_in = usize::try_from(place).ok().and_then(|place| sets[other].get(place).copied());
                add(&mut sets[one], taken_in.unwrap_or(centre));
            }
        }
    }
    written(&sets)
}

/// Inform sets of any size, and request sets that are just large enough (Sanders 1987, section 3), or larger.
fn information_structure(nodes: u64, draws: &mut Draws) -> Vec<(String, ParameterValue)> {
    let density = draws.one(&[0.0, 0.1, 0.4]).copied().unwrap_or_default();
    let inform = owned_sets(nodes, density, draws);
    let mut request = inform.clone();
    for (one, other) in (0..nodes).flat_map(|one| (0..one).map(move |other| (one, other))) {
        let [of_one, of_other] = [one, other].map(|node| usize::try_from(node).unwrap_or_default());
        let strangers = !inform[of_one].iter().any(|node| inform[of_other].contains(node));
        if strangers || draws.happens(0.1) {
            add(&mut request[of_one], other);
            add(&mut request[of_other], one);
        }
    }
    [("inform", inform), ("request", request)]
        .map(|(name, sets)| (name.to_owned(), ParameterValue::Text(written(&sets))))
        .into()
}

/// A set for each node with the node in it, and each other with this probability.
fn owned_sets(nodes: u64, density: f64, draws: &mut Draws) -> Vec<Vec<u64>> {
    let mut set = |owner: u64| {
        let mut set = draws.some(nodes, density);
        add(&mut set, owner);
        set
    };
    (0..nodes).map(&mut set).collect()
}

fn add(set: &mut Vec<u64>, node: u64) {
    if !set.contains(&node) {
        set.push(node);
    }
}

fn written(sets: &[Vec<u64>]) -> String {
    let set = |set: &Vec<u64>| set.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    format!("sets:{}", sets.iter().map(set).collect::<Vec<_>>().join(";"))
}

fn is_possible(candidate: Candidate, parameters: &Parameters, nodes: u64) -> bool {
    let configuration = Configuration {
        algorithm: candidate.entry.name,
        variant: Some(candidate.variant.name),
        parameters,
        nodes: u32::try_from(nodes).unwrap_or_default(),
        locks: 1,
    };
    catalogue::check(&configuration).is_ok()
}

#[cfg(test)]
mod tests {
    use interlock_algorithm::NodeId;
    use interlock_algorithm::coterie::Coterie;

    use super::*;

    /// Drawn sets are voting sets, of many sizes: also where one decides alone, and where some sets are single nodes.
    #[test]
    fn drawn_sets_meet_and_are_uneven() {
        let mut single = 0;
        for seed in 0..500 {
            let mut draws = Draws::new(seed);
            let nodes = draws.number(2, 12);
            let few = u32::try_from(nodes).expect("few nodes");
            let written = coterie(nodes, &mut draws);
            let coterie = Coterie::parse(&written, few).unwrap_or_else(|why| panic!("{written}: {why}"));
            single += u32::from(NodeId::all(few).any(|node| coterie.set(node).len() == 1));
        }
        assert!(single > 50, "{single} of 500 have a set of one node");
    }
}
