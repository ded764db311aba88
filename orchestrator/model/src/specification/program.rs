//! Nodes that are programs of a user, in the form in which a scenario file lists them.

use interlock_algorithm::catalogue::OWN;
use interlock_algorithm::{Entry, NodeId};
use interlock_machine::wire::Protocol;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Specification;
use crate::field_error::FieldError;
use crate::flow::flow;
use crate::strict;

/// Maximum number of words of a command: the program and its arguments.
const MOST_WORDS: usize = 100;

/// Some successive nodes of a run. Either all of them run the program of `command`, or all of them run the
/// algorithm of the catalogue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NodeGroup {
    /// The program and its arguments, 1 … 100 words. If absent, the nodes run the algorithm of the catalogue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<Vec<String>>,
    /// Protocol of the program: `interlock`, or `maelstrom` for programs that are written for Maelstrom [default:
    /// interlock].
    #[serde(default, skip_serializing_if = "Protocol::is_ours")]
    #[schema(value_type = Option<String>)]
    pub protocol: Protocol,
    /// Number of nodes in the group, from 1 [default: 1].
    #[serde(default = "one")]
    #[schema(required = false)]
    pub count: u32,
}

const fn one() -> u32 {
    1
}

/// Reads the groups from the field `/nodes`. The field may also be a number of nodes, which this function does not
/// read.
///
/// # Errors
/// The first error of a group.
pub fn read_groups(list: &Value) -> Result<Vec<NodeGroup>, FieldError> {
    let of_a_text = |(place, group): (usize, &Value)| Some((place, group.get("command")?.as_str()?.to_owned()));
    if let Some((place, command)) = list.as_array().into_iter().flatten().enumerate().find_map(of_a_text) {
        let words = command.split_whitespace().collect::<Value>();
        let detail = format!("a command is a list of words; write `command: {}`", flow(&words));
        return Err(FieldError::new(format!("/nodes/{place}/command"), detail));
    }
    let groups: Vec<NodeGroup> = strict::read(list).map_err(|error| error.below("/nodes"))?;
    for (place, NodeGroup { command, protocol, count }) in groups.iter().enumerate() {
        let words = command.as_ref().map(Vec::len);
        if words.is_some_and(|words| !(1..=MOST_WORDS).contains(&words)) {
            let detail = format!("a command must have 1 to {MOST_WORDS} words: the program and its arguments");
            return Err(FieldError::new(format!("/nodes/{place}/command"), detail));
        }
        if command.is_none() && !protocol.is_ours() {
            let detail = "only a program has a protocol; add the `command` that starts it";
            return Err(FieldError::new(format!("/nodes/{place}/protocol"), detail));
        }
        if *count == 0 {
            return Err(FieldError::new(
                format!("/nodes/{place}/count"),
                "a group must have at least 1 node; remove this group",
            ));
        }
    }
    Ok(groups)
}

/// Returns the total number of nodes in the groups.
#[must_use]
pub fn count(groups: &[NodeGroup]) -> u32 {
    groups.iter().fold(0, |sum, group| sum.saturating_add(group.count))
}

/// Returns an error if the algorithm needs programs and there are none, or if the programs cannot run the
/// algorithm.
pub(super) fn errors(groups: &[NodeGroup], entry: &Entry, locks: u32) -> Option<FieldError> {
    let is_any_ours = groups.iter().any(|group| group.command.is_none()) || groups.is_empty();
    if entry.name == OWN.name && is_any_ours {
        let detail = "`own` needs a program for every node; write a scenario file with \
                      `nodes: [{ command: [python3, node.py], count: 5 }]`, and play it with `interlock run`";
        return Some(FieldError::new("/algorithm", detail));
    }
    if groups.iter().all(|group| group.command.is_none()) {
        return None;
    }
    let is_of_maelstrom = groups.iter().position(|group| group.protocol == Protocol::Maelstrom);
    if let Some(place) = is_of_maelstrom.filter(|_| entry.name != OWN.name) {
        let detail = format!(
            "a program that is written for Maelstrom has messages of its own; it can play `own`, but not `{}`",
            entry.name
        );
        return Some(FieldError::new(format!("/nodes/{place}/protocol"), detail));
    }
    let detail = "programs that are written for Maelstrom have only one lock";
    (is_of_maelstrom.is_some() && locks > 1).then(|| FieldError::new("/locks", detail))
}

impl Specification {
    /// Returns the program of a node, with its protocol; none if the node runs the algorithm of the catalogue.
    #[must_use]
    pub fn program(&self, node: NodeId) -> Option<(&[String], Protocol)> {
        let mut before = 0_u32;
        let group = self.programs.iter().find(|group| {
            before = before.saturating_add(group.count);
            node.0 < before
        })?;
        Some((group.command.as_deref()?, group.protocol))
    }

    /// Returns an error for each field of the specification that only live processes can execute, not a simulation.
    #[must_use]
    pub fn unfit_to_simulate(&self) -> Vec<FieldError> {
        let detail = "your own programs are processes, which only live runs have";
        if self.has_programs() { vec![FieldError::new("/nodes", detail)] } else { Vec::new() }
    }

    /// Returns whether at least one node is a program of a user.
    #[must_use]
    pub fn has_programs(&self) -> bool {
        self.programs.iter().any(|group| group.command.is_some())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::specification::Draft;

    fn draft(algorithm: &str, groups: &Value) -> Result<Specification, Vec<FieldError>> {
        let programs = read_groups(groups).map_err(|error| vec![error])?;
        let nodes = Some(count(&programs));
        Draft { algorithm: algorithm.to_owned(), nodes, programs, ..Draft::default() }.complete_simulated()
    }

    #[test]
    fn groups_follow_one_after_the_other() {
        let groups = json!([{ "command": ["a", "b"], "count": 2 }, { "count": 1 }, { "command": ["c"] }]);
        let mixed = draft("ricart-agrawala", &groups).expect("a run");
        assert_eq!(mixed.nodes, 4);
        let words = |node: u32| mixed.program(NodeId(node)).map(|(words, _)| words.join(" "));
        let expected = [Some("a b"), Some("a b"), None, Some("c"), None];
        assert_eq!([0, 1, 2, 3, 4].map(words), expected.map(|words| words.map(ToOwned::to_owned)));
        assert!(mixed.has_programs());
        assert!(!draft("ricart-agrawala", &json!([{ "count": 3 }])).expect("a run").has_programs());
    }

    #[test]
    fn what_cannot_be_is_refused_at_its_place() {
        for (algorithm, groups, pointer, part) in [
            ("own", json!([{ "count": 3 }]), "/algorithm", "needs a program for every node"),
            ("own", json!([{ "command": ["a"] }, {}]), "/algorithm", "needs a program for every node"),
            ("ricart-agrawala", json!([{ "command": [] }]), "/nodes/0/command", "1 to 100 words"),
            (
                "ricart-agrawala",
                json!([{ "command": ["a"], "protocol": "mailstrom" }]),
                "/nodes/0/protocol",
                "mailstrom",
            ),
            (
                "ricart-agrawala",
                json!([{ "command": ["a"], "protocol": "maelstrom" }]),
                "/nodes/0/protocol",
                "can play `own`",
            ),
            ("own", json!([{ "command": ["a"] }, { "protocol": "maelstrom" }]), "/nodes/1/protocol", "only a program"),
            ("ricart-agrawala", json!([{}, { "count": 0 }]), "/nodes/1/count", "a group must have at least 1 node"),
            ("ricart-agrawala", json!([{ "comand": ["a"] }]), "/nodes/0/comand", "unknown field"),
            ("ricart-agrawala", json!([{ "command": "a b" }]), "/nodes/0/command", "list"),
            ("ricart-agrawala", json!([{ "count": 4_000_000_000_u32 }]), "/nodes", "outside"),
        ] {
            let errors = draft(algorithm, &groups).expect_err("refused");
            assert_eq!(errors[0].pointer, pointer, "{groups}: {errors:?}");
            assert!(errors[0].detail.contains(part), "{groups}: {errors:?}");
        }
    }
}
