//! Locks that a client acquires in each round, in the notation that users write: `first`, `one`, `all`,
//! `neighbours`, `some:2`, `directory:10%`, `0,3,1`.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use interlock_algorithm::{LockId, NodeId};
use serde::{Deserialize, Serialize};

use crate::draw::{draw, evenly};

/// The locks that a client acquires in each round, in the order of acquisition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "Written")]
pub enum LockChoice {
    /// Lock 0: `first`.
    #[default]
    First,
    /// One lock, drawn anew in each round: `one`.
    One,
    /// All locks, in ascending order: `all`.
    All,
    /// The lock with the number of the node, and then the lock with the next number, as in the dining philosophers:
    /// `neighbours`.
    Neighbours,
    /// This number of locks, drawn anew in each round. They are acquired in the order of drawing: `some:2`.
    Some(u32),
    /// Lock 0 is a directory, and the other locks are its files: `directory`, `directory:10%`. In the given
    /// percentage of the rounds, the client acquires the directory and all files. In all other rounds, the client
    /// acquires the directory and then one randomly drawn file, and releases the directory when it holds the file.
    Directory(u32),
    /// The listed locks, in the order of the list: `0,3,1`.
    These(Arc<[LockId]>),
}

/// Written form of a lock choice: a text, or a list of locks.
#[derive(Deserialize)]
#[serde(untagged, expecting = "write a word such as `first`, a list such as [0, 3, 1], or a text such as `0,3,1`")]
enum Written {
    Text(String),
    These(Vec<LockId>),
}

/// The reason why a text is not a choice of locks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LockChoiceError {
    /// The text has none of the known forms.
    #[error(
        "`{0}` is not a choice of locks; write `first`, `one`, `all`, `neighbours`, `some:2`, `directory:10%` or \
         `0,3,1`"
    )]
    Form(String),
    /// A list names the same lock twice.
    #[error("`{0}` names lock {1} twice; a client takes a lock only once")]
    Twice(String, LockId),
    /// The run has fewer locks than the choice needs.
    #[error("`{0}` needs {1} locks, but the run has {2}")]
    Few(LockChoice, u32, u32),
}

impl LockChoice {
    /// Returns the minimum number of locks that a run must have.
    #[must_use]
    pub fn least_locks(&self) -> u32 {
        match self {
            Self::First | Self::One | Self::All | Self::Neighbours => 1,
            Self::Directory(_) => 3,
            Self::Some(count) => *count,
            Self::These(locks) => locks.iter().map(|lock| lock.0.saturating_add(1)).max().unwrap_or(1),
        }
    }

    /// Returns the number of locks that a client acquires in a round, in a run with `locks` locks.
    #[must_use]
    pub fn count(&self, locks: u32) -> u32 {
        match self {
            Self::First | Self::One => 1,
            Self::Directory(0) | Self::Neighbours => locks.clamp(1, 2),
            Self::All | Self::Directory(_) => locks.max(1),
            Self::Some(count) => *count.min(&locks),
            Self::These(these) => u32::try_from(these.len()).unwrap_or(u32::MAX),
        }
    }

    /// Whether the choice is `directory`: lock 0 is the directory, and the other locks are its files.
    #[must_use]
    pub const fn is_of_a_directory(&self) -> bool {
        matches!(self, Self::Directory(_))
    }

    /// Checks that a run with `locks` locks has enough locks for the choice.
    ///
    /// # Errors
    /// If the run has too few locks. The error contains the required number of locks.
    pub fn fits(&self, locks: u32) -> Result<(), LockChoiceError> {
        let least = self.least_locks();
        if least <= locks { Ok(()) } else { Err(LockChoiceError::Few(self.clone(), least, locks)) }
    }

    /// Returns the locks that a node acquires in a round, in a run with `locks` locks. `keys` determine the random
    /// draws.
    pub fn locks(&self, node: NodeId, locks: u32, keys: &[u64; 4]) -> impl Iterator<Item = LockId> + use<> {
        let locks = locks.max(1);
        let numbers = match self {
            Self::First => Numbers::Range(0..1),
            Self::All => Numbers::Range(0..locks),
            Self::One => {
                let one = Self::drawn(keys, 0, locks);
                Numbers::Range(one..one + 1)
            }
            Self::Neighbours => {
                let (left, right) = (node.0 % locks, (node.0 + 1) % locks);
                Numbers::List([left, right].into_iter().take(if left == right { 1 } else { 2 }).collect())
            }
            Self::Some(count) => Numbers::List(Self::shuffled(keys, locks, *count)),
            Self::Directory(whole) if locks < 3 || Self::drawn(keys, 1, 100) < *whole => Numbers::Range(0..locks),
            Self::Directory(_) => Numbers::List(vec![0, 1 + Self::drawn(keys, 0, locks - 1)]),
            Self::These(these) => Numbers::List(these.iter().map(|lock| lock.0).collect()),
        };
        numbers.map(LockId)
    }

    fn drawn(keys: &[u64; 4], place: u64, below: u32) -> u32 {
        let bits = draw(&[keys[0], keys[1], keys[2], keys[3], place]);
        u32::try_from(evenly(bits, 0, u64::from(below.saturating_sub(1)))).unwrap_or(0)
    }

    /// Shuffles the numbers of all locks (Fisher and Yates 1938), and returns the first `count` numbers.
    fn shuffled(keys: &[u64; 4], locks: u32, count: u32) -> Vec<u32> {
        let mut all: Vec<u32> = (0..locks).collect();
        for place in 0..count.min(locks) {
            let other = place + Self::drawn(keys, u64::from(place), locks - place);
            all.swap(place as usize, other as usize);
        }
        all.truncate(count as usize);
        all
    }
}

/// Numbers of locks. In most cases they form a range, which needs no allocation.
enum Numbers {
    Range(std::ops::Range<u32>),
    List(Vec<u32>),
}

impl Iterator for Numbers {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        match self {
            Self::Range(range) => range.next(),
            Self::List(list) if list.is_empty() => None,
            Self::List(list) => Some(list.remove(0)),
        }
    }
}

impl fmt::Display for LockChoice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::First => formatter.write_str("first"),
            Self::One => formatter.write_str("one"),
            Self::All => formatter.write_str("all"),
            Self::Neighbours => formatter.write_str("neighbours"),
            Self::Some(count) => write!(formatter, "some:{count}"),
            Self::Directory(0) => formatter.write_str("directory"),
            Self::Directory(whole) => write!(formatter, "directory:{whole}%"),
            Self::These(locks) => {
                let names: Vec<String> = locks.iter().map(ToString::to_string).collect();
                formatter.write_str(&names.join(","))
            }
        }
    }
}

impl From<LockChoice> for String {
    fn from(choice: LockChoice) -> Self {
        choice.to_string()
    }
}

impl TryFrom<Written> for LockChoice {
    type Error = LockChoiceError;

    fn try_from(written: Written) -> Result<Self, LockChoiceError> {
        match written {
            Written::Text(text) => text.parse(),
            Written::These(locks) => Self::These(locks.into()).to_string().parse(),
        }
    }
}

impl FromStr for LockChoice {
    type Err = LockChoiceError;

    fn from_str(text: &str) -> Result<Self, LockChoiceError> {
        let form = || LockChoiceError::Form(text.to_owned());
        match text.trim() {
            "first" => Ok(Self::First),
            "one" => Ok(Self::One),
            "all" => Ok(Self::All),
            "neighbours" => Ok(Self::Neighbours),
            "directory" => Ok(Self::Directory(0)),
            _ => {
                if let Some(whole) = text.strip_prefix("directory:") {
                    let whole = whole.strip_suffix('%').and_then(|whole| whole.parse().ok());
                    return whole.filter(|whole| (1..=100).contains(whole)).map(Self::Directory).ok_or_else(form);
                }
                if let Some(count) = text.strip_prefix("some:") {
                    let count = count.parse().ok().filter(|&count: &u32| count > 0);
                    return count.map(Self::Some).ok_or_else(form);
                }
                let these = text.split(',').map(|lock| lock.trim().parse().map(LockId));
                let these: Arc<[LockId]> = these.collect::<Result<_, _>>().map_err(|_| form())?;
                let twice = (0..these.len()).find(|&place| these[..place].contains(&these[place]));
                match twice {
                    Some(place) => Err(LockChoiceError::Twice(text.to_owned(), these[place])),
                    None => Ok(Self::These(these)),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(text: &str, node: u32, locks: u32, seed: u64) -> Vec<u32> {
        let choice: LockChoice = text.parse().expect("a choice");
        assert_eq!(choice.to_string(), text);
        choice.locks(NodeId(node), locks, &[seed, 0, 0, 0]).map(|lock| lock.0).collect()
    }

    #[test]
    fn each_form_means_what_it_says() {
        for (text, node, locks, expected) in [
            ("first", 3, 5, vec![0]),
            ("all", 3, 4, vec![0, 1, 2, 3]),
            ("neighbours", 1, 5, vec![1, 2]),
            ("neighbours", 4, 5, vec![4, 0]),
            ("neighbours", 2, 1, vec![0]),
            ("3,0,1", 0, 4, vec![3, 0, 1]),
        ] {
            assert_eq!(chosen(text, node, locks, 7), expected, "{text}");
        }
    }

    #[test]
    fn a_list_of_locks_is_the_same_as_its_text() {
        let read = |json: &str| serde_json::from_str::<LockChoice>(json).map_err(|error| error.to_string());
        for text in ["\"3,0,1\"", "\"3, 0, 1\""] {
            assert_eq!(read("[3,0,1]"), read(text), "{text}");
        }
        assert!(read("[0,0]").expect_err("twice").contains("names lock 0 twice"));
        assert!(read("[]").expect_err("none").contains("is not a choice of locks"));
        assert!(read("5").expect_err("a number").contains("a list such as [0, 3, 1]"));
    }

    #[test]
    fn what_is_drawn_is_different_each_time_and_never_twice_the_same() {
        let mut seen = [0; 4];
        for seed in 0..1000 {
            let some = chosen("some:3", 0, 4, seed);
            assert!(some.len() == 3 && (0..4).all(|lock| some.iter().filter(|&&one| one == lock).count() <= 1));
            seen[some[0] as usize] += 1;
            let one = chosen("one", 0, 4, seed);
            assert!(one.len() == 1 && one[0] < 4);
        }
        assert!(seen.iter().all(|&times| times > 200), "{seen:?}");
    }

    #[test]
    fn a_directory_is_taken_for_one_file_or_now_and_then_with_all() {
        let mut whole = 0;
        let mut files = [0; 4];
        for seed in 0..1000 {
            match chosen("directory:20%", 0, 4, seed).as_slice() {
                [0, 1, 2, 3] => whole += 1,
                [0, file] => files[*file as usize] += 1,
                others => panic!("{others:?}"),
            }
            assert_eq!(chosen("directory", 0, 4, seed).len(), 2);
        }
        assert!((150..250).contains(&whole), "{whole}");
        assert!(files[0] == 0 && files[1..].iter().all(|&times| times > 200), "{files:?}");
    }

    #[test]
    fn what_is_no_choice_is_refused_with_what_is() {
        let refusal = |text: &str| text.parse::<LockChoice>().expect_err("no choice").to_string();
        let directories = ["directory:", "directory:0%", "directory:101%", "directory:5"];
        for text in ["", "some", "some:0", "some:-1", "1,", "0,x"].into_iter().chain(directories) {
            assert!(refusal(text).contains("write `first`, `one`"), "{text}");
        }
        assert_eq!(refusal("0,1,0"), "`0,1,0` names lock 0 twice; a client takes a lock only once");
        let few = LockChoice::Some(4).fits(3).expect_err("too few").to_string();
        assert_eq!(few, "`some:4` needs 4 locks, but the run has 3");
        assert_eq!(LockChoice::These([LockId(2)].into()).fits(3), Ok(()));
    }
}
