//! Suggestions for misspelt names.

/// Returns the known name that is most similar to `name`; `None` if none is similar. Letter case, spaces, `-` and `_`
/// do not matter.
pub fn closest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let normal = |text: &str| text.trim().to_lowercase().replace(['_', ' '], "-");
    let name = normal(name);
    if name.is_empty() {
        return None;
    }
    let length = name.chars().count();
    let distance = |known: &str| {
        let known = normal(known);
        let is_part = known.contains(&*name) || (known.len() > 3 && name.contains(&*known));
        let distance = strsim::osa_distance(&known, &name);
        // A part of a name is similar, but a misspelling of a whole name is more so.
        if distance <= 1.max(length / 3) {
            Some(distance)
        } else {
            is_part.then_some(distance + length)
        }
    };
    known
        .into_iter()
        .filter_map(|known| Some((distance(known)?, known)))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_similar_name_is_found() {
        let known = ["c_format", "c_sharp_format", "end_stop", "xml-tags", "url"];
        for (name, wanted) in [
            ("c-format", Some("c_format")),
            (" c_fromat", Some("c_format")),
            ("csharp_format", Some("c_sharp_format")),
            ("stop", Some("end_stop")),
            ("xml", Some("xml-tags")),
            ("ur", Some("url")),
            ("spelling", None),
            ("", None),
        ] {
            assert_eq!(closest(name, known), wanted, "{name}");
        }
    }
}
