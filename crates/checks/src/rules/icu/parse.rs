//! A parser for ICU MessageFormat (`docs/spec/checks.md#icu-messageformat`).
//!
//! It accepts every message that ICU accepts, and unknown argument types. It collects only the parts that the check
//! compares.

use std::ops::Range;

use crate::pair::run;

/// The maximum nesting of arguments and tags.
const MAX_DEPTH: usize = 64;

/// The dialect of a message.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Syntax<'a> {
    /// The prefix of the names of tags such as `<b>` that are parts of the message; empty for all tags. `None` if tags
    /// are text.
    pub(crate) tags: Option<&'a str>,
    /// Whether an angle bracket that begins no tag is an error, if all tags are parts. Else it is text.
    pub(crate) strict_tags: bool,
    /// Whether apostrophes are text and quote nothing, as in Flutter by default.
    pub(crate) plain_apostrophes: bool,
}

/// An argument or tag.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Argument<'a> {
    pub(crate) name: &'a str,
    pub(crate) kind: ArgumentKind<'a>,
    /// The bytes from the opening to the closing bracket.
    pub(crate) range: Range<usize>,
}

/// A message.
#[derive(Default, Debug)]
pub(crate) struct Message<'a> {
    /// All arguments and tags, outer ones first.
    pub(crate) arguments: Vec<Argument<'a>>,
    /// All branches of plurals and selects, outer ones first.
    pub(crate) branches: Vec<Branch<'a>>,
}

/// A branch of a plural or select.
#[derive(Debug)]
pub(crate) struct Branch<'a> {
    /// The index of the argument.
    pub(crate) argument: usize,
    pub(crate) selector: &'a str,
    /// The bytes between the braces.
    pub(crate) range: Range<usize>,
    /// Whether `#` shows the number of this plural in it.
    pub(crate) has_number: bool,
}

/// The type of an argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ArgumentKind<'a> {
    /// `{name}`
    Plain,
    /// `{name, type}` or `{name, type, style}`
    Typed(&'a str),
    /// `{name, plural, …}`, also `selectordinal` and `select`
    Choice(&'a str, Vec<&'a str>),
    /// `<name>…</name>`
    Tag,
    /// `<name/>`
    EmptyTag,
}

/// A syntax error at a byte offset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct IcuSyntaxError {
    pub(crate) at: usize,
    pub(crate) message: &'static str,
}

/// Parses a message.
pub(crate) fn parse<'a>(text: &'a str, syntax: Syntax<'a>) -> Result<Message<'a>, IcuSyntaxError> {
    let mut parser = IcuParser {
        text,
        at: 0,
        syntax,
        message: Message::default(),
    };
    parser.message(&Context::default())?;
    if parser.at < text.len() {
        return Err(parser.error("a closing brace without an opening one"));
    }
    Ok(parser.message)
}

struct IcuParser<'a> {
    text: &'a str,
    at: usize,
    syntax: Syntax<'a>,
    message: Message<'a>,
}

/// The surroundings of a message.
#[derive(Default)]
struct Context<'a> {
    depth: usize,
    /// Whether a closing brace ends the message.
    in_choice: bool,
    /// The innermost branch of a plural, in which `#` is a placeholder, so that apostrophes quote it.
    plural: Option<usize>,
    open_tag: Option<&'a str>,
}

impl<'a> IcuParser<'a> {
    /// Reads text, arguments and tags up to the end of the message.
    fn message(&mut self, context: &Context<'a>) -> Result<(), IcuSyntaxError> {
        if context.depth > MAX_DEPTH {
            return Err(self.error("too many levels"));
        }
        while let Some(special) = self.rest().find(['{', '}', '\'', '<', '#']) {
            self.at += special;
            match self.rest().as_bytes().first() {
                Some(b'\'') => self.quote(context),
                Some(b'{') => self.argument(context)?,
                Some(b'#') => {
                    self.at += 1;
                    let branch = context
                        .plural
                        .and_then(|plural| self.message.branches.get_mut(plural));
                    if let Some(branch) = branch {
                        branch.has_number = true;
                    }
                }
                Some(b'<') => {
                    if self.tag(context)? {
                        return Ok(());
                    }
                }
                _ => {
                    if context.open_tag.is_some() {
                        return Err(self.error("a tag is not closed"));
                    }
                    return Ok(());
                }
            }
        }
        self.at = self.text.len();
        match (context.in_choice, context.open_tag) {
            (true, _) => Err(self.error("a brace is not closed")),
            (false, Some(_)) => Err(self.error("a tag is not closed")),
            (false, None) => Ok(()),
        }
    }

    /// Skips an apostrophe, or quoted text up to the closing apostrophe.
    fn quote(&mut self, context: &Context) {
        self.at += 1;
        if self.syntax.plain_apostrophes {
            return;
        }
        let rest = self.rest();
        let quotes = rest.starts_with(['{', '}'])
            || (context.plural.is_some() && rest.starts_with('#'))
            || (self.syntax.tags.is_some() && rest.starts_with(['<', '>']));
        if rest.starts_with('\'') {
            self.at += 1;
        } else if quotes {
            loop {
                let Some(end) = self.rest().find('\'') else {
                    self.at = self.text.len();
                    return;
                };
                self.at += end + 1;
                if !self.rest().starts_with('\'') {
                    return;
                }
                self.at += 1;
            }
        }
    }

    fn argument(&mut self, context: &Context<'a>) -> Result<(), IcuSyntaxError> {
        let start = self.at;
        self.at += 1;
        let name = self.word();
        if name.is_empty() {
            return Err(self.error("an argument has no name"));
        }
        let index = self.message.arguments.len();
        self.message.arguments.push(Argument {
            name,
            kind: ArgumentKind::Plain,
            range: start..start,
        });
        let kind = if self.take(',') {
            self.typed(index, context)?
        } else {
            ArgumentKind::Plain
        };
        if !self.take('}') {
            return Err(self.error("an argument is not closed"));
        }
        if let Some(argument) = self.message.arguments.get_mut(index) {
            (argument.kind, argument.range.end) = (kind, self.at);
        }
        Ok(())
    }

    /// Reads the type of an argument and the rest, up to the closing brace.
    fn typed(
        &mut self,
        argument: usize,
        context: &Context<'a>,
    ) -> Result<ArgumentKind<'a>, IcuSyntaxError> {
        let kind = self.word();
        if kind.is_empty() {
            return Err(self.error("an argument has no type"));
        }
        let is_plural = matches!(kind, "plural" | "selectordinal");
        if !is_plural && kind != "select" {
            if self.take(',') {
                self.style()?;
            }
            return Ok(ArgumentKind::Typed(kind));
        }
        if !self.take(',') {
            return Err(self.error("a plural or select has no branches"));
        }
        let mut selectors = Vec::new();
        loop {
            let selector = self.word();
            if selector.is_empty() {
                break;
            }
            if is_plural && selectors.is_empty() && selector.starts_with("offset:") {
                self.offset(selector)?;
                continue;
            }
            if !self.take('{') {
                return Err(self.error("a branch has no text in braces"));
            }
            let (index, start) = (self.message.branches.len(), self.at);
            self.message.branches.push(Branch {
                argument,
                selector,
                range: start..start,
                has_number: false,
            });
            self.message(&Context {
                depth: context.depth + 1,
                in_choice: true,
                plural: if is_plural {
                    Some(index)
                } else {
                    context.plural
                },
                open_tag: None,
            })?;
            if let Some(branch) = self.message.branches.get_mut(index) {
                branch.range.end = self.at;
            }
            self.at += 1;
            selectors.push(selector);
        }
        if selectors.is_empty() {
            Err(self.error("a plural or select has no branches"))
        } else {
            Ok(ArgumentKind::Choice(kind, selectors))
        }
    }

    fn offset(&mut self, word: &str) -> Result<(), IcuSyntaxError> {
        let number = word
            .strip_prefix("offset:")
            .filter(|number| !number.is_empty());
        let number = number.unwrap_or_else(|| self.word());
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(self.error("the offset is not a number"));
        }
        Ok(())
    }

    /// Skips a style up to the brace that closes the argument.
    fn style(&mut self) -> Result<(), IcuSyntaxError> {
        let mut depth = 0_usize;
        for (offset, byte) in self.rest().bytes().enumerate() {
            match byte {
                b'{' => depth += 1,
                b'}' if depth == 0 => {
                    self.at += offset;
                    return Ok(());
                }
                b'}' => depth -= 1,
                _ => {}
            }
        }
        self.at = self.text.len();
        Err(self.error("an argument is not closed"))
    }

    /// Reads a tag, or skips an angle bracket that is text. Returns whether it closed the current tag.
    fn tag(&mut self, context: &Context<'a>) -> Result<bool, IcuSyntaxError> {
        let start = self.at;
        let prefix = self.syntax.tags;
        let inside = &self.rest()[1..];
        let closing = inside.starts_with('/');
        let inside = inside.strip_prefix('/').unwrap_or(inside);
        let length = run(inside, |char| {
            char.is_alphanumeric() || "-_:.".contains(char)
        });
        let (name, after) = inside.split_at(length);
        let is_tag = prefix.is_some_and(|prefix| name.starts_with(prefix))
            && name.starts_with(char::is_alphabetic);
        if !is_tag {
            if self.syntax.strict_tags && prefix == Some("") {
                return Err(self.error("an angle bracket begins no tag"));
            }
            self.at += 1;
            return Ok(false);
        }
        self.at = self.text.len() - after.len();
        let empty = !closing && self.rest().trim_start().starts_with("/>");
        self.skip_whitespace();
        self.at += usize::from(empty);
        if !self.take('>') {
            return Err(self.error("a tag is not closed, or has attributes"));
        }
        if closing {
            return if context.open_tag == Some(name) {
                Ok(true)
            } else {
                Err(self.error("a closing tag does not match"))
            };
        }
        let index = self.message.arguments.len();
        self.message.arguments.push(Argument {
            name,
            kind: if empty {
                ArgumentKind::EmptyTag
            } else {
                ArgumentKind::Tag
            },
            range: start..self.at,
        });
        if !empty {
            // The message inside the tag ends with the closing tag.
            self.message(&Context {
                depth: context.depth + 1,
                in_choice: false,
                plural: context.plural,
                open_tag: Some(name),
            })?;
        }
        if let Some(tag) = self.message.arguments.get_mut(index) {
            tag.range.end = self.at;
        }
        Ok(false)
    }

    /// Reads characters up to whitespace or a separator, and skips whitespace around them.
    fn word(&mut self) -> &'a str {
        self.skip_whitespace();
        let rest = self.rest();
        let end = run(rest, |char| {
            !char.is_whitespace() && !"{},<>#".contains(char)
        });
        let word = &rest[..end];
        self.at += end;
        self.skip_whitespace();
        word
    }

    fn take(&mut self, char: char) -> bool {
        let found = self.rest().starts_with(char);
        self.at += if found { char.len_utf8() } else { 0 };
        found
    }

    fn skip_whitespace(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn error(&self, message: &'static str) -> IcuSyntaxError {
        IcuSyntaxError {
            at: self.at.min(self.text.len()),
            message,
        }
    }
}
