//! Tests of the commands and queries of a run, and of the end of a playground that is dropped.

use std::path::Path;
use std::time::Duration;

use interlock_harness::{Error, Playground, Restart, Run, json};

/// Maximum time for an expected event, also on a busy machine.
const WITHIN: Duration = Duration::from_mins(1);

fn ricart_agrawala(playground: &Playground, nodes: u32) -> Result<Run, Error> {
    playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": nodes }))
}

/// Returns the names of the messages in all events of kind `kind`.
fn messages(run: &Run, kind: &str) -> Result<Vec<String>, Error> {
    let events = run.events(&format!("kind={kind}"))?;
    Ok(events.iter().map(|event| event["message"].as_str().unwrap_or_default().to_owned()).collect())
}

fn status(result: Result<u64, Error>) -> Option<u16> {
    result.expect_err("a refusal").problem().map(|problem| problem.status)
}

#[test]
fn a_lock_is_held_until_it_is_released() -> Result<(), Error> {
    let playground = Playground::open()?;
    let run = ricart_agrawala(&playground, 2)?;
    assert_eq!(run.holder()?, None);
    let start = run.mark()?;
    assert_eq!(run.enter(1, WITHIN)?.request, Some(1));
    assert_eq!(run.holder()?, Some(1));
    run.release(1)?;
    run.acquire_with(0, json!({ "hold": "1ms" }))?;
    run.wait_since(start, json!({ "event": { "kind": "exited", "node": 0 } }), WITHIN)?;
    run.wait("idle", WITHIN)?;
    assert!(run.story()?.contains("enters the section"));
    assert_eq!(run.state_at(start)?["locks"][0]["entries"], 0);
    run.stop()?;
    assert_eq!(run.events("kind=ended")?.len(), 1);
    Ok(())
}

#[test]
fn who_does_not_enter_in_time_is_told_with_who_is_in_its_way() -> Result<(), Error> {
    let playground = Playground::open()?;
    let run = ricart_agrawala(&playground, 2)?;
    run.enter(0, WITHIN)?;
    let error = run.enter(1, Duration::from_millis(200)).expect_err("P0 is inside");
    let text = format!("{error:?}");
    assert_eq!(text, error.to_string(), "a test that returns it says the same");
    assert!(text.starts_with("the entry of P1 did not happen within 200ms\nverdict: "), "{text}");
    let parts =
        ["\nlock 0: P0 in the section; entries so far: 1\n  P1 has waited for ", ", for P0\n", "P0 entered lock 0"];
    assert!(parts.iter().all(|part| text.contains(part)), "{text}");
    Ok(())
}

#[test]
fn a_leader_is_elected_crashes_and_comes_back() -> Result<(), Error> {
    let playground = Playground::open()?;
    // The time-outs are long enough for a busy machine.
    let parameters = json!({ "initiators": "none", "answer": 2_000, "coordinator": 6_000 });
    let run = playground.run(json!({ "algorithm": "bully", "nodes": 3, "parameters": parameters }))?;
    assert_eq!(run.leader()?, None);
    run.elect(0)?;
    run.wait(json!({ "elected": { "leader": 2 } }), WITHIN)?;
    assert_eq!(run.leader()?, Some(2));
    run.crash(2)?;
    run.elect(1)?;
    run.wait(json!({ "elected": { "leader": 1 } }), WITHIN)?;
    run.restart(2, Restart::None)?;
    assert_eq!(status(run.restart(2, Restart::Stored)), Some(409));
    run.wait("elected", WITHIN)?;
    run.crash(2)?;
    run.restart(2, Restart::Stored)?;
    let with: Vec<_> = run.events("kind=restarted")?.iter().map(|event| event["state"].clone()).collect();
    assert_eq!(with, [json!("none"), json!("stored")]);
    Ok(())
}

#[test]
fn another_is_taken_for_dead_and_no_more() -> Result<(), Error> {
    let playground = Playground::open()?;
    let run = playground.run(json!({ "algorithm": "bully", "nodes": 3 }))?;
    run.suspect(0, 2)?;
    assert_eq!(run.state()?["nodes"][0]["suspected"], json!([2]));
    run.trust(0, 2)?;
    assert_eq!(run.state()?["nodes"][0].get("suspected"), None);
    Ok(())
}

#[test]
fn what_a_lock_protects_is_read_and_written() -> Result<(), Error> {
    let playground = Playground::open()?;
    let workload = json!({ "nodes": [], "account": { "balance": 10 } });
    let run = playground.run(json!({ "algorithm": "centralised", "nodes": 2, "workload": workload }))?;
    run.enter(1, WITHIN)?;
    assert_eq!(run.put("account", json!({ "value": 15, "read": 10, "node": 1 }))?["version"], 1);
    let late = run.put("account", json!({ "value": 16, "version": 0 }));
    assert_eq!(status(late.map(|_| 0)), Some(412));
    assert_eq!(run.resource("account")?["value"], 15);
    assert_eq!(run.violations()?.len(), 0);
    Ok(())
}

#[test]
fn a_value_is_proposed_and_an_application_tells_another() -> Result<(), Error> {
    let playground = Playground::open()?;
    let run = playground.run(json!({ "algorithm": "paxos", "nodes": 3, "parameters": { "proposers": "none" } }))?;
    run.propose(1, 0, "blue")?;
    run.wait("decided", WITHIN)?;
    assert_eq!(run.events("kind=decided")?[0]["value"], "blue");
    let run = ricart_agrawala(&playground, 2)?;
    run.tell(0, 1)?;
    run.wait_since(0, json!({ "event": { "kind": "delivered", "message_kind": "TELL", "node": 1 } }), WITHIN).map(drop)
}

#[test]
fn a_timer_runs_out_by_hand() -> Result<(), Error> {
    let playground = Playground::open()?;
    let workload = json!({ "idle": 5, "hold": 5 });
    let run =
        playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 2, "timers": false, "workload": workload }))?;
    let armed = run.events("kind=armed&node=1")?;
    run.fire(1, &armed[0]["timer"])?;
    run.wait(json!({ "entered": { "node": 1 } }), WITHIN).map(drop)
}

#[test]
fn a_node_is_named_by_what_it_is() -> Result<(), Error> {
    let playground = Playground::open()?;
    let run = ricart_agrawala(&playground, 3)?;
    run.enter(2, WITHIN)?;
    run.partition_named("holder|others")?;
    assert_eq!(run.events("kind=configured")?[0]["change"]["value"]["groups"], json!([[2], [0, 1]]));
    assert_eq!(run.release("holder")?.node, 2);
    assert!(run.crash("holder").is_err_and(|error| error.to_string().contains("no node is the holder now")));
    Ok(())
}

#[test]
fn a_paused_process_goes_on_when_it_is_resumed_or_its_time_is_over() -> Result<(), Error> {
    let playground = Playground::open()?;
    let run = ricart_agrawala(&playground, 2)?;
    run.pause(1)?;
    run.acquire(0)?;
    assert_eq!(run.state()?["nodes"][1]["process"], "paused");
    run.resume(1)?;
    run.wait(json!({ "entered": { "node": 0 } }), WITHIN)?;
    let before = run.mark()?;
    run.pause_for(1, Duration::from_millis(10))?;
    run.wait_since(before, json!({ "event": { "kind": "resumed", "node": 1 } }), WITHIN).map(drop)
}

#[test]
fn faults_of_the_network_are_taken_away_one_by_one_or_all_at_once() -> Result<(), Error> {
    let playground = Playground::open()?;
    let run = ricart_agrawala(&playground, 3)?;
    let count = || {
        let network = run.network()?;
        Ok(["partitions", "links", "rules"].map(|part| network[part].as_array().map(Vec::len)))
    };
    let faults = [
        run.partition(&[&[0], &[1, 2]])?,
        run.cut(1, 2)?,
        run.link(2, 0, json!({ "loss": 1 }))?,
        run.rule(json!({ "action": "drop" }))?,
    ];
    assert_eq!(count()?, [Some(2), Some(1), Some(1)]);
    for fault in faults {
        fault.remove()?;
    }
    assert_eq!(count()?, [Some(0); 3]);
    let partition = run.partition(&[&[0], &[1, 2]])?;
    run.set_network(json!({ "loss": 0.5 }))?;
    run.heal()?;
    assert_eq!((count()?, run.network()?["default"]["loss"].as_f64()), ([Some(0); 3], Some(0.0)));
    assert_eq!(status(partition.remove().map(|()| 0)), Some(404));
    Ok(())
}

#[test]
fn a_link_that_is_cut_loses_one_way() -> Result<(), Error> {
    let playground = Playground::open()?;
    let run = ricart_agrawala(&playground, 2)?;
    run.cut(1, 0)?;
    run.acquire(0)?;
    run.wait("stuck", WITHIN)?;
    assert_eq!(
        (messages(&run, "dropped")?, messages(&run, "delivered")?),
        (vec!["1.0.1".into()], vec!["0.1.1".into()])
    );
    Ok(())
}

#[test]
fn messages_are_handled_by_hand() -> Result<(), Error> {
    let playground = Playground::open()?;
    let run = playground.run(json!({ "algorithm": "ricart-agrawala", "nodes": 3, "network": { "hold": true } }))?;
    run.acquire(0)?;
    let both = [1, 2].map(|to| json!({ "event": { "kind": "held", "to": to } }));
    run.wait_since(0, json!({ "all": both }), WITHIN)?;
    let [first, second] = run.held()?.try_into().expect("two requests");
    assert_eq!((first.kind.as_str(), first.from, first.to, first.status.as_str()), ("REQUEST", 0, 1, "held"));
    let copy = run.duplicate(&first)?;
    run.lose(&copy)?;
    run.deliver(first)?;
    run.wait_since(0, json!({ "event": { "kind": "held", "from": 1 } }), WITHIN)?;
    assert_eq!(run.messages()?.iter().map(|message| message.name.as_str()).collect::<Vec<_>>(), ["0.2.1", "1.0.1"]);
    assert!(run.hold(&second).is_err(), "it is held already");
    run.set_network(json!({ "hold": false }))?;
    run.release_messages()?;
    run.wait(json!({ "entered": { "node": 0 } }), WITHIN).map(drop)
}

#[test]
fn what_is_refused_is_told_with_the_places_and_what_would_be_right() -> Result<(), Error> {
    let playground = Playground::open()?;
    let error = playground.run(json!({ "algorithm": "ricart", "nodes": 0 })).expect_err("there is no such run");
    let problem = error.problem().expect("a refusal");
    assert_eq!((problem.status, problem.kind.as_str()), (422, "/problems/invalid-run"));
    let pointers: Vec<_> = problem.errors.iter().map(|error| error.pointer.as_str()).collect();
    assert_eq!(pointers, ["/nodes", "/algorithm"]);
    assert!(problem.errors[1].allowed.contains(&"ricart-agrawala".to_owned()));
    assert!(
        error.to_string().contains("POST /runs: 422") && error.to_string().contains("there is no algorithm `ricart`")
    );

    let run = ricart_agrawala(&playground, 2)?;
    assert_eq!(status(run.crash(7)), Some(404));
    assert_eq!(status(run.wait("doomsday", WITHIN)), Some(422));
    assert_eq!(status(run.wait("idle", 2 * WITHIN)), Some(422));
    assert_eq!(status(run.resume(0)), Some(409));
    assert_eq!(status(run.events("colour=red").map(|_| 0)), Some(400));
    Ok(())
}

#[test]
fn a_run_is_removed_when_it_is_dropped_and_a_playground_ends_after_its_last_run() -> Result<(), Error> {
    let playground = Playground::open()?;
    let other = Playground::at(playground.url());
    drop(ricart_agrawala(&other, 2)?);
    assert_eq!(playground.get("/runs")?["items"], json!([]));

    let run = ricart_agrawala(&playground, 2)?;
    let state = run.state()?;
    let pids: Vec<_> = state["nodes"].as_array().expect("nodes").iter().map(|node| node["pid"].to_string()).collect();
    let alive = || pids.iter().filter(|pid| Path::new(&format!("/proc/{pid}/exe")).exists()).count();
    drop(playground);
    assert_eq!((run.verdict()?.status.as_str(), alive()), ("ok", 2));
    drop(run);
    assert_eq!(alive(), 0);
    let error = other.get("/runs").expect_err("it has ended");
    assert!(matches!(error, Error::Unreachable { .. }), "{error}");
    Ok(())
}

#[test]
fn a_program_that_does_not_open_a_playground_is_told_with_what_it_says() {
    for (program, said) in [
        ("/bin/false", "/bin/false does not open a playground"),
        ("/bin/cat", "unrecognized option"),
        ("/nowhere", "cannot start /nowhere: No such file"),
    ] {
        let error = Playground::open_with(program).expect_err("it is another program");
        assert!(error.to_string().contains(said), "{error}");
    }
}
