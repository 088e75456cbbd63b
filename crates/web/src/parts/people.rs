//! The people who made changes.

use super::LocalizedText;
use crate::paths;
use crate::request::PageRequest;
use gitglot_catalog::User;
use gitglot_model::UserId;
use gitglot_model::address::encoded_value;
use gitglot_model::privacy::name;

/// The name of a user.
pub(crate) fn name_of(user: &User) -> LocalizedText {
    LocalizedText::name(name(&user.full_name))
}

/// The name of a person, and the list of their changes.
pub(crate) fn person(request: &PageRequest<'_>, id: UserId) -> Option<(LocalizedText, String)> {
    let user = request.snapshot.user(id)?;
    let changes = request.link(paths::CHANGES, &[]);
    let list = changes + "?user=" + &encoded_value(&user.username);
    Some((name_of(user), list))
}
