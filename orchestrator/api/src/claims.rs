//! Routes for the map of the sources: the claims of the sources, and the questions that they ask.

use std::sync::Arc;

use axum::Json;
use interlock_orchestrator::run::Registry;
use interlock_simulation::claim::question::{self, Question};
use interlock_simulation::claim::{self, Claim, Source};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::body::Query;
use super::path::Path;
use super::problem::Problem;

/// The sources, and the selected claims.
#[derive(Serialize, ToSchema)]
struct Claims {
    /// All sources.
    sources: &'static [Source],
    /// The claims, in the order in which `interlock claims` checks them.
    items: Vec<&'static Claim>,
}

/// All questions.
#[derive(Serialize, ToSchema)]
struct Questions {
    items: &'static [Question],
}

/// Query parameters that select claims.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ClaimsQuery {
    /// Name of the source whose claims to list. Without a name, all claims are listed.
    source: Option<String>,
}

/// Returns the routes for the map of the sources.
pub fn routes() -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new().routes(routes!(all)).routes(routes!(one)).routes(routes!(questions))
}

/// Lists the claims of the sources, each with the places where the sources make it and with a verdict.
#[utoipa::path(get, operation_id = "list_claims", path = "/claims", tag = "claims", params(ClaimsQuery),
    responses((status = 200, body = Claims)))]
async fn all(Query(query): Query<ClaimsQuery>) -> Result<Json<Claims>, Problem> {
    if let Some(name) = &query.source {
        claim::source(name).map_err(|error| Problem::query("source", error.to_string()))?;
    }
    let is_selected = |claim: &&Claim| query.source.as_ref().is_none_or(|source| claim.is_of(source));
    Ok(Json(Claims { sources: claim::sources(), items: claim::all().iter().filter(is_selected).collect() }))
}

/// Returns one claim.
#[utoipa::path(get, operation_id = "find_claim", path = "/claims/{name}", tag = "claims",
    params(("name" = String, Path)), responses((status = 200, body = Claim)))]
async fn one(Path(name): Path<String>) -> Result<Json<&'static Claim>, Problem> {
    claim::find(&name).map(Json).map_err(|error| Problem::not_found(error.to_string()))
}

/// Lists the questions that the sources ask, each with answers to choose from and the run that shows the right one.
#[utoipa::path(get, operation_id = "list_questions", path = "/questions", tag = "claims",
    responses((status = 200, body = Questions)))]
async fn questions() -> Json<Questions> {
    Json(Questions { items: question::all() })
}
