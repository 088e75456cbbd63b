//! The strings that moved between the components that follow a branch, kept up with their logs.

use std::collections::BTreeMap;

use super::carried_texts::CarriedText;
use super::moved::{ComponentLog, ComponentMove};
use super::search::{add_moves, entries_before};
use gitglot_model::{ComponentIndex, LogMark, TextId};

/// The strings that moved between components of a project that follow the same branch.
#[derive(Default, Debug)]
pub struct BranchMoves {
    members: Vec<Member>,
    /// Components are indexes in `members`.
    moves: Vec<ComponentMove>,
    /// Number of moves of commits that all members have reached.
    settled: usize,
}

/// A component that follows the branch.
#[derive(Debug)]
struct Member {
    component: ComponentIndex,
    /// Its log when it was compared, and the language of each lineage, which a rename of a file can change.
    log: LogMark,
    languages: Vec<TextId>,
    /// Number of its mainline commits that were compared with all other members.
    commits: usize,
}

/// The texts that components received.
#[derive(Default, Debug)]
pub struct ReceivedTexts {
    /// The texts of each component.
    pub texts: BTreeMap<ComponentIndex, Vec<CarriedText>>,
    /// Whether these are all texts of all components, not only the new ones.
    pub is_all: bool,
}

impl BranchMoves {
    /// Compares the commits that were not compared yet. Returns the texts that components got by it.
    pub fn compare(&mut self, logs: &[ComponentLog<'_>]) -> ReceivedTexts {
        let is_same = self.continues_in(logs);
        if !is_same {
            *self = Self::default();
        }
        let compared = |at: usize| self.members.get(at).map_or(0, |member| member.commits);
        let mut first: Vec<usize> = (0..logs.len()).map(compared).collect();
        let mut is_all = !is_same || self.forget_unsettled(logs, &first);
        let found = add_moves(logs, &first, &mut self.moves).or_else(|| {
            (*self, is_all) = (Self::default(), true);
            first.fill(0);
            add_moves(logs, &first, &mut self.moves)
        });
        let mut received = ReceivedTexts {
            is_all,
            ..ReceivedTexts::default()
        };
        let mut new = found.unwrap_or_default();
        if is_all {
            let all = (0..).zip(&self.moves);
            let texts = all.flat_map(|(at, it)| it.texts.iter().map(move |text| (at, *text)));
            new = texts.collect();
            let empty = logs.iter().map(|of| (of.component, Vec::new()));
            received.texts = empty.collect();
        }
        for (at, text) in new {
            if let Some(it) = self.moves.get(at)
                && let (Some(source), Some(to)) = (logs.get(text.source.0), logs.get(it.to))
            {
                let texts = received.texts.entry(to.component).or_default();
                texts.push(CarriedText {
                    lineage: text.lineage,
                    key: it.rename.to,
                    entry: text.entry,
                    source: (source.texts.clone(), text.source.1),
                });
            }
        }
        self.note_compared(logs, &first);
        received
    }

    /// The strings that came to a component, each with the component that had it before.
    pub fn arrived(
        &self,
        component: ComponentIndex,
    ) -> impl Iterator<Item = (&ComponentMove, ComponentIndex)> {
        let component_at = |at: usize| self.members.get(at).map(|member| member.component);
        let moves = self.moves.iter();
        let moves = moves.filter(move |it| component_at(it.to) == Some(component));
        moves.filter_map(move |it| Some((it, component_at(it.from)?)))
    }

    /// Whether these are the components that were compared, and their logs only grew.
    fn continues_in(&self, logs: &[ComponentLog<'_>]) -> bool {
        let mut members = self.members.iter().zip(logs);
        self.members.len() == logs.len()
            && members.all(|(member, now)| {
                member.component == now.component
                    && now.log.continues_from(&member.log)
                    && languages(now).starts_with(&member.languages)
            })
    }

    /// Forgets what commits moved that are compared again, given the number of rows of each mainline before them.
    /// Returns whether they moved anything.
    fn forget_unsettled(&mut self, logs: &[ComponentLog<'_>], first: &[usize]) -> bool {
        let mut has_changed = self.moves.len() > self.settled;
        self.moves.truncate(self.settled);
        for settled_move in &mut self.moves {
            let settled = entries_before(logs, first, settled_move.to);
            let count = settled_move.texts.len();
            settled_move.texts.retain(|text| text.entry < settled);
            has_changed |= settled_move.texts.len() < count;
        }
        has_changed
    }

    /// Notes which commits were compared. A component that is behind is compared again.
    fn note_compared(&mut self, logs: &[ComponentLog<'_>], first: &[usize]) {
        let last = |of_component: &ComponentLog<'_>| {
            let last = of_component.log.mainline.len().checked_sub(1)?;
            of_component.log.mainline.get(last).map(|row| row.commit)
        };
        let is_settled = logs.windows(2).all(|pair| last(&pair[0]) == last(&pair[1]));
        if is_settled {
            self.settled = self.moves.len();
        }
        let members = logs.iter().zip(first).map(|(now, &first)| Member {
            component: now.component,
            log: now.log.mark(),
            languages: languages(now),
            commits: if is_settled {
                now.log.mainline.len()
            } else {
                first
            },
        });
        self.members = members.collect();
    }
}

/// The language of each lineage of a log.
fn languages(of_component: &ComponentLog<'_>) -> Vec<TextId> {
    let lineages = of_component.log.lineages.iter();
    lineages.map(|row| row.language).collect()
}
