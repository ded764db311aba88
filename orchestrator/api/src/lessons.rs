//! Routes for lessons: guided tours of the systems in the sources.

use std::sync::Arc;

use axum::Json;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::path::Path;
use super::problem::Problem;
use crate::lesson::{LIBRARY, Lesson};
use interlock_orchestrator::run::Registry;

/// All lessons.
#[derive(Serialize, ToSchema)]
struct Lessons {
    items: Vec<Lesson>,
}

/// Returns the routes for lessons.
pub fn routes() -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new().routes(routes!(all)).routes(routes!(one))
}

/// Lists all lessons, in the order of the sources. Each lesson contains the body of the `POST /simulations` that
/// plays it.
#[utoipa::path(get, operation_id = "list_lessons", path = "/lessons", tag = "lessons",
    responses((status = 200, body = Lessons)))]
async fn all() -> Json<Lessons> {
    // This cannot fail: the lessons are embedded in the program, and a test reads all of them.
    Json(Lessons { items: LIBRARY.all().unwrap_or_default() })
}

/// Returns one lesson.
#[utoipa::path(get, operation_id = "find_lesson", path = "/lessons/{name}", tag = "lessons",
    params(("name" = String, Path)), responses((status = 200, body = Lesson)))]
async fn one(Path(name): Path<String>) -> Result<Json<Lesson>, Problem> {
    LIBRARY.find(&name).map(Json).map_err(|error| Problem::not_found(error.to_string()))
}
