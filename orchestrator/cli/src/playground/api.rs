//! Requests to the API of a playground, one after the other.

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

/// The variable with the token, for a command that opens a playground and for one that asks it. Other users can read the
/// options of a program.
pub const TOKEN_VARIABLE: &str = "INTERLOCK_TOKEN";
/// How long a playground may take until the next part of an answer is there: it may have to read a long run.
const PATIENCE: Duration = Duration::from_mins(1);
/// How much of an answer is shown that makes no sense, in characters.
const MOST_SHOWN: usize = 200;

/// How many runs are asked for at a time.
const PAGE: &str = "1000";

/// A page of runs.
#[derive(Deserialize)]
struct Page {
    items: Vec<RunSummary>,
    next: Option<Uuid>,
}

/// A playground that is asked.
pub struct Api {
    runtime: Runtime,
    client: Client,
    base: Url,
}

/// What is wanted of something: names and values.
pub type Query<'a> = &'a [(&'a str, &'a str)];

impl Api {
    /// The one that is open there, if one is.
    ///
    /// # Errors
    /// When no client can be had.
    pub fn at(base: &Url) -> Result<Self, AskError> {
        let runtime = Builder::new_current_thread().enable_all().build().map_err(AskError::System)?;
        let client = Client::builder().no_proxy().read_timeout(PATIENCE).default_headers(shown()).build();
        let client = client.map_err(|error| AskError::System(std::io::Error::other(reason(&error))))?;
        Ok(Self { runtime, client, base: base.clone() })
    }

    /// Reads something.
    ///
    /// # Errors
    /// When it is not there, or nobody is asked.
    pub fn get<T: DeserializeOwned>(&self, path: &[&str], query: Query) -> Result<T, AskError> {
        self.read(&self.text(path, query)?)
    }

    /// Reads something as text.
    ///
    /// # Errors
    /// When it is not there, or nobody is asked.
    pub fn text(&self, path: &[&str], query: Query) -> Result<String, AskError> {
        let request = self.client.request(Method::GET, self.url(path, query));
        self.runtime.block_on(self.whole(request))
    }

    /// Has something done, and reads what came of it.
    ///
    /// # Errors
    /// When it cannot be done, or nobody is asked.
    pub fn order<T: DeserializeOwned>(&self, method: Method, path: &[&str], body: &Value) -> Result<T, AskError> {
        let request = self.client.request(method, self.url(path, &[])).json(body);
        self.read(&self.runtime.block_on(self.whole(request))?)
    }

    /// All runs, the newest first.
    ///
    /// # Errors
    /// When nobody is asked.
    pub fn runs(&self) -> Result<Vec<RunSummary>, AskError> {
        let Page { mut items, mut next } = self.get(&["runs"], &[("limit", PAGE)])?;
        while let Some(after) = next {
            let page: Page = self.get(&["runs"], &[("limit", PAGE), ("after", &after.to_string())])?;
            items.extend(page.items);
            next = page.next;
        }
        Ok(items)
    }

    /// Has something taken away.
    ///
    /// # Errors
    /// When it is not there, cannot be taken away, or nobody is asked.
    pub fn delete(&self, path: &[&str]) -> Result<(), AskError> {
        let request = self.client.request(Method::DELETE, self.url(path, &[]));
        self.runtime.block_on(self.whole(request)).map(drop)
    }

    /// Copies something of any length, as it comes, to what `open` opens once it is there.
    ///
    /// # Errors
    /// When it is not there, nobody is asked, or it cannot be written, for which `unwritten` says why.
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

    /// The address of something, in which each part of the path is a part, whatever is in it.
    fn url(&self, path: &[&str], query: Query) -> Url {
        let mut url = self.base.clone();
        url.set_query(None);
        url.set_fragment(None);
        url.set_path("/api/v1/");
        // An address with a host has a path that can be extended.
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

/// The token that the environment has, as every request shows it; one that no header can have opens nothing.
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
