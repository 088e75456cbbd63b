//! The lists of the page of a project's health: keys that code uses, and restored texts (docs/spec/pages.md#health).

use askama::Template;
use askama::filters::HtmlSafe;

use crate::parts::{LangAttrs, LocalizedText, SHORT, SHORT_ID, Time, difference, name_of};
use crate::request::PageRequest;
use gitglot_catalog::{ChangeView, ComponentSnapshot, RestoredText};
use gitglot_model::UserId;
use gitglot_model::address::{commit_page, line_page};
use gitglot_revisions::UsedKey;

/// Most rows of a list.
pub(super) const MAX_ROWS: usize = 30;

/// A key that code uses and the template lacks.
pub(super) struct KeyRow {
    pub(super) key: LocalizedText,
    pub(super) component: LocalizedText,
    /// The place in the code, such as `src/app.ts:12`, and its page.
    pub(super) place: LocalizedText,
    pub(super) href: Option<String>,
    pub(super) removed: Option<ChangeAuthor>,
}

/// A text that a commit set back.
pub(super) struct RestoredRow {
    pub(super) string: LocalizedText,
    pub(super) href: String,
    pub(super) language: String,
    /// From the text that is lost to the present one.
    pub(super) change: LocalizedText,
    pub(super) restored: Option<ChangeAuthor>,
    pub(super) lost: Option<ChangeAuthor>,
}

/// Who made a change, and when.
#[derive(Template)]
#[template(
    ext = "html",
    source = "{{ name }} <span class=\"quiet\">{{ day }}</span> {% if let Some(href) = href %}<a href=\"{{ href }}\" rel=\"nofollow\"><code>{{ commit }}</code></a>{% else %}<code>{{ commit }}</code>{% endif %}"
)]
pub(super) struct ChangeAuthor {
    pub(super) name: LocalizedText,
    pub(super) day: String,
    pub(super) commit: String,
    pub(super) href: Option<String>,
}

impl HtmlSafe for ChangeAuthor {}

impl ChangeAuthor {
    fn of(request: &PageRequest<'_>, change: ChangeView<'_>) -> Option<Self> {
        let commit = change.commit()?;
        let person = change.component.users.get(commit.author.0 as usize)?;
        Some(Self {
            name: request.snapshot.user(UserId(person.0)).map(name_of)?,
            day: Time::new(change.entry.time).day().to_owned(),
            commit: commit.id.to_string().chars().take(SHORT_ID).collect(),
            href: commit_page(&change.component.component.repo, commit.id),
        })
    }
}

impl KeyRow {
    pub(super) fn of(request: &PageRequest<'_>, of: &ComponentSnapshot, used: &UsedKey) -> Self {
        let key = of.context_of_key(used.key).unwrap_or_default();
        let (format, repo) = (of.component.file_format, &of.component.repo);
        let change = ChangeView::of(of, used.entry);
        Self {
            key: LocalizedText::name(format.shown_key(key)),
            component: LocalizedText::name(&of.component.name),
            place: LocalizedText::name(format!("{}:{}", used.path, used.line)),
            href: line_page(repo, of.tip.id, &used.path, used.line),
            removed: change.and_then(|change| ChangeAuthor::of(request, change)),
        }
    }
}

impl RestoredRow {
    pub(super) fn of(request: &PageRequest<'_>, text: &RestoredText<'_>) -> Self {
        let unit = text.unit;
        let language = &unit.translation.language;
        let [lost, present] = [text.lost, text.restored].map(|change| change.target());
        Self {
            string: LocalizedText::name(unit.name()),
            href: request.unit_or_list(unit),
            language: language.display_name(),
            change: difference(&LangAttrs::of(language), &lost, &present, SHORT),
            restored: ChangeAuthor::of(request, text.restored),
            lost: ChangeAuthor::of(request, text.lost),
        }
    }
}
