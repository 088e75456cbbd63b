//! Message syntaxes: what the library that shows the texts replaces, parses and refuses
//! (`docs/spec/checks.md#message-syntax`).

mod rows;

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;
use std::sync::Arc;

use gitglot_model::InvalidValue;

use crate::flags::CheckFlags;
use rows::{ROWS, SyntaxRow};

/// A named dialect of messages, such as `i18next`. Cheap to copy.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct MessageSyntax(&'static SyntaxRow);

/// A syntax, and how it is known.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct KnownSyntax {
    /// The syntax.
    pub syntax: MessageSyntax,
    /// How it is known.
    pub origin: SyntaxOrigin,
}

/// What says which syntax the texts have. The first of them that says it counts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SyntaxOrigin {
    /// The setting `message_syntax`.
    Setting,
    /// The file format defines it.
    Format,
    /// A file of the repository names the library that reads the texts.
    Manifest {
        /// The path of the file, such as `web/package.json`.
        path: Arc<str>,
        /// The name of the library in it.
        library: Arc<str>,
    },
}

impl MessageSyntax {
    /// All syntaxes, by name.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        ROWS.iter().map(Self)
    }

    /// The syntax with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|syntax| syntax.name() == name)
    }

    /// The syntax that a file format defines, by the name of the format.
    pub fn of_format(file_format: &str) -> Option<Self> {
        Self::all().find(|syntax| syntax.0.formats.contains(&file_format))
    }

    /// The name in settings.
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// The file formats that define it.
    pub const fn formats(self) -> &'static [&'static str] {
        self.0.formats
    }

    /// Examples of its placeholders, in Markdown.
    pub const fn values(self) -> &'static str {
        self.0.values
    }

    /// The flags of the checks of its placeholders.
    pub(super) fn flags(self) -> CheckFlags {
        CheckFlags::parse(self.0.flags).expect("the flags of the rows are valid")
    }
}

impl KnownSyntax {
    /// The sentence that a finding about `parts` placeholders ends with: what says that the program replaces them.
    pub(super) fn reason(&self, parts: usize) -> Option<String> {
        let SyntaxOrigin::Manifest { .. } = self.origin else {
            return None;
        };
        let does = match parts {
            0 => "reads this text",
            1 => "replaces it",
            _ => "replaces them",
        };
        Some(format!("{}, which {does}.", self.origin))
    }

    /// The syntax of a file format; `None` if the format does not define one.
    pub(super) fn of_format(file_format: &str) -> Option<Self> {
        Some(Self {
            syntax: MessageSyntax::of_format(file_format)?,
            origin: SyntaxOrigin::Format,
        })
    }
}

/// The syntax and its reason: `i18next (package.json depends on i18next)`.
impl Display for KnownSyntax {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.syntax, self.origin)
    }
}

impl Display for MessageSyntax {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The reason as a clause: `package.json depends on i18next`.
impl Display for SyntaxOrigin {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Setting => f.write_str("the setting message_syntax"),
            Self::Format => f.write_str("the file format defines it"),
            Self::Manifest { path, library } => write!(f, "{path} depends on {library}"),
        }
    }
}

impl FromStr for MessageSyntax {
    type Err = InvalidValue;

    fn from_str(name: &str) -> Result<Self, InvalidValue> {
        Self::named(name).ok_or_else(|| {
            let names: Vec<&str> = Self::all().map(Self::name).collect();
            let expected = format!("a message syntax: use one of {}", names.join(", "));
            InvalidValue::new(name, expected)
        })
    }
}

gitglot_model::serialize_text! {
    MessageSyntax: it => it.name();
}

gitglot_model::deserialize_text!(MessageSyntax);

impl fmt::Debug for MessageSyntax {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests;
