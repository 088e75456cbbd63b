//! Matches one directory or file name with one segment of a file mask (docs/spec/units.md#files).

use std::ops::Range;

/// A path segment of a mask.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum MaskSegment {
    /// Without a wildcard.
    Fixed(Box<str>),
    /// With one `*` and no other wildcard; the common case.
    Star { before: Box<str>, after: Box<str> },
    /// With other wildcards.
    Glob {
        /// The characters before the first wildcard.
        prefix: Box<str>,
        pieces: Box<[MaskPiece]>,
        hidden: bool,
    },
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum MaskPiece {
    Star,
    AnyChar,
    Char(char),
    Class {
        inverted: bool,
        ranges: Box<[(char, char)]>,
    },
}

impl MaskSegment {
    pub(super) fn new(text: &str) -> Self {
        if !text.contains(['*', '?', '[']) {
            return Self::Fixed(text.into());
        }
        if let Some((before, after)) = text.split_once('*')
            && !before.contains(['?', '['])
            && !after.contains(['*', '?', '['])
        {
            return Self::Star {
                before: before.into(),
                after: after.into(),
            };
        }
        let pieces = pieces(text);
        let literal = pieces.iter().map_while(|piece| match piece {
            MaskPiece::Char(char) => Some(*char),
            _ => None,
        });
        Self::Glob {
            prefix: literal.collect::<String>().into(),
            pieces,
            hidden: text.starts_with('.'),
        }
    }

    /// The text that all names begin with that match.
    pub(super) fn prefix(&self) -> &str {
        match self {
            Self::Fixed(text) => text,
            Self::Star { before, .. } => before,
            Self::Glob { prefix, .. } => prefix,
        }
    }

    /// Whether a name matches. Calls `capture` with the text of each `*`.
    pub(super) fn visit<'p>(&self, name: &'p str, capture: &mut impl FnMut(&'p str)) -> bool {
        match self {
            Self::Fixed(text) => **text == *name,
            Self::Star { before, after } => {
                let hidden = before.is_empty() && name.starts_with('.');
                let code = name
                    .strip_prefix(&**before)
                    .and_then(|rest| rest.strip_suffix(&**after));
                code.filter(|_| !hidden).map(capture).is_some()
            }
            Self::Glob { pieces, hidden, .. } => {
                let is_shown = *hidden || !name.starts_with('.');
                let Some(found) = glob(pieces, name).filter(|_| is_shown) else {
                    return false;
                };
                let stars = found.into_iter().filter_map(|range| name.get(range));
                stars.for_each(capture);
                true
            }
        }
    }
}

fn pieces(text: &str) -> Box<[MaskPiece]> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(char) = rest.chars().next() {
        rest = &rest[char.len_utf8()..];
        pieces.push(match char {
            '*' => MaskPiece::Star,
            '?' => MaskPiece::AnyChar,
            '[' => match class(rest) {
                Some((class, after)) => {
                    rest = after;
                    class
                }
                None => MaskPiece::Char('['),
            },
            other => MaskPiece::Char(other),
        });
    }
    pieces.into()
}

/// Parses the text after `[`: returns the class and the rest. `None` without a `]`; then `[` is literal.
fn class(text: &str) -> Option<(MaskPiece, &str)> {
    let (inverted, body) = match text.strip_prefix('!') {
        Some(body) => (true, body),
        None => (false, text),
    };
    // A leading `]` is a member.
    let first = body.chars().next()?.len_utf8();
    let end = first + body.get(first..)?.find(']')?;
    let members: Vec<char> = body.get(..end)?.chars().collect();
    let mut ranges = Vec::new();
    let mut left = members.as_slice();
    while let [low, rest @ ..] = left {
        let (high, rest) = match rest {
            ['-', high, rest @ ..] => (high, rest),
            _ => (low, rest),
        };
        ranges.push((*low, *high));
        left = rest;
    }
    Some((
        MaskPiece::Class {
            inverted,
            ranges: ranges.into(),
        },
        body.get(end + 1..)?,
    ))
}

/// Matches a whole name with greedy stars. Returns the byte range of each star.
///
/// Puts each text between two stars as far right as it fits, the last one first. Tests each piece at each position at
/// most once, so the time is bounded for any number of stars.
fn glob(pieces: &[MaskPiece], name: &str) -> Option<Vec<Range<usize>>> {
    let chars: Vec<(usize, char)> = name.char_indices().collect();
    let fits = |text: &[MaskPiece], at: usize| {
        let mut pairs = text.iter().zip(&chars[at..]);
        text.len() <= chars.len() - at && pairs.all(|(piece, (_, char))| piece.is(*char))
    };
    let mut texts = pieces.split(|piece| *piece == MaskPiece::Star);
    let first = texts.next().unwrap_or_default();
    let Some(last) = texts.next_back() else {
        return (first.len() == chars.len() && fits(first, 0)).then(Vec::new);
    };
    let mut at = chars.len().checked_sub(last.len())?;
    if !fits(first, 0) || !fits(last, at) {
        return None;
    }
    let mut stars = Vec::new();
    for text in texts.rev() {
        let end = at;
        let mut starts = first.len()..=end.checked_sub(text.len())?;
        at = starts.rfind(|at| fits(text, *at))?;
        stars.push(at + text.len()..end);
    }
    stars.push(first.len()..at);
    let byte = |at: usize| chars.get(at).map_or(name.len(), |(byte, _)| *byte);
    let stars = stars.into_iter().rev();
    let bytes = stars.map(|star| byte(star.start)..byte(star.end));
    (first.len() <= at).then(|| bytes.collect())
}

impl MaskPiece {
    /// Whether it matches a character.
    fn is(&self, char: char) -> bool {
        match self {
            Self::Star | Self::AnyChar => true,
            Self::Char(wanted) => *wanted == char,
            Self::Class { inverted, ranges } => {
                let is_in = |&(low, high): &(char, char)| (low..=high).contains(&char);
                ranges.iter().any(is_in) != *inverted
            }
        }
    }
}
