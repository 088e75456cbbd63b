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
    ByteSize: value => value;
    NonEmpty: value => value.0;
    Period: value => value;
    ProxyAddress: value => value.network();
    Rate: value => value;
    SeparatorText: value => value.0;
}

deserialize_text!(
    ByteSize,
    NonEmpty,
    Period,
    ProxyAddress,
    Rate,
    SeparatorText
);
