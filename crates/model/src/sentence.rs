//! Sentences and parts of sentences.

/// The message as a sentence: with a capital letter and a full stop.
pub fn sentence(message: &str) -> String {
    let mut chars = message.chars();
    let first = chars.next().into_iter().flat_map(char::to_uppercase);
    let mut sentence = String::with_capacity(message.len() + 2);
    sentence.extend(first);
    sentence.push_str(chars.as_str());
    sentence.push('.');
    sentence
}

/// A number with a noun, in the plural unless it is one.
pub fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
