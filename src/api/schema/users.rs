//! The bodies of users.

use super::{Link, schema};

schema! {
    /// A user in the change log.
    User {
        /// Id of the user, as in `user` and `author` of changes.
        id: i64 = 3,
        /// User name, without whitespace.
        username: String = "karel-novak",
        /// Name in the newest commit.
        full_name: String = "Karel Novák",
        /// URL of this object.
        url: Link = "https://l10n.example.org/api/users/3/",
    }
}
