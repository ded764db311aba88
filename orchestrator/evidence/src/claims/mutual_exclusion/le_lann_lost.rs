//! Le Lann's ring with a lost token or a crashed process: entries with and without detection of the loss.

use std::collections::BTreeSet;
use std::fmt;

use serde_json::{Value, json};

use super::super::live::Playground;
use super::super::simulated::{jittery, overlaps, reasons, recorded, variant};
use super::deaths::{Fates, Killed, SEEDS, crash, detected};
use super::{CouldNotRun, Finding, Measurement};
use interlock_model::event::{DropReason, Event, What};

/// Document of a ring of five processes that enter again and again. A process that has not seen the token for 150
/// units assumes that the token is lost. A token that is not lost returns earlier: it needs at most 10 messages of
/// 9 units and 10 stays of 2 units.
fn ring(of: &str) -> Value {
    let mut document = variant(jittery("le-lann", 5), of);
    document["parameters"] = json!({ "missing": 150 });
    document
}

/// Runs a ring in which P2 crashes, and all other processes are notified of the crash.
fn simulated_with(of: &str, expected: &str) -> Measurement {
    let document = detected(ring(of), &json!("perfect"));
    let fates = Fates::of(&document, &[0, 1, 3, 4], |seed| vec![crash(100 + seed, 2)])?;
    Ok(Finding {
        expected: format!("N = 5, P2 crashes, {SEEDS} runs: {expected}"),
        measured: format!("{of}: {fates}"),
        holds: fates.go_on(),
    })
}

pub(super) fn cut_out() -> Measurement {
    simulated_with("time-out", "all others make progress, no property violated, though the token may be lost with P2")
}

pub(super) fn not_cut_out() -> Measurement {
    simulated_with("original", "where it is not removed, not all make progress")
}

/// Runs five live processes, of which P1 … P4 enter 20 times each while P0 is killed.
fn live_with(of: &str, playground: &Playground) -> Measurement {
    let workload = json!({ "idle": "exp:5", "hold": "exp:2", "entries": 20, "nodes": [1, 2, 3, 4] });
    let document = json!({
        "algorithm": "le-lann", "variant": of, "nodes": 5, "workload": workload, "detector": "perfect",
    });
    let killed = Killed::of(playground, document, 0)?;
    Ok(Finding {
        expected:
            "N = 5, P0 killed: removed, 80 entries of the others, and no property violated, though the token may be \
             lost with P0; where it is not removed, stuck"
                .into(),
        measured: format!("{of}: {killed}"),
        holds: killed.went_on(80),
    })
}

pub(super) fn live_cut_out(playground: &Playground) -> Measurement {
    live_with("time-out", playground)
}

pub(super) fn live_not_cut_out(playground: &Playground) -> Measurement {
    live_with("original", playground)
}

/// Results of runs in which tokens were lost or arrived late.
#[derive(Default)]
struct Tokens {
    entries: u64,
    overlapping: u64,
    stuck: u64,
    /// Number of lost tokens. `missed` counts how often a process assumed that the token was lost. `made` counts the
    /// regenerated tokens, and `old` the discarded old tokens.
    lost: usize,
    missed: usize,
    made: usize,
    old: usize,
    codes: BTreeSet<String>,
}

impl fmt::Display for Tokens {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entries, overlapping, stuck, lost, missed, made, old, codes } = self;
        write!(formatter, "{entries} entries in {SEEDS} runs, {overlapping} broke ME1, {stuck} stuck, {lost} lost, ")?;
        write!(formatter, "{missed} times missed, {made} made, {old} discarded, {codes:?}")
    }
}

impl Tokens {
    /// Runs 300 entries of the variant `of` with each seed. A process assumes that the token is lost if it has not
    /// seen the token for `missing` units. `loss` is the probability of losing a message.
    fn of(of: &str, missing: u64, loss: f64) -> Result<Self, CouldNotRun> {
        let mut tokens = Self::default();
        for seed in 1..=SEEDS {
            let mut document = ring(of);
            document["parameters"] = json!({ "missing": missing });
            document["network"]["loss"] = json!(loss);
            document["seed"] = json!(seed);
            let report = recorded(document, 300)?;
            tokens.entries += report.entries;
            tokens.overlapping += u64::from(overlaps(&report));
            tokens.stuck += u64::from(report.is_stuck());
            tokens.codes.extend(report.broken().map(|violation| violation.code.to_string()));
            let because = |code| report.events.iter().flat_map(reasons).filter(|reason| reason["code"] == code).count();
            tokens.missed += because("misses-token");
            tokens.made += because("made-token");
            tokens.old += because("old-token");
            tokens.lost += report.events.iter().filter(|event| is_lost_token(event)).count();
        }
        Ok(tokens)
    }

    /// Returns whether all requests were granted, and mutual exclusion and all other properties hold.
    fn are_right(&self) -> bool {
        self.entries == 300 * SEEDS && self.overlapping == 0 && self.stuck == 0 && self.codes.is_empty()
    }
}

fn is_lost_token(event: &Event) -> bool {
    matches!(&event.what, What::Dropped { message_kind, why, .. } if **message_kind == *"TOKEN" && *why != DropReason::Ended)
}

/// Measures two cases. In the first case, one message in a hundred is lost on average. In the second case, no message
/// is lost, but processes assume too early that the token is lost.
pub(super) fn made_anew() -> Measurement {
    let (lost, late) = (Tokens::of("time-out", 150, 0.01)?, Tokens::of("time-out", 20, 0.0)?);
    Ok(Finding {
        expected:
            "N = 5, 1 % lost: all entries, one new token for each that is lost, though more miss it; missed too soon: \
                   late ones discarded; no process beside another"
                .into(),
        measured: format!("{lost}; too soon: {late}"),
        holds: lost.are_right()
            && late.are_right()
            && lost.made > 0
            && lost.made == lost.lost
            && lost.missed > lost.made
            && late.old > 0,
    })
}

/// Negative control, in three variants: no process detects a lost token, several processes regenerate a lost
/// token, or processes accept old tokens.
pub(super) fn made_otherwise() -> Measurement {
    let original = Tokens::of("original", 150, 0.01)?;
    let several = Tokens::of("two-regenerators", 150, 0.01)?;
    let late = Tokens::of("no-generation", 20, 0.0)?;
    Ok(Finding {
        expected: "without detection stuck; if who misses it makes one, or an old one counts, ME1 broken".into(),
        measured: format!("original: {original}; two-regenerators: {several}; no-generation: {late}"),
        holds: original.are_right() || several.overlapping == 0 || late.overlapping == 0,
    })
}
