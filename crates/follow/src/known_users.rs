//! Everybody in a change log, for snapshots. A batch costs as much as the components that it changes have people: all people are
//! read again only if somebody is new or gone, or has another name.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::component::ComponentState;
use gitglot_catalog::User;
use gitglot_history::{Person, Usernames};
use gitglot_ledger::IdRegistry;
use gitglot_model::{UserId, steps};

/// The users, as of the last batch.
#[derive(Default, Debug)]
pub(super) struct KnownUsers {
    /// The people of each component that were read, by its name.
    read: HashMap<String, Arc<[Person]>>,
    /// When each user was named last, by position in `users`.
    named: Vec<i64>,
    users: Arc<[User]>,
}

impl KnownUsers {
    /// Everybody in the logs of these components, by id.
    pub fn of(&mut self, components: &[ComponentState], ids: &IdRegistry) -> Arc<[User]> {
        if !self.continues(components, ids) {
            *self = Self::read(components, ids);
        }
        self.users.clone()
    }

    /// Notes newer commits of known people; `false` if anything else has changed.
    fn continues(&mut self, components: &[ComponentState], ids: &IdRegistry) -> bool {
        let with_people = with_people(components);
        if with_people.clone().count() != self.read.len() {
            return false;
        }
        for component in with_people {
            let Some(before) = self.read.get_mut(&component.name) else {
                return false;
            };
            if Arc::ptr_eq(before, &component.people) {
                continue;
            }
            steps::count(component.people.len());
            let mut same = before.iter().zip(&*component.people);
            let is_same = |(old, new): (&Person, &Person)| {
                old.identity == new.identity && old.named <= new.named
            };
            if before.len() > component.people.len() || !same.all(is_same) {
                return false;
            }
            for person in &*component.people {
                let Some(id) = ids.user_id(&person.identity) else {
                    continue;
                };
                let Ok(at) = self.users.binary_search_by_key(&id, |user| user.id) else {
                    return false;
                };
                let is_named = *person.full_name == *self.users[at].full_name;
                if person.named >= self.named[at] && !is_named {
                    return false;
                }
                self.named[at] = self.named[at].max(person.named);
            }
            *before = component.people.clone();
        }
        true
    }

    fn read(components: &[ComponentState], ids: &IdRegistry) -> Self {
        let mut people: BTreeMap<UserId, &Person> = BTreeMap::new();
        let with_people = with_people(components);
        let all = with_people.clone();
        for person in all.flat_map(|component| component.people.iter()) {
            steps::count(1);
            if let Some(id) = ids.user_id(&person.identity) {
                let newest = people.entry(id).or_insert(person);
                if person.named > newest.named {
                    *newest = person;
                }
            }
        }
        let mut names = Usernames::default();
        let users = people.iter().map(|(id, person)| User {
            id: *id,
            username: names.add(&person.full_name).into(),
            full_name: person.full_name.as_str().into(),
        });
        Self {
            users: users.collect(),
            named: people.values().map(|person| person.named).collect(),
            read: with_people
                .map(|component| (component.name.clone(), component.people.clone()))
                .collect(),
        }
    }
}

/// The components with people in their logs.
fn with_people(components: &[ComponentState]) -> impl Iterator<Item = &ComponentState> + Clone {
    let components = components.iter();
    components.filter(|component| !component.people.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HistoryMode;
    use crate::testing::project;
    use gitglot_ledger::Assignments;
    use gitglot_model::FileFormat;

    fn person(nth: usize, full_name: &str, named: i64) -> Person {
        Person {
            identity: format!("{nth}@example.org"),
            full_name: full_name.to_owned(),
            named,
        }
    }

    #[test]
    fn only_people_of_changed_components_are_read() {
        let components = ["one", "two"].map(|slug| (slug, "l/*.json", "", FileFormat::Json));
        let project = project(std::path::Path::new("/garden.git"), &components);
        let states = project.components.iter();
        let new = |config| ComponentState::new(&project, config, HistoryMode::Full);
        let mut states: Vec<ComponentState> = states.map(new).collect();
        let (mut ids, mut assignments) = (IdRegistry::default(), Assignments::default());
        let named = |name: &str| -> Arc<[Person]> {
            let of = |nth| person(nth, &format!("{name}{nth}"), 10);
            (0..50).map(of).collect()
        };
        states[0].people = named("Ann");
        states[1].people = [person(0, "Ann0", 5), person(50, "Bob", 5)].into();
        for person in states.iter().flat_map(|it| it.people.iter()) {
            ids.allocate_user(&person.identity, &mut assignments);
        }
        let mut known = KnownUsers::default();
        let mut check = |states: &[ComponentState], steps: usize| {
            let mut users: Arc<[User]> = Arc::default();
            assert_eq!(steps::of(|| users = known.of(states, &ids)), steps);
            assert_eq!(users, KnownUsers::default().of(states, &ids));
            users
                .iter()
                .map(|it| it.username.to_string())
                .collect::<Vec<_>>()
        };
        assert_eq!(check(&states, 52)[49..], ["ann49", "bob"]);
        check(&states, 0);
        // Known people have newer commits.
        states[1].people = [person(0, "Ann0", 20), person(50, "Bob", 20)].into();
        check(&states, 2);
        // The name of the newest commit counts.
        states[0].people = named("Eve");
        assert_eq!(check(&states, 50 + 52)[..2], ["ann0", "eve1"]);
        states[1].people = [person(50, "Bob", 20)].into();
        assert_eq!(check(&states, 1 + 51)[..2], ["eve0", "eve1"]);
    }
}
