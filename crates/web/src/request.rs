//! A request for a page, which looks up shared results in the cache, its response, and the URLs of other pages.

use std::borrow::Cow;
use std::hash::Hash;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::layout::{Hosting, PageLayout};
use crate::page_cache::{DifferenceKey, PageCache};
use crate::paths;
use crate::project_history::ProjectHistory;
use gitglot_catalog::scan::Budget;
use gitglot_catalog::{ChangeView, ComponentSnapshot, Snapshot, TranslationView, UnitView};
use gitglot_model::address::{encoded, query_string};
use gitglot_model::language::Language;
use gitglot_model::{ByteCache, Project, checksum};

/// A request for a page.
pub struct PageRequest<'a> {
    /// The data to show.
    pub snapshot: &'a Snapshot,
    /// The base URL of this server, for URLs to be copied.
    pub base: &'a str,
    /// The decoded path.
    pub path: &'a str,
    /// The names and values of the query, in order.
    pub query: &'a [(Cow<'a, str>, Cow<'a, str>)],
    /// The budget of the page. If it is exhausted, the page is incomplete and must not be sent.
    pub budget: &'a Budget,
    pub(crate) layout: PageLayout,
    /// Results that pages share, if any.
    pub(crate) cache: Option<&'a PageCache>,
}

/// The response to a page request.
#[derive(Debug)]
pub enum PageResponse {
    /// An HTML page.
    Html(String),
    /// Any other file, with its content type.
    File(Vec<u8>, &'static str),
    /// A permanent redirect to this percent-encoded path below the root.
    Redirect(String),
}

impl<'a> PageRequest<'a> {
    /// Creates a request.
    pub fn new(
        snapshot: &'a Snapshot,
        base: &'a str,
        path: &'a str,
        query: &'a [(Cow<'a, str>, Cow<'a, str>)],
        budget: &'a Budget,
    ) -> Self {
        Self {
            snapshot,
            base,
            path,
            query,
            budget,
            layout: PageLayout::below(base),
            cache: None,
        }
    }

    /// The same request with results that other pages need, too.
    #[must_use]
    pub fn cached(self, cache: &'a PageCache) -> Self {
        Self {
            cache: Some(cache),
            ..self
        }
    }

    /// The same request for a page that is published elsewhere.
    #[must_use]
    pub fn hosted(self, hosting: Hosting) -> Self {
        Self {
            layout: self.layout.hosted(hosting),
            ..self
        }
    }

    /// All translations, within the budget.
    pub(crate) fn translations(&self) -> impl Iterator<Item = TranslationView<'a>> + use<'a> {
        let (budget, all) = (self.budget, self.snapshot.translations_from(0));
        let revised = all.map(TranslationView::revised);
        revised.take_while(|_| budget.spend(1))
    }

    /// The layout of a page with recent changes, which subscribes to further ones. `scope` is empty or a project,
    /// optionally followed by a component and a language.
    pub(crate) fn subscribed_layout(&self, scope: &[&str]) -> PageLayout {
        let newest = self.snapshot.last_change().to_string();
        let names = ["project", "component", "language"].into_iter();
        let scope = names.zip(scope.iter().copied());
        let query = query_string([("last_event_id", &*newest)].into_iter().chain(scope));
        if !self.layout.has_server() {
            return self.layout.clone();
        }
        PageLayout {
            events: Some(self.layout.url("/api/events/") + &query),
            ..self.layout.clone()
        }
    }

    /// Whether the query has this name, even without a value.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.query.iter().any(|(known, _)| known == name)
    }

    /// The last non-empty value of this name.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        let names = [name];
        let last = self.parameters(&names).next_back();
        last.map(|(_, value)| value)
    }

    /// The parameters of these names that have a value.
    pub(crate) fn parameters(
        &self,
        names: &[&str],
    ) -> impl DoubleEndedIterator<Item = (&str, &str)> {
        let query = self.query.iter().map(|(name, value)| (&**name, &**value));
        query.filter(|(name, value)| names.contains(name) && !value.is_empty())
    }

    /// The URL of this page with a different value for `name`; an empty one removes it. Drops `page`.
    pub(crate) fn with(&self, name: &str, value: &str) -> String {
        self.with_all(&[(name, value)])
    }

    /// As [`Self::with`], with several values.
    pub(crate) fn with_all(&self, changed: &[(&str, &str)]) -> String {
        let is_kept =
            |name: &str| name != "page" && changed.iter().all(|(known, _)| *known != name);
        let others = self.query.iter().map(|(name, value)| (&**name, &**value));
        let others = others.filter(|(name, _)| is_kept(name));
        let pairs = others.chain(changed.iter().copied());
        let pairs = pairs.filter(|(_, value)| !value.is_empty());
        self.layout.url(&encoded(self.path)) + &query_string(pairs)
    }

    /// The URL of a page without scheme and host; see [`paths::link`].
    pub(crate) fn link(&self, pattern: &'static str, values: &[&str]) -> String {
        self.layout.link(pattern, values)
    }

    /// The full URL of a page; see [`paths::link`].
    pub(crate) fn absolute(&self, pattern: &'static str, values: &[&str]) -> String {
        [self.base, &*paths::link(pattern, values)].concat()
    }

    /// The page of a project.
    pub(crate) fn project(&self, project: &Project) -> String {
        self.link(paths::PROJECT, &[project.slug.as_str()])
    }

    /// The page of a component.
    pub(crate) fn component(&self, component: &ComponentSnapshot) -> String {
        self.link(paths::COMPONENT, &[&component.path()])
    }

    /// The page of a translation.
    pub(crate) fn translation(&self, of: TranslationView<'_>) -> String {
        self.link(paths::TRANSLATION, &[&of.component.path_of(of.translation)])
    }

    /// The list of a translation's strings.
    pub(crate) fn strings(&self, of: TranslationView<'_>) -> String {
        self.link(paths::STRINGS, &[&of.component.path_of(of.translation)])
    }

    /// The page of a string in a translation.
    pub(crate) fn unit(&self, unit: UnitView<'_>) -> String {
        self.strings(unit.of()) + "?checksum=" + &checksum(unit.source.id_hash)
    }

    /// The page of a string, or the list that has it if strings have no pages.
    pub(crate) fn unit_or_list(&self, unit: UnitView<'_>) -> String {
        if self.layout.has_string_pages() {
            self.unit(unit)
        } else {
            self.strings(unit.of())
        }
    }

    /// How to contribute to a language of a project.
    pub(crate) fn engage(&self, project: &str, language: &Language) -> String {
        let values = [project, &*encoded(&language.code)];
        self.link(paths::ENGAGE_LANGUAGE, &values)
    }

    /// The page of a language in a project.
    pub(crate) fn language_in(&self, language: &Language, project: &str) -> String {
        let values = [&*encoded(&language.code), project];
        self.link(paths::LANGUAGE_IN_PROJECT, &values)
    }

    /// The page of a language.
    pub(crate) fn language(&self, language: &Language) -> String {
        self.link(paths::LANGUAGE, &[&encoded(&language.code)])
    }

    /// The positions that a filter selects. `filter` identifies it and the list.
    pub(crate) fn selected(&self, filter: &str, select: impl FnOnce() -> Vec<u32>) -> Arc<[u32]> {
        let Some(cache) = self.cache else {
            return select().into();
        };
        let key = self.cache_key(filter);
        if let Some(known) = cache.filters.get(&key) {
            return known;
        }
        let found = Arc::<[u32]>::from(select());
        if self.budget.exhausted().is_none() {
            cache.filters.put(key, found.clone());
        }
        found
    }

    /// The history of a project.
    pub(crate) fn history(&self, project: &str) -> Option<Arc<ProjectHistory>> {
        let read = || ProjectHistory::of(self.snapshot, project, self.budget).map(Arc::new);
        let cache = self.cache.map(|cache| &cache.histories);
        self.cached_in(
            cache,
            || self.cache_key(project),
            read,
            |history| project.len() + history.as_ref().map_or(0, |history| history.bytes()),
        )
    }

    /// The rendered difference of a change in lists.
    pub(crate) fn difference(
        &self,
        change: &ChangeView<'_>,
        compare: impl FnOnce() -> Arc<str>,
    ) -> Arc<str> {
        let component = change.component.component.id;
        let key = || (self.snapshot.generation(), component, change.index);
        let cache = self.cache.map(|cache| &cache.differences);
        let bytes = |html: &Arc<str>| size_of::<DifferenceKey>() + html.len();
        self.cached_in(cache, key, compare, bytes)
    }

    /// Returns the cached value of a key, or makes it. A new value is cached with its size, unless the budget is
    /// exhausted.
    pub(crate) fn cached_in<K: Hash + Eq, V: Clone>(
        &self,
        cache: Option<&Mutex<ByteCache<K, V>>>,
        key: impl FnOnce() -> K,
        make: impl FnOnce() -> V,
        bytes: impl FnOnce(&V) -> usize,
    ) -> V {
        let Some(cache) = cache else {
            return make();
        };
        let key = key();
        if let Some(known) = cache.lock().get(&key) {
            return known;
        }
        let made = make();
        if self.budget.exhausted().is_none() {
            let bytes = bytes(&made);
            cache.lock().put(key, made.clone(), bytes);
        }
        made
    }

    /// What a result depends on.
    fn cache_key(&self, name: &str) -> (u64, String) {
        let restriction = self.snapshot.restriction();
        let name = [itoa::Buffer::new().format(restriction), " ", name].concat();
        (self.snapshot.generation(), name)
    }
}
