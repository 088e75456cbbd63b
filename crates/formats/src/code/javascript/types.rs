//! Parts of a module that are skipped: types, expressions and statements.

use crate::code::lexer::{Lexer, Token};
use crate::error::SyntaxError;

/// Most bytes of type arguments that an expression may have. Otherwise `<` compares.
const MAX_ARGUMENTS: usize = 1_000;

/// Words that begin a statement at the start of a line.
const STATEMENTS: [&str; 22] = [
    "export",
    "import",
    "const",
    "let",
    "var",
    "module",
    "exports",
    "function",
    "async",
    "class",
    "interface",
    "type",
    "enum",
    "declare",
    "abstract",
    "namespace",
    "if",
    "for",
    "while",
    "return",
    "try",
    "throw",
];

/// Skips an expression, up to the comma, semicolon or closing bracket after it, or the next statement.
pub(super) fn skip_expression(lexer: &mut Lexer<'_>) -> Result<(), SyntaxError> {
    let mut depth = 0_usize;
    loop {
        match &lexer.token {
            Token::End => return Ok(()),
            Token::Sign(',' | ';') if depth == 0 => return Ok(()),
            Token::Word(word) if depth == 0 && lexer.is_first && STATEMENTS.contains(word) => {
                return Ok(());
            }
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return Ok(()),
            },
            Token::Sign('<') => {
                skip_arguments(lexer)?;
                continue;
            }
            _ => {}
        }
        lexer.next()?;
    }
}

/// Skips type arguments, or only the sign of a comparison.
pub(super) fn skip_arguments(lexer: &mut Lexer<'_>) -> Result<(), SyntaxError> {
    let mut ahead = lexer.up_to(MAX_ARGUMENTS);
    let mut open = Vec::new();
    loop {
        match &ahead.token {
            Token::Sign('<') => open.push('>'),
            Token::Sign('[') => open.push(']'),
            Token::Sign('(') => open.push(')'),
            Token::Sign('{') => open.push('}'),
            Token::Sign(end @ ('>' | ']' | ')' | '}')) if open.last() == Some(end) => {
                open.pop();
            }
            Token::Word(_)
            | Token::Text(_)
            | Token::Arrow
            | Token::Sign(',' | '.' | '|' | '&' | ':' | '?' | '=') => {}
            _ => break,
        }
        // The text may end in a token that is none of a type.
        if ahead.next().is_err() {
            break;
        }
        if open.is_empty() {
            return lexer.move_to(&ahead);
        }
    }
    lexer.next()
}

/// Skips a type, up to what follows it: `=`, a comma, a semicolon, a closing bracket, `as`, `satisfies`, or the next line.
pub(super) fn skip_type(lexer: &mut Lexer<'_>) -> Result<(), SyntaxError> {
    let (mut depth, mut is_complete) = (0_usize, false);
    loop {
        let continues = matches!(
            &lexer.token,
            Token::Sign('|' | '&' | '.' | '[' | '<') | Token::Arrow
        );
        if depth == 0 && is_complete && lexer.is_first && !continues {
            return Ok(());
        }
        is_complete = true;
        match &lexer.token {
            Token::End => return Ok(()),
            Token::Sign(',' | ';' | '=') if depth == 0 => return Ok(()),
            Token::Word("as" | "satisfies") if depth == 0 => return Ok(()),
            Token::Sign('(' | '[' | '{' | '<') => depth += 1,
            Token::Sign(')' | ']' | '}' | '>') => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return Ok(()),
            },
            Token::Sign('|' | '&' | '.' | ':' | '?')
            | Token::Arrow
            | Token::Word("keyof" | "typeof" | "readonly" | "extends") => {
                is_complete = false;
            }
            _ => {}
        }
        lexer.next()?;
    }
}

/// Skips a statement that declares no value, up to the next one.
pub(super) fn skip_statement(lexer: &mut Lexer<'_>) -> Result<(), SyntaxError> {
    lexer.next()?;
    loop {
        skip_expression(lexer)?;
        match lexer.token {
            Token::Sign(';') => return lexer.next(),
            // More of the statement, or a bracket that nothing opened.
            Token::Sign(_) => lexer.next()?,
            _ => return Ok(()),
        }
    }
}
