//! Routes for the network of a run: settings of links, partitions and targeted rules.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use interlock_algorithm::NodeId;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::body::{Body, Document, WithRoles};
use super::path::Path;
use super::problem::Problem;
use super::runs::{at_hand, by_hand};
use interlock_model::field_error::FieldError;
use interlock_model::network::{
    LinkOverride, LinkPatch, LinkSetting, Partition, PartitionDraft, Rule, RuleDraft, Setup,
};
use interlock_model::schema::{NodeName, Time};
use interlock_model::span::Span;
use interlock_orchestrator::run::{Registry, Run, Temporary};

/// All partitions.
#[derive(Serialize, ToSchema)]
struct Partitions {
    items: Vec<Partition>,
}

/// All targeted rules.
#[derive(Serialize, ToSchema)]
struct Rules {
    items: Vec<Rule>,
}

/// A partition to create, and the time after which the partition heals.
#[derive(ToSchema)]
struct NewPartition {
    #[serde(flatten)]
    _partition: PartitionDraft,
    /// Time after which the partition heals, 0 … 3,600,000 ms. If absent, the partition heals only on request.
    #[schema(rename = "for")]
    _lasts: Option<Time>,
}

/// A targeted rule to create, and the time after which the rule is removed.
#[derive(ToSchema)]
struct NewRule {
    #[serde(flatten)]
    _rule: RuleDraft,
    /// Time after which the rule is removed, 0 … 3,600,000 ms. If absent, the rule is removed only on request.
    #[schema(rename = "for")]
    _lasts: Option<Time>,
}

/// Field of a request that limits how long a partition or a rule lasts.
const LASTS: &str = "for";

fn undo_after(run: &Arc<Run>, lasts: Option<Span>, what: Temporary) {
    if let Some(Span(lasts_us)) = lasts {
        run.undo_after(Duration::from_micros(lasts_us), what);
    }
}

impl Document for LinkPatch {
    const FORM: Option<&'static str> = Some(r#"{"delay":"30ms"}"#);

    fn from_value(document: &Value) -> Result<Self, FieldError> {
        Self::read(document)
    }
}

impl Document for PartitionDraft {
    const FORM: Option<&'static str> = Some(r#"{"groups":"0,1|2"}"#);

    fn from_value(document: &Value) -> Result<Self, FieldError> {
        Self::read(document)
    }
}

impl Document for RuleDraft {
    const FORM: Option<&'static str> = Some(r#"{"match":{"message_kind":"REPLY"},"action":"drop"}"#);

    fn from_value(document: &Value) -> Result<Self, FieldError> {
        Self::read(document)
    }
}

/// Returns the routes for the network.
pub fn routes() -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new()
        .routes(routes!(whole))
        .routes(routes!(default, patch_default))
        .routes(routes!(put_link, delete_link))
        .routes(routes!(partitions, add_partition))
        .routes(routes!(delete_partition))
        .routes(routes!(rules, add_rule))
        .routes(routes!(delete_rule))
}

/// Returns the setup of the network: settings of links, partitions and targeted rules.
#[utoipa::path(get, operation_id = "find_network", path = "/runs/{run}/network", tag = "network", params(("run" = Uuid, Path)),
    responses((status = 200, body = Setup), (status = 409, body = Problem)))]
async fn whole(State(registry): State<Arc<Registry>>, Path(id): Path<Uuid>) -> Result<Json<Setup>, Problem> {
    Ok(Json(at_hand(&registry, id).await?.with(|core| core.network_setup())))
}

/// Returns the default settings of links.
#[utoipa::path(get, path = "/runs/{run}/network/default", tag = "network", params(("run" = Uuid, Path)),
    responses((status = 200, body = LinkSetting), (status = 409, body = Problem)))]
async fn default(State(registry): State<Arc<Registry>>, Path(id): Path<Uuid>) -> Result<Json<LinkSetting>, Problem> {
    Ok(Json(at_hand(&registry, id).await?.with(|core| core.network_setup().default)))
}

/// Changes the default settings of links. A setting that is absent in the request does not change.
#[utoipa::path(patch, path = "/runs/{run}/network/default", tag = "network", params(("run" = Uuid, Path)),
    request_body = LinkPatch, responses((status = 200, body = LinkSetting)))]
async fn patch_default(
    State(registry): State<Arc<Registry>>,
    Path(id): Path<Uuid>,
    Body(patch): Body<LinkPatch>,
) -> Result<Json<LinkSetting>, Problem> {
    Ok(Json(by_hand(&registry, id).await?.with(|core| core.patch_default(&patch))?))
}

/// Replaces the settings of one link. For settings that are absent in the request, the default settings of links
/// apply.
#[utoipa::path(put, path = "/runs/{run}/network/links/{from}/{to}", tag = "network",
    params(("run" = Uuid, Path), ("from" = NodeName, Path), ("to" = NodeName, Path)), request_body = LinkPatch,
    responses((status = 200, body = LinkOverride)))]
async fn put_link(
    State(registry): State<Arc<Registry>>,
    Path((id, from, to)): Path<(Uuid, NodeId, NodeId)>,
    Body(patch): Body<LinkPatch>,
) -> Result<Json<LinkOverride>, Problem> {
    by_hand(&registry, id).await?.with(|core| core.override_link(from, to, Some(patch.clone())))?;
    Ok(Json(LinkOverride { from, to, patch }))
}

/// Removes the settings of one link. The default settings then apply to this link.
#[utoipa::path(delete, path = "/runs/{run}/network/links/{from}/{to}", tag = "network",
    params(("run" = Uuid, Path), ("from" = NodeName, Path), ("to" = NodeName, Path)),
    responses((status = 204)))]
async fn delete_link(
    State(registry): State<Arc<Registry>>,
    Path((id, from, to)): Path<(Uuid, NodeId, NodeId)>,
) -> Result<StatusCode, Problem> {
    by_hand(&registry, id).await?.with(|core| core.override_link(from, to, None))?;
    Ok(StatusCode::NO_CONTENT)
}

fn created<T: Serialize>(id: Uuid, what: &str, number: u64, body: T) -> Response {
    let location = format!("/api/v1/runs/{id}/network/{what}/{number}");
    (StatusCode::CREATED, [(header::LOCATION, location)], Json(body)).into_response()
}

/// Lists the partitions.
#[utoipa::path(get, path = "/runs/{run}/network/partitions", tag = "network", params(("run" = Uuid, Path)),
    responses((status = 200, body = Partitions), (status = 409, body = Problem)))]
async fn partitions(State(registry): State<Arc<Registry>>, Path(id): Path<Uuid>) -> Result<Json<Partitions>, Problem> {
    let items = at_hand(&registry, id).await?.with(|core| core.network_setup().partitions);
    Ok(Json(Partitions { items }))
}

/// Cuts the links between groups of nodes. A member of a group is a node or a role. A role stands for the node
/// that has it now, and `others` for all remaining nodes. All groups can be written as one text: `{"groups":
/// "holder|others"}`. With `for`, the partition heals after that time.
#[utoipa::path(post, path = "/runs/{run}/network/partitions", tag = "network", params(("run" = Uuid, Path)),
    request_body = NewPartition, responses((status = 201, body = Partition), (status = 429, body = Problem)))]
async fn add_partition(
    State(registry): State<Arc<Registry>>,
    Path(id): Path<Uuid>,
    body: WithRoles,
) -> Result<Response, Problem> {
    let run = by_hand(&registry, id).await?;
    let (partition, lasts) = run.with(|core| {
        let (draft, lasts) = body.read_beside(core, LASTS)?;
        Ok::<_, Problem>((core.add_partition(draft)?, lasts))
    })?;
    undo_after(&run, lasts, Temporary::Partition(partition.id));
    Ok(created(id, "partitions", partition.id, partition))
}

/// Heals a partition.
#[utoipa::path(delete, path = "/runs/{run}/network/partitions/{partition}", tag = "network",
    params(("run" = Uuid, Path), ("partition" = u64, Path)),
    responses((status = 204)))]
async fn delete_partition(
    State(registry): State<Arc<Registry>>,
    Path((id, partition)): Path<(Uuid, u64)>,
) -> Result<StatusCode, Problem> {
    by_hand(&registry, id).await?.with(|core| core.remove_partition(partition))?;
    Ok(StatusCode::NO_CONTENT)
}

/// Lists the targeted rules, in the order in which the network compares them with a message.
#[utoipa::path(get, path = "/runs/{run}/network/rules", tag = "network", params(("run" = Uuid, Path)),
    responses((status = 200, body = Rules), (status = 409, body = Problem)))]
async fn rules(State(registry): State<Arc<Registry>>, Path(id): Path<Uuid>) -> Result<Json<Rules>, Problem> {
    let items = at_hand(&registry, id).await?.with(|core| core.network_setup().rules);
    Ok(Json(Rules { items }))
}

/// Adds a targeted rule after the existing rules. In `match`, `from` and `to` can be a role such as `holder`,
/// which stands for the node that has the role now. With `for`, the rule is removed after that time.
#[utoipa::path(post, path = "/runs/{run}/network/rules", tag = "network", params(("run" = Uuid, Path)),
    request_body = NewRule, responses((status = 201, body = Rule), (status = 429, body = Problem)))]
async fn add_rule(
    State(registry): State<Arc<Registry>>,
    Path(id): Path<Uuid>,
    body: WithRoles,
) -> Result<Response, Problem> {
    let run = by_hand(&registry, id).await?;
    let (rule, lasts) = run.with(|core| {
        let (draft, lasts) = body.read_beside(core, LASTS)?;
        Ok::<_, Problem>((core.add_rule(draft)?, lasts))
    })?;
    undo_after(&run, lasts, Temporary::Rule(rule.id));
    Ok(created(id, "rules", rule.id, rule))
}

/// Removes a targeted rule.
#[utoipa::path(delete, path = "/runs/{run}/network/rules/{rule}", tag = "network",
    params(("run" = Uuid, Path), ("rule" = u64, Path)), responses((status = 204)))]
async fn delete_rule(
    State(registry): State<Arc<Registry>>,
    Path((id, rule)): Path<(Uuid, u64)>,
) -> Result<StatusCode, Problem> {
    by_hand(&registry, id).await?.with(|core| core.remove_rule(rule))?;
    Ok(StatusCode::NO_CONTENT)
}
