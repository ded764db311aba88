//! Crashed processes are removed from the algorithm, and restarted processes take part again. The other processes
//! continue. Mutual exclusion holds as long as the failure detector is correct.

use interlock_algorithm::Algorithm;
use interlock_algorithm::mutual_exclusion::carvalho_roucairol::{CarvalhoRoucairol, CarvalhoRoucairolMessage, Reason};
use interlock_algorithm::mutual_exclusion::lamport::Lamport;
use interlock_algorithm::mutual_exclusion::ricart_agrawala::RicartAgrawala;
use interlock_model::choice::Choice;
use interlock_model::event::RestartState;

use crate::driver::Scene;
use crate::driver::clients::lockers;
use crate::driver::faults::{FIFO, Faults};
use crate::driver::random::{Rules, USUAL, breaks, exclusion, holds};
use crate::driver::script::Script;
use interlock_algorithm::NodeId;

const REMOVES: &str = "remove-dead";
const CRASHES: Faults = Faults { crashes: 4, down_at_once: 2, detected: true, ..FIFO };
const RETURNS: Faults = Faults { memory: Some(RestartState::None), ..CRASHES };

fn scene<A: Algorithm>(variant: &str, nodes: u32, faults: Faults) -> Scene<A> {
    Scene::new(variant, nodes, faults, lockers(4))
}

fn the_others_go_on<A: Algorithm>() {
    for nodes in 2..=4 {
        holds(&scene::<A>(REMOVES, nodes, CRASHES), 0..60, USUAL, &exclusion());
        holds(&scene::<A>(REMOVES, nodes, RETURNS), 0..60, USUAL, &exclusion());
    }
}

#[test]
fn whoever_dies_and_comes_back_the_others_go_on() {
    the_others_go_on::<RicartAgrawala>();
    the_others_go_on::<Lamport>();
    the_others_go_on::<CarvalhoRoucairol>();
}

/// Without FIFO links, messages of a process's earlier incarnation can arrive late: after another process has sent
/// a message to the later incarnation. Mutual exclusion can then be violated.
#[test]
fn where_messages_overtake_two_may_be_in() {
    let overtaking = Faults { fifo: false, ..RETURNS };
    breaks(&scene::<RicartAgrawala>(REMOVES, 3, overtaking), 0..20_000, USUAL, &exclusion(), "two in the section");
    breaks(&scene::<Lamport>(REMOVES, 3, overtaking), 0..20_000, USUAL, &exclusion(), "two in the section");
    breaks(&scene::<CarvalhoRoucairol>(REMOVES, 3, overtaking), 0..20_000, USUAL, &exclusion(), "two in the section");
}

fn without_removal_all_wait<A: Algorithm>(otherwise: &str) {
    breaks(&scene::<A>(REMOVES, 3, Faults { detected: false, ..CRASHES }), 0..400, USUAL, &exclusion(), "stuck");
    breaks(&scene::<A>(otherwise, 3, CRASHES), 0..400, USUAL, &exclusion(), "stuck");
}

#[test]
fn who_is_told_of_no_death_waits_for_the_dead() {
    without_removal_all_wait::<RicartAgrawala>("lamport-clock");
    without_removal_all_wait::<Lamport>("any-later-message");
    without_removal_all_wait::<CarvalhoRoucairol>("original");
}

/// Finds a schedule in which `variant` violates mutual exclusion. Checks that the correct variant violates no
/// property in the same schedule.
fn breaks_alone<A: Algorithm>(variant: &str) {
    let seed = breaks(&scene::<A>(variant, 3, RETURNS), 0..20_000, USUAL, &exclusion(), "two in the section");
    holds(&scene::<A>(REMOVES, 3, RETURNS), seed..seed + 1, USUAL, &exclusion());
}

#[test]
fn who_asks_before_it_knows_how_late_it_is_gets_in_beside_another() {
    breaks_alone::<RicartAgrawala>("asks-at-once");
    breaks_alone::<Lamport>("asks-at-once");
}

#[test]
fn who_believes_to_have_the_permissions_of_the_start_gets_in_beside_another() {
    breaks_alone::<CarvalhoRoucairol>("back-as-at-start");
}

/// Initially, the process with the smallest id has all permissions. After a restart, this process has no permissions.
/// So it waits for a process that has entered since the crash.
#[test]
fn who_is_back_asks_also_for_what_it_had_at_the_start() {
    for (variant, inside) in [(REMOVES, vec![1]), ("back-as-at-start", vec![0, 1])] {
        let mut stage = Script::<CarvalhoRoucairol>::begin(variant, 3);
        stage.crash(0);
        stage.acquire(1);
        stage.happen(&Choice::Suspect { node: NodeId(1), whom: NodeId(0) });
        stage.deliver_all();
        stage.restart(0, RestartState::None);
        stage.happen(&Choice::Trust { node: NodeId(1), whom: NodeId(0) });
        stage.acquire(0);
        stage.deliver_all();
        assert_eq!(stage.inside(), inside, "{variant}");
    }
}

/// A process ignores a REPLY to its earlier incarnation or to an earlier request. The sender of such a REPLY was
/// meanwhile notified of the crash, and may enter as if it had not sent the REPLY.
#[test]
fn a_permission_for_what_is_over_gives_nothing() {
    let mut stage = Script::<CarvalhoRoucairol>::begin(REMOVES, 2);
    stage.acquire(1);
    stage.deliver("REQUEST", 1, 0);
    stage.crash(1);
    stage.happen(&Choice::Suspect { node: NodeId(0), whom: NodeId(1) });
    stage.acquire(0);
    assert_eq!(stage.inside(), [0]);
    stage.restart(1, RestartState::None);
    stage.happen(&Choice::Trust { node: NodeId(0), whom: NodeId(1) });
    stage.acquire(1);
    let from = NodeId(0);
    assert_eq!(stage.deliver("REPLY", 0, 1).reasons, [Reason::ToAnotherLife { from }]);
    let request = Some(stage.time(1) + 1);
    let late = CarvalhoRoucairolMessage::Reply { clock: 9, to_life: 2, request };
    assert_eq!(stage.forge(0, 1, late).reasons, [Reason::ToAnotherRequest { from }]);
    stage.deliver_all();
    assert_eq!(stage.inside(), [0]);
    stage.release(0);
    stage.deliver_all();
    assert_eq!(stage.inside(), [1]);
}

/// A slow process is in the critical section. Another process wrongly suspects the slow process, and enters as
/// well.
fn a_wrong_suspicion_is_believed<A: Algorithm>() {
    let mut stage = Script::<A>::begin(REMOVES, 3);
    stage.acquire(0);
    stage.deliver_all();
    stage.acquire(1);
    stage.deliver_all();
    assert_eq!(stage.inside(), [0]);
    stage.happen(&Choice::Suspect { node: NodeId(1), whom: NodeId(0) });
    assert_eq!(stage.inside(), [0, 1]);
    assert!(stage.at_most_one_inside().is_err());
}

#[test]
fn a_wrong_suspicion_lets_two_in() {
    a_wrong_suspicion_is_believed::<RicartAgrawala>();
    a_wrong_suspicion_is_believed::<Lamport>();
    a_wrong_suspicion_is_believed::<CarvalhoRoucairol>();
}

/// When a suspected process is trusted again, the other processes wait for it again, even if it sent its request
/// before the suspicion.
fn a_wrong_suspicion_does_not_last<A: Algorithm>() {
    let believe = |stage: &mut Script<A>| {
        stage.happen(&Choice::Suspect { node: NodeId(1), whom: NodeId(0) });
        stage.happen(&Choice::Trust { node: NodeId(1), whom: NodeId(0) });
    };
    for asks_before in [false, true] {
        let mut stage = Script::<A>::begin(REMOVES, 3);
        if !asks_before {
            believe(&mut stage);
        }
        stage.acquire(0);
        stage.deliver_all();
        if asks_before {
            believe(&mut stage);
        }
        stage.acquire(1);
        stage.deliver_all();
        assert_eq!(stage.inside(), [0]);
        stage.release(0);
        stage.deliver_all();
        assert_eq!(stage.inside(), [1]);
    }
}

#[test]
fn who_is_trusted_again_is_waited_for_again() {
    a_wrong_suspicion_does_not_last::<RicartAgrawala>();
    a_wrong_suspicion_does_not_last::<Lamport>();
    a_wrong_suspicion_does_not_last::<CarvalhoRoucairol>();
}

fn in_order<A: Algorithm>() -> Rules<A> {
    Rules { always: |run| run.in_order(), in_the_end: |_| Ok(()) }
}

/// If a client requests before its process has rejoined, the process sends the request later. In the meantime, a
/// request that happened after this request may be granted.
fn the_order_is_kept_until_somebody_is_back<A: Algorithm>() {
    holds(&scene::<A>(REMOVES, 3, CRASHES), 0..60, USUAL, &in_order());
    breaks(&scene::<A>(REMOVES, 3, RETURNS), 0..400, USUAL, &in_order(), "out of order");
}

#[test]
fn who_joins_may_be_passed_by_those_who_ask_later() {
    the_order_is_kept_until_somebody_is_back::<RicartAgrawala>();
    the_order_is_kept_until_somebody_is_back::<Lamport>();
}
