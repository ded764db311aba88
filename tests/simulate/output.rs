//! Tests of the output formats.

use std::fs;

use interlock_model::event::Event;
use serde_json::Value;
use tempfile::TempDir;

use super::{figures, simulate, text};

#[test]
fn the_same_words_give_the_same_bytes() {
    let folder = TempDir::new().expect("a folder");
    let run = |name: &str, seed: u64| {
        let file = folder.path().join(name);
        let words = format!(
            "--algorithm maekawa --nodes 7 --entries 40 --latency exp:2 --seed {seed} --format json --events {}",
            file.display()
        );
        (text(&simulate(&words)), fs::read_to_string(file).expect("the events"))
    };
    assert_eq!(run("one", 5), run("two", 5));
    assert_ne!(run("one", 5).1, run("three", 6).1);
    let sweep = "--algorithm lamport,raymond --nodes 3,9,2 --idle exp:4 --repeat 3 --entries 60 --format csv";
    assert_eq!(text(&simulate(sweep)), text(&simulate(sweep)));
}

#[test]
fn events_are_written_as_the_api_writes_them() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("events");
    simulate(&format!("--algorithm lamport --nodes 3 --entries 5 --events {}", file.display()));
    let lines = fs::read_to_string(file).expect("the events");
    for (line, seq) in lines.lines().zip(1..) {
        let event: Event = serde_json::from_str(line).expect("an event");
        let written: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!((event.seq, serde_json::to_value(&event).expect("JSON")), (seq, written));
    }
    let count = |kind: &str| lines.lines().filter(|line| line.contains(&format!(r#""kind":"{kind}""#))).count();
    assert_eq!((count("created"), count("entered"), count("sent"), count("ended")), (1, 5, 30, 1));
}

#[test]
fn a_list_of_algorithms_and_numbers_of_nodes_is_a_row_each() {
    let words = "--algorithm lamport,raymond --nodes 2,5,10 --entries 100";
    let Value::Array(rows) = figures(words) else { panic!("a list") };
    let named: Vec<_> = rows.iter().map(|row| (row["algorithm"].as_str(), row["nodes"].as_u64())).collect();
    let expected = ["lamport", "raymond"].map(|name| [2, 5, 10].map(|nodes| (Some(name), Some(nodes))));
    assert_eq!(named, expected.concat());
    let table = text(&simulate(words));
    assert_eq!(table.lines().filter(|line| line.contains("no violation")).count(), 6, "{table}");
    assert!(table.contains("3(N-1)") && table.contains("left out"), "{table}");
}

#[test]
fn an_algorithm_may_be_given_with_its_variant() {
    let words = "--algorithm lamport/explicit-ack,lamport --variant postponed-ack --nodes 2 --entries 20";
    let Value::Array(rows) = figures(words) else { panic!("a list") };
    let named: Vec<_> = rows.iter().map(|row| (row["algorithm"].as_str(), row["variant"].as_str())).collect();
    assert_eq!(named, ["explicit-ack", "postponed-ack"].map(|variant| (Some("lamport"), Some(variant))));
}

#[test]
fn a_number_of_nodes_that_an_algorithm_cannot_have_is_a_row_that_says_so() {
    let words = "--algorithm maekawa --set coterie=plane --nodes 7,8,13 --entries 50";
    let Value::Array(rows) = figures(words) else { panic!("a list") };
    assert!(rows[0]["impossible"].is_null() && rows[2]["impossible"].is_null());
    assert!(rows[1]["impossible"].as_str().is_some_and(|why| why.contains("--set coterie")), "{}", rows[1]);
    assert!(text(&simulate(words)).contains("not possible: --set coterie"));
}

#[test]
fn csv_has_as_many_cells_in_each_row() {
    let csv = text(&simulate("--algorithm lamport,raymond --nodes 2,4 --entries 40 --repeat 2 --format csv"));
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let rows: Vec<_> = reader.records().collect::<Result<_, _>>().expect("rows of the same length");
    assert_eq!((rows.len(), header.iter().take(3).collect::<Vec<_>>()), (4, vec!["algorithm", "variant", "nodes"]));
    let column = |name: &str| header.iter().position(|column| column == name).expect("a column");
    assert_eq!(&rows[1][column("messages_per_entry")], "9.0");
    assert_eq!(&rows[1][column("messages_by_kind.PRIVILEGE")], "");
    assert!(rows[3][column("messages_by_kind.PRIVILEGE")].parse::<f64>().is_ok_and(|count| count > 0.0));
    assert_eq!(&rows[1][column("confidence_95.messages_per_entry")], "9.0 9.0");
}

#[test]
fn the_plot_names_everything_it_shows() {
    let folder = TempDir::new().expect("a folder");
    for (nodes, name) in [("2,5,20", "logarithmic.svg"), ("4,5,6", "linear.svg"), ("1", "nought.svg")] {
        let file = folder.path().join(name);
        let words = format!(
            "--algorithm lamport,ricart-agrawala,raymond --nodes {nodes} --entries 60 --plot {}",
            file.display()
        );
        assert_eq!(simulate(&words).status.code(), Some(0), "{words}");
        let plot = fs::read_to_string(file).expect("the plot");
        assert!(plot.starts_with("<svg") && plot.trim_end().ends_with("</svg>"), "{plot}");
        let labels = ["lamport", "ricart-agrawala", "raymond", "Messages per entry", "Number of nodes N"];
        for label in labels.into_iter().chain(nodes.split(',')) {
            assert!(plot.lines().any(|line| line == label), "{label} is missing in {name}: {plot}");
        }
    }
}

#[test]
fn a_plot_of_nothing_is_none() {
    let output = simulate("--algorithm lamport --until 0 --plot /dev/null");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(3) && said.contains("--plot: cannot draw a plot"), "{said}");
    assert!(text(&output).contains("cut short"));
}

#[test]
fn what_nobody_watched_for_is_not_said_to_be_right() {
    let words = "--algorithm raymond --nodes 2000 --clients 7,1999 --idle exp:100 --entries 20";
    let run = figures(words);
    assert_eq!((&run["watched_by_monitors"], &run["violations"]), (&Value::Bool(false), &Value::Null));
    let table = text(&simulate(words));
    assert!(table.contains("not watched") && table.contains("0 … "), "{table}");
}
