//! The `gitglot` program: see [`gitglot::cli`].

/// Returns memory to the system after a long history was read; the system's allocator retains much of it.
#[cfg(feature = "jemalloc")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> std::process::ExitCode {
    gitglot::cli::main()
}
