//! The `gitglot` program: see [`gitglot::cli`].

fn main() -> std::process::ExitCode {
    gitglot::cli::main()
}
