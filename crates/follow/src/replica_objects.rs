//! The git objects that replicas exchange through the store of a shared ledger.
//! Source: `docs/spec/ids-and-ledger.md#packs`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::component::{Advance, ComponentState, Source, unapplied_moves};
use gitglot_git::{GitError, ObjectExchange, PackedObjects, Repository};
use gitglot_ledger::{Ledger, LedgerError, MAX_PACK, SharedLedger};

/// The directory in the state directory.
const FOLDER: &str = "shared";

/// Why objects cannot be exchanged.
#[derive(Debug, thiserror::Error)]
enum PackError {
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    #[error(transparent)]
    Git(#[from] GitError),
    #[error("they have more than {MAX_PACK} bytes")]
    TooLarge,
}

/// The packs of a batch.
#[derive(Default, Debug)]
pub(super) struct StoredPacks {
    /// Their names.
    pub packs: Vec<String>,
    /// The components whose objects could not be packed.
    pub failed: BTreeSet<String>,
}

/// The objects of other replicas, and which of the own ones the store has.
#[derive(Debug)]
pub(super) struct ReplicaObjects {
    exchange: ObjectExchange,
    /// The packs that were imported, by name.
    imported: BTreeSet<String>,
    /// The objects that this process has stored, by component. The first pack of a log is complete, so that packs of
    /// older logs can be removed.
    packed: BTreeMap<String, PackedObjects>,
    /// The components whose packs no recorded batch names yet, and the repositories that their objects are from.
    pending: Vec<(String, Repository)>,
}

impl ReplicaObjects {
    /// Opens the objects of a state directory.
    pub fn open(state: &Path) -> Result<Self, GitError> {
        Ok(Self {
            exchange: ObjectExchange::open(&state.join(FOLDER))?,
            imported: BTreeSet::new(),
            packed: BTreeMap::new(),
            pending: Vec::new(),
        })
    }

    /// The repository with the imported objects alone.
    pub fn repository(&self) -> Result<Repository, GitError> {
        self.exchange.repository()
    }

    /// Lets a repository also read the imported objects, and record its reads.
    pub fn attach(&self, repository: Repository) -> Repository {
        self.exchange.attach(repository).recording()
    }

    /// Imports the packs of the moves that a component has not applied and whose commits the repository lacks.
    pub fn import_missing(
        &mut self,
        component: &ComponentState,
        ledger: &Ledger,
        repository: &Repository,
    ) -> bool {
        let moves = unapplied_moves(component, ledger);
        if moves.is_empty() {
            return false;
        }
        let mut reader = repository.unrecorded().reader();
        let missing = moves
            .into_iter()
            .filter(|(_, commit)| reader.commit_header(*commit).is_err());
        self.import(ledger, missing.map(|(batch, _)| batch).collect())
    }

    /// Imports the packs of all moves of a component's log.
    pub fn import_all(&mut self, component: &ComponentState, ledger: &Ledger) -> bool {
        let moves = component.current_moves(ledger).into_iter().flatten();
        self.import(ledger, moves.map(|recorded| recorded.batch).collect())
    }

    /// Imports the packs of batches. Returns whether any is new.
    fn import(&mut self, ledger: &Ledger, batches: Vec<u32>) -> bool {
        let mut is_new = false;
        for batch in batches {
            match self.import_batch(ledger, batch) {
                Ok(imported) => is_new |= imported,
                Err(error) => {
                    tracing::warn!("cannot import the objects of batch {batch}: {error}")
                }
            }
        }
        is_new
    }

    fn import_batch(&mut self, ledger: &Ledger, batch: u32) -> Result<bool, PackError> {
        let (Some(shared), Some(details)) = (ledger.shared(), ledger.details(batch)?) else {
            return Ok(false);
        };
        let mut is_new = false;
        for pack in details.packs {
            if self.imported.contains(&pack) {
                continue;
            }
            if let Some(bytes) = shared.pack(&pack)? {
                self.exchange.import(&bytes)?;
                is_new = true;
                self.imported.insert(pack);
            }
        }
        Ok(is_new)
    }

    /// Stores the objects that these advances have read.
    pub fn store_packs(
        &mut self,
        components: &mut [ComponentState],
        advances: &[Advance],
        shared: &SharedLedger,
    ) -> Result<StoredPacks, LedgerError> {
        let mut stored = StoredPacks::default();
        self.pending.clear();
        for advance in advances.iter().filter(|advance| !advance.replayed) {
            let component = &mut components[advance.component.get()];
            let Source::Open(open) = &mut component.source else {
                continue;
            };
            let unrecorded = open.unrecorded();
            let repository = std::mem::replace(open, unrecorded);
            let packed = self.packed.entry(component.name.clone()).or_default();
            if advance.from.is_none() {
                *packed = PackedObjects::default();
            }
            let pack = self.exchange.pack(&repository, packed);
            match pack.map_err(PackError::from).and_then(within_limit) {
                Ok(None) => {}
                Ok(Some(pack)) => {
                    stored.packs.push(shared.put_pack(&pack)?);
                    self.pending.push((component.name.clone(), repository));
                }
                Err(error) => {
                    tracing::warn!(
                        component = component.name,
                        "cannot pack the objects of {}, so replicas must fetch them: {error}",
                        component.name
                    );
                    stored.failed.insert(component.name.clone());
                }
            }
        }
        stored.packs.sort();
        stored.packs.dedup();
        Ok(stored)
    }

    /// Notes that a recorded batch names the packs that were stored last.
    pub fn confirm_packs(&mut self) {
        for (component, repository) in self.pending.drain(..) {
            self.packed.entry(component).or_default().add(&repository);
        }
    }
}

/// Refuses a pack that other replicas would not read.
fn within_limit(pack: Option<Vec<u8>>) -> Result<Option<Vec<u8>>, PackError> {
    match pack {
        Some(pack) if pack.len() as u64 > MAX_PACK => Err(PackError::TooLarge),
        pack => Ok(pack),
    }
}
