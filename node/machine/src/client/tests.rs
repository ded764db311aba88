//! Tests of the client without its node.

use interlock_algorithm::{Operation, Response};

use super::*;
use crate::wire::Order;

const LOCK: LockId = LockId(0);

const REQUEST: RequestId = RequestId(7);
fn acquire() -> Command {
    Command::Acquire { lock: LOCK, request: REQUEST }
}

fn release() -> Command {
    Command::Release { lock: LOCK, request: REQUEST }
}

fn client(client_loop: &str) -> Client {
    let client_loop: Option<ClientLoop> = serde_json::from_str(client_loop).expect("a client loop");
    Client::new(NodeId(0), 3, 7, client_loop.map(Arc::new), ClientContext::ONE_LOCK).reborn(REQUEST, 0)
}

/// Passes an outcome of the algorithm to the client. Returns the effects of the client.
fn after(client: &mut Client, outcome: &Outcome) -> Vec<ClientEffect> {
    let mut effects = Vec::new();
    client.observe(outcome, &mut effects);
    effects
}

fn entered(request: RequestId) -> Outcome {
    Outcome::Entered { lock: LOCK, request, fence: None }
}

fn exited(request: RequestId) -> Outcome {
    Outcome::Exited { lock: LOCK, request }
}

#[test]
fn the_loop_idles_asks_holds_and_releases_until_its_entries_are_used_up() {
    let mut client = client(r#"{"idle":"const:2","hold":"const:5","entries":2}"#);
    let mut effects = Vec::new();
    client.begin(&mut effects);
    assert_eq!(effects, [ClientEffect::Set(ClientTimer::Idle, 2000)]);
    assert_eq!(client.run_out(ClientTimer::Idle, &mut Vec::new()), Some(acquire()));
    assert_eq!(after(&mut client, &entered(REQUEST)), [ClientEffect::Set(ClientTimer::Hold, 5000)]);
    assert_eq!(client.run_out(ClientTimer::Hold, &mut Vec::new()), Some(release()));
    assert_eq!(after(&mut client, &exited(REQUEST)), [ClientEffect::Set(ClientTimer::Idle, 2000)]);
    assert_eq!(
        client.run_out(ClientTimer::Idle, &mut Vec::new()),
        Some(Command::Acquire { lock: LOCK, request: RequestId(8) })
    );
    after(&mut client, &entered(RequestId(8)));
    client.run_out(ClientTimer::Hold, &mut Vec::new());
    assert_eq!(after(&mut client, &exited(RequestId(8))), []);
    assert_eq!(client.run_out(ClientTimer::Idle, &mut Vec::new()), None);
}

#[test]
fn a_client_of_a_service_asks_for_one_thing_after_the_other() {
    let mut client = client(r#"{"idle":"const:2","hold":"const:5","entries":2,"service":"unique-ids"}"#);
    let invoke = |request| Some(Command::Invoke { request, operation: Operation::Generate {} });
    let returned = |request| Outcome::Returned { request, response: Response::Refused { code: 11 } };
    let begins = [ClientEffect::Set(ClientTimer::Idle, 2000)];
    let mut effects = Vec::new();
    client.begin(&mut effects);
    assert_eq!(effects, begins);
    assert_eq!(client.run_out(ClientTimer::Idle, &mut Vec::new()), invoke(REQUEST));
    assert_eq!(client.run_out(ClientTimer::Idle, &mut Vec::new()), None, "it waits for an answer");
    assert_eq!(after(&mut client, &returned(RequestId(3))), [], "that was another question");
    assert_eq!(after(&mut client, &returned(REQUEST)), begins);
    assert_eq!(client.run_out(ClientTimer::Idle, &mut Vec::new()), invoke(RequestId(8)));
    assert_eq!(after(&mut client, &returned(RequestId(8))), [], "its rounds are used up");
}

#[test]
fn entries_of_earlier_lives_count() {
    let loops = r#"{"idle":"0","hold":"0","entries":2}"#;
    for (entries, begins) in [(1, true), (2, false)] {
        let mut client = client(loops).reborn(REQUEST, entries);
        let mut effects = Vec::new();
        client.begin(&mut effects);
        assert_eq!(!effects.is_empty(), begins, "after {entries} entries");
    }
}

#[test]
fn times_depend_on_the_request_and_on_what_they_are_for() {
    let mut client = client(r#"{"idle":"uniform:0..1000","hold":"uniform:0..1000","entries":null}"#);
    let mut effects = Vec::new();
    client.begin(&mut effects);
    client.run_out(ClientTimer::Idle, &mut Vec::new());
    effects.extend(after(&mut client, &entered(REQUEST)));
    client.run_out(ClientTimer::Hold, &mut Vec::new());
    effects.extend(after(&mut client, &exited(REQUEST)));
    let times: Vec<Ticks> = effects
        .iter()
        .map(|effect| match effect {
            ClientEffect::Set(_, time) => *time,
            ClientEffect::Cancel(_) | ClientEffect::Tell(..) => 0,
        })
        .collect();
    assert!(times[0] != times[1] && times[1] != times[2] && times[0] != times[2], "{times:?}");
}

#[test]
fn a_command_with_a_time_releases_by_itself_and_one_without_does_not() {
    for (hold_us, effects) in [(Some(9), vec![ClientEffect::Set(ClientTimer::Hold, 9)]), (None, vec![])] {
        let mut client = client("null");
        let order = Order::Acquire { lock: LOCK, hold_us };
        assert_eq!(client.order(&order, &mut Vec::new()), Ok(Some(acquire())));
        assert_eq!(after(&mut client, &entered(REQUEST)), effects);
    }
}

#[test]
fn a_release_by_command_cancels_the_hold_timer() {
    let mut client = client("null");
    let mut effects = Vec::new();
    assert_eq!(client.order(&Order::Acquire { lock: LOCK, hold_us: Some(9) }, &mut effects), Ok(Some(acquire())));
    after(&mut client, &entered(REQUEST));
    assert_eq!(client.order(&Order::Release { lock: LOCK }, &mut effects), Ok(Some(release())));
    assert_eq!(effects, [ClientEffect::Cancel(ClientTimer::Hold)]);
    assert_eq!(client.order(&Order::Release { lock: LOCK }, &mut effects), Err(OrderError::NotInSection));
}

#[test]
fn an_idle_time_that_ends_during_a_request_begins_anew_with_the_exit() {
    let loops = r#"{"idle":"const:2","hold":"const:5","entries":null}"#;
    for (ends_meanwhile, effects) in [(true, vec![ClientEffect::Set(ClientTimer::Idle, 2000)]), (false, vec![])] {
        let mut client = client(loops);
        client.begin(&mut Vec::new());
        let order = Order::Acquire { lock: LOCK, hold_us: None };
        assert_eq!(client.order(&order, &mut Vec::new()), Ok(Some(acquire())));
        if ends_meanwhile {
            assert_eq!(client.run_out(ClientTimer::Idle, &mut Vec::new()), None);
        }
        assert_eq!(after(&mut client, &entered(REQUEST)), []);
        assert_eq!(client.order(&Order::Release { lock: LOCK }, &mut Vec::new()), Ok(Some(release())));
        assert_eq!(after(&mut client, &exited(REQUEST)), effects);
    }
}

#[test]
fn in_an_open_loop_requests_come_while_others_wait_and_stand_in_line() {
    let mut client = client(r#"{"idle":"const:2","hold":"const:5","entries":2,"loop":"open"}"#);
    let mut effects = Vec::new();
    client.begin(&mut effects);
    assert_eq!(client.run_out(ClientTimer::Idle, &mut effects), Some(acquire()));
    assert_eq!(client.run_out(ClientTimer::Idle, &mut effects), None, "the first is not granted yet");
    assert_eq!(effects, [ClientEffect::Set(ClientTimer::Idle, 2000); 2], "two in all");
    after(&mut client, &entered(REQUEST));
    client.run_out(ClientTimer::Hold, &mut Vec::new());
    assert_eq!(after(&mut client, &exited(REQUEST)), [ClientEffect::Set(ClientTimer::Queued, 0)]);
    assert_eq!(
        client.run_out(ClientTimer::Queued, &mut Vec::new()),
        Some(Command::Acquire { lock: LOCK, request: RequestId(8) })
    );
    after(&mut client, &entered(RequestId(8)));
    client.run_out(ClientTimer::Hold, &mut Vec::new());
    assert_eq!(after(&mut client, &exited(RequestId(8))), []);
}

#[test]
fn what_the_contract_forbids_is_refused() {
    let mut client = client("null");
    let mut effects = Vec::new();
    let ask = Order::Acquire { lock: LOCK, hold_us: None };
    let elsewhere = Order::Release { lock: LockId(3) };
    assert_eq!(client.order(&elsewhere, &mut effects), Err(OrderError::UnknownLock(LockId(3), 1)));
    assert_eq!(client.order(&Order::Release { lock: LOCK }, &mut effects), Err(OrderError::NotInSection));
    assert_eq!(client.order(&ask, &mut effects), Ok(Some(acquire())));
    assert_eq!(client.order(&ask, &mut effects), Err(OrderError::NotIdle(REQUEST)));
    assert_eq!(effects, []);
}

const SEVERAL: ClientContext = ClientContext { locks: 4, ..ClientContext::ONE_LOCK };
const TRANSACTIONS: ClientContext = ClientContext { transactions: true, ..SEVERAL };

fn client_with(context: ClientContext, client_loop: &str) -> Client {
    let client_loop: Option<ClientLoop> = serde_json::from_str(client_loop).expect("a client loop");
    Client::new(NodeId(1), 4, 7, client_loop.map(Arc::new), context)
}

#[expect(clippy::unnecessary_wraps, reason = "it is what the client answers")]
fn acquire_of(lock: u32, request: u64) -> Option<Command> {
    Some(Command::Acquire { lock: LockId(lock), request: RequestId(request) })
}

#[expect(clippy::unnecessary_wraps, reason = "it is what the client answers")]
fn release_of(lock: u32, request: u64) -> Option<Command> {
    Some(Command::Release { lock: LockId(lock), request: RequestId(request) })
}

fn got(lock: u32, request: u64) -> Outcome {
    Outcome::Entered { lock: LockId(lock), request: RequestId(request), fence: None }
}

fn left(lock: u32, request: u64) -> Outcome {
    Outcome::Exited { lock: LockId(lock), request: RequestId(request) }
}

const NEIGHBOURS: &str =
    r#"{"idle":"const:2","hold":"const:5","locks":"neighbours","between":"const:1","again":"const:9"}"#;

#[test]
fn a_round_of_several_locks_takes_one_after_the_other_and_gives_the_last_back_first() {
    for (context, second) in [(SEVERAL, 2), (TRANSACTIONS, 1)] {
        let mut client = client_with(context, NEIGHBOURS);
        let mut out = Vec::new();
        assert_eq!(client.run_out(ClientTimer::Idle, &mut out), acquire_of(1, 1));
        assert_eq!(after(&mut client, &got(1, 1)), [ClientEffect::Set(ClientTimer::Next, 1000)]);
        assert_eq!(client.run_out(ClientTimer::Next, &mut out), acquire_of(2, second));
        assert_eq!(after(&mut client, &got(2, second)), [ClientEffect::Set(ClientTimer::Hold, 5000)]);
        assert_eq!(client.run_out(ClientTimer::Hold, &mut out), release_of(2, second));
        assert_eq!(after(&mut client, &left(2, second)), [ClientEffect::Set(ClientTimer::Next, 0)]);
        assert_eq!(client.run_out(ClientTimer::Next, &mut out), release_of(1, 1));
        assert_eq!(after(&mut client, &left(1, 1)), [ClientEffect::Set(ClientTimer::Idle, 2000)]);
    }
}

#[test]
fn a_client_does_not_ask_for_what_it_may_never_have() {
    let barred = |choice: &str, locks: &[u32]| {
        let habit = format!(r#"{{"idle":"const:2","hold":"const:5","locks":"{choice}","between":"const:1"}}"#);
        client_with(SEVERAL, &habit).barred_from(locks.iter().copied().map(LockId).collect())
    };
    let mut out = Vec::new();
    let mut some = barred("all", &[0, 2, 3]);
    assert_eq!(some.run_out(ClientTimer::Idle, &mut out), acquire_of(1, 1));
    assert_eq!(after(&mut some, &got(1, 1)), [ClientEffect::Set(ClientTimer::Hold, 5000)], "it has all that it may");
    for (choice, locks) in [("all", &[0, 1, 2, 3][..]), ("0,2", &[0, 2]), ("one", &[0, 1, 2, 3])] {
        assert_eq!(barred(choice, locks).run_out(ClientTimer::Idle, &mut out), None, "{choice}");
        assert_eq!(out, [], "{choice}: it asks for nothing, now and later");
    }
    // After another idle time, the client may draw a lock that it is allowed to acquire.
    let mut drawn = barred("one", &[0, 1, 3]);
    let asked = (0..100).find_map(|_| drawn.run_out(ClientTimer::Idle, &mut out));
    assert!(matches!(asked, Some(Command::Acquire { lock: LockId(2), .. })), "{asked:?}");
    assert!(!out.is_empty() && out.iter().all(|effect| *effect == ClientEffect::Set(ClientTimer::Idle, 2000)));
}

const DIRECTORY: &str =
    r#"{"idle":"const:2","hold":"const:5","locks":"directory","between":"const:1","again":"const:9"}"#;

/// Creates a client that has requested a directory of three files, and then one of the files. Returns the client,
/// and the number of the lock of this file.
fn in_a_directory() -> (Client, u32) {
    let mut client = client_with(SEVERAL, DIRECTORY);
    let mut out = Vec::new();
    assert_eq!(client.run_out(ClientTimer::Idle, &mut out), acquire_of(0, 1));
    assert_eq!(after(&mut client, &got(0, 1)), [ClientEffect::Set(ClientTimer::Next, 1000)]);
    let Some(Command::Acquire { lock, request: RequestId(2) }) = client.run_out(ClientTimer::Next, &mut out) else {
        panic!("it asks for a file")
    };
    assert!((1..4).contains(&lock.0), "{lock}");
    (client, lock.0)
}

#[test]
fn a_directory_is_given_back_as_soon_as_the_file_is_there() {
    let (mut client, file) = in_a_directory();
    let mut out = Vec::new();
    let keeps = [ClientEffect::Set(ClientTimer::Hold, 5000), ClientEffect::Set(ClientTimer::Next, 0)];
    assert_eq!(after(&mut client, &got(file, 2)), keeps);
    assert_eq!(client.run_out(ClientTimer::Next, &mut out), release_of(0, 1));
    assert_eq!(after(&mut client, &left(0, 1)), [], "the file is held as long as before");
    assert_eq!(client.run_out(ClientTimer::Hold, &mut out), release_of(file, 2));
    assert_eq!(after(&mut client, &left(file, 2)), [ClientEffect::Set(ClientTimer::Idle, 2000)]);
}

#[test]
fn a_file_is_given_back_after_a_directory_whose_giving_back_takes_long() {
    let (mut client, file) = in_a_directory();
    let mut out = Vec::new();
    after(&mut client, &got(file, 2));
    assert_eq!(client.run_out(ClientTimer::Next, &mut out), release_of(0, 1));
    assert_eq!(client.run_out(ClientTimer::Hold, &mut out), None, "one after the other");
    assert_eq!(after(&mut client, &left(0, 1)), [ClientEffect::Set(ClientTimer::Next, 0)]);
    assert_eq!(client.run_out(ClientTimer::Next, &mut out), release_of(file, 2));
}

#[test]
fn without_its_directory_nobody_takes_a_file() {
    let (mut client, file) = in_a_directory();
    let mut out = Vec::new();
    assert_eq!(after(&mut client, &left(0, 1)), [ClientEffect::Set(ClientTimer::Next, 0)], "it was taken away");
    assert_eq!(client.run_out(ClientTimer::Next, &mut out), None);
    assert_eq!(after(&mut client, &got(file, 2)), [ClientEffect::Set(ClientTimer::Next, 0)]);
    assert_eq!(client.run_out(ClientTimer::Next, &mut out), release_of(file, 2));
}

#[test]
fn what_comes_after_the_rest_was_taken_away_is_given_back() {
    type Begin = fn(&mut Client) -> Option<Command>;
    let by_itself: Begin = |client| client.run_out(ClientTimer::Idle, &mut Vec::new());
    let told: Begin = |client| client.told(Told { clock: None, asks: true, hold_us: None }, &mut Vec::new());
    for begin in [by_itself, told] {
        let mut client = client_with(SEVERAL, NEIGHBOURS);
        let mut out = Vec::new();
        assert_eq!(begin(&mut client), acquire_of(1, 1));
        after(&mut client, &got(1, 1));
        assert_eq!(client.run_out(ClientTimer::Next, &mut out), acquire_of(2, 2));
        assert_eq!(after(&mut client, &left(1, 1)), [ClientEffect::Set(ClientTimer::Next, 0)], "its lease is over");
        assert_eq!(client.run_out(ClientTimer::Next, &mut out), None, "nothing is there to be given back");
        assert_eq!(after(&mut client, &got(2, 2)), [ClientEffect::Set(ClientTimer::Next, 0)]);
        assert_eq!(client.run_out(ClientTimer::Next, &mut out), release_of(2, 2));
        assert_eq!(after(&mut client, &left(2, 2)), [ClientEffect::Set(ClientTimer::Idle, 2000)]);
    }
}

#[test]
fn a_round_of_several_requests_counts_once_and_one_that_was_aborted_not_again() {
    for context in [SEVERAL, TRANSACTIONS] {
        let mut client = client_with(context, r#"{"idle":"0","hold":"0","locks":"0,1,2","entries":2}"#);
        for round in 0..2 {
            let mut command = client.run_out(ClientTimer::Idle, &mut Vec::new());
            for _ in 0..3 {
                let Some(Command::Acquire { lock, request }) = command else { panic!("{command:?} in round {round}") };
                after(&mut client, &Outcome::Entered { lock, request, fence: None });
                command = client.run_out(ClientTimer::Next, &mut Vec::new());
            }
            assert_eq!(client.rounds(), round + 1);
            command = client.run_out(ClientTimer::Hold, &mut Vec::new());
            while let Some(Command::Release { lock, request }) = command {
                after(&mut client, &Outcome::Exited { lock, request });
                command = client.run_out(ClientTimer::Next, &mut Vec::new());
            }
        }
        assert_eq!(client.run_out(ClientTimer::Idle, &mut Vec::new()), None, "both rounds have been made");
    }
    let mut client = client_with(TRANSACTIONS, NEIGHBOURS);
    client.run_out(ClientTimer::Idle, &mut Vec::new());
    for _ in 0..2 {
        after(&mut client, &got(1, 1));
        let cause = interlock_algorithm::AbortCause::Died;
        after(&mut client, &Outcome::Aborted { request: RequestId(1), cause });
        assert_eq!(client.run_out(ClientTimer::Again, &mut Vec::new()), acquire_of(1, 1));
    }
    assert_eq!(client.rounds(), 1);
}

#[test]
fn what_was_aborted_is_asked_for_again_with_the_same_number() {
    let mut client = client_with(TRANSACTIONS, NEIGHBOURS);
    let mut out = Vec::new();
    client.run_out(ClientTimer::Idle, &mut out);
    after(&mut client, &got(1, 1));
    client.run_out(ClientTimer::Next, &mut out);
    let mut effects = after(&mut client, &left(1, 1));
    let cause = interlock_algorithm::AbortCause::Died;
    effects.extend(after(&mut client, &Outcome::Aborted { request: RequestId(1), cause }));
    let again = [ClientEffect::Cancel(ClientTimer::Next), ClientEffect::Set(ClientTimer::Again, 9000)];
    assert_eq!(effects[effects.len() - 2..], again);
    assert_eq!(client.run_out(ClientTimer::Again, &mut out), acquire_of(1, 1));
}

#[test]
fn discipline_orders_the_locks_or_asks_for_all_of_them_at_once() {
    let backwards = r#"{"idle":"0","hold":"0","locks":"3,0"}"#;
    let ascending = ClientContext { discipline: Discipline::Ascending, ..TRANSACTIONS };
    assert_eq!(client_with(ascending, backwards).run_out(ClientTimer::Idle, &mut Vec::new()), acquire_of(0, 1));
    let together = ClientContext { discipline: Discipline::Together, ..TRANSACTIONS };
    let both = Command::AcquireTogether { locks: vec![LockId(0), LockId(3)], request: RequestId(1) };
    assert_eq!(client_with(together, backwards).run_out(ClientTimer::Idle, &mut Vec::new()), Some(both));
}

#[test]
fn by_hand_a_transaction_grows_and_other_locks_are_requests_of_their_own() {
    for (context, second) in [(SEVERAL, 2), (TRANSACTIONS, 1)] {
        let mut client = client_with(context, "null");
        let order = |lock, client: &mut Client| {
            client.order(&Order::Acquire { lock: LockId(lock), hold_us: None }, &mut Vec::new())
        };
        assert_eq!(order(3, &mut client), Ok(acquire_of(3, 1)));
        after(&mut client, &got(3, 1));
        assert_eq!(order(3, &mut client), Err(OrderError::Taken(LockId(3), RequestId(1))));
        assert_eq!(order(0, &mut client), Ok(acquire_of(0, second)));
        let unknown = order(4, &mut client).expect_err("no such lock").to_string();
        assert_eq!(unknown, "there is no lock 4: the run has locks 0 … 3");
    }
    let shares = ClientContext { shares: true, ..SEVERAL };
    let mut client = client_with(shares, "null");
    for request in 1..=3 {
        let order = Order::Acquire { lock: LockId(1), hold_us: None };
        assert_eq!(client.order(&order, &mut Vec::new()), Ok(acquire_of(1, request)));
    }
}

#[test]
fn by_hand_several_are_asked_for_at_the_same_time_where_the_algorithm_does_so() {
    let order = |locks: &[u32], client: &mut Client| {
        let locks = locks.iter().copied().map(LockId).collect();
        client.order(&Order::AcquireTogether { locks, hold_us: Some(5) }, &mut Vec::new())
    };
    let together = |locks: &[u32], request| {
        let locks = locks.iter().copied().map(LockId).collect();
        Ok(Some(Command::AcquireTogether { locks, request: RequestId(request) }))
    };
    let mut units = client_with(ClientContext { shares: true, ..SEVERAL }, "null");
    assert_eq!(order(&[2, 0, 0], &mut units), together(&[0, 0, 2], 1));
    assert_eq!(after(&mut units, &got(0, 1)), []);
    assert_eq!(after(&mut units, &got(0, 2)), []);
    assert_eq!(after(&mut units, &got(2, 3)), [ClientEffect::Set(ClientTimer::HoldLock(LockId(2)), 5)]);
    assert_eq!(order(&[1], &mut units), together(&[1], 4));
    let mut locks = client_with(ClientContext { discipline: Discipline::Together, ..TRANSACTIONS }, "null");
    let refused = |why: &str| Err(OrderError::NotEachOnce(why.to_owned()));
    assert_eq!(order(&[1, 1], &mut locks), refused("it names lock 1 twice; name each lock once"));
    assert_eq!(order(&[], &mut locks), refused("it names no lock; name at least one"));
    assert_eq!(order(&[3, 1], &mut locks), together(&[1, 3], 1));
    assert_eq!(order(&[0], &mut locks), Err(OrderError::NotIdle(RequestId(1))));
    assert_eq!(order(&[1, 3], &mut client_with(TRANSACTIONS, "null")), Err(OrderError::OneByOne));
}

#[test]
fn what_the_algorithm_objects_to_has_not_been_asked() {
    let mut client = client_with(SEVERAL, "null");
    let order = Order::Acquire { lock: LockId(2), hold_us: None };
    let command = client.order(&order, &mut Vec::new()).expect("possible").expect("a command");
    client.withdraw(&command, &mut Vec::new());
    assert_eq!(client.order(&order, &mut Vec::new()), Ok(acquire_of(2, 2)), "the node is idle again");
}

#[test]
fn who_is_told_asks_if_it_is_idle_and_may() {
    let told = |asks, hold_us| Told { clock: None, asks, hold_us };
    let mut out = Vec::new();
    assert_eq!(client_with(SEVERAL, "null").told(told(true, None), &mut out), None, "nothing says for how long");
    assert_eq!(client_with(SEVERAL, "null").told(told(false, Some(5)), &mut out), None);
    let mut client = client_with(SEVERAL, "null");
    assert_eq!(client.told(told(true, Some(5)), &mut out), acquire_of(0, 1));
    assert_eq!(client.told(told(true, Some(5)), &mut out), None, "it waits");
    assert_eq!(after(&mut client, &got(0, 1)), [ClientEffect::Set(ClientTimer::Hold, 5)]);
}

#[test]
fn who_asks_tells_another_as_often_as_its_loop_says() {
    for (tell, expected) in [("0", 0), ("1", 100)] {
        let habit = format!(r#"{{"idle":"0","hold":"0","tell":{tell}}}"#);
        let mut client = client_with(ClientContext::ONE_LOCK, &habit);
        let mut told = Vec::new();
        for request in 1..=100 {
            let mut out = Vec::new();
            client.run_out(ClientTimer::Idle, &mut out);
            told.extend(out.into_iter().filter_map(|effect| match effect {
                ClientEffect::Tell(to, _) => Some(to),
                _ => None,
            }));
            after(&mut client, &got(0, request));
            client.run_out(ClientTimer::Hold, &mut Vec::new());
            after(&mut client, &left(0, request));
        }
        assert_eq!(told.len(), expected);
        assert!(told.iter().all(|to| *to != NodeId(1) && to.0 < 4), "{told:?}");
    }
}

#[test]
fn by_hand_a_transaction_keeps_what_it_has_until_it_has_all() {
    let mut client = client_with(TRANSACTIONS, "null");
    let mut out = Vec::new();
    let acquire = |lock| Order::Acquire { lock: LockId(lock), hold_us: Some(5) };
    assert_eq!(client.order(&acquire(2), &mut out), Ok(acquire_of(2, 1)));
    let timer = ClientTimer::HoldLock(LockId(2));
    assert_eq!(after(&mut client, &got(2, 1)), [ClientEffect::Set(timer, 5)]);
    assert_eq!(client.order(&acquire(3), &mut out), Ok(acquire_of(3, 1)));
    assert_eq!(out, [ClientEffect::Cancel(timer)]);
    assert_eq!(after(&mut client, &got(3, 1)), [ClientEffect::Set(ClientTimer::HoldLock(LockId(3)), 5)]);
}
