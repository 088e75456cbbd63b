//! One request for a page: what it is answered from, what it asks for, and the addresses of other pages.

use std::borrow::Cow;

use super::Look;
use crate::catalog::{ComponentSnapshot, Snapshot, TranslationSnapshot};
use crate::language::Language;
use crate::model::Project;
use crate::model::address::{encoded, encoded_value};

/// A request, read.
pub struct Visit<'a> {
    /// What it is answered from.
    pub snapshot: &'a Snapshot,
    /// Scheme, host and perhaps a path before every address; for addresses that are to be copied.
    pub base: &'a str,
    /// The path, decoded.
    pub path: &'a str,
    /// The names and values of the query, in order.
    pub query: &'a [(Cow<'a, str>, Cow<'a, str>)],
    look: Look,
}

impl<'a> Visit<'a> {
    /// Puts the parts together.
    pub fn new(
        snapshot: &'a Snapshot,
        base: &'a str,
        path: &'a str,
        query: &'a [(Cow<'a, str>, Cow<'a, str>)],
    ) -> Self {
        Self { snapshot, base, path, query, look: Look::below(base) }
    }

    /// The layout.
    pub(super) fn look(&self) -> &Look {
        &self.look
    }

    /// The layout of a page that shows the newest changes of something; see [`Look::listening`].
    pub(super) fn live_look(&self, scope: &[&str]) -> Look {
        self.look.clone().listening(self.snapshot.last_change(), scope)
    }

    /// Whether there is a value of that name, if only an empty one.
    pub(super) fn has(&self, name: &str) -> bool {
        self.query.iter().any(|(known, _)| known == name)
    }

    /// The last value of that name that is not empty.
    pub(super) fn value(&self, name: &str) -> Option<&str> {
        let mut values = self.query.iter().rev().filter(|(known, value)| known == name && !value.is_empty());
        values.next().map(|(_, value)| &**value)
    }

    /// The address of this page with another value of that name; an empty one leaves the name out. Another list
    /// begins at its first page.
    pub(super) fn with(&self, name: &str, value: &str) -> String {
        let kept = self.query.iter().filter(|(known, value)| known != name && known != "page" && !value.is_empty());
        let changed = (!value.is_empty()).then_some((name, value));
        let pairs = kept.map(|(name, value)| (&**name, &**value)).chain(changed);
        [&self.path(&[&encoded(self.path)]), &*query(pairs)].concat()
    }

    /// The address of a page of this server; the parts make its path and are encoded already.
    pub(super) fn path(&self, parts: &[&str]) -> String {
        [self.look.root(), &*parts.concat()].concat()
    }

    /// The same with the server's name, for other places.
    pub(super) fn absolute(&self, parts: &[&str]) -> String {
        [self.base, &*parts.concat()].concat()
    }

    /// The page of a project.
    pub(super) fn project(&self, project: &Project) -> String {
        self.path(&["/projects/", project.slug.as_str(), "/"])
    }

    /// The page of a component.
    pub(super) fn component(&self, component: &ComponentSnapshot) -> String {
        self.path(&["/projects/", &of_component(component), "/"])
    }

    /// The page of a translation.
    pub(super) fn translation(&self, component: &ComponentSnapshot, translation: &TranslationSnapshot) -> String {
        self.path(&["/projects/", &of_translation(component, translation), "/"])
    }

    /// The page with the strings of a translation.
    pub(super) fn strings(&self, component: &ComponentSnapshot, translation: &TranslationSnapshot) -> String {
        self.path(&["/translate/", &of_translation(component, translation), "/"])
    }

    /// The page of a string in a translation, by the hash of its key (units.md 5).
    pub(super) fn unit(
        &self,
        component: &ComponentSnapshot,
        translation: &TranslationSnapshot,
        id_hash: i64,
    ) -> String {
        [&*self.strings(component, translation), "?checksum=", &checksum(id_hash)].concat()
    }

    /// The page of a language.
    pub(super) fn language(&self, language: &Language) -> String {
        self.path(&["/languages/", &encoded(&language.code), "/"])
    }
}

/// `project/component`.
pub(super) fn of_component(component: &ComponentSnapshot) -> String {
    [component.project.slug.as_str(), "/", component.component.slug.as_str()].concat()
}

/// `project/component/language`, encoded.
pub(super) fn of_translation(component: &ComponentSnapshot, translation: &TranslationSnapshot) -> String {
    [&*of_component(component), "/", &encoded(&translation.language.code)].concat()
}

/// What stands in `checksum`: the hash in hexadecimal without leading zeros (units.md 5).
pub(super) fn checksum(id_hash: i64) -> String {
    format!("{:x}", id_hash as u64 ^ (1 << 63))
}

/// The hash of a `checksum`.
pub(super) fn id_hash(checksum: &str) -> Option<i64> {
    u64::from_str_radix(checksum, 16).ok().map(|hash| (hash ^ (1 << 63)) as i64)
}

/// Names and values as a query, with its mark; `""` for none.
pub(super) fn query<'q>(pairs: impl IntoIterator<Item = (&'q str, &'q str)>) -> String {
    let mut out = String::new();
    for (name, value) in pairs {
        out.push(if out.is_empty() { '?' } else { '&' });
        out.extend([&*encoded_value(name), "=", &*encoded_value(value)]);
    }
    out
}
