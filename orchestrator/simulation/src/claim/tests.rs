//! Tests of the map of the sources: its files are complete, and all names exist.

use std::collections::BTreeSet;

use super::*;
use crate::example;

fn texts(words: &Words) -> [&str; 3] {
    [&words.en, &words.de, &words.cs]
}

#[test]
fn every_claim_is_complete() {
    let claims: Vec<Claim> = read(SYSTEMS).expect("documents");
    let names: BTreeSet<&str> = claims.iter().map(|claim| &*claim.id).collect();
    assert_eq!(names.len(), claims.len(), "names are unique");
    let known: BTreeSet<&str> = sources().iter().map(|source| &*source.name).collect();
    for claim in &claims {
        let passages = claim.sources.iter().map(|passage| &passage.says);
        let words: Vec<&str> = passages.chain(&claim.because).chain([&claim.says]).flat_map(texts).collect();
        assert!(words.iter().all(|text| text.chars().count() > 5), "{}: {words:?}", claim.id);
        assert!(claim.sources.iter().all(|passage| known.contains(&*passage.source)), "{}", claim.id);
        assert!(claim.examples.iter().all(|name| example::find(name).is_ok()), "{}: {:?}", claim.id, claim.examples);
        assert_eq!(claim.verdict == Assessment::Holds, claim.because.is_none(), "{}", claim.id);
    }
}

#[test]
fn every_source_makes_a_claim() {
    let sources: Vec<Source> = read(&[include_str!("sources.yaml")]).expect("a document");
    for source in &sources {
        assert!(all().iter().any(|claim| claim.is_of(&source.name)), "{}", source.name);
        assert!(["de", "cs", "en"].contains(&&*source.language), "{}", source.name);
    }
}

#[test]
fn every_question_has_one_right_answer_and_a_reason_for_each_wrong_one() {
    let questions: Vec<question::Question> = read(&[include_str!("questions.yaml")]).expect("a document");
    assert_eq!(questions.len(), 14);
    for question in &questions {
        let name = &question.name;
        assert_eq!(question.choices.iter().filter(|choice| choice.right).count(), 1, "{name}");
        assert!((2..=4).contains(&question.choices.len()), "{name}");
        assert!(question.choices.iter().all(|choice| choice.right == choice.because.is_none()), "{name}");
        assert!(question.claims.iter().all(|id| find(id).is_ok()), "{name}: {:?}", question.claims);
        let of_a_source = |place: &question::Place| sources().iter().any(|source| source.name == place.source);
        assert!(question.sources.iter().all(of_a_source), "{name}");
    }
}

#[test]
fn a_document_with_a_missing_language_is_refused() {
    let incomplete = "- { id: ONE-1, says: { en: one, de: eins }, sources: [], verdict: holds }";
    let refused = read::<Claim>(&[incomplete]).expect_err("no Czech");
    assert_eq!(refused.pointer, "/0/says/cs", "{refused:?}");
}
