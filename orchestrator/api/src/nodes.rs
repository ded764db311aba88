//! Routes for nodes: commands to the clients of nodes, and actions on the processes of nodes.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use interlock_algorithm::{LockId, NodeId};
use interlock_machine::quantity::{optional_ms, whole_ms};
use interlock_machine::wire::Order;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::body::{Body, Document, WithRoles};
use super::path::Path;
use super::problem::Problem;
use super::runs::{Nothing, by_hand};
use super::source::state_of;
use super::to_the_end;
use interlock_model::event::{RestartState, TimerLabel};
use interlock_model::field_error::FieldError;
use interlock_model::impossible::Impossible;
use interlock_model::listed;
use interlock_model::schema::{NodeName, NumberList, Time};
use interlock_observation::document::NodeDocument;
use interlock_orchestrator::run::{Acquired, Registry, RunError};

/// Maximum time in the critical section, and maximum length of a pause, in ms: one hour.
const LONGEST_MS: f64 = 3_600_000.0;
/// Maximum length of a proposed value, in characters.
pub const LONGEST_VALUE: usize = 200;
/// Maximum time that a request may wait, in ms.
pub const LONGEST_WAIT_MS: u64 = 60_000;

/// Request for one or several locks.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Acquire {
    /// Number of the lock [default: 0].
    lock: Option<u32>,
    /// Numbers of several locks, requested at the same time; replaces `lock`. If the algorithm can grant a lock
    /// several times to the same node, the list names a lock once for each grant.
    #[serde(default, deserialize_with = "listed::optional")]
    #[schema(value_type = Option<NumberList>)]
    locks: Option<Vec<u32>>,
    /// Time in the critical section until the automatic release, in ms, 0 … 3,600,000. If absent, the node
    /// releases the lock only on request.
    #[serde(default, deserialize_with = "optional_ms")]
    #[schema(value_type = Option<Time>)]
    hold: Option<f64>,
    /// Maximum time that the answer waits for the entry, in ms, 0 … 60,000 [default: 0].
    #[serde(default, deserialize_with = "whole_ms")]
    #[schema(value_type = Option<Time>)]
    wait_ms: u64,
}

/// The state of a request for a lock.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
struct AcquireAnswer {
    /// Number of the node.
    node: NodeId,
    /// Number of the node's request; null if the node has not handled the command yet, for example because it is
    /// paused.
    request: Option<u64>,
    /// Whether the node is in the critical section.
    entered: bool,
    /// Number of the latest event.
    seq: u64,
}

/// The lock to release.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Release {
    /// Number of the lock [default: 0].
    #[serde(default)]
    lock: u32,
}

/// Request to pause a process.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Pause {
    /// Length of the pause, in ms, 0 … 3,600,000. If absent, the process is paused until it is resumed.
    #[serde(default, deserialize_with = "optional_ms")]
    #[schema(value_type = Option<Time>)]
    for_ms: Option<f64>,
}

/// Request to restart a process.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Restart {
    /// State with which the process restarts: `stored` (its stored state) or `none` [default: stored].
    #[serde(default = "stored")]
    #[schema(required = false)]
    state: RestartState,
}

const fn stored() -> RestartState {
    RestartState::Stored
}

/// The timer to fire.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Fire {
    /// Name of the timer, as in the event that set it: `{"client":"idle"}`.
    timer: TimerLabel,
}

/// The value to propose.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Propose {
    /// Number of the agreement instance [default: 0].
    #[serde(default)]
    instance: u64,
    /// The value, 1 … 200 characters.
    value: String,
}

/// A message of the application.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Tell {
    /// Receiver of the message.
    #[schema(value_type = NodeName)]
    to: NodeId,
    /// Whether the receiver, if it is idle, then requests the critical section [default: false].
    #[serde(default)]
    asks: bool,
    /// Time that the receiver then stays in the critical section, in ms, 0 … 3,600,000. If absent, the settings of
    /// the receiver's client determine the time.
    #[serde(default, deserialize_with = "optional_ms")]
    #[schema(value_type = Option<Time>)]
    hold: Option<f64>,
}

/// Request to overwrite the state of a node.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Corrupt {
    /// Number of the new state, from 0. The number of possible states depends on the algorithm and its parameters.
    choice: u64,
}

/// The node that the failure detector is to suspect or to trust.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Belief {
    /// Number or role of the node; it must be another node of the run.
    #[schema(value_type = NodeName)]
    whom: NodeId,
}

/// The state of a command.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
struct OrderAnswer {
    /// Number of the node.
    node: NodeId,
    /// Whether the node has handled the command. A paused node handles it after it is resumed.
    taken: bool,
    /// Number of the latest event.
    seq: u64,
}

/// The result of an action on a node.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
struct NodeAnswer {
    /// Number of the node.
    node: NodeId,
    /// Number of the latest event.
    seq: u64,
}

/// All nodes of a run.
#[derive(Serialize, ToSchema)]
struct Nodes {
    items: Vec<NodeDocument>,
}

impl AcquireAnswer {
    fn of(node: NodeId, acquired: Acquired) -> Self {
        let Acquired { request, entered, seq } = acquired;
        Self { node, request: request.map(|request| request.0), entered, seq }
    }
}

/// Converts a time in ms from a request to a duration. Fails if the time is outside the range.
fn span(pointer: &str, ms: Option<f64>) -> Result<Option<Duration>, Problem> {
    match ms {
        Some(ms) if !(0.0..=LONGEST_MS).contains(&ms) => {
            Err(outside(pointer, &format!("{ms} ms are outside 0 … {LONGEST_MS}")))
        }
        ms => Ok(ms.map(|ms| Duration::from_secs_f64(ms / 1000.0))),
    }
}

/// Converts the maximum waiting time of a request, in ms, to a duration. Fails if the time is outside the range.
pub fn patience(pointer: &str, ms: u64) -> Result<Duration, Problem> {
    if ms > LONGEST_WAIT_MS {
        return Err(outside(pointer, &format!("{ms} ms are outside 0 … {LONGEST_WAIT_MS}")));
    }
    Ok(Duration::from_millis(ms))
}

fn outside(pointer: &str, detail: &str) -> Problem {
    Problem::invalid("invalid-document", vec![FieldError::new(pointer, detail)])
}

impl Document for Acquire {
    const FORM: Option<&'static str> = Some(r#"{"lock":1,"hold":"5ms"}"#);
}

impl Document for Release {
    const FORM: Option<&'static str> = Some(r#"{"lock":1}"#);
}

impl Document for Pause {
    const FORM: Option<&'static str> = Some(r#"{"for_ms":500}"#);
}

impl Document for Restart {
    const FORM: Option<&'static str> = Some(r#"{"state":"none"}"#);
}

impl Document for Fire {
    const FORM: Option<&'static str> = Some(r#"{"timer":{"client":"idle"}}"#);
}

impl Document for Propose {
    const FORM: Option<&'static str> = Some(r#"{"value":"left"}"#);
}

impl Document for Tell {
    const FORM: Option<&'static str> = Some(r#"{"to":1,"hold":"5ms"}"#);
}

impl Document for Corrupt {
    const FORM: Option<&'static str> = Some(r#"{"choice":7}"#);
}

impl Document for Belief {
    const FORM: Option<&'static str> = Some(r#"{"whom":2}"#);
}

/// Returns the routes for nodes.
pub fn routes() -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new()
        .routes(routes!(all))
        .routes(routes!(one))
        .routes(routes!(acquire))
        .routes(routes!(release))
        .routes(routes!(crash))
        .routes(routes!(pause))
        .routes(routes!(resume))
        .routes(routes!(restart))
        .routes(routes!(fire))
        .routes(routes!(elect))
        .routes(routes!(propose))
        .routes(routes!(tell))
        .routes(routes!(corrupt))
        .routes(routes!(suspect))
        .routes(routes!(trust))
}

/// Lists all nodes of a run with their present state.
#[utoipa::path(get, operation_id = "list_nodes", path = "/runs/{run}/nodes", tag = "nodes", params(("run" = Uuid, Path)),
    responses((status = 200, body = Nodes)))]
async fn all(State(registry): State<Arc<Registry>>, Path(id): Path<Uuid>) -> Result<Json<Nodes>, Problem> {
    Ok(Json(Nodes { items: state_of(registry, id, None).await?.nodes }))
}

/// Returns one node with its present state.
#[utoipa::path(get, operation_id = "find_node", path = "/runs/{run}/nodes/{node}", tag = "nodes",
    params(("run" = Uuid, Path), ("node" = NodeName, Path)), responses((status = 200, body = NodeDocument)))]
async fn one(
    State(registry): State<Arc<Registry>>,
    Path((id, node)): Path<(Uuid, NodeId)>,
) -> Result<Json<NodeDocument>, Problem> {
    let nodes = state_of(registry, id, None).await?.nodes;
    let count = u32::try_from(nodes.len()).unwrap_or(u32::MAX);
    let found = nodes.into_iter().find(|document| document.node == node);
    Ok(Json(found.ok_or(RunError::from(Impossible::UnknownNode(node, count)))?))
}

/// Makes a node request a lock. With `wait_ms`, the answer is sent when the node has entered the critical section,
/// or when that time is over.
#[utoipa::path(post, path = "/runs/{run}/nodes/{node}/acquire", tag = "nodes",
    params(("run" = Uuid, Path), ("node" = NodeName, Path)), request_body = Acquire,
    responses((status = 202, body = AcquireAnswer), (status = 200, body = AcquireAnswer),
        (status = 429, body = Problem)))]
async fn acquire(
    State(registry): State<Arc<Registry>>,
    Path((id, node)): Path<(Uuid, NodeId)>,
    Body(acquire): Body<Acquire>,
) -> Result<(StatusCode, Json<AcquireAnswer>), Problem> {
    let run = by_hand(&registry, id).await?;
    let (hold, wait) = (span("/hold", acquire.hold)?, patience("/wait_ms", acquire.wait_ms)?);
    if acquire.lock.is_some() && acquire.locks.is_some() {
        return Err(outside("/locks", "write either `lock` or `locks`, not both"));
    }
    let lock = LockId(acquire.lock.unwrap_or_default());
    let several = acquire.locks.map(|locks| locks.into_iter().map(LockId).collect());
    let acquired = to_the_end(async move {
        match several {
            Some(locks) => run.acquire_together(node, locks, hold, wait).await,
            None => run.acquire(node, lock, hold, wait).await,
        }
    })
    .await?;
    let status = if acquire.wait_ms == 0 { StatusCode::ACCEPTED } else { StatusCode::OK };
    Ok((status, Json(AcquireAnswer::of(node, acquired))))
}

/// Makes a node leave the critical section.
#[utoipa::path(post, operation_id = "release_lock", path = "/runs/{run}/nodes/{node}/release", tag = "nodes",
    params(("run" = Uuid, Path), ("node" = NodeName, Path)), request_body = Release,
    responses((status = 202, body = AcquireAnswer), (status = 429, body = Problem)))]
async fn release(
    State(registry): State<Arc<Registry>>,
    Path((id, node)): Path<(Uuid, NodeId)>,
    Body(release): Body<Release>,
) -> Result<(StatusCode, Json<AcquireAnswer>), Problem> {
    let run = by_hand(&registry, id).await?;
    let released = to_the_end(async move { run.release(node, LockId(release.lock)).await }).await?;
    Ok((StatusCode::ACCEPTED, Json(AcquireAnswer::of(node, released))))
}

/// Crashes the process of a node. The answer is sent when the process has ended.
#[utoipa::path(post, path = "/runs/{run}/nodes/{node}/crash", tag = "nodes",
    params(("run" = Uuid, Path), ("node" = NodeName, Path)), request_body = Nothing,
    responses((status = 200, body = NodeAnswer), (status = 503, body = Problem)))]
async fn crash(
    State(registry): State<Arc<Registry>>,
    Path((id, node)): Path<(Uuid, NodeId)>,
    Body(Nothing {}): Body<Nothing>,
) -> Result<Json<NodeAnswer>, Problem> {
    let run = by_hand(&registry, id).await?;
    let seq = to_the_end(async move { run.crash(node).await }).await?;
    Ok(Json(NodeAnswer { node, seq }))
}

/// Pauses the process of a node. The answer is sent when the operating system has confirmed the pause.
#[utoipa::path(post, path = "/runs/{run}/nodes/{node}/pause", tag = "nodes",
    params(("run" = Uuid, Path), ("node" = NodeName, Path)), request_body = Pause,
    responses((status = 200, body = NodeAnswer), (status = 503, body = Problem)))]
async fn pause(
    State(registry): State<Arc<Registry>>,
    Path((id, node)): Path<(Uuid, NodeId)>,
    Body(pause): Body<Pause>,
) -> Result<Json<NodeAnswer>, Problem> {
    let run = by_hand(&registry, id).await?;
    let span = span("/for_ms", pause.for_ms)?;
    let seq = to_the_end(async move { run.pause(node, span).await }).await?;
    Ok(Json(NodeAnswer { node, seq }))
}

/// Resumes a paused node.
#[utoipa::path(post, path = "/runs/{run}/nodes/{node}/resume", tag = "nodes",
    params(("run" = Uuid, Path), ("node" = NodeName, Path)), request_body = Nothing,
    responses((status = 200, body = NodeAnswer), (status = 503, body = Problem)))]
async fn resume(
    State(registry): State<Arc<Registry>>,
    Path((id, node)): Path<(Uuid, NodeId)>,
    Body(Nothing {}): Body<Nothing>,
) -> Result<Json<NodeAnswer>, Problem> {
    let run = by_hand(&registry, id).await?;
    let seq = to_the_end(async move { run.resume(node).await }).await?;
    Ok(Json(NodeAnswer { node, seq }))
}

/// Starts a new process for a crashed node. The answer is sent when the process has reported its address.
#[utoipa::path(post, path = "/runs/{run}/nodes/{node}/restart", tag = "nodes",
    params(("run" = Uuid, Path), ("node" = NodeName, Path)), request_body = Restart,
    responses((status = 200, body = NodeAnswer), (status = 429, body = Problem), (status = 503, body = Problem)))]
async fn restart(
    State(registry): State<Arc<Registry>>,
    Path((id, node)): Path<(Uuid, NodeId)>,
    Body(restart): Body<Restart>,
) -> Result<Json<NodeAnswer>, Problem> {
    let run = by_hand(&registry, id).await?;
    let seq = to_the_end(async move { run.restart(node, restart.state).await }).await?;
    Ok(Json(NodeAnswer { node, seq }))
}

/// Makes a timer of a node fire. This is possible only in a run whose timers do not fire automatically (`timers`
/// is false).
#[utoipa::path(post, path = "/runs/{run}/nodes/{node}/fire", tag = "nodes",
    params(("run" = Uuid, Path), ("node" = NodeName, Path)), request_body = Fire,
    responses((status = 202, body = NodeAnswer), (status = 429, body = Problem)))]
async fn fire(
    State(registry): State<Arc<Registry>>,
    Path((id, node)): Path<(Uuid, NodeId)>,
    Body(fire): Body<Fire>,
) -> Result<(StatusCode, Json<NodeAnswer>), Problem> {
    let run = by_hand(&registry, id).await?;
    let seq = run.with(|core| core.fire(node, &fire.timer).map(|()| core.latest()))?;
    Ok((StatusCode::ACCEPTED, Json(NodeAnswer { node, seq })))
}

/// Makes a node call an election.
#[utoipa::path(post, operation_id = "call_election", path = "/runs/{run}/nodes/{node}/elect", tag = "nodes",
    params(("run" = Uuid, Path), ("node" = NodeName, Path)), request_body = Nothing,
    responses((status = 202, body = OrderAnswer), (status = 429, body = Problem)))]
async fn elect(
    State(registry): State<Arc<Registry>>,
    Path((id, node)): Path<(Uuid, NodeId)>,
    Body(Nothing {}): Body<Nothing>,
) -> Result<(StatusCode, Json<OrderAnswer>), Problem> {
    ordered(&registry, id, node, Order::Elect {}).await
}

/// Makes a node propose a value.
#[utoipa::path(post, operation_id = "propose_value", path = "/runs/{run}/nodes/{node}/propose", tag = "nodes",
    params(("run" = Uuid, Path), ("node" = NodeName, Path)), request_body = Propose,
    responses((status = 202, body = OrderAnswer), (status = 429, body = Problem)))]
async fn propose(
    State(registry): State<Arc<Registry>>,
    Path((id, node)): Path<(Uuid, NodeId)>,
    Body(Propose { instance, value }): Body<Propose>,
) -> Result<(StatusCode, Json<OrderAnswer>), Problem> {
    let length = value.chars().count();
    if !(1..=LONGEST_VALUE).contains(&length) {
        return Err(outside("/value", &format!("a value of {length} characters is outside 1 … {LONGEST_VALUE}")));
    }
    ordered(&registry, id, node, Order::Propose { instance, value }).await
}

/// Makes the application of a node send a message to another node. The message carries the logical clock of the
/// sender.
#[utoipa::path(post, operation_id = "tell_node", path = "/runs/{run}/nodes/{node}/tell", tag = "nodes",
    params(("run" = Uuid, Path), ("node" = NodeName, Path)), request_body = Tell,
    responses((status = 202, body = OrderAnswer), (status = 429, body = Problem)))]
async fn tell(
    State(registry): State<Arc<Registry>>,
    Path((id, node)): Path<(Uuid, NodeId)>,
    body: WithRoles,
) -> Result<(StatusCode, Json<OrderAnswer>), Problem> {
    let run = by_hand(&registry, id).await?;
    let Tell { to, asks, hold } = run.with(|core| body.read(core))?;
    let hold = span("/hold", hold)?.map(|hold| u64::try_from(hold.as_micros()).unwrap_or(u64::MAX));
    ordered(&registry, id, node, Order::Tell { to, asks, hold_us: hold }).await
}

/// Overwrites the state of a node whose algorithm is self-stabilising. The requests of the node's client and the
/// locks granted to it do not change.
#[utoipa::path(post, operation_id = "corrupt_node", path = "/runs/{run}/nodes/{node}/corrupt", tag = "nodes",
    params(("run" = Uuid, Path), ("node" = NodeName, Path)), request_body = Corrupt,
    responses((status = 202, body = OrderAnswer), (status = 429, body = Problem)))]
async fn corrupt(
    State(registry): State<Arc<Registry>>,
    Path((id, node)): Path<(Uuid, NodeId)>,
    Body(Corrupt { choice }): Body<Corrupt>,
) -> Result<(StatusCode, Json<OrderAnswer>), Problem> {
    ordered(&registry, id, node, Order::Corrupt { choice }).await
}

/// Makes the failure detector of a node suspect another node, even if that node has not crashed.
#[utoipa::path(post, operation_id = "suspect_node", path = "/runs/{run}/nodes/{node}/suspect", tag = "nodes",
    params(("run" = Uuid, Path), ("node" = NodeName, Path)), request_body = Belief,
    responses((status = 202, body = OrderAnswer), (status = 429, body = Problem)))]
async fn suspect(
    State(registry): State<Arc<Registry>>,
    Path((id, node)): Path<(Uuid, NodeId)>,
    body: WithRoles,
) -> Result<(StatusCode, Json<OrderAnswer>), Problem> {
    believed(&registry, id, node, body, |whom| Order::Suspect { whom }).await
}

/// Makes the failure detector of a node trust another node again.
#[utoipa::path(post, operation_id = "trust_node", path = "/runs/{run}/nodes/{node}/trust", tag = "nodes",
    params(("run" = Uuid, Path), ("node" = NodeName, Path)), request_body = Belief,
    responses((status = 202, body = OrderAnswer), (status = 429, body = Problem)))]
async fn trust(
    State(registry): State<Arc<Registry>>,
    Path((id, node)): Path<(Uuid, NodeId)>,
    body: WithRoles,
) -> Result<(StatusCode, Json<OrderAnswer>), Problem> {
    believed(&registry, id, node, body, |whom| Order::Trust { whom }).await
}

async fn believed(
    registry: &Arc<Registry>,
    id: Uuid,
    node: NodeId,
    body: WithRoles,
    order: fn(NodeId) -> Order,
) -> Result<(StatusCode, Json<OrderAnswer>), Problem> {
    let run = by_hand(registry, id).await?;
    let Belief { whom } = run.with(|core| body.read(core))?;
    ordered(registry, id, node, order(whom)).await
}

async fn ordered(
    registry: &Arc<Registry>,
    id: Uuid,
    node: NodeId,
    order: Order,
) -> Result<(StatusCode, Json<OrderAnswer>), Problem> {
    let run = by_hand(registry, id).await?;
    let (taken, seq) = to_the_end(async move { run.ordered(node, order).await }).await?;
    Ok((StatusCode::ACCEPTED, Json(OrderAnswer { node, taken, seq })))
}
