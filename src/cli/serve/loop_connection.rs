//! Connects the server to the follow loop, which starts later, and to the files that the loop publishes.

use std::sync::Arc;

use arc_swap::ArcSwapOption;
use parking_lot::Mutex;

use gitglot_api::hooks::{HookTarget, HookTargets, PushListener};
use gitglot_api::{FileError, FileSource};
use gitglot_follow::{
    ComponentError, FollowConfig, FollowHandle, PollLoop, ProjectConfig, PublishedRepositories,
    each_component,
};
use gitglot_git::Branch;
use gitglot_model::{BlobId, CommitId, ComponentId};

/// Forwards push notifications and configurations to the follow loop, once it runs.
#[derive(Default)]
pub(super) struct LoopConnection {
    handle: ArcSwapOption<FollowHandle>,
    /// The newest configuration, if one was loaded after the start.
    config: Mutex<Option<FollowConfig>>,
    pub targets: Arc<HookTargets>,
}

impl LoopConnection {
    pub fn connect(&self, follow: &PollLoop) {
        self.set_targets(follow.followed().projects());
        self.handle.store(Some(Arc::new(follow.handle())));
        // The configuration may have changed before the loop existed.
        let config = self.config.lock().clone();
        if let Some(config) = config {
            follow.handle().reload(config);
        }
    }

    pub fn set_targets(&self, projects: &[ProjectConfig]) {
        let targets = each_component(projects).map(|(project, component)| {
            let branch = Branch::parse(component.branch.as_deref());
            let secret = component.hook_secret.as_ref();
            HookTarget {
                project: project.slug.to_string(),
                component: component.settings.slug.to_string(),
                repo: component.repo.public(),
                branch: match branch {
                    Ok(Branch::Named(name)) => Some(name),
                    // A component with an invalid branch is never published.
                    Ok(Branch::Default) | Err(_) => None,
                },
                secret: secret.map(|secret| secret.reveal().to_owned()),
            }
        });
        self.targets.set(targets.collect());
    }

    /// Applies a configuration now, or as soon as the loop runs.
    pub fn reload(&self, config: FollowConfig) {
        *self.config.lock() = Some(config.clone());
        if let Some(handle) = &*self.handle.load() {
            handle.reload(config);
        }
    }

    /// Ends the loop.
    pub fn stop(&self) {
        if let Some(handle) = &*self.handle.load() {
            handle.stop();
        }
    }
}

impl PushListener for LoopConnection {
    fn pushed(&self, component: &str) {
        if let Some(handle) = &*self.handle.load() {
            handle.poll_now(component);
        }
    }
}

/// The files of the published revisions, as the source of downloads and source lines.
pub(in crate::cli) struct PublishedFiles(pub Arc<PublishedRepositories>);

impl FileSource for PublishedFiles {
    fn blob(&self, component: ComponentId, blob: BlobId) -> Result<Vec<u8>, FileError> {
        self.0.blob(component, blob).map_err(unreadable)
    }

    fn at_path(
        &self,
        component: ComponentId,
        commit: CommitId,
        path: &str,
    ) -> Result<Vec<u8>, FileError> {
        self.0.at_path(component, commit, path).map_err(unreadable)
    }
}

fn unreadable(error: ComponentError) -> FileError {
    FileError::Unreadable(error.to_string())
}
