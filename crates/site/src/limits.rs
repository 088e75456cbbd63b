//! The limits of hosts for static files, and the options that help to stay below them.

use std::collections::{BTreeMap, HashMap};

use super::options::{SiteOptions, Strings};

/// The most bytes of a site on GitHub Pages.
const GITHUB_BYTES: u64 = 1_000_000_000;
/// The most files of a site on Cloudflare Pages, and the most bytes of one.
const CLOUDFLARE_FILES: usize = 20_000;
const CLOUDFLARE_BYTES: u64 = 25 << 20;

#[derive(Clone, Default, Debug)]
pub(crate) struct Totals {
    pub(crate) files: usize,
    pub(crate) bytes: u64,
    /// The files that are new or differ from the earlier ones.
    pub(crate) written: usize,
    /// The largest file, and its size.
    largest: (String, u64),
    /// The files and bytes of each directory at the root.
    pub(crate) parts: BTreeMap<String, (usize, u64)>,
}

impl Totals {
    pub(crate) fn add(&mut self, path: &str, size: u64, is_new: bool) {
        self.files += 1;
        self.bytes += size;
        self.written += usize::from(is_new);
        if let Some((directory, _)) = path.split_once('/') {
            let (files, bytes) = self.parts.entry(directory.to_owned()).or_default();
            *files += 1;
            *bytes += size;
        }
        let (largest, most) = &self.largest;
        // The first one by name if several are as large, in whatever order they come.
        if size > *most || (size == *most && path < largest.as_str()) {
            self.largest = (path.to_owned(), size);
        }
    }
}

/// The option that makes a site smaller.
pub(crate) fn smaller(options: &SiteOptions) -> &'static str {
    match options.strings {
        Strings::All => {
            "--strings packed writes many strings into a file, --strings attention or --strings none leaves out pages of \
             strings"
        }
        Strings::Packed => "--strings attention or --strings none leaves out pages of strings",
        Strings::Attention | Strings::None if options.api => "leave out --api",
        Strings::Attention => "--strings none leaves out all pages of strings",
        Strings::None if options.exports => "leave out --exports",
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

/// Finds names of a directory that are the same where the case of letters does not count.
#[derive(Default)]
pub(crate) struct NameCheck {
    /// The last path.
    path: String,
    /// The names of each directory on the way to it that have letters, in lower case, and as they are.
    levels: Vec<HashMap<String, String>>,
    found: Option<String>,
}

impl NameCheck {
    /// Adds a file. Paths are sorted.
    pub(crate) fn add(&mut self, path: &str) {
        let same = self.path.bytes().zip(path.bytes());
        let same = same.take_while(|(a, b)| a == b).count();
        let slash = memchr::memrchr(b'/', &path.as_bytes()[..same]);
        // The first name that is new.
        let mut start = slash.map_or(0, |at| at + 1);
        let mut depth = memchr::memchr_iter(b'/', &path.as_bytes()[..start]).count();
        self.levels.truncate(depth + 1);
        for name in path[start..].split('/') {
            self.levels
                .resize_with(self.levels.len().max(depth + 1), HashMap::new);
            let end = start + name.len();
            // Checksums of strings are in lower case, and there are many.
            if name.bytes().any(|byte| byte.is_ascii_alphabetic()) && !name.starts_with("checksum=")
            {
                let own = &path[..end];
                let other = self.levels[depth].insert(name.to_ascii_lowercase(), own.to_owned());
                if let Some(other) = other.filter(|other| other != own) {
                    self.found.get_or_insert(format!(
                        "{other} and {own} differ only in the case of letters: a file system that ignores it cannot \
                         have both"
                    ));
                }
            }
            (start, depth) = (end + 1, depth + 1);
        }
        path.clone_into(&mut self.path);
    }

    /// The warning, if there are such names.
    pub(crate) fn warning(self) -> Option<String> {
        self.found
    }
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
                ..Totals::default()
            };
            let options = SiteOptions {
                strings,
                ..SiteOptions::default()
            };
            let all: Vec<String> = warnings(&totals, smaller(&options)).collect();
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
            let mut names = NameCheck::default();
            paths.iter().for_each(|path| names.add(path));
            names.warning().unwrap_or_default()
        };
        assert_eq!(warning(&["a/pt_BR/x", "a/pt_PT/x", "a/sr/x"]), "");
        assert_eq!(warning(&["A/x", "a-b/x", "b/a/x", "b/x/x"]), "");
        for paths in [["a/ZH/x", "a/zh/x"], ["a/ZH/x", "a/Zh/x"]] {
            let expected = format!("{} and {} differ only", &paths[0][..4], &paths[1][..4]);
            assert!(warning(&paths).starts_with(&expected), "{paths:?}");
        }
    }
}
