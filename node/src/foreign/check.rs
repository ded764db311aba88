//! Checks, without a run, whether a program can be a node. Each check starts the program anew.

use std::ffi::OsString;
use std::time::Duration;

use interlock_algorithm::{
    Command, Discipline, Entry, LockId, NodeId, Outcome, Parameters, Refusal, RequestId, catalogue,
};
use interlock_machine::channel::ChannelSetting;
use interlock_machine::detector::DetectorSetting;
use interlock_machine::wire::{Confinement, ForeignProgram, Initialization};

use super::dialogue::{Asked, Conversation, Dialogue, client_context};
use super::said::{Answer, Effect};

/// Maximum time from the end of a program's input to the end of the program.
const PATIENCE: Duration = Duration::from_secs(3);
const LOCK: LockId = LockId(0);
const FIRST: RequestId = RequestId(1);

/// The result of one check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// Requirement on the program, as a phrase that follows the name of the program.
    pub what: &'static str,
    /// The program's violation of the requirement, as a sentence; `None` if the program meets the requirement.
    pub finding: Option<String>,
}

/// Checks a program that plays the part of an algorithm. `starter` is put before the program's command.
/// `initialization` contains everything else, such as the algorithm.
pub(super) fn check(initialization: &Initialization, entry: &Entry, starter: &[OsString]) -> Vec<Check> {
    let first = Initialization { node: NodeId(0), nodes: 1, ..initialization.clone() };
    let begun = |initialization: &Initialization| Trial::begin(initialization, starter);
    let mut checks = vec![Check { what: "answers `hello` and the start", finding: begun(&first).failure() }];
    if checks.iter().any(|check| check.finding.is_some()) {
        return checks;
    }
    if entry.commands.contains(&"acquire") {
        let finding = begun(&first).enters_and_leaves(asking(&first));
        checks.push(Check { what: "enters alone when its client requests the lock, and leaves on release", finding });
    }
    checks.push(Check { what: "ends when its standard input ends", finding: begun(&first).ends() });
    checks
}

/// Returns the command by which a client of the algorithm requests a lock.
fn asking(initialization: &Initialization) -> Command {
    match client_context(initialization).discipline {
        Discipline::Together => Command::AcquireTogether { locks: vec![LOCK], request: FIRST },
        Discipline::AsPlanned | Discipline::Ascending => Command::Acquire { lock: LOCK, request: FIRST },
    }
}

/// A conversation with the program, for one check.
struct Trial {
    dialogue: Dialogue,
    command: String,
}

impl Trial {
    fn begin(initialization: &Initialization, starter: &[OsString]) -> Self {
        let command = initialization.program.as_ref().map(|program| program.command.join(" ")).unwrap_or_default();
        let mut dialogue = Dialogue::of(initialization, starter.to_vec());
        dialogue.ask(&Asked::Start {});
        Self { dialogue, command }
    }

    fn failure(&self) -> Option<String> {
        self.dialogue.failure().map(ToOwned::to_owned)
    }

    /// Checks that the program answers `command` with the outcomes `expected`, in the same order.
    fn expect(&mut self, command: Command, expected: &[Outcome]) -> Option<String> {
        let name = command.name();
        let answer = self.dialogue.ask(&Asked::Command(command));
        if let Some(failure) = self.failure() {
            return Some(failure);
        }
        let told = outcomes(&answer);
        // A program may choose its fencing tokens freely, so the tokens are not compared.
        let told: Vec<Outcome> = told.into_iter().map(without_fence).collect();
        if expected.iter().all(|outcome| told.contains(outcome)) {
            return None;
        }
        let words = |outcomes: &[Outcome]| serde_json::to_string(outcomes).unwrap_or_default();
        let (expected, told) = (words(expected), words(&told));
        Some(format!("`{}` answered {name} with {told}, but {expected} must follow", self.command))
    }

    fn enters_and_leaves(mut self, asking: Command) -> Option<String> {
        let (lock, request) = (LOCK, FIRST);
        let entered = [Outcome::requested(lock, request), Outcome::Entered { lock, request, fence: None }];
        self.expect(asking, &entered)
            .or_else(|| self.expect(Command::Release { lock, request }, &[Outcome::Exited { lock, request }]))
    }

    fn ends(self) -> Option<String> {
        if let Some(failure) = self.failure() {
            return Some(failure);
        }
        let Self { dialogue, command } = self;
        let ended = dialogue.close(PATIENCE);
        let seconds = PATIENCE.as_secs();
        ended.is_none().then(|| format!("`{command}` still runs {seconds} s after its standard input ended"))
    }
}

fn outcomes(answer: &Answer) -> Vec<Outcome> {
    let outcome = |effect: &Effect| if let Effect::Outcome(outcome) = effect { Some(outcome.clone()) } else { None };
    answer.effects.iter().filter_map(outcome).collect()
}

fn without_fence(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Entered { lock, request, .. } => Outcome::Entered { lock, request, fence: None },
        other => other,
    }
}

/// Checks a program that plays the part of the given algorithm and variant. The program is confined as in a run. Its
/// folder must exist.
///
/// # Errors
/// If the algorithm does not exist.
pub fn check_program(
    program: ForeignProgram,
    confinement: Option<Confinement>,
    algorithm: &str,
    variant: Option<&str>,
) -> Result<Vec<Check>, Refusal> {
    let entry = catalogue::find(algorithm)?;
    let initialization = Initialization {
        hub: String::new(),
        secret: String::new(),
        parent: 0,
        node: NodeId(0),
        incarnation: 1,
        nodes: 1,
        algorithm: algorithm.to_owned(),
        variant: Some(variant.unwrap_or(entry.variants[0].name).to_owned()),
        parameters: Parameters::new(),
        seed: 1,
        epoch_ns: 0,
        client_loop: None,
        timers: true,
        next_request: FIRST,
        entries: 0,
        locks: 1,
        channel: ChannelSetting::default(),
        detector: DetectorSetting::None,
        program: Some(program),
        declared_kinds: None,
        declares_leases: false,
        confinement,
    };
    Ok(check(&initialization, entry, &super::starter(&initialization)))
}
