//! A copy of all units that follows the log (docs/api.md#copies).

use std::collections::BTreeMap;

use serde_json::Value;

use crate::testing::TestApi;

/// The units of a server, as a client knows them.
#[derive(Default)]
pub(super) struct Copy {
    last_change: u64,
    /// By id.
    units: BTreeMap<u64, Value>,
    /// The address of each translation, with its file, revision and language.
    translations: BTreeMap<String, [Value; 3]>,
}

const FIELDS: [&str; 5] = ["source", "target", "previous_source", "fuzzy", "translated"];

/// The objects of a list; none if it does not exist.
fn list(api: &TestApi, address: &str) -> Vec<Value> {
    let path = address.trim_start_matches("http://localhost");
    let sign = if path.contains('?') { '&' } else { '?' };
    let response = api.get(&format!("{path}{sign}expand=details&format=ndjson"));
    if response.status() != 200 {
        return Vec::new();
    }
    let body = api.runtime.block_on(response.into_body().into_string());
    let lines = body.unwrap();
    lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The component of a translation or unit, by the address of the translation.
fn component(translation: &str) -> String {
    let parts: Vec<&str> = translation.rsplit('/').skip(2).take(2).collect();
    parts.join("/")
}

impl Copy {
    fn read(&mut self, api: &TestApi, address: &str) {
        let units = list(api, address).into_iter();
        self.units
            .extend(units.map(|unit| (unit["id"].as_u64().unwrap(), unit)));
    }

    /// Follows the log, and compares all units with those of the server, which has `count` of them.
    pub fn poll(&mut self, api: &TestApi, count: usize) -> Result<(), String> {
        let new = format!("/api/changes/?id_after={}&removed=true", self.last_change);
        for change in list(api, &new) {
            self.last_change = self.last_change.max(change["id"].as_u64().unwrap());
            self.apply(api, &change);
        }
        self.compare_translations(api);
        let shown = |unit: &Value| FIELDS.map(|field| unit[field].clone());
        let known = self.units.iter().map(|(id, unit)| (*id, shown(unit)));
        let known: BTreeMap<u64, _> = known.collect();
        let all = list(api, "/api/units/");
        let right = all
            .iter()
            .map(|unit| (unit["id"].as_u64().unwrap(), shown(unit)));
        let right: BTreeMap<u64, _> = right.collect();
        if known == right && right.len() == count {
            Ok(())
        } else {
            Err(format!("the copy has {known:#?}, not {right:#?}"))
        }
    }

    fn apply(&mut self, api: &TestApi, change: &Value) {
        let details = &change["details"];
        let own = text(&change["component"]).trim_end_matches('/').to_owned();
        let own = component(&format!("{own}/-/"));
        let is_own = |unit: &Value| component(text(&unit["translation"])) == own;
        match change["action"].as_u64() {
            Some(200) => self.units.retain(|_, unit| {
                let source = &details["source"];
                let is_removed = unit["context"] == details["key"]
                    && (source.is_null() || unit["source"] == *source);
                !(is_own(unit) && is_removed)
            }),
            Some(21) => {
                self.units.retain(|_, unit| !is_own(unit));
                self.translations
                    .retain(|address, _| component(address) != own);
            }
            _ if !change["unit"].is_null() => {
                self.read(api, &format!("{}translations/", text(&change["unit"])));
            }
            _ if !change["translation"].is_null() => {
                self.read(api, &format!("{}units/", text(&change["translation"])));
            }
            _ => {}
        }
    }

    /// Reads the units of translations whose files differ.
    fn compare_translations(&mut self, api: &TestApi) {
        let all = list(api, "/api/translations/");
        let row = |it: &Value| {
            let fields = ["filename", "revision", "language_code"].map(|field| it[field].clone());
            (text(&it["url"]).to_owned(), fields)
        };
        let new: BTreeMap<String, [Value; 3]> = all.iter().map(row).collect();
        let known = std::mem::replace(&mut self.translations, new.clone());
        let is_same = |address: &str| {
            known
                .get(address)
                .is_some_and(|it| new.get(address) == Some(it))
        };
        self.units
            .retain(|_, unit| is_same(text(&unit["translation"])));
        for address in new.keys().filter(|address| !is_same(address)) {
            self.read(api, &format!("{address}units/"));
        }
    }
}
