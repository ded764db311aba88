//! Tests of connections without sockets: what is sent at one end arrives at the other as the network decides.

use interlock_algorithm::NodeId;
use interlock_machine::message_id::MessageId;
use interlock_model::event::{DropReason, What};
use interlock_model::network::{PartitionDraft, RuleDraft};
use interlock_model::specification::{Draft, count, read_groups, read_services};
use serde_json::{Value, json};
use tokio::sync::mpsc::UnboundedReceiver;

use super::pieces::{Course, Opened};
use super::{End, LARGEST_PIECE, Piece};
use crate::run::tests::fixture::Fixture;

const NODE: NodeId = NodeId(0);
const SERVICE: NodeId = NodeId(1);

/// A run of one node and one service, with an open connection between them.
struct Stage {
    fixture: Fixture,
    opened: Opened,
}

impl Stage {
    async fn new(network: Value) -> Self {
        Self::with(json!({ "name": "redis", "command": ["r"] }), network).await
    }

    async fn with(service: Value, network: Value) -> Self {
        let programs = read_groups(&json!([{ "command": ["a"] }])).expect("groups");
        let services = read_services(&json!([service])).expect("services");
        let network = serde_json::from_value(network).expect("a network");
        let nodes = Some(count(&programs));
        let draft = Draft { algorithm: "own".to_owned(), nodes, programs, services, network, ..Draft::default() };
        let mut fixture = Fixture::of(draft.complete().expect("a run")).await;
        let opened = fixture.core.open_stream(NODE, SERVICE).expect("a connection");
        Self { fixture, opened }
    }

    fn send(&mut self, end: End, text: &'static str) {
        self.fixture.core.send_piece(self.opened.connection, end, Piece::Data(text.as_bytes().into()));
    }

    /// Returns the pieces that the service has received since the last call.
    fn at_service(&mut self) -> Vec<Piece> {
        received(&mut self.opened.for_service)
    }

    fn at_client(&mut self) -> Vec<Piece> {
        received(&mut self.opened.for_client)
    }

    /// Returns the reasons for which pieces were dropped.
    fn dropped(&mut self) -> Vec<DropReason> {
        let why = |what| if let What::Dropped { why, .. } = what { Some(why) } else { None };
        self.fixture.events().into_iter().filter_map(|event| why(event.what)).collect()
    }
}

fn received(pieces: &mut UnboundedReceiver<Piece>) -> Vec<Piece> {
    std::iter::from_fn(|| pieces.try_recv().ok()).collect()
}

fn data(text: &'static str) -> Piece {
    Piece::Data(text.as_bytes().into())
}

/// The name of the `number`th piece from the node to the service.
fn piece(number: u64) -> MessageId {
    MessageId { from: NODE, to: SERVICE, number, copy: 0 }
}

#[tokio::test]
async fn bytes_arrive_in_both_directions_and_are_steps_of_both_processes() {
    let mut stage = Stage::new(json!({})).await;
    stage.send(End::Client, "ping");
    assert_eq!(stage.at_service(), [Piece::Open, data("ping")]);
    stage.send(End::Service, "pong");
    assert_eq!(stage.at_client(), [data("pong")]);
    let step = |what| match what {
        What::Sent { at, message_kind, .. } => Some((at.node.0, at.step, "sent", message_kind.to_string())),
        What::Delivered { at, message_kind, .. } => Some((at.node.0, at.step, "delivered", message_kind.to_string())),
        _ => None,
    };
    let steps: Vec<_> = stage.fixture.events().into_iter().filter_map(|event| step(event.what)).collect();
    let expected = [
        (0, 1, "sent", "SYN"),
        (1, 1, "delivered", "SYN"),
        (0, 2, "sent", "DATA"),
        (1, 2, "delivered", "DATA"),
        (1, 3, "sent", "DATA"),
        (0, 3, "delivered", "DATA"),
    ];
    assert_eq!(steps, expected.map(|(node, step, what, kind)| (node, step, what, kind.to_owned())));
}

#[tokio::test]
async fn the_events_tell_in_words_what_passes_if_the_protocol_is_known() {
    let kinds = ["SYN", "AUTH", "DATA", "SET", "ERROR", "REPLY", "FIN"];
    for (protocol, kinds) in [
        (json!("redis"), kinds),
        (json!(null), kinds.map(|kind| if kind == "SYN" || kind == "FIN" { kind } else { "DATA" })),
    ] {
        let is_known = !protocol.is_null();
        let service = json!({ "name": "redis", "command": ["r"], "protocol": protocol });
        let mut stage = Stage::with(service, json!({})).await;
        for (end, text) in [
            (End::Client, "*2\r\n$4\r\nAUTH\r\n$6\r\nsesame\r\n"),
            (End::Client, "*3\r\n$3\r\nSET\r\n$4\r\nlo"),
            (End::Client, "ck\r\n$1\r\n1\r\n"),
            (End::Service, "-ERR no password is set\r\n"),
            (End::Service, "+OK\r\n"),
        ] {
            stage.send(end, text);
        }
        stage.fixture.core.send_piece(stage.opened.connection, End::Client, Piece::End);
        let events = stage.fixture.events();
        let sent = |what: &What| match what {
            What::Sent { message_kind, .. } => Some(message_kind.to_string()),
            _ => None,
        };
        let delivered = |what: &What| match what {
            What::Delivered { message_kind, .. } => Some(message_kind.to_string()),
            _ => None,
        };
        assert_eq!(events.iter().filter_map(|event| sent(&event.what)).collect::<Vec<_>>(), kinds);
        assert_eq!(events.iter().filter_map(|event| delivered(&event.what)).collect::<Vec<_>>(), kinds);
        let told = serde_json::to_string(&events).expect("JSON");
        assert!(!told.contains("sesame"), "{told}");
        assert_eq!(told.contains("SET lock 1") && told.contains("AUTH …"), is_known, "{told}");
    }
}

/// The second reply of Redis is lost, so nothing later arrives.
#[tokio::test]
async fn a_rule_drops_a_reply_by_its_number() {
    let service = json!({ "name": "redis", "command": ["r"], "protocol": "redis" });
    let mut stage = Stage::with(service, json!({})).await;
    let rule = json!({ "match": { "message_kind": "REPLY" }, "action": "drop", "skip": 1, "count": 1 });
    stage.fixture.core.add_rule(RuleDraft::read(&rule).expect("a rule")).expect("it is added");
    for text in ["-ERR\r\n", "+1\r\n", "+2\r\n", "+3\r\n"] {
        stage.send(End::Service, text);
    }
    assert_eq!(stage.at_client(), [data("-ERR\r\n"), data("+1\r\n")]);
    assert_eq!(stage.dropped(), [DropReason::Rule, DropReason::Closed]);
}

#[tokio::test]
async fn a_held_piece_holds_all_later_ones() {
    let mut stage = Stage::new(json!({ "hold": true })).await;
    stage.send(End::Client, "a");
    stage.send(End::Client, "b");
    assert_eq!(stage.at_service(), []);
    for number in [3, 2] {
        stage.fixture.core.deliver(piece(number)).expect("it is held");
        assert_eq!(stage.at_service(), [], "the opening is still held");
    }
    stage.fixture.core.deliver(piece(1)).expect("it is held");
    assert_eq!(stage.at_service(), [Piece::Open, data("a"), data("b")]);
}

#[tokio::test]
async fn nothing_arrives_after_a_dropped_piece() {
    let mut stage = Stage::new(json!({ "hold": true })).await;
    for text in ["a", "b", "c"] {
        stage.send(End::Client, text);
    }
    for number in [1, 3] {
        stage.fixture.core.deliver(piece(number)).expect("it is held");
    }
    assert_eq!(stage.at_service(), [Piece::Open], "`b` has arrived, and waits for `a`");
    stage.fixture.core.lose(piece(2)).expect("it is held");
    stage.fixture.core.deliver(piece(4)).expect("it is held");
    assert_eq!(stage.at_service(), []);
    assert_eq!(stage.dropped(), [DropReason::Hand, DropReason::Closed, DropReason::Closed]);
}

#[tokio::test]
async fn a_copy_of_a_piece_is_refused() {
    let mut stage = Stage::new(json!({ "hold": true })).await;
    let error = stage.fixture.core.duplicate(piece(1)).expect_err("refused").to_string();
    assert!(error.contains("part of a TCP connection"), "{error}");
}

#[tokio::test]
async fn a_paused_process_receives_nothing_until_it_is_resumed() {
    let mut stage = Stage::new(json!({})).await;
    assert_eq!(stage.at_service(), [Piece::Open]);
    let pid = stage.fixture.core.process_for(SERVICE, interlock_model::impossible::Deed::Pause).expect("running").pid();
    stage.fixture.core.paused(SERVICE, pid).expect("paused");
    stage.send(End::Client, "a");
    assert_eq!(stage.at_service(), []);
    stage.fixture.core.resumed(SERVICE);
    assert_eq!(stage.at_service(), [data("a")]);
}

#[tokio::test]
async fn a_crashed_service_refuses_what_arrives() {
    let mut stage = Stage::new(json!({})).await;
    stage.fixture.core.exited(SERVICE, 1, "signal 9");
    stage.send(End::Client, "a");
    assert_eq!(stage.at_client(), [Piece::Reset]);
    assert_eq!(stage.dropped(), [DropReason::Crashed]);
}

#[tokio::test]
async fn the_end_of_a_crashed_process_is_noticed_unless_it_is_cut_off() {
    for is_cut in [false, true] {
        let mut stage = Stage::new(json!({})).await;
        if is_cut {
            let cut: PartitionDraft = serde_json::from_value(json!({ "groups": [[0], [1]] })).expect("a partition");
            stage.fixture.core.add_partition(cut).expect("added");
        }
        stage.fixture.core.exited(SERVICE, 1, "signal 9");
        stage.fixture.core.send_piece(stage.opened.connection, End::Service, Piece::End);
        let expected = if is_cut { vec![] } else { vec![Piece::End] };
        assert_eq!(stage.at_client(), expected, "{is_cut}");
    }
}

#[tokio::test]
async fn a_partition_holds_a_connection_until_it_is_healed() {
    let mut stage = Stage::new(json!({})).await;
    assert_eq!(stage.at_service(), [Piece::Open]);
    let cut: PartitionDraft = serde_json::from_value(json!({ "groups": [[0], [1]] })).expect("a partition");
    let cut = stage.fixture.core.add_partition(cut).expect("added").id;
    stage.send(End::Client, "a");
    stage.send(End::Client, "b");
    assert_eq!(stage.at_service(), []);
    stage.fixture.core.remove_partition(cut).expect("removed");
    assert_eq!(stage.at_service(), [data("a"), data("b")]);
}

#[tokio::test]
async fn what_is_on_its_way_to_a_closed_end_is_dropped() {
    let mut stage = Stage::new(json!({})).await;
    let connection = stage.opened.connection;
    stage.fixture.core.stream_closed(connection, End::Client);
    stage.send(End::Service, "late");
    assert_eq!(stage.at_client(), []);
    stage.fixture.core.stream_closed(connection, End::Service);
    assert_eq!(stage.fixture.core.streams.count(), 0);
    assert_eq!(stage.dropped(), [DropReason::Closed]);
}

/// The order belongs to a connection: pieces of another connection may overtake.
#[tokio::test]
async fn the_order_of_a_connection_is_kept_and_others_may_overtake() {
    let mut stage = Stage::new(json!({ "delays": { "DATA": "const:0" }, "tcp": { "slow_close": "60m" } })).await;
    let mut other = stage.fixture.core.open_stream(NODE, SERVICE).expect("a connection");
    stage.fixture.core.send_piece(stage.opened.connection, End::Client, Piece::End);
    stage.fixture.core.send_piece(other.connection, End::Client, data("a"));
    assert_eq!(received(&mut other.for_service), [Piece::Open, data("a")]);
    assert_eq!(stage.at_service(), [Piece::Open], "its end is still on its way");
}

#[tokio::test]
async fn a_limit_lets_its_bytes_through_and_closes_both_directions() {
    let mut stage = Stage::new(json!({ "tcp": { "limit": 3 } })).await;
    stage.send(End::Client, "abcdef");
    stage.send(End::Service, "more");
    assert_eq!(stage.at_service(), [Piece::Open, data("abc"), Piece::End]);
    assert_eq!(stage.at_client(), [Piece::End]);
}

#[tokio::test]
async fn a_limit_counts_from_the_moment_at_which_it_begins() {
    let mut stage = Stage::new(json!({})).await;
    stage.send(End::Client, "before");
    let limit = serde_json::from_value(json!({ "tcp": { "limit": 3 } })).expect("a patch");
    stage.fixture.core.patch_default(&limit).expect("changed");
    stage.send(End::Client, "ab");
    assert_eq!(stage.at_service(), [Piece::Open, data("before"), data("ab")]);
    stage.send(End::Client, "cd");
    assert_eq!(stage.at_service(), [data("c"), Piece::End]);
}

/// The connection is reset at once. Everything on its way is lost, and the tasks break their sockets.
#[tokio::test]
async fn a_partition_with_a_reset_breaks_connections_and_one_without_does_not() {
    for reset in [Some(0), None] {
        let mut stage = Stage::new(json!({ "hold": true })).await;
        let cut = json!({ "groups": [[0], [1]], "reset": reset });
        let cut: PartitionDraft = serde_json::from_value(cut).expect("a partition");
        stage.fixture.core.add_partition(cut).expect("added");
        let courses = stage.opened.courses.each_ref().map(|course| *course.borrow());
        let expected = if reset.is_some() { Course::Broken } else { Course::Open };
        assert_eq!(courses, [expected; 2]);
        assert_eq!(stage.dropped(), if reset.is_some() { vec![DropReason::Closed] } else { vec![] });
        let next = stage.fixture.core.allowance(stage.opened.connection, End::Client);
        assert_eq!(next.is_none(), reset.is_some());
    }
}

/// A connection that hangs is delivered when the fault ends.
#[tokio::test]
async fn a_hanging_connection_waits_until_it_is_healed() {
    let mut stage = Stage::new(json!({ "tcp": { "hang": true } })).await;
    stage.send(End::Client, "a");
    assert_eq!(stage.at_service(), []);
    stage.fixture.core.heal_network().expect("healed");
    assert_eq!(stage.at_service(), [Piece::Open, data("a")]);
}

/// At most 256 KiB and one further piece are on their way. Then the reader waits until a piece is written.
#[tokio::test]
async fn a_direction_has_a_bound() {
    const PIECE: &[u8] = &[7; LARGEST_PIECE];
    let mut stage = Stage::new(json!({ "hold": true })).await;
    let room = std::sync::Arc::clone(&stage.opened.rooms[1]);
    let has_room = async || tokio::time::timeout(std::time::Duration::ZERO, room.wait()).await.is_ok();
    let mut pieces = 0;
    while has_room().await {
        stage.fixture.core.send_piece(stage.opened.connection, End::Client, Piece::Data(PIECE.into()));
        pieces += 1;
    }
    assert_eq!(pieces, 16);
    room.free(&Piece::Data(PIECE.into()));
    assert!(has_room().await);
}

/// Pieces are short and wait, so that little is queued on a slow link.
#[tokio::test]
async fn a_reader_reads_no_faster_than_the_link() {
    let slow = json!({ "tcp": { "bandwidth": 1_000 } });
    for (network, most, waits) in [
        (json!({}), LARGEST_PIECE, false),
        (slow, 20, true),
        (json!({ "tcp": { "slice": 64 } }), 64, false),
        (json!({ "tcp": { "slice": 64, "slice_pause": "1s" } }), 64, true),
        (json!({ "tcp": { "limit": 10 } }), 5, false),
    ] {
        let mut stage = Stage::new(network.clone()).await;
        let connection = stage.opened.connection;
        let send = |stage: &mut Stage| stage.fixture.core.send_piece(connection, End::Client, data("12345"));
        let mut next = send(&mut stage).expect("an allowance");
        assert_eq!(next.most, most, "{network}");
        if waits {
            for _ in 0..10 {
                next = send(&mut stage).expect("an allowance");
            }
        }
        assert_eq!(!next.wait.is_zero(), waits, "{network}");
    }
}
