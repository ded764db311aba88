//! Crashed processes in the bakery. Processes that are notified of the crash read the variables of the crashed
//! process as 0. For all other processes, the variables keep the values that they had before the crash.

use interlock_algorithm::NodeId;
use serde_json::json;

use super::super::explored::{Scene, Scenes, hold};
use super::super::live::{Playground, Stage};
use super::deaths::Killed;
use super::{CouldNotRun, Finding, Measurement};
use interlock_model::event::RestartState;
use interlock_simulation::scenario::Until;

/// Scenes in which one process crashes at any time. The crashed process stays crashed, or restarts without its
/// stored state. Links are FIFO.
fn one_dies() -> [Scene; 4] {
    let scene = |nodes, requests| Scene::new("bakery/pull", nodes, requests).in_fifo();
    let (two, three) = (scene(2, &[2]), scene(3, &[1]));
    [two.clone().mortal(), two.forgetful(), scene(3, &[1, 1, 0]).forgetful(), three.mortal()]
}

/// All schedules in which the other processes are notified of the crash and the restart, possibly after an
/// arbitrary delay.
pub(super) fn told() -> Scenes {
    hold(&one_dies().map(Scene::told))
}

/// Negative control: no process is notified of the crash.
pub(super) fn untold() -> Scenes {
    let [.., three] = one_dies();
    hold(&[three])
}

/// Number of times that P0 crashes while it chooses.
const LIVES: usize = 3;

/// Runs three processes. P0 never learns the number of P1, so P0 never finishes choosing. It crashes while it
/// chooses, restarts without its state, requests again, and crashes again, several times. Before the last crash of
/// P0, P1 also requests.
fn always_choosing(detector: &str, playground: &Playground) -> Result<Stage, CouldNotRun> {
    let stage = playground.stage(json!({
        "algorithm": "bakery", "variant": "pull", "nodes": 3, "detector": detector, "network": { "fifo": true },
        "script": [{ "at": 0, "do": { "rule": {
            "match": { "from": 1, "to": 0, "message_kind": "VALUE" }, "action": "drop",
        } } }],
    }))?;
    for life in 0..LIVES {
        let chooses = stage.expect(1, "delivered");
        stage.acquire(0)?;
        stage.wait_expected(chooses)?;
        if life + 1 == LIVES {
            stage.acquire(1)?;
        }
        stage.crash(0)?;
        if life + 1 < LIVES {
            stage.restart(0, RestartState::None)?;
        }
    }
    Ok(stage)
}

/// Runs five live processes, of which P1 … P4 enter 10 times each while P0 is killed. In a second run, P0
/// repeatedly crashes while it chooses, and P1 must nevertheless enter.
fn live_with(detector: &str, playground: &Playground) -> Measurement {
    let workload = json!({ "idle": "exp:5", "hold": "exp:2", "entries": 10, "nodes": [1, 2, 3, 4] });
    let document = json!({
        "algorithm": "bakery", "variant": "pull", "nodes": 5, "workload": workload, "detector": detector,
        "network": { "fifo": true },
    });
    let killed = Killed::of(playground, document, 0)?;
    let stage = always_choosing(detector, playground)?;
    stage.wait(&Until::Any(vec![Until::Entered { node: Some(NodeId(1)), lock: None }, Until::Stuck]))?;
    let inside = stage.inside();
    Ok(Finding {
        expected: "N = 5, P0 killed: 40 entries of the others, no property violated; N = 3, P0 crashes choosing in \
                   each of its 3 lives: P1 enters; without notification, stuck, and P1 waits"
            .into(),
        measured: format!("{detector}: {killed}; {inside:?} inside"),
        holds: killed.went_on(40) && inside == [1],
    })
}

pub(super) fn live(playground: &Playground) -> Measurement {
    live_with("perfect", playground)
}

pub(super) fn live_untold(playground: &Playground) -> Measurement {
    live_with("none", playground)
}
