//! Names of services in a scenario. They are replaced by the numbers of processes before the scenario is read. Steps and
//! expectations therefore treat a process of a service like any other process of the run.

use serde_json::Value;

use interlock_model::specification::Service;

use super::role::{OF_MESSAGES, PLACES};
use super::step::ONE_NODE;

/// Characters between the names in a text.
const SEPARATORS: [char; 3] = [' ', ',', '|'];

/// The names of the processes of services, each with its number.
pub(super) struct ServiceNames(Vec<(String, u32)>);

impl ServiceNames {
    /// Returns the names in a run with this number of nodes. `redis.1` is the second process of the service `redis`. A
    /// service with one process also has the name `redis`.
    pub fn of(services: &[Service], nodes: u32) -> Self {
        let mut names = Vec::new();
        let mut number = nodes;
        for Service { name, count, .. } in services {
            if *count == 1 {
                names.push((name.clone(), number));
            }
            for index in 0..*count {
                names.push((format!("{name}.{index}"), number));
                number = number.saturating_add(1);
            }
        }
        Self(names)
    }

    /// Replaces the names in a part of a scenario, wherever the scenario can name a process.
    pub fn replace(&self, part: &mut Value) {
        match part {
            Value::Array(items) => items.iter_mut().for_each(|item| self.replace(item)),
            Value::Object(map) => {
                for (key, value) in map {
                    match value {
                        Value::String(text) if is_of_a_process(key) => *value = self.replaced(text),
                        groups if key == "groups" => self.replace_in_groups(groups),
                        inner => self.replace(inner),
                    }
                }
            }
            _ => {}
        }
    }

    fn replace_in_groups(&self, groups: &mut Value) {
        match groups {
            Value::String(text) => *groups = self.replaced(text),
            Value::Array(members) => members.iter_mut().for_each(|member| self.replace_in_groups(member)),
            _ => {}
        }
    }

    /// Returns a text in which each name is replaced. If the text is only a name, the result is a number.
    fn replaced(&self, text: &str) -> Value {
        if let Some(number) = self.number(text.trim()) {
            return number.into();
        }
        let replaced = text.split_inclusive(SEPARATORS).map(|word| {
            let name = word.trim_end_matches(SEPARATORS);
            self.number(name).map_or_else(|| word.to_owned(), |number| format!("{number}{}", &word[name.len()..]))
        });
        replaced.collect::<String>().into()
    }

    fn number(&self, name: &str) -> Option<u32> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, number)| *number)
    }
}

/// Whether the value of a field is a process, or a description of a message with its sender and receiver.
fn is_of_a_process(field: &str) -> bool {
    PLACES.contains(&field) || ONE_NODE.contains(&field) || OF_MESSAGES.contains(&field)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use interlock_model::specification::read_services;

    #[test]
    fn each_place_of_a_process_takes_a_name() {
        let list = json!([{ "name": "redis", "command": ["r"], "count": 2 }, { "name": "db", "command": ["d"] }]);
        let names = ServiceNames::of(&read_services(&list).expect("services"), 3);
        for (part, expected) in [
            (json!({ "crash": "db" }), json!({ "crash": 5 })),
            (json!({ "pause": { "node": "redis.1", "for": "1s" } }), json!({ "pause": { "node": 4, "for": "1s" } })),
            (
                json!({ "partition": { "groups": "0|redis.0, db|others" } }),
                json!({ "partition": { "groups": "0|3, 5|others" } }),
            ),
            (
                json!({ "partition": { "groups": [[0, "db"], "others"] } }),
                json!({ "partition": { "groups": [[0, 5], "others"] } }),
            ),
            (json!({ "lose": "DATA from db to 2" }), json!({ "lose": "DATA from 5 to 2" })),
            (json!([{ "from": 0, "to": "db" }]), json!([{ "from": 0, "to": 5 }])),
            // `redis` has two processes, so the name alone names neither.
            (json!({ "crash": "redis" }), json!({ "crash": "redis" })),
            (json!({ "crash": "redis.2" }), json!({ "crash": "redis.2" })),
            (json!({ "about": "db" }), json!({ "about": "db" })),
        ] {
            let mut replaced = part.clone();
            names.replace(&mut replaced);
            assert_eq!(replaced, expected, "{part}");
        }
    }
}
