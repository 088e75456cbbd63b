//! The log of components whose files move.

use crate::testing::read_as;
use gitglot_model::{ComponentSettings, FileFormat, FileMask, Slug};
use gitglot_testkit::{History as Commits, commit};

const LANGUAGES: [&str; 3] = ["cs", "de", "fr"];

/// A file with the texts `from..to` of a language.
fn file(format: FileFormat, language: &str, strings: std::ops::Range<usize>) -> String {
    let entries = strings.map(|it| match format {
        FileFormat::Po => format!("msgid \"Source {it}\"\nmsgstr \"{language} {it}\"\n\n"),
        FileFormat::QtTs => format!(
            "<message><source>Source {it}</source><translation>{language} {it}</translation></message>\n"
        ),
        FileFormat::Xliff => format!(
            "<trans-unit id=\"{it}\"><source>Source {it}</source><target>{language} {it}</target></trans-unit>\n"
        ),
        _ => format!("<string name=\"s{it}\">{language} {it}</string>\n"),
    });
    let entries: String = entries.collect();
    match format {
        FileFormat::Po => format!("msgid \"\"\nmsgstr \"Language: {language}\\n\"\n\n{entries}"),
        FileFormat::QtTs => format!(
            "<TS language=\"{language}\"><context><name>Main</name>\n{entries}</context></TS>"
        ),
        FileFormat::Xliff => format!(
            "<xliff version=\"1.2\"><file source-language=\"en\" target-language=\"{language}\"><body>\n{entries}\
             </body></file></xliff>"
        ),
        _ => format!("<resources>\n{entries}</resources>"),
    }
}

/// The entries of the last commit, `moved`, after 10 strings were at `old` and moved to `new`. `changed`: how many of
/// them have new keys. The file that new languages start from moves, too.
fn entries_of_move(
    format: FileFormat,
    old: fn(&str) -> String,
    new: fn(&str) -> String,
    changed: usize,
) -> Vec<String> {
    let write = |commits: Commits, path: fn(&str) -> String, strings: std::ops::Range<usize>| {
        LANGUAGES.into_iter().fold(commits, |commits, language| {
            commits.write(&path(language), file(format, language, strings.clone()))
        })
    };
    let mut commits = commit("start").write("old/base/app.x", file(format, "", 0..10));
    commits = write(commits, old, 0..10).commit("moved");
    for language in LANGUAGES {
        commits = commits.delete(&old(language));
    }
    commits = commits
        .delete("old/base/app.x")
        .write("new/base/app.x", file(format, "", 0..10));
    let commits = write(commits, new, changed..10 + changed);
    let mask = FileMask::new(&new("*")).unwrap();
    let slug = Slug::new("app").unwrap();
    let settings = ComponentSettings::new(slug, mask, "", format);
    read_as(settings, &commits, &[]).entries_of("moved")
}

const BILINGUAL: [FileFormat; 3] = [FileFormat::Po, FileFormat::QtTs, FileFormat::Xliff];

#[test]
fn bilingual_files_keep_their_history_when_they_move() {
    for format in BILINGUAL {
        let new: fn(&str) -> String = |language| format!("new/deep/{language}.x");
        let moves: [fn(&str) -> String; 6] = [
            |language| format!("old/{language}.x"),
            |language| format!("{language}.x"),
            |language| format!("old/app_{language}.x"),
            |language| format!("old/{language}-app.x"),
            |language| format!("old/{language}/LC_MESSAGES/app.x"),
            |language| format!("help/{language}/{language}.x"),
        ];
        for old in moves {
            let entries = entries_of_move(format, old, new, 0);
            assert_eq!(entries, [""; 0], "{format:?} {}", old("*"));
        }
    }
}

#[test]
fn bilingual_files_move_to_names_with_other_parts() {
    for format in BILINGUAL {
        let old = |language: &str| format!("po/{language}.x");
        let moves: [fn(&str) -> String; 3] = [
            |language| format!("i18n/app_{language}.x"),
            |language| format!("locale/{language}/LC_MESSAGES/app.x"),
            |language| format!("help/{language}/{language}.x"),
        ];
        for new in moves {
            let entries = entries_of_move(format, old, new, 0);
            assert_eq!(entries, [""; 0], "{format:?} {}", new("*"));
        }
    }
}

#[test]
fn a_move_with_changes_writes_only_the_changes() {
    for format in BILINGUAL {
        let (old, new) = (
            |language: &str| format!("libs/q/Qt4/q_{language}.x"),
            |language: &str| format!("libs/q_2/Qt5/q_{language}.x"),
        );
        let entries = entries_of_move(format, old, new, 2);
        let count = |start: &str| entries.iter().filter(|it| it.starts_with(start)).count();
        assert_eq!(count("New source string"), 2, "{format:?} {entries:?}");
        assert_eq!(count("New translation"), 6, "{format:?} {entries:?}");
        assert_eq!(count("Resource update"), 3, "{format:?} {entries:?}");
    }
}
