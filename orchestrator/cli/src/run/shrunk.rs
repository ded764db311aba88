//! Search for a smaller scenario that fails for the same reason, and the report about the search.

use interlock_simulation::simulation::{MOST_TRIES, Size, Smaller, smaller};
use serde_json::{Value, json};

use super::Named;

/// Result of shrinking a scenario.
pub enum Shrunk {
    /// The smallest scenario that was found and fails for the same reason. If no smaller one was found, this is
    /// the original scenario.
    To(Box<Smaller>),
    /// There is no result: the scenario did not fail when it was played again.
    Gone,
}

impl Shrunk {
    /// Searches for a smaller version of a scenario that failed in virtual time with the seed `seed`.
    pub fn of(named: &Named, seed: u64) -> Self {
        smaller(&named.written.value, seed, MOST_TRIES).map_or(Self::Gone, |smaller| Self::To(Box::new(smaller)))
    }

    /// Returns the text of a file with the smaller scenario, or none if there is no result.
    pub fn text(&self) -> Option<String> {
        match self {
            Self::To(smaller) => Some(format!("{:#}\n", smaller.scenario)),
            Self::Gone => None,
        }
    }

    /// Returns the result as JSON for scripts.
    pub fn document(&self) -> Value {
        match self {
            Self::To(smaller) => json!(smaller),
            Self::Gone => Value::Null,
        }
    }

    /// Returns the result as a sentence.
    pub fn sentence(&self) -> String {
        let Self::To(smaller) = self else {
            return "cannot be shrunk: it did not fail when it was played again".to_owned();
        };
        let Smaller { from, to, changes, tries, is_smallest, .. } = &**smaller;
        let tries = counted(*tries, "try");
        if *changes == 0 {
            return format!("cannot be shrunk: no smaller scenario fails for the same reason ({tries})");
        }
        let end = if *is_smallest { "" } else { ", the maximum" };
        format!("shrunk by {} from {} to {} in {tries}{end}", counted(*changes, "change"), size(from), size(to))
    }
}

fn size(Size { steps, nodes, faults, expectations }: &Size) -> String {
    let nodes = usize::try_from(*nodes).unwrap_or(usize::MAX);
    let [steps, nodes, faults] =
        [(*steps, "step"), (nodes, "node"), (*faults, "fault")].map(|(n, what)| counted(n, what));
    format!("{steps}, {nodes}, {faults} and {}", counted(*expectations, "expectation"))
}

/// Returns a count with its noun in the singular or plural, such as `1 step`, `2 tries`, `no faults`.
fn counted(count: usize, what: &str) -> String {
    let several = what.strip_suffix('y').map_or_else(|| format!("{what}s"), |stem| format!("{stem}ies"));
    match count {
        0 => format!("no {several}"),
        1 => format!("1 {what}"),
        count => format!("{count} {several}"),
    }
}

#[cfg(test)]
mod tests {
    use interlock_simulation::scenario::Outcome;

    use super::super::{named, simulated};
    use super::*;

    const LOST: &str = "algorithm: ricart-agrawala\nnodes: 4\nnetwork: { delay: 5ms }\nsteps:\n  \
        - rule: { match: { message_kind: REPLY, from: 1, to: 0 }, action: drop }\n  - acquire: { node: 0, hold: 5ms }\n  \
        - sleep: 1s\nexpect:\n  - never: stuck\n";

    fn read(text: &str) -> Named {
        named("lost.yaml".to_owned(), text.to_owned(), false).unwrap_or_else(|wrong| panic!("{wrong:?}"))
    }

    #[test]
    fn what_was_shrunk_is_a_file_that_fails_with_the_same_words() {
        let whole = read(LOST);
        let shrunk = Shrunk::of(&whole, 7);
        let told = shrunk.sentence();
        let sizes =
            "from 3 steps, 4 nodes, no faults and 1 expectation to 2 steps, 2 nodes, no faults and 1 expectation";
        assert!(told.starts_with("shrunk by 3 changes ") && told.contains(sizes) && told.ends_with(" tries"), "{told}");
        let document = shrunk.document();
        assert_eq!((&document["from"]["steps"], &document["to"]["steps"]), (&json!(3), &json!(2)));
        let smaller = read(&shrunk.text().expect("a file"));
        assert_eq!(smaller.scenario.run.seed, Some(7));
        let played = simulated::all(&[(&whole, 7), (&smaller, 7)]);
        let [whole, smaller] = [&played[0].1.findings, &played[1].1.findings];
        assert_eq!((whole.outcome, smaller.outcome), (Outcome::NotMet, Outcome::NotMet));
        assert_eq!(
            smaller.expectations.iter().find(|judgement| !judgement.met).map(|missed| &*missed.place),
            Some("/expect/0")
        );
        let again = Shrunk::of(&read(&shrunk.text().expect("a file")), 7).sentence();
        assert!(again.starts_with("cannot be shrunk: no smaller scenario fails for the same reason ("), "{again}");
    }

    #[test]
    fn what_does_not_fail_again_is_not_said_to() {
        let shrunk = Shrunk::of(&read("algorithm: lamport\n"), 7);
        assert_eq!(shrunk.sentence(), "cannot be shrunk: it did not fail when it was played again");
        assert_eq!((shrunk.document(), shrunk.text()), (Value::Null, None));
    }
}
