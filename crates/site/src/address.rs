//! Addresses of the server, and the files that have their content (docs/spec/site.md#files).

use std::hash::{BuildHasher, Hasher, RandomState};

use percent_encoding::percent_decode_str;

use gitglot_model::address::query_string;

/// Longest name of a file or directory, in bytes. Longer ones end with a hash.
const MAX_NAME: usize = 120;

/// The directory of the page of a translation that shows packed strings.
pub(crate) const PACKED: &str = "string";

/// Where the server seems to be while its responses are read. The name is random, so that no text of a repository can
/// contain it; it is not part of any file.
#[derive(Clone, Debug)]
pub(crate) struct Anchor {
    /// Random letters: the first label of the host, and the path below which everything is.
    pub(crate) token: String,
}

impl Anchor {
    pub(crate) fn new() -> Self {
        // Letters that are rare in texts, and never in hexadecimal numbers, are found quickly, and each link has them: 24
        // have 72 bits, which no text of a repository can guess. More than 32 would need a slower search.
        const LETTERS: [char; 8] = ['j', 'q', 'x', 'z', 'v', 'k', 'w', 'y'];
        let number = || RandomState::new().build_hasher().finish();
        let letters = [number(), number()].into_iter().flat_map(|number| {
            (0..12).map(move |at| LETTERS[(number >> (3 * at)) as usize % LETTERS.len()])
        });
        Self {
            token: letters.collect(),
        }
    }

    /// Scheme, host and path.
    pub(crate) fn base(&self) -> String {
        format!("http://{0}{HOST_END}{0}", self.token)
    }
}

/// The part of the base between its two tokens.
pub(crate) const HOST_END: &str = ".invalid/";

/// An address below the base, in one form for all links that lead to the same content.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Target {
    /// The path as it is requested.
    pub(crate) path: String,
    /// The decoded segments.
    pub(crate) segments: Vec<String>,
    /// The query, sorted by name; the page is last.
    pub(crate) pairs: Vec<(String, String)>,
}

impl Target {
    /// Reads the path and query of a link.
    pub(crate) fn parse(link: &str) -> Self {
        let link = link.split('#').next().unwrap_or_default();
        let (path, query) = link.split_once('?').unwrap_or((link, ""));
        let inner = path.trim_start_matches('/').trim_end_matches('/');
        let decode = |part: &str| percent_decode_str(part).decode_utf8_lossy().into_owned();
        let segments = match inner {
            "" => Vec::new(),
            _ => inner.split('/').map(decode).collect(),
        };
        let pairs = form_urlencoded::parse(query.as_bytes());
        let pairs =
            pairs.filter(|(name, value)| !value.is_empty() && (name != "page" || value != "1"));
        let pairs = pairs.map(|(name, value)| (name.into_owned(), value.into_owned()));
        let mut pairs: Vec<(String, String)> = pairs.collect();
        // The pages of strings have the previous and the next string of all.
        if pairs.iter().any(|(name, _)| name == "checksum") {
            pairs.retain(|(name, _)| name == "checksum");
        }
        match segments.first().map(String::as_str) {
            // The version; it stays in links.
            Some("static") => pairs.clear(),
            // All strings are listed without a type, too.
            Some("translate") => pairs.retain(|(name, value)| name != "type" || value != "all"),
            _ => {}
        }
        let mut target = Self {
            path: path.to_owned(),
            segments,
            pairs,
        };
        target.sort();
        target
    }

    /// Whether this is the page of a string, or its object in the API. They are written together, not because of links.
    pub(crate) fn is_string(&self) -> bool {
        match self.parts()[..] {
            ["translate", ..] => self.value("checksum").is_some(),
            ["api", "units", _] => self.pairs.is_empty(),
            _ => false,
        }
    }

    /// The segments as texts.
    pub(crate) fn parts(&self) -> Vec<&str> {
        self.segments.iter().map(String::as_str).collect()
    }

    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        let mut pairs = self.pairs.iter();
        let found = pairs.find(|(own, _)| own == name);
        found.map(|(_, value)| value.as_str())
    }

    pub(crate) fn set(&mut self, name: &str, value: Option<String>) {
        self.pairs.retain(|(own, _)| own != name);
        self.pairs
            .extend(value.map(|value| (name.to_owned(), value)));
        self.sort();
    }

    fn sort(&mut self) {
        self.pairs
            .sort_by(|(a, _), (b, _)| (a == "page", a).cmp(&(b == "page", b)));
    }

    pub(crate) fn request(&self) -> String {
        let pairs = self.pairs.iter();
        let pairs = pairs.map(|(name, value)| (name.as_str(), value.as_str()));
        [&*self.path, &*query_string(pairs)].concat()
    }

    /// The directory of its file, with a final slash, or `""`: one level for each segment and each parameter.
    pub(crate) fn directory(&self) -> String {
        let mut directory = String::new();
        for segment in &self.segments {
            directory.extend([&*file_name(segment), "/"]);
        }
        for (name, value) in &self.pairs {
            directory.extend([&*file_name(name), "=", &*file_name(value), "/"]);
        }
        directory
    }
}

/// A name that every file system and every URL can have. Names with `=` are those of parameters, so `=` is escaped.
pub(crate) fn file_name(text: &str) -> String {
    let mut name = String::with_capacity(text.len());
    // Neither hidden, nor `..`, nor the name of a page or of a device.
    let is_special = text.starts_with('.') || text.starts_with("index.") || is_device(text);
    let last = text.len().saturating_sub(1);
    for (at, byte) in text.bytes().enumerate() {
        let fits = byte.is_ascii_alphanumeric() || b"-_.@+,".contains(&byte);
        // Windows drops a final dot.
        let is_last_dot = at == last && byte == b'.';
        if fits && !is_last_dot && !(at == 0 && is_special) {
            name.push(char::from(byte));
        } else {
            name.push_str(&format!("~{byte:02X}"));
        }
    }
    if name.is_empty() {
        name.push('~');
    }
    if name.len() > MAX_NAME {
        let hash = blake3::hash(text.as_bytes()).to_hex();
        name.truncate(MAX_NAME - 34);
        name.extend(["~~", &hash[..32]]);
    }
    name
}

/// Whether Windows takes a name for that of a device, with any extension.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    let stem = stem.to_ascii_lowercase();
    match stem.trim_end_matches(|c: char| c.is_ascii_digit()) {
        "con" | "prn" | "aux" | "nul" => true,
        "com" | "lpt" => stem.len() == 4,
        _ => false,
    }
}

/// Writes the link from one file to another.
pub(crate) fn push_relative(out: &mut Vec<u8>, from: &str, to: &str) {
    let (from, to) = (from.as_bytes(), to.as_bytes());
    let mut same = from.iter().zip(to).position(|(a, b)| a != b);
    let same = same.get_or_insert(from.len().min(to.len()));
    let shared = memchr::memrchr(b'/', &from[..*same]).map_or(0, |at| at + 1);
    // Names have no colon, so the start cannot be read as a scheme.
    for _ in memchr::memchr_iter(b'/', &from[shared..]) {
        out.extend_from_slice(b"../");
    }
    out.extend_from_slice(&to[shared..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_the_same_content_have_one_file() {
        let directory = |link: &str| Target::parse(link).directory();
        for (link, expected) in [
            ("/", ""),
            ("/projects/p/", "projects/p/"),
            (
                "/changes/?project=p&page=2&lang=cs",
                "changes/lang=cs/project=p/page=2/",
            ),
            (
                "/changes/?lang=cs&project=p&page=1&user=",
                "changes/lang=cs/project=p/",
            ),
            (
                "/translate/p/c/cs/?checksum=1&type=todo",
                "translate/p/c/cs/checksum=1/",
            ),
            (
                "/translate/p/c/cs/?type=check:same",
                "translate/p/c/cs/type=check~3Asame/",
            ),
            (
                "/translate/p/c/cs/?type=all&page=2",
                "translate/p/c/cs/page=2/",
            ),
            ("/static/style.css?v=12", "static/style.css/"),
            ("/languages/%C4%9B/#main", "languages/~C4~9B/"),
        ] {
            assert_eq!(directory(link), expected, "{link}");
        }
    }

    #[test]
    fn names_of_a_repository_cannot_be_paths() {
        for (text, name) in [
            ("..", "~2E~2E"),
            (".git", "~2Egit"),
            ("a/b", "a~2Fb"),
            ("page=2", "page~3D2"),
            ("index.html", "~69ndex.html"),
            ("a\\b:c", "a~5Cb~3Ac"),
            ("", "~"),
            ("pt_BR@x", "pt_BR@x"),
            ("con", "~63on"),
            ("Com1.x", "~43om1.x"),
            ("com", "com"),
            ("a.", "a~2E"),
            (".", "~2E"),
        ] {
            assert_eq!(file_name(text), name);
        }
        let long = file_name(&"x".repeat(5000));
        assert_eq!(long.len(), MAX_NAME);
        assert_ne!(long, file_name(&"x".repeat(5001)));
    }

    #[test]
    fn links_lead_from_file_to_file() {
        for (from, to, link) in [
            ("index.html", "index.html", "index.html"),
            ("index.html", "a/index.html", "a/index.html"),
            ("a/b/index.html", "a/b/index.html", "index.html"),
            ("a/b/index.html", "a/c/index.html", "../c/index.html"),
            ("a/b/index.html", "ab/index.html", "../../ab/index.html"),
            ("a/index.html", "static/x.css", "../static/x.css"),
        ] {
            let mut out = Vec::new();
            push_relative(&mut out, from, to);
            assert_eq!(String::from_utf8(out).unwrap(), link, "{from} {to}");
        }
    }

    #[test]
    fn two_anchors_differ() {
        assert_ne!(Anchor::new().token, Anchor::new().token);
    }
}
