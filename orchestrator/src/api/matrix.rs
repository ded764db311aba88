//! The matrix: what the algorithms make of faults.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use axum::Json;
use axum::http::StatusCode;
use interlock_algorithm::catalogue::find;
use interlock_model::field_error::FieldError;
use interlock_model::matrix::{self, Contender, FAULTS, Row};
use serde::Serialize;
use tokio::sync::OnceCell;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::path::Path;
use super::problem::Problem;
use crate::run::Registry;

/// What an algorithm makes of each fault.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct Matrix {
    /// A row for each variant that needs something else, over each channel and with each detector.
    rows: Vec<Row>,
}

/// The rows of each algorithm, played when somebody asks for the first time: they are the same always.
static PLAYED: LazyLock<BTreeMap<&'static str, OnceCell<Arc<Matrix>>>> =
    LazyLock::new(|| matrix::contenders().map(|contender| (contender.entry.name, OnceCell::new())).collect());

/// The routes of this file.
pub fn routes() -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new().routes(routes!(of))
}

/// What an algorithm for mutual exclusion makes of each fault, over each channel and with each detector: safe and live, safe
/// but stuck, or unsafe, the worst of several simulated runs. Each cell has a scenario that shows it, for `POST /scenarios`.
#[utoipa::path(get, operation_id = "matrix_of_algorithm", path = "/algorithms/{name}/matrix", tag = "algorithms",
    params(("name" = String, Path)), responses((status = 200, body = Matrix)))]
async fn of(Path(name): Path<String>) -> Result<Json<Arc<Matrix>>, Problem> {
    let entry = find(&name).map_err(|refusal| Problem::not_found(FieldError::from(refusal).meant_by(&name).detail))?;
    let played = PLAYED.get(entry.name).ok_or_else(|| {
        Problem::not_found(format!("`{name}` is not in the matrix: it is of the algorithms for mutual exclusion"))
    })?;
    let matrix = played.get_or_try_init(|| async { play(entry.name).await.map(Arc::new) }).await?;
    Ok(Json(Arc::clone(matrix)))
}

async fn play(name: &'static str) -> Result<Matrix, Problem> {
    let rows = tokio::task::spawn_blocking(move || {
        let contenders: Vec<Contender> = matrix::contenders().filter(|row| row.entry.name == name).collect();
        matrix::play(&contenders, &FAULTS, &|| ())
    });
    // Its scenarios are made here: what is wrong with one is a mistake of the playground.
    let broken = |why: String| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "broken", why);
    match rows.await {
        Ok(Ok(rows)) => Ok(Matrix { rows }),
        Ok(Err(errors)) => Err(broken(FieldError::in_words(&errors))),
        Err(_) => Err(broken("the runs of the matrix were broken off".into())),
    }
}
