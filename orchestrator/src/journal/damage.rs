//! Damage of a journal's blocks.

use std::io;

/// Reason why a block is damaged.
#[derive(Debug, thiserror::Error)]
pub enum Damage {
    /// The columns of the block contradict each other, or have values that are impossible.
    #[error("its columns are invalid")]
    Columns,
    /// The text would have more bytes than the largest possible text.
    #[error("{0} bytes are too many")]
    Large(u64),
    /// The text cannot be decompressed.
    #[error("its text cannot be decompressed: {0}")]
    Compression(io::Error),
    /// The text does not have the stored length.
    #[error("its text does not have the stored length")]
    Length,
    /// The text is not a sequence of events.
    #[error("its text is not a sequence of {0} events")]
    Sequence(u64),
}
