//! Faults of documents (`docs/spec/lint.md#documents`): front matter, merge marks, code blocks, links and images.

use super::collector::FileFindingCollector;
use super::earlier::EarlierString;
use super::language_run::LanguageRun;
use crate::finding::FindingKind;
use gitglot_formats::yaml_error;
use gitglot_model::{SeededSet, counted, front_matter};

/// A fault of a document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DocumentFault {
    /// Its kind.
    pub kind: FindingKind,
    /// A sentence.
    pub message: String,
    /// The line that it is in, 1-based.
    pub line: u32,
}

impl DocumentFault {
    fn new(kind: FindingKind, line: usize, message: String) -> Self {
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        Self {
            kind,
            message,
            line,
        }
    }
}

/// Reports the faults of a document.
pub(super) fn report_document<'f>(
    run: &LanguageRun<'_, 'f>,
    row: usize,
    target: &'f str,
    before: Option<EarlierString<'f>>,
    found: &mut FileFindingCollector<'_>,
) {
    let (key, source) = (run.check.rows.key(row), run.check.rows.source(row));
    let faults = document_faults(source, target);
    let before = before.filter(|_| !faults.is_empty());
    let old = before.and_then(|string| Some(document_faults(string.source, string.translation()?)));
    let old = old.unwrap_or_default();
    let old = old.iter().map(|fault| (fault.kind, &*fault.message));
    let old: SeededSet<(FindingKind, &str)> = old.collect();
    for fault in faults {
        let is_new = !old.contains(&(fault.kind, &*fault.message));
        found.add(fault.kind, key, is_new, |finding| {
            run.describe(finding, row, run.entries.entry(row), fault.message);
            finding.line = fault.line;
        });
    }
}

/// The ends of names of images.
const IMAGES: [&str; 7] = [".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif"];

/// What is written in blocks of these languages is text, which can be translated.
const TEXTS: [&str; 9] = [
    "",
    "md",
    "markdown",
    "mdx",
    "text",
    "txt",
    "plaintext",
    "mermaid",
    "console",
];

const UNFINISHED: &str = "The document has the marks of a merge that was not finished.";

/// What comments begin with.
const COMMENTS: [&str; 5] = ["#", "//", "--", "/*", "<!--"];

/// The faults of a document, given its source.
pub fn document_faults(source: &str, target: &str) -> Vec<DocumentFault> {
    let mut found = Vec::new();
    let mut add = |kind, line, message| found.push(DocumentFault::new(kind, line, message));
    // Without front matter in the source, a line `---` begins a section.
    if front_matter(source).is_some()
        && unreadable(source).is_none()
        && let Some(reason) = unreadable(target)
    {
        add(FindingKind::FrontMatter, 1, reason);
    }
    if let Some(line) = merge_mark(target, &[])
        && merge_mark(source, &[]).is_none()
    {
        add(FindingKind::MergeMark, line, UNFINISHED.to_owned());
    }
    let (wanted, present) = (blocks(source), blocks(target));
    if wanted.len() != present.len() {
        let message = format!(
            "The document has {}, the source has {}.",
            counted(present.len(), "code block"),
            wanted.len()
        );
        add(FindingKind::CodeBlock, 1, message);
    } else {
        for (number, (wanted, present)) in (1..).zip(wanted.iter().zip(&present)) {
            if wanted.language != present.language {
                let message = format!(
                    "The language of code block {number} is \"{}\", in the source \"{}\".",
                    present.language, wanted.language
                );
                add(FindingKind::CodeBlock, present.line, message);
            } else if wanted.code() != present.code() {
                let message = format!("Code block {number} differs from that of the source.");
                add(FindingKind::CodeContent, present.line, message);
            }
        }
    }
    let (wanted, present) = (Links::of(source), Links::of(target));
    let mut names: Vec<&str> = wanted.images.difference(&present.images).copied().collect();
    if !names.is_empty() {
        names.sort_unstable();
        let message = format!("Images of the source are missing: {}.", names.join(", "));
        add(FindingKind::DocumentLink, 1, message);
    }
    if present.count < wanted.count {
        let message = format!(
            "The document has {}, the source has {}.",
            counted(present.count, "link"),
            wanted.count
        );
        add(FindingKind::DocumentLink, 1, message);
    }
    found
}

/// The faults of a source document. Texts about merges have their marks in blocks of code.
pub fn source_document_faults(source: &str) -> Vec<DocumentFault> {
    let mut found = Vec::new();
    let reason = front_matter(source).and_then(|_| unreadable(source));
    found.extend(reason.map(|reason| DocumentFault::new(FindingKind::FrontMatter, 1, reason)));
    let mark = merge_mark(source, &blocks(source));
    let unfinished = |line| DocumentFault::new(FindingKind::MergeMark, line, UNFINISHED.to_owned());
    found.extend(mark.map(unfinished));
    found
}

/// Why the front matter of a document cannot be read.
fn unreadable(text: &str) -> Option<String> {
    let Some(fields) = front_matter(text) else {
        let is_open = text.lines().next().map(str::trim_end) == Some("---");
        return is_open.then(|| "The front matter does not end with a line \"---\".".to_owned());
    };
    let error = yaml_error(fields)?;
    Some(format!("The front matter is no YAML: {error}."))
}

/// The line where the marks of a merge begin, outside of these blocks of the text.
fn merge_mark(text: &str, blocks: &[Block<'_>]) -> Option<usize> {
    let mut blocks = blocks.iter().peekable();
    let (mut begin, mut has_end) = (None, false);
    for (number, line) in (1..).zip(text.lines()) {
        while blocks.next_if(|block| block.last_line() < number).is_some() {}
        if blocks.peek().is_some_and(|block| block.line <= number) {
            continue;
        }
        if line.starts_with("<<<<<<< ") {
            begin = begin.or(Some(number));
        }
        has_end |= line.starts_with(">>>>>>> ");
    }
    begin.filter(|_| has_end)
}

/// A block of code between fences.
struct Block<'t> {
    language: &'t str,
    line: usize,
    lines: Vec<&'t str>,
}

impl Block<'_> {
    /// The last line of the document that is in the block.
    fn last_line(&self) -> usize {
        self.line + self.lines.len()
    }

    /// The code without comments and spaces around it, which translations change.
    fn code(&self) -> Vec<&str> {
        if TEXTS.contains(&self.language) {
            return Vec::new();
        }
        let code = self.lines.iter().map(|line| {
            let ends = COMMENTS.iter().filter_map(|mark| line.find(mark));
            line[..ends.min().unwrap_or(line.len())].trim()
        });
        code.filter(|line| !line.is_empty()).collect()
    }
}

/// The blocks of code of a document.
fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut found: Vec<Block<'_>> = Vec::new();
    let mut open: Option<&str> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let trimmed = line.trim();
        let mark = trimmed.chars().next().filter(|mark| "`~".contains(*mark));
        let rest = mark.map_or(trimmed, |mark| trimmed.trim_start_matches(mark));
        let fence = &trimmed[..trimmed.len() - rest.len()];
        match (open, found.last_mut()) {
            (Some(fence_of_block), Some(_))
                if fence.starts_with(fence_of_block) && rest.is_empty() =>
            {
                open = None;
            }
            (Some(_), Some(block)) => block.lines.push(line),
            _ if fence.len() >= 3 && !rest.contains('`') => {
                open = Some(fence);
                let language = rest.trim().split([' ', '{', ',']).next();
                found.push(Block {
                    language: language.unwrap_or_default(),
                    line: number,
                    lines: Vec::new(),
                });
            }
            _ => {}
        }
    }
    found
}

/// The links and images of a document.
#[derive(Default)]
struct Links<'t> {
    count: usize,
    /// The names of the files of images.
    images: SeededSet<&'t str>,
}

impl<'t> Links<'t> {
    fn of(text: &'t str) -> Self {
        let mut links = Self::default();
        let mut rest = text;
        while let Some(at) = rest.find("](") {
            rest = &rest[at + 2..];
            let end = rest.find([')', ' ', '\n']).unwrap_or(rest.len());
            if !links.add_image(&rest[..end]) {
                links.count += 1;
            }
            rest = &rest[end..];
        }
        let mut rest = text;
        while let Some(at) = rest.find("src=\"") {
            rest = &rest[at + 5..];
            let end = rest.find(['"', '\n']).unwrap_or(rest.len());
            links.add_image(&rest[..end]);
        }
        links
    }

    /// Adds a target if it is an image, and returns whether it is one.
    fn add_image(&mut self, target: &'t str) -> bool {
        let path = target.split(['?', '#']).next().unwrap_or_default();
        let name = path.rsplit('/').next().unwrap_or_default();
        let is_image = IMAGES.iter().any(|end| name.ends_with(end));
        if is_image {
            self.images.insert(name);
        }
        is_image
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(source: &str, target: &str) -> Vec<String> {
        let faults = document_faults(source, target).into_iter();
        let shown = |it: DocumentFault| format!("{} {} {}", it.kind.id(), it.line, it.message);
        faults.map(shown).collect()
    }

    #[test]
    fn front_matter_parses_and_no_merge_is_open() {
        let source = "---\ntitle: A\ntags: [a, b]\ndate: 2026-01-01\n---\nText";
        assert_eq!(
            found(source, "---\ntitle: B\ndraft: true\n---\nWort"),
            [""; 0]
        );
        let broken = found(source, "---\ntitle: \"B\n---\nWort");
        assert!(
            broken[0].starts_with("front-matter 1 The front matter is no YAML: "),
            "{broken:?}"
        );
        assert_eq!(
            found(source, "---\ntitle: B\n"),
            ["front-matter 1 The front matter does not end with a line \"---\"."]
        );
        assert_eq!(found("Text", "---\n**Hinweis**: Wort\n---\n"), [""; 0]);
        let open = "Wort\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> main\n";
        let message = "merge-mark 2 The document has the marks of a merge that was not finished.";
        assert_eq!(found("Text", open), [message]);
        assert_eq!(found(open, open), [""; 0], "a text about merges");
    }

    #[test]
    fn aliases_of_front_matter_are_not_expanded() {
        let levels = ["a: &a [x, x]", "b: &b [*a, *a]"].map(str::to_owned);
        let more = ('c'..='z')
            .zip('b'..)
            .map(|(to, of)| format!("{to}: &{to} [*{of}, *{of}]"));
        let lines: Vec<String> = levels.into_iter().chain(more).collect();
        let many = format!("---\n{}\n---\nWort", lines.join("\n"));
        assert_eq!(found("---\na: b\n---\nText", &many), [""; 0]);
        assert_eq!(found(&many, "---\na: *b\n---\n").len(), 1);
    }

    #[test]
    fn a_source_has_faults_of_its_own() {
        let found = |source: &str| {
            let faults = source_document_faults(source).into_iter();
            let shown = |it: DocumentFault| format!("{} {}", it.kind.id(), it.line);
            faults.map(shown).collect::<Vec<_>>()
        };
        assert_eq!(found("---\ntitle: A\n---\nText"), [""; 0]);
        assert_eq!(found("---\nA line begins a section."), [""; 0]);
        assert_eq!(found("---\ntitle: \"A\n---\nText"), ["front-matter 1"]);
        let merge = "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> main\n";
        assert_eq!(found(&["Text\n", merge].concat()), ["merge-mark 2"]);
        assert_eq!(found(&["```\n", merge, "```\n"].concat()), [""; 0]);
    }

    #[test]
    fn code_is_that_of_the_source() {
        let source = "```js title=\"a\"\nf(1); // one\n```\n~~~text\nWords\n~~~\n";
        assert_eq!(
            found(source, "```js\nf(1); // eins\n```\n~~~text\nWorte\n~~~\n"),
            [""; 0]
        );
        assert_eq!(
            found(source, "\n```js\nf(2);\n```\n~~~py\nWorte\n~~~\n"),
            [
                "code-content 2 Code block 1 differs from that of the source.",
                "code-block 5 The language of code block 2 is \"py\", in the source \"text\".",
            ]
        );
        assert_eq!(
            found(source, "```js\nf(1);\n```\n"),
            ["code-block 1 The document has 1 code block, the source has 2."]
        );
        assert_eq!(found("Text ```a``` b", "Wort"), [""; 0]);
    }

    #[test]
    fn links_and_images_of_the_source_are_there() {
        let source = "[a](/en/a) ![b](../img/b.png) <img src=\"c.svg\">";
        assert_eq!(
            found(source, "[a](/de/a) ![b](img/b.png) <img src=\"c.svg\">"),
            [""; 0]
        );
        assert_eq!(
            found(source, "<img src=\"c.svg\">"),
            [
                "document-link 1 Images of the source are missing: b.png.",
                "document-link 1 The document has 0 links, the source has 1.",
            ]
        );
    }
}
