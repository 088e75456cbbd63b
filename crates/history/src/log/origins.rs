//! Which accounts are people, platforms or machines, and who wrote a commit (docs/spec/origins.md). The only place that
//! knows names of accounts.

use gitglot_model::{Commit, ComponentSettings, Origin, SeededMap};
use parking_lot::Mutex;

/// What an account is. The greater one counts if several rows fit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Account {
    /// No row fits.
    Person,
    /// Commits what others wrote, and does not say who.
    Bot,
    /// A translation platform.
    Platform,
    /// Writes texts.
    Machine,
}

/// What of a commit has the text of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    /// The name or the address of an account contains it.
    Account,
    /// The name ends with it.
    NameEnd,
    /// The name is it.
    Name,
    /// A word of the name is it.
    Word,
    /// The address contains it.
    Address,
    /// The first line of the message contains it.
    Subject,
    /// A line of the message begins with it, after signs that are no letters.
    Line,
}

/// The part, its text in lower case, what it says, and whether the log depends on it: the authors and actions that the
/// API of Weblate 3.4 shows.
type Row = (Part, &'static str, Account, bool);

/// The known accounts and messages (docs/spec/origins.md#table). Rows of the log cannot change without rebuilding logs.
#[rustfmt::skip]
const ROWS: &[Row] = &[
    (Part::Account, "weblate", Account::Platform, true),
    (Part::Account, "crowdin", Account::Platform, true),
    (Part::Account, "transifex", Account::Platform, true),
    (Part::Account, "pontoon", Account::Platform, true),
    (Part::Account, "lokalise", Account::Platform, true),
    (Part::Account, "poeditor", Account::Platform, true),
    (Part::Account, "localazy", Account::Platform, true),
    (Part::Account, "phrase", Account::Platform, true),
    (Part::Account, "tolgee", Account::Platform, true),
    (Part::Account, "translatebot", Account::Platform, true),
    (Part::Account, "l10n-bot", Account::Platform, true),
    (Part::Account, "translatewiki", Account::Platform, true),
    (Part::Account, "simplelocalize", Account::Platform, false),
    (Part::Account, "gitlocalize", Account::Platform, false),
    (Part::Subject, "new translations ", Account::Platform, false),
    (Part::Subject, "new crowdin ", Account::Platform, false),
    (Part::Subject, "crowdin translations", Account::Platform, false),
    (Part::Subject, "from crowdin", Account::Platform, false),
    (Part::Subject, "from transifex", Account::Platform, false),
    (Part::Subject, "transifex translations", Account::Platform, false),
    (Part::Subject, "from lokalise", Account::Platform, false),
    (Part::Subject, "from poeditor", Account::Platform, false),
    (Part::Subject, "from tolgee", Account::Platform, false),
    (Part::Subject, "from localazy", Account::Platform, false),
    (Part::Subject, "from simplelocalize", Account::Platform, false),
    (Part::Subject, "from translatewiki", Account::Platform, false),
    (Part::Subject, "updates from https://translatewiki.net", Account::Platform, false),
    (Part::NameEnd, "[bot]", Account::Bot, true),
    (Part::Address, "[bot]@", Account::Bot, true),
    (Part::Word, "bot", Account::Bot, false),
    (Part::Name, "dependabot", Account::Bot, false),
    (Part::Name, "renovate", Account::Bot, false),
    (Part::Account, "github actions", Account::Bot, false),
    (Part::Account, "github-actions", Account::Bot, false),
    (Part::Address, "actions@github.com", Account::Bot, false),
    (Part::Address, "action@github.com", Account::Bot, false),
    (Part::Name, "pre-commit-ci", Account::Bot, false),
    (Part::Name, "root", Account::Bot, false),
    (Part::Name, "unknown", Account::Bot, false),
    (Part::Name, "(no author)", Account::Bot, false),
    (Part::Address, "@lingo.dev", Account::Machine, false),
    (Part::Subject, "via @lingodotdev", Account::Machine, false),
    (Part::Account, "i18n-ai", Account::Machine, false),
    (Part::Word, "deepl", Account::Machine, false),
    (Part::Address, "+copilot@users.noreply.github.com", Account::Machine, false),
    (Part::Name, "copilot", Account::Machine, false),
    (Part::Account, "copilot-swe-agent", Account::Machine, false),
    (Part::Name, "github copilot", Account::Machine, false),
    (Part::Address, "noreply@anthropic.com", Account::Machine, false),
    (Part::Name, "claude[bot]", Account::Machine, false),
    (Part::Line, "generated with [claude code]", Account::Machine, false),
    (Part::Address, "noreply@openai.com", Account::Machine, false),
    (Part::Address, "codex@openai.com", Account::Machine, false),
    (Part::Address, "cursoragent@cursor.com", Account::Machine, false),
    (Part::Line, "made with [cursor]", Account::Machine, false),
    (Part::Address, "noreply@aider.chat", Account::Machine, false),
    (Part::NameEnd, "(aider)", Account::Machine, false),
    (Part::Address, "noreply@opencode.ai", Account::Machine, false),
    (Part::Account, "devin-ai-integration", Account::Machine, false),
    (Part::Account, "google-labs-jules", Account::Machine, false),
    (Part::Address, "gemini-code-assist", Account::Machine, false),
];

/// The trailers of messages that name the tool that wrote the texts. [`CO_AUTHOR`] names people, too.
const TOOLS: [&str; 3] = ["generated-by", "assisted-by", "translated-by"];
const CO_AUTHOR: &str = "co-authored-by";
/// Names in [`TOOLS`] that say no more than what a row with an address says, at the beginning of the value.
#[rustfmt::skip]
const TOOL_NAMES: [&str; 11] = [
    "claude", "codex", "copilot", "cursor", "chatgpt", "gpt-", "gemini", "aider", "google translate", "lingo.dev", "llm",
];

/// The rows of the table in the documentation.
#[cfg(test)]
pub(super) fn table() -> Vec<String> {
    let rows = ROWS.iter().map(|(part, text, account, in_log)| {
        let (part, account) = (format!("{part:?}"), format!("{account:?}").to_lowercase());
        let mark = if *in_log { ", log" } else { "" };
        format!("{} | `{text}` | {account}{mark}", part.to_lowercase())
    });
    rows.collect()
}

/// The names of known translation platforms, in lower case.
pub fn platform_names<'a>() -> impl Iterator<Item = &'a str> {
    let rows = ROWS.iter();
    rows.filter(|row| row.0 == Part::Account && row.2 == Account::Platform)
        .map(|row| row.1)
}

/// The accounts of a component: the known ones, and those of its settings.
#[derive(Default, Debug)]
pub struct Accounts {
    /// In lower case.
    own: Vec<(String, Account)>,
    humans: Vec<String>,
    /// What was found for each name and address. Most commits come from few accounts.
    known: Mutex<SeededMap<String, KnownAccount>>,
}

/// What an account is for the log, and otherwise.
#[derive(Clone, Copy, Debug)]
struct KnownAccount {
    in_log: Account,
    account: Account,
}

/// Maximum number of accounts in [`Accounts::known`].
const MAX_KNOWN: usize = 4096;
/// Maximum bytes of name and address of an account in it.
const MAX_KNOWN_BYTES: usize = 256;

impl Accounts {
    /// Those of a component.
    pub fn of(settings: &ComponentSettings) -> Self {
        let lists = [
            (&settings.platforms, Account::Platform),
            (&settings.bots, Account::Bot),
            (&settings.machines, Account::Machine),
        ];
        let lists = lists.into_iter().flat_map(|(list, account)| {
            list.iter().map(move |name| (name.to_lowercase(), account))
        });
        let humans = settings.humans.iter();
        Self {
            own: lists.collect(),
            humans: humans.map(|name| name.to_lowercase()).collect(),
            known: Mutex::default(),
        }
    }

    /// What an account is, given its name and address.
    pub fn account(&self, name: &str, email: &str) -> Account {
        self.known(name, email).account
    }

    /// What an account is for the log, which knows neither all rows nor all settings.
    pub(super) fn account_in_log(&self, name: &str, email: &str) -> Account {
        self.known(name, email).in_log
    }

    fn known(&self, name: &str, email: &str) -> KnownAccount {
        let find = || KnownAccount {
            in_log: self.greatest(&name.to_lowercase(), &email.to_lowercase(), true),
            account: self.find(name, email),
        };
        if name.len() + email.len() > MAX_KNOWN_BYTES {
            return find();
        }
        let key = [name, "\n", email].concat();
        // A statement of its own, so that the lock is released.
        let known = self.known.lock().get(&key).copied();
        known.unwrap_or_else(|| {
            let found = find();
            let mut known = self.known.lock();
            if known.len() >= MAX_KNOWN {
                known.clear();
            }
            known.insert(key, found);
            found
        })
    }

    fn find(&self, name: &str, email: &str) -> Account {
        let (name, email) = (name.trim().to_lowercase(), email.to_lowercase());
        let mut humans = self.humans.iter();
        if humans.any(|human| contains(&name, &email, human)) {
            return Account::Person;
        }
        self.greatest(&name, &email, false)
    }

    fn greatest(&self, name: &str, email: &str, in_log: bool) -> Account {
        let known = ROWS.iter().filter(|row| row.3 || !in_log);
        let known = known.filter(|&&(part, text, ..)| match part {
            Part::Account => contains(name, email, text),
            Part::NameEnd => name.ends_with(text),
            Part::Name => name == text,
            Part::Word => name
                .split(|c: char| !c.is_alphanumeric())
                .any(|word| word == text),
            Part::Address => email.contains(text),
            Part::Subject | Part::Line => false,
        });
        let configured = self.own.iter().filter(|(text, account)| {
            (!in_log || *account == Account::Platform) && contains(name, email, text)
        });
        let all = known.map(|row| row.2).chain(configured.map(|row| row.1));
        all.max().unwrap_or(Account::Person)
    }

    /// Who wrote the texts of a commit, given its author and its co-authors after the mailmap.
    pub(super) fn origin<'a>(
        &self,
        commit: &Commit,
        author: (&str, &str),
        co_authors: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Origin {
        let committer = self.account(&commit.committer.name, &commit.committer.email);
        let named = |(name, email): (&str, &str)| !name.trim().is_empty() || !email.is_empty();
        let author_account = named(author).then(|| self.account(author.0, author.1));
        let others = co_authors.map(|(name, email)| self.account(name, email));
        let others: Vec<Account> = others.collect();
        let message = self.message(&commit.message);
        let all = others.iter().copied().chain(author_account);
        let mut all = all.chain([committer, message]);
        if all.any(|account| account == Account::Machine) {
            return Origin::Machine;
        }
        if message == Account::Platform {
            return Origin::Platform;
        }
        let mut authors = author_account.into_iter().chain(others);
        match () {
            () if authors.clone().any(|account| account == Account::Person) => Origin::Human,
            () if committer == Account::Platform => Origin::Platform,
            () if authors.any(|account| account == Account::Platform) => Origin::Platform,
            () => Origin::Unknown,
        }
    }

    /// What the message says; a person if it says nothing.
    fn message(&self, message: &str) -> Account {
        let subject = message.lines().next().unwrap_or_default().to_lowercase();
        let subjects = ROWS.iter().filter(|row| row.0 == Part::Subject);
        let subjects = subjects.filter(|row| subject.contains(row.1));
        let lines = message.lines().map(str::to_lowercase);
        let lines = lines.flat_map(|line| {
            let text = line.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
            let rows = ROWS.iter().filter(|row| row.0 == Part::Line);
            let found = rows.filter(|row| text.starts_with(row.1)).map(|row| row.2);
            found.max()
        });
        let tools = trailers(message, &TOOLS).map(|value| {
            let value = value.to_lowercase();
            // People can have the name of a tool.
            let (name, email) = value.split_once('<').unwrap_or((&value, ""));
            if email.is_empty() && TOOL_NAMES.iter().any(|tool| name.starts_with(tool)) {
                Account::Machine
            } else {
                self.account(name, email.trim_end_matches('>'))
            }
        });
        let all = subjects.map(|row| row.2).chain(lines).chain(tools);
        all.max().unwrap_or(Account::Person)
    }
}

/// The values of the `Co-authored-by` lines of a message.
pub(super) fn co_author_lines(message: &str) -> impl Iterator<Item = &str> {
    trailers(message, &[CO_AUTHOR])
}

/// The values of the lines of a message with one of these names, in any case of letters.
fn trailers<'a>(message: &'a str, names: &[&str]) -> impl Iterator<Item = &'a str> {
    message.lines().filter_map(|line| {
        let (key, value) = line.trim().split_once(':')?;
        let is_named = names.iter().any(|name| key.eq_ignore_ascii_case(name));
        is_named.then(|| value.trim())
    })
}

fn contains(name: &str, email: &str, text: &str) -> bool {
    name.contains(text) || email.contains(text)
}
