//! Tests of the checks: each document has one error, which must be reported with its line. In every case, all
//! processes that the document started must end.

use std::path::Path;

use libtest_mimic::{Failed, Trial};

use super::check::{Reader, follow};
use super::links;
use crate::support::time_until_gone;

/// A correct document. Each faulty document is a changed copy of it.
const RIGHT: &str = r#"# A document

<!-- check file: two.yaml -->
```yaml
algorithm: ricart-agrawala
nodes: 2
steps:
  - acquire: 0
  - wait: { entered: { node: 0 } }
```

<!-- check
prints: met … two
prints: exit code 1
-->
```sh
two=two.yaml
interlock run $two --simulate --seeds 7
interlock run absent.yaml || echo "exit code 1"
```

```text
met       two (seed 7, …
```

<!-- check exit: 3 -->
```sh
test $two = two.yaml && exit 3
```

<!-- check file: node.py -->
```python
print("a node")
```

<!-- check prints: a node -->
```sh
python3 node.py
```

```python
assert 1 + 1 == 2
```

<!-- check as: schedule -->
```json
{ "specification": { "algorithm": "lamport", "nodes": 2 }, "choices": [] }
```

<!-- check as: protocol -->
```json
{"hello": {"protocol": 1}}
```

<!-- check exempt: it would take a machine of its own -->
```sh
exit 1
```

<!-- check stands in: tests/harness/rust/src/lib.rs -->
```rust
run.expect_no_violation()
```
"#;

/// Errors: the replaced text, its replacement, the line of the report, and a part of the message.
const WRONG: [(&str, &str, usize, &str); 22] = [
    ("nodes: 2", "nods: 2", 4, "did you mean `nodes`"),
    ("acquire: 0", "acquire: 7", 4, "there is no node 7"),
    ("wait: { entered: { node: 0 } }", "wait: { entered: { node: 1 } }", 4, "ends with exit code 1 instead of 0"),
    ("exit code 1\n-->", "exit code 2\n-->", 16, "this is not printed: exit code 2"),
    ("prints: met … two", "prints: exit code … met", 16, "this is not printed: met"),
    ("run $two", "run $three", 16, "three: unbound variable"),
    ("absent.yaml || echo \"exit code 1\"", "absent.yaml", 16, "ends with exit code 3 instead of 0"),
    ("(seed 7, …", "(seed 8, …", 22, "this is not printed: met two (seed 8,"),
    ("exit: 3 -->", "exit: 0 -->", 27, "ends with exit code 3 instead of 0"),
    ("```text", "```toml", 22, "nothing checks a block of toml"),
    ("```text", "```", 22, "the fence does not say what is in the block"),
    ("python3 node.py", "python3 -c \"print('a node')\"", 32, "nothing that follows names the file node.py"),
    ("1 + 1 == 2", "1 + 1 == 3", 41, "AssertionError"),
    (
        "\"choices\": []",
        "\"choices\": [{ \"do\": { \"deliver\": \"0.1.1\" } }]",
        46,
        "ends with exit code 2 instead of 0",
    ),
    ("\"hello\": {\"protocol\": 1}", "\"hello\": {\"protocol\": 2}", 51, "{\"hello\": {\"protocol\": 2}}: "),
    ("check as: protocol", "check as: poem", 51, "nothing checks a block of json as poem"),
    ("<!-- check as: protocol -->\n", "", 50, "a block of json says `as`"),
    ("check exempt: it would take a machine of its own", "check exempt:", 55, "`exempt:` says nothing"),
    ("check as: protocol", "check\nas: protocol\nprints: poems", 53, "promised of nothing that is run"),
    ("check as: protocol", "check\nas: protocol\nplayground: opens", 53, "opened by a block of sh"),
    ("```sh\nexit 1\n```", "nothing here", 55, "no block follows"),
    ("run.expect_no_violation()", "run.expect_nothing()", 61, "does not stand in tests/harness/rust/src/lib.rs"),
];

pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("documents::wrong::a_right_document_is_found_right", || {
            follow(RIGHT).map_err(|wrong| wrong.what.into())
        }),
        Trial::test("documents::wrong::what_is_wrong_is_told_with_its_line", all_are_told),
        Trial::test("documents::wrong::wrong_sql_is_told", wrong_sql_is_told),
        Trial::test("documents::wrong::links_that_lead_nowhere_are_told", links_are_told),
        Trial::test("documents::wrong::what_a_document_has_started_ends_with_it", || {
            nothing_is_left();
            Ok(())
        }),
    ]
}

/// Checks that `document` is rejected, with the line number `line` and with a message that contains `part`.
fn is_told(document: &str, line: usize, part: &str) -> Result<(), Failed> {
    match follow(document) {
        Err(wrong) if wrong.line == line && wrong.what.contains(part) => Ok(()),
        other => Err(format!("line {line}, {part:?} was expected: {other:?}").into()),
    }
}

fn all_are_told() -> Result<(), Failed> {
    for (from, to, line, part) in WRONG {
        assert!(RIGHT.contains(from), "{from}");
        is_told(&RIGHT.replacen(from, to, 1), line, part)?;
    }
    Ok(())
}

fn wrong_sql_is_told() -> Result<(), Failed> {
    let query = "```sql\nSELECT kind FROM event LIMIT 1;\n```\n";
    is_told(query, 1, "no playground has had a run")?;
    let open = "<!-- check playground: opens -->\n```sh\ncargo run --release\n```\n\n";
    follow(&format!("{open}{query}")).map_err(|wrong| wrong.what)?;
    is_told(&format!("{open}{}", query.replace("kind", "knid")), 6, "no such column: knid")
}

fn links_are_told() -> Result<(), Failed> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let right = "# What it is\n\n[here](#what-it-is), [there](ARCHITECTURE.md#the-map), [far](https://rustup.rs)\n";
    links::check(&path, right).map_err(|wrong| wrong.what)?;
    for (from, to, part) in [
        ("#what-it-is", "#what-it-was", "#what-it-was leads to no heading"),
        ("#the-map", "#the-mop", "ARCHITECTURE.md#the-mop leads to no heading"),
        ("ARCHITECTURE.md", "ARCHITEKTUR.md", "there is no ARCHITEKTUR.md"),
    ] {
        match links::check(&path, &right.replace(from, to)) {
            Err(wrong) if wrong.line == 3 && wrong.what.contains(part) => {}
            other => return Err(format!("{part}: {other:?}").into()),
        }
    }
    Ok(())
}

/// If a block fails, the processes that the document has started must still end.
fn nothing_is_left() {
    let document = "<!-- check playground: opens -->\n```sh\ncargo run --release\n```\n\n```sh\n\
        curl -sf http://127.0.0.1:7700/healthz > health.json\nexit 5\n```\n";
    let mut reader = Reader::new(document);
    let wrong = reader.follow().expect_err("the second block fails");
    assert_eq!((wrong.line, wrong.what.contains("exit code 5")), (6, true), "{wrong:?}");
    let playground = reader.session.playground.as_ref().expect("it was opened").pid();
    let nodes = crate::support::children(playground);
    assert_eq!(nodes.len(), 5, "the demonstration runs");
    drop(reader);
    time_until_gone(&[&[playground], &nodes[..]].concat());
}
