//! `interlock schema`: prints the JSON Schema of a file format, for editors.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use interlock_simulation::scenario;

use super::{COULD_NOT, OK};

/// Meanings of the exit codes.
const EXIT_CODES: &str = "Exit codes:
  0  the schema is printed
  3  the schema cannot be written";

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct SchemaOptions {
    /// Document that the schema describes
    #[arg(value_enum, value_name = "WHAT")]
    what: Document,
}

/// A document that people or their programs write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Document {
    /// Scenario, as `interlock run` plays it
    Scenario,
    /// Line of the node protocol, for your own programs
    Node,
}

/// Prints the schema on standard output.
pub fn run(options: &SchemaOptions) -> ExitCode {
    let schema = match options.what {
        Document::Scenario => format!("{:#}\n", scenario::schema()),
        Document::Node => include_str!("../../../docs/node.schema.json").to_owned(),
    };
    match io::stdout().lock().write_all(schema.as_bytes()) {
        Ok(()) => ExitCode::from(OK),
        // The reader of the output, such as `head`, has closed the pipe because it needs no further lines. This is
        // not an error.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::from(OK),
        Err(error) => {
            eprintln!("interlock: cannot write the schema: {error}");
            ExitCode::from(COULD_NOT)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use clap::Parser;
    use interlock_simulation::scenario::{Scenario, Written};
    use jsonschema::Validator;
    use serde_json::Value;

    use super::super::Arguments;
    use super::*;

    fn validator() -> Validator {
        let schema = scenario::schema();
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
        jsonschema::draft202012::meta::validate(&schema).expect("a schema");
        jsonschema::draft202012::new(&schema).expect("a schema")
    }

    fn document(text: &str) -> Value {
        Written::read(text).unwrap_or_else(|malformed| panic!("{text}: {malformed:?}")).value
    }

    fn complaints(validator: &Validator, document: &Value) -> Vec<String> {
        validator.iter_errors(document).map(|error| format!("{}: {error}", error.instance_path())).collect()
    }

    #[test]
    fn the_library_keeps_to_the_schema() {
        let validator = validator();
        let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/scenarios");
        let mut read = 0;
        for folder in [library.clone(), library.join("examples")] {
            for entry in fs::read_dir(folder).expect("the library") {
                let path = entry.expect("a file").path();
                if path.extension().is_some_and(|end| end == "yaml") {
                    let text = fs::read_to_string(&path).expect("a text");
                    assert_eq!(complaints(&validator, &document(&text)), [""; 0], "{}", path.display());
                    read += 1;
                }
            }
        }
        assert!(read >= 50, "{read}");
    }

    #[test]
    fn a_scenario_with_programs_keeps_to_the_schema() {
        let nodes = "nodes: [{ command: [python3, node.py], count: 2 }, { command: [./node] }, { count: 1 }]";
        let own = "nodes: [{ command: [./node], count: 3 }]";
        let service = "nodes: [{ command: [./node], protocol: maelstrom }]\nworkload: { service: broadcast }\n\
                       steps: [{ wait: { operations: 9 } }, { mark: m }]\n\
                       expect: [{ after: m, eventually: converged }, { every_node: returned }, { operations: 9 }]";
        let declared = "own: { title: Ours, message_kinds: [ASK, TOKEN], background_kinds: [TOKEN], locks: many, assumes: \
                        { fifo: true, failure_detector: perfect, time_outs: [{ parameter: a, messages: 2, risk: safety }] } }";
        for text in [
            format!("algorithm: ricart-agrawala\n{nodes}\n"),
            format!("algorithm: own\n{own}\n"),
            format!("algorithm: own\n{own}\n{declared}\nparameters: {{ a: 5 }}\n"),
            format!("algorithm: own\n{service}\n"),
        ] {
            let document = document(&text);
            assert!(Scenario::read(document.clone()).is_ok(), "{text}");
            assert_eq!(complaints(&validator(), &document), [""; 0], "{text}");
        }
    }

    /// Tests that the schema accepts every form of the notation. Each form occurs in at least one of the documents
    /// below.
    #[test]
    fn what_the_reader_takes_keeps_to_the_schema() {
        let validator = validator();
        let run = "algorithm: lamport\nnodes: 4\nlocks: 2\n";
        for fields in [
            "network: { delay: uniform:1ms..5ms, loss: 10%, duplicate: 0.1, delays: { ACK: 3 } }",
            "network: { delay: 2s }\nworkload: { idle: exp:20ms, hold: 5, tell: 5%, nodes: all, again: 3ms }",
            "links: [{ from: 0, to: 1, delay: 30ms, loss: 1% }]\nslow_after_ms: 2s",
            "parameters: {}\nseed: 7\ntimers: true\nversion: 1\nname: x\nvariant: original\nchannel: raw",
            "steps: null\nexpect: null\nstop: null\nnemesis: null\nabout: null\nsource: null",
            "about: what is seen\nsource: a book\nexpect: [{ decided: { value: v } }, { decided: { instance: 3 } }]",
            "steps: [{ at: 2s, crash: 1 }, { at: 3, wait: stuck, within: 1s }, { at: 4s, sleep: 1s }, { at: 5s, mark: x }]",
            "steps: [{ acquire: 2 }, { acquire: holder }, { acquire: node 3 }, { acquire: { node: 2, lock: 1, hold: 5ms } }]",
            "steps: [{ acquire_together: { node: 1, locks: [0, 1], hold: 5ms } }, { release: 2 }]",
            "steps: [{ tell: { from: holder, to: 2, hold: 5ms } }, { restart: { node: 2, state: none } }]",
            "steps: [{ crash: { node: 2, for: 1s } }, { pause: { node: waiting, for: 2 } }, { resume: 1 }]",
            "steps: [{ partition: { groups: \"3, holder|others\", lost: hold, direction: forward, for: 1s } }]",
            "steps: [{ partition: { groups: [[3, holder], [others]] } }]",
            "steps: [{ rule: { match: { message_kind: ACK, from: holder }, action: 'delay:50ms', count: 1, for: 1s } }]",
            "steps: [{ network: { default: { loss: 10% } } }, { network: { link: { from: holder, to: 1, delay: 3ms } } }]",
            "steps: [{ deliver: ACK from 1 to holder }, { lose: 0.1.12 }, { hold: 0.1.1 }, { duplicate: from 1 }]",
            "steps: [{ heal: all }, { heal: }, { heal: {} }, { note: x }, { mark: y }, { sleep: 300ms }]",
            "steps: [{ fire: { node: 0, timer: { client: idle } } }]",
            "steps: [{ repeat: 3, steps: [{ wait: { entries: 3 }, within: 5s }] }]",
            "steps: [{ wait: stuck }, { wait: { stuck: } }, { wait: { entered: } }, { wait: { entered: { node: 1 } } }]",
            "steps: [{ wait: { any: [stuck, { all: [slow, { violation: order }] }] } }, { wait: { every_node: exited } }]",
            "steps: [{ wait: { event: { kind: delivered, message_kind: ACK, to: 0 } } }, { wait: { violation: { monitor: } } }]",
            "steps: [{ mark: m }]\nexpect: [{ never: violation }, { after: m, within: 1s, eventually: { entries: 1 } }]",
            "expect: { metric: response_time.p99 < 200ms }",
            "expect: [{ violation: mutual-exclusion }, { decided: }, { elected: { leader: 3 } }, { any: [idle] }]",
            "stop: decided",
            "stop: { after: 60s, when: { entered: { node: 1 } } }",
            "nemesis: { kinds: [crash, lose], every: exp:2s, budget: 10, for: uniform:50ms..500ms }",
        ] {
            let document = document(&format!("{run}{fields}\n"));
            let known = Scenario::read(document.clone());
            let wrong_in_form = known.err().into_iter().flatten().filter(|error| !is_of_this_run(&error.detail));
            assert_eq!(wrong_in_form.collect::<Vec<_>>(), [], "{fields}");
            assert_eq!(complaints(&validator, &document), [""; 0], "{fields}");
        }
    }

    /// Returns whether the error `detail` only means that the algorithm of the run does not support a field or step.
    /// In this case, the document has a valid form.
    fn is_of_this_run(detail: &str) -> bool {
        ["one lock", "cannot be", "does not have the command", "does not elect", "never happens", "TELL", "variant"]
            .iter()
            .any(|part| detail.contains(part))
    }

    #[test]
    fn what_the_reader_refuses_for_its_form_breaks_the_schema() {
        let validator = validator();
        for (fields, pointer) in [
            ("step: []", "/step"),
            ("script: []", "/script"),
            ("nodes: many", "/nodes"),
            ("nodes: [{ comand: [a] }]", "/nodes/0/comand"),
            ("nodes: [{ command: a b }]", "/nodes/0/command"),
            ("own: { tokens: [T] }", "/own/tokens"),
            ("own: { assumes: { no_los: true } }", "/own/assumes/no_los"),
            ("own: { locks: two }", "/own/locks"),
            ("network: { dely: 3 }", "/network/dely"),
            ("network: { loss: [1] }", "/network/loss"),
            ("links: [{ from: 0 }]", "/links/0"),
            ("links: [{ from: holder, to: 1 }]", "/links/0/from"),
            ("workload: { idel: 3 }", "/workload/idel"),
            ("workload: { service: lin-kf }", "/workload/service"),
            ("steps: {}", "/steps"),
            ("steps: [{}]", "/steps/0"),
            ("steps: [{ crush: 1 }]", "/steps/0/crush"),
            ("steps: [{ after: 3 }]", "/steps/0/after"),
            ("steps: [{ crash: 1, pause: 1 }]", "/steps/0/pause"),
            ("steps: [{ crash: holdre }]", "/steps/0/crash/node"),
            ("steps: [{ crash: { node: 1, fro: 1s } }]", "/steps/0/crash"),
            ("steps: [{ acquire: { node: 1, for: 1s } }]", "/steps/0/acquire/for"),
            ("steps: [{ restart: { node: 1, state: nothing } }]", "/steps/0/restart"),
            ("steps: [{ partition: { groups: \"0|othres\" } }]", "/steps/0/partition/groups"),
            ("steps: [{ rule: { action: dorp } }]", "/steps/0/rule/action"),
            ("steps: [{ heal: some }]", "/steps/0/heal"),
            ("steps: [{ heal: { node: 1 } }]", "/steps/0/heal"),
            ("steps: [{ heal: all, within: 1s }]", "/steps/0/within"),
            ("steps: [{ wait: stuk }]", "/steps/0/wait"),
            ("steps: [{ wait: { entered: { nod: 1 } } }]", "/steps/0/wait/entered"),
            ("steps: [{ wait: { entries: 0 } }]", "/steps/0/wait/entries"),
            ("steps: [{ wait: { operations: 0 } }]", "/steps/0/wait/operations"),
            ("steps: [{ wait: { any: [] } }]", "/steps/0/wait/any"),
            ("steps: [{ wait: { event: { kind: delivred } } }]", "/steps/0/wait/event/kind"),
            ("steps: [{ repeat: 0, steps: [] }]", "/steps/0/repeat"),
            ("steps: [{ repeat: 3 }]", "/steps/0/steps"),
            ("steps: [{ at: 1s }]", "/steps/0"),
            ("steps: [{ at: [], crash: 1 }]", "/steps/0/at"),
            ("steps: [{ at: 1s, repeat: 3, steps: [] }]", "/steps/0/at"),
            ("about: [1]", "/about"),
            ("source: 1", "/source"),
            ("steps: [{ mark: '' }]", "/steps/0/mark"),
            ("expect: never", "/expect"),
            ("expect: [{ nevr: stuck }]", "/expect/0/nevr"),
            ("expect: [{ never: { violation: mutual-exclusino } }]", "/expect/0/never/violation"),
            ("expect: [{ metric: entries }]", "/expect/0/metric"),
            ("expect: [{ metric: entries > 3, within: 1s }]", "/expect/0/within"),
            ("stop: { afer: 3s }", "/stop/afer"),
            ("stop: 3", "/stop"),
            ("nemesis: { kinds: [], every: 1s, budget: 1 }", "/nemesis/kinds"),
            ("nemesis: { kinds: [crsh], every: 1s, budget: 1 }", "/nemesis/kinds/0"),
            ("nemesis: { kinds: [crash], every: 1s, budget: 0 }", "/nemesis/budget"),
            ("nemesis: { kinds: [crash], budget: 1 }", "/nemesis"),
        ] {
            let document = document(&format!("algorithm: lamport\n{fields}\n"));
            let errors = Scenario::read(document.clone()).map(|_| ()).expect_err(fields);
            assert!(errors.iter().any(|error| error.pointer.starts_with(pointer)), "{fields}: {errors:?}");
            assert!(!validator.is_valid(&document), "{fields}");
        }
        for text in ["nodes: 3", "algorithm: lamprot", "[]"] {
            assert!(Scenario::read(document(text)).is_err() && !validator.is_valid(&document(text)), "{text}");
        }
    }

    #[test]
    fn what_has_no_schema_is_refused_with_the_nearest_name() {
        let refused = Arguments::try_parse_from(["interlock", "schema", "scenaro"]).expect_err("no such schema");
        let told = refused.to_string();
        assert!(refused.exit_code() == i32::from(super::super::USAGE) && told.contains("similar value"), "{told}");
        assert!(told.contains("'scenario'"), "{told}");
        Arguments::try_parse_from(["interlock", "schema", "scenario"]).expect("a schema");
    }
}
