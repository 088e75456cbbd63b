//! Source strings (docs/spec/http.md#resources).

use crate::encode::json::{int, list, raw, timestamp};
use crate::links::{Links, link, numbered};
use crate::schema::{AlwaysHundred, EmptyText, Link, Time, schema};
use gitglot_catalog::SourceView;
use gitglot_model::UnitId;

schema! {
    /// A source: a string of the template.
    Source => source(links: &Links, view: SourceView<'_>) {
        let path = view.component.path();
        /// Hash of the context. It can exceed 2^53, the limit of exact integers in JavaScript and in doubles.
        id_hash: i64 = -4830155381257635726_i64 => int(view.source.id_hash),
        /// URL of the component.
        component: Link = "https://l10n.example.org/api/components/ublock/extension/"
            => link(links, &["components/", &path]),
        /// Time when the source first appeared.
        timestamp: Time = "2018-05-04T09:12:00Z" => timestamp(view.source.since),
        #[both] priority: AlwaysHundred,
        #[both] check_flags: EmptyText,
        /// URL of this object.
        url: Link = "https://l10n.example.org/api/sources/1/"
            => numbered(links, "sources/", view.source.id.0),
        /// URLs of its units in all languages.
        units: Vec<Link> = ["https://l10n.example.org/api/units/1/"] => units(links, view.units()),
        /// Always empty.
        screenshots: Vec<Link> => raw(b"[]"),
    }
}

fn units(out: &mut Vec<u8>, links: &Links, units: Vec<UnitId>) {
    list(out, units, |out, unit| {
        numbered(out, links, "units/", unit.0)
    });
}
