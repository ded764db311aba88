//! A schedule written down by hand.

use std::collections::BTreeSet;

use interlock_algorithm::{Algorithm, Message, NodeId, Value, View};

use super::Scene;
use super::random::Sent;
use super::world::{Channel, Choice, Doing, Place, Taken, World};

/// More entries than any script makes.
const ENOUGH: u32 = 1_000_000;

/// A world that moves as it is told.
pub struct Script<A: Algorithm> {
    scene: Scene<A>,
    /// The world now.
    pub world: World<A>,
    /// What has been sent so far, from the start on.
    pub sent: Sent,
}

impl<A: Algorithm> Script<A> {
    /// All idle; what was sent at the start is on the way.
    pub fn new(variant: &str, nodes: u32, channel: Channel) -> Self {
        let scene = Scene::<A>::new(variant, nodes, ENOUGH, Channel { tells: ENOUGH, ..channel });
        let world = scene.world();
        let mut sent = Sent::new();
        for message in world.links.iter().flatten().flatten() {
            *sent.entry(message.kind()).or_default() += 1;
        }
        Self { scene, world, sent }
    }

    /// Lets this happen.
    pub fn happen(&mut self, choice: Choice) -> Taken<A> {
        let (_, taken) = self.world.happen(&self.scene, choice).expect("a step of a node");
        for (_, message) in &taken.sent {
            *self.sent.entry(message.kind()).or_default() += 1;
        }
        taken
    }

    /// The client of this node asks.
    pub fn acquire(&mut self, node: u32) -> Taken<A> {
        self.happen(Choice::Acquire(NodeId(node)))
    }

    /// The client of this node leaves.
    pub fn release(&mut self, node: u32) -> Taken<A> {
        self.happen(Choice::Release(NodeId(node)))
    }

    /// The first message of this kind on this link arrives, though others may have been sent before.
    #[track_caller]
    pub fn deliver(&mut self, kind: &str, from: u32, to: u32) -> Taken<A> {
        let link = &self.world.links[from as usize][to as usize];
        let index = link.iter().position(|message| message.kind() == kind);
        let index = index.unwrap_or_else(|| panic!("no {kind} from {from} to {to} is on the way: {link:?}"));
        self.happen(Choice::Deliver(Place { from: NodeId(from), to: NodeId(to), index }))
    }

    /// The message at this place is doubled.
    pub fn copy(&mut self, place: Place) {
        self.world.happen(&self.scene, Choice::Copy(place));
    }

    /// The application of one node tells that of another something.
    pub fn tell(&mut self, from: u32, to: u32) {
        self.world.happen(&self.scene, Choice::Tell(NodeId(from), NodeId(to)));
    }

    /// The time of the request of this node.
    #[track_caller]
    pub fn time(&self, node: u32) -> u64 {
        self.view(node).request.expect("a request").clock
    }

    /// The message at this place is lost.
    pub fn lose(&mut self, place: Place) {
        self.world.happen(&self.scene, Choice::Lose(place));
    }

    /// Everything arrives, also what follows from it, link by link.
    pub fn deliver_all(&mut self) {
        self.deliver_all_but(|_, _| false);
    }

    /// Everything arrives, also what follows from it, but what `waits`, by sender and recipient.
    pub fn deliver_all_but(&mut self, waits: impl Fn(u32, u32) -> bool) {
        let open = |choice: &Choice| match choice {
            Choice::Deliver(place) => !waits(place.from.0, place.to.0),
            _ => false,
        };
        while let Some(choice) = self.world.choices().into_iter().find(open) {
            self.happen(choice);
        }
    }

    /// This node asks, everything arrives, it leaves, everything arrives: an entry at light load. Says what it cost.
    #[track_caller]
    pub fn enter_alone(&mut self, node: u32) -> u32 {
        let before: u32 = self.sent.values().sum();
        self.acquire(node);
        self.deliver_all();
        assert_eq!(self.inside(), [node]);
        self.release(node);
        self.deliver_all();
        self.sent.values().sum::<u32>() - before
    }

    /// Who is in the section.
    pub fn inside(&self) -> Vec<u32> {
        numbers(&self.world.doing(Doing::InSection))
    }

    /// Who waits.
    pub fn waiting(&self) -> Vec<u32> {
        numbers(&self.world.doing(Doing::Wanting))
    }

    /// What people see of a node.
    pub fn view(&self, node: u32) -> View {
        self.world.nodes[node as usize].view(&self.scene.setting, NodeId(node))
    }

    /// A variable of a node, as people see it.
    #[track_caller]
    pub fn variable(&self, node: u32, name: &str) -> Value {
        self.view(node).variables.remove(name).unwrap_or_else(|| panic!("no variable {name}"))
    }
}

fn numbers(nodes: &BTreeSet<NodeId>) -> Vec<u32> {
    nodes.iter().map(|node| node.0).collect()
}
