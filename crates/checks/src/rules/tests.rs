//! Tests of what inferred checks accept, with whole texts.

use crate::{CheckId, CheckInput, Checker, Severity, Words};

/// The checks that fail on a translation into a language.
fn failing(format: &str, language: &str, source: &str, target: &str) -> Vec<&'static str> {
    let checker = Checker::inferred(format, Words::default());
    let found = checker
        .for_translation(language, "en")
        .check(&CheckInput::new(&[source], &[target]));
    found.iter().map(|finding| finding.check.id()).collect()
}

#[test]
fn forms_for_several_numbers_need_placeholders() {
    let fails = |format: &str, language: &str, forms: &[&str]| {
        let unit = CheckInput {
            flags: "c-format",
            ..CheckInput::new(&["%d file", "%d files"], forms)
        };
        let checker = Checker::inferred(format, Words::default());
        !checker
            .for_translation(language, "en")
            .check(&unit)
            .is_empty()
    };
    // 1, 101, 201 …
    let slovenian = ["Ena datoteka", "%d datoteki", "%d datoteke", "%d datotek"];
    assert!(fails("po", "sl", &slovenian));
    assert!(fails("strings-utf8", "sl", &slovenian));
    assert!(!fails("po", "de", &["Eine Datei", "%d Dateien"]));
}

#[test]
fn the_digits_of_a_language_are_no_other_placeholder() {
    let fails = |source: &str, target: &str| {
        let (source, target) = ([source], [target]);
        let unit = CheckInput {
            flags: "c-format",
            ..CheckInput::new(&source, &target)
        };
        let checker = Checker::inferred("po", Words::default());
        let checker = checker.for_translation("fa", "en");
        !checker.check(&unit).is_empty()
    };
    assert!(!fails("%d", "%Id"));
    assert!(!fails("at %'3d", "در %I'3d"));
    assert!(!fails("%02d:%02d", "%I02d:%I02d"));
    assert!(fails("%02d:%02d", "%I02d"));
    assert!(fails("%02d", "%I02s"));
    // The size of the number in Windows.
    assert!(fails("%d", "%I64d"));
    assert!(!fails("%I64d", "%I64d"));
}

#[test]
fn variants_of_the_source_language_may_keep_texts() {
    let text = "Choose the file that you want to open";
    let failing = |language| failing("po", language, text, text);
    assert_eq!(failing("de"), ["same"]);
    for language in ["en_GB", "en@quot", "en@boldquot"] {
        assert_eq!(failing(language), [] as [&str; 0], "{language}");
    }
}

#[test]
fn placeholders_that_mean_the_same_are_the_same() {
    for (format, source, target) in [
        ("strings-utf8", "%1$@ of %2$@", "%@ von %@"),
        ("xcstrings", "%#@a@ of %#@b@", "%#@x@ von %#@y@"),
        ("xcstrings", "mentioned you", "%#@count@"),
        ("xcstrings", "%arg people", "%arg명"),
        ("json", "Close ()[]{}", "Klammern ([{ schließen"),
        ("aresource", "%s and %d", "%1$s und %2$d"),
        ("aresource", "Quit %1$s", "%1$s beenden: %1$s"),
        ("aresource", "at %1$02d", "um %1$d"),
        ("json", "%i files", "%d Dateien"),
        ("json", "{n} car | {n} cars", "{n} Auto | {n} Autos"),
        ("json", "{n} car | {n} cars", "{n} Auto(s)"),
        ("json", "Hi {name}", "Hallo { name }"),
        ("json", "Hi { name }", "Hallo {name}"),
        (
            "properties",
            "{0} min",
            "{0} {0,choice,0#Minuten|1#Minute|1<Minuten}",
        ),
        ("json", "@:general.open", "Öffnen"),
        (
            "formatjs",
            "{n, plural, =-1 {all} other {#}}",
            "{n, plural, =-1 {alle} other {#}}",
        ),
        ("json", "%b %d", "%d. %B"),
        ("strings-utf8", "100 % de", "100 % von allem"),
        ("aresource", "See it", "Siehe https://example.org/a%23b"),
        ("ruby-yaml", "is too long", "%{attribute} ist zu lang"),
    ] {
        let failing = failing(format, "de", source, target);
        assert!(
            failing.iter().all(|check| !check.ends_with("_format")),
            "{source}: {failing:?}"
        );
    }
}

#[test]
fn lost_and_malformed_placeholders_are_still_found() {
    for (format, source, target, check) in [
        ("strings-utf8", "%1$@ of %2$@", "%2$@ von %@", "objc_format"),
        (
            "strings-utf8",
            "%1$@ is new",
            "%У %1$@ ist neu",
            "objc_format",
        ),
        ("xcstrings", "%arg files", "%a Dateien", "objc_format"),
        ("xcstrings", "%#@a@ of %#@b@", "von %#@x@", "objc_format"),
        ("xcstrings", "%#@a@ of %#@b@", "von %#@b@", "objc_format"),
        ("json", "by {0}", "von {}", "brace_format"),
        ("aresource", "%s and %d", "%d und %s", "java_printf_format"),
        (
            "aresource",
            "'%1$s' or '%1$s'",
            "'%1$s' oder '% 1 $ s'",
            "java_printf_format",
        ),
        ("json", "{n} car | {n} cars", "Auto | Autos", "brace_format"),
        ("json", "@:general.open", "@: general.open", "vue_format"),
        ("json", "Hi {name}", "Hallo {Name}", "brace_format"),
        ("properties", "{1} is new", "{2} ist neu", "java_format"),
        ("ruby-yaml", "Hi %{name}", "Hallo %{nome}", "ruby_format"),
    ] {
        assert_eq!(failing(format, "de", source, target), [check], "{target}");
    }
}

#[test]
fn at_most_one_final_mark_is_reported() {
    let found = |target| failing("json", "de", "Please wait…", target);
    assert_eq!(found("Bitte warten..."), ["end_ellipsis"]);
    assert_eq!(found("Bitte warten."), ["end_stop"]);
    assert!(found("Bitte warten…").is_empty());
}

#[test]
fn what_is_usual_in_a_language_passes() {
    for (language, source, target) in [
        ("lo", "Confirm Password", "ຢືນ\u{200b}ຢັນ\u{200b}ລະ\u{200b}ຫັດ"),
        ("fr", "Time: {m}:{ss} min", "Temps : {m}:{ss} min"),
        ("fr", "Nice :smile: day", "Belle :smile: journée"),
        ("hy", "Is it rated?", "Ի՞նչ կլինի"),
        (
            "de",
            "Downloads waiting for Wi-Fi",
            "Auf WLAN wird gewartet",
        ),
        (
            "nl",
            "Make sure you set it up",
            "Zorg dat je je netwerk instelt",
        ),
        (
            "ja",
            "If it fails, try <b>this</b>.",
            "失敗したら<b>これ</b>を試す",
        ),
        ("de", "{{value}} kcal", "{{value}} kcal"),
    ] {
        let failing = failing("json", language, source, target);
        assert!(failing.is_empty(), "{target}: {failing:?}");
    }
    for (language, source, target, check) in [
        ("de", "Confirm it", "Best\u{200b}ätigen", "zero-width-space"),
        ("fr", "Nice day!", "Belle journée!", "punctuation_spacing"),
        ("de", "Is it rated?", "Ist es gewertet", "end_question"),
        (
            "de",
            "Search the net",
            "DIese Suche im Netz",
            "multiple_capital",
        ),
        (
            "fr",
            "To be sure that",
            "Pour être sûr que que",
            "duplicate",
        ),
    ] {
        assert_eq!(
            failing("json", language, source, target),
            [check],
            "{target}"
        );
    }
}

#[test]
fn plural_forms_may_be_equal_if_nouns_have_no_plural_after_numbers() {
    let sources = ["%d second", "%d seconds"];
    let check = |language| {
        let checker = Checker::inferred("aresource", Words::default());
        let unit = CheckInput {
            source: &sources,
            target: &["%d x", "%d x"],
            categories: &["one", "other"],
            ..CheckInput::new(&[], &[])
        };
        let found = checker.for_translation(language, "en").check(&unit);
        found.iter().map(|it| it.check.id()).collect::<Vec<_>>()
    };
    assert!(check("hu").is_empty() && check("tr").is_empty());
    assert_eq!(check("de"), ["same-plurals"]);
}

#[test]
fn escaped_tags_of_xliff_are_compared() {
    let failing = |format, target| failing(format, "de", "a &lt;b&gt;bold&lt;/b&gt; word", target);
    assert_eq!(failing("xliff", "ein fettes Wort"), ["xml-tags"]);
    assert_eq!(
        failing("xliff", "ein &lt;b&gt;fettes&lt;/i&gt; Wort"),
        ["xml-tags"]
    );
    assert!(failing("xliff2", "ein &lt;b&gt;fettes&lt;/b&gt; Wort").is_empty());
    assert!(failing("json", "ein fettes Wort").is_empty());
}

#[test]
fn tags_that_lose_no_markup_are_accepted() {
    let failing = |format, source, target| failing(format, "sl", source, target);
    for (format, source, target) in [
        ("json", "One<br>two<br>three", "Ena<br>dve in tri"),
        (
            "aresource",
            "<xliff:g id=\"n\">%d</xliff:g> selected",
            "%d izbrano",
        ),
        ("json", "<Unknown sender>", "<U pošiljatelj>"),
        (
            "arb",
            "{n, plural, one{<b>{n}</b> file} other{<b>{n}</b> files}}",
            "{n, plural, one{<b>{n}</b> a} two{<b>{n}</b> b} few{<b>{n}</b> c} other{<b>{n}</b> d}}",
        ),
        ("properties", "{0} isn't empty", "{0} n'est pas vide"),
        ("yaml", "%b %e at %H:%M", "%d.%m. ob %H.%M"),
        ("xliff", "form_not_found", "Obrazec ne obstaja."),
        (
            "xliff",
            "<x id=\"A\"/> or <x id=\"B\"/>",
            "<x id='B' ctype=\"x\"/> ali <x id=\"A\"/>",
        ),
    ] {
        assert_eq!(failing(format, source, target), [""; 0], "{target}");
    }
    for (format, source, target) in [
        ("json", "<b>One</b><br>two", "Ena<br>dve"),
        ("aresource", "<b>%d</b> selected", "%d izbrano"),
        ("json", "One", "<b>Ena</b>"),
        (
            "xliff",
            "Hi <x id=\"NAME\" equiv-text=\"{{a}}\"/>",
            "Oj <x id=\"TIME\" equiv-text=\"{{a}}\"/>",
        ),
        (
            "arb",
            "{n, plural, one{<b>{n}</b> file} other{<b>{n}</b> files}}",
            "{n, plural, one{{n} a} two{{n} b} few{{n} c} other{{n} d}}",
        ),
    ] {
        assert_eq!(failing(format, source, target), ["xml-tags"], "{target}");
    }
}

#[test]
fn other_syntax_in_braces_is_no_placeholder() {
    for (format, language, source, target) in [
        (
            "json",
            "zh",
            "Wait {N} {N, plural, one{day} other{days}}.",
            "请等待 {N} 天。",
        ),
        (
            "json",
            "de",
            "Use the {N, plural, one{link} other{links}}:",
            "Nutze den folgenden Link:",
        ),
        (
            "json",
            "uk",
            "{0} Following",
            "{0} підписок|{0} підписка|{0} підписки",
        ),
        (
            "json",
            "pt_BR",
            "$1 {{plural:$1|cluster|clusters}} found",
            "$1 {{plural:$1|grupo encontrado|grupos encontrados}}",
        ),
        ("json", "sv", "The JSON { } node", "JSON-noden ({})"),
        (
            "json",
            "es",
            "Use @:save.button!",
            "¡Usa @:save.button{'!'}",
        ),
        (
            "json",
            "lt",
            "Last {x} days",
            "{x, plural, one {Paskutinė # diena} other {Paskutinės # dienos}}",
        ),
        ("resx", "de", "Hi {name}", "Hallo { name }"),
        ("aresource", "hu", "Over 96 of 100", "Több mint 96\\%-uk"),
        ("ts", "hr", "CPU load %1%", "Opterećenje %1 %"),
        ("fluent", "cs", "Emptied { trash }", "Koš vyprázdněn"),
        ("po", "zh", "<unspecified>", "未指定"),
    ] {
        let failing = failing(format, language, source, target);
        let errors: Vec<_> = failing
            .iter()
            .filter(|check| !check.starts_with("end_") && !check.starts_with("newline"))
            .collect();
        assert!(errors.is_empty(), "{target}: {errors:?}");
    }
    for (format, source, target, check) in [
        (
            "json",
            "Wait {N} {N, plural, one{day} other{days}}",
            "Warten",
            "icu_message_format",
        ),
        ("json", "{0} Following", "підписок|підписка", "brace_format"),
        (
            "json",
            "Use @:save.button here",
            "Usa guardar",
            "vue_format",
        ),
        ("fluent", "Hi { $name }", "Ahoj", "fluent-references"),
    ] {
        assert_eq!(failing(format, "uk", source, target), [check], "{target}");
    }
}

#[test]
fn a_lost_element_is_an_error_and_an_added_one_a_warning() {
    let severity = |source, target| {
        let checker = Checker::inferred("json", Words::default()).for_translation("de", "en");
        let found = checker.check(&CheckInput::new(&[source], &[target]));
        found.iter().map(|finding| finding.severity).max()
    };
    let (warning, error) = (Some(crate::Severity::Warning), Some(crate::Severity::Error));
    for (source, target, wanted) in [
        ("Press <b>here</b> now", "Drücke hier jetzt", error),
        (
            "<a href='x' target='y'>Go</a> now",
            "<a href='x'>Los</a> jetzt",
            warning,
        ),
        ("Go now", "<b>Los</b> jetzt", warning),
        ("Press <b>here</b> now", "Drücke <b>hier jetzt", error),
        ("<a href='x'>Go</a> now", "Los jetzt", error),
        ("<b>Go</b> now", "<kuat>Los</kuat> jetzt", error),
        (
            "<a class='x'>Go</a> now",
            "<a class='x' data-y>Los</a> jetzt",
            None,
        ),
    ] {
        assert_eq!(severity(source, target), wanted, "{target}");
    }
}

#[test]
fn endings_follow_names_with_a_colon() {
    let texts = ["The :attribute is", ":count errors", "Hi :name!"];
    let checker = Checker::inferred("json", Words::default()).for_template(texts.into_iter());
    let fails = |language, source, target| {
        let checker = checker.for_translation(language, "en");
        let found = checker.failing(&CheckInput::new(&[source], &[target]));
        found.contains(CheckId::Placeholders)
    };
    assert!(!fails("ja", "This has :values here", "これは:valuesの"));
    assert!(!fails("so", "The :attribute field", "Ka :attributeka"));
    assert!(fails("ckb", "The :attribute field", "١٠ field"));
    assert!(fails("de", "The :attribute field", "Das :name Feld"));
}

#[test]
fn what_no_program_replaces_is_no_placeholder() {
    for (format, source, target) in [
        ("json", "e.g. me{'@'}example.org", "Deine Adresse"),
        ("ts", "Show 100%", "%100 zeigen"),
        ("ts", "%Ln time(s)", "%n Mal"),
        ("po", "{count} files", "{count:L} Dateien"),
        ("ruby-yaml", "%{attribute} %{message}", "%{message}"),
        ("po", "translator-credits", "Jan https://example.org/%s"),
        ("json", "Hi {name}", "crwdns12:0Hi {nome}crwdne12:0"),
    ] {
        let failing = failing(format, "de", source, target);
        assert!(
            failing.iter().all(|check| !check.contains("_format")),
            "{source}: {failing:?}"
        );
    }
    // The file says that braces are placeholders, but the source has a single one.
    let checker = Checker::inferred("po", Words::default()).for_translation("de", "en");
    let found = |source| {
        let (source, target) = ([source], ["Vorgabe: {'a': 1}"]);
        let flags = "python-brace-format";
        let input = CheckInput::new(&source, &target);
        checker.failing(&CheckInput { flags, ..input })
    };
    assert!(!found("Default: {'a': 1}").contains(CheckId::PythonBraceFormat));
    assert!(found("Default: {a}").contains(CheckId::PythonBraceFormat));
}

#[test]
fn markup_is_an_error_if_it_breaks_or_an_element_is_lost() {
    let severity = |source: &str, target: &str| {
        let checker = Checker::inferred("properties", Words::default()).for_translation("de", "en");
        let found = checker.check(&CheckInput::new(&[source], &[target]));
        let mut markup = found.iter().filter(|it| it.check.id().starts_with("xml-"));
        markup.next().map(|it| it.severity)
    };
    let page = "<html>Read it</html>";
    for (source, target, wanted) in [
        (page, "<html>Lies<br>es</html>", None),
        (
            "<a href=\"x\" target=\"y\">A</a>",
            "<a href = \"x\" Target = \"_ y\">A</a>",
            Some(Severity::Warning),
        ),
        (page, "Lies es", Some(Severity::Warning)),
        (
            page,
            "<html>Lies <a href='x'>es</html>",
            Some(Severity::Error),
        ),
        ("<i>All files</i>", "Alle „Dateien“", Some(Severity::Error)),
        ("Obey the <CSP> here", "Befolgen", Some(Severity::Warning)),
        (
            "<p>Stop</p>",
            "<h2>Halt</h2><p>Stopp</p>",
            Some(Severity::Warning),
        ),
        (
            "<a>Read</a> it",
            "<a href='x'>Lies</a> es",
            Some(Severity::Warning),
        ),
        ("<a href='x'>Read</a> it", "Lies es", Some(Severity::Error)),
        ("<link>Read</link> it", "Lies es", Some(Severity::Error)),
        (
            "{N, plural, =1 {one} other {<x id=\"N\"/> pages}}",
            "{N, plural, =1 {eine} few {<x id=\"N\"/> S.} other {<x id=\"N\"/> Seiten}}",
            None,
        ),
    ] {
        assert_eq!(severity(source, target), wanted, "{source} → {target}");
    }
}

#[test]
fn a_tag_that_is_lost_beside_another_one_is_another_fault() {
    let checker = Checker::inferred("json", Words::default());
    let found = |target: &str| {
        let found = checker
            .for_translation("de", "en")
            .check(&CheckInput::new(&["My <b>view</b>"], &[target]));
        let mut found = found.into_iter();
        found
            .find(|it| it.check == CheckId::XmlInvalid)
            .expect("a finding")
    };
    let before = found("Meine <b>Ansicht</b> <u>");
    assert!(before.is_part_of(&before));
    for worse in ["Meine <b>Ansicht <u>", "Meine Ansicht <u>"] {
        assert!(!found(worse).is_part_of(&before), "{worse}");
    }
    assert!(found("Die <b>Ansicht</b> <u>").is_part_of(&before));
}

#[test]
fn an_escaped_element_that_stays_open_is_an_error() {
    let checker = Checker::inferred("xliff", Words::default());
    let found = checker.for_translation("de", "en").check(&CheckInput::new(
        &["Next &lt;b&gt;month&lt;/b&gt;"],
        &["Nächster &lt;b&gt;Monat"],
    ));
    assert!(
        found
            .iter()
            .any(|it| it.check == CheckId::XmlTags && it.severity == Severity::Error),
        "{found:?}"
    );
}

/// The severity and the message of the only finding about a translation into Japanese.
fn only_finding(syntax: &str, source: &str, target: &str) -> Option<(Severity, String)> {
    let known = crate::KnownSyntax {
        syntax: syntax.parse().unwrap(),
        origin: crate::SyntaxOrigin::Setting,
    };
    let checker = Checker::inferred("json", Words::default()).with_syntax(&known);
    let checker = checker.for_translation("ja", "en");
    let mut found = checker.check(&CheckInput::new(&[source], &[target]));
    assert!(found.len() < 2, "{found:?}");
    found
        .pop()
        .map(|finding| (finding.severity, finding.message))
}

#[test]
fn a_message_with_the_fault_of_its_source_is_a_warning() {
    let found = |target| only_finding("icu", "Max {{x}} MB", target).unwrap();
    let (severity, message) = found("{{x}} MB 以下");
    assert_eq!(severity, Severity::Warning);
    assert!(message.starts_with("The source and the translation are not a valid ICU message: "));
    assert_eq!(found("{x MB 以下").0, Severity::Error);
    let valid = only_finding("icu", "Max {x} MB", "{{x}} MB 以下");
    assert_eq!(valid.unwrap().0, Severity::Error);
}

#[test]
fn an_argument_that_the_source_quotes_is_a_warning() {
    let severity = |target| only_finding("formatjs", "Enter '{word}'", target).map(|it| it.0);
    assert_eq!(severity("「{word}」を入力"), Some(Severity::Warning));
    assert_eq!(severity("「{other}」を入力"), Some(Severity::Error));
    assert_eq!(severity("「'{word}'」を入力"), None);
}

#[test]
fn tags_of_branches_that_the_language_lacks_may_be_missing() {
    let source = "{0, plural, one {<0>#</0> file} other {<2>#</2> files}} <4>x</4>";
    let message = |target| only_finding("lingui", source, target).map(|it| it.1);
    assert_eq!(message("{0, plural, other {<2>#</2> 件}} <4>x</4>"), None);
    let missing = |names: &str| Some(format!("Missing placeholders: {names}."));
    assert_eq!(
        message("{0, plural, other {<2>#</2> 件}} x"),
        missing("<4>, </4>")
    );
    assert_eq!(
        message("{0, plural, other {# 件}} <4>x</4>"),
        missing("<2>, </2>")
    );
    let source = "{0, plural, =1 {<0>one</0> file} other {# files}}";
    let message = |target| only_finding("lingui", source, target).map(|it| it.1);
    assert_eq!(message("{0, plural, other {# 件}}"), missing("<0>, </0>"));
}

#[test]
fn messages_name_what_differs() {
    let message = |format, source, target| {
        let checker = Checker::inferred(format, Words::default());
        let checker = checker.for_translation("de", "en");
        let found = checker.check(&CheckInput::new(&[source], &[target]));
        found.into_iter().map(|it| it.message).collect::<Vec<_>>()
    };
    assert_eq!(
        message("json", "%s a %i b", "%s x %s y %i z"),
        ["Extra placeholders: %s."]
    );
    assert_eq!(
        message("json", "<b>New</b><br>file", "<b>Neu<br>Datei"),
        ["The tags differ from the source (missing tags: </b>)."]
    );
    assert_eq!(message("json", "%s%% done", "%s %% fertig"), [""; 0]);
    let operators = message("json", "\"<\" \">\" <br> \"<=\"", "«<», «>» <br> «<=» «>=»");
    assert_eq!(operators, [""; 0]);
}
