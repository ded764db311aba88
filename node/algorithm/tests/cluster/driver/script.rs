//! A schedule written down by hand.

use interlock_algorithm::{Algorithm, Command, Message, NodeId, Outcome, Participant, Value, View};

use super::Scene;
use super::clients::nobody;
use super::faults::{Faults, Memory, NONE};
use super::world::{Choice, Place, World};

/// A world that moves as it is told.
pub struct Script<A: Algorithm> {
    scene: Scene<A>,
    /// The world now.
    pub world: World<A>,
}

impl<A: Algorithm> Script<A> {
    /// All have started; what was sent is on the way.
    #[track_caller]
    pub fn new(variant: &str, nodes: u32) -> Self {
        let enough = Faults { losses: u32::MAX, copies: u32::MAX, crashes: u32::MAX, down_at_once: nodes, ..NONE };
        let scene = Scene::new(variant, nodes, enough, nobody);
        let world = World::new(&scene, 0);
        Self { scene, world }
    }

    /// Lets this happen, and says what was told because of it.
    pub fn happen(&mut self, choice: Choice<A::Timer>) -> Vec<Outcome> {
        let before = self.world.told().count();
        self.world.happen(&self.scene, choice);
        self.world.told().skip(before).map(|(_, outcome)| outcome.clone()).collect()
    }

    /// Why not, if a node objects to a command.
    pub fn objection(&self, node: u32, command: &Command) -> Option<String> {
        self.state(node).objection(&self.scene.setting, NodeId(node), command)
    }

    /// The client of this node gives a command.
    #[track_caller]
    pub fn command(&mut self, node: u32, command: Command) -> Vec<Outcome> {
        assert_eq!(self.objection(node, &command), None);
        self.happen(Choice::Command(NodeId(node), command))
    }

    /// The first message of this kind on this link, though others may have been sent before.
    #[track_caller]
    pub fn place(&self, kind: &str, from: u32, to: u32) -> Place {
        let link = &self.world.links[from as usize][to as usize];
        let index = link.iter().position(|message| message.kind() == kind);
        let index = index.unwrap_or_else(|| panic!("no {kind} from {from} to {to} is on the way: {link:?}"));
        Place { from: NodeId(from), to: NodeId(to), index }
    }

    /// The first message of this kind on this link arrives.
    #[track_caller]
    pub fn deliver(&mut self, kind: &str, from: u32, to: u32) -> Vec<Outcome> {
        self.happen(Choice::Deliver(self.place(kind, from, to)))
    }

    /// The first message of this kind on this link is lost.
    #[track_caller]
    pub fn lose(&mut self, kind: &str, from: u32, to: u32) {
        self.happen(Choice::Lose(self.place(kind, from, to)));
    }

    /// A message that nobody has sent arrives.
    pub fn forge(&mut self, from: u32, to: u32, message: A::Message) -> Vec<Outcome> {
        let link = &mut self.world.links[from as usize][to as usize];
        link.insert(0, message);
        self.happen(Choice::Deliver(Place { from: NodeId(from), to: NodeId(to), index: 0 }))
    }

    /// Everything arrives, also what follows from it, link by link, but no timer runs out.
    pub fn deliver_all(&mut self) {
        self.deliver_all_but(|_, _| false);
    }

    /// Everything arrives, also what follows from it, but what `waits`, by sender and recipient.
    pub fn deliver_all_but(&mut self, waits: impl Fn(u32, u32) -> bool) {
        let open = |choice: &Choice<A::Timer>| match choice {
            Choice::Deliver(place) => !waits(place.from.0, place.to.0),
            _ => false,
        };
        while let Some(choice) = self.world.arrivals().into_iter().find(open) {
            self.happen(choice);
        }
    }

    /// The timer of a node runs out.
    pub fn run_out(&mut self, node: u32, timer: A::Timer) -> Vec<Outcome> {
        self.happen(Choice::RunOut(NodeId(node), timer))
    }

    /// The timer that would run out first does; says whose, if there is one.
    pub fn run_out_first(&mut self) -> Option<(u32, A::Timer)> {
        let first = self.world.expiries().into_iter().next()?;
        let whose = match &first {
            Choice::RunOut(node, timer) => Some((node.0, *timer)),
            _ => None,
        };
        self.happen(first);
        whose
    }

    /// A node crashes.
    pub fn crash(&mut self, node: u32) {
        self.happen(Choice::Crash(NodeId(node)));
    }

    /// A node comes back.
    pub fn restart(&mut self, node: u32, memory: Memory) -> Vec<Outcome> {
        self.happen(Choice::Restart(NodeId(node), memory))
    }

    /// How many messages of this kind were sent so far.
    pub fn sent(&self, kind: &str) -> usize {
        self.world.sent.iter().filter(|(_, _, message)| message.kind() == kind).count()
    }

    /// The setting of the algorithm.
    pub const fn setting(&self) -> &A::Setting {
        &self.scene.setting
    }

    /// The state of a node that is up and takes part.
    #[track_caller]
    pub fn state(&self, node: u32) -> &A {
        let up = self.world.nodes[node as usize].as_ref();
        up.and_then(Participant::state).unwrap_or_else(|| panic!("node {node} is down or takes no part"))
    }

    /// What people see of a node.
    #[track_caller]
    pub fn view(&self, node: u32) -> View {
        self.state(node).view(&self.scene.setting, NodeId(node))
    }

    /// A variable of a node, as people see it.
    #[track_caller]
    pub fn variable(&self, node: u32, name: &str) -> Value {
        self.view(node).variables.remove(name).unwrap_or_else(|| panic!("no variable {name}"))
    }
}
