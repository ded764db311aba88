//! Dijkstra 1974, "Self-stabilizing Systems in Spite of Distributed Control", CACM 17(11): the ring with K states.
//!
//! Each process has a flag and sees the flag of its predecessor. Process 0 is privileged while its flag equals its
//! predecessor's. It passes the privilege on by incrementing its flag modulo k. Any other process is privileged while
//! its flag differs from its predecessor's. It passes the privilege on by copying its predecessor's flag. A
//! privileged process may enter the critical section. If k is large enough, eventually exactly one process is
//! privileged, from any initial flags.
//!
//! Over messages, each process keeps a copy of its predecessor's flag. A process sends its flag whenever the flag
//! changes, and again after each period, so lost or duplicated messages are harmless. But an old flag must not arrive
//! after a newer flag.
//!
//! Over messages, a suspected process leaves the ring. Its two neighbours become neighbours of each other, and the
//! smallest remaining process takes the role of process 0. A process with a new predecessor does not know that
//! predecessor's flag yet. Until the flag arrives, the process assumes a flag that gives it no privilege. So a ring
//! with one privilege keeps it, or has no privilege until the new predecessor's flag arrives. This holds as long as
//! the detector makes no mistake and no process comes back. A process that comes back has an arbitrary flag. Until the
//! ring has stabilised again, several processes can be privileged.

use super::prelude::*;
use super::ring::nearest;
use crate::range::{Formula, Numbers};

/// The variables of one process.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DijkstraRing {
    section: Section<()>,
    flag: u32,
    /// Latest flag received from the predecessor.
    copy: u32,
    /// Suspected processes.
    suspected: FlatSet<NodeId>,
}

messages! {
    /// The only message.
    #[derive(Copy)]
    pub enum DijkstraRingMessage {
        "FLAG" Flag { flag: u32 }: "Reports the sender's flag.",
    }
}

timers! {
    /// The timers, by the action that a process takes when the timer expires.
    pub enum Timer {
        Resend = "resend": "Over messages: sends the flag again.",
        Move = "move": "In composite steps: passes on the privilege that is not wanted.",
    }
}

impl DijkstraRing {
    /// Returns whether this process may enter. A process that is alone always may.
    #[must_use]
    pub fn is_privileged(&self, setting: &Setting, me: NodeId) -> bool {
        self.is_alone(setting, me) || (self.flag == self.copy) == self.counts(setting, me)
    }

    /// Returns the flag of this process, 0 … k−1.
    #[must_use]
    pub const fn flag(&self) -> u32 {
        self.flag
    }

    /// Returns this process's copy of its predecessor's flag.
    #[must_use]
    pub const fn copy(&self) -> u32 {
        self.copy
    }

    /// Returns whether this process passes the privilege on by incrementing its flag. This is true for process 0, or
    /// for the process that has taken over the role of process 0.
    fn counts(&self, setting: &Setting, me: NodeId) -> bool {
        let has_heirs = setting.sharing != Sharing::NoHeir;
        NodeId::all(me.0).all(|smaller| has_heirs && self.suspected.contains(&smaller))
    }

    /// Returns the nearest process in the direction of `next` that is not suspected, or `None` if all others are
    /// suspected.
    fn nearest(&self, setting: &Setting, me: NodeId, next: fn(NodeId, u32) -> NodeId) -> Option<NodeId> {
        nearest(me, setting.nodes, &self.suspected, next)
    }

    fn predecessor(&self, setting: &Setting, me: NodeId) -> Option<NodeId> {
        self.nearest(setting, me, NodeId::predecessor)
    }

    fn is_alone(&self, setting: &Setting, me: NodeId) -> bool {
        self.predecessor(setting, me).is_none()
    }

    fn start(&mut self, turn: &mut Turn<Self>) {
        self.say(turn);
        if turn.setting.sharing.is_told() && !turn.is_alone() {
            turn.set(Timer::Resend, turn.setting.period);
        }
        self.use_privilege(turn);
    }

    fn acquire(&mut self, asked: Asked, turn: &mut Turn<Self>) {
        self.section.request(asked, (), turn);
        self.use_privilege(turn);
    }

    fn receive(&mut self, from: NodeId, message: DijkstraRingMessage, turn: &mut Turn<Self>) {
        let DijkstraRingMessage::Flag { flag } = message;
        if self.predecessor(turn.setting, turn.me) != Some(from) {
            return turn.because(Reason::NotPredecessor { from });
        }
        if flag >= turn.setting.k {
            return turn.because(Reason::NoFlag { flag, k: turn.setting.k });
        }
        self.copy = flag;
        self.use_privilege(turn);
    }

    /// Enters if this process is privileged and its client waits. A privileged process whose client does not wait
    /// passes the privilege on. In composite steps, the process first keeps the privilege for a time, because
    /// messages take no time there.
    fn use_privilege(&mut self, turn: &mut Turn<Self>) {
        if !self.is_privileged(turn.setting, turn.me) {
            // Before this process uses the privilege, a change of its predecessor's flag may remove the privilege.
            if turn.setting.sharing == Sharing::Composite {
                turn.cancel(Timer::Move);
            }
            return;
        }
        match (self.section, turn.setting.sharing) {
            (Section::Wanting(..), sharing) => {
                if sharing == Sharing::Composite {
                    turn.cancel(Timer::Move);
                }
                self.section.enter(Reason::Privileged { flag: self.flag, copy: self.copy }, turn);
            }
            (Section::Inside(..), _) => {}
            (Section::Idle, _) if self.is_alone(turn.setting, turn.me) => {}
            (Section::Idle, Sharing::MessagePassing | Sharing::NoHeir) => self.pass_unwanted(turn),
            (Section::Idle, Sharing::Composite) => turn.set(Timer::Move, turn.setting.pause),
        }
    }

    fn release(&mut self, turn: &mut Turn<Self>) {
        let Some(()) = self.section.exit(turn) else { return };
        self.pass_on(|to, flag| Reason::PassedOnLeaving { to, flag }, turn);
    }

    fn pass_unwanted(&mut self, turn: &mut Turn<Self>) {
        if self.section.is_idle() {
            self.pass_on(|to, flag| Reason::PassedUnwanted { to, flag }, turn);
        }
    }

    /// Passes the privilege on. Does nothing if there is no other process, or if an incorrect copy has meanwhile
    /// removed the privilege.
    fn pass_on(&mut self, reason: fn(NodeId, u32) -> Reason, turn: &mut Turn<Self>) {
        let Some(to) = self.nearest(turn.setting, turn.me, NodeId::successor) else { return };
        if !self.is_privileged(turn.setting, turn.me) {
            return;
        }
        let counts = self.counts(turn.setting, turn.me);
        self.flag = if counts { turn.setting.after(self.copy) } else { self.copy };
        turn.because(reason(to, self.flag));
        self.say(turn);
    }

    /// Sets the flag to an arbitrary value, and over messages the copy as well. In composite steps, the successor
    /// reads the new flag at once.
    fn corrupt(&mut self, choice: u64, turn: &mut Turn<Self>) {
        let Some(Self { flag, copy, .. }) = Self::arbitrary(turn.setting, turn.me, choice) else { return };
        self.flag = flag;
        match turn.setting.sharing {
            Sharing::MessagePassing | Sharing::NoHeir => self.copy = copy,
            Sharing::Composite => self.say(turn),
        }
        turn.because(Reason::Corrupted { flag, copy: self.copy });
        self.use_privilege(turn);
    }

    fn say(&self, turn: &mut Turn<Self>) {
        if let Some(successor) = self.nearest(turn.setting, turn.me, NodeId::successor) {
            turn.send(successor, DijkstraRingMessage::Flag { flag: self.flag });
        }
    }

    fn suspected(&mut self, process: NodeId, turn: &mut Turn<Self>) {
        self.change_ring(|suspected| suspected.insert(process), turn);
    }

    fn trusted(&mut self, process: NodeId, turn: &mut Turn<Self>) {
        self.change_ring(|suspected| suspected.remove(&process), turn);
    }

    /// Records that another process leaves the ring or returns to it. If the predecessor of this process changes as a
    /// result, this process assumes a flag that gives no privilege, until the new predecessor's flag arrives.
    fn change_ring(&mut self, change: impl FnOnce(&mut FlatSet<NodeId>) -> bool, turn: &mut Turn<Self>) {
        if !turn.setting.sharing.is_told() {
            return;
        }
        let before = self.predecessor(turn.setting, turn.me);
        change(&mut self.suspected);
        let predecessor = self.predecessor(turn.setting, turn.me);
        if let Some(from) = predecessor.filter(|_| predecessor != before) {
            let counts = self.counts(turn.setting, turn.me);
            self.copy = if counts { turn.setting.after(self.flag) } else { self.flag };
            turn.because(Reason::NewPredecessor { from });
        }
        self.say(turn);
        self.use_privilege(turn);
    }

    fn run_out(&mut self, timer: Timer, turn: &mut Turn<Self>) {
        match timer {
            Timer::Resend => {
                turn.because(Reason::SaidAgain);
                self.say(turn);
                turn.set(Timer::Resend, turn.setting.period);
            }
            Timer::Move => self.pass_unwanted(turn),
        }
    }
}

reasons! {
    pub enum Reason {
        Privileged { flag: u32, copy: u32 }:
            "Entered: this process is privileged, by its flag and its copy of its predecessor's.",
        PassedUnwanted { to: NodeId, flag: u32 }:
            "Passed the privilege on to the next in the ring: this process does not want the critical section.",
        PassedOnLeaving { to: NodeId, flag: u32 }:
            "Passed the privilege on to the next in the ring: this process has left the critical section.",
        Corrupted { flag: u32, copy: u32 }:
            "The flag and the copy were overwritten: from here the ring has to stabilise.",
        NewPredecessor { from: NodeId }:
            "A process has left the ring or is back: from now on flags come from this process.",
        SaidAgain: "Sent again: the last message may have been lost.",
        NotPredecessor { from: NodeId }: "Ignored: flags come from the predecessor only.",
        NoFlag {
            flag: u32,
            /// Number of flags.
            k: u32,
        }: "Ignored: there is no such flag.",
    }
}

choices! {
    /// How a process knows its predecessor's flag.
    pub enum Sharing {
        MessagePassing = "message-passing":
            "each process keeps a copy of its predecessor's flag; flags are sent again and again",
        Composite = "composite":
            "a process reads its predecessor's flag and changes its own in one step: not possible over a network",
        NoHeir = "no-heir": "as message-passing, but if process 0 crashes, no process counts in its place";
            broken:
                "deadlock: once process 0 has crashed and all flags are equal, no process is privileged; until then, \
                two can be"
    }
}

impl Sharing {
    /// Returns whether flags are sent in messages.
    fn is_told(self) -> bool {
        self != Self::Composite
    }
}

setting! { |configuration|
    sharing: Sharing = configuration.variant()?,
    /// Number of states: flags are 0 … k−1.
    k: u32 = states(configuration)?.unwrap_or_else(|| enough_states(configuration.nodes, sharing).max(2)),
    /// Period after which a flag is sent again; by default a tenth of a second in a live run.
    period: Ticks = configuration.time("period", 100_000)?,
    /// Time for which a process keeps an unwanted privilege if flags are shared; by default one unit of time.
    pause: Ticks = configuration.time("pause", 1_000)?,
}

impl Setting {
    /// Returns the flag that follows `flag`.
    const fn after(&self, flag: u32) -> u32 {
        if flag.saturating_add(1) < self.k { flag + 1 } else { 0 }
    }
}

/// Range of the number of states. Two states suffice if the initial state is correct and messages arrive in order. A
/// ring that has to stabilise needs more; 2N suffice.
const STATES: Numbers =
    Numbers { telling: Some(Formula::of_nodes(2, 2)), ..Numbers::new(Formula::number(2), Formula::number(u32::MAX)) };

/// Returns a number of states with which the ring stabilises.
///
/// In composite steps this number is N+1, as in the slides, which is more than necessary. Over messages it is 2N.
/// Besides the flag of process 0 there are N−1 flags and N copies. So while process 0 counts through all states, it
/// reaches a state that no other flag or copy has. It keeps that state until the state has gone once round the ring
/// and replaced all others. This holds if links are initially empty. If each link initially contains r arbitrary
/// messages, N(r+1)−1 states are necessary, as exploration finds for two and three processes.
fn enough_states(nodes: u32, sharing: Sharing) -> u32 {
    match sharing {
        Sharing::MessagePassing | Sharing::NoHeir => nodes.saturating_mul(2),
        Sharing::Composite => nodes.saturating_add(1),
    }
}

/// Returns the number of arbitrary states of a process.
fn states_of_a_process(setting: &Setting) -> u64 {
    let k = u64::from(setting.k);
    match setting.sharing {
        Sharing::MessagePassing | Sharing::NoHeir => k * k,
        Sharing::Composite => k,
    }
}

/// Returns the configured number of states, or `None` if it is missing or `auto`.
fn states(configuration: &Configuration<'_>) -> Result<Option<u32>, Refusal> {
    if configuration.parameters.get("k").is_some_and(|given| *given == ParameterValue::Text("auto".into())) {
        return Ok(None);
    }
    let states = configuration.number_parameter("k", STATES.of(configuration.nodes))?;
    Ok(states.and_then(|states| u32::try_from(states).ok()))
}

impl Algorithm for DijkstraRing {
    // Nothing is stored: a process that comes back starts with an arbitrary flag, and the ring stabilises again.
    steps!(
        DijkstraRingMessage: acquire, release, receive, corrupt corrupt, timer Timer run_out, start start,
        restart start, suspected suspected, trusted trusted
    );

    const ENTRY: Entry = Entry {
        name: "dijkstra-ring",
        title: "Dijkstra's ring",
        source: Source {
            authors: "Edsger W. Dijkstra",
            title: "Self-stabilizing Systems in Spite of Distributed Control",
            year: 1974,
        },
        summary: "Flags in a ring: a process whose flag differs from its predecessor's enters, then copies it; process \
                  0 counts instead.",
        variants: Sharing::VARIANTS,
        // An old flag that arrives after a newer one creates a privilege. A lost flag is sent again; a duplicate
        // changes nothing.
        assumes: Assumptions { fifo: true, no_crash: true, ..Assumptions::ASYNCHRONOUS },
        // In composite steps, no message is in transit.
        variants_assume: &[(&["composite"], Assumptions { no_crash: true, ..Assumptions::ASYNCHRONOUS })],
        conduct: Conduct { heeds_suspicions: &["message-passing"], ..FAMILY.conduct },
        structure: Structure::Ring { parameter: None },
        message_kinds: DijkstraRingMessage::KINDS,
        background_kinds: DijkstraRingMessage::KINDS,
        parameters: &[
            Parameter::new(
                "k",
                "the number of states of a flag; with too few, the ring need not stabilise",
                "auto",
                Range::Or(Word { name: "auto", meaning: "2N; composite: N+1" }, &Range::Number(STATES)),
            ),
            Parameter::time(
                "period",
                "message-passing: the time after which a flag is sent again, in ms",
                "100",
                Pace::Again,
            ),
            Parameter::time("pause", "composite: how long an unwanted privilege rests, in ms", "1", Pace::Rest),
        ],
        messages_per_entry: "1 if all want to enter; unbounded if no process does",
        commands: &["acquire", "release", "corrupt"],
        ..FAMILY
    };

    fn in_force(setting: &Setting) -> Vec<(&'static str, ParameterValue)> {
        let (period, pause) = (ParameterValue::time(setting.period), ParameterValue::time(setting.pause));
        [("k", ParameterValue::Number(setting.k.into())), ("period", period), ("pause", pause)].into()
    }

    fn new(_: &Setting, _: NodeId) -> Self {
        Self::default()
    }

    /// Returns the initial state. Any state is acceptable, because the ring stabilises.
    fn begin_incarnation(setting: &Setting, me: NodeId, _: u32) -> Option<Self> {
        Some(Self::new(setting, me))
    }

    fn view(&self, setting: &Setting, me: NodeId) -> View {
        let privileged = self.is_privileged(setting, me);
        let waits = self.section.is_wanting() && !privileged;
        View::default()
            .waiting_for(self.predecessor(setting, me).filter(|_| waits))
            .with("flag", Value::number(self.flag.into()))
            .with("copy", Value::number(self.copy.into()))
            .with("privileged", Value::Flag(privileged))
            .with("suspected", Value::some_nodes(&self.suspected))
    }

    fn objection(&self, setting: &Setting, me: NodeId, command: &Command) -> Option<String> {
        let Command::Corrupt { choice } = command else { return None };
        let none = Self::arbitrary(setting, me, *choice).is_none();
        none.then(|| format!("there is no state {choice}; there are {}, numbered from 0", states_of_a_process(setting)))
    }

    fn is_instantaneous(setting: &Setting) -> bool {
        setting.sharing == Sharing::Composite
    }

    /// Returns an arbitrary state, whose flag is `choice` modulo k. Over messages, `choice` is less than k², and the
    /// copy is `choice` divided by k. In composite steps, `choice` is less than k, and the process receives its copy
    /// at the start.
    fn arbitrary(setting: &Setting, _: NodeId, choice: u64) -> Option<Self> {
        let k = u64::from(setting.k);
        let copy = match setting.sharing {
            Sharing::MessagePassing | Sharing::NoHeir => choice / k,
            Sharing::Composite if choice < k => 0,
            Sharing::Composite => return None,
        };
        let (flag, copy) = (u32::try_from(choice % k).ok()?, u32::try_from(copy).ok()?);
        (copy < setting.k).then_some(Self { flag, copy, ..Self::default() })
    }

    /// Returns a FLAG message with an arbitrary flag, if flags are sent in messages and `to` is the successor of
    /// `from` in the ring.
    fn arbitrary_message(setting: &Setting, from: NodeId, to: NodeId, choice: u64) -> Option<DijkstraRingMessage> {
        let is_told = setting.sharing.is_told() && setting.nodes > 1;
        let flag = u32::try_from(choice).ok().filter(|&flag| flag < setting.k)?;
        (is_told && to.predecessor(setting.nodes) == from).then_some(DijkstraRingMessage::Flag { flag })
    }

    /// Returns the number of privileges. All flags form one ring. For each process in order, this ring contains its
    /// copy, its flag, and the flags in transit from it, latest first. Each place where two neighbouring flags differ
    /// is one privilege. Process 0 has another privilege if its flag equals its copy. In composite steps each copy
    /// equals its original, so there is one privilege for each process that [is privileged](Self::is_privileged).
    fn privileges(
        setting: &Setting,
        processes: &[&Self],
        under_way: &[(NodeId, NodeId, &DijkstraRingMessage)],
    ) -> Option<usize> {
        let first = processes.first()?;
        if setting.nodes == 1 {
            return Some(1);
        }
        let mut differ = 0;
        let mut before = first.flag;
        let mut follow = |value: u32| differ += usize::from(core::mem::replace(&mut before, value) != value);
        for (me, process) in NodeId::all(setting.nodes).zip(processes) {
            if me.0 > 0 {
                follow(process.copy);
                follow(process.flag);
            }
            let told = under_way.iter().rev().filter(|(from, ..)| *from == me);
            told.for_each(|(.., DijkstraRingMessage::Flag { flag })| follow(*flag));
        }
        follow(first.copy);
        Some(differ + usize::from(first.flag == first.copy))
    }
}
