//! Happened-before by vector clocks, kept beside the world: algorithms neither send nor see them.

use interlock_algorithm::{Algorithm, NodeId, Outcome};

use super::rules::Violation;
use super::world::{Choice, Place, Taken, World};

type VectorClock = Vec<u64>;

/// The vector clocks of a run, and the requests that wait, each with the number of its event at its node.
pub struct Causality {
    nodes: Vec<VectorClock>,
    links: Vec<Vec<Vec<VectorClock>>>,
    requests: Vec<Option<Request>>,
}

#[derive(Clone)]
struct Request {
    event: u64,
    knows: VectorClock,
}

impl Causality {
    /// Nothing has happened yet; what is on the way knows of nothing.
    pub fn new<A: Algorithm>(world: &World<A>) -> Self {
        let nodes = world.nodes.len();
        let nothing = || vec![0; nodes];
        let know_nothing = |link: &Vec<A::Message>| link.iter().map(|_| nothing()).collect();
        Self {
            nodes: vec![nothing(); nodes],
            links: world.links.iter().map(|links| links.iter().map(know_nothing).collect()).collect(),
            requests: vec![None; nodes],
        }
    }

    /// Follows a step of the world, and checks ORDER at every entry.
    pub fn follow<A: Algorithm>(&mut self, choice: Choice, step: Option<&(NodeId, Taken<A>)>) -> Result<(), Violation> {
        match choice {
            Choice::Deliver(place) => {
                let heard = self.link(place).remove(place.index);
                self.hear(place.to, heard);
            }
            Choice::Tell(from, to) => {
                let told = self.nodes[from.index()].clone();
                self.hear(to, told);
            }
            Choice::Lose(place) => drop(self.link(place).remove(place.index)),
            Choice::Copy(place) => {
                let copy = self.link(place)[place.index].clone();
                self.link(place).insert(place.index, copy);
            }
            Choice::Acquire(_) | Choice::Release(_) | Choice::RunOut(..) => {}
        }
        step.map_or(Ok(()), |(node, taken)| self.act(*node, taken))
    }

    fn hear(&mut self, node: NodeId, heard: VectorClock) {
        let mine = &mut self.nodes[node.index()];
        mine.iter_mut().zip(heard).for_each(|(mine, heard)| *mine = heard.max(*mine));
    }

    fn link(&mut self, place: Place) -> &mut Vec<VectorClock> {
        &mut self.links[place.from.index()][place.to.index()]
    }

    fn act<A: Algorithm>(&mut self, node: NodeId, taken: &Taken<A>) -> Result<(), Violation> {
        let me = node.index();
        self.nodes[me][me] += 1;
        for (to, _) in &taken.sent {
            let knows = self.nodes[me].clone();
            self.links[me][to.index()].push(knows);
        }
        for outcome in &taken.outcomes {
            match outcome {
                Outcome::Requested { .. } => {
                    let knows = self.nodes[me].clone();
                    self.requests[me] = Some(Request { event: knows[me], knows });
                }
                Outcome::Entered { .. } => self.enter(node)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn enter(&mut self, late: NodeId) -> Result<(), Violation> {
        let Some(mine) = self.requests[late.index()].take() else { return Ok(()) };
        let waiting = (0_u32..).map(NodeId).zip(&self.requests).filter_map(|(node, r)| Some((node, r.as_ref()?)));
        match waiting.into_iter().find(|(early, request)| mine.knows[early.index()] >= request.event) {
            Some((early, _)) => Err(Violation::OutOfOrder { early, late }),
            None => Ok(()),
        }
    }
}
