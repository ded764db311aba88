//! What faults do to one connection: when they end it, and how fast its bytes enter the link.

use std::time::Duration;

use interlock_model::network::TcpFaults;
use interlock_model::span::Span;

use super::LARGEST_PIECE;

/// How a fault ends a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::run) enum Cut {
    /// Both ends see a broken connection. Everything on its way is lost.
    Reset,
    /// Both ends see the end of the connection. Everything on its way is lost.
    Close,
    /// Both ends see the end of the connection after everything that is on its way.
    Drain,
}

impl Cut {
    /// Returns the participle for the event that reports the end.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Reset => "reset",
            Self::Close | Self::Drain => "closed",
        }
    }
}

/// A fault that ends a connection after a time.
#[derive(Debug, Default)]
struct Countdown {
    span: Option<Span>,
    ends_us: Option<u64>,
}

impl Countdown {
    /// Takes over the time of the fault. A new time counts from now on.
    fn follow(&mut self, span: Option<Span>, now_us: u64) {
        if self.span != span {
            let ends_us = span.map(|Span(us)| now_us.saturating_add(us));
            *self = Self { span, ends_us };
        }
    }
}

/// The faults that end a connection after a time. A pair has one fault for each direction.
#[derive(Debug, Default)]
pub(super) struct Countdowns {
    resets: [Countdown; 2],
    timeouts: [Countdown; 2],
    partition: Countdown,
    down: Countdown,
}

impl Countdowns {
    pub(super) fn follow(&mut self, links: [TcpFaults; 2], partition: Option<Span>, now_us: u64) {
        let Self { resets, timeouts, partition: cut_off, down } = self;
        for (place, link) in links.iter().enumerate() {
            resets[place].follow(link.reset, now_us);
            timeouts[place].follow(link.timeout, now_us);
        }
        cut_off.follow(partition, now_us);
        down.follow(links[0].down.then_some(Span(0)), now_us);
    }

    /// Returns the time at which the connection ends, and how it ends.
    pub(super) fn next(&self) -> Option<(u64, Cut)> {
        let Self { resets, timeouts, partition, down } = self;
        let with = |cut| move |countdown: &Countdown| countdown.ends_us.map(|ends_us| (ends_us, cut));
        let resets = resets.iter().chain([partition]).filter_map(with(Cut::Reset));
        let closes = timeouts.iter().chain([down]).filter_map(with(Cut::Close));
        resets.chain(closes).min_by_key(|(ends_us, _)| *ends_us)
    }
}

/// The speed of one direction of a connection.
#[derive(Debug, Default)]
pub(super) struct Pace {
    pub faults: TcpFaults,
    /// Number of bytes that were sent.
    pub sent: u64,
    /// Number of sent bytes at which the connection is closed.
    limit: Option<u64>,
    /// Time at which the next slice may enter the link.
    pub next_us: u64,
}

impl Pace {
    pub(super) fn follow(&mut self, faults: TcpFaults) {
        if self.faults.limit != faults.limit {
            self.limit = faults.limit.map(|limit| self.sent.saturating_add(limit.0));
        }
        if self.faults.slice_pause != faults.slice_pause {
            self.next_us = 0;
        }
        self.faults = faults;
    }

    pub(super) fn left(&self) -> usize {
        match self.limit {
            Some(limit) => saturated(limit.saturating_sub(self.sent)),
            None => usize::MAX,
        }
    }
}

/// Limits of the next read of a connection's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::run) struct Allowance {
    /// Maximum number of bytes of the next piece.
    pub most: usize,
    /// Time for which the reader waits first.
    pub wait: Duration,
}

impl Allowance {
    pub const UNLIMITED: Self = Self { most: LARGEST_PIECE, wait: Duration::ZERO };
}

/// Returns the number, or the largest number of bytes if it is larger.
pub(super) fn saturated(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}
