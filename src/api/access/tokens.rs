use poem::http::HeaderMap;
use poem::http::header::{AUTHORIZATION, COOKIE};

use crate::api::response::error::ApiError;

/// The cookie of somebody who signed in.
pub(super) const COOKIE_NAME: &str = "gitglot-token";
/// No token is shown.
const NONE: ApiError = ApiError::Unauthorized("Authentication credentials were not provided.");

/// The tokens that let somebody read. Only their hashes are kept, which are compared in a time that tells nothing.
#[derive(Clone, Default, Debug)]
pub struct Tokens(Vec<Known>);

#[derive(Clone, Copy, Debug)]
struct Known {
    token: blake3::Hash,
    /// What stands in the cookie.
    session: blake3::Hash,
}

impl Tokens {
    /// The tokens of a file: one a line; blank lines and those that begin with `#` do not count.
    pub fn parse(text: &str) -> Self {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        Self(lines.map(|line| Known { token: blake3::hash(line.as_bytes()), session: session(line) }).collect())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What stands in the cookie of whoever signs in with that token; `None` when it is not one.
    pub(super) fn session(&self, token: &str) -> Option<String> {
        self.knows(token).then(|| session(token).to_hex().to_string())
    }

    fn knows(&self, token: &str) -> bool {
        let hash = blake3::hash(token.as_bytes());
        self.0.iter().fold(false, |found, known| found | (known.token == hash))
    }

    fn knows_session(&self, session: &str) -> bool {
        let Ok(hash) = blake3::Hash::from_hex(session) else { return false };
        self.0.iter().fold(false, |found, known| found | (known.session == hash))
    }

    /// Whether the headers of a request show a token: as `Authorization`, or as the cookie of a sign-in.
    ///
    /// # Errors
    /// [`ApiError::Unauthorized`], as 3.4 says it.
    pub(super) fn check(&self, headers: &HeaderMap) -> Result<(), ApiError> {
        let shown = headers.get(AUTHORIZATION).map(|value| value.to_str().unwrap_or_default());
        let mut words = shown.unwrap_or_default().split_ascii_whitespace();
        let is_ours = words.next().is_some_and(|word| ["token", "bearer"].contains(&&*word.to_ascii_lowercase()));
        if !is_ours {
            return if cookie(headers).is_some_and(|session| self.knows_session(session)) { Ok(()) } else { Err(NONE) };
        }
        match (words.next(), words.next()) {
            (None, _) => Err(ApiError::Unauthorized("Invalid token header. No credentials provided.")),
            (Some(_), Some(_)) => {
                Err(ApiError::Unauthorized("Invalid token header. Token string should not contain spaces."))
            }
            (Some(token), None) if self.knows(token) => Ok(()),
            (Some(_), None) => Err(ApiError::Unauthorized("Invalid token.")),
        }
    }
}

/// Made from the token, from which the token cannot be made.
fn session(token: &str) -> blake3::Hash {
    blake3::Hash::from_bytes(blake3::derive_key("gitglot 2026 cookie of a sign-in", token.as_bytes()))
}

/// What stands in the cookie of a sign-in.
fn cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(COOKIE).into_iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find_map(|(name, value)| (name == COOKIE_NAME).then_some(value))
}
