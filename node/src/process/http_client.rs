//! HTTP client for one server. It keeps one connection open, and sends one request at a time.

use std::io;
use std::net::SocketAddr;
use std::pin::pin;

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Body, Bytes};
use hyper::client::conn::http1::{Connection, SendRequest, handshake};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HOST, HeaderValue, InvalidHeaderValue};
use hyper::{Method, Request, StatusCode, Uri};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

/// The reason why a request has no answer.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// The server does not accept connections.
    #[error("cannot connect: {0}")]
    Connect(#[source] io::Error),
    /// The connection broke before the answer was complete, or the answer is not HTTP.
    #[error("cannot read the answer: {0}")]
    Broken(#[from] hyper::Error),
    /// The body of the answer is larger than the caller allows.
    #[error("the answer is larger than {0} bytes")]
    TooLarge(usize),
}

/// HTTP client for one server.
pub struct HttpClient {
    address: SocketAddr,
    host: HeaderValue,
    authorization: HeaderValue,
    open: Option<Open>,
}

struct Open {
    sender: SendRequest<Full<Bytes>>,
    /// The task of the connection. It is removed when the connection has ended.
    connection: Option<Connection<TokioIo<TcpStream>, Full<Bytes>>>,
}

impl HttpClient {
    /// Creates a client that sends `secret` with each request. The first request opens the connection.
    ///
    /// # Errors
    /// If a header cannot contain the secret.
    pub fn new(address: SocketAddr, secret: &str) -> Result<Self, InvalidHeaderValue> {
        let mut authorization = HeaderValue::try_from(format!("Bearer {secret}"))?;
        authorization.set_sensitive(true);
        Ok(Self { address, host: HeaderValue::try_from(address.to_string())?, authorization, open: None })
    }

    /// Posts a JSON document, and returns the status and the body of the answer, which has at most `most` bytes.
    /// There is no time limit. If the connection broke, the next request opens another one.
    ///
    /// # Errors
    /// If there is no complete answer. The server may still have handled the request.
    pub async fn post(&mut self, path: &Uri, body: Bytes, most: usize) -> Result<(StatusCode, Bytes), HttpError> {
        let mut request = Request::new(Full::new(body));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = path.clone();
        let headers = request.headers_mut();
        headers.insert(HOST, self.host.clone());
        headers.insert(AUTHORIZATION, self.authorization.clone());
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        // If the caller drops this future, the connection is closed with it: its next answer would belong to this
        // request.
        let reused = match self.open.take() {
            Some(open) => open.if_ready().await,
            None => None,
        };
        let mut open = match reused {
            Some(open) => open,
            None => Open::new(self.address).await?,
        };
        let answer = open.exchange(request, most).await?;
        self.open = Some(open);
        Ok(answer)
    }
}

/// Requests `path` from a server, over a connection of its own. Returns the status and the body of the answer, which
/// has at most `most` bytes. There is no time limit.
///
/// # Errors
/// If there is no complete answer.
pub async fn get(address: SocketAddr, path: Uri, most: usize) -> Result<(StatusCode, Bytes), HttpError> {
    let mut request = Request::new(Full::default());
    *request.uri_mut() = path;
    if let Ok(host) = HeaderValue::try_from(address.to_string()) {
        request.headers_mut().insert(HOST, host);
    }
    Open::new(address).await?.exchange(request, most).await
}

impl Open {
    async fn new(address: SocketAddr) -> Result<Self, HttpError> {
        let stream = TcpStream::connect(address).await.map_err(HttpError::Connect)?;
        stream.set_nodelay(true).map_err(HttpError::Connect)?;
        let (sender, connection) = handshake(TokioIo::new(stream)).await?;
        Ok(Self { sender, connection: Some(connection) })
    }

    /// Returns the connection if it can carry another request. Returns `None` if the server has closed it.
    async fn if_ready(mut self) -> Option<Self> {
        let connection = self.connection.as_mut()?;
        let is_ready = tokio::select! {
            biased;
            _ = connection => false,
            ready = self.sender.ready() => ready.is_ok(),
        };
        is_ready.then_some(self)
    }

    /// Sends a request and reads its answer. The connection makes progress only during this call, so a request needs
    /// no second task.
    async fn exchange(&mut self, request: Request<Full<Bytes>>, most: usize) -> Result<(StatusCode, Bytes), HttpError> {
        let mut answered = pin!(answer(&mut self.sender, request, most));
        if let Some(connection) = &mut self.connection {
            tokio::select! {
                biased;
                answer = &mut answered => return answer,
                _ = connection => {}
            }
        }
        // The connection has ended, after the answer or without it. A request that it has not sent waits for as long as
        // the connection exists.
        self.connection = None;
        answered.await
    }
}

async fn answer(
    sender: &mut SendRequest<Full<Bytes>>,
    request: Request<Full<Bytes>>,
    most: usize,
) -> Result<(StatusCode, Bytes), HttpError> {
    let (head, body) = sender.send_request(request).await?.into_parts();
    if body.size_hint().lower() > most as u64 {
        return Err(HttpError::TooLarge(most));
    }
    // The received bytes are counted, because a server may declare no length.
    let body = Limited::new(body, most).collect().await.map_err(|error| match error.downcast() {
        Ok(broken) => HttpError::Broken(*broken),
        Err(_) => HttpError::TooLarge(most),
    })?;
    Ok((head.status, body.to_bytes()))
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::time::Duration;

    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;
    use tokio::time::timeout;

    use super::*;

    const PATIENCE: Duration = Duration::from_mins(1);

    async fn server() -> (TcpListener, HttpClient) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
        let client = HttpClient::new(listener.local_addr().expect("an address"), "a secret").expect("a client");
        (listener, client)
    }

    async fn accepted(listener: &TcpListener) -> TcpStream {
        timeout(PATIENCE, listener.accept()).await.expect("in time").expect("a connection").0
    }

    /// Reads a request whose body is `{}`, and sends an answer.
    async fn respond(stream: &mut TcpStream, answer: &str) -> String {
        let mut request = Vec::new();
        while !request.ends_with(b"{}") {
            let read = timeout(PATIENCE, stream.read_buf(&mut request)).await.expect("in time").expect("a request");
            assert_ne!(read, 0, "the connection was closed");
        }
        stream.write_all(answer.as_bytes()).await.expect("it is sent");
        String::from_utf8(request).expect("a request")
    }

    async fn post(client: &mut HttpClient) -> Result<(StatusCode, Bytes), HttpError> {
        timeout(PATIENCE, client.post(&Uri::from_static("/inbox"), Bytes::from_static(b"{}"), 4))
            .await
            .expect("in time")
    }

    #[tokio::test]
    async fn requests_share_a_connection_and_contain_the_secret() {
        let (listener, mut client) = server().await;
        let served = async {
            let mut stream = accepted(&listener).await;
            let first = respond(&mut stream, "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nabcd").await;
            let second = respond(&mut stream, "HTTP/1.1 204 No Content\r\n\r\n").await;
            assert_eq!(first, second);
            first
        };
        let asked =
            async { (post(&mut client).await.expect("an answer"), post(&mut client).await.expect("an answer")) };
        let (request, (first, second)) = tokio::join!(served, asked);
        assert_eq!(first, (StatusCode::OK, Bytes::from_static(b"abcd")));
        assert_eq!(second, (StatusCode::NO_CONTENT, Bytes::new()));
        let host = listener.local_addr().expect("an address").to_string();
        for line in ["POST /inbox HTTP/1.1\r\n", &format!("host: {host}\r\n"), "authorization: Bearer a secret\r\n"] {
            assert!(request.contains(line), "{request}");
        }
    }

    #[tokio::test]
    async fn an_answer_above_the_limit_is_an_error_whatever_length_it_declares() {
        for answer in [
            "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nabcde",
            "HTTP/1.1 200 OK\r\ncontent-length: 9223372036854775807\r\n\r\n",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
        ] {
            let (listener, mut client) = server().await;
            let served = async {
                let mut stream = accepted(&listener).await;
                respond(&mut stream, answer).await;
                stream
            };
            let (_stream, answer) = tokio::join!(served, post(&mut client));
            assert!(matches!(answer, Err(HttpError::TooLarge(4))), "{answer:?}");
        }
    }

    #[tokio::test]
    async fn the_next_request_after_a_broken_connection_opens_another_one() {
        let (listener, mut client) = server().await;
        let cut = async {
            drop(respond(&mut accepted(&listener).await, "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nab").await);
        };
        let ((), answer) = tokio::join!(cut, post(&mut client));
        assert!(matches!(answer, Err(HttpError::Broken(_))), "{answer:?}");
        let closing = "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nab";
        for _ in 0..2 {
            let served = async { drop(respond(&mut accepted(&listener).await, closing).await) };
            let ((), answer) = tokio::join!(served, post(&mut client));
            assert_eq!(answer.expect("an answer"), (StatusCode::OK, Bytes::from_static(b"ab")));
        }
        drop(listener);
        assert!(matches!(post(&mut client).await, Err(HttpError::Connect(_))));
    }

    #[tokio::test]
    async fn a_request_on_a_connection_that_was_closed_is_an_error() {
        let (listener, client) = server().await;
        let mut open = Open::new(client.address).await.expect("a connection");
        drop(accepted(&listener).await);
        let request = Request::new(Full::new(Bytes::new()));
        let answer = timeout(PATIENCE, open.exchange(request, 4)).await.expect("in time");
        assert!(matches!(answer, Err(HttpError::Broken(_))), "{answer:?}");
    }

    #[tokio::test]
    async fn a_dropped_request_leaves_no_answer_for_the_next_one() {
        let (listener, mut client) = server().await;
        let begun = async {
            let mut stream = accepted(&listener).await;
            stream.read_exact(&mut [0]).await.expect("a request");
            stream
        };
        let mut late = tokio::select! {
            answer = post(&mut client) => panic!("{answer:?}"),
            stream = begun => stream,
        };
        let served = async {
            let mut stream = accepted(&listener).await;
            // The server may not notice that the client has closed the first connection.
            let _ = late.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nlate").await;
            respond(&mut stream, "HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nnew").await
        };
        let (_, answer) = tokio::join!(served, post(&mut client));
        assert_eq!(answer.expect("an answer").1, "new");
    }
}
