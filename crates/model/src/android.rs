//! Directories of Android resources: `values-cs` is a language, `values-night` a variant for devices
//! (docs/spec/units.md#files).

/// Whether a mask has `language` after `values-` as the name of a directory.
pub(super) fn has_values_folder(mask: &str, language: &str) -> bool {
    let (folders, _) = mask.rsplit_once('/').unwrap_or_default();
    let mut codes = folders
        .split('/')
        .filter_map(|folder| folder.strip_prefix("values-"));
    codes.any(|code| code == language)
}

/// Whether the text after `values-` is a language: `b+` and subtags, or two or three letters other than `car`, with an
/// optional region.
pub fn is_android_locale(code: &str) -> bool {
    let is_letters = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphabetic());
    if let Some(tag) = code.strip_prefix("b+") {
        let is_subtag = |subtag: &str| {
            (1..=8).contains(&subtag.len())
                && subtag.bytes().all(|byte| byte.is_ascii_alphanumeric())
        };
        let language = tag.split('+').next().unwrap_or_default();
        return is_letters(language) && language.len() > 1 && tag.split('+').all(is_subtag);
    }
    let (language, region) = match code.split_once("-r") {
        Some((language, region)) => (language, Some(region)),
        None => (code, None),
    };
    let is_region = |region: &str| match region.len() {
        2 => is_letters(region),
        3 => region.bytes().all(|byte| byte.is_ascii_digit()),
        _ => false,
    };
    matches!(language.len(), 2 | 3)
        && is_letters(language)
        && language != "car"
        && region.is_none_or(is_region)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn qualifiers_of_devices_are_no_languages() {
        for code in ["cs", "fil", "pt-rBR", "es-r419", "b+sr+Latn", "b+es+419"] {
            assert!(is_android_locale(code), "{code}");
        }
        for code in [
            "",
            "night",
            "land",
            "v21",
            "sw600dp",
            "cs-land",
            "mcc310-en",
            "car",
            "sw600dp-land-xlarge-v21",
            "pt-rBRA",
            "pt-r",
            "b+",
            "b+sr+",
            "b+sr+Latn-night",
        ] {
            assert!(!is_android_locale(code), "{code}");
        }
    }

    #[test]
    fn the_language_is_in_the_name_of_a_folder() {
        assert!(has_values_folder("res/values-*/strings.xml", "*"));
        for mask in [
            "res/values-*",
            "res/values-b*/strings.xml",
            "res/*/strings.xml",
        ] {
            assert!(!has_values_folder(mask, "*"), "{mask}");
        }
    }
}
