//! Longest delay of a message in a run, as far as the specification determines it.
//!
//! The longest delay includes the delays of all links, of single links and of kinds of messages. It includes the
//! delays that rules add, and the delays that the script sets later. If a distribution has no upper bound, its
//! 99.9th percentile counts as the longest delay. Causes without any bound are excluded: held messages, paused
//! processes, partitions. Also excluded are the delays that processes and the machine add in a live run, because
//! these delays are unknown beforehand.

use interlock_algorithm::Ticks;
use interlock_machine::distribution::Distribution;
use serde::{Deserialize, Serialize};

use super::{Scripted, Specification};
use crate::choice::{Choice, NetworkChange};
use crate::event::{Change, TELL};
use crate::network::{self, LinkOverride, LinkPatch, LinkSetting, Match};
use crate::strict;

/// Longest delay of a message of the algorithm: the sum of `link` and `rule`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delays {
    /// Longest delay of a link, in ticks.
    link: Ticks,
    /// Longest delay that a rule adds, in ticks.
    rule: Ticks,
    /// Whether the sum of both delays is an upper bound.
    bounded: bool,
}

impl Default for Delays {
    fn default() -> Self {
        Self { link: 0, rule: 0, bounded: true }
    }
}

impl Delays {
    /// Returns the delays of a run that executes the actions in `beside` in addition to the actions of its
    /// specification.
    #[must_use]
    pub fn of(specification: &Specification, beside: &[Scripted]) -> Self {
        let mut delays = Self::default();
        delays.take_setting(&specification.network);
        specification.links.iter().for_each(|link| delays.take_patch(&link.patch));
        specification.script.iter().chain(beside).for_each(|scripted| delays.take_choice(&scripted.choice));
        delays
    }

    /// Returns the longest delay of a message, in ticks. If delays have no upper bound, one message in a thousand
    /// takes longer.
    #[must_use]
    pub const fn longest(self) -> Ticks {
        self.link.saturating_add(self.rule)
    }

    /// Returns whether the longest delay is an upper bound.
    #[must_use]
    pub const fn is_bounded(self) -> bool {
        self.bounded
    }

    /// Updates the longest delays after a change to the network during the run. They never become shorter. Updates
    /// the longest delays after a change to the network during the run. The longest delays never become shorter.
    pub fn change(&mut self, change: &Change) {
        let Some(value) = &change.value else { return };
        match &*change.subject {
            "default" => _ = strict::deserialize::<LinkSetting>(value).map(|setting| self.take_setting(&setting)),
            "link" => _ = strict::deserialize::<LinkOverride>(value).map(|link| self.take_patch(&link.patch)),
            "rule" => {
                let matches = strict::deserialize::<Match>(&value["match"]);
                let action = strict::deserialize::<network::RuleAction>(&value["action"]);
                _ = matches.map(|matches| action.map(|action| self.take_rule(&matches, action)));
            }
            _ => {}
        }
    }

    fn take_choice(&mut self, choice: &Choice) {
        match choice {
            Choice::Network(NetworkChange::Default(patch)) => self.take_patch(patch),
            Choice::Network(NetworkChange::Link(link)) => self.take_patch(&link.patch),
            Choice::Rule(rule) => self.take_rule(&rule.matches, rule.action),
            _ => {}
        }
    }

    fn take_setting(&mut self, setting: &LinkSetting) {
        let LinkSetting { delay, delays, .. } = setting.clone();
        self.take_patch(&LinkPatch { delay: Some(delay), delays: Some(delays), ..LinkPatch::default() });
    }

    fn take_patch(&mut self, patch: &LinkPatch) {
        patch.delay.iter().for_each(|delay| self.take(delay));
        if let Some(delays) = &patch.delays {
            delays
                .kinds()
                .filter(|kind| *kind != TELL)
                .filter_map(|kind| delays.of(kind))
                .for_each(|delay| self.take(delay));
        }
    }

    fn take(&mut self, delay: &Distribution) {
        let longest = delay.longest();
        if longest > self.link {
            (self.link, self.bounded) = (longest, delay.is_bounded());
        }
    }

    fn take_rule(&mut self, matches: &Match, action: network::RuleAction) {
        if matches.message_kind.as_deref() != Some(TELL) {
            self.rule = self.rule.max(action.extra_delay_us());
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::specification::Draft;

    fn delays(document: Value) -> Delays {
        let draft: Draft = serde_json::from_value(document).expect("a draft");
        Delays::of(&draft.complete_simulated().expect("a specification"), &[])
    }

    fn longest_ms(fields: &Value) -> u64 {
        let mut document = json!({ "algorithm": "bully", "nodes": 3 });
        document.as_object_mut().expect("an object").extend(fields.as_object().expect("fields").clone());
        delays(document).longest() / 1_000
    }

    #[test]
    fn the_longest_delay_is_found_wherever_it_stands() {
        let rule = |kind: &str| json!({ "rule": { "match": { "message_kind": kind }, "action": "delay:70" } });
        let table = [
            (json!({}), 0),
            (json!({ "network": { "delay": "const:5" } }), 5),
            (json!({ "network": { "delay": "uniform:1..20" } }), 20),
            (json!({ "network": { "delay": "const:5", "delays": { "OK": "const:9" } } }), 9),
            (json!({ "network": { "delay": "const:5", "delays": { "TELL": "const:900" } } }), 5),
            (json!({ "links": [{ "from": 0, "to": 1, "delay": "const:30" }] }), 30),
            (json!({ "links": [{ "from": 0, "to": 1, "delays": { "OK": "const:31" } }] }), 31),
            (json!({ "script": [{ "at": 5, "do": { "network": { "default": { "delay": "const:40" } } } }] }), 40),
            (
                json!({ "script": [{ "at": 5, "do": { "network": { "link": { "from": 0, "to": 1, "delay": 50 } } } }] }),
                50,
            ),
            (json!({ "network": { "delay": "const:5" }, "script": [{ "at": 5, "do": rule("OK") }] }), 75),
            (json!({ "script": [{ "at": 5, "do": { "crash": { "node": 1 } } }] }), 0),
        ];
        for (fields, expected) in table {
            assert_eq!(longest_ms(&fields), expected, "{fields}");
        }
    }

    #[test]
    fn without_an_end_one_in_a_thousand_takes_longer() {
        for (delay, longest, bounded) in [
            ("const:10", 10.0, true),
            ("uniform:1..20", 20.0, true),
            ("exp:10", 69.08, false),
            ("normal:20,5", 35.45, false),
        ] {
            let delays = delays(json!({ "algorithm": "bully", "network": { "delay": delay } }));
            #[expect(clippy::cast_precision_loss, reason = "a short time")]
            let found = delays.longest() as f64 / 1_000.0;
            assert!((found - longest).abs() < 0.01, "{delay}: {found}");
            assert_eq!(delays.is_bounded(), bounded, "{delay}");
        }
    }

    #[test]
    fn a_change_while_the_run_is_under_way_counts_and_stays() {
        let mut delays = delays(json!({ "algorithm": "bully" }));
        let change = |subject: &str, value: Value| Change { subject: subject.into(), id: None, value: Some(value) };
        delays.change(&change("link", json!({ "from": 0, "to": 1, "delay": "const:30" })));
        assert_eq!(delays.longest(), 30_000);
        let setting = LinkSetting { delay: Distribution::Constant(80.0), ..LinkSetting::default() };
        delays.change(&change("default", serde_json::to_value(setting).expect("JSON")));
        delays.change(&change("default", json!({ "delay": 1 })));
        assert_eq!(delays.longest(), 80_000);
        delays.change(&change("rule", json!({ "id": 1, "match": {}, "action": "delay:20", "skip": 0, "count": null })));
        assert_eq!(delays.longest(), 100_000);
        delays.change(&change("partition", json!({ "id": 1 })));
        delays.change(&Change { subject: "link".into(), id: Some("0-1".into()), value: None });
        assert_eq!(delays.longest(), 100_000);
    }
}
