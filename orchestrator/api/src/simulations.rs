//! Simulations: scenarios in virtual time, each kept as a run that can be looked at.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use interlock_model::field_error::FieldError;
use interlock_model::specification::MOST_NODES;
use interlock_simulation::scenario::Scenario;
use interlock_simulation::simulation::Simulation;
use serde_json::Value;
use tokio::task::spawn_blocking;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::body::{Body, Document};
use super::problem::Problem;
use super::scenarios::{Played, Written};
use interlock_orchestrator::run::{Registry, RunError};

/// The most steps of its processes that a simulation takes: it is cut short then, and says so.
const MOST_STEPS: u64 = 20_000;

/// The routes of this file.
pub fn routes() -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new().routes(routes!(simulate))
}

/// Plays a scenario in virtual time, and judges it: the answer comes when it is over, which is at once, and is the same
/// each time for the same `seed`. Its events are kept as a run that has ended. At most 200 nodes, and 20,000 steps of its
/// processes; what takes more is cut short and says so. `interlock simulate` and `interlock run --simulate` have more to
/// choose from.
#[utoipa::path(post, operation_id = "simulate", path = "/simulations", tag = "scenarios", request_body = Written,
    responses((status = 201, body = Played), (status = 409, body = Problem), (status = 507, body = Problem)))]
async fn simulate(
    State(registry): State<Arc<Registry>>,
    Body(Written(document)): Body<Written>,
) -> Result<Response, Problem> {
    let invalid = |errors| Problem::invalid(Written::WRONG, errors);
    let scenario = Arc::new(Scenario::read(Value::Object(document)).map_err(invalid)?);
    let specification = scenario.specification(None, false).map_err(invalid)?;
    if specification.nodes > MOST_NODES {
        let detail = format!("{} nodes are outside 1 … {MOST_NODES}", specification.nodes);
        return Err(invalid(vec![FieldError::new("/nodes", detail)]));
    }
    let simulation = Simulation { most_steps: MOST_STEPS, ..Simulation::of_scenario(specification) };
    // Each keeps a processor busy and its events in memory: the others wait.
    let turn = registry.simulating().await;
    let simulated = spawn_blocking(move || {
        let _turn = turn;
        let refused = |refusal| invalid(vec![FieldError::new("", format!("{refusal}"))]);
        let (report, findings) = simulation.carry_out(&scenario).map_err(refused)?;
        Ok::<_, Problem>((registry.keep(&report.events)?.id, findings))
    });
    let (id, findings) = simulated.await.map_err(RunError::from)??;
    let location = format!("/api/v1/runs/{id}");
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], Json(Played::of(id, Some(findings)))).into_response())
}
