//! Comparison of an answer with the OpenAPI document: the operation must document the status and the media type of
//! the answer.

use serde_json::Value;

/// Describes what the document lacks about an answer. Returns none if the answer is documented, or if its path
/// does not belong to the API.
pub fn undocumented(document: &Value, method: &str, path: &str, status: u16, kind: &str) -> Option<String> {
    let item = item(document, path.split('?').next().unwrap_or_default())?;
    let method = if method == "HEAD" { "get".to_owned() } else { method.to_lowercase() };
    let Some(operation) = item.get(&method) else {
        return (status != 405).then(|| format!("{method} {path} is no operation, and is answered with {status}"));
    };
    let Some(response) = operation["responses"].get(status.to_string()) else {
        return Some(format!("{method} {path}: status {status} is not documented"));
    };
    let kind = kind.split(';').next().unwrap_or_default();
    let kinds: Vec<&str> =
        response["content"].as_object().into_iter().flatten().map(|(kind, _)| kind.as_str()).collect();
    let is_one = if kinds.is_empty() { kind.is_empty() } else { kinds.contains(&kind) };
    (!is_one).then(|| format!("{method} {path}: {status} is of type `{kind}`, and documented as {kinds:?}"))
}

/// Returns the operations that the document lists for `path`. If several path templates match, a template with a
/// literal segment takes precedence over a template with a parameter.
fn item<'a>(document: &'a Value, path: &str) -> Option<&'a Value> {
    let parts: Vec<&str> = path.split('/').collect();
    let paths = document["paths"].as_object().into_iter().flatten();
    let fitting = paths.filter(|(template, _)| {
        let templates: Vec<&str> = template.split('/').collect();
        let fits =
            |(template, part): (&&str, &&str)| template == part || (template.starts_with('{') && !part.is_empty());
        templates.len() == parts.len() && templates.iter().zip(&parts).all(fits)
    });
    fitting.min_by_key(|(template, _)| template.matches('{').count()).map(|(_, item)| item)
}
