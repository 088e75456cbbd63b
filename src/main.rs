//! The `gitglot` program: see [`gitglot::cli`].

/// Gives back what reading a long history took: the system's own keeps several times of what is in use.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> std::process::ExitCode {
    gitglot::cli::main()
}
