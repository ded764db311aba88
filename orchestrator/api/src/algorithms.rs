//! Routes for the catalogue of algorithms.

use std::sync::Arc;

use axum::Json;
use interlock_algorithm::catalogue::find;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::path::Path;
use super::problem::Problem;
use crate::catalogue::Algorithm;
use interlock_model::field_error::FieldError;
use interlock_orchestrator::run::Registry;

/// All algorithms.
#[derive(Serialize, ToSchema)]
struct Algorithms {
    /// The algorithms of the catalogue.
    items: Vec<Algorithm>,
}

/// Returns the routes for the catalogue of algorithms.
pub fn routes() -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new().routes(routes!(all)).routes(routes!(one))
}

/// Lists all algorithms, each with its source, assumptions, variants, messages and parameters.
#[utoipa::path(get, operation_id = "list_algorithms", path = "/algorithms", tag = "algorithms", responses((status = 200, body = Algorithms)))]
async fn all() -> Json<Algorithms> {
    Json(Algorithms { items: Algorithm::all() })
}

/// Returns one algorithm.
#[utoipa::path(get, operation_id = "find_algorithm", path = "/algorithms/{name}", tag = "algorithms", params(("name" = String, Path)),
    responses((status = 200, body = Algorithm)))]
async fn one(Path(name): Path<String>) -> Result<Json<Algorithm>, Problem> {
    find(&name)
        .map(|entry| Json(entry.into()))
        .map_err(|refusal| Problem::not_found(FieldError::from(refusal).meant_by(&name).detail))
}
