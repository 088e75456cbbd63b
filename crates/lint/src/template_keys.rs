//! The keys of the templates of all components: a key that moves from one to another is not lost. Does not depend on trees.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use gitglot_model::{Component, FileFormat, SeededMap, SeededSet};

/// The keys of all templates. Each template is read once, however many components look up keys.
pub(crate) struct TemplateKeys<'a> {
    /// For each format and key the only template that has the key; `None` if several have it.
    only: HashMap<FileFormat, SeededMap<String, Option<&'a str>>>,
}

impl<'a> TemplateKeys<'a> {
    /// Reads the templates of components.
    pub(crate) fn read(
        components: &[&'a Component],
        read: impl Fn(&str) -> Option<Vec<u8>>,
    ) -> Self {
        let mut only: HashMap<_, SeededMap<String, Option<&str>>> = HashMap::new();
        let mut seen = SeededSet::default();
        for component in components {
            let (format, template) = (component.file_format, &*component.template);
            if !seen.insert((format, template)) {
                continue;
            }
            let Some(bytes) = read(template) else {
                continue;
            };
            let keys = only.entry(format).or_default();
            // A template that does not parse has no keys here.
            let _ = gitglot_formats::read_file(format, &bytes, &mut |entry| match keys
                .entry(entry.key().into_owned())
            {
                Entry::Occupied(mut known) if *known.get() != Some(template) => {
                    known.insert(None);
                }
                Entry::Occupied(_) => {}
                Entry::Vacant(new) => {
                    new.insert(Some(template));
                }
            });
        }
        Self { only }
    }

    /// Whether another template of the format of a component has a key.
    pub(crate) fn is_elsewhere(&self, component: &Component, key: &str) -> bool {
        let keys = self.only.get(&component.file_format);
        let template = keys.and_then(|keys| keys.get(key));
        template.is_some_and(|template| *template != Some(&*component.template))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::ComponentSpec;

    #[test]
    fn each_template_is_read_once_for_all_components() {
        let of_format = |format, template| ComponentSpec::of_format(format, template).component;
        let json = |template| of_format(FileFormat::Json, template);
        let all = [json("a"), json("a"), json("b")];
        let yaml = of_format(FileFormat::Yaml, "c");
        let all: Vec<&Component> = all.iter().chain([&yaml]).collect();
        let read = std::cell::RefCell::new(Vec::new());
        let keys = TemplateKeys::read(&all, |path| {
            read.borrow_mut().push(path.to_owned());
            let own = path.strip_suffix(".json")?;
            Some(format!(r#"{{"both": "x", "{own}": "x"}}"#).into_bytes())
        });
        assert_eq!(read.into_inner(), ["a.json", "b.json", "c.json"]);
        let elsewhere = |at: usize| {
            let is_elsewhere = |key: &&str| keys.is_elsewhere(all[at], key);
            let known = [".both", ".a", ".b", ".c"].into_iter();
            known.filter(is_elsewhere).collect::<Vec<_>>()
        };
        assert_eq!(elsewhere(0), [".both", ".b"]);
        assert_eq!(elsewhere(1), [".both", ".b"]);
        assert_eq!(elsewhere(2), [".both", ".a"]);
    }
}
