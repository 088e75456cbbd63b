//! Compares the placeholders of a translation with the source (`docs/spec/checks.md#format-checks`).

pub(crate) mod laravel;
mod meaning;
pub(crate) mod styles;
pub(crate) mod vue;

use crate::pair::surplus;
use crate::registry::CheckId;
use gitglot_model::language::{Coverage, PluralRule};

use crate::finding::{Difference, FaultKind, PartialFinding, named};
use crate::input::{CheckInput, FormPair, coverage};
use crate::rules::xml;
use crate::tokens::{self, Placeholder, lone_mark};
use laravel::TemplateNames;

/// Settings of a format check.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct FormatRules<'a> {
    /// Every plural form must contain all placeholders: the flag `strict-format`.
    pub(crate) strict: bool,
    /// The form for 0 and 1 must contain all placeholders: Android resources.
    pub(crate) zero_and_one_strict: bool,
    /// Quotes are not escaped: GWT resources.
    pub(crate) plain_quotes: bool,
    /// The program reads apostrophes as quotes of placeholders: messages of Java.
    pub(crate) has_quotes: bool,
    /// Only tokens that are certainly placeholders count: inferred checks.
    pub(crate) certain_only: bool,
    /// The form `one` is for 1 alone, whatever the plural rule says.
    pub(crate) simple_one: bool,
    /// The texts are those of Rails, which gives each message of an error the same values.
    pub(crate) rails: bool,
    /// The texts are templates of Go, with actions that only control others: `{{ if }}`.
    pub(crate) go_template: bool,
    /// Placeholders that are written differently and mean the same are the same: inferred checks.
    pub(crate) precise: bool,
    /// The plural categories of the language. Forms of others are never shown. `None` unless the checks are
    /// inferred and the categories are known.
    pub(crate) categories: Option<&'static [&'static str]>,
    /// The names behind colons in the texts of the template. `None` if it is not known.
    pub(crate) template_names: Option<&'a TemplateNames>,
}

/// Checks all forms of a unit.
pub(crate) fn check(
    check: CheckId,
    unit: &CheckInput,
    plural: Option<&PluralRule>,
    rules: FormatRules,
) -> Option<PartialFinding> {
    let may_occur = |texts: &[&str]| texts.iter().any(|text| tokens::may_occur(check, text));
    let quoted = check == CheckId::JavaFormat && unit.target.iter().any(|text| text.contains('\''));
    if !quoted && !may_occur(unit.source) && !may_occur(unit.target) {
        return None;
    }
    let plural_forms = plural.map_or(unit.target.len(), PluralRule::forms);
    let findings = unit.counted_pairs(plural_forms).filter_map(|mut pair| {
        let many = unit.with_many(pair);
        let source_has_no_number = unit.is_for_few(&pair)
            && tokens(check, pair.source, rules).is_empty()
            && !tokens(check, many.source, rules).is_empty();
        if source_has_no_number {
            pair = many;
        }
        let category = unit.categories.get(pair.target_form).copied();
        let is_unused = |used: &[&str]| category.is_some_and(|category| !used.contains(&category));
        if rules.categories.is_some_and(is_unused) {
            return None;
        }
        let is_first = match category.filter(|_| unit.source_categories.is_some()) {
            Some(category) => category == "one",
            None => pair.target_form == 0,
        };
        let covered = coverage(plural, unit, pair.target_form);
        let forgiven = match covered {
            Coverage::Many => false,
            Coverage::One => !is_first || !rules.strict,
            Coverage::ZeroAndOne => {
                // `Delete this message?` is for one message alone, `1 message` would be shown for none, too.
                let is_for_one = rules.precise
                    && source_has_no_number
                    && !pair.target.contains(|char: char| char.is_ascii_digit());
                is_first && !rules.strict && (!rules.zero_and_one_strict || is_for_one)
            }
        };
        // Only some languages have these forms, and then each is for a single number.
        let is_single = match category {
            // A form is for the numbers of its category: `one` covers 21 in Russian.
            Some("zero") => rules.precise,
            Some("one") => rules.precise && (plural_forms == 1 || rules.simple_one),
            _ => false,
        };
        compare(check, unit, &pair, forgiven || is_single, rules)
    });
    PartialFinding::of_forms(findings)
}

/// Whether a `%` belongs to the number before it: `100%-osan`.
fn is_percentage(text: &str, token: &Placeholder<'_>) -> bool {
    let before = &text[..token.range.start];
    let before = before.trim_end_matches(['\\', ' ', '\u{a0}', '\u{202f}']);
    token.text.starts_with("%-")
        && !token.text.bytes().any(|byte| byte.is_ascii_digit())
        && before.ends_with(|char: char| char.is_ascii_digit())
}

/// Whether a `%` belongs to the number behind it, as in Turkish: `%100`. Qt has no placeholders with three digits.
fn is_percentage_before(text: &str, token: &Placeholder<'_>) -> bool {
    let after = text.get(token.range.start + 1..).unwrap_or_default();
    let mut digits = after.bytes().take_while(u8::is_ascii_digit);
    digits.nth(2).is_some()
}

/// Whether a text shows a number with a percent sign behind it. `51%` does not show `1`.
fn shows_percent(text: &str, number: &str) -> bool {
    text.match_indices('%').any(|(at, _)| {
        let before = text[..at].strip_suffix(number);
        before.is_some_and(|before| !before.ends_with(|char: char| char.is_ascii_digit()))
    })
}

/// Whether a `%` is in an address, where it encodes a character.
fn is_in_url(text: &str, at: usize) -> bool {
    let before = bounded_end(&text[..at], MAX_URL);
    let word = before
        .rsplit(|char: char| char.is_whitespace() || matches!(char, '"' | '\'' | '<' | '('))
        .next();
    word.is_some_and(|word| word.contains("://"))
}

/// The longest part of an address that is read backwards.
const MAX_URL: usize = 512;

/// The end of a text, at most `limit` bytes.
fn bounded_end(text: &str, limit: usize) -> &str {
    let mut start = text.len().saturating_sub(limit);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    &text[start..]
}

pub(crate) fn tokens<'a>(
    check: CheckId,
    text: &'a str,
    rules: FormatRules<'_>,
) -> Vec<Placeholder<'a>> {
    let mut tokens = match check {
        CheckId::CSharpFormat if rules.precise => tokens::find_dotnet(text),
        check => tokens::find(check, text),
    };
    if rules.certain_only {
        tokens.retain(|token| {
            !token.text.starts_with('%')
                || (tokens::is_certain(check, &token.text)
                    && !is_in_url(text, token.range.start)
                    && !is_percentage(text, token))
        });
    }
    if rules.rails && check == CheckId::RubyFormat {
        tokens.retain(|token| token.text.starts_with("%{") || token.text.starts_with("%<"));
    }
    if rules.go_template && check == CheckId::I18nextInterpolation {
        tokens.retain(|token| !is_control_action(&text[token.range.clone()]));
    }
    if rules.precise {
        if matches!(
            check,
            CheckId::AngularjsFormat
                | CheckId::EsFormat
                | CheckId::I18nextInterpolation
                | CheckId::VueFormat
        ) {
            let tokens = tokens.iter_mut();
            tokens.for_each(|token| without_spaces(text, token));
        }
        if check == CheckId::VueFormat {
            // A quoted text: `{'@'}`.
            tokens.retain(|token| !token.text.starts_with("{'"));
        }
        if check == CheckId::CFormat {
            let tokens = tokens.iter_mut();
            tokens.for_each(|token| without_digits_flag(text, token));
        }
        if check == CheckId::LaravelFormat {
            tokens.retain(|token| !laravel::is_face(&token.text));
        }
        if check == CheckId::QtFormat {
            tokens.retain(|token| !is_percentage_before(text, token));
        }
        tokens.retain(|token| !meaning::is_other_syntax(check, &token.text));
    }
    tokens
}

/// The first word of an action of Go's templates: `if` in `{{- if lt .Count 20 }}`.
fn keyword(action: &str) -> &str {
    let inside = action.trim_matches(['{', '}', '-', ' ']);
    inside.split_whitespace().next().unwrap_or_default()
}

/// Whether an action of Go's templates shows no value: `{{ if lt .Count 20 }}`, `{{- end }}`.
fn is_control_action(action: &str) -> bool {
    let keyword = keyword(action);
    matches!(
        keyword,
        "if" | "else" | "end" | "range" | "with" | "break" | "continue"
    ) || keyword.starts_with("/*")
}

/// Where an action of Go's templates begins or ends a block without its counterpart.
fn unpaired_action(text: &str) -> Option<usize> {
    let mut open = Vec::new();
    for token in tokens::find(CheckId::I18nextInterpolation, text) {
        let at = token.range.start;
        match keyword(&text[token.range]) {
            "if" | "range" | "with" | "block" | "define" => open.push(at),
            "else" if open.is_empty() => return Some(at),
            "end" if open.pop().is_none() => return Some(at),
            _ => {}
        }
    }
    open.pop()
}

/// Compares `{ name }` as `{name}`. Spaces between two words stay: they make another name.
fn without_spaces(text: &str, token: &mut Placeholder<'_>) {
    let written = text.get(token.range.clone()).unwrap_or_default();
    if token.text.is_empty() || !written.contains(char::is_whitespace) {
        return;
    }
    let is_word = |char: char| char.is_alphanumeric() || char == '_';
    let mut joined = String::with_capacity(written.len());
    for part in written.split_whitespace() {
        if joined.ends_with(is_word) && part.starts_with(is_word) {
            joined.push(' ');
        }
        joined.push_str(part);
    }
    token.text = joined.into();
}

/// Whether a message of Java quotes a placeholder, so that it is text: `'{0}'`. The tokens are in order.
fn without_quoted<'a>(text: &str, tokens: &[Placeholder<'a>]) -> Vec<Placeholder<'a>> {
    let mut marks = text.match_indices('\'').map(|(at, _)| at).peekable();
    let mut is_quoted = false;
    let is_text = |token: &&Placeholder<'_>| {
        while let Some(at) = marks.next_if(|at| *at < token.range.start) {
            // Two of them are an apostrophe.
            if marks.next_if_eq(&(at + 1)).is_none() {
                is_quoted = !is_quoted;
            }
        }
        !is_quoted
    };
    tokens.iter().filter(is_text).cloned().collect()
}

/// Drops the flag of glibc for the digits of the language, which `msgfmt` allows in translations: `%Id` is `%d`, and `%I02d`
/// is `%02d`.
fn without_digits_flag(text: &str, token: &mut Placeholder<'_>) {
    let rest = &text[token.range.end..];
    let after = rest.trim_start_matches(|char: char| char == '\'' || char.is_ascii_digit());
    let width = rest[..rest.len() - after.len()].trim_start_matches('\'');
    // In Windows, these are the size of the number: `%I64d`.
    let is_size = matches!(width, "32" | "64");
    if token.text.ends_with('I')
        && !is_size
        && let Some(conversion @ ('d' | 'i' | 'u')) = after.chars().next()
    {
        token.range.end += rest.len() - after.len() + 1;
        let before = token.text.trim_end_matches('I');
        token.text = format!("{before}{width}{conversion}").into();
    }
}

/// The values that Rails gives each message of an error.
pub(crate) const RAILS: &[&str] = &["%{attribute}", "%{count}", "%{model}", "%{value}"];

/// Compares one pair. An empty text has no placeholders to compare.
fn compare(
    check: CheckId,
    unit: &CheckInput,
    pair: &FormPair,
    missing_forgiven: bool,
    rules: FormatRules,
) -> Option<PartialFinding> {
    if pair.source.is_empty() || pair.target.is_empty() {
        return None;
    }
    let mut rules = rules;
    let mut wanted = tokens(check, pair.source, rules);
    // The source is no format string: tools that mark them take `USAGE%` for one.
    if rules.precise && wanted.iter().any(|token| token.text == "%") {
        rules.certain_only = true;
        wanted = tokens(check, pair.source, rules);
    }
    let mut found = tokens(check, pair.target, rules);
    // A source that quotes its placeholders is no message of Java.
    if rules.has_quotes
        && check == CheckId::JavaFormat
        && without_quoted(pair.source, &wanted).len() == wanted.len()
        && [pair.source, pair.target]
            .iter()
            .all(|text| text.matches('\'').count() % 2 == 0)
    {
        found = without_quoted(pair.target, &found);
    }
    let only_in = |text, these: &[Placeholder<'_>], those: &[Placeholder<'_>]| {
        let tokens = surplus(these, those, |token| &token.text);
        named(text, tokens.into_iter().map(|token| token.range.clone()))
    };
    let mut missing = only_in(pair.source, &wanted, &found);
    // Each is searched for in the whole text.
    let is_examined = rules.precise && missing.len() <= MAX_EXAMINED;
    let is_lost =
        |name: &str| !missing_forgiven || (is_examined && is_malformed(name, pair.target));
    missing.retain(|(name, _)| is_lost(name));
    let extra = only_in(pair.target, &found, &wanted);
    let differs = !missing.is_empty() || !extra.is_empty();
    if rules.precise && differs {
        let Some(mut difference) = meaning::difference(check, pair, &wanted, &found) else {
            return syntax(check, pair, rules, &found);
        };
        // The messages of the language have the attribute themselves.
        if rules.rails && pair.target == "%{message}" && pair.source.contains("%{attribute}") {
            return None;
        }
        difference.missing.retain(|(name, _)| is_lost(name));
        let may_be_shorter = check == CheckId::LaravelFormat
            && laravel::accept(&mut difference, pair, &found, rules.template_names);
        let is_known = |name: &str| {
            // `%40` for `40%`, as in Turkish.
            let number = name
                .strip_prefix('%')
                .filter(|_| check == CheckId::QtFormat);
            let mut forms = unit.source.iter();
            // The program fills in the values of all forms, and a language can have variables of its own.
            forms.any(|form| {
                form.contains(name) || number.is_some_and(|number| shows_percent(form, number))
            }) || name.starts_with("%#@")
                || (rules.rails && RAILS.contains(&name))
        };
        difference.extra.retain(|(name, _)| !is_known(name));
        // Another one before it has its place: `%s %s %d` for `%s %d` has one `%s` too many.
        let mut lost = difference.missing.iter();
        let is_moved =
            is_examined && lost.any(|(name, _)| found.iter().any(|token| token.text == *name));
        if is_moved && !(missing.is_empty() && extra.is_empty()) {
            difference = Difference { missing, extra };
        }
        if check == CheckId::VueFormat {
            vue::accept_numbers(&mut difference, pair, unit.source.len() > 1);
        }
        let Difference { missing, extra } = difference;
        let is_minor = may_be_shorter && extra.is_empty();
        let finding = PartialFinding::of_parts("placeholders", pair, &missing, &extra)?;
        return Some(finding.weighed(is_minor));
    }
    if let Some(problem) = PartialFinding::of_parts("placeholders", pair, &missing, &extra) {
        return Some(problem);
    }
    // Only the last ones may be missing: the program fills in the others by position. In formats that mix them, those with
    // a number do not move the others.
    let is_positional = wanted.iter().any(|token| token.positional);
    let has_place = |token: &&Placeholder<'_>| token.positional || !rules.precise;
    let in_source = wanted.iter().filter(has_place);
    let in_target = found.iter().filter(has_place);
    let mut places = in_source.zip(in_target);
    if is_positional && places.any(|(one, other)| one.text != other.text) {
        return Some(reordered(pair, found));
    }
    syntax(check, pair, rules, &found)
}

fn reordered(pair: &FormPair, found: Vec<Placeholder<'_>>) -> PartialFinding {
    let message = "The order of placeholders without a name or number differs from the source.";
    let ranges = found.into_iter().map(|token| token.range);
    let finding = PartialFinding::new(message).in_both(pair, [], ranges);
    finding.with_fault(FaultKind::Reordered, "", pair.target_form)
}

/// The most placeholders that differ of which each is searched in a text.
pub(crate) const MAX_EXAMINED: usize = 100;

/// Whether a text has a placeholder in braces without the closing one, or one of printf with spaces in it.
fn is_malformed(name: &str, text: &str) -> bool {
    if name.starts_with('%') && !name.contains(['{', '(', '<']) {
        return is_torn(name, text);
    }
    // `%(count)` for `%(count)s`.
    if let Some(("%", rest)) = name.split_once('(') {
        let named = rest.split_once(')').map_or(rest, |(named, _)| named);
        return text.contains(&format!("%({named})"));
    }
    let open = name.trim_end_matches('}').trim_end();
    let is_longer = |char: char| char.is_alphanumeric() || "_-.".contains(char);
    let is_end = |after: &str| {
        !after.starts_with(is_longer) && !after.trim_start().starts_with(['}', ',', ':', '|'])
    };
    let mut found = text.match_indices(open);
    name.ends_with('}') && found.any(|(at, _)| is_end(&text[at + open.len()..]))
}

/// Whether a text has a placeholder of printf with spaces in it, `% 1 $ s`, or one with a number that lost its conversion.
fn is_torn(name: &str, text: &str) -> bool {
    let is_one = |start: &str| {
        let (mut rest, mut has_space) = (start, false);
        for char in name.chars().skip(1) {
            let after = rest.trim_start_matches(' ');
            has_space |= after.len() < rest.len();
            let Some(next) = after.strip_prefix(char) else {
                // `%1$` for `%1$s`.
                let is_end = |char: char| char == ' ' || !char.is_ascii();
                return start[..start.len() - rest.len()].ends_with('$')
                    && rest.chars().next().is_none_or(is_end);
            };
            rest = next;
        }
        has_space && !rest.starts_with(char::is_alphanumeric)
    };
    let mut starts = text.match_indices('%').map(|(at, _)| &text[at + 1..]);
    starts.any(is_one)
}

/// Checks rules of a format that do not depend on the source.
fn syntax(
    check: CheckId,
    pair: &FormPair,
    rules: FormatRules,
    found: &[Placeholder<'_>],
) -> Option<PartialFinding> {
    match check {
        CheckId::CFormat | CheckId::ObjcFormat | CheckId::JavaPrintfFormat
            if rules.precise && !found.is_empty() =>
        {
            let at = meaning::stray_percent(pair.target, found)?;
            let message = "The translation has a percent sign that begins no placeholder.";
            Some(malformed(pair, message, at))
        }
        CheckId::I18nextInterpolation if rules.go_template => {
            let at = unpaired_action(pair.target)?;
            if unpaired_action(pair.source).is_some() {
                return None;
            }
            let message = "The translation begins or ends a block without its counterpart.";
            Some(malformed(pair, message, at))
        }
        CheckId::CSharpFormat if !rules.precise => None,
        CheckId::PythonBraceFormat | CheckId::BraceFormat | CheckId::CSharpFormat => {
            let lone = lone_mark(check, pair.target)?;
            // A source with such a brace is no text of the format, even if the file says so.
            let is_lenient = rules.certain_only || rules.precise;
            if is_lenient && lone_mark(check, pair.source).is_some() {
                return None;
            }
            // The program formats only texts with values; in others, braces are text.
            if check == CheckId::CSharpFormat
                && !pair.source.contains("{{")
                && tokens(check, pair.source, rules).is_empty()
            {
                return None;
            }
            // Braces of another style.
            if rules.precise
                && (pair.target.contains("${") || xml::accepted::has_branches(pair.target))
            {
                return None;
            }
            let message = "The translation has a single brace outside of placeholders.";
            Some(malformed(pair, message, lone))
        }
        CheckId::JavaFormat
            if !rules.plain_quotes && pair.target.matches('\'').count() % 2 == 1 =>
        {
            // A source with single apostrophes is no message of Java.
            if rules.precise && pair.source.matches('\'').count() % 2 == 1 {
                return None;
            }
            let at = pair.target.rfind('\'')?;
            let message = "The translation has an unpaired apostrophe: write two for a single one.";
            Some(malformed(pair, message, at))
        }
        _ => None,
    }
}

/// A character of the translation that the program cannot read.
fn malformed(pair: &FormPair, message: &'static str, at: usize) -> PartialFinding {
    let part = pair.target.get(at..at + 1).unwrap_or_default();
    let finding = PartialFinding::in_target(pair, message, at..at + 1);
    finding.with_fault(FaultKind::Malformed, part, pair.target_form)
}
