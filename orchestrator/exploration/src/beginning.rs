//! The initial states of a run.

use interlock_algorithm::configuration::{Refusal, Subject};
use interlock_algorithm::{Algorithm, NodeId};

use super::environment::{Beginning, Environment, MOST_LISTED};
use super::known::Known;
use super::parts::{Parts, Step};

/// Receiver of a link, and all possible contents of the link. Each item is a list of messages, with the oldest
/// message first.
type Link = (NodeId, Vec<Vec<u32>>);

/// All initial states of a run. Each state has a number.
pub(super) struct Beginnings {
    /// For each process, the possible results of its start, as indices in the list of known steps.
    processes: Vec<Vec<u32>>,
    /// Links that may contain messages at the start.
    links: Vec<Link>,
}

/// An initial state: the result of the start of each process, and the contents of each link before the start.
pub(super) type Begun = (Vec<u32>, Vec<(NodeId, Vec<u32>)>);

impl Beginnings {
    /// Returns the initial states in this environment.
    ///
    /// # Errors
    /// Returns an error if the algorithm lacks the requested states or messages, or has too many of them.
    pub fn of(
        parts: &mut dyn Parts,
        environment: &Environment,
        nodes: u32,
        known: &mut Known,
    ) -> Result<Self, Refusal> {
        let processes = NodeId::all(nodes).map(|me| match &environment.beginning {
            Beginning::Usual => Ok(parts.begin(me, None).into_iter().collect()),
            Beginning::States(states) => in_state(parts, me, states.get(me.index()).copied()),
            Beginning::Arbitrary { .. } => in_any_state(parts, me),
        });
        let processes: Vec<Vec<Step>> = processes.collect::<Result<_, _>>()?;
        let links = match environment.beginning {
            Beginning::Arbitrary { contents } if contents > 0 => links(parts, nodes, contents)?,
            _ => Vec::new(),
        };
        let keep = |choices: Vec<Step>| choices.into_iter().map(|step| known.keep(step)).collect();
        Ok(Self { processes: processes.into_iter().map(keep).collect(), links })
    }

    /// Returns the number of initial states. The number saturates at the largest `u64`: no search visits that many
    /// states.
    pub fn count(&self) -> u64 {
        let states = self.processes.iter().map(Vec::len);
        let contents = self.links.iter().map(|(_, contents)| contents.len());
        states.chain(contents).fold(1, |count: u64, choices| count.saturating_mul(choices as u64))
    }

    /// Returns the initial state with this number, which must be below [`count`](Self::count). The number is decoded
    /// digit by digit, with one digit for each process and each link.
    pub fn numbered(&self, number: u64) -> Begun {
        let mut rest = number;
        let mut digit = |choices: usize| {
            let digit = usize::try_from(rest % choices as u64).unwrap_or(0);
            rest /= choices as u64;
            digit
        };
        let processes = self.processes.iter().map(|choices| choices[digit(choices.len())]).collect();
        let links = self.links.iter().map(|(to, choices)| (*to, choices[digit(choices.len())].clone())).collect();
        (processes, links)
    }
}

fn in_state(parts: &mut dyn Parts, me: NodeId, state: Option<u64>) -> Result<Vec<Step>, Refusal> {
    let begun = parts.begin(me, state);
    let none = || refusal(format!("{me} has no arbitrary state with the number {}", state.unwrap_or(0)));
    begun.map(|step| vec![step]).ok_or_else(none)
}

fn in_any_state(parts: &mut dyn Parts, me: NodeId) -> Result<Vec<Step>, Refusal> {
    let states = listed((0..).map_while(|state| parts.begin(me, Some(state))));
    match states {
        Some(states) if states.is_empty() => Err(no_states()),
        Some(states) => Ok(states),
        None => Err(too_many_states(me)),
    }
}

/// Checks that each process can be corrupted: it must have at least one arbitrary state, and not too many of them.
pub(super) fn corruptible<A: Algorithm>(setting: &A::Setting, nodes: u32) -> Result<(), Refusal> {
    let most = MOST_LISTED as u64;
    let wrong = |me| match (A::arbitrary(setting, me, 0), A::arbitrary(setting, me, most)) {
        (None, _) => Some(no_states()),
        (_, Some(_)) => Some(too_many_states(me)),
        (Some(_), None) => None,
    };
    NodeId::all(nodes).find_map(wrong).map_or(Ok(()), Err)
}

fn no_states() -> Refusal {
    refusal("this algorithm has no arbitrary states, because it does not stabilise".to_owned())
}

fn too_many_states(me: NodeId) -> Refusal {
    refusal(format!("{me} has more than {MOST_LISTED} arbitrary states, too many to try"))
}

/// Returns the links that may contain messages at the start, with their possible contents.
fn links(parts: &mut dyn Parts, nodes: u32, most: u8) -> Result<Vec<Link>, Refusal> {
    let mut links = Vec::new();
    for (from, to) in NodeId::all(nodes).flat_map(|from| NodeId::all(nodes).map(move |to| (from, to))) {
        let messages = listed((0..).map_while(|choice| parts.arbitrary_message(from, to, choice)));
        let contents = messages.and_then(|messages| contents(&messages, most));
        let contents = contents.ok_or_else(|| {
            refusal(format!("the link {from} → {to} has more than {MOST_LISTED} possible contents, too many to try"))
        })?;
        if contents.len() > 1 {
            links.push((to, contents));
        }
    }
    if links.is_empty() {
        return Err(refusal("this algorithm has no arbitrary messages; its links begin empty".to_owned()));
    }
    Ok(links)
}

/// Returns every list of at most `most` messages, or none if there are too many lists.
fn contents(messages: &[u32], most: u8) -> Option<Vec<Vec<u32>>> {
    let mut all = vec![Vec::new()];
    let mut shorter = 0;
    for _ in 0..most {
        let longest = shorter..all.len();
        shorter = all.len();
        for list in longest {
            if all.len() + messages.len() > MOST_LISTED {
                return None;
            }
            all.extend(messages.iter().map(|&message| [&all[list][..], &[message]].concat()).collect::<Vec<_>>());
        }
    }
    Some(all)
}

/// Collects the items, or returns none if there are too many.
fn listed<T>(all: impl Iterator<Item = T>) -> Option<Vec<T>> {
    let listed: Vec<T> = all.take(MOST_LISTED + 1).collect();
    (listed.len() <= MOST_LISTED).then_some(listed)
}

/// Returns the error for initial states that cannot be explored.
fn refusal(detail: String) -> Refusal {
    Refusal::new(Subject::Algorithm, detail, [])
}
