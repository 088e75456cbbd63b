//! XML namespaces: resolves prefixes.

use gitglot_model::SeededSet;

/// A name as written, before its prefix is resolved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct QName<'a> {
    /// The part before the colon; `""` without a colon.
    pub(super) prefix: &'a str,
    /// The part after the colon.
    pub(super) local: &'a str,
}

impl QName<'_> {
    /// The attribute with the id of an element.
    pub(super) const XML_ID: Self = Self {
        prefix: "xml",
        local: "id",
    };
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Name<'a> {
    /// The namespace, `""` for none.
    pub(super) namespace: &'a str,
    /// The name in the namespace.
    pub(super) local: &'a str,
}

/// The most declarations in scope. Each prefix is searched among them.
const MAX_DECLARATIONS: usize = 100;

/// The longest name of a namespace in bytes. It is compared for each element.
const MAX_NAMESPACE: usize = 512;

const XML: &str = "http://www.w3.org/XML/1998/namespace";
const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

/// The declarations in scope.
#[derive(Default)]
pub(super) struct Namespaces<'a>(Vec<Declaration<'a>>);

struct Declaration<'a> {
    depth: usize,
    prefix: &'a str,
    namespace: &'a str,
}

impl<'a> Namespaces<'a> {
    /// Leaves an element that has `depth` ancestors.
    pub(super) fn close(&mut self, depth: usize) {
        let outer = self.0.partition_point(|declared| declared.depth < depth);
        self.0.truncate(outer);
    }

    /// Reads an attribute of an element that has `depth` ancestors. Returns whether it declares a namespace; `None` if
    /// the declaration is invalid.
    pub(super) fn declare(
        &mut self,
        depth: usize,
        attribute: QName<'a>,
        namespace: &'a str,
    ) -> Option<bool> {
        let prefix = match (attribute.prefix, attribute.local) {
            ("", "xmlns") => "",
            ("xmlns", local) => local,
            _ => return Some(false),
        };
        let allowed = match (prefix, namespace) {
            ("xmlns", _) | (_, XMLNS) => false,
            ("xml", namespace) => namespace == XML,
            (_, XML) => false,
            ("", "") => true,
            (_, namespace) => is_uri(namespace),
        };
        let mut others = self.0.iter().filter(|other| other.depth == depth);
        let again = others.any(|other| other.prefix == prefix);
        let fits = self.0.len() < MAX_DECLARATIONS && namespace.len() <= MAX_NAMESPACE;
        (allowed && !again && fits).then(|| {
            self.0.push(Declaration {
                depth,
                prefix,
                namespace,
            });
            true
        })
    }

    /// Resolves an element's name; `None` if its prefix is undeclared.
    pub(super) fn element(&self, name: QName<'a>) -> Option<Name<'a>> {
        let declared = self.0.iter().rfind(|other| other.prefix == name.prefix);
        let namespace = match (declared, name.prefix) {
            (Some(declared), _) => declared.namespace,
            (None, "xml") => XML,
            (None, "") => "",
            (None, _) => return None,
        };
        Some(Name {
            namespace,
            local: name.local,
        })
    }

    /// Returns `None` if an attribute of an element has an undeclared prefix or occurs twice. A name without a prefix
    /// is in no namespace.
    pub(super) fn all_differ(&self, attributes: &[QName<'a>]) -> Option<()> {
        let mut seen = SeededSet::default();
        for &attribute in attributes {
            let name = match attribute.prefix {
                "" => Name {
                    namespace: "",
                    local: attribute.local,
                },
                _ => self.element(attribute)?,
            };
            if !seen.insert(name) {
                return None;
            }
        }
        Some(())
    }
}

/// Whether a text is a plausible URI, judged by its scheme and its characters only.
fn is_uri(text: &str) -> bool {
    let first = text.split(['/', '?', '#']).next().unwrap_or_default();
    let scheme = first
        .split_once(':')
        .map_or("relative", |(scheme, _)| scheme);
    let mut escapes = text.split('%').skip(1);
    !text.is_empty()
        && scheme.starts_with(|char: char| char.is_ascii_alphabetic())
        && scheme
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?#%".contains(&byte))
        && text.bytes().filter(|&byte| byte == b'#').count() < 2
        && escapes.all(|tail| {
            tail.as_bytes()
                .get(..2)
                .is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit))
        })
}
