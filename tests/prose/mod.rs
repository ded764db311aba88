//! Tests that prose is plain English. The tests apply mechanical rules to comments, documents, and texts that
//! users read.
//!
//! The rules find signs of translated sentences. Rules cannot determine whether a sentence is good.

mod rules;
mod sources;

use std::path::Path;

use self::rules::Kind;
use self::sources::Sentence;

/// Sentences that may violate a rule: the file and the beginning of the sentence. A comment at each entry gives
/// the reason. No entries may be added.
const EXCEPTIONS: [(&str, &str); 1] = [
    // This text is a list of words, not a sentence.
    ("web/guide/search.js", "might more most"),
];

fn is_exception(Sentence { file, text, .. }: &Sentence) -> bool {
    EXCEPTIONS.iter().any(|(at, beginning)| file == at && text.starts_with(beginning))
}

/// Returns the sentences of a kind that violate a rule, one in each line. Also returns the total number of
/// sentences of this kind.
fn offences(kind: Kind) -> (Vec<String>, usize) {
    let sentences = sources::sentences(Path::new(env!("CARGO_MANIFEST_DIR")), kind);
    let broken = sentences.iter().filter(|sentence| !is_exception(sentence)).filter_map(|sentence| {
        let rule = rules::broken(kind, &sentence.text)?;
        Some(format!("{}:{}: {rule}: {}", sentence.file, sentence.line, sentence.text))
    });
    (broken.collect(), sentences.len())
}

fn assert_plain(kind: Kind, at_least: usize) {
    let (broken, count) = offences(kind);
    assert!(count > at_least, "only {count} sentences were found");
    assert!(broken.is_empty(), "{} of {count} sentences:\n{}", broken.len(), broken.join("\n"));
}

#[test]
fn comments_are_plain() {
    assert_plain(Kind::Comment, 12_000);
}

#[test]
fn documents_are_plain() {
    assert_plain(Kind::Document, 2_000);
}

#[test]
fn texts_are_plain() {
    assert_plain(Kind::Text, 2_000);
}

#[test]
fn every_exception_is_still_needed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let all: Vec<(Kind, Sentence)> = [Kind::Comment, Kind::Document, Kind::Text]
        .into_iter()
        .flat_map(|kind| sources::sentences(root, kind).into_iter().map(move |sentence| (kind, sentence)))
        .collect();
    for (file, beginning) in EXCEPTIONS {
        let is_needed = |(kind, sentence): &(Kind, Sentence)| {
            sentence.file == file
                && sentence.text.starts_with(beginning)
                && rules::broken(*kind, &sentence.text).is_some()
        };
        assert!(all.iter().any(is_needed), "{file}: {beginning}");
    }
}
