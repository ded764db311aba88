//! The OpenAPI document, and what follows from it: parameters that it does not name are refused.

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

use super::BASE;
use super::problem::Problem;
use crate::run::Registry;
use crate::specification::FieldError;

/// Serves the document itself.
pub fn routes(document: &OpenApi) -> Router<Arc<Registry>> {
    // Texts and numbers can always be written.
    let text: Arc<str> = serde_json::to_string(document).unwrap_or_default().into();
    let serve = get(async move || ([(header::CONTENT_TYPE, "application/json")], text.to_string()));
    Router::new().route("/openapi.json", serve.clone()).route(&format!("{BASE}/openapi.json"), serve)
}

/// The names of the query parameters of each operation.
type Queries = HashMap<(Method, String), Vec<String>>;

/// Refuses queries with parameters that `document` does not name for the operation.
pub fn closed_to_unknown_queries(router: Router<Arc<Registry>>, document: &OpenApi) -> Router<Arc<Registry>> {
    router.route_layer(from_fn_with_state(Arc::new(queries(document)), check_query))
}

fn queries(document: &OpenApi) -> Queries {
    let document = serde_json::to_value(document).unwrap_or_default();
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
    let mut error = FieldError::new(format!("?{name}"), format!("there is no parameter `{name}` here"));
    error.allowed = known.to_vec();
    Some(error)
}
