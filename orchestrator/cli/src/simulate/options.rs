//! Options of `interlock simulate`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use interlock_machine::distribution::Distribution;
use interlock_machine::lock_choice::LockChoice;
use interlock_machine::workload::LoopKind;

use super::notation::{Client, Link, NodeAt, PartitionAt, Probability, RestartAt, RuleAt, Setting, Time};
use interlock_model::listed;
use interlock_model::network::LinkPatch;
use interlock_model::specification::{LARGEST_SEED, MOST_LOCKS, MOST_SIMULATED_NODES, OptionalMonitor};
use interlock_simulation::example::{self, Example};

/// Meanings of the exit codes.
const EXIT_CODES: &str = "Exit codes:
  0  no violation
  1  a property was violated, or a run got stuck
  2  an option is invalid
  3  the simulation failed, or its result cannot be written
  4  a run was cut short (--until, --patience)";

/// Options of `interlock simulate`. Times are in units of time. Distributions of times are `0`, `const:1`,
/// `uniform:1..3`, `exp:10`, …
#[derive(Debug, Args)]
#[command(next_line_help = false, after_help = EXIT_CODES)]
pub struct SimulateOptions {
    /// Algorithms, each with its variant if it is not the first: lamport/no-ack. The table has a row for each
    #[arg(long, value_name = "NAME[/VARIANT][,…]", value_delimiter = ',', required_unless_present_any = ["specification", "example"])]
    pub algorithm: Vec<String>,
    /// Variant of the algorithms that are given without one [default: the first]
    #[arg(long, value_name = "VARIANT")]
    pub variant: Option<String>,
    /// Numbers of nodes; the table has a row for each [default: 5]
    #[arg(long, value_name = "N[,…]", value_delimiter = ',', allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_SIMULATED_NODES)))]
    pub nodes: Vec<u32>,
    /// Parameter of the algorithm (see `interlock algorithms`)
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<Setting>,
    /// File with a run as in `POST /runs`; the other options override it
    #[arg(long, value_name = "FILE")]
    pub specification: Option<PathBuf>,
    /// Example to simulate (see `interlock examples`); the other options override it
    #[arg(long, value_name = "NAME", value_parser = example::find, conflicts_with = "specification")]
    pub example: Option<Example>,
    /// Number of locks [default: as the algorithm says, 1 for most]
    #[arg(long, value_name = "L", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_LOCKS)))]
    pub locks: Option<u32>,
    #[command(flatten)]
    pub workload: WorkloadOptions,
    #[command(flatten)]
    pub network: NetworkOptions,
    #[command(flatten)]
    pub faults: FaultOptions,
    #[command(flatten)]
    pub measuring: MeasuringOptions,
    #[command(flatten)]
    pub output: OutputOptions,
}

/// Behaviour of the clients.
#[derive(Debug, Args)]
#[command(next_help_heading = "Workload")]
pub struct WorkloadOptions {
    /// Time that a client is idle before each request [default: 0]
    #[arg(long, value_name = "DIST", allow_negative_numbers = true)]
    pub idle: Option<Distribution>,
    /// Time that a client stays in the critical section [default: const:1]
    #[arg(long, value_name = "DIST", allow_negative_numbers = true)]
    pub hold: Option<Distribution>,
    /// Locks that a client acquires in a round: `first`, `one`, `all`, `neighbours`, `some:2`, `0,3,1` [default: first]
    #[arg(long, value_name = "LOCKS")]
    pub take: Option<LockChoice>,
    /// Time between acquiring a lock and requesting the next one, for a client that acquires several locks one after
    /// the other (see --take) [default: 0]
    #[arg(long, value_name = "DIST", allow_negative_numbers = true)]
    pub between: Option<Distribution>,
    /// Time before a new request after an abort [default: uniform:5..25]
    #[arg(long, value_name = "DIST", allow_negative_numbers = true)]
    pub again: Option<Distribution>,
    /// Probability that a client that has just sent a request tells another client, which then sends one as well
    /// [default: 0]
    #[arg(long, value_name = "P")]
    pub tell: Option<Probability>,
    /// When the idle time of a client begins: `closed` (when it leaves the critical section) or `open` (at its previous
    /// request) [default: closed]
    #[arg(long = "loop", value_name = "LOOP", value_enum)]
    pub kind: Option<Loop>,
    /// Nodes whose clients send requests [default: all]
    #[arg(long, value_name = "NODE[,…]", value_delimiter = ',')]
    pub clients: Option<Vec<u32>>,
    /// Settings of a single client; each field is optional
    #[arg(long, value_name = "NODE:idle=DIST,hold=DIST,entries=K")]
    pub client: Vec<Client>,
}

/// [`LoopKind`] on the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Loop {
    /// Idle times begin at the exit
    Closed,
    /// Idle times begin at the previous request
    Open,
}

impl From<Loop> for LoopKind {
    fn from(kind: Loop) -> Self {
        match kind {
            Loop::Closed => Self::Closed,
            Loop::Open => Self::Open,
        }
    }
}

/// Behaviour of the links.
#[derive(Debug, Args)]
#[command(next_help_heading = "Network")]
pub struct NetworkOptions {
    /// Transmission time of a message; its mean is T [default: const:1]
    #[arg(long, value_name = "DIST", allow_negative_numbers = true)]
    pub latency: Option<Distribution>,
    /// Whether links keep the order of messages [default: as the algorithm assumes]
    #[arg(long, value_name = "BOOL")]
    pub fifo: Option<bool>,
    /// Probability that a message is lost
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub loss: Option<Probability>,
    /// Probability that a message is duplicated
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub duplicate: Option<Probability>,
    /// Settings of a single link; each field is optional
    #[arg(long, value_name = "FROM-TO:delay=DIST,fifo=BOOL,loss=P,duplicate=P")]
    pub link: Vec<Link>,
    /// Count a multicast as one message
    #[arg(long)]
    pub multicast: bool,
}

impl NetworkOptions {
    /// Replaces the settings for which options are given, except the delay.
    pub fn change(&self, network: &mut LinkPatch) {
        network.fifo = self.fifo.or(network.fifo);
        network.loss = self.loss.map(|loss| loss.0).or(network.loss);
        network.duplicate = self.duplicate.map(|duplicate| duplicate.0).or(network.duplicate);
    }
}

/// Faults and their times.
#[derive(Debug, Args)]
#[command(next_help_heading = "Faults")]
pub struct FaultOptions {
    /// Rule on messages: JSON as in `POST …/rules`, or `drop,kind=TOKEN,from=0,to=1,skip=2,count=1`; ACTION is `drop`,
    /// `duplicate`, `delay:5` or `hold`
    #[arg(long, value_name = "ACTION[,…][@TIME]")]
    pub rule: Vec<RuleAt>,
    /// Crash of a process
    #[arg(long, value_name = "NODE@TIME")]
    pub crash: Vec<NodeAt>,
    /// Restart of a crashed process, with its stored state or (`none`) without
    #[arg(long, value_name = "NODE@TIME[,none]")]
    pub restart: Vec<RestartAt>,
    /// Pause of a process
    #[arg(long, value_name = "NODE@TIME")]
    pub pause: Vec<NodeAt>,
    /// Resumption of a paused process
    #[arg(long, value_name = "NODE@TIME")]
    pub resume: Vec<NodeAt>,
    /// Partition of the links between groups of nodes
    #[arg(long, value_name = "0,1/2,3@TIME")]
    pub partition: Vec<PartitionAt>,
    /// End of all partitions, rules, losses and holds; held messages are delivered and paused nodes resume
    #[arg(long, value_name = "@TIME")]
    pub heal: Vec<Time>,
}

/// Length of the runs, and the part of them that is measured.
#[derive(Debug, Args)]
#[command(next_help_heading = "Measuring")]
pub struct MeasuringOptions {
    /// Number of rounds of all clients together; if each round takes one lock, this is the number of entries [default:
    /// 1000]
    #[arg(long, value_name = "K", allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    pub entries: Option<u64>,
    /// Number of entries before measuring begins [default: a tenth, if every client can have entered by then, else 0]
    #[arg(long, value_name = "W", allow_negative_numbers = true)]
    pub warm_up: Option<u64>,
    /// Seed of all random numbers [default: 1]
    #[arg(long, value_name = "S", allow_negative_numbers = true,
        value_parser = clap::value_parser!(u64).range(0..=LARGEST_SEED))]
    pub seed: Option<u64>,
    /// Number of runs, with seeds S, S+1, …; prints means with 95 % confidence intervals
    #[arg(long, value_name = "R", allow_negative_numbers = true, default_value_t = 1,
        value_parser = clap::value_parser!(u64).range(1..=MOST_REPETITIONS))]
    pub repeat: u64,
    /// Time at which a run is cut short
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    pub until: Option<Time>,
    /// Maximum number of steps without progress; then a run is cut short. Progress is the first entry of a request or,
    /// for algorithms without locks, an election or a decision [default: 10000000, plus 10 for each pair of nodes]
    #[arg(long, value_name = "STEPS", allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    pub patience: Option<u64>,
    /// Monitors of orders that correct algorithms need not keep: `timestamp-order`, `real-time-order` [default: none]
    #[arg(long, value_name = "MONITOR[,…]", value_delimiter = ',',
        value_parser = <OptionalMonitor as listed::Item>::of_word)]
    pub monitors: Vec<OptionalMonitor>,
}

/// Maximum number of runs for one row.
const MOST_REPETITIONS: u64 = 100_000;

/// Output files and formats.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputOptions {
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
    /// File for the events of the run, as NDJSON
    #[arg(long, value_name = "FILE")]
    pub events: Option<PathBuf>,
    /// File for the schedule of the run, for `interlock replay`
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// File for a plot of the messages per entry against the number of nodes, as SVG
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
}

/// Output format of the figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Table for people
    Table,
    /// JSON for scripts: one object, or a list if there are several algorithms or numbers of nodes
    Json,
    /// CSV for spreadsheets: one row for each algorithm and number of nodes
    Csv,
}
