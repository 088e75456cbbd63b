//! The styles of placeholders. One rule compares them all ([`super::check`]).

/// A [`rule!`] whose page begins with the paragraph that all styles have.
macro_rules! style {
    ($($rule:tt)*) => {
        rule! {
            /// The program fills in a value at each placeholder. A lost one shows nothing, and one that the program does not
            /// know shows itself or stops it.
            ///
            $($rule)*
        }
    };
}

style! {
    /// Placeholders of `%`: `%s`, `%(name)s`. Enabled by the flag, the message syntax, or `%(` in the source.
    PYTHON_FORMAT: "python_format" "Python format" "The Python placeholders differ from the source." Error;
    fails "flags:python-format" "de" "Hi %(name)s" "Hallo";
    passes "flags:python-format" "de" "Hi %(name)s" "Hallo %(name)s";
}

style! {
    /// Fields of `str.format`: `{name}`, `{0}`, `{}`. `{{` and `}}` are text, and a single brace fails, unless the source has one.
    PYTHON_BRACE_FORMAT: "python_brace_format" "Python brace format" "The placeholders in braces differ from the source." Error;
    fails "flags:python-brace-format" "de" "Hi {name}" "Hallo {nome}";
    passes "flags:python-brace-format" "de" "Hi {name}" "Hallo {name}";
}

style! {
    /// `{name}`, `{0}` and `{}` in source texts of any program. The rules of `python_brace_format` apply, and what is set for that check applies to this one.
    ///
    /// Inferred checks accept `{https://…}`, which no program replaces, and an ICU message in place of `{x}`.
    BRACE_FORMAT: "brace_format" "Placeholders in braces" "The placeholders in braces differ from the source." Error;
    fails "json" "de" "Hi {name}" "Hallo {Name}";
    fails "json" "de" "{0} Following" "folgt";
    passes "json" "de" "Hi {name}" "Hallo {name}";
    passes "json" "de" "{n} car | {n} cars" "{n} Auto(s)";
}

style! {
    /// Placeholders of `sprintf` in PHP: `%s`, `%1$s`, with fill characters behind an apostrophe.
    PHP_FORMAT: "php_format" "PHP format" "The PHP placeholders differ from the source." Error;
    fails "flags:php-format" "de" "Hi %1$s" "Hallo";
    passes "flags:php-format" "de" "Hi %1$s" "Hallo %1$s";
}

style! {
    /// Placeholders of `printf`: `%s`, `%d`, `%1$s`. Values without a number are filled in by their order, with a type for each: in another order, the program shows garbage or crashes.
    ///
    /// Inferred checks count only certain placeholders (`100 % of` is text) and accept `%1$s` for `%s` in order, other flags, widths and precisions, `%i` for `%d`, and `%Id` of glibc.
    C_FORMAT: "c_format" "C format" "The C placeholders differ from the source." Error;
    fails "json" "de" "Hi %s" "Hallo";
    fails "json" "de" "%s has %d" "%d hat %s";
    passes "json" "de" "Hi %s" "Hallo %s";
    passes "json" "de" "%i files" "%d Dateien";
    passes "json" "de" "100% of users" "100 % der Nutzer";
}

style! {
    /// Placeholders of `sprintf` in Perl: `%s`, `%1$s`.
    PERL_FORMAT: "perl_format" "Perl format" "The Perl placeholders differ from the source." Error;
    fails "flags:perl-format" "de" "Hi %s" "Hallo";
    passes "flags:perl-format" "de" "Hi %s" "Hallo %s";
}

style! {
    /// Names in braces as in `Locale::TextDomain`: `{name}` with ASCII letters, digits and `_`.
    PERL_BRACE_FORMAT: "perl_brace_format" "Perl brace format" "The placeholders in braces differ from the source." Error;
    fails "flags:perl-brace-format" "de" "Hi {name}" "Hallo";
    passes "flags:perl-brace-format" "de" "Hi {name}" "Hallo {name}";
}

style! {
    /// Placeholders of `sprintf` in JavaScript: `%s`, `%1$s`.
    JAVASCRIPT_FORMAT: "javascript_format" "JavaScript format" "The JavaScript placeholders differ from the source." Error;
    fails "flags:javascript-format" "de" "Hi %s" "Hallo";
    passes "flags:javascript-format" "de" "Hi %s" "Hallo %s";
}

style! {
    /// Placeholders of `string.format`: `%s`, `%d`.
    LUA_FORMAT: "lua_format" "Lua format" "The Lua placeholders differ from the source." Error;
    fails "flags:lua-format" "de" "Hi %s" "Hallo";
    passes "flags:lua-format" "de" "Hi %s" "Hallo %s";
}

style! {
    /// Placeholders of `Format` in Object Pascal: `%s`, `%0:s`, `%d`.
    OBJECT_PASCAL_FORMAT: "object_pascal_format" "Object Pascal format" "The Pascal placeholders differ from the source." Error;
    fails "flags:object-pascal-format" "de" "Hi %s" "Hallo";
    passes "flags:object-pascal-format" "de" "Hi %s" "Hallo %s";
}

style! {
    /// Directives of `format`: `~a`, `~d`. `~~` is text.
    SCHEME_FORMAT: "scheme_format" "Scheme format" "The Scheme placeholders differ from the source." Error;
    fails "flags:scheme-format" "de" "Hi ~a" "Hallo";
    passes "flags:scheme-format" "de" "Hi ~a" "Hallo ~a";
}

style! {
    /// `{0}`, `{0,10}`, `{0:N2}`: the number counts. .NET throws an exception if a number has no value, or at a brace that is neither doubled nor a part of
    /// a placeholder. Enabled by RESX.
    ///
    /// Inferred checks read spaces as .NET does: `{0 }` is `{0}`, `{ 0}` is none.
    C_SHARP_FORMAT: "c_sharp_format" "C# format" "The C# placeholders differ from the source." Error;
    fails "resx" "de" "Hi {0}" "Hallo";
    fails "resx" "de" "Hi {0}" "Hallo {1}";
    fails "resx" "de" "Hi {0}" "Hallo { 0}";
    fails "resx" "de" "Set {{x}}" "Setze {x}";
    passes "resx" "de" "Cost {0:N2}" "Preis {0}";
    passes "resx" "de" "Cost {0,8:N2}" "Preis {0 , 8 :N2}";
}

style! {
    /// Placeholders of `Formatter`: `%s`, `%1$s`. Android throws an exception if one has no value. Enabled by Android resources.
    JAVA_PRINTF_FORMAT: "java_printf_format" "Java format" "The Java placeholders differ from the source." Error;
    fails "aresource" "de" "File %1$s:\n%2$s read\n%3$s old\n%4$s bad" "Datei %1$s:\n%2$s gelesen\n%3$s alt\nfalsch";
    fails "aresource" "de" "%s and %d" "%d und %s";
    fails "aresource" "de" "Hi %1$s" "Hallo";
    passes "aresource" "de" "%s and %d" "%1$s und %2$d";
    passes "aresource" "de" "at %1$02d" "um %1$d";
}

style! {
    /// Arguments of `MessageFormat`: `{0}`, `{0,date}`. The number counts. An apostrophe quotes what follows: a single one hides the arguments behind it, so it must be doubled. Where the syntax is known, `'{0}'` is a lost argument.
    ///
    /// A source with a single apostrophe is no such message.
    JAVA_FORMAT: "java_format" "Java MessageFormat" "The Java MessageFormat placeholders differ from the source." Error;
    fails "properties" "de" "Unable to find {0} in {1}" "Impossible d'ouvrir {0} dans {1}";
    fails "properties" "de" "{1} is new" "{2} ist neu";
    passes "properties" "de" "Unable to find {0}" "Impossible d''ouvrir {0}";
    passes "properties" "de" "{0} isn't empty" "{0} n'est pas vide";
}

style! {
    /// `%1`, `%L1` of `QString::arg`. Enabled by Qt Linguist files.
    QT_FORMAT: "qt_format" "Qt format" "The Qt placeholders differ from the source." Error;
    fails "ts" "de" "%1 of %2" "%1";
    passes "ts" "de" "%1 of %2" "%2: %1";
    passes "ts" "tr" "Zoom to 40%" "%40 yakınlaştır";
    passes "ts" "de" "Show 100%" "%100 zeigen";
    fails "ts" "tr" "Zoom to 40 percent" "%40 yakınlaştır";
    fails "ts" "tr" "Zoom to 51%" "%1 yakınlaştır";
}

rule! {
    /// Qt replaces `%n` by the number in texts with plural forms. A text without it does not show the number.
    QT_PLURAL_FORMAT: "qt_plural_format" "Qt plural format" "The Qt plural placeholders differ from the source." Error;
    fails "flags:qt-plural-format" "de" "%n files" "Dateien";
    passes "flags:qt-plural-format" "de" "%n files" "%n Dateien";
}

style! {
    /// `%{name}`, `%<name>d` and `%s`. Ruby raises an error if a name has no value; Rails shows the placeholder.
    ///
    /// In Rails, only `%{name}` and `%<name>d` count, and the values of messages of errors, such as `%{count}`, may be added.
    RUBY_FORMAT: "ruby_format" "Ruby format" "The Ruby placeholders differ from the source." Error;
    fails "ruby-yaml" "de" "Hi %{name}" "Hallo %{nome}";
    passes "ruby-yaml" "de" "Hi %{name}" "Hallo %{name}";
    passes "ruby-yaml" "de" "is too long" "%{attribute} ist zu lang";
}

style! {
    /// Placeholders of `NSString`: `%@`, `%1$@`, `%d`. A wrong type crashes the program. Enabled by Apple strings.
    OBJC_FORMAT: "objc_format" "Objective-C format" "The Objective-C placeholders differ from the source." Error;
    fails "strings-utf8" "de" "%1$@ of %2$@" "%2$@ von %@";
    fails "strings-utf8" "de" "%1$@ is new" "%У %1$@ ist neu";
    passes "strings-utf8" "de" "%1$@ of %2$@" "%@ von %@";
    passes "strings-utf8" "ja" "Send %d files to %2$@?" "%2$@さんに%dつ送る？";
    passes "strings-utf8" "de" "100 % de" "100 % von allem";
}

style! {
    /// `:name` with ASCII letters, digits and `_`. Enabled by Laravel files. `:Name` and `:NAME` show the same value with capital
    /// letters.
    ///
    /// Inferred checks read a placeholder as Laravel does: an ending may follow it directly. A colon behind a word (`macOS:lle`) and `:D` begin none.
    /// A shorter name that the program may give (`:count` for `:count_delimited` in plural texts) is a warning.
    LARAVEL_FORMAT: "laravel_format" "Laravel format" "The Laravel placeholders differ from the source." Error;
    fails "laravel" "de" "Hi :name" "Hallo";
    fails "laravel" "de" "Hi :name" "Hallo :naMe";
    passes "laravel" "de" "Hi :name" "Hallo :name";
    passes "laravel" "de" "The :attribute is wrong." ":Attribute ist falsch.";
    passes "laravel" "de" "New: :name" "NEU: :NAME";
    passes "laravel" "uz" "Attach :label" ":labelni biriktirish";
    fails "laravel" "de" "Hi :name" "Hallo :name_id";
    passes "laravel" "fi" "for macOS" "macOS:lle";
}

style! {
    /// `%name%` with ASCII letters, digits and `_`, as in Symfony.
    PERCENT_PLACEHOLDERS: "percent_placeholders" "Percent placeholders" "The placeholders in percent signs differ from the source." Error;
    fails "json" "de" "Hi %name%" "Hallo";
    passes "json" "de" "Hi %name%" "Hallo %name%";
}

style! {
    /// `{name}`, `%{name}`, and links `@:key`, `@.modifier:key`. With the message syntax `vue-i18n`, a message that the compiler refuses or cuts is an error: `info@example.org`, `{ Sichern`, a new `|`.
    ///
    /// Spaces in braces do not count, `{'@'}` is a character, and a text that is only a link may be translated.
    VUE_FORMAT: "vue_format" "Vue I18n formatting" "The Vue I18n placeholders differ from the source." Error;
    fails "json" "de" "@:general.open" "@: general.open";
    fails "json" "de" "Use @:save.button here" "Nutze sichern";
    passes "json" "de" "@:general.open" "Öffnen";
    passes "json" "de" "e.g. me{'@'}example.org" "Deine Adresse";
}

style! {
    /// `{{name}}` and `$t(key)`. Enabled by i18next files, or by such a text in the source.
    ///
    /// Inferred checks accept another format of a value (`{{value, format}}`), another plural form of a nested key, and `{{plural:$1|…}}` of MediaWiki.
    I18NEXT_INTERPOLATION: "i18next_interpolation" "i18next interpolation" "The i18next placeholders differ from the source." Error;
    fails "json" "de" "Hi {{name}}" "Hallo {{nome}}";
    fails "json" "de" "Hi {{pageName}}" "Hallo {{page Name}}";
    passes "json" "de" "Hi {{ name }}" "Hallo {{name}}";
}

style! {
    /// `${…}` of template literals.
    ES_FORMAT: "es_format" "ECMAScript template literals" "The template literals differ from the source." Error;
    fails "json" "de" "Hi ${name}" "Hallo";
    passes "json" "de" "Hi ${name}" "Hallo ${ name }";
}

style! {
    /// `{{…}}`; spaces do not count.
    ANGULARJS_FORMAT: "angularjs_format" "AngularJS interpolation string" "The AngularJS placeholders differ from the source." Error;
    fails "flags:angularjs-format" "de" "Hi {{name}}" "Hallo";
    passes "flags:angularjs-format" "de" "Hi {{name}}" "Hallo {{ name }}";
}

rule! {
    /// The program replaces `{{tag}}`, `{{/tag}}` and `{{tag/}}` by components. A lost one shows no link or button.
    AUTOMATTIC_COMPONENTS_FORMAT: "automattic_components_format" "Automattic components" "The component tags differ from the source." Error;
    fails "flags:automattic-components-format" "de" "{{a}}Go{{/a}}" "Los";
    passes "flags:automattic-components-format" "de" "{{a}}Go{{/a}}" "{{a}}Los{{/a}}";
}
