//! Screenshots: there are none.

use crate::lists::list;
use crate::request::context::{Reply, RequestContext};
use crate::response::error::ApiError;
use crate::response::media_type::BINARY;
use crate::response::methods::{CHANGE, CREATE, UPLOAD};
use crate::route::ResponseBody::{File, Object, Page};
use crate::route::{ApiRoute, routes};
use crate::views;

pub(super) const ROUTES: &[ApiRoute] = routes! {
    "/api/screenshots/" Resource Page(views::Screenshot::object) => (list, 0, |_, _, _| {})
        "Screenshot List" "Screenshots (always empty).", "listScreenshots" .writes(CREATE);
    "/api/screenshots/:id/" Resource Object(views::Screenshot::object) => (none)
        "Screenshot Instance" "A screenshot (always 404).", "getScreenshot" .writes(CHANGE);
    "/api/screenshots/:id/file/" Download File(BINARY) => (none)
        "File" "The image of a screenshot (always 404).", "getScreenshotFile" .writes(UPLOAD);
};

async fn none(_: &RequestContext) -> Reply {
    Err(ApiError::NotFound)
}
