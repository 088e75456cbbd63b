//! The header of a file: its charset and its rule of plural forms.

use gitglot_model::language::PluralRule;

/// Bytes of a file in which the charset is searched: headers are at the beginning.
const HEADER_BYTES: usize = 1 << 16;

/// The name of the charset in the header of an undecoded file.
pub(super) fn charset(bytes: &[u8]) -> Option<&[u8]> {
    const KEY: &[u8] = b"charset=";
    let start = bytes.get(..bytes.len().min(HEADER_BYTES))?;
    let lines = start.split(|&byte| byte == b'\n' || byte == b'\r');
    let line = lines
        .filter(|line| line.first() == Some(&b'"'))
        .find(|line| has_name(line, b"\"content-type:"))?;
    let at = line
        .windows(KEY.len())
        .position(|part| part.eq_ignore_ascii_case(KEY))?;
    let value = line.get(at + KEY.len()..)?;
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_.:+".contains(byte);
    let length = value.iter().take_while(is_part).count();
    value.get(..length).filter(|name| !name.is_empty())
}

fn has_name(line: &[u8], name: &[u8]) -> bool {
    line.get(..name.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(name))
}

/// The value of a field of a header. The last line with the name counts, in any case.
pub(super) fn field<'h>(header: &'h str, name: &str) -> Option<&'h str> {
    let mut lines = header.lines().rev();
    lines.find_map(|line| {
        let (found, value) = line.split_once(':')?;
        found.eq_ignore_ascii_case(name).then_some(value)
    })
}

/// The number of forms in the `Plural-Forms` of a header, if its formula is valid. The last line counts.
pub(super) fn plural_forms(header: &str) -> Option<usize> {
    let (count, formula) = plural_formula(header)?;
    PluralRule::count(count, formula)
}

/// The rule of `Plural-Forms`, if it is valid.
pub(super) fn plural_rule(header: &str) -> Option<PluralRule> {
    let (count, formula) = plural_formula(header)?;
    PluralRule::parse(count, formula)
}

/// The number of forms, if there are any, and the formula of `Plural-Forms`.
fn plural_formula(header: &str) -> Option<(usize, &str)> {
    formula(field(header, "Plural-Forms")?).filter(|&(count, _)| count > 0)
}

/// The number of forms and the formula in a value such as `nplurals=2; plural=n != 1;`.
pub(super) fn formula(value: &str) -> Option<(usize, &str)> {
    let (_, count) = value.split_once("nplurals=")?;
    let (count, rest) = count.split_once(';')?;
    let (_, formula) = rest.split_once("plural=")?;
    let count = count.trim().parse().ok()?;
    Some((count, formula.trim().trim_end_matches(';').trim()))
}
