//! Requests to the API.

use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::Value;
use ureq::Agent;
use ureq::http::{Method, Request};

use crate::error::{Error, Problem};

/// Maximum time for an answer. The API answers every request within a minute.
const ANSWER: Duration = Duration::from_mins(2);

/// A client of the API.
#[derive(Debug)]
pub struct Client {
    url: String,
    agent: Agent,
}

impl Client {
    /// Creates a client of the playground at the base URL `url`.
    pub fn new(url: &str) -> Self {
        let config = Agent::config_builder().http_status_as_error(false).proxy(None).timeout_global(Some(ANSWER));
        Self { url: url.trim_end_matches('/').to_owned(), agent: config.build().into() }
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    /// Sends a request with or without a body, and parses the answer.
    pub fn ask<T: DeserializeOwned>(&self, method: &Method, path: &str, body: Option<&Value>) -> Result<T, Error> {
        let text = self.text(method, path, body, "application/json")?;
        // An empty answer is parsed as `null`.
        let text = if text.is_empty() { "null" } else { &text };
        serde_json::from_str(text).map_err(|source| Error::Unreadable { request: format!("{method} {path}"), source })
    }

    /// Sends a request as [`ask`](Self::ask) does, and returns the answer as text of the media type `accept`.
    pub fn text(&self, method: &Method, path: &str, body: Option<&Value>, accept: &str) -> Result<String, Error> {
        let request = format!("{method} {path}");
        let (status, text) = self
            .send(method, path, body, accept)
            .map_err(|source| Error::Unreachable { request: request.clone(), source: Box::new(source) })?;
        if status < 400 {
            return Ok(text);
        }
        let problem = serde_json::from_str(&text).unwrap_or_else(|_| Problem::untold(status, text));
        Err(Error::Refused { request, problem: Box::new(problem) })
    }

    fn send(
        &self,
        method: &Method,
        path: &str,
        body: Option<&Value>,
        accept: &str,
    ) -> Result<(u16, String), ureq::Error> {
        let request = Request::builder().method(method).uri(format!("{}/api/v1{path}", self.url));
        let request = request.header("accept", accept);
        let mut response = match body {
            Some(body) => {
                let request = request.header("content-type", "application/json");
                self.agent.run(request.body(body.to_string())?)?
            }
            None => self.agent.run(request.body(())?)?,
        };
        let text = response.body_mut().with_config().limit(u64::MAX).read_to_string()?;
        Ok((response.status().as_u16(), text))
    }
}
