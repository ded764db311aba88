//! Faults of connections: the streams take over the faults of their links, end connections, and limit what is read.

use std::time::Duration;

use interlock_machine::message_id::MessageId;
use interlock_model::byte_count::ByteCount;
use interlock_model::event::MessageKind;
use interlock_model::network::{Network, TcpFaults};
use interlock_model::span::Span;

use super::pace::{Allowance, Cut, saturated};
use super::pieces::{Connection, Course, Direction, Sent, Streams};
use super::{End, LARGEST_PIECE, Piece};

/// Time by which pieces are read before they may enter their link, so that a late reader leaves no gap, in µs.
const AHEAD_US: u64 = 20_000;

/// Number of pieces into which the bytes of a second are cut on a link with a bandwidth.
const PIECES_A_SECOND: u64 = 50;

impl Streams {
    /// Takes over the faults of all links after a change of the network, and wakes everything that depends on them.
    pub fn follow_all(&mut self, network: &Network, now_us: u64) {
        let all: Vec<u64> = self.connections.keys().copied().collect();
        for connection in all {
            self.follow(connection, network, now_us);
        }
        self.changes.send_replace(());
    }

    /// Takes over the faults of a connection's links.
    pub fn follow(&mut self, connection: u64, network: &Network, now_us: u64) {
        let Some(found) = self.connections.get_mut(&connection) else { return };
        let Connection { client, service, to_client, to_service, countdowns, .. } = found;
        let links = [network.tcp(*client, *service), network.tcp(*service, *client)];
        countdowns.follow(links, network.reset_by_partitions(*client, *service), now_us);
        to_service.pace.follow(links[0]);
        to_client.pace.follow(links[1]);
        self.schedule_ending(connection, now_us);
    }

    /// Records when a connection ends. A connection whose limit is reached ends at once.
    fn schedule_ending(&mut self, connection: u64, now_us: u64) {
        let Some(found) = self.connections.get_mut(&connection).filter(|found| !found.is_over) else { return };
        let is_full = found.to_service.pace.left() == 0 || found.to_client.pace.left() == 0;
        let ending = if is_full { Some((now_us, Cut::Drain)) } else { found.countdowns.next() };
        if let Some((ends_us, _)) = std::mem::replace(&mut found.ending, ending) {
            self.endings.remove(&(ends_us, connection));
        }
        self.endings.extend(ending.map(|(ends_us, _)| (ends_us, connection)));
    }

    /// Returns the time at which a fault ends a connection next.
    pub fn next_ending_us(&self) -> Option<u64> {
        self.endings.first().map(|(ends_us, _)| *ends_us)
    }

    /// Returns a connection that a fault ends by `now_us`, and how it ends.
    pub fn ending_by(&self, now_us: u64) -> Option<(u64, Cut)> {
        let (_, connection) = self.endings.first().filter(|(ends_us, _)| *ends_us <= now_us)?;
        let (_, cut) = self.connections.get(connection)?.ending?;
        Some((*connection, cut))
    }

    /// Ends a connection. Returns the pieces that are lost by that.
    pub fn cut(&mut self, connection: u64, cut: Cut) -> Vec<(MessageId, MessageKind)> {
        self.forget_ending(connection);
        let Some(found) = self.connections.get_mut(&connection) else { return Vec::new() };
        found.is_over = true;
        // A task that writes ends without pieces, and must then see how the connection ends.
        for course in &found.courses {
            course.send_replace(if cut == Cut::Reset { Course::Broken } else { Course::Closed });
        }
        let lost: Vec<_> = [&mut found.to_client, &mut found.to_service]
            .into_iter()
            .flat_map(|direction| direction.cut(cut))
            .collect();
        for (message, _) in &lost {
            self.pieces.remove(message);
        }
        lost
    }

    /// Records that no fault ends a connection any longer.
    pub(super) fn forget_ending(&mut self, connection: u64) {
        let ending = self.connections.get_mut(&connection).and_then(|found| found.ending.take());
        if let Some((ends_us, _)) = ending {
            self.endings.remove(&(ends_us, connection));
        }
    }

    /// Returns the time at which a piece has entered its link as a whole, and counts its bytes. Shortens the piece if
    /// it exceeds the limit of its connection.
    pub fn enter(&mut self, connection: u64, to: End, piece: &mut Piece, now_us: u64) -> u64 {
        let Some(found) = self.connections.get_mut(&connection) else { return now_us };
        let (ends, direction) = match to {
            End::Client => ((found.service, found.client), &mut found.to_client),
            End::Service => ((found.client, found.service), &mut found.to_service),
        };
        let pace = &mut direction.pace;
        let faults = pace.faults;
        match piece {
            Piece::Data(bytes) => bytes.truncate(pace.left()),
            Piece::End => return now_us + faults.slow_close.unwrap_or_default().0,
            Piece::Open | Piece::Reset => return now_us,
        }
        let bytes = piece.bytes() as u64;
        pace.sent += bytes;
        let mut entered_us = now_us;
        if let Some(Span(pause_us)) = faults.slice_pause {
            entered_us = entered_us.max(pace.next_us);
            pace.next_us = entered_us.saturating_add(pause_us);
        }
        if let Some(ByteCount(rate)) = faults.bandwidth {
            let free_us = self.links_free_us.entry(ends).or_default();
            let takes_us = bytes.saturating_mul(1_000_000).div_ceil(rate.max(1));
            *free_us = entered_us.max(*free_us).saturating_add(takes_us);
            entered_us = *free_us;
        }
        if pace.left() == 0 {
            self.schedule_ending(connection, now_us);
        }
        entered_us
    }

    /// Returns what the reader at the end `from` of a connection may read next. None if a fault has ended the
    /// connection.
    pub fn allowance(&self, connection: u64, from: End, now_us: u64) -> Option<Allowance> {
        let found = self.connections.get(&connection).filter(|found| !found.is_over)?;
        let (ends, direction) = match from {
            End::Client => ((found.client, found.service), &found.to_service),
            End::Service => ((found.service, found.client), &found.to_client),
        };
        let pace = &direction.pace;
        if pace.faults == TcpFaults::default() {
            return Some(Allowance::UNLIMITED);
        }
        let at_most = |most: usize, count: Option<u64>| count.map_or(most, |count| most.min(saturated(count)));
        let most = LARGEST_PIECE.min(pace.left());
        let most = at_most(most, pace.faults.slice.map(|slice| slice.0));
        let of_link = pace.faults.bandwidth.map(|rate| (rate.0 / PIECES_A_SECOND).max(1));
        let link_us = of_link.and_then(|_| self.links_free_us.get(&ends).copied()).unwrap_or_default();
        let free_us = pace.next_us.max(link_us).saturating_sub(AHEAD_US);
        Some(Allowance { most: at_most(most, of_link), wait: Duration::from_micros(free_us.saturating_sub(now_us)) })
    }
}

impl Direction {
    /// Ends this direction. Returns the pieces that are lost by that.
    fn cut(&mut self, cut: Cut) -> Vec<(MessageId, MessageKind)> {
        if cut == Cut::Drain && !self.is_silent {
            self.push(Sent { message: None, piece: Piece::End, has_arrived: true });
            return Vec::new();
        }
        let lost = self.forget(|_| true);
        if cut == Cut::Reset {
            // Without pieces, the task that writes ends. It sees the course of the connection, and breaks its socket.
            self.writer = None;
        } else {
            self.hand_end();
        }
        lost
    }
}
