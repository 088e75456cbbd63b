use super::*;
use crate::{CheckInput, Checker, Severity, Words};

fn known(name: &str) -> KnownSyntax {
    KnownSyntax {
        syntax: MessageSyntax::named(name).unwrap(),
        origin: SyntaxOrigin::Manifest {
            path: "package.json".into(),
            library: "x".into(),
        },
    }
}

#[test]
fn rows_are_sorted_and_their_flags_exist() {
    let names: Vec<&str> = MessageSyntax::all().map(MessageSyntax::name).collect();
    assert!(names.is_sorted() && names.len() > 20, "{names:?}");
    for syntax in MessageSyntax::all() {
        assert!(syntax.flags().validate().is_ok(), "{syntax}");
        assert_eq!(MessageSyntax::named(syntax.name()), Some(syntax));
    }
    assert!("i18nxt".parse::<MessageSyntax>().is_err());
}

#[test]
fn a_lost_value_is_an_error_in_each_syntax_without_a_template() {
    for (syntax, source, target) in [
        ("arb", "Delete {name}?", "Delete?"),
        ("banana", "Delete $1?", "Löschen?"),
        ("brace", "Delete {name}?", "Löschen?"),
        ("dotnet", "Delete {0}?", "Löschen?"),
        ("fluent", "Delete { $name }?", "Löschen?"),
        ("formatjs", "Delete {name}?", "Löschen?"),
        ("go-template", "Delete {{.Name}}?", "Löschen?"),
        ("gotext", "Delete {Name}?", "Löschen?"),
        ("i18n-js", "Delete %{name}?", "Löschen?"),
        ("i18n-js", "Delete {{name}}?", "Löschen?"),
        ("i18next", "Delete {{name}}?", "Löschen?"),
        ("i18next", "See $t(help)", "Siehe"),
        ("i18next", "See <0>help</0>", "Siehe Hilfe"),
        ("icu", "Delete {name}?", "Löschen?"),
        ("java-messageformat", "Delete {0}?", "Löschen?"),
        ("laravel", "Delete :name?", "Löschen?"),
        ("lingui", "Delete {name}?", "Löschen?"),
        ("mustache", "Delete {{name}}?", "Löschen?"),
        ("percent-brace", "Delete %{name}?", "Löschen?"),
        ("printf-c", "Delete %s?", "Löschen?"),
        ("printf-java", "Delete %1$s?", "Löschen?"),
        ("printf-objc", "Delete %@?", "Löschen?"),
        ("python-brace", "Delete {}?", "Löschen?"),
        ("python-percent", "Delete %(name)s?", "Löschen?"),
        ("qt", "Delete %1?", "Löschen?"),
        ("rails", "Delete %{name}?", "Löschen?"),
        ("symfony", "Delete %name%?", "Löschen?"),
        ("vue-i18n", "Delete {name}?", "Löschen?"),
        ("webextension", "Delete $NAME$?", "Löschen?"),
    ] {
        let checker = Checker::inferred("json", Words::default()).with_syntax(&known(syntax));
        let checker = checker.for_template([source].into_iter());
        let (source, target) = ([source], [target]);
        let found = checker
            .for_translation("de", "en")
            .check(&CheckInput::new(&source, &target));
        let errors: Vec<_> = found
            .iter()
            .filter(|it| it.severity == Severity::Error)
            .map(|it| it.check.id())
            .collect();
        assert_eq!(errors.len(), 1, "{syntax} {source:?}: {found:?}");
    }
}

#[test]
fn the_format_wins_over_a_manifest_and_the_setting_over_both() {
    let format = Checker::inferred("webextension", Words::default());
    let name = |checker: &Checker| checker.syntax().map(|it| it.syntax.name());
    assert_eq!(name(&format), Some("webextension"));
    let manifest = known("i18next");
    assert_eq!(name(&format.with_syntax(&manifest)), Some("webextension"));
    let setting = KnownSyntax {
        origin: SyntaxOrigin::Setting,
        ..manifest.clone()
    };
    let set = format.with_syntax(&setting);
    assert_eq!(name(&set), Some("i18next"));
    assert_eq!(name(&set.with_syntax(&known("icu"))), Some("i18next"));
    assert_eq!(name(&Checker::inferred("json", Words::default())), None);
    assert_eq!(manifest.to_string(), "i18next (package.json depends on x)");
}

#[test]
fn texts_still_show_the_styles_that_the_syntax_does_not_read() {
    let failing = |syntax: &str, source: &str| {
        let checker = Checker::inferred("json", Words::default()).with_syntax(&known(syntax));
        let (source, target) = ([source], ["Löschen?"]);
        let failing = checker
            .for_translation("de", "en")
            .failing(&CheckInput::new(&source, &target));
        failing.iter().map(crate::CheckId::id).collect::<Vec<_>>()
    };
    assert_eq!(failing("vue-i18n", "Delete {name}?"), ["vue_format"]);
    assert_eq!(failing("vue-i18n", "Delete %s?"), ["c_format"]);
    assert_eq!(failing("rails", "Delete %s?"), ["c_format"]);
    assert_eq!(failing("brace", "Delete {name}?"), ["placeholders"]);
    assert_eq!(failing("python-percent", "Delete %s?"), ["python_format"]);
}

/// The messages of the errors of a text in a syntax.
fn errors(syntax: &str, source: &str, target: &str) -> Vec<String> {
    let checker = Checker::inferred("json", Words::default()).with_syntax(&known(syntax));
    let checker = checker.for_template([source].into_iter());
    let (source, target) = ([source], [target]);
    let found = checker
        .for_translation("de", "en")
        .check(&CheckInput::new(&source, &target));
    let errors = found
        .into_iter()
        .filter(|it| it.severity == Severity::Error);
    errors.map(|it| it.message).collect()
}

#[test]
fn actions_of_go_that_control_others_are_no_values() {
    let source = "{{ .Count }} minutes";
    let target = "{{ .Count }} {{ if lt .Count 20 }}minute{{ else }}de minute{{- end }}";
    assert_eq!(errors("go-template", source, target), [""; 0]);
    assert_eq!(
        errors("go-template", source, "{{ Count }} de minute").len(),
        1
    );
    assert_eq!(
        errors("i18next", "Since {{start}}", "{{end}} {{start}}").len(),
        1
    );
    let source = "{{ if .A }}x{{ end }}";
    assert_eq!(errors("go-template", source, "{{ if .A }}x").len(), 1);
    assert_eq!(errors("go-template", source, "x"), [""; 0]);
}

#[test]
fn a_known_syntax_other_than_that_of_vue_is_never_read_as_it() {
    for format in ["ts", "strings-utf8", "aresource", "resx"] {
        let checker = Checker::inferred(format, Words::default());
        let (source, target) = (["{In 6 months}"], ["{In 6 Monaten}"]);
        let checker = checker.for_translation("de", "en");
        assert_eq!(
            checker.check(&CheckInput::new(&source, &target)),
            [],
            "{format}"
        );
    }
}

#[test]
fn a_torn_or_lost_placeholder_of_zero_and_one_is_an_error() {
    let of = |format, source: [&str; 2], target: [&str; 2]| {
        let checker = Checker::inferred(format, Words::default()).for_translation("fr", "en");
        let found = checker.check(&CheckInput::new(&source, &target));
        found.iter().map(|finding| finding.severity).max()
    };
    let severity = |target| {
        of(
            "aresource",
            ["%d file", "%d files"],
            [target, "%d fichiers"],
        )
    };
    let named = |target| {
        of(
            "json",
            ["%(n)s file", "%(n)s files"],
            [target, "%(n)s fichiers"],
        )
    };
    assert_eq!(named("%(n) fichier"), Some(Severity::Error));
    assert_eq!(named("Fichier"), None);
    assert_eq!(severity("Fichier"), Some(Severity::Error));
    assert_eq!(severity("% d fichier"), Some(Severity::Error));
    assert_eq!(severity("%d fichier"), None);
}

#[test]
fn a_bar_of_vue_i18n_divides_what_shows_a_number() {
    let checker = Checker::inferred("json", Words::default()).with_syntax(&known("vue-i18n"));
    let passes = |source, target| {
        let unit = (&[source], &[target]);
        let unit = CheckInput::new(unit.0, unit.1);
        checker.for_translation("ca", "en").check(&unit).is_empty()
    };
    assert!(passes("in {n}mo", "en 0 mesos|en 1 mes|en {n} mesos"));
    assert!(passes("{0} Following", "{0} seurattua|{0} seurattu"));
    assert!(!passes("in a month", "en 0 mesos|en 1 mes"));
    assert!(!passes("{0} or more", "{0}|més"));
    assert!(passes(
        "{0} people|{0} person|{0} people",
        "{n} persona|{n} persones"
    ));
    assert!(!passes(
        "{name} people|{name} person",
        "{n} persona|{n} persones"
    ));
    assert!(!passes("{0} people", "{n} persones"));
}

#[test]
fn flags_of_a_unit_keep_the_rules_of_the_syntax() {
    let checker = Checker::inferred("json", Words::default()).with_syntax(&known("go-template"));
    let (source, target) = (["{{if .New}}New {{end}}file"], ["Datei"]);
    for flags in ["", "max-length:100"] {
        let unit = CheckInput {
            flags,
            ..CheckInput::new(&source, &target)
        };
        let findings = checker.for_translation("de", "en").check(&unit);
        assert!(findings.is_empty(), "{flags}: {findings:?}");
    }
}

#[test]
fn what_vue_i18n_refuses_or_cuts_is_an_error() {
    for (source, target) in [
        ("Write to us", "Schreibe an info@example.org"),
        ("Save", "{ Speichern"),
        ("Save", "Speichern {}"),
        ("Yes or no", "Ja | Nein"),
    ] {
        assert_eq!(errors("vue-i18n", source, target).len(), 1, "{target}");
        assert!(
            errors("vue-i18n", target, source).is_empty() || target.contains('{'),
            "{target}"
        );
    }
    for (source, target) in [
        ("{volume}%", "%{volume}"),
        ("Hi {name}", "Hallo { name }"),
        ("Hi { name }", "Hallo {name}"),
        ("info@example.org", "kontakt@example.org"),
        ("one | many", "eins | viele"),
        ("at b", "{'@'} b"),
    ] {
        assert!(errors("vue-i18n", source, target).is_empty(), "{target}");
    }
    assert!(errors("vue-i18n-8", "Write to us", "An info@example.org").is_empty());
    assert_eq!(errors("vue-i18n-8", "Hi {name}", "Hallo").len(), 1);
}

#[test]
fn apostrophes_of_formatjs_and_java_quote_placeholders() {
    let formatjs = |target: &str| errors("formatjs", "<b>Water</b> and {n}", target);
    assert!(formatjs("<b>Eau</b> et {n}").is_empty());
    assert!(formatjs("L''<b>eau</b> et {n}").is_empty());
    assert_eq!(formatjs("L'<b>eau</b> et {n}").len(), 1);
    assert_eq!(formatjs("<b>Eau</b> et l'{n}").len(), 1);
    assert!(!formatjs("<b>Eau et {n}").is_empty());
    // A source with other markup is no message with tags.
    assert_eq!(errors("formatjs", "{n}<br>x", "<br>x").len(), 1);
    let java = |target: &str| errors("java-messageformat", "Delete {0}?", target);
    assert!(java("{0} löschen?").is_empty());
    assert!(java("''{0}'' löschen?").is_empty());
    assert_eq!(java("'{0}' löschen?").len(), 1);
    assert!(errors("java-messageformat", "Can't delete '{0}'", "'{0}' nicht").is_empty());
}
