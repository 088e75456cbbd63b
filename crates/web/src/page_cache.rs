//! What several pages of a snapshot need: the positions that the filter of a list selects, the histories that the tabs
//! of statistics show, the worst faults of documents, and for programs that write all pages the differences of texts,
//! each of which is in several lists.

use std::fmt;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::project_history::ProjectHistory;
use gitglot_catalog::scan::FilterCache;
use gitglot_lint::Severity;
use gitglot_model::{ByteCache, ComponentId};

/// Size limit of histories, in bytes.
const HISTORIES_LIMIT: usize = 4 << 20;

/// Size limit of the faults of documents, in bytes.
const FAULTS_LIMIT: usize = 8 << 20;

/// Results that pages share, until other ones need the memory.
pub struct PageCache {
    pub(crate) filters: Arc<FilterCache>,
    pub(crate) histories: Mutex<ByteCache<HistoryKey, Option<Arc<ProjectHistory>>>>,
    pub(crate) differences: Mutex<ByteCache<DifferenceKey, Arc<str>>>,
    /// The worst fault of pairs of documents.
    pub(crate) faults: Mutex<ByteCache<PairKey, Option<Severity>>>,
}

/// A generation of the snapshot, and its restriction with the slug of a project.
type HistoryKey = (u64, String);

/// The texts of a source and of its translation, as a hash. Later snapshots have most pairs, too.
pub(crate) type PairKey = [u8; 16];

/// A generation of the snapshot, a component and the index of a change in its log.
pub(crate) type DifferenceKey = (u64, ComponentId, u32);

impl fmt::Debug for PageCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PageCache").finish_non_exhaustive()
    }
}

impl PageCache {
    /// An empty cache, next to the results of filters that others also use. `differences` is the size limit of differences,
    /// in bytes.
    pub fn new(filters: Arc<FilterCache>, differences: usize) -> Self {
        Self {
            filters,
            histories: Mutex::new(ByteCache::new(HISTORIES_LIMIT)),
            differences: Mutex::new(ByteCache::new(differences)),
            faults: Mutex::new(ByteCache::new(FAULTS_LIMIT)),
        }
    }
}
