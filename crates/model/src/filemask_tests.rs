//! Which paths masks match.

use super::*;
use crate::file_of_part;

fn mask(text: &str) -> FileMask {
    FileMask::new(text).unwrap()
}

#[test]
fn the_star_matches_the_language_code() {
    assert_eq!(
        mask("src/_locales/*/messages.json").matches("src/_locales/pt_BR/messages.json"),
        Some("pt_BR")
    );
    assert_eq!(
        mask("data/web/lang/lang.*.json").matches("data/web/lang/lang.en-gb.json"),
        Some("en-gb")
    );
    assert_eq!(mask("*.json").matches("cs.json"), Some("cs"));
}

#[test]
fn texts_of_r_code_are_no_language() {
    assert_eq!(mask("po/*.po").matches("po/de.po"), Some("de"));
    assert_eq!(mask("po/*.po").matches("po/R-de.po"), None);
    assert_eq!(mask("po/R-*.po").matches("po/R-de.po"), Some("de"));
}

#[test]
fn files_of_all_languages_are_no_language() {
    assert_eq!(
        mask("l10n/intl_*.arb").matches("l10n/intl_messages.arb"),
        None
    );
    for name in ["common", "index", "languages"] {
        assert_eq!(
            mask("i18n/*.json").matches(&format!("i18n/{name}.json")),
            None
        );
    }
}

#[test]
fn other_paths_have_no_code() {
    let mask = mask("src/_locales/*/messages.json");
    for path in [
        "src/_locales/cs/messages.json~",
        "src/_locales/cs/strings.json",
        "src/_locales/messages.json",
        "src/_locales/a/b/messages.json",
        "_locales/cs/messages.json",
        "src/_locales/cs",
        "src/_locales/cs/messages.json/x",
        "",
    ] {
        assert_eq!(mask.matches(path), None, "{path}");
    }
}

#[test]
fn a_mask_without_a_star_is_a_file_of_all_languages() {
    let file = mask("App/L.xcstrings");
    let part = file.with_code("pt-BR");
    assert_eq!(file.matches(&part), Some("pt-BR"));
    assert_eq!(
        (file.matches("App/L.xcstrings"), file_of_part(&part)),
        (None, "App/L.xcstrings".into())
    );
    // The part with the source texts has no language.
    assert_eq!(file.matches(&file.source_path("")), None);
    assert_eq!((file.folder(), file.depth()), ("App/L.xcstrings", 3));
    let error = file.check_format(FileFormat::Json).unwrap_err();
    assert!(error.to_string().contains("use one for the language code"));
    let error = mask("*.xcstrings")
        .check_format(FileFormat::StringCatalog)
        .unwrap_err();
    assert!(error.to_string().contains("write the path of one file"));
    assert!(FileMask::new("l/en?.json").is_err());
}

#[test]
fn hidden_names_need_an_explicit_dot() {
    assert_eq!(mask("*/x.json").matches(".git/x.json"), None);
    assert_eq!(mask("[.]*/x.json").matches(".git/x.json"), None);
    assert_eq!(mask(".?*/x.json").captures(".git/x.json"), Some(vec!["it"]));
    assert_eq!(
        mask(".github/*.json").matches(".github/cs.json"),
        Some("cs")
    );
}

#[test]
fn the_longest_capture_is_the_code() {
    assert_eq!(
        mask("*/locale/*/messages.json").matches("app/locale/pt_BR/messages.json"),
        Some("pt_BR")
    );
    assert_eq!(mask("*/*.json").matches("cs/de.json"), Some("cs"));
    assert_eq!(
        mask("a*b*c.json").captures("axbybzc.json"),
        Some(vec!["xby", "z"])
    );
}

#[test]
fn question_marks_and_classes_work_as_in_a_shell() {
    assert_eq!(mask("v?/*.json").matches("v2/cs.json"), Some("cs"));
    assert_eq!(mask("v[0-9]/*.json").matches("vx/cs.json"), None);
    assert_eq!(mask("v[!0-9]/*.json").matches("vx/cs.json"), Some("cs"));
    assert_eq!(mask("v[]x]/*.json").matches("v]/cs.json"), Some("cs"));
    assert_eq!(mask("v[x/*.json").matches("v[x/cs.json"), Some("cs"));
}

#[test]
fn many_stars_do_not_take_exponential_time() {
    let stars = "*a".repeat(200);
    assert_eq!(
        mask(&stars).captures(&"a".repeat(400)).map(|all| all.len()),
        Some(200)
    );
    assert_eq!(
        mask(&stars).captures(&format!("{}b", "a".repeat(400))),
        None
    );
    assert_eq!(mask("*?*.json").captures("ěšč.json"), Some(vec!["ěš", ""]));
}

#[test]
fn an_encoding_in_the_code_is_removed() {
    assert_eq!(
        mask("*/a.json").matches("cs_CZ.UTF-8/a.json"),
        Some("cs_CZ")
    );
    assert_eq!(
        mask("*/a.json").matches("cs.x.iso-8859-2/a.json"),
        Some("cs")
    );
    assert_eq!(mask("*/a.json").matches("cs.x/a.json"), None);
}

#[test]
fn other_captures_are_not_languages() {
    assert_eq!(mask("*.json").matches("source.json"), None);
    assert_eq!(mask("*.json").matches("Source.json"), Some("Source"));
    assert_eq!(mask("lang.*.json").matches("lang..json"), None);
    assert_eq!(mask("*.json").matches("en.old.json"), None);
}

#[test]
fn a_mask_is_a_path_in_the_repository() {
    for text in [
        "/l/*.json",
        "../*.json",
        "./*.json",
        "a/../*.json",
        "a//*.json",
        "*/",
    ] {
        assert!(FileMask::new(text).is_err(), "{text}");
    }
    for text in [".git/con*", "a/.GIT/*", "git~1/*", "a/.git./*.json"] {
        let error = FileMask::new(text).unwrap_err();
        assert!(matches!(error, FileMaskError::GitDirectory(_)), "{text}");
    }
}

#[test]
fn folders_of_android_variants_are_not_languages() {
    let res = mask("res/values-*/strings.xml");
    let path = |code: &str| format!("res/values-{code}/strings.xml");
    for code in ["cs", "fil", "pt-rBR", "es-r419", "b+sr+Latn"] {
        assert_eq!(res.matches(&path(code)), Some(code));
    }
    for code in ["night", "cs-land", "sw600dp-land-xlarge-v21"] {
        let path = path(code);
        assert_eq!(
            (res.matches(&path), res.overlong_code(&path)),
            (None, None),
            "{code}"
        );
        assert_eq!(res.captures(&path), None, "{code}");
    }
    assert_eq!(
        mask("values-*.json").matches("values-night.json"),
        Some("night")
    );
}

#[test]
fn codes_over_twenty_characters_are_ignored_but_reported() {
    let mask = mask("*.json");
    assert_eq!(
        mask.matches("aaaaaaaaaabbbbbbbbbb.json"),
        Some("aaaaaaaaaabbbbbbbbbb")
    );
    assert_eq!(mask.overlong_code("aaaaaaaaaabbbbbbbbbb.json"), None);
    assert_eq!(mask.matches("aaaaaaaaaabbbbbbbbbbc.json"), None);
    assert_eq!(
        mask.overlong_code("aaaaaaaaaabbbbbbbbbbc.json"),
        Some("aaaaaaaaaabbbbbbbbbbc")
    );
}

#[test]
fn fixed_directories_and_levels_restrict_tree_walks() {
    assert_eq!(
        mask("src/_locales/*/messages.json").folder(),
        "src/_locales"
    );
    assert_eq!(mask("a/b*/c/d.json").folder(), "a");
    assert_eq!(mask("*.json").folder(), "");
    assert_eq!(mask("a/[b]/*.json").folder(), "a");
    let mask = mask("src/_locales/*/messages.json");
    assert_eq!(mask.depth(), 4);
    assert!(
        mask.matches_level(0, "src")
            && mask.matches_level(2, "cs")
            && mask.matches_level(3, "messages.json")
    );
    assert!(
        !mask.matches_level(1, "src")
            && !mask.matches_level(2, ".git")
            && !mask.matches_level(4, "x")
    );
}

#[test]
fn a_language_has_its_path_from_the_mask() {
    assert_eq!(
        mask("src/_locales/*/messages.json").with_code("cs"),
        "src/_locales/cs/messages.json"
    );
}

#[test]
fn names_begin_with_the_literal_start_of_a_segment() {
    for (mask, prefix) in [
        ("a/app_*.json", "app_"),
        ("a/app_*_*.json", "app_"),
        ("a/x-?*.po", "x-"),
        ("a/*.json", ""),
        ("a/[ab]*.json", ""),
    ] {
        let mask = FileMask::new(mask).unwrap();
        assert_eq!(mask.level_prefix(1), prefix, "{}", mask.as_str());
        assert_eq!(mask.folder_level(), 1);
    }
    assert_eq!(FileMask::new("*.json").unwrap().folder_level(), 0);
}
