//! Another configuration while everything goes on: what stays as it was is left alone, what is gone is let go, and
//! what is new or has changed is read as at a start, and shown together.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::component::Followed;
use super::look::{Look, Place};
use super::tail::{FIRST_BATCH, Tail, Tracked};
use super::{Events, Follower, Found};
use crate::config::{ComponentConfig, ProjectConfig, RepoAccess};
use crate::git::Branch;

/// What is to be followed.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The projects, in configuration order.
    pub projects: Vec<ProjectConfig>,
    /// Between two looks at a repository.
    pub interval: Duration,
}

/// The looks at what is new, until all of them can be taken in as one batch, as at a start (design 2).
#[derive(Default)]
pub(super) struct Gathering {
    until: Option<Instant>,
    looks: Vec<(usize, Look)>,
}

/// The repositories that components are in, and the components whose address or branch means nothing.
pub(super) type Plan = (Vec<(Place, Vec<(usize, Branch)>)>, Vec<(usize, Result<Found, String>)>);

/// Which repositories to look at: each once, however many components read it.
pub(super) fn plan(projects: &[ProjectConfig], mirrors: &Path) -> Plan {
    let mut places: Vec<(Place, Vec<(usize, Branch)>)> = Vec::new();
    let mut hopeless = Vec::new();
    for (at, component) in projects.iter().flat_map(|project| &project.components).enumerate() {
        let branch = Branch::parse(component.branch.as_deref()).map_err(|error| error.to_string());
        let place = branch.and_then(|branch| {
            let place = Place::new(&component.repo, &component.access, mirrors, vec![branch.clone()]);
            Ok((place.map_err(|error| error.to_string())?, branch))
        });
        let (place, branch) = match place {
            Ok(found) => found,
            Err(reason) => {
                hopeless.push((at, Err(reason)));
                continue;
            }
        };
        let Some((known, components)) = places.iter_mut().find(|(known, _)| known.folder == place.folder) else {
            places.push((place, vec![(at, branch)]));
            continue;
        };
        known.prefer(place.source);
        if !known.branches.contains(&branch) {
            known.branches.push(branch.clone());
        }
        components.push((at, branch));
    }
    (places, hopeless)
}

impl Tail {
    /// Follows what is wanted from now on.
    pub(super) fn reconfigure(&mut self, wanted: Wanted, events: &dyn Events) {
        let Wanted { projects, interval } = wanted;
        let (places, hopeless) = plan(&projects, &self.mirrors);
        let fresh = self.follower.reconfigure(projects);
        let now = Instant::now();
        let mut stays = BTreeSet::new();
        for (place, components) in places {
            let known = self.tracked.iter().position(|tracked| !tracked.is_gone() && tracked.place == place);
            let at = known.unwrap_or_else(|| {
                self.tracked.push(Tracked::new(place, interval, now));
                self.tracked.len() - 1
            });
            stays.insert(at);
            let tracked = &mut self.tracked[at];
            if known.is_none() || components.iter().any(|(component, _)| fresh.contains(component)) {
                // One that was looked at since is not looked at again before that is taken in.
                tracked.awaited = !self.gathering.looks.iter().any(|(gathered, _)| *gathered == at);
                tracked.schedule.due(now);
            }
            tracked.schedule.set_interval(interval);
            tracked.components = components;
        }
        for (at, tracked) in self.tracked.iter_mut().enumerate() {
            if !stays.contains(&at) {
                tracked.let_go();
            }
        }
        self.known = hopeless.into_iter().filter(|(at, _)| fresh.contains(at)).collect();
        self.gathering.looks.retain(|(at, _)| stays.contains(at));
        self.gathering.until = Some(now + FIRST_BATCH);
        let followed = self.tracked.iter().filter(|tracked| !tracked.is_gone());
        let repositories = followed.map(|tracked| tracked.place.source.to_string()).collect();
        events.configured(self.follower.projects(), &repositories);
    }

    /// Holds back what is to be taken in together; gives what can be taken in now.
    pub(super) fn gather(&mut self, mut looks: Vec<(usize, Look)>) -> Vec<(usize, Look)> {
        let Some(until) = self.gathering.until else { return looks };
        for (at, look) in std::mem::take(&mut looks) {
            let awaited = std::mem::take(&mut self.tracked[at].awaited);
            let to = if awaited { &mut self.gathering.looks } else { &mut looks };
            to.push((at, look));
        }
        if !self.tracked.iter().any(|tracked| tracked.awaited) || Instant::now() >= until {
            self.tracked.iter_mut().for_each(|tracked| tracked.awaited = false);
            looks.append(&mut std::mem::take(&mut self.gathering).looks);
        }
        looks
    }

    /// When what is held back is taken in at the latest.
    pub(super) fn gathered_until(&self) -> Option<Instant> {
        self.gathering.until
    }
}

impl Tracked {
    /// Whether no component reads it any more.
    pub(super) fn is_gone(&self) -> bool {
        self.gone.load(Ordering::Relaxed)
    }

    /// Ends what goes on with it. Its place in the list stays, as messages may still name it.
    fn let_go(&mut self) {
        self.gone.store(true, Ordering::Relaxed);
        self.awaited = false;
        self.components = Vec::new();
        self.mirror = None;
        self.watch = None;
    }
}

impl Follower {
    /// Follows these projects from now on; gives the components that are to be read as at a start. What they showed
    /// before is served until they are; what is not configured any more is gone at once.
    fn reconfigure(&mut self, projects: Vec<ProjectConfig>) -> Vec<usize> {
        let configured = |projects: &[ProjectConfig]| -> Vec<ProjectConfig> {
            let each = projects.iter().flat_map(|project| project.components.iter().map(move |it| (project, it)));
            each.map(|(project, component)| essential(project, component)).collect()
        };
        let (old, new) = (configured(&self.projects), configured(&projects));
        let mut known: BTreeMap<String, (Followed, ProjectConfig)> =
            self.components.drain(..).zip(old).map(|(it, config)| (it.name.clone(), (it, config))).collect();
        let mut fresh = Vec::new();
        let (mut added, mut changed) = (0, 0);
        let each = projects.iter().flat_map(|project| project.components.iter().map(move |it| (project, it)));
        for (at, ((project, component), config)) in each.zip(new).enumerate() {
            let mut begun = Followed::new(project, component, self.mode);
            let followed = match known.remove(&begun.name) {
                Some((followed, before)) if before == config => followed,
                before => {
                    match before {
                        Some((before, _)) => {
                            changed += 1;
                            begun.take_over(before);
                        }
                        None => added += 1,
                    }
                    fresh.push(at);
                    begun
                }
            };
            self.components.push(followed);
        }
        self.projects = projects;
        tracing::info!("following by the new configuration: {added} added, {} removed, {changed} changed", known.len());
        if let Some(shown) = self.published.load() {
            self.not_before = shown.time().map(|time| time + 1);
            self.publish();
        }
        fresh
    }
}

/// A component and its project, without what decides nothing of what is shown.
fn essential(project: &ProjectConfig, component: &ComponentConfig) -> ProjectConfig {
    let ProjectConfig { slug, name, web, source_language, components: _ } = project;
    let (slug, name, web, source_language) = (slug.clone(), name.clone(), web.clone(), source_language.clone());
    let component = ComponentConfig { access: RepoAccess::default(), hook_secret: None, ..component.clone() };
    ProjectConfig { slug, name, web, source_language, components: vec![component] }
}
