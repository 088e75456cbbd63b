//! Malformed files: changed, deleted, repeated and inserted bytes; deep nesting, huge texts, unusual characters.

use super::random::Chance;

/// The content of new files.
const FILES: [&str; 7] = [
    r#"{"a": "one", "b": "two {name}", "c": {"d": "three", "e": ""}}"#,
    r#"{"a": {"message": "one $1", "description": "note", "placeholders": {"x": {"content": "$1"}}}, "b": {"message": "two"}}"#,
    r#"{"a": "%s <b>x</b>…", "b": ["one", null, true, 1.50, {"x": "y"}], "\u0061": "again", "": "no name"}"#,
    "{}",
    "",
    "\u{feff}{\"a\": \"x\", \"a\": \"y\"}",
    "[1, 2, 3]",
];

/// Strings with a meaning for JSON, for line-based formats or for checks.
const PIECES: [&[u8]; 34] = [
    b"{",
    b"}",
    b"[",
    b"]",
    b"\"",
    b"\\",
    b",",
    b":",
    b"\0",
    b"\xff",
    b"\xed\xa0\x80",
    b"\xc3",
    b"\\ud800",
    b"\\udc00",
    b"\\u0000",
    b"\\u2028",
    b"null",
    b"1e999",
    b"-0.000000000000000000000000000000000001",
    b"123456789012345678901234567890",
    b"\n",
    b"\r\n",
    b"\"message\":",
    b"\xef\xbb\xbf",
    b"//",
    b"-",
    b"\"a\":{\"a\":{\"a\":",
    b"\\u0001\\u001f]]><!--",
    b"<a href='%1$s'>{{x}} %(y)d $Z$ [b][/i]</a>",
    "\u{202e}\u{200b}\u{0301}\u{1f468}\u{200d}\u{1f469}".as_bytes(),
    "\u{3042}\u{0130}\u{df}\u{fb01}\u{1d160}".as_bytes(),
    b"\n<<<<<<< HEAD\n=======\n>>>>>>> other\n",
    b"\",\"\":\"",
    b"=cmd|' /C calc'!A0",
];

/// A new file.
pub fn fresh(chance: &mut Chance) -> Vec<u8> {
    let file = chance.of(&FILES).as_bytes().to_vec();
    let times = chance.of(&[0, 0, 1, 2, 8]);
    changed(file, times, chance)
}

/// A file with a number of changes.
pub fn changed(mut bytes: Vec<u8>, times: usize, chance: &mut Chance) -> Vec<u8> {
    for _ in 0..times {
        let at = chance.below(bytes.len() + 1);
        let end = (at + chance.below(40)).min(bytes.len());
        match chance.below(9) {
            0..3 => drop(bytes.splice(at..at, chance.of(&PIECES).iter().copied())),
            3 => bytes.truncate(at),
            4 if at < bytes.len() => bytes[at] = chance.byte(),
            5 if at < bytes.len() => bytes[at] ^= 1 << chance.below(8),
            6 => drop(bytes.drain(at..end)),
            7 => drop(bytes.splice(at..end, chance.of(&PIECES).iter().copied())),
            _ if bytes.len() < 200_000 => bytes.extend_from_within(at..),
            _ => bytes.clear(),
        }
    }
    if chance.one_in(60) {
        bytes = extreme(chance);
    }
    bytes
}

/// A file with too deep nesting, too long lines or too many entries.
fn extreme(chance: &mut Chance) -> Vec<u8> {
    let many = chance.of(&[100, 999, 1_000, 1_001, 5_000, 60_000]);
    match chance.below(7) {
        0 => "[".repeat(many).into_bytes(),
        1 => "{\"a\":".repeat(many).into_bytes(),
        2 => ["{\"a\":".repeat(many), "\"x\"".to_owned(), "}".repeat(many)]
            .concat()
            .into_bytes(),
        3 => format!(
            "{{\"a\": \"{}\"}}",
            chance
                .of(&["x", "\u{1f600}", "\\n", "{x} ", "<b>"])
                .repeat(many)
        )
        .into_bytes(),
        4 => format!("{{\"{}\": {{\"message\": \"x\"}}}}", "key.".repeat(many)).into_bytes(),
        5 => {
            let entries: Vec<String> = (0..many / 20)
                .map(|at| format!("\"k{at}\": \"text {at}\""))
                .collect();
            format!("{{{}}}", entries.join(",")).into_bytes()
        }
        _ => format!("{{\"a\": 1{}}}", "0".repeat(many)).into_bytes(),
    }
}
