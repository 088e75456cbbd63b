//! `/line/PROJECT/COMPONENT/LANGUAGE/?checksum=`: redirects to the line of a string on the host of its repository. The
//! line is determined from the file itself, which is read on request, like a download.

use crate::apis::Legacy;
use crate::request::context::RequestContext;
use crate::response::api_response::ApiResponse;
use gitglot_formats::{line_in_part, line_of};
use gitglot_model::address::{file_page, line_page};
use gitglot_model::{FileFormat, PLURALS_ENDING};

/// The redirect; `None` if the string does not exist or the URLs of the host are not known.
pub(crate) async fn response(ctx: &RequestContext) -> Option<ApiResponse> {
    let view = ctx.translation::<Legacy>().ok()?;
    let checksum = ctx.url.value("checksum")?;
    let (of, path) = (view.component, &*view.translation.path);
    let row = gitglot_web::row_of(of, &checksum)?;
    let source = of.sources.get(row as usize)?;
    let (repo, tip) = (&of.component.repo, of.tip.id);
    let code = (!view.translation.is_template).then_some(&*view.translation.file_code);
    let of_group = of.component.file_of_string(code, &of.key(source));
    let page = file_page(repo, tip, of_group.as_deref().unwrap_or(path))?;
    // If the file at the tip does not parse, gitglot serves an older version.
    let broken = of.problems.iter().any(|problem| *problem.path == *path);
    let blob = view
        .translation
        .blob
        .filter(|_| !broken && of_group.is_none());
    let Some(blob) = blob else {
        return Some(ApiResponse::found_at(&page));
    };
    let (component, translation) = (&of.component, view.translation);
    let (files, columns) = (ctx.state.files.clone(), component.columns.clone());
    let (id, format) = (component.id, component.file_format);
    let has_tables = component.filemask.has_tables();
    let (file, context) = (translation.path.clone(), of.key(source));
    let part = format
        .has_parts()
        .then(|| code.unwrap_or_default().to_owned());
    let found = ctx.run_long(move |_| {
        let line_in = |ending: &str, format| {
            let path = [&*file, ending].concat();
            let bytes = files.at_path(id, tip, &path).ok()?;
            let line = line_of(format, &bytes, &context).ok()??;
            Some((path, line))
        };
        if has_tables {
            // Programs look for plurals first.
            let plurals = line_in(PLURALS_ENDING, FileFormat::Stringsdict);
            return Ok(plurals.or_else(|| line_in("", FileFormat::AppleStrings)));
        }
        let line = || match &part {
            Some(code) => {
                let bytes = files.at_path(id, tip, &file).ok()?;
                line_in_part(format, &columns, &bytes, code, &context).ok()?
            }
            None => line_of(format, &files.blob(id, blob).ok()?, &context).ok()?,
        };
        Ok(line().map(|line| (file.to_string(), line)))
    });
    let found = found.await.ok().flatten();
    let line = found.and_then(|(path, line)| line_page(repo, tip, &path, line));
    Some(ApiResponse::found_at(&line.unwrap_or(page)))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::testing::{get, reading, snapshot};
    use crate::{AccessControl, FileError, FileSource, LinkConfig};
    use gitglot_catalog::Published;
    use gitglot_model::{BlobId, CommitId, ComponentId};

    /// A repository with the same bytes in every file.
    struct Same(&'static str);

    impl FileSource for Same {
        fn blob(&self, _: ComponentId, _: BlobId) -> Result<Vec<u8>, FileError> {
            Ok(self.0.into())
        }

        fn at_path(&self, _: ComponentId, _: CommitId, _: &str) -> Result<Vec<u8>, FileError> {
            Err(FileError::Missing)
        }
    }

    #[tokio::test]
    async fn a_string_links_to_its_line_or_its_file() {
        let lines = "{\n  \"other\": {\"message\": \"x\"},\n  \"appName\": {\"message\": \"y\"}\n}";
        for (file, end) in [
            (lines, "/_locales/cs/messages.json#L3"),
            ("{", "/_locales/cs/messages.json"),
        ] {
            let published = Arc::new(Published::new());
            published.publish(snapshot());
            let site = reading(
                Arc::new(Same(file)),
                published,
                LinkConfig::default(),
                AccessControl::default(),
            );
            let unit = get(&site, "/api/translations/hello/app/cs/units/")
                .await
                .json()["results"][0]
                .clone();
            let (_, query) = unit["web_url"].as_str().unwrap().split_once('?').unwrap();
            let got = get(&site, &format!("/line/hello/app/cs/?{query}")).await;
            let to = got.header("location");
            assert_eq!(got.status, 302);
            assert!(
                to.starts_with("https://github.com/example/app/blob/") && to.ends_with(end),
                "{to}"
            );
            for path in [
                "/line/hello/app/cs/?checksum=0",
                "/line/hello/app/cs/",
                "/line/hello/app/fr/?checksum=1",
            ] {
                assert_eq!(get(&site, path).await.status, 404, "{path}");
            }
        }
    }
}
