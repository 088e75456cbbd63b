//! Finds the masks that a path may fit, in time that does not depend on their number.

use std::collections::HashMap;

use gitglot_model::{FileMask, steps};

/// Masks by the parts of their paths.
#[derive(Default)]
pub(super) struct MaskIndex<'m> {
    masks: Vec<&'m FileMask>,
    nodes: Vec<Node<'m>>,
    /// The masks of groups, by the directory that all their files are in.
    groups: HashMap<String, Vec<usize>>,
}

/// The masks with a common beginning.
#[derive(Default)]
struct Node<'m> {
    /// The next part, if it has no wildcard.
    fixed: HashMap<&'m str, usize>,
    /// The next part with one `*`, by the texts before and behind it.
    starred: HashMap<&'m str, HashMap<&'m str, usize>>,
    /// Other next parts.
    others: HashMap<&'m str, usize>,
    /// The masks that end here.
    ends: Vec<usize>,
}

impl<'m> MaskIndex<'m> {
    pub(super) fn new(masks: impl Iterator<Item = &'m FileMask>) -> Self {
        let mut index = Self {
            masks: masks.collect(),
            nodes: vec![Node::default()],
            groups: HashMap::new(),
        };
        for at in 0..index.masks.len() {
            if let Some(groups) = index.masks[at].groups("").into_iter().next() {
                index.groups.entry(groups.base).or_default().push(at);
                continue;
            }
            let mut node = 0;
            for part in index.masks[at].as_str().split('/') {
                let next = index.nodes.len();
                let parent = &mut index.nodes[node];
                let child = match part.split_once('*') {
                    _ if part.contains(['?', '[']) => parent.others.entry(part),
                    None => parent.fixed.entry(part),
                    Some((_, behind)) if behind.contains('*') => parent.others.entry(part),
                    Some((before, behind)) => {
                        parent.starred.entry(before).or_default().entry(behind)
                    }
                };
                node = *child.or_insert(next);
                if node == next {
                    index.nodes.push(Node::default());
                }
            }
            index.nodes[node].ends.push(at);
        }
        index
    }

    /// The positions of the masks that give a path a language.
    pub(super) fn matching(&self, path: &str) -> Vec<usize> {
        let mut nodes = vec![0];
        for name in path.split('/') {
            let mut next = Vec::new();
            for node in nodes.iter().filter_map(|at| self.nodes.get(*at)) {
                node.follow(name, &mut next);
            }
            steps::count(next.len() + 1);
            nodes = next;
        }
        let ends = nodes.into_iter().filter_map(|at| self.nodes.get(at));
        let ends = ends.flat_map(|node| node.ends.iter().copied());
        let ends = ends.filter(|at| self.masks[*at].matches(path).is_some());
        let folders = path.match_indices('/').map(|(end, _)| &path[..end]);
        let groups = [""].into_iter().chain(folders);
        let groups = groups
            .filter_map(|folder| self.groups.get(folder))
            .flatten();
        let groups = groups.filter(|at| self.masks[**at].has_file(path));
        ends.chain(groups.copied()).collect()
    }
}

impl Node<'_> {
    /// Adds the nodes that a part of a path leads to.
    fn follow(&self, name: &str, next: &mut Vec<usize>) {
        next.extend(self.fixed.get(name));
        next.extend(self.others.values());
        if self.starred.is_empty() {
            return;
        }
        let ends = name.char_indices().map(|(at, _)| at).chain([name.len()]);
        for from in ends.clone() {
            if let Some(behind) = self.starred.get(&name[..from]) {
                let ends = ends.clone().filter(|to| *to >= from);
                next.extend(ends.filter_map(|to| behind.get(&name[to..])));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_are_found_by_all_their_parts() {
        let masks = [
            "l/*.json",
            "l/app_*.json",
            "*/strings.xml",
            "values-*/strings.xml",
            "l/*/*.json",
            "l/a?_*.json",
        ];
        let masks = masks.map(|mask| FileMask::new(mask).unwrap());
        let index = MaskIndex::new(masks.iter());
        for path in [
            "l/cs.json",
            "l/app_cs.json",
            "values-cs/strings.xml",
            "l/cs/cs.json",
            "l/ax_cs.json",
            "l/cs.po",
            "cs.json",
        ] {
            let mut found = index.matching(path);
            found.sort_unstable();
            let all = (0..masks.len()).filter(|at| masks[*at].matches(path).is_some());
            assert_eq!(found, all.collect::<Vec<_>>(), "{path}");
        }
    }
}
