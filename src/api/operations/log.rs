//! The change log and the people whom it names.

use poem::web::Data;
use poem_openapi::OpenApi;
use poem_openapi::param::Path;

use super::Tag;
use super::changes::{LogOf, Order, log_page};
use crate::api::bodies::{change, details, user};
use crate::api::call::{Call, number};
use crate::api::params::{Format, PageNumber, PageSize};
use crate::api::reply::Reply;
use crate::api::schema::{self, Page};
use crate::model::{ChangeId, UserId};

/// The operations of this file.
pub(in crate::api) struct Log;

#[expect(unused_variables, reason = "query parameters are read before an operation runs; here they are documented")]
#[OpenApi]
impl Log {
    /// The whole change log, oldest first
    #[oai(path = "/api/changes", method = "get", operation_id = "listChanges", tag = "Tag::Changes")]
    async fn changes(
        &self,
        call: Data<&Call>,
        page: PageNumber,
        page_size: PageSize,
        format: Format,
    ) -> Reply<Page<schema::Change>> {
        log_page(&call, LogOf::All, Order::OldestFirst).await
    }

    /// One entry of the change log
    #[oai(path = "/api/changes/:id", method = "get", operation_id = "getChange", tag = "Tag::Changes")]
    async fn change(&self, call: Data<&Call>, id: Path<String>, format: Format) -> Reply<schema::Change> {
        let entry = number(&id).and_then(|id| call.snapshot.change(ChangeId(id)));
        call.found(entry, |out, entry| self::change(out, &call.links, entry))
    }

    /// What git knows of an entry of the change log
    ///
    /// More than Weblate 3.4 has: which string of which file changed, in which commit, from which text to which;
    /// also when string or file are gone.
    #[oai(path = "/api/changes/:id/details", method = "get", operation_id = "getChangeDetails", tag = "Tag::Changes")]
    async fn details(&self, call: Data<&Call>, id: Path<String>, format: Format) -> Reply<schema::ChangeDetails> {
        let entry = number(&id).and_then(|id| call.snapshot.change(ChangeId(id)));
        call.found(entry, |out, entry| details(out, &call.links, entry))
    }

    /// The people whom the change log names
    ///
    /// More than Weblate 3.4 has.
    #[oai(path = "/api/users", method = "get", operation_id = "listUsers", tag = "Tag::Changes")]
    async fn users(
        &self,
        call: Data<&Call>,
        page: PageNumber,
        page_size: PageSize,
        format: Format,
    ) -> Reply<Page<schema::User>> {
        call.list(call.snapshot.users().len(), |call, items, places| {
            let users = call.snapshot.users().get(places).unwrap_or_default();
            items.each(users, |out, of| user(out, &call.links, of));
        })
    }

    /// Somebody whom the change log names
    ///
    /// More than Weblate 3.4 has.
    #[oai(path = "/api/users/:id", method = "get", operation_id = "getUser", tag = "Tag::Changes")]
    async fn user(&self, call: Data<&Call>, id: Path<String>, format: Format) -> Reply<schema::User> {
        let found = number(&id).and_then(|id| call.snapshot.user(UserId(id)));
        call.found(found, |out, of| self::user(out, &call.links, of))
    }
}
