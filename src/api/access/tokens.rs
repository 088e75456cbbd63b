//! Read tokens (docs/spec/http.md#tokens).

use poem::http::HeaderMap;
use poem::http::header::{AUTHORIZATION, COOKIE};

use crate::api::response::error::ApiError;

/// The cookie of a session.
pub(super) const COOKIE_NAME: &str = "gitglot-token";
/// The request has no token.
const NONE: ApiError = ApiError::Unauthorized("Authentication credentials were not provided.");

/// The valid tokens. Only hashes are stored; they are compared in constant time.
#[derive(Clone, Default, Debug)]
pub struct Tokens(Vec<KnownToken>);

#[derive(Clone, Copy, Debug)]
struct KnownToken {
    token: blake3::Hash,
    /// The value of the cookie.
    session: blake3::Hash,
}

impl Tokens {
    /// The tokens of a file, one per line. Empty lines and lines that start with `#` are skipped.
    pub fn parse(text: &str) -> Self {
        let lines = text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with('#'));
        Self(
            lines
                .map(|line| KnownToken {
                    token: blake3::hash(line.as_bytes()),
                    session: session(line),
                })
                .collect(),
        )
    }

    /// Whether no token is valid.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of the cookie for a token; `None` for an invalid one.
    pub(super) fn session(&self, token: &str) -> Option<String> {
        self.knows(token)
            .then(|| session(token).to_hex().to_string())
    }

    /// Compares with all tokens, so that the time does not depend on the one that is equal.
    fn any(&self, is_equal: impl Fn(&KnownToken) -> bool) -> bool {
        self.0
            .iter()
            .fold(false, |found, known| found | is_equal(known))
    }

    fn knows(&self, token: &str) -> bool {
        let hash = blake3::hash(token.as_bytes());
        self.any(|known| known.token == hash)
    }

    fn knows_session(&self, session: &str) -> bool {
        let hash = blake3::Hash::from_hex(session);
        hash.is_ok_and(|hash| self.any(|known| known.session == hash))
    }

    /// Checks the token of a request, in `Authorization` or in the cookie.
    ///
    /// # Errors
    /// [`ApiError::Unauthorized`], with the texts of 3.4.
    pub(crate) fn check(&self, headers: &HeaderMap) -> Result<(), ApiError> {
        let shown = headers
            .get(AUTHORIZATION)
            .map(|value| value.to_str().unwrap_or_default());
        let mut words = shown.unwrap_or_default().split_ascii_whitespace();
        let is_ours = words
            .next()
            .is_some_and(|word| ["token", "bearer"].contains(&&*word.to_ascii_lowercase()));
        if !is_ours {
            return if cookie(headers).is_some_and(|session| self.knows_session(session)) {
                Ok(())
            } else {
                Err(NONE)
            };
        }
        match (words.next(), words.next()) {
            (None, _) => Err(ApiError::Unauthorized(
                "Invalid token header. No credentials provided.",
            )),
            (Some(_), Some(_)) => Err(ApiError::Unauthorized(
                "Invalid token header. Token string should not contain spaces.",
            )),
            (Some(token), None) if self.knows(token) => Ok(()),
            (Some(_), None) => Err(ApiError::Unauthorized("Invalid token.")),
        }
    }
}

/// Derives the value of the cookie from a token.
fn session(token: &str) -> blake3::Hash {
    blake3::Hash::from_bytes(blake3::derive_key(
        "gitglot 2026 cookie of a sign-in",
        token.as_bytes(),
    ))
}

/// The value of the cookie of a request.
fn cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers
        .get_all(COOKIE)
        .into_iter()
        .filter_map(|value| value.to_str().ok());
    let mut pairs = cookies
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='));
    pairs.find_map(|(name, value)| (name == COOKIE_NAME).then_some(value))
}
