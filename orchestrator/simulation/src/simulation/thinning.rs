//! Delta debugging (Zeller and Hildebrandt 2002, "Simplifying and isolating failure-inducing input") of a list.

use std::ops::Range;

/// Removes ever smaller pieces of a list until no single item can be removed. `remove` tries to remove the items in
/// a range, and returns whether it removed any.
pub(super) fn thin<S, E>(
    search: &mut S,
    length: impl Fn(&S) -> usize,
    remove: impl Fn(&mut S, Range<usize>) -> Result<bool, E>,
) -> Result<(), E> {
    let mut size = length(search).div_ceil(2);
    while size > 0 {
        let before = length(search);
        let mut start = 0;
        while start < length(search) {
            let end = (start + size).min(length(search));
            if !remove(search, start..end)? {
                start = end;
            }
        }
        // A removal can make other removals possible, so all single removals are tried again.
        size = if size == 1 && length(search) < before { 1 } else { size / 2 };
    }
    Ok(())
}
