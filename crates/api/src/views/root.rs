//! The root, with the URLs of the lists (docs/spec/http.md#paths), and the metrics (docs/spec/http.md#resources).

use crate::apis::Api;
use crate::encode::json::{int, text};
use crate::links::{Links, link};
use crate::schema::{AlwaysZero, Link, schema};
use gitglot_catalog::{Snapshot, Statistics};

fn example(name: &str) -> String {
    format!("https://l10n.example.org/api/{name}/")
}

schema! {
    /// The URLs of the lists.
    Root => root<P>(links: &Links) {
        /// URL of the accounts (always empty).
        #[current] users: Link = example("users") => link(links, &["users"]),
        /// URL of the groups (always empty).
        #[current] groups: Link = example("groups") => link(links, &["groups"]),
        /// URL of the roles (always empty).
        #[current] roles: Link = example("roles") => link(links, &["roles"]),
        /// URL of the projects.
        projects: Link = example("projects") => link(links, &["projects"]),
        /// URL of the components.
        components: Link = example("components") => link(links, &["components"]),
        /// URL of the translations.
        translations: Link = example("translations") => link(links, &["translations"]),
        /// URL of the translation memory (needs an account).
        #[current] memory: Link = example("memory") => link(links, &["memory"]),
        /// URL of the languages.
        languages: Link = example("languages") => link(links, &["languages"]),
        /// URL of the lists of components (always empty).
        #[current] component_lists: Link = example("component-lists") => link(links, &["component-lists"]),
        /// URL of the change log.
        changes: Link = example("changes") => link(links, &["changes"]),
        /// URL of the units.
        units: Link = example("units") => link(links, &["units"]),
        /// URL of the sources.
        #[legacy] sources: Link = example("sources") => link(links, &["sources"]),
        /// URL of the suggestions (always empty).
        #[current] suggestions: Link = example("suggestions") => link(links, &["suggestions"]),
        /// URL of the screenshots (always empty).
        screenshots: Link = example("screenshots") => link(links, &["screenshots"]),
        /// URL of the add-ons (always empty).
        #[current] addons: Link = example("addons") => link(links, &["addons"]),
        /// URL of the categories (always empty).
        #[current] categories: Link = example("categories") => link(links, &["categories"]),
        /// URL of the reports (need an account).
        #[current] reports: Link = example("reports") => link(links, &["reports"]),
    }

    /// Counts of all objects.
    Metrics => metrics(snapshot: &Snapshot, title: &str) {
        let translations = snapshot.components().iter().flat_map(|component| &component.translations);
        let totals = translations.map(|translation| translation.statistics).sum::<Statistics>();
        /// Number of units.
        units: i64 = 19_200 => int(snapshot.unit_count()),
        /// Number of translated units.
        units_translated: i64 = 18_790 => int(totals.translated.units),
        /// Number of users in the change log, including the anonymous user.
        users: i64 = 19 => int(snapshot.users().len() + 1),
        /// Number of entries of the change log.
        changes: i64 = 67_082 => int(snapshot.changes().len()),
        /// Number of projects.
        projects: i64 = 1 => int(snapshot.projects().len()),
        /// Number of components.
        components: i64 = 1 => int(snapshot.components().len()),
        /// Number of translations.
        translations: i64 = 64 => int(snapshot.translation_count()),
        /// Number of languages with a translation.
        languages: i64 = 64 => int(snapshot.languages().len()),
        /// Number of units that fail a check.
        checks: i64 = 120 => int(totals.failing.units),
        #[both] suggestions: AlwaysZero,
        #[both] index_updates: AlwaysZero,
        #[both] celery_queue: AlwaysZero,
        #[both] celery_memory_queue: AlwaysZero,
        /// Title of the server.
        name: String = "gitglot" => text(title),
    }
}
