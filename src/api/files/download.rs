//! Downloads: bytes of the repository, read off the async threads (docs/spec/http.md#files).

use crate::api::files::convert::Converter;
use crate::api::files::source::{FileError, FileSource};
use crate::api::request::context::RequestContext;
use crate::api::response::api_response::ApiResponse;
use crate::api::response::error::ApiError;
use crate::api::response::links::site;
use crate::api::response::payload::{AnyFile, Download, DownloadedFile, JsonFile, Media};
use crate::catalog::{ComponentSnapshot, TranslationView};
use crate::model::address::encoded;
use crate::scan::Budget;

/// The template of a component.
pub(crate) async fn template(
    ctx: &RequestContext,
    project: &str,
    component: &str,
) -> Download<JsonFile> {
    let Some(of) = ctx.component(project, component) else {
        return none(ctx);
    };
    let (id, blob) = (of.component.id, of.template_blob);
    let disposition = named(&of.component.template);
    send(ctx, disposition, move |files| files.blob(id, blob)).await
}

/// The file that new languages of a component start from.
pub(crate) async fn new_base(
    ctx: &RequestContext,
    project: &str,
    component: &str,
) -> Download<AnyFile> {
    let Some(of) = ctx.component(project, component) else {
        return none(ctx);
    };
    let path = of.component.new_base.clone();
    if path.is_empty() {
        return none(ctx);
    }
    let (id, tip, disposition) = (of.component.id, of.tip.id, named(&path));
    send(ctx, disposition, move |files| files.at_path(id, tip, &path)).await
}

/// The file of a translation: the version whose texts are shown, or the one at the tip when none could be read.
/// With a `format` it is converted.
pub(crate) async fn translation(
    ctx: &RequestContext,
    project: &str,
    component: &str,
    language: &str,
) -> Download<DownloadedFile> {
    let Some(view) = ctx.translation(project, component, language) else {
        return none(ctx);
    };
    if let Some(format) = &ctx.format {
        return Download::refused(converted(ctx, project, component, language, format).await);
    }
    let (id, tip) = (view.component.component.id, view.component.tip.id);
    let (blob, path) = (view.translation.blob, view.translation.path.clone());
    let disposition = attachment(view, "json");
    let read = move |files: &dyn FileSource| match blob {
        Some(blob) => files.blob(id, blob),
        None => files.at_path(id, tip, &path),
    };
    send(ctx, disposition, read).await
}

/// The file of a component at a revision: that of the language in the query, else the template.
pub(crate) async fn of_revision<M: Media>(
    ctx: &RequestContext,
    state: &ComponentSnapshot,
) -> Download<M> {
    let language = ctx.url.value("language").filter(|code| !code.is_empty());
    let found = state.translations.iter().find(|it| match &language {
        Some(code) => **code == *it.language.code,
        None => it.is_template,
    });
    let Some(found) = found else {
        let reason = "The revision has no file of that language.".to_owned();
        return failed(ctx, &ApiError::NoRevision(reason));
    };
    let (id, commit, path) = (state.component.id, state.tip.id, found.path.clone());
    let disposition = named(&path);
    let file: Download<M> = send(ctx, disposition, move |files| {
        files.at_path(id, commit, &path)
    })
    .await;
    Download::refused(file.into_inner().volatile())
}

/// No file, with the reason.
pub(crate) fn failed<M: Media>(ctx: &RequestContext, error: &ApiError) -> Download<M> {
    Download::refused(ApiResponse::error(error, ctx.indent))
}

/// A translation in a different format, converted outside the async threads.
async fn converted(
    ctx: &RequestContext,
    project: &str,
    component: &str,
    language: &str,
    format: &str,
) -> ApiResponse {
    let Some(converter) = Converter::named(format) else {
        return ApiResponse::not_found(&ctx.url.base);
    };
    let (own, format) = (ctx.clone(), format.to_owned());
    let [project, component, language] = [project, component, language].map(str::to_owned);
    let file = ctx.state.scans.run(move |budget| {
        own.translation(&project, &component, &language)
            .map(|view| file(&own, view, converter, &format, budget))
    });
    match file.await {
        Ok(file) => file.unwrap_or_else(|| ApiResponse::error(&ApiError::NotFound, ctx.indent)),
        Err(refused) => {
            ApiResponse::error(&ApiError::refused(refused, &ctx.state.scans), ctx.indent)
        }
    }
}

/// The file of a translation in another format.
fn file(
    ctx: &RequestContext,
    view: TranslationView<'_>,
    exporter: Converter,
    format: &str,
    budget: &Budget,
) -> ApiResponse {
    let (of, code) = (view.component, encoded(&view.translation.language.code));
    let page = [
        "projects/",
        of.project.slug.as_str(),
        "/",
        of.component.slug.as_str(),
        "/",
        &code,
        "/",
    ]
    .concat();
    match exporter.file(view, &site(&ctx.links, &page), budget) {
        Ok(file) => ApiResponse::file(
            file,
            exporter.media(),
            &attachment(view, exporter.extension()),
        ),
        Err(error) => {
            tracing::error!(%error, format, "cannot convert a file");
            ApiResponse::error(&ApiError::Unreadable, 0)
        }
    }
}

/// The header that names a translation's file, by slugs and language.
fn attachment(view: TranslationView<'_>, extension: &str) -> String {
    let (project, component) = (
        view.component.project.slug.as_str(),
        view.component.component.slug.as_str(),
    );
    format!(
        "attachment; filename={project}-{component}-{}.{extension}",
        sanitize(&view.translation.language.code)
    )
}

/// No file.
pub(crate) fn none<M: Media>(ctx: &RequestContext) -> Download<M> {
    Download::refused(ApiResponse::error(&ApiError::NotFound, ctx.indent))
}

async fn send<M: Media>(
    ctx: &RequestContext,
    disposition: String,
    read: impl FnOnce(&dyn FileSource) -> Result<Vec<u8>, FileError> + Send + 'static,
) -> Download<M> {
    let files = ctx.state.files.clone();
    let bytes = ctx.state.scans.run_short(move || read(&*files)).await;
    match bytes {
        Ok(Ok(bytes)) => Download::new(bytes, disposition),
        Ok(Err(FileError::Missing)) => none(ctx),
        Ok(Err(FileError::Unreadable(why))) => {
            tracing::warn!(%why, "cannot send a file");
            Download::refused(ApiResponse::error(&ApiError::Unreadable, ctx.indent))
        }
        Err(error) => {
            tracing::error!(%error, "cannot read a file to its end");
            Download::refused(ApiResponse::error(&ApiError::Unreadable, ctx.indent))
        }
    }
}

/// The header that names a file by the last part of its path.
fn named(path: &str) -> String {
    format!(
        "attachment; filename=\"{}\"",
        sanitize(path.rsplit('/').next().unwrap_or(path))
    )
}

/// A name without characters that could end the header or the quoted name.
fn sanitize(name: &str) -> String {
    name.chars()
        .map(|c| {
            if c.is_ascii_graphic() && !matches!(c, '"' | '\\' | ';') {
                c
            } else {
                '_'
            }
        })
        .collect()
}
