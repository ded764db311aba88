//! The journal: every event of a run in an SQLite file of its own.
