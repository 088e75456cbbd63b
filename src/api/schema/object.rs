use poem_openapi::types::Example;
use poem_openapi::{Enum, Object};

use super::{Link, Nullable, Time};

/// Where the lists are.
#[derive(Object)]
#[oai(example)]
pub(in crate::api) struct Root {
    /// All projects.
    projects: Link,
    /// All components.
    components: Link,
    /// All translations.
    translations: Link,
    /// All languages that are translated to.
    languages: Link,
    /// The change log.
    changes: Link,
    /// All units.
    units: Link,
    /// All sources.
    sources: Link,
    /// All screenshots: none.
    screenshots: Link,
}

impl Example for Root {
    fn example() -> Self {
        let list = |name: &str| Link(format!("https://l10n.example.org/api/{name}/"));
        Self {
            projects: list("projects"),
            components: list("components"),
            translations: list("translations"),
            languages: list("languages"),
            changes: list("changes"),
            units: list("units"),
            sources: list("sources"),
            screenshots: list("screenshots"),
        }
    }
}

/// Which way a language is written.
#[derive(Enum)]
#[oai(rename_all = "lowercase")]
pub(in crate::api) enum Direction {
    /// From left to right.
    Ltr,
    /// From right to left.
    Rtl,
}

/// A language.
#[derive(Object)]
#[oai(example)]
pub(in crate::api) struct Language {
    /// Its code, e.g. `pt_BR`.
    code: String,
    /// Its English name.
    name: String,
    /// Which way it is written.
    direction: Direction,
    /// Its page for people.
    web_url: Link,
    /// This object.
    url: Link,
}

impl Example for Language {
    fn example() -> Self {
        Self {
            code: "cs".into(),
            name: "Czech".into(),
            direction: Direction::Ltr,
            web_url: "https://l10n.example.org/languages/cs/".into(),
            url: "https://l10n.example.org/api/languages/cs/".into(),
        }
    }
}

/// A project: a name over components.
#[derive(Object)]
#[oai(example)]
pub(in crate::api) struct Project {
    /// Its name for people.
    name: String,
    /// Its name in URLs.
    slug: String,
    /// Its web site, `""` when none is given.
    web: String,
    /// The language that the source texts are in.
    source_language: Language,
    /// Its page for people.
    web_url: Link,
    /// This object.
    url: Link,
    /// Its components.
    components_list_url: Link,
    /// The state of its repositories.
    repository_url: Link,
    /// How far each language is.
    statistics_url: Link,
    /// Its change log.
    changes_list_url: Link,
}

impl Example for Project {
    fn example() -> Self {
        let of = |name: &str| Link(format!("https://l10n.example.org/api/projects/ublock/{name}"));
        Self {
            name: "uBlock Origin".into(),
            slug: "ublock".into(),
            web: "https://example.org/".into(),
            source_language: Language {
                code: "en".into(),
                name: "English".into(),
                direction: Direction::Ltr,
                web_url: "https://l10n.example.org/languages/en/".into(),
                url: "https://l10n.example.org/api/languages/en/".into(),
            },
            web_url: "https://l10n.example.org/projects/ublock/".into(),
            url: of(""),
            components_list_url: of("components/"),
            repository_url: of("repository/"),
            statistics_url: of("statistics/"),
            changes_list_url: of("changes/"),
        }
    }
}

/// Declares a type twice: with the object it belongs to, and, for lists of that object, without.
macro_rules! with_and_without {
    (
        $(#[$doc:meta])* $with:ident, $without:ident,
        { $($(#[$before_doc:meta])* $before:ident: $before_type:ty = $before_example:expr,)* }
        $(#[$owner_doc:meta])* $owner:ident: $owner_type:ty,
        { $($(#[$after_doc:meta])* $after:ident: $after_type:ty = $after_example:expr,)* }
    ) => {
        $(#[$doc])*
        #[derive(Object)]
        #[oai(example)]
        pub(in crate::api) struct $with {
            $($(#[$before_doc])* $before: $before_type,)*
            $(#[$owner_doc])* $owner: $owner_type,
            $($(#[$after_doc])* $after: $after_type,)*
        }

        impl Example for $with {
            fn example() -> Self {
                Self {
                    $($before: $before_example,)*
                    $owner: <$owner_type>::example(),
                    $($after: $after_example,)*
                }
            }
        }

        $(#[$doc])*
        #[derive(Object)]
        #[oai(example)]
        pub(in crate::api) struct $without {
            $($(#[$before_doc])* $before: $before_type,)*
            $($(#[$after_doc])* $after: $after_type,)*
        }

        impl Example for $without {
            fn example() -> Self {
                Self { $($before: $before_example,)* $($after: $after_example,)* }
            }
        }
    };
}

fn component(rest: &str) -> Link {
    Link(format!("https://l10n.example.org/api/components/ublock/extension/{rest}"))
}

fn translation(rest: &str) -> Link {
    Link(format!("https://l10n.example.org/api/translations/ublock/extension/cs/{rest}"))
}

with_and_without! {
    /// A component: the files of one mask in one branch of one repository.
    Component, ComponentOfProject,
    {
        /// Its name for people.
        name: String = "Extension".into(),
        /// Its name in URLs.
        slug: String = "extension".into(),
    }
    /// The project it belongs to.
    project: Project,
    {
        /// The version control system, always `git`.
        vcs: String = "git".into(),
        /// The address of the repository, without user and password.
        repo: String = "https://git.example.org/ublock.git".into(),
        /// A public address for export, `""` when none is given.
        git_export: String = String::new(),
        /// The branch that is followed.
        branch: String = "master".into(),
        /// Which files are translations; `*` stands for the language.
        filemask: String = "_locales/*/messages.json".into(),
        /// The file with the source texts.
        template: String = "_locales/en/messages.json".into(),
        /// The file that new languages start from, `""` when none is given.
        new_base: String = String::new(),
        /// How the files are written: `json` or `webextension`.
        file_format: String = "webextension".into(),
        /// The licence of the translations, `""` when none is given.
        license: String = "GPL-3.0-or-later".into(),
        /// Where the licence can be read, `""` when none is given.
        license_url: String = String::new(),
        /// Its page for people.
        web_url: Link = "https://l10n.example.org/projects/ublock/extension/".into(),
        /// This object.
        url: Link = component(""),
        /// The state of its repository.
        repository_url: Link = component("repository/"),
        /// Its translations.
        translations_url: Link = component("translations/"),
        /// How far each translation is.
        statistics_url: Link = component("statistics/"),
        /// Whether it is locked.
        lock_url: Link = component("lock/"),
        /// Its change log.
        changes_list_url: Link = component("changes/"),
    }
}

with_and_without! {
    /// A translation: one component in one language.
    Translation, TranslationOfComponent,
    {
        /// The language.
        language: Language = Language::example(),
    }
    /// The component it belongs to.
    component: Component,
    {
        /// The language code as the file's path has it.
        language_code: String = "cs".into(),
        /// The file, from the repository's root.
        filename: String = "_locales/cs/messages.json".into(),
        /// Git's names of the contents of file and template, with a comma between; `""` when the file was never read.
        revision: String =
            "2f6775d5eefd1a1f8ee668f7be5885fff3cb61c9,79fec2f232d4a162228f4edda66ba6c2e3f48983".into(),
        /// Its page for people.
        web_url: Link = "https://l10n.example.org/projects/ublock/extension/cs/".into(),
        /// A page to show around.
        share_url: Link = "https://l10n.example.org/engage/ublock/cs/".into(),
        /// The page of its strings.
        translate_url: Link = "https://l10n.example.org/translate/ublock/extension/cs/".into(),
        /// This object.
        url: Link = translation(""),
        /// Whether the file is the template.
        is_template: bool = false,
        /// How many strings there are.
        total: i64 = 300,
        /// How many words their sources have.
        total_words: i64 = 1650,
        /// How many are translated.
        translated: i64 = 297,
        /// How many words the sources of those have.
        translated_words: i64 = 1629,
        /// How many of 100 are translated; 100 when there is nothing to do.
        translated_percent: f64 = 99.0,
        /// How many were translated from a source that has changed since.
        fuzzy: i64 = 2,
        /// How many words the sources of those have.
        fuzzy_words: i64 = 14,
        /// How many of 100 those are.
        fuzzy_percent: f64 = 0.7,
        /// How many fail a check.
        failing_checks: i64 = 3,
        /// How many words the sources of those have.
        failing_checks_words: i64 = 12,
        /// How many of 100 those are.
        failing_checks_percent: f64 = 1.0,
        /// How many have a suggestion: none.
        have_suggestion: i64 = 0,
        /// How many have a comment: none.
        have_comment: i64 = 0,
        /// When a text last changed, if the history says.
        last_change: Nullable<Time> = Nullable(Some("2019-01-20T18:39:20.082366Z".into())),
        /// Who did it.
        last_author: Nullable<String> = Nullable(Some("Karel Novák".into())),
        /// The state of its repository.
        repository_url: Link = translation("repository/"),
        /// The file itself.
        file_url: Link = translation("file/"),
        /// How far it is.
        statistics_url: Link = translation("statistics/"),
        /// Its change log.
        changes_list_url: Link = translation("changes/"),
        /// Its strings.
        units_list_url: Link = translation("units/"),
    }
}
