use super::translation_path;
use crate::api::json::{HEX, boolean, escaped, fields, int, raw, text};
use crate::api::links::{Links, link, numbered, page};
use crate::catalog::UnitView;
use crate::model::TranslationId;

/// Writes units (api.md 2.6). What the units of one translation have in common is put together once.
pub(in crate::api) struct Units<'a> {
    links: &'a Links,
    of: Option<TranslationId>,
    /// The first field, up to and with the key of the second.
    head: Vec<u8>,
    /// The page of a unit for people, up to and with `checksum=`.
    web: Vec<u8>,
}

impl<'a> Units<'a> {
    /// A writer whose links are these.
    pub(in crate::api) fn new(links: &'a Links) -> Self {
        Self { links, of: None, head: Vec::new(), web: Vec::new() }
    }

    fn prepare(&mut self, view: UnitView<'_>) {
        let path = translation_path(view.component, view.translation);
        self.of = Some(view.translation.id);
        self.head.clear();
        self.head.extend_from_slice(b"{\"translation\":");
        link(&mut self.head, self.links, &["translations/", &path]);
        self.web.clear();
        page(&mut self.web, self.links, &["translate/", &path, "/?checksum="]);
        self.web.pop();
    }

    /// Writes one.
    pub(in crate::api) fn write(&mut self, out: &mut Vec<u8>, view: UnitView<'_>) {
        if self.of != Some(view.translation.id) {
            self.prepare(view);
        }
        let texts = &view.component.texts;
        let (unit, source) = (view.unit, view.source);
        out.extend_from_slice(&self.head);
        fields!(out;
            "source" => text(texts.get(source.source)),
            "previous_source" => text(texts.get(view.translation.previous_source(view.row))),
            "target" => text(texts.get(unit.target)),
            "id_hash" => int(source.id_hash),
            "content_hash" => int(source.content_hash),
            "location" => raw(b"\"\""),
            "context" => text(texts.get(source.context)),
            "comment" => comment(texts.get(source.note), texts.get(unit.note)),
            "flags" => raw(b"\"\""),
            "fuzzy" => boolean(unit.fuzzy()),
            "translated" => boolean(unit.translated()),
            "position" => int(source.position),
            "has_suggestion" => raw(b"false"),
            "has_comment" => raw(b"false"),
            "has_failing_check" => boolean(unit.failing()),
            "num_words" => int(source.words),
            "priority" => raw(b"100"),
            "id" => int(unit.id.0),
            "web_url" => checksum(&self.web, source.id_hash),
            "url" => numbered(self.links, "units/", unit.id.0),
            "source_info" => numbered(self.links, "sources/", source.id.0),
        );
        out.push(b'}');
    }
}

/// The notes of template and translation as one text (units.md 3, "comment").
fn comment(out: &mut Vec<u8>, template: &str, translation: &str) {
    out.push(b'"');
    if template != translation {
        escaped(out, template);
        out.push(b' ');
    }
    escaped(out, translation);
    out.push(b'"');
}

/// The page of a unit: its hash in hexadecimal without leading zeros (units.md 5).
fn checksum(out: &mut Vec<u8>, web: &[u8], id_hash: i64) {
    out.extend_from_slice(web);
    let hash = (id_hash as u64) ^ (1 << 63);
    let digits = (64 - hash.leading_zeros()).div_ceil(4).max(1);
    out.extend((0..digits).rev().map(|at| HEX[(hash >> (4 * at)) as usize & 15]));
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_have_no_leading_zeros() {
        for (id_hash, shown) in [
            (2141328909150225308, "9db7874c312c839c"),
            (-9008166147883819275, "2fc909da5af9ef5"),
            (-9200099127887087275, "52ae965fe8b955"),
            (i64::MIN, "0"),
        ] {
            let mut out = Vec::new();
            checksum(&mut out, b"", id_hash);
            assert_eq!(String::from_utf8(out).unwrap(), format!("{shown}\""));
        }
    }
}
