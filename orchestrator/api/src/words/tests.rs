//! Tests of the dictionaries: each English text of the server has a translation in each language, with the same
//! placeholders, and there are no other translations.

use std::collections::BTreeSet;
use std::mem;

use interlock_algorithm::catalogue::{ENTRIES, sentences};
use interlock_algorithm::deadlock::reason::Reason;
use interlock_algorithm::entry::Entry;
use interlock_algorithm::mutual_exclusion::RegenerationReason;
use interlock_algorithm::sentence::Sentence;
use interlock_simulation::example;

use super::*;

/// Returns the English texts in the form of a dictionary.
fn english() -> Value {
    let mut algorithms: Map<String, Value> =
        ENTRIES.iter().map(|entry| (entry.name.to_owned(), texts_of(entry))).collect();
    algorithms.insert("deadlock".to_owned(), json!({ "reasons": by_code(Reason::SENTENCES) }));
    algorithms.insert("regeneration".to_owned(), json!({ "reasons": by_code(RegenerationReason::SENTENCES) }));
    let examples = example::LIBRARY.all().expect("documents").into_iter();
    let examples: Map<_, _> =
        examples.map(|one| (one.name, json!({ "title": one.title, "about": one.about }))).collect();
    let marks = &spoken(&read().expect("words"), "en")["marks"];
    json!({ "algorithms": algorithms, "examples": examples, "marks": marks })
}

fn texts_of(entry: &Entry) -> Value {
    let is_formula = !entry.messages_per_entry.as_bytes().windows(2).any(|two| two.iter().all(u8::is_ascii_lowercase));
    let messages = (!is_formula).then_some(entry.messages_per_entry);
    let own = Some(sentences(entry.name)).filter(|all| *all != Reason::SENTENCES).unwrap_or_default();
    let variants = || entry.variants.iter();
    let parameters = || entry.parameters.iter();
    json!({
        "title": entry.title,
        "summary": entry.summary,
        "messages": messages,
        "variants": variants().map(|one| (one.name.to_owned(), json!(one.summary))).collect::<Value>(),
        "broken": variants().filter_map(|one| Some((one.name.to_owned(), json!(one.broken?)))).collect::<Value>(),
        "parameters": parameters().map(|one| (one.name.to_owned(), json!(one.summary))).collect::<Value>(),
        "ranges": parameters().map(|one| (one.name.to_owned(), json!(one.range))).collect::<Value>(),
        "reasons": by_code(own),
    })
}

fn by_code(sentences: &[Sentence]) -> Value {
    sentences.iter().map(|sentence| (sentence.code(), json!(sentence.text))).collect()
}

/// Returns the faults of a dictionary, each with the path of the faulty text.
fn faults(english: &Value, words: &Value, path: &str) -> Vec<String> {
    if let Some(texts) = english.as_object() {
        let keys: BTreeSet<&String> = texts.keys().chain(words.as_object().into_iter().flat_map(Map::keys)).collect();
        let below = |key: &String| faults(&english[key], &words[key], &format!("{path}/{key}"));
        return keys.into_iter().flat_map(below).collect();
    }
    // A title may consist only of names, and a range only of numbers. Such texts need no translation.
    let is_optional = english.is_null() || path.ends_with("/title") || path.contains("/ranges/");
    let fault = match (english.as_str(), words.as_str()) {
        _ if words.is_null() && is_optional => return Vec::new(),
        (None, _) => "has no English text",
        (_, None | Some("")) => "has no words",
        (Some(english), Some(words)) if is_alike(english, words) => return Vec::new(),
        _ => "has other placeholders",
    };
    vec![format!("{path} {fault}")]
}

/// Returns whether a translation has the same placeholders as its English text. If an English text begins with
/// `as` and the name of another variant, the translation must contain this name.
fn is_alike(english: &str, words: &str) -> bool {
    let is_name = |name: &&str| name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-');
    let other = english.strip_prefix("as ").and_then(|text| text.split([',', ';']).next()).filter(is_name);
    other.is_none_or(|name| words.contains(name)) && placeholders(english) == placeholders(words)
}

/// Returns the parts of a text that must be the same in all languages: code, placeholders, kinds of messages,
/// processes, and numbers.
fn placeholders(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let (mut part, mut end) = (String::new(), None);
    for letter in without_separators(text).chars().chain([' ']) {
        if end.is_some() || letter.is_alphanumeric() {
            part.push(letter);
            if end == Some(letter) {
                found.insert(mem::take(&mut part));
                end = None;
            }
        } else {
            found.extend(constants(&mem::take(&mut part)));
            end = [('`', '`'), ('{', '}'), ('⟨', '⟩')]
                .into_iter()
                .find(|(begin, _)| *begin == letter)
                .map(|(_, end)| end);
            part.extend(end.map(|_| letter));
        }
    }
    found
}

/// If a word names a process or a kind of messages, returns this name. Otherwise, returns the numbers in the word.
fn constants(word: &str) -> Vec<String> {
    let is_process = word.strip_prefix('P').is_some_and(|id| id.parse::<u32>().is_ok());
    let singular = word.strip_suffix('s').unwrap_or(word);
    let is_kind = singular.len() > 1 && singular.chars().all(|letter| letter.is_ascii_uppercase());
    if is_process || is_kind {
        return vec![singular.to_owned()];
    }
    let numbers = word.split(|letter: char| !letter.is_ascii_digit());
    numbers.filter(|number| !number.is_empty()).map(str::to_owned).collect()
}

/// Removes the separators of thousands: 10,000 is 10.000 in German and 10 000 in Czech.
fn without_separators(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let is_digit = |place: usize| letters.get(place).is_some_and(char::is_ascii_digit);
    let separates = |place: usize| {
        [',', '.', '\u{a0}', ' '].contains(&letters[place])
            && place.checked_sub(1).is_some_and(is_digit)
            && (1..=3).all(|after| is_digit(place + after))
            && !is_digit(place + 4)
    };
    (0..letters.len()).filter(|place| !separates(*place)).map(|place| letters[place]).collect()
}

#[test]
fn each_text_of_the_server_has_words_in_each_language() {
    let (english, words) = (english(), read().expect("words"));
    for language in LANGUAGES {
        assert_eq!(faults(&english, &spoken(&words, language), ""), [""; 0], "{language}");
    }
}

#[test]
fn missing_orphaned_and_different_words_are_found() {
    let (english, words) = (english(), read().expect("words"));
    let found = |pointer: &str, replacement: &Value| {
        let mut broken = words.clone();
        let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
        broken.pointer_mut(parent).expect(pointer)[key] = replacement.clone();
        faults(&english, &spoken(&broken, "cs"), "")
    };
    let in_both = |text: &str| json!({ "de": text, "cs": text });
    for (pointer, replacement, fault) in [
        ("/algorithms/paxos/summary", json!(null), "has no words"),
        ("/algorithms/paxos/variants/single-decree", json!({ "de": "nur auf Deutsch" }), "has no words"),
        ("/algorithms/deadlock/reasons/withdrawn", in_both(""), "has no words"),
        ("/algorithms/lamport/reasons/made-up", in_both("Od nikoho."), "has no English text"),
        ("/examples/lamport", in_both("Lamport"), "has no English text"),
        ("/examples/bully/about", in_both("P7 a P3 havarují."), "has other placeholders"),
        ("/algorithms/lamport/variants/asks-at-once", in_both("požádá hned"), "has other placeholders"),
        ("/marks/P4 and P1 wait forever", in_both("P4 a P2 čekají navždy"), "has other placeholders"),
    ] {
        assert_eq!(found(pointer, &replacement), [format!("{pointer} {fault}")]);
    }
}

#[test]
fn placeholders_are_what_is_the_same_in_all_languages() {
    let found = |text: &str| placeholders(text).into_iter().collect::<Vec<_>>().join(" ");
    assert_eq!(found("P12 sends REQUEST ⟨42,3⟩ at {0} to `P1 P2`: 10,000"), "10000 P12 REQUEST `P1 P2` {0} ⟨42,3⟩");
    assert_eq!(found("2N-1 REPLYs of v0, A. P3: 1, 234"), "0 1 2 234 P3 REPLY");
    assert_eq!(found("10.000 und 1.000"), found("10\u{a0}000 a 1 000"));
}
