//! The map of a project or component: progress by language and component, or by language and group of keys.

use crate::aggregates::{group_by_language, translations_of_project};
use crate::parts::LocalizedText;
use crate::request::PageRequest;
use gitglot_catalog::{ComponentSnapshot, ExpectedString, TranslationView, percent};
use gitglot_model::{Project, SeededMap, TextId, whole_percent};

/// Columns of the map; smaller groups of keys share one.
const MAX_GROUPS: usize = 9;
/// Minimum size of a group.
const MIN_KEYS: usize = 2;

/// A table of percentages.
pub(super) struct Map {
    /// The kind of a column: `component` or `group of keys`.
    pub(super) unit: &'static str,
    /// Name and optional URL of each column.
    pub(super) columns: Vec<(LocalizedText, Option<String>)>,
    pub(super) rows: Vec<MapRow>,
}

/// A language.
pub(super) struct MapRow {
    pub(super) name: LocalizedText,
    pub(super) href: String,
    /// Percent for each column; `None` without a translation.
    pub(super) cells: Vec<Option<u32>>,
}

impl Map {
    /// The map of a project by component; of a project with one component by group of keys. `None` for a single column.
    pub(super) fn of_project(request: &PageRequest<'_>, project: &Project) -> Option<Self> {
        let slug = project.slug.as_str();
        let components: Vec<_> = request.snapshot.components_of(slug).collect();
        if let [only] = components[..] {
            return Self::of_component(request, only);
        }
        let languages = group_by_language(translations_of_project(request, slug)).into_iter();
        let lines = languages.map(|(language, views)| {
            let cells = components.iter().map(|component| {
                let id = component.component.id;
                let view = views.iter().find(|view| view.component.component.id == id);
                view.map(|view| whole_percent(view.totals().tenths()))
            });
            MapRow {
                name: LocalizedText::name(language.display_name()),
                href: request.language_in(language, slug),
                cells: cells.collect(),
            }
        });
        let column = |of: &ComponentSnapshot| {
            let name = LocalizedText::name(&of.component.name);
            (name, Some(request.component(of)))
        };
        (components.len() > 1).then(|| Self {
            unit: "component",
            columns: components.iter().map(|of| column(of)).collect(),
            rows: lines.collect(),
        })
    }

    /// The map of a component by group of keys.
    pub(super) fn of_component(
        request: &PageRequest<'_>,
        component: &ComponentSnapshot,
    ) -> Option<Self> {
        let expected = &component.expected.strings;
        let key = |context| component.texts.get(context);
        let keys = component.sources.iter().map(|source| key(source.context));
        // Strings that no file has yet are no sources.
        let is_new = |string: &&ExpectedString| component.row_of_key(string.key()).is_none();
        let new = expected.iter().filter(is_new);
        let groups = Groups::of(keys.clone().chain(new.map(|string| key(string.context))))?;
        let group_of: Vec<usize> = keys.map(|key| groups.group_of(key)).collect();
        let views = component.views();
        let rows = views.filter(|view| view.translation.unit_count() > 0);
        let line = |view: TranslationView<'_>| {
            let mut counts = vec![(0_u64, 0_u64); groups.names.len()];
            for (row, unit) in (0..).zip(view.translation.unit_rows()) {
                let string = view.translation.string_of(row) as usize;
                let source = component.sources.get(string);
                if source.is_none_or(|source| source.source == TextId::EMPTY) {
                    continue;
                }
                if let Some(count) = group_of.get(string).and_then(|&at| counts.get_mut(at)) {
                    count.0 += u64::from(unit.translated());
                    count.1 += 1;
                }
            }
            // What the file lacks or has with an older source counts as in the sums.
            if let Some(absent) = view.absent() {
                for (rows, translated, all) in [(&absent.strings, 0, 1), (&absent.older, 1, 0)] {
                    for string in rows.iter().filter_map(|&at| expected.get(at as usize)) {
                        let group = groups.group_of(key(string.context));
                        if let Some(count) = counts.get_mut(group) {
                            count.0 = count.0.saturating_sub(translated);
                            count.1 += all;
                        }
                    }
                }
            }
            MapRow {
                name: LocalizedText::name(view.translation.language.display_name()),
                href: request.translation(view),
                cells: counts
                    .into_iter()
                    .map(|(done, all)| Some(whole_percent(percent(done, all, 1000))))
                    .collect(),
            }
        };
        let names = groups.names.iter();
        Some(Self {
            unit: "group of keys",
            columns: names
                .map(|name| (LocalizedText::name(name), None))
                .collect(),
            rows: rows.map(line).collect(),
        })
    }
}

/// Groups of keys with the same prefix.
struct Groups<'k> {
    /// Names, of the largest group first; the last one can be that of all other keys.
    names: Vec<String>,
    /// Whether keys are nested, so that the first part of the path is the prefix.
    is_nested: bool,
    index_of: SeededMap<&'k str, usize>,
}

impl<'k> Groups<'k> {
    /// `None` for a single group.
    fn of(keys: impl Iterator<Item = &'k str> + Clone) -> Option<Self> {
        let mut groups = Self {
            names: Vec::new(),
            is_nested: (keys.clone()).any(|key| key.trim_start_matches('.').contains('.')),
            index_of: SeededMap::default(),
        };
        let mut counts: SeededMap<&str, usize> = SeededMap::default();
        for key in keys.clone() {
            *counts.entry(groups.prefix(key)).or_default() += 1;
        }
        let mut found: Vec<(&str, usize)> = counts.into_iter().collect();
        found.retain(|(_, count)| *count >= MIN_KEYS);
        found.sort_by_key(|&(name, count)| (std::cmp::Reverse(count), name));
        found.truncate(MAX_GROUPS);
        for (at, (name, _)) in found.into_iter().enumerate() {
            groups.index_of.insert(name, at);
            groups.names.push(format!("{name}…"));
        }
        let others = groups.index_of.len();
        if keys.map(|key| groups.group_of(key)).any(|at| at == others) {
            groups.names.push("others".into());
        }
        (groups.names.len() > 1).then_some(groups)
    }

    fn prefix<'t>(&self, key: &'t str) -> &'t str {
        if self.is_nested {
            first_part(key)
        } else {
            first_word(key)
        }
    }

    /// The index of the group of a key.
    fn group_of(&self, key: &str) -> usize {
        let found = self.index_of.get(self.prefix(key)).copied();
        found.unwrap_or(self.index_of.len())
    }
}

/// The part of a path before the first dot.
fn first_part(key: &str) -> &str {
    let path = key.trim_start_matches('.');
    path.split_once('.').map_or("", |(first, _)| first)
}

/// The first word of a key, which ends at punctuation or at a capital after a lower-case letter.
fn first_word(key: &str) -> &str {
    let key = key.trim_start_matches('.');
    let mut before = ' ';
    for (at, c) in key.char_indices() {
        if at > 0 && (!c.is_alphanumeric() || (c.is_uppercase() && before.is_lowercase())) {
            return key.get(..at).unwrap_or(key);
        }
        before = c;
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_grouped_by_their_first_word() {
        let flat = [
            "popupTitle",
            "popupTip",
            "options_a",
            "options_b",
            "options_c",
            "other",
            "ABCDe",
            "",
        ];
        let groups = |keys: &[&'static str]| {
            let groups = Groups::of(keys.iter().copied())?;
            let of: Vec<_> = keys.iter().map(|key| groups.group_of(key)).collect();
            Some((groups.names, of))
        };
        let (names, of) = groups(&flat).unwrap();
        assert_eq!(names, ["options…", "popup…", "others"]);
        assert_eq!(of, [1, 1, 0, 0, 0, 2, 2, 2]);
        let nested = [
            ".menu.open",
            ".menu.close",
            ".dialog.a.b",
            ".title",
            ".dialog.c",
        ];
        let (names, of) = groups(&nested).unwrap();
        assert_eq!((names.len(), of), (3, vec![1, 1, 0, 2, 0]));
        assert!(groups(&["a", "b"]).is_none() && groups(&["aB", "aC"]).is_none());
    }
}
