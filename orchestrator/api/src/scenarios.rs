//! Scenarios: a run, what is done to it and what is expected of it, in one document; carried out between processes.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use interlock_model::field_error::FieldError;
use interlock_simulation::scenario::{Failure, Findings, Judgement, Outcome, Scenario};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::time::timeout;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::body::{Body, Document, Query};
use super::path::Path;
use super::problem::Problem;
use super::runs::at_hand;
use super::to_the_end;
use interlock_orchestrator::run::{Registry, RunError};

/// The longest that somebody waits for an end in one request, in ms.
const LONGEST_WAIT_MS: u64 = 60_000;

/// A scenario: the specification of a run, `steps`, `expect`, `stop` and `nemesis`.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(as = WrittenScenario, value_type = Object)]
pub(super) struct Written(pub Map<String, Value>);

impl Document for Written {
    const WRONG: &'static str = "invalid-scenario";
}

/// What has come of a scenario so far.
#[derive(Serialize, ToSchema)]
pub(super) struct Played {
    /// Its name in the API, which is that of its run.
    id: Uuid,
    /// The run: its events, its schedule, its pictures and its metrics can be had there, also afterwards.
    run: Uuid,
    /// In a word; null while it is under way.
    outcome: Option<Outcome>,
    /// What is wrong, a sentence each.
    because: Vec<String>,
    /// The step that could not be done, or at which it was waited for in vain; null if there is none.
    failure: Option<Failure>,
    /// Each expectation, with what came of it; none while it is under way.
    expectations: Vec<Judgement>,
    /// How many steps were done, once it is over.
    steps: usize,
    /// Of how many.
    of: usize,
    /// Why the run ended; null while it is under way.
    ended: Option<String>,
}

/// How long to wait.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Patience {
    /// How long to wait for its end, in ms, 0 … 60,000; 0 if absent.
    wait_ms: Option<u64>,
}

/// The routes of this file.
pub fn routes() -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new().routes(routes!(play)).routes(routes!(one))
}

/// Plays a scenario between processes, in a run of its own, and judges it. The answer comes when the processes are there;
/// what came of it, when it is over, is at the address that the answer names. `interlock run` plays the same documents,
/// also as YAML, and in virtual time.
#[utoipa::path(post, operation_id = "play_scenario", path = "/scenarios", tag = "scenarios", request_body = Written,
    responses((status = 202, body = Played), (status = 409, body = Problem), (status = 429, body = Problem),
        (status = 503, body = Problem), (status = 507, body = Problem)))]
async fn play(
    State(registry): State<Arc<Registry>>,
    Body(Written(document)): Body<Written>,
) -> Result<Response, Problem> {
    let invalid = |errors| Problem::invalid(Written::WRONG, errors);
    let scenario = Arc::new(Scenario::read(Value::Object(document)).map_err(invalid)?);
    let specification = scenario.specification(None, true).map_err(invalid)?;
    if specification.has_programs() {
        let detail = "a command is taken only from a file on the command line: `interlock run FILE`";
        return Err(invalid(vec![FieldError::new("/nodes", detail)]));
    }
    let begun = to_the_end(async move {
        let run = registry.direct(specification, &scenario, Vec::new()).await?;
        let id = run.id;
        // It goes on however long nobody asks what has come of it.
        tokio::spawn(async move { registry.see_through(&run).await });
        Ok::<_, RunError>(id)
    });
    let id = begun.await?;
    let location = format!("/api/v1/scenarios/{id}");
    Ok((StatusCode::ACCEPTED, [(header::LOCATION, location)], Json(Played::of(id, None))).into_response())
}

/// What has come of a scenario.
#[utoipa::path(get, operation_id = "find_scenario", path = "/scenarios/{run}", tag = "scenarios",
    params(("run" = Uuid, Path), Patience),
    responses((status = 200, body = Played), (status = 409, body = Problem)))]
async fn one(
    State(registry): State<Arc<Registry>>,
    Path(id): Path<Uuid>,
    Query(query): Query<Patience>,
) -> Result<Json<Played>, Problem> {
    let wait_ms = query.wait_ms.unwrap_or(0);
    if wait_ms > LONGEST_WAIT_MS {
        return Err(Problem::query("wait_ms", "it is outside 0 … 60,000"));
    }
    let none = || Problem::new(StatusCode::NOT_FOUND, "no-scenario", format!("run {id} plays no scenario"));
    let mut findings = at_hand(&registry, id).await?.findings().ok_or_else(none)?;
    // What is not over by then, or never will be since the run is removed, is told as it stands.
    drop(timeout(Duration::from_millis(wait_ms), findings.wait_for(Option::is_some)).await);
    let found = findings.borrow().clone();
    Ok(Json(Played::of(id, found)))
}

impl Played {
    /// What has come of the one of this run.
    pub(super) fn of(id: Uuid, found: Option<Findings>) -> Self {
        let because = found.iter().flat_map(Findings::complaints).collect();
        let (outcome, ended) =
            (found.as_ref().map(|found| found.outcome), found.as_ref().map(|found| found.ended.clone()));
        let Findings { failure, expectations, steps, of, .. } =
            found.unwrap_or_else(|| Findings { failure: None, ..Findings::could_not_run("") });
        Self { id, run: id, outcome, because, failure, expectations, steps, of, ended }
    }
}
