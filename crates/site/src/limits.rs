//! The limits of hosts for static files, and the options that help to stay below them.

use std::collections::HashMap;

use super::folder::Entry;
use super::options::Strings;

/// The most bytes of a site on GitHub Pages.
const GITHUB_BYTES: u64 = 1_000_000_000;
/// The most files of a site on Cloudflare Pages, and the most bytes of one.
const CLOUDFLARE_FILES: usize = 20_000;
const CLOUDFLARE_BYTES: u64 = 25 << 20;

/// The size of a site.
#[derive(Clone, Default, Debug)]
pub(crate) struct Totals {
    pub(crate) files: usize,
    pub(crate) bytes: u64,
    /// The largest file, and its size.
    largest: (String, u64),
}

impl Totals {
    pub(crate) fn of(entries: &[Entry]) -> Self {
        let largest = entries.iter().max_by_key(|entry| entry.size);
        Self {
            files: entries.len(),
            bytes: entries.iter().map(|entry| entry.size).sum(),
            largest: largest.map_or_else(Default::default, |it| (it.path.clone(), it.size)),
        }
    }
}

/// The option that makes a site smaller.
pub(crate) fn smaller(strings: Strings, exports: bool) -> &'static str {
    match strings {
        Strings::All => {
            "--strings packed writes many strings into a file, --strings attention or --strings none leaves out pages of \
             strings"
        }
        Strings::Packed => "--strings attention or --strings none leaves out pages of strings",
        Strings::Attention => "--strings none leaves out all pages of strings",
        Strings::None if exports => "leave out --exports",
        Strings::None => "publish fewer projects or components in a site",
    }
}

/// The limits that a site exceeds. `smaller` names the option that helps.
pub(crate) fn warnings(totals: &Totals, smaller: &str) -> impl Iterator<Item = String> {
    let (path, size) = &totals.largest;
    let bytes = (totals.bytes > GITHUB_BYTES).then(|| {
        let size = totals.bytes as f64 / 1e9;
        format!("the site has {size:.1} GB; GitHub Pages accepts 1 GB: {smaller}")
    });
    let files = (totals.files > CLOUDFLARE_FILES).then(|| {
        let files = totals.files;
        format!(
            "the site has {files} files; Cloudflare Pages accepts 20000 in its free plan: {smaller}"
        )
    });
    let largest = (*size > CLOUDFLARE_BYTES).then(|| {
        let size = size / 1_000_000;
        format!("{path} has {size} MB; Cloudflare Pages accepts files of 25 MiB: publish fewer components in a site")
    });
    [bytes, files, largest].into_iter().flatten()
}

/// A warning if two files have the same name where the case of letters does not count. `entries` are sorted by path.
pub(crate) fn same_names(entries: &[Entry]) -> Option<String> {
    let mut folded: HashMap<String, &str> = HashMap::new();
    let is_there = |path: &str| {
        let at = entries.binary_search_by(|entry| entry.path.as_str().cmp(path));
        at.ok().and_then(|at| entries.get(at))
    };
    // Strings are in the directory of a translation, whose list is a file, too.
    let paths = entries.iter().map(|entry| entry.path.as_str());
    let paths = paths.filter(|path| !path.contains("/checksum="));
    for path in paths.filter(|path| path.bytes().any(|byte| byte.is_ascii_uppercase())) {
        let lower = path.to_ascii_lowercase();
        let other = is_there(&lower).map(|entry| entry.path.as_str());
        if let Some(other) = other.or_else(|| folded.insert(lower, path)) {
            return Some(format!(
                "{other} and {path} differ only in the case of letters: a file system that ignores it cannot have both"
            ));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_names_the_limit_and_the_option() {
        let text = |files, bytes, largest: u64, strings| {
            let largest = ("a.js".to_owned(), largest);
            let totals = Totals {
                files,
                bytes,
                largest,
            };
            let all: Vec<String> = warnings(&totals, smaller(strings, false)).collect();
            all.join("\n")
        };
        assert_eq!(text(20_000, 1_000_000_000, 25 << 20, Strings::All), "");
        let large = text(20_001, 1_500_000_000, 30_000_000, Strings::All);
        for part in [
            "1.5 GB; GitHub",
            "20001 files; Cloudflare",
            "a.js has 30 MB",
            "--strings none",
        ] {
            assert!(large.contains(part), "{large}");
        }
        assert!(text(20_001, 0, 0, Strings::None).contains("publish fewer"));
    }

    #[test]
    fn names_that_differ_only_in_case_are_a_warning() {
        let warning = |paths: &[&str]| {
            let entry = |path: &&str| Entry {
                path: (*path).to_owned(),
                hash: 0,
                size: 0,
                is_new: true,
            };
            same_names(&paths.iter().map(entry).collect::<Vec<_>>()).unwrap_or_default()
        };
        assert_eq!(warning(&["a/pt_BR/x", "a/pt_PT/x", "a/sr/x"]), "");
        for paths in [["a/ZH/x", "a/zh/x"], ["a/ZH/x", "a/Zh/x"]] {
            assert!(warning(&paths).contains("case of letters"), "{paths:?}");
        }
    }
}
