//! The classes of changed sources, each found once: several languages and many lists have the same two texts.

use parking_lot::Mutex;

use gitglot_checks::SourceChange;
use gitglot_model::{SeededMap, TextId, Texts};

/// The classes that were asked for, by the earlier and the present source.
#[derive(Default, Debug)]
pub(super) struct SourceChanges(Mutex<SeededMap<[TextId; 2], SourceChange>>);

/// A copy is asked again.
impl Clone for SourceChanges {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl SourceChanges {
    /// The class of a change; `texts` are those of the component.
    pub(super) fn between(&self, ids: [TextId; 2], texts: &Texts) -> SourceChange {
        if let Some(known) = self.0.lock().get(&ids) {
            return *known;
        }
        let [old, new] = ids.map(|id| texts.get(id));
        let change = SourceChange::between(old, new);
        self.0.lock().insert(ids, change);
        change
    }
}
