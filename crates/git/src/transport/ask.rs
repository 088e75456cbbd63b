//! Asks an HTTP server for its references in one request: `ls-refs` of version 2 of git's protocol, without the request
//! for the capabilities of the server before it (gitprotocol-v2(5)). Connections stay open for the next question.

use std::path::{Path, PathBuf};
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use parking_lot::Mutex;
use ureq::Agent;

use crate::refs::branch::{Branch, Tip, short_name};
use crate::transport::credentials::{Login, Timeouts};
use crate::transport::error::FetchProblem;
use crate::transport::http;
use crate::transport::rate_limit::{self, RateLimit};
use gitglot_model::{CommitId, RefPattern};

/// The maximum size of an answer in bytes. Repositories with more references are fetched without a question.
const MAX_ANSWER: u64 = 8 << 20;
/// The maximum number of idle connections.
const MAX_IDLE: usize = 16;

/// Idle clients, each with its open connections; the newest last.
static IDLE: Mutex<Vec<(Server, Agent)>> = Mutex::new(Vec::new());

/// What a client depends on.
#[derive(PartialEq, Eq)]
struct Server {
    /// Its address without a path.
    origin: String,
    timeouts: Timeouts,
    ca_file: Option<PathBuf>,
}

/// What to ask.
pub(crate) struct Question<'a> {
    /// The address of the repository, without secrets.
    pub address: &'a str,
    /// Its server.
    pub host: &'a str,
    /// Sent with the request, so that the server need not ask for it.
    pub login: Option<Login>,
    pub branches: &'a [Branch],
    /// The references that requests may name.
    pub named: &'a [RefPattern],
    pub timeouts: Timeouts,
    /// The certificates to trust.
    pub ca_file: Option<&'a Path>,
}

/// Whether and how the next poll asks.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) enum Asking {
    /// Not before the first complete fetch.
    #[default]
    Later,
    /// It asks.
    Next,
    /// It asks: with this answer, a fetch would find nothing new.
    Known(blake3::Hash),
    /// The server cannot be asked.
    Never,
}

/// What comes of a question.
pub(crate) enum Reply {
    /// The references.
    Answer(Answer),
    /// No answer: the server does not know the question.
    Refused,
    /// Nothing, or it refuses the credentials.
    Unreachable,
}

/// The references of a repository.
pub(crate) struct Answer {
    /// Identifies all of them.
    pub digest: blake3::Hash,
    /// The tip of each followed branch; `None` for a missing branch.
    pub tips: Vec<Option<Tip>>,
}

impl Answer {
    /// The commit of each followed branch.
    pub fn commits(&self) -> impl Iterator<Item = Option<CommitId>> + '_ {
        self.tips.iter().map(|tip| Some(tip.as_ref()?.commit))
    }
}

impl Question<'_> {
    /// Asks the server.
    ///
    /// # Errors
    /// When the server limits requests; also without a request if it has said so.
    pub fn ask(&self) -> Result<Reply, FetchProblem> {
        rate_limit::wait(self.host)?;
        let server = self.server();
        let idle = {
            let mut idle = IDLE.lock();
            let known = idle.iter().rposition(|(known, _)| *known == server);
            known.map(|at| idle.remove(at).1)
        };
        let client = match idle {
            Some(client) => client,
            None => http::agent(self.address, server.timeouts, self.ca_file)?,
        };
        let Ok(response) = self.send(&client) else {
            return Ok(Reply::Unreachable);
        };
        let mut idle = IDLE.lock();
        idle.push((server, client));
        if idle.len() > MAX_IDLE {
            idle.remove(0);
        }
        drop(idle);
        response.limit.note(self.host);
        match response.status {
            200 => Ok(self
                .read(&response.body)
                .map_or(Reply::Refused, Reply::Answer)),
            429 => Err(FetchProblem::Limited {
                reason: "HTTP status 429".to_owned(),
                retry_after: response.limit.pause(),
            }),
            // Credentials can change.
            401 => Ok(Reply::Unreachable),
            _ => Ok(Reply::Refused),
        }
    }

    /// The lines of the request.
    fn body(&self) -> Vec<u8> {
        let branches = self.branches.iter().map(Branch::remote_ref);
        let named = self.named.iter().map(|pattern| {
            let full = pattern.full();
            full.split('*').next().unwrap_or_default().to_owned()
        });
        let prefixes = branches.chain(named);
        let prefixes = prefixes.map(|prefix| format!("ref-prefix {prefix}\n"));
        let mut body = packet("command=ls-refs\n");
        body.push_str("0001");
        for line in ["peel\n", "symrefs\n"] {
            body.push_str(&packet(line));
        }
        body.extend(prefixes.map(|line| packet(&line)));
        body.push_str("0000");
        body.into_bytes()
    }

    fn server(&self) -> Server {
        let Timeouts { connect, stall } = self.timeouts;
        let scheme = self.address.split("://").next().unwrap_or_default();
        Server {
            origin: format!("{scheme}://{}", self.host),
            timeouts: Timeouts {
                connect,
                // An answer is short. An open connection may be dead, which a fetch on a new one finds out.
                stall: stall.min(connect).max(Duration::from_secs(1)),
            },
            ca_file: self.ca_file.map(Path::to_owned),
        }
    }

    fn send(&self, client: &Agent) -> Result<Response, ureq::Error> {
        let url = [self.address.trim_end_matches('/'), "/git-upload-pack"].concat();
        // A server that sends a byte from time to time never reaches the limit of a read.
        let limit = self.timeouts.stall.max(Duration::from_secs(1));
        let mut request = client
            .post(url)
            .config()
            .timeout_global(Some(limit))
            .build()
            .header("Git-Protocol", "version=2")
            .header("Content-Type", "application/x-git-upload-pack-request")
            .header("Accept", "application/x-git-upload-pack-result");
        if let Some((user, password)) = &self.login {
            let login = BASE64_STANDARD.encode(format!("{user}:{password}"));
            request = request.header("Authorization", format!("Basic {login}"));
        }
        let mut answer = request.send(&self.body()[..])?;
        let mut limit = RateLimit::default();
        for (name, value) in answer.headers() {
            let value = String::from_utf8_lossy(value.as_bytes());
            limit.read_header(&format!("{name}:{value}"));
        }
        let body = answer.body_mut().with_config().limit(MAX_ANSWER);
        Ok(Response {
            body: body.read_to_vec()?,
            status: answer.status().as_u16(),
            limit,
        })
    }

    /// Reads the lines of an answer; `None` if it is none.
    fn read(&self, body: &[u8]) -> Option<Answer> {
        let mut references = Vec::new();
        let mut rest = body;
        loop {
            let (digits, after) = rest.split_at_checked(4)?;
            let length = usize::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
            if length == 0 {
                break;
            }
            let (line, after) = after.split_at_checked(length.checked_sub(4)?)?;
            rest = after;
            // `ID NAME`, then attributes. Names that are no UTF-8 cannot be followed.
            let Ok(line) = std::str::from_utf8(line) else {
                continue;
            };
            let (id, line) = line.trim_end().split_once(' ')?;
            let mut words = line.split(' ');
            references.push((id, words.next()?, words));
        }
        let tip = |branch: &Branch| {
            let remote = branch.remote_ref();
            let found = references.iter().find(|(_, name, _)| *name == remote);
            let (id, _, attributes) = found?;
            let commit: CommitId = id.parse().ok()?;
            let name = match branch {
                Branch::Named(name) => name.clone(),
                Branch::Default => {
                    let mut attributes = attributes.clone();
                    let target =
                        attributes.find_map(|attribute| attribute.strip_prefix("symref-target:"));
                    target.map_or_else(|| "HEAD".to_owned(), short_name)
                }
            };
            Some(Tip { name, commit })
        };
        Some(Answer {
            digest: blake3::hash(body),
            tips: self.branches.iter().map(tip).collect(),
        })
    }
}

/// A response of the server.
struct Response {
    status: u16,
    limit: RateLimit,
    body: Vec<u8>,
}

/// A line with its length, as in gitprotocol-common(5).
fn packet(line: &str) -> String {
    format!("{:04x}{line}", line.len() + 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(body: &str) -> Option<Answer> {
        let question = Question {
            address: "http://127.0.0.1:1/a.git",
            host: "127.0.0.1:1",
            login: None,
            branches: &[
                Branch::Default,
                Branch::Named("next".to_owned()),
                Branch::Named("gone".to_owned()),
            ],
            named: &[RefPattern::tags()],
            timeouts: Timeouts::default(),
            ca_file: None,
        };
        let request = String::from_utf8(question.body()).unwrap();
        assert!(
            request.starts_with(
                "0014command=ls-refs\n00010009peel\n000csymrefs\n0014ref-prefix HEAD\n"
            ),
            "{request}"
        );
        assert!(
            request.ends_with("001aref-prefix refs/tags/\n0000"),
            "{request}"
        );
        question.read(body.as_bytes())
    }

    #[test]
    fn an_answer_names_the_tips_of_branches() {
        let (one, two) = ("1".repeat(40), "2".repeat(40));
        let lines = [
            packet(&format!("{one} HEAD symref-target:refs/heads/main\n")),
            packet(&format!("{two} refs/heads/next\n")),
            packet(&format!("{one} refs/tags/v1 peeled:{two}\n")),
        ];
        let found = answer(&[&lines.concat(), "0000"].concat()).unwrap();
        let tip = |at: usize| {
            found.tips[at]
                .as_ref()
                .map(|tip| (tip.name.clone(), tip.commit.to_string()))
        };
        assert_eq!(tip(0), Some(("main".to_owned(), one)));
        assert_eq!(tip(1), Some(("next".to_owned(), two)));
        assert_eq!(tip(2), None);
    }

    #[test]
    fn other_texts_are_no_answers() {
        for text in ["", "<html>", "0003", "0009ERR x", "00", "ffff1", "0005 "] {
            assert!(answer(text).is_none(), "{text}");
        }
    }
}

#[cfg(test)]
#[path = "ask_tests.rs"]
mod server_tests;
