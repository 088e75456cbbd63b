//! Namespaces that are split, over real histories.

use std::sync::Arc;

use super::search::add_moves;
use super::*;
use crate::{History, Projection};
use gitglot_git::Repository;
use gitglot_model::{
    Component, ComponentIndex, ComponentSettings, FileFormat, FileMask, Slug, Timestamp,
};
use gitglot_testkit::{History as Commits, Repo, commit};

/// The moves between the namespaces `common` and `menu`: commit, old and new key, evidence, number of languages, and the
/// sources of the texts that moved.
fn moves(commits: &Commits, tips: &[&str]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let repo = Repo::with(&folder.path().join("repo.git"), commits);
    let repository = Repository::open(repo.dir()).unwrap();
    let names = ["common", "menu"];
    let mut histories = names.map(|name| {
        let mask = FileMask::new(&format!("*/{name}.json")).unwrap();
        let template = format!("en/{name}.json");
        let settings =
            ComponentSettings::new(Slug::new(name).unwrap(), mask, &template, FileFormat::Json);
        History::new(Arc::new(Component::new(settings)), "en")
    });
    let (mut found, mut first) = (Vec::<ComponentMove>::new(), [0; 2]);
    let mut last = Vec::new();
    for tip in tips {
        let states: Vec<Projection> = histories
            .iter_mut()
            .filter_map(|history| {
                let observed = Timestamp::from_seconds(4_000_000_000);
                history
                    .step(&repository, repo.id(tip), observed, &|_| {})
                    .ok()?;
                history.project(&repository).ok()
            })
            .collect();
        let [common, menu] = &*states else { continue };
        let logs = [common, menu].map(log_of);
        add_moves(&logs, &first, &mut found).unwrap();
        first = logs.map(|of| of.log.mainline.len());
        last = states;
    }
    let logs: Vec<ComponentLog<'_>> = last.iter().map(log_of).collect();
    let shown = found.iter().map(|it| {
        let name = |at: usize, key| format!("{}{}", names[at], logs[at].name_of(key));
        let sources = it.texts.iter();
        let sources = sources.map(|text| logs[text.source.0].texts.get(text.source.1).to_owned());
        let row = logs[it.to]
            .log
            .get(it.rename.entry as usize)
            .unwrap()
            .commit;
        let commit = logs[it.to].log.commits.get(row as usize).unwrap();
        format!(
            "{} {}>{} {} {} {}",
            logs[it.to].texts.get(commit.subject),
            name(it.from, it.rename.from),
            name(it.to, it.rename.to),
            it.rename.evidence.name(),
            it.rename.languages,
            sources.collect::<Vec<_>>().join(",")
        )
    });
    shown.collect()
}

fn log_of(state: &Projection) -> ComponentLog<'_> {
    ComponentLog {
        component: ComponentIndex::new(0),
        log: &state.log,
        texts: &state.texts,
        sources: &state.sources,
        shape: state.shape,
    }
}

/// Files of both namespaces in two languages: lines of `key=source|translation`.
fn files(commits: Commits, common: &str, menu: &str) -> Commits {
    files_of_languages(commits, [common; 2], [menu; 2])
}

/// As [`files`], with the lines that each language takes its texts from.
fn files_of_languages(commits: Commits, common: [&str; 2], menu: [&str; 2]) -> Commits {
    let json = |lines: [&str; 2], at: usize| {
        let entry = |line: &str| {
            let (key, texts) = line.split_once('=')?;
            let text = texts.split('|').nth(at)?;
            Some(format!("\"{key}\": \"{text}\""))
        };
        let entries: Vec<String> = lines[at].split(';').filter_map(entry).collect();
        format!("{{{}}}\n", entries.join(", "))
    };
    [("common", common), ("menu", menu)]
        .into_iter()
        .fold(commits, |commits, (name, lines)| {
            commits
                .write(&format!("en/{name}.json"), json(lines, 0))
                .write(&format!("cs/{name}.json"), json(lines, 1))
        })
}

#[test]
fn translations_that_follow_later_move_with_their_sources() {
    let (old, new) = ("save=Save|Uložit;open=Open|Otevřít", "x=Other|Jiné");
    let commits = files(commit("start"), old, new);
    // The translation of `save` is stale before the string moves.
    let old = old.replace("Save|", "Save it|");
    let commits = files(commits.commit("changed"), &old, new);
    let moved = "x=Other|Jiné;save=Save it|Uložit;open=Open|Otevřít";
    let commits = files_of_languages(commits.commit("template"), ["", &old], [moved, new]);
    let commits = files_of_languages(commits.commit("other"), ["", &old], [moved, "x=Other|X"]);
    // One follows, the other one gets a new text first.
    let texts = "x=Other|X;save=Save it|Uložit;open=Open|Rozevřít";
    let commits = files_of_languages(commits.commit("follows"), ["", ""], [moved, texts]);
    let texts = texts.replace("Rozevřít", "Otevřít");
    let commits = files_of_languages(commits.commit("again"), ["", ""], [moved, &texts]);
    let expected = [
        "template common.save>menu.save source 0 Save",
        "template common.open>menu.open source 0 ",
    ];
    let all = ["start", "changed", "template", "other", "follows", "again"];
    for tips in [&["again"][..], &["template", "again"], &all] {
        assert_eq!(moves(&commits, tips), expected, "{tips:?}");
    }
}

#[test]
fn strings_of_a_split_namespace_keep_their_translations_and_sources() {
    let both = "save=Save|Uložit;open=Open|Otevřít;title=Title|Titul";
    let commits = files(commit("start"), both, "x=Other|Jiné");
    // The translation of `save` is stale when the string moves.
    let changed = both.replace("Save|", "Save it|");
    let commits = files(commits.commit("changed"), &changed, "x=Other|Jiné");
    let commits = files(
        commits.commit("split"),
        "title=Title|Titul",
        "x=Other|Jiné;save=Save it|Uložit;menu.open=Open|Otevřít",
    );
    let expected = [
        "split common.save>menu.save source-and-translations 1 Save",
        "split common.open>menu.menu.open source-and-translations 1 Open",
    ];
    for tips in [&["split"][..], &["start", "changed", "split"]] {
        let found = moves(&commits, tips);
        assert_eq!(found, expected, "{tips:?}");
    }
}

#[test]
fn a_string_that_moves_back_and_one_that_is_renamed_within_its_component() {
    let commits = files(commit("start"), "a=One|Jedna;b=Two|Dva", "x=Other|Jiné");
    let commits = files(
        commits.commit("there"),
        "c=Two|Dva",
        "x=Other|Jiné;a=One|Jedna",
    );
    let commits = files(
        commits.commit("back"),
        "c=Two|Dva;d=One|Jedna",
        "x=Other|Jiné",
    );
    let expected = [
        "there common.a>menu.a source-and-translations 1 One",
        "back menu.a>common.d source-and-translations 1 One",
    ];
    for tips in [&["back"][..], &["start", "there", "back"]] {
        assert_eq!(moves(&commits, tips), expected, "{tips:?}");
    }
}

#[test]
fn side_commits_of_a_merge_count_as_one_change() {
    let commits = files(commit("start"), "a=One|Jedna;b=Two|Dva", "x=Other|Jiné");
    let commits = commits.branch_at("side", "start");
    let (both, split) = ("x=Other|Jiné;a=One|Jedna", "b=Two|Dva");
    let commits = files(commits.commit("added"), "a=One|Jedna;b=Two|Dva", both);
    let commits = files(commits.commit("removed"), split, both);
    let commits = files(
        commits.branch("main").commit("merged").merge("removed"),
        split,
        both,
    );
    let expected = ["added common.a>menu.a source-and-translations 1 One"];
    for tips in [&["merged"][..], &["start", "merged"]] {
        assert_eq!(moves(&commits, tips), expected, "{tips:?}");
    }
}

/// A string of a random history. No two strings have equal texts.
#[derive(Clone)]
struct Item {
    component: usize,
    key: String,
    /// The number of the version of the source, and the one that was translated.
    versions: [u32; 2],
    /// The version of the source when the translation was written for this string.
    written_for: u32,
    /// Component and key under which the translation still is; it follows in the next round.
    behind: Option<(usize, String)>,
}

/// The moves of random histories, found by following each string by its number.
#[test]
fn random_splits_are_those_of_a_slow_reference() {
    let variable = std::env::var("GITGLOT_RANDOM_HISTORIES");
    let histories = variable.ok().and_then(|value| value.parse().ok());
    for seed in 0..histories.unwrap_or(15_u64) {
        let mut random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) + 1;
        let mut next = |limit: usize| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            (random % limit as u64) as usize
        };
        let mut items: Vec<Item> = (0..8)
            .map(|at| Item {
                component: at % 2,
                key: format!("k{at}"),
                versions: [0, 0],
                written_for: 0,
                behind: None,
            })
            .collect();
        let (mut commits, mut labels, mut expected) = (None, Vec::new(), Vec::new());
        for round in 0..8 {
            let label = format!("r{round}");
            let before = items.clone();
            items.iter_mut().for_each(|item| item.behind = None);
            for at in 0..if round == 0 { 0 } else { 1 + next(4) } {
                let which = next(items.len());
                if before[which].behind.is_some() {
                    continue;
                }
                match next(5) {
                    0..3 => {
                        items[which].component ^= 1;
                        items[which].key = format!("n{round}_{at}_{which}");
                    }
                    3 => items[which].key = format!("m{round}_{at}_{which}"),
                    // A string that moves with a new text is a different one.
                    _ if items[which].component == before[which].component
                        && items[which].key == before[which].key =>
                    {
                        items[which].versions[0] += 1;
                        items[which].versions[1] =
                            [items[which].versions[1], items[which].versions[0]][next(2)];
                    }
                    _ => {}
                }
            }
            for (old, new) in before.iter().zip(&mut items) {
                let is_other = (old.component, &old.key) != (new.component, &new.key);
                if old.versions[1] != new.versions[1] || old.versions != new.versions && is_other {
                    new.written_for = new.versions[0];
                }
                let has_moved = old.component != new.component && old.versions == new.versions;
                if has_moved && next(3) == 0 {
                    new.behind = Some((old.component, old.key.clone()));
                }
            }
            let lines = |component: usize| {
                [0, 1].map(|language| {
                    let own = items.iter().enumerate().filter_map(|(at, it)| {
                        let behind = it.behind.clone().filter(|_| language == 1);
                        let (of, key) = behind.unwrap_or((it.component, it.key.clone()));
                        let [source, translated] = it.versions;
                        (of == component).then(|| {
                            format!("{key}=Text {at} v{source}|Překlad {at} v{translated}")
                        })
                    });
                    own.collect::<Vec<_>>().join(";")
                })
            };
            let [common, menu] = [lines(0), lines(1)];
            let made = match commits.take() {
                None => commit(&label),
                Some(known) => Commits::commit(known, &label),
            };
            commits = Some(files_of_languages(
                made,
                [&common[0], &common[1]],
                [&menu[0], &menu[1]],
            ));
            for (at, (old, new)) in before.iter().zip(&items).enumerate() {
                // A text with a new version of its source would not be equal.
                if old.component != new.component && old.versions == new.versions {
                    let names = ["common", "menu"];
                    let evidence = match &new.behind {
                        None => "source-and-translations 1",
                        Some(_) => "source 0",
                    };
                    let text = match &new.behind {
                        Some(_) if round == 7 => String::new(),
                        _ => format!("Text {at} v{}", new.written_for),
                    };
                    expected.push(format!(
                        "{label} {}.{}>{}.{} {evidence} {text}",
                        names[old.component], old.key, names[new.component], new.key,
                    ));
                }
            }
            labels.push(label);
        }
        let commits = commits.unwrap();
        let all: Vec<&str> = labels.iter().map(String::as_str).collect();
        let some: Vec<&str> = all
            .iter()
            .copied()
            .filter(|_| next(2) == 0)
            .chain(["r7"])
            .collect();
        for tips in [&["r7"][..], &all, &some] {
            let mut found = moves(&commits, tips);
            found.sort();
            expected.sort();
            assert_eq!(found, expected, "seed {seed}, {tips:?}");
        }
    }
}
