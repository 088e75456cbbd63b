//! Present texts that a commit set back to older ones (docs/spec/pages.md#restored-texts).

use super::component::ComponentSnapshot;
use super::log::ChangeView;
use super::snapshot::Snapshot;
use super::views::UnitView;
use crate::scan::Budget;
use gitglot_model::{KeyId, LineageId, SeededMap, TextId, Timestamp, UserId};

/// A text that has an older value again, so that a later one is lost.
#[derive(Clone, Copy, Debug)]
pub struct RestoredText<'a> {
    /// The unit with the text.
    pub unit: UnitView<'a>,
    /// The change that set it back.
    pub restored: ChangeView<'a>,
    /// The change that wrote the text which is lost.
    pub lost: ChangeView<'a>,
}

/// The newest changes of a unit, by their indexes.
struct Followed {
    restored: u32,
    lost: Option<u32>,
    is_older: bool,
}

/// The texts of a component that a change after a time set back, by the time of that change, newest first.
pub fn restored_texts<'a>(
    snapshot: &'a Snapshot,
    component: &'a ComponentSnapshot,
    since: Timestamp,
    budget: &Budget,
) -> Vec<RestoredText<'a>> {
    let log = &component.log;
    let mut units: SeededMap<(LineageId, KeyId), Followed> = SeededMap::default();
    let newest = (0..log.len()).rev().take_while(|_| budget.spend(1));
    for (at, entry) in newest.filter_map(|at| Some((at as u32, log.get(at)?))) {
        let unit = entry.lineage.zip(entry.key);
        let Some(unit) = unit.filter(|_| entry.action.writes_text()) else {
            continue;
        };
        let Some(known) = units.get_mut(&unit) else {
            if entry.time >= since {
                let restored = Followed {
                    restored: at,
                    lost: None,
                    is_older: false,
                };
                units.insert(unit, restored);
            } else if units.is_empty() {
                break;
            }
            continue;
        };
        let Some(newest) = log.get(known.restored as usize) else {
            continue;
        };
        let is_same_source = entry.source == newest.source;
        match known.lost {
            None if entry.target == newest.previous && is_same_source => known.lost = Some(at),
            // The source changed, too, or the text is no longer followed.
            None => known.lost = Some(u32::MAX),
            Some(_) => known.is_older |= entry.target == newest.target && is_same_source,
        }
    }
    let older = units.into_values().filter(|followed| followed.is_older);
    let texts = older.filter_map(|followed| restored_text(snapshot, component, followed));
    let mut texts: Vec<_> = texts.collect();
    texts.sort_by_key(|text| std::cmp::Reverse(text.restored.index));
    texts
}

/// `None` if the text is not lost: the author replaced an own text or undid a commit on purpose.
fn restored_text<'a>(
    snapshot: &'a Snapshot,
    component: &'a ComponentSnapshot,
    followed: Followed,
) -> Option<RestoredText<'a>> {
    let restored = ChangeView::of(component, followed.restored)?;
    let lost = ChangeView::of(component, followed.lost?)?;
    let unit = restored.unit()?;
    let entry = restored.entry;
    let is_present = unit.unit.target == entry.target && entry.target != TextId::EMPTY;
    if !is_present || entry.moved || entry.previous == TextId::EMPTY {
        return None;
    }
    let name = |change: ChangeView<'_>| {
        let user = snapshot.user(UserId(change.user()?))?;
        Some(user.full_name.to_lowercase())
    };
    let is_own = restored.user() == lost.user() || name(restored) == name(lost);
    let subject = component.texts.get(restored.commit()?.subject).trim_start();
    let start = subject.get(.."revert".len()).unwrap_or_default();
    let is_revert = start.eq_ignore_ascii_case("revert");
    (!is_own && !is_revert).then_some(RestoredText {
        unit,
        restored,
        lost,
    })
}
