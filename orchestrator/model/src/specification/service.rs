//! Services: servers that the programs of a run use over TCP, such as Redis. Each process of a service is a process of
//! the run. The processes of the services have the numbers after those of the nodes.

use std::collections::BTreeSet;

use interlock_algorithm::NodeId;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Specification;
use crate::choice::{Choice, NetworkChange};
use crate::field_error::FieldError;
use crate::flow::flow;
use crate::network::{LinkOverride, PartitionDraft, TcpFaults};
use crate::span::Span;
use crate::strict;

/// Maximum number of words of a command: the program and its arguments.
const MOST_WORDS: usize = 100;
/// Maximum number of processes of one service.
const MOST_PROCESSES: u32 = 100;
/// Maximum length of the name of a service, in bytes.
const LONGEST_NAME: usize = 40;
/// Maximum time until a service must be ready: ten minutes.
const LONGEST_START: Span = Span(600_000_000);
/// Default of the maximum time until a service must be ready.
const USUAL_START: Span = Span(30_000_000);

/// A server that the programs of a run use. These placeholders are replaced in its texts:
///
/// - `{port}`: the port at which the process of the service must listen.
/// - `{dir}`: its own folder.
/// - `{here}`: the folder of the scenario.
/// - `{NAME.0}`: the address at which it reaches the first process of the service `NAME`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Service {
    /// Name, 1 … 40 letters, digits and hyphens, that begins with a letter.
    pub name: String,
    /// The program and its arguments, 1 … 100 words.
    pub command: Vec<String>,
    /// Number of processes, 1 … 100 [default: 1].
    #[serde(default = "one")]
    #[schema(required = false)]
    pub count: u32,
    /// Test that a process passes when it answers [default: it accepts a connection at its port]. Many servers accept
    /// connections before they answer.
    #[serde(default)]
    #[schema(required = false)]
    pub ready: ReadyTest,
    /// Protocol that the service speaks. If it is stated, events tell in words what passes on the connections.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub protocol: Option<ServiceProtocol>,
    /// Maximum time from the start of a process until it must be ready, at most 10 min [default: 30 s].
    #[serde(default = "usual_start")]
    #[schema(required = false)]
    pub within: Span,
}

const fn one() -> u32 {
    1
}

const fn usual_start() -> Span {
    USUAL_START
}

/// Protocol that a service speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ServiceProtocol {
    /// The protocol of Redis (RESP, versions 2 and 3).
    Redis,
    /// HTTP/1.1.
    Http,
}

/// A test whether a process of a service answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ReadyTest {
    /// The process accepts a connection at this port, which is always `{port}`.
    Tcp(String),
    /// The process answers a request for a path.
    Http(HttpAnswer),
    /// The process answers bytes.
    Bytes(BytesAnswer),
    /// This command ends with exit code 0.
    Command(Vec<String>),
}

/// A request over HTTP to a process of a service, and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HttpAnswer {
    /// Path of the request, such as `/health`.
    pub path: String,
    /// Text that the body of the answer must contain [default: none].
    #[serde(default)]
    pub answer: String,
}

/// Bytes for a process of a service, and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BytesAnswer {
    /// Bytes to send, such as `"PING\r\n"`.
    pub send: String,
    /// Text that the answer must contain, such as `PONG`.
    pub answer: String,
}

impl Default for ReadyTest {
    fn default() -> Self {
        Self::Tcp(PORT.to_owned())
    }
}

/// Placeholder for the port of a process.
pub const PORT: &str = "{port}";
/// Placeholder for the folder of a process.
pub const FOLDER: &str = "{dir}";
/// Placeholder for the folder of the scenario.
pub const HERE: &str = "{here}";

/// Reads the services from the field `/services`.
///
/// # Errors
/// The first error of a service.
pub fn read_services(list: &Value) -> Result<Vec<Service>, FieldError> {
    let of_a_text = |(place, service): (usize, &Value)| Some((place, service.get("command")?.as_str()?.to_owned()));
    if let Some((place, command)) = list.as_array().into_iter().flatten().enumerate().find_map(of_a_text) {
        let words = command.split_whitespace().collect::<Value>();
        let detail = format!("a command is a list of words; write `command: {}`", flow(&words));
        return Err(FieldError::new(format!("/services/{place}/command"), detail));
    }
    let services: Vec<Service> = strict::read(list).map_err(|error| error.below("/services"))?;
    let mut names = BTreeSet::new();
    for (place, service) in services.iter().enumerate() {
        if let Some((field, detail)) = service.fault() {
            return Err(FieldError::new(format!("/services/{place}/{field}"), detail));
        }
        if !names.insert(&service.name) {
            let detail = format!("another service has the name `{}`", service.name);
            return Err(FieldError::new(format!("/services/{place}/name"), detail));
        }
    }
    Ok(services)
}

impl Service {
    /// Returns the field that is wrong, and the reason, if a field is wrong.
    fn fault(&self) -> Option<(&'static str, String)> {
        let Self { name, command, count, ready, protocol: _, within } = self;
        let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
        let begins_well = name.starts_with(|letter: char| letter.is_ascii_alphabetic());
        if !begins_well || name.len() > LONGEST_NAME || !name.chars().all(is_word) {
            let detail = format!(
                "`{name}` is not the name of a service: it must have 1 to {LONGEST_NAME} letters, digits and hyphens, \
                 and begin with a letter"
            );
            return Some(("name", detail));
        }
        if !(1..=MOST_WORDS).contains(&command.len()) {
            return Some((
                "command",
                format!("a command must have 1 to {MOST_WORDS} words: the program and its arguments"),
            ));
        }
        if !(1..=MOST_PROCESSES).contains(count) {
            return Some(("count", format!("{count} processes are outside 1 … {MOST_PROCESSES}")));
        }
        if !(Span(1)..=LONGEST_START).contains(within) {
            return Some(("within", "a service must be ready within a time from 1 µs to 10 min".to_owned()));
        }
        match ready {
            ReadyTest::Tcp(port) if port != PORT => {
                Some(("ready/tcp", format!("a service listens only at its own port; write `tcp: \"{PORT}\"`")))
            }
            ReadyTest::Command(words) if words.is_empty() => Some(("ready/command", "the command is empty".to_owned())),
            ReadyTest::Http(HttpAnswer { path, .. }) if !path.starts_with('/') => {
                Some(("ready/path", format!("`{path}` is not a path; write `/{path}`")))
            }
            _ => None,
        }
    }
}

/// One process of a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServiceProcess<'a> {
    /// The service.
    pub service: &'a Service,
    /// Number of the process among the processes of its service, from 0.
    pub index: u32,
}

impl Specification {
    /// Returns the number of nodes: the processes of the run that are not services.
    #[must_use]
    pub fn clients(&self) -> u32 {
        let services = self.services.iter().fold(0_u32, |sum, service| sum.saturating_add(service.count));
        self.nodes.saturating_sub(services)
    }

    /// Returns the process of a service that has the number `node`; none if it is a node.
    #[must_use]
    pub fn service(&self, node: NodeId) -> Option<ServiceProcess<'_>> {
        let mut index = node.0.checked_sub(self.clients())?;
        for service in &self.services {
            if index < service.count {
                return Some(ServiceProcess { service, index });
            }
            index -= service.count;
        }
        None
    }

    /// Returns all processes of services, with their numbers.
    pub fn service_processes(&self) -> impl Iterator<Item = (NodeId, ServiceProcess<'_>)> {
        (self.clients()..self.nodes).map(NodeId).filter_map(|node| Some((node, self.service(node)?)))
    }

    /// Whether the run has services.
    #[must_use]
    pub const fn has_services(&self) -> bool {
        !self.services.is_empty()
    }
}

impl Specification {
    /// Returns an error if a link, or all links if `ends` is none, cannot have these faults of connections. They are at
    /// `pointer`.
    #[must_use]
    pub fn tcp_error(&self, pointer: &str, ends: Option<(NodeId, NodeId)>, faults: TcpFaults) -> Option<FieldError> {
        let is_service = |node: NodeId| self.service(node).is_some();
        let is_possible = ends.map_or_else(|| self.has_services(), |(from, to)| is_service(from) || is_service(to));
        if faults != TcpFaults::default() && !is_possible {
            let detail = "only a link of a service carries TCP connections; remove this field";
            return Some(FieldError::new(pointer, detail));
        }
        let (_, to) = ends.filter(|_| faults.concern_openings())?;
        let detail = "connections are opened from a program to a service, so `refuse`, `hang` and `down` concern the \
                      link to the service; exchange `from` and `to`";
        (!is_service(to)).then(|| FieldError::new(pointer, detail))
    }

    /// Returns an error if an action at `pointer` needs TCP connections, and the links that it changes carry none.
    fn tcp_error_of(&self, pointer: &str, choice: &Choice) -> Option<FieldError> {
        match choice {
            Choice::Network(NetworkChange::Default(patch)) => {
                self.tcp_error(&format!("{pointer}/network/default/tcp"), None, **patch.tcp.as_ref()?)
            }
            Choice::Network(NetworkChange::Link(LinkOverride { from, to, patch })) => {
                self.tcp_error(&format!("{pointer}/network/link/tcp"), Some((*from, *to)), **patch.tcp.as_ref()?)
            }
            Choice::Partition(draft) => self.reset_error(&format!("{pointer}/partition/reset"), draft),
            _ => None,
        }
    }

    /// Returns an error if a partition resets connections, and the run has none.
    #[must_use]
    pub fn reset_error(&self, pointer: &str, draft: &PartitionDraft) -> Option<FieldError> {
        let detail = "only links of services carry TCP connections that can be reset; remove this field";
        (draft.reset.is_some() && !self.has_services()).then(|| FieldError::new(pointer, detail))
    }

    fn tcp_errors(&self) -> impl Iterator<Item = FieldError> {
        let all = self.network.tcp.iter().filter_map(|tcp| self.tcp_error("/network/tcp", None, **tcp));
        let of_links = self.links.iter().enumerate().filter_map(|(place, link)| {
            let (ends, tcp) = ((link.from, link.to), link.patch.tcp.as_deref()?);
            self.tcp_error(&format!("/links/{place}/tcp"), Some(ends), *tcp)
        });
        let of_script = self.script.iter().enumerate();
        let of_script = of_script.filter_map(|(place, at)| self.tcp_error_of(&format!("/script/{place}"), &at.choice));
        all.chain(of_links).chain(of_script)
    }
}

/// Returns an error if no node is a program that could use the services, or if another field does not fit to them.
pub(super) fn errors(specification: &Specification) -> Option<FieldError> {
    if let Some(error) = specification.tcp_errors().next() {
        return Some(error);
    }
    if !specification.has_services() {
        return None;
    }
    let all_are_programs = || specification.programs.iter().all(|group| group.command.is_some());
    if !specification.has_programs() || !all_are_programs() {
        let detail = "only programs of your own use services; write \
                      `nodes: [{ command: [python3, node.py], count: 3 }]`";
        return Some(FieldError::new("/services", detail));
    }
    if !specification.channel.is_raw() {
        let detail =
            "a run with services has no channel: their links carry TCP, which loses nothing; remove this field";
        return Some(FieldError::new("/channel", detail));
    }
    let detail = "services send no heartbeats, so a run with services has no failure detector; remove this field";
    (!specification.detector.is_none()).then(|| FieldError::new("/detector", detail))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::specification::{Draft, count, read_groups};

    fn draft(services: &Value) -> Result<Draft, Vec<FieldError>> {
        let services = read_services(services).map_err(|error| vec![error])?;
        let programs = read_groups(&json!([{ "command": ["a"], "count": 2 }])).expect("groups");
        let nodes = Some(count(&programs));
        Ok(Draft { algorithm: "own".to_owned(), nodes, programs, services, ..Draft::default() })
    }

    fn completed(services: &Value) -> Result<Specification, Vec<FieldError>> {
        draft(services)?.complete()
    }

    #[test]
    fn processes_of_services_follow_the_nodes() {
        let services = json!([{ "name": "redis", "command": ["r"], "count": 2 }, { "name": "db", "command": ["d"] }]);
        let run = completed(&services).expect("a run");
        assert_eq!((run.clients(), run.nodes), (2, 5));
        let named = |node: u32| run.service(NodeId(node)).map(|process| (process.service.name.as_str(), process.index));
        let expected = [None, None, Some(("redis", 0)), Some(("redis", 1)), Some(("db", 0)), None];
        assert_eq!([0, 1, 2, 3, 4, 5].map(named), expected);
        assert_eq!(run.service_processes().map(|(node, _)| node.0).collect::<Vec<_>>(), [2, 3, 4]);
        let document = serde_json::to_value(&run).expect("JSON");
        assert_eq!(serde_json::from_value::<Specification>(document).expect("read again"), run);
    }

    #[test]
    fn each_test_of_readiness_is_read() {
        for (ready, expected) in [
            (json!({ "tcp": "{port}" }), ReadyTest::default()),
            (json!({ "command": ["a", "{port}"] }), ReadyTest::Command(vec!["a".into(), PORT.into()])),
            (
                json!({ "http": { "path": "/health", "answer": "true" } }),
                ReadyTest::Http(HttpAnswer { path: "/health".into(), answer: "true".into() }),
            ),
            (
                json!({ "bytes": { "send": "PING\r\n", "answer": "PONG" } }),
                ReadyTest::Bytes(BytesAnswer { send: "PING\r\n".into(), answer: "PONG".into() }),
            ),
        ] {
            let run = completed(&json!([{ "name": "s", "command": ["r"], "ready": ready }])).expect("a run");
            assert_eq!(run.services[0].ready, expected);
        }
    }

    /// Links: 0 and 1 are nodes, 2 is a service.
    #[test]
    fn only_links_of_services_have_faults_of_connections() {
        let services = json!([{ "name": "s", "command": ["r"] }]);
        let with = |services: &Value, links: Value, network: Value| {
            let (links, network) = (serde_json::from_value(links), serde_json::from_value(network));
            Draft {
                links: links.expect("links"),
                network: network.expect("a network"),
                ..draft(services).expect("a draft")
            }
        };
        let error = |draft: Draft| draft.complete().err().map(|errors| errors[0].pointer.clone());
        let (limit, refuse) = (json!({ "limit": 1 }), json!({ "refuse": true }));
        assert_eq!(error(with(&services, json!([]), json!({ "tcp": limit }))), None);
        assert_eq!(error(with(&json!([]), json!([]), json!({ "tcp": limit }))).as_deref(), Some("/network/tcp"));
        for (from, to, faults, pointer) in [
            (0, 2, &limit, None),
            (2, 0, &limit, None),
            (0, 2, &refuse, None),
            (0, 1, &limit, Some("/links/0/tcp")),
            (2, 0, &refuse, Some("/links/0/tcp")),
        ] {
            let links = json!([{ "from": from, "to": to, "tcp": faults }]);
            assert_eq!(error(with(&services, links, json!({}))).as_deref(), pointer, "{from}, {to}, {faults}");
        }
    }

    #[test]
    fn an_action_on_connections_needs_a_service() {
        let services = json!([{ "name": "s", "command": ["r"] }]);
        for choice in [
            json!({ "partition": { "groups": "0|1", "reset": "1s" } }),
            json!({ "network": { "default": { "tcp": { "limit": 1 } } } }),
        ] {
            for (services, is_possible) in [(&services, true), (&json!([]), false)] {
                let script = serde_json::from_value(json!([{ "at": 0, "do": choice }])).expect("a script");
                let errors = Draft { script, ..draft(services).expect("a draft") }.complete().err();
                let pointer = errors.map(|errors| errors[0].pointer.clone());
                assert_eq!(pointer.is_none(), is_possible, "{choice}: {pointer:?}");
            }
        }
    }

    #[test]
    fn a_wrong_service_is_refused_at_its_place() {
        for (services, pointer, part) in [
            (json!([{ "name": "0", "command": ["a"] }]), "/services/0/name", "begin with a letter"),
            (json!([{ "name": "a.b", "command": ["a"] }]), "/services/0/name", "letters, digits and hyphens"),
            (json!([{ "name": "a", "command": [] }]), "/services/0/command", "1 to 100 words"),
            (json!([{ "name": "a", "command": "redis-server --port 1" }]), "/services/0/command", "[redis-server"),
            (json!([{ "name": "a", "command": ["a"], "count": 0 }]), "/services/0/count", "outside 1 … 100"),
            (json!([{ "name": "a", "command": ["a"], "within": "11m" }]), "/services/0/within", "10 min"),
            (json!([{ "name": "a", "command": ["a"], "ready": { "tcp": "1" } }]), "/services/0/ready/tcp", "{port}"),
            (json!([{ "name": "a", "command": ["a"], "comand": 1 }]), "/services/0/comand", "unknown field"),
            (
                json!([{ "name": "a", "command": ["a"] }, { "name": "a", "command": ["a"] }]),
                "/services/1/name",
                "another service",
            ),
        ] {
            let errors = completed(&services).expect_err("refused");
            assert_eq!(errors[0].pointer, pointer, "{services}: {errors:?}");
            assert!(errors[0].detail.contains(part), "{services}: {errors:?}");
        }
    }

    #[test]
    fn only_programs_of_the_user_have_services() {
        let services = read_services(&json!([{ "name": "a", "command": ["a"] }])).expect("read");
        let draft = Draft { algorithm: "lamport".to_owned(), services, ..Draft::default() };
        let errors = draft.complete().expect_err("refused");
        assert_eq!(errors[0].pointer, "/services");
    }

    #[test]
    fn a_run_with_services_has_neither_a_channel_nor_a_detector() {
        for (more, pointer) in
            [(json!({ "channel": "reliable" }), "/channel"), (json!({ "detector": "heartbeat" }), "/detector")]
        {
            let with = |services: &Value| {
                let more: Draft = serde_json::from_value(with_algorithm(&more)).expect("a draft");
                let Draft { nodes, programs, services, .. } = draft(services).expect("services");
                Draft { nodes, programs, services, ..more }.complete()
            };
            let errors = with(&json!([{ "name": "a", "command": ["a"] }])).expect_err("refused");
            assert_eq!(errors[0].pointer, pointer);
            assert!(with(&json!([])).is_ok(), "without services, {more} is possible");
        }
    }

    fn with_algorithm(more: &Value) -> Value {
        let mut document = json!({ "algorithm": "own" });
        document.as_object_mut().expect("an object").extend(more.as_object().expect("fields").clone());
        document
    }
}
