//! Lists that a document may also write as a text: `0,2` for `[0, 2]`, `crash,pause` for `[crash, pause]`, and
//! `0,1|2` for `[[0, 1], [2]]`.

use std::fmt;
use std::marker::PhantomData;

use interlock_algorithm::{LockId, NodeId};
use serde::de::value::{Error as Unknown, SeqAccessDeserializer, StrDeserializer};
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error, SeqAccess, Visitor};

/// Reason why a word is not an item of a list.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ItemError {
    /// The word is not a number.
    #[error("`{0}` is not a number")]
    Number(String),
    /// The word is empty.
    #[error("an item is empty")]
    Missing,
    /// The enumeration does not contain the word. The message lists the known words.
    #[error(transparent)]
    Unknown(#[from] Unknown),
}

/// An item of a list that a document may also write as a text.
pub trait Item: Sized {
    /// Plural noun for the items, for error messages.
    const NAME: &'static str;
    /// Text form of an example list, for error messages.
    const EXAMPLE: &'static str;

    /// Reads an item from a word of the text.
    ///
    /// # Errors
    /// If the word does not denote such an item.
    fn of_word(word: &str) -> Result<Self, ItemError>;
}

/// Declares items that are numbers.
macro_rules! numbers {
    ($($item:ty: $name:literal, $example:literal, $of:expr;)*) => {
        $(impl Item for $item {
            const NAME: &'static str = $name;
            const EXAMPLE: &'static str = $example;

            fn of_word(word: &str) -> Result<Self, ItemError> {
                word.parse().map($of).map_err(|_| ItemError::Number(word.to_owned()))
            }
        })*
    };
}

numbers! {
    NodeId: "nodes", "0,2", NodeId;
    LockId: "locks", "0,1", LockId;
    u8: "numbers", "2,0,1", |number: u8| number;
    u32: "numbers", "2,0,1", |number: u32| number;
    u64: "numbers", "0,1,2", |number: u64| number;
}

impl Item for String {
    const NAME: &'static str = "words";
    const EXAMPLE: &'static str = "REQUEST,REPLY";

    fn of_word(word: &str) -> Result<Self, ItemError> {
        if word.is_empty() { Err(ItemError::Missing) } else { Ok(word.to_owned()) }
    }
}

/// Reads a word of an enumeration.
///
/// # Errors
/// If the enumeration does not contain the word. The error has the form of serde's errors, which lists the known
/// words.
pub fn known<T: DeserializeOwned>(word: &str) -> Result<T, ItemError> {
    Ok(T::deserialize(StrDeserializer::<Unknown>::new(word))?)
}

/// Reads a list, or a text form of the list such as `0,2`.
///
/// # Errors
///
/// If the value is neither a list nor the text form of a list.
pub fn list<'de, T: Item + Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    deserializer.deserialize_any(ListOrText::<T> { items: PhantomData })
}

/// Reads a list, its text form, or `null`.
///
/// # Errors
/// If the value has none of these forms.
pub fn optional<'de, T, D>(deserializer: D) -> Result<Option<Vec<T>>, D::Error>
where
    T: Item + Deserialize<'de>,
    D: Deserializer<'de>,
{
    let read = Option::<List<T>>::deserialize(deserializer)?;
    Ok(read.map(|List(items)| items))
}

/// Reads groups of nodes: a list of lists, a list of texts such as `0,1`, or one text such as `0,1|2`.
///
/// # Errors
/// If the value has none of these forms.
pub fn groups<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Vec<NodeId>>, D::Error> {
    let groups: Vec<List<NodeId>> = deserializer.deserialize_any(Groups)?;
    Ok(groups.into_iter().map(|List(nodes)| nodes).collect())
}

/// A list that a document may also write as a text.
struct List<T>(Vec<T>);

impl<'de, T: Item + Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        list(deserializer).map(Self)
    }
}

fn of_text<T: Item>(text: &str) -> Result<Vec<T>, ItemError> {
    text.split(',').map(|word| T::of_word(word.trim())).collect()
}

struct ListOrText<T> {
    items: PhantomData<T>,
}

impl<'de, T: Item + Deserialize<'de>> Visitor<'de> for ListOrText<T> {
    type Value = Vec<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "a list of {}, or a text such as `{}`", T::NAME, T::EXAMPLE)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Vec<T>, E> {
        of_text(text).map_err(|why| match why {
            ItemError::Unknown(_) => E::custom(why),
            ItemError::Number(_) | ItemError::Missing => E::custom(format!("{why}; write `{}`", T::EXAMPLE)),
        })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Vec<T>, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(items))
    }
}

struct Groups;

impl<'de> Visitor<'de> for Groups {
    type Value = Vec<List<NodeId>>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list of groups, or a text such as `0,1|2`")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        let groups = text.split('|').map(|group| of_text(group).map(List)).collect::<Result<_, ItemError>>();
        groups.map_err(|why| E::custom(format!("{why}; write `0,1|2`")))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, groups: A) -> Result<Self::Value, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(groups))
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::{Value, json};

    use super::*;

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(rename_all = "kebab-case")]
    enum Fault {
        Crash,
        PartitionHold,
    }

    impl Item for Fault {
        const NAME: &'static str = "faults";
        const EXAMPLE: &'static str = "crash";

        fn of_word(word: &str) -> Result<Self, ItemError> {
            known(word)
        }
    }

    fn groups_of(value: &Value) -> Result<Vec<Vec<u32>>, String> {
        let read = groups(value).map_err(|error| error.to_string())?;
        Ok(read.into_iter().map(|group| group.into_iter().map(|node| node.0).collect()).collect())
    }

    #[test]
    fn a_list_and_its_text_are_the_same() {
        for value in [json!("0, 1|2"), json!([[0, 1], [2]]), json!(["0, 1", "2"]), json!(["0,1", [2]])] {
            assert_eq!(groups_of(&value), Ok(vec![vec![0, 1], vec![2]]), "{value}");
        }
        for value in [json!("2, 0"), json!([2, 0])] {
            assert_eq!(list::<NodeId, _>(&value).expect("nodes"), [NodeId(2), NodeId(0)]);
            assert_eq!(list::<LockId, _>(&value).expect("locks"), [LockId(2), LockId(0)]);
            assert_eq!(list::<u8, _>(&value).expect("numbers"), [2, 0]);
            assert_eq!(optional::<u64, _>(&value).expect("numbers"), Some(vec![2, 0]));
        }
        for value in [json!("crash, partition-hold"), json!(["crash", "partition-hold"])] {
            assert_eq!(list::<Fault, _>(&value).expect("faults"), [Fault::Crash, Fault::PartitionHold]);
            assert_eq!(list::<String, _>(&value).expect("words"), ["crash", "partition-hold"]);
        }
        assert_eq!(optional::<u64, _>(&Value::Null).expect("none"), None);
    }

    #[test]
    fn anything_else_is_refused_with_the_form() {
        for value in [json!("0,x|2"), json!(""), json!("0||1"), json!(5), json!({})] {
            assert!(groups_of(&value).expect_err("refused").contains("`0,1|2`"), "{value}");
        }
        assert!(groups_of(&json!([0, 1])).expect_err("refused").contains("a list of nodes, or a text such as `0,2`"));
        for value in [json!("0,x"), json!(""), json!(5), json!({})] {
            let refused = list::<NodeId, _>(&value).expect_err("refused").to_string();
            assert!(refused.contains("`0,2`"), "{value}: {refused}");
        }
        let unknown = list::<Fault, _>(&json!("crash,paus")).expect_err("refused").to_string();
        assert!(unknown.starts_with("unknown variant `paus`, expected `crash`"), "{unknown}");
    }
}
