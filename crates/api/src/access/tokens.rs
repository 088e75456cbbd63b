//! Read tokens (docs/spec/http.md#tokens).

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use poem::http::HeaderMap;
use poem::http::header::{AUTHORIZATION, COOKIE};

use super::rate_limit::RateLimit;
use crate::response::error::ApiError;

/// The cookie of a session.
pub(super) const COOKIE_NAME: &str = "gitglot-token";
/// The request has no token.
const NONE: ApiError = ApiError::Unauthorized("Authentication credentials were not provided.");

/// Attempts of a client to sign in, within [`SIGN_IN_TIME`].
const SIGN_INS: NonZeroU32 = NonZeroU32::new(10).unwrap();
const SIGN_IN_TIME: Duration = Duration::from_secs(60);
/// Sets of clients whose attempts are known.
const SIGN_IN_SETS: usize = 256;

/// The valid tokens, which can be replaced; clones share them. Only hashes are stored; they are compared in constant
/// time.
#[derive(Clone, Debug)]
pub struct Tokens {
    known: Arc<ArcSwap<Vec<KnownToken>>>,
    sign_ins: Arc<RateLimit>,
}

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
        let tokens = lines.map(|line| KnownToken {
            token: blake3::hash(line.as_bytes()),
            session: session(line),
        });
        let sign_ins = RateLimit::with_sets(SIGN_INS, SIGN_IN_TIME, SIGN_IN_SETS);
        Self {
            known: Arc::new(ArcSwap::from_pointee(tokens.collect())),
            sign_ins: Arc::new(sign_ins),
        }
    }

    /// Replaces the tokens. The cookies of tokens that are not valid any more end.
    pub fn replace(&self, new: Self) {
        self.known.store(new.known.load_full());
    }

    /// Counts an attempt of a client to sign in. `Err` has the seconds until the next one is allowed.
    pub(super) fn count_sign_in(&self, client: IpAddr) -> Result<(), u64> {
        self.sign_ins.check(client)
    }

    /// Whether no token is valid.
    pub fn is_empty(&self) -> bool {
        self.known.load().is_empty()
    }

    /// The value of the cookie for a token; `None` for an invalid one.
    pub(super) fn session(&self, token: &str) -> Option<String> {
        self.knows(token)
            .then(|| session(token).to_hex().to_string())
    }

    /// Compares with all tokens, so that the time does not depend on the one that is equal.
    fn any(&self, is_equal: impl Fn(&KnownToken) -> bool) -> bool {
        self.known
            .load()
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
