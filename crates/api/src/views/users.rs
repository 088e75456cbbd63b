//! Users in the change log. Email addresses never leave the server.

use crate::encode::json::{int, text};
use crate::links::{Links, numbered};
use crate::schema::{Link, schema};
use gitglot_model::privacy::name;

schema! {
    /// A user in the change log.
    User => user(links: &Links, user: &gitglot_catalog::User) {
        /// Id of the user, as in `user` and `author` of changes.
        id: i64 = 3 => int(user.id.0),
        /// User name, without whitespace.
        username: String = "karel-novak" => text(&name(&user.username)),
        /// Name in the newest commit.
        full_name: String = "Karel Novák" => text(&name(&user.full_name)),
        /// URL of this object.
        url: Link = "https://l10n.example.org/api/users/3/" => numbered(links, "users/", user.id.0),
    }
}
