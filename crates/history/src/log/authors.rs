//! Resolves the authors of commits (docs/spec/change-log.md#authors).

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::origins::{Account, Accounts, co_author_lines};
use gitglot_git::Mailmap;
use gitglot_model::{Commit, Origin, PersonId, SeededMap, steps};

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
        let identities = list.iter().map(|person| person.identity.clone());
        let by_identity = identities.zip((0..).map(PersonId)).collect();
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
    accounts: Accounts,
}

impl AuthorResolver {
    /// Resolves authors with a mailmap and the accounts of a component.
    pub fn new(mailmap: Mailmap, accounts: Accounts) -> Self {
        Self { mailmap, accounts }
    }

    /// Whether a translation platform made the commit.
    pub fn is_by_platform(&self, commit: &Commit) -> bool {
        let mut both = [&commit.author, &commit.committer].into_iter();
        both.any(|signature| {
            let (name, email) = (&signature.name, &signature.email);
            self.accounts.account_in_log(name, email) == Account::Platform
        })
    }

    /// The author. If that is a bot or a platform: the first co-author that is neither, else the bot or platform.
    pub fn author(&self, commit: &Commit) -> Person {
        let mapped = |(name, email): (&str, &str)| self.mailmap.resolve(name, email);
        let author = mapped((&commit.author.name, &commit.author.email));
        let co_authors = co_authors(&commit.message).map(mapped);
        let mut people = std::iter::once(author.clone()).chain(co_authors);
        let account = |name: &str, email: &str| self.accounts.account_in_log(name, email);
        let person = people.find(|(name, email)| account(name, email) == Account::Person);
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

    /// Who wrote the texts of the commit (docs/spec/origins.md).
    pub fn origin(&self, commit: &Commit) -> Origin {
        let mapped = |(name, email): (&str, &str)| self.mailmap.resolve(name, email);
        let (name, email) = mapped((&commit.author.name, &commit.author.email));
        let others: Vec<_> = co_authors(&commit.message).map(mapped).collect();
        let others = others.iter().map(|(name, email)| (&**name, &**email));
        self.accounts.origin(commit, (&name, &email), others)
    }
}

/// Names and addresses in the `Co-authored-by` lines of a message.
fn co_authors(message: &str) -> impl Iterator<Item = (&str, &str)> {
    co_author_lines(message).filter_map(|value| {
        let (name, rest) = value.split_once('<')?;
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
        let words: Vec<&str> = full_name.split_whitespace().collect();
        let joined = words.join("-").to_lowercase();
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
