//! Tests that twice as much input takes twice as many steps.

use crate::testing::read_steps;
use gitglot_model::steps;
use gitglot_testkit::commit;

/// Some texts of a language.
fn texts(language: usize, count: usize) -> String {
    let lines = (0..count).map(|at| format!("k{at}=Text {at} of {language};"));
    gitglot_testkit::json_texts(&lines.collect::<String>())
}

/// The path of a language before and after all files are renamed.
fn path(language: usize, is_new: bool) -> String {
    let letter = |at: usize| char::from(b'a' + (at % 26) as u8);
    let (first, second) = (letter(language / 26), letter(language));
    match is_new {
        true => format!("locales/{first}{second}-{first}{second}.json"),
        false => format!("old/app.{first}{second}.json"),
    }
}

#[test]
fn files_that_are_renamed_together_take_linear_time() {
    let work = |languages: usize| {
        let mut history = commit("one").write("locales/en.json", texts(1_000, 20));
        for language in 0..languages {
            history = history.write(&path(language, false), texts(language, 20));
        }
        history = history.commit("two");
        for language in 0..languages {
            history = history.rename(&path(language, false), &path(language, true));
        }
        steps::of(|| {
            let read = read_steps(&history, &["one", "two"]);
            assert_eq!(read.state.translations.len(), languages + 1);
        })
    };
    let (one, two) = (work(40), work(80));
    assert!(two <= one * 24 / 10, "{one} {two}");
}
