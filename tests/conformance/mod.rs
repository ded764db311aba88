//! Tests with faulty node programs. Each program has one fault. The orchestrator must report this fault, and other
//! runs must not be disturbed.
//!
//! The orchestrator starts this test program as its nodes. The program derives the fault of its node from the seed
//! of the run.

mod bad_node;
mod walls;

use std::process::ExitCode;
use std::time::Duration;

use bad_node::Kind;
use interlock_cli::{NodeBounds, Playground, ServeOptions};
use libtest_mimic::{Failed, Trial};
use reqwest::Client;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::oneshot;

/// Maximum wait for an event that must happen, even on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);
/// The value of [`PATIENCE`] in milliseconds, for the API.
const PATIENCE_MS: u64 = 60_000;

/// Runs this program as a faulty node. The orchestrator of these tests starts its nodes with this function.
pub fn node() -> ExitCode {
    bad_node::run()
}

/// Returns the tests of this folder.
pub fn trials() -> Vec<Trial> {
    let mut trials = vec![
        trial("garbage_for_an_answer_is_told_and_what_was_handed_over_is_lost", garbage),
        trial("a_refusal_without_reason_is_told", || told(Kind::Teapot, "it answered 418")),
        trial("a_report_of_steps_that_were_never_asked_for_is_told", || told(Kind::Liar, "was not delivered to it")),
        trial("a_node_that_hangs_holds_up_nobody_but_those_who_wait_for_it", hangs),
        trial("a_node_that_dies_in_mid_request_is_found_dead", dies),
        trial("a_clock_that_no_run_comes_to_is_refused_with_the_reason", exaggerates),
        trial("an_answer_without_an_end_is_cut_short_and_told", || {
            told(Kind::Endless, "its answer is larger than 64 MiB")
        }),
        trial("wrong_secrets_and_old_lives_are_turned_away", strangers),
        trial("a_node_that_never_says_hello_fails_its_run_and_no_other", mute),
    ];
    trials.extend(walls::trials());
    trials
}

fn trial(name: &str, test: impl FnOnce() -> Result<(), Failed> + Send + 'static) -> Trial {
    Trial::test(format!("conformance::{name}"), test)
}

/// A playground whose nodes are this program, and a client of its API.
struct Harness {
    url: String,
    client: Client,
    end: oneshot::Sender<()>,
    served: tokio::task::JoinHandle<()>,
    _directory: TempDir,
}

impl Harness {
    async fn open() -> Self {
        let directory = TempDir::new().expect("a folder");
        let options = ServeOptions {
            load: Vec::new(),
            example: Vec::new(),
            host: [127, 0, 0, 1].into(),
            port: 0,
            data_dir: Some(directory.path().to_owned()),
            read_only: false,
            token: None,
            ready_file: None,
            no_demo: true,
            open: false,
            bounds: NodeBounds::default(),
            journal_limit: "1GiB".parse().expect("a size"),
            folder_limit: "1GiB".parse().expect("a size"),
            max_runs: 20,
        };
        let program = std::env::current_exe().expect("this program");
        let playground = Playground::open(&options, program, vec!["node".into()]).await.expect("a playground");
        let url = format!("{}/api/v1", playground.url());
        let (end, ended) = oneshot::channel();
        let served = tokio::spawn(async move {
            playground.serve(async move { drop(ended.await) }).await;
        });
        let client = Client::builder().no_proxy().build().expect("a client");
        Self { url, client, end, served, _directory: directory }
    }

    async fn close(self) {
        let _ = self.end.send(());
        self.served.await.expect("it ends in order");
    }

    async fn post(&self, path: &str, body: Value) -> (u16, Value) {
        let response = self.client.post(format!("{}{path}", self.url)).json(&body).send().await.expect("an answer");
        (response.status().as_u16(), response.json().await.expect("JSON"))
    }

    async fn get(&self, path: &str) -> Value {
        let response = self.client.get(format!("{}{path}", self.url)).send().await.expect("an answer");
        response.json().await.expect("JSON")
    }

    /// Creates a run of three nodes whose first node has the fault `kind`. Returns the path of the run.
    async fn run(&self, kind: Kind) -> String {
        let (status, run) = self.post("/runs", specification(kind)).await;
        assert_eq!(status, 201, "{run}");
        format!("/runs/{}", run["id"].as_str().expect("an id"))
    }

    /// Waits until an event that matches `pattern` has happened.
    async fn await_event(&self, run: &str, pattern: Value) {
        let wait = json!({ "until": { "event": pattern }, "since": 0, "timeout_ms": PATIENCE_MS });
        let (_, answer) = self.post(&format!("{run}/wait"), wait).await;
        assert_eq!(answer["met"], true, "{pattern} should have come about");
    }

    /// Returns those events of a run whose kind is in `kinds`.
    async fn events(&self, run: &str, kinds: &str) -> Vec<Value> {
        let page = self.get(&format!("{run}/events?kind={kinds}&limit=10000")).await;
        page["items"].as_array().expect("items").clone()
    }

    /// Checks that another run in the same playground works as if there were no faulty node.
    async fn others_are_not_disturbed(&self) {
        let run = self.run(Kind::Good).await;
        let (_, answer) = self.post(&format!("{run}/nodes/1/acquire"), json!({ "wait_ms": PATIENCE_MS })).await;
        assert_eq!(answer["entered"], true, "{answer}");
        assert_eq!(self.events(&run, "misbehaved").await, Vec::<Value>::new());
    }
}

fn specification(kind: Kind) -> Value {
    json!({ "algorithm": "ricart-agrawala", "nodes": 3, "seed": kind as u64 })
}

fn in_world(test: impl AsyncFnOnce(&Harness)) -> Result<(), Failed> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let world = Harness::open().await;
        test(&world).await;
        world.close().await;
    });
    Ok(())
}

fn told(kind: Kind, what: &'static str) -> Result<(), Failed> {
    in_world(async |world| {
        let run = world.run(kind).await;
        world.await_event(&run, json!({ "kind": "misbehaved", "node": 0 })).await;
        let blames = world.events(&run, "misbehaved").await;
        assert!(
            blames.iter().any(|event| event["detail"].as_str().is_some_and(|detail| detail.contains(what))),
            "{blames:?}"
        );
        world.others_are_not_disturbed().await;
    })
}

fn garbage() -> Result<(), Failed> {
    in_world(async |world| {
        let run = world.run(Kind::Garbage).await;
        world.post(&format!("{run}/nodes/1/acquire"), json!({})).await;
        world.await_event(&run, json!({ "kind": "dropped", "to": 0 })).await;
        let dropped = world.events(&run, "dropped").await;
        assert!(dropped.iter().all(|event| event["why"] == "unanswered"), "{dropped:?}");
        let blames = world.events(&run, "misbehaved").await;
        assert!(
            blames[0]["detail"].as_str().is_some_and(|detail| detail.contains("its answer is not a report")),
            "{blames:?}"
        );
        world.await_event(&run, json!({ "kind": "violated" })).await;
        let state = world.get(&format!("{run}/state")).await;
        assert_eq!(state["verdict"]["status"], "stuck", "P1 waits for an answer that never comes: {state}");
        world.others_are_not_disturbed().await;
    })
}

fn hangs() -> Result<(), Failed> {
    in_world(async |world| {
        let run = world.run(Kind::Hangs).await;
        world.post(&format!("{run}/nodes/1/acquire"), json!({})).await;
        world.await_event(&run, json!({ "kind": "delivered", "node": 1, "from": 2 })).await;
        let state = world.get(&format!("{run}/state")).await;
        assert_eq!(state["verdict"]["status"], "ok", "it may yet answer: {state}");
        assert_eq!(state["messages"]["in_flight"], 1, "{state}");
        world.others_are_not_disturbed().await;
        let (status, _) = world.post(&format!("{run}/nodes/0/crash"), json!({})).await;
        assert_eq!(status, 200, "it can be killed");
        let state = world.get(&format!("{run}/state")).await;
        assert_eq!(state["verdict"]["status"], "stuck", "{state}");
    })
}

fn dies() -> Result<(), Failed> {
    in_world(async |world| {
        let run = world.run(Kind::Dies).await;
        world.await_event(&run, json!({ "kind": "crashed", "node": 0 })).await;
        let crashed = world.events(&run, "crashed").await;
        assert_eq!(crashed[0]["cause"], json!({ "unexpected": "code 7" }));
        world.others_are_not_disturbed().await;
    })
}

/// The correct nodes wait forever for an answer of the faulty node. They must not adopt the impossible clock value
/// of the faulty node.
fn exaggerates() -> Result<(), Failed> {
    in_world(async |world| {
        let run = world.run(Kind::Exaggerates).await;
        for node in [1, 2] {
            world.await_event(&run, json!({ "kind": "refused", "node": node })).await;
            let clock = world.get(&format!("{run}/state")).await["nodes"][node]["view"]["clock"].clone();
            assert_eq!(clock, 0, "the clock of P{node}");
        }
        let refused = world.events(&run, "refused").await;
        let detail = "18446744073709551615 is too large; the maximum is 9007199254740991";
        assert!(refused.iter().all(|event| event["detail"] == detail), "{refused:?}");
        world.others_are_not_disturbed().await;
    })
}

/// The faulty node sends requests with a wrong secret, to the endpoint of another node, as another incarnation, and
/// with invalid content. The node exits with code 0 if each request is rejected with the expected status.
fn strangers() -> Result<(), Failed> {
    in_world(async |world| {
        let run = world.run(Kind::Stranger).await;
        world.await_event(&run, json!({ "kind": "crashed", "node": 0 })).await;
        let crashed = world.events(&run, "crashed").await;
        assert_eq!(crashed[0]["cause"], json!({ "unexpected": "code 0" }), "every door was closed");
        let blames = world.events(&run, "misbehaved").await;
        assert_eq!(blames.len(), 1, "only the nonsense came with the right secret: {blames:?}");
        world.others_are_not_disturbed().await;
    })
}

fn mute() -> Result<(), Failed> {
    in_world(async |world| {
        let (status, problem) = tokio::time::timeout(PATIENCE, world.post("/runs", specification(Kind::Mute)))
            .await
            .expect("a process that ends is noticed at once");
        assert_eq!(status, 503, "{problem}");
        assert!(problem["detail"].as_str().is_some_and(|detail| detail.contains("P0 ended at its start")), "{problem}");
        let runs = world.get("/runs").await;
        assert_eq!(runs["items"][0]["status"], "failed", "{runs}");
        world.others_are_not_disturbed().await;
    })
}
