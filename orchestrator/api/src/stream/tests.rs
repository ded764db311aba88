//! Tests of how the stream of one client catches up with the state that the other clients share.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::task::spawn_blocking;
use uuid::Uuid;

use super::frame::{FRAME_BYTES, Next};
use super::shared::{Shared, lock};
use super::teller::Teller;
use crate::history::follow;
use crate::tests::{Server, registry};
use crate::waiting::Budget;
use interlock_orchestrator::journal::Reader;
use interlock_orchestrator::run::{PastView, Registry};

/// Number of the last event of the run.
const LATEST: u64 = 30;

/// A run that has ended, and a state that its clients share.
struct Watching {
    registry: Arc<Registry>,
    run: Uuid,
    reader: Reader,
    shared: Arc<Mutex<Shared>>,
    _server: Server,
}

impl Watching {
    /// Imports the run. The shared state is the state after event `seq`.
    async fn from(seq: u64) -> Self {
        let server = Server::start().await;
        let failed = server.failed_run().await;
        let first = server.get(&format!("/api/v1/runs/{failed}/events?limit=1")).await.json();
        let notes = (2..LATEST).map(|seq| json!({ "seq": seq, "at_us": 0, "kind": "noted", "detail": "a note" }));
        let last = json!({ "seq": LATEST, "at_us": 0, "kind": "ended", "why": "stopped" });
        let lines: Vec<String> =
            [first["items"][0].clone()].into_iter().chain(notes).chain([last]).map(|event| event.to_string()).collect();
        let server = server.closed();
        let registry = registry(server.folder()).await;
        let loading = Arc::clone(&registry);
        let loaded = spawn_blocking(move || loading.load(lines.join("\n").as_bytes())).await.expect("no panic");
        let run = loaded.expect("the events of a run").id;
        let reader = registry.reader(run).expect("its journal");
        let shared = Arc::<Mutex<Shared>>::default();
        let (_, follower) = follow(&reader, run, seq).expect("a state");
        assert!(lock(&shared).join(Box::new(follower), None).is_none());
        Self { registry, run, reader, shared, _server: server }
    }

    /// Returns the stream of a client that begins after event `since`.
    fn client(&self, since: u64) -> Teller {
        let (registry, shared) = (Arc::clone(&self.registry), Arc::clone(&self.shared));
        Teller::new(registry, self.run, since, Some(shared), Budget::new())
    }

    /// Returns the next frame of a client.
    fn frame(&self, client: &mut Teller) -> Value {
        let Ok(Next::Frame(frame)) = client.next(&self.reader, FRAME_BYTES) else { panic!("a frame is expected") };
        serde_json::from_str(&frame.text).expect("JSON")
    }

    /// Returns the next frame of a client: its type, and the number of the state or the numbers of the events.
    fn told(&self, client: &mut Teller) -> (String, Vec<u64>) {
        let frame = self.frame(client);
        let number = |event: &Value| event["seq"].as_u64().expect("a number");
        let numbers = match frame["items"].as_array() {
            Some(items) => items.iter().map(number).collect(),
            None => vec![number(&frame["state"])],
        };
        (frame["type"].as_str().expect("a type").to_owned(), numbers)
    }
}

fn state(seq: u64) -> (String, Vec<u64>) {
    ("state".to_owned(), vec![seq])
}

fn events(from: u64, to: u64) -> (String, Vec<u64>) {
    ("events".to_owned(), (from..=to).collect())
}

#[tokio::test]
async fn a_client_that_began_earlier_reads_up_to_the_others_and_joins_them() {
    let watching = Watching::from(10).await;
    let mut client = watching.client(4);
    assert_eq!(watching.told(&mut client), state(4));
    assert_eq!(watching.told(&mut client), events(5, 10), "no further than the others");
    let mut other = watching.client(10);
    assert_eq!(watching.told(&mut other), state(10));
    assert_eq!(watching.told(&mut client), events(11, LATEST));
    assert_eq!(lock(&watching.shared).seq(), Some(LATEST), "that was computed for all");
    assert!(other.computed().is_some());
    assert!(matches!(client.next(&watching.reader, FRAME_BYTES), Ok(Next::Nothing)));
}

#[tokio::test]
async fn the_first_client_to_reach_the_last_event_shares_its_state() {
    let watching = Watching::from(10).await;
    lock(&watching.shared).end();
    let mut client = watching.client(4);
    assert_eq!(watching.told(&mut client), state(4));
    assert_eq!(lock(&watching.shared).seq(), None);
    assert_eq!(watching.told(&mut client), events(5, LATEST));
    assert_eq!(lock(&watching.shared).seq(), Some(LATEST), "although it has not looked for a further event");
}

#[tokio::test]
async fn a_client_that_began_later_brings_the_others_forward_and_misses_nothing() {
    let watching = Watching::from(10).await;
    let (mut client, mut other) = (watching.client(20), watching.client(10));
    assert_eq!((watching.told(&mut client), watching.told(&mut other)), (state(20), state(10)));
    assert_eq!(watching.told(&mut client), events(21, LATEST));
    let frame = other.computed().expect("the frame that the other has caused to be computed");
    assert_eq!(frame.seq, LATEST);
    assert!(matches!(client.next(&watching.reader, FRAME_BYTES), Ok(Next::Nothing)));
}

#[tokio::test]
async fn a_client_whose_next_frame_is_gone_gets_a_new_state_and_misses_nothing() {
    let watching = Watching::from(10).await;
    let mut client = watching.client(10);
    assert_eq!(watching.told(&mut client), state(10));
    lock(&watching.shared).end();
    assert!(client.computed().is_none());
    assert_eq!(watching.told(&mut client), state(10));
    assert_eq!(watching.told(&mut client), events(11, LATEST));
}

#[tokio::test]
async fn a_client_that_joins_gets_what_time_alone_has_changed() {
    let watching = Watching::from(LATEST).await;
    let (_, mut follower) = follow(&watching.reader, watching.run, LATEST).expect("a state");
    let past = PastView::at(&watching.reader, Some(LATEST)).expect("a state");
    let mut now = past.state.document(watching.run, 5_000, 0);
    now.verdict.violations = 7;
    assert!(follower.judged(&now).is_some());
    lock(&watching.shared).end();
    assert!(lock(&watching.shared).join(Box::new(follower), None).is_none());
    let [mut earlier, mut same] = [25, LATEST].map(|since| watching.client(since));
    assert_eq!(watching.told(&mut earlier), state(25));
    assert_eq!(watching.told(&mut earlier), events(26, LATEST));
    let frame = watching.frame(&mut earlier);
    let change = &frame["changes"][0];
    assert_eq!((&frame["items"], &change["seq"], &change["at_us"]), (&json!([]), &json!(LATEST), &json!(5_000)));
    assert_eq!(change["patch"], json!([{ "op": "replace", "path": "/verdict/violations", "value": 7 }]));
    assert!(matches!(earlier.next(&watching.reader, FRAME_BYTES), Ok(Next::Nothing)));
    let state = &watching.frame(&mut same)["state"];
    assert_eq!((&state["verdict"]["violations"], &state["at_us"]), (&json!(7), &json!(5_000)));
}

#[tokio::test]
async fn after_a_panic_of_a_client_the_others_get_a_new_state() {
    let watching = Watching::from(10).await;
    let mut client = watching.client(10);
    assert_eq!(watching.told(&mut client), state(10));
    let shared = Arc::clone(&watching.shared);
    let panicked = spawn_blocking(move || {
        let _guard = lock(&shared);
        panic!("while a frame is computed");
    });
    assert!(panicked.await.is_err());
    assert!(client.computed().is_none());
    assert_eq!(watching.told(&mut client), state(10));
    assert_eq!(watching.told(&mut client), events(11, LATEST));
    assert!(!watching.shared.is_poisoned());
}
