//! Whether replicas with different repositories or branches move a component back and forth.
//! Source: `docs/spec/ids-and-ledger.md#mixed-fleets`.

use crate::observation::ComponentError;
use gitglot_model::CommitId;

/// The number of moves by another replica, from the same tip to the same other one, after which this replica gives up.
const MAX_OVERTAKEN: u32 = 3;

/// Whether this replica and another one move a component between two commits again and again.
#[derive(Clone, Default, Debug)]
pub(crate) struct Overtaken {
    /// This replica wrote the last recorded move.
    pub wrote_last: bool,
    /// A tip that this replica recorded, the tip to which another one then moved it, and how many times in a row.
    last: Option<(CommitId, CommitId, u32)>,
}

impl Overtaken {
    /// Notes that another replica has moved the component from a tip to a commit.
    pub(super) fn moved(&mut self, from: Option<CommitId>, to: CommitId) {
        if let Some(from) = from.filter(|_| self.wrote_last) {
            let times = match self.last {
                Some((before, other, times)) if (before, other) == (from, to) => times + 1,
                _ => 1,
            };
            self.last = Some((from, to, times));
        }
        self.wrote_last = false;
    }

    /// Checks that moving the component from a tip to a commit would not go on for ever.
    ///
    /// # Errors
    /// When it would.
    pub(super) fn check(&self, from: Option<CommitId>, to: CommitId) -> Result<(), ComponentError> {
        match self.last {
            Some((written, other, MAX_OVERTAKEN..)) if written == to && from == Some(other) => {
                Err(ComponentError::Repository(format!(
                    "another replica moves it to the commit {other} each time that this one moves it to {to}: use the \
                     same repository and branch on all replicas"
                )))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commits() -> [CommitId; 3] {
        ["1", "2", "3"].map(|digit| digit.repeat(40).parse().unwrap())
    }

    #[test]
    fn a_component_is_not_moved_for_ever() {
        let ([own, other, new], mut overtaken) = (commits(), Overtaken::default());
        for _ in 0..3 {
            overtaken.check(Some(other), own).unwrap();
            overtaken.wrote_last = true;
            overtaken.moved(Some(own), other);
        }
        let error = overtaken.check(Some(other), own).unwrap_err().to_string();
        assert!(
            error.contains("use the same repository and branch"),
            "{error}"
        );
        overtaken.check(Some(other), new).unwrap();
        overtaken.check(Some(new), own).unwrap();
        overtaken.wrote_last = true;
        overtaken.moved(Some(new), other);
        overtaken.check(Some(other), own).unwrap();
    }

    #[test]
    fn only_moves_after_an_own_one_count() {
        let ([own, other, _], mut overtaken) = (commits(), Overtaken::default());
        for _ in 0..5 {
            overtaken.moved(Some(own), other);
        }
        overtaken.check(Some(other), own).unwrap();
    }
}
