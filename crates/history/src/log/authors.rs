//! Resolves the authors of commits (docs/spec/change-log.md#authors).

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use gitglot_git::Mailmap;
use gitglot_model::{Commit, PersonId, SeededMap, steps};

/// Names of translation platforms: parts of the names or addresses in their commits, in lower case
/// (docs/spec/change-log.md#translation-platforms).
#[rustfmt::skip]
pub const PLATFORMS: [&str; 12] = [
    "weblate", "crowdin", "transifex", "pontoon", "lokalise", "poeditor", "localazy", "phrase", "tolgee",
    "translatebot", "l10n-bot", "translatewiki",
];

/// A person in the history.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Person {
    /// The email address in lower case, else the name. Never leaves the server.
    pub identity: String,
    /// The name in the newest commit.
    pub full_name: String,
    /// Committer time of that commit, in seconds since 1970. Across components, the newest name counts.
    pub named: i64,
}

/// The people that the log names, by first appearance.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
#[serde(from = "Vec<Person>", into = "Vec<Person>")]
pub struct PeopleTable {
    list: Vec<Person>,
    by_identity: SeededMap<String, PersonId>,
}

impl PeopleTable {
    /// The number of a person; allocates one for a new person. The given name becomes the person's newest.
    pub fn intern(&mut self, person: &Person) -> PersonId {
        if let Some(&id) = self.by_identity.get(&person.identity) {
            let known = &mut self.list[id.0 as usize];
            if !person.full_name.is_empty() {
                known.full_name.clone_from(&person.full_name);
                known.named = person.named;
            }
            return id;
        }
        let id = PersonId(self.list.len() as u32);
        self.list.push(person.clone());
        self.by_identity.insert(person.identity.clone(), id);
        id
    }

    pub fn list(&self) -> &[Person] {
        &self.list
    }
}

impl From<Vec<Person>> for PeopleTable {
    fn from(list: Vec<Person>) -> Self {
        let by_identity = list
            .iter()
            .map(|person| person.identity.clone())
            .zip((0..).map(PersonId))
            .collect();
        Self { list, by_identity }
    }
}

impl From<PeopleTable> for Vec<Person> {
    fn from(table: PeopleTable) -> Self {
        table.list
    }
}

/// Resolves the authors of commits.
pub struct AuthorResolver {
    mailmap: Mailmap,
    /// Configured platforms in addition to [`PLATFORMS`], in lower case.
    platforms: Vec<String>,
}

impl AuthorResolver {
    /// Resolves authors with a mailmap and the configured names of platforms.
    pub fn new(mailmap: Mailmap, platforms: &[String]) -> Self {
        Self {
            mailmap,
            platforms: platforms.iter().map(|name| name.to_lowercase()).collect(),
        }
    }

    /// Whether a translation platform made the commit.
    pub fn is_by_platform(&self, commit: &Commit) -> bool {
        [&commit.author, &commit.committer]
            .iter()
            .any(|it| self.is_platform(&it.name, &it.email))
    }

    /// The author. If that is a bot or a platform: the first co-author that is neither, else the bot or platform.
    pub fn author(&self, commit: &Commit) -> Person {
        let mapped = |(name, email): (&str, &str)| self.mailmap.resolve(name, email);
        let author = mapped((&commit.author.name, &commit.author.email));
        let mut people =
            std::iter::once(author.clone()).chain(co_authors(&commit.message).map(mapped));
        let person = people.find(|(name, email)| !self.is_machine(name, email));
        let (name, email) = person.unwrap_or(author);
        let (name, email) = (name.trim().to_owned(), email.trim().to_lowercase());
        let identity = if email.is_empty() {
            name.clone()
        } else {
            email
        };
        Person {
            identity,
            full_name: name,
            named: commit.committer.time.seconds,
        }
    }

    fn is_machine(&self, name: &str, email: &str) -> bool {
        let (name, email) = (name.to_lowercase(), email.to_lowercase());
        name.ends_with("[bot]") || email.contains("[bot]@") || self.is_platform(&name, &email)
    }

    fn is_platform(&self, name: &str, email: &str) -> bool {
        let (name, email) = (name.to_lowercase(), email.to_lowercase());
        let mut platforms = PLATFORMS
            .into_iter()
            .chain(self.platforms.iter().map(String::as_str));
        platforms.any(|platform| name.contains(platform) || email.contains(platform))
    }
}

/// Names and addresses in the `Co-authored-by` lines of a message.
fn co_authors(message: &str) -> impl Iterator<Item = (&str, &str)> {
    message.lines().filter_map(|line| {
        let (key, value) = line.trim().split_once(':')?;
        if !key.eq_ignore_ascii_case("co-authored-by") {
            return None;
        }
        let (name, rest) = value.trim().split_once('<')?;
        let email = rest.split_once('>').map_or(rest, |(email, _)| email);
        Some((name.trim(), email.trim()))
    })
}

/// Usernames that are in use.
#[derive(Default)]
pub struct Usernames {
    taken: HashSet<String>,
    /// The first number that may be free after a name.
    numbers: HashMap<String, u32>,
}

impl Usernames {
    /// Makes a new username without whitespace from a full name; never from an address. Names that are in use get the
    /// first free number from 2.
    pub fn add(&mut self, full_name: &str) -> String {
        let joined = full_name
            .split_whitespace()
            .collect::<Vec<_>>()
            .join("-")
            .to_lowercase();
        let base = if joined.is_empty() {
            "unknown".to_owned()
        } else {
            joined
        };
        let mut name = base.clone();
        if self.taken.contains(&name) {
            let number = self.numbers.entry(base.clone()).or_insert(2);
            while self.taken.contains(&name) {
                steps::count(1);
                name = format!("{base}-{number}");
                *number += 1;
            }
        }
        self.taken.insert(name.clone());
        name
    }
}
