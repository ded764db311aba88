//! Raymond's processes on one tree, in one schedule: what happens next is drawn from all that can. A message may
//! overtake any other. After each step the rules are looked at that must hold between the steps.

use interlock_algorithm::mutual_exclusion::raymond::{Raymond, RaymondMessage};
use interlock_algorithm::{LockId, NodeId, Value};
use interlock_machine::draw::draw;
use interlock_machine::node::Node;
use interlock_model::impossible::Impossible;
use interlock_model::specification::Specification;
use interlock_observation::state::Capacities;
use interlock_simulation::schedule::random;
use interlock_world::WorldOf;

/// What a schedule broke.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Broken {
    /// ME1: two are inside.
    TwoInside,
    /// There are more privileges than one, or none.
    Privileges(usize),
    /// From this process, HOLDER by HOLDER, one does not get to the privilege.
    Astray(NodeId),
    /// ME2, ME3: nothing can happen any more, and somebody waits.
    Stuck,
    /// What was said to be possible was not.
    Impossible(Impossible),
}

/// The processes of a run, whose clients ask as its workload says, and where the privilege is.
pub(super) struct Schedule<'a> {
    setting: &'a <Raymond as interlock_algorithm::Algorithm>::Setting,
    nodes: u32,
    capacities: Capacities,
    world: WorldOf<'a, Raymond>,
}

impl<'a> Schedule<'a> {
    /// The processes after their start.
    pub fn new(
        specification: &'a Specification,
        setting: &'a <Raymond as interlock_algorithm::Algorithm>::Setting,
    ) -> Self {
        let mut world = WorldOf::new(specification, setting, None, None);
        world.begin();
        Self { setting, nodes: specification.nodes, capacities: Capacities::of(specification), world }
    }

    /// Plays the schedule of this seed to its end, or until it breaks a rule.
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

    /// HOLDER of each process; oneself for who has the privilege.
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
        // While the privilege is on its way, the two ends of that edge point at each other.
        let there = |node: NodeId| {
            holders[node.index()] == Some(node) || on_the_way.iter().any(|name| node == name.from || node == name.to)
        };
        for node in NodeId::all(self.nodes) {
            let mut way = std::iter::successors(Some(node), |node| holders[node.index()]);
            // Who has not heard INITIALIZE yet knows no way.
            let known = way.by_ref().take(holders.len()).any(there) || way.next().is_none();
            if !known {
                return Err(Broken::Astray(node));
            }
        }
        Ok(())
    }
}
