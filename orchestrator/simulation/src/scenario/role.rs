//! Nodes and messages that are named by their present role, such as `holder` or `REPLY from leader`.

use interlock_algorithm::NodeId;
use interlock_machine::message_id::MessageId;
use serde_json::{Map, Value, json};

use interlock_model::field_error::{FieldError, unknown_message_kind, unknown_node};
use interlock_model::process_status::ProcessStatus;
use interlock_model::specification::KnownAlgorithm;
use interlock_observation::state::State;

/// The fields of actions whose value is a node.
pub(super) const PLACES: [&str; 4] = ["node", "from", "to", "whom"];
/// The verbs of actions on a message.
pub(super) const OF_MESSAGES: [&str; 4] = ["deliver", "lose", "hold", "duplicate"];
/// The word that stands for all nodes that are in no other group of a partition.
pub(super) const OTHERS: &str = "others";

/// A node that is named by its number or its role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The node with this id.
    Node(NodeId),
    /// The process in the critical section of the lock with the smallest number. If several processes are in this
    /// section, the process that entered first.
    Holder,
    /// The coordinator of the latest term.
    Leader,
    /// Of the processes that wait for the lock with the smallest number, the process that has been waiting longest.
    Waiting,
    /// The process that has the token according to the events so far. If each lock has its own token, this is the
    /// token of the lock with the smallest number.
    Token,
}

impl Role {
    /// The names of the roles in documents.
    pub const NAMES: [&str; 4] = ["holder", "leader", "waiting", Self::TOKEN];
    /// The name of the role of the token holder. Only algorithms with a token have this role.
    const TOKEN: &str = "token";

    /// Returns the node or role with this name. Both `node 3` and `3` name a node.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        match name.trim() {
            "holder" => Some(Self::Holder),
            "leader" => Some(Self::Leader),
            "waiting" => Some(Self::Waiting),
            Self::TOKEN => Some(Self::Token),
            number => {
                number.strip_prefix("node").unwrap_or(number).trim().parse().ok().map(|id| Self::Node(NodeId(id)))
            }
        }
    }

    /// Returns the process that has this role now, if there is one.
    #[must_use]
    pub fn find(self, state: &State) -> Option<NodeId> {
        match self {
            Self::Node(node) => Some(node),
            Self::Holder => state.locks().iter().find_map(|(_, lock)| lock.holders.first().copied()),
            Self::Waiting => state.locks().iter().find_map(|(_, lock)| lock.waiting.first()).map(|wait| wait.node),
            Self::Token => state.tokens().first(),
            Self::Leader => {
                let lives = |node: &&interlock_observation::state::Node| {
                    matches!(node.process, ProcessStatus::Running | ProcessStatus::Paused)
                };
                let known = state.nodes().iter().filter(lives).filter_map(|node| node.leader);
                known.max_by_key(|leader| leader.term).map(|leader| leader.leader)
            }
        }
    }

    /// Returns the sentence that reports that no process has this role.
    const fn nobody(self) -> &'static str {
        match self {
            Self::Node(_) => "there is no such node",
            Self::Holder => "no node is the holder now",
            Self::Leader => "no node is the leader now",
            Self::Waiting => "no node is waiting now",
            Self::Token => "no node has the token now",
        }
    }
}

/// A description that selects a message, such as `REPLY from holder to 2`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Description {
    kind: Option<String>,
    from: Option<Role>,
    to: Option<Role>,
}

impl Description {
    fn of(text: &str) -> Option<Self> {
        let mut found = Self { kind: None, from: None, to: None };
        let mut words = text.split_whitespace().peekable();
        words.next_if(|word| *word == "message");
        found.kind = words.next_if(|word| !matches!(*word, "from" | "to")).map(ToOwned::to_owned);
        while let Some(place) = words.next() {
            let mut named = vec![words.next()?];
            if named == ["node"] {
                named.push(words.next()?);
            }
            let role = Role::of(&named.join(" "))?;
            let slot = match place {
                "from" => &mut found.from,
                "to" => &mut found.to,
                _ => return None,
            };
            if slot.replace(role).is_some() {
                return None;
            }
        }
        (found.kind.is_some() || found.from.is_some() || found.to.is_some()).then_some(found)
    }

    /// Returns the message in transit that matches the description. If several match, returns the message that has
    /// been in transit longest. `network` returns whether the network still contains a message.
    fn find(&self, state: &State, network: &dyn Fn(MessageId) -> bool) -> Result<MessageId, Missing> {
        let end = |role: Option<Role>| role.map(|role| find(role, state)).transpose();
        let (from, to) = (end(self.from)?, end(self.to)?);
        let fits = |(id, kind): (MessageId, &str)| {
            self.kind.as_deref().is_none_or(|wanted| wanted == kind)
                && from.is_none_or(|from| from == id.from)
                && to.is_none_or(|to| to == id.to)
        };
        let all = state.network().iter().filter(|(id, message)| fits((*id, &message.kind)) && network(*id));
        let first = all.min_by_key(|(id, message)| (message.since_us, *id)).map(|(id, _)| id);
        first.ok_or_else(|| Missing("there is no such message in transit".to_owned()))
    }
}

/// A sentence that reports that no process has the named role, or that no message matches the description.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Missing(pub String);

fn find(role: Role, state: &State) -> Result<NodeId, Missing> {
    role.find(state).ok_or_else(|| Missing(role.nobody().to_owned()))
}

/// Returns the process with this number or role. Returns none if `name` is neither a number nor a role.
///
/// # Errors
/// Returns an error if no process has the role.
#[must_use]
pub fn node_named(name: &str, state: &State) -> Option<Result<NodeId, Missing>> {
    Role::of(name).map(|role| find(role, state))
}

/// Returns the message that matches the description `words`. If several match, returns the message that has been in
/// transit longest. Returns none if `words` does not have the form of a description. If `kinds` is present, also
/// returns none if the described kind is unknown. `kinds` are the kinds that the algorithm sends.
///
/// The state contains a message until its receiver reports its delivery. `network` returns whether the network still
/// contains the message.
///
/// # Errors
/// Returns an error if no such message is in transit, or if the description contains a role that no process has.
pub fn message_described(
    words: &str,
    kinds: Option<&[&str]>,
    state: &State,
    network: &dyn Fn(MessageId) -> bool,
) -> Option<Result<MessageId, Missing>> {
    let described = Description::of(words)?;
    let known = |kind: &String| unknown_message_kind("", kind, kinds).is_none();
    described.kind.as_ref().is_none_or(known).then(|| described.find(state, network))
}

/// Returns the action with each role replaced by the number of the node that has this role now.
///
/// The state contains a message until its receiver reports its delivery. `network` returns whether the network still
/// contains the message.
///
/// # Errors
/// Returns an error if the action contains a role that no process has, or a description that no message matches.
pub fn resolve(choice: &Value, state: &State, network: &dyn Fn(MessageId) -> bool) -> Result<Value, Missing> {
    let nodes = u32::try_from(state.nodes().len()).unwrap_or(u32::MAX);
    match described(choice) {
        Some((verb, text)) => match Description::of(text) {
            Some(description) => Ok(json!({ verb: description.find(state, network)? })),
            None => Ok(choice.clone()),
        },
        None => replace(choice, nodes, &mut |role| find(role, state)),
    }
}

/// Returns whether an action names a process by its role or a message by its description.
#[must_use]
pub fn names_a_role(choice: &Value) -> bool {
    let mut is_named = false;
    let mut name = |role| {
        is_named |= !matches!(role, Role::Node(_));
        Ok(NodeId(0))
    };
    // `replace` calls `name` for each role. The action that it returns is not needed here.
    let _ = replace(choice, 0, &mut name);
    is_named || described(choice).is_some()
}

/// Returns the action with an arbitrary valid node number in place of each role. With these numbers, the rest of the
/// action can be checked for a run with this number of nodes.
#[must_use]
pub fn stand_in(choice: &Value, nodes: u32) -> Value {
    if let Some((verb, _)) = described(choice) {
        let (from, to) = (NodeId(0), NodeId(nodes.saturating_sub(1)));
        return json!({ verb: MessageId { from, to, number: 1, copy: 0 } });
    }
    let named = members(choice);
    let mut free = NodeId::all(nodes).filter(|node| !named.contains(node));
    let mut node = |role| Ok(if let Role::Node(node) = role { node } else { free.next().unwrap_or(NodeId(0)) });
    let replaced: Result<Value, Missing> = replace(choice, nodes, &mut node);
    replaced.unwrap_or_default()
}

/// Returns the nodes that are named by number in the groups of an action.
fn members(choice: &Value) -> Vec<NodeId> {
    let number = |member: &Value| match member {
        Value::String(text) => {
            Role::of(text).and_then(|role| if let Role::Node(node) = role { Some(node) } else { None })
        }
        number => number.as_u64().and_then(|number| u32::try_from(number).ok()).map(NodeId),
    };
    let Value::Object(map) = choice else { return Vec::new() };
    let of = |(key, value): (&String, &Value)| match value {
        groups if key == "groups" => listed(&written_groups(groups)).filter_map(number).collect(),
        inner => members(inner),
    };
    map.iter().flat_map(of).collect()
}

/// Returns the members of all groups.
fn listed(groups: &Value) -> impl Iterator<Item = &Value> {
    groups.as_array().into_iter().flatten().filter_map(Value::as_array).flatten()
}

/// Returns the verb of an action and the description of its message. Returns none if the action names its message by
/// id, or has no message.
fn described(choice: &Value) -> Option<(&str, &str)> {
    let (verb, words) = choice.as_object()?.iter().next()?;
    let words = words.as_str().filter(|words| words.parse::<MessageId>().is_err())?;
    OF_MESSAGES.contains(&&**verb).then_some((verb, words))
}

fn replace(
    choice: &Value,
    nodes: u32,
    node: &mut dyn FnMut(Role) -> Result<NodeId, Missing>,
) -> Result<Value, Missing> {
    let Value::Object(map) = choice else { return Ok(choice.clone()) };
    let mut replaced = Map::new();
    for (key, value) in map {
        let new = match value {
            Value::String(text) if PLACES.contains(&&**key) => match Role::of(text) {
                Some(role) => json!(node(role)?),
                None => value.clone(),
            },
            written if key == "groups" => groups(&written_groups(written), nodes, node)?,
            inner => replace(inner, nodes, node)?,
        };
        replaced.insert(key.clone(), new);
    }
    Ok(Value::Object(replaced))
}

/// Returns the groups as lists. Accepts texts such as `0,1|2,3,4` and `holder|others`. Also accepts lists such as
/// `["0,1", "2"]`.
fn written_groups(written: &Value) -> Value {
    let member = |word: &str| word.trim().parse::<u32>().map_or_else(|_| json!(word.trim()), |node| json!(node));
    let group = |text: &str| text.split(',').map(member).collect::<Value>();
    match written {
        Value::String(text) => text.split('|').map(group).collect(),
        Value::Array(groups) => {
            groups.iter().map(|written| written.as_str().map_or_else(|| written.clone(), group)).collect()
        }
        other => other.clone(),
    }
}

fn groups(
    written: &Value,
    nodes: u32,
    node: &mut dyn FnMut(Role) -> Result<NodeId, Missing>,
) -> Result<Value, Missing> {
    let Value::Array(groups) = written else { return Ok(written.clone()) };
    let mut named: Vec<NodeId> = members(&json!({ "groups": written }));
    let mut replaced = groups.clone();
    for group in replaced.iter_mut().filter_map(Value::as_array_mut) {
        let mut found = Vec::with_capacity(group.len());
        for member in group.drain(..) {
            match member.as_str().and_then(Role::of) {
                Some(Role::Node(node)) => found.push(json!(node)),
                Some(role) => {
                    let node = node(role)?;
                    // If a role denotes a node that another group already names, the node stays in that group.
                    if !named.contains(&node) {
                        named.push(node);
                        found.push(json!(node));
                    }
                }
                None => found.push(member),
            }
        }
        *group = found;
    }
    for group in replaced.iter_mut().filter_map(Value::as_array_mut) {
        if let Some(place) = group.iter().position(|member| member == OTHERS) {
            let others = NodeId::all(nodes).filter(|node| !named.contains(node)).map(|node| json!(node));
            group.splice(place..=place, others);
        }
    }
    Ok(replaced.into())
}

/// Returns the errors in the names of nodes and messages in an action at `pointer`. The run has this algorithm and
/// this number of nodes.
#[must_use]
pub fn errors(choice: &Value, pointer: &str, known: &KnownAlgorithm<'_>, nodes: u32) -> Vec<FieldError> {
    match described(choice) {
        Some((verb, words)) => {
            let at = format!("{pointer}/{verb}");
            match Description::of(words) {
                None => {
                    let detail = format!("`{words}` is not a message; write `0.1.12`, or `REPLY from holder to 2`");
                    vec![FieldError::new(at, detail)]
                }
                Some(Description { kind, from, to }) => {
                    let unknown = kind.and_then(|kind| unknown_message_kind(&at, &kind, known.kinds()));
                    let misfit = || from.into_iter().chain(to).find_map(|role| misfit(role, &at, known, nodes));
                    unknown.or_else(misfit).into_iter().collect()
                }
            }
        }
        None => wrong_roles(choice, pointer, known, nodes),
    }
}

fn wrong_roles(value: &Value, pointer: &str, known: &KnownAlgorithm<'_>, nodes: u32) -> Vec<FieldError> {
    let Value::Object(map) = value else { return Vec::new() };
    let of = |(key, value): (&String, &Value)| {
        let at = format!("{pointer}/{key}");
        match value {
            Value::String(text) if PLACES.contains(&&**key) => {
                wrong_role(text, &at, known, nodes).into_iter().collect()
            }
            groups if key == "groups" => misfit_in_groups(&written_groups(groups), &at, known, nodes),
            inner => wrong_roles(inner, &at, known, nodes),
        }
    };
    map.iter().flat_map(of).collect()
}

fn wrong_role(text: &str, at: &str, known: &KnownAlgorithm<'_>, nodes: u32) -> Option<FieldError> {
    match Role::of(text) {
        Some(role) => misfit(role, at, known, nodes),
        None => Some(refused(at, &format!("`{text}` is not a node"), known).meant_by(text)),
    }
}

/// Returns an error for the first word in the groups that is not a member, or for the first role that no node can
/// have. A member that is neither a word nor a number is rejected later, when the partition is read.
fn misfit_in_groups(groups: &Value, at: &str, known: &KnownAlgorithm<'_>, nodes: u32) -> Vec<FieldError> {
    let wrong = |word: &str, at: &str| match Role::of(word) {
        Some(role) => misfit(role, at, known, nodes),
        None if word == OTHERS => None,
        None => {
            let mut error = refused(at, &format!("`{word}` is not a node"), known);
            error.allowed.push(OTHERS.to_owned());
            Some(error.meant_by(word))
        }
    };
    let in_group = |(group, members): (usize, &Value)| {
        let mut members = members.as_array().into_iter().flatten().enumerate();
        members.find_map(|(place, member)| wrong(member.as_str()?, &format!("{at}/{group}/{place}")))
    };
    groups.as_array().into_iter().flatten().enumerate().find_map(in_group).into_iter().collect()
}

/// Returns an error if the run does not have the node, or if no node of this algorithm can have the role.
fn misfit(role: Role, at: &str, known: &KnownAlgorithm<'_>, nodes: u32) -> Option<FieldError> {
    let detail = match role {
        Role::Node(node) => return unknown_node(at, node, nodes),
        Role::Token => format!("`{}` has no token", known.entry.name),
        Role::Leader => format!("`{}` does not elect a leader", known.entry.name),
        Role::Holder | Role::Waiting => format!("in `{}` no node requests a lock", known.entry.name),
    };
    (!has(known, role)).then(|| refused(at, &detail, known))
}

/// Returns whether a node can have this role in a run of this algorithm.
fn has(known: &KnownAlgorithm<'_>, role: Role) -> bool {
    match role {
        Role::Node(_) => true,
        Role::Token => !known.token_kinds.is_empty(),
        Role::Leader => known.entry.commands.contains(&"elect"),
        Role::Holder | Role::Waiting => known.entry.commands.contains(&"acquire"),
    }
}

/// Returns an error that lists the node numbers and the roles that are possible with this algorithm.
fn refused(at: &str, detail: &str, known: &KnownAlgorithm<'_>) -> FieldError {
    let names = Role::NAMES.into_iter().filter(|name| Role::of(name).is_some_and(|role| has(known, role)));
    let allowed = names.map(ToOwned::to_owned).chain(["0 … N-1".to_owned()]).collect();
    FieldError { allowed, ..FieldError::new(at, detail) }
}
