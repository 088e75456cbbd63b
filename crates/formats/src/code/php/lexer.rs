//! Tokens of PHP.

use super::text::{document, double_quoted, is_name, single_quoted};
use crate::code::lexer::{Lexer, Syntax, Token};
use crate::error::SyntaxError;
use crate::scan::Scanner;

/// The tokens of a file.
pub(super) fn tokens(text: &str) -> Result<Lexer<'_>, SyntaxError> {
    let mut scan = Scanner { text, at: 0 };
    skip_page(&mut scan);
    Lexer::new(&Syntax { skip_space, read }, scan)
}

/// Skips text outside of code.
fn skip_page(scan: &mut Scanner<'_>) {
    let rest = scan.rest();
    let starts = memchr::memmem::find_iter(rest.as_bytes(), "<?");
    let mut starts = starts.filter_map(|start| {
        let code = rest.get(start + 2..)?;
        let is_long = code
            .get(..3)
            .is_some_and(|name| name.eq_ignore_ascii_case("php"));
        let length = if is_long { 3 } else { 1 };
        (is_long || code.starts_with('=')).then_some(start + 2 + length)
    });
    scan.at += starts.next().unwrap_or(rest.len());
}

/// Skips spaces and comments. The end of a line ends no statement.
fn skip_space(scan: &mut Scanner<'_>) -> Result<bool, SyntaxError> {
    loop {
        scan.skip_while(char::is_whitespace);
        let rest = scan.rest();
        if rest.starts_with("/*") {
            scan.at += 2;
            scan.skip_until("*/", "'*/' after the comment")?;
        } else if rest.starts_with("//") || (rest.starts_with('#') && !rest.starts_with("#[")) {
            let start = scan.at;
            scan.skip_line();
            // The end of the code ends a comment.
            let comment = scan.text.get(start..scan.at).unwrap_or_default();
            if let Some(length) = comment.find("?>") {
                scan.at = start + length;
            }
        } else {
            return Ok(false);
        }
    }
}

fn read<'t>(scan: &mut Scanner<'t>, _: bool) -> Result<Token<'t>, SyntaxError> {
    let Some(first) = scan.peek() else {
        return Ok(Token::End);
    };
    let second = scan.byte(1);
    Ok(match first {
        '\'' => Token::Text(Ok(single_quoted(scan)?)),
        '"' => Token::Text(double_quoted(scan)?),
        '<' if scan.rest().starts_with("<<<") => Token::Text(document(scan)?),
        '$' if second == b'_' || second.is_ascii_alphabetic() || !second.is_ascii() => {
            scan.at += 1;
            Token::Variable(scan.skip_while(is_name))
        }
        '0'..='9' => Token::Number(scan.number(true)),
        '.' if second.is_ascii_digit() => Token::Number(scan.number(true)),
        '.' if scan.skip("...") => Token::Dots,
        '=' if scan.skip("=>") => Token::Arrow,
        '?' if scan.skip("?>") => {
            skip_page(scan);
            Token::Sign(';')
        }
        first if is_name(first) || first == '\\' => {
            Token::Word(scan.skip_while(|char| is_name(char) || char == '\\'))
        }
        sign => {
            scan.at += sign.len_utf8();
            Token::Sign(sign)
        }
    })
}
