//! Short forms of option values: `2@50` (node 2 at time 50), `0-1:delay=exp:3,loss=0.1`, `0,1/2,3@10`, …

use std::str::FromStr;

use interlock_algorithm::configuration::ParameterValue;
use interlock_algorithm::{NodeId, Ticks};
use interlock_machine::distribution::Distribution;
use interlock_machine::quantity;
use interlock_machine::wording::{complaint, number_meant};
use serde_json::Value;

use super::refusal::Misfit;
use interlock_model::event::RestartState;
use interlock_model::nearest::did_you_mean;
use interlock_model::network::{Direction, LinkOverride, LinkPatch, Lost, Match, PartitionDraft, RuleDraft};
use interlock_model::specification::ClientOverride;
use interlock_model::strict;

/// Latest time that an option may contain, in units of time.
const LATEST: f64 = 1e12;

/// Error for a text that is not a valid short form.
#[derive(Debug, thiserror::Error)]
pub enum NotationError {
    #[error("`{text}` is not of the form `{form}`")]
    Form { text: String, form: &'static str },
    #[error("`{text}` is not a node; nodes have numbers from 0{meant}")]
    Node { text: String, meant: String },
    #[error(
        "`{text}` is not a time; write a number of units of time in 0 … {LATEST}; the nearest possible is {nearest}"
    )]
    Time { text: String, nearest: f64 },
    #[error("`{text}` is not a probability; write a number in 0 … 1, or `10%`; the nearest possible is {nearest}")]
    Probability { text: String, nearest: f64 },
    #[error("unknown field `{name}`{meant}; possible: {known}")]
    Field { name: String, meant: String, known: String },
    #[error("`{name}`: {why}")]
    Value { name: String, why: String },
}

impl NotationError {
    fn form(text: &str, form: &'static str) -> Self {
        Self::Form { text: text.to_owned(), form }
    }
}

/// Point of virtual time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Time(pub Ticks);

impl FromStr for Time {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let time = text.strip_prefix('@').unwrap_or(text).parse().map_or(f64::NAN, |quantity::Duration(time)| time);
        if (0.0..=LATEST).contains(&time) {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is in 0 … LATEST")]
            return Ok(Self((time * 1_000.0).round() as Ticks));
        }
        let nearest = if time.is_nan() { 0.0 } else { time.clamp(0.0, LATEST) };
        Err(NotationError::Time { text: text.to_owned(), nearest })
    }
}

/// A probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probability(pub f64);

impl FromStr for Probability {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let number = text.parse().map_or(f64::NAN, |quantity::Probability(number)| number);
        if (0.0..=1.0).contains(&number) {
            return Ok(Self(number));
        }
        let nearest = if number.is_nan() { 0.0 } else { number.clamp(0.0, 1.0) };
        Err(NotationError::Probability { text: text.to_owned(), nearest })
    }
}

fn node(text: &str) -> Result<NodeId, NotationError> {
    text.trim().parse().map(NodeId).map_err(|_| {
        let meant = number_meant(text).map(|node| format!("; did you mean `{node}`?")).unwrap_or_default();
        NotationError::Node { text: text.to_owned(), meant }
    })
}

/// `NAME=VALUE`: a parameter of the algorithm.
#[derive(Clone, Debug)]
pub struct Setting {
    pub name: String,
    pub value: ParameterValue,
}

impl FromStr for Setting {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let parts = text.split_once('=').filter(|(name, _)| !name.is_empty());
        let (name, value) = parts.ok_or_else(|| NotationError::form(text, "NAME=VALUE"))?;
        Ok(Self { name: name.to_owned(), value: ParameterValue::read(value) })
    }
}

/// `NODE@TIME`: a node, and the time of an action on the node.
#[derive(Clone, Copy, Debug)]
pub struct NodeAt {
    pub node: NodeId,
    pub at: Time,
}

impl FromStr for NodeAt {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let (who, at) = text.split_once('@').ok_or_else(|| NotationError::form(text, "NODE@TIME"))?;
        Ok(Self { node: node(who)?, at: at.parse()? })
    }
}

/// `NODE@TIME` or `NODE@TIME,none`: restart of a node at a time.
#[derive(Clone, Copy, Debug)]
pub struct RestartAt {
    pub place: NodeAt,
    /// State with which the process restarts.
    pub state: RestartState,
}

impl FromStr for RestartAt {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        match text.split_once(',') {
            None => Ok(Self { place: text.parse()?, state: RestartState::Stored }),
            Some((place, "none")) => Ok(Self { place: place.parse()?, state: RestartState::None }),
            Some(_) => Err(NotationError::form(text, "NODE@TIME or NODE@TIME,none")),
        }
    }
}

/// `0,1/2,3@TIME`: a partition of the links between these groups.
#[derive(Clone, Debug)]
pub struct PartitionAt {
    pub partition: PartitionDraft,
    pub at: Time,
}

impl FromStr for PartitionAt {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let (groups, at) = text.split_once('@').ok_or_else(|| NotationError::form(text, "0,1/2,3@TIME"))?;
        let group = |members: &str| members.split(',').map(node).collect();
        let groups = groups.split(['/', '|']).map(group).collect::<Result<_, _>>()?;
        Ok(Self {
            partition: PartitionDraft { groups, direction: Direction::default(), lost: Lost::default(), reset: None },
            at: at.parse()?,
        })
    }
}

/// `RULE@TIME`: a rule for messages that applies from this time on, or from the beginning if there is no time. The
/// rule is JSON, or a short form such as `drop,kind=TOKEN,count=1`.
#[derive(Clone, Debug)]
pub struct RuleAt {
    pub rule: RuleDraft,
    pub at: Time,
}

impl FromStr for RuleAt {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let (rule, at) = text.rsplit_once('@').unwrap_or((text, "0"));
        let json = rule.trim_start().starts_with('{');
        let rule = if json {
            let document: Value = serde_json::from_str(rule).map_err(|why| value(text, complaint(&why)))?;
            strict::read(&document).map_err(|error| value(text, Misfit::at("", error).detail))
        } else {
            short_rule(rule)
        };
        Ok(Self { rule: rule?, at: at.parse()? })
    }
}

fn short_rule(text: &str) -> Result<RuleDraft, NotationError> {
    let (action, rest) = text.split_once(',').unwrap_or((text, ""));
    let action = action.to_owned().try_into().map_err(|why| value(text, why))?;
    let mut rule = RuleDraft { matches: Match::default(), action, skip: 0, count: None, probability: None };
    for (name, text) in fields(rest)? {
        match name {
            "kind" => rule.matches.message_kind = Some(text),
            "from" => rule.matches.from = Some(node(&text)?),
            "to" => rule.matches.to = Some(node(&text)?),
            "skip" => rule.skip = read(name, &text)?,
            "count" => rule.count = Some(read(name, &text)?),
            "probability" => rule.probability = Some(read::<Probability>(name, &text)?.0),
            _ => return Err(unknown(name, &["kind", "from", "to", "skip", "count", "probability"])),
        }
    }
    Ok(rule)
}

/// `FROM-TO:delay=DIST,…`: settings of a single link.
#[derive(Clone, Debug)]
pub struct Link(pub LinkOverride);

impl FromStr for Link {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let form = || NotationError::form(text, "FROM-TO:delay=DIST,fifo=BOOL,loss=P,duplicate=P");
        let (ends, rest) = text.split_once(':').ok_or_else(form)?;
        let (from, to) = ends.split_once('-').ok_or_else(form)?;
        let mut patch = LinkPatch::default();
        for (name, text) in fields(rest)? {
            match name {
                "delay" => patch.delay = Some(read(name, &text)?),
                "fifo" => patch.fifo = Some(read(name, &text)?),
                "loss" => patch.loss = Some(read::<Probability>(name, &text)?.0),
                "duplicate" => patch.duplicate = Some(read::<Probability>(name, &text)?.0),
                _ => return Err(unknown(name, &["delay", "fifo", "loss", "duplicate"])),
            }
        }
        Ok(Self(LinkOverride { from: node(from)?, to: node(to)?, patch }))
    }
}

/// `NODE:idle=DIST,hold=DIST,entries=K`: settings of a single client.
#[derive(Clone, Debug)]
pub struct Client(pub ClientOverride);

impl FromStr for Client {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let form = || NotationError::form(text, "NODE:idle=DIST,hold=DIST,entries=K");
        let (who, rest) = text.split_once(':').ok_or_else(form)?;
        let mut client = ClientOverride { node: node(who)?, idle: None, hold: None, entries: None, locks: None };
        for (name, text) in fields(rest)? {
            match name {
                "idle" => client.idle = Some(read::<Distribution>(name, &text)?),
                "hold" => client.hold = Some(read::<Distribution>(name, &text)?),
                "entries" => client.entries = Some(read(name, &text)?),
                _ => return Err(unknown(name, &["idle", "hold", "entries"])),
            }
        }
        Ok(Self(client))
    }
}

/// Splits a text such as `a=1,b=normal:5,1` into names and values. A part between two commas that contains no `=`
/// continues the value of the previous part.
fn fields(text: &str) -> Result<Vec<(&str, String)>, NotationError> {
    let mut fields: Vec<(&str, String)> = Vec::new();
    for part in text.split(',').filter(|part| !part.is_empty()) {
        match (part.split_once('='), fields.last_mut()) {
            (Some((name, value)), _) => fields.push((name, value.to_owned())),
            (None, Some((_, value))) => value.extend([",", part]),
            (None, None) => return Err(NotationError::form(text, "NAME=VALUE,NAME=VALUE")),
        }
    }
    Ok(fields)
}

fn read<T: FromStr<Err: std::fmt::Display>>(name: &str, text: &str) -> Result<T, NotationError> {
    text.parse().map_err(|why| value(name, format!("`{text}`: {why}")))
}

fn value(name: &str, why: impl std::fmt::Display) -> NotationError {
    NotationError::Value { name: name.to_owned(), why: why.to_string() }
}

fn unknown(name: &str, known: &[&str]) -> NotationError {
    NotationError::Field {
        name: name.to_owned(),
        meant: did_you_mean(name, known.iter().copied()),
        known: known.join(", "),
    }
}
