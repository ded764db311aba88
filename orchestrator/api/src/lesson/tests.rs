//! Tests of the lessons: their form, the length of their texts, and their stops.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use interlock_model::event::What;
use interlock_simulation::scenario::{Outcome, Scenario};
use interlock_simulation::simulation::Simulation;
use serde_json::json;

use super::*;

/// Maximum length of a text, in characters. A text of this length fits beside the stage in a font size that is
/// readable from the last row of a lecture hall.
const LONGEST: usize = 200;

fn each(words: &Words) -> [&str; 3] {
    [&words.en, &words.de, &words.cs]
}

/// Returns the names of the marks of a scenario, in order.
fn marks(lesson: &Lesson) -> Vec<&str> {
    let steps = lesson.scenario["steps"].as_array().expect("steps");
    steps.iter().filter_map(|step| step["mark"].as_str()).collect()
}

#[test]
fn every_lesson_has_its_shape() {
    let lessons = LIBRARY.all().expect("documents");
    let names: BTreeSet<&str> = lessons.iter().map(|lesson| &*lesson.name).collect();
    assert_eq!(names.len(), lessons.len(), "names are unique");
    for lesson in &lessons {
        let name = &lesson.name;
        assert!((5..=9).contains(&lesson.stops.len()), "{name}: {} stops", lesson.stops.len());
        assert!(each(&lesson.title).iter().all(|title| (3..=40).contains(&title.chars().count())), "{name}");
        for stop in &lesson.stops {
            for says in each(&stop.says) {
                assert!((20..=LONGEST).contains(&says.chars().count()), "{name}, {}: {says}", stop.at.en);
            }
        }
    }
}

#[test]
fn every_lesson_shows_each_of_its_claims_at_one_stop() {
    for lesson in LIBRARY.all().expect("documents") {
        let claims: BTreeSet<&str> = lesson.claims().collect();
        assert_eq!(claims.len(), lesson.claims.len(), "{}: {:?}", lesson.name, lesson.claims);
    }
}

#[test]
fn every_lesson_asks_one_question_and_answers_it() {
    for lesson in LIBRARY.all().expect("documents") {
        let roles: Vec<_> = lesson.stops.iter().map(|stop| stop.role).collect();
        let asked = roles.iter().position(|role| *role == Some(Role::Question)).expect(&lesson.name);
        assert_eq!(roles.get(asked + 1), Some(&Some(Role::Answer)), "{}", lesson.name);
        assert_eq!(roles.iter().flatten().count(), 2, "{}", lesson.name);
    }
}

/// The text of a stop is true only if the run has reached the described situation. The steps before the stop wait
/// for this situation, so a simulation must execute all steps, in order.
#[test]
fn every_lesson_comes_to_each_of_its_stops() {
    for lesson in LIBRARY.all().expect("documents") {
        let scenario = Arc::new(Scenario::read(lesson.scenario.clone()).expect("a scenario"));
        let specification = scenario.specification(None, false).expect("a specification");
        let (report, findings) = Simulation::of_scenario(specification).carry_out(&scenario).expect("a run");
        let complaints: Vec<String> = findings.complaints().collect();
        assert_eq!((findings.outcome, complaints), (Outcome::Met, vec![]), "{}", lesson.name);
        let noted = report.events.iter().filter_map(|event| match &event.what {
            What::Noted { detail, .. } => detail.strip_prefix("mark: "),
            _ => None,
        });
        let stops: Vec<&str> = lesson.marks().map(|mark| &*mark.en).collect();
        assert_eq!(noted.collect::<Vec<_>>(), stops, "{}", lesson.name);
        assert_eq!(marks(&lesson), stops, "{}", lesson.name);
    }
}

/// The log of a run shows the text of a mark, so this text must be the English text.
#[test]
fn a_mark_has_the_same_words_in_each_lesson() {
    let lessons = LIBRARY.all().expect("documents");
    let mut known: BTreeMap<&str, &Words> = BTreeMap::new();
    for mark in lessons.iter().flat_map(Lesson::marks) {
        assert_eq!(*known.entry(&mark.en).or_insert(mark), mark);
    }
}

#[test]
fn a_document_that_is_no_lesson_is_refused() {
    let begin = "name: a\nsource: vs-6\nalgorithm: lamport\n";
    for (text, part) in [
        ("a: [".to_owned(), "expected"),
        (begin.to_owned(), "is not an object"),
        (format!("{begin}lesson: {{ title: {{ en: a, de: a, cs: a }} }}\n"), "missing field `stops`"),
        (format!("{begin}lesson: {{ title: {{ en: a, de: a }}, stops: [] }}\n"), "missing field `cs`"),
        ("algorithm: lamprot\nlesson: { title: { en: a, de: a, cs: a }, stops: [] }\n".to_owned(), "lamport"),
    ] {
        let text = text.leak();
        let refusal = LIBRARY.read("own", text).expect_err(text).to_string();
        assert!(refusal.starts_with("cannot read the lesson `own`: ") && refusal.contains(part), "{refusal}");
    }
    let refusal = LIBRARY.find("centralized").expect_err("no such lesson").to_string();
    assert!(refusal.contains("did you mean `centralised`?"), "{refusal}");
}

#[test]
fn what_is_shown_can_be_sent_back_to_be_played() {
    let shown = serde_json::to_value(LIBRARY.find("centralised").expect("a lesson")).expect("JSON");
    assert_eq!(shown["scenario"]["lesson"], json!(null), "what is told is beside it");
    assert!(Scenario::read(shown["scenario"].clone()).is_ok());
}
