//! Requests of a node to the hub: its hello, and reports of steps that are not part of an answer.

use std::time::Duration;

use axum::body::Bytes;
use axum::http::StatusCode;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};

use interlock_machine::wire::{Hello, Initialization};

/// Pause before the first repetition of a request. The pause doubles with each further repetition.
const SHORTEST_PAUSE: Duration = Duration::from_millis(5);
/// Maximum pause between two repetitions.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// The reason why the node gives up a request to the hub.
#[derive(Debug, thiserror::Error)]
pub enum HubError {
    /// The run has ended, and this incarnation of the node with it. There is no need to report further steps.
    #[error("the run has ended")]
    Over,
    /// The hub refuses the message: another incarnation of the node is active, or the hub does not know the node.
    #[error("the hub refused `{path}` with status {status}")]
    Refused {
        /// Path of the request.
        path: &'static str,
        /// Status of the hub's answer.
        status: StatusCode,
    },
    /// An HTTP client cannot be created.
    #[error("cannot create the HTTP client: {0}")]
    Client(#[source] reqwest::Error),
    /// The message cannot be serialized.
    #[error("cannot write the message: {0}")]
    Write(#[from] serde_json::Error),
}

/// The connection to the hub.
pub struct Hub {
    client: reqwest::Client,
    url: String,
    authorization: String,
}

impl Hub {
    /// Creates the connection to the hub that an initialization names.
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

    /// Sends the address of this node to the hub.
    pub async fn hello(&self, hello: &Hello) -> Result<(), HubError> {
        self.deliver("hello", serde_json::to_vec(hello)?.into()).await
    }

    /// Posts a report.
    pub async fn report(&self, report: Bytes) -> Result<(), HubError> {
        self.deliver("report", report).await
    }

    /// Repeats the request until the hub has accepted the message. This is safe, because the hub recognizes a
    /// repeated message by its number. If the hub no longer exists, the standard input of this process is closed,
    /// and the process then ends.
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
        // The HTTP client reuses a connection only if the answer was read completely.
        answer.bytes().await?;
        Ok(status)
    }
}
