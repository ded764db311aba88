//! Requests of a node to the hub: its hello, and reports of steps that are not part of an answer.

use std::time::Duration;

use hyper::body::Bytes;
use hyper::header::InvalidHeaderValue;
use hyper::{StatusCode, Uri};

use super::http_client::HttpClient;
use crate::hub_address::hub_address;
use interlock_machine::wire::{Hello, Initialization};

/// Pause before the first repetition of a request. The pause doubles with each further repetition.
const SHORTEST_PAUSE: Duration = Duration::from_millis(5);
/// Maximum pause between two repetitions.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);
/// Maximum size of an answer of the hub, in bytes. An answer is empty or a problem.
const LARGEST_ANSWER: usize = 64 << 10;

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
        path: Uri,
        /// Status of the hub's answer.
        status: StatusCode,
    },
    /// The initialization names no hub that a node can reach.
    #[error("cannot use `{0}` as the hub: expected http://ADDRESS:PORT and a path")]
    Url(String),
    /// The initialization has a secret that no header can contain.
    #[error("cannot send the secret: {0}")]
    Secret(#[from] InvalidHeaderValue),
    /// The message cannot be serialized.
    #[error("cannot write the message: {0}")]
    Write(#[from] serde_json::Error),
}

/// The connection to the hub.
pub struct Hub {
    client: HttpClient,
    hello: Uri,
    report: Uri,
}

impl Hub {
    /// Creates the connection to the hub that an initialization names.
    pub fn new(initialization: &Initialization) -> Result<Self, HubError> {
        let url = &initialization.hub;
        let (address, path) = hub_address(url).ok_or_else(|| HubError::Url(url.clone()))?;
        let below = |name: &str| format!("{path}/{name}").parse().map_err(|_| HubError::Url(url.clone()));
        let client = HttpClient::new(address, &initialization.secret)?;
        Ok(Self { client, hello: below("hello")?, report: below("report")? })
    }

    /// Sends the address of this node to the hub.
    pub async fn hello(&mut self, hello: &Hello) -> Result<(), HubError> {
        let body = serde_json::to_vec(hello)?.into();
        deliver(&mut self.client, &self.hello, body).await
    }

    /// Posts a report.
    pub async fn report(&mut self, report: Bytes) -> Result<(), HubError> {
        deliver(&mut self.client, &self.report, report).await
    }
}

/// Repeats the request until the hub has accepted the message. This is safe, because the hub recognizes a repeated
/// message by its number. If the hub no longer exists, the standard input of this process is closed, and the process
/// then ends.
async fn deliver(client: &mut HttpClient, path: &Uri, body: Bytes) -> Result<(), HubError> {
    let mut pause = SHORTEST_PAUSE;
    loop {
        match client.post(path, body.clone(), LARGEST_ANSWER).await {
            Ok((status, _)) if status.is_success() => return Ok(()),
            Ok((StatusCode::GONE, _)) => return Err(HubError::Over),
            Ok((status, _)) if status.is_client_error() => {
                return Err(HubError::Refused { path: path.clone(), status });
            }
            Ok(_) | Err(_) => {
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
        }
    }
}
