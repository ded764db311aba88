//! Raymond's algorithm, in which the privilege moves along the edges of a tree.

use std::collections::VecDeque;

use interlock_algorithm::mutual_exclusion::raymond::{Raymond, RaymondMessage, Reason};
use interlock_algorithm::structure::tree::Tree;
use interlock_algorithm::{Message, NodeId, Value};
use interlock_model::choice::{Choice, MessageName};
use interlock_model::event::{Event, RestartState, What};
use proptest::collection::vec;
use proptest::prelude::{any, proptest};
use proptest::sample::Index;

use crate::driver::Scene;
use crate::driver::clients::lockers;
use crate::driver::costs::{breaks_at_random, costs, count};
use crate::driver::exhaustive::{Broken, breaks, holds};
use crate::driver::faults::{FIFO, Faults, OVERTAKING};
use crate::driver::forged::survives;
use crate::driver::random::{Possible, exclusion};
use crate::driver::script::Script;

type Stage = Script<Raymond>;

#[test]
fn every_schedule_of_a_small_run_is_right() {
    for channel in [FIFO, OVERTAKING] {
        holds::<Raymond>("original", 1, 2, channel);
        holds::<Raymond>("original", 2, 3, channel);
        for variant in ["original tree=line", "original tree=star", "original tree=line holder=1"] {
            holds::<Raymond>(variant, 3, 2, channel);
        }
        holds::<Raymond>("original tree=line holder=3", 4, 1, channel);
    }
}

/// Each REQUEST is answered by one PRIVILEGE, and one INITIALIZE is sent along each edge.
#[test]
fn schedules_drawn_at_random_are_right_on_every_kind_of_tree() {
    for variant in ["original", "original tree=line", "original tree=star", "original tree=random:5"] {
        for channel in [FIFO, OVERTAKING] {
            costs::<Raymond>(variant, 1..=7, channel, &exclusion(), |sent, nodes, _| {
                count(sent, "REQUEST") == count(sent, "PRIVILEGE") && count(sent, "INITIALIZE") == nodes - 1
            });
        }
    }
}

#[test]
fn initialize_points_every_holder_towards_the_privilege() {
    for nodes in 1..40 {
        for form in ["binary", "line", "star", "k-ary:3", "random:9"] {
            let holder = nodes / 2;
            let tree = Tree::parse(form, nodes).expect("a tree");
            let distances = tree.distances(NodeId(holder));
            let mut stage = Stage::begin(&format!("original tree={form} holder={holder}"), nodes);
            stage.deliver_all();
            for node in (0..nodes).filter(|&node| node != holder) {
                let Value::Number(next) = stage.variable(node, "HOLDER") else { panic!("HOLDER of {node} is unknown") };
                let next = NodeId(u32::try_from(next).expect("a node"));
                assert_eq!(distances[next.index()] + 1, distances[node as usize]);
            }
            assert_eq!(stage.variable(holder, "HOLDER"), Value::Text("self".into()));
        }
    }
}

/// An entry costs two messages for each edge on the path from the requesting process to the privilege.
#[test]
fn an_entry_alone_costs_twice_the_distance() {
    for form in ["binary", "line", "star", "random:2"] {
        let tree = Tree::parse(form, 9).expect("a tree");
        let mut stage = Stage::begin(&format!("original tree={form}"), 9);
        stage.deliver_all();
        let mut holder = 0;
        for node in [0, 0, 8, 3, 3, 7, 1, 5] {
            let distance = tree.distances(NodeId(holder))[node as usize];
            assert_eq!(stage.enter_alone(node), 2 * distance, "{form}: from {holder} to {node}");
            holder = node;
        }
    }
}

/// The improvements of the paper keep the properties in all schedules of small runs.
#[test]
fn every_schedule_of_the_improvements_is_right() {
    for improved in ["greedy", "piggyback"] {
        for channel in [FIFO, OVERTAKING] {
            holds::<Raymond>(&format!("{improved} tree=line"), 3, 2, channel);
            holds::<Raymond>(&format!("{improved} tree=star"), 4, 1, channel);
            costs::<Raymond>(&format!("{improved} tree=random:5"), 1..=7, channel, &exclusion(), |sent, _, _| {
                count(sent, "REQUEST") <= count(sent, "PRIVILEGE")
            });
        }
    }
}

/// Process 1 of a line of three gets the privilege for process 2, and wants it as well. In the paper's main algorithm
/// it passes the privilege on, and asks for it again. If it is greedy, it enters first.
#[test]
fn a_greedy_process_enters_when_the_privilege_passes_through() {
    let begin = |variant: &str| {
        let mut stage = Stage::begin(&format!("{variant} tree=line"), 3);
        stage.deliver_all();
        stage.acquire(0);
        stage.acquire(2);
        stage.deliver_all();
        stage.acquire(1);
        stage.release(0);
        stage.deliver_all();
        stage
    };
    assert_eq!(begin("original").inside(), [2]);
    let mut greedy = begin("greedy");
    assert_eq!(greedy.inside(), [1]);
    let left: Vec<_> = greedy.release(1).sent.iter().map(|(to, message)| (to.0, message.kind())).collect();
    assert_eq!(left, [(2, "PRIVILEGE")], "nobody else waits, so no REQUEST follows");
}

/// On the line P0, P1, P2, process 1 is in the critical section while 0 and 2 request it, and leaves. Returns the messages
/// that process 1 sends then.
fn left_by_1(variant: &str) -> (Stage, Vec<(NodeId, RaymondMessage)>) {
    let mut stage = Stage::begin(&format!("{variant} tree=line holder=1"), 3);
    for node in [1, 0, 2] {
        stage.acquire(node);
        stage.deliver_all();
    }
    let left = stage.release(1);
    let first = NodeId(0);
    assert_eq!(
        left.reasons,
        [Reason::PassedToFirst { to: first, behind: 1 }, Reason::AskedHolder { holder: first, first: NodeId(2) }]
    );
    (stage, left.sent)
}

/// The REQUEST is on the PRIVILEGE, and is handled after it.
#[test]
fn a_piggybacked_request_is_no_message_of_its_own() {
    let (mut stage, sent) = left_by_1("piggyback");
    assert_eq!(sent, [(NodeId(0), RaymondMessage::Privilege { again: true })]);
    stage.deliver_all();
    assert_eq!((stage.inside(), stage.variable(0, "REQUEST_Q")), (vec![0], Value::nodes(&[NodeId(1)])));
    stage.release(0);
    stage.deliver_all();
    assert_eq!(stage.inside(), [2]);
}

#[test]
fn without_a_further_request_those_behind_are_forgotten() {
    let steps = breaks::<Raymond>("no-further-request tree=line", 3, 1, FIFO, Broken::Progress);
    assert_eq!(steps.last().map(String::as_str), Some("release 2"));
    holds::<Raymond>("no-further-request tree=line", 2, 2, FIFO);
    breaks_at_random::<Raymond>("no-further-request tree=line", 4, FIFO, &exclusion(), "stuck");
}

/// On the line P0, P1, P2, the privilege is at P0. The `HOLDER` of P1 is P2, and the `HOLDER` of P2 is P1, so both
/// point away from the privilege.
#[test]
fn a_holder_that_points_away_from_the_privilege_leaves_requests_in_a_circle() {
    let steps = breaks::<Raymond>("misdirected tree=line", 3, 1, FIFO, Broken::Progress);
    assert!(steps.iter().any(|step| step == "deliver REQUEST 1→2"), "{steps:?}");
    holds::<Raymond>("misdirected tree=line", 2, 2, FIFO);
    breaks_at_random::<Raymond>("misdirected tree=line", 4, FIFO, &exclusion(), "stuck");
}

#[test]
fn a_lost_message_is_missed_and_a_copy_is_one_too_many() {
    breaks::<Raymond>("original", 2, 1, Faults { losses: 1, ..FIFO }, Broken::Progress);
    breaks::<Raymond>("original", 2, 2, Faults { copies: 1, ..OVERTAKING }, Broken::Exclusion);
}

#[test]
fn who_asks_before_the_privilege_is_heard_of_asks_later() {
    let mut stage = Stage::begin("original tree=line", 3);
    assert_eq!(stage.acquire(2).sent, []);
    assert_eq!(stage.variable(2, "HOLDER"), Value::Text("nil".into()));
    stage.deliver_all();
    assert_eq!(stage.inside(), [2]);
}

#[test]
fn forged_messages_are_survived() {
    survives(&Scene::<Raymond>::new("original tree=line", 3, OVERTAKING, lockers(20)));
    survives(&Scene::<Raymond>::new("no-further-request tree=star", 3, OVERTAKING, lockers(20)));
    survives(&Scene::<Raymond>::new("misdirected", 3, OVERTAKING, lockers(20)));
    survives(&Scene::<Raymond>::new("greedy tree=line", 3, OVERTAKING, lockers(20)));
    survives(&Scene::<Raymond>::new("piggyback tree=line", 3, OVERTAKING, lockers(20)));
    let mortal = Faults { crashes: 4, memory: Some(RestartState::None), ..OVERTAKING };
    survives(&Scene::<Raymond>::new("recovery tree=line", 3, mortal, lockers(20)));
    survives(&Scene::<Raymond>::new("hasty-recovery tree=star", 3, mortal, lockers(20)));
}

/// A process as printed in the paper: its variables, and the two procedures that the process executes after each
/// event.
#[derive(Clone, Debug)]
struct Printed {
    me: NodeId,
    holder: Option<NodeId>,
    using: bool,
    asked: bool,
    request_q: VecDeque<NodeId>,
    sent: Vec<(NodeId, &'static str)>,
}

impl Printed {
    fn new(me: NodeId) -> Self {
        let holder = (me.0 == 0).then_some(me);
        Self { me, holder, using: false, asked: false, request_q: VecDeque::new(), sent: Vec::new() }
    }

    fn assign_privilege(&mut self) {
        if self.holder == Some(self.me) && !self.using && !self.request_q.is_empty() {
            self.holder = self.request_q.pop_front();
            self.asked = false;
            if self.holder == Some(self.me) {
                self.using = true;
            } else {
                self.sent.extend(self.holder.map(|holder| (holder, "PRIVILEGE")));
            }
        }
    }

    fn make_request(&mut self) {
        if let Some(holder) = self.holder.filter(|&holder| holder != self.me)
            && !self.request_q.is_empty()
            && !self.asked
        {
            self.sent.push((holder, "REQUEST"));
            self.asked = true;
        }
    }

    /// Executes an event and both procedures. Returns the sent messages.
    fn after(&mut self, event: impl FnOnce(&mut Self)) -> Vec<(NodeId, &'static str)> {
        event(self);
        self.assign_privilege();
        self.make_request();
        std::mem::take(&mut self.sent)
    }

    fn hear(&mut self, from: NodeId, message: RaymondMessage, neighbours: &[NodeId]) {
        match message {
            RaymondMessage::Initialize {} => {
                self.holder = Some(from);
                let others = neighbours.iter().filter(|&&node| node != from);
                self.sent.extend(others.map(|&node| (node, "INITIALIZE")));
            }
            RaymondMessage::Request {} => self.request_q.push_back(from),
            RaymondMessage::Privilege { .. } => self.holder = Some(self.me),
            RaymondMessage::Restart {} | RaymondMessage::Advise { .. } => unreachable!("nobody dies"),
        }
    }

    fn variables(&self) -> [Value; 4] {
        let holder = match self.holder {
            Some(holder) if holder == self.me => Value::Text("self".into()),
            holder => Value::node(holder),
        };
        [holder, Value::Flag(self.using), Value::Flag(self.asked), Value::nodes(&self.request_q)]
    }
}

proptest! {
    /// The algorithm does the same as the printed procedures. After each event, it has sent the same messages in
    /// the same order, and its variables have the same values.
    #[test]
    fn it_does_what_is_printed(nodes in 1_u32..7, fifo in any::<bool>(), choices in vec(any::<Index>(), 1..200)) {
        let scene = Scene::<Raymond>::new("original tree=random:3", nodes, Faults { fifo, ..FIFO }, lockers(5));
        scene.play(0, |mut run| {
            let mut printed: Vec<_> = NodeId::all(nodes).map(Printed::new).collect();
            for choice in choices.iter().cycle().take(500) {
                let possible = [run.commands(), run.arrivals()].concat();
                if possible.is_empty() {
                    break;
                }
                let choice = &possible[choice.index(possible.len())];
                let (node, heard) = match choice {
                    Choice::Acquire { node, .. } | Choice::Release { node, .. } => (*node, None),
                    Choice::Deliver(MessageName(name)) => {
                        let link = run.link(name.from.0, name.to.0);
                        (name.to, link.iter().find(|(other, _)| other == name).map(|(_, message)| **message))
                    }
                    other => unreachable!("{other:?}"),
                };
                run.happen(choice);
                let neighbours = scene.setting.tree.neighbours(node);
                let sent = printed[node.index()].after(|process| match (choice, heard) {
                    (Choice::Acquire { node, .. }, _) => process.request_q.push_back(*node),
                    (Choice::Deliver(name), Some(message)) => process.hear(name.0.from, message, neighbours),
                    _ => process.using = false,
                });
                let told: Vec<_> = run.seen().latest.iter().filter_map(sent_to).collect();
                assert!(told.iter().map(|(to, kind)| (*to, &**kind)).eq(sent), "{told:?}");
                let view = run.participant(node).view(&scene.setting, node);
                let shown = ["HOLDER", "USING", "ASKED", "REQUEST_Q"].map(|name| view.variables[name].clone());
                assert_eq!(shown, printed[node.index()].variables());
            }
        });
    }
}

fn sent_to(event: &Event) -> Option<(NodeId, String)> {
    match &event.what {
        What::Sent { to, message_kind, .. } => Some((*to, message_kind.to_string())),
        _ => None,
    }
}

/// Process 1 is in the critical section while 0 and 2 request it. When process 1 leaves, it sends one PRIVILEGE and
/// one REQUEST to process 0.
#[test]
fn both_procedures_follow_once_when_the_section_is_left() {
    let (_, sent) = left_by_1("original");
    let sent: Vec<_> = sent.iter().map(|(to, message)| (to.0, message.kind())).collect();
    assert_eq!(sent, [(0, "PRIVILEGE"), (0, "REQUEST")]);
}
