//! Checks whether processes can be started, paused and killed. Starts a run of two nodes, as a playground does,
//! pauses the first node and kills the second.

use std::error::Error;
use std::time::Duration;

use interlock_algorithm::NodeId;
use interlock_machine::wire::Confinement;
use interlock_model::specification::Draft;
use interlock_orchestrator::ephemeral::EphemeralPlayground;
use tokio::runtime::Builder;
use tokio::time::timeout;

use super::Finding;

/// Names of the steps, in the order of execution.
const SUBJECTS: [&str; 3] = ["start a process", "stop a process", "kill a process"];
/// Maximum time for each step, long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

type Refused = Box<dyn Error + Send + Sync>;

/// Executes the steps in an ephemeral playground, and closes the playground afterwards. If a step fails, the steps
/// after it are reported as not tried.
pub fn look() -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Err(why) = tried(&mut findings)
        && let Some(subject) = SUBJECTS.get(findings.len())
    {
        findings.push(Finding::missing(subject, why.to_string()));
    }
    let left = SUBJECTS.iter().skip(findings.len());
    let untried = left.map(|subject| Finding::missing(subject, "not tried: an earlier step failed"));
    findings.extend(untried.collect::<Vec<_>>());
    findings
}

fn tried(findings: &mut Vec<Finding>) -> Result<(), Refused> {
    let program = std::env::current_exe()?;
    let runtime = Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let ephemeral = EphemeralPlayground::open(program, vec!["node".into()], Some(Confinement::default())).await?;
        let done = on(&ephemeral, findings).await;
        ephemeral.close().await;
        done
    })
}

async fn on(ephemeral: &EphemeralPlayground, findings: &mut Vec<Finding>) -> Result<(), Refused> {
    let draft = Draft { algorithm: "ricart-agrawala".to_owned(), nodes: Some(2), ..Draft::default() };
    let run = in_time(ephemeral.registry.create(draft)).await?;
    findings.push(Finding::ok(SUBJECTS[0], "two nodes have started"));
    in_time(run.pause(NodeId(0), None)).await?;
    findings.push(Finding::ok(SUBJECTS[1], "one node is paused (SIGSTOP)"));
    in_time(run.crash(NodeId(1))).await?;
    findings.push(Finding::ok(SUBJECTS[2], "the other node is killed (SIGKILL)"));
    Ok(())
}

/// Waits for a result. If none arrives within [`PATIENCE`], returns an error.
async fn in_time<T, E: Into<Refused>>(done: impl Future<Output = Result<T, E>>) -> Result<T, Refused> {
    match timeout(PATIENCE, done).await {
        Ok(done) => done.map_err(Into::into),
        Err(_) => Err(format!("no result within {} s", PATIENCE.as_secs()).into()),
    }
}
