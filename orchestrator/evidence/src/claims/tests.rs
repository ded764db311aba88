//! Tests that each verdict can also be negative, that no claim of the specification is missing, and that the page can
//! play each claim.

use std::collections::BTreeSet;

use interlock_api::lesson::{self, Lesson};
use interlock_exploration::{ExplorationDocument, ExplorationDraft, VerdictWord};
use interlock_simulation::claim::question::{self, Shown};
use interlock_simulation::{claim, example};

use super::claim::{Claim, Experiment, How, Showing};
use super::examination::{Ending, Examined, Verdict, ending, examine};
use super::finding::{CouldNotRun, Finding, Measurement};
use super::live::Playground;

fn found(holds: bool) -> Finding {
    Finding { expected: "one".into(), measured: if holds { "one" } else { "two" }.into(), holds }
}

const RIGHT: fn() -> Measurement = || Ok(found(true));
const WRONG: fn() -> Measurement = || Ok(found(false));
const BROKEN_OFF: fn() -> Measurement = || Err(CouldNotRun::because("no process"));

fn examined(showing: Showing) -> Examined {
    let claim = Claim { id: "ONE-1", showings: &[] };
    examine(&claim, &showing, &Playground::new("nothing".into(), Vec::new()))
}

fn verdict(showing: Showing) -> Verdict {
    examined(showing).verdict
}

#[test]
fn what_was_found_decides() {
    assert_eq!(verdict(Showing::of(How::Property, RIGHT)), Verdict::Holds);
    assert_eq!(verdict(Showing::of(How::Property, WRONG)), Verdict::Fails);
    assert_eq!(verdict(Showing::of(How::Property, BROKEN_OFF)), Verdict::CouldNotRun);
}

#[test]
fn a_claim_whose_twin_comes_out_the_same_fails() {
    let beside = |control| examined(Showing::of(How::Property, RIGHT).beside(Experiment::Alone(control)));
    assert_eq!(beside(WRONG).verdict, Verdict::Holds);
    let same = beside(RIGHT);
    assert_eq!(same.verdict, Verdict::Fails);
    assert_eq!(same.measured, "one; its negative control comes out the same: one");
    assert_eq!(beside(BROKEN_OFF).verdict, Verdict::CouldNotRun);
    assert_eq!(verdict(Showing::of(How::Property, WRONG).beside(Experiment::Alone(WRONG))), Verdict::Fails);
}

#[test]
fn a_playground_that_cannot_be_had_decides_nothing() {
    let live = |playground: &Playground| {
        playground.stage(serde_json::json!({ "algorithm": "lamport", "nodes": 1 })).map(|_| found(true))
    };
    assert_eq!(verdict(Showing::live(live)), Verdict::CouldNotRun);
}

#[test]
fn the_worst_verdict_is_the_ending() {
    use Verdict::{CouldNotRun, Fails, Holds};
    let endings = [
        (&[Holds, Holds][..], Ending::AllHold),
        (&[Holds, CouldNotRun, Fails], Ending::SomethingFails),
        (&[Holds, CouldNotRun], Ending::SomethingCouldNotRun),
    ];
    for (verdicts, expected) in endings {
        assert_eq!(ending(verdicts), expected, "{verdicts:?}");
    }
}

#[test]
fn every_claim_of_the_map_has_checks_in_the_order_of_the_map() {
    let mapped: Vec<&str> = claim::all().iter().map(|claim| &*claim.id).collect();
    let checked: Vec<&str> = super::all().map(|claim| claim.id).collect();
    assert_eq!(checked, mapped);
    assert!(checked.len() >= 100, "{}", checked.len());
}

/// The page must have at least one key for each claim: a lesson, an example, a counterexample or an exploration.
#[test]
fn the_page_plays_a_run_of_each_claim() {
    let lessons = lesson::LIBRARY.all().expect("lessons");
    let taught: BTreeSet<&str> = lessons.iter().flat_map(Lesson::claims).collect();
    let refuted: BTreeSet<&str> = super::counterexamples().map(|counterexample| counterexample.claim.id).collect();
    let is_played = |claim: &&claim::Claim| {
        let id = &*claim.id;
        taught.contains(id) || refuted.contains(id) || !(claim.examples.is_empty() && claim.explorations.is_empty())
    };
    let (played, missing): (Vec<_>, Vec<_>) = claim::all().iter().partition(is_played);
    assert_eq!((played.len(), missing.len()), (106, 0), "{missing:?}");
}

/// Claims whose exploration finds a violation. All other explorations of claims show that the properties hold.
const VIOLATED: [&str; 1] = ["DIJ-3"];

#[test]
fn each_exploration_of_a_claim_shows_it() {
    let all = claim::all().iter().flat_map(|claim| claim.explorations.iter().map(move |body| (&*claim.id, body)));
    let mut count = 0;
    for (id, body) in all {
        let draft = ExplorationDraft::read(body).expect(id);
        let limits = draft.limits();
        let exploration = draft.complete().expect(id);
        let explored = exploration.run(|progress| limits.exceeded(progress).is_none()).expect(id);
        let verdict = ExplorationDocument::of(&exploration, &explored, None).verdict;
        let expected = if VIOLATED.contains(&id) { VerdictWord::Violated } else { VerdictWord::Holds };
        assert_eq!(verdict, Some(expected), "{id}: {body}");
        count += 1;
    }
    assert!(count >= 10, "{count}");
}

/// The server passes each counterexample to the API together with the exploration that finds it.
#[test]
fn each_counterexample_has_an_exploration() {
    for counterexample in super::counterexamples() {
        assert!(counterexample.exploration().is_ok(), "{}", counterexample.name);
    }
}

/// The run that shows the answer of a question must exist.
#[test]
fn every_question_has_its_run() {
    for question in question::all() {
        let exists = match &question.run {
            Shown::Counterexample(name) => super::counterexample(name).is_some(),
            Shown::Example(name) => example::find(name).is_ok(),
            Shown::Lesson(name) => interlock_api::lesson::LIBRARY.find(name).is_ok(),
            Shown::Command(command) => command.starts_with("interlock "),
        };
        assert!(exists, "{}: {:?}", question.name, question.run);
    }
}

#[test]
fn every_claim_says_something_and_its_showings_of_one_kind_stand_together() {
    for claim in super::all() {
        let mut hows: Vec<How> = claim.showings.iter().map(|showing| showing.how).collect();
        assert!(!claim.says().is_empty() && !hows.is_empty(), "{}", claim.id);
        hows.dedup();
        let runs_of_kinds = hows.len();
        hows.sort_unstable();
        hows.dedup();
        assert_eq!(hows.len(), runs_of_kinds, "{}", claim.id);
    }
}

#[test]
fn what_lessons_say_that_they_show_is_claimed() {
    let known: Vec<&str> = super::all().map(|claim| claim.id).collect();
    let lessons = serde_json::to_value(interlock_api::lesson::LIBRARY.all().expect("lessons")).expect("JSON");
    for lesson in lessons.as_array().expect("lessons") {
        let claims = lesson["claims"].as_array().expect("claims");
        let unknown: Vec<_> = claims.iter().filter(|id| !known.contains(&id.as_str().unwrap_or_default())).collect();
        assert!(!claims.is_empty() && unknown.is_empty(), "{}: {unknown:?}", lesson["name"]);
    }
}
