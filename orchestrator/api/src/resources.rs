//! Routes for the resources that the locks of a run protect. Clients outside the run can read and write these
//! resources, like a program that holds the lock.

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

/// All resources that the locks of a run protect.
#[derive(Serialize, ToSchema)]
struct ResourceList {
    items: Vec<ResourceDocument>,
}

/// Request to write a value to a resource.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Put {
    /// The new value.
    value: i64,
    /// Node on whose behalf the value is written. That node should be in the critical section. Absent if the value
    /// is written on behalf of no node.
    #[schema(value_type = Option<NodeName>)]
    node: Option<NodeId>,
    /// Fencing token that the node received with its entry, from the event `entered`.
    fence: Option<u64>,
    /// The value that the client has read and from which it has computed the new value. If other values were
    /// written in between, they count as lost. If absent, the new value does not depend on an earlier value, so no
    /// write counts as lost.
    read: Option<i64>,
    /// Version that the resource must have now. If it has another version, the write is rejected.
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
    /// Number of the event that reports the write.
    seq: u64,
}

/// Returns the routes for resources.
pub fn routes() -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new().routes(routes!(resources)).routes(routes!(resource, put))
}

/// Lists the resources that the locks of the run protect: the account, or the files of the directory.
#[utoipa::path(get, path = "/runs/{run}/resources", tag = "resources",
    params(("run" = Uuid, Path)), responses((status = 200, body = ResourceList)))]
async fn resources(State(registry): State<Arc<Registry>>, Path(id): Path<Uuid>) -> Result<Json<ResourceList>, Problem> {
    let items = with_state(&registry, id, |state| state.resources().documents()).await?;
    Ok(Json(ResourceList { items }))
}

/// Returns a resource, with the value that it has and the value that it should have.
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

/// Writes to a resource. The write is rejected if its fencing token is older than the fencing token of an earlier
/// write. It is also rejected if the resource no longer has the version that the request names. A write and a
/// rejection are both recorded as events.
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
        RejectReason::Unfenced { .. } => "write the fencing token of your entry as `fence`",
        RejectReason::Changed { .. } => "read it again, and write a value that is computed from that",
    };
    Problem::new(status, "write-refused", format!("cannot write {value} to {resource}: {}; {right}", why.words()))
}
