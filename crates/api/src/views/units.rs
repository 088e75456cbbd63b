//! Units (docs/spec/http.md#resources). [`Units`] writes the fields of `Unit`, in the same order; a test compares them.

use super::checks::{current_checks, deciding_checks, deciding_profile, source_change};
use super::translations::path_of;
use super::with_details;
use crate::encode::json::{boolean, escaped, fields, int, list, moment, optional, text};
use crate::profile::{Api, Legacy};
use crate::response::links::{Links, link, numbered, page};
use crate::schema::{AnyObject, Link, Nullable, Time, schema};
use gitglot_catalog::scan::Budget;
use gitglot_catalog::{CurrentState, UnitView};
use gitglot_model::{PLURAL_SEPARATOR, SourceId, TranslationId, UnitId};
use gitglot_model::{write_checksum, write_padded_checksum};
use gitglot_web::paths;

schema! {
    /// A unit: one string in one language.
    Unit {
        /// Always empty.
        #[current] tbx_terms: AnyObject,
        /// URL of the translation.
        translation: Link = "https://l10n.example.org/api/translations/ublock/extension/cs/",
        /// Language code.
        #[current] language_code: String = "cs",
        /// Plural forms of the source text; a single one if it has no plural.
        #[current] source: Vec<String> = ["My App"],
        /// Source text.
        #[legacy] source: String = "My App",
        /// Source text that was translated, if the unit is stale; otherwise `""`.
        previous_source: String = "",
        /// Translated text; `""` if there is none.
        #[legacy] target: String = "Moje aplikace",
        /// Plural forms of the translated text: as many as the language has, `""` where one is missing.
        #[current] target: Vec<String> = ["Moje aplikace"],
        /// Hash of the context; in bilingual files, of source and context. It can exceed 2^53, the limit of exact integers in JavaScript and in doubles.
        id_hash: i64 = -4830155381257635726_i64,
        /// Hash of source and context. It can exceed 2^53, the limit of exact integers in JavaScript and in doubles.
        content_hash: i64 = -3928872320179010586_i64,
        /// Places in the source code, in bilingual files; otherwise `""`.
        location: String = "",
        /// Key of the string. In nested files, the path of the key with a leading dot.
        context: String = "appName",
        /// Notes from the template and the translation.
        #[legacy] comment: String = "Name of the app ",
        /// Notes from the template and the translation, one per line.
        #[current] note: String = "Name of the app\n",
        /// Flags of the string in bilingual files; otherwise `""`.
        flags: String = "",
        /// Always empty.
        #[current] labels: Vec<AnyObject>,
        /// State: 0 empty, 10 marked in the file, 11 stale, 20 translated.
        #[current] state: i64 = 20,
        /// Whether the unit is stale: its source changed after it was translated.
        fuzzy: bool = false,
        /// Whether the unit is translated and not stale.
        translated: bool = true,
        /// Always `false`.
        #[current] approved: bool = false,
        /// Position in the template, from 1, possibly with gaps.
        position: i64 = 1,
        /// Always `false`.
        has_suggestion: bool = false,
        /// Always `false`.
        has_comment: bool = false,
        /// Whether the unit fails a check.
        has_failing_check: bool = false,
        /// Number of words in the source text.
        num_words: i64 = 2,
        /// URL of the unit of the source language.
        #[current] source_unit: Link = "https://l10n.example.org/api/units/1/",
        /// URL of the screenshots.
        #[current] screenshots_url: Link = "https://l10n.example.org/api/units/1/screenshots/",
        /// Always `null`.
        #[current] translation_parent: Nullable<Link>,
        /// Same as `source`.
        #[current] effective_source: Vec<String> = ["My App"],
        /// Plural forms of `previous_source`.
        #[current] effective_previous_source: Vec<String> = [""],
        /// Code of the source language.
        #[current] effective_source_language: String = "en",
        /// Always 100.
        priority: i64 = 100,
        /// Id of the unit; it never changes.
        id: i64 = 1,
        /// URL of the HTML page.
        web_url: Link = "https://l10n.example.org/translate/ublock/extension/cs/?checksum=3cf7d745a2327872",
        /// URL of this object.
        url: Link = "https://l10n.example.org/api/units/1/",
        /// URL of the source.
        #[legacy] source_info: Link = "https://l10n.example.org/api/sources/1/",
        /// Always `""`.
        #[current] explanation: String = "",
        /// Always `""`.
        #[current] extra_flags: String = "",
        /// Always `false`.
        #[current] pending: bool = false,
        /// Time when the string was added.
        #[current] timestamp: Time = "2018-05-04T09:12:00Z",
        /// Time when source or translation last changed.
        #[current] last_updated: Time = "2019-01-20T18:39:20.082366Z",
        /// Always `false`.
        #[current] automatically_translated: bool = false,
        /// Only with `expand=details`.
        #[legacy] details: Option<UnitDetails>,
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
pub(crate) struct Units<'a, P: Api = Legacy> {
    links: &'a Links<P>,
    of: Option<TranslationId>,
    /// The first field, up to and with the key of the second.
    head: Vec<u8>,
    /// The HTML page of a unit with its key, up to and with `checksum=`.
    web: Vec<u8>,
    /// The text between that checksum and the unit's id in its URL.
    url: Vec<u8>,
    /// The text between that id and the source's id in its URL.
    source_info: Vec<u8>,
    /// The text after that.
    end: Vec<u8>,
    with_details: bool,
}

impl<'a, P: Api> Units<'a, P> {
    /// A writer whose links are these. Units have the field `details` if `with_details`.
    pub fn new(links: &'a Links<P>, with_details: bool) -> Self {
        let around = |path: &str| {
            let mut out = Vec::new();
            link(&mut out, links, &[path, "\0"]);
            let at = out.iter().position(|&byte| byte == 0).unwrap_or(out.len());
            let end = out.get(at + 1..).unwrap_or_default().to_vec();
            out.truncate(at);
            (out, end)
        };
        let (unit, end) = around("units/");
        let (source, _) = around("sources/");
        Self {
            links,
            of: None,
            head: Vec::new(),
            web: Vec::new(),
            url: [b"\",\"url\":", &*unit].concat(),
            source_info: [&*end, b",\"source_info\":", &*source].concat(),
            end: [&*end, b"}"].concat(),
            with_details,
        }
    }

    fn prepare(&mut self, view: UnitView<'_>) {
        let path = path_of::<P>(view.of());
        self.of = Some(view.translation.id);
        self.head.clear();
        self.head.extend_from_slice(b"{\"translation\":");
        link(&mut self.head, self.links, &["translations/", &path]);
        self.web.clear();
        self.web.extend_from_slice(b",\"web_url\":");
        page(&mut self.web, self.links, paths::STRINGS, &[&path]);
        self.web.pop();
        self.web.extend_from_slice(b"?checksum=");
    }

    /// Writes the end of a unit of an older revision that the tip lacks.
    fn write_without_id(&self, out: &mut Vec<u8>, source: SourceId) {
        let source = (source != SourceId(0)).then_some(source.0);
        let link = |out: &mut Vec<u8>, id| numbered(out, self.links, "sources/", id);
        fields!(out; "priority\":100,\"id\":null,\"web_url\":null,\"url\":null,\"source_info" => optional(source, link));
        out.push(b'}');
    }

    /// Writes one.
    pub(crate) fn write(&mut self, out: &mut Vec<u8>, view: UnitView<'_>) {
        let is_current = view.translation.id != TranslationId(0);
        if self.of != Some(view.translation.id) || !is_current {
            self.prepare(view);
        }
        if P::IS_CURRENT {
            return self.write_current(out, view);
        }
        let texts = &view.component.texts;
        let (unit, source) = (view.unit, view.source);
        if is_current {
            out.extend_from_slice(&self.head);
        } else {
            out.extend_from_slice(b"{\"translation\":null");
        }
        // Constant text is part of the next field's key.
        fields!(out;
            "source" => text(texts.get(source.source)),
            "previous_source" => text(view.shown_previous_source()),
            "target" => text(&view.target()),
            "id_hash" => int(source.id_hash),
            "content_hash" => int(source.content_hash),
            "location" => text(view.locations()),
            "context" => text(texts.get(source.context)),
            "comment" => comment(texts.get(view.source_note()), texts.get(unit.note)),
            "flags" => text(view.flags()),
            "fuzzy" => boolean(unit.fuzzy()),
            "translated" => boolean(unit.translated()),
            "position" => int(view.position()),
            "has_suggestion\":false,\"has_comment\":false,\"has_failing_check" => boolean(unit.failing()),
            "num_words" => int(source.words),
        );
        match unit.id {
            UnitId(0) => self.write_without_id(out, source.id),
            id => {
                fields!(out; "priority\":100,\"id" => int(id.0));
                out.extend_from_slice(&self.web);
                write_checksum(out, source.id_hash);
                out.extend_from_slice(&self.url);
                int(out, id.0);
                out.extend_from_slice(&self.source_info);
                int(out, source.id.0);
                out.extend_from_slice(&self.end);
            }
        }
        if self.with_details {
            with_details(out, |out| details(out, view));
        }
    }
}

impl<P: Api> Units<'_, P> {
    /// Writes one in the current profile.
    fn write_current(&self, out: &mut Vec<u8>, view: UnitView<'_>) {
        let texts = &view.component.texts;
        let (id, source) = (view.unit.id.0, view.source);
        let (id_hash, content_hash) = view.current_hashes();
        let (state, forms) = (view.current_state(), view.current_source());
        let previous = view.shown_previous_source();
        let fails = !view.exact_checks(&Budget::unlimited()).is_empty();
        out.extend_from_slice(b"{\"tbx_terms\":{},");
        out.extend_from_slice(self.head.get(1..).unwrap_or_default());
        fields!(out;
            "language_code" => text(&view.translation.current_language().code),
            "source" => list(forms.iter().copied(), text),
            "previous_source" => text(previous),
            "target" => list(view.current_target().iter().copied(), text),
            "id_hash" => int(id_hash),
            "content_hash" => int(content_hash),
            "location" => text(view.locations()),
            "context" => text(view.current_context()),
            "note" => note(texts.get(view.source_note()), texts.get(view.unit.note)),
            "flags" => text(view.flags()),
            "labels\":[],\"state" => int(state as u8),
            "fuzzy" => boolean(matches!(
                state,
                CurrentState::NeedsEditing | CurrentState::NeedsRewriting
            )),
            "translated" => boolean(state == CurrentState::Translated),
            "approved\":false,\"position" => int(view.position()),
            "has_suggestion\":false,\"has_comment\":false,\"has_failing_check" => boolean(fails),
            "num_words" => int(view.current_words()),
            "source_unit" => numbered(self.links, "units/", view.source_unit().unit.id.0),
            "screenshots_url" => link(
                self.links,
                &["units/", itoa::Buffer::new().format(id), "/screenshots"]
            ),
            "translation_parent\":null,\"effective_source" => list(forms.iter().copied(), text),
            "effective_previous_source" => list(previous.split(PLURAL_SEPARATOR), text),
            "effective_source_language" => text(&view.component.source_code()),
            "priority\":100,\"id" => int(id),
        );
        out.extend_from_slice(&self.web);
        write_padded_checksum(out, id_hash);
        out.extend_from_slice(&self.url);
        int(out, id);
        out.extend_from_slice(self.end.strip_suffix(b"}").unwrap_or_default());
        fields!(out;
            "explanation\":\"\",\"extra_flags\":\"\",\"pending\":false,\"timestamp" => moment(source.since),
            "last_updated" => moment(view.last_updated()),
            "automatically_translated" => boolean(false),
        );
        out.push(b'}');
    }
}

/// The notes of template and translation, one per line (docs/spec/current-api.md#units).
fn note(out: &mut Vec<u8>, template: &str, translation: &str) {
    out.push(b'"');
    if template != translation {
        escaped(out, template);
        out.extend_from_slice(b"\\n");
    }
    escaped(out, translation);
    out.push(b'"');
}

/// The notes of template and translation as one text (docs/spec/units.md#comment).
fn comment(out: &mut Vec<u8>, template: &str, translation: &str) {
    out.push(b'"');
    if template != translation {
        escaped(out, template);
        out.push(b' ');
    }
    escaped(out, translation);
    out.push(b'"');
}
