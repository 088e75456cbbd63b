//! The files of a component of each shape, and their changes.

use std::collections::BTreeMap;

use gitglot_model::FileFormat;

/// Slug, mask, template and format of each component. The mask of the second one has two `*`.
/// Those without `*` have one file with all languages, those with `**` a group of files for each language.
pub(super) const COMPONENTS: [(&str, &str, &str, FileFormat); 9] = [
    ("app", "app/*.json", "app/en.json", FileFormat::Json),
    (
        "parts",
        "parts/*/l/*.json",
        "parts/a/l/en.json",
        FileFormat::Json,
    ),
    (
        "web",
        "_locales/*/messages.json",
        "_locales/en/messages.json",
        FileFormat::WebExtension,
    ),
    (
        "catalog",
        "cat/L.xcstrings",
        "cat/L.xcstrings",
        FileFormat::StringCatalog,
    ),
    ("store", "store/*/**", "store/en", FileFormat::AppStore),
    (
        "table",
        "table/L.csv",
        "table/L.csv",
        FileFormat::CsvColumns,
    ),
    (
        "keys",
        "keys/L.yml",
        "keys/L.yml",
        FileFormat::YamlLanguages,
    ),
    ("docs", "docs/*/**", "docs/en", FileFormat::Document),
    (
        "apple",
        "apple/*.lproj/L.strings**",
        "apple/en.lproj/L.strings",
        FileFormat::AppleStrings,
    ),
];
/// Language codes in paths, first that of the template. Two resolve to one language.
const CODES: [&str; 6] = ["en", "cs", "de", "fr", "pt-PT", "pt_PT"];
pub(super) const KEYS: [&str; 5] = ["k0", "k1", "k2", "k3", "k4"];
pub(super) const TEXTS: [&str; 6] = ["", "one", "two", "three", "four", "five"];

/// Files and keys are indexes; a part is a directory of a mask with two `*`.
#[derive(Clone, Debug)]
pub(super) enum Change {
    Set {
        file: u8,
        key: u8,
        text: u8,
    },
    Drop {
        file: u8,
        key: u8,
    },
    Delete {
        file: u8,
    },
    Copy {
        from: u8,
        to: u8,
    },
    Rename {
        from: u8,
        to: u8,
    },
    Second {
        file: u8,
    },
    MoveFolder,
    Break {
        file: u8,
    },
    Repair,
    Clear,
    /// The string moves to a different component, in all files that are there.
    MoveString {
        to: u8,
        key: u8,
        new: u8,
    },
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Content {
    texts: BTreeMap<u8, u8>,
    broken: bool,
}

/// The files of a component: directory of the second `*` and code.
#[derive(Clone, Default, Debug)]
pub(super) struct Files {
    is_moved: bool,
    pub files: BTreeMap<(bool, u8), Content>,
}

impl Content {
    /// The end of a file: a syntax error if it is broken.
    fn end(&self) -> &'static str {
        if self.broken { "<<<<" } else { "" }
    }

    fn written(&self, format: FileFormat) -> String {
        let texts = self.texts.iter().map(|(key, text)| {
            let (key, text) = (KEYS[usize::from(*key)], TEXTS[usize::from(*text)]);
            match format {
                FileFormat::WebExtension => format!(r#""{key}": {{"message": "{text}"}}"#),
                _ => format!(r#""{key}": "{text}""#),
            }
        });
        let texts: Vec<String> = texts.collect();
        let end = self.end();
        format!("{{{}}}{end}\n", texts.join(",\n"))
    }

    /// A file for each text, in a folder whose path ends with `/`.
    fn documents(&self, format: FileFormat, folder: &str) -> Vec<(String, String)> {
        let is_document = format == FileFormat::Document;
        let files = self.texts.iter().map(|(key, text)| {
            let (key, text) = (KEYS[usize::from(*key)], TEXTS[usize::from(*text)]);
            let (end, text) = match (self.broken, is_document) {
                (true, _) => ("png", text.to_owned()),
                (false, true) if !text.is_empty() => ("md", format!("# {text}\n\nof `{text}`\n")),
                (false, true) => ("md", String::new()),
                (false, false) => ("txt", text.to_owned()),
            };
            (format!("{folder}{key}.{end}"), text)
        });
        files.collect()
    }

    /// The end of the name and the content of a strings file or of the one with plurals next to it.
    fn of_apple(&self, has_plurals: bool) -> (&'static str, String) {
        let texts = self.texts.iter().map(|(key, text)| {
            let (key, text) = (KEYS[usize::from(*key)], TEXTS[usize::from(*text)]);
            if !has_plurals {
                return format!("\"{key}\" = \"{text}\";\n");
            }
            let of_key = [("NSStringLocalizedFormatKey", "%#@n@")];
            let format = of_key.map(|(key, it)| format!("<key>{key}</key><string>{it}</string>"));
            let forms = [("one", text), ("other", text)];
            let forms = forms.map(|(form, it)| format!("<key>{form}</key><string>{it}</string>"));
            let [format, forms] = [format.concat(), forms.concat()];
            format!("<key>{key}</key><dict>{format}<key>n</key><dict>{forms}</dict></dict>\n")
        });
        let (texts, end) = (texts.collect::<String>(), self.end());
        if has_plurals {
            let content = format!("<plist><dict>\n{texts}</dict></plist>{end}\n");
            ("dict", content)
        } else {
            ("", format!("{texts}{end}"))
        }
    }
}

impl Files {
    pub fn start() -> Self {
        let content = |texts: &[(u8, u8)]| Content {
            texts: texts.iter().copied().collect(),
            broken: false,
        };
        let files = [
            ((false, 0), content(&[(0, 1), (1, 2)])),
            ((false, 1), content(&[(0, 3)])),
        ];
        Self {
            is_moved: false,
            files: files.into(),
        }
    }

    pub fn apply(&mut self, change: &Change) {
        let files = &mut self.files;
        match *change {
            Change::Set { file, key, text } => {
                let content = files.entry((false, file)).or_default();
                content.texts.insert(key, text);
            }
            Change::Drop { file, key } => {
                if let Some(content) = files.get_mut(&(false, file)) {
                    content.texts.remove(&key);
                }
            }
            Change::Delete { file } => drop(files.remove(&(false, file))),
            Change::Copy { from, to } => {
                let content = files.get(&(false, from)).cloned();
                files.extend(content.map(|content| ((false, to), content)));
            }
            Change::Rename { from, to } => {
                let content = files.remove(&(false, from));
                files.extend(content.map(|content| ((false, to), content)));
            }
            Change::Second { file } => {
                let content = files.get(&(false, file)).cloned().unwrap_or_default();
                files.insert((true, file), content);
            }
            Change::MoveFolder => self.is_moved ^= true,
            Change::Break { file } => {
                if let Some(content) = files.get_mut(&(false, file)) {
                    content.broken = true;
                }
            }
            Change::Repair => files
                .values_mut()
                .for_each(|content| content.broken = false),
            Change::Clear => files.clear(),
            Change::MoveString { .. } => {}
        }
    }

    /// Gives a string to the files of a different component.
    pub fn move_string(&mut self, to: &mut Self, key: u8, new: u8) {
        for (file, content) in &mut self.files {
            let other = to.files.get_mut(file);
            if let (Some(other), Some(text)) = (other, content.texts.get(&key)) {
                other.texts.insert(new, *text);
            }
            content.texts.remove(&key);
        }
    }

    /// The files by path.
    pub fn written(&self, component: usize) -> Vec<(String, String)> {
        let (slug, _, _, format) = COMPONENTS[component];
        let folder = match (slug, self.is_moved) {
            ("web", false) => "_locales".to_owned(),
            ("web", true) => "src/_locales".to_owned(),
            ("catalog", false) => "cat".to_owned(),
            ("catalog", true) => "old/cat".to_owned(),
            (_, false) => slug.to_owned(),
            (_, true) => format!("old/{slug}"),
        };
        let all_languages = match format {
            FileFormat::StringCatalog => Some(self.catalog()),
            FileFormat::CsvColumns => Some(self.table()),
            FileFormat::YamlLanguages => Some(self.yaml()),
            _ => None,
        };
        if let Some(content) = all_languages {
            let path = format!("{folder}/L{}", format.extension());
            let has_file = !self.files.is_empty();
            return has_file.then_some((path, content)).into_iter().collect();
        }
        let files = self.files.iter();
        let files = files.flat_map(|(&(second, file), content)| {
            let code = CODES[usize::from(file)];
            let part = if second { "b" } else { "a" };
            let path = match slug {
                "store" | "docs" => {
                    // A file that is not selected, and a directory.
                    let part = if second { "b/" } else { "" };
                    return content.documents(format, &format!("{folder}/{code}/{part}"));
                }
                "app" => format!("{folder}/{code}.json"),
                "parts" => format!("{folder}/{part}/l/{code}.json"),
                "apple" => {
                    let (end, content) = content.of_apple(second);
                    return vec![(format!("{folder}/{code}.lproj/L.strings{end}"), content)];
                }
                _ => format!("{folder}/{code}/messages.json"),
            };
            vec![(path, content.written(format))]
        });
        files.collect()
    }

    /// The texts of all languages by key. Their order differs with the number of files.
    fn texts_by_key(&self) -> Vec<(&'static str, Vec<(&'static str, &'static str)>)> {
        let mut strings: BTreeMap<u8, Vec<_>> = BTreeMap::new();
        for (&(_, file), content) in self.files.iter().filter(|((second, _), _)| !second) {
            for (key, text) in &content.texts {
                let (code, text) = (CODES[usize::from(file)], TEXTS[usize::from(*text)]);
                strings.entry(*key).or_default().push((code, text));
            }
        }
        let strings = strings.into_iter();
        let mut strings: Vec<_> = strings
            .map(|(key, texts)| (KEYS[usize::from(key)], texts))
            .collect();
        if self.files.len() % 2 == 1 {
            strings.reverse();
        }
        strings
    }

    /// The end of a file with all languages: a syntax error if one of its files is broken.
    fn end(&self) -> &'static str {
        let broken = self.files.values().find(|content| content.broken);
        broken.map_or("", Content::end)
    }

    fn catalog(&self) -> String {
        let strings = self.texts_by_key().into_iter().map(|(key, texts)| {
            let values = texts.into_iter().map(|(code, text)| {
                // Some texts are to be reviewed.
                let state = if text == "three" {
                    "needs_review"
                } else {
                    "translated"
                };
                format!(r#""{code}": {{"stringUnit": {{"state": "{state}", "value": "{text}"}}}}"#)
            });
            let values: Vec<String> = values.collect();
            let values = values.join(", ");
            format!("\"{key}\": {{\"localizations\": {{{values}}}}}")
        });
        let strings: Vec<String> = strings.collect();
        let (strings, end) = (strings.join(",\n"), self.end());
        format!("{{\"sourceLanguage\": \"en\", \"strings\": {{{strings}}}}}{end}\n")
    }

    fn table(&self) -> String {
        let own = self.files.keys().filter(|(second, _)| !second);
        let mut codes: Vec<&str> = own.map(|&(_, file)| CODES[usize::from(file)]).collect();
        if self.files.len() % 2 == 1 {
            codes.reverse();
        }
        let mut rows = vec![format!("key,{}", codes.join(","))];
        rows.extend(self.texts_by_key().into_iter().map(|(key, texts)| {
            let texts: BTreeMap<_, _> = texts.into_iter().collect();
            let cells = codes.iter().map(|code| texts.get(code).copied());
            let cells: Vec<&str> = cells.map(Option::unwrap_or_default).collect();
            format!("{key},{}", cells.join(","))
        }));
        format!("{}\n{}", rows.join("\n"), self.end())
    }

    fn yaml(&self) -> String {
        let strings = self.texts_by_key().into_iter().map(|(key, texts)| {
            let texts = texts
                .into_iter()
                .map(|(code, text)| format!("  {code}: \"{text}\"\n"));
            format!("{key}:\n{}", texts.collect::<String>())
        });
        format!("_version: 2\n{}{}", strings.collect::<String>(), self.end())
    }
}
