//! Authors (docs/spec/change-log.md#authors).

use gitglot_git::Mailmap;
use gitglot_model::{Commit, Signature};

/// The platforms that the log knows (docs/spec/origins.md#table).
const PLATFORMS: [&str; 12] = [
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

/// A person in the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Person {
    /// The email address in lower case, else the name.
    pub identity: String,
    pub name: String,
}

/// The author of a commit's entries.
pub fn author(commit: &Commit, mailmap: &Mailmap, platforms: &[String]) -> Person {
    let author = person(&commit.author.name, &commit.author.email, mailmap);
    if !is_machine(&author, platforms) {
        return author;
    }
    let others = commit.message.lines().filter_map(|line| {
        let (word, rest) = line.trim().split_once(':')?;
        let (name, address) = rest.trim().strip_suffix('>')?.split_once('<')?;
        word.eq_ignore_ascii_case("co-authored-by")
            .then(|| person(name.trim(), address.trim(), mailmap))
    });
    others
        .into_iter()
        .find(|person| !is_machine(person, platforms))
        .unwrap_or(author)
}

/// Whether a translation platform made the commit.
pub fn by_platform(commit: &Commit, platforms: &[String]) -> bool {
    let one = |signature: &Signature| {
        is_platform(
            &person(&signature.name, &signature.email, &Mailmap::default()),
            platforms,
        )
    };
    one(&commit.author) || one(&commit.committer)
}

fn person(name: &str, address: &str, mailmap: &Mailmap) -> Person {
    let (name, address) = mailmap.resolve(name, address);
    let identity = if address.is_empty() {
        name.clone()
    } else {
        address.to_lowercase()
    };
    Person { identity, name }
}

fn is_platform(person: &Person, platforms: &[String]) -> bool {
    let (name, address) = (person.name.to_lowercase(), person.identity.to_lowercase());
    let mut known = PLATFORMS
        .iter()
        .copied()
        .chain(platforms.iter().map(String::as_str));
    known.any(|platform| {
        name.contains(&platform.to_lowercase()) || address.contains(&platform.to_lowercase())
    })
}

fn is_machine(person: &Person, platforms: &[String]) -> bool {
    is_platform(person, platforms)
        || person.name.ends_with("[bot]")
        || person.identity.contains("[bot]@")
}
