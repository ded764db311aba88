//! Storage for rows of numbers. All rows have the same width, and a stored row never moves in memory.

/// Number of rows in a block.
const ROWS: usize = 1 << 16;

/// Rows of numbers in blocks of a fixed size. Adding a row never copies the existing rows. So growth never needs
/// memory for two copies, and at most one block is partly unused.
#[derive(Debug)]
pub(super) struct Blocks {
    width: usize,
    rows: Vec<Vec<u32>>,
    count: usize,
}

impl Blocks {
    pub const fn new(width: usize) -> Self {
        Self { width, rows: Vec::new(), count: 0 }
    }

    /// Returns the number of rows.
    pub const fn len(&self) -> usize {
        self.count
    }

    /// Returns the row at this index.
    #[inline]
    pub fn row(&self, place: usize) -> &[u32] {
        let first = place % ROWS * self.width;
        &self.rows[place / ROWS][first..first + self.width]
    }

    /// Adds a row. Its length must be the width of the rows.
    #[inline]
    pub fn push(&mut self, row: &[u32]) {
        debug_assert_eq!(row.len(), self.width, "rows are of one width");
        if self.count.is_multiple_of(ROWS) {
            self.rows.push(Vec::with_capacity(ROWS * self.width));
        }
        self.rows[self.count / ROWS].extend_from_slice(row);
        self.count += 1;
    }

    /// Returns the number of bytes that the rows occupy.
    pub const fn memory(&self) -> usize {
        self.count * self.width * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stay_what_they_are_beyond_the_end_of_a_block() {
        let mut blocks = Blocks::new(2);
        let rows = || (0_u32..).take(2 * ROWS + 1).map(|number| [number, !number]);
        rows().for_each(|row| blocks.push(&row));
        assert_eq!((blocks.len(), blocks.memory()), (2 * ROWS + 1, 8 * (2 * ROWS + 1)));
        assert!(rows().enumerate().all(|(place, row)| blocks.row(place) == row));
    }
}
