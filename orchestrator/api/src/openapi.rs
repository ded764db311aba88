//! Completes and serves the OpenAPI document, and rejects query parameters that the document does not name.

use std::collections::HashMap;
use std::sync::Arc;

use axum::Router;
use axum::extract::{MatchedPath, RawQuery, Request, State};
use axum::http::{Method, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde_json::Value;
use utoipa::openapi::OpenApi;

use super::problem::Problem;
use super::{BASE, links, ranges, responses, scenario_form, schemas, token};
use interlock_model::event::value_of;
use interlock_model::field_error::FieldError;
use interlock_orchestrator::run::Registry;

/// Returns the document with all additions, such as descriptions of answers, a schema for each kind of event, and
/// ranges.
pub fn complete(document: &OpenApi) -> Value {
    let mut document = value_of(document);
    schemas::flatten_events(&mut document);
    schemas::name_alternatives(&mut document);
    scenario_form::describe(&mut document);
    ranges::state(&mut document);
    schemas::flatten_objects(&mut document);
    responses::describe(&mut document);
    links::join(&mut document);
    token::describe(&mut document);
    document
}

/// Serves the OpenAPI document itself.
pub fn routes(document: &Value) -> Router<Arc<Registry>> {
    let text: Arc<str> = document.to_string().into();
    let serve = get(async move || ([(header::CONTENT_TYPE, "application/json")], text.to_string()));
    Router::new().route("/openapi.json", serve.clone()).route(&format!("{BASE}/openapi.json"), serve)
}

/// Names of the query parameters of each operation.
type Queries = HashMap<(Method, String), Vec<String>>;

/// Rejects queries with parameters that `document` does not name for the operation.
pub fn closed_to_unknown_queries(router: Router<Arc<Registry>>, document: &Value) -> Router<Arc<Registry>> {
    router.route_layer(from_fn_with_state(Arc::new(queries(document)), check_query))
}

fn queries(document: &Value) -> Queries {
    let operations = document["paths"].as_object().into_iter().flatten().flat_map(|(path, item)| {
        item.as_object().into_iter().flatten().filter_map(move |(method, operation)| {
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).ok()?;
            Some(((method, path.clone()), parameters(operation)))
        })
    });
    operations.collect()
}

fn parameters(operation: &Value) -> Vec<String> {
    let all = operation["parameters"].as_array().into_iter().flatten();
    all.filter(|parameter| parameter["in"] == "query")
        .filter_map(|parameter| parameter["name"].as_str().map(str::to_owned))
        .collect()
}

async fn check_query(
    State(queries): State<Arc<Queries>>,
    path: MatchedPath,
    RawQuery(query): RawQuery,
    request: Request,
    next: Next,
) -> Response {
    let method = if request.method() == Method::HEAD { Method::GET } else { request.method().clone() };
    let known = queries.get(&(method, path.as_str().to_owned()));
    match known.and_then(|known| unknown(query.as_deref().unwrap_or_default(), known)) {
        None => next.run(request).await,
        Some(error) => Problem::invalid_query(error).into_response(),
    }
}

fn unknown(query: &str, known: &[String]) -> Option<FieldError> {
    let mut names = query.split('&').filter(|pair| !pair.is_empty()).map(|pair| pair.split('=').next().unwrap_or(pair));
    let name = names.find(|name| known.iter().all(|known| known != name))?;
    let mut error = FieldError::new(format!("?{name}"), format!("unknown parameter `{name}`"));
    error.allowed = known.to_vec();
    Some(error.meant_by(name))
}
