//! What tests of several crates share: a builder of git histories, an object store in memory, and a
//! system whose file watches a test controls.
//!
//! Only tests and benchmarks use this crate.
//!
//! ```
//! use gitglot_testkit::{Repo, commit};
//!
//! let folder = tempfile::tempdir().unwrap();
//! let mut repo = Repo::with(&folder.path().join("repo.git"), &commit("one").write("cs.json", "{}"));
//! repo.push(&commit("two").delete("cs.json"));
//! assert_eq!(repo.tip("main"), repo.id("two"));
//! ```

mod history;
mod memory_store;
mod pipe;
mod watch_system;

pub use history::{ANNA, History, Person, Repo, branch_at, commit, delete_branch, json_texts};
pub use memory_store::{Faults, MemoryStore, StoreOperation};
pub use pipe::make_pipe;
pub use watch_system::FakeSystem;
