//! Metrics of all runs that are in memory, written in the text format of Prometheus (exposition format 0.0.4). The
//! metrics are a gauge, counters, and histograms of delays.

use std::fmt::Write;

use interlock_observation::metrics::{DelayBuckets, MetricsDocument};

use interlock_orchestrator::run::Run;

/// Metrics of one run.
pub struct Sample {
    labels: String,
    is_under_way: bool,
    events: u64,
    metrics: MetricsDocument,
    delays: [DelayBuckets; 3],
}

type Count = (&'static str, &'static str, &'static str, fn(&Sample) -> u64);

/// Name, help text, type and value of the gauge and of each counter.
const COUNTS: [Count; 7] = [
    ("interlock_run_under_way", "Whether the run is in progress.", "gauge", |run| u64::from(run.is_under_way)),
    ("interlock_events_total", "Events of the run.", "counter", |run| run.events),
    ("interlock_entries_total", "Entries to the critical section.", "counter", |run| run.metrics.entries),
    ("interlock_messages_total", "Messages sent by the algorithm.", "counter", |run| run.metrics.messages),
    ("interlock_violations_total", "Violations found.", "counter", |run| run.metrics.violations),
    ("interlock_aborts_total", "Aborted requests.", "counter", |run| run.metrics.aborts),
    ("interlock_elections_total", "Elections called.", "counter", |run| run.metrics.elections),
];

/// Name and help text of each histogram of delays, in the order of
/// [`interlock_observation::metrics::Metrics::delay_buckets`].
const DELAYS: [(&str, &str); 3] = [
    (
        "interlock_client_delay_seconds",
        "Time from acquire to entry if the critical section is free and no other node requests it.",
    ),
    ("interlock_synchronisation_delay_seconds", "Time from an exit to the next entry if a node waited at the exit."),
    ("interlock_response_time_seconds", "Time from acquire to exit."),
];

impl Sample {
    /// Returns the present metrics of a run.
    pub fn of(run: &Run) -> Self {
        let specification = &run.specification;
        let labels = [
            ("run", run.id.to_string()),
            ("name", escaped(&specification.name)),
            ("algorithm", escaped(&specification.algorithm)),
        ];
        let labels = labels.map(|(name, value)| format!("{name}=\"{value}\"")).join(",");
        run.with(|core| Self {
            labels: labels.clone(),
            is_under_way: !core.is_ended(),
            events: core.latest(),
            metrics: core.metrics().document(),
            delays: core.metrics().delay_buckets(),
        })
    }
}

/// Returns the value of a label, escaped so that it can be put between quotation marks.
fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

/// Returns the metrics of all runs as text, grouped by metric.
pub fn text(runs: &[Sample]) -> String {
    let mut text = String::new();
    // Writing to memory cannot fail.
    let _ = write(&mut text, runs);
    text
}

fn write(text: &mut String, runs: &[Sample]) -> std::fmt::Result {
    for (name, help, kind, value) in COUNTS {
        writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}")?;
        for run in runs {
            writeln!(text, "{name}{{{}}} {}", run.labels, value(run))?;
        }
    }
    for (place, (name, help)) in DELAYS.into_iter().enumerate() {
        writeln!(text, "# HELP {name} {help}\n# TYPE {name} histogram")?;
        for run in runs {
            let (labels, delays) = (&run.labels, &run.delays[place]);
            for (seconds, count) in delays.up_to() {
                writeln!(text, "{name}_bucket{{{labels},le=\"{seconds}\"}} {count}")?;
            }
            writeln!(text, "{name}_bucket{{{labels},le=\"+Inf\"}} {}", delays.count())?;
            writeln!(text, "{name}_sum{{{labels}}} {}", delays.sum_seconds())?;
            writeln!(text, "{name}_count{{{labels}}} {}", delays.count())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_has_nothing_in_it_that_ends_it() {
        assert_eq!(escaped("a \"b\"\\\nc"), "a \\\"b\\\"\\\\\\nc");
    }
}
