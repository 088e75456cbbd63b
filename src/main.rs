//! The `gitglot` program: see [`gitglot::cli`].

fn main() {}
