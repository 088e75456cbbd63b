//! Which faults are errors and which warnings.

use crate::{CheckId, CheckInput, Checker, Severity, Words};

fn severities(format: &str, texts: &[&str], pairs: &[(&str, &str)]) -> Vec<Severity> {
    let checker = Checker::inferred(format, Words::default());
    let texts = texts.iter().copied().chain(pairs.iter().map(|pair| pair.0));
    let checker = checker.for_template(texts).for_translation("cs", "en");
    let found = pairs
        .iter()
        .flat_map(|(source, target)| checker.check(&CheckInput::new(&[*source], &[*target])));
    found.map(|finding| finding.severity).collect()
}

#[test]
fn a_style_is_certain_if_the_template_shows_it() {
    let texts: Vec<String> = (0..60)
        .map(|index| format!("Text {{name}} {index}"))
        .collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let lost = ("Hi {you}, hello", "Ahoj");
    assert_eq!(severities("json", &texts, &[lost]), [Severity::Error]);
    let example = ("Write {{name}} here", "Napište sem");
    assert_eq!(severities("json", &texts, &[example]), [Severity::Warning]);
    assert_eq!(severities("i18next", &texts, &[example]), [Severity::Error]);
    assert_eq!(severities("json", &[], &[example]), [Severity::Error]);
}

#[test]
fn a_placeholder_of_another_text_may_have_a_value() {
    let more = ("Hi {you}, hello", "Ahoj {you} {name}");
    let texts = ["Your name: {name}"];
    assert_eq!(severities("json", &texts, &[more]), [Severity::Warning]);
    assert_eq!(severities("json", &[], &[more]), [Severity::Error]);
    let repaired = ("Of {{name})} a", "Z {{name}} b");
    assert_eq!(severities("i18next", &[], &[repaired]), [Severity::Warning]);
    let number = ("Files {{name}}", "Soubory {{name}} {{ count }}");
    assert_eq!(severities("i18next", &[], &[number]), [Severity::Warning]);
}

#[test]
fn single_apostrophes_are_no_fault_if_the_template_has_them() {
    let texts = ["Can't open {0}", "Couldn't find {0}", "You've pressed {0}"];
    let found = |texts: &[&str], target: &str| {
        let checker = Checker::inferred("po", Words::default());
        let checker = checker.for_template(texts.iter().copied());
        let unit = CheckInput {
            source: &["Unable to find {0} in {1}"],
            target: &[target],
            flags: "java-format",
            ..CheckInput::new(&[], &[])
        };
        let found = checker.for_translation("fr", "en").check(&unit);
        let found: Vec<Severity> = found.iter().map(|it| it.severity).collect();
        found
    };
    let target = "Impossible d'ouvrir {0} dans {1}";
    let quoted = ["Open '{0}'", "Close '{0}'", "Find '{0}'", "Edit ''{0}''"];
    assert_eq!(found(&quoted, target), [Severity::Warning]);
    assert_eq!(found(&quoted[1..], target), [Severity::Error]);
    let doubled = ["Can''t open {0}", "Can''t find {0}", "Can''t edit ''{0}''"];
    assert_eq!(found(&[texts, doubled].concat(), target), [Severity::Error]);
    assert_eq!(found(&texts, target), [Severity::Warning]);
    assert_eq!(found(&texts[..2], target), [Severity::Error]);
    assert_eq!(found(&texts, "Impossible d'ouvrir {0}"), [Severity::Error]);
}

#[test]
fn a_value_that_is_written_out_is_uncertain() {
    let source = "Upload to %1 now";
    for (target, wanted) in [
        ("Auf OpenSubtitles.com hochladen", Severity::Warning),
        ("Jetzt hochladen", Severity::Error),
        ("Auf % 1 hochladen mit OpenOffice", Severity::Error),
    ] {
        assert_eq!(
            severities("ts", &[], &[(source, target)]),
            [wanted],
            "{target}"
        );
    }
    let song = ("%1 song%2", "%1 曲");
    assert_eq!(severities("ts", &[], &[song]), [Severity::Warning]);
}

#[test]
fn java_shows_all_values_as_text() {
    for (source, target, wanted) in [
        ("%1$.1f days", "%1$s dní", Severity::Warning),
        ("%d days", "%s dní", Severity::Warning),
        ("%1$.1f days", "%2$s dní", Severity::Error),
        ("%1$s is new", "%1$d je nový", Severity::Error),
    ] {
        let found = severities("aresource", &[], &[(source, target)]);
        assert_eq!(found, [wanted], "{target}");
    }
}

#[test]
fn go_accepts_all_values_for_its_verbs() {
    for (source, target, wanted) in [
        ("unknown %q here", "neznámý %s", Severity::Warning),
        ("failed on %s: %v", "selhalo na %q: %s", Severity::Warning),
        ("unknown %q here", "neznámý", Severity::Error),
        ("unknown %d here", "neznámý %s", Severity::Error),
    ] {
        let checker = Checker::inferred("po", Words::default());
        let unit = CheckInput {
            source: &[source],
            target: &[target],
            flags: "c-format",
            ..CheckInput::new(&[], &[])
        };
        let found = checker.for_translation("cs", "en").check(&unit);
        let found: Vec<Severity> = found.iter().map(|it| it.severity).collect();
        assert_eq!(found, [wanted], "{target}");
    }
}

#[test]
fn the_text_for_one_needs_no_number() {
    for (source, target, wanted) in [
        (
            "Try again in %minutes% minute.",
            "Zkuste to za minutu.",
            Severity::Warning,
        ),
        (
            "Try again in %minutes% minutes.",
            "Zkuste to za minutu.",
            Severity::Error,
        ),
        (
            "Try again in %minutes% minute.",
            "Zkuste to za %minuty% minutu.",
            Severity::Error,
        ),
    ] {
        let found = severities("xliff", &[], &[(source, target)]);
        assert_eq!(found, [wanted], "{source}: {target}");
    }
}

#[test]
fn values_that_are_written_in_another_form_are_uncertain() {
    for (source, target, wanted) in [
        (
            "%{name} is new",
            "Mae %{name_without_article}",
            Severity::Warning,
        ),
        ("%{name} is new", "Mae %{other}", Severity::Error),
        ("%{name} is new", "Mae %{names}", Severity::Error),
    ] {
        let found = severities("ruby-yaml", &[], &[(source, target)]);
        assert_eq!(found, [wanted], "{target}");
    }
    for (source, target, wanted) in [
        (
            "Edit {home folder}/a",
            "Upravte {domovská složka}/a",
            Severity::Warning,
        ),
        ("Edit {home} now", "Upravte {domov}", Severity::Error),
        ("@:app would like it", "@:app가 원합니다", Severity::Warning),
        ("@:app would like it", "App to chce", Severity::Warning),
        (
            "@:app.name is new",
            "Nové je @:app.name.",
            Severity::Warning,
        ),
        ("@:app folder", "@:app-mapp", Severity::Error),
    ] {
        let found = severities("json", &["Open @:app", "Close {home}"], &[(source, target)]);
        assert_eq!(found, [wanted], "{target}");
    }
}

#[test]
fn nested_texts_may_be_written_out_or_have_another_form() {
    let source = "more from this $t(entity.artist_one)";
    for (target, wanted) in [
        ("více od tohoto umělce", &[Severity::Warning][..]),
        ("více $t(entity.artist_few)", &[]),
        ("více od $t(entity.genre_one)", &[Severity::Error]),
    ] {
        assert_eq!(severities("i18next", &[], &[(source, target)]), wanted);
    }
    let with_value = ("all $t(songs, {\"count\": {{n}} }) x", "vše");
    let found = severities("i18next", &[], &[with_value]);
    assert_eq!(found, [Severity::Error]);
}

#[test]
fn a_choice_without_the_value_is_uncertain_if_the_source_has_one() {
    for (source, target, wanted) in [
        ("Choose | Choose for {name}", "Vybrat", Severity::Warning),
        ("1 file | {name} files", "1 soubor", Severity::Error),
        ("Hi {name} | Oh {name}", "Ahoj", Severity::Error),
    ] {
        let found = severities("json", &["Close {name}"], &[(source, target)]);
        assert_eq!(found, [wanted], "{target}");
    }
}

#[test]
fn a_component_that_only_the_translation_has_shows_its_text() {
    let texts = ["See <0>this</0>"];
    for (source, target, wanted) in [
        ("See that", "Viz <0>toto</0>", Severity::Warning),
        (
            "See <0>this</0> text",
            "Viz <0>toto<0> text",
            Severity::Error,
        ),
        ("See <0>this</0> text", "Viz toto", Severity::Error),
    ] {
        let found = severities("json", &texts, &[(source, target)]);
        assert!(found.contains(&wanted), "{target}: {found:?}");
        assert_eq!(found.contains(&Severity::Error), wanted == Severity::Error);
    }
}

#[test]
fn values_in_other_formats_are_the_same() {
    for (format, source, target) in [
        ("i18next", "{{n, rate(a: b)}} a", "{{n, bytes(a: b)}} b"),
        ("json", "From { a-b } on", "Od {a-b} dál"),
        ("po", "Close %(n)i x", "Zavřít %(n)d y"),
        ("json", "See {https://a.org/b} a", "Viz {https://b.org/c} b"),
        (
            "json",
            "{ n-a } files",
            "{n-a, plural, one{1 b} other{{ n-a } c}}",
        ),
    ] {
        assert!(
            severities(format, &[], &[(source, target)]).is_empty(),
            "{target}"
        );
    }
    let other = ("{{n, rate}} a", "{{m, rate}} b");
    assert_eq!(severities("i18next", &[], &[other]), [Severity::Error]);
}

#[test]
fn inline_elements_of_xliff_must_all_occur() {
    let element = |id: &&str| format!("<x id=\"{id}\" equiv-text=\"{{{{ {id} }}}}\"/> ");
    let text = |ids: &[&str]| format!("Text {}a", ids.iter().map(element).collect::<String>());
    let bold = ["START_TAG_STRONG", "CLOSE_TAG_STRONG"];
    let link = ["START_LINK", "CLOSE_LINK"];
    for (source, target, wanted) in [
        (&["A", "A"][..], &["A"][..], Severity::Warning),
        (&["A", "B"], &["A", "A"], Severity::Error),
        (&bold, &[], Severity::Warning),
        (&bold, &bold[..1], Severity::Error),
        (&["A", "LINE_BREAK"], &["A"], Severity::Warning),
        (&link, &[], Severity::Error),
    ] {
        let (source, target) = (text(source), text(target).replace(" a", " b"));
        let found = severities("xliff", &[], &[(&source, &target)]);
        assert_eq!(found, [wanted], "{source}: {target}");
    }
    let branches = "<x id=\"ICU\" equiv-text=\"{n, plural, =1 {a} other {b}}\"/>";
    let pair = (format!("All {branches}"), format!("{branches} vse"));
    assert!(severities("xliff", &[], &[(&pair.0, &pair.1)]).is_empty());
}

#[test]
fn markup_is_certainly_broken_if_an_element_stays_open() {
    for (source, target, wanted) in [
        (
            "See <b>this</b> text",
            "Viz <b>tento<b> text",
            Severity::Error,
        ),
        (
            "See <a href=\"x\">this</a>",
            "Viz <a href=\"x>toto</a>",
            Severity::Error,
        ),
        (
            "See <b>this</b> text",
            "Viz <b>tento</b> text <",
            Severity::Warning,
        ),
        ("See <a>this</a> text", "Viz tento text", Severity::Warning),
        (
            "<ul><li>this</li></ul>",
            "<ul><li>toto</li></ul><!-- <strong>Tento</strong> -->",
            Severity::Warning,
        ),
        (
            "<red>See <gold>this",
            "<red>Viz <gold><b>toto",
            Severity::Warning,
        ),
        ("See<br>this", "Viz<b>toto", Severity::Error),
        (
            "See.<br /><i>This</i>",
            "Viz. </b><i>toto</i>",
            Severity::Warning,
        ),
        (
            "<html>See <p><em>this</em></html>",
            "<html>Viz <em>toto",
            Severity::Warning,
        ),
        (
            "<html>See <em>this</em> text</html>",
            "<html>Viz <em>toto</html>",
            Severity::Error,
        ),
        (
            "<html>See<ul><li>this</ul></html>",
            "<html>Viz<ul><li>toto<ul></html>",
            Severity::Warning,
        ),
    ] {
        assert_eq!(
            severities("json", &[], &[(source, target)]),
            [wanted],
            "{target}"
        );
    }
}

#[test]
fn conversions_of_unmarked_texts_are_no_words_and_need_no_type() {
    for (source, target, wanted) in [
        ("Repeated %s%s times", "Opakováno %s %s", None),
        ("Repeated %s%s times", "Opakováno %s", Some(Severity::Error)),
        ("Add %d to %d", "Přidat %d k %s", Some(Severity::Warning)),
        ("Add %d to %d", "Přidat %d", Some(Severity::Error)),
        ("Add %s to it", "Přidat %d", Some(Severity::Error)),
    ] {
        let found = severities("xliff", &[], &[(source, target)]);
        assert_eq!(found, Vec::from_iter(wanted), "{target}");
    }
}

#[test]
fn the_digits_of_the_language_and_lone_percent_signs_change_no_value() {
    for (source, target, wanted) in [
        ("%d entries of %i", "%Id ورودی %Id", None),
        ("%d entries", "ورودی", Some(Severity::Error)),
        ("(%'dth copy) of %s", "(نسخة %I'd) %s", None),
        ("MEMORY USAGE%", "% UTILISATION", None),
        ("USAGE%: %s", "% UTILISATION", Some(Severity::Error)),
    ] {
        let checker = Checker::inferred("po", Words::default());
        let unit = CheckInput {
            source: &[source],
            target: &[target],
            flags: "c-format",
            ..CheckInput::new(&[], &[])
        };
        let found = checker.for_translation("fa", "en").check(&unit);
        let found = found
            .iter()
            .find(|it| it.check == CheckId::CFormat)
            .map(|it| it.severity);
        assert_eq!(found, wanted, "{target}");
    }
}
