//! The format `banana`: messages of MediaWiki (`docs/spec/formats.md#banana`).

use super::node::JsonNode;
use super::walk::{NestedDialect, Walk};
use crate::entry_list::EntryList;
use crate::error::SyntaxError;

/// Adds the messages, without the data on their authors.
pub(crate) fn entries(root: JsonNode<'_>, list: &mut EntryList) -> Result<(), SyntaxError> {
    root.require_object("an object of messages at the top level")?;
    Walk::run(&Banana, root, list)
}

struct Banana;

impl NestedDialect for Banana {
    fn object(&self, object: JsonNode<'_>, walk: &mut Walk<'_>) {
        for member in object.children() {
            let name = member.name();
            if name != "@metadata" {
                walk.member(self, &name, member);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::test_support::entries;
    use gitglot_model::FileFormat;

    #[test]
    fn authors_are_no_messages() {
        let text = br#"{"@metadata": {"authors": ["A"]}, "a-b": "x $1", "c": ""}"#;
        let all = entries(FileFormat::Banana, text).unwrap();
        let ids: Vec<_> = all.iter().map(|it| (&*it.context, &*it.text)).collect();
        assert_eq!(ids, [("a-b", "x $1"), ("c", "")]);
    }
}
