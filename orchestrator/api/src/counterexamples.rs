//! Routes for the counterexamples of the claims: schedules that violate a property, by name.
//!
//! The program that starts the server passes the list, because this crate does not depend on the evidence. A schedule
//! is not stored: each request explores again.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use interlock_exploration::{Exploration, Limits};
use interlock_model::size::Size;
use interlock_orchestrator::run::Registry;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::explorations::begun;
use super::problem::Problem;
use crate::exploring::{Explorations, Explored};

/// Limits of the exploration that finds a counterexample.
const LIMITS: Limits = Limits { memory: Size { bytes: 1 << 30 }, states: None };

/// A schedule that violates a property, as a claim of the sources states it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ClaimCounterexample)]
pub struct Counterexample {
    /// Name of the counterexample: the name of its claim, and a number if the claim has several.
    pub name: String,
    /// Claim to which the counterexample belongs.
    pub claim: String,
    /// The configuration in which some schedule violates a property, in words.
    pub configuration: String,
    /// The exploration that finds the schedule.
    #[serde(skip)]
    pub exploration: Exploration,
}

/// All counterexamples.
#[derive(Serialize, ToSchema)]
struct Counterexamples {
    items: Vec<Counterexample>,
}

/// The counterexamples, and the explorations that look for them.
#[derive(Clone)]
struct Known {
    all: Arc<[Counterexample]>,
    explorations: Arc<Explorations>,
}

/// Returns the routes for counterexamples. The explorations that look for them are among `explorations`.
pub fn routes(all: Vec<Counterexample>, explorations: Arc<Explorations>) -> OpenApiRouter<Arc<Registry>> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(find)).with_state(Known { all: all.into(), explorations })
}

/// Lists the counterexamples of the claims, in the order of their claims.
#[utoipa::path(get, operation_id = "list_counterexamples", path = "/counterexamples", tag = "claims",
    responses((status = 200, body = Counterexamples)))]
async fn list(State(known): State<Known>) -> Json<Counterexamples> {
    Json(Counterexamples { items: known.all.to_vec() })
}

/// Starts the exploration that finds a counterexample. When the exploration has ended, its result has the schedule, and
/// `POST /runs` plays this schedule with real processes.
#[utoipa::path(post, operation_id = "find_counterexample", path = "/counterexamples/{name}", tag = "claims",
    params(("name" = String, Path)),
    responses((status = 202, body = Explored), (status = 429, body = Problem)))]
async fn find(State(known): State<Known>, Path(name): Path<String>) -> Result<Response, Problem> {
    let found = known.all.iter().find(|counterexample| counterexample.name.eq_ignore_ascii_case(&name));
    let found = found.ok_or_else(|| {
        Problem::not_found(format!("there is no counterexample `{name}`: `GET /counterexamples` lists all"))
    })?;
    Ok(begun(&known.explorations.begin(found.exploration.clone(), LIMITS)?))
}
