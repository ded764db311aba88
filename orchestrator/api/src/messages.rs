//! Routes for messages in the network, and for manual actions on messages.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use interlock_machine::message_id::MessageId;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::body::{Body, Query};
use super::path::Path;
use super::problem::Problem;
use super::runs::{self, Nothing, at_hand};
use interlock_observation::document::MessageDocument;
use interlock_observation::state::MessageStatus;
use interlock_orchestrator::run::{Core, Registry, RunError};

/// Messages in the network.
#[derive(Serialize, ToSchema)]
struct Messages {
    items: Vec<MessageDocument>,
}

/// Query parameters that select messages.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct MessagesQuery {
    /// Status of the messages: held, or in transit. If absent, the answer has all messages.
    status: Option<MessageStatus>,
}

/// The result of an action on a message.
#[derive(Serialize, ToSchema)]
struct Handled {
    /// Name of the message. If the message was duplicated, name of its copy.
    #[schema(example = "0.1.12")]
    message: MessageId,
    /// Number of the latest event.
    seq: u64,
}

/// Number of messages that were delivered.
#[derive(Serialize, ToSchema)]
struct Released {
    released: usize,
    /// Number of the latest event.
    seq: u64,
}

/// Returns the routes for messages.
pub fn routes() -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new()
        .routes(routes!(messages))
        .routes(routes!(release))
        .routes(routes!(deliver))
        .routes(routes!(drop_message))
        .routes(routes!(hold))
        .routes(routes!(duplicate))
}

/// Lists the messages in the network, ordered by link and number.
#[utoipa::path(get, path = "/runs/{run}/network/messages", tag = "network",
    params(("run" = Uuid, Path), MessagesQuery), responses((status = 200, body = Messages),
        (status = 409, body = Problem)))]
async fn messages(
    State(registry): State<Arc<Registry>>,
    Path(id): Path<Uuid>,
    Query(query): Query<MessagesQuery>,
) -> Result<Json<Messages>, Problem> {
    let items = at_hand(&registry, id).await?.with(|core| core.state().messages(query.status));
    Ok(Json(Messages { items }))
}

/// Delivers all held messages, in the order in which the network started to hold them.
#[utoipa::path(post, path = "/runs/{run}/network/messages/release", tag = "network",
    params(("run" = Uuid, Path)), request_body = Nothing, responses((status = 200, body = Released)))]
async fn release(
    State(registry): State<Arc<Registry>>,
    Path(id): Path<Uuid>,
    Body(Nothing {}): Body<Nothing>,
) -> Result<Json<Released>, Problem> {
    let run = runs::by_hand(&registry, id).await?;
    let (released, seq) = run.with(|core| core.release_held().map(|released| (released, core.latest())))?;
    Ok(Json(Released { released, seq }))
}

/// A manual action on a message.
type ByHand = fn(&mut Core, MessageId) -> Result<MessageId, RunError>;

async fn handle(registry: &Arc<Registry>, id: Uuid, message: &str, by_hand: ByHand) -> Result<Json<Handled>, Problem> {
    let run = runs::by_hand(registry, id).await?;
    let (message, seq) = run.with(|core| {
        let message = match message.parse() {
            Ok(message) => message,
            Err(error) => match core.message_described(message) {
                Some(described) => described.map_err(Problem::from)?,
                None => {
                    return Err(Problem::not_found(format!(
                        "{error}, or a description such as `REPLY from holder to 2`"
                    )));
                }
            },
        };
        by_hand(core, message).map(|message| (message, core.latest())).map_err(Problem::from)
    })?;
    Ok(Json(Handled { message, seq }))
}

/// Delivers a message immediately, even before earlier messages of its link. The message may be held or in
/// transit.
#[utoipa::path(post, path = "/runs/{run}/network/messages/{message}/deliver", tag = "network",
    params(("run" = Uuid, Path), ("message" = String, Path)), request_body = Nothing,
    responses((status = 200, body = Handled)))]
async fn deliver(
    State(registry): State<Arc<Registry>>,
    Path((id, message)): Path<(Uuid, String)>,
    Body(Nothing {}): Body<Nothing>,
) -> Result<Json<Handled>, Problem> {
    handle(&registry, id, &message, Core::deliver).await
}

/// Drops a message.
#[utoipa::path(post, path = "/runs/{run}/network/messages/{message}/drop", tag = "network",
    params(("run" = Uuid, Path), ("message" = String, Path)), request_body = Nothing,
    responses((status = 200, body = Handled)))]
async fn drop_message(
    State(registry): State<Arc<Registry>>,
    Path((id, message)): Path<(Uuid, String)>,
    Body(Nothing {}): Body<Nothing>,
) -> Result<Json<Handled>, Problem> {
    handle(&registry, id, &message, Core::lose).await
}

/// Holds a message in transit: the message stays in the network until a client delivers or drops it manually.
#[utoipa::path(post, path = "/runs/{run}/network/messages/{message}/hold", tag = "network",
    params(("run" = Uuid, Path), ("message" = String, Path)), request_body = Nothing,
    responses((status = 200, body = Handled)))]
async fn hold(
    State(registry): State<Arc<Registry>>,
    Path((id, message)): Path<(Uuid, String)>,
    Body(Nothing {}): Body<Nothing>,
) -> Result<Json<Handled>, Problem> {
    handle(&registry, id, &message, Core::hold).await
}

/// Duplicates a message. The network holds the copy until a client delivers or drops the copy manually.
#[utoipa::path(post, path = "/runs/{run}/network/messages/{message}/duplicate", tag = "network",
    params(("run" = Uuid, Path), ("message" = String, Path)), request_body = Nothing,
    responses((status = 200, body = Handled)))]
async fn duplicate(
    State(registry): State<Arc<Registry>>,
    Path((id, message)): Path<(Uuid, String)>,
    Body(Nothing {}): Body<Nothing>,
) -> Result<Json<Handled>, Problem> {
    handle(&registry, id, &message, Core::duplicate).await
}
