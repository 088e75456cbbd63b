//! How source code names the keys of texts (`docs/spec/lint.md#keys-that-are-still-used`). Does not depend on files.

use super::code_comments::is_in_comment;
use super::spec::ComponentSpec;
use gitglot_model::{FileFormat, KeySeparators};

/// Filters of templates (Twig, Liquid, Angular) whose input is a key.
const FILTERS: [&str; 3] = ["t", "trans", "translate"];

/// What is before a key in quotation marks: functions and attributes that take keys.
const CALLS: &[&str] = &[
    "t(",
    "tc(",
    "te(",
    "tr(",
    "trans(",
    "translate(",
    "i18n(",
    "_(",
    "gettext(",
    "getString(",
    "getMessage(",
    "getText(",
    "message(",
    "msg(",
    "localize(",
    "localized(",
    "localized:",
    "lang(",
    "NSLocalizedString(",
    "NSLocalizedString(@",
    "i18nKey=",
    "data-i18n=",
    "data-l10n-id=",
];

/// The objects with the messages of Flutter.
const FLUTTER: &[&str] = &["l10n", "localizations", "!", ")", "S.current"];

/// How code names a key.
pub(super) struct UseSyntax<'a> {
    format: FileFormat,
    separators: &'a KeySeparators,
    /// The class of the messages in .NET: the name of the template.
    class: String,
}

impl<'a> UseSyntax<'a> {
    pub(super) fn of(spec: &'a ComponentSpec) -> Self {
        let name = spec
            .component
            .template
            .rsplit('/')
            .next()
            .unwrap_or_default();
        Self {
            format: spec.component.file_format,
            separators: &spec.separators,
            class: name.split('.').next().unwrap_or_default().to_owned() + ".",
        }
    }

    /// The name of a key in code.
    pub(super) fn name(&self, key: &str) -> String {
        let key = key.strip_prefix('.').unwrap_or(key);
        let key = self.separators.plural_stem(key).unwrap_or(key);
        match self.separators.key.as_deref() {
            _ if key.contains("->") => key.replace("->", "."),
            Some(separator) if separator != "." => key.replace('.', separator),
            _ => key.to_owned(),
        }
    }

    /// Whether a name in code is certainly a use of a key; `None` if it is none. Comments show old code.
    pub(super) fn certainty(&self, before: &str, name: &str, after: &str) -> Option<bool> {
        let is_certain = self.is_use(before, name, after)?;
        Some(is_certain && !is_in_comment(before))
    }

    /// Whether a name in code is a use of a key, and certainly one, without regard to comments.
    fn is_use(&self, before: &str, name: &str, after: &str) -> Option<bool> {
        let is_inside = |char: char| char.is_alphanumeric() || char == '_';
        let is_whole = !after.starts_with(is_inside);
        let ends_with = |marks: &[&str]| marks.iter().any(|mark| before.ends_with(mark));
        let certain = |is_use: bool| is_use.then_some(true);
        match self.format {
            FileFormat::AndroidResource => certain(
                is_whole && ends_with(&["R.string.", "R.plurals.", "@string/", "@plurals/"]),
            ),
            FileFormat::Arb => {
                let object = before.strip_suffix('.').unwrap_or_default();
                let is_use = is_whole && FLUTTER.iter().any(|suffix| object.ends_with(suffix));
                // Results of other functions have members, too.
                let object = object.trim_end_matches('!');
                let of_context = object.ends_with(".of(context)");
                is_use.then_some(of_context || object.ends_with(char::is_alphanumeric))
            }
            FileFormat::Resx if is_whole && ends_with(&[&self.class]) => {
                let object = before.strip_suffix(&*self.class).unwrap_or_default();
                certain(!object.ends_with(is_inside))
            }
            FileFormat::WebExtension if ends_with(&["__MSG_"]) => certain(after.starts_with("__")),
            _ => self.is_quoted(before, name, after),
        }
    }

    /// Whether a name in quotation marks, perhaps after its namespace, is certainly a key: the argument of a function that
    /// takes keys, or the input of a filter of a template that does, or perhaps one: a path or a sentence.
    fn is_quoted(&self, before: &str, name: &str, after: &str) -> Option<bool> {
        let mark = after.chars().next().filter(|mark| "'\"`".contains(*mark))?;
        let separator = self.separators.namespace.as_deref();
        let namespaced = separator.and_then(|separator| before.strip_suffix(separator));
        let is_name = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-');
        let before = namespaced.map_or(before, |object| object.trim_end_matches(is_name));
        let before = before.strip_suffix(mark)?;
        let nested = self.separators.key.as_deref().unwrap_or(".");
        let is_path = name.contains(nested) || name.trim().contains(' ');
        let before = before.trim_end();
        let is_argument = CALLS.iter().any(|call| {
            let outer = before.strip_suffix(call);
            outer.is_some_and(|outer| !outer.ends_with(char::is_alphanumeric))
        });
        let is_certain = is_argument || is_filtered(&after[mark.len_utf8()..]);
        (is_path || is_certain).then_some(is_certain)
    }
}

/// Whether a filter that takes keys follows: `'menu.title'|trans`.
fn is_filtered(after: &str) -> bool {
    let filter = after.trim_start().strip_prefix('|').map(str::trim_start);
    filter.is_some_and(|filter| {
        let mut words = filter.split(|char: char| !char.is_alphanumeric());
        words.next().is_some_and(|word| FILTERS.contains(&word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether code uses a key.
    fn uses(format: FileFormat, separators: &KeySeparators, key: &str, code: &str) -> bool {
        certainty(format, separators, key, code).is_some()
    }

    /// Whether code certainly uses a key.
    fn certainty(
        format: FileFormat,
        separators: &KeySeparators,
        key: &str,
        code: &str,
    ) -> Option<bool> {
        let syntax = UseSyntax {
            format,
            separators,
            class: "Texts.".to_owned(),
        };
        let name = syntax.name(key);
        let mut places = code.match_indices(&*name);
        places.find_map(|(at, _)| syntax.certainty(&code[..at], &name, &code[at + name.len()..]))
    }

    #[test]
    fn arguments_of_functions_outside_of_comments_are_certain() {
        let usual = KeySeparators::default();
        for (format, code, is_certain) in [
            (FileFormat::Json, "t('menu.title')", true),
            (FileFormat::Json, "open('menu.title')", false),
            (FileFormat::Yaml, "{{ 'menu.title'|trans({}) }}", true),
            (FileFormat::Json, "{{ 'menu.title' | translate }}", true),
            (FileFormat::Json, "x = 'menu.title' || t", false),
            (FileFormat::Json, "// t('menu.title')", false),
            (FileFormat::Json, "next(); // t('menu.title')", false),
            (FileFormat::Json, "url = 'http://a'; t('menu.title')", true),
            (FileFormat::Json, "//t('menu.title')", false),
            (FileFormat::Json, "x('a // b', t('menu.title'))", true),
            (FileFormat::Json, "x('a\\' // b', t('menu.title'))", true),
            (FileFormat::Json, "<p>Don't // t('menu.title')", false),
            (FileFormat::Json, "*ngIf=\"t('menu.title')\"", true),
            (FileFormat::Json, " * t('menu.title')", false),
            (FileFormat::Json, "/* t('menu.title')", false),
            (FileFormat::Json, "/* a */ t('menu.title')", true),
            (FileFormat::Json, "<!-- t('menu.title')", false),
            (FileFormat::Json, "<!-- a --> t('menu.title')", true),
            (FileFormat::RubyYaml, "#title= t('menu.title')", true),
            (FileFormat::RubyYaml, "# t('menu.title')", false),
            (FileFormat::RubyYaml, "## t('menu.title')", false),
            (FileFormat::Json, "--x[t('menu.title')]", true),
            (FileFormat::Json, "-- t('menu.title')", false),
            (FileFormat::AndroidResource, "R.string.menu.title", true),
            (FileFormat::Arb, "context.l10n.menu.title", true),
            (
                FileFormat::Arb,
                "AppLocalizations.of(context)!.menu.title",
                true,
            ),
            (FileFormat::Arb, "book().menu.title", false),
        ] {
            let found = certainty(format, &usual, "menu.title", code);
            assert_eq!(found, Some(is_certain), "{code}");
        }
    }

    #[test]
    fn paths_in_quotation_marks_and_arguments_of_functions_are_uses() {
        let json = |key, code| uses(FileFormat::Json, &KeySeparators::default(), key, code);
        for (key, code) in [
            (".menu.title", "x = 'menu.title'"),
            (".menu.title", "t(`common:menu.title`)"),
            (".save", "{{ $t('save') }}"),
            (".user_name", "i18next.t(\n  \"user_name\")"),
            (".files_one", "t('files', { count })"),
            (".Save it.", "__ || \"Save it.\""),
            ("en->menu->title", "t('en.menu.title')"),
        ] {
            assert!(json(key, code), "{key}: {code}");
        }
        for (key, code) in [
            (".menu.title", "x = menu.title"),
            (".menu.title", "'menu.titles'"),
            (".menu.title", "'menu.title"),
            (".save", "x = 'save'"),
            (".save", "assert('save')"),
            (".user_name", "row['user_name']"),
        ] {
            assert!(!json(key, code), "{key}: {code}");
        }
    }

    #[test]
    fn separators_of_i18next_apply() {
        let own = KeySeparators {
            key: Some("/".to_owned()),
            namespace: Some("::".to_owned()),
            ..KeySeparators::default()
        };
        let i18next = |code| uses(FileFormat::I18nextV4, &own, "menu.title", code);
        assert!(i18next("t('menu/title')") && i18next("t('common::menu/title')"));
        assert!(!i18next("t('menu.title')") && !i18next("t('common:menu/title')"));
    }

    #[test]
    fn platforms_have_accessors() {
        let usual = KeySeparators::default();
        for (format, code, is_used) in [
            (
                FileFormat::AndroidResource,
                "getString(R.string.title)",
                true,
            ),
            (
                FileFormat::AndroidResource,
                "android:text=\"@string/title\"",
                true,
            ),
            (FileFormat::AndroidResource, "R.string.title_bar", false),
            (FileFormat::AndroidResource, "x = \"title\"", false),
            (FileFormat::Arb, "AppLocalizations.of(context)!.title", true),
            (FileFormat::Arb, "book.title", false),
            (FileFormat::Resx, "Texts.title;", true),
            (FileFormat::Resx, "OtherTexts.title;", false),
            (
                FileFormat::WebExtension,
                "\"name\": \"__MSG_title__\"",
                true,
            ),
            (FileFormat::WebExtension, "getMessage('title')", true),
        ] {
            assert_eq!(uses(format, &usual, "title", code), is_used, "{code}");
        }
    }
}
