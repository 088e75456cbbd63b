//! Downloads and conversions of files from the repository.

pub(super) mod archive;
pub(super) mod convert;
pub(super) mod download;
pub(super) mod source_line;
