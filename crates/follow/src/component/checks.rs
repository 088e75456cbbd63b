//! The checks of the followed components, with the message syntax that the manifests at their tips name
//! (`docs/spec/checks.md#manifests`).

use super::state::{ComponentState, Source};
use crate::followed_manifests::FollowedManifests;
use gitglot_checks::{CheckProfile, ComponentChecks, KnownSyntax, SharedChecks, Words};
use gitglot_git::{GitError, Repository};
use gitglot_model::{CommitId, SeededSet};
use parking_lot::Mutex;

/// The checks of the followed components.
#[derive(Default, Debug)]
pub(crate) struct FollowedChecks {
    shared: SharedChecks,
    manifests: FollowedManifests,
    /// The components whose manifests are too many, as the log has said.
    without_search: Mutex<SeededSet<String>>,
}

impl FollowedChecks {
    /// Checks that ignore these words.
    pub fn new(words: Words) -> Self {
        Self {
            shared: SharedChecks::new(words),
            ..Self::default()
        }
    }

    /// The checks of a component at a commit, in a batch that observes it; else those of its served state.
    pub fn at(&self, component: &ComponentState, tip: CommitId) -> ComponentChecks {
        match (&component.source, component.snapshot()) {
            (Source::Unknown | Source::Closed(_), Some(served)) => served.checks().clone(),
            (Source::Open(repository), _) => self.of(component, repository, tip),
            (Source::Unknown | Source::Closed(_), None) => self.without_manifests(component),
        }
    }

    /// The checks of a component at a commit of its repository.
    pub fn of(
        &self,
        component: &ComponentState,
        repository: &Repository,
        tip: CommitId,
    ) -> ComponentChecks {
        let (settings, format) = (&component.checks, component.config.file_format.name());
        let checks = self.without_manifests(component);
        let is_known = checks.of(CheckProfile::Current).syntax().is_some();
        if is_known || settings.flags.is_some() {
            return checks;
        }
        match self.syntax(component, repository, tip) {
            Ok(None) => checks,
            Ok(known) => self.shared.of(settings, format, known),
            // A replica without repositories does not get the manifests.
            Err(GitError::Missing { .. }) => checks,
            Err(error) => {
                let name = &component.name;
                tracing::warn!(
                    component = name,
                    "cannot read the manifests of {name}: {error}"
                );
                checks
            }
        }
    }

    /// The checks of a component whose repository is not open.
    fn without_manifests(&self, component: &ComponentState) -> ComponentChecks {
        let format = component.config.file_format.name();
        self.shared.of(&component.checks, format, None)
    }

    fn syntax(
        &self,
        component: &ComponentState,
        repository: &Repository,
        tip: CommitId,
    ) -> Result<Option<KnownSyntax>, GitError> {
        let manifests = match self.manifests.known_at(tip) {
            Some(known) => known,
            None => self.manifests.at(tip, &mut repository.reader())?,
        };
        let config = &component.config;
        let file = match config.source_file() {
            "" => config.filemask.as_str(),
            file => file,
        };
        let found = manifests.syntax_of(file, config.file_format.name(), repository)?;
        let name = &component.name;
        if let Some(problem) = manifests.problem()
            && self.without_search.lock().insert(name.clone())
        {
            tracing::warn!(component = name, "{name}: {problem}");
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{FollowSite, project};
    use gitglot_checks::{CheckInput, CheckProfile};
    use gitglot_model::FileFormat;
    use gitglot_testkit::{Repo, commit};

    #[test]
    fn a_component_has_the_syntax_of_its_manifest() {
        let history = commit("a")
            .write("web/l/en.json", r#"{"k": "Hi {name}"}"#)
            .write("web/l/cs.json", r#"{"k": "Ahoj {Name}"}"#)
            .commit("b")
            .write("web/package.json", r#"{"dependencies": {"vue-i18n": "9"}}"#)
            .commit("c")
            .write("other/readme", "x")
            .commit("d")
            .write("web/package.json", "{}");
        let folder = tempfile::tempdir().unwrap();
        let repo = Repo::with(&folder.path().join("garden.git"), &history);
        let components = [("app", "web/l/*.json", "web/l/en.json", FileFormat::Json)];
        let mut site = FollowSite::new(&project(repo.dir(), &components), None);
        let known = |site: &FollowSite| {
            let snapshot = site.snapshot();
            let component = snapshot.component("garden", "app").unwrap();
            let checker = component.checks().of(CheckProfile::Current);
            let unit = CheckInput::new(&["Hi {name}"], &["Ahoj {Name}"]);
            let found = checker.for_translation("cs", "en").check(&unit);
            let ids: Vec<&str> = found.iter().map(|it| it.check.id()).collect();
            let syntax = checker.syntax().map(ToString::to_string);
            assert!(component.checks().deciding().syntax().is_none());
            (syntax.unwrap_or_default(), ids.join(" "))
        };
        let units = |site: &FollowSite| -> Vec<_> {
            let snapshot = site.snapshot();
            let units = snapshot.units_from(0);
            units.map(|it| (it.unit.id, it.unit.target)).collect()
        };
        let manifest = "vue-i18n (web/package.json depends on vue-i18n)";
        site.observe(repo.id("a"), 0);
        let before = units(&site);
        assert_eq!(before.len(), 2);
        for (nth, (tip, syntax, id)) in (1..).zip([
            ("a", "", "brace_format"),
            ("b", manifest, "vue_format"),
            ("c", manifest, "vue_format"),
        ]) {
            site.observe(repo.id(tip), 10 * nth);
            assert_eq!(known(&site), (syntax.to_owned(), id.to_owned()), "{tip}");
            assert_eq!(units(&site), before, "{tip}");
        }
        site.write_checkpoints();
        site.restart();
        assert_eq!(known(&site).1, "vue_format");
        site.observe(repo.id("d"), 90);
        assert_eq!(known(&site).1, "brace_format");
    }
}
