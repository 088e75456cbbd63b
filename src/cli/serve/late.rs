//! Connects the server to the follow loop, which starts later, and to the files that the loop publishes.

use std::sync::Arc;

use arc_swap::ArcSwapOption;
use parking_lot::Mutex;

use crate::api::{FileError, FileSource};
use crate::config::{ProjectConfig, each_component};
use crate::follow::{
    ComponentError, FollowConfig, FollowHandle, FollowLoop, PublishedRepositories,
};
use crate::hooks::{HookSecrets, PushListener};
use crate::model::{BlobId, CommitId, ComponentId};

/// Forwards push notifications and configurations to the follow loop, once it runs.
#[derive(Default)]
pub(super) struct HookDispatcher {
    handle: ArcSwapOption<FollowHandle>,
    /// The newest configuration, if one was loaded after the start.
    config: Mutex<Option<FollowConfig>>,
    pub secrets: Arc<HookSecrets>,
}

impl HookDispatcher {
    pub fn connect(&self, follow: &FollowLoop) {
        self.set_secrets(follow.follower().projects());
        self.handle.store(Some(Arc::new(follow.handle())));
        // The configuration may have changed before the loop existed.
        let config = self.config.lock().clone();
        if let Some(config) = config {
            follow.handle().reload(config);
        }
    }

    pub fn set_secrets(&self, projects: &[ProjectConfig]) {
        let secrets = each_component(projects).filter_map(|(project, component)| {
            let secret = component.hook_secret.as_ref()?.reveal().to_owned();
            Some((project.name_of(component), secret))
        });
        self.secrets.set(secrets.collect());
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

impl PushListener for HookDispatcher {
    fn pushed(&self, component: &str) {
        if let Some(handle) = &*self.handle.load() {
            handle.poll_now(component);
        }
    }
}

impl FileSource for PublishedRepositories {
    fn blob(&self, component: ComponentId, blob: BlobId) -> Result<Vec<u8>, FileError> {
        Self::blob(self, component, blob).map_err(unreadable)
    }

    fn at_path(
        &self,
        component: ComponentId,
        commit: CommitId,
        path: &str,
    ) -> Result<Vec<u8>, FileError> {
        Self::at_path(self, component, commit, path).map_err(unreadable)
    }
}

fn unreadable(error: ComponentError) -> FileError {
    FileError::Unreadable(error.to_string())
}
