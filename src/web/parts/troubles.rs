//! What keeps components from being shown as their repositories are now, said kindly.

use askama::Template;
use askama::filters::HtmlSafe;

use super::Text;
use crate::web::visit::Visit;

/// The troubles of some components.
#[derive(Template)]
#[template(path = "web/parts/troubles.html")]
pub(in crate::web) struct Troubles {
    /// The component, whether something of it is shown, and why not more.
    all: Vec<(Text, bool, Text)>,
}

impl HtmlSafe for Troubles {}

impl Troubles {
    /// Those of the components whose names, `project/component`, are wanted.
    pub(in crate::web) fn of(visit: &Visit<'_>, wanted: impl Fn(&str, &str) -> bool) -> Self {
        let parts = visit.snapshot.troubles().iter().filter_map(|(name, why)| Some((name.split_once('/')?, why)));
        let wanted = parts.filter(|((project, component), _)| wanted(project, component));
        let all = wanted.map(|((project, component), why)| {
            let shown = visit.snapshot.component(project, component);
            let name = shown.map_or(component, |of| &of.component.name);
            (Text::name(name), shown.is_some(), Text::name(why))
        });
        Self { all: all.collect() }
    }
}
