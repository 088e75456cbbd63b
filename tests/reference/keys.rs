//! Renamed keys: compares all pairs, one rule after the other (docs/spec/renames.md).

use std::collections::{BTreeMap, HashMap, HashSet};

use super::fold::Value;
use super::trees::View;

/// A renamed key of a mainline commit.
#[derive(Clone, Debug)]
pub struct Renamed {
    pub from: String,
    pub evidence: &'static str,
    pub languages: u32,
    /// Of an old key that gets a different string: its values before, by translation.
    pub values: Option<HashMap<usize, Value>>,
    pub is_recorded: bool,
}

/// A recorded rename.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recorded {
    pub entry: usize,
    pub until: usize,
    pub from: String,
    pub to: String,
    pub evidence: &'static str,
    pub languages: u32,
}

struct Search<'v> {
    before: &'v View,
    now: &'v View,
    /// Old key, new key, evidence.
    pairs: Vec<(&'v str, &'v str, &'static str)>,
}

/// The renames between two trees, by new key.
pub fn find(before: &View, now: &View) -> BTreeMap<String, Renamed> {
    let lacks = |view: &'_ View, key: &str| view.source_of(key).is_none();
    let removed: Vec<&str> = before.sources().map(|(key, _)| key).collect();
    let removed: Vec<&str> = removed.into_iter().filter(|key| lacks(now, key)).collect();
    let added: Vec<&str> = now.sources().map(|(key, _)| key).collect();
    let added: Vec<&str> = added.into_iter().filter(|key| lacks(before, key)).collect();
    let kept = before
        .sources()
        .filter(|(key, text)| now.source_of(key).is_some_and(|other| other != *text));
    let kept: Vec<&str> = kept.map(|(key, _)| key).collect();
    let mut search = Search {
        before,
        now,
        pairs: Vec::new(),
    };
    search.equal_sources(&removed, &added);
    search.similar_sources(&removed, &added);
    search.exchanges(&removed, &added, &kept);
    let pairs = search.pairs.iter();
    let renamed = pairs.map(|&(from, to, evidence)| {
        let renamed = Renamed {
            from: from.to_owned(),
            evidence,
            languages: search.agreement(from, to).0,
            values: kept.contains(&from).then(HashMap::new),
            is_recorded: false,
        };
        (to.to_owned(), renamed)
    });
    renamed.collect()
}

impl<'v> Search<'v> {
    /// The texts of a key in the languages that exist before and now.
    fn texts(&self, view: &'v View, key: &str) -> Vec<(&'v str, &'v str)> {
        let languages = self.now.translations().into_iter().map(|(name, _)| name);
        let both = languages.filter(|name| self.before.has_good(name) && self.now.has_good(name));
        let texts = both.map(|name| (name, view.text(name, key)));
        texts
            .filter(|(_, (_, translated))| *translated)
            .map(|(name, (text, _))| (name, text))
            .collect()
    }

    /// The numbers of languages with equal and with different texts.
    fn agreement(&self, from: &str, to: &str) -> (u32, u32) {
        let new: HashMap<&str, &str> = self.texts(self.now, to).into_iter().collect();
        let old = self.texts(self.before, from);
        let both = old
            .iter()
            .filter_map(|(name, text)| Some((text, new.get(name)?)));
        let (equal, different): (Vec<_>, Vec<_>) = both.partition(|(old, new)| old == new);
        (equal.len() as u32, different.len() as u32)
    }

    fn is_free(&self, from: &str, to: &str) -> bool {
        self.pairs.iter().all(|pair| pair.0 != from && pair.1 != to)
    }

    fn free(&self, removed: &[&'v str], added: &[&'v str]) -> (Vec<&'v str>, Vec<&'v str>) {
        let is_old = |key: &&&str| self.pairs.iter().all(|pair| pair.0 != **key);
        let is_new = |key: &&&str| self.pairs.iter().all(|pair| pair.1 != **key);
        (
            removed.iter().filter(is_old).copied().collect(),
            added.iter().filter(is_new).copied().collect(),
        )
    }

    /// The groups of equal source texts.
    fn groups(&self, removed: &[&'v str], added: &[&'v str]) -> Vec<(Vec<&'v str>, Vec<&'v str>)> {
        let mut texts: Vec<&str> = Vec::new();
        for text in removed.iter().filter_map(|key| self.before.source_of(key)) {
            if !text.trim().is_empty() && !texts.contains(&text) {
                texts.push(text);
            }
        }
        let of = |view: &View, list: &[&'v str], text: &str| -> Vec<&'v str> {
            let keys = list.iter().copied();
            keys.filter(|key| view.source_of(key) == Some(text))
                .collect()
        };
        let groups = texts
            .iter()
            .map(|text| (of(self.before, removed, text), of(self.now, added, text)));
        groups.filter(|(_, added)| !added.is_empty()).collect()
    }

    fn equal_sources(&mut self, removed: &[&'v str], added: &[&'v str]) {
        for (removed, added) in self.groups(removed, added) {
            if removed.len() == 1 && added.len() == 1 {
                let (equal, different) = self.agreement(removed[0], added[0]);
                let evidence = match equal > different {
                    true => "source-and-translations",
                    false => "source",
                };
                self.pairs.push((removed[0], added[0], evidence));
                continue;
            }
            let ties = self.by_translations(&removed, &added);
            for (removed, added) in ties {
                self.by_key_and_order(&removed, &added);
            }
            self.by_key_and_order(&removed, &added);
        }
    }

    /// Pairs keys by translations; returns the groups with equal ones.
    fn by_translations(
        &mut self,
        removed: &[&'v str],
        added: &[&'v str],
    ) -> Vec<(Vec<&'v str>, Vec<&'v str>)> {
        let mut ties = Vec::new();
        let mut seen = Vec::new();
        for &key in removed {
            let texts = self.texts(self.before, key);
            if texts.is_empty() || seen.contains(&texts) {
                continue;
            }
            let same = |view: &'v View, list: &[&'v str]| -> Vec<&'v str> {
                let keys = list.iter().copied();
                keys.filter(|key| self.texts(view, key) == texts).collect()
            };
            let group = (same(self.before, removed), same(self.now, added));
            seen.push(texts);
            match (group.0.len(), group.1.len()) {
                (_, 0) => {}
                (1, 1) => self
                    .pairs
                    .push((group.0[0], group.1[0], "source-and-translations")),
                _ => ties.push(group),
            }
        }
        let (removed, added) = self.free(removed, added);
        let best = self.mutual_best(&removed, &added, 1.0, |search, from, to| {
            let (equal, different) = search.agreement(from, to);
            (equal > different).then(|| f64::from(equal) - f64::from(different))
        });
        for (from, to) in best {
            self.pairs.push((from, to, "source-and-translations"));
        }
        ties
    }

    fn by_key_and_order(&mut self, removed: &[&'v str], added: &[&'v str]) {
        let (removed, added) = self.free(removed, added);
        let contradicts = |search: &Self, from: &str, to: &str| {
            let (equal, different) = search.agreement(from, to);
            different > equal
        };
        let best = self.mutual_best(&removed, &added, 0.1, |search, from, to| {
            let last = |key: &str| {
                key.rsplit(['.', '/', ':', '|'])
                    .next()
                    .unwrap_or(key)
                    .to_owned()
            };
            let score = f64::midpoint(dice(from, to), dice(&last(from), &last(to)));
            (score >= 0.5 && !contradicts(search, from, to)).then_some(score)
        });
        for (from, to) in best {
            self.pairs.push((from, to, "key"));
        }
        let (removed, added) = self.free(&removed, &added);
        let pairs: Vec<_> = removed.iter().copied().zip(added.iter().copied()).collect();
        let is_wrong = pairs.iter().any(|(from, to)| contradicts(self, from, to));
        if removed.len() == added.len() && !is_wrong {
            self.pairs
                .extend(pairs.into_iter().map(|(from, to)| (from, to, "order")));
        }
    }

    fn similar_sources(&mut self, removed: &[&'v str], added: &[&'v str]) {
        let (removed, added) = self.free(removed, added);
        let is_rare = |view: &'v View, list: &[&str], name: &str, text: &str| {
            let is_use = |key: &&&str| {
                let copy = view.source_of(key) == Some(text);
                !copy && view.text(name, key) == (text, true)
            };
            list.iter().filter(is_use).count() <= 4
        };
        let (old_keys, new_keys) = (removed.clone(), added.clone());
        let best = self.mutual_best(&removed, &added, 1.0, |search, from, to| {
            let new: HashMap<&str, &str> = search.texts(search.now, to).into_iter().collect();
            let old = search.texts(search.before, from).into_iter();
            let is_vote = |(name, text): &(&str, &str)| {
                new.get(name) == Some(text)
                    && search.before.source_of(from) != Some(*text)
                    && search.now.source_of(to) != Some(*text)
                    && is_rare(search.before, &old_keys, name, text)
                    && is_rare(search.now, &new_keys, name, text)
            };
            let votes = old.filter(is_vote).count();
            let (equal, different) = search.agreement(from, to);
            (votes >= 2 && equal > different).then_some(votes as f64)
        });
        for (from, to) in best {
            let source =
                |view: &View, key: &str| view.source_of(key).unwrap_or_default().to_owned();
            let sources = (source(self.before, from), source(self.now, to));
            if dice(&sources.0, &sources.1) >= 0.5 {
                self.pairs.push((from, to, "translations"));
            }
        }
    }

    fn exchanges(&mut self, removed: &[&'v str], added: &[&'v str], kept: &[&'v str]) {
        let with_kept = |list: &[&'v str]| [list, kept].concat();
        let (removed, added) = self.free(&with_kept(removed), &with_kept(added));
        for (removed, added) in self.groups(&removed, &added) {
            self.by_translations(&removed, &added);
        }
        loop {
            let old: HashSet<&str> = self.pairs.iter().map(|pair| pair.0).collect();
            let new: HashSet<&str> = self.pairs.iter().map(|pair| pair.1).collect();
            let count = self.pairs.len();
            self.pairs.retain(|&(from, to, _)| {
                let is_reused = !kept.contains(&from) || new.contains(from);
                is_reused && (!kept.contains(&to) || old.contains(to))
            });
            if self.pairs.len() == count {
                return;
            }
        }
    }

    /// The pairs of which each is better than all others of both keys.
    fn mutual_best(
        &self,
        removed: &[&'v str],
        added: &[&'v str],
        margin: f64,
        score: impl Fn(&Self, &str, &str) -> Option<f64>,
    ) -> Vec<(&'v str, &'v str)> {
        let mut found = Vec::new();
        for &from in removed {
            for &to in added {
                let Some(own) = score(self, from, to).filter(|_| self.is_free(from, to)) else {
                    continue;
                };
                let is_behind = |other: Option<f64>| other.is_none_or(|it| own - it >= margin);
                let others = removed.iter().filter(|it| **it != from);
                let other_old = others.map(|it| score(self, it, to)).all(is_behind);
                let others = added.iter().filter(|it| **it != to);
                if other_old && others.map(|it| score(self, from, it)).all(is_behind) {
                    found.push((from, to));
                }
            }
        }
        found
    }
}

/// The Sørensen–Dice coefficient of the pairs of neighbouring characters.
fn dice(a: &str, b: &str) -> f64 {
    let pairs = |text: &str| -> Vec<String> {
        let chars: Vec<char> = text
            .chars()
            .take(1000)
            .flat_map(char::to_lowercase)
            .collect();
        chars.windows(2).map(|pair| pair.iter().collect()).collect()
    };
    if a == b {
        return 1.0;
    }
    let (a, mut b) = (pairs(a), pairs(b));
    if a.is_empty() || b.is_empty() {
        return 0.0;
    }
    let all = a.len() + b.len();
    let mut common = 0;
    for pair in a {
        if let Some(at) = b.iter().position(|other| *other == pair) {
            b.swap_remove(at);
            common += 1;
        }
    }
    2.0 * f64::from(common) / all as f64
}
