//! Random parameters: neighbours, sets, initiators and time-outs, each drawn from its range in the catalogue.
//! Time-outs are sometimes as close to the delays as the algorithm allows, but never shorter. Parameter values that
//! make the algorithm faulty, or that exist only for teaching, are not drawn.

use std::collections::BTreeMap;

use interlock_algorithm::range::{Numbers, Pace, Times};
use interlock_algorithm::structure::coterie::Coterie;
use interlock_algorithm::{Entry, NodeId, ParameterValue, Parameters, Range, Ticks};

use super::Candidate;
use super::draws::Draws;
use super::faults::UNIT;

/// Maximum number of processes in a random run of elections or mutual exclusion.
pub(super) const MOST_NODES: u64 = 12;
/// Maximum number of units of a lock in a random run. With more units, no process would wait.
const MOST_UNITS: u64 = 3;

/// Size of the run for which parameters are drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    /// Number of processes.
    pub nodes: u64,
    /// Number of locks.
    pub locks: u64,
    /// Maximum delay of a message, in units of time.
    pub longest: u64,
}

/// Draws the parameters of a run.
pub(super) fn parameters(candidate: Candidate, run: Extent, draws: &mut Draws) -> Parameters {
    let mut chosen = Parameters::new();
    for parameter in candidate.entry.parameters {
        if let Some(value) = run.value(&parameter.range, &chosen, draws) {
            chosen.insert(parameter.name.to_owned(), ParameterValue::Text(value));
        }
    }
    time_outs(candidate, run, &mut chosen, draws);
    chosen
}

/// Returns the value of the first parameter whose value is a node. Returns node 0 if there is no such parameter.
pub(super) fn named_node(entry: &Entry, chosen: &Parameters) -> u64 {
    let named = entry.parameters.iter().find(|parameter| parameter.range == Range::Node);
    let node = named.and_then(|parameter| chosen.get(parameter.name)?.to_string().parse().ok());
    node.unwrap_or_default()
}

impl Extent {
    fn few_nodes(self) -> u32 {
        u32::try_from(self.nodes).unwrap_or(u32::MAX)
    }

    /// Draws a value from `range`. `chosen` contains the values of the parameters that were drawn before. Returns
    /// `None` if the parameter is a time-out, because all time-outs are drawn together later.
    fn value(self, range: &Range, chosen: &Parameters, draws: &mut Draws) -> Option<String> {
        let nodes = self.nodes;
        let other = |name: &str| chosen.get(name).map(ToString::to_string).unwrap_or_default();
        Some(match *range {
            Range::Node => draws.node(nodes).0.to_string(),
            Range::Number(numbers) => self.number(numbers, draws).to_string(),
            Range::Word(words) => {
                let right: Vec<_> = words.iter().filter(|word| word.broken.is_none()).map(|word| word.name).collect();
                draws.of(&right).to_owned()
            }
            Range::Time(_, Pace::TimeOut) => return None,
            Range::Time(times, Pace::Again) => time(times, UNIT * draws.number(5, 20.max(2 * self.longest))),
            Range::Time(times, Pace::Rest) => time(times, draws.number(1, 5 * UNIT)),
            Range::Tree => random_or(&["binary", "star", "line", "k-ary:3"], draws),
            Range::Ring => random_or(&["ascending", "descending"], draws),
            Range::Coterie => match draws.number(0, 3) {
                0 => "grid".to_owned(),
                // For most numbers of nodes, no projective plane exists.
                1 if Coterie::plane(self.few_nodes()).is_ok() => "plane".to_owned(),
                _ => coterie(nodes, draws),
            },
            Range::InformSets => inform_sets(nodes, draws),
            Range::RequestSets { inform } => request_sets(&other(inform), draws),
            Range::Nodes { needs_all: true, .. } => "all".to_owned(),
            Range::Nodes { or_none, .. } => some_nodes(nodes, or_none, draws),
            Range::Quorum { of } => {
                let size = listed(&other(of), nodes).len() as u64;
                draws.number(size / 2 + 1, size).to_string()
            }
            Range::Units { most } => {
                let most = MOST_UNITS.min(most.into());
                joined((0..self.locks).map(|_| draws.number(1, most)))
            }
            Range::Claims { on } => claims(nodes, &other(on), draws),
            Range::Or(word, _) if draws.happens(0.5) => word.name.to_owned(),
            Range::Or(_, range) => return self.value(range, chosen, draws),
        })
    }

    /// Draws a number from the range `numbers`: occasionally the greatest number, and otherwise a number from the
    /// part of the range in which numbers have different effects.
    fn number(self, numbers: Numbers, draws: &mut Draws) -> u64 {
        let range = numbers.of(self.few_nodes());
        let telling = numbers.telling.map_or(*range.end(), |telling| telling.of(self.few_nodes()).min(*range.end()));
        if draws.happens(0.1) { *range.end() } else { draws.number(*range.start(), telling) }
    }
}

fn time(times: Times, ticks: Ticks) -> String {
    let all = times.all();
    ParameterValue::time(ticks.clamp(*all.start(), *all.end())).to_string()
}

fn random_or(choices: &[&str], draws: &mut Draws) -> String {
    let random = format!("random:{}", draws.number(1, 1_000));
    let mut all = choices.to_vec();
    all.push(&random);
    draws.of(&all).to_owned()
}

/// Draws a set of nodes: all nodes, one node, or some nodes. If `or_none`, the set may be empty.
fn some_nodes(nodes: u64, or_none: bool, draws: &mut Draws) -> String {
    let one = draws.number(0, nodes - 1);
    match draws.number(0, 4) {
        // A run in which all nodes are active is the most likely to expose a flaw.
        0 | 1 => "all".to_owned(),
        2 if or_none => "none".to_owned(),
        3 => one.to_string(),
        _ => {
            let mut some = draws.some(nodes, 0.5);
            add(&mut some, one);
            joined(some)
        }
    }
}

/// Returns the nodes that a text lists: `all`, or node numbers separated by commas.
pub(super) fn listed(text: &str, nodes: u64) -> Vec<NodeId> {
    match text {
        "all" => NodeId::all(u32::try_from(nodes).unwrap_or_default()).collect(),
        list => list.split(',').filter_map(|node| node.parse().ok().map(NodeId)).collect(),
    }
}

/// Draws a row of maximum claims for each node. A claim is at least one unit of each lock, because a client takes one
/// unit in a round. A claim is at most the number of existing units.
fn claims(nodes: u64, existing: &str, draws: &mut Draws) -> String {
    let existing: Vec<u64> = existing.split(',').filter_map(|units| units.parse().ok()).collect();
    let mut row = || joined(existing.iter().map(|&units| draws.number(1, units)));
    (0..nodes).map(|_| row()).collect::<Vec<_>>().join(";")
}

/// In half of the runs, draws time-outs that are barely longer than the catalogue requires. These time-outs are
/// computed from a delay that is slightly longer than the maximum delay.
fn time_outs(candidate: Candidate, run: Extent, chosen: &mut Parameters, draws: &mut Draws) {
    if draws.happens(0.5) {
        return;
    }
    let delay = run.longest * UNIT + draws.one(&[1, UNIT, 10 * UNIT]).copied().unwrap_or(1);
    let mut set = BTreeMap::new();
    for time_out in candidate.assumes().time_outs {
        let inner = time_out.within.and_then(|within| set.get(within.parameter).copied()).unwrap_or_default();
        let ticks = time_out.bound(run.few_nodes(), inner).needed(delay);
        set.insert(time_out.parameter, ticks);
        chosen.insert(time_out.parameter.to_owned(), ParameterValue::time(ticks));
    }
}

/// Draws voting sets of any size. Each set contains its owner. If two sets have no common member, a member of one set
/// is added to the other.
fn coterie(nodes: u64, draws: &mut Draws) -> String {
    let density = draws.one(&[0.0, 0.2, 0.5]).copied().unwrap_or_default();
    let mut sets = owned_sets(nodes, density, draws);
    // If all sets contain the same node, that node decides alone. This is the most uneven distribution of votes.
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

/// Draws inform sets of any size (Sanders 1987, section 3).
fn inform_sets(nodes: u64, draws: &mut Draws) -> String {
    let density = draws.one(&[0.0, 0.1, 0.4]).copied().unwrap_or_default();
    written(&owned_sets(nodes, density, draws))
}

/// Draws request sets for these inform sets. Some request sets are just large enough to be correct, and others are
/// larger.
fn request_sets(inform: &str, draws: &mut Draws) -> String {
    let inform = read(inform);
    let mut request = inform.clone();
    for one in 0..inform.len() {
        for other in 0..one {
            let strangers = !inform[one].iter().any(|node| inform[other].contains(node));
            if strangers || draws.happens(0.1) {
                add(&mut request[one], other as u64);
                add(&mut request[other], one as u64);
            }
        }
    }
    written(&request)
}

/// Draws a set for each node. The set contains its owner, and each other node with probability `density`.
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
    let sets: Vec<String> = sets.iter().map(|set| joined(set.iter().copied())).collect();
    format!("sets:{}", sets.join(";"))
}

fn read(sets: &str) -> Vec<Vec<u64>> {
    let set = |set: &str| set.split(',').filter_map(|node| node.parse().ok()).collect();
    sets.trim_start_matches("sets:").split(';').map(set).collect()
}

fn joined(numbers: impl IntoIterator<Item = u64>) -> String {
    numbers.into_iter().map(|number| number.to_string()).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use interlock_algorithm::catalogue::{ENTRIES, check};
    use interlock_algorithm::range::Formula;
    use interlock_algorithm::{Configuration, LockUse, Parameter, Refusal, Variant};

    use super::*;

    /// The drawn sets must be valid voting sets. In many draws, some node must have a set that contains only
    /// itself.
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

    const NUMBERS_OF_NODES: [u64; 5] = [2, 3, 5, 7, 12];

    fn a_run(entry: &Entry, nodes: u64) -> Extent {
        Extent { nodes, locks: if entry.locks == LockUse::Many { 3 } else { 1 }, longest: 10 }
    }

    fn checked(entry: &Entry, variant: &Variant, run: Extent, parameters: &Parameters) -> Result<(), Refusal> {
        check(&Configuration {
            algorithm: entry.name,
            variant: Some(variant.name),
            parameters,
            nodes: run.few_nodes(),
            locks: u32::try_from(run.locks).expect("few locks"),
        })
    }

    /// Draws parameters of an entry many times. Returns the first parameters that the catalogue rejects, with the
    /// reason.
    fn refused(entry: &'static Entry) -> Option<(Parameters, Refusal)> {
        let runs = NUMBERS_OF_NODES.into_iter().flat_map(|nodes| (0..40).map(move |seed| (a_run(entry, nodes), seed)));
        let mut tried = entry.variants.iter().flat_map(|variant| runs.clone().map(move |run| (variant, run)));
        tried.find_map(|(variant, (run, seed))| {
            let drawn = parameters(Candidate { entry, variant }, run, &mut Draws::new(seed));
            let refusal = checked(entry, variant, run, &drawn).err()?;
            Some((drawn, refusal))
        })
    }

    #[test]
    fn what_is_drawn_is_possible_and_of_every_parameter_something_is_drawn() {
        for entry in ENTRIES {
            assert_eq!(refused(entry), None, "{}", entry.name);
            let variant = &entry.variants[0];
            let drawn = |seed| parameters(Candidate { entry, variant }, a_run(entry, 5), &mut Draws::new(seed));
            let all: Vec<Parameters> = (0..40).map(drawn).collect();
            // Parameters of variants that these runs do not use are never drawn.
            let elsewhere = |parameter: &&Parameter| {
                matches!((entry.name, parameter.name), ("centralised", "lease") | ("le-lann", "missing"))
            };
            for Parameter { name, .. } in entry.parameters.iter().filter(|parameter| !elsewhere(parameter)) {
                assert!(all.iter().any(|drawn| drawn.contains_key(*name)), "{} {name}", entry.name);
            }
        }
    }

    /// If the catalogue had a wrong range for a parameter, the test that all drawn parameters are accepted must
    /// fail.
    #[test]
    fn a_wrong_range_is_noticed() {
        let with = |name: &str, range: Range| {
            let has_it = |entry: &&Entry| entry.parameters.iter().any(|parameter| parameter.name == name);
            let entry = ENTRIES.iter().find(has_it).expect("an algorithm");
            let changed = |parameter: &Parameter| Parameter {
                range: if parameter.name == name { range } else { parameter.range },
                ..*parameter
            };
            let parameters = entry.parameters.iter().map(changed).collect::<Vec<_>>().leak();
            refused(Box::leak(Box::new(Entry { parameters, ..*entry })))
        };
        let up_to_n = Range::Number(Numbers::new(Formula::number(0), Formula::of_nodes(1, 0)));
        assert_eq!(with("holder", Range::Node), None);
        assert!(with("holder", up_to_n).is_some());
        assert!(with("k", up_to_n).is_some());
        assert!(with("acceptors", Range::Nodes { or_none: true, needs_all: false }).is_some());
        assert!(with("request", Range::InformSets).is_some());
        assert!(with("tree", Range::Ring).is_some());
    }

    /// Returns the smallest and the greatest number of a range, or none if the range does not consist of numbers.
    fn ends(range: &Range, run: Extent) -> Option<[u64; 2]> {
        match *range {
            Range::Node => Some([0, run.nodes - 1]),
            Range::Number(numbers) => Some([*numbers.of(run.few_nodes()).start(), *numbers.of(run.few_nodes()).end()]),
            Range::Or(_, range) => ends(range, run),
            _ => None,
        }
    }

    /// Returns whether the catalogue accepts this number as the value of a parameter. All other parameters have drawn
    /// values.
    fn is_possible(entry: &'static Entry, run: Extent, name: &str, number: i128) -> bool {
        let mut given = parameters(Candidate { entry, variant: &entry.variants[0] }, run, &mut Draws::new(0));
        given.insert(name.to_owned(), ParameterValue::Text(number.to_string()));
        // Every variant must accept the number, because some parameters affect only one variant.
        entry.variants.iter().all(|variant| checked(entry, variant, run, &given).is_ok())
    }

    #[test]
    fn both_ends_of_a_range_are_drawn_and_nothing_beyond_them_is_possible() {
        let mut found = 0;
        let all = ENTRIES.iter().flat_map(|entry| entry.parameters.iter().map(move |parameter| (entry, parameter)));
        for ((entry, parameter), nodes) in all.flat_map(|one| NUMBERS_OF_NODES.map(|nodes| (one, nodes))) {
            let run = a_run(entry, nodes);
            let Some([least, most]) = ends(&parameter.range, run) else { continue };
            found += 1;
            let drawn = |seed| run.value(&parameter.range, &Parameters::new(), &mut Draws::new(seed));
            let drawn: BTreeSet<String> = (0..1_000).filter_map(drawn).collect();
            let place = format!("{} {} of {nodes} nodes", entry.name, parameter.name);
            assert!([least, most].iter().all(|end| drawn.contains(&end.to_string())), "{place}: {drawn:?}");
            let (least, most) = (i128::from(least), i128::from(most));
            let is_possible =
                [least - 1, least, most, most + 1].map(|number| is_possible(entry, run, parameter.name, number));
            assert_eq!(is_possible, [false, true, true, false], "{place}");
        }
        assert!(found > 5 * NUMBERS_OF_NODES.len(), "{found}");
    }

    #[test]
    fn times_are_drawn_together_if_and_only_if_they_are_time_outs() {
        for entry in ENTRIES {
            for Parameter { name, range, .. } in entry.parameters {
                let (Range::Time(_, pace) | Range::Or(_, &Range::Time(_, pace))) = *range else { continue };
                let is_time_out = |variant| {
                    Candidate { entry, variant }.assumes().time_outs.iter().any(|time_out| time_out.parameter == *name)
                };
                assert_eq!(entry.variants.iter().any(is_time_out), pace == Pace::TimeOut, "{} {name}", entry.name);
            }
        }
    }
}
