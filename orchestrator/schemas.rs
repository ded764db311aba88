//! The build script of each crate that derives schemas: types that the OpenAPI document shows as another type.
//!
//! The crates of the nodes do not depend on `utoipa`, so their types have no schema of their own. A field whose document
//! form differs from this table says so with `value_type`.

use utoipa_config::Config;

/// The name of each type, and the type whose schema the document shows.
const SHOWN_AS: [(&str, &str); 16] = [
    ("AbortCause", "String"),
    ("Ballot", "Object"),
    ("CommandItem", "Object"),
    ("Distribution", "interlock_model::schema::Times"),
    ("FailureDetector", "String"),
    ("FlatMap", "Object"),
    ("Json", "Object"),
    ("LockChoice", "interlock_model::schema::LocksTaken"),
    ("LockId", "u32"),
    ("MessageId", "String"),
    ("MessageKind", "String"),
    ("NodeId", "u32"),
    ("RequestId", "u64"),
    ("Risk", "String"),
    ("RuleAction", "String"),
    ("TimerLabel", "interlock_model::event::Timer"),
];

fn main() {
    // Without this line each changed file of the crate runs the script again.
    println!("cargo::rerun-if-changed=Cargo.toml");
    let config = SHOWN_AS.iter().fold(Config::new(), |config, (name, shown)| config.alias_for(name, shown));
    config.write_to_file();
}
