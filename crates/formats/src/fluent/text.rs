//! The text of a message: its standard serialization without name and indentation.

use fluent_syntax::ast::{
    Entry, Expression, InlineExpression, Message, Pattern, PatternElement, Resource,
};
use fluent_syntax::serializer;

/// The text of a message, without marks.
pub(super) fn serialized(mut message: Message<&str>, mark: char) -> String {
    let attributes = message.attributes.iter_mut();
    let attributes = attributes.map(|attribute| &mut attribute.value);
    let patterns = message.value.iter_mut().chain(attributes);
    patterns.for_each(escape_start);
    let body = vec![Entry::Message(message)];
    let text = serializer::serialize(&Resource { body });
    if text.contains(mark) {
        value(&text.replace(mark, ""))
    } else {
        value(&text)
    }
}

/// Puts a leading `[`, `.` or `*` into a string literal, here and in variants: on a line of its own it would be syntax.
fn escape_start(pattern: &mut Pattern<&str>) {
    if let Some(PatternElement::TextElement { value }) = pattern.elements.first_mut()
        && value.starts_with(['[', '.', '*'])
    {
        let (first, rest) = value.split_at(1);
        *value = rest;
        let literal = Expression::Inline(InlineExpression::StringLiteral { value: first });
        let literal = PatternElement::Placeable {
            expression: literal,
        };
        pattern.elements.insert(0, literal);
    }
    for element in &mut pattern.elements {
        if let PatternElement::Placeable { expression } = element {
            escape_variants(expression);
        }
    }
}

fn escape_variants(expression: &mut Expression<&str>) {
    match expression {
        Expression::Select { variants, .. } => variants
            .iter_mut()
            .for_each(|variant| escape_start(&mut variant.value)),
        Expression::Inline(InlineExpression::Placeable { expression }) => {
            escape_variants(expression);
        }
        Expression::Inline(_) => {}
    }
}

/// The value and the attributes of a serialized entry, without its name and indentation.
fn value(serialized: &str) -> String {
    let parts = serialized.split_once('=');
    let (_, value) = parts.expect("the serializer writes `name =`");
    let lines = value.trim_end_matches('\n').split('\n').enumerate();
    let mut indentation = "    ";
    let lines = lines.map(|(index, line)| {
        if index == 0 {
            return line.strip_prefix(' ').unwrap_or(line);
        }
        // No line of a text begins with a dot.
        let attribute = line
            .strip_prefix("    ")
            .filter(|line| line.starts_with('.'));
        if let Some(attribute) = attribute {
            indentation = "        ";
            return attribute;
        }
        line.strip_prefix(indentation)
            .or(line.strip_prefix("    "))
            .unwrap_or(line)
    });
    let lines = lines.skip_while(|line| line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}
