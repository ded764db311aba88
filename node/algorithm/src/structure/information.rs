//! Information structures: for each process, the processes that it asks and the processes that it informs (Sanders
//! 1987, sections 3 and 4).

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use super::coterie::{Coterie, MOST_NODES, read_sets};
use crate::configuration::{Configuration, Refusal, Subject};
use crate::identity::NodeId;
use crate::range::SETS;

/// One set of nodes for each node.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Sets {
    Same(Vec<NodeId>),
    Each(Vec<Vec<NodeId>>),
}

/// The inform sets I and the request sets R of all processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InformationStructure {
    inform: Sets,
    request: Sets,
}

/// A violated condition. Two processes can then be in the critical section at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Violation {
    /// `i ∉ I_i`.
    NotInformingItself(NodeId),
    /// `I_i ⊄ R_i`.
    InformedUnasked {
        /// `i`.
        node: NodeId,
        /// The node that is in `I_i` and not in `R_i`.
        informed: NodeId,
    },
    /// `I_i ∩ I_j = ∅`, and `i ∉ R_j` or `j ∉ R_i`.
    Strangers(NodeId, NodeId),
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NotInformingItself(node) => {
                write!(formatter, "the inform set of node {0} does not contain {0}: it must", node.0)
            }
            Self::InformedUnasked { node: NodeId(node), informed: NodeId(informed) } => {
                write!(formatter, "node {node} informs {informed} but does not ask it; its request set must contain it")
            }
            Self::Strangers(NodeId(one), NodeId(other)) => write!(
                formatter,
                "nodes {one} and {other} neither inform a common node nor ask each other; one of the two is necessary"
            ),
        }
    }
}

impl Violation {
    const fn parameter(self) -> &'static str {
        match self {
            Self::NotInformingItself(_) => "inform",
            Self::InformedUnasked { .. } | Self::Strangers(..) => "request",
        }
    }
}

impl Sets {
    fn own(nodes: u32) -> Self {
        Self::Each(NodeId::all(nodes).map(|node| vec![node]).collect())
    }

    fn all(nodes: u32) -> Self {
        Self::Same(NodeId::all(nodes).collect())
    }

    fn parse(configuration: &Configuration<'_>, name: &str, default: fn(u32) -> Self) -> Result<Self, Refusal> {
        let nodes = configuration.nodes;
        let Some(given) = configuration.parameters.get(name) else { return Ok(default(nodes)) };
        let refused = |detail: fmt::Arguments<'_>| Refusal::of_form(name, SETS, detail);
        let text = alloc::string::ToString::to_string(given);
        match text.as_str() {
            "own" => Ok(Self::own(nodes)),
            "all" => Ok(Self::all(nodes)),
            text => match text.strip_prefix("sets:") {
                Some(sets) => read_sets(sets, nodes, &refused).map(Self::Each),
                None => Err(refused(format_args!("`{text}` is not a form of sets"))),
            },
        }
    }

    fn of(&self, node: NodeId) -> &[NodeId] {
        match self {
            Self::Same(set) => set,
            Self::Each(sets) => sets.get(node.index()).map_or(&[], Vec::as_slice),
        }
    }

    fn has(&self, node: NodeId, member: NodeId) -> bool {
        self.of(node).binary_search(&member).is_ok()
    }
}

impl InformationStructure {
    /// Returns the structure of Ricart and Agrawala 1981: each process asks all processes and informs only itself.
    #[must_use]
    pub fn ricart_agrawala(nodes: u32) -> Self {
        Self { inform: Sets::own(nodes), request: Sets::all(nodes) }
    }

    /// Returns the structure of Maekawa 1985: each process asks and informs its voting set.
    #[must_use]
    pub fn maekawa(coterie: &Coterie, nodes: u32) -> Self {
        let sets = || Sets::Each(NodeId::all(nodes).map(|node| coterie.set(node).to_vec()).collect());
        Self { inform: sets(), request: sets() }
    }

    /// Returns the structure of a central coordinator: each process asks and informs itself and the coordinator.
    #[must_use]
    pub fn centralised(coordinator: NodeId, nodes: u32) -> Self {
        let set = |node: NodeId| {
            let mut set = vec![node.min(coordinator), node.max(coordinator)];
            set.dedup();
            set
        };
        let sets = || Sets::Each(NodeId::all(nodes).map(set).collect());
        Self { inform: sets(), request: sets() }
    }

    /// Returns the sets in parameters `inform` and `request`, without checking the conditions.
    ///
    /// # Errors
    /// Names the parameter that does not describe sets.
    pub fn given(configuration: &Configuration<'_>) -> Result<Self, Refusal> {
        let inform = Sets::parse(configuration, "inform", Sets::own)?;
        Ok(Self { inform, request: Sets::parse(configuration, "request", Sets::all)? })
    }

    /// Returns the sets in parameters `inform` and `request`, after checking the conditions.
    ///
    /// # Errors
    /// Names the parameter that does not describe sets, or the violated condition.
    pub fn checked(configuration: &Configuration<'_>) -> Result<Self, Refusal> {
        let structure = Self::given(configuration)?;
        structure.check(configuration.nodes).map_err(|violation| {
            Refusal::new(Subject::Parameter(violation.parameter().into()), violation, SETS.split(", "))
        })?;
        Ok(structure)
    }

    /// Returns the processes that `node` informs when it leaves the critical section: I, in order.
    #[must_use]
    pub fn inform_set(&self, node: NodeId) -> &[NodeId] {
        self.inform.of(node)
    }

    /// Returns the processes that `node` asks: R, in order.
    #[must_use]
    pub fn request_set(&self, node: NodeId) -> &[NodeId] {
        self.request.of(node)
    }

    /// Whether `node` informs `other`.
    #[must_use]
    pub fn informs(&self, node: NodeId, other: NodeId) -> bool {
        self.inform.has(node, other)
    }

    /// Checks that `i ∈ I_i ⊆ R_i` for all `i`, and for all `i ≠ j`: `I_i ∩ I_j ≠ ∅`, or `i ∈ R_j` and `j ∈ R_i`.
    ///
    /// # Errors
    /// Names the first node, or pair of nodes, that violates this condition.
    pub fn check(&self, nodes: u32) -> Result<(), Violation> {
        let mut informers = vec![Vec::new(); nodes as usize];
        for node in NodeId::all(nodes) {
            if !self.informs(node, node) {
                return Err(Violation::NotInformingItself(node));
            }
            for &informed in self.inform_set(node) {
                if !self.request.has(node, informed) {
                    return Err(Violation::InformedUnasked { node, informed });
                }
                if let Some(informers) = informers.get_mut(informed.index()) {
                    informers.push(node);
                }
            }
        }
        for one in NodeId::all(nodes) {
            let mut met = vec![false; nodes as usize];
            for other in self.inform_set(one).iter().filter_map(|node| informers.get(node.index())).flatten() {
                if let Some(met) = met.get_mut(other.index()) {
                    *met = true;
                }
            }
            let ask_each_other = |other| self.request.has(one, other) && self.request.has(other, one);
            let strangers = |&(other, met): &(NodeId, bool)| !(met || ask_each_other(other));
            if let Some((other, _)) = NodeId::all(nodes).zip(met).find(strangers) {
                return Err(Violation::Strangers(one, other));
            }
        }
        Ok(())
    }
}

/// Rejects more than [`MOST_NODES`] nodes, because all sets are held in memory.
pub(crate) fn refuse_too_many(nodes: u32) -> Result<(), Refusal> {
    if nodes <= MOST_NODES {
        return Ok(());
    }
    let detail = format_args!("sets are made for at most {MOST_NODES} nodes");
    Err(Refusal::new(Subject::Nodes, detail, [alloc::format!("1 … {MOST_NODES}").as_str()]))
}

#[cfg(test)]
mod tests {
    use alloc::string::{String, ToString};

    use super::*;
    use crate::configuration::{ParameterValue, Parameters};

    type Reader = fn(&Configuration<'_>) -> Result<InformationStructure, Refusal>;

    fn structure(nodes: u32, parameters: &[(&str, &str)], read: Reader) -> Result<InformationStructure, Refusal> {
        let text = |&(name, value): &(&str, &str)| (name.to_string(), ParameterValue::Text(value.to_string()));
        let parameters: Parameters = parameters.iter().map(text).collect();
        read(&Configuration { algorithm: "sanders", variant: None, parameters: &parameters, nodes, locks: 1 })
    }

    fn sets(structure: &InformationStructure, nodes: u32) -> [Vec<Vec<u32>>; 2] {
        let numbers = |set: &[NodeId]| set.iter().map(|node| node.0).collect();
        let inform = NodeId::all(nodes).map(|node| numbers(structure.inform_set(node))).collect();
        [inform, NodeId::all(nodes).map(|node| numbers(structure.request_set(node))).collect()]
    }

    #[test]
    fn presets_meet_the_conditions_whatever_the_number_of_nodes() {
        for nodes in 1..=40 {
            assert_eq!(InformationStructure::ricart_agrawala(nodes).check(nodes), Ok(()));
            assert_eq!(InformationStructure::maekawa(&Coterie::grid(nodes), nodes).check(nodes), Ok(()));
            for coordinator in NodeId::all(nodes) {
                assert_eq!(InformationStructure::centralised(coordinator, nodes).check(nodes), Ok(()));
            }
        }
    }

    #[test]
    fn presets_are_the_sets_of_their_algorithms() {
        let all = vec![vec![0, 1, 2]; 3];
        let own = vec![vec![0], vec![1], vec![2]];
        assert_eq!(sets(&InformationStructure::ricart_agrawala(3), 3), [own, all]);
        let with_1 = vec![vec![0, 1], vec![1], vec![1, 2]];
        assert_eq!(sets(&InformationStructure::centralised(NodeId(1), 3), 3), [with_1.clone(), with_1]);
        let plane = Coterie::plane(7).expect("a plane");
        let [inform, request] = sets(&InformationStructure::maekawa(&plane, 7), 7);
        assert_eq!((inform[3].len(), &inform), (3, &request));
    }

    #[test]
    fn sets_by_hand_are_read() {
        let given = structure(3, &[("inform", "sets:0,1;1;2,1"), ("request", "all")], InformationStructure::checked)
            .expect("sets");
        assert_eq!(sets(&given, 3), [vec![vec![0, 1], vec![1], vec![1, 2]], vec![vec![0, 1, 2]; 3]]);
        assert_eq!(structure(3, &[], InformationStructure::checked), Ok(InformationStructure::ricart_agrawala(3)));
        assert_eq!(
            structure(3, &[("inform", "all")], InformationStructure::checked).map(|all| sets(&all, 3)[0].len()),
            Ok(3)
        );
    }

    fn refused(inform: &str, request: &str) -> (Subject, String) {
        let refusal = structure(3, &[("inform", inform), ("request", request)], InformationStructure::checked)
            .expect_err("a refusal");
        assert_eq!(refusal.allowed, ["own", "all", "sets:0,1;1,2;…"]);
        (refusal.subject, refusal.detail)
    }

    #[test]
    fn each_condition_that_is_broken_is_named_with_its_nodes() {
        let of = |name: &str, detail: &str| (Subject::Parameter(name.into()), detail.to_string());
        let itself = of("inform", "the inform set of node 1 does not contain 1: it must");
        assert_eq!(refused("sets:0;0;2", "all"), itself);
        let unasked = of("request", "node 2 informs 1 but does not ask it; its request set must contain it");
        assert_eq!(refused("sets:0;1;1,2", "sets:0,1,2;0,1,2;0,2"), unasked);
        let strangers = "nodes 0 and 2 neither inform a common node nor ask each other; one of the two is necessary";
        assert_eq!(refused("own", "sets:0,1;0,1,2;0,1,2"), of("request", strangers));
        assert_eq!(refused("own", "sets:0,1,2;0,1,2;1,2"), of("request", strangers));
        assert!(refused("own", "own").1.starts_with("nodes 0 and 1 neither"));
        assert_eq!(refused("grid", "all"), of("inform", "`grid` is not a form of sets"));
        assert_eq!(refused("sets:0;1;3", "all"), of("inform", "`3` is not one of the nodes 0 … 2"));
        assert_eq!(refused("own", "sets:0;1"), of("request", "2 sets for 3 nodes; write one set for each node"));
    }

    #[test]
    fn who_does_not_want_the_check_gets_what_breaks_the_conditions_but_no_nonsense() {
        let nonsense = structure(3, &[("inform", "sets:0;1;3")], InformationStructure::given);
        assert!(nonsense.is_err());
        let broken = structure(3, &[("request", "own")], InformationStructure::given).expect("sets, right or wrong");
        assert_eq!(broken.check(3), Err(Violation::Strangers(NodeId(0), NodeId(1))));
    }

    #[test]
    fn there_is_a_bound_to_the_number_of_nodes() {
        assert_eq!(refuse_too_many(MOST_NODES), Ok(()));
        let refusal = refuse_too_many(MOST_NODES + 1).expect_err("too many");
        assert_eq!((refusal.subject, refusal.allowed), (Subject::Nodes, vec!["1 … 10000".to_string()]));
    }
}
