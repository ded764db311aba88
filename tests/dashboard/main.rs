//! The page in a real browser, with real processes. If there is no browser, the tests are skipped and report this.

#[path = "../support/browser.rs"]
mod browser;
#[path = "../support/mod.rs"]
mod support;

mod agreement;
mod announced;
mod axe;
mod connection;
mod cursor;
mod diagram;
mod effort;
mod elections;
mod examples;
mod findings;
mod guide;
mod held;
mod keyboard;
mod lesson;
mod load;
mod loaded;
mod locks;
mod looks;
mod matrix;
mod messages;
mod nodes;
mod page;
mod phenomena;
mod pictures;
mod quiet;
mod readable;
mod reference;
mod runs;
mod save;
mod schedule_file;
mod schedules;
mod screen;
mod sources;
mod stage;
mod stories;
mod violation_by_hand;
mod why;
