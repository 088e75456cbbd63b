//! The words of the field as types: ids, slugs, object ids, actions, texts and
//! the records that the rooms hand to each other.
//!
//! Knows no I/O, no git, no HTTP and no other room.

mod action;
pub mod address;
mod chunked;
mod component;
mod filemask;
pub mod flat;
mod ids;
mod log;
mod object;
pub mod privacy;
mod slug;
mod text;
mod time;

pub use action::Action;
pub use chunked::Chunked;
pub use component::{Component, FileFormat, Project};
pub use filemask::{FileMask, FileMaskError, MAX_CODE_CHARS};
pub use ids::{ChangeId, ComponentId, ProjectId, SourceId, TranslationId, UnitId, UserId};
pub use log::{CommitRow, Entry, KeyIx, LineageIx, LineageRow, Log, PersonIx};
pub use object::{BlobId, CommitId, ParseObjectIdError, TreeId};
pub use slug::{Slug, SlugError};
pub use text::{TextPool, TextRef, Texts};
pub use time::{Moment, OffsetTime};
