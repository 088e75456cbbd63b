//! The formats `i18next` (version 3) and `i18nextv4` (`docs/spec/formats.md#i18next`).

use std::borrow::Cow;

use super::node::JsonNode;
use super::walk::{NestedDialect, Walk};
use crate::entry::Alternative;
use crate::entry_list::Translated;
use gitglot_model::{PluralForm, SeededMap, SeededSet};

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
                if let Some((base, forms)) = plurals.incomplete(index, name, &members) {
                    let forms = forms.iter().map(|(form, text)| (*form, &**text));
                    let (kind, at) = (Alternative::Plural, member.offset());
                    walk.alternative_plural(base, kind, at, Translated::FirstForm, forms);
                }
                continue;
            };
            let texts: Vec<Cow<'_, str>> = group.iter().map(|&at| members[at].1.text()).collect();
            let forms = (0..)
                .map(PluralForm::Index)
                .zip(texts.iter().map(|text| &**text));
            walk.plural(base, member.offset(), Translated::FirstForm, forms);
            for at in group {
                done[at] = true;
                walk.alternative_text(&members[at].0, members[at].1);
            }
        }
    }
}

/// The forms of a plural, each with its text.
type Forms<'m> = Vec<(PluralForm, Cow<'m, str>)>;

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

    /// The plural of a template that a member without the first form has texts of: its name and the forms, of which the
    /// first one is empty. Each plural is returned for its first form only.
    fn incomplete<'n>(
        &self,
        index: usize,
        name: &'n str,
        members: &[(Cow<'_, str>, JsonNode<'m>)],
    ) -> Option<(&'n str, Forms<'m>)> {
        let (base, forms) = match name.strip_suffix("_plural") {
            Some(base) => (base, vec![None, Some(index)]),
            None => {
                let (base, _) = numbered(name)?;
                let forms = self.numbered.get(base)?;
                let count = forms.iter().rposition(Option::is_some)? + 1;
                (base, forms[..count].to_vec())
            }
        };
        let present: Vec<usize> = forms.iter().flatten().copied().collect();
        let is_first = forms.first() == Some(&None) && present.first() == Some(&index);
        let text = |at: Option<usize>| at.map_or(Cow::Borrowed(""), |at| members[at].1.text());
        let texts = (0..)
            .map(PluralForm::Index)
            .zip(forms.iter().map(|at| text(*at)));
        (is_first && are_scalars(members, &present)).then(|| (base, texts.collect()))
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
    group.iter().all(|&at| !members[at].1.kind().is_container())
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
        groups.retain(|_, group| !group.has_other_values);
        let names: SeededSet<&str> = if self.single_form {
            members.iter().map(|(name, _)| &**name).collect()
        } else {
            SeededSet::default()
        };
        for (index, (name, member)) in members.iter().enumerate() {
            let Some((base, group)) = forms[index].and_then(|(base, _)| groups.get_key_value(base))
            else {
                walk.member(self, name, *member);
                continue;
            };
            let is_plural = self.is_plural(base, group, &names);
            // A template in which `key_other` is alone has one text for all numbers.
            let is_for_all = group.forms.len() > 1 && name.ends_with("_other");
            let is_first = group.forms[0].1 == index;
            if is_plural && !is_for_all {
                walk.alternative_text(name, *member);
            }
            if is_plural && !is_first && !is_for_all {
                continue;
            }
            let mut forms = group.forms.clone();
            forms.sort_by_key(|&(form, _)| form);
            let text = |&(form, at): &(PluralForm, usize)| {
                if is_ordinal(base) {
                    (form.to_ordinal(), members[at].1.text())
                } else {
                    (form, members[at].1.text())
                }
            };
            let texts: Vec<_> = forms.iter().map(text).collect();
            let forms = texts.iter().map(|(form, text)| (*form, &**text));
            let (at, rule) = (member.offset(), Translated::AnyForm);
            if !is_plural {
                walk.member(self, name, *member);
                walk.alternative_plural(base, Alternative::Plural, at, rule, forms);
                continue;
            }
            if is_first {
                walk.plural(base, at, rule, forms.clone());
            }
            if is_for_all {
                walk.alternative_plural(name, Alternative::Any, at, rule, forms);
            }
        }
    }
}

impl I18nextV4 {
    /// Whether the members are forms of one text. A single form could be a name that ends in `_other` by chance; in a
    /// language with a single form it is one, unless the text for other numbers is next to it.
    fn is_plural(&self, base: &str, group: &PluralGroup, names: &SeededSet<&str>) -> bool {
        group.forms.len() > 1
            || is_ordinal(base)
            || self.single_form && group.forms[0].0 == PluralForm::Other && !names.contains(base)
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

#[cfg(test)]
mod tests {
    use crate::reader_for;
    use gitglot_model::{FileFormat, PLURAL_SEPARATOR};

    /// The alternatives of a file.
    fn alternatives(format: FileFormat, single_form: bool, text: &str) -> Vec<String> {
        let mut found = Vec::new();
        let reader = reader_for(format, single_form);
        reader
            .read_all(text.as_bytes(), &mut |entry| {
                let text = entry.text.replace(PLURAL_SEPARATOR, "|");
                found.extend(
                    entry
                        .alternative
                        .is_some()
                        .then(|| format!("{} = {text}", entry.context)),
                );
            })
            .unwrap();
        found
    }

    #[test]
    fn no_shown_key_of_a_nested_file_starts_with_a_dot() {
        let text = br#"{"menu": {"open": "x"}}"#;
        let mut formats = 0;
        for format in FileFormat::ALL {
            let mut ids = Vec::new();
            let read = reader_for(format, false).read_all(text, &mut |it| {
                ids.push(it.context.to_owned());
            });
            for id in ids.iter().filter(|_| read.is_ok()) {
                assert!(!format.shown_key(id).starts_with('.'), "{format:?}: {id}");
                formats += 1;
            }
        }
        assert!(formats > 5, "{formats}");
    }

    #[test]
    fn a_plural_has_its_forms_as_alternatives() {
        let of = |text| alternatives(FileFormat::I18nextV4, false, text);
        let text = r#"{"a": {"n_one": "x", "n_other": "y"}, "m_two": "z"}"#;
        assert_eq!(of(text), ["a.n_one = x", "a.n_other = x|y", "m = z"]);
        // An entry of the file counts before an alternative.
        assert_eq!(of(r#"{"m": "x", "m_other": "y"}"#), [""; 0]);
        let single = alternatives(FileFormat::I18nextV4, true, r#"{"n_other": "x"}"#);
        assert_eq!(single, ["n_other = x"]);
    }

    #[test]
    fn a_plural_of_version_3_can_lack_its_first_form() {
        let of = |text| alternatives(FileFormat::I18next, false, text);
        assert_eq!(of(r#"{"n": "x", "n_plural": "y"}"#), [".n_plural = y"]);
        assert_eq!(of(r#"{"n_plural": "y"}"#), [".n = |y"]);
        let forms = [".n = |y||z", ".m_0 = u"];
        assert_eq!(of(r#"{"n_1": "y", "n_3": "z", "m_0": "u"}"#), forms);
    }
}
