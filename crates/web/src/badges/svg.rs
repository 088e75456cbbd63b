//! SVG badges (docs/spec/pages.md#svg-badge, docs/spec/pages.md#multi-badge).

use askama::Template;

use super::colour::colour_of;
use super::words::BadgeText;
use crate::aggregates::{group_by_language, statistics_of};
use crate::parts::plain;
use crate::paths;
use crate::request::PageRequest;
use gitglot_catalog::{Statistics, TranslationView};
use gitglot_model::address::encoded;
use gitglot_model::{NO_FILES, whole_percent};

/// Height of one language in a `multi` badge, in pixels.
const ROW_HEIGHT: usize = 20;

/// The `svg` badge: the word "translated" and a percentage.
#[derive(Template)]
#[template(path = "badges/badge.svg", escape = "html")]
pub(super) struct PercentBadge {
    lang: String,
    word: &'static str,
    percent: String,
    colour: &'static str,
    /// Widths of the two boxes, in pixels.
    left: u32,
    right: u32,
}

impl PercentBadge {
    /// Builds a badge with text in the language `lang`.
    pub(super) fn new(progress: &Statistics, lang: &str) -> Self {
        let text = BadgeText::of(lang);
        let (percent, width) = match progress.all.units {
            0 => (NO_FILES.to_owned(), 46),
            _ => text.percent(whole_percent(progress.tenths())),
        };
        let colour = colour_of(progress);
        Self {
            lang: plain(lang),
            word: text.word,
            percent,
            colour,
            left: text.width + 12,
            right: width + 7,
        }
    }
}

/// The `multi` badge: one bar per language.
#[derive(Template)]
#[template(path = "badges/multi.svg", escape = "html")]
pub(super) struct MultiBadge {
    height: usize,
    rows: Vec<LanguageBar>,
}

struct LanguageBar {
    name: String,
    href: String,
    percent: String,
    width: u32,
    colour: &'static str,
    top: usize,
}

impl MultiBadge {
    /// Builds a badge for translations of a project; `name` is a colour or `auto`.
    pub(super) fn new<'a>(
        request: &PageRequest<'_>,
        project: &str,
        name: &str,
        translations: impl Iterator<Item = TranslationView<'a>>,
    ) -> Self {
        let languages = group_by_language(translations);
        let height = ROW_HEIGHT * (languages.len() + 1);
        let rows = languages
            .into_iter()
            .enumerate()
            .map(|(row, (language, translations))| {
                let progress = statistics_of(translations);
                let tenths = match progress.all.units {
                    0 => 0,
                    _ => progress.tenths(),
                };
                LanguageBar {
                    name: plain(&language.display_name()),
                    href: request.absolute(
                        paths::LANGUAGE_IN_PROJECT,
                        &[&encoded(&language.code), project],
                    ),
                    percent: match progress.all.units {
                        0 => NO_FILES.to_owned(),
                        _ => format!("{}.{}%", tenths / 10, tenths % 10),
                    },
                    // 1.5 pixels per percent, rounded down.
                    width: tenths * 3 / 20,
                    colour: match name {
                        "red" => "#e05d44",
                        "green" => "#4c1",
                        "blue" => "#0b7ec4",
                        _ => colour_of(&progress),
                    },
                    top: ROW_HEIGHT * row + ROW_HEIGHT / 2,
                }
            });
        Self {
            height,
            rows: rows.collect(),
        }
    }
}
