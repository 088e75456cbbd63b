//! Units (docs/spec/http.md#resources).

use super::checks::{current_checks, deciding_checks, deciding_profile, source_change};
use super::translations::path_of;
use crate::apis::Api;
use crate::encode::json::{boolean, escaped, int, list, null, optional, raw, text, timestamp};
use crate::links::{Links, link, page};
use crate::schema::{
    AlwaysFalse, AlwaysHundred, AnyObject, EmptyText, Link, Nullable, Time, schema, write_object,
};
use gitglot_catalog::UnitView;
use gitglot_catalog::scan::Budget;
use gitglot_model::{PLURAL_SEPARATOR, SourceId, TranslationId, UnitId};
use gitglot_web::paths;

schema! {
    /// A unit: one string in one language.
    Unit => fields<P>(units: &Units<'_>, view: UnitView<'_>) {
        let (texts, unit, source) = (&view.component.texts, view.unit, view.source);
        let id = (unit.id != UnitId(0)).then_some(unit.id.0);
        let own = P::unit_values(view, &units.budget);
        /// Always empty.
        #[current] tbx_terms: AnyObject => raw(b"{}"),
        /// URL of the translation.
        translation: Link = "https://l10n.example.org/api/translations/ublock/extension/cs/" => raw(&units.translation),
        /// Language code.
        #[current] language_code: String = "cs" => text(&view.translation.current_language().code),
        /// Plural forms of the source text; a single one if it has no plural.
        #[current] source: Vec<String> = ["My App"] => list(own.source_forms.iter().copied(), text),
        /// Source text.
        #[legacy] source: String = "My App" => text(texts.get(source.source)),
        /// Source text that was translated, if the unit is stale; otherwise `""`.
        previous_source: String = "" => text(view.shown_previous_source()),
        /// Translated text; `""` if there is none.
        #[legacy] target: String = "Moje aplikace" => text(&view.target()),
        /// Plural forms of the translated text: as many as the language has, `""` where one is missing.
        #[current] target: Vec<String> = ["Moje aplikace"] => list(view.current_target().iter().copied(), text),
        /// Hash of the context; in bilingual files, of source and context. It can exceed 2^53, the limit of exact integers in JavaScript and in doubles.
        id_hash: i64 = -4830155381257635726_i64 => int(own.id_hash),
        /// Hash of source and context. It can exceed 2^53, the limit of exact integers in JavaScript and in doubles.
        content_hash: i64 = -3928872320179010586_i64 => int(own.content_hash),
        /// Places in the source code, in bilingual files; otherwise `""`.
        location: String = "" => text(view.locations()),
        /// Key of the string. In nested files, the path of the key with a leading dot.
        context: String = "appName" => text(own.context),
        /// Notes from the template and the translation.
        #[legacy] comment: String = "Name of the app " => notes(view, " "),
        /// Notes from the template and the translation, one per line.
        #[current] note: String = "Name of the app\n" => notes(view, "\\n"),
        /// Flags of the string in bilingual files; otherwise `""`.
        flags: String = "" => text(view.flags()),
        /// Always empty.
        #[current] labels: Vec<AnyObject> => raw(b"[]"),
        /// State: 0 empty, 10 marked in the file, 11 stale, 20 translated, 100 a source of bilingual files.
        #[current] state: i64 = 20 => int(view.current_state() as u8),
        /// Whether the unit is stale: its source changed after it was translated.
        fuzzy: bool = false => boolean(own.fuzzy),
        /// Whether the unit is translated and not stale.
        translated: bool = true => boolean(own.translated),
        #[current] approved: AlwaysFalse,
        /// Position in the template, from 1, possibly with gaps.
        position: i64 = 1 => int(view.position()),
        #[both] has_suggestion: AlwaysFalse,
        #[both] has_comment: AlwaysFalse,
        /// Whether the unit fails a check.
        has_failing_check: bool = false => boolean(own.fails),
        /// Number of words in the source text.
        num_words: i64 = 2 => int(own.words),
        /// URL of the unit of the source language.
        #[current] source_unit: Link = "https://l10n.example.org/api/units/1/" => optional(Some(view.source_unit().unit.id.0), |out, id| units.units.write(out, id)),
        /// URL of the screenshots.
        #[current] screenshots_url: Link = "https://l10n.example.org/api/units/1/screenshots/" => link(units.links, &["units/", itoa::Buffer::new().format(unit.id.0), "/screenshots"]),
        /// Always `null`.
        #[current] translation_parent: Nullable<Link> => null(),
        /// Same as `source`.
        #[current] effective_source: Vec<String> = ["My App"] => list(own.source_forms.iter().copied(), text),
        /// Plural forms of `previous_source`.
        #[current] effective_previous_source: Vec<String> = [""] => list(view.shown_previous_source().split(PLURAL_SEPARATOR), text),
        /// Code of the source language.
        #[current] effective_source_language: String = "en" => text(&view.component.source_code()),
        #[both] priority: AlwaysHundred,
        /// Id of the unit; it never changes.
        id: i64 = 1 => optional(id, int),
        /// URL of the HTML page.
        web_url: Link = "https://l10n.example.org/translate/ublock/extension/cs/?checksum=3cf7d745a2327872" => optional(id, |out, _| units.page::<P>(out, own.id_hash)),
        /// URL of this object.
        url: Link = "https://l10n.example.org/api/units/1/" => optional(id, |out, id| units.units.write(out, id)),
        /// URL of the source.
        #[legacy] source_info: Link = "https://l10n.example.org/api/sources/1/" => optional((source.id != SourceId(0)).then_some(source.id.0), |out, id| units.sources.write(out, id)),
        #[current] explanation: EmptyText,
        #[current] extra_flags: EmptyText,
        #[current] pending: AlwaysFalse,
        /// Time when the string was added.
        #[current] timestamp: Time = "2018-05-04T09:12:00Z" => timestamp(source.since),
        /// Time when source, text or state last changed.
        #[current] last_updated: Time = "2019-01-20T18:39:20.082366Z" => timestamp(view.last_updated()),
        #[current] automatically_translated: AlwaysFalse,
        /// Only with `expand=details`.
        #[legacy] details: Option<UnitDetails> => details(view) if units.with_details,
    }

    /// The slugs, language and path of a unit, and its failing checks.
    UnitDetails => details(view: UnitView<'_>) {
        /// Slug of the project.
        project: String = "ublock" => text(view.component.project.slug.as_str()),
        /// Slug of the component.
        component: String = "extension" => text(view.component.component.slug.as_str()),
        /// Language code.
        language: String = "cs" => text(&view.translation.language.code),
        /// Path of the file.
        path: String = "_locales/cs/messages.json" => text(&view.translation.path),
        /// Ids of the failing checks of the set that determines `has_failing_check`.
        checks: Vec<String> = ["end_stop"] => deciding_checks(view),
        /// Set of checks that determines `has_failing_check`: `legacy` or `modern`.
        check_set: String = "legacy" => text(deciding_profile(view.component).name()),
        /// Ids of the failing modern checks.
        modern_checks: Vec<String> = ["end_stop", "i18next_interpolation"] => current_checks(view),
        /// Class of the source change since the translation: `cosmetic`, `minor` or `major`; `null` if the unit is not stale.
        source_change: Nullable<String> => source_change(view),
        /// Source text that was translated, if the unit is stale: that of the file or, if it has none, that of the history; otherwise `""`.
        previous_source: String = "" => text(view.known_previous_source()),
    }
}

/// Writes units (docs/spec/http.md#resources). Common parts of the units of one translation are built once: uncached pages
/// spend most of their time here.
pub(crate) struct Units<'a> {
    links: &'a Links,
    of: Option<TranslationId>,
    /// The link to the translation, in quotes, or `null`.
    translation: Vec<u8>,
    /// The HTML page of a unit in quotes, up to and with `checksum=`.
    page: Vec<u8>,
    units: NumberedLink,
    sources: NumberedLink,
    /// For the results of checks, which are known.
    budget: Budget,
    with_details: bool,
}

/// A link to a resource with a number, in quotes: the parts before and after the number.
struct NumberedLink(Vec<u8>, Vec<u8>);

impl NumberedLink {
    fn new(links: &Links, kind: &str) -> Self {
        let mut before = Vec::new();
        link(&mut before, links, &[kind, "\0"]);
        let at = before.iter().position(|&byte| byte == 0);
        let mut after = before.split_off(at.unwrap_or(before.len()));
        after.drain(..1.min(after.len()));
        Self(before, after)
    }

    fn write(&self, out: &mut Vec<u8>, id: u32) {
        out.extend_from_slice(&self.0);
        int(out, id);
        out.extend_from_slice(&self.1);
    }
}

impl<'a> Units<'a> {
    /// A writer whose links are these. Units have the field `details` if `with_details`.
    pub fn new(links: &'a Links, with_details: bool) -> Self {
        Self {
            links,
            of: None,
            translation: Vec::new(),
            page: Vec::new(),
            units: NumberedLink::new(links, "units/"),
            sources: NumberedLink::new(links, "sources/"),
            budget: Budget::unlimited(),
            with_details,
        }
    }

    fn prepare<P: Api>(&mut self, view: UnitView<'_>) {
        let id = view.translation.id;
        self.of = Some(id);
        self.translation.clear();
        let path = path_of::<P>(view.of());
        if id == TranslationId(0) {
            null(&mut self.translation);
        } else {
            link(&mut self.translation, self.links, &["translations/", &path]);
        }
        self.page.clear();
        page(&mut self.page, self.links, paths::STRINGS, &[&path]);
        self.page.pop();
        self.page.extend_from_slice(b"?checksum=");
    }

    /// Writes the HTML page of a unit, in quotes.
    fn page<P: Api>(&self, out: &mut Vec<u8>, id_hash: i64) {
        out.extend_from_slice(&self.page);
        P::write_checksum(out, id_hash);
        out.push(b'"');
    }

    pub(crate) fn write<P: Api>(&mut self, out: &mut Vec<u8>, view: UnitView<'_>) {
        // Translations of older revisions that the tip lacks have no id.
        if self.of != Some(view.translation.id) || view.translation.id == TranslationId(0) {
            self.prepare::<P>(view);
        }
        write_object(out, |out| Unit::fields::<P>(out, self, view));
    }
}

/// The notes of template and translation as one text (docs/spec/units.md#comment, docs/spec/current-api.md#units).
/// `separator` is between them, as JSON.
fn notes(out: &mut Vec<u8>, view: UnitView<'_>, separator: &str) {
    let texts = &view.component.texts;
    let (template, translation) = (texts.get(view.source_note()), texts.get(view.unit.note));
    out.push(b'"');
    if template != translation {
        escaped(out, template);
        out.extend_from_slice(separator.as_bytes());
    }
    escaped(out, translation);
    out.push(b'"');
}
