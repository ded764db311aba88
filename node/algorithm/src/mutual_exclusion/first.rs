//! Incarnations of processes and generations of tokens are counted from 1. Messages omit the number of the first
//! incarnation or generation.

/// Returns the number of the first incarnation or generation, for a message that names none.
pub(super) fn first<N: From<u8>>() -> N {
    N::from(1)
}

/// Returns whether `number` is the number of the first incarnation or generation.
pub(super) fn is_first<N: From<u8> + PartialEq>(number: &N) -> bool {
    *number == first()
}
