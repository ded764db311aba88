//! Token of a playground that is not open to all programs on this machine. The address that the playground prints
//! contains the token as a parameter, and scripts send the token with each request. A browser stores a session
//! cookie instead, which does not reveal the token.

use std::fmt::{self, Write};
use std::str::FromStr;
use std::sync::Arc;

use axum::extract::Request;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use constant_time_eq::constant_time_eq;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::problem::Problem;

/// Name of the address parameter that contains the token.
const PARAMETER: &str = "token";
/// Minimum and maximum length of a token, in characters.
const SHORTEST: usize = 16;
const LONGEST: usize = 256;

/// A token: 16 … 256 letters, digits and `-._~`, none of which needs escaping in an address or a header.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(Arc<str>);

/// The error for a text that is not a token. The error does not contain this text, which may be a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a token must have 16 … 256 characters: letters, digits, `-`, `.`, `_` or `~`")]
pub struct NoToken;

impl Token {
    /// Returns a random token that cannot be guessed.
    #[must_use]
    pub fn draw() -> Self {
        Self(format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple()).into())
    }

    /// Returns the text of the token.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    fn is(&self, shown: &str) -> bool {
        constant_time_eq(self.0.as_bytes(), shown.as_bytes())
    }

    /// Returns the value of the session cookie of a browser that has sent the token. The session is still valid after
    /// a restart of the playground, and it does not reveal the token.
    fn session(&self) -> Self {
        let digest = Sha256::new().chain_update("interlock session\0").chain_update(&*self.0).finalize();
        let mut session = String::with_capacity(2 * digest.len());
        for byte in digest {
            // Writing to a text cannot fail.
            let _ = write!(session, "{byte:02x}");
        }
        Self(session.into())
    }
}

impl FromStr for Token {
    type Err = NoToken;

    fn from_str(text: &str) -> Result<Self, NoToken> {
        let stands_for_itself = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        let is_one = (SHORTEST..=LONGEST).contains(&text.len()) && text.bytes().all(stands_for_itself);
        if is_one { Ok(Self(text.into())) } else { Err(NoToken) }
    }
}

impl fmt::Debug for Token {
    /// Prints a placeholder, so that logs do not contain the token.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Token(…)")
    }
}

/// The check whether a request contains the token.
#[derive(Clone, Debug)]
pub struct Lock {
    token: Token,
    session: Token,
    /// Name of the session cookie. Browsers send a cookie to all ports of a host, so each playground uses a
    /// different name.
    cookie: String,
}

impl Lock {
    /// Returns the check for the playground that listens on `port`.
    pub fn new(token: Token, port: u16) -> Self {
        Self { session: token.session(), token, cookie: format!("interlock-{port}") }
    }

    /// Returns none if the request contains the token and can be answered as usual. Otherwise returns the answer:
    /// a redirect if the token is in the address, or else a problem.
    pub fn turn_away(&self, request: &Request) -> Option<Response> {
        if self.is_shown(request.headers()) {
            return None;
        }
        let (rest, shown) = without_token(request.uri().query().unwrap_or_default());
        if request.method() == Method::GET && shown.is_some_and(|shown| self.token.is(shown)) {
            return Some(self.remember(request.uri().path(), &rest));
        }
        let detail = "this playground has a token; open the address that it printed at its start, send the token as \
                      `Authorization: Bearer …`, or set INTERLOCK_TOKEN for the commands of `interlock`";
        let refused = Problem::new(StatusCode::UNAUTHORIZED, "unauthorized", detail);
        Some(([(header::WWW_AUTHENTICATE, "Bearer")], refused).into_response())
    }

    fn is_shown(&self, headers: &HeaderMap) -> bool {
        let texts = |name| headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
        let bearers = texts(header::AUTHORIZATION).filter_map(|value| value.strip_prefix("Bearer "));
        let cookies = texts(header::COOKIE).flat_map(|value| value.split(';'));
        let ours = cookies.filter_map(|cookie| cookie.trim().split_once('=')).filter(|(name, _)| *name == self.cookie);
        bearers.into_iter().any(|shown| self.token.is(shown))
            || ours.into_iter().any(|(_, shown)| self.session.is(shown))
    }

    /// Redirects the browser to the address without the token, and sets the session cookie, which the browser
    /// sends from then on.
    fn remember(&self, path: &str, query: &str) -> Response {
        let cookie = format!("{}={}; Path=/; HttpOnly; SameSite=Strict", self.cookie, self.session.reveal());
        let location = if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") };
        (StatusCode::SEE_OTHER, [(header::SET_COOKIE, cookie), (header::LOCATION, location)]).into_response()
    }
}

/// Splits a query into the query without the token, and the token, if there is one.
fn without_token(query: &str) -> (String, Option<&str>) {
    let is_token = |part: &&str| part.split_once('=').is_some_and(|(name, _)| name == PARAMETER);
    let shown = query.split('&').find(is_token).and_then(|part| part.split_once('=')).map(|(_, shown)| shown);
    let rest: Vec<_> = query.split('&').filter(|part| !part.is_empty() && !is_token(part)).collect();
    (rest.join("&"), shown)
}

/// Describes in the OpenAPI document how a client sends the token. The description also permits requests without a
/// token, since a playground need not have one.
pub fn describe(document: &mut Value) {
    document["components"]["securitySchemes"] = json!({ "token": {
        "type": "http", "scheme": "bearer",
        "description": "The token of a playground that was opened with one; a browser sends a cookie derived from it instead.",
    } });
    document["security"] = json!([{}, { "token": [] }]);
}

/// Returns the address of a page, which contains the token if there is one.
#[must_use]
pub fn address(url: &str, token: Option<&Token>) -> String {
    token.map_or_else(|| format!("{url}/"), |token| format!("{url}/?{PARAMETER}={}", token.reveal()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_stands_for_itself_and_is_in_no_log() {
        let text = "abcDEF-._~012345";
        let token: Token = text.parse().expect("a token");
        assert_eq!(token.reveal(), text);
        assert!(!format!("{token:?}").contains("abc"), "{token:?}");
        for wrong in ["", "short", &"x".repeat(257), "sixteen letters!", "fifteen-letters"] {
            assert_eq!(wrong.parse::<Token>(), Err(NoToken), "{wrong}");
        }
        assert!(Token::draw().reveal().parse::<Token>().is_ok());
        assert_ne!(Token::draw(), Token::draw());
    }

    #[test]
    fn a_session_is_derived_from_the_token_and_does_not_replace_it() {
        let token: Token = "abcDEF-._~012345".parse().expect("a token");
        assert!(token.session() == token.session() && token.session() != Token::draw().session());
        assert!(!token.is(token.session().reveal()) && !token.session().is(token.reveal()));
    }

    #[test]
    fn a_token_is_taken_out_of_a_query() {
        assert_eq!(without_token("a=1&token=abc&b=2"), ("a=1&b=2".to_owned(), Some("abc")));
        assert_eq!(without_token("token=abc"), (String::new(), Some("abc")));
        assert_eq!(without_token("a=1&nottoken=abc"), ("a=1&nottoken=abc".to_owned(), None));
        assert_eq!(without_token(""), (String::new(), None));
    }
}
