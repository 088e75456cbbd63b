//! Screenshots: there are none.

use crate::lists::list;
use crate::request::context::{Reply, RequestContext};
use crate::response::error::ApiError;
use crate::response::media_type::BINARY;
use crate::route::ResponseBody::{File, Object, Page};
use crate::route::RouteKind::{Download, Resource};
use crate::route::{ApiRoute, api, handler};
use crate::views;

pub(super) const ROUTES: &[ApiRoute] = &[
    api(
        "/api/screenshots/",
        Resource,
        Page(views::Screenshot::object),
        handler!(list, 0, |_, _, _| {}),
    )
    .options("Screenshot List", "Screenshots (always empty).")
    .operation("listScreenshots", "Screenshots (always empty)"),
    api(
        "/api/screenshots/:id/",
        Resource,
        Object(views::Screenshot::object),
        handler!(none),
    )
    .options("Screenshot Instance", "A screenshot (always 404).")
    .operation("getScreenshot", "A screenshot (always 404)"),
    api(
        "/api/screenshots/:id/file/",
        Download,
        File(BINARY),
        handler!(none),
    )
    .options("File", "The image of a screenshot (always 404).")
    .operation(
        "getScreenshotFile",
        "The image of a screenshot (always 404)",
    ),
];

async fn none(_: &RequestContext) -> Reply {
    Err(ApiError::NotFound)
}
