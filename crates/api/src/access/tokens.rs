//! Who may read which projects: read tokens, and people whom a proxy signed in (docs/spec/http.md#tokens).

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use arc_swap::ArcSwap;
use chrono::Utc;
use sha2::{Digest, Sha256};

use super::identity::Identity;
use super::rate_limit::RateLimit;
use super::restricted::RestrictedSnapshots;
use super::visible_projects::VisibleProjects;
use crate::response::error::ApiError;

/// Attempts of a client to sign in, within [`SIGN_IN_TIME`].
const SIGN_INS: NonZeroU32 = NonZeroU32::new(10).unwrap();
const SIGN_IN_TIME: Duration = Duration::from_secs(60);
/// Sets of clients whose attempts are known.
const SIGN_IN_SETS: usize = 256;

/// One who may read.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Subject {
    /// The owner of the token with this SHA-256 hash.
    Token([u8; 32]),
    /// A person whom a trusted proxy signed in, by name; `*` is everybody whom it signed in.
    User(String),
    /// The members of a group that a trusted proxy reports.
    Group(String),
}

impl Subject {
    /// The owner of a token.
    pub fn token(token: &str) -> Self {
        Self::Token(Sha256::digest(token.as_bytes()).into())
    }
}

/// What a subject may read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grant {
    /// The name in metrics; empty for a token without one.
    pub name: String,
    /// Who may read.
    pub subject: Subject,
    /// The projects.
    pub projects: VisibleProjects,
    /// When it ends, in Unix seconds.
    pub expires: Option<i64>,
}

#[derive(Clone, Debug)]
struct KnownGrant {
    grant: Grant,
    /// In Unix seconds; 0 if it was not used since the start.
    last_used: Arc<AtomicI64>,
}

/// All grants, which can be replaced; clones share them. Tokens are stored and found by hash: the time of a lookup
/// depends on nothing that a guess could approach.
#[derive(Clone, Debug)]
pub struct Tokens {
    known: Arc<ArcSwap<HashMap<Subject, Vec<KnownGrant>>>>,
    sign_ins: Arc<RateLimit>,
    pub(super) snapshots: Arc<RestrictedSnapshots>,
}

impl Tokens {
    /// These grants.
    pub fn new(grants: impl IntoIterator<Item = Grant>) -> Self {
        let mut known: HashMap<Subject, Vec<KnownGrant>> = HashMap::new();
        for grant in grants {
            let of = known.entry(grant.subject.clone()).or_default();
            of.push(KnownGrant {
                grant,
                last_used: Arc::default(),
            });
        }
        let sign_ins = RateLimit::with_sets(SIGN_INS, SIGN_IN_TIME, SIGN_IN_SETS);
        Self {
            known: Arc::new(ArcSwap::from_pointee(known)),
            sign_ins: Arc::new(sign_ins),
            snapshots: Arc::default(),
        }
    }

    /// The tokens of a file, one per line, which may read all projects. Empty lines and lines that start with `#` are
    /// skipped.
    pub fn parse(text: &str) -> Self {
        let lines = text.lines().map(str::trim);
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        Self::new(lines.map(|line| Grant {
            name: String::new(),
            subject: Subject::token(line),
            projects: VisibleProjects::all(),
            expires: None,
        }))
    }

    /// Replaces the grants. The sessions of those that do not exist any more end.
    pub fn replace(&self, new: Self) {
        let before = self.known.load();
        let mut known = HashMap::clone(&new.known.load());
        for (subject, grants) in &mut known {
            for grant in grants {
                let mut older = before.get(subject).into_iter().flatten();
                if let Some(older) = older.find(|older| older.grant.name == grant.grant.name) {
                    grant.last_used = older.last_used.clone();
                }
            }
        }
        self.known.store(Arc::new(known));
    }

    /// Counts an attempt of a client to sign in. `Err` has the seconds until the next one is allowed.
    pub(super) fn count_sign_in(&self, client: IpAddr) -> Result<(), u64> {
        self.sign_ins.check(client)
    }

    /// Whether nobody may read.
    pub fn is_empty(&self) -> bool {
        self.known.load().is_empty()
    }

    /// The named grants: name, end and last use in Unix seconds, 0 if it was not used since the start.
    pub fn uses(&self) -> Vec<(String, Option<i64>, i64)> {
        let known = self.known.load();
        let named = known.values().flatten();
        let named = named.filter(|known| !known.grant.name.is_empty());
        let uses = named.map(|known| {
            let used = known.last_used.load(Ordering::Relaxed);
            (known.grant.name.clone(), known.grant.expires, used)
        });
        let mut uses: Vec<_> = uses.collect();
        uses.sort();
        uses
    }

    /// The projects that a sender may read.
    ///
    /// # Errors
    /// [`ApiError::Unauthorized`] for a token that is unknown or has expired, [`ApiError::Forbidden`] for a person who
    /// may read nothing.
    pub(super) fn projects(&self, identity: &Identity) -> Result<VisibleProjects, ApiError> {
        let (subjects, error) = match identity {
            Identity::Unrestricted => return Ok(VisibleProjects::all()),
            Identity::Nobody => return Ok(VisibleProjects::none()),
            Identity::Token(hash) => {
                let error = ApiError::Unauthorized("Invalid token.");
                (vec![Subject::Token(*hash)], error)
            }
            Identity::User { name, groups } => {
                let groups = groups.iter().cloned().map(Subject::Group);
                let names = [name.clone(), "*".to_owned()].map(Subject::User);
                let subjects = names.into_iter().chain(groups).collect();
                (subjects, ApiError::Forbidden)
            }
        };
        let known = self.known.load();
        let grants = subjects.iter().filter_map(|subject| known.get(subject));
        let grants: Vec<&KnownGrant> = grants.flatten().collect();
        if grants.is_empty() {
            return Err(error);
        }
        let now = Utc::now().timestamp();
        let is_valid = |of: &&&KnownGrant| of.grant.expires.is_none_or(|end| now < end);
        let valid: Vec<_> = grants.iter().filter(is_valid).collect();
        if valid.is_empty() {
            return Err(match identity {
                Identity::Token(_) => ApiError::Unauthorized("The token has expired."),
                _ => error,
            });
        }
        for of in &valid {
            of.last_used.store(now, Ordering::Relaxed);
        }
        let projects = valid.iter().map(|of| &of.grant.projects);
        Ok(VisibleProjects::union(projects))
    }
}
