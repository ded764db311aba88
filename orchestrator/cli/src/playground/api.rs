//! A blocking client for the API of a playground.

use std::io::Write;
use std::time::Duration;

use interlock_observation::trace::words::on_one_line;
use reqwest::header::{ACCEPT, AUTHORIZATION, HeaderMap, HeaderValue};
use reqwest::{Client, Method, RequestBuilder, Response, Url};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::runtime::{Builder, Runtime};
use uuid::Uuid;

use super::error::reason;
use super::{AskError, RunSummary};

/// Environment variable that contains the token of the playground. The token is not an option, because other users
/// of the machine can read the options of a program. The commands that open a playground and the commands that
/// connect to a playground use this variable.
pub const TOKEN_VARIABLE: &str = "INTERLOCK_TOKEN";
/// Maximum time to wait for the next part of a response. This time is long, because the playground may have to
/// read a long run.
const PATIENCE: Duration = Duration::from_mins(1);
/// Maximum number of characters of an invalid response that an error message quotes.
const MOST_SHOWN: usize = 200;

/// Number of runs that one page of the list contains.
const PAGE: &str = "1000";

/// A page of the list of runs.
#[derive(Deserialize)]
struct Page {
    items: Vec<RunSummary>,
    next: Option<Uuid>,
}

/// Client for the API of one playground.
pub struct Api {
    runtime: Runtime,
    client: Client,
    base: Url,
}

/// Query parameters: names and values.
pub type Query<'a> = &'a [(&'a str, &'a str)];

impl Api {
    /// Creates a client for the playground at the address `base`.
    ///
    /// # Errors
    /// If the client cannot be created.
    pub fn at(base: &Url) -> Result<Self, AskError> {
        let runtime = Builder::new_current_thread().enable_all().build().map_err(AskError::System)?;
        let client = Client::builder().no_proxy().read_timeout(PATIENCE).default_headers(shown()).build();
        let client = client.map_err(|error| AskError::System(std::io::Error::other(reason(&error))))?;
        Ok(Self { runtime, client, base: base.clone() })
    }

    /// Reads a resource as JSON.
    ///
    /// # Errors
    /// If the resource does not exist, or no playground answers.
    pub fn get<T: DeserializeOwned>(&self, path: &[&str], query: Query) -> Result<T, AskError> {
        self.read(&self.text(path, query)?)
    }

    /// Reads a resource as text.
    ///
    /// # Errors
    /// If the resource does not exist, or no playground answers.
    pub fn text(&self, path: &[&str], query: Query) -> Result<String, AskError> {
        let request = self.client.request(Method::GET, self.url(path, query));
        self.runtime.block_on(self.whole(request))
    }

    /// Sends a command, and reads its result.
    ///
    /// # Errors
    /// If the command cannot be executed, or no playground answers.
    pub fn order<T: DeserializeOwned>(&self, method: Method, path: &[&str], body: &Value) -> Result<T, AskError> {
        let request = self.client.request(method, self.url(path, &[])).json(body);
        self.read(&self.runtime.block_on(self.whole(request))?)
    }

    /// Returns all runs of the playground, the newest first.
    pub fn runs(&self) -> Result<Vec<RunSummary>, AskError> {
        let Page { mut items, mut next } = self.get(&["runs"], &[("limit", PAGE)])?;
        while let Some(after) = next {
            let page: Page = self.get(&["runs"], &[("limit", PAGE), ("after", &after.to_string())])?;
            items.extend(page.items);
            next = page.next;
        }
        Ok(items)
    }

    /// Deletes a resource.
    ///
    /// # Errors
    /// If the resource does not exist or cannot be deleted, or no playground answers.
    pub fn delete(&self, path: &[&str]) -> Result<(), AskError> {
        let request = self.client.request(Method::DELETE, self.url(path, &[]));
        self.runtime.block_on(self.whole(request)).map(drop)
    }

    /// Copies a resource of any length to a writer, one part of the response after the other. `open` creates the
    /// writer, and is called only when the response has begun to arrive.
    ///
    /// # Errors
    /// If the resource does not exist, no playground answers, or the copy cannot be written. `unwritten` converts
    /// the error of the writer.
    pub fn copy<W: Write>(
        &self,
        (path, query, accept): (&[&str], Query, &str),
        open: impl FnOnce() -> std::io::Result<W>,
        unwritten: impl Fn(std::io::Error) -> AskError,
    ) -> Result<(), AskError> {
        let request = self.client.request(Method::GET, self.url(path, query)).header(ACCEPT, accept);
        self.runtime.block_on(async {
            let mut answer = self.answer(request).await?;
            let mut out = open().map_err(&unwritten)?;
            while let Some(part) = answer.chunk().await.map_err(|source| self.broken_off(source))? {
                out.write_all(&part).map_err(&unwritten)?;
            }
            out.flush().map_err(&unwritten)
        })
    }

    /// Returns the URL of a resource. Special characters in a path segment, such as `/`, are escaped, so that the
    /// segment is not split.
    fn url(&self, path: &[&str], query: Query) -> Url {
        let mut url = self.base.clone();
        url.set_query(None);
        url.set_fragment(None);
        url.set_path("/api/v1/");
        // The path can always be extended, because the URL has a host.
        if let Ok(mut parts) = url.path_segments_mut() {
            parts.pop_if_empty().extend(path);
        }
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        url
    }

    async fn whole(&self, request: RequestBuilder) -> Result<String, AskError> {
        self.answer(request).await?.text().await.map_err(|source| self.broken_off(source))
    }

    async fn answer(&self, request: RequestBuilder) -> Result<Response, AskError> {
        let answer = request.send().await;
        let answer = answer.map_err(|source| AskError::NoAnswer { url: self.base.clone(), source })?;
        if answer.status().is_success() {
            return Ok(answer);
        }
        let text = answer.text().await.map_err(|source| self.broken_off(source))?;
        Err(serde_json::from_str(&text).map_or_else(|_| self.no_playground(&text), AskError::Refused))
    }

    fn read<T: DeserializeOwned>(&self, text: &str) -> Result<T, AskError> {
        serde_json::from_str(text).map_err(|_| self.no_playground(text))
    }

    fn no_playground(&self, text: &str) -> AskError {
        AskError::NoPlayground(self.base.clone(), on_one_line(&text.chars().take(MOST_SHOWN).collect::<String>()))
    }

    fn broken_off(&self, source: reqwest::Error) -> AskError {
        AskError::BrokenOff { url: self.base.clone(), source }
    }
}

/// Returns the authorization header with the token from the environment variable. Returns no header if a header
/// cannot contain the text of the variable, because a playground accepts no such token.
fn shown() -> HeaderMap {
    let token = std::env::var(TOKEN_VARIABLE).ok();
    let value = token.and_then(|token| HeaderValue::from_str(&format!("Bearer {token}")).ok());
    value.into_iter().map(|value| (AUTHORIZATION, value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_part_of_a_path_whatever_is_in_it() {
        let api = Api::at(&"http://127.0.0.1:1/elsewhere?x=1#y".parse().expect("an address")).expect("a client");
        let url = api.url(&["runs", "a/b c?", "trace"], &[("as", "svg")]);
        assert_eq!(url.as_str(), "http://127.0.0.1:1/api/v1/runs/a%2Fb%20c%3F/trace?as=svg");
        assert_eq!(api.url(&["runs"], &[]).as_str(), "http://127.0.0.1:1/api/v1/runs");
    }
}
