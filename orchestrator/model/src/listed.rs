//! Lists that may be written as a text: `[0, 2]` is `0,2`, and `[[0, 1], [2]]` is `0,1|2`.

use std::fmt;
use std::marker::PhantomData;

use interlock_algorithm::{LockId, NodeId};
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};

/// Reads the nodes of a list or of a text such as `0,2`.
///
/// # Errors
/// When it is neither.
pub fn nodes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<NodeId>, D::Error> {
    read(deserializer, "a list of nodes, or a text such as `0,2`", |text| numbers(text, "0,2", NodeId))
}

/// Reads the locks of a list or of a text such as `0,1`.
///
/// # Errors
/// When it is neither.
pub fn locks<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<LockId>, D::Error> {
    read(deserializer, "a list of locks, or a text such as `0,1`", |text| numbers(text, "0,1", LockId))
}

/// Reads groups of nodes from lists or from a text such as `0,1|2`.
///
/// # Errors
/// When it is neither.
pub fn groups<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Vec<NodeId>>, D::Error> {
    let parse = |text: &str| text.split('|').map(|group| numbers(group, "0,1|2", NodeId)).collect();
    read(deserializer, "a list of groups, or a text such as `0,1|2`", parse)
}

fn numbers<T>(text: &str, form: &str, of: fn(u32) -> T) -> Result<Vec<T>, String> {
    let number =
        |word: &str| word.trim().parse().map(of).map_err(|_| format!("`{word}` is not a number; write `{form}`"));
    text.split(',').map(number).collect()
}

fn read<'de, D, T, P>(deserializer: D, wanted: &'static str, parse: P) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
    P: Fn(&str) -> Result<Vec<T>, String>,
{
    deserializer.deserialize_any(ListOrText { wanted, parse, items: PhantomData })
}

struct ListOrText<T, P> {
    wanted: &'static str,
    parse: P,
    items: PhantomData<T>,
}

impl<'de, T: Deserialize<'de>, P: Fn(&str) -> Result<Vec<T>, String>> Visitor<'de> for ListOrText<T, P> {
    type Value = Vec<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.wanted)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Vec<T>, E> {
        (self.parse)(text).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Vec<T>, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(items))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn groups_of(value: &Value) -> Result<Vec<Vec<u32>>, String> {
        let read = groups(value).map_err(|error| error.to_string())?;
        Ok(read.into_iter().map(|group| group.into_iter().map(|node| node.0).collect()).collect())
    }

    #[test]
    fn a_list_and_its_text_are_the_same() {
        let both = [json!("0, 1|2"), json!([[0, 1], [2]])];
        assert!(both.iter().all(|value| groups_of(value) == Ok(vec![vec![0, 1], vec![2]])));
        for value in [json!("2,0"), json!([2, 0])] {
            assert_eq!(nodes(&value).expect("nodes"), [NodeId(2), NodeId(0)]);
            assert_eq!(locks(&value).expect("locks"), [LockId(2), LockId(0)]);
        }
    }

    #[test]
    fn anything_else_is_refused_with_the_form() {
        for value in [json!("0,x|2"), json!(""), json!("0||1"), json!(5), json!({})] {
            assert!(groups_of(&value).expect_err("refused").contains("`0,1|2`"), "{value}");
        }
    }
}
