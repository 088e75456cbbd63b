//! Git object ids, with one type per kind of object.

use super::checksum::HEX_DIGITS;

/// The text is not a 40-digit hexadecimal object id.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not a 40-digit git object id")]
pub struct ParseObjectIdError(pub String);

macro_rules! object_ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub struct $name(pub [u8; 20]);

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let mut text = [0; 40];
                for (pair, byte) in text.chunks_exact_mut(2).zip(self.0) {
                    let digits = [byte >> 4, byte & 15].map(|digit| HEX_DIGITS[usize::from(digit)]);
                    pair.copy_from_slice(&digits);
                }
                f.write_str(std::str::from_utf8(&text).unwrap_or_default())
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        }

        impl std::str::FromStr for $name {
            type Err = ParseObjectIdError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let error = || ParseObjectIdError(text.to_owned());
                if text.len() != 40 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                    return Err(error());
                }
                let mut id = [0; 20];
                for (at, byte) in id.iter_mut().enumerate() {
                    *byte = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).map_err(|_| error())?;
                }
                Ok(Self(id))
            }
        }
    )*};
}

object_ids! {
    /// The id of a commit.
    CommitId
    /// The id of a tree (a directory).
    TreeId
    /// The id of a blob (a file).
    BlobId
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn object_ids_round_trip() {
        let text = "ef78ced1c7991676e773ebe1e23bf8602bdc0034";
        assert_eq!(text.parse::<CommitId>().unwrap().to_string(), text);
        assert!("ef78".parse::<CommitId>().is_err());
        assert!("+a".repeat(20).parse::<CommitId>().is_err());
        assert!(
            "+f78ced1c7991676e773ebe1e23bf8602bdc003"
                .parse::<BlobId>()
                .is_err()
        );
        assert!(
            "éf78ced1c7991676e773ebe1e23bf8602bdc0034"
                .parse::<BlobId>()
                .is_err()
        );
    }
}
