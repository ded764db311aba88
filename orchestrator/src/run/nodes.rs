//! The nodes' side of a run: an endpoint for each node, and what the nodes may run and send.

use std::ops::{Index, IndexMut};

use interlock_algorithm::NodeId;
use interlock_machine::channel::CHANNEL_ACK;
use interlock_machine::detector::HEARTBEAT;
use interlock_machine::wire::ForeignProgram;

use super::end::NodeEnd;
use super::under_way::UnderWay;
use interlock_model::event::{Event, MessageKind, TELL, What};
use interlock_model::specification::Specification;

/// The nodes of a run.
pub(super) struct Nodes {
    ends: Vec<NodeEnd>,
    /// The pending inputs of the nodes.
    under_way: UnderWay,
    /// Kinds of messages that the nodes may send. None if a program may send any kind.
    kinds: Option<Vec<MessageKind>>,
    /// Commands that start the users' own programs, indexed by node.
    programs: Vec<Option<ForeignProgram>>,
    /// Reason why a user's own program can no longer participate, if that has happened. The run then ends.
    broken: Option<String>,
}

impl Nodes {
    pub fn new(specification: &Specification) -> Self {
        let kinds = specification.known_algorithm().map_or(Some(Vec::new()), |known| known.kinds);
        let kinds = kinds.map(|kinds| kinds.into_iter().map(MessageKind::named).collect());
        let ends: Vec<NodeEnd> = NodeId::all(specification.nodes).map(|_| NodeEnd::default()).collect();
        Self { under_way: UnderWay::new(ends.len()), ends, kinds, programs: Vec::new(), broken: None }
    }

    /// Returns the number of pending inputs of the nodes that are not paused. Does not walk over all nodes.
    pub fn inputs_under_way(&self, is_paused: impl Fn(NodeId) -> bool) -> usize {
        self.under_way.total(|node| self.pending(node, &is_paused))
    }

    /// Counts the pending inputs of the nodes that have changed since the last call.
    pub fn recount(&mut self, is_paused: impl Fn(NodeId) -> bool) {
        let mut under_way = std::mem::take(&mut self.under_way);
        under_way.recount(|node| self.pending(node, &is_paused));
        self.under_way = under_way;
    }

    fn pending(&self, node: NodeId, is_paused: impl Fn(NodeId) -> bool) -> usize {
        self.get(node).filter(|_| !is_paused(node)).map_or(0, |end| end.inputs.pending())
    }

    /// Notes an event: it may pause or resume a process, whose pending inputs then do not count, or count again.
    pub fn observe(&mut self, event: &Event) {
        match event.node() {
            Some(node) => self.under_way.changed(node),
            None if matches!(event.what, What::Ended { .. }) => self.under_way.all_changed(),
            None => {}
        }
    }

    pub fn get(&self, node: NodeId) -> Option<&NodeEnd> {
        self.ends.get(node.index())
    }

    /// Returns the endpoint of a node if the node is in the incarnation `incarnation`.
    pub fn in_incarnation(&mut self, node: NodeId, incarnation: u32) -> Option<&mut NodeEnd> {
        self.under_way.changed(node);
        self.ends.get_mut(node.index()).filter(|end| end.incarnation() == incarnation)
    }

    /// Returns the endpoints in the order of the nodes' numbers.
    pub fn ends(&self) -> &[NodeEnd] {
        &self.ends
    }

    /// Sets the users' own programs, indexed by node.
    pub fn set_programs(&mut self, programs: Vec<Option<ForeignProgram>>) {
        self.programs = programs;
    }

    /// Returns the user's program that runs as a node; none for a built-in algorithm.
    pub fn program(&self, node: NodeId) -> Option<&ForeignProgram> {
        self.programs.get(node.index())?.as_ref()
    }

    /// Records why a user's program can no longer participate. If a reason has already been recorded, does nothing.
    pub fn broke(&mut self, why: &str) {
        self.broken.get_or_insert_with(|| why.to_owned());
    }

    /// Returns why a user's program can no longer participate, if that has happened.
    pub fn broken(&self) -> Option<&str> {
        self.broken.as_deref()
    }

    /// Returns the kind of messages with the name `kind`, if nodes of the run may send messages of the kind.
    pub fn known_kind(&self, kind: &str) -> Option<MessageKind> {
        let known = self.kinds.iter().flatten().find(|known| ***known == *kind).cloned();
        let beside = || [TELL, CHANNEL_ACK, HEARTBEAT].into_iter().find(|beside| *beside == kind);
        // Users' programs may send messages of any kind, unless the run declares their kinds.
        known.or_else(|| beside().map(Into::into)).or_else(|| self.kinds.is_none().then(|| MessageKind::named(kind)))
    }
}

impl Index<NodeId> for Nodes {
    type Output = NodeEnd;

    fn index(&self, node: NodeId) -> &NodeEnd {
        &self.ends[node.index()]
    }
}

impl IndexMut<NodeId> for Nodes {
    fn index_mut(&mut self, node: NodeId) -> &mut NodeEnd {
        self.under_way.changed(node);
        &mut self.ends[node.index()]
    }
}
