//! Serializes an `Arc` as its content: `#[serde(with = "shared")]`, and `"shared::list"` for vectors.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub fn serialize<T: Serialize + ?Sized, S: Serializer>(
    value: &Arc<T>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    (**value).serialize(serializer)
}

pub fn deserialize<'de, T: ?Sized, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Arc<T>, D::Error>
where
    Box<T>: Deserialize<'de>,
{
    Box::deserialize(deserializer).map(Arc::from)
}

/// For vectors of `Arc`s.
pub mod list {
    use super::*;

    pub fn serialize<T: Serialize + ?Sized, S: Serializer>(
        list: &[Arc<T>],
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.collect_seq(list.iter().map(|value| &**value))
    }

    pub fn deserialize<'de, T: ?Sized, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Arc<T>>, D::Error>
    where
        Box<T>: Deserialize<'de>,
    {
        let list = Vec::<Box<T>>::deserialize(deserializer)?;
        Ok(list.into_iter().map(Arc::from).collect())
    }
}
