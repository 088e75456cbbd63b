//! Screenshots: there are none.

use crate::api::request::context::Reply;
use crate::api::response::error::ApiError;
use crate::api::response::lists::list;
use crate::api::response::media_type::BINARY;
use crate::api::route::ResponseBody::{File, Object, Page};
use crate::api::route::RouteKind::{Download, Resource};
use crate::api::route::{ApiRoute, api};
use crate::api::views;

pub(super) const ROUTES: &[ApiRoute] = &[
    api(
        "/api/screenshots/",
        Resource,
        Page(views::Screenshot::object),
        |ctx| Box::pin(list(ctx, 0, |_, _, _| {})),
    )
    .options("Screenshot List", "Screenshots (always empty).")
    .operation("listScreenshots", "Screenshots (always empty)"),
    api(
        "/api/screenshots/:id/",
        Resource,
        Object(views::Screenshot::object),
        |_| Box::pin(none()),
    )
    .options("Screenshot Instance", "A screenshot (always 404).")
    .operation("getScreenshot", "A screenshot (always 404)"),
    api("/api/screenshots/:id/file/", Download, File(BINARY), |_| {
        Box::pin(none())
    })
    .options("File", "The image of a screenshot (always 404).")
    .operation(
        "getScreenshotFile",
        "The image of a screenshot (always 404)",
    ),
];

async fn none() -> Reply {
    Err(ApiError::NotFound)
}
