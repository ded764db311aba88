//! The client for itself.

use super::*;

const LOCK: LockId = LockId(0);

const REQUEST: RequestId = RequestId(7);
fn acquire() -> Command {
    Command::Acquire { lock: LOCK, request: REQUEST }
}

fn release() -> Command {
    Command::Release { lock: LOCK, request: REQUEST }
}

fn client(client_loop: &str) -> Client {
    let client_loop = serde_json::from_str(client_loop).expect("a client loop");
    Client::new(NodeId(0), 3, 7, client_loop, Premises::ONE_LOCK).reborn(REQUEST, 0)
}

/// What the client does when it hears of an outcome.
fn after(client: &mut Client, outcome: Outcome) -> Vec<ClientEffect> {
    let mut effects = Vec::new();
    client.observe(&outcome, &mut effects);
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
    assert_eq!(after(&mut client, entered(REQUEST)), [ClientEffect::Set(ClientTimer::Hold, 5000)]);
    assert_eq!(client.run_out(ClientTimer::Hold, &mut Vec::new()), Some(release()));
    assert_eq!(after(&mut client, exited(REQUEST)), [ClientEffect::Set(ClientTimer::Idle, 2000)]);
    assert_eq!(
        client.run_out(ClientTimer::Idle, &mut Vec::new()),
        Some(Command::Acquire { lock: LOCK, request: RequestId(8) })
    );
    after(&mut client, entered(RequestId(8)));
    client.run_out(ClientTimer::Hold, &mut Vec::new());
    assert_eq!(after(&mut client, exited(RequestId(8))), []);
    assert_eq!(client.run_out(ClientTimer::Idle, &mut Vec::new()), None);
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
    effects.extend(after(&mut client, entered(REQUEST)));
    client.run_out(ClientTimer::Hold, &mut Vec::new());
    effects.extend(after(&mut client, exited(REQUEST)));
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
        assert_eq!(after(&mut client, entered(REQUEST)), effects);
    }
}

#[test]
fn a_release_by_command_cancels_the_hold_timer() {
    let mut client = client("null");
    let mut effects = Vec::new();
    assert_eq!(client.order(&Order::Acquire { lock: LOCK, hold_us: Some(9) }, &mut effects), Ok(Some(acquire())));
    after(&mut client, entered(REQUEST));
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
        assert_eq!(after(&mut client, entered(REQUEST)), []);
        assert_eq!(client.order(&Order::Release { lock: LOCK }, &mut Vec::new()), Ok(Some(release())));
        assert_eq!(after(&mut client, exited(REQUEST)), effects);
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
    after(&mut client, entered(REQUEST));
    client.run_out(ClientTimer::Hold, &mut Vec::new());
    assert_eq!(after(&mut client, exited(REQUEST)), [ClientEffect::Set(ClientTimer::Queued, 0)]);
    assert_eq!(
        client.run_out(ClientTimer::Queued, &mut Vec::new()),
        Some(Command::Acquire { lock: LOCK, request: RequestId(8) })
    );
    after(&mut client, entered(RequestId(8)));
    client.run_out(ClientTimer::Hold, &mut Vec::new());
    assert_eq!(after(&mut client, exited(RequestId(8))), []);
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
