//! The words of a text.

/// Words of a source text: the parts between Python's white space (docs/spec/units.md#words).
pub fn words(source: &str) -> u32 {
    let is_space = |c: char| c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c);
    source
        .split(is_space)
        .filter(|word| !word.is_empty())
        .count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_separated_by_python_whitespace() {
        let cases = [
            ("Some  double   spaced words", 4),
            ("Non\u{a0}breaking space", 3),
            ("", 0),
            ("42", 1),
            ("a\u{1c}b\u{200b}c", 2),
        ];
        for (text, count) in cases {
            assert_eq!(words(text), count, "{text:?}");
        }
    }
}
