//! The types of setting values. Each parses its text with `FromStr`; the error is one sentence.

mod choice;
mod network;
mod quantity;
mod separator;

use std::str::FromStr;

use gitglot_model::{deserialize_text, serialize_text};

pub use choice::{ApiProfile, BadgeAccess, HistoryMode, LogFormat, LogLevel, MetricsDetail};
pub use network::{
    BaseUrl, HeaderField, HostName, LedgerAddress, ListenAddress, Origin, ProxyAddress,
};
pub use quantity::{ByteSize, Period, Rate};
pub(super) use separator::{SeparatorText, SeparatorValue};

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

serialize_text! {
    BaseUrl: it => it.as_str();
    ByteSize: it => it;
    HeaderField: it => it.as_str();
    HostName: it => it.as_str();
    LedgerAddress: it => it.as_str();
    ListenAddress: it => it.as_str();
    NonEmpty: it => it.0;
    Origin: it => it.as_str();
    Period: it => it;
    ProxyAddress: it => it.network();
    Rate: it => it;
    SeparatorText: it => it.0;
}

deserialize_text!(
    BaseUrl,
    ByteSize,
    HeaderField,
    HostName,
    LedgerAddress,
    ListenAddress,
    NonEmpty,
    Origin,
    Period,
    ProxyAddress,
    Rate,
    SeparatorText
);
