//! The pages of all strings of a component, for a program that writes all of them: what they share is made once.

use std::sync::{Arc, OnceLock};

use super::unit::{self, RECENT_CHANGES, Surroundings};
use super::unit_filter::StringFilter;
use crate::layout::Hosting;
use crate::page_cache::PageCache;
use crate::request::PageRequest;
use gitglot_catalog::scan::Budget;
use gitglot_catalog::{ChangeView, ComponentSnapshot, Snapshot, TranslationView};
use gitglot_checks::CheckProfile;

/// Renders the pages of the strings of a component, the same as a server does.
pub struct StringPages<'a> {
    snapshot: &'a Snapshot,
    base: &'a str,
    hosting: Hosting,
    translations: Vec<TranslationPages<'a>>,
    /// The changes of a source are in the pages of its string in all languages.
    cache: PageCache,
}

/// Size limit of the differences of texts, in bytes. The pages of a string follow each other.
const DIFFERENCES: usize = 1 << 18;

struct TranslationPages<'a> {
    view: TranslationView<'a>,
    /// All rows.
    rows: OnceLock<Arc<[u32]>>,
    /// Strings and positions in the log of the translation, sorted; for a change of a state, also its index among those
    /// of the entry.
    changes: OnceLock<Vec<(u32, u32, Option<u32>)>>,
}

impl<'a> StringPages<'a> {
    /// The pages of a component; `base` is that of [`PageRequest::new`].
    pub fn new(
        snapshot: &'a Snapshot,
        component: &'a ComponentSnapshot,
        base: &'a str,
        hosting: Hosting,
    ) -> Self {
        let translation = |view| TranslationPages {
            view,
            rows: OnceLock::new(),
            changes: OnceLock::new(),
        };
        Self {
            snapshot,
            base,
            hosting,
            translations: component.views().map(translation).collect(),
            cache: PageCache::new(Arc::default(), DIFFERENCES),
        }
    }

    /// The translations, in the order of [`Self::siblings`].
    pub fn translations(&self) -> impl Iterator<Item = TranslationView<'a>> + '_ {
        self.translations.iter().map(|of| of.view)
    }

    fn with_request<T>(&self, run: impl FnOnce(&PageRequest<'_>) -> T) -> T {
        let budget = Budget::unlimited();
        let request = PageRequest::new(self.snapshot, self.base, "", &[], &budget);
        run(&request.hosted(self.hosting).cached(&self.cache))
    }

    /// A row of the table of other languages for each translation; it is empty where the string is missing from it.
    pub fn siblings(&self, string: u32) -> Vec<String> {
        self.with_request(|request| {
            let Some(first) = self.translations().next() else {
                return Vec::new();
            };
            let most = unit::longest_sibling(first.component, string);
            let rows = self.translations();
            rows.map(|view| unit::sibling(request, view, string, most))
                .collect()
        })
    }

    /// The page of a string in the translation with this index; `None` if it lacks the string. `siblings` is the body of
    /// the table of other languages.
    pub fn page(&self, translation: usize, string: u32, siblings: &str) -> Option<String> {
        let own = self.translations.get(translation)?;
        let view = own.view.unit_of_string(string)?;
        Some(self.with_request(|request| {
            let filter = StringFilter::of(request);
            let failing = own.view.check_results(request.budget).of_row(view.row);
            let findings = if failing.is_empty() {
                Vec::new()
            } else {
                view.findings(CheckProfile::Current)
            };
            let template = unit::template_of(view).and_then(|template| {
                let id = template.translation.id;
                let mut all = self.translations.iter();
                all.find(|other| other.view.translation.id == id)
            });
            let logs = [Some(own), template].into_iter().flatten();
            let changes = logs.flat_map(|of| of.changes_of(self.snapshot, string));
            let surroundings = Surroundings {
                rows: (own.rows).get_or_init(|| filter.rows(own.view, request)),
                findings,
                changes: {
                    let elsewhere = unit::changes_elsewhere(request, view);
                    unit::newest(changes.chain(elsewhere).collect())
                },
                siblings,
            };
            unit::page_with(request, view, &filter, surroundings)
        }))
    }
}

impl<'a> TranslationPages<'a> {
    /// The last changes of a string, newest first.
    fn changes_of(
        &self,
        snapshot: &'a Snapshot,
        string: u32,
    ) -> impl Iterator<Item = ChangeView<'a>> + use<'a, '_> {
        let log = snapshot.changes_of_translation(self.view);
        let index = || {
            let mut index = Vec::new();
            for at in 0..log.len() {
                let Some(change) = log.get(at).filter(|change| !change.entry.moved) else {
                    continue;
                };
                index.extend(change.string().map(|string| (string, at as u32, None)));
                let states = (0..).zip(change.state_changes());
                index
                    .extend(states.filter_map(|(nth, change)| {
                        Some((change.string()?, at as u32, Some(nth)))
                    }));
            }
            index.sort_unstable();
            index
        };
        let index = self.changes.get_or_init(index);
        let start = index.partition_point(|(of, ..)| *of < string);
        let end = index.partition_point(|(of, ..)| *of <= string);
        let newest = index[start..end].iter().rev().take(RECENT_CHANGES);
        newest.filter_map(move |&(_, at, state)| {
            let change = log.get(at as usize)?;
            match state {
                None => Some(change),
                Some(nth) => change.state_changes().nth(nth as usize),
            }
        })
    }
}
