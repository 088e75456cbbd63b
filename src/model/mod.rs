//! Types that several modules share: ids, slugs, times, texts, the change log and a cache.
//!
//! Must not depend on I/O, git, HTTP or other modules.

mod action;
pub mod address;
mod android;
mod byte_cache;
mod component;
mod escape;
mod filemask;
mod ids;
mod log;
mod mask_pattern;
mod mask_segment;
mod object;
mod persistent_vec;
mod plural;
pub mod privacy;
mod ref_pattern;
mod sentence;
mod slug;
mod text;
mod time;

pub use action::Action;
pub use android::is_android_locale;
pub use byte_cache::ByteCache;
pub use component::{Component, ComponentSettings, FileFormat, Project};
pub use escape::{escape_line, is_active};
pub use filemask::{FileMask, FileMaskError, MAX_CODE_CHARS};
pub use ids::{
    ChangeId, ComponentId, ComponentIndex, ProjectId, SourceId, TranslationId, UnitId, UserId,
};
pub use log::{
    CommitRow, KeyId, LineageId, LineageRow, Log, LogEntry, MainlineRow, PersonId, Removal,
    SourceReassignment,
};
pub use mask_pattern::MaskPattern;
pub use object::{BlobId, CommitId, ParseObjectIdError, TreeId};
pub use persistent_vec::PersistentVec;
pub use plural::{PLURAL_SEPARATOR, PluralForm, fit_forms};
pub use ref_pattern::{RefPattern, RefPatternError, is_ref_name};
pub use sentence::{counted, sentence};
pub use slug::{Slug, SlugError};
pub use text::{TextId, TextPool, Texts};
pub use time::{OffsetTime, Timestamp};
