//! Files of a zip archive, selected at compile time: the program contains the selected files, not the archive.

/// A deflated file within a zip archive (APPNOTE 6.3.10, sections 4.3.12 and 4.3.16).
#[derive(Debug)]
pub struct Entry {
    /// Offset of the compressed data in the archive, in bytes.
    start: usize,
    /// Size of the compressed data, in bytes.
    pub size: usize,
    /// Size of the file, in bytes.
    pub length: u32,
    /// Checksum of the file.
    pub crc32: u32,
}

impl Entry {
    /// Finds the file whose path ends with `ending`.
    ///
    /// # Panics
    ///
    /// If `archive` is not a zip archive, or has no such file, or stores the file without compression. In a constant,
    /// a panic is a compile error.
    pub const fn find(archive: &[u8], ending: &[u8]) -> Self {
        let directory_end = end_of_directory(archive);
        let mut at = number(archive, directory_end + 16, 4);
        while at < directory_end {
            let path_end = at + 46 + number(archive, at + 28, 2);
            if has_before(archive, path_end, ending) {
                assert!(number(archive, at + 10, 2) == 8, "the file is not deflated");
                return Self::described(archive, at);
            }
            at = path_end + number(archive, at + 30, 2) + number(archive, at + 32, 2);
        }
        panic!("the archive has no such file")
    }

    /// Reads the entry whose header in the central directory begins at `at`.
    const fn described(archive: &[u8], at: usize) -> Self {
        // The lengths of path and extra field differ between the header in the directory and the one before the data.
        let local = number(archive, at + 42, 4);
        Self {
            start: local + 30 + number(archive, local + 26, 2) + number(archive, local + 28, 2),
            size: number(archive, at + 20, 4),
            length: u32::from_le_bytes(bytes(archive, at + 24)),
            crc32: u32::from_le_bytes(bytes(archive, at + 16)),
        }
    }

    /// Copies the compressed data. `SIZE` is the field `size`.
    ///
    /// # Panics
    ///
    /// If the archive ends before the data does.
    pub const fn data<const SIZE: usize>(&self, archive: &[u8]) -> [u8; SIZE] {
        bytes(archive, self.start)
    }
}

/// Returns the offset of the record that ends the central directory. Only a comment can follow this record.
const fn end_of_directory(archive: &[u8]) -> usize {
    let mut at = archive.len() - 22;
    while number(archive, at, 4) != 0x0605_4b50 {
        at -= 1;
    }
    at
}

/// Returns whether `text` stands directly before the offset `end`.
const fn has_before(archive: &[u8], end: usize, text: &[u8]) -> bool {
    let mut at = 0;
    while at < text.len() {
        if archive[end - text.len() + at] != text[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// Reads a number of `width` bytes, the lowest byte first.
const fn number(archive: &[u8], at: usize, width: usize) -> usize {
    let mut number = 0;
    let mut byte = width;
    while byte > 0 {
        byte -= 1;
        number = number << 8 | archive[at + byte] as usize;
    }
    number
}

const fn bytes<const SIZE: usize>(archive: &[u8], at: usize) -> [u8; SIZE] {
    match archive.split_at(at).1.first_chunk() {
        Some(bytes) => *bytes,
        None => panic!("the archive ends too early"),
    }
}

#[cfg(test)]
mod tests {
    use utoipa_swagger_ui_vendored::SWAGGER_UI_VENDORED;

    use super::Entry;

    #[test]
    #[should_panic(expected = "has no such file")]
    fn a_missing_file_is_refused() {
        let _ = Entry::find(SWAGGER_UI_VENDORED, b"/dist/no-such-file.js");
    }

    #[test]
    #[should_panic(expected = "is not deflated")]
    fn a_file_without_compression_is_refused() {
        let _ = Entry::find(SWAGGER_UI_VENDORED, b"/dist/favicon-16x16.png");
    }
}
