//! Routes for scenarios. A scenario is a document with a run, actions on the run and expectations, and is played
//! with live processes.

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

/// Maximum time that a request waits for the end of a scenario, in ms.
const LONGEST_WAIT_MS: u64 = 60_000;

/// A scenario: the specification of a run, `steps`, `expect`, `stop` and `nemesis`.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(as = WrittenScenario, value_type = Object)]
pub(super) struct Written(pub Map<String, Value>);

impl Document for Written {
    const WRONG: &'static str = "invalid-scenario";
}

/// The result of a scenario so far.
#[derive(Serialize, ToSchema)]
pub(super) struct Played {
    /// Id of the scenario in the API; it is the id of the scenario's run.
    id: Uuid,
    /// Id of the run. Its events, schedule, traces and metrics stay available after the end of the scenario.
    run: Uuid,
    /// Outcome of the scenario, in one word; null while the scenario is running.
    outcome: Option<Outcome>,
    /// Reasons why the scenario is not met, each as a sentence.
    because: Vec<String>,
    /// The step that could not be executed or whose condition was not met; null if there is no such step.
    failure: Option<Failure>,
    /// Expectations, each with its result; an empty list while the scenario is running.
    expectations: Vec<Judgement>,
    /// Number of steps that were executed; 0 while the scenario is running.
    steps: usize,
    /// Number of all steps; 0 while the scenario is running.
    of: usize,
    /// Reason why the run ended; null while the run is in progress.
    ended: Option<String>,
}

/// Time to wait.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Patience {
    /// Time to wait for the end of the scenario, in ms, 0 … 60,000 [default: 0].
    wait_ms: Option<u64>,
}

/// Returns the routes for scenarios.
pub fn routes() -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new().routes(routes!(play)).routes(routes!(one))
}

/// Plays a scenario with live processes, in its own run, and judges the run. The answer is sent when the processes
/// have started. When the scenario has ended, its result is available at the address in the answer. `interlock
/// run` plays the same documents, also as YAML and in virtual time.
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
        let detail = "a program is possible only in a file on the command line: `interlock run FILE`";
        return Err(invalid(vec![FieldError::new("/nodes", detail)]));
    }
    let begun = to_the_end(async move {
        let run = registry.direct(specification, &scenario, Vec::new()).await?;
        let id = run.id;
        // The scenario is executed to its end, even if no client requests its result.
        tokio::spawn(async move { registry.see_through(&run).await });
        Ok::<_, RunError>(id)
    });
    let id = begun.await?;
    let location = format!("/api/v1/scenarios/{id}");
    Ok((StatusCode::ACCEPTED, [(header::LOCATION, location)], Json(Played::of(id, None))).into_response())
}

/// Returns the result of a scenario.
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
    let none = || Problem::new(StatusCode::NOT_FOUND, "no-scenario", format!("run {id} does not play a scenario"));
    let mut findings = at_hand(&registry, id).await?.findings().ok_or_else(none)?;
    // After the wait, the scenario may still be running, or its run may have been removed. The answer is the
    // present result in each case.
    drop(timeout(Duration::from_millis(wait_ms), findings.wait_for(Option::is_some)).await);
    let found = findings.borrow().clone();
    Ok(Json(Played::of(id, found)))
}

impl Played {
    /// Returns the result of the scenario that the run `id` plays. `found` contains its findings if the scenario has
    /// ended.
    pub(super) fn of(id: Uuid, found: Option<Findings>) -> Self {
        let because = found.iter().flat_map(Findings::complaints).collect();
        let (outcome, ended) =
            (found.as_ref().map(|found| found.outcome), found.as_ref().map(|found| found.ended.clone()));
        let Findings { failure, expectations, steps, of, .. } =
            found.unwrap_or_else(|| Findings { failure: None, ..Findings::could_not_run("") });
        Self { id, run: id, outcome, because, failure, expectations, steps, of, ended }
    }
}
