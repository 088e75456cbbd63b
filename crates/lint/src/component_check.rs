//! The data that the checks of all languages of a component share.

use std::sync::{Arc, OnceLock};

use super::align::{Aligned, TemplateStrings};
use super::bilingual::BilingualStrings;
use super::collector::FileFindingCollector;
use super::component_files::ComponentFiles;
use super::context::{CheckScope, KnownResults};
use super::earlier::EarlierStrings;
use super::language_file::LanguageFile;
use super::renames::Renames;
use super::spec::ComponentSpec;
use crate::finding::Relevance;
use crate::language_file::ParsedFileKey;
use crate::stale::StaleReference;
use gitglot_checks::{Checker, StringRole, TemplateDifference};
use gitglot_model::{BlobId, SeededSet, language, shown_path};

/// The data that the checks of all languages of a component share.
pub(super) struct ComponentCheck<'a> {
    pub(super) spec: &'a ComponentSpec,
    /// The code of the source language, as files have it.
    pub(super) source_language: Arc<str>,
    /// The checks of translations of this template.
    pub(super) checker: Checker,
    /// Those of the base, if its source texts are others.
    pub(super) checker_at_base: Option<Checker>,
    pub(super) scope: CheckScope<'a>,
    /// The state that is checked.
    pub(super) head: &'a ComponentFiles,
    pub(super) template: ParsedFileKey,
    pub(super) rows: &'a TemplateStrings<'a>,
    /// The strings of bilingual files; `None` if a template has them.
    pub(super) bilingual: Option<&'a BilingualStrings>,
    /// The bilingual file of the source language with its strings: what people read in place of the source texts.
    pub(super) wording: Option<(&'a LanguageFile, Aligned<'a>)>,
    /// That of the base, by the rows of the base.
    pub(super) wording_of_base: Option<(&'a LanguageFile, Aligned<'a>)>,
    /// The files of the base with their contents.
    versions_of_base: Option<SeededSet<(&'a str, BlobId)>>,
    /// The path of the template of translations, and whether the change modifies it.
    pub(super) source_file: Option<(Arc<str>, bool)>,
    /// The strings of the base, if its template is readable.
    pub(super) base: Option<EarlierStrings<'a>>,
    /// The strings to which the change gives new keys.
    pub(super) renames: Renames,
    /// Whether the base has the same template.
    pub(super) has_template_of_base: bool,
    /// The state that stale strings are found with.
    pub(super) reference: Option<(ReferenceStrings<'a>, StaleReference<'a>)>,
    /// Results that need not be computed again.
    pub(super) known: Option<KnownStrings<'a>>,
    /// What the keys say, once it is needed.
    roles: OnceLock<Vec<StringRole>>,
}

/// Results that need not be computed again.
pub(super) struct KnownStrings<'a> {
    pub(super) results: &'a dyn KnownResults,
    /// The index of each row in them.
    pub(super) rows: Vec<Option<usize>>,
    /// The difference to the checks that they are results of.
    pub(super) difference: TemplateDifference,
}

/// The strings of the state that stale strings are found with.
pub(super) enum ReferenceStrings<'a> {
    /// Those of the state that is checked.
    Checked,
    /// Those of the base.
    Base,
    /// Others; `None` without a readable template.
    Other(Option<EarlierStrings<'a>>),
}

impl<'a> ComponentCheck<'a> {
    /// The check of a state with this template. With a base, reports the differences; with a reference, stale strings.
    pub fn new(
        spec: &'a ComponentSpec,
        head: &'a ComponentFiles,
        template: &LanguageFile,
        rows: &'a TemplateStrings<'a>,
        base: Option<&'a ComponentFiles>,
        reference: Option<StaleReference<'a>>,
        scope: CheckScope<'a>,
    ) -> Self {
        let meter = scope.limit.meter();
        // Bilingual files say themselves which texts are stale, so that only the base is compared with them.
        let follow = |strings: Option<EarlierStrings<'a>>| {
            let mut strings = strings?;
            let renames = Renames::find(&spec.component, &strings, head, rows, &*meter);
            strings.follow(&renames.rows);
            Some((strings, renames))
        };
        let (earlier, renames) = follow(base.and_then(|base| EarlierStrings::new(base, rows)))
            .map_or_else(Default::default, |(base, renames)| (Some(base), renames));
        let template_of_base = base.and_then(ComponentFiles::readable_template);
        let strings = |side: &'a ComponentFiles| {
            if std::ptr::eq(side, head) {
                ReferenceStrings::Checked
            } else if earlier
                .as_ref()
                .is_some_and(|earlier| std::ptr::eq(side, earlier.side))
            {
                ReferenceStrings::Base
            } else {
                let followed = follow(EarlierStrings::new(side, rows));
                ReferenceStrings::Other(followed.map(|(strings, _)| strings))
            }
        };
        let texts = rows.sources();
        let checker = spec.checker.for_template(texts.clone());
        let known = scope.known.map(|results| {
            let string = |row| results.string(rows.key(row), rows.source(row));
            KnownStrings {
                results,
                rows: (0..rows.len()).map(string).collect(),
                difference: checker.difference(results.checker()),
            }
        });
        let of_base = earlier.as_ref().map(|base| base.rows.sources());
        let of_base = of_base.filter(|base| !base.clone().eq(texts.clone()));
        let source_language = language::resolve(&spec.source_language).code;
        let is_source = |file: &&LanguageFile| file.language.code == source_language;
        let wording = |side: &'a ComponentFiles, rows: &TemplateStrings<'_>| {
            let file = side.languages.iter().find(is_source)?;
            let is_read = side.strings.is_some() && file.content.error.is_none();
            is_read.then(|| (file, Aligned::new(&file.content, rows)))
        };
        Self {
            renames,
            spec,
            source_language: source_language.clone(),
            checker,
            checker_at_base: of_base.map(|texts| spec.checker.for_template(texts)),
            scope,
            head,
            template: template.key(),
            rows,
            bilingual: head.strings.as_ref(),
            wording: wording(head, rows),
            wording_of_base: (earlier.as_ref()).and_then(|base| wording(base.side, &base.rows)),
            versions_of_base: base.map(|base| {
                let files = base.files();
                files.map(|file| (&*file.path, file.blob)).collect()
            }),
            source_file: (head.strings.is_none()).then(|| {
                let is_changed = base.is_some_and(|base| !base.has_version(template));
                (shown_path(&template.path), is_changed)
            }),
            has_template_of_base: template_of_base
                .is_some_and(|of_base| of_base.key() == template.key()),
            reference: reference.map(|reference| (strings(reference.side), reference)),
            known,
            roles: OnceLock::new(),
            base: earlier,
        }
    }

    /// What the key of a row says.
    pub(super) fn role(&self, row: usize) -> StringRole {
        let (format, separators) = (self.spec.component.file_format, &self.spec.separators);
        let row_of = |key: &str| self.rows.row(key).map(|row| row as u32);
        let role_of = |row| StringRole::of(self.rows.key(row), row_of, format, separators);
        let roles = self.roles.get_or_init(|| match self.bilingual {
            Some(_) => Vec::new(),
            None => (0..self.rows.len()).map(role_of).collect(),
        });
        roles.get(row).copied().unwrap_or_default()
    }

    /// Whether the base lacks the string of a row, also in other components.
    pub(super) fn is_added(&self, row: usize) -> bool {
        let base = self.base.as_ref();
        let moves = self.scope.moves;
        base.is_none_or(|base| base.row(row).is_none())
            && moves.is_none_or(|moves| !moves.has_arrived(self.rows.key(row)))
    }

    /// Whether a file has the text of a new key under the old one only.
    pub(super) fn is_remaining(&self, path: &str, new_key: &str) -> bool {
        let moves = self.scope.moves;
        self.renames.is_remaining(path, new_key)
            || moves.is_some_and(|moves| moves.is_remaining(path, new_key))
    }

    /// Whether a string of the base moved to a different component.
    pub(super) fn has_left(&self, old_key: &str) -> bool {
        let moves = self.scope.moves;
        moves.is_some_and(|moves| moves.has_left(old_key))
    }

    pub(super) fn collector(&self, file: &LanguageFile) -> FileFindingCollector<'a> {
        let (language, path) = (&file.language.code, &file.path);
        let mut found = FileFindingCollector::new(self.spec, self.scope, language, path);
        let is_other = |versions: &SeededSet<_>| !versions.contains(&(&**path, file.blob));
        let component = &self.spec.component;
        found.relevance = Relevance {
            is_source: **path == *component.filemask.source_path(component.source_file()),
            is_changed: self.versions_of_base.as_ref().is_some_and(is_other),
            source: None,
        };
        found
    }
}
