//! Makes the work list from the findings of a check.

use std::collections::BTreeMap;

use super::examples::Examples;
use super::forms::forms_of;
use super::{TodoItem, TodoList, TodoProblem, VERSION, WorkKind, id_of, list};
use crate::align::TemplateStrings;
use crate::collector::path_of_string;
use crate::component_check::ComponentCheck;
use crate::component_files::ComponentFiles;
use crate::context::CheckScope;
use crate::file::{ParsedFile, forms, shown};
use crate::finding::{Finding, report_key, string_name};
use crate::language_file::LanguageFile;
use crate::language_run::LanguageRun;
use crate::output::line;
use crate::report::ReadState;
use crate::spec::ComponentSpec;
use gitglot_checks::{CheckInput, DiffMark, word_diff};
use gitglot_model::{SeededMap, SeededSet, file_of_part};

/// A component that was checked.
#[derive(Clone, Copy)]
pub struct TodoComponent<'a> {
    /// The component.
    pub spec: &'a ComponentSpec,
    /// Its files in the state that was checked.
    pub head: &'a ComponentFiles,
    /// The findings of its check.
    pub findings: &'a [Finding],
}

/// Selects a string by the path of its file and its key.
pub type SelectString<'a> = dyn Fn(&str, &str) -> bool + 'a;

/// Which strings a list has.
#[derive(Clone, Copy, Default)]
pub struct TodoFilter<'a> {
    /// The codes of the languages; empty for all.
    pub languages: &'a [String],
    /// Whether only what the base lacks counts.
    pub only_new: bool,
    /// Selects strings by the path of their file and their key.
    pub selects: Option<&'a SelectString<'a>>,
    /// The id of the string before the first one.
    pub after: Option<&'a str>,
    /// The most strings of the page; `None` for all.
    pub limit: Option<usize>,
}

/// Collects the strings of the components of one repository after the other.
pub struct TodoBuilder<'f> {
    filter: TodoFilter<'f>,
    items: Vec<TodoItem>,
    total: usize,
    /// Whether the page has begun.
    has_begun: bool,
    /// Whether there are strings after the page.
    has_more: bool,
}

/// A string in a list: the index of its file, its row, after all rows for keys that the template lacks, and its key.
type Position<'a> = (usize, usize, &'a str);

impl<'f> TodoBuilder<'f> {
    /// An empty list.
    pub fn new(filter: TodoFilter<'f>) -> Self {
        Self {
            has_begun: filter.after.is_none(),
            filter,
            items: Vec::new(),
            total: 0,
            has_more: false,
        }
    }

    /// Adds the strings of the components of a repository, in this order.
    pub fn add(&mut self, components: &[TodoComponent<'_>]) {
        let readable = components.iter().filter_map(|component| {
            let template = component.head.readable_template()?;
            Some((component, TemplateStrings::new(&template.content)))
        });
        let readable: Vec<_> = readable.collect();
        let mut examples = Examples::new(&readable);
        let mut work: Vec<BTreeMap<Position<'_>, Vec<&Finding>>> = Vec::new();
        let mut with_work: SeededMap<&str, SeededSet<(usize, usize)>> = SeededMap::default();
        for (at, (component, rows)) in readable.iter().enumerate() {
            let found = work_of(component, rows);
            for &(file, row, _) in found.keys() {
                let language = &component.head.languages[file].language.code;
                with_work.entry(language).or_default().insert((at, row));
            }
            work.push(found);
        }
        for (at, ((component, rows), work)) in readable.iter().zip(&work).enumerate() {
            self.add_component(at, component, rows, work, &mut examples, &with_work);
        }
    }

    fn add_component<'a>(
        &mut self,
        at: usize,
        component: &TodoComponent<'a>,
        rows: &TemplateStrings<'a>,
        work: &BTreeMap<Position<'_>, Vec<&Finding>>,
        examples: &mut Examples<'_>,
        with_work: &SeededMap<&str, SeededSet<(usize, usize)>>,
    ) {
        let (spec, head) = (component.spec, component.head);
        let Some(template) = head.readable_template() else {
            return;
        };
        let check = ComponentCheck::new(spec, head, template, rows, None, None, CheckScope::ALL);
        let mut language: Option<(usize, LanguageRun<'_, '_>, SeededMap<String, String>)> = None;
        let notes_of_template = match head.strings {
            None => template.content.notes(template.single_form),
            Some(_) => SeededMap::default(),
        };
        let start = self.start(component, rows, work);
        for (&position, findings) in work {
            let (index, row, key) = position;
            let file = &head.languages[index];
            if !self.is_selected(file, key, findings) {
                continue;
            }
            self.total += 1;
            if !self.has_begun || start.is_some_and(|start| position <= start) {
                continue;
            }
            let limit = self.filter.limit;
            if limit.is_some_and(|limit| self.items.len() >= limit) {
                self.has_more = true;
                continue;
            }
            if language.as_ref().is_none_or(|(other, ..)| *other != index) {
                let notes = match head.strings {
                    None => SeededMap::default(),
                    Some(_) => file.content.notes(file.single_form),
                };
                language = Some((index, check.language_run(file, &|_| true), notes));
            }
            let Some((_, run, notes)) = &language else {
                continue;
            };
            let strings = with_work.get(&*file.language.code);
            let mut item = item(run, spec, file, row, key, findings);
            if row < rows.len() {
                let has_work =
                    |at, row| strings.is_some_and(|strings| strings.contains(&(at, row)));
                item.examples = examples.of(at, row, &file.language.code, &has_work);
                let note = notes.get(key).or_else(|| notes_of_template.get(key));
                item.note = note.cloned().unwrap_or_default();
            }
            self.items.push(item);
        }
    }

    /// The string that the page begins after, if it belongs to the component. It may have no work any more.
    fn start<'a>(
        &mut self,
        component: &TodoComponent<'a>,
        rows: &TemplateStrings<'a>,
        work: &BTreeMap<Position<'a>, Vec<&Finding>>,
    ) -> Option<Position<'a>> {
        let after = self.filter.after.filter(|_| !self.has_begun)?;
        let files = &component.head.languages;
        let id = |file: usize, key: &str| id_of(&component.spec.name, &files[file].path, key);
        let all = (0..files.len())
            .flat_map(|file| (0..rows.len()).map(move |row| (file, row, rows.key(row))));
        let mut all = work.keys().copied().chain(all);
        let found = all.find(|&(file, _, key)| id(file, key) == after);
        self.has_begun = found.is_some();
        found
    }

    fn is_selected(&self, file: &LanguageFile, key: &str, findings: &[&Finding]) -> bool {
        let filter = &self.filter;
        let is_language = |code: &String| *code == *file.language.code;
        (filter.languages.is_empty() || filter.languages.iter().any(is_language))
            && (!filter.only_new || findings.iter().any(|finding| finding.new))
            && filter
                .selects
                .is_none_or(|selects| selects(&file.path, key))
    }

    /// The list, or `None` if no string has the id to continue after.
    pub fn finish(self, read: ReadState, notes: Vec<String>) -> Option<TodoList> {
        let last = self.items.last().map(|item| item.id.clone());
        self.has_begun.then(|| TodoList {
            version: VERSION,
            read,
            notes,
            total: self.total,
            next: last.filter(|_| self.has_more),
            items: self.items,
        })
    }
}

/// The findings of each string of a component that has some.
fn work_of<'a>(
    component: &TodoComponent<'a>,
    rows: &TemplateStrings<'a>,
) -> BTreeMap<Position<'a>, Vec<&'a Finding>> {
    let format = rows.file.format();
    let shape = format.shape();
    let mut row_of: SeededMap<String, usize> = SeededMap::default();
    if !shape.has_template() {
        for row in (0..rows.len()).rev() {
            row_of.insert(string_name(format, rows.key(row)).into_owned(), row);
        }
    }
    let files = (0..).zip(&component.head.languages);
    // The parts of a file differ in their language only.
    let has_groups = component.spec.component.filemask.has_groups();
    let place = |file: &'a LanguageFile| {
        let path = (!has_groups).then(|| file_of_part(&file.path));
        (path.unwrap_or_default(), &*file.language.code)
    };
    let index: SeededMap<_, usize> = files.map(|(at, file)| (place(file), at)).collect();
    let mut found: BTreeMap<_, Vec<&Finding>> = BTreeMap::new();
    for finding in component.findings {
        let file = if has_groups { "" } else { &*finding.file };
        let Some(&file) = index.get(&(file.into(), &*finding.language)) else {
            continue;
        };
        if WorkKind::of(finding.check).is_none() {
            continue;
        }
        let row = if shape.has_template() {
            rows.row(finding.key.id())
        } else {
            row_of.get(finding.key.id()).copied()
        };
        let position = match row {
            Some(row) => (file, row, rows.key(row)),
            None => (file, usize::MAX, finding.key.id()),
        };
        found.entry(position).or_default().push(finding);
    }
    found
}

/// The work on a string, without note and examples. One expression per field makes it long.
fn item(
    run: &LanguageRun<'_, '_>,
    spec: &ComponentSpec,
    file: &LanguageFile,
    row: usize,
    key: &str,
    findings: &[&Finding],
) -> TodoItem {
    let rows = run.check.rows;
    let checks = findings.iter().map(|finding| finding.check);
    let kinds = checks.filter_map(WorkKind::of);
    let kind = kinds.min().unwrap_or(WorkKind::Failing);
    let is_of_kind = |it: &&&Finding| WorkKind::of(it.check) == Some(kind);
    let first = findings.iter().find(is_of_kind).or(findings.first());
    let mut all = findings.iter();
    let stale = all.find(|finding| finding.previous_source.is_some());
    let previous = stale.and_then(|finding| finding.previous_source.clone());
    let is_string = row < rows.len();
    let source = if is_string { rows.source(row) } else { "" };
    let entry = run.entries.entry(row);
    let text = entry.map(|entry| run.entries.file.text(entry));
    let target = || findings.iter().find_map(|finding| finding.target.clone());
    let translation = text.map_or_else(|| target().into_iter().collect(), list);
    let flags = entry.map_or("", |entry| run.entries.file.flags(entry));
    let forms = if is_string {
        forms_of(file, source, &rows.file.categories(rows.entry(row)))
    } else {
        Vec::new()
    };
    let report = first.map(|finding| {
        let (file, message) = (line(&finding.file), crate::output::message(finding));
        format!("{file}:{}: {}: {message}", finding.line, finding.check.id())
    });
    TodoItem {
        id: id_of(&spec.name, &file.path, key),
        kind,
        component: spec.name.clone(),
        language: file.language.code.clone(),
        file: path_of_string(&file.path, key),
        line: first.map_or(1, |finding| finding.line),
        key: report_key(rows.file.format(), key),
        source: list(source),
        change: stale.and_then(|finding| finding.change),
        diff: previous
            .as_deref()
            .and_then(|previous| diff(previous, &shown(source))),
        previous_source: previous,
        translation,
        note: String::new(),
        placeholders: placeholders(run, source, flags),
        max_length: run.checker.max_length(flags).filter(|_| is_string),
        proposal: vec![String::new(); forms.len()],
        forms,
        problems: findings.iter().copied().map(TodoProblem::of).collect(),
        examples: Vec::new(),
        report: report.unwrap_or_default(),
    }
}

/// The different placeholders of a source text, in order.
fn placeholders(run: &LanguageRun<'_, '_>, source: &str, flags: &str) -> Vec<String> {
    let source = forms(source);
    let unit = CheckInput {
        flags,
        ..CheckInput::new(&source, &[])
    };
    let mut seen = SeededSet::default();
    let spans = run.checker.placeholders(&unit).into_iter();
    spans
        .filter_map(|span| Some(source.get(span.form)?.get(span.range)?.to_owned()))
        .filter(|text| seen.insert(text.clone()))
        .collect()
}

/// A change of a text, with removed and new words marked; `None` if it is too long to be compared.
fn diff(old: &str, new: &str) -> Option<String> {
    let mut out = String::new();
    let mut open = DiffMark::Equal;
    let end = |mark| match mark {
        DiffMark::Equal => "",
        DiffMark::Removed => "-]",
        DiffMark::Added => "+}",
    };
    for (mark, part) in word_diff(old, new)? {
        if mark != open {
            out.push_str(end(open));
            open = mark;
            out.push_str(match open {
                DiffMark::Equal => "",
                DiffMark::Removed => "[-",
                DiffMark::Added => "{+",
            });
        }
        out.push_str(part);
    }
    out.push_str(end(open));
    Some(out)
}

impl ParsedFile {
    /// The notes of the entries that have one, by key.
    fn notes(&self, single_form: bool) -> SeededMap<String, String> {
        let mut notes = SeededMap::default();
        self.each_entry(single_form, &mut |entry| {
            if !entry.note.is_empty() {
                let key = entry.key().into_owned();
                notes.entry(key).or_insert_with(|| entry.note.to_owned());
            }
        });
        notes
    }
}
