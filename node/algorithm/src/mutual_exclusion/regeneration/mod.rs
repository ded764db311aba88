//! A lost token is made anew, exactly once: what the algorithms have in common whose token anybody may ask for.
//!
//! Nishio, Li and Manning 1990, "A Resilient Mutual Exclusion Algorithm for Computer Networks", IEEE Transactions on Parallel
//! and Distributed Systems 1(3), have a process that misses the token ask all others before it makes another one. Here
//! that is done as views are changed in Oki and Liskov 1988, "Viewstamped Replication", PODC, on word of a failure detector:
//!
//! 1. Whoever is told that a process is dead, or back, and is the smallest of all others that it takes for alive, begins a new
//!    generation, by a number that only it gives, and asks all who are alive: CONSULT.
//! 2. Who is asked takes no token of an earlier generation any more, hands none on, and says what it has: ANSWER. If it has
//!    heard of a later generation it says that: REFUSE; the question is then asked again by a later number.
//! 3. When all who are alive have answered, no token on its way counts. If one of them has a token, it stays where it is; if
//!    none has, who asked makes one. RESUME says where it is, who takes part, and which requests wait.
//!
//! If the one who asks dies halfway, others are told of it and ask by a later number. A token goes only to who takes part in its
//! generation, that is, who was alive when it answered: if it dies, somebody is told later and asks again.
//!
//! Who is back knows nothing. It takes no token at all before it has been asked and told to resume, and it answers and asks only
//! when all who are alive know that it is back: JOIN, WELCOME. Else one of them, told late that its earlier life is over, would
//! take it for dead while it is in the section. At least one process that remembers the latest generation must be alive, or
//! an old token may count again.

mod said;

pub(super) use self::said::Said;
pub use self::said::{Answer, Generation, Life, Member, Resumption, Why};
use crate::flat::{FlatMap, FlatSet};
use crate::prelude::*;

/// The generation of the token that there is at the start.
pub(super) const FIRST: u64 = 1;

/// The generation of a token that does not say of which it is: the first.
pub(super) const fn first() -> u64 {
    FIRST
}

/// Whether a generation is the first, which no message names.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
pub(super) const fn is_first(generation: &u64) -> bool {
    *generation == FIRST
}

/// The messages that are only there to make a token anew.
pub(super) const KINDS: &[&str] = &["JOIN", "WELCOME", "CONSULT", "ANSWER", "REFUSE", "RESUME"];

/// What a variant needs that makes a lost token anew.
pub(super) const NEEDS: Assumptions =
    Assumptions { no_crash: false, failure_detector: crate::needs::FailureDetector::Perfect, ..super::FAMILY.assumes };

/// What a process knows of generations.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(super) struct Regeneration {
    /// The latest generation that it has heard of; 0 if of none.
    latest: u64,
    /// Whether that has begun here: until then no token is handed on.
    begun: bool,
    /// Who is to say that it begins.
    asked_by: Option<NodeId>,
    /// Who takes no part in it.
    outsiders: FlatSet<NodeId>,
    /// Who is taken for dead.
    suspects: FlatSet<NodeId>,
    /// Which life of its own it is in, from 1.
    life: u32,
    /// Who may not know yet that it is back.
    joining: FlatSet<NodeId>,
    /// Who has asked meanwhile, and by which number.
    unanswered: FlatMap<NodeId, u64>,
    /// What others have answered, while this process asks.
    answers: Option<FlatMap<NodeId, Answer>>,
}

impl Regeneration {
    /// That of a process at the start.
    pub fn at_start() -> Self {
        Self {
            latest: FIRST,
            begun: true,
            asked_by: None,
            outsiders: FlatSet::new(),
            suspects: FlatSet::new(),
            life: 1,
            joining: FlatSet::new(),
            unanswered: FlatMap::new(),
            answers: None,
        }
    }

    /// That of a process that is back after a crash.
    pub fn forgotten(life: u32) -> Self {
        Self { latest: 0, begun: false, life, ..Self::at_start() }
    }

    /// Takes no token of a generation before this one any more; what it has asked itself is given up.
    fn promise(&mut self, generation: u64) {
        (self.latest, self.begun, self.asked_by, self.answers) = (generation, false, None, None);
    }

    /// Whether it is this process that asks, now that it was told something of `other`. Who asks already does so anew, and who
    /// waits for the one that has asked does so in its place.
    fn asks_now(&self, me: NodeId, other: NodeId) -> bool {
        let is_smallest = || NodeId::all(me.0).all(|node| node == other || self.is_out(node));
        self.joining.is_empty() && (self.answers.is_some() || self.asked_by == Some(other) || is_smallest())
    }

    /// Whether a process is dead, or takes no part, so that it need not have been told what this one was.
    fn is_out(&self, node: NodeId) -> bool {
        self.suspects.contains(&node) || self.outsiders.contains(&node)
    }

    /// Whether it is this process that asks again, since the last question has left out somebody who is alive.
    fn misses_somebody(&self, me: NodeId) -> bool {
        self.outsiders.difference(&self.suspects).next().is_some() && NodeId::all(me.0).all(|node| self.is_out(node))
    }

    /// A later generation than all that were heard of, by a number that only this process of so many gives.
    fn next(&self, me: NodeId, nodes: u64) -> u64 {
        let later = self.latest.max(FIRST).saturating_add(1);
        later.saturating_add((u64::from(me.0) + nodes - later % nodes) % nodes)
    }

    /// Adds what people see of it.
    pub fn show(&self, token: Option<u64>, view: &mut View) {
        view.variables.insert("generation".into(), Value::number(self.latest));
        view.variables.insert("resumed".into(), Value::Flag(self.begun));
        if let Some(token) = token {
            view.variables.insert("token_generation".into(), Value::number(token));
        }
    }
}

/// An algorithm whose token can be made anew.
pub(super) trait Regenerates: Algorithm<Message: From<Said>, Reason: From<Why>> {
    /// What it knows of generations; none in a variant in which a lost token is the end.
    fn regeneration(&self) -> Option<&Regeneration>;

    /// The same, to change it.
    fn regeneration_mut(&mut self) -> Option<&mut Regeneration>;

    /// Of which generation the token is that is here.
    fn token_generation(&self) -> Option<u64>;

    /// The number of its latest request, and up to which its requests need nothing any more.
    fn numbers(&self, me: NodeId) -> (u64, u64);

    /// A new generation begins: takes the token for one of it, or makes it, or forgets it, and learns which requests wait.
    fn resume(&mut self, resumption: &Resumption, makes: bool, turn: &mut Turn<'_, Self>);

    /// Whether a token is made without asking anybody: wrong.
    fn is_hasty(setting: &Self::Setting) -> bool {
        let _ = setting;
        false
    }

    /// The latest generation that was heard of.
    fn generation(&self) -> u64 {
        self.regeneration().map_or(FIRST, |regeneration| regeneration.latest)
    }

    /// Whether a token may be handed on.
    fn has_begun(&self) -> bool {
        self.regeneration().is_none_or(|regeneration| regeneration.begun)
    }

    /// Whether a process may get the token.
    fn takes_part(&self, node: NodeId) -> bool {
        self.regeneration().is_none_or(|regeneration| !regeneration.outsiders.contains(&node))
    }

    /// It is back after a crash.
    fn restart(&mut self, turn: &mut Turn<'_, Self>) {
        if let Some(regeneration) = self.regeneration_mut() {
            regeneration.joining = turn.others().collect();
            turn.because(Why::Joins.into());
            turn.multicast(Said::Join(Life { life: regeneration.life }).into());
        }
    }

    /// Another is back, and this process knows it: it was told before.
    fn joined(&self, from: NodeId, life: Life, turn: &mut Turn<'_, Self>) {
        if self.regeneration().is_some() {
            turn.because(Why::Welcomed { node: from }.into());
            turn.send(from, Said::Welcome(life).into());
        }
    }

    /// Another knows that this process is back.
    fn welcomed(&mut self, from: NodeId, Life { life }: Life, turn: &mut Turn<'_, Self>) {
        let here = self.regeneration_mut().filter(|regeneration| regeneration.life == life);
        if here.is_some_and(|regeneration| regeneration.joining.remove(&from)) {
            self.take_part_if_welcome(turn);
        }
    }

    /// Answers and asks from now on, if all know that it is back.
    fn take_part_if_welcome(&mut self, turn: &mut Turn<'_, Self>) {
        let Some(regeneration) = self.regeneration_mut().filter(|regeneration| regeneration.joining.is_empty()) else {
            return;
        };
        for (from, generation) in core::mem::take(&mut regeneration.unanswered) {
            self.consulted(from, Generation { generation }, turn);
        }
        // By an answer to an earlier life it may know of a generation that only it can go on with.
        if self.regeneration().is_some_and(|regeneration| regeneration.latest > 0 && regeneration.asked_by.is_none()) {
            self.consult(turn);
        } else {
            self.consult_on_news_of(turn.me, turn);
        }
    }

    /// Another process is taken for dead.
    fn suspect(&mut self, other: NodeId, turn: &mut Turn<'_, Self>) {
        let Some(regeneration) = self.regeneration_mut() else { return };
        regeneration.suspects.insert(other);
        if regeneration.joining.remove(&other) {
            self.take_part_if_welcome(turn);
        } else {
            self.consult_on_news_of(other, turn);
        }
    }

    /// Another process is not taken for dead any more.
    fn trust(&mut self, other: NodeId, turn: &mut Turn<'_, Self>) {
        if let Some(regeneration) = self.regeneration_mut() {
            regeneration.suspects.remove(&other);
            self.consult_on_news_of(other, turn);
        }
    }

    /// Asks all, if it is this process that does.
    fn consult_on_news_of(&mut self, other: NodeId, turn: &mut Turn<'_, Self>) {
        if self.regeneration().is_some_and(|regeneration| regeneration.asks_now(turn.me, other)) {
            self.consult(turn);
        }
    }

    /// What it has, as an answer.
    fn answer(&self, generation: u64, me: NodeId) -> Answer {
        let (newest, served) = self.numbers(me);
        Answer { generation, token: self.token_generation(), newest, served }
    }

    /// Begins a new generation.
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

    /// Is asked what it has.
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

    /// Another has answered.
    fn answered(&mut self, from: NodeId, answer: Answer, turn: &mut Turn<'_, Self>) {
        let generation = answer.generation;
        if self.was_asked_in_an_earlier_life(generation) {
            return self.ask_for_an_earlier_life(generation, turn);
        }
        let open = self.regeneration_mut().filter(|regeneration| regeneration.latest == generation);
        let Some(answers) = open.and_then(|regeneration| regeneration.answers.as_mut()) else {
            return turn.because(Why::NotAsked { from, generation }.into());
        };
        answers.insert(from, answer);
        self.conclude(turn);
    }

    /// Whether an answer is to a question that this process has forgotten.
    fn was_asked_in_an_earlier_life(&self, generation: u64) -> bool {
        self.regeneration().is_some_and(|regeneration| regeneration.life > 1 && regeneration.latest < generation)
    }

    /// Another waits for what an earlier life of this process would have said: asks anew, once it takes part.
    fn ask_for_an_earlier_life(&mut self, generation: u64, turn: &mut Turn<'_, Self>) {
        let Some(regeneration) = self.regeneration_mut() else { return };
        regeneration.promise(generation);
        if regeneration.joining.is_empty() {
            self.consult(turn);
        }
    }

    /// Another has heard of a later generation, or has begun this one in an earlier life of who asks.
    fn refused(&mut self, from: NodeId, Generation { generation }: Generation, turn: &mut Turn<'_, Self>) {
        let asks =
            |regeneration: &&mut Regeneration| regeneration.answers.is_some() && regeneration.latest <= generation;
        let Some(regeneration) = self.regeneration_mut().filter(asks) else {
            return turn.because(Why::NotAsked { from, generation }.into());
        };
        regeneration.promise(generation);
        self.consult(turn);
    }

    /// Says how it goes on, if all have answered.
    fn conclude(&mut self, turn: &mut Turn<'_, Self>) {
        let hasty = Self::is_hasty(turn.setting);
        let Some(regeneration) = self.regeneration_mut() else { return };
        let Some(answers) = &regeneration.answers else { return };
        let alive: Vec<NodeId> = turn.others().filter(|node| !regeneration.suspects.contains(node)).collect();
        if !hasty && !alive.iter().all(|node| answers.contains_key(node)) {
            return;
        }
        let generation = regeneration.latest;
        // Only one of the latest counts: any other is one that an earlier question had given up.
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

    /// Is told how it goes on.
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

    /// Goes on in a new generation.
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

    /// Of which generation the token is from now on that was of `token`; none if it does not count any more.
    fn goes_on_as(token: Option<u64>, resumption: &Resumption, makes: bool, me: NodeId) -> Option<u64> {
        let counts = makes || token.is_some_and(|token| token == resumption.generation || resumption.holder == me);
        counts.then_some(resumption.generation)
    }
}

/// Makes the messages and reasons of an algorithm of those that are said for a new generation.
macro_rules! says_for_regeneration {
    ($message:ident) => {
        impl From<$crate::mutual_exclusion::regeneration::Said> for $message {
            fn from(said: $crate::mutual_exclusion::regeneration::Said) -> Self {
                use $crate::mutual_exclusion::regeneration::Said;
                match said {
                    Said::Join(said) => Self::Join(said),
                    Said::Welcome(said) => Self::Welcome(said),
                    Said::Consult(said) => Self::Consult(said),
                    Said::Answer(said) => Self::Answer(said),
                    Said::Refuse(said) => Self::Refuse(said),
                    Said::Resume(said) => Self::Resume(said),
                }
            }
        }

        impl From<$crate::mutual_exclusion::regeneration::Why> for Reason {
            fn from(because: $crate::mutual_exclusion::regeneration::Why) -> Self {
                Self::Regeneration { because }
            }
        }
    };
}

pub(super) use says_for_regeneration;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_process_numbers_generations_of_its_own() {
        let numbers = |me, latest| Regeneration { latest, ..Regeneration::at_start() }.next(NodeId(me), 3);
        assert_eq!([0, 1, 2].map(|me| numbers(me, 0)), [3, 4, 2]);
        assert_eq!([0, 1, 2].map(|me| numbers(me, 4)), [6, 7, 5]);
        assert_eq!(Regeneration::at_start().next(NodeId(0), 1), 2);
    }

    #[test]
    fn the_smallest_of_all_others_that_are_alive_asks() {
        let mut regeneration = Regeneration::at_start();
        assert!(regeneration.asks_now(NodeId(0), NodeId(2)) && !regeneration.asks_now(NodeId(1), NodeId(2)));
        assert!(regeneration.asks_now(NodeId(1), NodeId(0)));
        regeneration.suspects.insert(NodeId(0));
        assert!(regeneration.asks_now(NodeId(1), NodeId(2)) && !regeneration.asks_now(NodeId(2), NodeId(3)));
    }
}
