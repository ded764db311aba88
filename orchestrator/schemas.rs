//! Build script of the crates that derive schemas: types that the OpenAPI document shows as another type.
//!
//! The crates of the nodes do not depend on `utoipa`, so their types have no schemas. If a field's document form
//! differs from this table, the field has a `value_type` attribute.

use utoipa_config::Config;

/// Names of types, each with the type whose schema the document shows.
const SHOWN_AS: [(&str, &str); 18] = [
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
    ("Operation", "Object"),
    ("RequestId", "u64"),
    ("Response", "Object"),
    ("Risk", "String"),
    ("RuleAction", "String"),
    ("TimerLabel", "interlock_model::event::Timer"),
];

fn main() {
    // Without this line, a change to any file of the crate runs the script again.
    println!("cargo::rerun-if-changed=Cargo.toml");
    let config = SHOWN_AS.iter().fold(Config::new(), |config, (name, shown)| config.alias_for(name, shown));
    config.write_to_file();
}
