//! Downloads: bytes of the repository, read off the async threads (api.md 2.10).

use super::answer::Answer;
use super::call::Call;
use super::errors::Failure;
use super::exporters::Exporter;
use super::files::{FileError, FileSource};
use super::links::{encoded, site};
use super::reply::{AnyFile, Download, JsonFile, Media, TranslationFile};
use crate::catalog::TranslationView;

/// The template of a component.
pub(super) async fn template(call: &Call, project: &str, component: &str) -> Download<JsonFile> {
    let Some(of) = call.component(project, component) else { return none(call) };
    let (id, blob) = (of.component.id, of.template_blob);
    let disposition = named(&of.component.template);
    send(call, disposition, move |files| files.blob(id, blob)).await
}

/// The file that new languages of a component start from.
pub(super) async fn new_base(call: &Call, project: &str, component: &str) -> Download<AnyFile> {
    let Some(of) = call.component(project, component) else { return none(call) };
    let path = of.component.new_base.clone();
    if path.is_empty() {
        return none(call);
    }
    let (id, tip, disposition) = (of.component.id, of.tip.id, named(&path));
    send(call, disposition, move |files| files.at_path(id, tip, &path)).await
}

/// The file of a translation: the version whose texts are shown, or the one at the tip when none could be read.
/// With a `format` it is converted.
pub(super) async fn translation(
    call: &Call,
    project: &str,
    component: &str,
    language: &str,
) -> Download<TranslationFile> {
    let Some(view) = call.translation(project, component, language) else { return none(call) };
    if let Some(format) = &call.format {
        return Download::refused(converted(call, view, format));
    }
    let (id, tip) = (view.component.component.id, view.component.tip.id);
    let (blob, path) = (view.translation.blob, view.translation.path.clone());
    let disposition = attachment(view, "json");
    let read = move |files: &dyn FileSource| match blob {
        Some(blob) => files.blob(id, blob),
        None => files.at_path(id, tip, &path),
    };
    send(call, disposition, read).await
}

/// A translation in another format.
fn converted(call: &Call, view: TranslationView<'_>, format: &str) -> Answer {
    let Some(exporter) = Exporter::named(format) else { return Answer::nowhere(&call.asked.base) };
    let (of, code) = (view.component, encoded(&view.translation.language.code));
    let page = ["projects/", of.project.slug.as_str(), "/", of.component.slug.as_str(), "/", &code, "/"].concat();
    match exporter.file(view, &site(&call.links, &page)) {
        Ok(file) => Answer::file(file, exporter.media(), attachment(view, exporter.extension())),
        Err(error) => {
            tracing::error!(%error, format, "a file cannot be converted");
            Answer::failure(&Failure::Unreadable, 0)
        }
    }
}

/// The header that names a translation's file, by slugs and language.
fn attachment(view: TranslationView<'_>, extension: &str) -> String {
    let (project, component) = (view.component.project.slug.as_str(), view.component.component.slug.as_str());
    format!("attachment; filename={project}-{component}-{}.{extension}", harmless(&view.translation.language.code))
}

/// No file.
pub(super) fn none<M: Media>(call: &Call) -> Download<M> {
    Download::refused(Answer::failure(&Failure::NotFound, call.indent))
}

async fn send<M: Media>(
    call: &Call,
    disposition: String,
    read: impl FnOnce(&dyn FileSource) -> Result<Vec<u8>, FileError> + Send + 'static,
) -> Download<M> {
    let files = call.state.files.clone();
    let bytes = tokio::task::spawn_blocking(move || read(&*files)).await;
    match bytes {
        Ok(Ok(bytes)) => Download::new(bytes, disposition),
        Ok(Err(FileError::Missing)) => none(call),
        Ok(Err(FileError::Unreadable(why))) => {
            tracing::warn!(%why, "a file cannot be sent");
            Download::refused(Answer::failure(&Failure::Unreadable, call.indent))
        }
        Err(error) => {
            tracing::error!(%error, "reading a file ended early");
            Download::refused(Answer::failure(&Failure::Unreadable, call.indent))
        }
    }
}

/// The header that names a file by the last part of its path.
fn named(path: &str) -> String {
    format!("attachment; filename=\"{}\"", harmless(path.rsplit('/').next().unwrap_or(path)))
}

/// A name without what could end a header or the name in it.
fn harmless(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_graphic() && !matches!(c, '"' | '\\' | ';') { c } else { '_' }).collect()
}
