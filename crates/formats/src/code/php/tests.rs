//! What a file of PHP contains.

use crate::test_support::entries;
use gitglot_model::FileFormat::Php;

/// Each entry as `id = text`.
fn shown(text: &str) -> Vec<String> {
    let all = entries(Php, text.as_bytes()).unwrap();
    all.iter()
        .map(|it| format!("{} = {}", it.context, it.text))
        .collect()
}

#[test]
fn the_usual_ways_to_give_texts_are_read() {
    for file in [
        "<?php return ['a' => 'x'];",
        "<?php\n\ndeclare(strict_types=1);\n\nuse Foo\\Bar;\nreturn array('a' => 'x',)\n?>\n",
        "<html><?php // ?> <?php\n$lang['a'] = 'x';",
        "<?php\ndefined('BASEPATH') OR exit('No direct script access allowed');\n$lang[\"a\"]\t= 'x'; # note\n",
        "<?php $version = '1'; $t = []; $t['a'] = 'y'; $t['a'] = 'x'; return $t;",
        "<?php\nif (!defined('IN_PHPBB')) { exit; }\nif (empty($lang)) { $lang = array(); }\n$lang = array_merge($lang, array('a' => 'x'));",
        "<?php define('a', 'x');",
        "<?php $a = 'x'; return ['a' => $a];",
    ] {
        assert_eq!(shown(file), ["a = x"], "{file}");
    }
    let merged = "<?php return array_merge([7 => 'x', 'a' => 'y'], ['z', 7 => 'w', 7 => 'v', -3 => 'u', 't']);";
    assert_eq!(
        shown(merged),
        ["0 = x", "a = y", "1 = z", "2 = v", "3 = u", "4 = t"]
    );
    let several = "<?php $a['x']['y'] = '1'; $b = ['z' => ['v', 'w']]; $a['x']['u'] = '2';";
    assert_eq!(
        shown(several),
        ["a.x.y = 1", "a.x.u = 2", "b.z[0] = v", "b.z[1] = w"]
    );
}

#[test]
fn literals_have_the_values_of_the_language() {
    let text = r#"<?php return [
  'a' => 'it\'s \n \\ $x' . "\t\$x \x41\101\u{1F600} \q {} $ 1",
  'b' => 010, 'c' => 1_0.5, 'd' => TRUE, 'e' => null, 'f' => -2,
  'g' => <<<EOT
    one "two" \"
      three\u{e9}
    EOT,
  'h' => <<<'EOT'
$x \n
EOT . '!',
  'i' => ['x', 5 => 'y', 'z', '7' => 'v', '08' => 'w'], 'j' => [0 => 'x', 1 => 'y'],
  'k' => 'one|many', 'l' => 'Hello :name',
];"#;
    let expected = [
        "a = it's \\n \\ $x\t$x AA😀 \\q {} $ 1",
        "b = 8",
        "c = 10.5",
        "d = True",
        "e = ",
        "f = -2",
        "g = one \"two\" \\\"\n  threeé",
        "h = $x \\n!",
        "i.0 = x",
        "i.5 = y",
        "i.6 = z",
        "i.7 = v",
        "i.08 = w",
        "j[0] = x",
        "j[1] = y",
        "k = one|many",
        "l = Hello :name",
    ];
    assert_eq!(shown(text), expected);
}

#[test]
fn what_is_no_data_is_a_fault_and_the_rest_is_read() {
    let text = "<?php return [\n'a' => env('X', ['y']),\n'b' => Foo::BAR,\n'c' => \"Hi $name\",\n'd' => 'x' . PHP_EOL,\n'e' => fn ($x) => [$x => 1],\nFoo::KEY => 'y',\n\
                ...$more,\n'f' => [$x, 'z'],\n'g' => \"\\xff\",\n'h' => $x ? 'a' : 'b',\n'i' => 'w',\n];";
    assert_eq!(shown(text), ["f[0] = ", "f[1] = z", "i = w"]);
    let found = crate::faults(Php, text.as_bytes());
    let lines = found
        .iter()
        .map(|fault| (text[..fault.offset].lines().count(), &*fault.name));
    let lines: Vec<_> = lines.map(|(line, name)| format!("{line} {name}")).collect();
    assert_eq!(
        lines,
        [
            "1 a", "2 b", "3 c", "4 d", "5 e", "6 ", "7 ", "9 f", "9 g", "10 h"
        ]
    );
}

#[test]
fn errors_name_the_place_and_what_is_missing() {
    for (text, message) in [
        ("<?php return ['a' => 'x' 'b'];", "line 1, column 26"),
        (
            "<?php return [\n'a' => 'x",
            "line 2, column 8: expected the closing quote",
        ),
        (
            "<?php return [\n'a' => <<<X\ny\n",
            "line 2, column 8: expected X at the end of the heredoc",
        ),
        (
            "<?php return env('x');",
            "line 1, column 7: expected an array, found a call",
        ),
        ("text", "line 1, column 1: expected an array of texts"),
        (
            "<?php $lang['a'] = ;",
            "line 1, column 20: expected a value, found ';'",
        ),
    ] {
        let error = entries(Php, text.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with(message), "{text}: {error}");
    }
}
