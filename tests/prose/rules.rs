//! The rules. Each rule is tested with a sentence that violates the rule and a similar sentence that does not.

/// Kinds of sentences, by the place where they are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A comment of a source file.
    Comment,
    /// A Markdown document.
    Document,
    /// A string literal, which may be a part of a sentence.
    Text,
}

/// Maximum number of words of a sentence.
const MOST_WORDS: usize = 30;
/// Question words. A statement whose subject is a question word does not name its subject.
const QUESTION_WORDS: [&str; 6] = ["Who", "Whoever", "What", "Whatever", "Whom", "Where"];
/// Phrases of translated sentences.
const PHRASES: [&str; 12] = [
    "all the same",
    "any more",
    "are told",
    "be it",
    "come of it",
    "comes of it",
    "for ever",
    "is told",
    "shall",
    "stands still",
    "taken for dead",
    "whom",
];

/// Returns the rule that a sentence violates; none if the sentence violates no rule.
pub fn broken(kind: Kind, sentence: &str) -> Option<&'static str> {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    if kind != Kind::Text && words.len() > MOST_WORDS {
        return Some("a sentence has at most 30 words");
    }
    if has_no_subject(sentence, &words) {
        return Some("a sentence names its subject");
    }
    if has_phrase(&words) {
        return Some("a phrase of a translated sentence");
    }
    denies_a_noun(&words).then_some("write `is not a`")
}

/// Returns whether a statement begins with a question word.
fn has_no_subject(sentence: &str, words: &[&str]) -> bool {
    let [first, second, ..] = words else { return false };
    let is_lower = second.starts_with(|first: char| first.is_lowercase());
    // A heading or a label has no full stop, so it is not a statement.
    is_lower && sentence.ends_with('.') && QUESTION_WORDS.contains(first)
}

fn has_phrase(words: &[&str]) -> bool {
    let plain: Vec<String> = words.iter().map(|word| bare(word).to_lowercase()).collect();
    PHRASES.iter().any(|phrase| {
        let phrase: Vec<&str> = phrase.split(' ').collect();
        let found = plain.windows(phrase.len()).position(|window| window == phrase);
        // "Any more than" is a comparison, and "is told to" reports an order, so both are allowed.
        found.is_some_and(|at| plain.get(at + phrase.len()).is_none_or(|next| next != "than" && next != "to"))
    })
}

/// Returns whether a sentence negates a noun with `is no`, as in `3072 is no memory size`.
fn denies_a_noun(words: &[&str]) -> bool {
    words.windows(3).enumerate().any(|(at, window)| {
        let after_there = at > 0 && bare(words[at - 1]).eq_ignore_ascii_case("there");
        let next = bare(window[2]);
        let compares = next.ends_with("er") || ["more", "less"].contains(&next);
        let is_noun = next.starts_with(|first: char| first.is_lowercase());
        window[0] == "is" && window[1] == "no" && !after_there && !compares && is_noun
    })
}

/// Returns a word without its punctuation.
fn bare(word: &str) -> &str {
    word.trim_matches(|one: char| !one.is_alphanumeric())
}

#[test]
fn each_rule_finds_a_sentence_and_spares_a_similar_one() {
    let long = "A word ".repeat(15);
    for (wrong, right) in [
        (format!("{long} too."), long.trim().to_owned()),
        ("Who wants the section asks all.".to_owned(), "Who wants the section?".to_owned()),
        ("What led to the violation is shown.".to_owned(), "What led to the violation".to_owned()),
        ("The run goes on for ever.".to_owned(), "The run continues forever.".to_owned()),
        ("It does not move any more.".to_owned(), "It takes not any more than one step.".to_owned()),
        ("A process that is told moves.".to_owned(), "A process is told to move.".to_owned()),
        ("`3072` is no memory size.".to_owned(), "There is no memory size.".to_owned()),
        ("It is no page.".to_owned(), "It is no larger than a page.".to_owned()),
    ] {
        assert!(broken(Kind::Comment, &wrong).is_some(), "{wrong}");
        assert_eq!(broken(Kind::Comment, &right), None, "{right}");
    }
    assert_eq!(broken(Kind::Text, &format!("{long} too.")), None, "a text may be a list");
}
