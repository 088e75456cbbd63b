//! Finds where source code uses keys that a change removes (`docs/spec/lint.md#keys-that-are-still-used`).

use std::sync::OnceLock;

use aho_corasick::AhoCorasick;

use super::code_comments::is_in_comment;
use super::error::LintError;
use super::spec::ComponentSpec;
use super::template_keys::TemplateKeys;
use super::tree::{RepositoryTree, SourceFile};
use gitglot_git::GitError;
use gitglot_model::{Component, FileFormat, KeySeparators, WorkLimit};

/// The most bytes of code that are read.
const MAX_READ: usize = 256 << 20;

/// The most bytes of a file of code; larger ones are generated.
const MAX_FILE: usize = 1 << 20;

/// The most occurrences of keys that are read: keys can be parts of each other.
const MAX_MATCHES: usize = 16 << 20;

/// The endings of files of code.
const ENDINGS: &[&str] = &[
    "astro", "cc", "cpp", "cs", "cshtml", "dart", "ejs", "erb", "go", "gohtml", "groovy", "h",
    "haml", "hbs", "htm", "html", "java", "jelly", "js", "jsp", "jsx", "kt", "kts", "m", "mjs",
    "mm", "php", "pug", "py", "qml", "razor", "rb", "rs", "scala", "slim", "svelte", "swift",
    "tmpl", "ts", "tsx", "twig", "vb", "vue", "xaml",
];

/// Directories with code of others, or with files that a build writes.
const SKIPPED: &[&str] = &[
    "node_modules",
    "vendor",
    "third_party",
    "dist",
    "build",
    "target",
];

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

/// Finds uses of keys.
pub trait KeyUses: Sync {
    /// For each key of a component the first place that uses it, the first certain one if there is one.
    fn places(&self, spec: &ComponentSpec, keys: &[&str]) -> Vec<Option<KeyUse>>;
}

/// A place in source code that uses a key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyUse {
    /// The file.
    pub path: String,
    /// The 1-based line.
    pub line: usize,
    /// Whether the code passes the key to a function for texts, so that it is no other word.
    pub is_certain: bool,
}

/// The source code of a state of a repository.
pub struct SourceCode<'a> {
    tree: RepositoryTree,
    components: Vec<&'a Component>,
    excludes: &'a (dyn Fn(&str) -> bool + Sync),
    limit: &'a dyn WorkLimit,
    /// The keys of all templates, once they are needed.
    templates: OnceLock<TemplateKeys<'a>>,
    /// The files with code, once they are needed.
    files: OnceLock<Vec<SourceFile>>,
    /// Why a file could not be read: the first error.
    error: OnceLock<LintError>,
}

impl<'a> SourceCode<'a> {
    /// The code of a state without excluded files, and all components: a key that moves from one to another is not lost.
    /// Nothing is found once the limit of the search is reached.
    pub fn new(
        tree: RepositoryTree,
        components: Vec<&'a Component>,
        excludes: &'a (dyn Fn(&str) -> bool + Sync),
        limit: &'a dyn WorkLimit,
    ) -> Self {
        Self {
            tree,
            components,
            excludes,
            limit,
            templates: OnceLock::new(),
            files: OnceLock::new(),
            error: OnceLock::new(),
        }
    }

    /// Why something could not be read. What was found is incomplete then.
    pub fn into_error(self) -> Option<LintError> {
        self.error.into_inner()
    }

    /// What was read; `None` if it is too large, or cannot be read.
    fn read<T>(&self, result: Result<Option<T>, LintError>) -> Option<T> {
        result.unwrap_or_else(|error| {
            if !matches!(error, LintError::Git(GitError::TooLarge { .. })) {
                // Only the first one is kept.
                let _ = self.error.set(error);
            }
            None
        })
    }

    fn files(&self) -> &[SourceFile] {
        self.files.get_or_init(|| {
            let mut files = self
                .read(self.tree.all_files().map(Some))
                .unwrap_or_default();
            files.retain(|file| is_code(&file.path) && !(self.excludes)(&file.path));
            files
        })
    }

    fn templates(&self) -> &TemplateKeys<'a> {
        self.templates.get_or_init(|| {
            let meter = self.limit.meter();
            let read = |path: &str| {
                let bytes = self.read(self.tree.small_file(path, gitglot_formats::MAX_BYTES))?;
                meter(bytes.len()).then_some(bytes)
            };
            TemplateKeys::read(&self.components, read)
        })
    }
}

impl KeyUses for SourceCode<'_> {
    fn places(&self, spec: &ComponentSpec, keys: &[&str]) -> Vec<Option<KeyUse>> {
        let mut places: Vec<Option<KeyUse>> = vec![None; keys.len()];
        let templates = self.templates();
        let syntax = UseSyntax::of(spec);
        let mut names: Vec<(usize, String)> = keys
            .iter()
            .enumerate()
            .filter(|(_, key)| !templates.is_elsewhere(&spec.component, key))
            .map(|(at, key)| (at, syntax.name(key)))
            .collect();
        names.retain(|(_, name)| name.len() > 1);
        let Ok(pattern) = AhoCorasick::new(names.iter().map(|(_, name)| name)) else {
            return places;
        };
        let mut reader = self.tree.reader();
        let meter = self.limit.meter();
        let (mut left, mut is_read, mut matches) = (names.len(), 0, 0);
        for file in self.files() {
            if left == 0 || is_read > MAX_READ {
                break;
            }
            let path = &file.path;
            let Some(bytes) = self.read(self.tree.content(file, &mut reader)) else {
                continue;
            };
            is_read += bytes.len();
            if !meter(bytes.len()) {
                break;
            }
            let Some(text) = std::str::from_utf8(&bytes)
                .ok()
                .filter(|it| it.len() <= MAX_FILE)
            else {
                continue;
            };
            let mut line = LineCounter::new(text);
            for found in pattern.find_overlapping_iter(text) {
                matches += 1;
                if matches > MAX_MATCHES {
                    return places;
                }
                let Some((at, name)) = names.get(found.pattern().as_usize()) else {
                    continue;
                };
                let (before, rest) = text.split_at(found.start());
                let after = &rest[name.len()..];
                let known = places[*at].as_ref().map(|it| it.is_certain);
                if known != Some(true)
                    && let Some(is_certain) = syntax.certainty(before, name, after)
                    && (is_certain || known.is_none())
                {
                    places[*at] = Some(KeyUse {
                        path: path.clone(),
                        line: line.at(before.len()),
                        is_certain,
                    });
                    left -= usize::from(is_certain);
                }
            }
        }
        places
    }
}

/// Counts the lines of a text up to positions that hardly ever go back.
struct LineCounter<'t> {
    text: &'t str,
    position: usize,
    line: usize,
}

impl<'t> LineCounter<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            position: 0,
            line: 1,
        }
    }

    /// The 1-based line of a position.
    fn at(&mut self, position: usize) -> usize {
        if position < self.position {
            (self.position, self.line) = (0, 1);
        }
        let skipped = self.text.as_bytes()[self.position..position].iter();
        self.line += skipped.filter(|&&byte| byte == b'\n').count();
        self.position = position;
        self.line
    }
}

/// Whether a file has code of the program.
fn is_code(path: &str) -> bool {
    let mut folders = path.split('/');
    let name = folders.next_back().unwrap_or_default();
    let has_ending = name.rsplit_once('.').is_some_and(|(stem, ending)| {
        // Layouts and manifests of Android, and the manifest of an extension.
        ENDINGS.contains(&ending) && !stem.ends_with(".min")
            || matches!(ending, "xml")
            || name == "manifest.json"
    });
    has_ending && !folders.any(|folder| SKIPPED.contains(&folder))
}

/// How code names a key.
struct UseSyntax<'a> {
    format: FileFormat,
    separators: &'a KeySeparators,
    /// The class of the messages in .NET: the name of the template.
    class: String,
}

impl<'a> UseSyntax<'a> {
    fn of(spec: &'a ComponentSpec) -> Self {
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
    fn name(&self, key: &str) -> String {
        let key = key.strip_prefix('.').unwrap_or(key);
        let key = self.separators.plural_stem(key).unwrap_or(key);
        match self.separators.key.as_deref() {
            _ if key.contains("->") => key.replace("->", "."),
            Some(separator) if separator != "." => key.replace('.', separator),
            _ => key.to_owned(),
        }
    }

    /// Whether a name in code is certainly a use of a key; `None` if it is none. Comments show old code.
    fn certainty(&self, before: &str, name: &str, after: &str) -> Option<bool> {
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
                let is_use = is_whole && FLUTTER.iter().any(|it| object.ends_with(it));
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
        let mark = after.chars().next().filter(|it| "'\"`".contains(*it))?;
        let separator = self.separators.namespace.as_deref();
        let namespaced = separator.and_then(|it| before.strip_suffix(it));
        let is_name = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-');
        let before = namespaced.map_or(before, |it| it.trim_end_matches(is_name));
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
    fn lines_are_counted_in_any_order() {
        let mut line = LineCounter::new("a\nb\n\nc");
        assert_eq!([3, 0, 5, 2].map(|at| line.at(at)), [2, 1, 4, 2]);
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
