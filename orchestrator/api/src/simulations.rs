//! Route for simulations: scenarios that are played in virtual time and recorded as runs.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use interlock_model::field_error::FieldError;
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

/// Maximum number of nodes of a simulation.
const MOST_NODES: u32 = 200;
/// Maximum number of process steps of a simulation. A longer simulation ends there, and its result reports this.
const MOST_STEPS: u64 = 20_000;

/// Returns the route for simulations.
pub fn routes() -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new().routes(routes!(simulate))
}

/// Plays a scenario in virtual time and judges it. The answer is sent when the simulation has ended, which takes
/// little real time. With the same `seed`, the answer is always the same. The events are recorded as a run that
/// has ended. A simulation has at most 200 nodes and 20,000 steps of its processes; a longer simulation ends
/// there, and its result reports this. `interlock simulate` and `interlock run --simulate` have more options.
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
    // Each simulation occupies a processor, and memory for its events. The number of concurrent simulations is
    // therefore limited, and further simulations wait.
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
