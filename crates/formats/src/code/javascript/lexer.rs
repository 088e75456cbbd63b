//! Tokens of JavaScript and TypeScript.

use super::text::{Cooked, string, template_part};
use crate::code::lexer::{Lexer, Syntax, Token};
use crate::error::SyntaxError;
use crate::scan::Scanner;

/// The tokens of a file.
pub(super) fn tokens(text: &str) -> Result<Lexer<'_>, SyntaxError> {
    let mut scan = Scanner { text, at: 0 };
    if text.starts_with("#!") {
        scan.skip_line();
    }
    Lexer::new(&Syntax { skip_space, read }, scan)
}

/// Skips spaces and comments. Returns whether a line ends.
fn skip_space(scan: &mut Scanner<'_>) -> Result<bool, SyntaxError> {
    let mut is_first = scan.at == 0;
    loop {
        let space = scan.skip_while(|char| char.is_whitespace() || char == '\u{FEFF}');
        is_first |= space.contains(['\n', '\r', '\u{2028}', '\u{2029}']);
        let start = scan.at;
        if scan.rest().starts_with("//") {
            scan.skip_line();
        } else if scan.rest().starts_with("/*") {
            scan.at += 2;
            scan.skip_until("*/", "'*/' after the comment")?;
            let comment = scan.text.get(start..scan.at);
            is_first |= comment.is_some_and(|comment| comment.contains('\n'));
        } else {
            return Ok(is_first);
        }
    }
}

fn read<'t>(scan: &mut Scanner<'t>, after_value: bool) -> Result<Token<'t>, SyntaxError> {
    let Some(first) = scan.peek() else {
        return Ok(Token::End);
    };
    Ok(match first {
        '"' | '\'' => {
            scan.at += 1;
            Token::Text(string(scan, first)?)
        }
        '`' => template(scan)?,
        '0'..='9' => Token::Number(scan.number(false)),
        '.' if scan.byte(1).is_ascii_digit() => Token::Number(scan.number(false)),
        '.' if scan.skip("...") => Token::Dots,
        '=' if scan.skip("=>") => Token::Arrow,
        '/' if !after_value => regex(scan)?,
        first if is_word(first) => Token::Word(scan.skip_while(is_word)),
        sign => {
            scan.at += sign.len_utf8();
            Token::Sign(sign)
        }
    })
}

fn regex<'t>(scan: &mut Scanner<'t>) -> Result<Token<'t>, SyntaxError> {
    scan.at += 1;
    let mut in_class = false;
    loop {
        scan.skip_while(|char| !matches!(char, '/' | '\\' | '[' | ']' | '\n'));
        match scan.peek() {
            Some('\\') => {
                scan.at += 1;
                scan.at += scan.peek().map_or(0, char::len_utf8);
            }
            Some('/') if !in_class => break,
            Some(bracket @ ('/' | '[' | ']')) => {
                in_class = (in_class || bracket == '[') && bracket != ']';
                scan.at += 1;
            }
            _ => return Err(scan.unexpected("'/' after the regular expression")),
        }
    }
    scan.at += 1;
    scan.skip_while(is_word);
    Ok(Token::Regex)
}

/// Reads a template. The code of substitutions is skipped, with the templates inside it.
fn template<'t>(scan: &mut Scanner<'t>) -> Result<Token<'t>, SyntaxError> {
    scan.at += 1;
    let mut cooked = Cooked::default();
    if template_part(scan, &mut cooked)? {
        return Ok(Token::Text(cooked.text()));
    }
    // Each element is an open substitution, with the number of its open braces.
    let mut open = vec![0_usize];
    let mut ignored = Cooked::default();
    while let Some(braces) = open.last_mut() {
        ignored.text.clear();
        skip_space(scan)?;
        let is_end = match scan.peek() {
            Some('`') => {
                scan.at += 1;
                if !template_part(scan, &mut ignored)? {
                    open.push(0);
                }
                continue;
            }
            Some('}') if *braces == 0 => {
                scan.at += 1;
                template_part(scan, &mut ignored)?
            }
            Some(sign @ ('{' | '}')) => {
                *braces = if sign == '{' {
                    *braces + 1
                } else {
                    *braces - 1
                };
                scan.at += 1;
                continue;
            }
            Some(quote @ ('"' | '\'')) => {
                scan.at += 1;
                let _ = string(scan, quote)?;
                continue;
            }
            Some(other) => {
                scan.at += other.len_utf8();
                continue;
            }
            None => return Err(scan.unexpected("'}' after the substitution")),
        };
        if is_end {
            open.pop();
        }
    }
    Ok(Token::Template)
}

/// Whether a character can be part of a name.
fn is_word(char: char) -> bool {
    char.is_alphanumeric() || matches!(char, '_' | '$' | '#' | '\\' | '\u{200C}' | '\u{200D}')
}
