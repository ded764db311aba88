//! Monitor of tokens: there is exactly one token. There are never two, and the last one is never lost.
//!
//! The catalogue or the users' programs declare the kinds of messages that carry the token. The stream does not
//! show which node has the token at the beginning: it is the first node that sends it. From then on every token is
//! at a node or in a message. The monitor does not report a crash of the holder, since stored state may bring the
//! token back. It also does not report a message that is dropped because the run ends. After a loss, the next node
//! that sends a token counts as the first holder, so a regenerated token is not a violation.
//!
//! If an algorithm regenerates a lost token ([`Conduct::regenerates`](interlock_algorithm::conduct::Conduct)), the
//! loss of the token is not a violation. There are two cases:
//!
//! - Tokens carry a `generation`. A token of a later generation replaces all earlier tokens, which are believed lost.
//!   The earlier tokens no longer count, wherever they are. Two tokens of one generation are a violation.
//! - Tokens carry no generation, and processes are notified of crashes. A token that a process had when it crashed
//!   no longer counts. A token in transit from or to that process does not count either, because the stream does
//!   not show whether the receiver accepts the token. If the receiver sends the token on, the token counts again.

use super::finding::{Finding, Monitor, Property, findings, of_lock};
use super::interventions::Interventions;
use crate::state::State;
use crate::state::label::lock_of;
use interlock_algorithm::{FailureDetector, LockId, NodeId, catalogue};
use interlock_machine::message_id::MessageId;
use interlock_model::event::{DropReason, Event, Json, Violation, What};
use interlock_model::specification::Specification;

/// The name of this monitor. If each lock has its own token, all violations of this monitor also have the argument
/// `lock`.
pub const NAME: &str = "tokens";

findings! {
    /// A node sent a token that it did not have. Arguments: `node`.
    pub const SECOND_TOKEN = "second-token";
    SecondToken { node: NodeId, #[serde(default, skip_serializing_if = "Option::is_none")] lock: Option<LockId> } =>
        of_lock(*lock, format!("{node} sent a token that it did not have: there are two tokens."));

    /// The network duplicated a token. Arguments: `from`, `to`.
    pub const COPIED_TOKEN = "copied-token";
    CopiedToken {
        from: NodeId,
        to: NodeId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lock: Option<LockId>,
    } => of_lock(*lock, format!("The token in transit from {from} to {to} was duplicated: there are two tokens."));

    /// The network lost the last token. Arguments: `from`, `to`.
    pub const LOST_TOKEN = "lost-token";
    LostToken {
        from: NodeId,
        to: NodeId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lock: Option<LockId>,
    } => of_lock(*lock, format!("The token was lost in transit from {from} to {to}."))
}

/// The monitor of tokens. It tracks one token, or one token for each lock if each lock has its own token.
#[derive(Debug)]
pub struct Tokens {
    kinds: Vec<String>,
    /// Whether the algorithm regenerates a lost token.
    regenerates: bool,
    /// Whether a token without a generation ceases to count as a token when its holder crashes. This is so if the
    /// algorithm regenerates tokens and processes are notified of crashes.
    ends_with_the_dead: bool,
    locks: Vec<OneToken>,
}

/// The token of one lock.
#[derive(Debug)]
struct OneToken {
    /// The lock to which the token belongs, if each lock has its own token.
    lock: Option<LockId>,
    /// The latest generation of any token sent so far; 0 if tokens carry no generation.
    generation: u64,
    /// Whether the monitor knows where the token is. The monitor knows this once a node has sent the token since
    /// the run began, or since the last loss.
    known: bool,
    /// For each node, whether the node has the token.
    has: Vec<bool>,
    /// Whether tokens carry a generation.
    is_numbered: bool,
    /// For each node, whether the node has crashed. Used only if [`Tokens::ends_with_the_dead`] is true.
    died: Vec<bool>,
    /// The messages in the network that carry the token, each with the event that sent it.
    under_way: Vec<(MessageId, u64)>,
    /// The token's message that the network dropped last, with the events that sent it and dropped it. After
    /// dropping this message, the network may still duplicate it.
    ended: Option<(MessageId, [u64; 2])>,
}

impl Monitor for Tokens {
    const PROPERTIES: &'static [Property] = &[PROPERTY];

    fn new(specification: &Specification) -> Self {
        let kinds = specification.known_algorithm().map(|known| known.token_kinds).unwrap_or_default();
        let kinds: Vec<String> = kinds.into_iter().map(ToOwned::to_owned).collect();
        let locks = if kinds.is_empty() { 0 } else { specification.locks.max(1) };
        let nobody = || NodeId::all(specification.nodes).map(|_| false).collect();
        let several = |lock| (locks > 1).then_some(LockId(lock));
        let one = |lock| OneToken {
            lock: several(lock),
            generation: 0,
            is_numbered: false,
            known: false,
            has: nobody(),
            died: nobody(),
            under_way: Vec::new(),
            ended: None,
        };
        let regenerates = regenerates(specification);
        let is_told = catalogue::assumptions(&specification.algorithm, &specification.variant)
            .is_some_and(|assumes| assumes.failure_detector == FailureDetector::Perfect);
        Self { kinds, regenerates, ends_with_the_dead: regenerates && is_told, locks: (0..locks).map(one).collect() }
    }

    fn reads(&self, _: &Event, _: &Interventions) -> bool {
        !self.locks.is_empty()
    }

    fn observe(&mut self, event: &Event, _: &Interventions, found: &mut Vec<Violation>) {
        if let What::Sent { at, message, message_kind, body, .. } = &event.what {
            self.report_losses(found);
            let regenerates = self.regenerates;
            if self.kinds.iter().any(|kind| **kind == **message_kind)
                && let Some(token) = self.of(body)
                && (!regenerates || token.counts(body))
            {
                token.sent(at.node, *message, event.seq, found);
            }
        } else {
            let before = found.len();
            self.locks.iter_mut().for_each(|token| token.observe(event, found));
            self.forgive_losses(before, found);
            if let What::Crashed { node, .. } = event.what
                && self.ends_with_the_dead
            {
                self.locks.iter_mut().for_each(|token| token.died(node));
            }
        }
    }

    fn settle(&mut self, _: &State, _pending_inputs: usize, _: &Interventions, found: &mut Vec<Violation>) {
        self.report_losses(found);
    }
}

impl Tokens {
    /// Returns whether the monitor needs the bodies of messages. With several locks, only the body names the lock of a
    /// token. If tokens can be regenerated, only the body contains the generation.
    #[must_use]
    pub fn reads_bodies(specification: &Specification) -> bool {
        let has_token = specification.known_algorithm().is_some_and(|known| !known.token_kinds.is_empty());
        has_token && (specification.locks > 1 || regenerates(specification))
    }

    /// If the token that was dropped last was the only one, reports its loss. Call this function when the network can
    /// no longer duplicate the dropped message.
    fn report_losses(&mut self, found: &mut Vec<Violation>) {
        let before = found.len();
        self.locks.iter_mut().for_each(|token| token.settle(found));
        self.forgive_losses(before, found);
    }

    /// If the algorithm regenerates lost tokens, removes the reports of lost tokens from the violations after
    /// `before`.
    fn forgive_losses(&self, before: usize, found: &mut Vec<Violation>) {
        if self.regenerates {
            let new = found.split_off(before);
            found.extend(new.into_iter().filter(|violation| *violation.code != *LOST_TOKEN));
        }
    }

    /// Returns the token to which a message with this body belongs: the token of the lock that the body names, or the
    /// only token.
    fn of(&mut self, body: &Json) -> Option<&mut OneToken> {
        let lock = if self.locks.len() > 1 { lock_of(body)? } else { LockId(0) };
        self.locks.get_mut(lock.0 as usize)
    }
}

/// Returns whether the algorithm of a run regenerates a lost token.
fn regenerates(specification: &Specification) -> bool {
    catalogue::conduct(&specification.algorithm).regenerates.contains(&&*specification.variant)
}

impl OneToken {
    /// Returns whether a sent token is counted as a token. If its generation is later than all generations so far, the
    /// token replaces all other tokens. If its generation is earlier than the latest generation, the token is not
    /// counted.
    fn counts(&mut self, body: &Json) -> bool {
        let said = body.value()["generation"].as_u64();
        self.is_numbered |= said.is_some();
        let generation = said.unwrap_or_default();
        if generation > self.generation {
            self.generation = generation;
            self.known = false;
            self.has.fill(false);
            self.under_way.clear();
        }
        generation == self.generation
    }

    /// Records a crash. From now on, tokens at the process, and tokens in transit from or to it, are not counted as
    /// tokens. Tokens with a generation are exempt, since their generation distinguishes them from a regenerated token.
    fn died(&mut self, node: NodeId) {
        if self.is_numbered {
            return;
        }
        if let (Some(has), Some(died)) = (self.has.get_mut(node.index()), self.died.get_mut(node.index())) {
            (*has, *died) = (false, true);
        }
        self.under_way.retain(|(token, _)| token.from != node && token.to != node);
        self.known = self.is_somewhere();
    }

    fn is_somewhere(&self) -> bool {
        self.has.contains(&true) || !self.under_way.is_empty()
    }

    fn observe(&mut self, event: &Event, found: &mut Vec<Violation>) {
        if let What::Duplicated { message, copy, .. } = &event.what {
            return self.duplicated(*message, *copy, event.seq, found);
        }
        self.settle(found);
        match &event.what {
            What::Delivered { at, message, .. } => self.delivered(at.node, *message),
            What::Dropped { why: DropReason::Ended, message, .. } => {
                self.take(*message);
            }
            What::Dropped { message, .. } | What::Refused { message: Some(message), .. } => {
                self.ended = self.take(*message).map(|sent| (*message, [sent, event.seq]));
            }
            _ => {}
        }
    }

    fn settle(&mut self, found: &mut Vec<Violation>) {
        let Some((message, events)) = self.ended.take() else { return };
        if !self.is_somewhere() {
            self.known = false;
            found.push(LostToken { from: message.from, to: message.to, lock: self.lock }.violation(events));
        }
    }

    fn sent(&mut self, from: NodeId, message: MessageId, seq: u64, found: &mut Vec<Violation>) {
        let had = self.has.get_mut(from.index()).is_some_and(std::mem::take);
        if self.known && !had {
            let others = self.under_way.iter().map(|(_, sent)| *sent);
            let events: Vec<u64> = others.chain([seq]).collect();
            found.push(SecondToken { node: from, lock: self.lock }.violation(events));
        }
        if !self.died.get(message.to.index()).is_some_and(|died| *died) {
            self.under_way.push((message, seq));
        }
        self.known = self.is_somewhere();
    }

    fn duplicated(&mut self, message: MessageId, copy: MessageId, seq: u64, found: &mut Vec<Violation>) {
        let ended = self.ended.is_some_and(|(ended, _)| ended == message);
        if ended || self.is_on_its_way(message) {
            self.under_way.push((copy, seq));
        }
        let lost_original = ended && self.under_way.len() == 1;
        if !lost_original && self.under_way.last().is_some_and(|(token, _)| *token == copy) {
            found.push(CopiedToken { from: message.from, to: message.to, lock: self.lock }.violation([seq]));
        }
    }

    fn is_on_its_way(&self, message: MessageId) -> bool {
        self.under_way.iter().any(|(token, _)| *token == message)
    }

    fn take(&mut self, message: MessageId) -> Option<u64> {
        let place = self.under_way.iter().position(|(token, _)| *token == message)?;
        Some(self.under_way.swap_remove(place).1)
    }

    fn delivered(&mut self, node: NodeId, message: MessageId) {
        if self.take(message).is_some()
            && let Some(has) = self.has.get_mut(node.index())
        {
            *has = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::{Monitors, sentence};
    use super::*;
    use crate::state::test_stream::TestStream;
    use interlock_model::event::Hand;

    fn stream() -> TestStream {
        let mut stream = TestStream::new(3);
        stream.specification.algorithm = "suzuki-kasami".to_owned();
        stream
    }

    fn codes(stream: &TestStream) -> Vec<String> {
        stream.violations().iter().map(|violation| violation.code.to_string()).collect()
    }

    #[test]
    fn a_token_that_is_handed_on_breaks_nothing() {
        let mut stream = stream();
        for (from, to) in [(0, 1), (1, 2), (2, 0), (0, 2)] {
            let token = stream.send(from, to, "TOKEN");
            stream.deliver(token);
        }
        assert_eq!(stream.violations(), []);
    }

    #[test]
    fn who_sends_what_it_does_not_have_makes_a_second() {
        let mut stream = stream();
        stream.send(0, 1, "TOKEN");
        let first = stream.events.last().expect("an event").seq;
        stream.send(2, 1, "TOKEN");
        let second = stream.events.last().expect("an event").seq;
        let found = stream.violations();
        assert_eq!((&*found[0].code, &found[0].events), (SECOND_TOKEN, &vec![first, second]));
        assert_eq!(sentence(&found[0]), "P2 sent a token that it did not have: there are two tokens.");
        assert_eq!(found.len(), 1);
    }

    #[test]
    fn a_copy_is_one_too_many_unless_the_original_is_lost() {
        for (lost, expected) in [(false, vec![COPIED_TOKEN]), (true, vec![])] {
            let mut stream = stream();
            let token = stream.send(0, 1, "TOKEN");
            if lost {
                stream.lose(token);
            }
            let copy = stream.duplicate(token);
            stream.deliver(copy);
            assert_eq!(codes(&stream), expected);
        }
    }

    #[test]
    fn of_a_lost_token_the_second_copy_is_one_too_many() {
        let mut stream = stream();
        let token = stream.send(0, 1, "TOKEN");
        stream.lose(token);
        let copy = stream.duplicate(token);
        let another = MessageId { copy: copy.copy + 1, ..copy };
        stream.push(What::duplicated(token, "ANY".into(), another, Hand::Chance, None));
        assert_eq!(codes(&stream), [COPIED_TOKEN]);
    }

    #[test]
    fn a_copy_of_what_is_no_token_is_none() {
        let mut stream = stream();
        stream.send(0, 1, "TOKEN");
        let request = stream.send(1, 2, "REQUEST");
        stream.duplicate(request);
        assert_eq!(codes(&stream), [""; 0]);
    }

    /// The run ends after the token was dropped. No later event can show that the network does not duplicate the
    /// message.
    #[test]
    fn a_token_that_is_lost_in_the_end_is_missed_when_nothing_comes_any_more() {
        let mut stream = stream();
        let token = stream.send(0, 1, "TOKEN");
        stream.lose(token);
        assert_eq!(codes(&stream), [""; 0]);
        let (mut monitors, mut found) = (Monitors::new(&stream.specification), Vec::new());
        stream.events.iter().for_each(|event| monitors.observe(event, &mut found));
        monitors.settle(&stream.state(), 0, &mut found);
        assert_eq!(found.iter().map(|violation| &*violation.code).collect::<Vec<_>>(), [LOST_TOKEN]);
    }

    /// Sends tokens with these senders, receivers and generations, and delivers each. Returns the codes of the
    /// violations that were found.
    fn generations(sent: &[(u32, u32, u64)], variant: &str) -> Vec<String> {
        let mut stream = stream();
        (stream.specification.algorithm, stream.specification.variant) = ("le-lann".to_owned(), variant.to_owned());
        for &(from, to, generation) in sent {
            let token = stream.send_saying(from, to, "TOKEN", &json!({ "generation": generation, "entries": 1 }));
            stream.deliver(token);
        }
        codes(&stream)
    }

    #[test]
    fn a_token_of_a_later_generation_takes_the_place_of_all_before() {
        // P2 creates a token of generation 2 while the token of generation 1 is at P1, which sends it on.
        assert_eq!(generations(&[(0, 1, 1), (2, 0, 2), (1, 2, 1), (0, 1, 2)], "time-out"), [""; 0]);
        // P2 and P1 both create a token of generation 2.
        assert_eq!(generations(&[(0, 1, 1), (2, 0, 2), (1, 2, 2)], "time-out"), [SECOND_TOKEN]);
        // Tokens carry no generation. The old token is still counted although it was believed lost, so the new token is
        // a second one.
        assert_eq!(generations(&[(0, 1, 0), (2, 0, 0)], "no-generation"), [SECOND_TOKEN]);
    }

    /// P1 crashes. Before the crash, P1 had received a token, and may have sent it on. P2 may then regenerate the
    /// token, but only once.
    #[test]
    fn what_the_dead_had_may_be_made_anew_where_tokens_say_of_no_generation() {
        for (variant, expected) in
            [("bridging", vec![]), ("recovery", vec![SECOND_TOKEN]), ("original", vec![SECOND_TOKEN])]
        {
            for was_sent in [false, true] {
                let mut stream = stream();
                (stream.specification.algorithm, stream.specification.variant) =
                    ("raymond".to_owned(), variant.to_owned());
                let first = stream.send(0, 1, "PRIVILEGE");
                stream.deliver(first);
                if was_sent {
                    stream.send(1, 0, "PRIVILEGE");
                }
                stream.crash(1);
                let anew = stream.send(2, 0, "PRIVILEGE");
                assert_eq!(codes(&stream), expected, "{variant}");
                stream.deliver(anew);
                let known = codes(&stream).len();
                stream.send(0, 1, "PRIVILEGE");
                let again = stream.send(2, 0, "PRIVILEGE");
                assert_eq!(codes(&stream).len() > known, variant != "bridging", "{variant}");
                stream.deliver(again);
                stream.send(2, 0, "PRIVILEGE");
                assert_eq!(codes(&stream).last().map(String::as_str), Some(SECOND_TOKEN), "{variant}");
            }
        }
    }

    #[test]
    fn the_loss_of_a_token_that_is_made_anew_is_no_end() {
        for (variant, expected) in [("time-out", vec![]), ("original", vec![LOST_TOKEN])] {
            let mut stream = stream();
            (stream.specification.algorithm, stream.specification.variant) = ("le-lann".to_owned(), variant.to_owned());
            let token = stream.send(0, 1, "TOKEN");
            stream.lose(token);
            stream.request(2);
            assert_eq!(codes(&stream), expected, "{variant}");
        }
    }

    /// A simulation that reads bodies needs more time for each message, so bodies are read only if they are needed.
    #[test]
    fn bodies_are_read_only_where_there_is_a_token_for_each_of_several_locks() {
        let reads = |algorithm: &str, locks| {
            let mut specification = TestStream::new(3).specification;
            (specification.algorithm, specification.locks) = (algorithm.to_owned(), locks);
            Tokens::reads_bodies(&specification)
        };
        assert!(reads("suzuki-kasami", 2));
        assert!(!reads("suzuki-kasami", 1) && !reads("ricart-agrawala", 2));
    }

    #[test]
    fn a_token_that_is_in_transit_when_the_run_ends_is_not_lost() {
        for (why, expected) in [(DropReason::Ended, vec![]), (DropReason::Loss, vec![LOST_TOKEN])] {
            let mut stream = stream();
            let token = stream.send(0, 1, "TOKEN");
            stream.push(What::dropped(token, "TOKEN".into(), why));
            stream.request(2);
            assert_eq!(codes(&stream), expected, "{why:?}");
        }
    }

    #[test]
    fn the_death_of_another_process_takes_no_token_in_transit() {
        let codes = |crashed, (from, to)| {
            let mut stream = stream();
            (stream.specification.algorithm, stream.specification.variant) = ("raymond".into(), "bridging".into());
            stream.send(0, 1, "PRIVILEGE");
            stream.crash(crashed);
            stream.send(from, to, "PRIVILEGE");
            codes(&stream)
        };
        assert_eq!(codes(2, (1, 0)), [SECOND_TOKEN]);
        assert_eq!([codes(0, (2, 1)), codes(1, (2, 0))], [[""; 0], [""; 0]], "it is lost with either end");
    }

    #[test]
    fn a_token_with_a_generation_stays_when_its_sender_dies() {
        let codes = |fields: serde_json::Value| {
            let mut stream = stream();
            (stream.specification.algorithm, stream.specification.variant) = ("le-lann".into(), "time-out".into());
            stream.send_saying(0, 1, "TOKEN", &fields);
            stream.crash(0);
            stream.send_saying(2, 1, "TOKEN", &fields);
            codes(&stream)
        };
        assert_eq!(codes(json!({ "generation": 1 })), [SECOND_TOKEN]);
        assert_eq!(codes(json!({})), [""; 0]);
    }

    #[test]
    fn the_last_token_is_lost_once_and_may_be_made_anew() {
        let mut stream = stream();
        let token = stream.send(0, 1, "TOKEN");
        stream.lose(token);
        stream.request(2);
        stream.request(1);
        assert_eq!(codes(&stream), [LOST_TOKEN]);
        assert_eq!(sentence(&stream.violations()[0]), "The token was lost in transit from P0 to P1.");
        let anew = stream.send(2, 1, "TOKEN");
        stream.deliver(anew);
        assert_eq!(codes(&stream), [LOST_TOKEN]);
    }
}
