//! Tests with real processes: shells, and `cat`, which ends when its input is closed.

use std::fs;
use std::time::{Duration, Instant};

use interlock_algorithm::{NodeId, Parameters, RequestId};
use interlock_machine::channel::ChannelSetting;
use rustix::process::{Pid, Signal, kill_process};
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;
use tokio::time::timeout;

use super::*;

const PATIENCE: Duration = Duration::from_mins(1);

fn initialization() -> Initialization {
    Initialization {
        hub: "http://127.0.0.1:1".to_owned(),
        secret: "a secret".to_owned(),
        parent: 0,
        node: NodeId(0),
        incarnation: 1,
        nodes: 1,
        algorithm: "ricart-agrawala".to_owned(),
        variant: None,
        parameters: Parameters::new(),
        seed: 1,
        epoch_ns: 0,
        client_loop: None,
        locks: 1,
        channel: ChannelSetting::default(),
        detector: interlock_machine::detector::DetectorSetting::None,
        timers: true,
        next_request: RequestId(1),
        entries: 0,
        program: None,
        declared_kinds: None,
        declares_leases: false,
        confinement: None,
    }
}

fn supervisor(program: &str, arguments: &[&str]) -> Supervisor {
    Supervisor::start(program.into(), arguments.iter().map(Into::into).collect(), None).expect("a supervisor")
}

fn shell(script: &str) -> Supervisor {
    supervisor("/bin/sh", &["-c", script])
}

/// Starts a process. The returned channel receives its exit. A second report of the exit would be an error.
async fn spawn(supervisor: &Supervisor) -> (Process, mpsc::UnboundedReceiver<Exit>) {
    let (sender, exits) = mpsc::unbounded_channel();
    let on_exit = move |exit| sender.send(exit).expect("the test waits");
    (supervisor.spawn(&initialization(), on_exit).await.expect("a process"), exits)
}

async fn exit(exits: &mut mpsc::UnboundedReceiver<Exit>) -> Option<Exit> {
    timeout(PATIENCE, exits.recv()).await.expect("in time")
}

/// Returns the letter for the status of a process in `/proc`; none if there is no such process.
fn state(pid: u32) -> Option<char> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(')')?.1.trim_start().chars().next()
}

#[tokio::test]
async fn a_killed_process_is_reaped_and_its_exit_told_once() {
    let supervisor = supervisor("/bin/cat", &[]);
    let (process, mut exits) = spawn(&supervisor).await;
    assert!(state(process.pid()).is_some());
    assert_eq!(process.kill().await, Exit::Signal(9));
    assert_eq!(state(process.pid()), None);
    assert_eq!(exit(&mut exits).await, Some(Exit::Signal(9)));
    assert_eq!(exit(&mut exits).await, None);
    assert_eq!(process.kill().await, Exit::Signal(9), "killing the dead changes nothing");
    assert!(matches!(process.pause().await, Err(SupervisorError::Gone)));
    assert!(matches!(process.resume().await, Err(SupervisorError::Gone)));
}

/// A closed connection is the first sign of a crash. Code that then checks the process must not find that it is
/// live.
#[tokio::test]
async fn who_has_lost_the_connection_to_a_process_that_died_finds_it_ending() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let connect = format!("exec 3<>/dev/tcp/127.0.0.1/{}; exec /bin/cat", listener.local_addr().expect("it").port());
    let supervisor = supervisor("/bin/bash", &["-c", &connect]);
    for _ in 0..50 {
        let (process, mut exits) = spawn(&supervisor).await;
        let (mut connection, _) = timeout(PATIENCE, listener.accept()).await.expect("in time").expect("a connection");
        assert!(!process.is_ending(), "it lives");
        let pid = i32::try_from(process.pid()).ok().and_then(Pid::from_raw).expect("its id");
        kill_process(pid, Signal::KILL).expect("it is killed by somebody else");
        // The process never writes, so this read ends only when the connection closes.
        let _ = timeout(PATIENCE, connection.read(&mut [0])).await.expect("in time");
        assert!(process.is_ending(), "it is dead, which is not told yet");
        assert_eq!(exit(&mut exits).await, Some(Exit::Signal(9)));
        assert!(process.is_ending(), "it has ended");
    }
}

#[tokio::test]
async fn a_paused_process_stands_still_until_it_is_resumed() {
    let supervisor = shell("while :; do :; done");
    let (process, _exits) = spawn(&supervisor).await;
    for _ in 0..20 {
        process.pause().await.expect("paused");
        assert_eq!(state(process.pid()), Some('T'));
        process.pause().await.expect("paused still");
        process.resume().await.expect("resumed");
        assert_ne!(state(process.pid()), Some('T'));
    }
    process.pause().await.expect("paused");
    assert_eq!(process.kill().await, Exit::Signal(9), "paused or not");
}

#[tokio::test]
async fn what_somebody_else_does_to_a_process_is_noticed_and_what_is_ordered_is_not() {
    let supervisor = shell("while :; do :; done");
    let (process, _exits) = spawn(&supervisor).await;
    let mut stands = process.stands();
    let group = Group::led_by(process.pid()).expect("a group");
    for _ in 0..20 {
        group.stop().expect("stopped");
        assert!(*timeout(PATIENCE, stands.wait_for(|stands| *stands)).await.expect("in time").expect("it lives"));
        group.go_on().expect("it goes on");
        assert!(!*timeout(PATIENCE, stands.wait_for(|stands| !*stands)).await.expect("in time").expect("it lives"));
    }
    stands.mark_unchanged();
    for _ in 0..20 {
        process.pause().await.expect("paused");
        process.resume().await.expect("resumed");
    }
    // The notification about each signal arrives before the next signal is sent.
    process.pause().await.expect("paused");
    group.go_on().expect("it goes on");
    let went_on = timeout(PATIENCE, stands.changed()).await.expect("in time");
    assert!(went_on.is_ok() && !*stands.borrow_and_update(), "somebody else has let it go on");
    process.kill().await;
    assert!(timeout(PATIENCE, stands.changed()).await.expect("in time").is_err(), "nothing more");
}

#[tokio::test]
async fn an_exit_that_nobody_ordered_is_noticed() {
    for (script, expected, text) in
        [("exit 7", Exit::Code(7), "code 7"), ("kill -15 $$", Exit::Signal(15), "signal 15")]
    {
        let supervisor = shell(script);
        let (process, mut exits) = spawn(&supervisor).await;
        let ended = exit(&mut exits).await;
        assert_eq!(ended, Some(expected));
        assert_eq!(ended.map(|exit| exit.to_string()).as_deref(), Some(text));
        assert_eq!(process.kill().await, expected);
    }
}

#[tokio::test]
async fn a_process_reads_its_initialization_and_has_no_environment() {
    // The environment must be empty except for variables that a shell sets itself. The input must contain one
    // line, and then stay open.
    let script = r#"read -r line; case "$line" in *"\"parent\":$PPID,"*) ;; *) exit 1;; esac
        [ -z "$HOME$CARGO_MANIFEST_DIR" ] || exit 2; exec cat"#;
    let supervisor = shell(script);
    let (process, mut exits) = spawn(&supervisor).await;
    let early = timeout(Duration::from_millis(300), exits.recv()).await;
    assert!(early.is_err(), "its input is open, so it goes on: {early:?}");
    assert_eq!(process.kill().await, Exit::Signal(9));
}

#[tokio::test]
async fn what_a_process_started_dies_with_it() {
    let supervisor = shell("sleep 1000 & wait");
    let (process, _exits) = spawn(&supervisor).await;
    let children = format!("/proc/{pid}/task/{pid}/children", pid = process.pid());
    let grandchild = loop {
        let text = fs::read_to_string(&children).expect("children");
        match text.trim().parse::<u32>() {
            Ok(pid) => break pid,
            Err(_) => tokio::task::yield_now().await,
        }
    };
    process.kill().await;
    let died = Instant::now();
    while state(grandchild).is_some_and(|state| state != 'Z') {
        assert!(died.elapsed() < PATIENCE, "the grandchild lives");
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_program_that_is_not_there_is_an_error() {
    let supervisor = supervisor("/nowhere/at/all", &[]);
    let spawned = supervisor.spawn(&initialization(), |_| {}).await;
    assert!(matches!(spawned, Err(SupervisorError::System(_))), "{spawned:?}");
}

#[tokio::test]
async fn shutting_down_leaves_nobody_behind_not_even_the_paused() {
    let supervisor = supervisor("/bin/cat", &[]);
    let mut processes = Vec::new();
    for number in 0..100 {
        let (process, exits) = spawn(&supervisor).await;
        if number % 3 == 0 {
            process.pause().await.expect("paused");
        }
        processes.push((process, exits));
    }
    let began = Instant::now();
    supervisor.shut_down().await;
    let took = began.elapsed();
    for (process, exits) in &mut processes {
        assert_eq!(state(process.pid()), None);
        assert_eq!(exit(exits).await, Some(Exit::Signal(9)));
    }
    assert!(took < PATIENCE, "{took:?}");
    let spawned = supervisor.spawn(&initialization(), |_| {}).await;
    assert!(matches!(spawned, Err(SupervisorError::ShutDown)), "{spawned:?}");
    supervisor.shut_down().await;
}

#[tokio::test]
async fn processes_end_with_the_last_handle_of_their_supervisor() {
    let supervisor = supervisor("/bin/cat", &[]);
    let (_process, mut exits) = spawn(&supervisor).await;
    drop(supervisor);
    assert_eq!(exit(&mut exits).await, Some(Exit::Signal(9)));
}

/// Simulates an order that is sent at the moment at which the process ends: the order stays in a queue that no
/// task reads.
#[tokio::test]
async fn an_order_that_nobody_answers_ends_with_the_process() {
    let (orders, _unanswered) = mpsc::channel(MOST_ORDERS);
    let (exits, exit) = watch::channel(None);
    let process = Process { pid: 1, orders, exit, stands: watch::channel(false).1 };
    let (killed, paused) = (process.clone(), process.clone());
    let (killed, paused) =
        (tokio::spawn(async move { killed.kill().await }), tokio::spawn(async move { paused.pause().await }));
    exits.send_replace(Some(Exit::Signal(9)));
    let killed = timeout(PATIENCE, killed).await.expect("it ends").expect("no panic");
    let paused = timeout(PATIENCE, paused).await.expect("it ends").expect("no panic");
    assert_eq!(killed, Exit::Signal(9));
    assert!(matches!(paused, Err(SupervisorError::Gone)), "{paused:?}");
}

/// Simulates a request to start a process that is sent at the moment at which the supervisor is shut down.
#[tokio::test]
async fn a_process_that_is_asked_for_too_late_is_refused() {
    let (orders, mut unanswered) = mpsc::channel(MOST_ORDERS);
    let supervisor = Supervisor { orders, confinement: None };
    let asked = tokio::spawn(async move { supervisor.spawn(&initialization(), |_| ()).await.map(|_| ()) });
    while unanswered.is_empty() {
        tokio::task::yield_now().await;
    }
    unanswered.close();
    let refused = timeout(PATIENCE, asked).await.expect("it ends").expect("no panic");
    assert!(matches!(refused, Err(SupervisorError::ShutDown)), "{refused:?}");
}
