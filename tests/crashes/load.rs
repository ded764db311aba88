//! Client load on an orchestrator that a test kills. Everything that the orchestrator has confirmed before the
//! kill must be true afterwards.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use interlock_model::specification::Draft;
use interlock_simulation::simulation::{Simulation, Watch};
use reqwest::{Client, Method, StatusCode, header};
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use uuid::Uuid;

use super::events_of;
use crate::support::Playground;

/// Maximum number of runs that exist at the same time.
const MOST_RUNS: usize = 12;

/// A run that is imported: its NDJSON, and its number of events.
pub struct Example {
    ndjson: String,
    events: usize,
}

/// Simulates a run, and returns it for import.
pub fn example() -> Example {
    let draft: Draft =
        serde_json::from_value(json!({ "algorithm": "ricart-agrawala", "nodes": 4, "seed": 1 })).expect("a draft");
    let specification = draft.complete_simulated().expect("a specification");
    let report = Simulation { watch: Watch::Events, ..Simulation::new(specification, 40) }.run().expect("it runs");
    let mut ndjson = Vec::new();
    for event in &report.events {
        event.write_json(&mut ndjson).expect("JSON");
        ndjson.push(b'\n');
    }
    Example { ndjson: String::from_utf8(ndjson).expect("text"), events: report.events.len() }
}

/// Facts that the orchestrator has confirmed.
#[derive(Debug, Default)]
pub struct Facts {
    created: BTreeSet<Uuid>,
    imported: BTreeMap<Uuid, usize>,
    /// Runs for which a deletion was requested. The orchestrator may or may not have received the request.
    doomed: BTreeSet<Uuid>,
    deleted: BTreeSet<Uuid>,
    /// For each run, the latest event that a client has read.
    read: BTreeMap<Uuid, Value>,
    /// Number of requests that the orchestrator rejected, because disk space or descriptors were missing.
    refused: u64,
}

impl Facts {
    /// Checks that all facts are true in a playground that was just opened.
    pub async fn hold(&self, playground: &Playground) -> Result<(), String> {
        let listed = playground.get("/runs").await;
        let runs = listed["items"].as_array().ok_or("there is no list")?;
        let there: BTreeMap<Uuid, &Value> =
            runs.iter().filter_map(|run| Some((run["id"].as_str()?.parse().ok()?, run))).collect();
        for run in self.created.iter().chain(self.imported.keys()).filter(|run| !self.doomed.contains(run)) {
            if !there.contains_key(run) {
                return Err(format!("run {run} was there, and is not"));
            }
        }
        if let Some(run) = self.deleted.iter().find(|run| there.contains_key(run)) {
            return Err(format!("run {run} was deleted, and is there"));
        }
        for (run, summary) in there {
            if summary["status"] == "running" {
                return Err(format!("{run} is said to be under way"));
            }
            let events = events_of(playground, run).await?;
            if let Some(read) = self.read.get(&run)
                && !events.contains(read)
            {
                return Err(format!("{run} has lost event {read}"));
            }
            if let Some(whole) = self.imported.get(&run)
                && events.len() != *whole
            {
                return Err(format!("{run} was loaded with {whole} events, and has {}", events.len()));
            }
        }
        Ok(())
    }

    /// Returns whether there are enough facts for `lives` incarnations of the orchestrator. With too few facts, the
    /// check would not be significant.
    pub fn are_many(&self, lives: u64) -> bool {
        let done = self.created.len() + self.imported.len() + self.deleted.len() + self.read.len();
        done as u64 + self.refused >= lives
    }

    /// Returns the number of created runs.
    pub fn created(&self) -> usize {
        self.created.len()
    }

    /// Returns the number of imported runs.
    pub fn imported(&self) -> usize {
        self.imported.len()
    }

    /// Returns an imported run for which no deletion was requested.
    pub fn an_import(&self) -> Option<Uuid> {
        self.imported.keys().find(|run| !self.doomed.contains(run)).copied()
    }
}

/// The clients that now send requests, and the facts that they have collected.
pub struct Load {
    facts: Arc<Mutex<Facts>>,
    /// Notified when the playground has answered a request.
    answered: Arc<Notify>,
    tasks: Vec<JoinHandle<()>>,
}

impl Load {
    /// Starts clients that create, import, read and delete runs. Each client continues until the playground stops
    /// answering.
    pub fn begin(playground: &Playground, example: Arc<Example>, facts: Facts) -> Self {
        let facts = Arc::new(Mutex::new(facts));
        let answered = Arc::new(Notify::new());
        let client = Client::builder().no_proxy().build().expect("a client");
        let asker = || Asker {
            client: client.clone(),
            api: playground.api(""),
            facts: Arc::clone(&facts),
            answered: Arc::clone(&answered),
        };
        let (creator, loader, reader, deleter) = (asker(), asker(), asker(), asker());
        let tasks = vec![
            tokio::spawn(async move { while creator.create().await.is_some() {} }),
            tokio::spawn(async move { while loader.load(&example).await.is_some() {} }),
            tokio::spawn(async move { while reader.read().await.is_some() {} }),
            tokio::spawn(async move { while deleter.delete().await.is_some() {} }),
        ];
        Self { facts, answered, tasks }
    }

    /// Waits until all clients have stopped, and returns the facts. The clients stop when the playground no longer
    /// answers.
    pub async fn end(self) -> Facts {
        for task in self.tasks {
            task.await.expect("no panic");
        }
        std::mem::take(&mut lock(&self.facts))
    }

    /// Waits until `enough` returns true for the facts, or until the time limit.
    pub async fn until(&self, patience: Duration, enough: impl Fn(&Facts) -> bool) {
        let deadline = Instant::now() + patience;
        while !enough(&lock(&self.facts)) {
            assert!(Instant::now() < deadline, "nothing happens: {:?}", lock(&self.facts));
            self.answered.notified().await;
        }
    }
}

fn lock(facts: &Mutex<Facts>) -> MutexGuard<'_, Facts> {
    facts.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A client that sends requests and records the answers.
struct Asker {
    client: Client,
    api: String,
    facts: Arc<Mutex<Facts>>,
    answered: Arc<Notify>,
}

impl Asker {
    /// Sends a request and returns the complete answer. Returns none if the playground no longer answers.
    async fn ask(&self, method: Method, path: &str, kind: &str, body: String) -> Option<(StatusCode, Value)> {
        let request =
            self.client.request(method, format!("{}{path}", self.api)).header(header::CONTENT_TYPE, kind).body(body);
        let response = request.send().await.ok()?;
        let (status, text) = (response.status(), response.text().await.ok()?);
        self.answered.notify_one();
        // If disk space or descriptors are exhausted, the answer reports this. Such an answer is allowed, because
        // the test only checks that no answer is false.
        if matches!(status.as_u16(), 429 | 503 | 507) {
            lock(&self.facts).refused += 1;
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        Some((status, serde_json::from_str(&text).unwrap_or(Value::Null)))
    }

    async fn create(&self) -> Option<()> {
        let specification =
            json!({ "algorithm": "lamport", "nodes": 2, "workload": { "idle": 0, "hold": 0, "entries": 100 } })
                .to_string();
        let (status, run) = self.ask(Method::POST, "/runs", "application/json", specification).await?;
        if status == 201 {
            let id = id_of(&run)?;
            lock(&self.facts).created.insert(id);
            self.ask(Method::POST, &format!("/runs/{id}/stop"), "application/json", "{}".to_owned()).await?;
        }
        Some(())
    }

    async fn load(&self, example: &Example) -> Option<()> {
        let (status, run) =
            self.ask(Method::POST, "/runs/import", "application/x-ndjson", example.ndjson.clone()).await?;
        if status == 201 {
            lock(&self.facts).imported.insert(id_of(&run)?, example.events);
        }
        Some(())
    }

    /// Reads the latest events of some runs.
    async fn read(&self) -> Option<()> {
        let runs: Vec<Uuid> = {
            let facts = lock(&self.facts);
            facts.created.iter().rev().take(3).copied().collect()
        };
        if runs.is_empty() {
            return self.get("/runs").await.map(drop);
        }
        for run in runs {
            let (status, state) = self.get(&format!("/runs/{run}/state")).await?;
            let after = state["seq"].as_u64().unwrap_or_default().saturating_sub(5);
            let (_, page) = self.get(&format!("/runs/{run}/events?since={after}&limit=100")).await?;
            if status == 200
                && let Some(event) = page["items"].as_array().and_then(|items| items.last())
            {
                lock(&self.facts).read.insert(run, event.clone());
            }
        }
        Some(())
    }

    async fn get(&self, path: &str) -> Option<(StatusCode, Value)> {
        self.ask(Method::GET, path, "application/json", String::new()).await
    }

    /// Deletes a run, so that there are never too many runs.
    async fn delete(&self) -> Option<()> {
        let doomed = {
            let mut facts = lock(&self.facts);
            let living: Vec<Uuid> = facts.created.iter().chain(facts.imported.keys()).copied().collect();
            let doomed = living.into_iter().find(|run| !facts.doomed.contains(run));
            let doomed = doomed.filter(|_| facts.created.len() + facts.imported.len() > facts.doomed.len() + MOST_RUNS);
            facts.doomed.extend(doomed);
            doomed
        };
        let Some(run) = doomed else {
            // There is no run to delete yet. This request only checks that the playground still answers.
            return self.get("/runs").await.map(drop);
        };
        let (status, _) = self.ask(Method::DELETE, &format!("/runs/{run}"), "application/json", String::new()).await?;
        if status == 204 {
            lock(&self.facts).deleted.insert(run);
        }
        Some(())
    }
}

fn id_of(run: &Value) -> Option<Uuid> {
    run["id"].as_str()?.parse().ok()
}
