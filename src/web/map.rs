//! The map of a project or of a component: languages by components, or by groups of keys, each place as dark as it is
//! far.

use rustc_hash::FxHashMap;

use super::parts::{Figures, Text};
use super::sums::{by_language, of_project};
use super::visit::Visit;
use crate::catalog::{ComponentSnapshot, TranslationView, percent};
use crate::model::Project;
use crate::model::address::encoded;

/// Groups of keys that stand in columns of their own.
const MOST_GROUPS: usize = 9;
/// Strings that make a group.
const FEWEST: usize = 2;

/// Languages by columns: how far each is.
pub(super) struct Map {
    /// What the columns are.
    pub(super) of: &'static str,
    /// What each column is of, and its page, if it has one.
    pub(super) columns: Vec<(Text, Option<String>)>,
    pub(super) rows: Vec<Line>,
}

/// A language of a map.
pub(super) struct Line {
    pub(super) name: Text,
    pub(super) href: String,
    /// Percent for each column; `None` where there is nothing.
    pub(super) cells: Vec<Option<u32>>,
}

impl Map {
    /// The map of a project: of its components, or of the keys of its only one. `None` where there is nothing to tell
    /// apart.
    pub(super) fn of_project(visit: &Visit<'_>, project: &Project) -> Option<Self> {
        let slug = project.slug.as_str();
        let components: Vec<_> = visit.snapshot.components_of(slug).collect();
        if let [only] = components[..] {
            return Self::of_component(visit, only);
        }
        let lines = by_language(of_project(visit, slug)).into_iter().map(|(language, views)| {
            let cells = components.iter().map(|component| {
                let view = views.iter().find(|view| view.component.component.id == component.component.id)?;
                Some(Figures::from(view.translation.statistics).tenths() / 10)
            });
            Line {
                name: Text::name(&language.display_name()),
                href: visit.path(&["/languages/", &encoded(&language.code), "/", slug, "/"]),
                cells: cells.collect(),
            }
        });
        (components.len() > 1).then(|| Self {
            of: "component",
            columns: components.iter().map(|of| (Text::name(&of.component.name), Some(visit.component(of)))).collect(),
            rows: lines.collect(),
        })
    }

    /// The map of a component by groups of keys.
    pub(super) fn of_component(visit: &Visit<'_>, component: &ComponentSnapshot) -> Option<Self> {
        let (names, group_of) = groups(component.sources.iter().map(|source| component.texts.get(source.context)))?;
        let rows = component.named(0..component.by_name.len()).filter(|view| !view.translation.units.is_empty());
        let line = |view: TranslationView<'_>| {
            let mut counts = vec![(0_u64, 0_u64); names.len()];
            for (unit, &group) in view.translation.units.iter().zip(&group_of) {
                counts[group].0 += u64::from(unit.translated());
                counts[group].1 += 1;
            }
            Line {
                name: Text::name(&view.translation.language.display_name()),
                href: visit.translation(component, view.translation),
                cells: counts.into_iter().map(|(done, all)| Some(percent(done, all, 1000) / 10)).collect(),
            }
        };
        let rows = rows.map(line).collect();
        let columns = names.iter().map(|name| (Text::name(name), None)).collect();
        Some(Self { of: "group of keys", columns, rows })
    }
}

/// The groups that keys fall into, the largest first and what is left last; and the group of each key. `None` when all
/// fall into one.
fn groups<'k>(keys: impl Iterator<Item = &'k str> + Clone) -> Option<(Vec<String>, Vec<usize>)> {
    // Where keys are paths, their first part is what people sorted them by.
    let nested = keys.clone().any(|key| key.trim_start_matches('.').contains('.'));
    let group = |key: &'k str| if nested { first_part(key) } else { first_word(key) };
    let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
    for key in keys.clone() {
        *counts.entry(group(key)).or_default() += 1;
    }
    let mut found: Vec<(&str, usize)> = counts.into_iter().filter(|(_, count)| *count >= FEWEST).collect();
    found.sort_by_key(|&(name, count)| (std::cmp::Reverse(count), name));
    found.truncate(MOST_GROUPS);
    let places: FxHashMap<&str, usize> = found.iter().enumerate().map(|(at, (name, _))| (*name, at)).collect();
    let of: Vec<usize> = keys.map(|key| places.get(group(key)).copied().unwrap_or(found.len())).collect();
    let mut names: Vec<String> = found.iter().map(|(name, _)| format!("{name}…")).collect();
    if of.contains(&found.len()) {
        names.push("others".into());
    }
    (names.len() > 1).then_some((names, of))
}

/// What stands before the first dot of a path.
fn first_part(key: &str) -> &str {
    let path = key.trim_start_matches('.');
    path.split_once('.').map_or("", |(first, _)| first)
}

/// The word that a key begins with: up to a mark or, after a small letter, a capital.
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
    fn keys_fall_into_groups_by_how_they_begin() {
        let flat = ["popupTitle", "popupTip", "options_a", "options_b", "options_c", "other", "ABCDe", ""];
        let (names, of) = groups(flat.into_iter()).unwrap();
        assert_eq!(names, ["options…", "popup…", "others"]);
        assert_eq!(of, [1, 1, 0, 0, 0, 2, 2, 2]);
        let nested = [".menu.open", ".menu.close", ".dialog.a.b", ".title", ".dialog.c"];
        let (names, of) = groups(nested.into_iter()).unwrap();
        assert_eq!((names.len(), of), (3, vec![1, 1, 0, 2, 0]));
        assert!(groups(["a", "b"].into_iter()).is_none() && groups(["aB", "aC"].into_iter()).is_none());
    }
}
