//! The types of setting values. Each parses its text with `FromStr`; the error is one sentence.

mod choice;
mod network;
mod quantity;
mod secret;

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::model::{FileFormat, FileMask, MaskPattern, Slug};

pub use choice::{BadgeAccess, HistoryMode, LogFormat, LogLevel, MetricsDetail};
pub use network::{BaseUrl, HostName, LedgerAddress, ListenAddress, Origin, ProxyAddress};
pub use quantity::{ByteSize, Period, Rate};
pub use secret::Secret;

/// A text that is not empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct NonEmpty(pub String);

impl FromStr for NonEmpty {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.is_empty() {
            Err("the value is empty: set it or remove the key")
        } else {
            Ok(Self(text.to_owned()))
        }
    }
}

/// Deserializes a string with `FromStr`. A visitor makes toml attach the position of the string to errors.
struct FromStrVisitor<T>(PhantomData<T>);

impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for FromStrVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

macro_rules! deserialize_text {
    ($($type:ty),*) => {$(
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(FromStrVisitor(PhantomData))
            }
        }
    )*};
}

/// Serializes a value as the text that `FromStr` parses.
macro_rules! serialize_text {
    ($($type:ty: $it:ident => $text:expr;)*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let $it = self;
                serializer.collect_str(&$text)
            }
        }
    )*};
}

serialize_text! {
    BaseUrl: it => it.as_str();
    ByteSize: it => it;
    FileFormat: it => it.name();
    FileMask: it => it.as_str();
    HostName: it => it.as_str();
    LedgerAddress: it => it.as_str();
    ListenAddress: it => it.as_str();
    MaskPattern: it => it.as_str();
    NonEmpty: it => it.0;
    Origin: it => it.as_str();
    Period: it => it;
    ProxyAddress: it => it.network();
    Rate: it => it;
    Slug: it => it;
}

deserialize_text!(
    BaseUrl,
    ByteSize,
    FileFormat,
    FileMask,
    HostName,
    LedgerAddress,
    ListenAddress,
    MaskPattern,
    NonEmpty,
    Origin,
    Period,
    ProxyAddress,
    Rate,
    Secret,
    Slug
);
