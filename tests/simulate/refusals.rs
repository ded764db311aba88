//! Tests of invalid arguments. The error names the argument, the mistake and the correct form.

use super::simulate;

/// Invalid arguments: the arguments, the faulty option, and a part of the error.
const NONSENSE: &[(&str, &str, &str)] = &[
    ("", "--algorithm", "required"),
    ("--algorithm lamprt", "--algorithm", "did you mean `lamport`?"),
    ("--algorithm lamport,raymnd", "--algorithm", "did you mean `raymond`?"),
    ("--algorithm lamport --variant explicit", "--variant", "did you mean `explicit-ack`?"),
    ("--algorithm lamport --nodes 0", "--nodes", "1..=2000000"),
    ("--algorithm lamport --nodes -3", "--nodes", "1..=2000000"),
    ("--algorithm lamport --nodes 5,2000001", "--nodes", "1..=2000000"),
    ("--algorithm lamport --nodes many", "--nodes", "many"),
    ("--algorithm lamport --idle -1", "--idle", "0 …"),
    ("--algorithm lamport --hold exp:-1", "--hold", "0 …"),
    ("--algorithm lamport --latency uniform:3..1", "--latency", "has its bounds in the wrong order"),
    ("--algorithm lamport --latency fast", "--latency", "uniform:1..20"),
    ("--algorithm lamport --set tree=star", "--set tree", "has no parameter `tree`; possible: release"),
    ("--algorithm lamport --set release=sendr", "--set release", "did you mean `sender`?"),
    ("--algorithm lamport --set release", "--set", "NAME=VALUE"),
    ("--algorithm maekawa --nodes 8 --set coterie=plane", "--set coterie", "of 7 and 13; possible:"),
    ("--algorithm lamport --entries 0", "--entries", "1.."),
    ("--algorithm lamport --entries -5", "--entries", "-5"),
    ("--algorithm lamport --entries 10 --warm-up 10", "--warm-up", "the maximum is 9"),
    ("--algorithm lamport --seed 9007199254740992", "--seed", "9007199254740991"),
    ("--algorithm lamport --seed 9007199254740991 --repeat 2", "--seed", "9007199254740990"),
    ("--algorithm lamport --repeat 0", "--repeat", "1..="),
    ("--algorithm lamport --until -1", "--until", "the nearest possible is 0"),
    ("--algorithm lamport --loss 1.5", "--loss", "the nearest possible is 1"),
    ("--algorithm lamport --duplicate -0.5", "--duplicate", "the nearest possible is 0"),
    ("--algorithm lamport --fifo perhaps", "--fifo", "true, false"),
    ("--algorithm lamport --loop ajar", "--loop", "closed, open"),
    ("--algorithm lamport --clients 0,5", "--clients", "nodes 0 … 4"),
    ("--algorithm lamport --client 5:idle=1", "--client", "nodes 0 … 4"),
    ("--algorithm lamport --client 0:ilde=1", "--client", "did you mean `idle`?"),
    ("--algorithm lamport --client 0:idle=fast", "--client", "fast"),
    ("--algorithm lamport --client 0", "--client", "NODE:idle=DIST"),
    ("--algorithm lamport --link 0-5:loss=0.5", "--link", "nodes 0 … 4"),
    ("--algorithm lamport --link 1-1:loss=0.5", "--link", "the ends of a link must differ"),
    ("--algorithm lamport --link 0-1:loss=2", "--link", "the nearest possible is 1"),
    ("--algorithm lamport --link 0:loss=0.5", "--link", "FROM-TO"),
    ("--algorithm lamport --crash 5@3", "--crash", "the nearest is 4"),
    ("--algorithm lamport --crash P1@3", "--crash", "numbers from 0"),
    ("--algorithm lamport --crash 1", "--crash", "NODE@TIME"),
    ("--algorithm lamport --pause 1@-2", "--pause", "the nearest possible is 0"),
    ("--algorithm lamport --resume 9@2", "--resume", "the nearest is 4"),
    ("--algorithm lamport --restart 1@2,some", "--restart", "NODE@TIME,none"),
    ("--algorithm lamport --partition 0,1@5", "--partition", "two groups"),
    ("--algorithm lamport --partition 0,1/1,2@5", "--partition", "in a group already"),
    ("--algorithm lamport --partition 0,1/2,9@5", "--partition", "no node 9"),
    ("--algorithm lamport --heal soon", "--heal", "not a time"),
    ("--algorithm lamport --rule explode", "--rule", "`drop`"),
    ("--algorithm lamport --rule drop,kind=TOKEN", "--rule", "possible: REQUEST"),
    ("--algorithm lamport --rule drop,knd=ACK", "--rule", "did you mean `kind`?"),
    ("--algorithm lamport --rule {\"action\":\"drop\",\"cuont\":1}", "--rule", "cuont"),
    ("--algorithm lamport --nodes 2,3 --events /dev/null", "--events", "one run"),
    ("--algorithm lamport --repeat 2 --events /dev/null", "--events", "one run"),
    ("--algorithm lamport --format xml", "--format", "csv"),
    ("--specification Cargo.toml", "--specification", "expected value"),
];

#[test]
fn nonsense_is_refused_with_the_word_the_reason_and_what_would_be_right() {
    for (words, flag, phrase) in NONSENSE {
        let output = simulate(words);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words}: {said}");
        assert!(said.contains(flag) && said.contains(phrase), "{words}: {said}");
        assert!(output.stdout.is_empty() && !said.contains("panicked"), "{words}: {said}");
    }
}

#[test]
fn files_that_cannot_be_read_or_written_are_told_before_anything_runs() {
    for words in [
        "--algorithm lamport --entries 1000000000 --events /nowhere/events",
        "--algorithm lamport --entries 1000000000 --plot /nowhere/plot.svg",
        "--specification /nowhere/specification",
    ] {
        let output = simulate(words);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{words}: {said}");
        assert!(said.contains("/nowhere/") && said.contains("No such file"), "{words}: {said}");
    }
}
