//! Where the dead are removed and who is back joins again: the others go on, and nobody gets in beside another, as long as
//! the failure detector is right.

use interlock_algorithm::mutual_exclusion::ricart_agrawala::RicartAgrawala;
use interlock_model::choice::Choice;
use interlock_model::event::RestartState;

use crate::driver::Scene;
use crate::driver::clients::lockers;
use crate::driver::faults::{FIFO, Faults};
use crate::driver::play::{USUAL, breaks, exclusion, holds};
use crate::driver::script::Script;
use interlock_algorithm::NodeId;

const CRASHES: Faults = Faults { crashes: 4, down_at_once: 2, detected: true, ..FIFO };
const RETURNS: Faults = Faults { memory: Some(RestartState::None), ..CRASHES };

fn scene(variant: &str, nodes: u32, faults: Faults) -> Scene<RicartAgrawala> {
    Scene::new(variant, nodes, faults, lockers(4))
}

#[test]
fn whoever_dies_and_comes_back_the_others_go_on() {
    for nodes in 2..=4 {
        holds(&scene("remove-dead", nodes, CRASHES), 0..400, USUAL, &exclusion());
        holds(&scene("remove-dead", nodes, RETURNS), 0..1_000, USUAL, &exclusion());
    }
}

/// What an earlier life has said may come after what was said to a later one.
#[test]
fn where_messages_overtake_two_may_be_in() {
    let overtaking = Faults { fifo: false, ..RETURNS };
    breaks(&scene("remove-dead", 3, overtaking), 0..20_000, USUAL, &exclusion(), "two in the section");
}

#[test]
fn who_is_told_of_no_death_waits_for_the_dead() {
    breaks(&scene("remove-dead", 3, Faults { detected: false, ..CRASHES }), 0..400, USUAL, &exclusion(), "stuck");
    breaks(&scene("lamport-clock", 3, CRASHES), 0..400, USUAL, &exclusion(), "stuck");
}

#[test]
fn who_asks_before_it_knows_how_late_it_is_gets_in_beside_another() {
    let seed = breaks(&scene("asks-at-once", 3, RETURNS), 0..20_000, USUAL, &exclusion(), "two in the section");
    holds(&scene("remove-dead", 3, RETURNS), seed..seed + 1, USUAL, &exclusion());
}

/// A process that is only slow is in the section: whoever takes it for dead enters beside it.
#[test]
fn a_wrong_suspicion_lets_two_in() {
    let mut stage = Script::<RicartAgrawala>::begin("remove-dead", 3);
    stage.acquire(0);
    stage.deliver_all();
    stage.acquire(1);
    stage.deliver_all();
    assert_eq!(stage.inside(), [0]);
    stage.happen(&Choice::Suspect { node: NodeId(1), whom: NodeId(0) });
    assert_eq!(stage.inside(), [0, 1]);
    assert!(stage.at_most_one_inside().is_err());
}

/// And once it is trusted again it is asked again.
#[test]
fn who_is_trusted_again_is_asked_again() {
    let mut stage = Script::<RicartAgrawala>::begin("remove-dead", 3);
    stage.happen(&Choice::Suspect { node: NodeId(1), whom: NodeId(0) });
    stage.happen(&Choice::Trust { node: NodeId(1), whom: NodeId(0) });
    stage.acquire(0);
    stage.deliver_all();
    stage.acquire(1);
    stage.deliver_all();
    assert_eq!(stage.inside(), [0]);
}
