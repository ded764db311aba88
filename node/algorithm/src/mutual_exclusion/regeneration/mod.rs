//! Regeneration of a lost token, exactly once, in the algorithms in which a process requests the token from all
//! others.
//!
//! Before a process makes a new token in place of a lost one, it consults all others. The source is Nishio, Li and
//! Manning 1990, "A Resilient Mutual Exclusion Algorithm for Computer Networks", IEEE Transactions on Parallel and
//! Distributed Systems 1(3). Here the consultation follows the view change of Oki and Liskov 1988, "Viewstamped
//! Replication", PODC. A failure detector starts it:
//!
//! 1. The failure detector notifies the processes that another process is suspected, or has restarted. Of the other
//!    live processes, the one with the smallest number begins a new generation. It chooses a generation number that
//!    no other process chooses, and sends CONSULT to all live processes.
//! 2. A process that receives CONSULT accepts and passes on no token of an earlier generation from then on. It sends
//!    ANSWER with its token and the numbers of its requests. If it knows a later generation, it sends REFUSE instead,
//!    and the consulting process asks again with a later number.
//! 3. When all live processes have answered, no token in transit counts. If one of the live processes has a token,
//!    it keeps the token. Otherwise the consulting process makes a token. RESUME names the holder, the members, and
//!    the waiting requests.
//!
//! If the consulting process crashes meanwhile, other processes learn of the crash and consult with a later number. A
//! token is sent only to members of its generation, which are the processes that answered. If a member crashes,
//! another member eventually learns of the crash and consults again.
//!
//! A process that comes back knows nothing. It accepts no token before it has received CONSULT and RESUME. It neither
//! answers nor consults before all live processes know that it is back (JOIN, WELCOME). Otherwise a live process could
//! learn late of the crash of the earlier incarnation. The live process would then suspect the new incarnation while
//! the new incarnation is in the critical section. At least one process that knows the latest generation must be live,
//! or an old token may count again.

mod said;

pub use self::said::{Answer, Generation, Life, Member, Resumption, Why};
pub(super) use self::said::{Said, messages_with_regeneration};
use super::{DETECTED_CRASHES, HOLDER};
use crate::prelude::*;

/// Generation of the initial token.
const FIRST: u64 = 1;

/// Values common to the entries of the algorithms with regeneration.
pub(super) const FAMILY: Entry = Entry {
    variants_assume: &[(&["regeneration"], DETECTED_CRASHES)],
    repair_kinds: &["JOIN", "WELCOME", "CONSULT", "ANSWER", "REFUSE", "RESUME"],
    token_kinds: &["TOKEN"],
    conduct: Conduct { regenerates: &["regeneration"], ..super::FAMILY.conduct },
    parameters: &[HOLDER],
    ..super::FAMILY
};

/// A process's knowledge of generations.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Regeneration {
    /// Latest known generation; 0 if none is known.
    latest: u64,
    /// Whether this process has received or sent the RESUME of the latest generation. Until then, it does not pass the
    /// token on.
    begun: bool,
    /// Process that will send the RESUME of the latest generation.
    asked_by: Option<NodeId>,
    /// Processes that are not members of the latest generation.
    outsiders: FlatSet<NodeId>,
    /// Suspected processes.
    suspects: FlatSet<NodeId>,
    /// Incarnation of this process, counted from 1.
    life: u32,
    /// Processes that may not know yet that this process is back.
    joining: FlatSet<NodeId>,
    /// Generations of the CONSULTs that this process has received while joining.
    unanswered: FlatMap<NodeId, u64>,
    /// Answers received so far by process, while this process consults the others.
    answers: Option<FlatMap<NodeId, Answer>>,
    /// Naimi and Tréhel: requests that arrived before their generation began here, each with its generation.
    pub early: VecDeque<(u64, NodeId)>,
}

impl Regeneration {
    /// Returns the knowledge at the start of an incarnation, or `None` in a variant without regeneration.
    pub fn begin(incarnation: u32, is_kept: bool) -> Option<Box<Self>> {
        is_kept.then(|| Box::new(if incarnation > 1 { Self::forgotten(incarnation) } else { Self::at_start() }))
    }

    fn at_start() -> Self {
        Self { latest: FIRST, begun: true, life: 1, ..Self::default() }
    }

    fn forgotten(life: u32) -> Self {
        Self { life, ..Self::default() }
    }

    /// Promises to accept no token of an earlier generation, and abandons this process's own consultation.
    fn promise(&mut self, generation: u64) {
        (self.latest, self.begun, self.asked_by, self.answers) = (generation, false, None, None);
    }

    /// Returns whether this process consults the others after a notification about `other`. If this process is already
    /// consulting, it starts again. If it waits for the RESUME of `other`, it consults in place of `other`.
    fn asks_now(&self, me: NodeId, other: NodeId) -> bool {
        let is_smallest = || NodeId::all(me.0).all(|node| node == other || self.is_out(node));
        self.joining.is_empty() && (self.answers.is_some() || self.asked_by == Some(other) || is_smallest())
    }

    /// Returns whether a process is suspected or not a member. Such a process may lack notifications that this process
    /// has received.
    fn is_out(&self, node: NodeId) -> bool {
        self.suspects.contains(&node) || self.outsiders.contains(&node)
    }

    /// Returns whether this process must consult again, because the last consultation omitted a live process.
    fn misses_somebody(&self, me: NodeId) -> bool {
        self.outsiders.difference(&self.suspects).next().is_some() && NodeId::all(me.0).all(|node| self.is_out(node))
    }

    /// Returns a generation later than all known generations. Of `nodes` processes, only this process ever chooses
    /// this number.
    fn next(&self, me: NodeId, nodes: u64) -> u64 {
        let later = self.latest.max(FIRST).saturating_add(1);
        later.saturating_add((u64::from(me.0) + nodes - later % nodes) % nodes)
    }
}

/// An algorithm that regenerates a lost token.
pub(super) trait Regenerates: Algorithm<Message: From<Said> + TryInto<Said>, Reason: From<Why>> {
    /// Returns the knowledge of generations, or `None` in a variant without regeneration.
    fn regeneration(&self) -> Option<&Regeneration>;

    /// Returns the knowledge of generations, mutably.
    fn regeneration_mut(&mut self) -> Option<&mut Regeneration>;

    /// Returns the generation of the token, if this process has the token.
    fn token_generation(&self) -> Option<u64>;

    /// Returns the number of this process's latest request, and the number up to which its requests are served.
    fn numbers(&self, me: NodeId) -> (u64, u64);

    /// Begins a new generation: keeps, makes or drops the token, and stores which requests wait.
    fn resume(&mut self, resumption: &Resumption, makes: bool, turn: &mut Turn<'_, Self>);

    /// Returns whether a process makes a token without consulting the others, which is faulty.
    fn is_hasty(setting: &Self::Setting) -> bool {
        let _ = setting;
        false
    }

    /// Handles a message of regeneration.
    fn receive_regeneration(&mut self, from: NodeId, message: Self::Message, turn: &mut Turn<'_, Self>) {
        match message.try_into() {
            Ok(Said::Join(life)) => self.joined(from, life, turn),
            Ok(Said::Welcome(life)) => self.welcomed(from, life, turn),
            Ok(Said::Consult(asked)) => self.consulted(from, asked, turn),
            Ok(Said::Answer(answer)) => self.answered(from, answer, turn),
            Ok(Said::Refuse(latest)) => self.refused(from, latest, turn),
            Ok(Said::Resume(resumption)) => self.resumed(from, &resumption, turn),
            Err(_) => {}
        }
    }

    /// Returns the latest known generation.
    fn generation(&self) -> u64 {
        self.regeneration().map_or(FIRST, |regeneration| regeneration.latest)
    }

    /// Adds the variables of regeneration to a view, if lost tokens are regenerated.
    fn with_generation(&self, view: View) -> View {
        let Some(Regeneration { latest, begun, .. }) = self.regeneration() else { return view };
        let view = view.with("generation", Value::number(*latest)).with("resumed", Value::Flag(*begun));
        view.with("token_generation", self.token_generation().map(Value::number))
    }

    /// Returns whether a token may be passed on.
    fn has_begun(&self) -> bool {
        self.regeneration().is_none_or(|regeneration| regeneration.begun)
    }

    /// Returns whether a process may receive the token.
    fn takes_part(&self, node: NodeId) -> bool {
        self.regeneration().is_none_or(|regeneration| !regeneration.outsiders.contains(&node))
    }

    /// Starts to rejoin after a crash.
    fn restart(&mut self, turn: &mut Turn<'_, Self>) {
        if let Some(regeneration) = self.regeneration_mut() {
            regeneration.joining = turn.others().collect();
            turn.because(Why::Joins.into());
            turn.multicast(Said::Join(Life { life: regeneration.life }).into());
        }
    }

    /// Welcomes a process that is back, which the failure detector has already reported.
    fn joined(&self, from: NodeId, life: Life, turn: &mut Turn<'_, Self>) {
        if self.regeneration().is_some() {
            turn.because(Why::Welcomed { node: from }.into());
            turn.send(from, Said::Welcome(life).into());
        }
    }

    /// Handles WELCOME: the process `from` knows that this process is back.
    fn welcomed(&mut self, from: NodeId, Life { life }: Life, turn: &mut Turn<'_, Self>) {
        let here = self.regeneration_mut().filter(|regeneration| regeneration.life == life);
        if here.is_some_and(|regeneration| regeneration.joining.remove(&from)) {
            self.take_part_if_welcome(turn);
        }
    }

    /// If all others know that this process is back, answers the postponed CONSULTs and consults the others if
    /// necessary.
    fn take_part_if_welcome(&mut self, turn: &mut Turn<'_, Self>) {
        let Some(regeneration) = self.regeneration_mut().filter(|regeneration| regeneration.joining.is_empty()) else {
            return;
        };
        for (from, generation) in core::mem::take(&mut regeneration.unanswered) {
            self.consulted(from, Generation { generation }, turn);
        }
        // An answer to an earlier incarnation may have shown a generation that only this process can continue, because
        // it began that generation.
        if self.regeneration().is_some_and(|regeneration| regeneration.latest > 0 && regeneration.asked_by.is_none()) {
            self.consult(turn);
        } else {
            self.consult_because_of(turn.me, turn);
        }
    }

    /// Records that another process is suspected.
    fn suspect(&mut self, other: NodeId, turn: &mut Turn<'_, Self>) {
        let Some(regeneration) = self.regeneration_mut() else { return };
        regeneration.suspects.insert(other);
        if regeneration.joining.remove(&other) {
            self.take_part_if_welcome(turn);
        } else {
            self.consult_because_of(other, turn);
        }
    }

    /// Records that a suspected process is trusted again.
    fn trust(&mut self, other: NodeId, turn: &mut Turn<'_, Self>) {
        if let Some(regeneration) = self.regeneration_mut() {
            regeneration.suspects.remove(&other);
            self.consult_because_of(other, turn);
        }
    }

    /// Consults all others if, after a notification about `other`, consulting is the task of this process.
    fn consult_because_of(&mut self, other: NodeId, turn: &mut Turn<'_, Self>) {
        if self.regeneration().is_some_and(|regeneration| regeneration.asks_now(turn.me, other)) {
            self.consult(turn);
        }
    }

    /// Returns an ANSWER with this process's request numbers and the generation of its token.
    fn answer(&self, generation: u64, me: NodeId) -> Answer {
        let (newest, served) = self.numbers(me);
        Answer { generation, token: self.token_generation(), newest, served }
    }

    /// Begins a new generation: sends CONSULT to all live processes.
    fn consult(&mut self, turn: &mut Turn<'_, Self>) {
        let nodes = u64::from(count(turn.others().count())) + 1;
        let Some(generation) = self.regeneration().map(|regeneration| regeneration.next(turn.me, nodes)) else {
            return;
        };
        let own = self.answer(generation, turn.me);
        let Some(regeneration) = self.regeneration_mut() else { return };
        regeneration.promise(generation);
        regeneration.answers = Some(FlatMap::from([(turn.me, own)]));
        if !Self::is_hasty(turn.setting) {
            turn.because(Why::AskedAll { generation }.into());
            for node in turn.others().filter(|node| !regeneration.suspects.contains(node)) {
                turn.send(node, Said::Consult(Generation { generation }).into());
            }
        }
        self.conclude(turn);
    }

    /// Answers a CONSULT.
    fn consulted(&mut self, from: NodeId, Generation { generation }: Generation, turn: &mut Turn<'_, Self>) {
        let answer = self.answer(generation, turn.me);
        let Some(regeneration) = self.regeneration_mut() else {
            return turn.because(Why::NotAsked { from, generation }.into());
        };
        if !regeneration.joining.is_empty() {
            let latest = regeneration.unanswered.entry(from).or_default();
            *latest = generation.max(*latest);
            return turn.because(Why::AnswersLater { to: from, generation }.into());
        }
        if regeneration.suspects.contains(&from) {
            return turn.because(Why::OfTheDead { from, generation }.into());
        }
        if generation <= regeneration.latest {
            turn.because(Why::Refused { from, generation }.into());
            return turn.send(from, Said::Refuse(Generation { generation: regeneration.latest }).into());
        }
        regeneration.promise(generation);
        regeneration.asked_by = Some(from);
        turn.because(Why::Answered { to: from, generation }.into());
        turn.send(from, Said::Answer(answer).into());
    }

    /// Handles an ANSWER.
    fn answered(&mut self, from: NodeId, answer: Answer, turn: &mut Turn<'_, Self>) {
        let generation = answer.generation;
        if self.answers_an_earlier_life(generation) {
            return self.ask_for_an_earlier_life(generation, turn);
        }
        let open = self.regeneration_mut().filter(|regeneration| regeneration.latest == generation);
        let Some(answers) = open.and_then(|regeneration| regeneration.answers.as_mut()) else {
            return turn.because(Why::NotAsked { from, generation }.into());
        };
        answers.insert(from, answer);
        self.conclude(turn);
    }

    /// Returns whether an ANSWER of generation `generation` answers a CONSULT of an earlier incarnation of this
    /// process.
    fn answers_an_earlier_life(&self, generation: u64) -> bool {
        self.regeneration().is_some_and(|regeneration| regeneration.life > 1 && regeneration.latest < generation)
    }

    /// Consults again in place of an earlier incarnation, whose RESUME another process awaits. While this process is
    /// joining, only records the generation.
    fn ask_for_an_earlier_life(&mut self, generation: u64, turn: &mut Turn<'_, Self>) {
        let Some(regeneration) = self.regeneration_mut() else { return };
        regeneration.promise(generation);
        if regeneration.joining.is_empty() {
            self.consult(turn);
        }
    }

    /// Handles a REFUSE: consults again. The sender knows a later generation, or has already answered a CONSULT of an
    /// earlier incarnation of this process with the same generation.
    fn refused(&mut self, from: NodeId, Generation { generation }: Generation, turn: &mut Turn<'_, Self>) {
        let asks =
            |regeneration: &&mut Regeneration| regeneration.answers.is_some() && regeneration.latest <= generation;
        let Some(regeneration) = self.regeneration_mut().filter(asks) else {
            return turn.because(Why::NotAsked { from, generation }.into());
        };
        regeneration.promise(generation);
        self.consult(turn);
    }

    /// Sends RESUME, if all live processes have answered.
    fn conclude(&mut self, turn: &mut Turn<'_, Self>) {
        let hasty = Self::is_hasty(turn.setting);
        let Some(regeneration) = self.regeneration_mut() else { return };
        let Some(answers) = &regeneration.answers else { return };
        let alive: Vec<NodeId> = turn.others().filter(|node| !regeneration.suspects.contains(node)).collect();
        if !hasty && !alive.iter().all(|node| answers.contains_key(node)) {
            return;
        }
        let generation = regeneration.latest;
        // The token of the latest generation is the only one that counts: earlier consultations have discarded all
        // others.
        let found = answers.iter().filter_map(|(&node, answer)| Some((answer.token?, node))).max();
        let holder = found.map_or(turn.me, |(_, node)| node);
        let numbers = |node| answers.get(&node).map_or((0, 0), |answer| (answer.newest, answer.served));
        let member = |process| {
            let (newest, served) = numbers(process);
            Member { process, newest, served }
        };
        let members = alive.iter().copied().chain([turn.me]).map(member).collect();
        turn.because(match found {
            Some((_, holder)) => Why::FoundToken { holder, generation }.into(),
            None => Why::MadeToken { generation }.into(),
        });
        let resumption = Resumption { generation, holder, members };
        for node in alive {
            turn.send(node, Said::Resume(resumption.clone()).into());
        }
        self.begin_generation(&resumption, found.is_none(), turn);
    }

    /// Handles a RESUME.
    fn resumed(&mut self, from: NodeId, resumption: &Resumption, turn: &mut Turn<'_, Self>) {
        let &Resumption { generation, holder, .. } = resumption;
        let hasty = Self::is_hasty(turn.setting);
        let is_awaited = self.regeneration().is_some_and(|regeneration| {
            let answered = generation == regeneration.latest && !regeneration.begun && regeneration.answers.is_none();
            answered || hasty && generation > regeneration.latest
        });
        if !is_awaited {
            return turn.because(Why::NotAsked { from, generation }.into());
        }
        turn.because(Why::Resumed { holder, generation }.into());
        self.begin_generation(resumption, false, turn);
    }

    /// Begins the generation of a RESUME.
    fn begin_generation(&mut self, resumption: &Resumption, makes: bool, turn: &mut Turn<'_, Self>) {
        let members: FlatSet<NodeId> = resumption.members.iter().map(|member| member.process).collect();
        if let Some(regeneration) = self.regeneration_mut() {
            regeneration.promise(resumption.generation);
            regeneration.begun = true;
            regeneration.outsiders = turn.others().filter(|node| !members.contains(node)).collect();
        }
        self.resume(resumption, makes, turn);
        if self.regeneration().is_some_and(|regeneration| regeneration.misses_somebody(turn.me)) {
            self.consult(turn);
        }
    }

    /// Returns the new generation of this process's token, whose former generation was `token`. Returns `None` if this
    /// process has no token in the new generation.
    fn goes_on_as(token: Option<u64>, resumption: &Resumption, makes: bool, me: NodeId) -> Option<u64> {
        let counts = makes || token.is_some_and(|token| token == resumption.generation || resumption.holder == me);
        counts.then_some(resumption.generation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_process_gives_numbers_that_no_other_gives() {
        let numbers = |me, latest| Regeneration { latest, ..Regeneration::at_start() }.next(NodeId(me), 3);
        assert_eq!([0, 1, 2].map(|me| numbers(me, 0)), [3, 4, 2]);
        assert_eq!([0, 1, 2].map(|me| numbers(me, 4)), [6, 7, 5]);
        assert_eq!(Regeneration::at_start().next(NodeId(0), 1), 2);
    }

    #[test]
    fn the_smallest_live_process_asks() {
        let mut regeneration = Regeneration::at_start();
        assert!(regeneration.asks_now(NodeId(0), NodeId(2)) && !regeneration.asks_now(NodeId(1), NodeId(2)));
        assert!(regeneration.asks_now(NodeId(1), NodeId(0)));
        regeneration.suspects.insert(NodeId(0));
        assert!(regeneration.asks_now(NodeId(1), NodeId(2)) && !regeneration.asks_now(NodeId(2), NodeId(3)));
    }
}
