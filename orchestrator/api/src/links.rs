//! Links of the OpenAPI document: each answer that names a new resource is linked to the operations on that
//! resource.

use serde_json::{Map, Value, json};

/// Operations that create a resource, each with the path parameter that names this resource in other operations.
const MADE: [(&str, &str); 7] = [
    ("/api/v1/runs", "run"),
    ("/api/v1/runs/import", "run"),
    ("/api/v1/scenarios", "run"),
    ("/api/v1/simulations", "run"),
    ("/api/v1/explorations", "exploration"),
    ("/api/v1/runs/{run}/network/partitions", "partition"),
    ("/api/v1/runs/{run}/network/rules", "rule"),
];
const LINKS: &str = "#/components/links/";

/// Links each operation that creates a resource to all operations on that resource.
pub fn join(document: &mut Value) {
    let operations = operations(document);
    let mut all = Map::new();
    for (path, made) in MADE {
        let mut links = Map::new();
        for (operation, _) in operations.iter().filter(|(_, parts)| parts.iter().any(|part| part == made)) {
            let name = format!("{operation}_of_{made}");
            links.insert(operation.clone(), json!({ "$ref": format!("{LINKS}{name}") }));
            all.insert(name, link(operation, made));
        }
        let responses = document["paths"][path]["post"]["responses"].as_object_mut();
        for (_, response) in responses.into_iter().flatten().filter(|(status, _)| status.starts_with('2')) {
            response["links"] = links.clone().into();
        }
    }
    document["components"]["links"] = all.into();
}

fn link(operation: &str, made: &str) -> Value {
    let mut parameters = json!({ made: "$response.body#/id" });
    if matches!(made, "partition" | "rule") {
        parameters["run"] = "$request.path.run".into();
    }
    json!({ "operationId": operation, "parameters": parameters })
}

/// Returns the name of each operation, and its path parameters.
fn operations(document: &Value) -> Vec<(String, Vec<String>)> {
    let items = document["paths"].as_object().into_iter().flatten();
    let operations = items.flat_map(|(path, item)| {
        let parts: Vec<String> =
            path.split('/').filter_map(|part| Some(part.strip_prefix('{')?.strip_suffix('}')?.to_owned())).collect();
        let all = item.as_object().into_iter().flat_map(Map::values);
        all.filter_map(|operation| operation["operationId"].as_str()).map(move |name| (name.to_owned(), parts.clone()))
    });
    operations.collect()
}
