//! Files of PHP.
//!
//! - `lexer`: tokens. `text`: the texts of string literals.
//! - `values`: literals, with an own stack instead of recursion.
//! - `file`: what the file returns, and the variables and constants that it sets.

mod file;
mod lexer;
mod text;
mod values;

pub(in crate::code) use file::read;

#[cfg(test)]
mod tests;
