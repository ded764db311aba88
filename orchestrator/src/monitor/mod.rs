//! Monitors: each watches the stream of events for one rule.
