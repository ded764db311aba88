//! What a node says to the hub by itself: hello, and reports of steps that nobody asked for.

use std::time::Duration;

use axum::body::Bytes;
use axum::http::StatusCode;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};

use interlock_machine::wire::{Hello, Initialization};

/// How long to wait before the first repetition; each further one waits twice as long.
const SHORTEST_PAUSE: Duration = Duration::from_millis(5);
/// The longest time between two repetitions.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// Why the hub cannot be told.
#[derive(Debug, thiserror::Error)]
pub enum HubError {
    /// The life of the node is over, since the run has ended: there is nothing left to report.
    #[error("the run has ended")]
    Over,
    /// It will not have it: another life of the node is being lived, or the hub does not know it.
    #[error("the hub refused `{path}` with status {status}")]
    Refused {
        /// What was posted.
        path: &'static str,
        /// The status of its answer.
        status: StatusCode,
    },
    /// There is no HTTP client to be had.
    #[error("there is no HTTP client: {0}")]
    Client(#[source] reqwest::Error),
    /// The message cannot be written.
    #[error("the message cannot be written: {0}")]
    Write(#[from] serde_json::Error),
}

/// The way to the hub.
pub struct Hub {
    client: reqwest::Client,
    url: String,
    authorization: String,
}

impl Hub {
    /// The hub that an initialization names.
    pub fn new(initialization: &Initialization) -> Result<Self, HubError> {
        let client = reqwest::Client::builder()
            .no_proxy()
            .http1_only()
            .tcp_nodelay(true)
            .pool_idle_timeout(None)
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(HubError::Client)?;
        let authorization = format!("Bearer {}", initialization.secret);
        Ok(Self { client, url: initialization.hub.clone(), authorization })
    }

    /// Says where this node can be reached.
    pub async fn hello(&self, hello: &Hello) -> Result<(), HubError> {
        self.deliver("hello", serde_json::to_vec(hello)?.into()).await
    }

    /// Posts a report.
    pub async fn report(&self, report: Bytes) -> Result<(), HubError> {
        self.deliver("report", report).await
    }

    /// Posts until the hub has taken it. The hub knows what it has already by its number, so a post that broke can be
    /// repeated; if the hub is gone, the end of the standard input ends this process.
    async fn deliver(&self, path: &'static str, body: Bytes) -> Result<(), HubError> {
        let mut pause = SHORTEST_PAUSE;
        loop {
            match self.post(path, body.clone()).await {
                Ok(status) if status.is_success() => return Ok(()),
                Ok(StatusCode::GONE) => return Err(HubError::Over),
                Ok(status) if status.is_client_error() => return Err(HubError::Refused { path, status }),
                Ok(_) | Err(_) => {
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
            }
        }
    }

    async fn post(&self, path: &str, body: Bytes) -> reqwest::Result<StatusCode> {
        let request = self.client.post(format!("{}/{path}", self.url)).body(body);
        let request = request.header(AUTHORIZATION, &self.authorization).header(CONTENT_TYPE, "application/json");
        let answer = request.send().await?;
        let status = answer.status();
        // A connection is used again only when its answer has been read to the end.
        answer.bytes().await?;
        Ok(status)
    }
}
