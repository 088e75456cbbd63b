//! The logs that lists can show.

use crate::apis::Legacy;
use crate::request::context::RequestContext;
use crate::response::error::ApiError;
use gitglot_catalog::LogView;
use gitglot_model::UnitId;

/// Whose log a list shows.
pub(crate) enum LogOf {
    All,
    /// That of the project in the path.
    Project,
    /// That of the component in the path.
    Component,
    /// That of the translation in the path.
    Translation,
    /// That of a unit.
    Unit(UnitId),
    /// The log of everything, for a unit whose string other components had.
    String(UnitId),
}

impl LogOf {
    /// The log, oldest entry first; the log of its translation contains that of a unit.
    pub(super) fn changes<'a>(&self, ctx: &'a RequestContext) -> Result<LogView<'a>, ApiError> {
        let snapshot = &ctx.snapshot;
        Ok(match self {
            Self::All | Self::String(_) => snapshot.changes(),
            Self::Project => {
                let changes = snapshot.changes_of_project(ctx.param("project"));
                changes.ok_or(ApiError::NotFound)?
            }
            Self::Component => snapshot.changes_of_component(ctx.component()?),
            Self::Translation => snapshot.changes_of_translation(ctx.translation::<Legacy>()?),
            Self::Unit(id) => {
                let unit = snapshot.unit(*id).ok_or(ApiError::NotFound)?;
                snapshot.changes_of_translation(unit.of())
            }
        })
    }

    /// Whether this log contains the changes of a unit.
    pub(super) fn covers(&self, ctx: &RequestContext, id: UnitId) -> bool {
        let Some(unit) = ctx.snapshot.unit(id) else {
            return false;
        };
        let (of, language) = (unit.component, &unit.translation.language);
        let in_project = || of.project.slug.as_str() == ctx.param("project");
        let in_component = || in_project() && of.component.slug.as_str() == ctx.param("component");
        match self {
            Self::All => true,
            Self::Project => in_project(),
            Self::Component => in_component(),
            Self::Translation => in_component() && *language.code == *ctx.param("language"),
            Self::Unit(own) | Self::String(own) => *own == id,
        }
    }
}
