//! What a module contains.

use super::read;
use crate::test_support::entries;
use gitglot_model::FileFormat::JavaScript;

/// Each entry as `id = text`.
fn shown(text: &str) -> Vec<String> {
    let all = entries(JavaScript, text.as_bytes()).unwrap();
    all.iter()
        .map(|it| format!("{} = {}", it.context, it.text))
        .collect()
}

/// Line and message of each fault.
fn faults(text: &str) -> Vec<String> {
    let found = crate::faults(JavaScript, text.as_bytes());
    let shown = found.into_iter().map(|fault| {
        let line = text[..fault.offset].lines().count().max(1);
        match fault.kind {
            crate::FaultKind::Invalid { problem, .. } => {
                format!("{line} {}: {problem}", fault.name)
            }
            kind => format!("{line} {}: {kind:?}", fault.name),
        }
    });
    shown.collect()
}

#[test]
fn the_usual_ways_to_export_texts_are_read() {
    for module in [
        "export default { a: 'x' }",
        "export const de = { a: 'x' } as const;",
        "export const de: Messages<'de', Foo> = { a: 'x' };\nexport type De = typeof de\n",
        "module.exports = {\n  'a': \"x\",\n};\n",
        "'use strict'\nexports.default = { a: `x` }",
        "import type { Locale } from './types'\nimport en, { type X } from './en.js';\n\nconst de: Locale = {a: 'x'}\n\nexport default de\n",
        "const de = ({ a: 'x' });\nexport { de as default, de };",
        "/** doc */\nexport default defineLocale<Foo>('de', { a: 'x' }) satisfies Locale",
        "export default Object.freeze({ a: 'x' });\nexport function f(a: string) { return /[/]'/.test(a) ? `${a}}` : a / 2 }\n",
        "interface A { x: string; y(): void }\ntype B = { 'b': A }\n  | null\nexport const m = <const>{ a: 'y' }\nexport default { a: ('x') }",
        "export = { ['a']: 'x' }",
        "#!/usr/bin/env node\nlet a = 'x', b;\nexport default { a }",
        "'use strict';\nsystemDictionary = { a: 'x' };",
        "module.exports\n  = { a: 'x' }",
        "texts\n  = { a: 'x' }\nwindow\n[other] = 1",
        "window.app.texts = { a: 'x' }\nconst other = { b: 'y' }\nif (window.b == 1) {}",
        "module.exports.b.c = { d: 'y' }\nexports.b.c = { d: 'y' }\nconst texts = { a: 'x' }",
        "$('a').on('b', f)\nvar texts = { a: 'x' }, n = 1;\nwindow.go()",
        "export const pt_BR: Texts = { a: 'x' }\nexport const pt_BRMetadata = { name: 'Portuguese' }",
    ] {
        assert_eq!(shown(module), ["a = x"], "{module}");
    }
    assert_eq!(shown("window.texts = ['x']"), ["[0] = x"]);
    let two = "window.texts = { a: 'x' }\nwindow.names = ['y']";
    assert!(read(two).is_err());
    let several = "export const common = { a: 'x' }\nexport const home = { b: ['y', , 'z'] }\nexport const useIt = () => {}\n";
    assert_eq!(
        shown(several),
        [
            "common.a = x",
            "home.b[0] = y",
            "home.b[1] = ",
            "home.b[2] = z"
        ]
    );
    let words = "export const common = { a: 'x' }\nexport const sms = { b: 'y' }";
    assert_eq!(shown(words), ["common.a = x", "sms.b = y"]);
    let all_languages = "export const en = { a: 'x' }\nexport const de = { a: 'y' }";
    assert_eq!(shown(all_languages), ["en.a = x", "de.a = y"]);
}

#[test]
fn literals_have_the_values_of_the_language() {
    let text = r#"export default {
  a: 'it\'s \x41\u0042\u{1F600}\ud83d\ude00\
 on' + "\n" + `\t$ {}`, // note
  'b.c': 1_000.50, 0x10: -0x1F, "d": true, e: null, f: undefined, g: .5e3,
  h: { a: 'x', a: 'y', type: 'z', async: 'w', get: 'v', default: 'u' },
}"#;
    let expected = [
        "a = it's AB😀😀 on\n\t$ {}",
        "b.c = 1000.5",
        "16 = -31",
        "d = True",
        "e = ",
        "g = 500",
        "h.a = y",
        "h.type = z",
        "h.async = w",
        "h.get = v",
        "h.default = u",
    ];
    assert_eq!(shown(text), expected);
    assert_eq!(
        shown("export default {a: `x\r\ny`, b: '\u{2028}'}"),
        ["a = x\ny", "b = \u{2028}"]
    );
}

#[test]
fn spreads_of_the_same_file_are_resolved() {
    let text = "const base = { a: 'x', b: 'y' };\nconst more = { ...base, b: 'z' };\nexport default { ...more, c: base, d: ['v', ...['w']] };";
    assert_eq!(
        shown(text),
        [
            "a = x", "b = z", "c.a = x", "c.b = y", "d[0] = v", "d[1] = w"
        ]
    );
}

#[test]
fn what_is_no_data_is_a_fault_and_the_rest_is_read() {
    let text = "import { en } from './en';\nexport default {\n  ...en,\n  a: 'x',\n  f: (n: Map<string, number>): Pair<string, string> => n > 1 ? `${n} files` : 'a, b',\n  g(x) { return { y: x } },\n  \
                async h() {},\n  t: `you have ${`${count}`} files`,\n  s: en.title,\n  c: 'y' + en.title,\n  [key]: 'z',\n  half: '\\ud83d',\n  i: \
                function () { return ']' },\n  j: <T,>(x: T) => x,\n  k: ({ name, count }) => name,\n  l: { m: t('x'), n: 'w' },\n  o: a < b, p: 'v',\n  a: 'u',\n}";
    assert_eq!(shown(text), ["a = u", "l.n = w", "p = v"]);
    let expected = [
        "3 : A value of another file is not read: write a literal text.",
        "5 f: A function is not read: write a literal text.",
        "6 g: A function is not read: write a literal text.",
        "7 h: A function is not read: write a literal text.",
        "8 t: A text with a substitution is not read: write a literal text.",
        "9 s: An expression is not read: write a literal text.",
        "10 c: An expression is not read: write a literal text.",
        "11 : A value with a computed name is not read: write a literal text.",
        "12 half: A text with half of a surrogate pair is not read: write a literal text.",
        "13 i: A function is not read: write a literal text.",
        "14 j: A function is not read: write a literal text.",
        "15 k: A function is not read: write a literal text.",
        "16 l.m: An expression is not read: write a literal text.",
        "17 o: An expression is not read: write a literal text.",
    ];
    let found = faults(text);
    assert_eq!(found[..expected.len()], expected);
    assert!(found[expected.len()].contains("Duplicate"), "{found:?}");
}

#[test]
fn errors_name_the_place_and_what_is_missing() {
    for (text, message) in [
        ("export default { a: 'x' 'y' }", "line 1, column 25"),
        ("export default { a: 'x'\n  b: 'y' }", "line 2, column 3"),
        (
            "export default {\n a: 'x",
            "line 2, column 5: expected the closing quote",
        ),
        (
            "export default { a: 'x',",
            "line 1, column 25: expected a name or '}', found the end of the file",
        ),
        (
            "export default () => ({})",
            "line 1, column 8: expected an object, found a function",
        ),
        (
            "const a = 1",
            "line 1, column 1: expected an object that the module exports",
        ),
        (
            "export default { a: '\\u12' }",
            "line 1, column 22: expected an escape",
        ),
        (
            "export default { a: }",
            "line 1, column 21: expected a value, found '}'",
        ),
        ("/* x", "line 1, column 3: expected '*/' after the comment"),
    ] {
        let error = entries(JavaScript, text.as_bytes())
            .unwrap_err()
            .to_string();
        assert!(error.starts_with(message), "{text}: {error}");
    }
}

#[test]
fn names_that_refer_to_each_other_end() {
    let doubled: String = (1..60)
        .map(|n| format!("const a{n} = {{...a{}, ...a{}}};\n", n - 1, n - 1))
        .collect();
    let error = entries(
        JavaScript,
        format!("const a0 = {{}};\n{doubled}export default a59").as_bytes(),
    )
    .unwrap_err();
    assert!(error.to_string().contains("found more"), "{error}");
    assert!(read("const a = {b: a};\nexport default a").is_ok());
}
