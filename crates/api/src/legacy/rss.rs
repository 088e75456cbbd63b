//! `/exports/rss/…`: the newest commits with their changes as RSS 2.0 (docs/spec/http.md#exports).

use chrono::{DateTime, Utc};

use crate::apis::Legacy;
use crate::encode::xml::{attribute, escaped};
use crate::links::site;
use crate::request::context::RequestContext;
use crate::response::api_response::ApiResponse;
use crate::response::conditional::http_date;
use gitglot_catalog::scan::Budget;
use gitglot_catalog::{ChangeView, LogView};
use gitglot_model::address::encoded;
use gitglot_model::privacy::{name, without_addresses};
use gitglot_model::{Timestamp, checksum};
use gitglot_web::paths;
use poem::http::StatusCode;

const RSS: &str = "application/rss+xml; charset=utf-8";
/// Number of commits.
const NEWEST: usize = 10;
/// The newest entries that are read.
const MAX_READ: usize = 1_000;
/// Texts that an item lists.
const TEXTS: usize = 20;
/// Characters of a text in an item.
const SHOWN: usize = 200;

/// The newest entries of a commit in a project, newest first.
type CommitChanges<'a> = Vec<ChangeView<'a>>;

/// Responds with the feed of the language, project, component or translation in the path, or with the feed of all
/// projects.
pub(crate) fn response(ctx: &RequestContext, budget: &Budget) -> Option<ApiResponse> {
    let (title, page, commits) = select(ctx, budget)?;
    let changed = commits.iter().flatten().map(|view| view.entry.time).max();
    let feed = Feed {
        ctx,
        title,
        page: site(&ctx.links, &page),
        changed,
    };
    let body = feed.write(&commits);
    let date = changed.and_then(|changed| http_date(changed.0.div_euclid(1_000_000)));
    let response = ApiResponse::outside(StatusCode::OK, RSS, body);
    Some(response.with(|head| head.last_modified = date))
}

/// The title, the page and the newest commits.
fn select<'a>(
    ctx: &'a RequestContext,
    budget: &Budget,
) -> Option<(String, String, Vec<CommitChanges<'a>>)> {
    let snapshot = &*ctx.snapshot;
    let named = |name: &'static str| Some(ctx.param(name)).filter(|value| !value.is_empty());
    Some(
        match [named("project"), named("component"), named("language")] {
            [None, None, None] => {
                let entries = newest([snapshot.changes()], budget);
                (ctx.state.title.clone(), paths::START.to_owned(), entries)
            }
            [None, _, Some(code)] => {
                let language = snapshot.language_or_source(code)?;
                let translations = snapshot.translations_from(0);
                let translations = translations.take_while(|_| budget.spend(1));
                let translations =
                    translations.filter(|view| &*view.translation.language.code == code);
                let logs = translations.map(|view| snapshot.changes_of_translation(view));
                let page = paths::link(paths::LANGUAGE, &[&encoded(code)]);
                (language.name.to_string(), page, newest(logs, budget))
            }
            [Some(project), None, None] => {
                let of = ctx.project().ok()?;
                let entries = newest(snapshot.changes_of_project(project), budget);
                let page = paths::link(paths::PROJECT, &[project]);
                (of.name.clone(), page, entries)
            }
            [Some(_), Some(_), None] => {
                let of = ctx.component().ok()?;
                let title = format!("{}/{}", of.project.name, of.component.name);
                let page = paths::link(paths::COMPONENT, &[&of.path()]);
                let log = snapshot.changes_of_component(of);
                (title, page, newest([log], budget))
            }
            [Some(_), Some(_), Some(_)] => {
                let view = ctx.translation::<Legacy>().ok()?;
                let (of, language) = (view.component, &view.translation.language);
                let (project, component) = (&of.project.name, &of.component.name);
                let title = format!("{project}/{component} - {}", language.name);
                let page = paths::link(paths::TRANSLATION, &[&of.path_of(view.translation)]);
                let log = snapshot.changes_of_translation(view);
                (title, page, newest([log], budget))
            }
            _ => return None,
        },
    )
}

/// The newest commits of several logs, newest first, from the [`MAX_READ`] newest entries of all.
fn newest<'a>(
    logs: impl IntoIterator<Item = LogView<'a>>,
    budget: &Budget,
) -> Vec<CommitChanges<'a>> {
    let mut found: Vec<ChangeView<'a>> = Vec::new();
    for log in logs {
        let known = found.len();
        let oldest = found.get(MAX_READ - 1).map(|view| view.entry.id);
        let from = log.len().saturating_sub(MAX_READ);
        let newest_first = (from..log.len()).rev().filter_map(|at| log.get(at));
        // Ids rise within the log of a translation; the other feeds have a single log.
        let is_newer = |view: &ChangeView<'_>| oldest.is_none_or(|id| view.entry.id > id);
        found.extend(newest_first.take_while(|view| is_newer(view) && budget.spend(1)));
        if found.len() > known {
            found.sort_by_key(|view| std::cmp::Reverse(view.entry.id));
            found.truncate(MAX_READ);
        }
    }
    let commit_of = |view: &ChangeView<'_>| {
        let commit = view.commit().map(|row| row.id);
        (view.component.project.id, commit)
    };
    // The entries of a commit need not follow each other: a component may be younger than its project.
    let mut commits: Vec<CommitChanges<'a>> = Vec::new();
    for view in found {
        let mut same = commits.iter_mut();
        if let Some(of) = same.find(|of| of.first().map(commit_of) == Some(commit_of(&view))) {
            of.push(view);
        } else if commits.len() < NEWEST {
            commits.push(vec![view]);
        }
    }
    commits
}

struct Feed<'a> {
    ctx: &'a RequestContext,
    title: String,
    page: String,
    /// The time of the newest entry.
    changed: Option<Timestamp>,
}

impl Feed<'_> {
    fn write(&self, commits: &[CommitChanges<'_>]) -> String {
        let own = [&self.ctx.url.base, &*encoded(&self.ctx.url.path)].concat();
        let mut out = String::from(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
<rss version=\"2.0\" xmlns:atom=\"http://www.w3.org/2005/Atom\"><channel>",
        );
        let title = ["Recent changes in ", &self.title].concat();
        element(&mut out, "title", &title);
        element(&mut out, "link", &self.page);
        let description = ["The newest changes of ", &self.title, "."].concat();
        element(&mut out, "description", &description);
        out.extend(["<atom:link href=\"", &*attribute(&own), "\" rel=\"self\"/>"]);
        element(&mut out, "language", "en");
        if let Some(built) = self.changed.and_then(time) {
            element(&mut out, "lastBuildDate", &built.to_rfc2822());
        }
        commits.iter().for_each(|of| self.item(&mut out, of));
        out.push_str("</channel></rss>\n");
        out
    }

    fn item(&self, out: &mut String, changes: &[ChangeView<'_>]) {
        let texts = changes.iter().filter(|view| view.entry.key.is_some());
        let Some(first) = texts.clone().next().or(changes.first()) else {
            return;
        };
        let time = time(first.entry.time).unwrap_or_default();
        let user = changes.iter().find_map(ChangeView::user);
        let user = user.and_then(|id| self.ctx.snapshot.user(gitglot_model::UserId(id)));
        let user = user.map_or("None".into(), |user| name(&user.full_name));
        let subject = first.commit();
        let subject = subject.map(|row| without_addresses(first.component.texts.get(row.subject)));
        let (subject, project) = (subject.unwrap_or_default(), &first.component.project);
        let mut description = format!("{subject} by {user} in {}", project.name);
        for view in texts.clone().take(TEXTS) {
            let text: String = view.text_after().chars().take(SHOWN).collect();
            let key = view.string_name().unwrap_or_default();
            let language = view
                .language()
                .map_or(String::new(), |code| format!(" ({code})"));
            description += &format!("\n{key}{language}: {text}");
        }
        let more = texts.count().saturating_sub(TEXTS);
        if more > 0 {
            description += &format!("\nand {more} more");
        }
        let commit = first
            .commit()
            .map_or_else(String::new, |row| row.id.to_string());
        let guid = format!("{}@{commit}", first.component.project.slug);
        out.push_str("<item>");
        element(out, "title", &gitglot_web::summary(changes.iter().copied()));
        element(out, "link", &site(&self.ctx.links, &page_of(*first)));
        element(out, "description", &description);
        element(out, "pubDate", &time.to_rfc2822());
        let guid = escaped(&guid);
        out.extend(["<guid isPermaLink=\"false\">", &guid, "</guid></item>"]);
    }
}

fn element(out: &mut String, name: &str, text: &str) {
    out.extend(["<", name, ">", &*escaped(text), "</", name, ">"]);
}

/// The page of the unit, translation or component of an entry.
fn page_of(view: ChangeView<'_>) -> String {
    let Some(of) = view.translation() else {
        return paths::link(paths::COMPONENT, &[&view.component.path()]);
    };
    let path = of.component.path_of(of.translation);
    match view.unit() {
        Some(unit) => {
            let strings = paths::link(paths::STRINGS, &[&path]);
            strings + "?checksum=" + &checksum(unit.source.id_hash)
        }
        None => paths::link(paths::TRANSLATION, &[&path]),
    }
}

fn time(moment: Timestamp) -> Option<DateTime<Utc>> {
    DateTime::from_timestamp_micros(moment.0)
}
