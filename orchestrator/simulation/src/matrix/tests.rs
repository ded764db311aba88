use std::collections::BTreeSet;
use std::sync::Arc;

use interlock_algorithm::Ticks;
use interlock_algorithm::catalogue::ENTRIES;
use serde_json::{Value, json};

use super::*;
use crate::scenario::{Outcome, Scenario};
use crate::simulation::Simulation;
use interlock_model::span::Span;

fn row(algorithm: &str, variant: &str, channel: &str, detector: &str) -> Contender {
    let is_it = |row: &Contender| {
        (row.entry.name, row.variant.name, row.channel, row.detector) == (algorithm, variant, channel, detector)
    };
    contenders().find(is_it).expect("a row")
}

/// Returns the observed fate of a cell and the expected fate.
fn fates(row: &Contender, fault: Fault) -> (Fate, Fate) {
    let cell = Cell::of(row, fault).expect("a scenario");
    assert_eq!(cell.runs, SEEDS, "{}, {}", row.name(), fault.name());
    (cell.fate, cell.expected)
}

#[test]
fn every_scenario_can_be_played_live_and_in_virtual_time() {
    let mut names = BTreeSet::new();
    for row in contenders() {
        for fault in row.faults() {
            for (clock, live) in [(Clock::Virtual, false), (Clock::Wall, true)] {
                let scenario = Scenario::read(row.scenario(fault, clock)).expect("a scenario");
                assert!(scenario.specification(Some(1), live).is_ok(), "{}, {}", row.name(), fault.name());
            }
            assert!(names.insert((row.name(), fault)), "{} twice", row.name());
        }
    }
    let algorithms: BTreeSet<_> = contenders().map(|row| row.entry.name).collect();
    let known = ENTRIES.iter().filter(|entry| entry.family == "mutual-exclusion");
    assert_eq!(algorithms, known.map(|entry| entry.name).collect(), "all of them, and no others");
}

/// Returns the duration of the longest sleep step.
fn slept(steps: &[Value]) -> Span {
    let sleeps = steps.iter().filter_map(|step| serde_json::from_value(step.get("sleep")?.clone()).ok());
    sleeps.max().unwrap_or(Span(0))
}

#[test]
fn a_pause_is_longer_than_the_silence_that_raises_a_suspicion() {
    let mut with_time_outs = 0;
    for clock in [Clock::Virtual, Clock::Wall] {
        for silence in contenders().map(|row| clock.silence(row.detector)) {
            let pause = Fault::Pause.lasts_ms(clock, silence) * 1_000;
            assert!(pause > silence.0, "{pause} µs against {} µs", silence.0);
            with_time_outs += u32::from(silence > Span(0));
        }
    }
    assert!(with_time_outs > 0, "a detector with a time-out");
}

/// On a busy machine, a failure detector does not suspect live processes, and the next fault starts only after the
/// effects of the previous fault are over.
#[test]
fn by_the_clock_of_the_machine_silence_lasts_for_seconds() {
    let mut with_time_outs = 0;
    for row in contenders() {
        let quiet = row.quiet(Clock::Wall);
        assert_eq!(quiet.last().map(|step| &step["wait"]), Some(&json!({ "every_node": "entered" })), "{quiet:?}");
        let document = row.chaos("any", quiet.clone(), Clock::Wall);
        if row.detector == "heartbeat" {
            let timeout = &document["detector"]["heartbeat"]["timeout"];
            assert!(timeout.as_f64().is_some_and(|ms| ms >= 3_000.0), "{document}");
            assert!(slept(&quiet) >= Span(3_000_000), "{}: {quiet:?}", row.name());
        }
        let scenario = Scenario::read(document).expect("a scenario");
        let specification = scenario.specification(Some(1), true).expect("a specification");
        for time_out in row.assumes.time_outs {
            let given = specification.configuration().time_parameter(time_out.parameter, 0..=Ticks::MAX);
            let ticks = given.expect("a time").expect("a time-out that is given");
            let least = time_out.bound(NODES, 0).chain * 1_000_000;
            assert!(ticks >= least, "{}: {} is {ticks} and should be {least}", row.name(), time_out.parameter);
            assert!(slept(&quiet) >= Span(ticks), "{}: {quiet:?}", row.name());
            with_time_outs += 1;
        }
        assert_eq!(row.quiet(Clock::Virtual), [Value::Null; 0], "the faults leave enough time");
    }
    assert!(with_time_outs > 0);
}

#[test]
fn a_repair_makes_the_difference_and_a_wrong_suspicion_breaks_it() {
    let original = row("ricart-agrawala", "lamport-clock", "raw", "none");
    let repaired = row("ricart-agrawala", "remove-dead", "raw", "perfect");
    assert_eq!(fates(&original, Fault::CrashOfHolder), (Fate::SafeButStuck, Fate::SafeButStuck));
    assert_eq!(fates(&repaired, Fault::CrashOfHolder), (Fate::SafeAndLive, Fate::SafeAndLive));
    assert_eq!(fates(&original, Fault::WrongSuspicion), (Fate::SafeAndLive, Fate::SafeAndLive));
    assert_eq!(fates(&repaired, Fault::WrongSuspicion), (Fate::Unsafe, Fate::Unsafe));
}

#[test]
fn a_channel_makes_good_what_it_is_there_for() {
    let over = |channel| row("ricart-agrawala", "lamport-clock", channel, "none");
    assert_eq!(fates(&over("raw"), Fault::Loss), (Fate::SafeButStuck, Fate::SafeButStuck));
    assert_eq!(fates(&over("fifo"), Fault::Loss), (Fate::SafeButStuck, Fate::SafeButStuck));
    assert_eq!(fates(&over("reliable"), Fault::Loss), (Fate::SafeAndLive, Fate::SafeAndLive));
    let over = |channel| row("lamport", "any-later-message", channel, "none");
    assert_eq!(fates(&over("raw"), Fault::Reordering), (Fate::Unsafe, Fate::Unsafe));
    assert_eq!(fates(&over("fifo"), Fault::Reordering), (Fate::SafeAndLive, Fate::SafeAndLive));
}

#[test]
fn who_stands_still_is_taken_for_dead_by_heartbeats_alone() {
    let told = |detector| row("ricart-agrawala", "remove-dead", "raw", detector);
    assert_eq!(fates(&told("perfect"), Fault::Pause), (Fate::SafeAndLive, Fate::SafeAndLive));
    assert_eq!(fates(&told("heartbeat"), Fault::Pause), (Fate::Unsafe, Fate::Unsafe));
}

#[test]
fn what_is_expected_names_what_is_taken_away() {
    let lost = |row: &Contender, fault| Expectation::of(row, fault).lost;
    let original = row("ricart-agrawala", "lamport-clock", "raw", "none");
    assert_eq!(lost(&original, Fault::Nothing), []);
    assert_eq!(lost(&original, Fault::CrashOfWaiter), [Lost::NoCrash]);
    assert_eq!(lost(&original, Fault::Duplication), [Lost::NoDuplication]);
    // Without a failure detector, processes do not notice a crash. They do react to a wrong suspicion.
    let untold = row("bakery", "pull", "raw", "none");
    assert_eq!(lost(&untold, Fault::CrashOfHolder), [Lost::NoCrash]);
    assert_eq!(lost(&untold, Fault::WrongSuspicion), [Lost::FailureDetector]);
    // A message that the channel retransmits is late.
    assert_eq!(lost(&row("centralised-failover", "bully", "reliable", "perfect"), Fault::Loss), [Lost::TimeOut]);
    // After a lost message, the channel `fifo` delivers no later message. It does so even for algorithms that
    // tolerate losses. After a lost message, the channel `fifo` delivers no later message. Over this channel, a
    // loss therefore harms even algorithms that tolerate losses.
    assert_eq!(lost(&row("le-lann", "time-out", "raw", "perfect"), Fault::Loss), []);
    assert_eq!(lost(&row("le-lann", "time-out", "fifo", "perfect"), Fault::Loss), [Lost::NoLoss]);
    assert_eq!(
        lost(&row("replicated-lock", "leased", "raw", "none"), Fault::RestartWithoutState),
        [Lost::StableStorage]
    );
    assert_eq!(lost(&row("raymond", "recovery", "raw", "none"), Fault::CrashOfHolder), [Lost::NoCrash]);
    assert_eq!(lost(&row("raymond", "recovery", "raw", "none"), Fault::RestartWithoutState), []);
    assert_eq!(lost(&row("raymond", "bridging", "raw", "perfect"), Fault::CrashOfSpecial), []);
    assert_eq!(lost(&row("raymond", "bridging", "raw", "perfect"), Fault::RestartWithState), [Lost::NoReturn]);
}

/// In Lamport's algorithm, a message that arrives shows that no earlier message is missing. A loss therefore violates
/// mutual exclusion. Over the channel `fifo`, no message arrives after a lost one, so the loss only blocks.
#[test]
fn a_loss_costs_what_the_assumptions_say() {
    let lamport = |channel| row("lamport", "any-later-message", channel, "none");
    assert_eq!(fates(&lamport("raw"), Fault::Loss), (Fate::Unsafe, Fate::Unsafe));
    assert_eq!(fates(&lamport("fifo"), Fault::Loss), (Fate::SafeButStuck, Fate::SafeButStuck));
    let asked = row("ricart-agrawala", "lamport-clock", "raw", "none");
    assert_eq!(fates(&asked, Fault::Loss), (Fate::SafeButStuck, Fate::SafeButStuck));
}

/// Compares a faulty variant with the correct one. The faulty variant is unsafe even in the column without a fault.
#[test]
fn a_wrong_variant_is_worse_than_its_assumptions_say() {
    let right = row("lamport", "any-later-message", "raw", "none");
    let variant = right.entry.variants.iter().find(|variant| variant.name == "no-ack").expect("a variant");
    assert_eq!(fates(&right, Fault::Nothing), (Fate::SafeAndLive, Fate::SafeAndLive));
    assert_eq!(fates(&Contender { variant, ..right }, Fault::Nothing), (Fate::Unsafe, Fate::SafeAndLive));
}

#[test]
fn an_example_shows_what_its_cell_says() {
    let original = row("ricart-agrawala", "lamport-clock", "raw", "none");
    let repaired = row("ricart-agrawala", "remove-dead", "raw", "perfect");
    let waits = row("bakery", "pull", "raw", "none");
    for (row, fault, fate) in [
        (&original, Fault::CrashOfHolder, Fate::SafeButStuck),
        // Waiting processes repeat their requests: the monitor cannot prove that the run is stuck, but no process
        // enters.
        (&waits, Fault::CrashOfHolder, Fate::SafeButStuck),
        (&repaired, Fault::CrashOfHolder, Fate::SafeAndLive),
        (&repaired, Fault::WrongSuspicion, Fate::Unsafe),
    ] {
        let cell = Cell::of(row, fault).expect("a scenario");
        assert_eq!(cell.fate, fate, "{}, {}", row.name(), fault.name());
        let example = cell.example.expect("an example");
        let scenario = Arc::new(Scenario::read(example.scenario).expect("a scenario"));
        let specification = scenario.specification(None, false).expect("a run");
        let (_, findings) = Simulation::of_scenario(specification).carry_out(&scenario).expect("it runs");
        assert_eq!(findings.outcome, Outcome::Met, "{:?}", findings.complaints().collect::<Vec<_>>());
    }
}

#[test]
fn rows_come_in_their_order_whoever_plays_them() {
    let chosen: Vec<Contender> = contenders().filter(|row| row.variant.name == "any-later-message").collect();
    let rows = play(&chosen, &[Fault::Loss, Fault::Nothing], &|| ()).expect("scenarios");
    assert!(rows.iter().map(|row| row.channel).eq(CHANNELS));
    for row in &rows {
        assert!(row.cells.iter().map(|cell| cell.fault).eq([Fault::Nothing, Fault::Loss]), "{row:?}");
    }
}
