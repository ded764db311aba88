//! Route for the fault matrix, which shows how each algorithm behaves under each fault.
//!
//! The first request starts thousands of simulated runs, and waits for them for at most [`PATIENCE`]. The
//! simulations continue after that time.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::Json;
use axum::http::StatusCode;
use interlock_algorithm::catalogue::find;
use interlock_model::field_error::FieldError;
use interlock_model::nearest::did_you_mean;
use interlock_simulation::matrix::{self, CHANNELS, Contender, FAULTS, Row};
use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex, OnceCell};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::body::Query;
use super::path::Path;
use super::problem::Problem;
use interlock_orchestrator::run::{Registry, RunError};

/// Maximum time that a request waits for rows that are being computed.
const PATIENCE: Duration = Duration::from_secs(5);

/// Fault matrix of an algorithm.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct Matrix {
    /// Rows of the matrix: one for each combination of a variant with its own assumptions, a channel and a
    /// detector.
    rows: Vec<Row>,
}

/// Query parameters that select rows.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct MatrixQuery {
    /// Channel of the rows: `raw`, `fifo` or `reliable`. The runs of one channel take a third of the time of all
    /// runs. If absent, the answer has the rows of all channels.
    channel: Option<String>,
}

/// Rows of an algorithm over a channel, for each variant and each detector.
type Rows = OnceCell<Arc<[Row]>>;

/// Rows of each algorithm over each channel. The first request for them starts their computation. The rows never
/// change afterwards.
static PLAYED: LazyLock<BTreeMap<(&'static str, &'static str), Rows>> = LazyLock::new(|| {
    matrix::contenders().map(|contender| ((contender.entry.name, contender.channel), OnceCell::new())).collect()
});

/// Prevents two computations at the same time. Each computation uses all processors, so the first result is
/// available soonest if computations do not overlap.
static TURN: Mutex<()> = Mutex::const_new(());

/// Returns the route for the fault matrix.
pub fn routes() -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new().routes(routes!(of))
}

/// Returns the fault matrix of an algorithm for mutual exclusion, over each channel and with each detector. Each
/// cell is the worst outcome of several simulated runs: safe and live, safe but stuck, or unsafe. The cell has a
/// scenario for `POST /scenarios` that shows this outcome. The first request starts the simulated runs. If they
/// take longer than 5 s, the answer is 503 with `Retry-After`, and the simulations continue.
#[utoipa::path(get, operation_id = "matrix_of_algorithm", path = "/algorithms/{name}/matrix", tag = "algorithms",
    params(("name" = String, Path), MatrixQuery),
    responses((status = 200, body = Matrix), (status = 503, body = Problem)))]
async fn of(Path(name): Path<String>, Query(query): Query<MatrixQuery>) -> Result<Json<Matrix>, Problem> {
    let entry = find(&name).map_err(|refusal| Problem::not_found(FieldError::from(refusal).meant_by(&name).detail))?;
    let mut tasks = Vec::new();
    for channel in channels(query.channel.as_deref())? {
        let rows = PLAYED.get(&(entry.name, channel)).ok_or_else(|| {
            Problem::not_found(format!("`{name}` is not in the matrix, which has only algorithms for mutual exclusion"))
        })?;
        // The task continues after the end of this request, so a later request receives the rows.
        tasks.push((channel, tokio::spawn(rows.get_or_try_init(|| play(entry.name, channel)))));
    }
    let deadline = Instant::now() + PATIENCE;
    let mut played = BTreeMap::new();
    for (channel, task) in tasks {
        played.insert(channel, ready(task, deadline).await?.iter());
    }
    let contenders = matrix::contenders().filter(|contender| contender.entry.name == entry.name);
    let rows = contenders.filter_map(|contender| played.get_mut(contender.channel)?.next().cloned());
    Ok(Json(Matrix { rows: rows.collect() }))
}

/// Waits for rows of the fault matrix until `deadline`. If they are not complete by then, returns a problem that asks
/// the client to repeat the request.
async fn ready<T>(rows: JoinHandle<Result<T, Problem>>, deadline: Instant) -> Result<T, Problem> {
    let ended = timeout_at(deadline, rows).await;
    ended.map_err(|_| Problem::not_ready("the runs of the matrix are not complete"))?.map_err(RunError::from)?
}

/// Returns the channel that the query names, or all channels if the query names none.
fn channels(name: Option<&str>) -> Result<Vec<&'static str>, Problem> {
    let Some(name) = name else { return Ok(CHANNELS.to_vec()) };
    let known = CHANNELS.into_iter().find(|channel| *channel == name).ok_or_else(|| {
        let meant = did_you_mean(name, CHANNELS);
        Problem::query("channel", format!("`{name}` is not one of {}{meant}", CHANNELS.join(", ")))
    })?;
    Ok(vec![known])
}

async fn play(name: &'static str, channel: &'static str) -> Result<Arc<[Row]>, Problem> {
    let _turn = TURN.lock().await;
    let rows = tokio::task::spawn_blocking(move || {
        let is_it = |row: &Contender| row.entry.name == name && row.channel == channel;
        let contenders: Vec<Contender> = matrix::contenders().filter(is_it).collect();
        matrix::play(&contenders, &FAULTS, &|| ())
    });
    // The program itself creates these scenarios, so an invalid scenario is an error of the server, not of the
    // client.
    let broken = |why: String| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "broken", why);
    match rows.await {
        Ok(Ok(rows)) => Ok(rows.into()),
        Ok(Err(errors)) => Err(broken(FieldError::in_words(&errors))),
        Err(_) => Err(broken("the runs of the matrix were interrupted".into())),
    }
}

#[cfg(test)]
mod tests {
    use axum::http::header;
    use axum::response::IntoResponse;

    use super::*;

    #[tokio::test]
    async fn rows_that_take_too_long_are_asked_for_again() {
        let now = Instant::now();
        let late = ready(tokio::spawn(std::future::pending::<Result<u8, Problem>>()), now).await;
        let answer = late.expect_err("not ready").into_response();
        assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(answer.headers()[header::RETRY_AFTER], "1");
        let in_time = ready(tokio::spawn(async { Ok(7) }), now + PATIENCE).await;
        assert_eq!(in_time.ok(), Some(7));
    }
}
