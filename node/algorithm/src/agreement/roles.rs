//! The roles of the nodes in a run, and the size of a quorum.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::configuration::{Configuration, ParameterValue, Refusal, Subject};
use crate::flat::FlatSet;
use crate::identity::NodeId;

/// Returns the nodes that a parameter lists, in ascending order and without repetitions. The list is `all`, `none`, or
/// comma-separated numbers. Returns none if the parameter is absent.
///
/// # Errors
/// Names the item that is not a node, and describes the valid lists.
pub fn listed(configuration: &Configuration<'_>, name: &str) -> Result<Option<Vec<NodeId>>, Refusal> {
    let Some(given) = configuration.parameters.get(name).map(ToString::to_string) else { return Ok(None) };
    match given.as_str() {
        "all" => return Ok(Some(NodeId::all(configuration.nodes).collect())),
        "none" => return Ok(Some(Vec::new())),
        _ => {}
    }
    let node = |word: &str| {
        let node = word.trim().parse().ok().filter(|&node| node < configuration.nodes);
        node.map(NodeId).ok_or_else(|| refusal(configuration, name, &format!("`{word}` is not a node of this run")))
    };
    let nodes: FlatSet<NodeId> = given.split(',').map(node).collect::<Result<_, _>>()?;
    Ok(Some(nodes.into_iter().collect()))
}

/// Returns the parameter value that lists `nodes`.
#[must_use]
pub fn written(nodes: &[NodeId]) -> String {
    let numbers: Vec<String> = nodes.iter().map(|node| node.0.to_string()).collect();
    if numbers.is_empty() { "none".to_string() } else { numbers.join(",") }
}

/// Returns the nodes that a parameter lists, of which there must be at least one. The default is all nodes.
///
/// # Errors
/// Fails as [`listed`] does, and if the list is empty.
pub fn some(configuration: &Configuration<'_>, name: &str) -> Result<Vec<NodeId>, Refusal> {
    match listed(configuration, name)? {
        None => Ok(NodeId::all(configuration.nodes).collect()),
        Some(nodes) if nodes.is_empty() => Err(refusal(configuration, name, "it is empty; write at least one node")),
        Some(nodes) => Ok(nodes),
    }
}

/// Returns the size of a quorum of acceptors: the value of parameter `quorum`, or else more than half of `acceptors`.
///
/// # Errors
/// Fails if there are fewer acceptors than the parameter requires.
pub fn quorum(configuration: &Configuration<'_>, acceptors: usize) -> Result<usize, Refusal> {
    let majority = acceptors / 2 + 1;
    if configuration.parameters.get("quorum") == Some(&ParameterValue::Text("majority".to_string())) {
        return Ok(majority);
    }
    let given = configuration.number_parameter("quorum", 1..=acceptors as u64)?;
    Ok(given.and_then(|quorum| usize::try_from(quorum).ok()).unwrap_or(majority))
}

fn refusal(configuration: &Configuration<'_>, name: &str, detail: &str) -> Refusal {
    let last = configuration.nodes.saturating_sub(1);
    let example: String = (0..=last.min(2)).map(|node| node.to_string()).collect::<Vec<_>>().join(",");
    Refusal::new(
        Subject::Parameter(name.to_string()),
        detail,
        [example.as_str(), "all", &format!("numbers from 0 … {last}, with commas between")],
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::configuration::Parameters;

    fn with<T>(name: &str, value: &str, read: impl Fn(&Configuration<'_>) -> T) -> T {
        let parameters = Parameters::from([(name.to_string(), ParameterValue::Text(value.to_string()))]);
        read(&Configuration { algorithm: "any", variant: None, parameters: &parameters, nodes: 5, locks: 1 })
    }

    fn acceptors(value: &str) -> Result<Vec<u32>, Refusal> {
        let nodes = with("acceptors", value, |configuration| some(configuration, "acceptors"))?;
        Ok(nodes.into_iter().map(|node| node.0).collect())
    }

    #[test]
    fn a_list_is_read_in_any_order() {
        assert_eq!(acceptors("3, 1,3"), Ok([1, 3].into()));
        assert_eq!(acceptors("all"), Ok([0, 1, 2, 3, 4].into()));
    }

    #[test]
    fn what_is_no_node_is_named() {
        for (given, detail) in
            [("1,5", "`5`"), ("1,", "``"), ("P1", "`P1`"), ("none", "it is empty; write at least one node")]
        {
            let refusal = acceptors(given).expect_err("a refusal");
            assert!(refusal.detail.starts_with(detail), "{refusal}");
            assert_eq!(refusal.allowed, ["0,1,2", "all", "numbers from 0 … 4, with commas between"]);
        }
    }

    #[test]
    fn a_quorum_is_at_most_the_group() {
        let of = |value: &str| with("quorum", value, |configuration| quorum(configuration, 5));
        assert_eq!([of("majority"), of("1"), of("5")], [Ok(3), Ok(1), Ok(5)]);
        let refusal = of("6").expect_err("a refusal");
        assert_eq!(refusal.detail, "6 is outside 1 … 5; the nearest is 5");
        assert_eq!(refusal.allowed, ["1 … 5"]);
    }
}
