//! Writes users.

use crate::api::encode::json::{int, object, text};
use crate::api::response::links::{Links, numbered};
use crate::catalog::User;
use crate::model::privacy::name;

/// Writes a user in the change log; email addresses never leave the server.
pub(crate) fn user(out: &mut Vec<u8>, links: &Links, user: &User) {
    object!(out;
        "id" => int(user.id.0),
        "username" => text(&name(&user.username)),
        "full_name" => text(&name(&user.full_name)),
        "url" => numbered(links, "users/", user.id.0),
    );
}
