use poem_openapi::Object;
use poem_openapi::types::Example;

use super::Link;

/// Somebody whom the change log names.
#[derive(Object)]
#[oai(example)]
pub(in crate::api) struct User {
    /// The number that stands in `user` and `author`.
    id: i64,
    /// A name without blanks.
    username: String,
    /// The name in the newest commit.
    full_name: String,
    /// This object.
    url: Link,
}

impl Example for User {
    fn example() -> Self {
        Self {
            id: 3,
            username: "karel-novak".into(),
            full_name: "Karel Novák".into(),
            url: "https://l10n.example.org/api/users/3/".into(),
        }
    }
}
