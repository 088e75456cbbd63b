//! Changes of one commit in a few words (docs/spec/pages.md#changes).

use std::collections::BTreeMap;

use gitglot_catalog::ChangeView;
use gitglot_model::language::resolve;
use gitglot_model::{Action, counted};

/// Languages that a summary names.
const NAMED: usize = 3;

/// Counts the changes of a commit by kind, and its texts by language: `42 German texts, 3 sources changed`.
pub fn summary<'a>(changes: impl IntoIterator<Item = ChangeView<'a>>) -> String {
    let (mut texts, mut kinds) = (BTreeMap::new(), BTreeMap::<Action, usize>::new());
    for change in changes {
        match change.entry.action {
            Action::NewTranslation | Action::TranslationChanged => {
                let language = change.language().unwrap_or_default();
                *texts.entry(language).or_insert(0_usize) += 1;
            }
            action => *kinds.entry(action).or_default() += 1,
        }
    }
    let mut languages: Vec<(&str, usize)> = texts.into_iter().collect();
    languages.sort_by_key(|&(language, count)| (std::cmp::Reverse(count), language));
    let mut parts: Vec<String> = Vec::new();
    for &(code, count) in languages.iter().take(NAMED) {
        let text = [&resolve(code).display_name(), " text"].concat();
        parts.push(counted(count, &text));
    }
    let others = languages.get(NAMED..).unwrap_or_default();
    let more: usize = others.iter().map(|(_, count)| count).sum();
    if more > 0 {
        let languages = counted(others.len(), "other language");
        parts.push([counted(more, "text"), languages].join(" in "));
    }
    if let Some(count) = kinds.remove(&Action::NewSourceString) {
        parts.push(counted(count, "new source"));
    }
    if let Some(count) = kinds.remove(&Action::SourceStringChanged) {
        parts.push(counted(count, "source") + " changed");
    }
    // These two only say that there was a commit.
    let is_file = |action: &Action| is_about_file(*action);
    let has_others = kinds.keys().any(|action| !is_file(action));
    if parts.is_empty() || has_others {
        let is_told = |action: &Action| !is_file(action) || (parts.is_empty() && !has_others);
        let told: Vec<String> = kinds
            .into_iter()
            .filter(|(action, _)| is_told(action))
            .map(|(action, count)| match count {
                1 => action.label().to_owned(),
                _ => format!("{} ({count})", action.label()),
            })
            .collect();
        parts.extend(told);
    }
    parts.join(", ")
}

/// Whether entries of an action only say that a commit changed a file: their commit says the same.
pub(crate) fn is_about_file(action: Action) -> bool {
    matches!(action, Action::CommittedChanges | Action::ResourceUpdate)
}
