//! The words of `interlock simulate`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use interlock_machine::distribution::Distribution;
use interlock_machine::lock_choice::LockChoice;
use interlock_machine::workload::LoopKind;

use super::notation::{Client, Link, NodeAt, PartitionAt, Probability, RestartAt, RuleAt, Setting, Time};
use interlock_model::specification::{LARGEST_SEED, MOST_LOCKS, MOST_SIMULATED_NODES};
use interlock_simulation::example::{self, Example};

/// What the exit codes mean.
const EXIT_CODES: &str = "Exit code: 0 all was well, 1 a rule was broken or a run got stuck, 2 nonsense was asked for, \
                          3 it could not be done, 4 a run was cut short (--until, --patience).";

/// What is simulated, how it is measured, and how that is written. Times are in units of time, distributions of times
/// are `0`, `const:1`, `uniform:1..3`, `exp:10`, …
#[derive(Debug, Args)]
#[command(next_line_help = false, after_help = EXIT_CODES)]
pub struct SimulateOptions {
    /// The algorithm, or several: one row each
    #[arg(long, value_name = "NAME[,…]", value_delimiter = ',', required_unless_present_any = ["specification", "example"])]
    pub algorithm: Vec<String>,
    /// Its variant; the first if absent
    #[arg(long, value_name = "VARIANT")]
    pub variant: Option<String>,
    /// How many nodes, or several: one row each [default: 5]
    #[arg(long, value_name = "N[,…]", value_delimiter = ',', allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_SIMULATED_NODES)))]
    pub nodes: Vec<u32>,
    /// A parameter of the algorithm (see `interlock algorithms`)
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<Setting>,
    /// A run as in `POST /runs`, in a file; what is said here overrides it
    #[arg(long, value_name = "FILE")]
    pub specification: Option<PathBuf>,
    /// An example (see `interlock examples`); what is said here overrides it
    #[arg(long, value_name = "NAME", value_parser = example::find, conflicts_with = "specification")]
    pub example: Option<Example>,
    /// How many locks [default: as the algorithm says, 1 for most]
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

/// What the clients do.
#[derive(Debug, Args)]
#[command(next_help_heading = "Workload")]
pub struct WorkloadOptions {
    /// How long a client idles before it asks (again) [default: 0]
    #[arg(long, value_name = "DIST", allow_negative_numbers = true)]
    pub idle: Option<Distribution>,
    /// How long it stays in the section [default: const:1]
    #[arg(long, value_name = "DIST", allow_negative_numbers = true)]
    pub hold: Option<Distribution>,
    /// Which locks a client takes in a round: `first`, `one`, `all`, `neighbours`, `some:2`, `0,3,1` [default: first]
    #[arg(long, value_name = "LOCKS")]
    pub take: Option<LockChoice>,
    /// How long it waits between getting one lock and asking for the next [default: 0]
    #[arg(long, value_name = "DIST", allow_negative_numbers = true)]
    pub between: Option<Distribution>,
    /// How long it waits before it asks again after an abort [default: uniform:5..25]
    #[arg(long, value_name = "DIST", allow_negative_numbers = true)]
    pub again: Option<Distribution>,
    /// How probable it is that a client that has just asked tells another, which then asks, too [default: 0]
    #[arg(long, value_name = "P")]
    pub tell: Option<Probability>,
    /// What the idle time is counted from: `closed` (the exit) or `open` (the request before) [default: closed]
    #[arg(long = "loop", value_name = "LOOP", value_enum)]
    pub kind: Option<Loop>,
    /// Whose clients ask; all if absent
    #[arg(long, value_name = "NODE[,…]", value_delimiter = ',')]
    pub clients: Option<Vec<u32>>,
    /// A client that behaves differently
    #[arg(long, value_name = "NODE:idle=DIST,hold=DIST,entries=K")]
    pub client: Vec<Client>,
}

/// [`LoopKind`] on the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Loop {
    /// Idle times begin at the exit
    Closed,
    /// Idle times begin at the request before
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

/// How links behave.
#[derive(Debug, Args)]
#[command(next_help_heading = "Network")]
pub struct NetworkOptions {
    /// How long a message is on its way; its mean is T [default: const:1]
    #[arg(long, value_name = "DIST", allow_negative_numbers = true)]
    pub latency: Option<Distribution>,
    /// Whether links keep the order of messages [default: what the algorithm assumes]
    #[arg(long, value_name = "BOOL")]
    pub fifo: Option<bool>,
    /// The probability that a message is lost
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub loss: Option<Probability>,
    /// The probability that a message arrives twice
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub duplicate: Option<Probability>,
    /// A link that behaves differently
    #[arg(long, value_name = "FROM-TO:delay=DIST,fifo=BOOL,loss=P,duplicate=P")]
    pub link: Vec<Link>,
    /// Count a multicast as one message
    #[arg(long)]
    pub multicast: bool,
}

/// What goes wrong, and when.
#[derive(Debug, Args)]
#[command(next_help_heading = "Faults")]
pub struct FaultOptions {
    /// A rule on messages: JSON as in `POST …/rules`, or `drop,kind=TOKEN,from=0,to=1,skip=2,count=1`; ACTION is `drop`,
    /// `duplicate`, `delay:5` or `hold`
    #[arg(long, value_name = "ACTION[,…][@TIME]")]
    pub rule: Vec<RuleAt>,
    /// A process dies
    #[arg(long, value_name = "NODE@TIME")]
    pub crash: Vec<NodeAt>,
    /// A dead process comes back, with what it had stored or with nothing
    #[arg(long, value_name = "NODE@TIME[,none]")]
    pub restart: Vec<RestartAt>,
    /// A process is stopped in its tracks
    #[arg(long, value_name = "NODE@TIME")]
    pub pause: Vec<NodeAt>,
    /// A paused process goes on
    #[arg(long, value_name = "NODE@TIME")]
    pub resume: Vec<NodeAt>,
    /// Links are cut between groups of nodes
    #[arg(long, value_name = "0,1/2,3@TIME")]
    pub partition: Vec<PartitionAt>,
    /// Partitions, rules, losses and holds end, held messages are handed over, and paused nodes go on
    #[arg(long, value_name = "@TIME")]
    pub heal: Vec<Time>,
}

/// How much is simulated, and what of it counts.
#[derive(Debug, Args)]
#[command(next_help_heading = "Measuring")]
pub struct MeasuringOptions {
    /// How many rounds all clients together make: as many entries where each takes one lock [default: 1000]
    #[arg(long, value_name = "K", allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    pub entries: Option<u64>,
    /// How many entries come before measuring begins [default: a tenth, if every client can have asked by then, else 0]
    #[arg(long, value_name = "W", allow_negative_numbers = true)]
    pub warm_up: Option<u64>,
    /// What all randomness is drawn from [default: 1]
    #[arg(long, value_name = "S", allow_negative_numbers = true,
        value_parser = clap::value_parser!(u64).range(0..=LARGEST_SEED))]
    pub seed: Option<u64>,
    /// So many runs, with seeds S, S+1, …: means with 95 % confidence intervals
    #[arg(long, value_name = "R", allow_negative_numbers = true, default_value_t = 1,
        value_parser = clap::value_parser!(u64).range(1..=MOST_REPETITIONS))]
    pub repeat: u64,
    /// When a run is cut short
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    pub until: Option<Time>,
    /// After how many steps without progress a run is cut short: without a first entry by any request or, where there are
    /// no locks, without an election or a decision [default: 10000000, and 10 for each pair of nodes]
    #[arg(long, value_name = "STEPS", allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    pub patience: Option<u64>,
}

/// The most runs for one row.
const MOST_REPETITIONS: u64 = 100_000;

/// What is written where.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputOptions {
    /// How to write it
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
    /// Write the events of the run, as NDJSON
    #[arg(long, value_name = "FILE")]
    pub events: Option<PathBuf>,
    /// Write what happens as a schedule, for `interlock replay`
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Draw messages per entry against the number of nodes, as SVG
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
}

/// How figures are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Table,
    /// For scripts: one object, or a list if there are several algorithms or numbers of nodes
    Json,
    /// For spreadsheets: one row for each algorithm and number of nodes
    Csv,
}
