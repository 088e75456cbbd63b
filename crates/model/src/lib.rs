//! Types that several modules share: ids, slugs, times, texts, the change log and a cache.
//!
//! Must not depend on I/O, git, HTTP or other modules.
//!
//! ```
//! let mask = gitglot_model::FileMask::new("locales/*.json").unwrap();
//! assert_eq!(mask.matches("locales/cs.json"), Some("cs"));
//! ```

pub mod language;

mod action;
pub mod address;
mod android;
mod byte_cache;
mod checksum;
mod client;
mod commit;
mod component;
mod crash;
mod escape;
mod file_format;
mod filemask;
mod flutter;
mod front_matter;
mod group;
mod hash;
mod i18next;
mod ids;
mod invalid_value;
mod key_patterns;
mod key_separators;
mod log;
mod log_rows;
mod mask_pattern;
mod mask_segment;
mod object;
mod origin;
mod parallel;
mod parts;
mod path_pattern;
mod percent;
mod persistent_vec;
mod plural;
pub mod privacy;
mod ref_pattern;
mod rename;
mod rename_index;
mod repo_path;
mod seeded;
mod sentence;
mod shape;
mod slug;
pub mod steps;
mod text;
mod text_serde;
mod time;
mod words;
mod work_limit;

pub use action::Action;
pub use android::is_android_locale;
pub use byte_cache::ByteCache;
pub use checksum::{checksum, parse_checksum, write_checksum, write_padded_checksum};
pub use client::limit_address;
pub use commit::{Commit, Signature};
pub use component::{Component, ComponentSettings, Project, TableColumns};
pub use crash::{Crash, catch_crash};
pub use escape::{escape_json, escape_line, is_active, is_formula, spreadsheet_text};
pub use file_format::{BaseFile, FileFormat};
pub use filemask::{DOCUMENTATION, FileMask, FileMaskError, R_DOMAIN};
pub use flutter::{FLUTTER_SETTINGS, FlutterSettings, MAX_FLUTTER_SETTINGS};
pub use front_matter::{SourceDate, front_matter, source_date};
pub use group::{
    GroupFolder, GroupsAt, MAX_CODE_CHARS, MAX_GROUP_BYTES, MAX_GROUP_DEPTH, MAX_GROUPED_BYTES,
    MAX_GROUPED_FILES, PLURALS_ENDING, file_of_group, is_language_code,
};
pub use hash::signed_hash;
pub use i18next::{I18nextSettings, MAX_I18NEXT_SETTINGS, MAX_MARK};
pub use ids::{
    ChangeId, ComponentId, ComponentIndex, FirstIds, ProjectId, ProjectionIds, SourceId,
    TranslationId, UnitId, UserId,
};
pub use invalid_value::InvalidValue;
pub use key_patterns::{KeyPatterns, matches_key};
pub use key_separators::{KeySeparators, Separator, SeparatorSettings};
pub use language::is_english;
pub use log::{Log, LogMark};
pub use log_rows::{
    CommitRow, EarlierSource, KeyId, LineageId, LineageRow, LogEntry, MainlineRow, PersonId,
    Removal, SourceReassignment, StateChange,
};
pub use mask_pattern::{MAX_NAMES, MaskPattern, TooManyNames};
pub use object::{BlobId, CommitId, ParseObjectIdError, TreeId};
pub use origin::Origin;
pub use parallel::{in_parallel, threads_for, try_in_parallel};
pub use parts::{file_of_part, name_of_part, shown_path};
pub use path_pattern::{PathPattern, PathPatternError};
pub use percent::{NO_FILES, percent, whole_percent};
pub use persistent_vec::PersistentVec;
pub use plural::{PLURAL_SEPARATOR, PluralForm, fit_forms, is_blank};
pub use ref_pattern::{RefPattern, RefPatternError, is_ref_name};
pub use rename::{KeyRename, RenameEvidence};
pub use rename_index::RenameIndex;
pub use repo_path::{RepoPath, RepoPathError, is_git_directory, join_path, part_name};
pub use seeded::{Seeded, SeededHasher, SeededMap, SeededSet};
pub use sentence::{counted, sentence};
pub use shape::Shape;
pub use slug::{Slug, SlugError};
pub use text::{TextId, TextPool, Texts, push_stored_text};
pub use text_serde::FromStrVisitor;
pub use time::{OffsetTime, Timestamp};
pub use words::words;
pub use work_limit::{Unlimited, WorkLimit, WorkMeter};
