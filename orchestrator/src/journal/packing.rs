//! Writes events to the blocks of a journal.
//!
//! A block of few events would compress badly, so it stays loose: its text is stored as it is. When the loose blocks
//! have enough events together, one packed block replaces them, in the transaction that adds the last of these
//! events. Under load, the events of one transaction are enough, and each event is written once. Otherwise, an event
//! is written at most twice.

use std::str;

use flate2::{Compress, Compression, FlushCompress, Status};
use interlock_model::event::Event;
use rusqlite::{Transaction, params};

use super::Cause;
use super::block::{Block, ENOUGH_BYTES};

/// Number of events that are packed together, at least.
const ENOUGH: u64 = 64;
/// Maximum number of events in a block. Larger blocks would hardly be smaller in total, and a reader of one event
/// decompresses the whole block.
const MOST: u64 = 256;

/// Level of the compression. The first level needs a fifth more space, the third level a third more time.
const LEVEL: u32 = 2;

const INSERT: &str = "INSERT INTO block (last, events, kinds, bytes, text) VALUES (?1, ?2, ?3, ?4, ?5)";
const DELETE: &str = "DELETE FROM block WHERE last > ?1";

/// Packs the events of a journal into blocks.
pub(super) struct Packer {
    /// Number of the last event.
    last: u64,
    /// Events in the loose blocks of the journal.
    loose: Block,
    /// Events that are not in the journal yet.
    fresh: Block,
    compress: Compress,
    packed: Vec<u8>,
}

impl Packer {
    pub fn new() -> Self {
        let compress = Compress::new(Compression::new(LEVEL), true);
        Self { last: 0, loose: Block::default(), fresh: Block::default(), compress, packed: Vec::new() }
    }

    /// Inserts events, the first of which must follow the last inserted event. Returns the number of the last
    /// inserted event. After an error, the transaction must not be committed, and the journal has ended.
    pub fn insert(&mut self, transaction: &Transaction<'_>, events: &[Event]) -> Result<u64, Cause> {
        for event in events {
            let (expected, found) = (self.last + 1, event.seq);
            if found != expected {
                return Err(Cause::Gap { expected, found });
            }
            self.fresh.push(event)?;
            self.last = found;
            self.pack_if(transaction, MOST)?;
        }
        self.pack_if(transaction, ENOUGH)?;
        if self.fresh.events > 0 {
            insert_loose(transaction, self.last, &self.fresh)?;
            self.loose.append(&mut self.fresh);
        }
        Ok(self.last)
    }

    /// Packs all events that are not packed yet, if they are `enough` or have [`ENOUGH_BYTES`].
    fn pack_if(&mut self, transaction: &Transaction<'_>, enough: u64) -> Result<(), Cause> {
        let Self { last, loose, fresh, .. } = self;
        let events = loose.events + fresh.events;
        if fresh.events == 0 || events < enough && loose.text.len() + fresh.text.len() < ENOUGH_BYTES {
            return Ok(());
        }
        if loose.events > 0 {
            transaction.prepare_cached(DELETE)?.execute([*last - events])?;
        }
        loose.append(fresh);
        pack(&mut self.compress, &loose.text, &mut self.packed)?;
        let (kinds, bytes) = (loose.kinds.join(" "), loose.text.len());
        transaction.prepare_cached(INSERT)?.execute(params![*last, loose.events, kinds, bytes, self.packed])?;
        loose.clear();
        Ok(())
    }
}

/// Inserts events, the last of which has number `last`, as a loose block.
pub(super) fn insert_loose(transaction: &Transaction<'_>, last: u64, block: &Block) -> Result<(), Cause> {
    let text = str::from_utf8(&block.text).map_err(|_| Cause::Malformed("an event is not UTF-8".to_owned()))?;
    let (kinds, bytes) = (block.kinds.join(" "), text.len());
    transaction.prepare_cached(INSERT)?.execute(params![last, block.events, kinds, bytes, text])?;
    Ok(())
}

/// Compresses `text` into `packed`.
fn pack(compress: &mut Compress, text: &[u8], packed: &mut Vec<u8>) -> Result<(), Cause> {
    compress.reset();
    packed.clear();
    packed.shrink_to(ENOUGH_BYTES);
    loop {
        packed.reserve(text.len() / 8 + 1_024);
        let taken = usize::try_from(compress.total_in()).unwrap_or(text.len());
        let status = compress.compress_vec(&text[taken..], packed, FlushCompress::Finish);
        if status.map_err(|error| Cause::Malformed(error.to_string()))? == Status::StreamEnd {
            return Ok(());
        }
    }
}
