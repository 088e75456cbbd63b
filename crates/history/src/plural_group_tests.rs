//! The template decides whether texts are forms of one plural (docs/spec/formats.md#groups-of-plural-forms), in random
//! histories in which each file groups them differently from the file before.

use std::collections::BTreeMap;

use proptest::prelude::*;

use crate::testing::{ReadHistory, read_as};
use crate::{MAX_ID_BYTES, Projection, read_tip};
use gitglot_model::{
    Action, Component, ComponentSettings, FileFormat, FileMask, PLURAL_SEPARATOR, Slug,
};
use gitglot_testkit::History as Commits;

/// The names that a group can have, those of forms in the order of their categories. A group with a plain text has no other.
const NAMES: [&str; 5] = ["one", "two", "other", "extra", ""];
const PLAIN: u8 = 4;

/// The texts of a file, by group and name.
type Texts = BTreeMap<(u8, u8), u8>;

fn texts() -> impl Strategy<Value = Texts> {
    prop::collection::btree_map((0..3u8, 0..5u8), 0..3u8, 0..7).prop_map(|mut texts| {
        let all = texts.clone();
        texts.retain(|&(group, name), _| name == PLAIN || !all.contains_key(&(group, PLAIN)));
        texts
    })
}

fn component(format: FileFormat) -> ComponentSettings {
    let ending = if format == FileFormat::I18nextV4 {
        "json"
    } else {
        "yml"
    };
    let (slug, mask) = (Slug::new("app").unwrap(), format!("l/*.{ending}"));
    let mask = FileMask::new(&mask).unwrap();
    ComponentSettings::new(slug, mask, &format!("l/en.{ending}"), format)
}

/// A file of Rails or of i18next. It is never empty, and has a text that always changes.
fn file(format: FileFormat, language: &str, version: usize, texts: &Texts) -> String {
    let is_json = format == FileFormat::I18nextV4;
    let mut file = if is_json {
        format!("{{\"version\": \"{version}\"")
    } else {
        format!("{language}:\n  version: v{version}\n")
    };
    let mut last = None;
    for (&(group, name), text) in texts {
        let name = match NAMES[usize::from(name)] {
            "" if is_json => {
                file += &format!(", \"g{group}\": \"t{text}\"");
                continue;
            }
            "" => {
                file += &format!("  g{group}: t{text}\n");
                continue;
            }
            name => name,
        };
        if is_json {
            file += &format!(", \"g{group}_{name}\": \"t{text}\"");
            continue;
        }
        if last != Some(group) {
            file += &format!("  g{group}:\n");
        }
        last = Some(group);
        file += &format!("    {name}: t{text}\n");
    }
    file + if is_json { "}" } else { "" }
}

/// Whether a file itself groups texts with these names, and the names of the forms.
fn forms(format: FileFormat, group: u8, texts: &Texts) -> (bool, Vec<u8>) {
    let names: Vec<u8> = texts
        .keys()
        .filter(|it| it.0 == group)
        .map(|it| it.1)
        .collect();
    let forms: Vec<u8> = names.iter().copied().filter(|&name| name < 3).collect();
    let is_plural = match format {
        FileFormat::I18nextV4 => forms.len() > 1,
        _ => forms.len() == names.len() && (forms.len() > 1 || forms == [2]),
    };
    (is_plural, forms)
}

/// The keys of a template, with the names whose texts a translation can have for each.
fn keys(format: FileFormat, template: &Texts, texts: &Texts) -> BTreeMap<String, Vec<(u8, u8)>> {
    let is_json = format == FileFormat::I18nextV4;
    let mut keys = BTreeMap::new();
    for group in 0..3 {
        let all = || {
            (0..3)
                .chain([PLAIN])
                .map(|name| (group, name))
                .collect::<Vec<_>>()
        };
        let (is_plural, forms_of_template) = forms(format, group, template);
        if is_plural {
            keys.insert(format!("g{group}"), all());
        }
        let names = template.keys().filter(|it| it.0 == group).map(|it| it.1);
        for name in names.filter(|&name| !is_plural || is_json && name == 3) {
            let separator = if is_json { "_" } else { "->" };
            // In i18next, the only text for all numbers has all forms of a translation, of which one is for others.
            let has_other = texts.contains_key(&(group, 2));
            let is_for_all = is_json && forms_of_template == [2] && name == 2 && has_other;
            // A plain text has what the translation itself has under its name.
            let is_grouped = name == PLAIN && forms(format, group, texts).0;
            let key = match NAMES[usize::from(name)] {
                "" => format!("g{group}"),
                name => format!("g{group}{separator}{name}"),
            };
            let names = if is_grouped || is_for_all {
                (0..3)
                    .chain(is_grouped.then_some(PLAIN))
                    .map(|name| (group, name))
                    .collect()
            } else {
                vec![(group, name)]
            };
            keys.insert(key, names);
        }
    }
    keys
}

/// What a translation has for each key of a template.
fn targets(format: FileFormat, template: &Texts, texts: &Texts) -> BTreeMap<String, String> {
    let text = |names: &Vec<(u8, u8)>| {
        let found = names.iter().filter_map(|name| texts.get(name));
        let found: Vec<String> = found.map(|text| format!("t{text}")).collect();
        found.join(PLURAL_SEPARATOR)
    };
    let keys = keys(format, template, texts).into_iter();
    keys.map(|(key, names)| (key, text(&names))).collect()
}

/// The texts of German in the rows of a state.
fn rows(state: &Projection) -> BTreeMap<String, String> {
    let german = state
        .translations
        .iter()
        .find(|it| *it.file_code == *"de")
        .unwrap();
    let row = |(source, unit): (&crate::SourceString, &crate::UnitState)| {
        let texts = [source.context, unit.target()].map(|id| state.texts.get(id).to_owned());
        (texts[0].clone(), texts[1].clone())
    };
    let rows = state.sources.iter().zip(&german.units).map(row);
    rows.filter(|(key, _)| key != "version").collect()
}

/// The newest text of German in the log, by key.
fn newest(history: &ReadHistory) -> BTreeMap<String, String> {
    let state = &history.state;
    let mut newest = BTreeMap::new();
    for entry in state.log.iter() {
        let (Some(key), Some(at)) = (entry.key, entry.lineage) else {
            continue;
        };
        let language = state
            .texts
            .get(state.log.lineages[usize::from(at.0)].language);
        let is_text = matches!(
            entry.action,
            Action::NewTranslation | Action::TranslationChanged
        );
        if is_text && language == "de" {
            newest.insert(
                history.key(key).to_owned(),
                state.texts.get(entry.target).to_owned(),
            );
        }
    }
    newest
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn the_template_decides_about_plurals_in_any_history(
        versions in prop::collection::vec((prop::option::of(texts()), prop::option::of(texts())), 1..7),
    ) {
        for format in [FileFormat::RubyYamlPlurals, FileFormat::I18nextV4] {
            let mut commits = Commits::default();
            let (mut template, mut german) = (Texts::new(), Texts::new());
            let mut labels = Vec::new();
            let settings = component(format);
            for (version, (new_template, new_german)) in versions.iter().enumerate() {
                template = new_template.clone().unwrap_or(template);
                german = new_german.clone().unwrap_or(german);
                labels.push(format!("c{version}"));
                let path = |language| settings.filemask.with_code(language);
                commits = commits
                    .commit(&labels[version])
                    .write(&path("en"), file(format, "en", version, &template))
                    .write(&path("de"), file(format, "de", version, &german));
            }
            let expected = targets(format, &template, &german);
            let together = read_as(settings.clone(), &commits, &[]);
            let tips: Vec<&str> = labels.iter().map(String::as_str).collect();
            let alone = read_as(settings.clone(), &commits, &tips);
            prop_assert_eq!(together.log(), alone.log());
            let tip = together.repo.tip("main");
            let component = Component::new(settings);
            let without_log = read_tip(&component, "en", &together.repository, tip, MAX_ID_BYTES).unwrap();
            for state in [&together.state, &alone.state, &without_log] {
                prop_assert_eq!(rows(state), expected.clone());
            }
            let newest = newest(&together);
            for (key, text) in &expected {
                let of_log = newest.get(key).map_or("", |text| text);
                prop_assert_eq!(of_log, text, "{} in {:#?}", key, together.log());
            }
        }
    }
}

#[test]
fn a_template_that_groups_its_texts_regroups_all_languages() {
    let of = |texts: &str| format!("{{\"k\": \"K\", {texts}}}");
    let commits = Commits::default()
        .commit("texts")
        .write("l/en.json", of("\"n_other\": \"{{count}} days\""))
        .write("l/de.json", of("\"n_one\": \"Tag\", \"n_other\": \"Tage\""))
        .commit("plural")
        .write(
            "l/en.json",
            of("\"n_one\": \"day\", \"n_other\": \"{{count}} days\""),
        );
    let history = read_as(component(FileFormat::I18nextV4), &commits, &[]);
    let lines = history.entries_of("texts");
    assert!(
        lines.contains(&"New translation de n_other=Tag\u{1e}\u{1e}Tage".to_owned()),
        "{lines:?}"
    );
    assert_eq!(
        history.entries_of("plural"),
        [
            "New source string en n=",
            "Resource update en",
            "New translation de n=Tag\u{1e}\u{1e}Tage",
        ]
    );
    assert!(history.stale("de").is_empty());
}
