//! Connects the server to the follow loop, which starts later.

use std::sync::Arc;

use arc_swap::ArcSwapOption;
use parking_lot::Mutex;

use crate::api::{FileError, FileSource};
use crate::config::{ProjectConfig, each_component};
use crate::follow::{
    ComponentError, FollowConfig, FollowHandle, FollowLoop, PublishedRepositories,
};
use crate::git::Repository;
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

/// Reads files for downloads, once the repositories are open.
#[derive(Default)]
pub(super) struct LateSources(ArcSwapOption<PublishedRepositories>);

impl LateSources {
    pub fn set(&self, sources: Arc<PublishedRepositories>) {
        self.0.store(Some(sources));
    }

    /// The repository of a component; `None` if it is not served.
    pub fn repository(&self, component: ComponentId) -> Option<Repository> {
        self.0.load_full()?.repository(component).ok()
    }

    fn read(
        &self,
        read: impl FnOnce(&PublishedRepositories) -> Result<Vec<u8>, ComponentError>,
    ) -> Result<Vec<u8>, FileError> {
        match self.0.load_full() {
            Some(sources) => {
                read(&sources).map_err(|error| FileError::Unreadable(error.to_string()))
            }
            None => Err(FileError::Unreadable(
                "no component is published yet: try again later".to_owned(),
            )),
        }
    }
}

impl FileSource for LateSources {
    fn blob(&self, component: ComponentId, blob: BlobId) -> Result<Vec<u8>, FileError> {
        self.read(|sources| sources.blob(component, blob))
    }

    fn at_path(
        &self,
        component: ComponentId,
        commit: CommitId,
        path: &str,
    ) -> Result<Vec<u8>, FileError> {
        self.read(|sources| sources.at_path(component, commit, path))
    }
}
