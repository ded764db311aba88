//! Tests that an invalid configuration is refused, with the reason and the valid values.

use interlock_algorithm::catalogue::{check, is_instantaneous};
use interlock_algorithm::{Configuration, ParameterValue, Parameters, Refusal, Subject};

/// Checks a configuration against the catalogue. `given` is a parameter as `NAME=VALUE`, or empty.
fn checked(algorithm: &str, variant: Option<&str>, nodes: u32, given: &str) -> Result<(), Refusal> {
    let value = |value: &str| match value.parse() {
        Ok(number) => ParameterValue::Number(number),
        Err(_) => ParameterValue::Text(value.to_owned()),
    };
    let parameters: Parameters =
        given.split_once('=').map(|(name, text)| (name.to_owned(), value(text))).into_iter().collect();
    check(&Configuration { algorithm, variant, parameters: &parameters, nodes, locks: 1 })
}

/// One case: algorithm, number of nodes, parameter, expected refusal, and the valid values.
type Row = (&'static str, u32, &'static str, &'static str, &'static [&'static str]);

const COTERIES: &[&str] = &["grid", "plane", "sets:0,1,2;1,3,5;…"];
const TREES: &[&str] = &["binary", "star", "line", "k-ary:K", "random:SEED", "edges:0-1,1-2,…"];
const STATES: &str = "2 … 4294967295";
const TIMES: &str = "0.001 … 3600000";

const TABLE: &[Row] = &[
    ("maekawa", 0, "", "0 nodes are too few; write at least 1", &["1"]),
    ("ricart-agrawala", 0, "", "0 nodes are too few; write at least 1", &["1"]),
    ("maekawa", 10_001, "", "voting sets are made for at most 10000 nodes", &["1 … 10000"]),
    ("maekawa", 10, "coterie=plane", "there is no plane of 10 points; the nearest is of 7 and 13", COTERIES),
    ("maekawa", 1, "coterie=plane", "there is no plane of 1 points; the nearest is of 3", COTERIES),
    ("maekawa", 9_999, "coterie=plane", "there is no plane of 9999 points; the nearest is of 9507", COTERIES),
    (
        "maekawa",
        4,
        "coterie=sets:0,1;1,2;2,3;3,0",
        "the sets of nodes 0 and 2 do not meet: {0, 1} and {2, 3}",
        COTERIES,
    ),
    ("maekawa", 2, "coterie=sets:1;0,1", "the set of node 0 does not contain it: {1}", COTERIES),
    ("maekawa", 2, "coterie=sets:0,1", "1 sets for 2 nodes; write one set for each node", COTERIES),
    ("maekawa", 2, "coterie=sets:0,1;1,0;0,1", "3 sets for 2 nodes; write one set for each node", COTERIES),
    ("maekawa", 2, "coterie=sets:0,2;1", "`2` is not one of the nodes 0 … 1", COTERIES),
    ("maekawa", 2, "coterie=sets:0,-1;1", "`-1` is not one of the nodes 0 … 1", COTERIES),
    ("maekawa", 2, "coterie=sets:", "`` is not one of the nodes 0 … 1", COTERIES),
    ("maekawa", 2, "coterie=circle", "`circle` is not a form of voting sets", COTERIES),
    ("maekawa", 2, "coterie=7", "`7` is not a form of voting sets", COTERIES),
    ("raymond", 3, "tree=edges:0-1,1-2,2-0", "edge 2-0 closes a cycle; remove it", TREES),
    ("raymond", 3, "tree=edges:0-1", "no path of edges connects node 2 to node 0", TREES),
    ("raymond", 3, "tree=edges:0-1,1-3", "`1-3` is not an edge A-B between two of the nodes 0 … 2", TREES),
    ("raymond", 3, "tree=edges:0-1,1", "`1` is not an edge A-B between two of the nodes 0 … 2", TREES),
    ("raymond", 3, "tree=k-ary:0", "`0` is not a number of children; write a whole number from 1", TREES),
    ("raymond", 3, "tree=k-ary:-1", "`-1` is not a number of children; write a whole number from 1", TREES),
    ("raymond", 3, "tree=random:-1", "`-1` is not a seed; write a whole number from 0", TREES),
    ("raymond", 3, "tree=bush", "`bush` is not a form of a tree", TREES),
    ("raymond", 3, "holder=3", "3 is outside 0 … 2; the nearest is 2", &["0 … 2"]),
    ("le-lann", 1, "holder=-7", "-7 is outside 0 … 0; the nearest is 0", &["0 … 0"]),
    ("suzuki-kasami", 5, "holder=P1", "`P1` is not a whole number", &["0 … 4"]),
    ("dijkstra-ring", 4, "k=1", "1 is outside 2 … 4294967295; the nearest is 2", &[STATES]),
    ("dijkstra-ring", 4, "k=-3", "-3 is outside 2 … 4294967295; the nearest is 2", &[STATES]),
    ("dijkstra-ring", 4, "k=4294967296", "4294967296 is outside 2 … 4294967295; the nearest is 4294967295", &[STATES]),
    ("dijkstra-ring", 4, "k=2.5", "`2.5` is not a whole number", &[STATES]),
    ("dijkstra-ring", 4, "period=0", "0 ms are outside 0.001 … 3600000; the nearest is 0.001", &[TIMES]),
    (
        "dijkstra-ring",
        4,
        "pause=99999999999",
        "99999999999 ms are outside 0.001 … 3600000; the nearest is 3600000",
        &[TIMES],
    ),
    ("dijkstra-ring", 4, "tree=star", "`dijkstra-ring` has no parameter `tree`", &["k", "period", "pause"]),
];

#[test]
fn what_cannot_be_is_refused_with_the_reason_and_what_could_be() {
    for &(algorithm, nodes, given, detail, allowed) in TABLE {
        let refusal = checked(algorithm, None, nodes, given).expect_err(given);
        assert_eq!(refusal.to_string(), detail);
        assert_eq!(refusal.allowed, allowed, "{detail}");
        let nodes_alone = Refusal { subject: Subject::Nodes, ..refusal.clone() };
        let parameter = given.split_once('=').map(|(name, _)| Subject::Parameter(name.to_owned()));
        assert_eq!(refusal, Refusal { subject: parameter.unwrap_or(Subject::Nodes), ..nodes_alone });
    }
}

/// Valid configurations, each of which differs only slightly from a refused configuration.
#[test]
fn what_can_be_is_not_refused() {
    let table = [
        ("maekawa", 1, ""),
        ("maekawa", 10_000, ""),
        ("maekawa", 13, "coterie=plane"),
        ("maekawa", 4, "coterie=sets:0,1;1,2,0;2,1;3,1,1"),
        ("raymond", 3, "tree=edges:0-1, 2-1"),
        ("raymond", 3, "tree=k-ary:1"),
        ("raymond", 3, "tree=random:18446744073709551615"),
        ("raymond", 3, "holder=2"),
        ("dijkstra-ring", 4, "k=2"),
        ("dijkstra-ring", 4, "k=4294967295"),
        ("dijkstra-ring", 4, "k=auto"),
        ("dijkstra-ring", 4, "period=1us"),
        ("dijkstra-ring", 4, "pause=3600000"),
    ];
    for (algorithm, nodes, given) in table {
        assert_eq!(checked(algorithm, None, nodes, given), Ok(()), "{given}");
    }
}

#[test]
fn only_composite_steps_are_instantaneous() {
    let asked = |algorithm, variant| {
        let parameters = Parameters::new();
        is_instantaneous(&Configuration {
            algorithm,
            variant: Some(variant),
            parameters: &parameters,
            nodes: 3,
            locks: 1,
        })
    };
    assert_eq!(asked("dijkstra-ring", "composite"), Ok(true));
    assert_eq!(asked("dijkstra-ring", "message-passing"), Ok(false));
    assert_eq!(asked("le-lann", "original"), Ok(false));
    assert_eq!(asked("le-lann", "composite").map_err(|refusal| refusal.subject), Err(Subject::Variant));
}
