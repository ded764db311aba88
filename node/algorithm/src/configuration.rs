//! The configuration of a run: its algorithm, variant and parameters. The algorithm itself checks them.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::ops::RangeInclusive;

use serde::{Deserialize, Deserializer, Serialize};

use crate::choice::Choice;
use crate::entry::Entry;
use crate::identity::{NodeId, Ticks};
use crate::range::Times;
use crate::span;

/// The parameters of an algorithm by name.
pub type Parameters = BTreeMap<String, ParameterValue>;

/// The value of a parameter: a number or a text such as `k-ary:3`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "a parameter is a number, a text, or a list of numbers and texts")]
pub enum ParameterValue {
    /// A whole number.
    Number(i64),
    /// A number with a fraction.
    Decimal(Decimal),
    /// Any other value. A list is read as its text: `[0, 2]` as `0,2`, and `[[1, 0], [0, 1]]` as `1,0;0,1`.
    Text(#[serde(deserialize_with = "text_or_list")] String),
}

/// The written forms of a text parameter: a text or a list.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Text(String),
    List(Vec<Item>),
    Rows(Vec<Vec<Item>>),
}

/// An item of a list.
#[derive(Deserialize)]
#[serde(untagged)]
enum Item {
    Number(i64),
    Text(String),
}

fn text_or_list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let word = |item: &Item| match item {
        Item::Number(number) => number.to_string(),
        Item::Text(text) => text.clone(),
    };
    let row = |items: &Vec<Item>| items.iter().map(word).collect::<Vec<_>>().join(",");
    Ok(match Written::deserialize(deserializer)? {
        Written::Text(text) => text,
        Written::List(items) => row(&items),
        Written::Rows(rows) => rows.iter().map(row).collect::<Vec<_>>().join(";"),
    })
}

impl ParameterValue {
    /// Returns the value that a text represents: a whole number if the text is one, otherwise the text itself.
    #[must_use]
    pub fn read(text: &str) -> Self {
        text.parse().map_or_else(|_| Self::Text(text.to_string()), Self::Number)
    }

    /// Returns the parameter value for a length of time, in ms.
    #[must_use]
    pub fn time(ticks: Ticks) -> Self {
        let thousandths = i64::try_from(ticks).unwrap_or(i64::MAX);
        if thousandths % 1_000 == 0 { Self::Number(thousandths / 1_000) } else { Self::Decimal(Decimal(thousandths)) }
    }
}

impl fmt::Display for ParameterValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(formatter, "{number}"),
            Self::Decimal(decimal) => write!(formatter, "{}", f64::from(*decimal)),
            Self::Text(text) => formatter.write_str(text),
        }
    }
}

/// A number of thousandths, within ±2⁵³: a JSON number with up to three digits after the decimal point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "f64", try_from = "f64")]
pub struct Decimal(i64);

impl From<Decimal> for f64 {
    #[expect(clippy::cast_precision_loss, reason = "it is within 53 bits")]
    fn from(Decimal(thousandths): Decimal) -> Self {
        thousandths as Self / 1_000.0
    }
}

impl TryFrom<f64> for Decimal {
    type Error = &'static str;

    #[expect(clippy::cast_possible_truncation, reason = "the range has been checked, and what is cut off is compared")]
    fn try_from(number: f64) -> Result<Self, Self::Error> {
        const MOST: f64 = 9_007_199_254_740_992.0;
        let thousandths = number * 1_000.0;
        if !(-MOST..=MOST).contains(&thousandths) {
            return Err("a number beyond 2⁵³ thousandths");
        }
        let nearest = Self((thousandths + if number < 0.0 { -0.5 } else { 0.5 }) as i64);
        if (f64::from(nearest) - number).abs() < 1e-9 * (1.0 + number.abs()) {
            Ok(nearest)
        } else {
            Err("a number with more than three digits after the point")
        }
    }
}

/// The configuration of a run.
#[derive(Clone, Copy, Debug)]
pub struct Configuration<'a> {
    /// The name of the algorithm in the catalogue.
    pub algorithm: &'a str,
    /// The name of the variant. None selects the first.
    pub variant: Option<&'a str>,
    /// The algorithm's own parameters.
    pub parameters: &'a Parameters,
    /// The number of nodes, from 1.
    pub nodes: u32,
    /// The number of locks, from 1. It is 1 for an algorithm without locks.
    pub locks: u32,
}

impl Configuration<'_> {
    /// Refuses parameters that the algorithm does not have.
    ///
    /// # Errors
    /// Names the first unknown parameter, and the parameters that exist.
    pub fn refuse_unknown_parameters(&self, entry: &Entry) -> Result<(), Refusal> {
        let known = || entry.parameters.iter().map(|parameter| parameter.name);
        match self.parameters.keys().find(|&name| known().all(|parameter| parameter != name)) {
            Some(name) => Err(Refusal::new(
                Subject::Parameter(name.clone()),
                format_args!("`{}` has no parameter `{name}`", entry.name),
                known(),
            )),
            None => Ok(()),
        }
    }

    /// Returns the named variant, or the first if none is named.
    ///
    /// # Errors
    /// Lists the valid names.
    pub(crate) fn variant<C: Choice>(&self) -> Result<C, Refusal> {
        self.variant_as(C::MEANINGS)
    }

    /// Returns the value that the variant's name selects in `meanings`, or the first value if no variant is named.
    ///
    /// # Errors
    /// Lists the valid names.
    pub fn variant_as<T: Copy>(&self, meanings: &[(&str, T)]) -> Result<T, Refusal> {
        meaning(Subject::Variant, self.variant, meanings)
    }

    /// Returns the choice that parameter `name` selects, or the first if the parameter is absent.
    ///
    /// # Errors
    /// Lists the valid names.
    pub(crate) fn choice<C: Choice>(&self, name: &str) -> Result<C, Refusal> {
        let given = self.parameters.get(name).map(ToString::to_string);
        meaning(Subject::Parameter(name.to_string()), given.as_deref(), C::MEANINGS)
    }

    /// Returns the number of parameter `name`, if it is given.
    ///
    /// # Errors
    /// Names the range and the nearest number in it.
    pub fn number_parameter(&self, name: &str, range: RangeInclusive<u64>) -> Result<Option<u64>, Refusal> {
        let Some(given) = self.parameters.get(name).map(ToString::to_string) else { return Ok(None) };
        let (least, most) = (*range.start(), *range.end());
        let all = format!("{least} … {most}");
        let refused =
            |detail: String, allowed: &[&str]| Refusal::new(Subject::Parameter(name.into()), detail, allowed.to_vec());
        let Ok(number) = given.parse::<i128>() else {
            return Err(refused(format!("`{given}` is not a whole number"), &[&all]));
        };
        match u64::try_from(number) {
            Ok(number) if range.contains(&number) => Ok(Some(number)),
            _ => {
                let nearest = if number < i128::from(least) { least } else { most };
                let detail = format!("{number} is outside {all}; the nearest is {nearest}");
                Err(refused(detail, &[&all]))
            }
        }
    }

    /// Returns the length of time of parameter `name` in ticks, if it is given.
    ///
    /// # Errors
    /// Shows the correct format, or names the range and the nearest time in it, in ms.
    pub fn time_parameter(&self, name: &str, range: RangeInclusive<Ticks>) -> Result<Option<Ticks>, Refusal> {
        let Some(given) = self.parameters.get(name).map(ToString::to_string) else { return Ok(None) };
        let (least, most) = (ParameterValue::time(*range.start()), ParameterValue::time(*range.end()));
        let all = format!("{least} … {most}");
        let refused =
            |detail, allowed: &[&str]| Refusal::new(Subject::Parameter(name.into()), detail, allowed.to_vec());
        let Some(ms) = span::ms(&given).filter(|ms| ms.is_finite()) else {
            let detail = format!("`{given}` is not a length of time; write a number of ms, or `500ms`, `2s`, `250us`");
            return Err(refused(detail, &[&all]));
        };
        if let Some(ticks) = span::ticks(ms).filter(|ticks| range.contains(ticks)) {
            return Ok(Some(ticks));
        }
        let is_too_long = ms > 0.0 && span::ticks(ms).is_none_or(|ticks| ticks > *range.end());
        let nearest = if is_too_long { most } else { least };
        Err(refused(format!("{ms} ms are outside {all}; the nearest is {nearest}"), &[&all]))
    }

    /// Returns the length of time of parameter `name` in ticks, or `default` if the parameter is absent.
    ///
    /// # Errors
    /// As [`time_parameter`](Self::time_parameter).
    pub(crate) fn time(&self, name: &str, default: Ticks) -> Result<Ticks, Refusal> {
        Ok(self.time_parameter(name, Times::ANY.all())?.unwrap_or(default))
    }

    /// Returns the node that is the value of parameter `name`, or node 0 if the parameter is absent.
    ///
    /// # Errors
    /// Lists the nodes of the run and names the nearest one.
    pub fn node_parameter(&self, name: &str) -> Result<NodeId, Refusal> {
        let last = self.nodes.saturating_sub(1).into();
        let node = self.number_parameter(name, 0..=last)?.and_then(|node| u32::try_from(node).ok());
        Ok(NodeId(node.unwrap_or(0)))
    }
}

/// Reads the number of a node, less than `nodes`. If `text` is not such a number, `refused` returns the refusal.
pub(crate) fn read_node(
    text: &str,
    nodes: u32,
    refused: impl FnOnce(fmt::Arguments<'_>) -> Refusal,
) -> Result<NodeId, Refusal> {
    let node = text.trim().parse().ok().filter(|&node| node < nodes).map(NodeId);
    let last = nodes.saturating_sub(1);
    node.ok_or_else(|| refused(format_args!("`{text}` is not one of the nodes 0 … {last}")))
}

fn meaning<T: Copy>(subject: Subject, given: Option<&str>, meanings: &[(&str, T)]) -> Result<T, Refusal> {
    match meanings.iter().find(|(name, _)| given.is_none_or(|given| given == *name)) {
        Some((_, meaning)) => Ok(*meaning),
        None => Err(Refusal::new(
            subject,
            format_args!("`{}` is not one of the possible values", given.unwrap_or_default()),
            meanings.iter().map(|(name, _)| *name),
        )),
    }
}

/// The part of a configuration that was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The name of the algorithm.
    Algorithm,
    /// The name of the variant.
    Variant,
    /// The parameter with this name.
    Parameter(String),
    /// The number of nodes.
    Nodes,
    /// The number of locks.
    Locks,
}

/// A refusal of a configuration: the reason, and the values that are possible instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The invalid part.
    pub subject: Subject,
    /// The reason, as a lower-case phrase.
    pub detail: String,
    /// The possible values, if they can be listed.
    pub allowed: Vec<String>,
}

impl Refusal {
    /// Returns a refusal of `subject`. `allowed` lists the valid values.
    pub fn new<'a>(subject: Subject, detail: impl fmt::Display, allowed: impl IntoIterator<Item = &'a str>) -> Self {
        Self { subject, detail: detail.to_string(), allowed: allowed.into_iter().map(ToString::to_string).collect() }
    }

    /// Returns a refusal of parameter `name`. `forms` lists the valid forms, with commas between them.
    pub(crate) fn of_form(name: &str, forms: &str, detail: impl fmt::Display) -> Self {
        Self::new(Subject::Parameter(name.to_string()), detail, forms.split(", "))
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.detail)
    }
}

impl core::error::Error for Refusal {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_may_have_three_digits_after_the_point() {
        for (json, text) in [("0.5", "0.5"), ("-1.25", "-1.25"), ("50.0", "50"), ("1234.567", "1234.567"), ("7", "7")] {
            let value: ParameterValue = serde_json::from_str(json).expect("a value");
            assert_eq!(value.to_string(), text);
        }
        for json in ["0.0005", "1e300", "1.23456"] {
            assert!(serde_json::from_str::<ParameterValue>(json).is_err(), "{json}");
        }
    }

    fn holder(given: Option<ParameterValue>) -> Result<NodeId, Refusal> {
        let parameters = given.map(|value| ("holder".to_string(), value)).into_iter().collect();
        Configuration { algorithm: "any", variant: None, parameters: &parameters, nodes: 3, locks: 1 }
            .node_parameter("holder")
    }

    #[test]
    fn a_node_can_be_given_as_a_number_or_a_text_or_not_at_all() {
        assert_eq!(holder(None), Ok(NodeId(0)));
        assert_eq!(holder(Some(ParameterValue::Number(2))), Ok(NodeId(2)));
        assert_eq!(holder(Some(ParameterValue::Text("1".into()))), Ok(NodeId(1)));
    }

    #[test]
    fn what_is_no_node_is_refused_with_the_nodes_there_are() {
        let table = [
            (ParameterValue::Number(3), ["0 … 2"].as_slice()),
            (ParameterValue::Number(-1), &["0 … 2"]),
            (ParameterValue::Text("P1".into()), &["0 … 2"]),
        ];
        for (given, allowed) in table {
            let refusal = holder(Some(given)).expect_err("no node");
            assert_eq!(refusal.subject, Subject::Parameter("holder".into()));
            assert_eq!(refusal.allowed, allowed);
        }
    }
}
