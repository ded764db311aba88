//! Answers to requests without a route. The answer is 404 with the path that the client probably meant, or 405
//! with the methods that the path accepts.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Router;
use axum::extract::MatchedPath;
use axum::http::Uri;
use interlock_model::nearest::{is_alike, likeness};
use serde_json::Value;

use super::BASE;
use super::problem::Problem;

/// The page that describes all paths.
const REFERENCE: &str = "/reference";
/// The methods of paths that the OpenAPI document does not describe: static files, and the OpenAPI document
/// itself.
const READ_ONLY: &str = "GET, HEAD";
/// Similarity of any word to a path parameter. It is below 1, so a template that contains the word itself is
/// preferred to a template that has a parameter at the same position.
const PARAMETER: f64 = 0.99;

/// Templates of all paths of the API, each with the methods of the path in the form of the `Allow` header.
struct Paths(BTreeMap<String, String>);

/// Answers requests for which `router` has no route, based on the paths of the OpenAPI document.
pub fn answered<S: Clone + Send + Sync + 'static>(router: Router<S>, document: &Value) -> Router<S> {
    let paths = Arc::new(Paths::of(document));
    let known = Arc::clone(&paths);
    router
        .method_not_allowed_fallback(async move |path: MatchedPath| known.method_not_allowed(path.as_str()))
        .fallback(async move |uri: Uri| paths.not_found(uri.path()))
}

impl Paths {
    fn of(document: &Value) -> Self {
        let items = document["paths"].as_object().into_iter().flatten();
        Self(items.map(|(path, item)| (path.clone(), methods(item))).collect())
    }

    fn method_not_allowed(&self, template: &str) -> Problem {
        Problem::method_not_allowed(self.0.get(template).map_or(READ_ONLY, String::as_str))
    }

    fn not_found(&self, path: &str) -> Problem {
        Problem::not_found(match self.nearest(path) {
            Some(meant) => {
                format!("nothing at {path}; did you mean `{meant}`? {REFERENCE} describes the API")
            }
            None => format!("nothing at {path}; {REFERENCE} describes the API"),
        })
    }

    /// Returns the path that is most similar to `path`, with its parameters filled in; none if no path is similar.
    fn nearest(&self, path: &str) -> Option<String> {
        let templates = || self.0.keys().map(String::as_str).chain([REFERENCE]);
        let mut best: Option<(f64, String)> = None;
        for reading in readings(path) {
            let words: Vec<&str> = reading.split('/').collect();
            for template in templates() {
                let likeness =
                    likeness_to(template, &words).filter(|found| best.as_ref().is_none_or(|best| *found > best.0));
                best = likeness.map(|likeness| (likeness, filled_in(template, &words))).or(best);
            }
        }
        best.map(|(_, meant)| meant)
    }
}

/// Returns the possible meanings of a path: the path itself, and the path with the prefix of the API, if the
/// prefix is missing.
fn readings(path: &str) -> Vec<String> {
    let path = path.trim_end_matches('/');
    let below = match path.strip_prefix("/api/") {
        Some(rest) if rest.starts_with('v') => rest.split_once('/').map(|(_, below)| below),
        Some(rest) => Some(rest),
        None => path.strip_prefix('/'),
    };
    let in_full = below.map(|below| format!("{BASE}/{below}"));
    [path.to_owned()].into_iter().chain(in_full).collect()
}

/// Returns the similarity of a path to a template, 0 … 1; none if a word of the path is not similar to the
/// corresponding word of the template.
fn likeness_to(template: &str, words: &[&str]) -> Option<f64> {
    if template.split('/').count() != words.len() {
        return None;
    }
    let each = template.split('/').zip(words).map(|(known, word)| {
        let found = match known {
            _ if known == *word => 1.0,
            _ if known.starts_with('{') && !word.is_empty() => PARAMETER,
            _ => likeness(word, known),
        };
        is_alike(found).then_some(found)
    });
    each.product()
}

/// Returns a template with its parameters replaced by the words of a path.
fn filled_in(template: &str, words: &[&str]) -> String {
    let filled = template.split('/').zip(words).map(|(known, word)| if known.starts_with('{') { word } else { known });
    filled.collect::<Vec<_>>().join("/")
}

/// Returns the methods that a path accepts. A path that accepts GET also accepts HEAD.
fn methods(item: &Value) -> String {
    let mut all: Vec<String> =
        item.as_object().into_iter().flatten().map(|(method, _)| method.to_uppercase()).collect();
    if all.iter().any(|method| method == "GET") {
        all.push("HEAD".to_owned());
    }
    all.sort_unstable();
    all.join(", ")
}
