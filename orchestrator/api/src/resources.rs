//! What the locks of a run protect: read and written from outside, as by a program that has got the lock.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use interlock_algorithm::NodeId;
use interlock_model::schema::NodeName;
use interlock_model::write::{RejectReason, Rejection, Write};
use interlock_observation::resource::ResourceDocument;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::body::{Document, WithRoles};
use super::path::Path;
use super::problem::Problem;
use super::runs::by_hand;
use super::source::with_state;
use interlock_observation::resource;
use interlock_orchestrator::run::Registry;

/// What the locks of a run protect.
#[derive(Serialize, ToSchema)]
struct ResourceList {
    items: Vec<ResourceDocument>,
}

/// What to write.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Put {
    /// What is to be in it.
    value: i64,
    /// On behalf of which node, which should be in the section; of nobody if absent.
    #[schema(value_type = Option<NodeName>)]
    node: Option<NodeId>,
    /// The fencing token of that node's entry, as in the event `entered`.
    fence: Option<u64>,
    /// The value that was read before and from which this one is made: what was written meanwhile counts as lost. Without
    /// it the value stands for itself, and nothing is lost.
    read: Option<i64>,
    /// The version that the resource must still have: otherwise the write is refused.
    version: Option<u64>,
}

impl Document for Put {
    const FORM: Option<&'static str> = Some(r#"{"value":1005}"#);
}

/// A resource after a write.
#[derive(Serialize, ToSchema)]
struct WrittenResource {
    #[serde(flatten)]
    resource: ResourceDocument,
    /// The event of the write.
    seq: u64,
}

/// The routes of this file.
pub fn routes() -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new().routes(routes!(resources)).routes(routes!(resource, put))
}

/// What the locks of the run protect: its account, or the files of its directory.
#[utoipa::path(get, path = "/runs/{run}/resources", tag = "resources",
    params(("run" = Uuid, Path)), responses((status = 200, body = ResourceList)))]
async fn resources(State(registry): State<Arc<Registry>>, Path(id): Path<Uuid>) -> Result<Json<ResourceList>, Problem> {
    let items = with_state(&registry, id, |state| state.resources().documents()).await?;
    Ok(Json(ResourceList { items }))
}

/// A resource: what is in it, and what should be.
#[utoipa::path(get, path = "/runs/{run}/resources/{resource}", tag = "resources",
    params(("run" = Uuid, Path), ("resource" = String, Path)),
    responses((status = 200, body = ResourceDocument)))]
async fn resource(
    State(registry): State<Arc<Registry>>,
    Path((id, name)): Path<(Uuid, String)>,
) -> Result<Json<ResourceDocument>, Problem> {
    let found = with_state(&registry, id, |state| {
        let found = state.resources().find(&name).map(resource::Resource::document);
        found.ok_or_else(|| Problem::not_found(format!("there is no {}", state.resources().unknown(&name))))
    });
    found.await?.map(Json)
}

/// Writes into a resource. Whoever writes late, with an older fencing token than one before, or to a version that is there
/// no more, is refused, which is an event like the write itself.
#[utoipa::path(put, operation_id = "put_resource", path = "/runs/{run}/resources/{resource}", tag = "resources",
    params(("run" = Uuid, Path), ("resource" = String, Path)), request_body = Put,
    responses((status = 200, body = WrittenResource),
        (status = 412, body = Problem)))]
async fn put(
    State(registry): State<Arc<Registry>>,
    Path((id, resource)): Path<(Uuid, String)>,
    body: WithRoles,
) -> Result<Json<WrittenResource>, Problem> {
    let run = by_hand(&registry, id).await?;
    run.with(|core| {
        let Put { value, node, fence, read, version } = body.read(core)?;
        let done = core.put(Write { resource, value, node, fence, read, version })?;
        done.map(|(resource, seq)| Json(WrittenResource { resource, seq })).map_err(refused)
    })
}

fn refused(Rejection { resource, value, why, .. }: Rejection) -> Problem {
    let status = match why {
        RejectReason::Late { .. } | RejectReason::Unfenced { .. } => StatusCode::CONFLICT,
        RejectReason::Changed { .. } => StatusCode::PRECONDITION_FAILED,
    };
    let right = match why {
        RejectReason::Late { .. } => "acquire the lock again, and write with the token of that entry",
        RejectReason::Unfenced { .. } => "say with `fence` by which entry you write",
        RejectReason::Changed { .. } => "read it again, and write what follows from that",
    };
    Problem::new(status, "write-refused", format!("{resource} does not become {value}: {}; {right}", why.words()))
}
