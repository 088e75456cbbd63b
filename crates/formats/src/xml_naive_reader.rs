//! Independent readers of TS and XLIFF files for tests: slow, and as close to the rules of `docs/spec/formats.md` as
//! possible. They read a subset: quoted values without references, no processing instructions, no namespaces.

use gitglot_model::PLURAL_SEPARATOR;

#[derive(Clone, PartialEq, Eq, Debug)]
enum Node {
    Element(Tree),
    Text(String),
}

/// An element.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Tree {
    name: String,
    attributes: Vec<(String, String)>,
    children: Vec<Node>,
}

/// Context, source, text, note, locations, flags, and whether it is fuzzy and translated.
pub(super) type NaiveEntry = ([String; 6], bool, bool);

impl Tree {
    fn attribute(&self, name: &str) -> String {
        let found = self.attributes.iter().find(|(key, _)| key == name);
        found.map_or_else(String::new, |(_, value)| value.clone())
    }

    fn elements(&self) -> Vec<&Tree> {
        let elements = self.children.iter().filter_map(|it| match it {
            Node::Element(tree) => Some(tree),
            Node::Text(_) => None,
        });
        elements.collect()
    }

    fn child(&self, name: &str) -> Option<&Tree> {
        self.elements().into_iter().find(|it| it.name == name)
    }

    /// The text before the first element.
    fn text(&self) -> String {
        match self.children.first() {
            Some(Node::Text(text)) => text.clone(),
            _ => String::new(),
        }
    }

    fn child_text(&self, name: &str) -> String {
        self.child(name).map_or_else(String::new, Self::text)
    }
}

/// The root element of a document.
fn tree(document: &str) -> Tree {
    let mut open = vec![Tree::default()];
    let mut rest = document;
    while !rest.is_empty() {
        let top = open.last_mut().unwrap();
        if let Some(cdata) = rest.strip_prefix("<![CDATA[") {
            let (text, after) = cdata.split_once("]]>").unwrap();
            add_text(top, text);
            rest = after;
        } else if rest.starts_with("<!") || rest.starts_with("<?") {
            rest = rest.split_once('>').unwrap().1;
        } else if let Some(tag) = rest.strip_prefix("</") {
            rest = tag.split_once('>').unwrap().1;
            let closed = open.pop().unwrap();
            open.last_mut()
                .unwrap()
                .children
                .push(Node::Element(closed));
        } else if rest.starts_with('<') {
            let end = tag_end(rest);
            let tag = &rest[1..end];
            rest = &rest[end + 1..];
            let element = element(tag.trim_end_matches('/'));
            if tag.ends_with('/') {
                top.children.push(Node::Element(element))
            } else {
                open.push(element)
            }
        } else if let Some(reference) = rest.strip_prefix('&') {
            let (name, after) = reference.split_once(';').unwrap();
            let text = match name {
                "amp" => "&".to_owned(),
                "lt" => "<".to_owned(),
                "gt" => ">".to_owned(),
                number => {
                    let code = number.strip_prefix('#').unwrap().parse().unwrap();
                    char::from_u32(code).unwrap().to_string()
                }
            };
            add_text(top, &text);
            rest = after;
        } else {
            let end = rest.find(['<', '&']).unwrap_or(rest.len());
            add_text(top, &rest[..end]);
            rest = &rest[end..];
        }
    }
    let document = open.remove(0);
    document.elements().remove(0).clone()
}

fn add_text(parent: &mut Tree, text: &str) {
    match parent.children.last_mut() {
        Some(Node::Text(last)) => last.push_str(text),
        _ => parent.children.push(Node::Text(text.to_owned())),
    }
}

/// Where the `>` of the tag at the start of a text is.
fn tag_end(text: &str) -> usize {
    let mut quote = None;
    for (at, character) in text.char_indices() {
        match (quote, character) {
            (None, '>') => return at,
            (None, '"' | '\'') => quote = Some(character),
            (Some(open), _) if open == character => quote = None,
            _ => {}
        }
    }
    text.len()
}

fn element(tag: &str) -> Tree {
    let (name, mut rest) = tag.split_once([' ', '\n']).unwrap_or((tag, ""));
    let mut attributes = Vec::new();
    while let Some((name, after)) = rest.split_once('=') {
        let after = after.trim_start();
        let quote = after.chars().next().unwrap();
        let (value, after) = after[1..].split_once(quote).unwrap();
        attributes.push((name.trim().to_owned(), value.to_owned()));
        rest = after;
    }
    Tree {
        name: name.to_owned(),
        attributes,
        children: Vec::new(),
    }
}

/// Those texts that are not empty, on lines of their own.
fn lines(texts: &[String]) -> String {
    let texts = texts.iter().filter(|text| !text.is_empty());
    texts.cloned().collect::<Vec<_>>().join("\n")
}

/// The entries of a TS file.
pub(super) fn ts(document: &str) -> Vec<NaiveEntry> {
    let mut found = Vec::new();
    for child in tree(document).elements() {
        let mut name = String::new();
        let of_root = [child];
        let children = match &*child.name {
            "context" => child.elements(),
            _ => of_root.to_vec(),
        };
        for child in children {
            match &*child.name {
                "name" => name = child.text(),
                "message" => found.extend(message(child, &name)),
                _ => {}
            }
        }
    }
    found
}

fn message(message: &Tree, name: &str) -> Option<NaiveEntry> {
    let translation = message.child("translation").cloned().unwrap_or_default();
    let kind = translation.attribute("type");
    if kind == "obsolete" {
        return None;
    }
    let is_plural = message.attribute("numerus") == "yes";
    let mut source = message.child_text("source");
    let mut forms = vec![translation.text()];
    if is_plural {
        source = format!("{source}{PLURAL_SEPARATOR}{}", source.replace("(s)", "s"));
        let elements = translation.elements().into_iter();
        forms = elements.map(Tree::text).collect();
    }
    let is_finished = kind != "unfinished";
    let has_text = forms.first().is_some_and(|form| !form.is_empty());
    let text = if is_finished && !has_text {
        source.clone()
    } else {
        forms.join(PLURAL_SEPARATOR)
    };
    let context = [
        name.to_owned(),
        message.child_text("comment"),
        message.attribute("id"),
    ];
    let notes = ["extracomment", "translatorcomment"].map(|it| message.child_text(it));
    let mut locations = Vec::new();
    for location in message.elements() {
        let line = location.attribute("line");
        if location.name == "location" && !line.is_empty() {
            locations.push(format!("{}:{line}", location.attribute("filename")));
        }
    }
    if locations.iter().any(|location| location.contains(":+")) {
        locations.clear();
    }
    let fields = [
        lines(&context),
        source,
        text,
        lines(&notes),
        locations.join(", "),
        String::new(),
    ];
    Some((fields, !is_finished && has_text, is_finished))
}

/// The entries of a file of XLIFF 1.
pub(super) fn xliff(document: &str) -> Vec<NaiveEntry> {
    let mut found = Vec::new();
    for file in tree(document).elements() {
        units(file, &file.attribute("original"), &mut found);
    }
    found
}

fn units(parent: &Tree, original: &str, found: &mut Vec<NaiveEntry>) {
    for child in parent.elements() {
        match &*child.name {
            "body" | "group" => units(child, original, found),
            "trans-unit" => found.extend(trans_unit(child, original)),
            _ => {}
        }
    }
}

fn trans_unit(unit: &Tree, original: &str) -> Option<NaiveEntry> {
    let source = unit.child("source")?;
    let target = unit.child("target").cloned().unwrap_or_default();
    let keeps = unit.attribute("xml:space") == "preserve";
    let has_text = |element: &Tree| !collapsed(&plain(element)).trim().is_empty();
    let is_blank = if keeps {
        plain(source).is_empty() && plain(&target).is_empty()
    } else {
        !has_text(source) && !has_text(&target)
    };
    if unit.attribute("translate") == "no" || is_blank {
        return None;
    }
    let text = inline(&target, keeps);
    let needs_work = matches!(
        &*target.attribute("state"),
        "new" | "needs-translation" | "needs-adaptation" | "needs-l10n"
    );
    let id = unit.attribute("id");
    let context = match (&*unit.attribute("resname"), original) {
        ("", "") => id,
        ("", original) => format!("{original}///{id}"),
        (name, _) => name.to_owned(),
    };
    let width = unit.attribute("maxwidth");
    let flag = if width.is_empty() {
        String::new()
    } else {
        format!("max-length:{width}")
    };
    let notes = unit.elements().into_iter().filter(|it| it.name == "note");
    let notes = notes.map(|it| {
        if keeps {
            plain(it)
        } else {
            collapsed(&plain(it)).trim().to_owned()
        }
    });
    let notes: Vec<String> = notes.collect();
    let fuzzy = needs_work && !text.is_empty();
    let translated = !fuzzy && !text.is_empty();
    let source = inline(source, keeps);
    let fields = [context, source, text, lines(&notes), String::new(), flag];
    Some((fields, fuzzy, translated))
}

/// The entries of a file of XLIFF 2.
pub(super) fn xliff2(document: &str) -> Vec<NaiveEntry> {
    let mut found = Vec::new();
    for unit in tree(document)
        .elements()
        .iter()
        .flat_map(|file| file.elements())
    {
        let segments = unit.elements().into_iter();
        let segments: Vec<&Tree> = segments.filter(|it| it.name == "segment").collect();
        for (number, segment) in segments.iter().enumerate() {
            let Some(source) = segment.child("source") else {
                continue;
            };
            let mut context = unit.attribute("id");
            if segments.len() > 1 {
                let id = segment.attribute("id");
                if id.is_empty() {
                    context += &format!("::segment-{}", number + 1)
                } else {
                    context += &format!("::{id}")
                }
            }
            let target = segment.child("target").cloned().unwrap_or_default();
            let (source, text) = (inline(source, true), inline(&target, true));
            let translated = !text.is_empty();
            let empty = String::new;
            found.push((
                [context, source, text, empty(), empty(), empty()],
                false,
                translated,
            ));
        }
    }
    found
}

/// All text of an element.
fn plain(element: &Tree) -> String {
    let children = element.children.iter().map(|child| match child {
        Node::Text(text) => text.clone(),
        Node::Element(inner) => plain(inner),
    });
    children.collect()
}

fn collapsed(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        let character = if character == '\n' { ' ' } else { character };
        if character != ' ' || !out.ends_with(' ') {
            out.push(character);
        }
    }
    out
}

/// The content of an element as XML.
fn inline(element: &Tree, keeps: bool) -> String {
    let mut out = String::new();
    let has_elements = !element.elements().is_empty();
    for (number, child) in element.children.iter().enumerate() {
        match child {
            Node::Text(text) => {
                let mut text = if keeps { text.clone() } else { collapsed(text) };
                if !keeps && number == 0 {
                    text = text.trim_start().to_owned();
                }
                if !keeps && !has_elements {
                    text = text.trim_end().to_owned();
                }
                let text = text.replace('&', "&amp;").replace('<', "&lt;");
                out += &text.replace('>', "&gt;");
            }
            Node::Element(inner) => {
                out += &format!("<{}", inner.name);
                for (name, value) in &inner.attributes {
                    out += &format!(" {name}=\"{value}\"");
                }
                let content = inline(inner, keeps);
                if content.is_empty() {
                    out += "/>"
                } else {
                    out += &format!(">{content}</{}>", inner.name)
                }
            }
        }
    }
    out
}
