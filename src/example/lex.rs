//! Words, quoted bytes and key paths of one line.

use super::error::Problem;

/// A step of the path of a JSON edit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Step {
    Key(String),
    Element(usize),
    /// A new last element.
    Push,
}

/// Where in a JSON file an edit applies.
pub(super) type KeyPath = Vec<Step>;

/// What is left to read of a line.
#[derive(Clone, Debug)]
pub(super) struct Rest<'a>(&'a str);

impl<'a> Rest<'a> {
    /// A line without its indentation.
    pub(super) fn new(line: &'a str) -> Self {
        Self(line.trim_start())
    }

    /// All that is left; blanks at the end count, as they may belong to a file.
    pub(super) fn text(&self) -> &'a str {
        self.0
    }

    /// Whether nothing but blanks is left.
    pub(super) fn is_empty(&self) -> bool {
        self.0.trim().is_empty()
    }

    /// Whether a word in quotes is next.
    pub(super) fn is_quoted(&self) -> bool {
        self.0.starts_with('"')
    }

    /// Takes all that is left, without blanks at the end.
    pub(super) fn all(&mut self) -> &'a str {
        std::mem::take(&mut self.0).trim_end()
    }

    /// The text of a line that begins with `|` and a blank.
    pub(super) fn verbatim(&self) -> Option<&'a str> {
        let text = self.0.strip_prefix('|')?;
        if text.is_empty() { Some(text) } else { text.strip_prefix(' ') }
    }

    /// The next word without taking it; a quoted one is `""`.
    pub(super) fn peek(&self) -> &'a str {
        if self.is_quoted() { "" } else { self.0.split_whitespace().next().unwrap_or_default() }
    }

    /// Takes that word, if it is next.
    pub(super) fn take(&mut self, word: &str) -> bool {
        let next = !word.is_empty() && self.peek() == word;
        if next {
            self.skip(word.len());
        }
        next
    }

    /// Takes a word, bare or quoted; `what` says what is missing if there is none.
    pub(super) fn word(&mut self, what: &'static str) -> Result<Vec<u8>, Problem> {
        if self.is_quoted() {
            return self.quoted();
        }
        let word = self.peek();
        if word.is_empty() {
            return Err(Problem::Expected(what));
        }
        self.skip(word.len());
        Ok(word.as_bytes().to_vec())
    }

    /// Takes a word that has to be UTF-8.
    pub(super) fn name(&mut self, what: &'static str) -> Result<String, Problem> {
        String::from_utf8(self.word(what)?).map_err(|_| Problem::NotUtf8)
    }

    /// Takes `"…"`.
    pub(super) fn quoted(&mut self) -> Result<Vec<u8>, Problem> {
        let (bytes, rest) = unquote(self.0)?;
        self.0 = rest.trim_start();
        Ok(bytes)
    }

    /// Takes the path of a JSON edit.
    pub(super) fn key_path(&mut self) -> Result<KeyPath, Problem> {
        let whole = self.0;
        let bad = || Problem::KeyPath(whole.to_owned());
        let mut path = KeyPath::new();
        loop {
            if self.0.starts_with('"') {
                let (key, rest) = unquote(self.0)?;
                path.push(Step::Key(String::from_utf8(key).map_err(|_| Problem::NotUtf8)?));
                self.0 = rest;
            } else {
                let end = self.0.find(|c: char| ".[=\"".contains(c) || c.is_whitespace()).unwrap_or(self.0.len());
                let (key, rest) = self.0.split_at(end);
                if !key.is_empty() {
                    path.push(Step::Key(key.to_owned()));
                } else if !(path.is_empty() && rest.starts_with('[')) {
                    return Err(bad());
                }
                self.0 = rest;
            }
            while let Some(rest) = self.0.strip_prefix('[') {
                let (inside, rest) = rest.split_once(']').ok_or_else(bad)?;
                path.push(match inside {
                    "+" => Step::Push,
                    number => Step::Element(number.parse().map_err(|_| bad())?),
                });
                self.0 = rest;
            }
            match self.0.strip_prefix('.') {
                Some(rest) => self.0 = rest,
                None if self.0.is_empty() || self.0.starts_with([' ', '=']) => break,
                None => return Err(bad()),
            }
        }
        self.0 = self.0.trim_start();
        Ok(path)
    }

    /// Says that the line ends here.
    pub(super) fn end(&self) -> Result<(), Problem> {
        if self.is_empty() { Ok(()) } else { Err(Problem::TooMuch(self.0.trim_end().to_owned())) }
    }

    fn skip(&mut self, bytes: usize) {
        self.0 = self.0.get(bytes..).unwrap_or_default().trim_start();
    }
}

/// Reads `"…"`, gives its bytes and what stands behind it.
fn unquote(text: &str) -> Result<(Vec<u8>, &str), Problem> {
    let body = text.strip_prefix('"').ok_or(Problem::Expected("a text in quotes"))?;
    let mut bytes = Vec::new();
    let mut chars = body.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Ok((bytes, body.get(at + 1..).unwrap_or_default())),
            '\\' => escape(&mut chars, &mut bytes).ok_or(Problem::Quote)?,
            c => bytes.extend(c.encode_utf8(&mut [0; 4]).bytes()),
        }
    }
    Err(Problem::Quote)
}

/// Reads what follows a backslash.
fn escape(chars: &mut std::str::CharIndices<'_>, into: &mut Vec<u8>) -> Option<()> {
    let mut next = || chars.next().map(|(_, c)| c);
    match next()? {
        'n' => into.push(b'\n'),
        'r' => into.push(b'\r'),
        't' => into.push(b'\t'),
        c @ ('"' | '\\') => into.push(c as u8),
        'x' => {
            let (high, low) = (next()?.to_digit(16)?, next()?.to_digit(16)?);
            into.push(u8::try_from(16 * high + low).ok()?);
        }
        'u' => {
            if next()? != '{' {
                return None;
            }
            let mut code = 0u32;
            loop {
                match next()? {
                    '}' => break,
                    digit => code = code.checked_mul(16)? + digit.to_digit(16)?,
                }
            }
            into.extend(char::from_u32(code)?.encode_utf8(&mut [0; 4]).bytes());
        }
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_words_hold_any_bytes() {
        let mut rest = Rest::new(r#"plain "a b\x00\xff\u{20ac}\n" end"#);
        assert_eq!(rest.word("").unwrap(), b"plain");
        assert_eq!(rest.word("").unwrap(), b"a b\0\xff\xe2\x82\xac\n");
        assert_eq!(rest.text(), "end");
        for bad in [r#""open"#, r#""\q""#, r#""\x4""#, r#""\u{d800}""#, r#""\u{fffffffff}""#, "\"\\"] {
            assert_eq!(Rest::new(bad).quoted(), Err(Problem::Quote), "{bad}");
        }
    }

    #[test]
    fn key_paths_name_keys_elements_and_odd_keys() {
        let mut rest = Rest::new(r#"menu.items[2]."a.b c".""[+] = 1"#);
        let key = |text: &str| Step::Key(text.into());
        assert_eq!(
            rest.key_path().unwrap(),
            [key("menu"), key("items"), Step::Element(2), key("a.b c"), key(""), Step::Push]
        );
        assert_eq!(rest.text(), "= 1");
        assert_eq!(Rest::new("[0].a").key_path().unwrap(), [Step::Element(0), key("a")]);
        for bad in ["", "a..b", "a[x]", "a[1", "a[0]b", "= 1", "a\"b\""] {
            assert!(matches!(Rest::new(bad).key_path(), Err(Problem::KeyPath(_))), "{bad}");
        }
        let mut rest = Rest::new(r#""odd" after x = 1"#);
        assert_eq!(rest.key_path().unwrap(), [key("odd")]);
        assert_eq!(rest.text(), "after x = 1");
    }
}
