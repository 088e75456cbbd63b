//! Resources of the current API without content: what a read-only server without accounts lacks
//! (docs/spec/current-api.md#resources-without-content).

use super::current::require_language;
use crate::apis::Current;
use crate::lists::list;
use crate::request::context::{Reply, RequestContext};
use crate::response::error::ApiError;
use crate::response::methods::{CHANGE, CREATE, CREATE_ONLY, DELETE, REMOVE_ONLY};
use crate::route::ReadAccess::{Account, Nobody, Permission};
use crate::route::ResponseBody::{Object, Page};
use crate::route::RouteKind::{Action, Resource};
use crate::route::{ApiRoute, api, handler};
use crate::views;

const fn empty(pattern: &'static str, id: &'static str, name: &'static str) -> ApiRoute {
    let body = Page(views::NoEntry::object);
    api(pattern, Resource, body, handler!(no_entries))
        .current_only()
        .options(name, "Always empty.")
        .operation(id, "Always empty")
}

/// Objects that do not exist here.
const fn absent(pattern: &'static str, id: &'static str, name: &'static str) -> ApiRoute {
    let body = Object(views::NoEntry::object);
    api(pattern, Resource, body, handler!(no_entry))
        .current_only()
        .options(name, "Always 404.")
        .operation(id, "Always 404")
}

/// A resource that nobody can read here.
const fn closed(pattern: &'static str, id: &'static str, name: &'static str) -> ApiRoute {
    absent(pattern, id, name)
        .access(Account)
        .options(name, "Needs an account, which this server does not have.")
}

/// A resource of the administrators of a project, whom this server does not have.
const fn refused(pattern: &'static str, id: &'static str) -> ApiRoute {
    let body = Page(views::NoEntry::object);
    api(pattern, Action, body, handler!(no_entries))
        .current_only()
        .access(Permission)
        .options("Backups", "Always refused.")
        .operation(id, "Always refused")
}

/// A resource that only takes changes with these methods, so that the document does not have it.
const fn write_only(pattern: &'static str, methods: &'static str) -> ApiRoute {
    absent(pattern, "", "").access(Nobody).writes(methods)
}

#[rustfmt::skip]
pub(super) const ROUTES: &[ApiRoute] = &[
    refused("/api/projects/:project/backups/", "listProjectBackups").writes(CREATE),
    refused("/api/projects/:project/backups/:backup/", "getProjectBackup"),
    empty("/api/users/", "listUsers", "User List").writes(CREATE),
    empty("/api/groups/", "listGroups", "Group List").writes(CREATE),
    empty("/api/roles/", "listRoles", "Role List").writes(CREATE),
    empty("/api/component-lists/", "listComponentLists", "Component List List").writes(CREATE),
    empty("/api/suggestions/", "listSuggestions", "Suggestion List").large_pages(),
    empty("/api/addons/", "listAddons", "Addon List"),
    empty("/api/categories/", "listCategories", "Category List").writes(CREATE),
    empty("/api/projects/:project/labels/", "listProjectLabels", "Labels").writes(CREATE),
    empty("/api/projects/:project/categories/", "listProjectCategories", "Categories"),
    empty("/api/projects/:project/announcements/", "listProjectAnnouncements", "Announcements").writes(CREATE),
    empty("/api/projects/:project/languages/:language/announcements/", "listProjectLanguageAnnouncements", "Announcements").writes(CREATE),
    empty("/api/components/:project/:component/links/", "listComponentLinks", "Links").writes(CREATE),
    empty("/api/components/:project/:component/announcements/", "listComponentAnnouncements", "Announcements").writes(CREATE),
    empty("/api/components/:project/:component/screenshots/", "listComponentScreenshots", "Screenshots"),
    empty("/api/translations/:project/:component/:language/announcements/", "listTranslationAnnouncements", "Announcements").writes(CREATE),
    empty("/api/units/:id/comments/", "listUnitComments", "Comments").writes(CREATE),
    empty("/api/units/:id/suggestions/", "listUnitSuggestions", "Suggestions").writes(CREATE),
    empty("/api/units/:id/screenshots/", "listUnitScreenshots", "Screenshots").writes(CREATE),
    absent("/api/users/:user/", "getUser", "User Instance").writes(CHANGE),
    absent("/api/users/:user/notifications/", "listUserNotifications", "Notifications").writes(CREATE),
    absent("/api/users/:user/notifications/:id/", "getUserNotification", "Notifications").writes(CHANGE),
    absent("/api/users/:user/contributions/", "listUserContributions", "Contributions"),
    absent("/api/users/:user/statistics/", "getUserStatistics", "Statistics"),
    absent("/api/groups/:id/", "getGroup", "Group Instance").writes(CHANGE),
    absent("/api/roles/:id/", "getRole", "Role Instance").writes(CHANGE),
    absent("/api/component-lists/:slug/", "getComponentList", "Component List Instance").writes(CHANGE),
    absent("/api/component-lists/:slug/components/", "listComponentsOfComponentList", "Components").writes(CREATE),
    absent("/api/suggestions/:id/", "getSuggestion", "Suggestion Instance").writes(DELETE),
    absent("/api/addons/:id/", "getAddon", "Addon Instance").writes(CHANGE),
    absent("/api/categories/:id/", "getCategory", "Category Instance").writes(CHANGE),
    absent("/api/categories/:id/statistics/", "getCategoryStatistics", "Statistics"),
    absent("/api/categories/:id/announcements/", "listCategoryAnnouncements", "Announcements").writes(CREATE),
    closed("/api/tasks/:task/", "getTask", "Task Instance").writes(DELETE),
    closed("/api/categories/:id/reports/", "listCategoryReports", "Reports").writes(CREATE),
    closed("/api/memory/", "listMemory", "Memory List"),
    closed("/api/memory/:id/", "getMemory", "Memory Instance").writes(DELETE),
    closed("/api/reports/", "listReports", "Report List").writes(CREATE),
    closed("/api/reports/:id/", "getReport", "Report Instance"),
    closed("/api/reports/:id/html/", "getReportAsHtml", "Html"),
    closed("/api/reports/:id/json/", "getReportAsJson", "Json"),
    closed("/api/reports/:id/rst/", "getReportAsRst", "Rst"),
    closed("/api/projects/:project/reports/", "listProjectReports", "Reports").writes(CREATE),
    closed("/api/components/:project/:component/reports/", "listComponentReports", "Reports").writes(CREATE),
    closed("/api/projects/:project/machinery_settings/", "getProjectMachinery", "Machinery settings").writes("GET, POST, PUT, PATCH, HEAD, OPTIONS"),
    write_only("/api/addons/:id/preview/", CREATE_ONLY),
    write_only("/api/addons/:id/trigger/", CREATE_ONLY),
    write_only("/api/categories/:id/announcements/:announcement/", REMOVE_ONLY),
    write_only("/api/component-lists/:slug/components/:component/", REMOVE_ONLY),
    write_only("/api/components/:project/:component/announcements/:announcement/", REMOVE_ONLY),
    write_only("/api/components/:project/:component/links/:linked/", REMOVE_ONLY),
    write_only("/api/groups/:id/admins/", CREATE_ONLY),
    write_only("/api/groups/:id/admins/:user/", REMOVE_ONLY),
    write_only("/api/groups/:id/componentlists/", CREATE_ONLY),
    write_only("/api/groups/:id/componentlists/:list/", REMOVE_ONLY),
    write_only("/api/groups/:id/components/", CREATE_ONLY),
    write_only("/api/groups/:id/components/:component/", REMOVE_ONLY),
    write_only("/api/groups/:id/languages/", CREATE_ONLY),
    write_only("/api/groups/:id/languages/:language/", REMOVE_ONLY),
    write_only("/api/groups/:id/projects/", CREATE_ONLY),
    write_only("/api/groups/:id/projects/:project/", REMOVE_ONLY),
    write_only("/api/groups/:id/roles/", CREATE_ONLY),
    write_only("/api/groups/:id/roles/:role/", REMOVE_ONLY),
    write_only("/api/projects/:project/announcements/:announcement/", REMOVE_ONLY),
    write_only("/api/projects/:project/labels/:label/", REMOVE_ONLY),
    write_only("/api/projects/:project/languages/:language/announcements/:announcement/", REMOVE_ONLY),
    write_only("/api/screenshots/:id/units/", CREATE_ONLY),
    write_only("/api/screenshots/:id/units/:unit/", REMOVE_ONLY),
    write_only("/api/suggestions/:id/accept/", CREATE_ONLY),
    write_only("/api/suggestions/:id/vote/", CREATE_ONLY),
    write_only("/api/translations/:project/:component/:language/announcements/:announcement/", REMOVE_ONLY),
    write_only("/api/units/:id/screenshots/:screenshot/", REMOVE_ONLY),
    write_only("/api/users/:user/groups/", "POST, DELETE, OPTIONS"),
    write_only("/api/projects/:project/addons/", CREATE_ONLY),
    write_only("/api/units/:id/source/", CREATE_ONLY),
    write_only("/api/components/:project/:component/addons/", CREATE_ONLY),
    write_only("/api/translations/:project/:component/:language/autotranslate/", CREATE_ONLY),
];

/// An object that does not exist.
async fn no_entry(_: &RequestContext) -> Reply {
    Err(ApiError::NotFound)
}

/// An empty list below an object that exists.
async fn no_entries(ctx: &RequestContext) -> Reply {
    let has = |name: &str| !ctx.param(name).is_empty();
    match (has("project"), has("component"), has("language")) {
        (true, true, true) => drop(ctx.translation::<Current>()?),
        (true, true, false) => drop(ctx.component()?),
        (true, false, true) => require_language(ctx)?,
        (true, false, false) => drop(ctx.project()?),
        _ if has("id") => drop(ctx.unit::<Current>()?),
        _ => {}
    }
    list(ctx, 0, |_, _, _| {}).await
}

#[cfg(test)]
mod tests {
    use crate::tests::api;
    use crate::tests::testing::get;

    #[tokio::test]
    async fn an_empty_list_needs_its_object() {
        let api = api();
        for (path, status) in [
            ("groups", 200),
            ("projects/hello/labels", 200),
            ("projects/nothing/labels", 404),
            ("components/hello/app/links", 200),
            ("components/hello/nothing/links", 404),
            ("translations/hello/app/cs/announcements", 200),
            ("translations/hello/app/ja/announcements", 404),
            ("projects/hello/languages/cs/announcements", 200),
            ("projects/hello/languages/ja/announcements", 404),
            ("units/1/comments", 200),
            ("units/999/comments", 404),
        ] {
            let got = get(&api, &format!("/current/api/{path}/")).await;
            assert_eq!(got.status, status, "{path}");
            if status == 200 {
                assert_eq!(got.json()["count"], 0, "{path}");
            }
        }
    }

    #[tokio::test]
    async fn a_resource_of_accounts_is_closed() {
        let got = get(&api(), "/current/api/memory/").await;
        assert_eq!(got.status, 401);
    }

    #[tokio::test]
    async fn resources_that_only_take_changes_name_their_methods() {
        let api = api();
        for (path, methods) in [
            ("groups/1/roles", "POST, OPTIONS"),
            ("groups/1/roles/2", "DELETE, OPTIONS"),
            ("users/anna/groups", "POST, DELETE, OPTIONS"),
        ] {
            let got = get(&api, &format!("/current/api/{path}/")).await;
            assert_eq!((got.status, got.header("allow")), (405, methods), "{path}");
        }
    }
}
