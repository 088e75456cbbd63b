//! Removes email addresses from commit messages and names. They never leave the server.

use std::borrow::Cow;

/// Replaces every email address by `…`.
pub fn without_addresses(text: &str) -> Cow<'_, str> {
    replaced(text, |_| "…")
}

/// Cuts email addresses in a name at the `@`.
pub fn name(text: &str) -> Cow<'_, str> {
    replaced(text, |local| local)
}

fn replaced<'a>(text: &'a str, with: impl for<'t> Fn(&'t str) -> &'t str) -> Cow<'a, str> {
    if !text.contains('@') {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let ends = |c: char| c.is_whitespace() || "<>()[]{},;:\"'`|".contains(c);
    for piece in text.split_inclusive(ends) {
        let (word, end) = match piece.char_indices().next_back() {
            Some((at, last)) if ends(last) => piece.split_at(at),
            _ => (piece, ""),
        };
        match word.rsplit_once('@') {
            Some((local, domain))
                if !local.is_empty() && domain.chars().any(char::is_alphanumeric) =>
            {
                out.push_str(with(local));
            }
            _ => out.push_str(word),
        }
        out.push_str(end);
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_removed_from_messages_and_names() {
        for (text, shown) in [
            (
                "Fix\n\nSigned-off-by: Ada <ada@example.org>\n",
                "Fix\n\nSigned-off-by: Ada <…>\n",
            ),
            ("mailto:ada@localhost, bob+x@example.co.uk.", "mailto:…, …"),
            ("see @ada and a @ b, @", "see @ada and a @ b, @"),
            ("nothing here", "nothing here"),
        ] {
            assert_eq!(without_addresses(text), shown);
        }
        for (text, shown) in [
            ("ada@example.org", "ada"),
            ("Ada (ada@example.org)", "Ada (ada)"),
            ("@ada", "@ada"),
        ] {
            assert_eq!(name(text), shown);
        }
    }
}
