//! Tests of the marks in texts and of their differences.

use super::*;

#[test]
fn special_characters_are_visible_and_inert() {
    let shown = LocalizedText::new(
        &LangAttrs::of_code("ar"),
        "a\u{202e}<b>\u{0}\n\u{feff}\u{a0}&",
    )
    .to_string();
    assert!(
        shown.starts_with("<bdi lang=\"ar\" dir=\"rtl\">a<span class=\"sign\""),
        "{shown}"
    );
    for part in ["U+202E", "␀", "U+FEFF", "⍽", "↵"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    for part in ["\u{202e}", "\u{0}", "\u{feff}", "\u{a0}", "<b>"] {
        assert!(!shown.contains(part), "{part:?}: {shown}");
    }
}

#[test]
fn a_difference_marks_words() {
    let shown = difference(
        &LangAttrs::of_code("en"),
        "Open a file",
        "Open the file",
        LONG,
    )
    .to_string();
    assert_eq!(
        shown,
        "<bdi lang=\"en\" dir=\"ltr\">Open <del>a</del><ins>the</ins> file</bdi>"
    );
}

#[test]
fn texts_side_by_side_mark_their_own_words() {
    let (old, new) = side_by_side(&LangAttrs::of_code("en"), "Open a file", "Open the file");
    assert!(old.to_string().contains("Open <del>a</del> file"), "{old}");
    assert!(
        new.to_string().contains("Open <ins>the</ins> file"),
        "{new}"
    );
}

#[test]
fn a_text_within_a_size_is_cut_between_characters() {
    let within = |most| LocalizedText::within(&LangAttrs::UNKNOWN, "řeka", most).to_string();
    assert_eq!(within(5), "<bdi>řeka</bdi>");
    assert_eq!(within(3), "<bdi>ře…</bdi>");
    assert_eq!(within(1), "<bdi>…</bdi>");
}

#[test]
fn long_texts_are_cut_with_a_note() {
    let text = "é".repeat(LONG + 7);
    let shown = LocalizedText::new(&LangAttrs::UNKNOWN, &text).to_string();
    assert!(shown.contains("7 more characters") && shown.len() < 2 * LONG + 200);
    assert!(
        difference(&LangAttrs::UNKNOWN, &text, "b", LONG)
            .to_string()
            .contains("7 more characters")
    );
    assert!(
        difference(&LangAttrs::UNKNOWN, &text, "b", SHORT)
            .to_string()
            .len()
            < 3 * SHORT
    );
}

#[test]
fn marked_parts_are_isolated_and_escaped() {
    let parts = [
        (0..3, Mark::Placeholder),
        (3..6, Mark::Reported),
        (7..90, Mark::Reported),
    ];
    let shown = LocalizedText::marked(&LangAttrs::UNKNOWN, "{a}<b> c", &parts).to_string();
    assert_eq!(
        shown,
        "<bdi><code class=\"ph\">{a}</code><mark>&#60;b&#62;</mark> c</bdi>"
    );
}

#[test]
fn titles_have_no_direction_controls() {
    assert_eq!(plain("a\u{202e}b\nc <d>"), "aU+202Eb␊c <d>");
}
