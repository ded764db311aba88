//! Tests that live and simulated runs agree: the same document with the same script must lead to the same events
//! in both, except for times. The timers of the nodes are switched off and messages are held, so only the actions
//! of the script and their effects happen.

mod play;
mod projection;
mod random;

use futures_util::{StreamExt, stream};
use interlock_algorithm::catalogue::ENTRIES;
use serde_json::{Value, json};

use crate::support::Playground;
use play::{live, simulated};
use projection::difference;

/// Number of concurrent live runs.
const AT_A_TIME: usize = 4;
/// Number of random scripts for each algorithm.
const RANDOM: u64 = 8;

/// Returns the document as a manual run: the passing of time causes nothing, and the actions of the script are
/// executed one after the other.
fn by_hand(mut document: Value, script: Vec<Value>) -> Value {
    document["timers"] = json!(false);
    document["network"]["hold"] = json!(true);
    document["script"] = script.into_iter().map(|action| json!({ "at": 0, "do": action })).collect();
    document["seed"] = document["seed"].as_u64().unwrap_or(7).into();
    document
}

/// Plays each document live and simulated. Returns a description of each difference between a live run and its
/// simulation.
async fn differences(documents: Vec<Value>) -> Vec<String> {
    let playground = Playground::open();
    let compared = stream::iter(documents).map(|document| compared(&playground, document));
    let found: Vec<Option<String>> = compared.buffer_unordered(AT_A_TIME).collect().await;
    found.into_iter().flatten().collect()
}

async fn compared(playground: &Playground, document: Value) -> Option<String> {
    let expected = simulated(&document).events;
    let found = live(playground, &document, &expected).await;
    difference(&expected, &found).map(|difference| format!("{document}\n{difference}"))
}

fn ricart_agrawala() -> Value {
    json!({ "algorithm": "ricart-agrawala", "nodes": 2 })
}

/// Returns runs that contain each action of the vocabulary, both when the action is possible and when it is
/// impossible. In each of these situations, live and simulated runs once differed.
fn scenes() -> Vec<Value> {
    let scenes: Vec<Value> = serde_json::from_str(include_str!("scenes.json")).expect("a list of scenes");
    let script = |scene: &Value| scene["script"].as_array().cloned().expect("a script");
    scenes.iter().map(|scene| by_hand(scene["run"].clone(), script(scene))).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_that_a_script_can_say_does_the_same_live_and_simulated() {
    let documents = scenes();
    let all = Value::from(documents.clone()).to_string();
    for action in random::VOCABULARY {
        assert!(all.contains(&format!("{{\"{action}\":")), "no scene has {action}");
    }
    let differences = differences(documents).await;
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn random_scripts_do_the_same_live_and_simulated() {
    let all = ENTRIES.iter().flat_map(|entry| (0..RANDOM).map(move |number| random::document(entry, number)));
    let documents: Vec<Value> = all.collect();
    let count = documents.len();
    let differences = differences(documents).await;
    assert!(differences.is_empty(), "{} of {count} differ:\n{}", differences.len(), differences.join("\n\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_to_which_something_else_was_done_is_told_apart() {
    let acquire = |node: u32| by_hand(ricart_agrawala(), vec![json!({ "acquire": { "node": node } })]);
    let playground = Playground::open();
    let expected = simulated(&acquire(0)).events;
    let found = live(&playground, &acquire(1), &expected).await;
    assert!(difference(&expected, &found).is_some());
    let repeated = live(&playground, &acquire(0), &expected).await;
    assert_eq!(difference(&expected, &repeated), None);
}
