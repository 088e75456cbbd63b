//! Serde for types that are written as text: `FromStr` reads them, `Display` writes them.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{Error, Visitor};

use crate::file_format::FileFormat;
use crate::filemask::FileMask;
use crate::mask_pattern::MaskPattern;
use crate::path_pattern::PathPattern;
use crate::ref_pattern::RefPattern;
use crate::repo_path::RepoPath;
use crate::slug::Slug;

/// Deserializes a string with `FromStr`. A visitor makes toml attach the position of the string to errors.
#[derive(Debug)]
pub struct FromStrVisitor<T>(pub PhantomData<T>);

impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for FromStrVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

/// Deserializes types from the text that `FromStr` parses.
#[macro_export]
macro_rules! deserialize_text {
    ($($type:ty),* $(,)?) => {$(
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str($crate::FromStrVisitor(std::marker::PhantomData))
            }
        }
    )*};
}

/// Serializes a value as the text that `FromStr` parses.
#[macro_export]
macro_rules! serialize_text {
    ($($type:ty: $it:ident => $text:expr;)*) => {$(
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let $it = self;
                serializer.collect_str(&$text)
            }
        }
    )*};
}

serialize_text! {
    FileFormat: it => it.name();
    FileMask: it => it.as_str();
    MaskPattern: it => it.as_str();
    PathPattern: it => it.as_str();
    RefPattern: it => it;
    RepoPath: it => **it;
    Slug: it => it;
}

deserialize_text!(
    FileFormat,
    FileMask,
    MaskPattern,
    PathPattern,
    RefPattern,
    RepoPath,
    Slug
);
