//! The bodies of users.

use super::{Link, schema};

schema! {
    /// A user that the change log names.
    User {
        /// The value of `user` and `author`.
        id: i64 = 3,
        /// A name without whitespace.
        username: String = "karel-novak".into(),
        /// The name in the newest commit.
        full_name: String = "Karel Novák".into(),
        /// This object.
        url: Link = "https://l10n.example.org/api/users/3/".into(),
    }
}
