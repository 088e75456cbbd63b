//! The names of the actions of changes in current Weblate (docs/spec/query.md#changes).

/// Code and name of each action.
const ACTIONS: [(u8, &str); 99] = [
    (0, "Resource updated"),
    (1, "Translation completed"),
    (2, "Translation changed"),
    (3, "Comment added"),
    (4, "Suggestion added"),
    (5, "Translation added"),
    (6, "Automatically translated"),
    (7, "Suggestion accepted"),
    (8, "Translation reverted"),
    (9, "Translation uploaded"),
    (13, "Source string added"),
    (14, "Component locked"),
    (15, "Component unlocked"),
    (17, "Changes committed"),
    (18, "Changes pushed"),
    (19, "Repository reset"),
    (20, "Repository merged"),
    (21, "Repository rebased"),
    (22, "Repository merge failed"),
    (23, "Repository rebase failed"),
    (24, "Parsing failed"),
    (25, "Translation removed"),
    (26, "Suggestion removed"),
    (27, "Translation replaced"),
    (28, "Repository push failed"),
    (29, "Suggestion removed during cleanup"),
    (30, "Source string changed"),
    (31, "String added"),
    (32, "Bulk status changed"),
    (33, "Visibility changed"),
    (34, "User added"),
    (35, "User removed"),
    (36, "Translation approved"),
    (37, "Marked for edit"),
    (38, "Component removed"),
    (39, "Project removed"),
    (41, "Project renamed"),
    (42, "Component renamed"),
    (43, "Moved component"),
    (45, "Contributor joined"),
    (46, "Announcement posted"),
    (47, "Alert triggered"),
    (48, "Language added"),
    (49, "Language requested"),
    (50, "Project created"),
    (51, "Component created"),
    (52, "User invited"),
    (53, "Repository notification received"),
    (54, "Translation replaced file by upload"),
    (55, "License changed"),
    (56, "Contributor license agreement changed"),
    (57, "Screenshot added"),
    (58, "Screenshot uploaded"),
    (59, "String updated in the repository"),
    (60, "Add-on installed"),
    (61, "Add-on configuration changed"),
    (62, "Add-on uninstalled"),
    (63, "String removed"),
    (64, "Comment removed"),
    (65, "Comment resolved"),
    (66, "Explanation updated"),
    (67, "Category removed"),
    (68, "Category renamed"),
    (69, "Category moved"),
    (70, "Saving string failed"),
    (71, "String added in the repository"),
    (72, "String updated in the upload"),
    (73, "String added in the upload"),
    (74, "Translation updated by source upload"),
    (75, "Component translation completed"),
    (76, "Applied enforced check"),
    (77, "Propagated change"),
    (78, "File uploaded"),
    (79, "Extra flags updated"),
    (80, "Font uploaded"),
    (81, "Font changed"),
    (82, "Font removed"),
    (83, "Forced synchronization of translations"),
    (84, "Forced rescan of translations"),
    (85, "Screenshot removed"),
    (86, "Label added"),
    (87, "Label removed"),
    (88, "Repository cleanup"),
    (89, "Source string added in the upload"),
    (90, "Source string added in the repository"),
    (91, "Project backed up"),
    (92, "Project restored"),
    (93, "Component restored"),
    (94, "User edit reverted"),
    (95, "Project setting changed"),
    (96, "Component setting changed"),
    (97, "User access changed"),
    (98, "Workspace created"),
    (99, "Workspace setting changed"),
    (100, "Project moved"),
    (101, "Remote repository updated"),
    (102, "Remote repository update failed"),
    (103, "Alert dismissed"),
    (104, "Alert reopened"),
];

/// The name of an action.
pub fn action_name(code: u8) -> &'static str {
    let found = ACTIONS.binary_search_by_key(&code, |(known, _)| *known);
    found
        .ok()
        .and_then(|at| ACTIONS.get(at))
        .map_or("", |(_, name)| name)
}

/// The codes of changes by content: those that `changed:` and `changed_by:` find.
const BY_CONTENT: [u8; 17] = [2, 5, 6, 7, 8, 9, 27, 30, 31, 32, 36, 37, 66, 76, 77, 79, 94];

/// A set of actions, by code.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Actions(u128);

impl Actions {
    /// The changes by content.
    pub(super) fn by_content() -> Self {
        Self(BY_CONTENT.iter().fold(0, |set, code| set | 1 << code))
    }

    /// The action with a name of current Weblate, ignoring case; hyphens are read as spaces.
    pub(super) fn named(name: &str) -> Option<Self> {
        let plain = |text: &str| text.replace('-', " ").to_ascii_lowercase();
        let wanted = plain(name);
        let (code, _) = ACTIONS.iter().find(|(_, known)| plain(known) == wanted)?;
        Some(Self::of(*code))
    }

    pub(super) fn of(code: u8) -> Self {
        Self(1_u128.checked_shl(code.into()).unwrap_or_default())
    }

    pub(super) fn contains(self, code: u8) -> bool {
        self.0 & Self::of(code).0 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actions::{SOURCE_CHANGED, STRING_UPDATED};

    #[test]
    fn actions_are_found_by_name() {
        for name in [
            "String updated in the repository",
            "string-updated-in-the-repository",
        ] {
            assert_eq!(
                Actions::named(name),
                Some(Actions::of(STRING_UPDATED)),
                "{name}"
            );
        }
        assert_eq!(Actions::named("add-on-installed"), Some(Actions::of(60)));
        assert_eq!(Actions::named("source-changed"), None);
    }

    #[test]
    fn codes_are_unique_and_small() {
        assert!(ACTIONS.is_sorted_by(|(a, _), (b, _)| a < b));
        assert!(ACTIONS.iter().all(|(code, _)| *code < 128));
        assert!(Actions::by_content().contains(SOURCE_CHANGED));
        assert!(!Actions::by_content().contains(STRING_UPDATED));
    }
}
