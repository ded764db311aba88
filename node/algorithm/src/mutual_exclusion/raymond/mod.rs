//! Raymond 1989, "A Tree-Based Algorithm for Distributed Mutual Exclusion", ACM TOCS 7(1).
//!
//! The processes form a tree and communicate only with their neighbours. Each process knows the neighbour in the
//! direction of the privilege (`HOLDER`). It sends one REQUEST to that neighbour on behalf of all neighbours that have
//! requested the privilege from it (`ASKED`). It serves the neighbours' requests in the order of arrival
//! (`REQUEST_Q`). The holder of the privilege may enter the critical section. After each event, a process tries the
//! paper's two procedures, `ASSIGN_PRIVILEGE` and `MAKE_REQUEST`.
//!
//! Two variants are improvements of the paper. `greedy`: a process that has the privilege and wants the critical
//! section enters, even if others are before it in its queue. `piggyback`: if a process passes the privilege on and
//! needs it again, the PRIVILEGE carries its REQUEST.

mod bridging;
mod recovery;

use self::bridging::Bridges;
use self::recovery::{Advice, Recovery};
use super::prelude::*;
use crate::structure::tree::Tree;

/// One process of the algorithm.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Raymond {
    section: Section<()>,
    /// This process itself, or the neighbour in the direction of the privilege. The value is unknown before INITIALIZE
    /// has arrived.
    holder: Option<NodeId>,
    queue: VecDeque<NodeId>,
    asked: bool,
    /// ADVISE messages received from the neighbours, while this process recovers from a crash.
    recovery: Option<Recovery>,
    /// Knowledge of crashed processes, if their places are bridged.
    bridges: Bridges,
}

messages! {
    /// The messages of the paper. Most have no fields, because their sender is all that matters.
    #[derive(Copy)]
    pub enum RaymondMessage {
        "INITIALIZE" Initialize {}: "The privilege is in the direction of the sender.",
        "REQUEST" Request {}: "The sender, or a process behind it, wants the privilege.",
        "PRIVILEGE" Privilege {
            /// Whether the sender asks for the privilege again. Only the variant `piggyback` sets it.
            #[serde(default, skip_serializing_if = "core::ops::Not::not")]
            again: bool,
        }: "Passes the privilege on.",
        "RESTART" Restart {}: "The sender is back after a crash, and knows nothing.",
        "ADVISE" Advise {
            /// Whether the sender's `HOLDER` is the recipient.
            holder: bool,
            /// Whether the sender has asked the recipient for the privilege.
            asks: bool,
            /// Whether the recipient has asked the sender for the privilege and has not received it yet.
            asked: bool,
        }:
            "Reports what the sender knows of a neighbour that is back after a crash or has taken the place of a \
            crashed one.",
    }
}

impl Raymond {
    fn start(&mut self, turn: &mut Turn<Self>) {
        if turn.me == turn.setting.holder && self.holder.is_none() {
            self.holder = Some(turn.me);
            for &node in turn.setting.tree.neighbours(turn.me) {
                turn.send(node, RaymondMessage::Initialize {});
            }
        }
    }

    fn initialize(&mut self, from: NodeId, turn: &mut Turn<Self>) {
        if self.holder.is_some() || turn.setting.care.knows_beginning() {
            return turn.because(Reason::UnexpectedInitialize { from });
        }
        let neighbours = turn.setting.tree.neighbours(turn.me);
        let last = neighbours.last().filter(|_| turn.setting.care == Care::Misdirected);
        let holder = last.copied().unwrap_or(from);
        self.holder = Some(holder);
        turn.because(Reason::LearntDirection { holder });
        for &node in neighbours.iter().filter(|&&node| node != from) {
            turn.send(node, RaymondMessage::Initialize {});
        }
        self.try_both(turn);
    }

    fn acquire(&mut self, asked: Asked, turn: &mut Turn<Self>) {
        self.section.request(asked, (), turn);
        self.queue.push_back(turn.me);
        self.try_both(turn);
    }

    fn release(&mut self, turn: &mut Turn<Self>) {
        let Some(()) = self.section.exit(turn) else { return };
        self.try_both(turn);
    }

    fn receive(&mut self, from: NodeId, message: RaymondMessage, turn: &mut Turn<Self>) {
        if !self.is_of_neighbour(from, message, turn) || self.is_recovering(from, message, turn) {
            return;
        }
        match message {
            RaymondMessage::Initialize {} => self.initialize(from, turn),
            RaymondMessage::Request {} => self.requested(from, turn),
            RaymondMessage::Privilege { again } => self.privileged(from, again, turn),
            RaymondMessage::Restart {} => self.restarted(from, turn),
            RaymondMessage::Advise { holder: points_here, asks, asked } => {
                let advice = Advice { points_here, asks, asked };
                if turn.setting.care.bridges() {
                    self.joined(from, advice, turn);
                } else {
                    self.advised(from, advice, turn);
                }
            }
        }
    }

    fn requested(&mut self, from: NodeId, turn: &mut Turn<Self>) {
        if self.queue.contains(&from) {
            return turn.because(Reason::WaitsAlready { from });
        }
        self.queue.push_back(from);
        if self.section.is_inside() {
            turn.because(Reason::QueuedInSection { from });
        }
        self.try_both(turn);
    }

    /// Handles the PRIVILEGE, and the REQUEST that it carries. That REQUEST comes last in the queue, as if it had
    /// arrived by itself right afterwards.
    fn privileged(&mut self, from: NodeId, again: bool, turn: &mut Turn<Self>) {
        if self.holder != Some(from) || !self.asked {
            return turn.because(Reason::UnexpectedPrivilege { from });
        }
        self.holder = Some(turn.me);
        if again && !self.queue.contains(&from) {
            self.queue.push_back(from);
        }
        self.try_both(turn);
    }

    /// Tries both procedures in the order of the paper. Called after each event.
    fn try_both(&mut self, turn: &mut Turn<Self>) {
        let had = self.holder == Some(turn.me);
        self.assign_privilege(turn);
        let passed = had && self.holder != Some(turn.me);
        if !passed || !turn.setting.care.asks_in_passing() {
            self.make_request(turn);
        }
    }

    /// `ASSIGN_PRIVILEGE`: a process that has the privilege and does not use it passes the privilege to the first
    /// process in its queue.
    fn assign_privilege(&mut self, turn: &mut Turn<Self>) {
        if self.holder != Some(turn.me) || self.section.is_inside() {
            return;
        }
        if turn.setting.care == Care::Greedy && self.enter_greedily(turn) {
            return;
        }
        let Some(first) = self.queue.pop_front() else { return };
        self.holder = Some(first);
        self.asked = false;
        if first == turn.me {
            return self.section.enter(Reason::FirstInOwnQueue, turn);
        }
        turn.because(Reason::PassedToFirst { to: first, behind: count(self.queue.len()) });
        let behind = self.queue.front().filter(|_| turn.setting.care == Care::Piggyback);
        if let Some(&behind) = behind {
            self.asked = true;
            turn.because(Reason::AskedHolder { holder: first, first: behind });
        }
        turn.send(first, RaymondMessage::Privilege { again: self.asked });
    }

    /// Enters the critical section if this process waits behind others in its own queue. Returns whether it has
    /// entered.
    fn enter_greedily(&mut self, turn: &mut Turn<Self>) -> bool {
        let Some(before) = self.queue.iter().position(|&waiting| waiting == turn.me).filter(|&before| before > 0)
        else {
            return false;
        };
        self.queue.remove(before);
        self.asked = false;
        self.section.enter(Reason::BeforeOthers { before: count(before) }, turn);
        true
    }

    /// `MAKE_REQUEST`: a process without the privilege, whose queue is not empty, sends one REQUEST in the direction
    /// of the privilege.
    fn make_request(&mut self, turn: &mut Turn<Self>) {
        let Some(&first) = self.queue.front() else { return };
        match self.holder {
            None => turn.because(Reason::HolderUnknown),
            Some(holder) if holder == turn.me => {}
            Some(holder) if self.asked => turn.because(Reason::AlreadyAsked { holder }),
            Some(holder) => {
                self.asked = true;
                turn.because(Reason::AskedHolder { holder, first });
                turn.send(holder, RaymondMessage::Request {});
            }
        }
    }
}

reasons! {
    /// In these reasons, `holder` is the neighbour in the direction of the privilege.
    pub enum Reason {
        LearntDirection { holder: NodeId }: "Learnt where the privilege is.",
        FirstInOwnQueue: "Entered: the privilege is here, and this process is the first in its queue.",
        BeforeOthers {
            /// Number of neighbours before this process in its queue.
            before: u32,
        }: "Entered: the privilege is here, and this process serves itself before the others in its queue.",
        PassedToFirst { to: NodeId, behind: u32 }: "Passed the privilege on: the neighbour is the first in the queue.",
        AskedHolder { holder: NodeId, first: NodeId }: "Asked for the privilege: the first in the queue waits here.",
        AlreadyAsked { holder: NodeId }: "Keeps waiting: the privilege has already been asked for.",
        HolderUnknown: "Keeps waiting: it does not know yet where the privilege is.",
        QueuedInSection { from: NodeId }: "Queued the request: this process is in the critical section.",
        NotNeighbour { from: NodeId }: "Ignored: the sender is not a neighbour in the tree.",
        WaitsAlready { from: NodeId }: "Ignored: that neighbour already waits.",
        UnexpectedInitialize { from: NodeId }: "Ignored: this process knows where the privilege is.",
        UnexpectedPrivilege { from: NodeId }: "Ignored: the privilege was not asked for there.",
        Advised { to: NodeId }: "Reported to a neighbour that is back what is known of it here.",
        CannotAdvise { from: NodeId }:
            "Ignored: this process knows nothing itself, or no process advises in this variant.",
        UnexpectedAdvice { from: NodeId }: "Ignored: no advice is needed.",
        NotedInRecovery { from: NodeId }: "Noted until all neighbours have advised.",
        Recovered { holder: NodeId }: "Knows again where the privilege is, and which neighbours ask for it here.",
        CentreOfGap { dead: NodeId }:
            "A neighbour has crashed: its other neighbours are neighbours of this process now.",
        JoinedCentre { dead: NodeId, to: NodeId }:
            "A neighbour has crashed: reported this process's state to the neighbour that takes its place.",
        FoundPrivilege { holder: NodeId }:
            "The crashed processes do not have the privilege: a neighbour in their place has it, or knows the way.",
        MadeAnew:
            "Made a new privilege: all neighbours of the crashed processes believed that the way to it led through \
            them.",
        SaidBeforeDeath { from: NodeId }: "Ignored: the sender has crashed since.",
        NotNeighbourYet { from: NodeId }:
            "Kept until crashes are reported: the sender is not a neighbour as long as those processes live.",
    }
}

choices! {
    /// How a process passes the privilege on, its `HOLDER` at INITIALIZE, and its treatment of crashes.
    pub enum Care {
        Original = "original": "a process that passes the privilege on while others wait asks for it again: the paper",
        Greedy = "greedy":
            "the paper's improvement: a process that gets the privilege and wants the critical section enters before \
            all others in its queue",
        Piggyback = "piggyback":
            "the paper's improvement: a process that passes the privilege on while others wait asks for it again in \
            the same message",
        NoFurtherRequest = "no-further-request": "a process that passes the privilege on does not ask for it again";
            broken: "stuck: processes that wait behind the one that got the privilege are forgotten",
        Misdirected = "misdirected": "HOLDER becomes the last neighbour, whichever one sent INITIALIZE";
            broken: "stuck: requests go where the privilege is not",
        Recovery = "recovery":
            "the paper's recovery: a process that is back after a crash asks its neighbours for what it has forgotten; \
            all know the tree and the first holder, without INITIALIZE; no neighbour may crash before all have \
            answered",
        HastyRecovery = "hasty-recovery": "as recovery, but a process that is back acts on the first answer";
            broken:
                "mutual exclusion can be violated, or some processes wait forever: another neighbour knows where the \
                privilege is",
        Bridging = "bridging":
            "the neighbours of crashed processes become neighbours of one among them and report their states to it; it \
            makes a new privilege if the old one is lost; all know the tree and the first holder, without INITIALIZE",
        HastyBridging = "hasty-bridging":
            "as bridging, but a process that lacks the privilege makes a new one without waiting for the others";
            broken:
                "mutual exclusion can be violated: another neighbour of the crashed processes has the privilege, or \
                knows where it is",
    }
}

impl Care {
    /// Returns whether a process that passes the privilege on has thereby asked for it again, or does not ask again.
    const fn asks_in_passing(self) -> bool {
        matches!(self, Self::Piggyback | Self::NoFurtherRequest)
    }

    const fn recovers(self) -> bool {
        matches!(self, Self::Recovery | Self::HastyRecovery)
    }

    /// Returns whether crashed processes are bridged in the tree.
    const fn bridges(self) -> bool {
        matches!(self, Self::Bridging | Self::HastyBridging)
    }

    /// Returns whether all processes know the initial direction of the privilege.
    const fn knows_beginning(self) -> bool {
        self.recovers() || self.bridges()
    }
}

setting! { |configuration|
    care: Care = configuration.variant()?,
    /// Tree that defines the neighbours.
    pub tree: Tree = Tree::configure(configuration)?,
    /// Initial holder of the privilege.
    holder: NodeId = configuration.node_parameter("holder")?,
    /// Initial `HOLDER` by node, if all processes know the initial direction of the privilege; otherwise empty.
    directions: Vec<NodeId> = if care.knows_beginning() { directions(&tree, holder) } else { Vec::new() },
    /// Distance from the root, P0, by node.
    depths: Vec<u32> = tree.distances(NodeId(0)),
}

/// Returns the initial `HOLDER` by node. For the initial holder, this is the holder itself; for any other node, the
/// neighbour nearest to the holder.
fn directions(tree: &Tree, holder: NodeId) -> Vec<NodeId> {
    let distances = tree.distances(holder);
    let distance = |node: &NodeId| distances.get(node.index()).copied();
    let nearest = |me| {
        let neighbours = tree.neighbours(me).iter().copied();
        neighbours.chain([me]).min_by_key(distance).unwrap_or(me)
    };
    NodeId::all(count(distances.len())).map(nearest).collect()
}

impl Algorithm for Raymond {
    // Nothing is stored: after a crash a process does not know where the privilege is, unless its neighbours report
    // it.
    steps!(RaymondMessage: acquire, release, receive, start start, restart restart, suspected suspected, trusted trusted);

    const ENTRY: Entry = Entry {
        name: "raymond",
        title: "Raymond",
        source: Source {
            authors: "Kerry Raymond",
            title: "A Tree-Based Algorithm for Distributed Mutual Exclusion",
            year: 1989,
        },
        summary: "The processes form a tree; requests travel towards the privilege, and it comes back along the same edges.",
        variants: Care::VARIANTS,
        // FIFO links are unnecessary: a REQUEST that overtakes the preceding PRIVILEGE waits in the queue.
        // Duplication is not tolerated, because a duplicated PRIVILEGE would be a second one.
        assumes: FAMILY.assumes,
        variants_assume: &[
            // No neighbour may crash before the process that has come back has reconstructed its variables.
            (&["recovery", "hasty-recovery"], Assumptions { fifo: true, no_crash: false, ..FAMILY.assumes }),
            (&["bridging", "hasty-bridging"], DETECTED_CRASHES),
        ],
        structure: Structure::Tree { parameter: "tree" },
        message_kinds: RaymondMessage::KINDS,
        repair_kinds: &["RESTART", "ADVISE"],
        token_kinds: &["PRIVILEGE"],
        // If the privilege is lost with its recipient, these variants regenerate it from the answers of the
        // neighbours.
        conduct: Conduct {
            regenerates: &["recovery", "hasty-recovery", "bridging", "hasty-bridging"],
            ..FAMILY.conduct
        },
        parameters: &[
            Parameter::new("tree", "the tree whose edges join neighbours", "binary", Range::Tree),
            Parameter::node("holder", "the process that has the privilege at the start"),
        ],
        messages_per_entry: "2 for each edge between the requesting process and the privilege; bridging: 1 more for \
                             each live neighbour but one of the crashed processes",
        ..FAMILY
    };

    fn new(setting: &Setting, me: NodeId) -> Self {
        Self { holder: setting.directions.get(me.index()).copied(), ..Self::default() }
    }

    fn begin_incarnation(setting: &Setting, _: NodeId, _: u32) -> Option<Self> {
        setting.care.recovers().then(|| Self { recovery: Some(Recovery::default()), ..Self::default() })
    }

    fn view(&self, setting: &Setting, me: NodeId) -> View {
        let is_here = self.holder == Some(me);
        let (recovers, bridges) = (setting.care.recovers(), setting.care.bridges());
        let is_lost = bridges && self.holder.is_none() && !self.queue.is_empty();
        let missing = is_lost.then(|| self.missing(setting, me)).into_iter().flatten();
        View::default()
            .queued(self.queue.iter().copied())
            .waiting_for(self.holder.filter(|_| self.asked).into_iter().chain(missing))
            .with("HOLDER", if is_here { Value::Text("self".into()) } else { Value::node(self.holder) })
            .with("USING", Value::Flag(self.section.is_inside()))
            .with("ASKED", Value::Flag(self.asked))
            .with("REQUEST_Q", Value::nodes(&self.queue))
            .with("recovering", recovers.then(|| Value::Flag(self.recovery.is_some())))
            .with("dead", bridges.then(|| Value::nodes(&self.bridges.dead)))
    }
}
