//! Suzuki and Kasami 1985.

use interlock_algorithm::Outcome;
use serde_json::{Value, json};

use super::super::explored::{Scene, Scenes, hold};
use super::super::live::Playground;
use super::super::simulated::{
    Rules, acquire, heavy, idle, is_always, jittery, light, metrics, only, run, scripted, simulate, simulation, spread,
    variant,
};
use super::handed_over::HandedOver;
use super::{Claim, CouldNotRun, Experiment, Finding, How, Measurement, Showing};
use interlock_model::choice::Choice;
use interlock_model::event::What;
use interlock_model::network::{Match, RuleAction as Fault, RuleDraft};
use interlock_model::span::Span;
use interlock_model::specification::Scripted;
use interlock_simulation::simulation::{Report, Simulation, Watch};

pub(super) const CLAIMS: &[Claim] = &[
    Claim { id: "SUZ-1", showings: &[Showing::live(messages), Showing::of(How::Simulation, cost)] },
    Claim {
        id: "SUZ-2",
        showings: &[
            Showing::explored(all_schedules).beside(Experiment::Schedules(all_schedules_with_a_copy)),
            Showing::of(How::Simulation, outdated).beside(Experiment::Alone(copied_token)),
        ],
    },
    Claim { id: "SUZ-3", showings: &[Showing::of(How::Simulation, first_come).beside(Experiment::Alone(last_come))] },
    Claim { id: "SUZ-4", showings: &[Showing::of(How::Simulation, example)] },
];

/// All schedules of three processes that request twice each. Messages overtake each other, so outdated requests
/// arrive.
fn all_schedules() -> Scenes {
    hold(&[Scene::new("suzuki-kasami/fifo-queue", 3, &[2]).overtaking()])
}

/// Negative control: the token may be duplicated, which the algorithm assumes not to happen.
fn all_schedules_with_a_copy() -> Scenes {
    hold(&[Scene::new("suzuki-kasami/fifo-queue", 3, &[2]).overtaking().copied()])
}

/// Measures the cost of entries if processes enter one after the other, beginning with P0, which has the token. Then
/// all processes enter 20 times each, at the same time.
fn messages(playground: &Playground) -> Measurement {
    let stage = playground.stage(json!({ "algorithm": "suzuki-kasami", "nodes": 5 }))?;
    let prices = stage.prices(&[0, 3, 3, 1, 0])?;
    let run = playground.drained("suzuki-kasami", 5, 20)?;
    let [requests, tokens] =
        ["REQUEST", "TOKEN"].map(|kind| run.messages_by_kind.get(kind).copied().unwrap_or_default());
    Ok(Finding {
        expected: "N = 5, P0, P3, P3, P1, P0 in turn: 0, 5, 0, 5, 5; under load N−1 = 4 REQUEST for each TOKEN".into(),
        measured: format!("{prices:?}; {requests} REQUEST, {tokens} TOKEN for {} entries", run.entries),
        holds: prices == [0, 5, 0, 5, 5] && run.entries == 100 && requests == 4 * tokens && tokens <= run.entries,
    })
}

/// Measures the cost in three cases: at light load, where the token stays with its last user; at heavy load; and if
/// one process enters alone.
fn cost() -> Measurement {
    let light = HandedOver::of(&simulation(light("suzuki-kasami", 10), 3_000)?)?;
    let heavy = HandedOver::of(&simulation(heavy("suzuki-kasami", 10), 3_000)?)?;
    let alone = simulate(only(self::light("suzuki-kasami", 10), &[0]), 1_000)?.messages;
    Ok(Finding {
        expected:
            "N = 10, light and heavy load: N−1 = 9 REQUEST and 1 TOKEN for each of 3000 entries but those of who \
                   has the token; P0, who has it, alone: 0 for 1000"
                .into(),
        measured: format!("{light}; {heavy}; {alone}"),
        holds: [&light, &heavy].iter().all(|run| run.costs(9) && run.entries == 3_000) && alone == 0,
    })
}

/// Runs several simulations in which every message of the kind `kind` is duplicated. The copies arrive at any time.
fn copies(kind: &str) -> Result<Rules, CouldNotRun> {
    let mut rules = Rules::default();
    for seed in 1..=20 {
        let mut document = jittery("suzuki-kasami", 5);
        document["seed"] = json!(seed);
        let matches = Match { message_kind: Some(kind.to_owned()), ..Match::default() };
        let rule = RuleDraft { matches, action: Fault::Duplicate, skip: 0, count: None, probability: None };
        let script = vec![Scripted { at: Span(0), choice: Choice::Rule(rule) }];
        rules.add(&run(&Simulation { script, ..simulation(document, 100)? })?, 100)?;
    }
    Ok(rules)
}

/// Checks the properties if each REQUEST is duplicated. A copy may arrive long after the request has been granted.
fn outdated() -> Measurement {
    let once = Rules::of(&jittery("suzuki-kasami", 5), 20, 100)?;
    let twice = copies("REQUEST")?;
    Ok(Finding {
        expected:
            "N = 5, raw channels, delays of 0 … 9 T; each REQUEST once, then twice: all requests granted, no rule \
                   broken"
                .into(),
        measured: format!("once: {once}; twice: {twice}"),
        holds: once.kept() && twice.kept(),
    })
}

/// Negative control: the token is duplicated. No number in a token shows whether the token is the original or a
/// copy.
fn copied_token() -> Measurement {
    let rules = copies("TOKEN")?;
    Ok(Finding {
        expected: "each TOKEN twice: properties are violated".into(),
        measured: rules.to_string(),
        holds: rules.broken == 0,
    })
}

/// Runs five processes that request again as soon as they have exited, until there are `entries` entries in total.
fn queue(discipline: &str, entries: u64) -> Result<Report, CouldNotRun> {
    simulate(variant(heavy("suzuki-kasami", 5), discipline), entries)
}

/// Measures bypasses, delays and fairness with the queue of the paper.
fn first_come() -> Measurement {
    let (short, long) = (queue("fifo-queue", 300)?, queue("fifo-queue", 3_000)?);
    let (short, long) = (metrics(&short)?, metrics(&long)?);
    let fairness = long.fairness.unwrap_or_default();
    Ok(Finding {
        expected:
            "N = 5, heavy load, T = 1: every synchronisation delay is 1; overtaken N−1 = 4 times at most, in 300 \
                   entries and in 3000; fairness 1"
                .into(),
        measured: format!(
            "{}; overtaken {}, {}; fairness {fairness:.4}",
            spread(&long.synchronisation_delay),
            short.bypass_max,
            long.bypass_max
        ),
        holds: is_always(&long.synchronisation_delay, 1.0)
            && short.bypass_max <= 4
            && long.bypass_max <= 4
            && fairness > 0.999,
    })
}

/// Negative control: the last request is granted first. The control holds if ten times as many entries increase the
/// maximum number of bypasses less than five-fold.
fn last_come() -> Measurement {
    let (short, long) = (queue("lifo-queue", 300)?, queue("lifo-queue", 3_000)?);
    let passed = [metrics(&short)?.bypass_max, metrics(&long)?.bypass_max];
    let fairness = metrics(&long)?.fairness.unwrap_or_default();
    Ok(Finding {
        expected: "last in, first out: in ten times as many entries a process is overtaken ten times as often".into(),
        measured: format!("overtaken {}, {}; fairness {fairness:.4}", passed[0], passed[1]),
        holds: passed[1] < 5 * passed[0],
    })
}

/// Time, process and hold time of each request in the example of the lectures. P0 receives the token from P4. P1 and
/// then P2 request while P0 is in the critical section. P0 and P3 request while P1 is in the critical section.
const EXAMPLE: [(u64, u32, u64); 5] = [(0, 0, 10), (4, 1, 10), (6, 2, 10), (14, 0, 1), (16, 3, 1)];
/// The transfers of the token in the example, without the first transfer: sender, receiver and contents.
const HANDED: [&str; 4] = [
    r#"0→1 {"Q":[2],"last":[1,0,0,0,0]}"#,
    r#"1→2 {"Q":[0,3],"last":[1,1,0,0,0]}"#,
    r#"2→0 {"Q":[3],"last":[1,1,1,0,0]}"#,
    r#"0→3 {"Q":[],"last":[2,1,1,0,0]}"#,
];

/// Compares the example of the lectures with a run. The comparison uses the states of the processes, and the token
/// while it is in transit.
fn example() -> Measurement {
    let script = EXAMPLE.iter().map(|&(at, node, hold)| acquire(at, node, Some(hold))).collect();
    let mut document = idle("suzuki-kasami", 5);
    document["parameters"] = json!({ "holder": 4 });
    let report = run(&Simulation { watch: Watch::Events, ..scripted(document, script)? })?;
    let mut known = vec![Value::Null; 5];
    let mut handed = Vec::new();
    let mut entered = Vec::new();
    for event in &report.events {
        match &event.what {
            // At this moment all processes know of the request of P0, and no other process has requested yet.
            What::Commanded { at, view: Some(view), .. } | What::Delivered { at, view: Some(view), .. }
                if event.at_us < 4_000 =>
            {
                known[at.node.index()] = serde_json::from_str(view.as_str()).map_err(CouldNotRun::because)?;
            }
            What::Sent { at, to, message_kind, body, .. } if **message_kind == *"TOKEN" => {
                handed.push(format!("{}→{} {}", at.node.0, to.0, body.as_str()));
            }
            What::Outcome { at, outcome: Outcome::Entered { .. } } => entered.push(at.node.0),
            _ => {}
        }
    }
    let req: Vec<_> = known.iter().map(|view| &view["variables"]["req"]).collect();
    let last = &known[0]["variables"]["last"];
    // The first transfer, from P4 to P0, is not compared.
    let handed = handed.get(1..).unwrap_or_default();
    Ok(Finding {
        expected: format!("req [1,0,0,0,0] everywhere, last [0,0,0,0,0]; then {}", HANDED.join(", ")),
        measured: format!("req {}, last {last}; then {}", json!(req), handed.join(", ")),
        holds: req.iter().all(|req| **req == json!([1, 0, 0, 0, 0]))
            && *last == json!([0, 0, 0, 0, 0])
            && handed == HANDED
            && entered == [0, 1, 2, 0, 3],
    })
}
