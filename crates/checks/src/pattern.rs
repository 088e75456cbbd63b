//! Texts that are no language: formats of dates, times and numbers, and keys in place of source texts.

use gitglot_model::steps;

/// The longest format.
const MAX_LENGTH: usize = 80;

/// The keys that GNOME and KDE use for the names of translators.
const CREDITS: &[&str] = &["translator-credits", "Your names", "Your emails"];

/// Whether a text is a format of dates, times or numbers: `%d. %B %Y`, `%n %u`, or a key: `form_not_found`.
/// Each language has its own.
pub(crate) fn is_pattern(text: &str) -> bool {
    if text.len() > MAX_LENGTH {
        return false;
    }
    if CREDITS.contains(&text) {
        return true;
    }
    steps::count(text.len());
    is_strftime(text) || has_clock(text) || is_key(text)
}

/// Whether texts are marks of Crowdin's pseudo language, which its editor replaces in the running program:
/// `crwdns12:0Save{{name}}crwdne12:0`.
pub(crate) fn is_pseudo_translated(targets: &[&str]) -> bool {
    let is_mark = |text: &&str| {
        let number = text.strip_prefix("crwdns");
        number.is_some_and(|number| number.starts_with(|char: char| char.is_ascii_digit()))
    };
    targets.iter().any(is_mark)
}

/// Whether a text has at least two different directives that are only for dates and times, and no other placeholders.
fn has_clock(text: &str) -> bool {
    let mut letters = String::new();
    let mut parts = text.split('%');
    parts.next();
    for part in parts {
        let part = part.trim_start_matches(['-', '_', '^', '0']);
        match part.chars().next() {
            Some(letter) if "aAbBHIjklmMpPSyYzZ".contains(letter) && !letters.contains(letter) => {
                letters.push(letter);
            }
            Some(letter) if "aAbBdeHIjklmMpPSyYzZ".contains(letter) => {}
            _ => return false,
        }
    }
    letters.len() > 1
}

/// Whether a text is an identifier of several words in lower case.
fn is_key(text: &str) -> bool {
    let is_word = |word: &str| {
        word.starts_with(|char: char| char.is_ascii_lowercase())
            && word
                .chars()
                .all(|char| char.is_ascii_lowercase() || char.is_ascii_digit())
    };
    text.contains('_') && text.split(['_', '.', '-']).all(is_word)
}

/// Whether all letters belong to directives, and one of them is only for dates, times or currencies.
fn is_strftime(text: &str) -> bool {
    let mut has_own = false;
    let mut count = 0;
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        if char != '%' {
            if char.is_alphabetic() {
                return false;
            }
            continue;
        }
        while chars.next_if(|char| "-_0^#".contains(*char)).is_some() {}
        match chars.next() {
            Some(letter) if "aAbBCeFgGhHIjkKlLmMnNpPrRSTuUVwWyYzZ".contains(letter) => {
                has_own |= !"eFgG".contains(letter);
                count += 1;
            }
            Some('d' | '%') => count += 1,
            None => {}
            _ => return false,
        }
    }
    has_own && count > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_of_dates_and_numbers_are_no_texts() {
        for text in [
            "%d. %B %Y",
            "%b %d",
            "%-d %b",
            "%a, %d %b %Y %H:%M:%S %z",
            "%n %u",
            "-%u%n",
            "%n%",
            "%e %b %Y at %l:%M%p",
            "flash_create_success",
            "user.form_not_found",
        ] {
            assert!(is_pattern(text), "{text}");
        }
        for text in [
            "%s",
            "%d",
            "%d %s",
            "%d%%",
            "100 %",
            "",
            "a",
            "mm",
            "%d of %Y",
            "%s %B",
            "all",
            "see",
            "SMS",
            "%i items",
            "%a of %a",
            "at %H of %{name}",
            "%{day} and %{month}",
            "Saved {{month}} {{day}}, {{year}}",
            "%{day} %{month} of %{name}",
            "config.yaml",
            "_all",
            "Save_as",
        ] {
            assert!(!is_pattern(text), "{text}");
        }
    }
}
