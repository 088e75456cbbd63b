//! A site, and how it is written.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use poem::{Endpoint, Response};

use super::address::Anchor;
use super::crawl::crawl;
use super::error::SiteError;
use super::folder::{SiteFolder, Written};
use super::limits::{smaller, warnings};
use super::options::{Changes, SiteOptions, Strings};
use super::rules::Rules;
use super::strings::{AllStrings, PACKED_SCRIPT};
use super::{search, status};
use gitglot_catalog::Snapshot;
use gitglot_web::{Hosting, PageLayout};

/// Writes a site.
#[derive(Debug)]
pub struct Site {
    options: SiteOptions,
    anchor: Anchor,
}

/// What was written.
#[derive(Clone, Debug)]
pub struct SiteSummary {
    /// All files of the site.
    pub files: usize,
    /// Their size in bytes.
    pub bytes: u64,
    /// The files that are new or differ from the earlier ones.
    pub written: usize,
    /// The files that are not part of the site any more.
    pub removed: usize,
    /// How long that took.
    pub elapsed: Duration,
    /// Limits of hosts that the site exceeds, with the option that helps.
    pub warnings: Vec<String>,
    /// The files and bytes of each directory at the root.
    pub parts: BTreeMap<String, (usize, u64)>,
}

impl Site {
    /// A site with these options.
    pub fn new(options: SiteOptions) -> Self {
        let base_url = options
            .base_url
            .map(|url| [url.trim_end_matches('/'), "/"].concat());
        Self {
            options: SiteOptions {
                base_url,
                ..options
            },
            anchor: Anchor::new(),
        }
    }

    /// The base URL that the endpoint must use for links. It is random; files do not contain it.
    pub fn base(&self) -> String {
        self.anchor.base()
    }

    /// Where the endpoint must assume that the pages are published.
    pub fn hosting(&self) -> Hosting {
        Hosting::Files {
            has_address: self.options.base_url.is_some(),
            has_strings: self.options.strings != Strings::None,
        }
    }

    /// Writes the responses of an endpoint, which serves `snapshot`, to a directory.
    ///
    /// # Errors
    /// When the directory contains other files or cannot be written. Then its earlier content stays as it is, except
    /// when moving the new files to their places fails: the next run completes that.
    pub fn write(
        &self,
        endpoint: &impl Endpoint<Output = Response>,
        snapshot: &Snapshot,
        folder: &Path,
        threads: usize,
    ) -> Result<SiteSummary, SiteError> {
        let started = Instant::now();
        let folder = SiteFolder::open(folder)?;
        let strings = self.options.strings;
        let rules = Rules::new(snapshot, &self.options);
        let hosting = self.hosting();
        let layout = PageLayout::below(&self.base()).hosted(hosting);
        let page = search::page(layout, snapshot);
        let base = self.base();
        let all = AllStrings::new(snapshot, &rules, &folder, &base, hosting);
        let anchor = &self.anchor;
        crawl(endpoint, &rules, anchor, &folder, &page, &all, threads)?;
        search::write(snapshot, strings, &folder, threads)?;
        status::write(snapshot, &folder)?;
        if strings == Strings::Packed {
            let (script, text) = PACKED_SCRIPT;
            folder.write(script, text.as_bytes())?;
        }
        // GitHub Pages would run Jekyll, which leaves out files.
        folder.write(".nojekyll", b"")?;
        let written = folder.finish()?;
        Ok(self.summary(written, started.elapsed()))
    }

    fn summary(&self, written: Written, elapsed: Duration) -> SiteSummary {
        let totals = written.totals;
        let smaller = match self.options.changes {
            Changes::All => "--changes recent leaves out pages of old changes",
            Changes::Recent => smaller(&self.options),
        };
        SiteSummary {
            files: totals.files,
            bytes: totals.bytes,
            written: totals.written,
            removed: written.removed,
            elapsed,
            warnings: warnings(&totals, smaller)
                .chain(written.same_name)
                .collect(),
            parts: totals.parts,
        }
    }
}
