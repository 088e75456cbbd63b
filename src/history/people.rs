//! Who did it: authors after the mailmap, and who is no person (`log.md` 5).

use rustc_hash::FxHashMap;

use super::Person;
use crate::git::{Commit, Mailmap};
use crate::model::PersonId;

/// Names of translation platforms, as they stand in the names or addresses of their commits.
pub const PLATFORMS: [&str; 12] = [
    "weblate",
    "crowdin",
    "transifex",
    "pontoon",
    "lokalise",
    "poeditor",
    "localazy",
    "phrase",
    "tolgee",
    "translatebot",
    "l10n-bot",
    "translatewiki",
];

/// The people that the log names, by first appearance.
#[derive(Clone, Default, Debug)]
pub(super) struct People {
    list: Vec<Person>,
    places: FxHashMap<String, PersonId>,
}

impl People {
    /// The place of a person, made if new; the name becomes the person's newest.
    pub fn of(&mut self, person: &Person) -> PersonId {
        if let Some(&place) = self.places.get(&person.identity) {
            let known = &mut self.list[place.0 as usize];
            if !person.full_name.is_empty() {
                known.full_name.clone_from(&person.full_name);
                known.named = person.named;
            }
            return place;
        }
        let place = PersonId(self.list.len() as u32);
        self.list.push(person.clone());
        self.places.insert(person.identity.clone(), place);
        place
    }

    /// These people, in their order.
    pub fn of_list(list: Vec<Person>) -> Self {
        let places = list.iter().map(|person| person.identity.clone()).zip((0..).map(PersonId)).collect();
        Self { list, places }
    }

    /// Everybody.
    pub fn list(&self) -> &[Person] {
        &self.list
    }
}

/// Tells who a commit's author is.
pub(super) struct Authors<'a> {
    pub mailmap: &'a Mailmap,
    /// More platforms, from the configuration; lower case.
    pub platforms: &'a [String],
}

impl Authors<'_> {
    /// Whether the commit was made by a translation platform.
    pub fn by_platform(&self, commit: &Commit) -> bool {
        [&commit.author, &commit.committer].iter().any(|who| self.is_platform(&who.name, &who.email))
    }

    /// The author; for a commit by a machine the first co-author that is a person, else the machine.
    pub fn author(&self, commit: &Commit) -> Person {
        let mapped = |(name, email): (String, String)| self.mailmap.resolve(&name, &email);
        let author = mapped((commit.author.name.clone(), commit.author.email.clone()));
        let people = std::iter::once(author.clone()).chain(co_authors(&commit.message).map(mapped));
        let mut people = people.filter(|(name, email)| !self.is_machine(name, email));
        let (name, email) = people.next().unwrap_or(author);
        let (name, email) = (name.trim().to_owned(), email.trim().to_lowercase());
        let identity = if email.is_empty() { name.clone() } else { email };
        Person { identity, full_name: name, named: commit.committer.time.seconds }
    }

    fn is_machine(&self, name: &str, email: &str) -> bool {
        let (name, email) = (name.to_lowercase(), email.to_lowercase());
        name.ends_with("[bot]") || email.contains("[bot]@") || self.is_platform(&name, &email)
    }

    fn is_platform(&self, name: &str, email: &str) -> bool {
        let (name, email) = (name.to_lowercase(), email.to_lowercase());
        let more = self.platforms.iter().map(String::as_str);
        PLATFORMS.into_iter().chain(more).any(|platform| name.contains(platform) || email.contains(platform))
    }
}

/// The `Co-authored-by` lines of a message: names and addresses.
fn co_authors(message: &str) -> impl Iterator<Item = (String, String)> + '_ {
    message.lines().filter_map(|line| {
        let (key, value) = line.trim().split_once(':')?;
        if !key.eq_ignore_ascii_case("co-authored-by") {
            return None;
        }
        let (name, rest) = value.trim().split_once('<')?;
        let email = rest.split_once('>').map_or(rest, |(email, _)| email);
        Some((name.trim().to_owned(), email.trim().to_owned()))
    })
}

/// A name without blanks for `username`, made from the full name, never from the address; `taken` tells
/// which are in use.
pub fn username(full_name: &str, taken: &dyn Fn(&str) -> bool) -> String {
    let joined = full_name.split_whitespace().collect::<Vec<_>>().join("-").to_lowercase();
    let base = if joined.is_empty() { "unknown".to_owned() } else { joined };
    let mut candidate = base.clone();
    let mut number = 2;
    while taken(&candidate) {
        candidate = format!("{base}-{number}");
        number += 1;
    }
    candidate
}
