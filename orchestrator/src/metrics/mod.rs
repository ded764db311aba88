//! Metrics: what a run costs and how long it takes, from the stream of events alone.
