//! Languages (docs/spec/http.md#resources).

use crate::apis::{Api, ShownLanguage};
use crate::encode::json::{int, list, optional, text};
use crate::links::{Links, link, page};
use crate::schema::{AlwaysZero, Choice, Link, ValueKind, ValueType, schema};
use gitglot_model::address::encoded;
use gitglot_model::language::CurrentLanguage;
use gitglot_web::paths;

pub(crate) enum Direction {}

impl ValueType for Direction {
    fn kind() -> ValueKind {
        ValueKind::Choice(&Choice {
            name: "Direction",
            about: "Writing direction of a language.",
            values: &["ltr", "rtl"],
        })
    }
}

impl<'a> ShownLanguage<'a> {
    fn id(&self) -> u32 {
        self.current.map_or(0, |language| language.id)
    }

    fn aliases(&self) -> impl Iterator<Item = &'a str> {
        let aliases = self.current.map_or("", |language| language.aliases);
        aliases.split_whitespace()
    }
}

schema! {
    /// A language.
    Language => language<P>(links: &Links, language: ShownLanguage<'_>) {
        let code = encoded(language.code);
        /// Id of the language.
        #[current] id: i64 = 141 => int(language.id()),
        /// Language code, such as `pt_BR`.
        code: String = "cs" => text(language.code),
        /// English name.
        name: String = "Czech" => text(language.name),
        /// Plural rule.
        #[current] plural: PluralRule => optional(language.current, plural_rule),
        /// Other codes, in lower case.
        #[current] aliases: Vec<String> = ["ces", "cs_cz"] => list(language.aliases(), text),
        /// Writing direction.
        direction: Direction = "ltr" => text(if language.rtl { "rtl" } else { "ltr" }),
        /// Number of speakers.
        #[current] population: i64 = 13_236_057
            => int(language.current.map_or(0, |language| language.population)),
        /// URL of the HTML page.
        web_url: Link = "https://l10n.example.org/languages/cs/"
            => page(links, paths::LANGUAGE, &[&code]),
        /// URL of this object.
        url: Link = "https://l10n.example.org/api/languages/cs/"
            => link(links, &["languages/", &code]),
        /// URL of the statistics.
        #[current] statistics_url: Link = "https://l10n.example.org/api/languages/cs/statistics/"
            => link(links, &["languages/", &code, "/statistics"]),
    }

    /// The plural rule of a language.
    PluralRule => plural_rule(language: &CurrentLanguage) {
        /// Id of the rule.
        id: i64 = 141 => int(language.id),
        /// Always 0: the default of the language.
        source: AlwaysZero,
        /// Number of plural forms.
        number: i64 = 3 => int(language.plural.forms),
        /// C expression over `n` that returns the 0-based index of the form.
        formula: String = "(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2" => text(language.plural.formula),
        /// Weblate's number of the combination of categories.
        r#type: i64 = 22 => int(language.plural.kind),
    }
}
