//! Processes that restart after a crash without any state. Such a process must not use a token, permission or vote
//! that it may have passed on. Its requests must differ from those of its earlier incarnations. If the process
//! lacks necessary knowledge, it takes no part in the algorithm. So a restart never causes a violation of mutual
//! exclusion.

use interlock_algorithm::mutual_exclusion::bakery::Bakery;
use interlock_algorithm::mutual_exclusion::carvalho_roucairol::CarvalhoRoucairol;
use interlock_algorithm::mutual_exclusion::centralised::Centralised;
use interlock_algorithm::mutual_exclusion::lamport::Lamport;
use interlock_algorithm::mutual_exclusion::le_lann::LeLann;
use interlock_algorithm::mutual_exclusion::maekawa::Maekawa;
use interlock_algorithm::mutual_exclusion::naimi_trehel::NaimiTrehel;
use interlock_algorithm::mutual_exclusion::raymond::Raymond;
use interlock_algorithm::mutual_exclusion::ricart_agrawala::RicartAgrawala;
use interlock_algorithm::mutual_exclusion::ricart_agrawala_token::RicartAgrawalaToken;
use interlock_algorithm::mutual_exclusion::sanders::Sanders;
use interlock_algorithm::mutual_exclusion::suzuki_kasami::SuzukiKasami;
use interlock_algorithm::{
    Algorithm, Command, Configuration, Effect, Effects, Entry, Input, LockId, NodeId, Refusal, RequestId, Value,
    Variant, View,
};
use serde::{Deserialize, Serialize};

use crate::driver::Scene;
use crate::driver::clients::lockers;
use crate::driver::faults::{FIFO, Faults};
use crate::driver::random::{Possible, Rules, USUAL, breaks, holds};
use crate::driver::script::Script;
use interlock_model::event::RestartState;

const FORGETFUL: Faults = Faults { crashes: 4, memory: Some(RestartState::None), ..FIFO };

fn acquire(request: u64) -> Command {
    Command::Acquire { lock: LockId(0), request: RequestId(request) }
}

const fn safety<A: Algorithm>() -> Rules<A> {
    Rules { always: |run| run.at_most_one_inside(), in_the_end: |_| Ok(()) }
}

fn crashes_let_nobody_in_beside_another<A: Algorithm>() {
    // Variants with time-outs are not tested here, because they are correct only if the time-outs are long enough.
    let right =
        |variant: &&Variant| variant.broken.is_none() && A::ENTRY.assumptions(variant.name).time_outs.is_empty();
    for variant in A::ENTRY.variants.iter().filter(right) {
        let scene = Scene::<A>::new(variant.name, 3, FORGETFUL, lockers(4));
        holds(&scene, 0..60, USUAL, &safety());
    }
}

#[test]
fn whoever_forgets_what_nobody_gets_in_beside_another() {
    crashes_let_nobody_in_beside_another::<CarvalhoRoucairol>();
    crashes_let_nobody_in_beside_another::<Bakery>();
    crashes_let_nobody_in_beside_another::<Centralised>();
    crashes_let_nobody_in_beside_another::<Lamport>();
    crashes_let_nobody_in_beside_another::<LeLann>();
    crashes_let_nobody_in_beside_another::<Maekawa>();
    crashes_let_nobody_in_beside_another::<NaimiTrehel>();
    crashes_let_nobody_in_beside_another::<Raymond>();
    crashes_let_nobody_in_beside_another::<RicartAgrawala>();
    crashes_let_nobody_in_beside_another::<RicartAgrawalaToken>();
    crashes_let_nobody_in_beside_another::<Sanders>();
    crashes_let_nobody_in_beside_another::<SuzukiKasami>();
}

/// The behaviour of a process after a restart. The process has entered before, crashes while no process wants to
/// enter, restarts, and then requests again.
#[derive(Debug, PartialEq, Eq)]
enum Fate {
    Enters,
    TakesNoPart,
    Waits,
}

use Fate::{Enters, TakesNoPart, Waits};

fn client_that_was_idle<A: Algorithm>(variant: &str) -> Fate {
    let mut stage = Script::<A>::begin(variant, 3);
    let enter = |stage: &mut Script<A>, node: u32| {
        stage.acquire(node);
        settle(stage);
        let inside = stage.inside().contains(&node);
        if inside {
            stage.release(node);
            settle(stage);
        }
        inside
    };
    assert!(enter(&mut stage, 1) && enter(&mut stage, 1) && enter(&mut stage, 2), "{variant}");
    stage.crash(1);
    stage.restart(1, RestartState::None);
    match (stage.state_of(NodeId(1)).is_some(), stage.objection(1, &acquire(3))) {
        (false, Some(objection)) if objection.contains("does not participate") => TakesNoPart,
        (true, None) if enter(&mut stage, 1) => Enters,
        (true, None) => Waits,
        odd => panic!("{odd:?}"),
    }
}

/// Delivers the messages in transit, at most 100: a token may circulate endlessly.
fn settle<A: Algorithm>(stage: &mut Script<A>) {
    for _ in 0..100 {
        let Some(arrival) = stage.arrivals().into_iter().next() else { return };
        stage.happen(&arrival);
    }
}

#[test]
fn an_idle_client_that_comes_back_is_told_from_what_it_was_or_takes_no_part() {
    for (fate, expected) in [
        (client_that_was_idle::<Centralised>("arrival-order"), Enters),
        (client_that_was_idle::<Centralised>("timestamp-order"), Enters),
        (client_that_was_idle::<Bakery>("pull"), Enters),
        (client_that_was_idle::<SuzukiKasami>("fifo-queue"), Enters),
        (client_that_was_idle::<RicartAgrawalaToken>("ring-order"), Enters),
        (client_that_was_idle::<RicartAgrawalaToken>("longest-waiting"), Enters),
        // The restarted process sends its REQUEST to the initial holder of the token. From there, the pointers lead
        // to the current holder.
        (client_that_was_idle::<NaimiTrehel>("original"), Enters),
        (client_that_was_idle::<Bakery>("push"), TakesNoPart),
        (client_that_was_idle::<CarvalhoRoucairol>("original"), TakesNoPart),
        (client_that_was_idle::<Lamport>("any-later-message"), TakesNoPart),
        (client_that_was_idle::<Maekawa>("corrected"), TakesNoPart),
        (client_that_was_idle::<Raymond>("original"), TakesNoPart),
        (client_that_was_idle::<RicartAgrawala>("lamport-clock"), TakesNoPart),
        (client_that_was_idle::<CarvalhoRoucairol>("remove-dead"), Enters),
        (client_that_was_idle::<Lamport>("remove-dead"), Enters),
        (client_that_was_idle::<RicartAgrawala>("remove-dead"), Enters),
        (client_that_was_idle::<Sanders>("maekawa"), TakesNoPart),
    ] {
        assert_eq!(fate, expected);
    }
}

/// The initial holder of a token restarts without any state while another process is in the critical section. The
/// restarted process must not assume that it still has the token.
fn first_holder_waits<A: Algorithm>() {
    let mut stage = Script::<A>::begin(A::ENTRY.variants[0].name, 3);
    stage.acquire(1);
    while !stage.inside().contains(&1) {
        let next = stage.arrivals().into_iter().next().expect("a way to the section");
        stage.happen(&next);
    }
    stage.crash(0);
    stage.restart(0, RestartState::None);
    stage.acquire(0);
    stage.deliver_all();
    assert_eq!(stage.at_most_one_inside(), Ok(()), "{}", A::ENTRY.name);
    stage.release(1);
    settle(&mut stage);
    let entered = stage.inside().contains(&0);
    // In Naimi and Tréhel's algorithm, the queue is a chain of `next` pointers. The restarted process has forgotten
    // its pointer, so all later processes in the queue wait forever.
    assert_eq!(entered, A::ENTRY.name != NaimiTrehel::ENTRY.name, "{}", A::ENTRY.name);
}

#[test]
fn a_first_holder_that_comes_back_mints_no_second_token() {
    first_holder_waits::<LeLann>();
    first_holder_waits::<NaimiTrehel>();
    first_holder_waits::<RicartAgrawalaToken>();
    first_holder_waits::<SuzukiKasami>();
}

/// A process receives a token that was sent to its earlier incarnation. It accepts the token and passes it on.
fn a_token_for_an_earlier_life_goes_on<A: Algorithm>() {
    let mut stage = Script::<A>::begin(A::ENTRY.variants[0].name, 3);
    stage.acquire(1);
    stage.deliver_all_but(|from, to| (from, to) == (0, 1));
    stage.crash(1);
    stage.restart(1, RestartState::None);
    stage.deliver_all();
    stage.acquire(2);
    stage.deliver_all();
    assert!(stage.inside().contains(&2), "{}", A::ENTRY.name);
}

#[test]
fn a_token_that_comes_for_an_earlier_life_is_kept_for_the_others() {
    a_token_for_an_earlier_life_goes_on::<NaimiTrehel>();
    a_token_for_an_earlier_life_goes_on::<RicartAgrawalaToken>();
    a_token_for_an_earlier_life_goes_on::<SuzukiKasami>();
}

/// If a client crashes in the critical section or while it waits, the coordinator keeps the client's request. The
/// request ends when the restarted client requests again, or when it returns the grant.
#[test]
fn a_coordinator_gets_back_what_a_client_has_forgotten() {
    let mut stage = Script::<Centralised>::begin("arrival-order", 3);
    stage.acquire(1);
    stage.deliver_all();
    stage.acquire(2);
    stage.deliver_all();
    stage.crash(2);
    stage.crash(1);
    stage.restart(1, RestartState::None);
    stage.restart(2, RestartState::None);
    stage.acquire(1);
    stage.deliver_all();
    assert!(stage.inside().contains(&1), "2 gave back what it was granted");
}

/// In a run with a single process, no other process can have the token, so a restarted process may make a new one.
#[test]
fn a_process_that_is_alone_begins_anew() {
    fn alone<A: Algorithm>() {
        let mut stage = Script::<A>::begin(A::ENTRY.variants[0].name, 1);
        stage.crash(0);
        stage.restart(0, RestartState::None);
        stage.acquire(0);
        assert!(stage.inside().contains(&0), "{}", A::ENTRY.name);
    }
    alone::<LeLann>();
    alone::<NaimiTrehel>();
    alone::<RicartAgrawalaToken>();
    alone::<SuzukiKasami>();
}

/// An answer in the bakery algorithm names the incarnation that sent the question. An answer to an earlier
/// incarnation may arrive late, but does not count as an answer to a later incarnation.
#[test]
fn an_answer_to_an_earlier_life_does_not_break_the_bakery() {
    let mut stage = Script::<Bakery>::begin("pull", 2);
    stage.acquire(0);
    stage.deliver("READ", 0, 1);
    stage.crash(0);
    stage.restart(0, RestartState::None);
    stage.acquire(1);
    while !stage.inside().contains(&1) {
        stage.deliver("READ", 1, 0);
        stage.deliver("VALUE", 0, 1);
    }
    stage.acquire(0);
    stage.deliver("VALUE", 1, 0);
    for _ in 0..20 {
        stage.deliver("READ", 0, 1);
        stage.deliver("VALUE", 1, 0);
    }
    assert_eq!(stage.at_most_one_inside(), Ok(()), "the late answer said 0");
    assert_eq!((stage.inside(), stage.waiting()), (vec![1], vec![0]));
}

/// Le Lann's algorithm with a fault: a restarted process begins in its initial state, in which it may have the
/// token.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct BeginsAnew(LeLann);

impl Algorithm for BeginsAnew {
    type Setting = <LeLann as Algorithm>::Setting;
    type Message = <LeLann as Algorithm>::Message;
    type Timer = <LeLann as Algorithm>::Timer;
    type Stored = ();
    type Reason = <LeLann as Algorithm>::Reason;

    const ENTRY: Entry = LeLann::ENTRY;

    fn configure(configuration: &Configuration<'_>) -> Result<Self::Setting, Refusal> {
        LeLann::configure(configuration)
    }

    fn new(setting: &Self::Setting, me: NodeId) -> Self {
        Self(LeLann::new(setting, me))
    }

    fn begin_incarnation(setting: &Self::Setting, me: NodeId, _: u32) -> Option<Self> {
        Some(Self::new(setting, me))
    }

    fn step(&mut self, setting: &Self::Setting, me: NodeId, input: Input<Self>, out: &mut Effects<Self>) {
        let input = match input {
            Input::Command(command) => Input::Command(command),
            Input::Message { from, message } => Input::Message { from, message },
            _ => Input::Start,
        };
        let mut effects = Effects::default();
        self.0.step(setting, me, input, &mut effects);
        for effect in effects.drain() {
            match effect {
                Effect::Send { to, message } => out.push(Effect::Send { to, message }),
                Effect::Outcome(outcome) => out.outcome(outcome),
                _ => {}
            }
        }
    }

    fn view(&self, setting: &Self::Setting, me: NodeId) -> View {
        self.0.view(setting, me)
    }
}

/// Negative control: if a restarted process begins in its initial state, mutual exclusion is violated.
#[test]
fn one_that_begins_anew_would_be_caught() {
    let scene = Scene::<BeginsAnew>::new("original", 3, FORGETFUL, lockers(4));
    breaks(&scene, 0..400, USUAL, &safety(), "two in the section");
}

#[test]
fn who_takes_no_part_says_nothing_and_shows_it() {
    let mut stage = Script::<RicartAgrawala>::begin("lamport-clock", 2);
    stage.crash(1);
    stage.restart(1, RestartState::None);
    stage.acquire(0);
    stage.deliver_all();
    assert_eq!(stage.sent("REPLY"), 0);
    assert_eq!(stage.state_of(NodeId(1)), None);
    assert_eq!(stage.variable(1, "takes_part"), Value::Flag(false));
}
