//! The format `vue-i18n`: plural forms between pipes (`docs/spec/formats.md#vue-i18n`).

use super::node::JsonNode;
use super::walk::{NestedDialect, Walk};
use crate::entry_list::Translated;
use gitglot_model::PluralForm::{self, Index, One, Other, Zero};

pub(crate) struct VueI18n;

impl NestedDialect for VueI18n {
    fn leaf(&self, leaf: JsonNode<'_>, walk: &mut Walk<'_>) {
        let text = leaf.string().filter(|text| text.contains('|'));
        let forms = text.as_deref().map(split).unwrap_or_default();
        let count = forms.len();
        if count < 2 {
            return walk.push(leaf);
        }
        let kinds = (0..count).map(|index| kind(count, index));
        walk.forms(leaf.offset(), Translated::AnyForm, kinds.zip(forms));
    }
}

/// The meaning of a form: two forms are one and other, three are zero, one and other.
fn kind(count: usize, index: usize) -> PluralForm {
    match (count, index) {
        (2, 0) | (3, 1) => One,
        (2, 1) | (3, 2) => Other,
        (3, 0) => Zero,
        _ => Index(u8::try_from(index).unwrap_or(u8::MAX)),
    }
}

/// Splits at pipes outside of `{…}`, and trims the parts.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0usize);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b'|' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}
