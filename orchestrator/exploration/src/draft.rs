//! A request for an exploration, from the API or the command line.

use std::num::NonZeroUsize;

use interlock_algorithm::catalogue;
use interlock_machine::lock_choice::LockChoice;
use serde::Deserialize;
use utoipa::ToSchema;

use super::environment::{Beginning, Daemon, Environment, TimerPolicy};
use super::limits::Limits;
use super::property::{Properties, Property};
use super::strategy::{SearchOrder, Strategy};
use super::{Exploration, MOST_NODES};
use interlock_model::event::RestartState;
use interlock_model::field_error::FieldError;
use interlock_model::listed;
use interlock_model::network::LinkPatch;
use interlock_model::schema::{FirstStates, RequestCounts};
use interlock_model::size::Size;
use interlock_model::specification::Draft;
use interlock_model::strict;

/// Default number of nodes.
const NODES: u32 = 3;
/// Maximum number of threads: one thread computes successors, and the other looks them up in the visited set.
const MOST_THREADS: usize = 2;
/// Default memory limit of the states.
const MEMORY: Size = Size { bytes: 1 << 30 };

/// A request for an exploration. Only the algorithm is required. Each maximum number applies to the whole run.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExplorationDraft {
    /// The algorithm, its variant and parameters, the number of nodes (1 … 16; default 3) and locks, and the failure
    /// detector. `detector` may be a perfect failure detector, which reports each crash and restart after any delay.
    /// Heartbeats depend on time and cannot be explored. The other fields of this request specify the clients, links
    /// and faults.
    pub specification: Draft,
    /// Number of requests (proposals, elections) of each client: one number for all, a list whose last number
    /// applies to all further clients, or `unlimited`. Default: 1.
    #[schema(value_type = Option<RequestCounts>)]
    pub requests: Option<Requests>,
    /// The locks that a client acquires in a round, one after the other: `all`, `neighbours` or a list such as
    /// `1,0`. If absent, each lock is requested separately.
    pub take: Option<LockChoice>,
    /// Total number of times that a client requests again after its requests were aborted. Unlimited if absent.
    pub again: Option<u8>,
    /// Whether links preserve the order of messages. Default: as the algorithm assumes.
    pub fifo: Option<bool>,
    /// Maximum number of messages on a link. A message that is sent on a full link is lost. Unlimited if absent.
    pub room: Option<u8>,
    /// The initial states of the processes. Default: `usual`.
    #[schema(value_type = Option<FirstStates>)]
    pub beginning: Option<BeginningDraft>,
    /// Maximum number of arbitrary messages on a link when processes begin in arbitrary states. Default: 0.
    pub contents: Option<u8>,
    /// Which processes may move at the same time, in variants with composite atomicity.
    #[serde(default)]
    pub daemon: Daemon,
    /// Maximum number of lost messages.
    #[serde(default)]
    pub lose: u8,
    /// Maximum number of duplicated messages.
    #[serde(default)]
    pub duplicate: u8,
    /// Maximum number of application messages, counted over all pairs of processes.
    #[serde(default)]
    pub tell: u8,
    /// Maximum number of crashes, counted over all processes.
    #[serde(default)]
    pub crash: u8,
    /// Maximum number of pauses, counted over all processes. A paused process takes no steps, and messages to it
    /// wait.
    #[serde(default)]
    pub pause: u8,
    /// Maximum number of corruptions, counted over all processes. A corrupted process may be in any of its states.
    /// Only for algorithms that stabilise.
    #[serde(default)]
    pub corrupt: u8,
    /// The state with which a crashed process eventually restarts. If absent, a crashed process does not restart.
    pub restart: Option<RestartState>,
    /// When timers expire: `patient` (only when no message is in transit), `any-time:N` (at any time, N times) or
    /// `always` (at any time, without limit). Default: `patient`.
    #[schema(value_type = Option<String>)]
    pub timers: Option<TimerPolicy>,
    /// The properties to check. Default: all properties that the algorithm promises. If processes begin in unusual
    /// states or are corrupted, the default is closure and convergence.
    #[serde(default, deserialize_with = "listed::list")]
    #[schema(value_type = Properties)]
    pub properties: Vec<Property>,
    /// The order of the search. `breadth-first` finds the shortest violating schedule with the fewest participants.
    /// `depth-first` often finds a violation far from the initial state sooner. Default: `breadth-first`.
    #[serde(default)]
    pub search: SearchOrder,
    /// Number of threads of a breadth-first search, 1 or 2. With 2, one thread computes successors and the other
    /// looks them up in the visited set. The result is the same. Default: 1.
    #[schema(value_type = Option<usize>)]
    pub threads: Option<NonZeroUsize>,
    /// Approximate memory limit of the states: `512MiB`, `4GiB`. Default: 1 GiB.
    #[schema(value_type = Option<String>)]
    pub memory_limit: Option<Size>,
    /// Maximum number of states to examine. Unlimited if absent.
    pub states: Option<u64>,
}

/// The number of requests of the clients.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a number in 0 … 255, a list of them such as `2,0`, or `unlimited`")]
pub enum Requests {
    /// The same number for each client.
    Each(u8),
    /// A number for each client; the last number applies to all further clients.
    List(#[serde(deserialize_with = "listed::list")] Vec<u8>),
    /// No limit.
    Unlimited(Unlimited),
}

/// The word `unlimited`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unlimited {
    /// Clients request without limit.
    Unlimited,
}

/// The initial states of the processes.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected `usual`, `arbitrary`, or a list of state numbers such as `0,1,0`")]
pub enum BeginningDraft {
    /// A word for the states of all processes.
    Word(BeginningWord),
    /// The numbers of arbitrary states, one number for each node. Only for algorithms that stabilise.
    States(#[serde(deserialize_with = "listed::list")] Vec<u64>),
}

/// The word for the initial states of all processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BeginningWord {
    /// The states that the algorithm specifies.
    Usual,
    /// Every combination of all states. Only for algorithms that stabilise.
    Arbitrary,
}

impl ExplorationDraft {
    /// Reads a request from a document. Since this function is not generic, the deserializer is compiled only once,
    /// and not in each crate that reads such documents.
    ///
    /// # Errors
    /// Returns the first error of the document, with a pointer to its location.
    pub fn read(document: &serde_json::Value) -> Result<Self, FieldError> {
        strict::deserialize(document)
    }

    /// Returns the limits of the search.
    #[must_use]
    pub fn limits(&self) -> Limits {
        Limits { memory: self.memory_limit.unwrap_or(MEMORY), states: self.states }
    }

    /// Fills in the defaults, and returns the exploration.
    ///
    /// # Errors
    /// Returns all errors of the request, each with a pointer to its location.
    pub fn complete(self) -> Result<Exploration, Vec<FieldError>> {
        let mut errors = self.errors();
        let below = |error: FieldError| FieldError { pointer: format!("/specification{}", error.pointer), ..error };
        let draft = Draft {
            nodes: Some(self.nodes()),
            // The seed has no effect, since an exploration draws no random numbers.
            seed: Some(self.specification.seed.unwrap_or(1)),
            ..self.specification.clone()
        };
        let specification = match draft.complete_simulated() {
            Ok(specification) if errors.is_empty() => specification,
            Ok(_) => return Err(errors),
            Err(wrong) => {
                errors.extend(wrong.into_iter().map(below));
                return Err(errors);
            }
        };
        let entry = catalogue::find(&specification.algorithm).map_err(|refusal| vec![below(refusal.into())])?;
        if let Some(Err(error)) = self.take.as_ref().map(|take| take.fits(specification.locks)) {
            return Err(vec![FieldError::new("/take", error.to_string())]);
        }
        let environment = self.environment(specification.needs_order());
        let properties = match environment.beginning {
            _ if !self.properties.is_empty() => self.properties,
            Beginning::Usual if self.corrupt == 0 => Property::promised_by(entry, &specification.variant),
            _ => Property::STABILISATION.to_vec(),
        };
        let strategy = Strategy { search: self.search, threads: self.threads.unwrap_or(NonZeroUsize::MIN) };
        Ok(Exploration { specification, environment, properties, strategy })
    }

    /// Returns the number of nodes.
    fn nodes(&self) -> u32 {
        self.specification.nodes.unwrap_or(NODES)
    }

    /// Returns the errors that do not depend on the algorithm.
    fn errors(&self) -> Vec<FieldError> {
        let nodes = self.nodes();
        let contents = self.contents.unwrap_or(0);
        let is_arbitrary = matches!(self.beginning, Some(BeginningDraft::Word(BeginningWord::Arbitrary)));
        let mut errors = Vec::new();
        let mut refuse = |wrong: bool, pointer: &str, detail: String| {
            if wrong {
                errors.push(FieldError::new(pointer, detail));
            }
        };
        let detail = format!("{nodes} nodes are outside 1 … {MOST_NODES}, the range of an exploration");
        // The specification itself reports a number below 1.
        refuse(nodes > MOST_NODES, "/specification/nodes", detail);
        let Draft { links, workload, script, timers, .. } = &self.specification;
        let said_beside = [
            (self.specification.network != LinkPatch::default(), "network"),
            (!links.is_empty(), "links"),
            (workload.is_some(), "workload"),
            (!script.is_empty(), "script"),
            (timers.is_some(), "timers"),
        ];
        for (given, field) in said_beside {
            let detail = "an exploration tries all possible schedules; remove this field, and write what may happen \
                          beside the specification";
            refuse(given, &format!("/specification/{field}"), detail.to_owned());
        }
        let is_channel = self.specification.channel.is_some_and(|channel| !channel.is_raw());
        let detail = "an exploration has no channels; remove this field, and write `fifo` beside the specification";
        refuse(is_channel, "/specification/channel", detail.to_owned());
        let beats = self.specification.detector.is_some_and(|detector| detector.beats());
        let detail = "heartbeats depend on time, which an exploration does not model; with `perfect`, live processes \
                      are notified of each crash and restart at any later moment";
        refuse(beats, "/specification/detector", detail.to_owned());
        if let Some(BeginningDraft::States(states)) = &self.beginning {
            let detail = format!("{} states for {nodes} nodes; write one for each", states.len());
            refuse(states.len() != nodes as usize, "/beginning", detail);
        }
        let threads = self.threads.map_or(1, NonZeroUsize::get);
        refuse(
            threads > MOST_THREADS,
            "/threads",
            format!("{threads} threads are too many; the maximum is {MOST_THREADS}"),
        );
        let detail = "a depth-first search has only one thread; remove `threads`, or search `breadth-first`".to_owned();
        refuse(threads > 1 && self.search == SearchOrder::DepthFirst, "/threads", detail);
        let is_empty = matches!(&self.requests, Some(Requests::List(list)) if list.is_empty());
        refuse(is_empty, "/requests", "expected a list of at least one number".to_owned());
        let drawn = self
            .take
            .as_ref()
            .filter(|take| matches!(take, LockChoice::One | LockChoice::Some(_) | LockChoice::Directory(_)));
        if let Some(take) = drawn {
            let detail =
                format!("`{take}` is random, so only one choice would be tried; write `all`, `neighbours` or `0,3,1`");
            refuse(true, "/take", detail);
        }
        let detail = "links begin with messages only with the beginning `arbitrary`".to_owned();
        refuse(contents > 0 && !is_arbitrary, "/contents", detail);
        if let Some(room) = self.room.filter(|room| contents > *room) {
            let detail = format!("a link holds {room} messages (`room`), not {contents}");
            refuse(is_arbitrary, "/contents", detail);
        }
        errors
    }

    /// Returns the environment. If the request does not say whether links preserve the order of messages, the
    /// assumption of the algorithm applies.
    fn environment(&self, assumes_fifo: bool) -> Environment {
        Environment {
            beginning: match &self.beginning {
                None | Some(BeginningDraft::Word(BeginningWord::Usual)) => Beginning::Usual,
                Some(BeginningDraft::Word(BeginningWord::Arbitrary)) => {
                    Beginning::Arbitrary { contents: self.contents.unwrap_or(0) }
                }
                Some(BeginningDraft::States(states)) => Beginning::States(states.clone()),
            },
            daemon: self.daemon,
            fifo: self.fifo.unwrap_or(assumes_fifo),
            room: self.room,
            lose: self.lose,
            duplicate: self.duplicate,
            crash: self.crash,
            pause: self.pause,
            corrupt: self.corrupt,
            restart: self.restart.is_some(),
            forget: self.restart == Some(RestartState::None),
            detector: self.specification.detector.unwrap_or_default(),
            timers: self.timers.unwrap_or(TimerPolicy::Patient),
            tell: self.tell,
            requests: match &self.requests {
                None => vec![1],
                Some(Requests::Each(times)) => vec![*times],
                Some(Requests::List(list)) => list.clone(),
                Some(Requests::Unlimited(_)) => vec![0],
            },
            unlimited: matches!(self.requests, Some(Requests::Unlimited(_))),
            take: self.take.clone(),
            again: self.again,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use interlock_model::specification::Detector;

    fn complete(document: Value) -> Result<Exploration, Vec<FieldError>> {
        serde_json::from_value::<ExplorationDraft>(document).expect("a draft").complete()
    }

    #[test]
    fn what_is_absent_is_filled_in_as_the_algorithm_says() {
        let exploration = complete(json!({ "specification": { "algorithm": "lamport" } })).expect("it can be");
        let Exploration { specification, environment, properties, .. } = exploration;
        assert_eq!((specification.nodes, &*specification.variant), (3, "any-later-message"));
        assert_eq!(environment, Environment::faultless(true, 1));
        assert_eq!(
            properties,
            Property::promised_by(catalogue::find("lamport").expect("an entry"), "any-later-message")
        );
    }

    #[test]
    fn what_is_said_is_taken() {
        let exploration = complete(json!({
            "specification": { "algorithm": "dijkstra-ring", "nodes": 2 }, "requests": [2, 0], "lose": 1, "room": 2,
            "beginning": "arbitrary", "contents": 1, "timers": "any-time:3", "crash": 1, "pause": 2, "restart": "none", "fifo": true,
            "threads": 2,
        }));
        let Exploration { environment, properties, strategy, .. } = exploration.expect("it can be");
        assert_eq!((strategy.search, strategy.threads.get()), (SearchOrder::BreadthFirst, 2));
        let expected = Environment {
            beginning: Beginning::Arbitrary { contents: 1 },
            room: Some(2),
            lose: 1,
            crash: 1,
            pause: 2,
            restart: true,
            forget: true,
            timers: TimerPolicy::AnyTime(3),
            requests: vec![2, 0],
            ..Environment::faultless(true, 0)
        };
        assert_eq!((environment, properties), (expected, Property::STABILISATION.to_vec()));
    }

    #[test]
    fn lists_and_their_texts_are_taken_alike() {
        let read = |more: Value| {
            let mut document = json!({ "specification": { "algorithm": "dijkstra-ring", "nodes": 3, "locks": 1 } });
            document.as_object_mut().expect("keys").extend(more.as_object().expect("keys").clone());
            let exploration = interlock_model::strict::read::<ExplorationDraft>(&document).expect("a draft").complete();
            let exploration = exploration.unwrap_or_else(|errors| panic!("{document}: {errors:?}"));
            (exploration.environment, exploration.properties)
        };
        for (list, text) in [
            (json!({ "requests": [2, 0] }), json!({ "requests": "2, 0" })),
            (json!({ "requests": 2 }), json!({ "requests": "2" })),
            (json!({ "beginning": [0, 1, 2] }), json!({ "beginning": "0, 1,2" })),
            (
                json!({ "properties": ["mutual-exclusion", "closure"] }),
                json!({ "properties": "mutual-exclusion, closure" }),
            ),
        ] {
            assert_eq!(read(list), read(text.clone()), "{text}");
        }
        let refused =
            |document: Value| interlock_model::strict::read::<ExplorationDraft>(&document).expect_err("refused");
        for (document, pointer, part) in [
            (json!({ "specification": ["lamport"] }), "/specification", "a list is not an object"),
            (json!({ "requests": "2,x" }), "/requests", "a list of them such as `2,0`"),
            (json!({ "beginning": {} }), "/beginning", "a list of state numbers such as `0,1,0`"),
            (json!({ "properties": "mutual-exclusio" }), "/properties", "did you mean `mutual-exclusion`?"),
        ] {
            let error = refused(document.clone());
            assert_eq!(error.pointer, pointer, "{document}: {error:?}");
            assert!(error.detail.contains(part), "{document}: {error:?}");
        }
    }

    #[test]
    fn the_living_may_be_told_of_deaths() {
        let draft = json!({ "specification": { "algorithm": "bakery", "detector": "perfect" }, "crash": 1 });
        let Exploration { environment, .. } = complete(draft).expect("it can be");
        let told = Environment { crash: 1, detector: Detector::Perfect, ..Environment::faultless(environment.fifo, 1) };
        assert_eq!(environment, told);
        assert!(environment.in_words().contains("notified of each crash"), "{}", environment.in_words());
        let written = serde_json::to_value(&environment).expect("JSON");
        assert_eq!(written["detector"], "perfect");
    }

    #[test]
    fn clients_may_ask_without_end() {
        let draft = |requests: &str| json!({ "specification": { "algorithm": "lamport" }, "requests": requests });
        let exploration = complete(draft("unlimited")).expect("it can be");
        assert_eq!(exploration.environment, Environment::unlimited(true));
        assert!(exploration.environment.in_words().starts_with("each client requests again and again, "));
        let refused = serde_json::from_value::<ExplorationDraft>(draft("often")).expect_err("no number");
        assert!(refused.to_string().contains("or `unlimited`"), "{refused}");
    }

    #[test]
    fn what_cannot_be_is_refused_at_its_place() {
        for (document, pointer, words) in [
            (json!({ "specification": { "algorithm": "lamprot" } }), "/specification/algorithm", "lamport"),
            (json!({ "specification": { "algorithm": "lamport", "nodes": 17 } }), "/specification/nodes", "1 … 16"),
            (
                json!({ "specification": { "algorithm": "lamport", "workload": {} } }),
                "/specification/workload",
                "remove this field",
            ),
            (
                json!({ "specification": { "algorithm": "lamport", "channel": "reliable" } }),
                "/specification/channel",
                "no channels",
            ),
            (
                json!({ "specification": { "algorithm": "lamport", "detector": "heartbeat" } }),
                "/specification/detector",
                "depend on time",
            ),
            (
                json!({ "specification": { "algorithm": "lamport", "network": { "loss": 0.5 } } }),
                "/specification/network",
                "remove this field",
            ),
            (json!({ "specification": { "algorithm": "lamport" }, "requests": [] }), "/requests", "at least one"),
            (
                json!({ "specification": { "algorithm": "lamport" }, "beginning": [0, 1] }),
                "/beginning",
                "2 states for 3",
            ),
            (json!({ "specification": { "algorithm": "lamport" }, "contents": 1 }), "/contents", "`arbitrary`"),
            (json!({ "specification": { "algorithm": "lamport" }, "threads": 3 }), "/threads", "the maximum is 2"),
            (
                json!({ "specification": { "algorithm": "lamport" }, "threads": 2, "search": "depth-first" }),
                "/threads",
                "remove `threads`",
            ),
            (
                json!({ "specification": { "algorithm": "lamport" }, "beginning": "arbitrary", "room": 1, "contents": 2 }),
                "/contents",
                "holds 1 messages",
            ),
            (json!({ "specification": { "algorithm": "prevention" }, "take": "some:2" }), "/take", "is random"),
            (json!({ "specification": { "algorithm": "prevention", "locks": 3 }, "take": "0,3" }), "/take", "4 locks"),
        ] {
            let errors = complete(document.clone()).expect_err("it cannot be");
            let told = errors.iter().any(|error| {
                error.pointer == pointer
                    && (error.detail.contains(words) || error.allowed.iter().any(|allowed| allowed.contains(words)))
            });
            assert!(told, "{document}: {errors:?}");
        }
    }
}
