//! The formats `i18next` (version 3) and `i18nextv4` (`docs/spec/formats.md#i18next`).

use std::borrow::Cow;

use super::node::JsonNode;
use super::token::JsonKind;
use super::walk::{NestedDialect, Walk};
use crate::entry_list::Translated;
use gitglot_model::{PluralForm, SeededMap};

/// The format `i18next`: plurals are `key` and `key_plural`, or `key_0` to `key_9`.
pub(crate) struct I18next;

/// The format `i18nextv4`: plurals are `key_one`, `key_other` and so on.
pub(crate) struct I18nextV4 {
    /// Whether `key_other` alone is a plural. True for languages with a single plural form.
    pub(crate) single_form: bool,
}

impl NestedDialect for I18next {
    const LEADING_DOT: bool = true;

    fn object(&self, object: JsonNode<'_>, walk: &mut Walk<'_>) {
        let members = object.members();
        let plurals = V3Plurals::of(&members);
        let mut done = vec![false; members.len()];
        for (index, (name, member)) in members.iter().enumerate() {
            if done[index] {
                continue;
            }
            let group = plurals.group(index, name);
            let Some((base, group)) = group.filter(|(_, group)| are_scalars(&members, group))
            else {
                walk.member(self, name, *member);
                continue;
            };
            let texts: Vec<Cow<'_, str>> = group.iter().map(|&at| members[at].1.text()).collect();
            let forms = (0..)
                .map(PluralForm::Index)
                .zip(texts.iter().map(|text| &**text));
            walk.plural(base, member.offset(), Translated::FirstForm, forms);
            group.iter().for_each(|&at| done[at] = true);
        }
    }
}

/// The members of an object whose names end like those of plural forms.
#[derive(Default)]
struct V3Plurals<'m> {
    /// The indexes of `key_plural`, by `key`.
    second: SeededMap<&'m str, usize>,
    /// The indexes of `key_0` to `key_9`, by `key`.
    numbered: SeededMap<&'m str, [Option<usize>; 10]>,
}

impl<'m> V3Plurals<'m> {
    fn of(members: &'m [(Cow<'_, str>, JsonNode<'_>)]) -> Self {
        let mut plurals = Self::default();
        for (index, (name, _)) in members.iter().enumerate() {
            if let Some(base) = name.strip_suffix("_plural") {
                plurals.second.insert(base, index);
            } else if let Some((base, number)) = numbered(name) {
                plurals.numbered.entry(base).or_default()[number] = Some(index);
            }
        }
        plurals
    }

    /// The plural that a member belongs to: its name and the indexes of its forms.
    fn group<'n>(&self, index: usize, name: &'n str) -> Option<(&'n str, Vec<usize>)> {
        if let Some(&second) = self.second.get(name) {
            return Some((name, vec![index, second]));
        }
        let (base, _) = numbered(name)?;
        let forms = self.numbered.get(base)?;
        let group: Vec<usize> = forms.iter().map_while(|form| *form).collect();
        group.contains(&index).then_some((base, group))
    }
}

/// Splits a name such as `key_2`.
fn numbered(name: &str) -> Option<(&str, usize)> {
    let [base @ .., b'_', digit @ b'0'..=b'9'] = name.as_bytes() else {
        return None;
    };
    Some((name.get(..base.len())?, usize::from(digit - b'0')))
}

fn are_scalars(members: &[(Cow<'_, str>, JsonNode<'_>)], group: &[usize]) -> bool {
    group
        .iter()
        .all(|&at| !matches!(members[at].1.kind(), JsonKind::Object | JsonKind::Array))
}

/// The members of an object whose names differ only in the plural form.
#[derive(Default)]
struct PluralGroup {
    /// Their forms and indexes.
    forms: Vec<(PluralForm, usize)>,
    /// Whether a member is no string.
    has_other_values: bool,
}

impl NestedDialect for I18nextV4 {
    fn object(&self, object: JsonNode<'_>, walk: &mut Walk<'_>) {
        let members = object.members();
        let forms: Vec<_> = members.iter().map(|(name, _)| v4_form(name)).collect();
        let mut groups: SeededMap<&str, PluralGroup> = SeededMap::default();
        for (index, form) in forms.iter().enumerate() {
            if let Some((base, form)) = *form {
                let group = groups.entry(base).or_default();
                group.forms.push((form, index));
                group.has_other_values |= !members[index].1.kind().is_string();
            }
        }
        groups.retain(|base, group| self.is_plural(base, group));
        for (index, (name, member)) in members.iter().enumerate() {
            match forms[index].and_then(|(base, _)| groups.get_key_value(base)) {
                None => walk.member(self, name, *member),
                Some((base, group)) if group.forms[0].1 == index => {
                    let mut forms = group.forms.clone();
                    forms.sort_by_key(|&(form, _)| form);
                    let text = |&(form, at): &(PluralForm, usize)| match is_ordinal(base) {
                        true => (form.to_ordinal(), members[at].1.text()),
                        false => (form, members[at].1.text()),
                    };
                    let texts: Vec<_> = forms.iter().map(text).collect();
                    let forms = texts.iter().map(|(form, text)| (*form, &**text));
                    walk.plural(base, member.offset(), Translated::AnyForm, forms);
                }
                Some(_) => {}
            }
        }
    }
}

impl I18nextV4 {
    /// Whether the members are forms of one text. A single form could be a name that ends in `_other` by chance.
    fn is_plural(&self, base: &str, group: &PluralGroup) -> bool {
        let enough = group.forms.len() > 1
            || is_ordinal(base)
            || self.single_form && group.forms[0].0 == PluralForm::Other;
        enough && !group.has_other_values
    }
}

/// Whether the forms are for ordinal numbers: `key_ordinal_one`.
fn is_ordinal(base: &str) -> bool {
    base.ends_with("_ordinal")
}

/// Splits the name of a plural form. Ordinals keep `_ordinal` in the base.
fn v4_form(name: &str) -> Option<(&str, PluralForm)> {
    let (base, suffix) = name.rsplit_once('_')?;
    Some((base, PluralForm::from_category(suffix)?))
}
