//! Routes for examples: runs that have a name.

use std::sync::Arc;

use axum::Json;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::path::Path;
use super::problem::Problem;
use interlock_orchestrator::run::Registry;
use interlock_simulation::example::{self, Example};

/// All examples.
#[derive(Serialize, ToSchema)]
struct Examples {
    items: Vec<Example>,
}

/// Returns the routes for examples.
pub fn routes() -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new().routes(routes!(all)).routes(routes!(one))
}

/// Lists all examples, each with the body of the `POST /runs` that starts it.
#[utoipa::path(get, operation_id = "list_examples", path = "/examples", tag = "examples",
    responses((status = 200, body = Examples)))]
async fn all() -> Json<Examples> {
    // This cannot fail: the examples are embedded in the program, and a test reads all of them.
    Json(Examples { items: example::LIBRARY.all().unwrap_or_default() })
}

/// Returns one example.
#[utoipa::path(get, operation_id = "find_example", path = "/examples/{name}", tag = "examples",
    params(("name" = String, Path)), responses((status = 200, body = Example)))]
async fn one(Path(name): Path<String>) -> Result<Json<Example>, Problem> {
    example::find(&name).map(Json).map_err(|error| Problem::not_found(error.to_string()))
}
