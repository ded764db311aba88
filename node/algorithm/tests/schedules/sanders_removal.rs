//! Sanders's sets with removal of crashed processes. If the common member of two processes' sets has crashed, these
//! two processes ask each other.

use interlock_algorithm::mutual_exclusion::sanders::{Reason, Sanders};
use interlock_algorithm::{NodeId, Value};
use interlock_model::choice::Choice;
use interlock_model::event::RestartState;

use crate::driver::Scene;
use crate::driver::clients::lockers;
use crate::driver::faults::{FIFO, Faults};
use crate::driver::random::{Rules, USUAL, breaks, exclusion, holds};
use crate::driver::script::Script;

/// One process crashes, and the failure detector eventually notifies all remaining processes.
const DETECTED: Faults = Faults { crashes: 1, detected: true, ..FIFO };
/// Sets whose only common member is process 0, which asks no other process.
const HUB: &str = "coterie=sets:0;0,1;0,2;0,3";
const BESIDE: Rules<Sanders> = Rules { always: |run| run.at_most_one_inside(), in_the_end: |_| Ok(()) };

fn scene(variant: &str, nodes: u32, faults: Faults) -> Scene<Sanders> {
    Scene::new(variant, nodes, faults, lockers(3))
}

#[test]
fn whoever_dies_the_others_go_on() {
    let maekawa = [("coterie=grid", 2), ("coterie=grid", 4), ("coterie=grid", 5), ("coterie=plane", 7), (HUB, 4)];
    let others = [("sets=centralised", 3), ("sets=centralised coordinator=1", 5), ("sets=ricart-agrawala", 4)];
    for (sets, nodes) in maekawa.into_iter().chain(others) {
        for crashes in [0, 1, 2, nodes - 1] {
            for fifo in [true, false] {
                let faults = Faults { fifo, crashes, down_at_once: crashes as usize, ..DETECTED };
                holds(&scene(&format!("remove-dead {sets}"), nodes, faults), 0..60, USUAL, &exclusion());
            }
        }
    }
}

/// A restarted process has forgotten its grants. So it takes no part in the algorithm, even if it asked only itself
/// before the crash.
#[test]
fn who_is_back_is_not_waited_for() {
    let faults = Faults { fifo: false, crashes: 2, down_at_once: 2, memory: Some(RestartState::None), ..DETECTED };
    for sets in ["sets=maekawa", "sets=centralised", "sets=ricart-agrawala"] {
        holds(&scene(&format!("remove-dead {sets}"), 5, faults), 0..100, USUAL, &exclusion());
    }
}

#[test]
fn where_nobody_tells_of_a_death_or_nobody_is_removed_some_wait_for_ever() {
    let silent = Faults { detected: false, ..DETECTED };
    for sets in ["maekawa", "centralised", "ricart-agrawala"] {
        let removes = format!("remove-dead sets={sets}");
        breaks(&scene(&removes, 4, silent), 0..400, USUAL, &exclusion(), "stuck");
        breaks(&scene(sets, 4, DETECTED), 0..400, USUAL, &exclusion(), "stuck");
    }
}

/// In the faulty variant, a process that receives a request does not ask the requesting process in return. The
/// correct variant violates no property in the same schedule.
#[test]
fn who_is_asked_and_does_not_ask_back_gets_in_beside_another() {
    let flawed = scene(&format!("asked-one-way {HUB}"), 4, DETECTED);
    let seed = breaks(&flawed, 0..20_000, USUAL, &BESIDE, "two in the section");
    holds(&scene(&format!("remove-dead {HUB}"), 4, DETECTED), seed..seed + 1, USUAL, &exclusion());
}

/// Processes 0 and 3 both ask 1 and 2, which have crashed. Process 0 has a grant of 1 and was notified of the crash
/// of 2. Process 3 has a grant of 2 and was notified of the crash of 1.
#[test]
fn who_know_of_different_deaths_do_not_enter_together() {
    let mut stage = Script::<Sanders>::begin("remove-dead", 4);
    for (asks, asked) in [(0, 1), (3, 2)] {
        stage.acquire(asks);
        stage.deliver("REQUEST", asks, asked);
        stage.deliver("GRANT", asked, asks);
    }
    stage.crash(1);
    stage.crash(2);
    for (node, whom) in [(0, 2), (3, 1)] {
        stage.take(&Choice::Suspect { node: NodeId(node), whom: NodeId(whom) });
    }
    assert!(stage.inside().len() <= 1);
    for (node, whom) in [(0, 1), (3, 2)] {
        stage.take(&Choice::Suspect { node: NodeId(node), whom: NodeId(whom) });
    }
    stage.deliver_all();
    assert_eq!(stage.inside().len(), 1);
}

/// Process 1 waits for a grant of process 0, which has crashed. Process 2 was notified of the crash, but process 1
/// was not.
#[test]
fn who_is_asked_instead_of_the_dead_asks_back_before_it_enters() {
    let mut stage = Script::<Sanders>::begin("remove-dead sets=centralised", 3);
    stage.acquire(1);
    stage.deliver("REQUEST", 1, 0);
    stage.crash(0);
    let [one, two] = [1, 2].map(NodeId);
    stage.take(&Choice::Suspect { node: two, whom: NodeId(0) });
    stage.acquire(2);
    assert_eq!(stage.variable(2, "R"), Value::nodes(&[one, two]));
    let asked = stage.deliver("REQUEST", 2, 1).reasons;
    assert!(matches!(asked[0], Reason::AskedInstead { to, .. } if to == two), "{asked:?}");
    let granted = stage.deliver("GRANT", 0, 1);
    assert_eq!(granted.outcomes, vec![], "the grant of the dead is not enough any more");
    stage.deliver_all();
    let first = stage.inside();
    assert_eq!(first.len(), 1);
    stage.release(first[0]);
    stage.deliver_all();
    assert_eq!(stage.inside().len(), 1);
    assert_ne!(stage.inside(), first);
}
