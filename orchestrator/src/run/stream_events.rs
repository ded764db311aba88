//! The core's side of connections: each piece becomes a message of the network, with the events of its fate.

use interlock_algorithm::NodeId;
use interlock_machine::message_id::MessageId;
use interlock_model::event::{DropReason, Json, MessageKind, StepId, What};
use interlock_model::network::{Fate, InFlight, Payload};
use interlock_model::process_status::ProcessStatus;
use serde::Serialize;

use super::core::Core;
use super::streams::{Allowance, Decoded, End, Opened, Piece};

/// Maximum number of open connections of a run.
const MOST_CONNECTIONS: usize = 2_000;

/// Content of a piece in the events.
#[derive(Serialize)]
struct Content {
    /// Number of the connection in the run, from 1.
    connection: u64,
    /// Number of bytes. Absent if the piece has no bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<usize>,
    /// The messages that end in the piece, in words. Absent if the protocol of the service is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

impl Core {
    /// Records that a process has opened a connection to a service. Returns none if the run is over, if it has too many
    /// connections, or if the link refuses them.
    pub(super) fn open_stream(&mut self, client: NodeId, service: NodeId) -> Option<Opened> {
        if self.is_ended() || self.refuses(client, service) {
            return None;
        }
        if self.streams.count() >= MOST_CONNECTIONS {
            self.note(format!("{client} was refused a connection: the run has {MOST_CONNECTIONS}, the maximum"));
            return None;
        }
        let protocol = self.specification().service(service).and_then(|process| process.service.protocol);
        let mut opened = self.streams.open(client, service, protocol);
        let connection = opened.connection;
        self.streams.follow(connection, &self.network, self.time.now_us());
        self.send_piece(connection, End::Client, Piece::Open);
        for (allowance, end) in opened.allowances.iter_mut().zip([End::Client, End::Service]) {
            *allowance = self.allowance(connection, end).unwrap_or(Allowance::UNLIMITED);
        }
        Some(opened)
    }

    /// Sends a piece from one end of a connection. Returns what may be sent next; none if the run or the connection is
    /// over.
    pub(super) fn send_piece(&mut self, connection: u64, from_end: End, piece: Piece) -> Option<Allowance> {
        let (from, to) = self.streams.ends(connection, from_end)?;
        if self.is_ended() || self.streams.is_over(connection) {
            return None;
        }
        if self.log.status(from) == ProcessStatus::Crashed {
            self.send_by_system(connection, from_end, piece);
        } else {
            self.send_as_message(connection, from_end, (from, to), piece);
        }
        self.allowance(connection, from_end)
    }

    fn send_as_message(&mut self, connection: u64, from_end: End, (from, to): (NodeId, NodeId), mut piece: Piece) {
        let now_us = self.time.now_us();
        let entered_us = self.streams.enter(connection, from_end.other(), &mut piece, now_us);
        let decoded = self.streams.decode(connection, from_end.other(), &piece);
        let (kind, text) = match decoded {
            Some(Decoded { kind, text }) => (MessageKind::named(&kind), Some(text)),
            None => (MessageKind::from(piece.kind()), None),
        };
        let bytes = matches!(piece, Piece::Data(_)).then(|| piece.bytes());
        let Ok(body) = Json::of(&Content { connection, bytes, text }) else { return };
        let at = self.next_step_of(from);
        let payload = Payload { kind: kind.clone(), body: body.clone(), header: None };
        let accepted = self.network.accept(entered_us, from, to, &kind, payload);
        self.tell_sent(at, now_us, &kind, &body, &accepted);
        self.streams.sent(connection, from_end.other(), (accepted.id, kind), piece);
        if matches!(accepted.fate, Fate::Dropped(_)) {
            self.piece_lost(accepted.id);
        }
        self.deliver_due();
        self.settle();
    }

    /// Sends what the operating system sends in place of a crashed process. A partition makes it silent.
    fn send_by_system(&mut self, connection: u64, from_end: End, piece: Piece) {
        let Some((from, to)) = self.streams.ends(connection, from_end) else { return };
        let to_end = from_end.other();
        if self.network.cut(from, to).is_some() {
            self.streams.silence(connection, to_end);
        } else if !matches!(piece, Piece::Open | Piece::Data(_)) {
            self.streams.sent_by_system(connection, to_end, piece);
            self.deliver_pieces(connection, to_end);
            self.settle();
        }
    }

    /// Records that a piece has reached its receiver. The receiver gets it when all earlier pieces have arrived, and
    /// when it is not paused.
    pub(super) fn piece_arrived(&mut self, at_us: u64, in_flight: InFlight<Payload>) {
        let InFlight { id, content } = in_flight;
        if self.log.status(id.to) == ProcessStatus::Crashed {
            let end = self.streams.arrived(id);
            self.emit(at_us, What::dropped(id, content.kind, DropReason::Crashed));
            self.piece_lost(id);
            if let Some((connection, end)) = end {
                // The operating system refuses what arrives at a closed port.
                self.send_by_system(connection, end, Piece::Reset);
            }
            return;
        }
        if let Some((connection, end)) = self.streams.arrived(id) {
            self.deliver_pieces(connection, end);
        } else {
            self.emit(at_us, What::dropped(id, content.kind, DropReason::Closed));
            self.piece_lost(id);
        }
    }

    /// Records that a piece was dropped: nothing later arrives at its receiver.
    pub(super) fn piece_lost(&mut self, message: MessageId) {
        for (later, kind) in self.streams.lost(message) {
            self.emit_now(What::dropped(later, kind, DropReason::Closed));
        }
    }

    /// Delivers the pieces of a direction whose turn has come.
    pub(super) fn deliver_pieces(&mut self, connection: u64, to_end: End) {
        let Some((to, from)) = self.streams.ends(connection, to_end) else { return };
        if self.log.status(to) == ProcessStatus::Paused {
            return;
        }
        while let Some((message, piece)) = self.streams.next(connection, to_end) {
            let is_handed = self.streams.hand(connection, to_end, piece);
            let Some((message, kind)) = message else { continue };
            let now_us = self.time.now_us();
            if is_handed {
                let at = self.next_step_of(to);
                let because = Vec::new();
                self.emit(now_us, What::Delivered { at, message, from, message_kind: kind, because, view: None });
            } else {
                self.emit(now_us, What::dropped(message, kind, DropReason::Closed));
            }
        }
    }

    /// Delivers the pieces that have waited for the end of a process's pause.
    pub(super) fn deliver_pieces_to(&mut self, process: NodeId) {
        for (connection, end) in self.streams.waiting_for(process) {
            self.deliver_pieces(connection, end);
        }
    }

    /// Drops the pieces that have arrived at a process while it was paused, since it has crashed.
    pub(super) fn lose_pieces_at(&mut self, process: NodeId, at_us: u64) {
        for (connection, end) in self.streams.waiting_for(process) {
            while let Some((message, _)) = self.streams.next(connection, end) {
                if let Some((message, kind)) = message {
                    self.emit(at_us, What::dropped(message, kind, DropReason::Crashed));
                }
            }
        }
    }

    /// Records that one end of a connection is closed. If both ends are closed, drops the pieces on their way.
    pub(super) fn stream_closed(&mut self, connection: u64, end: End) {
        for (message, kind) in self.streams.closed(connection, end) {
            self.network.take(message);
            self.emit_now(What::dropped(message, kind, DropReason::Closed));
        }
        self.settle();
    }

    /// Returns the number of the next step of a process that the process itself does not report.
    fn next_step_of(&mut self, node: NodeId) -> StepId {
        let end = &mut self.nodes[node];
        StepId { node, incarnation: end.incarnation(), step: end.reports.insert_step() }
    }
}
