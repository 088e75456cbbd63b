//! Keyboard accelerators in bilingual files, as `msgfmt --check-accelerators` checks them
//! (`docs/spec/lint.md#accelerators`).

/// What is wrong with the accelerator of a translation, as a sentence. `sign` stands before its letter; twice, it is
/// itself. A source with another number than one has no accelerator.
pub(super) fn fault(sign: char, source: &str, target: &str) -> Option<String> {
    if source.matches(sign).count() != 1 {
        return None;
    }
    match marks(sign, target) {
        1 => None,
        0 => Some(format!(
            "The translation has no {sign} before the letter of its shortcut: add it."
        )),
        found => Some(format!(
            "The translation has {found} {sign} for one shortcut: remove all but one."
        )),
    }
}

/// Number of signs that are not twice.
fn marks(sign: char, text: &str) -> usize {
    let single = text.replace(&[sign, sign].iter().collect::<String>(), "");
    single.matches(sign).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_with_one_sign_needs_one() {
        let is_wrong = |source: &str, target: &str| fault('_', source, target).is_some();
        assert!(is_wrong("_File", "Soubor") && is_wrong("_File", "_S_oubor"));
        assert!(!is_wrong("_File", "_Soubor") && !is_wrong("_File", "__a_b"));
        assert!(!is_wrong("File", "_Soubor") && !is_wrong("a_b_c", "x"));
    }
}
