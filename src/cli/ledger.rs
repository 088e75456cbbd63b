//! `gitglot ledger`: verifies, copies and compacts ledgers.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use clap::Subcommand;

use super::output;
use gitglot_ledger::{BatchLog, DirectoryLog, LedgerHead, SharedLedger};

const VERIFY_HELP: &str = "\
Reads all batches and checks that none is missing and their checksums match.
In a store, also checks that it has all git objects that a replica with
--follow false needs. Checkpoints are not needed.

Exit status:
  0  The ledger is valid and complete
  1  The ledger is invalid, incomplete or cannot be read; the message names
     the first problem

Examples:
  gitglot ledger verify s3://bucket/prefix
      Check a shared ledger; replicas may run
  gitglot ledger verify --batches s3://bucket/prefix
      Check one that was copied from a state directory, without git objects
  gitglot ledger verify /var/lib/gitglot
      Check a state directory that no gitglot uses";

const COPY_HELP: &str = "\
Copies missing batches to the destination and, between two stores, packs.
Ids stay the same. A source in a store may be in use. A state directory has
no packs: replicas of its copy need access to the repositories.

Examples:
  gitglot ledger copy /var/lib/gitglot s3://bucket/prefix
      Move to a shared ledger: stop gitglot, copy, start with --ledger
  gitglot ledger copy s3://bucket/prefix file:///backup/ledger
      Back up a shared ledger; swap the arguments to restore it
  gitglot ledger copy s3://bucket/prefix /var/lib/gitglot
      Move back to a state directory";

const COMPACT_HELP: &str = "\
Removes packs of rebuilt change logs, unreferenced packs and superseded
checkpoints. Keeps all batches. Replicas may run meanwhile.

Example:
  gitglot ledger compact s3://bucket/prefix
      Remove objects that no replica needs";

/// The commands of `gitglot ledger`.
#[derive(Debug, Subcommand)]
pub enum LedgerCommand {
    /// Check all batches and packs of a ledger
    #[command(after_help = VERIFY_HELP)]
    Verify {
        /// URL of a store, or path of a state directory
        #[arg(value_name = "LEDGER")]
        ledger: String,
        /// Check only the batches, not the git objects
        #[arg(long)]
        batches: bool,
    },
    /// Copy a ledger between state directories and stores
    #[command(after_help = COPY_HELP)]
    Copy {
        /// URL of a store, or path of a state directory
        #[arg(value_name = "FROM")]
        from: String,
        /// URL of a store, or path of a state directory; created if missing
        #[arg(value_name = "TO")]
        to: String,
    },
    /// Remove objects that no replica needs from a store
    #[command(after_help = COMPACT_HELP)]
    Compact {
        /// URL of a store
        #[arg(value_name = "LEDGER")]
        ledger: String,
    },
}

/// A ledger at an address.
enum LedgerLocation {
    Directory(PathBuf),
    Store(SharedLedger),
}

impl LedgerLocation {
    fn open(address: &str) -> anyhow::Result<Self> {
        if !address.contains("://") {
            return Ok(Self::Directory(PathBuf::from(address)));
        }
        let store = gitglot_store::open(address.trim_end_matches('/'))?;
        Ok(Self::Store(SharedLedger::new(store, address)))
    }

    fn log(&self) -> anyhow::Result<Box<dyn BatchLog>> {
        Ok(match self {
            Self::Directory(folder) => Box::new(DirectoryLog::open(folder)?),
            Self::Store(shared) => Box::new(shared.clone()),
        })
    }

    /// Refuses a directory without a ledger.
    fn existing(address: &str) -> anyhow::Result<Self> {
        if !address.contains("://") && !Path::new(address).join("ledger.jsonl").exists() {
            anyhow::bail!("{address} contains no ledger.jsonl: give a state directory or a store");
        }
        Self::open(address)
    }
}

pub(super) fn run(command: &LedgerCommand) -> anyhow::Result<()> {
    output::print(&match command {
        LedgerCommand::Verify { ledger, batches } => verify(ledger, *batches)?,
        LedgerCommand::Copy { from, to } => copy(from, to)?,
        LedgerCommand::Compact { ledger } => compact(ledger)?,
    })
}

fn verify(ledger: &str, only_batches: bool) -> anyhow::Result<String> {
    let location = LedgerLocation::existing(ledger)?;
    let batches =
        |head: LedgerHead| format!("{} batches, checksum {}\n", head.batches, head.checksum);
    let (LedgerLocation::Store(shared), false) = (&location, only_batches) else {
        let head = gitglot_ledger::verify(&*location.log()?, &mut |_, _| Ok(()))?;
        return Ok(batches(head));
    };
    let named = gitglot_ledger::named_packs(shared)?;
    let bytes = gitglot_ledger::verify_packs(shared, &named.needed)?;
    named.check_complete(shared)?;
    let packs = named.needed.len();
    Ok(batches(named.head) + &format!("{packs} packs, {bytes} bytes\n"))
}

fn copy(from: &str, to: &str) -> anyhow::Result<String> {
    let from = LedgerLocation::existing(from)?;
    let to = LedgerLocation::open(to)?;
    if let LedgerLocation::Store(to) = &to {
        to.check_conditional()?;
    }
    let mut packs = 0;
    // Batches name packs, so packs are first.
    if let (LedgerLocation::Store(from), LedgerLocation::Store(to)) = (&from, &to) {
        packs = gitglot_ledger::copy_packs(from, to)?.needed.len();
    }
    let batches = gitglot_ledger::copy(&*from.log()?, &*to.log()?)?;
    let mut text = format!("copied {batches} batches and {packs} packs\n");
    if let LedgerLocation::Store(to) = &to
        && let Err(incomplete) = gitglot_ledger::named_packs(to)?.check_complete(to)
    {
        text += &format!("{incomplete}\n");
    }
    Ok(text)
}

fn compact(ledger: &str) -> anyhow::Result<String> {
    let LedgerLocation::Store(shared) = LedgerLocation::open(ledger)? else {
        anyhow::bail!("only a store can be compacted: give its URL");
    };
    let removed = gitglot_ledger::compact(&shared, SystemTime::now())?;
    let (objects, bytes) = (removed.objects, removed.bytes);
    Ok(format!("removed {objects} objects, {bytes} bytes\n"))
}
