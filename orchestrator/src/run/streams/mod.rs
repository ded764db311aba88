//! TCP connections to the services of a run. Each pair of a process and a service's process has a link of its own: a
//! port on the loopback interface, at which the orchestrator listens in place of the service. What passes there becomes
//! messages of the run's network: `SYN`, `DATA`, `FIN` and `RST`. So all faults of links act on connections, and
//! happened-before runs through services.
//!
//! A message of a connection is called a piece. The bytes of a piece stay here; the events contain only their number.

mod connection;
mod decoder;
mod faults;
mod links;
mod pace;
mod pieces;
#[cfg(test)]
mod tests;

pub(super) use connection::serve;
pub(super) use decoder::Decoded;
pub use links::{Links, LinksError};
pub(super) use pace::Allowance;
pub(super) use pieces::{Opened, Streams};

use axum::body::Bytes;
use interlock_model::event::stream;

/// Maximum number of bytes of a piece.
const LARGEST_PIECE: usize = 16 * 1024;
/// Memory of a piece besides its bytes, roughly, in bytes. So many small pieces also fill a connection.
const WEIGHT_OF_A_PIECE: usize = 256;

/// A part of a connection that passes from one end to the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// The opening of the connection.
    Open,
    /// Some bytes.
    Data(Bytes),
    /// The end of the bytes.
    End,
    /// The sender has broken the connection.
    Reset,
}

impl Piece {
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Open => stream::SYN,
            Self::Data(_) => stream::DATA,
            Self::End => stream::FIN,
            Self::Reset => stream::RST,
        }
    }

    pub fn bytes(&self) -> usize {
        if let Self::Data(bytes) = self { bytes.len() } else { 0 }
    }

    /// Returns the memory that the piece occupies while it is on its way, roughly, in bytes.
    fn weight(&self) -> usize {
        self.bytes() + WEIGHT_OF_A_PIECE
    }
}

/// An end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum End {
    /// The process that opened the connection.
    Client,
    /// The process of the service.
    Service,
}

impl End {
    pub const fn other(self) -> Self {
        match self {
            Self::Client => Self::Service,
            Self::Service => Self::Client,
        }
    }
}
