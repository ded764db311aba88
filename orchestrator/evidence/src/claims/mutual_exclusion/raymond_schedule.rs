//! A random schedule of Raymond's algorithm on one tree. Each step is drawn from all possible steps, and any
//! message may overtake any other message. After each step, the properties that must hold between steps are
//! checked.

use interlock_algorithm::mutual_exclusion::raymond::{Raymond, RaymondMessage};
use interlock_algorithm::{LockId, NodeId, Value};
use interlock_machine::draw::draw;
use interlock_machine::node::Node;
use interlock_model::impossible::Impossible;
use interlock_model::specification::Specification;
use interlock_observation::state::Capacities;
use interlock_simulation::schedule::random;
use interlock_world::WorldOf;

/// Reason why a random schedule failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Broken {
    /// ME1: two processes are in the critical section.
    TwoInside,
    /// There is more than one privilege, or none.
    Privileges(usize),
    /// If one follows the HOLDER pointers from the named process, they do not lead to the privilege.
    Astray(NodeId),
    /// ME2 and ME3 are violated: a process waits, and no further step is possible.
    Stuck,
    /// A step that was listed as possible was impossible.
    Impossible(Impossible),
}

/// The processes of a run. The workload determines when their clients request.
pub(super) struct Schedule<'a> {
    setting: &'a <Raymond as interlock_algorithm::Algorithm>::Setting,
    nodes: u32,
    capacities: Capacities,
    world: WorldOf<'a, Raymond>,
}

impl<'a> Schedule<'a> {
    /// Creates the processes and starts them.
    pub fn new(
        specification: &'a Specification,
        setting: &'a <Raymond as interlock_algorithm::Algorithm>::Setting,
    ) -> Self {
        let mut world = WorldOf::new(specification, setting, None, None);
        world.begin();
        Self { setting, nodes: specification.nodes, capacities: Capacities::of(specification), world }
    }

    /// Executes the random schedule of `seed` until no step is possible, or until a property is violated.
    pub fn play(mut self, seed: u64) -> Result<(), Broken> {
        for turn in 0.. {
            let moves = self.world.moves();
            if random::one_of(&mut self.world, moves, draw(&[seed, turn])).map_err(Broken::Impossible)?.is_none() {
                break;
            }
            self.check()?;
        }
        if self.world.engaged() == 0 { Ok(()) } else { Err(Broken::Stuck) }
    }

    fn processes(&self) -> impl Iterator<Item = (NodeId, &Node<Raymond>)> {
        NodeId::all(self.nodes).filter_map(|node| Some((node, self.world.node(node)?)))
    }

    /// Returns the HOLDER of each process. The HOLDER of a process with the privilege is the process itself.
    fn holders(&self) -> Vec<Option<NodeId>> {
        let holder = |(me, process): (NodeId, &Node<Raymond>)| match process
            .state()
            .view(self.setting, me)
            .variables
            .get("HOLDER")
        {
            Some(Value::Number(holder)) => u32::try_from(*holder).ok().map(NodeId),
            Some(Value::Text(word)) if word == "self" => Some(me),
            _ => None,
        };
        self.processes().map(holder).collect()
    }

    fn check(&self) -> Result<(), Broken> {
        let inside = self.processes().flat_map(|(_, process)| process.client().inside()).count();
        if self.capacities.are_exceeded(LockId(0), inside) {
            return Err(Broken::TwoInside);
        }
        let holders = self.holders();
        let is_privilege = |message: &RaymondMessage| matches!(message, RaymondMessage::Privilege { .. });
        let on_the_way: Vec<_> =
            self.world.in_flight().filter(|(_, message)| is_privilege(message)).map(|(name, _)| name).collect();
        let at_rest = || NodeId::all(self.nodes).zip(&holders).filter(|(node, holder)| **holder == Some(*node));
        match on_the_way.len() + at_rest().count() {
            1 => {}
            count => return Err(Broken::Privileges(count)),
        }
        // While the privilege is in transit on an edge, the processes at both ends of the edge point to each other.
        let there = |node: NodeId| {
            holders[node.index()] == Some(node) || on_the_way.iter().any(|name| node == name.from || node == name.to)
        };
        for node in NodeId::all(self.nodes) {
            let mut way = std::iter::successors(Some(node), |node| holders[node.index()]);
            // A process that has not received INITIALIZE yet has no HOLDER. A path that ends at such a process is not
            // an error.
            let known = way.by_ref().take(holders.len()).any(there) || way.next().is_none();
            if !known {
                return Err(Broken::Astray(node));
            }
        }
        Ok(())
    }
}
