//! Modules of JavaScript and TypeScript.
//!
//! - `lexer`: tokens, without the comments between them. `text`: the texts of string literals.
//! - `values`: literals, with an own stack instead of recursion. `types`: types and other parts that are skipped.
//! - `module`: declarations and exports.

mod lexer;
mod module;
mod text;
mod types;
mod values;

pub(in crate::code) use module::read;

#[cfg(test)]
mod tests;
