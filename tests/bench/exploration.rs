//! Benchmark `cargo bench -p interlock-exploration --bench exploration`: cost of exploring all schedules. The
//! explorer Stateright explores the same configurations for comparison. Each measurement is a separate process with
//! one thread. Measures processor time and peak memory.

#[expect(dead_code, reason = "when timers run out at any time is compared elsewhere")]
#[path = "../../orchestrator/exploration/src/compared/whole.rs"]
mod whole;

use std::fs;
use std::process::Command;

use interlock_algorithm::Algorithm;
use interlock_algorithm::mutual_exclusion::lamport::Lamport;
use interlock_algorithm::mutual_exclusion::maekawa::Maekawa;
use interlock_algorithm::mutual_exclusion::ricart_agrawala::RicartAgrawala;
use interlock_algorithm::mutual_exclusion::suzuki_kasami::SuzukiKasami;
use interlock_exploration::{Environment, Exploration, Property, Strategy, Verdict};
use interlock_model::specification::{Draft, Specification};
use serde_json::json;
use stateright::{Checker, Model};
use whole::{Faults, Run, Timers, Whole};

/// First command-line argument of a separate process that performs a measurement.
const MEASURE: &str = "measure";
const ENGINES: [&str; 3] = ["interlock", "stateright-bfs", "stateright-dfs"];

/// A configuration without a violation: algorithm, variant, nodes, requests of each node, and whether links are
/// FIFO.
type Scene = (&'static str, &'static str, u32, u8, bool);

const SCENES: [Scene; 4] = [
    ("ricart-agrawala", "sequence-numbers", 4, 1, false),
    ("maekawa", "version-1", 4, 1, true),
    ("suzuki-kasami", "fifo-queue", 3, 3, false),
    ("lamport", "any-later-message", 3, 1, true),
];

fn main() {
    let words: Vec<String> = std::env::args().collect();
    match words.iter().position(|word| word == MEASURE) {
        Some(place) => measure(&words[place + 1], words[place + 2].parse().expect("the number of a scene")),
        None => SCENES.iter().enumerate().for_each(|(number, scene)| tell(number, scene)),
    }
}

/// Result of one engine: its states, edges, processor time and memory.
struct Took {
    states: u64,
    ways: u64,
    cpu_s: f64,
    memory_mib: f64,
}

/// Runs all engines on a scene, several times each, and prints the medians.
fn tell(number: usize, scene: &Scene) {
    let (algorithm, variant, nodes, requests, _) = scene;
    println!("{algorithm}/{variant}, {nodes} nodes, {requests} requests each");
    let mut ours: Option<Took> = None;
    for engine in ENGINES {
        let mut all = [0; 3].map(|_| took(engine, number));
        all.sort_by(|one, other| one.cpu_s.total_cmp(&other.cpu_s));
        let [_, median, _] = all;
        let Took { states, ways, cpu_s, memory_mib } = median;
        let beside = ours.as_ref().map(|ours| {
            assert_eq!((ours.states, ours.ways), (states, ways), "they explore the same");
            format!("; {:.1} times the time, {:.1} times the memory", cpu_s / ours.cpu_s, memory_mib / ours.memory_mib)
        });
        println!(
            "  {engine}: {states} states, {ways} ways, {cpu_s:.2} s, {memory_mib:.0} MiB{}",
            beside.unwrap_or_default()
        );
        ours = ours.or(Some(median));
    }
}

/// Runs an engine in a separate process, and returns its result.
fn took(engine: &str, scene: usize) -> Took {
    let program = std::env::current_exe().expect("this program");
    let said = Command::new(program).args([MEASURE, engine, &scene.to_string()]).output().expect("it runs");
    let said = String::from_utf8(said.stdout).expect("text");
    let words: Vec<f64> = said.split_whitespace().map(|word| word.parse().expect("a number")).collect();
    let [states, ways, cpu_s, memory_mib] = words[..] else { panic!("{said}") };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "they were whole numbers")]
    let (states, ways) = (states as u64, ways as u64);
    Took { states, ways, cpu_s, memory_mib }
}

/// Explores once, and prints the result. The printed memory does not include the memory that was in use before.
fn measure(engine: &str, scene: usize) {
    let scene = &SCENES[scene];
    let before = memory_mib("VmRSS:");
    let (states, ways) = match scene.0 {
        "ricart-agrawala" => found::<RicartAgrawala>(engine, scene),
        "maekawa" => found::<Maekawa>(engine, scene),
        "suzuki-kasami" => found::<SuzukiKasami>(engine, scene),
        _ => found::<Lamport>(engine, scene),
    };
    println!("{states} {ways} {} {}", cpu_s(), memory_mib("VmHWM:") - before);
}

/// Returns the numbers of states and of edges that an engine finds in a scene.
fn found<A: Algorithm + Sync>(engine: &str, &(algorithm, variant, nodes, requests, fifo): &Scene) -> (u64, u64)
where
    A::Message: Sync,
    A::Stored: Sync,
    A::Timer: Sync,
{
    let document = json!({ "algorithm": algorithm, "variant": variant, "nodes": nodes, "seed": 1 });
    let draft: Draft = serde_json::from_value(document).expect("a draft");
    let specification = draft.complete_simulated().expect("a specification");
    match engine {
        "interlock" => ours(specification, fifo, requests),
        "stateright-bfs" => theirs(&whole::<A>(&specification, fifo, requests).checker().spawn_bfs().join()),
        _ => theirs(&whole::<A>(&specification, fifo, requests).checker().spawn_dfs().join()),
    }
}

fn ours(specification: Specification, fifo: bool, requests: u8) -> (u64, u64) {
    let environment = Environment::faultless(fifo, requests);
    let exploration = Exploration {
        specification,
        environment,
        properties: vec![Property::MutualExclusion],
        strategy: Strategy::default(),
    };
    let explored = exploration.run(|_| true).expect("a configuration that can be");
    assert_eq!(explored.verdict, Verdict::Holds);
    (explored.progress.states, explored.progress.transitions)
}

fn whole<A: Algorithm>(specification: &Specification, fifo: bool, requests: u8) -> Whole<A> {
    Whole {
        setting: A::configure(&specification.configuration()).expect("a configuration that can be"),
        nodes: specification.nodes,
        locks: specification.locks,
        fifo,
        room: None,
        requests,
        restart: false,
        forget: false,
        tells: false,
        timers: Timers::Patient,
        faults: Faults { lose: 0, duplicate: 0, crash: 0, pause: 0, corrupt: 0, timers: 0 },
    }
}

fn theirs<A: Algorithm>(checked: &impl Checker<Whole<A>>) -> (u64, u64)
where
    Run<A>: Clone + std::hash::Hash + PartialEq,
{
    assert!(checked.discovery("mutual exclusion").is_none());
    let beginnings = checked.model().init_states().len();
    (checked.unique_state_count() as u64, (checked.state_count() - beginnings) as u64)
}

/// Returns the processor time of this process so far, in seconds.
fn cpu_s() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").expect("a process");
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |field: usize| fields[field].parse::<f64>().expect("a number");
    // User time and system time, in hundredths of a second.
    (ticks(11) + ticks(12)) / 100.0
}

/// Returns the current or the peak memory of this process, in MiB. `name` is the name of this value in
/// `/proc/self/status`.
fn memory_mib(name: &str) -> f64 {
    let status = fs::read_to_string("/proc/self/status").expect("a process");
    let line = status.lines().find(|line| line.starts_with(name)).expect("a line");
    let kibibytes = line.split_whitespace().nth(1).and_then(|number| number.parse::<f64>().ok());
    kibibytes.expect("a number") / 1024.0
}
