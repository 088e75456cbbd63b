//! Texts in XML files.

use super::put;
use crate::encode::xml;

/// A text as the value of an attribute in double quotes, in which Weblate escapes no apostrophe.
pub(super) fn attribute(text: &str) -> String {
    xml::attribute(text).replace("&apos;", "'")
}

/// A text that is well-formed XML, with attributes in double quotes and its contents as `content` writes them; `None` for
/// others and for texts without elements.
pub(super) fn markup(text: &str, content: impl Fn(&str) -> String) -> Option<String> {
    use quick_xml::events::Event;
    let mut reader = quick_xml::Reader::from_str(text);
    let (mut out, mut depth, mut elements) = (String::new(), 0_usize, 0_usize);
    loop {
        let event = reader.read_event().ok()?;
        match &event {
            Event::Start(tag) | Event::Empty(tag) => {
                let is_empty = matches!(event, Event::Empty(_));
                put!(out, "<{}", tag.name().as_ref());
                for attribute in tag.attributes() {
                    let attribute = attribute.ok()?;
                    let name = attribute.key.as_ref().to_owned();
                    let value = attribute.value.to_string();
                    put!(out, " {name}=\"{}\"", value.replace('"', "&quot;"));
                }
                out.push_str(if is_empty { "/>" } else { ">" });
                depth += usize::from(!is_empty);
                elements += 1;
            }
            Event::End(tag) => {
                depth = depth.checked_sub(1)?;
                put!(out, "</{}>", tag.name().as_ref());
            }
            Event::Text(text) => out.push_str(&content(text)),
            Event::GeneralRef(name) => put!(out, "&{};", &**name),
            Event::Eof => break,
            _ => return None,
        }
    }
    (depth == 0 && elements > 0).then_some(out)
}
