//! The core's side of the faults of connections: it takes over changes of the network, and ends connections.

use interlock_algorithm::NodeId;
use interlock_model::event::{DropReason, What};

use super::core::Core;
use super::streams::{Allowance, End};

impl Core {
    /// Whether connections of `client` to `service` are refused.
    pub(super) fn refuses(&self, client: NodeId, service: NodeId) -> bool {
        let faults = self.network.tcp(client, service);
        faults.refuse || faults.down
    }

    /// Takes over the faults of all links after a change of the network. Delivers the pieces that earlier faults had
    /// stopped.
    pub(super) fn follow_stream_faults(&mut self) {
        if !self.specification().has_services() {
            return;
        }
        let now_us = self.time.now_us();
        for message in self.network.freed() {
            // The message is held, so the only possible error is that the run is over.
            let _ = self.deliver(message);
        }
        self.streams.follow_all(&self.network, now_us);
        self.end_streams_due(now_us);
    }

    /// Ends the connections that faults end by `now_us`.
    pub(super) fn end_streams_due(&mut self, now_us: u64) {
        while let Some((connection, cut)) = self.streams.ending_by(now_us) {
            let ends = self.streams.ends(connection, End::Client);
            for (message, kind) in self.streams.cut(connection, cut) {
                self.network.take(message);
                self.emit_now(What::dropped(message, kind, DropReason::Closed));
            }
            if let Some((client, service)) = ends {
                let word = cut.word();
                let detail =
                    format!("a fault of the link has {word} connection {connection} from {client} to {service}");
                self.emit_now(What::Noted { detail: detail.into() });
            }
            for end in [End::Client, End::Service] {
                self.deliver_pieces(connection, end);
            }
            self.settle();
        }
    }

    /// Returns what the reader at an end of a connection may read next. None if a fault has ended the connection.
    pub(super) fn allowance(&self, connection: u64, end: End) -> Option<Allowance> {
        self.streams.allowance(connection, end, self.time.now_us())
    }
}
