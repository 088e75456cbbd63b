//! Who sends a request: the owner of a token, in a header or in the cookie of a session, or a person whom a trusted
//! proxy signed in (docs/spec/http.md#tokens).

use poem::Request;
use poem::http::header::{AUTHORIZATION, COOKIE};
use poem::http::{HeaderMap, HeaderName};
use sha2::{Digest, Sha256};

use super::hosts::Hosts;
use crate::response::error::ApiError;

pub(super) const COOKIE_NAME: &str = "gitglot-token";

/// The sender of a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Identity {
    /// It does not matter: the server needs no tokens, or the route none.
    Unrestricted,
    /// It may see nothing: the request only asks which requests are allowed.
    Nobody,
    /// The owner of the token with this hash.
    Token([u8; 32]),
    /// A person whom a trusted proxy signed in, and the groups that it reports.
    User { name: String, groups: Vec<String> },
}

/// The headers in which trusted proxies report people whom they signed in.
#[derive(Clone, Debug)]
pub struct SignInHeaders {
    /// The name of the person.
    pub user: HeaderName,
    /// The groups of the person, separated by commas.
    pub groups: Option<HeaderName>,
}

impl Identity {
    /// The sender of a request. A token takes precedence over the person, who takes precedence over a session.
    ///
    /// # Errors
    /// [`ApiError::Unauthorized`] if the request names nobody, with the texts of 3.4.
    pub(super) fn of(
        request: &Request,
        hosts: &Hosts,
        sign_in: Option<&SignInHeaders>,
    ) -> Result<Self, ApiError> {
        let headers = request.headers();
        if let Some(token) = authorization(headers)? {
            return Ok(Self::token(token.as_bytes()));
        }
        let trusted = sign_in.filter(|_| hosts.is_from_trusted_proxy(request));
        if let Some(person) = trusted.and_then(|sign_in| sign_in.person(headers)) {
            return Ok(person);
        }
        let session = cookie(headers).and_then(token_of_session);
        let missing = ApiError::Unauthorized("Authentication credentials were not provided.");
        session.map(|token| Self::token(&token)).ok_or(missing)
    }

    /// The owner of a token.
    pub(super) fn token(token: &[u8]) -> Self {
        Self::Token(Sha256::digest(token).into())
    }
}

impl SignInHeaders {
    /// The person that the headers name. A header that is sent twice may be forged, so it names nobody.
    fn person(&self, headers: &HeaderMap) -> Option<Identity> {
        let text = |name: &HeaderName| {
            let mut values = headers.get_all(name).iter();
            let value = values.next()?.to_str().ok()?.trim();
            (values.next().is_none() && !value.is_empty()).then_some(value)
        };
        // Everybody's pattern is no name.
        let name = text(&self.user).filter(|name| *name != "*")?;
        let groups = self.groups.as_ref().and_then(text).unwrap_or_default();
        let groups = groups.split(',').map(str::trim);
        let groups = groups.filter(|group| !group.is_empty());
        Some(Identity::User {
            name: name.to_owned(),
            groups: groups.map(str::to_owned).collect(),
        })
    }
}

/// The token in `Authorization`; `None` without one that is meant for this server.
fn authorization(headers: &HeaderMap) -> Result<Option<&str>, ApiError> {
    let shown = headers.get(AUTHORIZATION);
    let shown = shown.map(|value| value.to_str().unwrap_or_default());
    let mut words = shown.unwrap_or_default().split_ascii_whitespace();
    let scheme = words.next().map(str::to_ascii_lowercase);
    if !matches!(scheme.as_deref(), Some("token" | "bearer")) {
        return Ok(None);
    }
    let reason = match (words.next(), words.next()) {
        (None, _) => "Invalid token header. No credentials provided.",
        (Some(_), Some(_)) => "Invalid token header. Token string should not contain spaces.",
        (token, None) => return Ok(token),
    };
    Err(ApiError::Unauthorized(reason))
}

/// The value of the cookie for a token: its bytes in hexadecimal digits, which cookies may contain.
pub(super) fn session_of_token(token: &str) -> String {
    token.bytes().map(|byte| format!("{byte:02x}")).collect()
}

fn token_of_session(session: &str) -> Option<Vec<u8>> {
    let digits = session.as_bytes();
    if digits.is_empty() || !digits.len().is_multiple_of(2) {
        return None;
    }
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let bytes = digits.chunks_exact(2);
    let bytes = bytes.map(|pair| Some((digit(pair[0])? << 4 | digit(pair[1])?) as u8));
    bytes.collect()
}

/// The value of the cookie of a request.
fn cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(COOKIE).into_iter();
    let cookies = cookies.filter_map(|value| value.to_str().ok());
    let pairs = cookies.flat_map(|value| value.split(';'));
    let mut pairs = pairs.filter_map(|pair| pair.trim().split_once('='));
    pairs.find_map(|(name, value)| (name == COOKIE_NAME).then_some(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_the_token_in_digits() {
        let session = session_of_token("tök en");
        assert_eq!(
            token_of_session(&session).as_deref(),
            Some("tök en".as_bytes())
        );
        for invalid in ["", "a", "zz", "6", "é1"] {
            assert_eq!(token_of_session(invalid), None, "{invalid}");
        }
    }
}
